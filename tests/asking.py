"""Asking the offline model with given facts."""

from datetime import UTC, datetime

from graph.briefing import Briefing
from graph.phrases import compose
from memory.language import language_of
from memory.recall import Hit
from memory.record import CATEGORIES, Memory, Source

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
PROFILE = ("identity", "preference", "relationship", "instruction")


def fact(attribute: str, value: str, owner: str = "user", content: str | None = None, said: str | None = None) -> Memory:
    return Memory(
        key=f"{owner}:{attribute}:{value}", fact=value, user="u", category=CATEGORIES[attribute], attribute=attribute, value=value,
        content=content or value, owner=owner, recorded_at=NOW, updated_at=NOW, source=Source(text=said or value),
    )  # fmt: skip


def ask(message: str, facts: list[Memory], *turns: str) -> str:
    """The reply where everything was recalled for the message, and its profile is the user's."""
    hits = tuple(Hit(id=m.key, kind="fact", text=m.content, score=1.5, parts={"words": 0.9}, memory=m) for m in facts)
    earlier = tuple(Hit(id=t, kind="episode", text=t, score=1.5, parts={"words": 0.9}, role="user", time=NOW) for t in turns)
    profile = tuple(m for m in facts if m.owner == "user" and m.category in PROFILE)
    return compose(
        Briefing(lang=language_of(message), message=message, profile=profile, facts=hits, episodes=earlier, answerable=0.9, first=False, now=NOW)
    )
