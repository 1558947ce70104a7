"""The judge over several hundred English messages of every kind: rates, not single rows."""

import pytest

from tests.judge_messages import rates


@pytest.mark.parametrize(
    ("name", "precision", "recall", "facts"),
    [
        ("judge_en.tsv", 0.98, 0.96, 0.94),
        ("judge_en_check.tsv", 0.97, 0.88, 0.85),
        ("judge_en_cross.tsv", 0.95, 0.82, 0.88),
        ("judge_en_offhand.tsv", 0.97, 0.75, 0.85),
    ],
)
def test_messages(name: str, precision: float, recall: float, facts: float) -> None:
    got = rates(name)
    assert got[0] >= precision
    assert got[1] >= recall
    assert got[2] >= facts
