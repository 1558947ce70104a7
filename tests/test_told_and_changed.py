"""Messages through judge, notice and revise, one after the other: what holds in the end, and what no longer does."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.judge import judge
from memory.record import Memory, Source, Status
from memory.revise import applied, revise
from memory.revise.dates import date_in
from memory.revise.notice import notice
from memory.revise.tidy import tidy

START = datetime(2026, 3, 4, 9, tzinfo=UTC)  # a Wednesday


def hear(*messages: str, apart: timedelta = timedelta(days=1)) -> list[Memory]:
    """What is known as true after the messages, said one after the other."""
    known: list[Memory] = []
    for n, text in enumerate(messages):
        now = START + n * apart
        read = tidy(judge(text, time=now).facts, text)

        def day(told: str, now: datetime = now) -> str | None:
            return date_in(told, now)

        for candidate in notice(text, known, read, now=now, resolve=day):
            known = applied(known, revise(known, candidate, user="u", now=now, source=Source(message=str(n), text=text)))
    return [m for m in known if m.status is Status.ACTIVE]


@pytest.mark.parametrize(
    ("plan", "said", "day"),
    [
        ("我下周四要去考瑜伽教练证", "考点通知，教练证推迟三天", "2026-03-15"),
        ("下周日要拍婚纱照", "摄影师说婚纱照提前一天拍", "2026-03-14"),
        ("下周二考科目二", "驾校发消息，科二顺延一周", "2026-03-17"),
        ("下周一要去办购车手续", "销售临时有事，办手续改到下周五", "2026-03-13"),
        ("We're off to Porto this Sunday.", "Fog at the airport. We fly Tuesday instead.", "2026-03-10"),
    ],
)
def test_a_known_plan_moves_by_so_many_days_or_under_a_shorter_name(plan: str, said: str, day: str) -> None:
    assert [m.time for m in hear(plan, said) if m.attribute in {"plan", "event"}] == [day]
