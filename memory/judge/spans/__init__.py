"""The span reader: what of a clause is a fact's value, under which attribute, and whether it holds, is new, is over or is denied; learnt from examples."""
