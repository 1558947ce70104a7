"""Which days a question means, seen from Sunday, 10 May 2026, and from Tuesday, 1 December 2026."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.query import understand
from memory.times import Span, spans

NOW = datetime(2026, 5, 10, 20, 30, tzinfo=UTC)
LATER = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
MONTHS_EN = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
MONTHS_ZH = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]
moments = st.datetimes(datetime(1990, 1, 1), datetime(2090, 12, 31), timezones=st.just(UTC))


def _said(text: str, now: datetime) -> list[str]:
    """The spans as first and last day."""
    return [f"{s.since.date()}..{(s.until - timedelta(days=1)).date()}" for s in spans(text, now)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("我5月4日说了什么", "2026-05-04", "2026-05-04"),
        ("11月的旅行", "2025-11-01", "2025-11-30"),
        ("2024年3月2号那天", "2024-03-02", "2024-03-02"),
        ("上周三去哪了", "2026-04-29", "2026-04-29"),
        ("昨天吃了什么", "2026-05-09", "2026-05-09"),
        ("去年的计划", "2025-01-01", "2025-12-31"),
        ("上个月", "2026-04-01", "2026-04-30"),
        ("三天前", "2026-05-07", "2026-05-07"),
        ("What did I do on May 4th?", "2026-05-04", "2026-05-04"),
        ("where was I in June 2025", "2025-06-01", "2025-06-30"),
        ("what did Ann say last week", "2026-04-27", "2026-05-03"),
        ("who came on Friday", "2026-05-08", "2026-05-08"),
        ("yesterday's call", "2026-05-09", "2026-05-09"),
        ("今年冬天", "2026-12-01", "2027-02-28"),
        ("last summer we rented a boat", "2025-06-01", "2025-08-31"),
        ("last May", "2025-05-01", "2025-05-31"),
        ("over the weekend", "2026-05-09", "2026-05-10"),
    ],
)
def test_days_months_and_years(text: str, first: str, last: str) -> None:
    assert _said(text, NOW) == [f"{first}..{last}"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("五月我种了什么", "2026-05-01", "2026-05-31"),
        ("5月种了什么花", "2026-05-01", "2026-05-31"),
        ("五月十号谁来过", "2026-05-10", "2026-05-10"),
        ("五月二十一日的会", "2026-05-21", "2026-05-21"),
        ("二〇二四年三月我在忙啥", "2024-03-01", "2024-03-31"),
        ("二零二五年读的书", "2025-01-01", "2025-12-31"),
        ("十二月的安排", "2026-12-01", "2026-12-31"),
        ("去年12月换的灯", "2025-12-01", "2025-12-31"),
        ("去年5月见的客户", "2025-05-01", "2025-05-31"),
        ("去年五月的十号", "2025-05-10", "2025-05-10"),
        ("5月4号到6号", "2026-05-04", "2026-05-06"),
        ("两个多月前", "2026-09-17", "2026-10-17"),
        ("May 4 to 6", "2026-05-04", "2026-05-06"),
        ("this past Friday", "2026-11-27", "2026-11-27"),
        ("大前年学过什么", "2023-01-01", "2023-12-31"),
        ("前年的体检", "2024-01-01", "2024-12-31"),
        ("三年前的五月", "2023-05-01", "2023-05-31"),
        ("去年今天", "2025-12-01", "2025-12-01"),
        ("下周三有课吗", "2026-12-09", "2026-12-09"),
        ("下個月", "2027-01-01", "2027-01-31"),
        ("上上上周三", "2026-11-11", "2026-11-11"),
        ("上上週三", "2026-11-18", "2026-11-18"),
        ("查一下周三的记录", "2026-11-25", "2026-11-25"),
        ("上周末钓鱼了吗", "2026-11-28", "2026-11-29"),
        ("上周一起吃饭的是谁", "2026-11-23", "2026-11-29"),
        ("前天的面", "2026-11-29", "2026-11-29"),
        ("大前天", "2026-11-28", "2026-11-28"),
        ("大后天", "2026-12-04", "2026-12-04"),
        ("前几天说的店", "2026-11-25", "2026-11-30"),
        ("过去三个月跑了多少步", "2026-09-02", "2026-12-01"),
        ("两周前", "2026-11-14", "2026-11-20"),
        ("月初交的钱", "2026-12-01", "2026-12-10"),
        ("月底交的钱", "2026-11-21", "2026-11-30"),
        ("上个月十号", "2026-11-10", "2026-11-10"),
        ("十一月底", "2026-11-21", "2026-11-30"),
        ("今年春天", "2026-03-01", "2026-05-31"),
        ("上个夏天", "2026-06-01", "2026-08-31"),
        ("上半年读了几本书", "2026-01-01", "2026-06-30"),
        ("去年三季度", "2025-07-01", "2025-09-30"),
        ("去年年底", "2025-11-01", "2025-12-31"),
        ("国庆去了哪座山", "2026-10-01", "2026-10-07"),
        ("去年国庆", "2025-10-01", "2025-10-07"),
        ("去年三月到五月", "2025-03-01", "2025-05-31"),
        ("2024年十一月到二月", "2024-11-01", "2025-02-28"),
        ("二月二十九号", "2024-02-29", "2024-02-29"),
        ("last May", "2026-05-01", "2026-05-31"),
        ("in May last year", "2025-05-01", "2025-05-31"),
        ("last year, in May", "2025-05-01", "2025-05-31"),
        ("two years ago in May", "2024-05-01", "2024-05-31"),
        ("last December", "2025-12-01", "2025-12-31"),
        ("in late May", "2026-05-21", "2026-05-31"),
        ("at the end of last month", "2026-11-21", "2026-11-30"),
        ("the second half of last year", "2025-07-01", "2025-12-31"),
        ("two weeks ago", "2026-11-14", "2026-11-20"),
        ("a couple of days ago", "2026-11-29", "2026-11-29"),
        ("a few days ago", "2026-11-25", "2026-11-29"),
        ("over the past two weeks", "2026-11-17", "2026-12-01"),
        ("the day before yesterday", "2026-11-29", "2026-11-29"),
        ("the day after tomorrow", "2026-12-03", "2026-12-03"),
        ("next Wednesday", "2026-12-09", "2026-12-09"),
        ("last Wednesday", "2026-11-25", "2026-11-25"),
        ("on Wednesday of last week", "2026-11-25", "2026-11-25"),
        ("the Friday before last", "2026-11-20", "2026-11-20"),
        ("last summer", "2026-06-01", "2026-08-31"),
        ("the summer of 2024", "2024-06-01", "2024-08-31"),
        ("late 2024", "2024-09-01", "2024-12-31"),
        ("Q3 2025", "2025-07-01", "2025-09-30"),
        ("last Christmas", "2025-12-25", "2025-12-25"),
        ("Thanksgiving last year", "2025-11-27", "2025-11-27"),
        ("the fourth of July last year", "2025-07-04", "2025-07-04"),
        ("the 3rd of last month", "2026-11-03", "2026-11-03"),
        ("from May to July", "2026-05-01", "2026-07-31"),
        ("between November and February 2025", "2024-11-01", "2025-02-28"),
        ("the week before last", "2026-11-16", "2026-11-22"),
        ("Feb 29", "2024-02-29", "2024-02-29"),
    ],
)
def test_from_december(text: str, first: str, last: str) -> None:
    assert _said(text, LATER) == [f"{first}..{last}"]


def test_what_is_joined_shares_its_year() -> None:
    assert _said("in May and June last year", LATER) == ["2025-05-01..2025-05-31", "2025-06-01..2025-06-30"]
    assert _said("去年三月和五月", LATER) == ["2025-03-01..2025-03-31", "2025-05-01..2025-05-31"]
    assert _said("去年和五月", LATER) == ["2025-01-01..2025-12-31", "2026-05-01..2026-05-31"]


@pytest.mark.parametrize(
    "text",
    [
        "我可能会去", "I may go", "May I go?", "2026-13-40", "2月31日", "二月三十号", "version 3.11", "", "3000年前的陶器", "5000 years ago", "三个月", "三四月份", "圣诞老人", "五月天的歌", "五一路",
        "5号线", "两周三次", "每周三", "every Monday", "过去年轻", "以前天天跑步", "农历五月初五", "June's cat", "fall asleep", "搬家三天后", "2024年前", "room 2010", "十几年前",
    ],
)  # fmt: skip
def test_no_days_no_spans(text: str) -> None:
    assert spans(text, LATER) == ()


@pytest.mark.parametrize(
    ("text", "past"), [("前年我住哪", True), ("where did I live two years ago", True), ("今年我在哪上班", False), ("昨天在公司说了什么", False)]
)
def test_how_things_stood_in_a_year_gone_by(text: str, past: bool) -> None:
    assert understand(text, now=LATER).past is past


@given(st.text(max_size=60), moments)
def test_any_text_is_survived(text: str, now: datetime) -> None:
    assert all(s.since < s.until for s in spans(text, now))


_PIECES = [
    *"年月日号天周前后上下这去今明大初底末春夏秋冬到和的个半几两三十五一二〇零", "星期", "礼拜", "季度", "国庆", "过去", "2024", "12", "31", " ", "last", "next", "this",
    "year", "month", "week", "weekend", "May", "March", "Friday", "in", "of", "the", "ago", "before", "two", "a few", "summer", "to", "and", "between", "end", "early",
    "Christmas", "3rd", "Q4", "years",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=9), st.booleans(), moments)
def test_no_span_begins_after_it_ends(pieces: list[str], spaced: bool, now: datetime) -> None:
    found = spans((" " if spaced else "").join(pieces), now)
    assert all(s.since < s.until and s.since.tzinfo == now.tzinfo and s.since.hour == s.until.hour == 0 for s in found)


@given(
    st.sampled_from(
        ["", *(f"{m}月" for m in MONTHS_ZH), "五月十号", "3月5日", "上半年", "四季度", "年初", "年底", "春天", "秋天", "国庆", "五一", "暑假"]
    ),
    moments,
)
def test_what_is_said_of_last_year_lies_in_it(rest: str, now: datetime) -> None:
    (span,) = spans(f"去年{rest}我做了什么", now)
    assert datetime(now.year - 1, 1, 1, tzinfo=UTC) <= span.since < span.until <= datetime(now.year, 1, 1, tzinfo=UTC)


@given(st.integers(1, 12), st.sampled_from([("今年", 0), ("去年", -1), ("前年", -2), ("大前年", -3), ("明年", 1)]), moments)
def test_a_year_word_and_a_month_are_exactly_that_month(month: int, word: tuple[str, int], now: datetime) -> None:
    year = now.year + word[1]
    whole = Span(datetime(year, month, 1, tzinfo=UTC), datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC))
    assert spans(f"{word[0]}{MONTHS_ZH[month - 1]}月", now) == spans(f"{word[0]}{month}月份", now) == (whole,)
    named = {0: "this year", -1: "last year", 1: "next year", -2: "two years ago", -3: "three years ago"}[word[1]]
    assert spans(f"in {MONTHS_EN[month - 1]} {named}", now) == spans(f"{named} in {MONTHS_EN[month - 1]}", now) == (whole,)
    if 1900 <= year <= 2099:
        assert spans(f"in {MONTHS_EN[month - 1]} {year}", now) == spans(f"{year}年{month}月", now) == (whole,)


@given(st.integers(1, 12), moments)
def test_a_month_alone_is_the_latest_that_has_begun(month: int, now: datetime) -> None:
    (span,) = spans(f"{month}月的事", now)
    assert span.since <= now < span.since + timedelta(days=366)
    assert spans(f"in {MONTHS_EN[month - 1]}", now) == spans(f"{MONTHS_ZH[month - 1]}月", now) == (span,)


@given(st.integers(0, 6), moments)
def test_days_of_coming_weeks_lie_ahead(day: int, now: datetime) -> None:
    (span,) = spans("下周" + "一二三四五六日"[day], now)
    assert now < span.since and span.since.weekday() == day
    assert spans("next " + ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][day], now) == (span,)
    (before,) = spans("上周" + "一二三四五六日"[day], now)
    assert span.since - before.since == timedelta(weeks=2)
