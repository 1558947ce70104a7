"""One node per file, in the order of a round."""
