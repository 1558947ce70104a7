"""Tests on what one owns and what one is like."""

import re
from typing import Final

from memory.judge.en.checks.spans import span_keep
from memory.judge.en.found import Hit, Value
from memory.judge.en.values import cut, reaction, trim
from memory.pattern import regex


def _goods_word(h: Hit, phrase: str) -> bool:
    words = phrase.split()
    goods = h.lex.sets["vehicles_and_goods"]
    return any(" ".join(words[i : i + n]) in goods for n in (3, 2, 1) for i in range(len(words)))


def goods(h: Hit) -> list[Value]:
    """Something owned for good: a listed thing, or anything with "own", "collect" or "drive"."""
    a = h.group()[0]
    low = h.low
    verb = low[h.frame.at : a].strip()
    flags = h.frame.flags
    if h.frame.kind not in {"first", "person", "fragment"} or "asked" in flags:
        return []
    if h.frame.kind == "fragment" and not re.match(
        r"(?:just )?(?:bought|got (?:myself|me|a|an|my)|own|owns|purchased|inherited|picked up|treated|traded|upgraded|swapped|switched|have|has|driving)",
        low[h.frame.start :],
    ):
        return []
    x, y, times = cut(low, a, h.now, past=True)
    if (
        m := re.compile(
            r"\s+(?:for (?:my|the|work|\$|£|€|\d|fun|christmas|about|a)|to (?:get|go|work|use|help|play|sell|fix|be|do)|from (?:my|the|a)|with (?:my|the|a|\d)|in (?:my|the|a)|at (?:my|the)|so|as|that|on (?:the|my|a)|of my own|if|called|named|by|like|which|near|outside)\b"
        ).search(low, x, y)
    ) and (not re.match(r"\s+(?:with|in|of|on)", m[0]) or m.start() > x + 3):
        y = m.start()
    y = min((w.start for w in times if x < w.start < y), default=y)
    x, y = trim(low, x, y)
    phrase = low[x:y]
    if not phrase or (reaction(low, x, y) and not phrase.startswith("mine")) or len(phrase.split()) > 7:
        return []
    article = re.match(
        r"(?:an?|another|my (?:own|first|new)|our (?:own|first|new)|two|three|four|five|six|\d+|several|some|lots of|both|the|a collection)\b",
        low[a:],
    )
    if re.match(r"(?:own|owns|collect|collects)\b", verb):
        if re.match(r"(?:it|up|my|this|that|the (?:decision|problem))\b", low[a:]) or (
            re.search(r"\b(?:business|company|shop|restaurant|bakery|salon|store|pets?)\b", phrase) and verb.startswith("own") and False
        ):
            return []
        if any(p in h.lex.sets["pets"] for p in phrase.split()):
            return []
        if verb.startswith("collect"):
            return [Value(h.frame.at, y, attribute="habit")] if h.frame.kind != "fragment" else []
        return [Value(x, y, times=times)] if article or _goods_word(h, phrase) else []
    if re.match(r"(?:drive|drives|driving|ride|rides|riding|fly|sail)\b", verb):
        if (
            not article
            or not re.match(r"(?:an? |my (?:own|new|old)|the )", low[a:])
            or (
                re.search(r"\b(?:way|to work|distance|hard bargain|taxi|cab|lesson|home|bit|lot|mile|test|while)\b", low[a:y])
                and "taxi" not in low[a:y]
            )
        ):
            return []
        if re.match(r"the ", low[a:]):
            return []
        return [Value(x, y, times=times)]
    if re.match(r"(?:traded|swapped|upgraded|switched)\b", verb):
        return (
            [Value(x, y, times=times, confidence=0.85)]
            if article and ("for " in verb or "to " in verb) and (_goods_word(h, phrase) or h.capital(x))
            else []
        )
    if re.match(r"(?:use|uses|run|runs)\b", verb):
        return (
            [Value(x, y)]
            if article
            and re.search(r"\b(?:iphone|android|macbook|mac|pixel|samsung|windows|linux|laptop|thinkpad|kindle|ipad)\b", phrase)
            and h.frame.flags.isdisjoint({"past"})
            else []
        )
    if re.match(r"(?:restored|built)\b", verb) and not _goods_word(h, phrase):
        return []
    if (not article or (re.match(r"the ", low[a:]) and "bought" not in verb)) and (
        not (_goods_word(h, phrase) and re.search(r"tattoos|piercings|season tickets|guns|land", phrase))
    ):
        return []
    if not _goods_word(h, phrase) and not (
        h.capital(x) and not h.shout and re.match(r"(?:got|bought)", verb) and re.search(r"\d", phrase) and re.search(r"\b(?:instead|now)\b", low)
    ):
        return []
    if re.search(
        r"\b(?:problem|issue|question|appointment|lesson|test|payment|loan|insurance|rental|repair|accident|trouble|crash|service|trip|show|idea|meeting|party|job|game tonight|phone call|call|number|plan|bill|class|course|interview|reservation|ticket|hire)s?\b",
        phrase,
    ) or re.match(r" (?:problem|issue|question|payment|appointment|to rent)", low[y:]):
        return []
    if not verb and re.search(r"\b(?:have|has|'ve|ve|got)\b", low[h.frame.start : x]) is None and h.frame.kind != "fragment":
        return []
    if re.match(r"(?:ordered|bought|got|picked|purchased|just)", verb) and re.search(
        r"\b(?:pizza|coffee|food|groceries|lunch|dinner|milk|bread|book|books|ticket|gift|present|dress|shirt|drinks?)\b", phrase
    ):
        return []
    return [Value(x, y, times=times)]


def goods_gone(h: Hit) -> list[Value]:
    a = h.group()[0]
    x, y, _ = cut(h.low, a, h.now, past=True)
    raw = h.low[a : max(y, a)]
    if re.match(r"(?:it|that|them|mine)\b", raw):
        x = a
        y = a + len(re.match(r"\w+", raw)[0])  # type: ignore[index]
        verb = h.low[h.m.start() : a]
        if not re.match(r"(?:just |finally )?(?:sold|got rid|gave away|given away|scrapped|traded|donated|returned|sent back|swapped)", verb):
            return []
        return [Value(x, y)]
    if x >= y or not _goods_word(h, h.low[x:y]):
        return []
    return [Value(x, y)]


def measure(h: Hit) -> list[Value]:
    """A figure of one's own: weight and blood pressure belong to health."""
    out = span_keep(h)
    for v in out:
        if re.match(r"(?:weight|blood pressure|resting|cholesterol|blood sugar|pulse)", h.low[v.start : v.end]):
            v.attribute = "health"
    return out


def trait(h: Hit) -> list[Value]:
    a, _b = h.group()
    low = h.low
    if h.frame.kind not in {"first", "person", "fragment"} or "asked" in h.frame.flags:
        return []
    start = h.frame.at
    m = re.match(
        r"(?:(?:really|very|quite|pretty|so|a bit|naturally|rather|extremely|too|super|also|such|now|practicing|devout|proud|born|natural|total|real|raised|self-confessed|kind of|a little|bit of) )*",
        low[start:],
    )
    starts = {start, start + (m.end() if m else 0), a}
    best: tuple[int, int] | None = None
    for s in starts:
        words = low[s:].replace(",", " ,").replace(".", " .").replace("!", " !").replace(";", " ;").split()
        for n in (5, 4, 3, 2, 1):
            phrase = " ".join(words[:n])
            if phrase in h.lex.sets["traits"] and low[s : s + len(phrase)] == phrase and (best is None or len(phrase) > best[1] - best[0]):
                best = (s, s + len(phrase))
    if best is None:
        return []
    word = low[slice(*best)]
    rest = low[best[1] :]
    if h.has("traits_that_pass", word) and not re.match(r"\s*(?:$|[,.!?;]|(?:and|but|by nature|so|about|person|too|with|guy|girl)\b)", rest):
        return []
    if word in {"cancer", "a cancer"} and not re.search(r"sign|star|born|zodiac|horoscope", low):
        return []
    if word in {"a man", "a woman", "a guy", "a girl", "a boy", "male", "female", "a male", "a female"} and not re.match(
        r"\s*(?:$|[,.!?;]|(?:and|but|in|who|so|from|of \d|with)\b)", rest
    ):
        return []
    if h.frame.kind == "fragment" and not re.match(r"\s*(?:$|[,.!;]|(?:and|but|btw|by the way)\b)", rest):
        return []
    if h.frame.kind == "fragment" and not h.has("traits_alone", word):
        return []
    return [Value(*best)]


_FLESH: Final = regex(
    r"\b(?:cold|headache|fever|kid|kids|son|daughter|brother|sister|dog|cat|question|idea|feeling|meeting|plan|problem|exam|test|date|appointment|day|week|hour|job|friend|look|point|chance|lot|bit|few|couple|way|thing|love|crush|allergy|party|point|dream|degree|deadline|interview|flight|train|bus)\b"
)


def capital_goods(h: Hit) -> list[Value]:
    """A thing with a name of its own or of a listed kind (a Micra, a Kia Niro, a road bike); not a cold, a sister or a meeting."""
    a, b = h.group()
    x, y = trim(h.low, a, b)
    phrase = h.low[x:y]
    if not phrase or _FLESH.search(phrase) or any(p in h.lex.sets["pets"] for p in phrase.split()):
        return []
    return [Value(x, y)] if _goods_word(h, phrase) or (h.capital(x) and not h.shout) else []


_PROPERTY: Final = regex(r"[\d£$€#]|^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|twenty|thirty|forty|fifty|sixty)\b")


def own_property(h: Hit) -> list[Value]:
    """What a property of the user's is: a number, an amount, or a name ("my locker code is 4471", "my gym is Ironworks")."""
    x, y = trim(h.low, *h.group())
    value = h.low[x:y]
    kind = h.m["k"]
    if (
        not value
        or h.frame.kind in {"question", "you", "person", "order"}
        or re.match(r"(?:broken|late|early|great|good|bad|fine|ok|so|too|very|not|gone|dead|killing|going|being|getting)\b", value)
    ):
        return []
    if not (_PROPERTY.search(value) or h.capital(x)):
        return []
    habit = re.search(r"\b(?:run|walk|swim|ride|workout|bedtime|alarm|shift|hours|commute)$", kind)
    goods = re.search(r"\b(?:car|phone|laptop|bike|camera|tablet|watch|console|guitar|piano)$", kind)
    return [Value(x, y, attribute="habit" if habit else "possession" if goods else None, content=h.text[h.frame.start :].strip(" .!"))]


def titled(h: Hit) -> list[Value]:
    """The title of a book: it begins with a capital."""
    a, b = h.group()
    return [Value(a, b)] if h.capital(a) and not h.shout else []
