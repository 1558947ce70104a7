"""Birthdays worked out from a day and an age: a pure function of candidates, text and time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.judge import judge
from memory.judge.judgement import Candidate
from memory.record import Memory
from memory.revise.birthdays import born, dated
from memory.small_model import small_model

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def birthdays(text: str) -> set[tuple[str, str]]:
    told = dated(judge(text, time=NOW, model=small_model()).candidates, (), text, NOW)
    return {(c.owner, c.value) for c in [*told, *born(told, [], text, NOW)] if c.attribute == "birthday"}


@pytest.mark.parametrize(
    ("text", "owner", "day"),
    [
        ("Turned 41 yesterday, feels the same", "user", "1985-11-29"), ("Mum turned 71 today", "Mum", "1955-11-30"), ("我昨天刚满28", "user", "1998-11-29"),
        ("今天是我生日，满33啦", "user", "1993-11-30"), ("后天是他九岁生日", "他", "2017-12-02"), ("我儿子上周六满6岁了", "儿子", "2020-11-28"),
        ("明天是我生日", "user", "12-01"), ("我生日是3月5号", "user", "3月5号"), ("我生日是农历八月初三", "user", "农历八月初三"),
    ],
)  # fmt: skip
def test_the_day_is_worked_out(text: str, owner: str, day: str) -> None:
    assert (owner, day) in birthdays(text)


@pytest.mark.parametrize("text", ["我32岁，昨天去爬山了", "I turned 30 last year", "昨天跑步跑满30公里", "I'm 29 and in no hurry", "我女儿今天满月"])
def test_an_age_alone_tells_no_day(text: str) -> None:
    assert not birthdays(text)


@given(st.integers(0, 200), st.text(max_size=40))
def test_any_age_and_text(age: int, text: str) -> None:
    told = [Candidate(attribute="age", value=str(age), clause=text)]
    assert all(c.attribute == "birthday" and c.value for c in born(told, [], text, NOW))
    assert len(dated([Candidate(attribute="birthday", value=text, clause=text)], (), text, NOW)) == 1


def test_a_leap_day_of_a_year_without_one_is_left_out() -> None:
    assert not born([Candidate(attribute="age", value="3", clause="turned 3 today")], [], "turned 3 today", datetime(2024, 2, 29, 9, tzinfo=UTC))


@pytest.mark.parametrize("text", ["I'll be 40 this spring.", "I turn 40 next month."])
def test_a_time_that_names_no_day_puts_no_known_birthday_right(text: str) -> None:
    known = Memory(
        key="k", fact="f", user="u", category="identity", attribute="birthday", value="12 May", content="", recorded_at=NOW, updated_at=NOW
    )
    candidates = judge(text, time=NOW, model=small_model()).candidates
    assert not [c for c in dated(candidates, [known], text, NOW) if c.attribute == "birthday"]
