"""Tests on schools, degrees and skills."""

import re
from typing import Final

from memory.judge.en.checks.places import known
from memory.judge.en.checks.work import org_span
from memory.judge.en.found import Hit, Value
from memory.judge.en.values import cut, reaction, trim
from memory.pattern import regex


def school(h: Hit) -> list[Value]:
    a = h.group()[0]
    low = h.low
    span = org_span(h, a)
    if span is None:
        return []
    word = low[slice(*span)]
    lead = low[h.m.start() : a]
    if re.match(r"(?:go|goes|going|went|been)\b", lead) and not re.search(
        r"\b(?:university|college|school|academy|institute|uni|kindergarten|polytechnic|harvard|yale|mit|oxford|cambridge|stanford|princeton|ucla|nyu)\b",
        word,
    ):
        return []
    if re.match(
        r"(?:study|studi|majored|graduated|a student|student|enrol|transfer|accepted|admitted|got|been accepted|got accepted|doing|attend)", lead
    ):
        subject = re.match(r"(?:stud\w+|majored in|graduated in|doing) ([a-z][a-z ]{2,30}?) (?:at|in|from) ", lead)
        real = (
            re.search(r"\b(?:university|college|school|academy|institute|uni|polytechnic|seminary|conservatory)\b", word)
            or (h.capital(span[0]) and not h.shout and not known(h, *span))
            or word in {"harvard", "yale", "mit", "oxford", "cambridge", "stanford", "princeton", "ucla", "nyu"}
        )
        out = []
        if real:
            out.append(Value(*span))
        if (
            subject
            and (real or known(h, *span))
            and subject[1] not in {"hard", "abroad", "here", "there", "up", "it", "this", "part time", "full time"}
        ):
            start = h.m.start() + subject.start(1)
            out.append(Value(start, start + len(subject[1]), confidence=0.8))
        if not real and lead.startswith("attend") and re.search(r"\b(?:church|class|classes|meeting|meetings|concert|conference|mass)\b", word):
            return []
        return out
    if re.search(r"\b(?:university|college|school|academy|institute|uni)\b", word) or word in {
        "harvard",
        "yale",
        "mit",
        "oxford",
        "cambridge",
        "stanford",
    }:
        return [Value(*span)]
    return []


def school_name(h: Hit) -> list[Value]:
    a, b = h.group()
    if h.frame.kind == "fragment" and not h.low.startswith(("studying", "in my", "in ")):
        return []
    lead = h.low[h.frame.at : a]
    if "verb" in h.frame.flags and not re.search(r"going to|starting|entering|doing", lead):
        return []
    if ("have" in h.frame.flags and "verb" not in h.frame.flags) or re.search(r"\bnight school\b.*show", h.low):
        return []
    x, y = trim(h.low, a, b)
    if h.frame.kind == "person" or "be" in h.frame.flags or lead:
        if re.search(r"\bnot\b|\bthe university of life", lead):
            return []
        if re.match(r"(?:the |a )?(?:teacher|student|principal)", h.low[y + 1 :]):
            return []
        return [Value(x, y)]
    return []


_SUBJECTS: Final = regex(
    r"\b(?:self[- ]defen[cs]e|martial arts|krav maga|coding|programming|python|java|javascript|rust|golang|sql|html|css|c\+\+|machine learning|data science|web design|web development|guitar|piano|violin|drums|bass|ukulele|cello|saxophone|flute|painting|drawing|calligraphy|pottery|ceramics|photography|cooking|baking|"
    r"sewing|knitting|crochet|woodwork\w*|carpentry|gardening|singing|dancing|dance|salsa|tango|ballet|yoga|pilates|karate|judo|taekwondo|kickboxing|boxing|fencing|archery|swimming|surfing|skiing|snowboarding|tennis|golf|chess|law|medicine|nursing|engineering|economics|"
    r"business|accounting|finance|psychology|philosophy|history|physics|chemistry|biology|maths?|mathematics|statistics|architecture|literature|design|graphic design|computer science|marketing|journalism|education|film|theology|art history|astronomy|investing|trading|"
    r"editing|animation|illustration|writing|creative writing|video editing|public speaking|sign language|first aid|driving|horse riding|climbing|sailing|scuba diving|meditation|mandarin|braille|origami|juggling|magic|poker|bridge|course|class|classes|lessons|degree|phd|masters|mba|certificate|diploma|bootcamp|apprenticeship)\b"
)


def skill(h: Hit) -> list[Value]:
    """What is being learnt: a language, an instrument, a named pursuit. "A new skill" and "more about it" are none."""
    a = h.group()[0]
    low = h.low
    k = h.m.start("k")
    x, y, times = cut(low, k, h.now)
    if x >= y:
        return []
    topic = low[x:y]
    verb = low[a:x]
    if re.match(
        r"(?:more|it|this|that|about|from|something|a new skill|new skills|new things|a lot|how (?:it|you|they)|what|which|the (?:first|second|next|new|basics of (?:it|this))|to (?:be|live|love|accept|trust|deal|say|let|manage|control)|your|their|his|things|stuff|hard|for (?:a|an|my|the|\w+ exam)|all|together|here|abroad|in|at|on|up|online|tonight|today)\b",
        topic,
    ):
        return []
    first_words = topic.split()
    languages, instruments, sports, fields = (h.lex.sets[s] for s in ("languages", "instruments", "sports", "fields"))
    hit = any(
        " ".join(first_words[i:j]) in s
        for s in (languages, instruments, sports, fields)
        for i in range(min(3, len(first_words)))
        for j in range(i + 1, min(i + 3, len(first_words)) + 1)
    ) or bool(_SUBJECTS.search(topic))
    if re.match(
        r"(?:started|begun|began|have started|start|took up|taken up|taking|doing|signed|enrolled|registered|joined|picking)", verb
    ) and not re.search(r"learning|studying", verb):
        if not hit and not re.search(
            r"\b(?:course|class|classes|lessons|degree|training|workshop|program|programme|bootcamp|club|choir|band)\b", topic
        ):
            return []
        if (
            verb.startswith(("started", "start", "begun", "began", "have started", "doing"))
            and not re.search(r"\b(?:course|class|classes|lessons|degree|\w+ing)\b", topic)
            and not any(w in languages | instruments for w in first_words)
        ):
            return []
    elif (not hit) and (
        not re.search(
            r"\bto (?:play|speak|read|write|cook|code|drive|swim|sign|ski|surf|sew|knit|dance|draw|paint|sing|fly|sail|ride|dive|skate|juggle|type|bake|program)\b",
            low[a:y] + " ",
        )
        and not (h.capital(x) and not h.shout)
    ):
        return []
    if re.match(r"(?:study|studies|studying)\b", verb) and re.search(r"\b(?:exam|test|tonight|tomorrow|final|finals|midterm)\b", low):
        return []
    if h.frame.kind == "fragment" and not re.match(
        r"(?:learning|studying|practising|practicing|teaching myself|started|took up|signed up|enrolled)", low[h.frame.at :]
    ):
        return []
    if "past" in h.frame.flags and re.match(r"stud|learn", verb):
        return []
    return [Value(a, y, times=times)]


def language(h: Hit) -> list[Value]:
    a = h.group()[0]
    words = re.findall(r"[a-z]+", h.low[h.m.start("l") :])[:6]
    if not words or not any(w in h.lex.sets["languages"] for w in words[:3]):
        return []
    if (re.match(r"(?:understand|know|read|write) ", h.low[a:]) and words[0] not in h.lex.sets["languages"]) or re.search(
        r"\b(?:books?|novels?|literature|food|movies?|poetry|teacher|people|guy|girl)\b", " ".join(words[:4])
    ):
        return []
    _, y, _ = cut(h.low, a, h.now)
    return [Value(a, y)]


def good_at(h: Hit) -> list[Value]:
    a = h.group()[0]
    _, y, _ = cut(h.low, a, h.now)
    rest = re.sub(r"^.*? (?:in|at|with|of) ", "", h.low[a:y])
    if (
        reaction(rest, 0, len(rest))
        or re.match(
            r"(?:your|my|his|her|the (?:moment|end)|all|what|life|a (?:time|loss)|everything|something|hand|care|you|luck|terms|a rate|the thought)\b",
            rest,
        )
        or re.match(r"(?:good|great|bad|terrible|awful|excellent) (?:with|of) (?:that|me|it|you|monday|friday|the)", h.low[a:])
    ):
        return []
    if re.match(r"(?:good|great) (?:with|in) ", h.low[a:]) and not re.search(
        r"kids|children|animals|numbers|people|names|hands|faces|computers|maths?|languages|directions|english|french|spanish|german|chinese|japanese|words",
        rest,
    ):
        return []
    return [Value(a, y)]


def ability(h: Hit) -> list[Value]:
    a = h.group()[0]
    low = h.low
    _, y, _ = cut(low, a, h.now)
    rest = low[a:y]
    if re.search(r"\b(?:you|it|that|this|tonight|tomorrow|today|later|your|us|there|to work|home|hear|see|from here)\b", rest):
        return []
    words = rest.split()
    verb = words[0]
    if verb == "play" and not any(w in h.lex.sets["instruments"] | h.lex.sets["sports"] for w in words[1:5]):
        return []
    if verb == "speak" and not any(w in h.lex.sets["languages"] or w in {"languages"} for w in words[1:6]):
        return []
    if verb in {"do", "run", "read", "ride", "fly", "draw", "lift"} and len(words) < 2:
        return []
    if "would" in h.frame.flags or re.match(r"(?:drive|cook|bake|type|dance|sing|paint) (?:me|him|her|them|something|dinner|lunch|the|a )", rest):
        return []
    if "neg" in h.frame.flags:
        m = re.compile(r"(?:can't|cannot|cant|can not|couldn't)(?: really| even)? ").search(low, h.frame.start, a)
        return [Value(m.start() if m else a, y)]
    return [Value(a, y)]


def instrument(h: Hit) -> list[Value]:
    k = h.m.start("k")
    words = h.low[k:].replace(",", " ").split()[:3]
    for n in (2, 1):
        if " ".join(words[:n]).strip(".!") in h.lex.sets["instruments"]:
            a = h.group()[0]
            _, y, _ = cut(h.low, a, h.now)
            return [] if h.frame.kind == "fragment" and re.search(r"\b(?:music|song|track)\b", h.low) else [Value(a, y)]
    return []
