"""The judge over several hundred Chinese messages of every kind: rates, not single rows (`data/judge_zh*.tsv`: L or S, message, facts)."""

from datetime import datetime
from pathlib import Path

import pytest

from memory.judge import judge
from memory.judge.clauses import fold

DATA = Path(__file__).parent / "data"
ALIKE = [{"plan", "event"}, {"likes", "habit"}, {"age", "birthday"}]


def rows(name: str) -> list[tuple[str, str, list[str]]]:
    found = []
    for line in (DATA / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, text, facts = [*line.split("\t"), ""][:3]
            found.append((kind, text, [f for f in facts.split(";") if f]))
    return found


def has(expected: str, text: str) -> bool:
    key, _, value = expected.partition("=")
    owner, _, attribute = key.rpartition(".")
    for fact in judge(text, time=datetime(2026, 1, 20, 10)).facts:
        same = fact.attribute == attribute or any({fact.attribute, attribute} <= g for g in ALIKE)
        a, b = fold(fact.value), fold(value)
        if same and (owner or "user") in fact.owner and (a in b or b in a):
            return True
    return False


@pytest.mark.parametrize(
    ("name", "precision", "recall", "facts"),
    [("judge_zh.tsv", 0.97, 0.93, 0.88), ("judge_zh_colloquial.tsv", 0.94, 0.9, 0.8), ("judge_zh_chat.tsv", 0.95, 0.95, 0.85)],
)
def test_messages(name: str, precision: float, recall: float, facts: float) -> None:
    judged = [(kind, judge(text).memory_type == "LONG") for kind, text, _ in rows(name)]
    right = sum(long and kind == "L" for kind, long in judged)
    assert right / sum(long for _, long in judged) >= precision
    assert right / sum(kind == "L" for kind, _ in judged) >= recall
    wanted = [has(f, text) for _, text, expected in rows(name) for f in expected]
    assert sum(wanted) / len(wanted) >= facts
