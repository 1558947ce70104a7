"""Tests on likes, dislikes, habits, health and possessions: stable ones pass, reactions and passing states do not."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.en.checks import span_keep
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import When, find
from memory.judge.en.values import cut, items, reaction, trim
from memory.judge.judgement import Stance

_ANSWERS: Final = re.compile(r"\b(?:answers?|replies|reply|responses?|explanations?|summaries|bullet points|your (?:tone|style)|emojis?)\b")
_THEM: Final = re.compile(r"(?:it|them|that|this|those|these|him|her)(?![\w'])")
_NOT_LIKED: Final = re.compile(
    r"(?:to be honest|people who|when people|how|the way|what|where|to (?:know|see if|ask|hear|book|order|make a|have a table|reserve|schedule|cancel|change|add|get (?:a|some|more)|speak (?:to|with)|check|try that|start with|thank|discuss|talk about (?:this|that|it|something)|hear more|"
    r"use (?:this|that|the)|see (?:the|a|some|my|more)|get started|go over)|everything (?:about|you)|(?:the )?(?:idea|sound|look|plan|design|concept|structure|approach|layout|way|part|option|suggestion|first|second|third|last|answer|response|draft|version|format|matrix|vibe|direction|list)\b|all (?:of )?(?:it|that|this|these|those)|"
    r"every (?:bit|minute|second) of|one of (?:them|these|those|your)|none|either|neither|both of (?:them|these)|so far|these ones|mine|yours|something|someone|anything|more|less|most of|some of (?:it|this|that|these|your)|today|tonight|now|here|i|we|he|she|they|am|is|are|was|the new (?:draft|version|plan)|this|that|your)(?![\w'])"
)
_THING_TAIL: Final = re.compile(
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
    return [Value(s, e) for s, e in items(low, x, y) if not reaction(low, s, e)]


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


# health


_ALLERGEN_STOP: Final = re.compile(
    r"\s+(?:so|and (?:i|my|have|has|can't|it)|but|which|since|because|badly|very|quite|as (?:a|well)|carry|though|severely|in (?:spring|summer|general)|too|please|just|that|like|kind|sort)\b.*\Z"
)


def allergen(h: Hit) -> list[Value]:
    a, b = h.group()
    low = h.low
    lead = low[h.m.start() : a]
    if (h.m.groupdict().get("v") is not None and h.rule.name == "X allergy") or (h.m.groupdict().get("x") is not None and h.rule.name == "X allergy"):
        x, y = trim(low, a, b)
        while m := re.match(
            r"(?:severe|bad|mild|serious|terrible|strong|slight|an?|my|the|have|has|life-threatening|known|nasty|to|this|that)\s+", low[x:y]
        ):
            x += m.end()
    else:
        x, y, _ = cut(low, a, h.now)
        if m := _ALLERGEN_STOP.search(low, x, y):
            y = m.start()
        x, y = trim(low, x, y)
    word = low[x:y]
    if (
        not word
        or re.match(
            r"(?:mondays?|work|working|stupidity|stupid|bullshit|mornings|you|drama|fun|exercise|nonsense|any|other|known|no|what|which|is|are|your|season|medicine|medication|food|an|the|attack|test)\Z",
            word,
        )
    ) and (word not in {"food"}):
        return []
    if re.search(r"\b(?:if|whether|someone|people|who|anyone|somebody)\b", lead) and h.frame.kind != "first":
        return []
    stance = None
    if (
        re.search(r"\b(?:no|don't have|outgrew|outgrown|grown out of)\b", low[h.frame.start : x])
        and h.frame.kind == "first"
        and "neg" not in h.frame.flags
    ):
        stance = Stance.NEGATE
    return [Value(s, e, stance=stance) for s, e in items(low, x, y) if e - s > 1]


def health_adjective(h: Hit) -> list[Value]:
    a = h.frame.at
    low = h.low
    m = re.compile(
        r"(?:(?:an?|the|also|really|very|quite|partially|legally|slightly|severely|completely|mostly|totally|born|a bit|now|currently|\w+ (?:weeks|months)|\w+ percent|profoundly|clinically|red-green|red green|going|becoming) )*"
    ).match(low, a)
    start = m.end() if m else a
    words = low[start:].replace(",", " ,").replace(".", " .").replace("!", " !").split()
    for n in (3, 2, 1):
        phrase = " ".join(words[:n])
        for x in (start, a):
            text = phrase if x == start else " ".join(low[a:].split()[:n]).strip(".,!;")
            if text in h.lex.sets["health_adjectives"]:
                end = x + len(text)
                if low[x:end] != text:
                    continue
                if (text in {"blind", "deaf"} and re.match(r" (?:to|date|spot|side|as)\b", low[end:])) or (
                    text in {"mute", "intolerant"} and re.match(r" of\b", low[end:])
                ):
                    return []
                if h.frame.kind == "fragment" and not re.match(r"\s*(?:$|[,.!?;]|(?:and|in|since|due|with|from|btw|by|so|but|here)\b)", low[end:]):
                    return []
                if text == "pregnant" or "weeks" in low[a:x] or "months" in low[a:x]:
                    more = re.match(r"(?: with (?:twins|triplets|my (?:first|second|third)|our (?:first|second|third))(?: child| baby)?)?", low[end:])
                    x = a if re.match(r"\w+ (?:weeks|months)", low[a:]) else x
                    return [Value(x, end + (more.end() if more else 0))]
                more = re.match(r" in (?:(?:my|one|the|his|her|both) )?(?:left |right |one )?(?:ears?|eyes?)| (?:since|from) birth", low[end:])
                return [Value(x, end + (more.end() if more else 0))]
    return []


_PASSING: Final = re.compile(
    r"\b(?:headache|cold|flu|fever|cough|hangover|sore throat|stomach ?ache|toothache|the sniffles|hiccups|a temperature|runny nose|cramps)\b"
)


def condition(h: Hit) -> list[Value]:
    """A lasting condition; a headache or a cold only when it keeps coming back."""
    a = h.group()[0]
    low = h.low
    if (
        h.frame.kind == "fragment"
        and not re.match(r"(?:diagnosed|suffer|living with|recovering|born with|history of|have|wear|prone|type)", low[h.frame.at :])
        and not any(low[h.frame.at :].startswith(c) and re.match(r"\s*(?:$|[,.!;])", low[h.frame.at + len(c) :]) for c in h.lex.words["conditions"])
    ):
        return []
    verb = low[h.frame.at : a]
    if re.match(r"(?:use|uses|need|needs|wear|wears)\b", verb) and not re.match(
        r"(?:glasses|contact lenses|contacts|hearing aids?|a hearing aid|an? inhaler|inhaler|insulin|wheelchair|dentures|braces|an? insulin pump|cpap|a cpap|crutches|walking stick|cane|reading glasses|prosthetic)",
        low[a:],
    ):
        return []
    _, y, times = cut(low, a, h.now)
    phrase = low[a:y]
    if m := re.match(
        r"(?:frequent |recurring |chronic |regular |constant |occasional |weekly |daily |terrible |bad )*(headaches|nosebleeds|back ?pain|back problems|knee pain|joint pain|neck pain|stomach problems|heartburn|panic attacks|nightmares|trouble sleeping|difficulty sleeping|sleep problems|trouble falling asleep|mood swings|memory problems|a weak (?:heart|back|stomach|immune system|ankle|knee)|heart problems|kidney problems|kidney disease|liver problems|a heart condition|(?:a )?(?:bad|bum|dodgy|weak|trick|injured|busted) (?:knees?|back|hips?|shoulders?|ankles?|heart|eyesight|hearing|leg|wrist|neck)|one kidney|one leg|one arm|one eye|only one \w+|a limp|poor eyesight|poor vision|poor hearing|metal (?:plate|rod|pins) in .*|blood clots|low iron|low blood sugar|a food intolerance|(?:a )?learning disabilit(?:y|ies)|special needs|a disability|lazy eye|a lazy eye|tunnel vision|night blindness|thyroid (?:problems|issues|condition))",
        phrase,
    ):
        if re.match(r"(?:headaches|nightmares|heartburn)", m[1]) and not (
            h.frame.flags & {"freq", "recurring"}
            or re.match(r"(?:frequent|recurring|chronic|regular|constant|daily|weekly)", phrase)
            or re.match(r"(?:get|suffer)", verb)
        ):
            return []
        lead = re.match(r"(?:frequent |recurring |chronic |regular |constant |occasional |weekly |daily |terrible )*(?:a |an )?", phrase)
        start = a if re.match(r"(?:frequent|chronic|recurring|constant|regular)", phrase) or "bad" in phrase[:6] else a + (lead.end() if lead else 0)
        return [Value(start, a + m.end(), times=times)]
    best = ""
    m2 = re.match(
        r"(?:(?:an?|the|my|bad|severe|mild|chronic|really|terrible|type \w+|early|stage \w+|social|seasonal|generalized|high-functioning|new|two|full|permanent|\w+) ){0,3}?",
        phrase,
    )
    del m2
    words = phrase.split()
    conditions = h.lex.sets["conditions"]
    for i in range(min(4, len(words))):
        for n in (4, 3, 2, 1):
            text = " ".join(words[i : i + n]).strip(".,!")
            if text in conditions and len(text) > len(best):
                best = text
        if best:
            break
    if best:
        if best in {"add", "ms", "glasses", "braces", "thyroid"} and (
            (best == "add" and not h.text[a + phrase.find(best) : a + phrase.find(best) + 3].isupper())
            or (best == "ms" and not re.search(r"\bMS\b", h.text))
        ):
            return []
        if best == "cancer" and re.search(r"\bthe cancer\b|sign", phrase):
            return []
        if (
            h.frame.kind == "first"
            and best in {"glasses", "braces", "contact lenses"}
            and not re.match(r"(?:wear|use|need|have|got)", verb or "have")
        ):
            return []
        start = a + phrase.index(best)
        if re.search(r"\b(?:anxiety|depression)\b", best) and re.search(r"\b(?:about|over) (?:the|this|my|tomorrow|it)\b", low):
            return []
        tail = re.match(r" in (?:my|both|one|his|her) [a-z]+(?: [a-z]+)?(?=\s*(?:$|[,.!]))", low[start + len(best) :])
        return [Value(start, start + len(best) + (tail.end() if tail else 0), times=times)]
    if _PASSING.search(phrase) and (h.frame.flags & {"freq", "recurring"}):
        return [Value(*trim(low, a, y))]
    if m := re.match(
        r"(?:diagnosed with|been diagnosed with|suffers? from|suffering from|living with|battling|recovering from) (.*)", low[h.frame.at : y]
    ):
        x, z = trim(low, h.frame.at + m.start(1), y)
        if (
            x < z
            and not reaction(low, x, z)
            and not re.match(
                r"(?:a (?:cold|bad day|headache|long|rough|busy)|the (?:heat|weekend|party|shock)|my|work|lack|boredom|this|jet)\b", low[x:z]
            )
            and z - x < 50
        ):
            return [Value(x, z, times=times)]
    if m := re.match(
        r"(?:an? )?(?:[\w-]+ )?(?:prosthetic \w+|pacemaker|stent|hip replacement|knee replacement|implant|hearing aids?|guide dog|service dog|transplant|glass eye|artificial \w+|titanium \w+|colostomy bag|feeding tube|iud|insulin pump|cpap(?: machine)?)",
        phrase,
    ):
        return [Value(a, a + m.end(), times=times)]
    return []


# habits


def habitual(h: Hit) -> list[Value]:
    """What one does as a rule: with "always" or "usually", or with "every Tuesday", "twice a week", "before bed"."""
    a = h.frame.at
    low = h.low
    flags = h.frame.flags
    if h.frame.kind not in {"first", "person"} or flags & {"asked"}:
        return []
    times = find(low, h.now)
    recurring = [w for w in times if w.kind == "recurring"]
    daily = re.search(
        r"\b(?:first thing|before (?:bed|work|breakfast|sleep|dawn|i sleep)|after (?:work|lunch|dinner|school)|all (?:day|the time|summer|winter)|most (?:days|nights|mornings|evenings|weekends)|day and night|on a (?:daily|regular|weekly) basis|for breakfast|in the shower|at \d{1,2}(?::\d\d)? ?(?:am|pm)?|until (?:late|midnight|noon)|a day|a week|per day|per week|regularly|religiously|"
        r"in the (?:mornings?|evenings?|winter|summer)|during the (?:winter|summer|week|day)|while i (?:work|run|study|drive|cook)|with my (?:coffee|tea)|in my (?:spare|free) time|for fun|professionally|competitively|often|a lot|everyday|sometimes|constantly|all of the time|too much|again(?= *$)|whenever i (?:can|have)|for hours|\d+ hours|when(?:ever)? i(?:'m| am| m| have| feel| get| can))\b",
        low[a:],
    )
    freq = "freq" in flags or ("never" in flags and "neg" not in flags)
    if not (freq or recurring or daily):
        return []
    words = re.findall(r"[a-z']+", low[a:])
    if not words:
        return []
    verb = words[0]
    base = verb.removesuffix("s") if h.frame.kind == "person" and not verb.endswith("ss") else verb
    if base in {"goe", "doe", "watche", "teache", "catche", "fishe", "practise", "stretche"}:
        base = base.removesuffix("e")
    if any(w.kind == "date" and w.sign > 0 for w in times) and not recurring and not freq:
        return []
    if (verb in h.lex.sets["state_verbs"] and verb not in {"keep", "live", "work", "get", "try", "have", "end", "own", "find", "need"}) or (
        verb == "have"
        and re.match(
            r"have (?:to|a (?:question|problem|feeling|doubt|hard|difficult|good|great|bad)|no|trouble|been|problems|had|the feeling)\b", low[a:]
        )
    ):
        return []
    if base in {"say", "tell", "ask", "claim", "joke", "respond", "reply", "answer"}:
        return []
    if verb in {"find", "end", "own", "live", "work", "try"} and not (recurring or verb == "work") and not (verb == "try" and freq):
        return []
    if not freq and base not in h.lex.sets["activity_verbs"]:
        return []
    if (
        not freq
        and re.match(r"(?:have|has) ", low[a:])
        and not re.search(r"breakfast|lunch|dinner|coffee|tea|lesson|class|practice|therapy|training|snack|drink|meeting", low[a:])
    ):
        return []
    if re.search(r"\b(?:you|your|this (?:app|chat)|the assistant|right now|today|tonight|this morning)\b", low[a:]) or (
        "just" in flags and not recurring
    ):
        return []
    start = a
    if freq:
        m = re.compile(
            r"(?:always|usually|often|sometimes|normally|typically|generally|regularly|rarely|seldom|occasionally|frequently|mostly|constantly|never|tend to)[ ]"
        ).search(low, h.frame.start, a)
        start = m.start() if m else a
    end_m = re.compile(
        r",? (?:because|cos|so (?:i|we|please|that)|but|although|though|which|since|and (?:i|my|it|then|now)|do you|any|can you|what|where|if)\b|[.!?;—(]|, (?=i\b|we\b|my\b|can't|it|so\b)"
    ).search(low, a)
    end = end_m.start() if end_m else len(low)
    x, y = trim(low, start, end)
    x = start
    if len(low[x:y].split()) < 2 or y - x > 110:
        return [] if y - x > 110 or (not recurring and not freq) else [Value(x, min(y, x + 110), times=times)]
    return [Value(x, y, times=[w for w in times if w.kind != "date"])]


def habitual_be(h: Hit) -> list[Value]:
    a = h.frame.at
    if h.frame.kind not in {"first", "person"} or not re.search(
        r"\b(?:always|usually|often|generally|normally|typically|constantly|never)\b", h.low[h.frame.start : a + 12]
    ):
        return []
    m = re.compile(r"(?:always|usually|often|generally|normally|typically|constantly|never)\b").search(h.low, h.frame.start)
    start = m.start() if m else a
    _x, y, times = cut(h.low, a, h.now)
    if re.search(r"\b(?:happy to|ready|here|sorry|there for|interested|curious|you|asked|late to reply)\b", h.low[a:y]):
        return []
    end = max(y, a + len(h.low[a:].split(".")[0].split(",")[0]))
    return [Value(start, trim(h.low, start, end)[1], times=times)]


def neg_habit(h: Hit) -> list[Value]:
    """ "never eat breakfast", "don't drink": a rule of one's life, not "don't use that file"."""
    a, b = h.group()
    low = h.low
    if h.frame.kind not in {"first", "person"} or "asked" in h.frame.flags or (h.frame.kind == "person" and h.frame.owner == "they"):
        return []
    x, y, times = cut(low, a, h.now)
    y = max(y, min(b, a + len(low[a:b].split(",")[0].rstrip(" .!?"))))
    x, y = a, trim(low, a, y)[1]
    phrase = low[x:y]
    m = re.match(
        r"(?:never|don't|do not|dont|doesn't|does not|doesnt|hardly ever|rarely|seldom|no longer|barely|almost never|try not to|avoid)(?: ever| really| even| usually| normally| actually| generally)? (\w+)(?: (.*))?",
        phrase,
    )
    if m is None:
        return []
    verb, rest = m[1].rstrip("s") if m[1] not in {"touches", "gambles"} else m[1], (m[2] or "").strip()
    if re.match(
        r"(?:it|that|this|them|these|those|you|your|the (?:app|file|link|word|one|answer|same|second|first)|anyone|any of|my (?:phone|wallet|keys)|a clue|mind|much idea)\b",
        rest,
    ):
        return []
    if h.has("never_verbs_narrow", verb):
        if not rest or (
            not phrase.startswith(("never", "hardly", "rarely", "seldom", "avoid", "no longer", "almost"))
            and not re.match(
                r"(?:drugs|mornings|thursdays|mondays|sundays|weekends|sugar|milk|medication|social media|facebook|instagram|a car|cars|a tv|tv|television|glasses|makeup|perfume|jewel\w*|shorts|heels|horror|the news|news|sports|video games|games|cash|meat|alcohol|caffeine|coffee|tea|fast food|out|spicy|lunch|breakfast|dinner|a smartphone|smartphone|calls|phone calls|any other language|\w+ very often|to (?:church|the gym|parties|bars|school)|credit cards)\b",
                rest,
            )
        ):
            return []
        if verb == "speak" and rest.split()[0] in h.lex.sets["languages"]:
            return [Value(x, y, attribute="skill", times=times)]
    if h.has("never_verbs", verb):
        if re.search(r"\b(?:yet|today|tonight|this morning|now|right now)\b", low) or verb in {"cheat"}:
            return []
        if verb == "sleep" and not phrase.startswith("never") and not re.search(r"before|past|after|more than|much", rest):
            return []
        if verb == "work" and re.match(r"(?:for (?:me|us)|like|out for|properly|at all|in)\b", rest):
            return []
        if verb == "get" and not re.match(r"up", rest):
            return []
    return [Value(x, y, times=times)]


def quit_habit(h: Hit) -> list[Value]:
    """A habit that is over: smoking, coffee, a class; what is quit today only, or a job, is not."""
    a = h.group()[0]
    x, y, times = cut(h.low, a, h.now, past=True)
    if any(w.start <= x and y <= w.end for w in times):
        return []
    raw = h.low[x:y]
    if (
        x >= y
        or reaction(h.low, x, y)
        or re.match(
            r"(?:job|my job|work|talking|trying|here|there|responding|working (?:for|at|on|after)|by|at|to|worrying|and|the (?:car|bus|app|page|task|project|chat)|asking|saying|using (?:this|that)|halfway|reading (?:it|this)|raining|hope|waiting|loading|that|apologizing|being|it)\b",
            raw,
        )
    ):
        return []
    if h.frame.kind == "fragment" and not re.match(r"(?:quit|gave up|given up|stopped|off)\b", h.low[h.frame.at :]):
        return []
    verb = h.low[h.m.start() : a]
    if re.match(r"(?:off|stop|dropped|cut|ditched|come|came|done)\b", verb) and not re.search(
        r"\b(?:coffee|tea|sugar|meat|dairy|gluten|smoking|cigarettes|alcohol|drinking|carbs|caffeine|soda|booze|tablets|medication|meds|pills|social media|facebook|instagram|class|classes|lessons|gym|dieting)\b",
        raw,
    ):
        return []
    if (
        re.match(r"(?:stop|quit)\b", verb)
        and h.frame.kind == "first"
        and "verb" in h.frame.flags
        and "past" not in h.frame.flags
        and not h.frame.flags & {"have"}
        and "quit" not in verb
    ):
        return []
    if h.has("employers", raw) or (h.capital(x) and not h.shout and not raw.endswith("ing")):
        return []
    occupation = re.match(r"(?:teaching|nursing|freelancing|driving (?:trucks|for)|acting|coaching)\b", raw)
    return [Value(x, y, times=times, attribute="occupation" if occupation else None)]


def never(h: Hit) -> list[Value]:
    """ "I've never flown", "I never learned to drive": what one's life has not had; not "I've never heard of it"."""
    a = h.group()[0]
    x, y, _ = cut(h.low, a, h.now)
    raw = h.low[x:y]
    if (
        reaction(h.low, x, y)
        or re.search(r"\b(?:it|that|this|one|before|such|so|there|them|anything like|of (?:it|that)|you)\b", h.low[a:])
        or len(raw.split()) < 2
    ):
        return []
    m = re.compile(r"never\b").search(h.low, h.frame.start, a)
    return [Value(m.start() if m else a, y)]


def habit_span(h: Hit) -> list[Value]:
    a = h.group()[0]
    _, y, times = cut(h.low, a, h.now)
    rec = [w for w in find(h.low, h.now) if w.kind in {"recurring", "clock"} and w.start >= y - 1]
    if rec and rec[-1].end - y < 40:
        y = rec[-1].end
    if any(w.kind == "date" and w.sign > 0 for w in times) or re.search(
        r"\b(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening)|right now|right away|on (?:this|it|that))\b", h.low[a:]
    ):
        return []
    if re.search(r"\b(?:coach|mentor|tutor|host) (?:me|you|us)\b", h.low):
        return []
    return [Value(a, y, times=times)]


def sport(h: Hit) -> list[Value]:
    """A pastime in the simple present: "I run half-marathons", "I surf", "I play tennis"."""
    a = h.group()[0]
    k = h.m.start("k")
    low = h.low
    if h.frame.kind == "fragment" or "asked" in h.frame.flags or "just" in h.frame.flags:
        return []
    words = re.findall(r"[a-z&'-]+", low[k:])[:4]
    verb = low[a:].split()[0]
    sports = h.lex.sets["sports"]
    named = any(" ".join(words[i : i + n]) in sports for i in range(2) for n in (3, 2, 1))
    if (
        re.match(
            r"(?:run|go|lift|ride|write|sing|perform|train|race|climb|box|row|hike|swim|build|collect|paint|knit|teach|coach|do|play|practi)", verb
        )
        and not named
    ) and (
        not re.search(
            r"\b(?:marathons?|half-marathons?|10ks?|5ks?|weights|horses|motorcycles|poetry|poems|songs|novels|short stories|stories|fan ?fiction|music|a blog|blog|choir|band|a band|team|league|stamps|coins|records|vinyls?|antiques|comics?|cards|toys|figurines|sneakers|guns|knives|rocks|postcards|dolls|plates|watercolou?rs|portraits|scarves|sweaters|models|model \w+|miniatures|drones|computers|robots|instruments|"
            r"mountains|trails|triathlons?|laps|magic tricks|video games?|online|professionally|competitively|improv|theatre|theater|stand-?up|martial arts|gymnastics|crossfit|wood\w*|jewelry|quilts|memorabilia)\b",
            low[k:],
        )
    ):
        return []
    if verb in {"go"} and not (words and words[0].endswith("ing") and words[0] in sports):
        return []
    if h.has("bare_sports", verb) and not named and re.match(r"(?:it|that|this|the|them|you)\b", low[k:]):
        return []
    if re.match(r"(?:play|do|run|write) (?:it|that|this|them|the (?:game|song|one))\b", low[a:]):
        return []
    _, y, times = cut(low, a, h.now)
    if any(w.kind == "date" and w.sign >= 0 for w in times) or re.search(r"\b(?:today|tonight|right now|you|your)\b", low[a:]):
        return []
    if verb in {"play", "plays"} and any(w in h.lex.sets["instruments"] for w in words[:3]):
        return []
    return [Value(a, y, times=times)]


def commute(h: Hit) -> list[Value]:
    a = h.group()[0]
    if not re.search(r"\bto (?:work|school|the office|uni|college|campus)\b|commut|everywhere|in every", h.low[a:]) or re.search(
        r"\b(?:today|tomorrow|tonight|this morning)\b", h.low
    ):
        return []
    return span_keep(h)


def celebrates(h: Hit) -> list[Value]:
    a = h.group()[0]
    if not re.search(
        r"\b(?:every year|each year|always|christmas|hanukkah|diwali|eid|ramadan|lunar new year|chinese new year|easter|thanksgiving|shabbat|sabbath|kwanzaa|holi|passover|lent|nowruz)\b|[\u3400-\u9fff]",
        h.low[a:] + h.low[:a],
    ) or h.frame.kind not in {"first", "person"}:
        return []
    if not re.match(r"(?:celebrat|observ|fast)", h.low[a:]) and not re.search(r"kosher|sabbath|shabbat|halal", h.low[a:]):
        return []
    end = re.compile(r"[.!?;,]|\bso\b|\bbut\b|\bbecause\b").search(h.low, a)
    y = end.start() if end else len(h.low)
    return [Value(a, trim(h.low, a, y)[1])]


def diet(h: Hit) -> list[Value]:
    a, b = h.group()
    if h.frame.kind == "fragment" and not re.match(
        r"(?:strictly |strict |lifelong |fully |i |now )?(?:vegan|vegetarian|pescatarian|teetotal|coeliac|halal|kosher|keto)\b",
        h.low[h.frame.start :],
    ):
        return []
    word = h.low[a:b]
    lead = h.low[h.frame.at : a]
    if word in {"sober", "carnivore", "raw vegan"} and re.search(r"not", lead):
        return []
    if h.has("food_laws", word) and "verb" in h.frame.flags and not re.search(r"eat|keep|go|diet|follow|went", lead) and h.frame.kind != "fragment":
        return []
    if re.match(r" (?:restaurant|food|option|recipe|place|meal|dish|menu|cake|pizza|burger|dinner)", h.low[b:]):
        return []
    return [Value(a, b, times=find(h.low, h.now, past=True))]


def measure(h: Hit) -> list[Value]:
    """A figure of one's own: weight and blood pressure belong to health."""
    out = span_keep(h)
    for v in out:
        if re.match(r"(?:weight|blood pressure|resting|cholesterol|blood sugar|pulse)", h.low[v.start : v.end]):
            v.attribute = "health"
    return out


# goods and traits


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
