"""Tests on occupations and employers."""

import re
from difflib import get_close_matches
from typing import Final

from memory.judge.en.checks.places import known
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import find
from memory.judge.en.values import cut, trim
from memory.pattern import regex

_JOB_STOP: Final = regex(
    r",|\s+(?:at|in|for|with|by|from|on|to|and (?:i|my|we|he|she|also|a|an|love|like|have|live|enjoy|work|own|play|do|run|go|hate|teach|want|part|use|travel|been|make)|who|that|which|but|so|now|here|by day|living|based|working|near|specializing|specialising|because|since|until|while|as|after|though|part[- ]time|full[- ]time|of (?:two|three|one|\d+))\b"
)


_NOT_ORG: Final = regex(
    r"(?:home|night|nights|the (?:moment|minute|gym|time|weekend|weekends|end|same|best|beginning|top|bottom|door|airport|station|beach|pub|park|shop|mall|supermarket|cinema|movies|doctor'?s?|dentist'?s?|hairdresser'?s?|table|back|front|house|party|wedding|hotel|"
    r"bar(?! )|bus|train|window|desk|edge|heart|core|middle)|my (?:best|limit|parents|mom|mum|dad|friend|friends|wits|desk|computer|house|place|brother|sister|girlfriend|boyfriend|wife|husband|family|kids|son|daughter|dog|cat|hair|hands|"
    r"partner|grandparents|own|team(?: on)?|colleagues?|self|age|back)|a (?:loss|crossroads|time|party|wedding|conference|meeting|friend|cafe|coffee|bit|while|few|good|better|living|long|very|really|point|stage|distance|discount|lot|"
    r"reasonable|low|high|job|month|week|year|day|change|chance|mess|deal|problem|budget|reason)|least|last|once|all|first|peace|ease|risk|war|sea|hand|work|school|lunch|dinner|breakfast|(?:me|us|you|him|her|them|it|that|this)(?=\s*(?:$|[,.!?]))|"
    r"what|which|where|who|whom|gate|platform|terminal|room|table|seat|level|step|stage|page|chapter|line|exit|\d|one|two|three|four|five|six|seven|eight|nine|ten|half|noon|midnight|some|any|no|so|as|if|free|fun|money|people|now|years|"
    r"ages|months|weeks|hours|days|more|over|about|around|almost|nearly|christmas|easter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|"
    r"exam|exams|something|someone|somebody|anything|anyone|everything|nothing|your|their|these|those|other|another|both|each|every|our (?:house|place)|my (?:mind|problem)|being|getting|doing|having|making|cooking|math|maths|sports|"
    r"language|languages|music|dealing|and|or|cash|computers|code|data|children(?! ')|kids|animals|clients|customers|patients|wood|clay|metal|horses|dogs|cats|plants|numbers|hands|passion|my hands|care|love|ease|good|the (?:public|elderly|kids|children|disabled|homeless|poor))(?![\w'])"
)


_ORG_CUT: Final = regex(
    r"\s+(?:as (?:an?|the|their)|in (?!the world)|on |from home|since|for (?:about|over|\w+ (?:years?|months?|weeks?))|now|currently|where|and|but|because|while|which|who|that|doing|making|selling|near|until|right|part[- ]time|full[- ]time|with|at the moment|these|"
    r"last|next|this|to|after|before|so|anymore|when|yesterday|today|tomorrow|instead|remotely|again|back|by)\b.*\Z"
)


def occupation_end(h: Hit, a: int) -> tuple[int, int]:
    """Where the occupation that begins at `a` ends; "graphic designer and part-time DJ" is cut at "and" only before a new clause."""
    low = h.low
    m = _JOB_STOP.search(low, a)
    end = m.start() if m else len(low)
    _x, y, _ = cut(low, a, h.now)
    return trim(low, a, min(end, y))


def is_job(h: Hit, a: int, b: int) -> bool:
    words = h.low[a:b].split()
    if not words or len(words) > 7:
        return False
    if (
        words[0]
        in {"professional", "pro", "semi-pro", "freelance", "licensed", "certified", "qualified", "trainee", "apprentice", "full-time", "part-time"}
        and len(words) > 1
        and re.search(r"(?:er|or|ist|ian|man|woman|star|rep|chef|guide|model)\Z", words[-1])
    ):
        return True
    if (
        len(words[-1]) > 6
        and re.search(r"\b(?:an?|the) \Z", h.low[:a])
        and words[-1] not in h.lex.sets["not_occupations"]
        and re.search(r"(?:ist|er|or|ian|ect|ant)\Z", words[-1])
    ) and get_close_matches(words[-1], h.lex.words["occupations"], 1, 0.86):
        return True
    if len(words) > 1 and words[-1] == "major":
        return True
    if (
        any(
            w in {"good", "bad", "better", "real", "great", "terrible", "big", "huge", "fellow", "nervous", "slow", "fast", "such", "bit"}
            for w in words[:1]
        )
        and words[-1] not in h.lex.sets["occupations"]
    ):
        return False
    if (
        words[-1] == "player"
        and len(words) > 1
        and words[-2]
        in {"football", "basketball", "baseball", "tennis", "soccer", "rugby", "hockey", "volleyball", "golf", "cricket", "poker", "chess", "guitar"}
    ):
        return True
    for n in (3, 2, 1):
        if len(words) >= n and " ".join(words[-n:]) in h.lex.sets["not_occupations"]:
            return False
    for n in (4, 3, 2, 1):
        if len(words) >= n and " ".join(words[-n:]) in h.lex.sets["occupations"]:
            return True
    last = words[-1]
    if last.endswith("s") and last[:-1] in h.lex.sets["occupations"]:
        return h.frame.flags.isdisjoint({"first"}) and ("we" in h.frame.flags or h.frame.kind == "person")
    if (
        re.search(
            r"(?:ologist|ographer|ician|(?:fire|police|post|mail|milk|sales|business|fisher|crafts|handy|camera|stunt|door|fore|weather|anchor|chair|trades|frog|cattle)(?:man|woman))\Z",
            last,
        )
        and len(last) > 5
    ):
        return last not in {"human", "german", "roman", "woman", "ottoman", "norman", "gentleman"}
    if len(last) > 5 and re.search(r"(?:nurs|teech|techer|engin[ea]+r|enginer|develop|docter|acountant|manger|assistent|progamer)\w*\Z", last):
        return True
    return (len(last) > 4 and last == "nurs") or last in {"nurs", "techer", "docter", "enginer", "acountant"}


def job(h: Hit) -> list[Value]:
    """An occupation after "I'm (a)"."""
    a = h.group()[0]
    low = h.low
    for n in (5, 4, 3, 2, 1):
        phrase = " ".join(low[h.frame.at :].split()[:n]).strip(".,!?;:")
        if phrase in h.lex.sets["occupation_adjectives"] and h.rule.name == "a JOB":
            x, y = h.frame.at, h.frame.at + len(phrase)
            if low[x:y] == phrase:
                return [] if phrase == "in it" and not h.text[x:y].endswith("IT") else [Value(x, y)]
    x, y = occupation_end(h, a)
    if x >= y:
        return []
    article = re.search(r"\b(?:an?|the|one of the)\s*\Z", low[:x]) is not None
    if not is_job(h, x, y):
        return []
    words = low[x:y].split()
    if (
        not article
        and h.rule.name == "a JOB"
        and (len(words) > 4 or {"we", "you", "i", "to", "that", "of", "my", "your", "they", "glad", "not", "the", "it", "so", "as"} & set(words[:-1]))
    ):
        return []
    if not article and h.rule.name == "a JOB" and len(words) > 1 and (h.has("task_verbs", words[0]) or words[0] in {"please", "put"}):
        return []
    if (
        not article
        and h.rule.name == "a JOB"
        and len(words) > 1
        and words[0] in {"looking", "going", "talking", "seeing", "working", "meeting", "your", "not", "waiting", "dating"}
    ):
        return []
    if (
        h.rule.name == "a JOB"
        and h.frame.kind == "fragment"
        and (article or words[0] in {"hey", "dear", "yes", "no", "hello", "thanks"} or len(words) == 1)
    ):
        return []
    if (
        words[-1]
        in {"student", "pupil", "owner", "manager", "guide", "model", "agent", "senior", "host", "volunteer", "captain", "minister", "director"}
        and not article
        and len(words) == 1
        and h.frame.kind == "fragment"
    ):
        return []
    if words[-1] == "owner" and not re.search(r"business|shop|store|home|restaurant|company|cafe|bar|salon|farm|boat", low[x:y]):
        return []
    if re.search(r"\bof (?:these|this|that|your)\b", low[x:]) and words[-1] not in {"teacher", "professor", "lecturer", "director", "head"}:
        return []
    out = [Value(x, y, times=find(low, h.now, past=True))]
    if (
        (m := re.compile(r",? (?:in|from|based in|near) (?:the )?").match(low, y))
        and h.frame.kind == "first"
        and known(h, m.end(), min(len(low), m.end() + 30))
    ):
        z = cut(low, m.end(), h.now)[1]
        place = re.compile(r"[\w.' -]+").match(low, m.end())
        end = min(z, place.end()) if place else z
        for n in (4, 3, 2, 1):
            phrase = " ".join(low[m.end() : end].split()[:n])
            if phrase in h.lex.sets["places"]:
                out.append(Value(m.end(), m.end() + len(phrase), attribute="hometown" if "from" in m[0] else "location", confidence=0.8))
                break
    return out


def job_any(h: Hit) -> list[Value]:
    x, y = occupation_end(h, h.group()[0])
    words = h.low[x:y].split()
    if not words or len(words) > 7 or h.has("not_job_starts", words[0]):
        return []
    return [Value(x, y, times=find(h.low, h.now, past=True))]


def job_loose(h: Hit) -> list[Value]:
    a = h.group()[0]
    if re.match(
        r"(?:not|so|very|really|too|boring|stressful|fun|great|hard|tiring|killing|going|driving|getting|good|bad|ok|okay|fine|the (?:best|worst)|at|done|interesting|demanding|pretty|quite|exhausting|rewarding|making|also|always|just|never|all|my|that|important|it|what|kind of|really)\b",
        h.low[a:],
    ):
        return []
    x, y = occupation_end(h, a)
    return [Value(x, y)] if 1 <= len(h.low[x:y].split()) <= 8 else []


def job_at(h: Hit) -> list[Value]:
    a, _b = h.group()
    m = re.match(r"(as (?:an? |the )?|at |with |for |in )?", h.low[a:])
    lead = m[0] if m else ""
    if lead.startswith("as"):
        x, y = occupation_end(h, a + len(lead))
        return [Value(x, y)] if x < y else []
    if lead in {"at ", "with ", "for "}:
        span = org_span(h, a + len(lead))
        return [Value(*span, attribute="employer")] if span and not re.match(r"(?:interview|offer)", h.low[h.m.end() :]) else []
    x, y, _ = cut(h.low, a, h.now)
    if lead == "in ":
        return [Value(a + 3, y, attribute="location" if known(h, a + 3, y) else None)]
    return [Value(x, y)] if x < y else []


def work_field(h: Hit) -> list[Value]:
    """A field after "work in": known fields, or any short noun that is no place and no thing just now worked on."""
    a = h.group()[0]
    lead = h.low[h.m.start() : a].rstrip()
    x, y, _ = cut(h.low, a, h.now)
    m = re.compile(r"\s+(?:at|for|as|near|where|with|and (?:i|love|have|my)|in|to)\b").search(h.low, x, y)
    if m:
        y = m.start()
    x, y = trim(h.low, x, y)
    word = h.low[x:y]
    raw = h.low[a:y].strip()
    fields = h.lex.sets["fields"]
    if word in fields or raw in fields or (word.split()[-1:] and (word.split()[-1] in fields or h.has("workplaces", word.split()[-1]))):
        if word == "it" and not h.text[x:y].isupper():
            return []
        return [Value(x, y)]
    if (
        lead.endswith("in")
        and re.match(r"(?:an?|the|my) ", raw)
        and not re.match(
            r"(?:an?|the|my) (?:morning|evening|background|same|way|moment|dark|future|past|next|last|garden|kitchen|bit|hurry|rush|team|group|shade|first|second|yard|few|pairs?|middle|city|us|uk|north|south|east|west|end|country|summer|winter|house|favou?r|sun|rain|spare|free|project|state)\b",
            raw,
        )
        and y - x < 40
    ):
        return [Value(x, y, confidence=0.75)]
    if lead.endswith("in") and "\u3400" <= h.low[x : x + 1] <= "\u9fff":
        m = re.compile(r"[\u3400-\u9fff]+").match(h.low, x)
        return [Value(x, m.end() if m else y, attribute="location", confidence=0.8)]
    if lead.endswith("in") and (known(h, x, y) or h.capital(x)):
        return [Value(x, y, attribute="location", confidence=0.8)] if known(h, x, y) and h.frame.kind == "first" else []
    if lead.endswith("with") and h.has("worked_with", word):
        return [Value(x, y)]
    if lead.endswith("on") and h.has("worked_on", word):
        return [Value(x, y)]
    if lead.endswith("on") and h.frame.kind == "person":
        return []
    return []


def teach(h: Hit) -> list[Value]:
    a = h.group()[0]
    _, y, _ = cut(h.low, a, h.now)
    words = h.low[a:y].split()[1:]
    if not words or words[0] in {"the", "this", "that", "it"}:
        return []
    if h.lex.sets["taught"] & set(words) or re.search(
        r"\b(?:students|pupils|class|classes|lessons|grade|year \d|graders?|school|at|children|kids)\b", h.low[a:]
    ):
        out = [Value(a, y)]
        if m := re.search(r"\b(?:teach|teaches) ((?:\d+|[a-z]+ dozen|[a-z]+) (?:students|pupils|kids|children|classes))", h.low[a:]):
            out = [Value(a, y), Value(a + m.start(1), a + m.end(1), attribute="other")]
        return out
    return []


def service(h: Hit) -> list[Value]:
    """What somebody does for the user, so that "who does my taxes?" has an answer."""
    a = h.group()[0]
    _, y, _ = cut(h.low, a, h.now)
    if y - a > 60 or re.match(
        r"(?:does|do|makes?) (?:me|us|my|the|our)\s*(?:happy|sad|mad|angry|laugh|cry|smile|feel|crazy|a favou?r|best|own thing|head|day|life|heart|\Z)",
        h.low[a:],
    ):
        return []
    words = h.low[a:y].split()
    return [Value(a, y)] if len(words) >= 2 and h.frame.owner not in {"they"} else []


def service_person(h: Hit) -> list[Value]:
    a, b = h.group()
    if not h.m.groupdict().get("v") and not h.m.groupdict().get("w"):
        return []
    owner = h.frame.owner if h.frame.kind == "person" else None
    if owner is None:
        m = re.search(r"with (her|him|them)", h.low)
        owner = {"her": "she", "him": "he", "them": "they"}[m[1]] if m else "they"
    a, b = trim(h.low, a, b)
    return [Value(a, b, owner=owner)] if a < b else []


def org_span(h: Hit, a: int) -> tuple[int, int] | None:
    """The organisation that begins at `a`."""
    low = h.low
    x, y, _ = cut(low, a, h.now)
    if m := _ORG_CUT.search(low, x, y):
        y = m.start()
    if m := re.compile(r",").search(low, x, y):
        y = m.start()
    x2, y = trim(low, x, y)
    if x2 >= y or y - x2 > 60 or _NOT_ORG.match(low, x) or _NOT_ORG.match(low, a) or _NOT_ORG.match(low, x2):
        return None
    start = a if re.match(r"(?:an?|the) ", low[a:]) and not h.capital(x2) else x2
    return start if not h.capital(x2) else x2, y


def org(h: Hit) -> list[Value]:
    span = org_span(h, h.group()[0])
    if span is None:
        return []
    if h.frame.kind == "fragment" and not re.match(r"(?:working|employed|interning|work (?:at|for)|freelancing|volunteering)\b", h.low[h.frame.at :]):
        return []
    verb = h.low[h.m.start() : h.group()[0]]
    word = h.low[slice(*span)]
    if verb.rstrip().endswith(("with", "by")) and not (h.capital(span[0]) or h.has("employers", word)) and "employ" not in verb:
        return []
    if "myself" in word:
        return [Value(*span, attribute="occupation")]
    if verb.startswith("volunteer"):
        return [Value(h.frame.at, span[1], attribute="habit")]
    if verb.startswith("teach") and not re.search(r"school|college|university|academy|[A-Z]", h.text[slice(*span)]):
        return []
    if re.match(
        r"(?:my |the )?(?:current|present|own|same|new|old|previous|last|next|other) (?:company|job|firm|place|employer|school|office|one)\b", word
    ):
        return []
    if re.match(r"(?:a living|the best|a change|an? (?:exam|interview|test))", word):
        return []
    return [Value(*span, times=find(h.low, h.now, past=True))]


_OF_WORK: Final = regex(
    r"\b(?:jobs?|work|works|worked|working|career|company|companies|employer|firm|role|position|startup|as an? (?:\w+ ){0,2}\w+(?:er|or|ist|ant|ead|ect|ian|yst)|joined|salary|offer)\b(?! (?:laptop|phone|computer|pc|mac|machine|setup)\b)"
)


_SCHOOL: Final = regex(
    r"\b(?:high|primary|secondary|grammar|comprehensive|juniors|infants|prep|academy|college|university|uni|polytechnic|sixth form|nursery|school)$"
)


def org_strict(h: Hit) -> list[Value]:
    """A named organisation: a capital, a known employer, or a noun of organisations."""
    span = org_span(h, h.group()[0])
    if span is None:
        return []
    word = h.low[slice(*span)]
    last = word.split()[-1]
    if known(h, *span) and "start" not in h.low[h.m.start() : span[0]]:
        return []
    named = (h.capital(span[0]) and not h.shout) or h.has("employers", word)
    if re.match(r"moved\b", h.low[h.m.start() : span[0]]) and not h.has("employers", word):
        named = False
    if re.match(r"switched\b", h.low[h.m.start() : span[0]]) and not _OF_WORK.search(h.low):
        named = False  # an editor, a bank or a phone is switched to as well
    if not named and not re.search(
        r"\b(?:company|firm|startup|start-up|agency|bank|hospital|school|university|college|studio|shop|store|restaurant|clinic|lab|charity|council|police|army|navy|military|marines|air force|force|team at|practice|bakery|factory|newspaper|magazine|airline|hotel|museum|library|studio|consultancy|office|garage|salon|farm|institute|department|ministry|government|nhs|ngo|nonprofit)\b",
        word,
    ):
        return []
    if (
        re.search(
            r"\b(?:group|club|gym|class|course|band|choir|app|website|server|call|meeting|channel|forum|waitlist|list|newsletter|discord|facebook group|league|team|party|gang|program|programme|session|challenge|queue)\b",
            word,
        )
        and not named
    ):
        return []
    if re.search(r"\b(?:group|club|gym|class|course|choir|app|website|channel|newsletter|discord|program|programme)\b", word) and not h.has(
        "employers", word
    ):
        return []
    if re.search(r"\bgroup\b|\bgym\b|\bchoir\b|\bclub\b|\bcourse\b|\bband\b", last):
        return []
    if _SCHOOL.search(word) and re.match(r"start", h.low[h.m.start() : span[0]]) and not _OF_WORK.search(h.low):
        return [Value(*span, attribute="school", times=find(h.low, h.now, past="future" not in h.frame.flags))]
    return [Value(*span, times=find(h.low, h.now, past="future" not in h.frame.flags))]


def org_left(h: Hit) -> list[Value]:
    a = h.group()[0]
    if re.match(
        r"(?:my|the|a|an|it|home|me|him|her|them|early|late|behind|for|to|on|at|in|with|work|school|smoking|drinking|over|a (?:message|note|review|comment)|because|early|off|out)\b",
        h.low[a:],
    ) and not re.match(
        r"the (?:army|navy|police|company|firm|bank|bbc|nhs|military|startup|agency|hospital|council|school|university|civil|force)", h.low[a:]
    ):
        return []
    span = org_span(h, a)
    if span is None:
        return []
    word = h.low[slice(*span)]
    if known(h, *span):
        return [Value(*span, attribute="location")]
    if not (
        (h.capital(span[0]) and not h.shout)
        or h.has("employers", word)
        or re.search(r"army|navy|police|company|firm|bank|military|startup|agency|hospital|council|school|university|force", word)
    ):
        return []
    return [Value(*span, times=find(h.low, h.now, past=True))]


def org_of_job(h: Hit) -> list[Value]:
    """ "I'm a nurse at St Mary's": an employer after an occupation."""
    if h.frame.kind == "fragment" and not re.match(r"(?:an? )", h.low[h.frame.at :]):
        return []
    a = h.group()[0]
    m = re.compile(r" (?:at|for|with) \Z").search(h.low, h.frame.at, a)
    if m is None:
        return []
    x, y = trim(h.low, h.frame.at, m.start())
    lead = re.match(r"(?:an?|the) ", h.low[h.frame.at :])
    if not is_job(h, x, y) and not (
        lead and re.search(r"student|manager|head|director|intern|chief|lead|partner|founder|consultant|owner", h.low[x:y])
    ):
        return []
    span = org_span(h, a)
    if span is None or re.match(r"(?:a living|life|hire|the day)", h.low[span[0] :]):
        return []
    word = h.low[slice(*span)]
    school = h.low[x:y].endswith(("student", "undergrad", "freshman", "sophomore", "junior", "postgrad", "phd student"))
    if not ((h.capital(span[0]) and not h.shout) or re.match(r"(?:an?|the|my|our) |local", h.low[a:]) or h.has("employers", word)):
        return []
    return [Value(*span, attribute="school" if school else None)]


_FIRM: Final = regex(
    r"[\w'-]+(?: [\w'-]+){0,3} (?:rail|railways?|ferries|shipping|freight|logistics|haulage|couriers|airways|airlines|aviation|motors|cars|coaches|steel|metals|glass|timber|textiles|paper|plastics|chemicals|"
    r"pharma|biotech|foods|dairies|bakeries|breweries|drinks|brands|insurance|assurance|mutual|capital|finance|financial|credit|investments|securities|holdings|partners|associates|consulting|solicitors|"
    r"architects|engineering|construction|builders|homes|properties|energy|power|gas|electric|water|telecom|mobile|media|press|books|publishing|pictures|films|games|labs?|laboratories|tech|technologies|"
    r"software|systems|solutions|digital|data|analytics|robotics|networks|security|industries|works|group|corp|corporation|inc|ltd|limited|llc|plc|gmbh|council|hospital|university)|[\w'.-]+(?: [\w'.-]+)? (?:&|and) [A-Za-z][\w'.-]+(?: [\w'.-]+)?"
)
"""What only companies are called: Calder Rail, Hobb & Sons."""
_NOW_ONLY: Final = regex(
    r"\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening|week)|until|till|for (?:lunch|dinner|the day)|visiting|waiting|appointment|emergency|again)\b"
)


def org_be(h: Hit) -> list[Value]:
    """ "I'm at Google now", "I'm at a small startup": the article and the capital tell it from a gate or a café."""
    a = h.group()[0]
    span = org_span(h, a)
    if span is None or known(h, *span) or h.frame.kind == "fragment":
        return []
    if "past" in h.frame.flags and not re.search(r"\b(?:19|20)\d\d\b|\bfor (?:\w+ ){1,3}years\b", h.low):
        return []  # "I was at Tesco" is an errand
    word = h.low[slice(*span)]
    org_noun = re.search(
        r"\b(?:company|firm|startup|start-up|agency|bank|hospital|studio|consultancy|lab|charity|council|university|institute|ministry|newspaper|brewery)\b",
        word,
    )
    if org_noun and re.search(r"\b(?:visiting|right now|at the moment|waiting|today|appointment|emergency)\b", h.low):
        return []
    named = (
        h.capital(span[0])
        and not h.shout
        and not re.search(
            r"\b(?:station|airport|hotel|park|stadium|mall|street|cafe|café|bar|museum|gate|terminal|starbucks|mcdonald'?s|costco|ikea|disneyland|church|beach|cinema|pub|st\b|road|hall|square|arena|theatre|theater|school|house)\b",
            word,
        )
    )
    if h.has("employers", word) and word not in {"starbucks", "mcdonald's", "mcdonalds", "ikea", "costco", "walmart", "target", "tesco"}:
        return [Value(*span)]
    settled = re.search(r"\b(?:now|currently|these days|since|as an?|years?|months?|(?:19|20)\d\d)\b", h.low) is not None
    if org_noun or (named and (settled or (_FIRM.fullmatch(word) and not _NOW_ONLY.search(h.low)))):
        return [Value(*span)]
    return []


def as_a(h: Hit) -> list[Value]:
    """ "As a nurse, …", "as a Glasgow resident, …"."""
    a, b = h.group()
    a, b = trim(h.low, a, b)
    phrase = h.low[a:b]
    if m := re.match(r"([a-z .]+?) (?:resident|native|local)\Z", phrase):
        return [Value(a, a + len(m[1]), attribute="hometown" if phrase.endswith("native") else "location")]
    if phrase in h.lex.sets["demonyms"]:
        return [Value(a, b, attribute="hometown")]
    if phrase in h.lex.sets["diets"]:
        return [Value(a, b, attribute="habit")]
    if (phrase.split()[-1:] and phrase.split()[-1] in {"mother", "father", "mum", "mom", "dad", "parent"}) or re.match(
        r"(?:mother|father|mum|mom|dad|parent) of ", phrase
    ):
        return [Value(a, b, attribute="relationship")]
    return [Value(a, b)] if is_job(h, a, b) else []
