"""Values that are a span of the clause as it stands: a noun phrase, a phrase with its verb, a denied phrase."""

import re

from memory.judge.en.found import Hit, Value
from memory.judge.en.values import cut, reaction, trim
from memory.judge.judgement import Stance


def exact(h: Hit) -> list[Value]:
    a, b = h.group()
    a, b = trim(h.low, a, b)
    return [Value(a, b)] if a < b else []


def capital(h: Hit) -> list[Value]:
    """A name: the span as it stands, where it begins with a capital."""
    return [v for v in exact(h) if h.capital(v.start) and not h.shout]


def user_exact(h: Hit) -> list[Value]:
    """The same, about the user whoever the clause is about."""
    out = exact(h)
    for v in out:
        v.owner = "user"
    return out


def np(h: Hit) -> list[Value]:
    a, b, times = cut(h.low, h.group()[0], h.now)
    b = min(b, h.group()[1]) if h.group()[1] > a else b
    return [Value(a, b, times=times)] if a < b and not reaction(h.low, a, b) else []


def span_keep(h: Hit) -> list[Value]:
    """The whole phrase, verb and numbers included; only times and fillers go."""
    a = h.group()[0]
    _, b, times = cut(h.low, a, h.now, past="past" in h.frame.flags)
    return [Value(a, b, times=times)] if a < b else []


def negated_span(h: Hit) -> list[Value]:
    """ "can't eat gluten" with its negation."""
    out = span_keep(h)
    m = re.compile(r"(?:can't|cannot|cant|can t|can not|couldn't|could not|never|don't|do not|don t)(?: really| even| actually)? ").search(
        h.low, h.frame.start, h.frame.at
    )
    for v in out:
        v.start = m.start() if m else v.start
    return out


def not_since(h: Hit) -> list[Value]:
    """ "haven't smoked since 2018": only with the time it has lasted."""
    if not re.search(
        r"\b(?:since|in|for) (?:(?:19|20)\d\d|\w+ (?:years?|months?|decades?)|years|months|january|february|march|april|may|june|july|august|september|october|november|december|last|i was|my)\b",
        h.low,
    ):
        return []
    m = re.compile(r"(?:haven't|havent|have not|hasn't|hasnt|has not|have never|never)").search(h.low, h.frame.start, h.frame.at)
    a = m.start() if m else h.frame.at
    return [Value(a, trim(h.low, a, len(h.low))[1])]


def kept(h: Hit) -> list[Value]:
    """A cleft's value: "it's actually Leicester I live in"."""
    a, b = trim(h.low, *h.group())
    return [Value(a, b, stance=Stance.CORRECT if "actually" in h.low else None)] if a < b and not reaction(h.low, a, b) else []
