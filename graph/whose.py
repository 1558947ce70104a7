"""Whom a message speaks of, and which facts are theirs. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from graph.briefing import Briefing
from graph.questions import ABOUT_SOMEBODY, person
from memory.meant import is_relative
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.people import among, name_in, names_in, relation_in, relations_in, same_person, tie_of
from memory.revise.sameness import mentions

_FAMILY: Final = regex(r"家里?人|家庭|亲戚|\bfamily\b|\brelatives\b", re.I)


def of_somebody(briefing: Briefing) -> list[Memory] | None:
    """All that is known of those whom the question names, by name or tie, or of the family; None where it asks for nobody's whole."""
    asked_for = ABOUT_SOMEBODY.search(briefing.message)
    if asked_for is None:
        return None
    if _FAMILY.search(next(filter(None, asked_for.groups()))):
        return [m for m in briefing.known if (m.owner != USER or m.attribute == "relationship") and is_relative(m)]
    people = people_in(briefing)
    if not people:
        return None
    return [m for m in briefing.known if is_of(m.owner, people, briefing) or (m.owner == USER and _names_any(m, people))]


def _names_any(fact: Memory, people: Sequence[str]) -> bool:
    """Whether a fact of the user's is the tie to one of these people, or names one."""
    if fact.attribute == "relationship" and any(is_tie_of(fact, who) for who in people):
        return True
    names = [n for who in people if tie_of(n := name_in(who) or who) is None]
    return any(mentions(f"{fact.content} {fact.value}", n) for n in names)


def people_in(briefing: Briefing) -> list[str]:
    """Whom of the user's people the message speaks of, by name or tie, as owners are spelt."""
    plain = briefing.message.lower()
    ties = sorted((w for _, tie in relations_in(plain) for w in tie.words if w in plain), key=len, reverse=True)
    return list(dict.fromkeys([*names_in(plain, briefing.known), *ties]))


def whom(text: str, briefing: Briefing) -> str | None:
    """The person that a sentence speaks of, as it says so: 我妻子, my wife, Zoe."""
    if not (people := people_in(replace(briefing, message=text))):
        return person(text)
    called = called_in(people[0], text)
    mine = re.search(rf"(?:我(?:的)?|my ){re.escape(called)}", text, re.IGNORECASE)
    return mine.group() if mine else called


def called_in(who: str, text: str) -> str:
    """What of a person's spelling the text uses: 同事小王 is asked about as 小王."""
    return next((who[i:] for i in range(len(who)) if who[i:].lower() in text.lower()), who)


def is_of(owner: str, people: list[str], briefing: Briefing) -> bool:
    return any(is_who(owner, who, briefing.known) for who in people)


def is_who(owner: str, who: str, known: Sequence[Memory]) -> bool:
    """Whether the owner is the person, or one of those, that the question names."""
    return same_person(owner, who, known) or among(owner, who)


def is_tie_of(fact: Memory, who: str) -> bool:
    """Whether a relationship fact names the person of this tie or one of those it stands for (kids: a daughter), or the tie of this name."""
    tie = relation_in(fact.content or fact.source.text or "", fact.value)
    return (tie is not None and (tie == tie_of(who) or among(tie.words[0], who))) or (name_in(who) or who) == fact.value
