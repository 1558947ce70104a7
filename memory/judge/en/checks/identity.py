"""Tests on names, ages, birthdays, figures and ways to reach somebody."""

import re
from typing import Final

from memory.judge.en.checks.spans import span_keep
from memory.judge.en.found import Hit, Value
from memory.judge.en.numbers import number
from memory.judge.en.times import find
from memory.judge.en.values import cut
from memory.judge.judgement import Stance
from memory.pattern import regex
from memory.record import USER

_NAME: Final = regex(r"[^\W\d_][\w'’.-]*(?: [A-Z][\w'’-]*){0,3}")


ADJECTIVAL: Final = regex(r".*(?:ing|ed|ful|ous|ive|less|able|ible|ish|ily|ally|ly|ier|iest|ness|ment|tion|y)\Z")


_TO_HAN: Final = regex(r"[\u3400-\u9fff]{1,6}")


def name(h: Hit) -> list[Value]:
    """What is introduced as a name: up to four words, Han characters, or one word in lower case."""
    a, _end = h.group()
    while a < len(h.low) and h.low[a] in " \"'“":
        a += 1
    han = _TO_HAN.match(h.text, a)
    if han:
        return [Value(han.start(), han.end())]
    m = _NAME.match(h.text, a)
    if m is None:
        return []
    if titled := re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? [A-Z][\w'-]+").match(h.text, a):
        return [Value(a, titled.end())]
    b = m.end()
    first = h.low[a:b].split()[0].strip(".,'")
    if h.has("not_names", first) and not (h.capital(a) and not h.shout and h.has("names_with_capital", first)):
        return []
    if h.has("never_names", first):
        return []
    if h.shout:
        low = re.compile(r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?").match(h.low, a)
        words = low[0].split() if low else [first]
        b = a + len(words[0]) if len(words) == 1 or h.has("not_names", words[1]) or words[1] in {"from", "and", "by"} else (low.end() if low else b)
    elif not h.capital(a):
        low = re.compile(r"[^\W\d_][\w'-]*").match(h.low, a)
        b = low.end() if low else b
        rest = h.low[b:].strip(" .!,?;:)\"'")
        if rest and h.rule.name == "call me" and not re.match(r"(?:please|from|instead|now|for short|by|btw|at|when|not|if|and|or|in|,)", rest):
            return []
    b -= h.text[a:b].endswith((".", "'", "-", "’"))
    if re.match(r"'s\b", h.low[b - 2 : b]) and b - a > 3:
        b -= 2
    return [Value(a, b, replaces=_not(h, b), owner=USER if h.rule.name == "call me" else None)] if b - a <= 40 else []


def _not(h: Hit, at: int) -> str | None:
    """The old value in "X, not Y" or "X instead of Y"."""
    m = re.compile(r"[\s,;—]*(?:and |but )?(?:not|instead of|rather than|no longer) ([\w' @.-]{1,30}?)(?=\s*(?:$|[,.!?]| any ?more))").match(
        h.low, at
    )
    return h.text[m.start(1) : m.end(1)] if m else None


def given_name(h: Hit) -> list[Value]:
    a, b = h.group()
    return [Value(a, b)] if h.has("given_names", h.low[a:b]) and not h.has("not_names", h.low[a:b]) else []


def am_name(h: Hit) -> list[Value]:
    """ "I'm Will", "i am mandi": a capitalised word that is nothing else, or a lone word that looks like no adjective."""
    a = h.group()[0]
    if a != h.frame.at or h.low[max(0, a - 2) : a].strip() == "a":
        return []
    m = re.compile(r"([^\W\d_][\w'’-]*)((?: [^\W\d_][\w'’-]*){0,2})").match(h.text, a)
    if m is None:
        return []
    word = m[1].lower()
    if word in {"batman", "superman", "spiderman", "jesus", "santa"}:
        return []
    tail = h.low[m.end(1) :]
    cased = h.text[a].isupper() and not h.shout and (h.text[0].isupper() or h.text[:1].islower()) and not h.text.istitle()
    known = h.has("given_names", word)
    ends = re.match(
        r"\s*(?:$|[,.!?;:)(—]|\b(?:as in|by the way|btw|from|frm|and|nice|here|aka|but|your|the|a|an|age|what|how|who|i|who's|lol|haha)\b)", tail
    )
    if h.has("not_names", word) and not (
        cased
        and word in {"will", "may", "june", "april", "christian", "guy", "rich", "joy", "frank", "ray", "hope", "young"}
        and (ends or h.text[m.end(1) : m.end(1) + 2].strip()[:1].isupper())
    ):
        return []
    for listed in ("demonyms", "occupations", "diets", "traits", "transient", "health_adjectives", "occupation_adjectives", "places"):
        if h.has(listed, word) and not (cased and known):
            return []
    if cased:
        b = m.end(1)
        while n := re.compile(r" (?!I\b)([A-Z][\w'’-]*)").match(h.text, b):
            b = n.end()
        rest = h.low[b:]
        if re.match(r"\s+(?!as in|by the way|btw|from|and|nice|here|aka|but|your|the|a\b|an\b|with|i\b|who)[a-z]", rest) and not known:
            return []
        return [Value(a, b)]
    if ends is None:
        return []
    if known:
        b = m.end(1)
        last = re.match(r" ([a-z]+)(?=\s*(?:$|[,.!]))", h.low[b:])
        return [Value(a, b + (last.end() if last and not h.has("not_names", last[1]) else 0))]
    alone = re.match(r"\s*[.!]*\s*\Z", tail)
    vowels = sum(c in "aeiouy" for c in word)
    if (
        alone
        and h.frame.flags.isdisjoint({"shout"})
        and 3 <= len(word) <= 9
        and not ADJECTIVAL.match(word)
        and re.search(r"(?:[^aeious][aio]|[aeiou][nlk]a|ie|ah|andi|ette|elle|ito|iko)\Z", word)
        and vowels > 1
    ):
        return [Value(a, m.end(1), confidence=0.72)]
    return []


def age(h: Hit) -> list[Value]:
    a, b = h.group()
    n = number(h.low[a:b])
    if n is None or not isinstance(n, int) or n > 125 or n < 1 or h.low[b : b + 1].isdigit():
        return []
    if re.match(
        r" ?(?:%|percent|minutes?|mins?|hours?|km|miles?|kg|feet|foot|ft|cm|months?|weeks?|days?|th\b|st\b|of|out|times|years? (?:in|into|behind|ahead|older|younger|sober|away)|am\b|pm\b|o'clock|points?|pounds|lbs|stone|kilos?|kgs|degrees|inches|and a half feet|steps|pages|'\d|/|:|\.\d)",
        h.low[b:],
    ):
        return []
    if re.search(r"(?:type|level|number|gate|room|floor|page|chapter|platform|terminal|seat|grade|size) \Z", h.low[:a]):
        return []
    return [Value(a, b, normal=n if h.low[a:b] != str(n) else None, replaces=_not(h, h.m.end()) or _not(h, b))]


def turning(h: Hit) -> list[Value]:
    _a, _b, _times = cut(h.low, h.group()[0], h.now)
    whole = [w for w in find(h.low, h.now) if w.kind == "date" and w.start >= h.m.end("a")]
    if not whole:
        return []
    w = whole[0]
    if re.search(r"day\b", h.low[w.start : w.end]) and re.search(r"\bhit\b", h.low[: w.start]):
        return []  # "Gran hit 92 on Tuesday" tells the age; which day that was is not told for good
    if not re.fullmatch(r"\s*(?:years?|yrs?)?(?: old)?,?\s*(?:in|on|this|next|come|at the end of|later)?\s*", h.low[h.m.end("a") : w.start]):
        return []
    if w.iso and len(w.iso) == 4 and not re.search(r"\b(?:turn|turns|turning|be|hit|reach)\b", h.m[0]):
        return []
    return [Value(w.start, w.end, time=w.iso, times=whole)]


def birthday(h: Hit) -> list[Value]:
    a, b = h.group()
    if h.m.group(0).startswith("born") and not h.low[h.frame.start :].startswith("born") and h.frame.kind == "fragment":
        return []
    if h.m.group(0).startswith("born") and h.frame.kind not in {"first", "person", "fragment"}:
        return []
    owner = None
    lead = h.low[h.m.start() : a]
    if (m := re.match(r"([a-z -]+)'s b", lead)) and not lead.startswith(("my birth", "our")):
        owner = m[1]
    when = next((w for w in find(h.low, h.now, past="born" in lead) if w.start < b and w.end > a and w.kind == "date"), None)
    value = h.low[a:b]
    if when is not None and when.end > b:
        b = when.end
    normal: str | None = None
    year = re.search(r"(?:19|20)\d\d", value)
    if when is not None and when.iso and year:
        normal = when.iso
    elif when is not None and when.iso and len(when.iso) == 10:
        normal = when.iso[5:]
    if year and value == year[0]:
        normal = None
    return [Value(a, b, normal=normal, owner=owner, replaces=_not(h, b))]


def birthday_whole(h: Hit) -> list[Value]:
    a, b = h.group()
    when = next((w for w in find(h.low, h.now) if w.kind == "date" and w.iso), None)
    normal = (
        when.iso[5:] if when and when.iso and len(when.iso) == 10 else h.now.date().isoformat()[5:] if h.now and "it" in h.low[a : a + 3] else None
    )
    return [Value(a, b, normal=normal)]


def money(h: Hit) -> list[Value]:
    if not re.search(r"[$£€¥]|\d(?:k|,\d{3})|\b(?:a|per|an) (?:month|year|week|hour)|grand|dollars|pounds|euros|rent|salary|mortgage", h.low):
        return []
    return span_keep(h)


def height(h: Hit) -> list[Value]:
    a, b = h.group()
    if not re.search(r"tall|feet|foot|ft|'|cm", h.low[a : b + 8]) or re.match(r" (?:away|from|above|below|under|deep|long)", h.low[b:]):
        return []
    return [Value(a, b)]


def contact(h: Hit) -> list[Value]:
    a, b = h.group()
    digits = sum(c.isdigit() for c in h.low[a:b])
    if "@" not in h.low[a:b] and digits < 7:
        return []
    before = h.low[:a]
    if re.search(
        r"\b(?:their|his|her|support|company's|the company|send (?:it|this|that|an email)|forward|email (?:it|this)|mailed|cc)\b", before
    ) and not re.search(r"\bmy\b|\bme\b", before):
        return []
    if h.frame.kind == "question":
        return []
    while b > a and h.low[b - 1] in " .-(":
        b -= 1
    over = re.search(
        r"\b(?:doesn't|does not|don't|no longer|isn't|stopped|is dead|is gone|out of service|disconnected|deactivated|closed|shut|any ?more)\b",
        h.low[b:],
    )
    return [Value(a, b, stance=Stance.NEGATE if over else None)]


def gone(h: Hit) -> list[Value]:
    """Something that is over: the definite noun is the value, so that revision finds what it points to."""
    a, b = h.group()
    if "neg" in h.frame.flags and not re.search(r"any ?more|no longer", h.low):
        return []
    if "neg" not in h.frame.flags and re.match(r"(?:use|check|have|read) ", h.low[h.frame.at :]):
        return []
    return [Value(a, b, text="job" if h.rule.attribute == "occupation" and h.low[a:b] not in {"job", "position", "role", "post"} else None)]
