"""Tests that a rule's value must pass: each takes a `Hit` and gives the values it finds, none when the match means something else.

A rule in the data names its check; what counts as a name, a place, a job or a plan is decided here, with the word lists.
"""

import re
from collections.abc import Callable
from typing import Final

from memory.judge.en.found import Hit, Value
from memory.judge.en.numbers import number
from memory.judge.en.times import find
from memory.judge.en.values import cut, reaction, trim
from memory.judge.judgement import Stance

Check = Callable[[Hit], list[Value]]

_NAME: Final = re.compile(r"[^\W\d_][\w'’.-]*(?: [A-Z][\w'’-]*){0,3}")
_ADJECTIVAL: Final = re.compile(r".*(?:ing|ed|ful|ous|ive|less|able|ible|ish|ily|ally|ly|ier|iest|ness|ment|tion|y)\Z")
_TO_HAN: Final = re.compile(r"[\u3400-\u9fff]{1,6}")


def exact(h: Hit) -> list[Value]:
    a, b = h.group()
    a, b = trim(h.low, a, b)
    return [Value(a, b)] if a < b else []


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


def kept(h: Hit) -> list[Value]:
    """A cleft's value: "it's actually Leicester I live in"."""
    a, b = trim(h.low, *h.group())
    return [Value(a, b, stance=Stance.CORRECT if "actually" in h.low else None)] if a < b and not reaction(h.low, a, b) else []


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


# names


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
    return [Value(a, b, replaces=_not(h, b))] if b - a <= 40 else []


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
        and not _ADJECTIVAL.match(word)
        and re.search(r"(?:[^aeious][aio]|[aeiou][nlk]a|ie|ah|andi|ette|elle|ito|iko)\Z", word)
        and vowels > 1
    ):
        return [Value(a, m.end(1), confidence=0.72)]
    return []


# numbers and dates


def age(h: Hit) -> list[Value]:
    a, b = h.group()
    n = number(h.low[a:b])
    if n is None or not isinstance(n, int) or n > 125 or n < 1:
        return []
    if re.match(
        r" ?(?:%|percent|minutes?|mins?|hours?|km|miles?|kg|feet|foot|ft|cm|months?|weeks?|days?|th\b|st\b|of|out|times|years? (?:in|into|behind|ahead|older|younger|sober|away)|am\b|pm\b|o'clock|points?|pounds|lbs|stone|inches|and a half feet|steps|pages|'\d|/|:|\.\d)",
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


# places


_PLACE_CUT: Final = re.compile(
    r"\s+(?:with|and|where|for|but|at the moment|right now|working|studying|doing|now|currently|since|until|because|so|as|to (?:be|work|study|live|start)|which|when|while|from (?:19|20)\d\d|in a|in an|about|who|near the|after|before|has|is|if)\b.*\Z"
)


def _place(h: Hit, start: int, end: int | None = None) -> tuple[int, int] | None:
    a, b, _ = cut(h.low, start, h.now, stop_and=False)
    if end is not None:
        b = min(b, end)
    if m := _PLACE_CUT.search(h.low, a, b):
        b = m.start()
    a, b = trim(h.low, a, b)
    m = re.compile(
        r"(?:(?:a|the) )?(?:(?:small|little|big|nice|lovely|tiny) )?(?:(?:city|town|village|suburb|state|country|area|place|part|outskirts|suburbs|middle|heart|centre|center|north|south|east|west) (?:called|named|of|in) )(?=[a-z])"
    ).match(h.low, a, b)
    if m and m.end() < b and h.capital(m.end()):
        a = m.end()
    if a >= b or b - a > 60:
        return None
    return a, b


def known(h: Hit, a: int, b: int) -> bool:
    """Whether the span begins with (or is) a place of the list, or ends in one after a comma."""
    words = h.low[a:b].replace(",", " ,").split()
    places = h.lex.sets["places"]
    for n in range(min(4, len(words)), 0, -1):
        if " ".join(words[:n]) in places:
            return True
    return len(words) > 1 and (words[-1] in places or " ".join(words[-2:]) in places)


_NO_PLACE: Final = re.compile(
    r"(?:time to time|now on|here|there|work|home|school|scratch|experience|a distance|behind|above|below|today|tomorrow|yesterday|what|where|my|your|the (?:beginning|start|future|past|office|same|other|top|bottom|back|front|airport|"
    r"station|gym|shop|store|doctor|hospital|meeting|previous|last|first|list|menu|above|company|bank|article|book|show|video|team|way|moment|meantime|end|hotel|bus|train|plane|car|pub|park|beach|library|mood)|your|this|that|it|them|him|"
    r"her|me|us|which|one|two|three|\d|peace|harmony|fear|hope|luxury|sin|denial|style|comfort|hell|constant|a (?:hurry|rush|meeting|bit|second|minute|moment|while|few|good|bad|weird|dream|bubble|fantasy|box|lie|world where|hotel room|queue|"
    r"call|cab|taxi|train|bus|plane|pickle|mood|family of|household|broken)|and|every|all|any|some|someone|people|person|mind|general|total|front|time|between|so|very|really|not|late|early|bed|touch|love|trouble|debt|pain|shape|tears|charge|case|danger|line|"
    r"reality|eternity|theory|principle|particular|need|search|favou?r|agreement|shock|doubt|awe|no mood|two minds|gods?|heaven)\b"
)


def place_loose(h: Hit) -> list[Value]:
    if h.frame.kind not in {"first", "person", "mine", "fragment", "thing"} or (
        h.frame.kind == "fragment" and not re.match(r"(?:born|grew|raised|brought)", h.low[h.frame.at :])
    ):
        return []
    span = _place(h, h.group()[0])
    if span is None or _NO_PLACE.match(h.low, *span):
        return []
    if re.match(r"(?:(?:19|20)\d\d|\d+|january|february|march|april|may|june|july|august|september|october|november|december)\b", h.low[span[0] :]):
        return []
    return [Value(*span)]


def place_from(h: Hit) -> list[Value]:
    """A home town after "from": a known place, a capitalised name, or a description of one."""
    if h.frame.kind == "fragment" and not h.low.startswith(("originally", "from", "hail", "born")):
        return []
    span = _place(h, h.group()[0])
    if span is None or _NO_PLACE.match(h.low, *span):
        return []
    a, b = span
    words = h.low[a:b].split()
    if known(h, a, b) or (h.capital(a) and not h.shout and not h.has("employers", h.low[a:b]) and words[0] not in {"i", "monday", "friday"}):
        if re.search(r"\b(?:just|back|flight|flying|driving|walking)\b", h.low[h.frame.start : a]) or (
            "of " in h.low[h.m.start() : a] and "native" not in h.low[h.m.start() : a]
        ):
            return []
        return [Value(a, b)]
    if re.search(
        r"\b(?:town|city|village|country|countryside|island|coast|farm|state|province|south|north|east|west|midwest|family|region|mountains|suburbs|reservation|small)\b",
        h.low[a:b],
    ):
        return [Value(a, b)]
    if len(words) <= 2 and "originally" in h.low[h.m.start() : a]:
        return [Value(a, b)]
    if (
        len(words) == 1
        and h.frame.kind == "first"
        and re.match(r"\s*(?:$|[,.!?])", h.low[b:])
        and len(words[0]) > 3
        and not _ADJECTIVAL.match(words[0])
    ):
        return [Value(a, b, confidence=0.75)]
    return []


def name_from(h: Hit) -> list[Value]:
    """ "I'm Kirsty from Dundee": only after something that is a name."""
    word = h.m["n"]
    if not (h.has("given_names", word) or (h.capital(h.m.start("n")) and not h.shout and not h.has("not_names", word))):
        return []
    return place_from(h)


def location(h: Hit) -> list[Value]:
    """Where one lives; the preposition goes where a name follows, and stays where the phrase says something only with it."""
    a, b = h.group()
    if h.frame.kind == "fragment" and re.match(r"(?:stay|rent|live|settle|living with)\b", h.low[h.frame.at :]):
        return []
    verb = h.low[h.frame.at : a]
    if re.match(
        r"(?:in (?:peace|harmony|fear|hope|luxury|sin|denial|a (?:fantasy|bubble|dream|lie|world)|the (?:moment|past|present|future|now|here and now)|your)|on (?:my own|track|top|budget|a|the phone|air|coffee|hold)|at (?:ease|peace|night)|by (?:the|my) (?:rules|motto|principles)|with it\b|with that\b)",
        h.low[a:b],
    ):
        return []
    m = re.compile(r"(?:(?:over|down|up) )?(?:in|at|on|near|by|outside|around|off|between|of) (?:the )?").match(h.low, a, b)
    if m is None:
        if h.low[a:b].startswith("with"):
            if verb.startswith("stay"):
                return []
            _x, y, times = cut(h.low, a, h.now)
            return [Value(a, y, attribute="relationship", times=times)]
        return [Value(a, b)]
    if ("stay" in verb and not re.search(r"\bstay in\b|with me", h.low)) or (
        "stay" in verb and re.search(r"fit|shape|bed|touch|tonight|hotel|hostel|airbnb", h.low)
    ):
        return []
    start = (
        m.end()
        if not re.match(
            r"the (?:middle|outskirts|suburbs|heart|edge|country|countryside|city|north|south|east|west|same|top|second|third|first|ground|basement|coast|woods|mountains|sea|beach|suburb|dorm|campus|boonies|sticks|bronx|hague|netherlands|uk|us|philippines|midlands)",
            h.low[m.end() - 4 if m[0].endswith("the ") else m.end() :],
        )
        else m.end() - (4 if m[0].endswith("the ") else 0)
    )
    span = _place(h, start)
    if span is None:
        return []
    if _NO_PLACE.match(h.low, *span) and not re.match(r"my|our|the \w+ floor", h.low[span[0] :]):
        return []
    if (
        not known(h, *span)
        and not h.capital(span[0])
        and m[0].startswith(("on", "at", "by", "near", "off", "outside", "between", "around"))
        and not m[0].startswith(("on a", "on the", "near", "outside", "by the", "at "))
    ) or (
        not known(h, *span)
        and not h.capital(span[0])
        and h.low[m.start() : m.start() + 3] == "in "
        and h.low[span[0] : span[1]].startswith(("middle", "country", "suburb", "city", "outskirt"))
    ):
        span = (m.start(), span[1])
    found = find(h.low, h.now, past=True)
    return [Value(*span, times=found)]


def place_move(h: Hit) -> list[Value]:
    span = _place(h, h.group()[0])
    if span is None or re.match(
        r"(?:the next|next|another|other|step|a new (?:table|desk|line)|tears|your|it|this|that|the (?:second|third|step)|a different|part|stage|phase|something|talking|discuss|action|google|amazon|linux|python|mac)\b",
        h.low[span[0] :],
    ):
        return []
    if re.match(
        r"(?:a|an|the|my|our|new) (?:new |bigger |smaller |different )?(?:job|team|role|department|position|company|vegan|plant)",
        h.low[h.group()[0] :],
    ):
        return []
    words = h.low[slice(*span)].split()
    if not (
        known(h, *span)
        or h.capital(span[0])
        or re.search(r"house|flat|apartment|city|town|country|village|place|suburb|street|road|coast|farm|home|downtown|\d", h.low[slice(*span)])
        or len(words) == 1
    ):
        return []
    return [Value(*span, times=find(h.low, h.now, past="future" not in h.frame.flags))]


def address(h: Hit) -> list[Value]:
    a, b = h.group()
    if "@" in h.low:
        return []
    kind = h.low[h.m.start() : a]
    if "address" not in kind and not re.match(r"(?:in|at|on|near) ", h.low[a - 3 : b] if h.low[a - 3 : a] in {"in ", "at ", "on "} else h.low[a:b]):
        return []
    if ("office" in kind and "address" not in kind) or re.match(
        r"(?:not|very|so|too|wrong|being|getting|already|the same|small|big|wrong|missing|correct|on the|in the (?:file|system|profile))\b", h.low[a:]
    ):
        return []
    end = len(h.low)
    x, y = trim(h.low, a, end)
    if "address" not in kind:
        span = _place(h, a)
        return [Value(*span)] if span and (known(h, *span) or h.capital(span[0]) or "country" in h.low) else []
    return [Value(x, y, times=find(h.low, h.now))] if re.search(r"\d|road|street|avenue|lane", h.low[x:y]) else []


def known_place(h: Hit) -> list[Value]:
    a, b = trim(h.low, *h.group())
    return [Value(a, b)] if h.low[a:b] in h.lex.sets["places"] else []


def known_place_be(h: Hit) -> list[Value]:
    """ "I'm in Leeds now": a known place that is not where one only spends the day."""
    if h.low[h.m.start() : h.group()[0]].startswith(("from", "back from")):
        return []
    span = _place(h, h.group()[0])
    if span is None or not known(h, *span) or (h.frame.kind == "fragment" and not h.low.startswith(("living", "based"))):
        return []
    if re.search(
        r"\b(?:today|tonight|this (?:week|weekend|morning|evening)|for (?:a|the|work|business|\w+ days?|\w+ weeks?|\w+ nights?)|visiting|on (?:holiday|vacation|business)|until|trip|conference|airport|hotel|right now|at the moment|layover|in transit|next (?:week|month)|tomorrow|where|what)\b",
        h.low,
    ):
        return []
    return [Value(*span)]


def demonym(h: Hit) -> list[Value]:
    a, b = trim(h.low, *h.group())
    for n in (3, 2, 1):
        word = " ".join(h.low[a:b].split()[:n])
        if word in h.lex.sets["demonyms"] and re.match(
            r"\s*(?:$|[,.!?)]|(?:and|but|by|so|born|citizen|living|in|from|guy|girl|man|woman|lady|who|too|who's|working|\w+ (?:er|or|ist)\b)\b)",
            h.low[a + len(word) :],
        ):
            return [Value(a, a + len(word))]
    return []
