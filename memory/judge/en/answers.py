"""A short answer to what the assistant just asked: "Where do you live?" – "Leeds", "Do you still smoke?" – "not anymore"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory.judge.en.numbers import number
from memory.judge.en.text import lower, plain
from memory.judge.en.times import find
from memory.judge.en.values import items, trim
from memory.judge.judgement import Candidate, Stance
from memory.judge.reader import Context
from memory.pattern import regex

_ASKED: Final = (
    ("name", r"what(?:'s| is) your (?:\w+ )?name|what (?:should|can|may) i call you|who am i (?:talking|speaking) (?:to|with)|(?:may|can) i (?:have|get|ask) your name|tell me your name"),
    ("age", r"how old are you|what(?:'s| is) your age|your age\?"),
    ("location", r"where (?:do you live|are you (?:based|located|living))|which city (?:do you live|are you) in|what city do you live in|what(?:'s| is) your address"),
    ("hometown", r"where (?:are you|do you come) (?:originally )?from|what(?:'s| is) your home ?town|where did you grow up"),
    ("occupation", r"what do you do(?: for (?:a living|work))?\?|what(?:'s| is) your (?:job|occupation|profession)|what kind of work do you do"),
    ("employer", r"where do you work|(?:which|what) company do you work (?:for|at)|who do you work for"),
    ("birthday", r"when(?:'s| is) your birthday|when were you born|what(?:'s| is) your (?:date of birth|birthday)"),
    ("allergy", r"(?:any|are there any|have any|do you have any) (?:food )?allerg\w+|(?:what|anything) (?:are you|you're) allergic to"),
    ("contact", r"what(?:'s| is) your (?:e-?mail|phone|number|mobile|contact)|(?:how|where) can (?:i|we) (?:reach|contact) you"),
    ("likes", r"what(?:'s| is| are) your (?:favou?rite|hobb)|what do you (?:like|enjoy)"),
    ("diet", r"(?:any|do you have any|do you follow any) (?:dietary|special) (?:restrictions?|requirements?|needs?|diet)"),
)  # fmt: skip
_FILLER: Final = regex(
    r"(?:(?:oh|well|um+|uh|it's|its|it is|i'm|im|i am|my name is|just|in|at|from|for|mostly|mainly|sure|yes|yeah|a|an|the|as|to|on|that would be|that's|call me|probably|maybe|definitely|i guess|i'd say|i think|i suppose|these days|now|currently|always|still|has to be|got to be|gotta be|honestly|hmm+|must be)[ ,]+)*"
)
_STILL: Final = regex(r"(?:do you still|are you still|you still|still) (?P<what>[a-z][^?]{2,60})\?")
_OVER: Final = regex(
    r"(?:no|nope|nah|not)?[ ,]*(?:not )?(?:any ?more|no longer|not (?:now|these days)|i (?:quit|stopped|gave (?:it|that|them) up|don't any ?more)|gave (?:it|that) up|stopped|quit)(?: .{0,30})?\W*\Z|no[.! ]*\Z"
)
_VERB: Final = (
    ("location", r"(?:live|living) (?:in|at|near) (?P<v>.+)"), ("employer", r"(?:work|working) (?:at|for|with) (?P<v>.+)"), ("occupation", r"(?:work|working) as (?:an? )?(?P<v>.+)"),
    ("school", r"(?:study|studying|go|going) (?:at|to) (?P<v>.+)"), ("likes", r"(?:like|love|enjoy|prefer|into) (?P<v>.+)"), ("pet", r"have (?:your|an?|the) (?P<v>(?:dog|cat|\w+))"),
    ("habit", r"(?P<v>(?:smoke|smoking|drink|drinking|eat|eating|run|running|play|playing|go|going|cycle|vegetarian|vegan|on).*)"),
)  # fmt: skip


_MY_AGE: Final = regex(r"\b(?:my age|how old (?:i am|am i|i'm))\W*\Z")


def own_answer(index: int, ctx: Context, lows: Sequence[str]) -> list[Candidate]:
    """ "Want to know my age? 52": the user answers the question that he put in the assistant's mouth."""
    if not index or "?" not in ctx.clauses[index - 1].mark or not _MY_AGE.search(lows[index - 1]):
        return []
    word = lows[index].lstrip(" ,.!").split(" ")[0].strip(",.!")
    n = (int(word) if word.isascii() and word.isdigit() else number(word)) if word and len(word) < 16 else None
    at = lows[index].find(word)
    return (
        [Candidate(attribute="age", value=ctx.clauses[index].text[at : at + len(word)], confidence=0.9)] if isinstance(n, int) and 5 < n < 120 else []
    )


def answer(ctx: Context) -> list[Candidate]:
    """Facts in a message of at most eight words that answers the assistant's last question; none when it asked nothing of the kind."""
    asked = lower(plain(ctx.last_said("assistant")))[-300:].strip()
    text = ctx.message.strip()
    if not asked.endswith("?") or not text or len(text.split()) > 8 or "?" in text:
        return []
    asked = re.split(r"(?<=[.!?])\s", asked)[-1]
    low = lower(plain(text))
    if m := _STILL.search(asked):
        if not _OVER.match(low):
            return []
        for attribute, pattern in _VERB:
            if found := re.match(pattern, m["what"].strip()):
                return [Candidate(attribute=attribute, value=found["v"].strip(" .?"), stance=Stance.NEGATE, clause=text, confidence=0.85)]
        return []
    wanted = next((name for name, pattern in _ASKED if re.search(pattern, asked)), None)
    if wanted is None or (
        re.match(r"(?:no|nope|none|nothing|not|why|i don't|i'd rather|never|skip|pass|ok|okay|sure|yes|yeah|thanks|you|hi|hello)\b\W*(?:\Z|\w)", low)
        and not re.match(r"(?:yes|yeah|sure|ok)\b[ ,]+\w", low)
    ):
        return []
    start = _FILLER.match(low)
    a, b = trim(low, start.end() if start else 0, len(low))
    if a >= b or b - a > 60:
        return []
    if wanted == "age":
        n = number(low[a:b].split()[0].removesuffix("yo"))
        return (
            [
                Candidate(
                    attribute="age",
                    value=text[a:b].split()[0],
                    normal=n if isinstance(n, int) and not low[a:b].isdigit() else None,
                    clause=text,
                    confidence=0.9,
                )
            ]
            if isinstance(n, int) and 0 < n < 125
            else []
        )
    if wanted == "birthday" and not find(low, ctx.time):
        return []
    if wanted == "contact" and not re.search(r"@|\d{6}", low.replace(" ", "")):
        return []
    if wanted in {"likes", "allergy"}:
        named = [Candidate(attribute=wanted, value=text[x:y], clause=text, confidence=0.85) for x, y in items(low, a, b)]
        slot = (
            re.search(
                r"what(?:'s| is) your (favou?rite [a-z]+(?: (?!these\b|now\b|at\b|right\b)[a-z]+)?)(?: these days| (?:right )?now| at the moment| currently)?\?",
                asked,
            )
            if wanted == "likes" and len(named) == 1
            else None
        )
        return [replace(f, content=f"my {slot[1]} is {f.value}") for f in named] if slot else named
    return [Candidate(attribute="habit" if wanted == "diet" else wanted, value=text[a:b], clause=text, confidence=0.85)]
