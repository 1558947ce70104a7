"""What a candidate does to what is known: one change, fully spelled out for the store."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.judge.judgement import Candidate
from memory.record import Memory


class Op(StrEnum):
    """What a candidate does to what is known."""

    ADD = "add"
    STRENGTHEN = "strengthen"
    SUPERSEDE = "supersede"
    RETIRE = "retire"
    HOLD = "hold"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One change, fully spelled out for the store.

    `closed` is the old version as it stands afterwards (superseded, with valid_to); `memory` is the version that is added, updated or held.
    ADD: memory (active, or superseded for a statement about the past). STRENGTHEN: memory = the known version with more evidence. SUPERSEDE:
    both. RETIRE: closed only. HOLD: memory (pending or held). IGNORE: neither.
    """

    op: Op
    candidate: Candidate
    reason: str
    memory: Memory | None = None
    closed: Memory | None = None


def applied(known: Sequence[Memory], revisions: Iterable[Revision]) -> list[Memory]:
    """What is known once these revisions are made: each version once, in its latest state."""
    after = {m.key: m for m in known}
    for revision in revisions:
        for version in (revision.closed, revision.memory):
            if version is not None and revision.op is not Op.IGNORE:
                after[version.key] = version
    return list(after.values())
