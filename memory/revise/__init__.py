"""Existing facts + candidate → what changes, and why. Pure: no I/O, no clock of its own.

`decide` holds the decision; `beside` finds the fact a candidate says again and those it pushes out; `case` is the candidate among what is known;
`schema` (attributes.toml) says how attributes behave; `forms` and `sameness`
when two values are one; `people` whose fact it is; `referents` which fact is meant; `periods` when it was true; `cues` what a clause does.
Before that, `tidy` puts a judge's candidates in order and `notice` (`hearing`, `over`, `anew`, `amounts`, `parallel`, `successors`, `stretches`) finds what the message says about known facts.
"""

from memory.revise.decide import CONFIDENT, revise
from memory.revise.revision import Op, Revision, applied

__all__ = ["CONFIDENT", "Op", "Revision", "applied", "revise"]
