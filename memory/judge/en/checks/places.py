"""Tests on places: where somebody lives, comes from, has moved to; a gate or a café is none of these."""

import re
from typing import Final

from memory.judge.en.checks.identity import ADJECTIVAL
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import find
from memory.judge.en.values import cut, trim
from memory.pattern import regex

_PLACE_CUT: Final = regex(
    r"\s+(?:with|and|where|for|but|at the moment|right now|working|studying|doing|now|currently|since|until|because|so|as|to (?:be|work|study|live|start)|which|when|while|from (?:19|20)\d\d|in a|in an|about|who|near the|after|before|has|is|if)\b.*\Z"
    r"|,\s*(?:happily )?(?:married|single|divorced|widowed|engaged|retired|aged|an?|one|two|three|four|five|no|\d{1,2}|mum|mom|dad|mother|father|work|working|love|like|hate|vegan|vegetarian)\b.*\Z"
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


_GIVES_CASE: Final = regex(r"\b(?:I|I'm|I've)\b")


def tool(h: Hit, a: int, b: int) -> bool:
    """Whether the span begins with the name of a tool, and goes on with nothing that makes it a place (Vim Street)."""
    words = h.low[a:b].split()
    named = next((n for n in (3, 2, 1) if " ".join(words[:n]) in h.lex.sets["tools"]), 0)
    return named > 0 and not h.capital(a + len(" ".join(words[: named + 1])) - len(words[named])) if len(words) > named else named > 0


_NO_PLACE: Final = regex(
    r"(?:time to time|now on|here|there|work|home|school|scratch|experience|a distance|behind|above|below|today|tomorrow|yesterday|what|where|my|your|the (?:beginning|start|future|past|office|same|other|top|bottom|back|front|airport|"
    r"station|gym|shop|store|doctor|hospital|meeting|previous|last|first|list|menu|above|company|bank|article|book|show|video|team|way|moment|meantime|end|hotel|bus|train|plane|car|pub|park|beach|library|mood)|your|this|that|it|them|him|"
    r"her|me|us|which|one|two|three|\d|peace|harmony|fear|hope|luxury|sin|denial|style|comfort|hell|constant|a (?:hurry|rush|meeting|bit|second|minute|moment|while|few|good|bad|weird|dream|bubble|fantasy|box|lie|world where|hotel room|queue|"
    r"call|cab|taxi|train|bus|plane|pickle|mood|family of|household|broken)|and|every|all|any|some|someone|people|person|mind|general|total|front|time|between|so|very|really|not|late|early|bed|touch|love|trouble|debt|pain|shape|tears|charge|case|danger|line|"
    r"(?:yellow )?submarine|barbie world|material world|world of|spaceship|castle in the|pineapple|la la land|interesting times|mysterious ways|reality|eternity|theory|principle|particular|need|search|favou?r|agreement|shock|doubt|awe|no mood|two minds|gods?|heaven)\b"
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
        and not ADJECTIVAL.match(words[0])
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
        r"(?:in (?:peace|harmony|fear|hope|luxury|sin|denial|a (?:fantasy|bubble|dream|lie|world)|the (?:moment|past|present|future|now|here and now)|your)|on (?:my own|track|top|budget|a(?! (?:boat|houseboat|narrowboat|farm|ranch|ship|yacht|base|hill|reservation|military base|barge|lake|quiet))|the phone|air|coffee|hold)|at (?:ease|peace|night)|by (?:the|my) (?:rules|motto|principles)|with it\b|with that\b)",
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
    if tool(h, *span):
        return [Value(h.frame.at, span[1], attribute="habit")]
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
        r"(?:the next|next|another|other|step|a new (?:table|desk|line)|tears|your|it|this|that|the (?:second|third|step)|a different|part|stage|phase|something|talking|discuss|action|google|amazon)\b",
        h.low[span[0] :],
    ):
        return []
    if re.match(
        r"(?:a|an|the|my|our|new) (?:new |bigger |smaller |different )?(?:job|team|role|department|position|company|vegan|plant)",
        h.low[h.group()[0] :],
    ):
        return []
    words = h.low[slice(*span)].split()
    if tool(h, *span):
        return [Value(span[0], span[1], attribute="habit", confidence=0.8)]
    if not (
        known(h, *span)
        or h.capital(span[0])
        or re.search(r"house|flat|apartment|city|town|country|village|place|suburb|street|road|coast|farm|home|downtown|\d", h.low[slice(*span)])
        or (len(words) == 1 and not _GIVES_CASE.search(h.text))
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
