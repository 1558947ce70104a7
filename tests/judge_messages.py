"""Files of labelled messages under `tests/data/`, and how the judge does on them: rates, not single rows.

A line: L or S, the message, the expected facts (``attribute=value`` or ``owner.attribute=value``, joined by ``;``). A fact counts when attribute and owner
fit and one value holds the other; plan and event, likes and habit, age and birthday stand for each other.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory.judge import Judgement, judge
from memory.judge.clauses import fold

DATA: Final = Path(__file__).parent / "data"
NOW: Final = datetime(2026, 3, 4, 12, tzinfo=UTC)
ALIKE: Final = [{"plan", "event"}, {"likes", "habit"}, {"age", "birthday"}]


def rows(name: str) -> list[tuple[str, str, list[str]]]:
    """(L or S, message, expected facts) of each line."""
    found = []
    for line in (DATA / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, text, facts = [*line.split("\t"), ""][:3]
            found.append((kind, text, [f for f in facts.split(";") if f]))
    return found


def has(expected: str, judged: Judgement) -> bool:
    """Whether the judgement holds the expected fact."""
    key, _, value = expected.partition("=")
    owner, _, attribute = key.rpartition(".")
    for fact in judged.facts:
        same = fact.attribute == attribute or any({fact.attribute, attribute} <= g for g in ALIKE)
        a, b = fold(fact.value), fold(value)
        if same and (owner or "user") in fact.owner and (a in b or b in a):
            return True
    return False


def rates(name: str) -> tuple[float, float, float]:
    """(precision of LONG, recall of LONG, share of the expected facts found) by rules alone."""
    judged = [(kind, judge(text, time=NOW), expected) for kind, text, expected in rows(name)]
    long = [kind for kind, j, _ in judged if j.memory_type == "LONG"]
    wanted = [has(f, j) for _, j, expected in judged for f in expected]
    return long.count("L") / len(long), long.count("L") / sum(kind == "L" for kind, _, _ in judged), sum(wanted) / len(wanted)
