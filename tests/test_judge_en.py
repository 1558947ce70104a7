"""The judge on English messages: what is stored, what is not, and whose it is."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory.judge import judge

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
