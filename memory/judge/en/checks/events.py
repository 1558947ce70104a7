"""Tests on what happened: milestones and named trips pass, finished chores do not."""

import re
from typing import Final

from memory.judge.en.checks.places import known
from memory.judge.en.checks.ties import whole
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import find
from memory.judge.en.values import cut
from memory.pattern import regex

_TRIVIAL_EVENT: Final = regex(
    r"\b(?:level|the game|boss|round|quest|episode|season|book|chapter|homework|dishes|laundry|shopping|lunch|dinner|breakfast|coffee|task|report|email|call|form|order|list|draft|section|step|phase|exercise|exercises|quiz|set|reps|module|lesson|worksheet|setup|test run|practice|workout|groceries|bet|argument|email)\b"
)


def milestone(h: Hit) -> list[Value]:
    """Something that changes a life or ends an effort; a finished chore is none."""
    a = h.frame.at
    low = h.low
    flags = h.frame.flags
    if h.frame.kind == "fragment" and not re.match(
        r"(?:just |finally |recently |officially )?(?:got|passed|graduated|won|promoted|bought|sold|lost|finished|ran|published|accepted|moved|retired|failed|defended|adopted|became)\b",
        low[a:],
    ):
        return []
    if (
        h.frame.kind == "person"
        and h.frame.owner in {"he", "she", "they"}
        and not re.search(r"married|divorced|promoted|graduated|retired|baby|engaged|died|passed|quit|moved", low[a:])
    ):
        return []
    if h.frame.kind not in {"first", "person", "fragment"}:
        return []
    x, y, times = cut(low, a, h.now, past=True)
    x = a
    if "be" in flags and not re.match(
        r"(?:just |finally |recently |officially |being )?(?:promoted|selected|chosen|elected|nominated|awarded|accepted|diagnosed|offered|hired|drafted|deployed|given|sworn|naturali|made|getting|graduating|registered)",
        low[a:],
    ):
        return []
    phrase = low[x:y]
    if (
        "be" in flags
        and "been" not in low[h.frame.start : a]
        and re.match(r"(?:just |recently )?(?:diagnosed|given|made|selected|offered|accepted)", low[a:])
        and "past" not in flags
        and "just" not in flags
    ):
        return []
    if re.match(r"(?:diagnosed|been diagnosed)", phrase):
        return []
    if re.match(
        r"(?:signed|met|received|came|completed|finished|started|launched|ran|climbed|accepted|inherited|registered|chosen|opened|set|lost|bought|took|passed|won|failed|crashed|got in)\b",
        phrase,
    ):
        if _TRIVIAL_EVENT.search(phrase) and not re.search(
            r"\b(?:marathon|degree|thesis|phd|novel|my (?:first )?book|a book|exam|house|bar|driving test|dissertation|course)\b", phrase
        ):
            return []
        if re.match(
            r"(?:accepted|received|signed|took|opened|set|came|passed|started|completed|finished|lost|met|chosen|won|launched)\b", phrase
        ) and re.search(
            r"\b(?:your|the (?:plan|suggestion|first (?:task|phase|step|part)|setup|practice)|it|this|that|time|track|way|mind|my (?:keys|phone|wallet|temper|appetite|place|bag|glasses|card|mind|goals?|tasks?)|you)\b",
            phrase,
        ):
            return []
    if re.match(
        r"got in\Z|got into (?:bed|trouble|it|this|that|the (?:car|habit|shower)|a (?:fight|argument))|moved (?:on|to (?:the|another|a different) (?:step|table|seat))|broke up laughing|separated (?:the|them)|adopted (?:the|a (?:new|different) (?:approach|strategy|plan))|chosen (?:the|to)|hired (?:a|an|someone|two)|offered (?:to|me)|given (?:up|that|the|you)|made\b|been made (?:of|to)|been given (?:the|a (?:task|chance))",
        phrase,
    ):
        return []
    if re.match(r"(?:moved) (?:to|into|in|out|house|home|here|back|away)", phrase) and re.match(r"moved (?:in)?to ", phrase):
        return []  # the location rule tells it better
    if (
        re.search(r"\b(?:today|just|yesterday)\b", low)
        and re.match(r"(?:completed|finished|ran|came|won)\b", phrase)
        and not re.search(r"\b(?:marathon|degree|thesis|phd|prize|award|novel|book|championship|race|competition|lottery|tournament|first)\b", phrase)
    ):
        return []
    date = [w for w in times if w.kind == "date" and w.iso and w.sign <= 0]
    return [Value(x, y, time=date[0].iso if date else None, times=times)]


def milestone_span(h: Hit) -> list[Value]:
    a, b = h.group()
    if h.frame.kind in {"question", "order"} or (
        re.search(r"\b(?:order|package|request|card|visa card|account|payment|application form|flight|reservation)\b", h.low[a:b])
        and not re.search(r"promot|prize|award|visa|manuscript", h.low[a:b])
    ):
        return []
    m = re.compile(r"\b(?:one of my|my|our|two of my|some of my|i)\b").search(h.low, a)
    a = m.start() if m else a
    y = whole(h, a)[1]
    if h.low[a:y].startswith("i ") and not re.search(
        r"selected|chosen|accepted|published|nominated|promoted|awarded|shortlisted|prize|first place", h.low[a:y]
    ):
        return []
    if y - a > 110 or re.search(r"\b(?:if|when|whether)\b", h.low[:a]):
        return []
    times = find(h.low, h.now, past=True)
    return [Value(a, y, time=next((w.iso for w in times if w.kind == "date" and w.iso and w.sign <= 0), None), times=times)]


def family_event(h: Hit) -> list[Value]:
    a, _b = h.group()
    if h.frame.kind == "question" or (
        re.search(r"\b(?:if|when|after|before|since|until|because)\b", h.low[h.frame.start : a])
        and not h.low[h.frame.start :].startswith(("my", "our"))
    ):
        return []
    y = whole(h, a)[1]
    if y - a > 110:
        y = cut(h.low, a, h.now)[1]
    times = find(h.low, h.now, past=True)
    owner = h.frame.owner if h.frame.kind == "person" and "poss" not in h.frame.flags else "user"
    a = h.frame.at if owner != "user" and h.frame.at < y else a
    return [Value(a, y, owner=owner, time=next((w.iso for w in times if w.kind == "date" and w.iso), None), times=times)]


def trip(h: Hit) -> list[Value]:
    """A past trip to a named place, when it is told as part of a life ("I went to Spain in 2019"), not as today's outing."""
    a = h.frame.at
    k = h.m.start("k")
    low = h.low
    if h.frame.kind not in {"first", "fragment"} or re.match(
        r"(?:the (?:store|gym|shop|park|beach|doctor|dentist|cinema|movies|mall|bathroom|library|bank|office|airport|hospital|zoo|museum|pub|bar|vet|party|concert|game|club)|bed|work|school|sleep|a\b|an\b|my\b|see\b|church|dinner|lunch|class|his|her|your|that|this|it|there|here|them|get|buy|visit|watch)",
        low[k:],
    ):
        return []
    x, y, times = cut(low, k, h.now, past=True)
    phrase = low[x:y]
    if (
        not (known(h, x, y) or (h.capital(x) and not h.shout))
        or h.has("employers", phrase)
        or re.search(
            r"\b(?:restaurant|cafe|starbucks|mcdonald|walmart|ikea|mall|cinema|university|college|school|park|museum|gallery|theatre|theater|stadium|arena|library|zoo|aquarium|club|bar|pub)\b",
            phrase,
        )
    ):
        return []
    if re.match(r"(?:visited|been to|toured)", low[a:]) and re.search(r"\b(?:website|page|site|app)\b", low):
        return []
    if m := re.compile(r"\s+(?:with|for|and (?:i|it|we|saw|had)|where|to (?:see|visit)|by|on|because|as|again|before|when|once|but)\b").search(
        low, x, y
    ):
        y = m.start()
    return [Value(a, y, time=next((w.iso for w in times if w.kind == "date" and w.iso and w.sign < 0), None), times=times, confidence=0.8)]


def trip_clause(h: Hit) -> list[Value]:
    a = h.group()[0]
    x, y, times = cut(h.low, a, h.now, past=True)
    m = re.search(r"\b(?:to|in) (?=[a-z])", h.low[x:y])
    if not m or not (h.capital(x + m.end()) or known(h, x + m.end(), y)):
        return []
    return [Value(x, min(y, h.group()[1]) if h.m.groupdict().get("w") is not None else y, times=times)]


def we_event(h: Hit) -> list[Value]:
    a = h.group()[0]
    low = h.low
    y = whole(h, a)[1]
    phrase = low[a:y]
    marital_m = re.search(r"\b(?:married|engaged|eloped)\b", phrase)
    if marital_m and not re.search(r"\bgetting\b|\bgoing\b|\bget\b|plan", phrase) and not re.search(r"engaged (?:in|with)", phrase):
        s = a + marital_m.start()
        return [Value(s, s + len(marital_m[0]), attribute="relationship", times=find(low, h.now, past=True))]
    if (re.search(r"\bmoved\b", phrase) and not re.search(r"moved (?:in|out|house|home|away|back|to)\b", phrase)) or re.search(
        r"\bmoved (?:in)?to\b", phrase
    ):
        return []
    if re.search(r"\bgetting\b", phrase):
        return []
    return [Value(a, y, times=find(low, h.now, past=True))]


def progress(h: Hit) -> list[Value]:
    a = h.frame.at
    _x, y, times = cut(h.low, a, h.now)
    phrase = h.low[a:y]
    study = re.search(
        r"\b(?:course|book|thesis|dissertation|novel|textbook|hsk|n[1-5]|a1|a2|b1|b2|c1|duolingo|coursera|degree|kata|belt|syllabus|programme|program|curriculum|bootcamp|certification|manuscript|memoir|couch to 5k|training plan|translation|grade)\b|[\u3400-\u9fff]",
        h.low,
    )
    if (
        not study
        or (re.search(r"\b(?:page|step) \d", phrase) and not study)
        or (re.search(r"\bgrade\b", phrase) and not re.search(r"piano|violin|guitar|exam|music", phrase))
    ):
        return []
    if h.frame.kind not in {"first", "fragment"} or "asked" in h.frame.flags:
        return []
    return [Value(a, y, times=times)]
