"""Where a value ends: the shortest span that still says it, without fillers, articles and times."""

import re
from datetime import datetime
from typing import Final

from memory.judge.en.times import When, find
from memory.pattern import regex

_STOP: Final = regex(
    r"\s*(?:[.!?…;:(\[]|—|\s-+\s|\n|[\U0001F300-\U0001FAFF\u2600-\u27BF]|\"(?=\s|\Z))"
    r"|\s+(?:because|cos|cuz|coz|since (?:i|we|my|it|he|she)|so that|so (?:i|we|it|please|you|don't|no|that|my|hills)|but|although|though|while|whereas|unless|if|whether|which|that (?:i|we|my|he|she|is|was|has|have)|"
    r"in case|in order to|rather than|instead(?: of)?|as (?:i|it|we|he|she|my|they|you|these|those|there|this)|and (?:make|makes|feel|see|think|find|get|also|even|sometimes|usually|don't)\b|ever since|even (?:though|if)|except|thanks to|due to|and (?:i|i'm|im|we|my|he|she|it|it's|they|you|now|then|so|also|don't|can't|have|has|am|is|are|"
    r"want|need|would|will|was|were|got|love|hate|like|live|work|enjoy|play|it|this|that|never|always|just|really|currently|please)\b|or (?:so|i|we|something)|who|where i|when (?:i|we|it|you|he|she|they)|whenever|"
    r"until (?:i|we|my|further)|before (?:i|we|my)|after (?:i|we|my)|and|than|(?:can|could|would|will|do|does|did|should|may) (?:you|i|we|it|there|they|that|this)|(?:is|are|am) (?:you|i|we|it|there)|(?:what|how|where|which|why|when) (?:do|does|is|are|can|could|should|would|will|to|about|much|many|long)|any (?:idea|ideas|tips|suggestions|advice|recommendations|chance))(?![\w'])(?<! and)"
)
_ABBREVIATED: Final = regex(
    r"\b(?:dr|mrs?|ms|prof|rev|st|mt|ft|sgt|capt|lt|gen|sen|inc|ltd|corp|co|plc|bros|jr|sr|vs|approx|e\.g|i\.e|[ap]\.m|u\.[sk]|u\.s\.a|d\.c|ph\.d)\.\Z"
)
_AND: Final = regex(
    r"\s+and\s+(?:i|i'm|im|i've|we|we're|my|he|she|it|it's|they|you|now|then|so|also|don't|can't|have|has|had|am|is|are|want|need|would|will|was|were|got|live|work|this|that|just|currently|please)(?![\w'])"
)
_SPLICED: Final = regex(
    r",\s+(?:it|it's|he|he's|she|she's|they|they're|we|we're|we've|i|i'm|i've|that's|there's)(?= )|(?:now|these days|nowadays|lately|at the moment)(?=, [a-z' ]{2,24} (?:is|are|was|gives?|makes?|got|has|have|went|closed|feels?|turned|became|wasn't|isn't)\b)"
)
"""A sentence of its own behind a comma: "learning the oboe, it sounds like a duck", "Twiglets these days, crisps give me heartburn"."""
_TAIL: Final = regex(
    r"[\s,]+(?:after all|since you ask(?:ed)?|if you must know|if you[’']re wondering|for what it[’']s worth|for the record|too|also|as well|though|tho|btw|by the way|lol|haha|hehe|please|pls|thanks|actually|really|so much|very much|a lot|lots|the most|the best|the least|most of all|more than anything|any ?more|again|right|ok|okay|"
    r"now|myself|himself|herself|honestly|i guess|i think|i suppose|you know|you see|yeah|yes|no|in fact|to be honest|tbh|of course|for sure|at all|either|already|anyway|at least|in general|"
    r"full[- ]time|part[- ]time|instead|recently|lately|mate|dude|man|friend|my friend|then|ever|in particular|so far|all the time|currently|at present|just so you know|fyi|in case you (?:wondered|are wondering|were wondering)|"
    r"for short|or so|or something|and stuff|etc|and so on|and all that|if that helps|remember(?: (?:that|this))?|don't forget|originally|by birth|by origin|sadly|unfortunately|luckily|fortunately|thankfully|with (?:passion|all my heart)|x+|"
    r"\d{0})\s*\Z"
)
_HEAD: Final = regex(
    r"(?:(?:an?|the|some|any|my|our|both|all|to|really|very|just|also|especially|particularly|mostly|mainly|of|his|her|their|that|like|most|kinds of|sorts of|lots of|a lot of)\s+)+"
)
_ITEM: Final = regex(
    r"\s*,\s*(?:and|or|&|plus|but also|also|as well as|especially|particularly|mostly)?\s*(?:(?:also|especially|particularly)\s+)?|\s+(?:and also|as well as|and|or|&|plus|along with|especially|particularly)\s+|\s*/\s*(?=[a-z])|\s*[+&]\s*"
)
_REACTION: Final = regex(
    r"(?:it|that|this|these|those|them|you|your|ur|yours|him|her|when you|how you|the way you|that you|what you|the idea|the sound of|the look|u|hearing (?:that|from)|to hear|to know|to see (?:that|you)|to help|to be here|"
    r"to meet you|talking (?:to|with) you|chatting with you|to chat|to talk|to share|to learn more|to discuss|to ask|the answer|the suggestion|the plan|the new|the first|the second|the last|the one|one|ones|me|us|"
    r"myself|everything about it|\d+ of (?:them|those|these)|(?:some|most|lots|a few|many) of (?:them|those|these)|where this is|the fact|so|is|are|was|as|if|for|on|at|then|there|here|not|what|how|i)(?![\w'])"
)


def cut(low: str, start: int, now: datetime | None = None, *, stop_and: bool = False, past: bool = False) -> tuple[int, int, list[When]]:
    """(start, end, times) of the value that begins at `start`: up to the next break, times at its edges left out, fillers dropped."""
    end = len(low)
    for m in _STOP.finditer(low, start):
        if m[0].strip() == "and":
            if stop_and:
                end = m.start()
                break
            continue
        if m[0].strip() in {".", ":", "("} and re.match(r"[\w]", low[m.end() : m.end() + 1] or " ") and m[0].strip() != "(":
            continue
        if m[0] == "." and _ABBREVIATED.search(low, 0, m.end()) and low[m.end() : m.end() + 1] == " ":
            continue
        end = m.start()
        break
    if joined := _AND.search(low, start, end):
        end = joined.start()
    if (spliced := _SPLICED.search(low, start + 1, end)) is not None:
        end = spliced.start()
    times = [w for w in find(low[:end], now, past=past) if w.start >= start - 1]
    a, b = trim(low, start, end)
    for _ in range(6):
        hit = next((w for w in times if w.end >= b and w.start > a and w.start < b), None)
        head = next((w for w in times if w.start <= a < w.end < b), None)
        if hit is not None:
            b = hit.start
        elif head is not None:
            a = head.end
        else:
            break
        a, b = trim(low, a, b)
    later = [w for w in find(low, now, past=past) if w.start >= end and w.kind == "date"]
    return a, b, [*times, *later]


def trim(low: str, a: int, b: int) -> tuple[int, int]:
    """Drops spaces, punctuation and fillers at both ends, and articles in front."""
    for _ in range(8):
        while b > a and (low[b - 1] in " ,.;:!?*~'\"—-)" or not low[b - 1].isprintable()):
            if low[b - 1] == ")" and "(" in low[a:b]:
                break
            b -= 1
        if m := _TAIL.search(low, a, b):
            if m.start() >= b or m.end() == m.start():
                break
            b = m.start()
            continue
        if (
            low[a:b].endswith((" on", " at", " in", " by", " since", " until", " from", " for", " and", " with", " to", " or", " about", " of"))
            and len(low[a:b].split()) > 1
        ):
            b = low.rindex(" ", a, b)
            continue
        break
    while a < b and low[a] in " ,'\"*~.:—-(":
        a += 1
    if (m := _HEAD.match(low, a, b)) and m.end() < b:
        a = m.end()
    return a, b


def items(low: str, a: int, b: int) -> list[tuple[int, int]]:
    """Spans of the members of a list ("tea, jazz and long walks"); a phrase that is no list is its own only member."""
    out: list[tuple[int, int]] = []
    at = a
    for m in _ITEM.finditer(low, a, b):
        out.append((at, m.start()))
        at = m.end()
    out.append((at, b))
    spans = [trim(low, x, y) for x, y in out]
    spans = [(x, y) for x, y in spans if x < y]
    if any(len(low[x:y].split()) > 8 for x, y in spans[:-1]):
        return [(a, b)]
    return spans[:12]


def reaction(low: str, a: int, b: int) -> bool:
    """Whether what is liked is only what was just seen or said ("I like it", "I love your idea")."""
    return _REACTION.match(low, a, b) is not None
