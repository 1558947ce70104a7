"""Tests on likes and dislikes: stable ones pass, reactions to what was just seen or said do not."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.en.found import Hit, Value
from memory.judge.en.times import When
from memory.judge.en.values import cut, items, reaction, trim
from memory.pattern import regex

_ANSWERS: Final = regex(r"\b(?:answers?|replies|reply|responses?|explanations?|summaries|bullet points|your (?:tone|style)|emojis?)\b")


_THEM: Final = regex(r"(?:it|them|that|this|those|these|him|her)(?![\w'])")


_NOT_LIKED: Final = regex(
    r"(?:to be honest|people who|when people|how|the way|what|where|to (?:know|see if|ask|hear|book|order|make a|have a table|reserve|schedule|cancel|change|add|get (?:a|some|more)|speak (?:to|with)|check|try that|start with|thank|discuss|talk about (?:this|that|it|something)|hear more|"
    r"use (?:this|that|the)|see (?:the|a|some|my|more)|get started|go over)|everything (?:about|you)|(?:the )?(?:idea|sound|look|plan|design|concept|structure|approach|layout|way|part|option|suggestion|first|second|third|last|answer|response|draft|version|format|matrix|vibe|direction|list)\b|all (?:of )?(?:it|that|this|these|those)|"
    r"every (?:bit|minute|second) of|one of (?:them|these|those|your)|none|either|neither|both of (?:them|these)|so far|these ones|mine|yours|something|someone|anything|more|less|most of|some of (?:it|this|that|these|your)|today|tonight|now|here|i|we|he|she|they|am|is|are|was|the new (?:draft|version|plan)|this|that|your)(?![\w'])"
)


_THING_TAIL: Final = regex(
    r"\b(?:you (?:sent|gave|suggested|recommended|mentioned|made|wrote|showed|said)|i (?:just|saw|read|watched|ate|had|tried)|we (?:just|saw|watched)|from (?:yesterday|last night|earlier)|above|yesterday|last night|this (?:morning|evening|time)|so far|today|tonight|like (?:this|that|these))\b"
)


def _listed(h: Hit, a: int, y: int, times: Sequence[When]) -> list[Value]:
    out = []
    for x, z in items(h.low, a, y):
        if reaction(h.low, x, z) or z - x < 2 or z - x > 90:
            continue
        out.append(Value(x, z, times=times))
    return out


def liked(h: Hit) -> list[Value]:
    """Stable likes; "I like it", "I like your plan" and "I like the second one" are reactions."""
    a = h.group()[0]
    low = h.low
    if low[h.m.start() : a].startswith("appreciate") and not re.match(r"(?:\w+ing|honesty|good|art|classical|jazz|poetry|nature)\b", low[a:]):
        return []
    x, y, times = cut(low, a, h.now)
    raw = low[a:y]
    if x >= y or reaction(low, a, y) or reaction(low, x, y) or _NOT_LIKED.match(raw) or _THING_TAIL.search(low, a):
        return []
    if (
        re.match(r"(?:the|this|that|these|those) ", raw)
        and not re.match(
            r"the (?:window seat|aisle seat|window|aisle|outdoors|beach|sea|ocean|mountains|rain|snow|cold|heat|summer|winter|autumn|fall|color|colour|smell|sound|feeling|taste|idea of \w+ing|theatre|theater|opera|beatles|gym|cinema|movies|countryside|city|water|woods|forest|sun|night|simple|number|quiet|piano|guitar|lakers|yankees|internet|arts|simpsons|office|great|"
            r"color|[a-z]+s\b)",
            raw,
        )
        and not h.capital(x)
    ):
        return []
    if h.frame.kind == "fragment" and not re.match(
        r"(?:love|loves|enjoy|loving|adore|really like|into|huge|big|obsessed|crazy|fond|passionate|keen|always|also|i|a |an |passion)",
        low[h.frame.start :],
    ):
        return []
    if "past" in h.frame.flags and not h.frame.flags & {"have", "used"} and low[h.frame.at : a].strip().endswith("ed"):
        return []
    if (
        h.rule.name == "into"
        and not h.frame.flags & {"neg"}
        and re.match(r"(?:in|to)\b", low[a - 3 : a])
        and re.match(r"\w+ing (?:you|it|that|this|about your)", raw)
    ):
        return []
    if (
        h.rule.name == "into"
        and re.search(r"\binterested in\b", low[:a])
        and re.match(
            r"(?:the|a|an|your|this|that|buying|booking|hearing|knowing|seeing|getting|trying|signing|applying|acquiring|opening|renting|ordering|purchasing|making a|changing|finding|setting|switching|joining|going|having|new insurance)\b",
            raw,
        )
    ):
        return []
    if (
        h.rule.name == "into"
        and re.search(
            r"\b(?:run|ran|get|got|turn|turned|put|go|went|check|checked|look|looked|looking|dig|crash|crashed|bump|bumped|break|broke|fit|squeeze|moved|move|come|came|hack|walk|walked|dive|delve|divided|translate|convert|converted|log|logged|fall|fell|burst|build|tap)(?: \w+)? into\b",
            low[:a],
        )
    ) and (
        not re.search(r"\b(?:get|got|gotten|getting) (?:really |more |quite )?into\b", low[:a])
        or re.match(r"(?:trouble|a|an|the|bed|it|this|that|position|shape|debt|college|university|uni|med|law|grad|harvard|my|school|work)\b", raw)
    ):
        return []
    if _ANSWERS.search(raw) and h.frame.owner == "user":
        return [Value(x, y, attribute="instruction", times=times)]
    replaces = None
    if (m := re.search(r"\s+(?:over|to|rather than|more than|better than|instead of|not)\s+(\S.*)\Z", low[x:y])) and (
        (low[h.m.start() : a].startswith("prefer") or " not " in m[0] or " than " in m[0])
        and not re.match(
            r"(?:be|do|go|have|eat|drink|work|stay|live|play|watch|read|talk|sit|sleep|cook|buy|use|see|get|make|take|walk|travel)\b", m[1]
        )
    ):
        y = x + m.start()
        x, y = trim(low, x, y)
        replaces = None
    out = _listed(h, x, y, times)
    for v in out:
        v.replaces = replaces
        if m := re.match(r"(?:do|doing|playing) (?=(?:yoga|karate))", low[v.start : v.end]):
            v.start += m.end()
    return out


def fan(h: Hit) -> list[Value]:
    out = liked(h) if h.m["v"] else []
    if h.m["w"]:
        a, b = trim(h.low, *h.m.span("w"))
        while (
            m := re.match(
                r"(?:big|huge|massive|real|avid|total|proud|lifelong|devoted|diehard|keen|serious|major|dedicated|bit of an?)\s+", h.low[a:b]
            )
        ) and m.end() < b - a:
            a += m.end()
        word = h.low[a:b]
        kind = h.m[0].rsplit(" ", 1)[-1]
        if a < b and not re.match(
            r"(?:good|nice|bad|happy|big|huge|very|really|people|different|new|old|shy|honest|private|kind|lucky|single|busy|terrible|horrible|boring|simple|normal|quiet|positive|young|grown|little|\d+ year old|tall|short|lazy|calm|sad|regular|average|great|social|creative|religious|spiritual|funny|city|country|party|trans|local|proud)\Z",
            word,
        ):
            if kind in {"person", "girl", "guy"} and word in {"morning", "night", "early"}:
                return [Value(a, h.m.end(), attribute="habit")]
            out = [Value(a, b)]
    if "neg" in h.frame.flags:
        for v in out:
            v.attribute = "dislikes"
    return out


def favourite(h: Hit) -> list[Value]:
    """The favourite itself, with "my favourite X is" as its content, so that the slot it fills can be told."""
    a = h.group()[0]
    if (
        h.frame.kind == "question"
        or (
            re.match(r"(?:part|thing|one|bit|scene|moment|line)\b", (h.m["k"] or "").strip())
            and not re.search(r"to (?:do|eat|watch|drink|cook)|about", h.m["k"] or "")
        )
    ) and not re.match(r" (?:thing|things) to", h.m["k"] or ""):
        return []
    x, y, times = cut(h.low, a, h.now)
    if x >= y or reaction(h.low, x, y) or re.match(r"(?:too|so|very|also|not|the (?:first|second|last|one)|when|because|hard)\b", h.low[a:y]):
        return []
    kind = (h.m["k"] or "").strip()
    spans = items(h.low, x, y) if kind.endswith("s") or not kind or " and " in h.low[x:y] else [(x, y)]
    if re.search(r"book|movie|film|song|band|show|game", kind) and not kind.endswith("s"):
        spans = [(x, y)]
    return [Value(s, e, content=h.text[h.m.start() : e] if len(spans) == 1 else "", times=times) for s, e in spans if not reaction(h.low, s, e)]


def is_favourite(h: Hit) -> list[Value]:
    a, b = h.group()
    low = h.low
    if m := re.match(r".*(?:^|[\s,])(?:and|but|because|that|think|say|said|guess|where)\s+", low[a:b]):
        a += m.end()
    x, y = trim(low, a, b)
    word = low[x:y]
    kind = low[b : h.m.end()]
    if (
        x >= y
        or reaction(low, x, y)
        or re.match(
            r"(?:he|she|they|you|it|this|that|which|who|what|there|here|one|i|we|me|those|these|the (?:last|first|second) one|my|our|your|and|so|but|maybe|mine)\b",
            word,
        )
    ):
        return []
    if re.search(r"\b(?:life|love|everything|world|passion|thing)\Z", kind) and re.search(
        r"\b(?:son|daughter|kids|family|wife|husband|god|mom|dad|boyfriend|girlfriend)\b", word
    ):
        return []
    if h.frame.kind == "question" or len(word.split()) > 8:
        return []
    return [Value(s, e, owner="user") for s, e in items(low, x, y) if not reaction(low, s, e)]


def prefer_over(h: Hit) -> list[Value]:
    if not h.frame.flags & {"freq"} and not re.search(r"any ?day|anyday|every time|any time", h.low):
        return []
    a, b = trim(h.low, *h.m.span("v"))
    return [Value(a, b)] if not reaction(h.low, a, b) else []


def disliked(h: Hit) -> list[Value]:
    a = h.group()[0]
    low = h.low
    x, y, times = cut(low, a, h.now)
    raw = low[a:y]
    if x >= y:
        return []
    if _THEM.match(raw) and len(raw.split()) <= 2:
        if h.rule.name in {"cannot stand", "gone off", "dislikes", "does not like"} and raw.split()[0] in {"it", "them"} and h.frame.owner == "user":
            return [Value(x, y, confidence=0.9)]  # the reader looks for what it points to
        return []
    if (reaction(low, a, y) and not re.match(r"(?:when (?:people|someone|they|he|she|my)|being|for)", raw)) or _THING_TAIL.search(low, a):
        return []
    if (
        re.match(
            r"(?:to (?:say|tell|admit|bother|ask|be (?:that|the)|burst|break|disappoint|interrupt|see you|disagree)|myself|this|that|these|your|the (?:idea|sound|way|first|second|last|design|plan|new)|how|what|where|waiting|it)\b",
            raw,
        )
    ) and (not re.match(r"(?:the (?:idea|sound|smell|taste) of|how (?:people|they)|waiting)", raw)):
        return []
    if h.rule.name == "does not like" and re.match(r"(?:any|either|much|one|some|anything|the (?:one|ones))\b", raw):
        return []
    if h.frame.kind == "fragment" and not re.match(
        r"(?:hate|hates|can't|cannot|cant|don't|not|no|dislike|detest|loathe|never)\b", low[h.frame.start :]
    ):
        return []
    if h.frame.kind == "fragment" and low.startswith("don't") and not re.match(r"don't (?:like|love|enjoy|care)", low[h.frame.start :]):
        return []
    if "past" in h.frame.flags and not h.frame.flags & {"have", "used", "never"} and h.rule.name == "dislikes":
        return []
    if _ANSWERS.search(raw) and h.frame.owner == "user":
        return [Value(max(h.frame.start, 0), y, attribute="instruction", times=times)]
    return _listed(h, x, y, times)


def disliked_strict(h: Hit) -> list[Value]:
    verb = h.low[h.frame.at : h.group()[0]].strip()
    if re.match(r"(?:take|do|face|watch|handle|deal|cope|get into)\b", verb) and not re.search(
        r"\b(?:heat|cold|crowds|noise|horror|spicy|blood|violence|heights|mornings|food|alcohol|caffeine|stress|conflict|lactose|gore|drama|country|jazz|metal|mess|dairy|people)\b",
        h.low[h.group()[0] :],
    ):
        return []
    return disliked(h)


def feared(h: Hit) -> list[Value]:
    lead = h.low[h.m.start() : h.group()[0]]
    if (re.search(r"\b(?:sick|tired|fed up|weary|bored|done)\b", lead)) and (
        not h.frame.flags & {"freq"} or re.match(r"(?:this|that|it|waiting|you|being|today|the)\b", h.low[h.group()[0] :])
    ):
        return []
    if re.search(r"\b(?:about|with)\s*\Z", lead) or re.match(
        r"(?:losing (?:it|this|you)|what|that|it|this|the (?:result|exam|interview|test|answer|future|worst)|failing (?:the|my|this)|missing|offending|asking|being (?:late|wrong|rude))\b",
        h.low[h.group()[0] :],
    ):
        return []
    return disliked(h)
