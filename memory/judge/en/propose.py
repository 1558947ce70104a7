"""What is kept of an English clause in the user's own words, where no rule could read it: asked for by the user, or called lasting by a dearer tier."""

import re
from typing import Any, Final

from memory.judge.en.frame import Frame, frame
from memory.judge.en.text import lower, plain
from memory.judge.en.times import find
from memory.judge.en.values import trim
from memory.judge.judgement import Candidate
from memory.judge.reader import Context
from memory.pattern import regex
from memory.record import USER

_PRONOUNS: Final = frozenset({"he", "she", "they", "his", "her", "their"})
_EMPTY: Final = regex(
    r"(?:(?:i|we|my|me|like|love|hate|want|need|have|am|is|really|just|so|do|don't|not|it|this|that|the|a|prefer|enjoy|never|again|ever|no|way|more|once)[\s.,!?]*)+"
)
"""Words that say nothing by themselves: "I like" holds no value."""


def asked_to_keep(text: str, low: str, made: Frame) -> list[Candidate]:
    """What the user asked to be remembered and no rule could read: kept in the user's words."""
    a, b = trim(low, made.start, len(low))
    a = made.start
    m = re.search(
        r"[\s,.;:!—-]*\b(?:and |so |but )?(?:please |pls )?(?:remember (?:that|this|it)|don't forget.*|keep (?:that|this|it)? ?in mind|make a note.*|note (?:that|this|it).*|write (?:that|this|it) down|save (?:that|this|it))\W*\Z",
        low,
    )
    b = min(b, m.start()) if m and m.start() > a else b
    if (m := _ASIDE.search(low, a, b)) and m.start() > a:
        b = m.start()
    owner = made.owner if made.kind == "person" else USER
    a = made.at if owner in _PRONOUNS else a
    value = text[a:b].strip(" ,.!")
    if len(value) < 3 or re.fullmatch(r"(?:this|that|it|me|him|her|them|when|to|what|everything|the (?:titans|alamo|time|day))\W*", value.lower()):
        return []
    return [Candidate(attribute="other", value=value, owner=owner or USER, confidence=0.85)]


_ASIDE: Final = regex(
    r"[\s,]+(?:just )?(?:for the record|for the files?|for what it's worth|fyi|so you know|for future reference|for your records)\W*\Z"
)


def _taste(low: str, made: Frame) -> str:
    """The attribute of a preference that no rule could read."""
    if re.search(r"\b(?:hate|dislike|can't stand|worst|boring|annoy\w*|scared|afraid)\b", low):
        return "dislikes"
    if re.search(r"\b(?:like|love|enjoy|favou?rite|fan|into|prefer|best|keen|passion\w*|obsess\w*|interest\w*)\b", low):
        return "dislikes" if "neg" in made.flags else "likes"
    return "habit"


_SOMEBODY_ELSE: Final = regex(
    r"(?:no ?body|no[- ]one|none of (?:us|them)|every(?:one|body)|some(?:one|body)|any(?:one|body)|people|folks|half (?:of )?(?:the|my|our)|most of (?:the|my|our)|"
    r"(?:the |a |an |this |that )?(?:\w+ )?(?:doctors?|doc|gp|nurse|dentist|vet|surgeon|consultant|physio|landlord|landlady|council|school|boss|manager|neighbou?rs?|garage|builders?|hospital|bank|bloke|guy|woman|man)s?(?:'s)? [a-z]+)(?![\w'-])"
)
"""A clause about others that only looks as if it had no subject."""
_OPINION: Final = regex(
    r"(?:just |always |also |both )?(?:(?:thinks?|reckons?|feels?|believes?)(?: that)?(?: (?:i|i'm|i've|i'd|im|my|we|we're|it|it's|that's|this)\b|\W*\Z)"
    r"|(?:says?|said|tells? me|told me|swears?|keeps? (?:saying|telling me))(?: that)? (?:i'm|i am|im|we're) (?:too|so|being|not|a bit|getting|always|over[a-z]+ing)\b)"
)
_FOR_SOMEBODY: Final = regex(
    r"(?:it|they|this|these|that|those)(?:'s|'re| is| are| was| were) (?:all |just |only |really )?for (?:my|our|a|an|the)\b"
)
"""What only this time is for somebody: they're for my dad."""


def loose(index: int, ctx: Context, intent: str) -> tuple[Candidate, ...]:
    """The predicate of the clause as value, for clauses that a dearer tier calls lasting and no rule could read."""
    lex = ctx.rules.lexicon("en")
    clause = ctx.clauses[index]
    low = lower(plain(clause.text))
    made = frame(clause.text, low, lex, ctx.time, question=False, shout=False)
    if made.owner in {"they", "their"} or (made.kind in {"fragment", "thing"} and _SOMEBODY_ELSE.match(low, made.start)):
        return ()
    if (made.kind == "person" and "poss" not in made.flags and _OPINION.match(low, made.at)) or _FOR_SOMEBODY.match(low, made.start):
        return ()  # what somebody thinks of the user is nothing of theirs
    told = made.kind == "person" and "poss" not in made.flags and "be" in made.flags
    start = made.at if told or (intent in {"preference", "important_event"} and made.kind in {"first", "fragment"}) else made.start
    a, b = trim(low, start, len(low))
    value = clause.text[a:b].strip() or clause.text.strip()
    if _EMPTY.fullmatch(value.lower()) or (made.kind == "person" and value.lower().removeprefix("my ") == made.owner.lower()):
        return ()
    attribute = {
        "important_event": "event",
        "relationship": "relationship",
        "instruction": "instruction",
        "complaint": "event",
        "return": "event",
    }.get(intent, "other")
    if intent == "relationship" and made.kind == "person" and made.owner not in _PRONOUNS:
        attribute = "other"  # what somebody of the user's does or has is no tie
    if intent == "preference":
        attribute = _taste(low, made)
    if intent == "important_event" and (
        made.flags & {"future", "would"} or re.search(r"\b(?:plan|want|hope|going to|will|next|tomorrow|soon)\b", low)
    ):
        attribute = "plan"
    owner: Any = made.owner if made.kind == "person" else USER
    if intent == "relationship" and owner in _PRONOUNS:
        owner = USER
    dated = (w.iso for w in find(low, ctx.time, past=attribute == "event") if w.iso) if attribute in {"plan", "event"} else iter(())
    return (Candidate(attribute=attribute, value=value, owner=owner or USER, time=next(dated, None), clause=clause.text.strip(), loose=True),)
