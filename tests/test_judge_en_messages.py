"""The judge over several hundred English messages of every kind: rates, not single rows (`data/judge_en*.tsv`: L or S, message, facts)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.judge import Judgement, judge
from memory.judge.clauses import fold

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
ALIKE = [{"plan", "event"}, {"likes", "habit"}, {"age", "birthday"}]


def rows(name: str) -> list[tuple[str, str, list[str]]]:
    found = []
    for line in (DATA / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, text, facts = [*line.split("\t"), ""][:3]
            found.append((kind, text, [f for f in facts.split(";") if f]))
    return found


def has(expected: str, judged: Judgement) -> bool:
    key, _, value = expected.partition("=")
    owner, _, attribute = key.rpartition(".")
    for fact in judged.facts:
        same = fact.attribute == attribute or any({fact.attribute, attribute} <= g for g in ALIKE)
        a, b = fold(fact.value), fold(value)
        if same and (owner or "user") in fact.owner and (a in b or b in a):
            return True
    return False


@pytest.mark.parametrize(
    ("name", "precision", "recall", "facts"),
    [("judge_en.tsv", 0.98, 0.96, 0.94), ("judge_en_check.tsv", 0.97, 0.88, 0.85), ("judge_en_cross.tsv", 0.95, 0.82, 0.88)],
)
def test_messages(name: str, precision: float, recall: float, facts: float) -> None:
    judged = [(kind, judge(text, time=NOW), expected) for kind, text, expected in rows(name)]
    long = [kind for kind, j, _ in judged if j.memory_type == "LONG"]
    assert long.count("L") / len(long) >= precision
    assert long.count("L") / sum(kind == "L" for kind, _, _ in judged) >= recall
    wanted = [has(f, j) for _, j, expected in judged for f in expected]
    assert sum(wanted) / len(wanted) >= facts
