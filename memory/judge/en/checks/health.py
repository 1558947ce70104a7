"""Tests on allergies, conditions and injuries: lasting ones pass, a cold does not."""

import re
from typing import Final

from memory.judge.en.found import Hit, Value
from memory.judge.en.people import relation_at
from memory.judge.en.values import cut, items, reaction, trim
from memory.judge.judgement import Stance
from memory.pattern import regex
from memory.record import USER

_ALLERGEN_STOP: Final = regex(
    r"\s+(?:so|and (?:i|my|have|has|can't|it)|but|which|since|because|badly|very|quite|as (?:a|well)|carry|though|severely|in (?:spring|summer|general)|too|please|just|that|like|kind|sort)\b.*\Z"
)


_NO_ALLERGEN: Final = regex(
    r"(?:mondays?|work|working|stupidity|stupid|bullshit|mornings|you|drama|fun|exercise|nonsense|any|other|known|no|what|which|is|are|your|season(?:al)?|medicine|medication|food|drug|an|the|attack|test)\Z"
)
_ALLERGY: Final = regex(
    r"(?P<v>(?:[a-z][a-z'’-]*(?:,? | & )){1,8})(?:allerg(?:y|ies)|intolerances?)\b(?! (?:season|medic|tests?\b|tablets?|pills?|clinic|info|advice|friendly|to\b))"
)
_NOT_EITHER: Final = regex(
    r"\b(?:no|don't have|doesn't have|haven't got|hasn't got|outgrew|outgrown|outgrowing|(?:grew|grown) out of|got over|rid of|not an?)\b"
)
_OF_OTHERS: Final = regex(r"\b(?:if|whether|someone|people|who|anyone|somebody|guests?|folks|everyone|anybody)\b")
_WHOSE_ALLERGY: Final = regex(r".*\b(?P<who>my [a-z][\w' -]{1,24}?)(?:'s| with| who has| who's got| has)(?: an?)?(?: [a-z-]+)? \Z")


def allergy_noun(h: Hit) -> list[Value]:
    """What stands before "allergy": a peanut allergy, egg and soy allergies; said of a relative's in passing it is theirs."""
    out: list[Value] = []
    for m in _ALLERGY.finditer(h.low, h.frame.start):
        a, b = _allergen_before(h, *m.span("v"))
        lead = h.low[h.frame.start : a]
        if a == b or _NO_ALLERGEN.match(h.low[a:b]):
            continue
        owner = None
        if h.frame.kind != "person" and (whose := _WHOSE_ALLERGY.match(h.low, h.frame.start, a)) is not None:
            known = relation_at(h.text, h.low, whose.start("who"), h.lex)
            owner = known[0] if known is not None else None
        elif _OF_OTHERS.search(lead):
            continue
        denied = "neg" in h.frame.flags or _NOT_EITHER.search(lead) is not None
        stance = Stance.NEGATE if denied else Stance.PAST if "used" in h.frame.flags else None
        out += [Value(s, e, stance=stance, owner=owner) for s, e in items(h.low, a, b) if e - s > 1]
    return out


def _allergen_before(h: Hit, start: int, end: int) -> tuple[int, int]:
    """The noun at the end of the span: the words behind the last one that only leads up to it."""
    words = list(re.finditer(r"[a-z'’-]+", h.low[start:end]))
    first = len(words)
    while first and len(words) - first < 6:
        word = words[first - 1][0]
        if h.has("before_allergen", word) or word.endswith(("'s", "’s", "s'")) or (word.endswith("ed") and len(word) > 4):
            break
        first -= 1
    while first < len(words) and words[first][0] in {"and", "or"}:
        first += 1
    return (start + words[first].start(), start + words[-1].end()) if first < len(words) else (start, start)


_BODY: Final = regex(
    r"\b(?:tummy|stomach|belly|guts?|tum|digestion|skin|throat|mouth|tongue|bloat\w*|queasy|gassy|cramps|diarrh?o?ea|runs|heartburn|reflux|indigestion|migraines?|hives|rash|eczema|agrees? with)\b"
)


def upsets(h: Hit) -> list[Value]:
    """What somebody cannot stomach: dairy makes her tummy hurt; whose body it is says whose fact."""
    if h.frame.kind in {"first", "question"} or _BODY.search(h.m["v"]) is None:
        return []
    whose = h.m["o"].split()[0]
    known = relation_at(h.text, h.low, h.m.start("o"), h.lex) if whose == "my" else None
    pronoun = {"his": "he", "him": "he", "her": "she"}.get(whose, "")
    owner = known[0] if known is not None else (h.frame.owner if h.frame.kind == "person" else pronoun) if pronoun else USER
    return [Value(*h.m.span("v"), owner=owner)]


def allergen(h: Hit) -> list[Value]:
    a = h.group()[0]
    low = h.low
    lead = low[h.m.start() : a]
    x, y, _ = cut(low, a, h.now)
    if m := _ALLERGEN_STOP.search(low, x, y):
        y = m.start()
    x, y = trim(low, x, y)
    word = low[x:y]
    if not word or (_NO_ALLERGEN.match(word) and word != "food"):
        return []
    if _OF_OTHERS.search(lead) and h.frame.kind != "first":
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


_PASSING: Final = regex(
    r"\b(?:headache|cold|flu|fever|cough|hangover|sore throat|stomach ?ache|toothache|the sniffles|hiccups|a temperature|runny nose|cramps)\b"
)


_AND: Final = regex(r",? (?:and|plus|as well as) (?:also |a |an |mild |severe |bad |chronic )*|, ")


def _others(h: Hit, at: int) -> list[Value]:
    """Further conditions behind the first: asthma and hay fever, diabetes, gout and eczema."""
    out: list[Value] = []
    while (joint := _AND.match(h.low, at)) is not None:
        words = re.findall(r"[a-z'-]+", h.low[joint.end() : joint.end() + 60])[:4]
        found = next((" ".join(words[:n]) for n in (4, 3, 2, 1) if " ".join(words[:n]) in h.lex.sets["conditions"]), "")
        if not found or not h.low.startswith(found, joint.end()):
            break
        at = joint.end() + len(found)
        out.append(Value(joint.end(), at))
    return out


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
        end = start + len(best) + (tail.end() if tail else 0)
        return [Value(start, end, times=times), *_others(h, end)]
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
