"""A coming day that is told with what happens on it is a plan, in both languages; the weather and what is asked of the assistant are none."""

from datetime import UTC, datetime

import pytest

from memory.judge import judge

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)  # a Wednesday


def plans(text: str) -> list[tuple[str, str | None]]:
    return [(f.owner, f.time) for f in judge(text, time=NOW).facts if f.attribute in {"plan", "event"}]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("下周二施工队进场敲墙", "2026-03-10"),
        ("元旦那天我们一家去爬灵山", "2027-01-01"),
        ("我妹大后天坐船来看我", "2026-03-07"),
        ("二十天后我得上台领奖", "2026-03-24"),
        ("明晚七点有场视频面试", "2026-03-05"),
        ("Twelve days from today the roofers start on our barn.", "2026-03-16"),
        ("In a fortnight I hand over the shop keys.", "2026-03-18"),
        ("A week from today I collect the kitten.", "2026-03-11"),
        ("Five days from now my apprenticeship begins.", "2026-03-09"),
    ],
)
def test_a_coming_day_with_a_doing_is_a_plan(text: str, day: str) -> None:
    assert plans(text) == [("user", day)]


@pytest.mark.parametrize(
    "text", ["大后天全省降温", "下周六商场大促", "后天提醒我一下", "It snows on Sunday.", "Book me a desk for Friday.", "I'm free next Monday."]
)
def test_weather_sales_and_orders_are_none(text: str) -> None:
    assert plans(text) == []


def test_what_one_does_on_somebody_elses_day_is_ones_own_plan() -> None:
    assert ("user", "2026-03-11") in plans("外婆下周三做支架，我得去医院陪着。")
