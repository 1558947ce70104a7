"""The judge on English messages: what is stored, what is not, and whose it is."""

from datetime import UTC, datetime
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.judge import judge
from memory.record import CATEGORIES

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday


def facts(text: str, **kwargs: Any) -> set[tuple[str, str, str]]:
    return {(f.owner, f.attribute, f.value) for f in judge(text, time=NOW, **kwargs).facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm Dana and I'm 28 years old", {("user", "name", "Dana"), ("user", "age", "28")}),
        ("I'm a software engineer at Tencent.", {("user", "occupation", "software engineer"), ("user", "employer", "Tencent")}),
        ("I like playing basketball and watching movies.", {("user", "likes", "playing basketball"), ("user", "likes", "watching movies")}),
        ("My mum is allergic to peanuts", {("mum", "allergy", "peanuts")}),
        ("Allergic to penicillin.", {("user", "allergy", "penicillin")}),
        ("I used to live in Porto but now I live in Ghent.", {("user", "location", "Porto"), ("user", "location", "Ghent")}),
    ],
)
def test_states_facts(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) == expected
    assert judge(text, time=NOW).memory_type == "LONG"


@pytest.mark.parametrize(
    "text",
    [
        "Call me a cab, please.",
        "I'm tired",
        "The weather is lovely today",
        "I'm in a good mood today.",
        "Did I ever tell you that I like coffee?",
        "How much is that one?",
        "Thanks for your help!",
        "hello there",
        "From time to time I wonder about that.",
        "If I lived in Rome, what would I eat?",
    ],
)
def test_keeps_nothing(text: str) -> None:
    judged = judge(text, time=NOW)
    assert judged.memory_type == "SHORT"
    assert judged.facts == ()


def found(text: str, **kwargs: Any) -> list[tuple[str, str, str, str | None]]:
    return [(f.attribute, f.value, f.stance.value, f.time or f.valid_from or f.valid_to) for f in judge(text, time=NOW, **kwargs).facts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm flying to Reykjavik next Friday.", [("plan", "flying to Reykjavik", "assert", "2026-03-13")]),
        ("The day after tomorrow I start physiotherapy.", [("plan", "start physiotherapy", "assert", "2026-03-06")]),
        ("My exam is on the 3rd of next month.", [("plan", "exam", "assert", "2026-04-03")]),
        ("We moved to Ghent two years ago.", [("location", "Ghent", "assert", "2024")]),
        ("I've been living in Ghent since 2019.", [("location", "Ghent", "assert", "2019")]),
        ("I don't live in Ghent any more.", [("location", "Ghent", "negate", None)]),
        ("I used to live in Ghent.", [("location", "Ghent", "past", None)]),
        ("Correction: I'm 34, not 33.", [("age", "34", "correct", None)]),
        ("The Oslo trip is cancelled.", [("plan", "Oslo trip", "negate", None)]),
        ("I quit smoking.", [("habit", "smoking", "negate", None)]),
    ],
)
def test_time_and_stance(text: str, expected: list[tuple[str, str, str, str | None]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("asked", "said", "expected"),
    [
        ("Where do you live?", "Leeds", ("location", "Leeds", "assert", None)),
        ("Do you still smoke?", "not anymore", ("habit", "smoke", "negate", None)),
        ("And how old are you?", "thirty-one", ("age", "thirty-one", "assert", None)),
    ],
)
def test_answers_to_the_assistant(asked: str, said: str, expected: tuple[str, str, str, str | None]) -> None:
    assert found(said, history=[{"role": "assistant", "content": asked}]) == [expected]


def test_numbers_stand_beside_the_words() -> None:
    (age,) = judge("I'm thirty-one years old.", time=NOW).facts
    assert (age.value, age.normal) == ("thirty-one", 31)
    (birthday,) = judge("My birthday is 9 October.", time=NOW).facts
    assert (birthday.value, birthday.normal) == ("9 October", "10-09")


@pytest.mark.parametrize(
    ("text", "kind", "target", "attribute", "steps"),
    [
        ("forget my job", "forget", "my job", "occupation", 1),
        ("Please delete everything about my health.", "forget", "my health", "health", 1),
        ("Please delete whatever you've got about my physio", "forget", "my physio", None, 1),
        ("Please stop storing where I live", "forget", "where i live", "location", 1),
        ("Pretend I never mentioned the lawsuit", "forget", "the lawsuit", None, 1),
        ("That loan business, erase it", "forget", "that loan business", None, 1),
        ("Forget that thing about me losing my job", "forget", "that thing about me losing my job", None, 1),
        ("Please forget everything I said about my knee.", "forget", "my knee", None, 1),
        ("Forget all I told you about the flat in Leeds", "forget", "the flat in Leeds", None, 1),
        ("Please forget the operation", "forget", "the operation", None, 1),
        ("Forget I said I'm bankrupt", "forget", "I said I'm bankrupt", None, 1),
        ("Delete my salary please", "forget", "my salary", "other", 1),
        ("don't remember this", "skip", "", None, 1),
        ("go back one step", "undo", "", None, 1),
        ("undo the last 3 messages", "undo", "", None, 3),
    ],
)
def test_orders_to_the_memory(text: str, kind: str, target: str, attribute: str | None, steps: int) -> None:
    judged = judge(text, time=NOW)
    assert [(c.kind, c.target, c.attribute, c.steps) for c in judged.commands] == [(kind, target, attribute, steps)]
    assert judged.facts == ()


def test_no_order_to_the_memory() -> None:
    for text in (
        "Don't forget my birthday is 5 May.",
        "I forgot my keys.",
        "Delete the last paragraph.",
        "Never mind, forget it.",
        "We finished the essay. Delete it please.",
    ):
        assert judge(text, time=NOW).commands == ()


def test_session_facts_stay_in_the_thread() -> None:
    weather = judge("What's the weather like in Lisbon today?", time=NOW)
    assert [(s.attribute, s.value) for s in weather.session] == [("city", "Lisbon")]
    assert weather.facts == ()
    step = judge("I'm on step three of the form.", time=NOW)
    assert [(s.attribute, s.value) for s in step.session] == [("step", "step three")]
    assert step.memory_type == "SHORT"
    other_day = judge("No, I meant tomorrow.", time=NOW)
    assert [(s.attribute, s.value) for s in other_day.session] == [("day", "tomorrow")]


def test_a_complaint_is_a_dated_event_with_its_order() -> None:
    judged = judge("I want to complain: the headphones from order A1024 are broken.", time=NOW)
    (event,) = judged.facts
    assert judged.intent == "complaint"
    assert (event.attribute, event.time) == ("event", "2026-03-04")
    assert {"complaint", "A1024", "broken"} <= set(event.tags)


def test_the_buried_fact_alone_is_kept() -> None:
    text = (
        "Thanks, the plan looks fine: museum first, then lunch, then the river. The tickets are booked. The only snag is the stairs, I've had a "
        "prosthetic leg since 2019. Otherwise leave it as it is and send me the map."
    )
    assert [(f.attribute, f.value) for f in judge(text, time=NOW).facts] == [("health", "prosthetic leg")]


def test_long_texts_take_their_time_but_not_for_ever() -> None:
    for text in ("I like tea and ", "if i ", "my mom is ", '"I said" ', "12/", "every ", "x@y."):
        started = process_time()
        judge(text * (40_000 // len(text)), time=NOW)
        assert process_time() - started < 3


ENGLISH = st.lists(
    st.sampled_from(
        [
            "I",
            "I'm",
            "my",
            "mum",
            "Tom",
            "likes",
            "like",
            "live",
            "in",
            "at",
            "Leeds",
            "not",
            "never",
            "34",
            "on",
            "5",
            "May",
            ",",
            ".",
            "!",
            "?",
            ";",
            ":",
            '"',
            "'",
            "—",
            "years",
            "old",
            "always",
            "don't",
            "if",
            "and",
            "but",
            "was",
            "used",
            "to",
            "the",
            "a",
            "中文",
            "🎉",
            "am",
            "work",
            "as",
            "nurse",
            "name",
            "is",
            "remember",
            "forget",
            "from",
            "now",
            "@",
            "x@y.example",
            "2019",
            "since",
            "until",
            "tomorrow",
        ]
    ),
    max_size=30,
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=120), ENGLISH))
def test_never_raises_and_never_invents(text: str) -> None:
    judged = judge(text, time=NOW)
    for fact in judged.facts:
        assert fact.attribute in CATEGORIES
        assert fact.value
    if judged.intent == "greeting":
        assert judged.memory_type == "SHORT"
