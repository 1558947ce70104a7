"""The judge over several hundred Chinese messages of every kind: rates, not single rows."""

import pytest

from tests.judge_messages import rates


@pytest.mark.parametrize(
    ("name", "precision", "recall", "facts"),
    [
        ("judge_zh.tsv", 0.97, 0.93, 0.88),
        ("judge_zh_colloquial.tsv", 0.94, 0.9, 0.8),
        ("judge_zh_chat.tsv", 0.95, 0.95, 0.85),
        ("judge_zh_offhand.tsv", 0.97, 0.88, 0.85),
    ],
)
def test_messages(name: str, precision: float, recall: float, facts: float) -> None:
    got = rates(name)
    assert got[0] >= precision
    assert got[1] >= recall
    assert got[2] >= facts
