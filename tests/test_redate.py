"""Plans that move without being told anew, and what a newcomer's changes do: own examples, end to end without a model."""

from datetime import UTC, datetime, timedelta

import pytest
from langgraph.store.memory import InMemoryStore

from bench.change import replay
from memory.record import Status

pytestmark = pytest.mark.anyio
BEGAN = datetime(2026, 11, 30, 10, tzinfo=UTC)


async def ends_with(*said: str) -> set[tuple[str, str, str | None]]:
    turns = [{"time": (BEGAN + timedelta(hours=n)).isoformat(), "text": t} for n, t in enumerate(said)]
    done = await replay(InMemoryStore(), {"id": "u", "kind": "change", "turns": turns})
    return {(m.attribute, m.value, m.time) for m in done.memories if m.status is Status.ACTIVE}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            ("my flight to Oslo is on the 18th of December", "it's actually the 20th, they moved the flight"),
            {("plan", "flight to Oslo", "2026-12-20")},
        ),
        (("I have an eye test on Thursday", "make it Friday"), {("plan", "eye test", "2026-12-04")}),
        (("my concert is on 5 December", "the concert got pushed back by four days"), {("plan", "concert", "2026-12-09")}),
        (("I'm meeting Lea on Thursday", "not Thursday, Friday"), {("plan", "meeting Lea", "2026-12-04")}),
        (("I have a meeting with Lea on Thursday", "they brought the meeting forward by a day"), {("plan", "meeting with Lea", "2026-12-02")}),
        (("I have a meeting with Lea on Thursday", "it's actually sunny on Friday"), {("plan", "meeting with Lea", "2026-12-03")}),
        (("we're moving to Ely in March", "never mind what I said about Ely, we're staying in Bath"), set()),
        (("we're moving to Ely in March", "actually we're staying put"), set()),
        (("our gala dinner is on Saturday", "push dinner to Sunday"), {("plan", "gala dinner", "2026-12-06")}),
        (("I'm a nurse", "now I'm a theatre nurse"), {("occupation", "theatre nurse", None)}),
        (("everyone calls me Tess", "Please call me Theresa from here on"), {("name", "Theresa", None)}),
        (
            ("my landline is 0113 496 0000", "my mobile is 07700 900456", "my mobile is 07700 900123 from today"),
            {("contact", "0113 496 0000", None), ("contact", "07700 900123", None)},
        ),
    ],
)
async def test_what_holds_at_the_end(said: tuple[str, ...], expected: set[tuple[str, str, str | None]]) -> None:
    assert await ends_with(*said) == expected
