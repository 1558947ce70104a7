"""Which days a question means, seen from Sunday, 10 May 2026."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.times import spans

NOW = datetime(2026, 5, 10, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("我5月4日说了什么", "2026-05-04", "2026-05-05"),
        ("11月的旅行", "2025-11-01", "2025-12-01"),
        ("2024年3月2号那天", "2024-03-02", "2024-03-03"),
        ("上周三去哪了", "2026-04-29", "2026-04-30"),
        ("昨天吃了什么", "2026-05-09", "2026-05-10"),
        ("去年的计划", "2025-01-01", "2026-01-01"),
        ("上个月", "2026-04-01", "2026-05-01"),
        ("三天前", "2026-05-07", "2026-05-08"),
        ("What did I do on May 4th?", "2026-05-04", "2026-05-05"),
        ("where was I in June 2025", "2025-06-01", "2025-07-01"),
        ("what did Ann say last week", "2026-04-27", "2026-05-04"),
        ("who came on Friday", "2026-05-08", "2026-05-09"),
        ("yesterday's call", "2026-05-09", "2026-05-10"),
    ],
)
def test_days_months_and_years(text: str, since: str, until: str) -> None:
    found = spans(text, NOW)
    assert [(s.since.date().isoformat(), s.until.date().isoformat()) for s in found] == [(since, until)]


@pytest.mark.parametrize("text", ["我可能会去", "I may go", "2026-13-40", "2月31日", "version 3.11", ""])
def test_no_days_no_spans(text: str) -> None:
    assert spans(text, NOW) == ()


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    assert all(s.since < s.until for s in spans(text, NOW))
