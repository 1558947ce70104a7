"""Tests on people, pets, plans and events."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.en.checks import known, name
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import When, find
from memory.judge.en.values import cut, reaction, trim

_CLAUSE_END: Final = re.compile(
    r"\s*(?:[.!?;—(]|, (?:so|but|because|and i|i\b|which|it|can|what|do|any)|\b(?:because|cos|but|although|so (?:i|we|please|any|what|can)|do you|can you|what|any ideas)\b)"
)


def _whole(h: Hit, a: int) -> tuple[int, int]:
    """From `a` to the end of the statement, times kept inside."""
    m = _CLAUSE_END.search(h.low, a + 1)
    return a, trim(h.low, a, m.start() if m else len(h.low))[1]


def has_relation(h: Hit) -> list[Value]:
    """ "I have two kids", "I've got a sister called Ann": ties and how many."""
    a = h.group()[0]
    low = h.low
    verb = low[h.frame.at : a].strip()
    if h.frame.kind == "fragment" and not re.match(r"(?:have|got|only have)\b", low[h.frame.start :]):
        return []
    if (
        h.frame.kind != "fragment"
        and not h.frame.flags & {"have"}
        and not re.match(r"(?:got|have|has|had|raise|raising|adopted|foster|expecting|blessed)", verb)
    ):
        return []
    k = h.m["k"]
    before = low[a : h.m.start("k")]
    if re.search(r"\b(?:to|for|with|about|from|of|my|your|and|at|in|on|the|been|seen|met|called|asked|told)\b", before) and not re.match(
        r"(?:the|a|an|lots of|a couple of|only|some|been|several|many) ?(?:\w+ )?\Z", before
    ):
        return []
    if (
        re.match(
            r"(?:doctor|dentist|teacher|therapist|gp|date|trainer|lawyer|accountant|cleaner|family|mate|baby|friend|friends|coach|tutor|neighbou?rs?|boss|manager|instructor|landlord)\Z",
            k,
        )
        and not re.search(r"\b(?:who|called|named|new|great|strict|best|large|big|small|good|close|few|two|three|of \w+)\b", low[a:])
    ) and (not (k in {"boss", "family", "baby"} and not re.search(r"meeting|emergency|dinner|issue|trip|plan", low))):
        return []
    if re.match(
        r" (?:question|problem|issue|meeting|dinner|trip|emergency|issues|appointment|visiting|coming|over|to (?:pick|visit|see|feed)|stuff|party|wedding|photo)",
        low[h.m.end("k") :],
    ):
        return []
    _, y = _whole(h, a)
    y2 = cut(low, a, h.now)[1]
    m = re.compile(r",? who(?:'s| is| are| was| lives| works| has| loves| likes)?\b.*").search(low, a)
    y = min(max(y2, m.start()), y) if m and "called" not in low[a : m.start()] else y if y - a < 70 else y2
    x, y = trim(low, a, y)
    x = a if low[a:x].strip() in {"a", "an", "no"} and low[a:].startswith("no") else x
    return [Value(x, y, times=[])]


def marital(h: Hit) -> list[Value]:
    a, b = h.group()
    low = h.low
    word = low[a:b]
    if h.frame.kind == "fragment" and not re.match(
        r"(?:recently |happily |newly |now |just )?(?:married|divorced|engaged|widowed|separated|single|in a)\b", low[h.frame.start :]
    ):
        return []
    if (
        re.match(r"(?:single|engaged|separated)\Z", word)
        and re.match(r" (?:room|bed|ticket|line|malt|use|in|with|out|from|player|parent|mom|mum|dad|file)", low[b:])
        and not re.match(r" (?:mom|mum|dad|parent)", low[b:])
    ):
        return []
    if "future" in h.frame.flags or (
        re.search(r"\b(?:getting|get)\s*\Z", low[:a].rstrip() + " ") and re.search(r"\b(?:will|going to|want to|plan|hope|getting)\b", low[:a])
    ):
        return []
    _x, y, times = cut(low, a, h.now, past=True)
    y = max(y, a + len(word.split(" to ")[0])) if y < b else min(y, b)
    return [Value(a, trim(low, a, y)[1], times=times)]


def parent(h: Hit) -> list[Value]:
    """ "I'm a mum of two", "single dad here"; a bare "Mom" calls somebody."""
    a, b = h.group()
    a, b = trim(h.low, a, b)
    if h.frame.kind == "fragment" and not re.match(
        r"(?:an? )?(?:single|proud|new|working|busy|foster|first|solo|stay)|.* (?:of|to) (?:\w+ )?(?:two|three|four|five|six|one|twins|\d|boys|girls|kids|children)",
        h.low[a:b],
    ):
        return []
    pets = any(w in h.lex.sets["pets"] for w in h.low[a:b].split())
    return [Value(a, b, attribute="pet" if pets else None)] if a < b else []


def relation_name(h: Hit) -> list[Value]:
    """ "My daughter's name is Tilda" is a tie of the user's: value Tilda, content with the relation."""
    out = name(h)
    for v in out:
        v.owner = "user"
        v.content = f"{h.frame.owner}: {h.text[v.start : v.end]}"
        if h.frame.owner in {"he", "she", "they", "his", "her", "their"}:
            v.content = ""
    return out


def relation_is_name(h: Hit) -> list[Value]:
    """ "My dentist is Dr Allan", "my boss is now Ana": a capitalised name that is no place, job or nationality."""
    a, _b = h.group()
    titled = re.match(r"(?:dr|mr|mrs|ms|miss|prof|professor)\b", h.low[a:])
    if h.shout or h.frame.owner in {"he", "she", "they"}:
        return []
    m = re.compile(r"(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor)\.? [A-Z][\w'-]+(?: [A-Z][\w'-]+)?|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?").match(h.text, a)
    if m is None:
        return []
    word = m[0].lower()
    if not titled and (
        known(h, a, m.end())
        or any(h.has(s, word) for s in ("demonyms", "languages", "traits", "diets", "occupations"))
        or not re.match(r"\s*(?:$|[,.!])", h.low[m.end() :])
    ):
        return []
    return [Value(a, m.end(), owner="user", content=f"{h.frame.owner}: {m[0]}")]


def is_my_relation(h: Hit) -> list[Value]:
    n = h.m["n"]
    first = n.split()[0]
    if h.has("not_ties", first) or not ((h.capital(h.m.start("n")) and not h.shout) or first in h.lex.sets["given_names"]):
        return []
    a, b = h.m.start(), h.m.end()
    return [Value(h.m.start("n"), b, owner="user", content=h.text[a:b])]


def person_span(h: Hit) -> list[Value]:
    """How somebody of the user's stands to the user; only for people named by their tie."""
    if h.frame.owner in {"he", "she", "they"} or "poss" in h.frame.flags:
        return []
    if re.search(
        r"\b(?:today|just now|right now|tonight|tomorrow|this (?:morning|evening|afternoon)|yesterday|last night|will|said|says|asked|told)\b", h.low
    ):
        return []
    return [Value(h.frame.start, _whole(h, h.frame.at)[1], owner="user")]


def pet(h: Hit) -> list[Value]:
    """An animal that is kept: number, kind and name; "a dog bit me" and "I want a dog" are not."""
    a = h.group()[0]
    low = h.low
    verb = low[h.frame.at : a].strip()
    k = h.m["k"]
    if h.frame.kind == "person" or "asked" in h.frame.flags:
        return []
    if h.frame.kind == "fragment":
        if not re.match(r"(?:just )?(?:have|own|got|adopted|rescued|bought|two|three|four|one|five|proud owner)\b", low[h.frame.start :]):
            return []
    elif not h.frame.flags & {"have"} and not re.match(
        r"(?:only |just |recently |finally )*(?:own|keep|breed|raise|raising|got|get|adopted|rescued|bought|have|has|had|foster|brought|looking)",
        verb,
    ):
        return []
    if verb in {"get", "got", "had", "looking after", "bring"} and re.search(
        r"\b(?:food|hot dog|attacked|allergy|for dinner|fish and chips|sandwich)\b", low
    ):
        return []
    before = low[a : h.m.start("k")]
    if (
        re.search(
            r"\b(?:to|for|with|about|from|like|at|on|than|your|his|her|their|been|seen|see|walk|feed|hate|love|grilled|fried|roast|smoked|raw)\b",
            before,
        )
        or (
            before.strip() in {"the", ""}
            and k in {"fish", "chicken", "duck", "lab", "pig", "bird", "rat", "python", "pool", "sheep", "mouse", "shepherd"}
        )
        or (k == "python" and not re.search(r"\ba\b|snake|pet", low))
    ):
        return []
    if (
        k in {"mouse", "lab", "chicken", "fish", "duck", "python", "bird", "rats"}
        and not re.search(r"\b(?:pet|two|three|four|five|six|some|named|called|keep|own|coop|tank|aquarium|a)\b", low[a:])
    ) or re.match(
        r" (?:sandwich|salad|soup|curry|wings|nuggets|food|tank|report|results?|show|park|walker|shelter|allergy|hair|person|people|lover|video|for (?:lunch|dinner))",
        low[h.m.end("k") :],
    ):
        return []
    if re.search(r"\b(?:want|wish|would|thinking|maybe|should|never had|might)\b", low[h.frame.start : a]):
        return []
    y = _whole(h, a)[1]
    if m := re.compile(
        r",? (?:who|which|that|and (?:i|he|she|they|it|we)|and a [a-z]+ (?:who|that)|both|they|at home|living|in my|since|because|for \w+ years|from the shelter|from a shelter|to keep|as (?:a )?pets?)\b"
    ).search(low, a, y):
        y = m.start()
    x, y = trim(low, a, y)
    if m := re.match(r"(?:also|both|another|only|just|the|got)\s+", low[x:y]):
        x += m.end()
    if y - x > 70:
        y = h.m.end("k")
    times = find(low, h.now, past=True)
    return [Value(x, y, times=times)]


def pet_described(h: Hit) -> list[Value]:
    """ "My cat is named Miso", "our old beagle hates rain": about an animal of the user's."""
    a, b = h.group()
    low = h.low
    if (low[h.m.start() : a].startswith("the ") and not re.search(r"\b(?:called|named|name is)\b", low[a:])) or h.frame.kind == "question":
        return []
    lead = low[h.frame.start : h.m.start()]
    m = re.compile(r"([\w -]*?\b(?:" + "|".join(sorted(h.lex.words["pets"], key=len, reverse=True)) + r")(?:'s)?)\b").match(low, a)
    end = m.end() if m else b
    tail = low[end:].strip()
    today = re.search(
        r"\b(?:today|tonight|tomorrow|right now|just now|this morning|yesterday|last night|vet appointment|at the vet|for a walk|asleep|keeps? barking|is barking|is sleeping|just|has broken|have broken|broke|ate my|won't stop|knocked|jumped)\b",
        low,
    )
    if re.match(r"(?:and i|to the|for a|food|out|in for|on the|walker|sitter|park)\b", tail) or (
        lead.strip() and not re.search(r"\b(?:called|named)\b", low)
    ):
        if re.search(r"\b(?:to|for|with|about|from|at|on|love|walk|feed|take|took|walking|of|by|and)\s*\Z", lead + " "):
            named = re.match(r" (?:called |named )?([A-Z][a-z]+)", h.text[end:])
            return [Value(a, end + named.end())] if named and "'s" not in low[a:end] else []
        return []
    if today:
        named = re.match(r" ?,? ?(?:called |named )?([A-Z][a-z]+)\b(?!')", h.text[end:])
        return [Value(a, end + named.end())] if named and not h.shout else []
    if not tail:
        return []
    if (
        re.match(
            r"(?:is|'s|are|was|were|has|have|had|loves?|hates?|likes?|turned|turns|weighs?|called|named|name|,|needs|takes|got|always|only|never|can|can't|won't|sleeps|eats|lives?|[a-z]+,|sheds|barks|gets)\b",
            tail,
        )
        or (re.match(r" ?[A-Z][a-z]+", h.text[end:]) and not h.shout)
        or (low[end - 2 : end] == "'s" and re.match(r"\s*(?:name|birthday|vet|breed|age)", low[end:]))
    ):
        y = _whole(h, a)[1]
        if y - a > 90:
            y = cut(low, a, h.now)[1]
        return [Value(a, y)]
    return []


# plans


_TRAVEL: Final = re.compile(
    r"(?:go(?:ing)?|fly(?:ing)?|travel(?:l?ing)?|visit(?:ing)?|head(?:ing)?|driv(?:e|ing)|mov(?:e|ing)|relocat(?:e|ing)|emigrat(?:e|ing)|backpack(?:ing)?|tour(?:ing)?|see(?:ing)?|road ?trip(?:ping)?|honeymoon(?:ing)?|climb(?:ing)?|trek(?:king)?|sail(?:ing)?|cycl(?:e|ing)|hik(?:e|ing)|explor(?:e|ing)|"
    r"(?:take|taking|plan|planning|book|booking|go on|going on|make|making|have|having) (?:an?|my|our|the) (?:\w+ )?(?:trip|holiday|vacation|cruise|tour|road trip|honeymoon|weekend away|city break)|an? (?:\w+ )?(?:trip|holiday|vacation|cruise|tour|road trip|honeymoon|city break)|trip|study(?:ing)?|stay(?:ing)?|live|living|retir(?:e|ing)|spend(?:ing)?|work(?:ing)?|teach(?:ing)?|volunteer(?:ing)?|leav(?:e|ing)|return(?:ing)?)\b"
)
_BIG: Final = re.compile(
    r"(?:get(?:ting)? (?:married|engaged|divorced|a (?:dog|cat|puppy|kitten|tattoo|new job|degree|phd|masters?|master's|promotion|divorce|house|visa)|my (?:degree|licen[cs]e|phd|masters?|driving|driver's|braces|tonsils|wisdom)|into (?:college|university|med|law|grad|shape|politics|coding))|marry(?:ing)? \w+|hav(?:e|ing) (?:a (?:baby|boy|girl|kid|child)|kids|children|twins|surgery|an operation|our (?:first|second|third)|another baby)|retir(?:e|ing)|graduat(?:e|ing)|"
    r"mov(?:e|ing) (?:in with|out|house|home|away|abroad|overseas|back|to|into)|buy(?:ing)? (?:an?|my|our|the) (?:first |new |bigger |small |second )?(?:house|flat|home|apartment|car|boat|farm|condo|place|bike|motorcycle|van|land|dog|horse|piano|guitar|ring|electric car)|"
    r"(?:start|open|launch|found|set up|run|build|own)(?:ing)? (?:up )?(?:my own|our own|an?|the|my|our|his|her) (?:[\w-]+ ){0,3}(?:business|company|shop|restaurant|cafe|startup|studio|podcast|blog|channel|bakery|bar|farm|school|charity|brand|store|agency|practice|family|band|garden|career|phd|degree|course|job|masters?|master's|apprenticeship|internship|treatment|physiotherapy|therapy|chemo|diet)|start(?:ing)? (?:physiotherapy|therapy|chemo|treatment|college|university|uni|school|work at|work as|at|as|training|maternity leave|driving lessons|lessons|an? \w+ (?:course|class|job)|a new)|"
    r"(?:find|get|look for)(?:ing)? (?:an?|another) (?:new |better |different )?(?:job|career|place to live)|chang(?:e|ing) (?:my )?(?:jobs?|careers?|my (?:name|job|career|major))|switch(?:ing)? (?:jobs?|careers?|to)|quit(?:ting)? (?:my job|smoking|drinking|work|school|coffee|sugar|social media|caffeine)|giv(?:e|ing) up (?:smoking|drinking|meat|coffee|alcohol|sugar|caffeine)|"
    r"learn(?:ing)? (?:to (?:drive|swim|play|speak|cook|code|ski|surf|sew|knit|dance|paint|fly|sail|dive|sing|draw|ride)|how to (?:drive|swim|play|speak|cook|code|ski|surf|sew|dance|paint|fly|sail)|(?:some |more |a bit of |basic )?(?:english|french|spanish|german|italian|portuguese|dutch|russian|polish|greek|turkish|arabic|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|swedish|norwegian|danish|finnish|welsh|irish|latin|sign language|guitar|piano|violin|drums|coding|programming|python|karate|chess|photography|calligraphy|painting|pottery|surfing|skiing|salsa|tango|carpentry|woodworking))|run(?:ning)? (?:an?|the|my|another) (?:\w+ ){0,3}(?:marathon|half-marathon|10k|5k|race|ultra|triathlon|business|company|shop)|"
    r"writ(?:e|ing) (?:an?|my|the) (?:\w+ )?(?:book|novel|memoir|thesis|dissertation|screenplay|album|cookbook)|publish(?:ing)? |becom(?:e|ing) (?:an?|the|more)? ?|be (?:an?|the) (?:\w+ ){0,3}\w+|apply(?:ing)? (?:for|to)|study(?:ing)? (?:for|abroad|at|in|\w+)|adopt(?:ing)? (?:an?|another|two)|propos(?:e|ing) to|sit(?:ting)? (?:the|my|an?)|tak(?:e|ing) (?:the|my|an?) (?:\w+ ){0,2}(?:exam|test|bar|gre|gmat|sat|ielts|toefl|dele|jlpt|mcat|lsat|course|class|sabbatical|gap year|year off|driving test|finals|lessons)|"
    r"tak(?:e|ing) (?:\w+ )?(?:lessons|classes)|pass(?:ing)? (?:the|my)|train(?:ing)? for|climb(?:ing)? (?:mount|mt|kilimanjaro|everest)|compet(?:e|ing) in|perform(?:ing)? (?:at|in)|speak(?:ing)? at|present(?:ing)? at|defend(?:ing)? (?:my|the)|sell(?:ing)? (?:my|our|the) (?:house|car|flat|business|company|bike|home)|renovat(?:e|ing) |remodel(?:l?ing)? |redo(?:ing)? (?:my|our|the)|turn(?:ing)? (?:vegan|vegetarian|\d+)|go(?:ing)? (?:vegan|vegetarian|back to (?:school|university|college|uni|work)|to (?:college|university|uni|med school|law school|grad school|business school|culinary school)|into (?:politics|business|teaching|nursing)|freelance|part[- ]time|abroad|travelling|traveling|on (?:tour|maternity|sabbatical|a diet))|"
    r"los(?:e|ing) (?:weight|\d+|some weight|ten|twenty)|sav(?:e|ing) (?:up|for|enough|money)|join(?:ing)? (?:the|a|an)|enrol(?:l|ling)? (?:in|at|on)|do(?:ing)? (?:an?|my) (?:phd|masters?|master's|degree|course|mba|internship|apprenticeship|residency|marathon|triathlon)|car(?:e|ing) for|look(?:ing)? for (?:an?|my|our) (?:new |better |different )?(?:job|house|flat|apartment|place|roommate|girlfriend|boyfriend|husband|wife|partner|therapist|school|work)|find(?:ing)? (?:an?|my) (?:new |better )?(?:job|flat|house|apartment|girlfriend|boyfriend|husband|wife|partner)|"
    r"hik(?:e|ing) (?:the|in)|sign(?:ing)? up for|volunteer(?:ing)? (?:at|in|for|with)|host(?:ing)? |sponsor(?:ing)? |foster(?:ing)? |fast(?:ing)? |having (?:my|a) (?:\w+ )?(?:party|wedding|surgery|operation|baby)|expecting (?:a|our|my|twins|another)|due (?:in|on)|pay(?:ing)? off (?:my|our|the)|work(?:ing)? (?:abroad|overseas|as an?|at|for)|teach(?:ing)? (?:abroad|english)|play(?:ing)? (?:professionally|in the|basketball|football|college)|major(?:ing)? in)"
)
_VAGUE_GOAL: Final = re.compile(r"\b(?:this|that|it|them|these|those|something|anything|your|you)\b")
_SMALL_TALK_TIME: Final = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|arvo|weekend)|later(?: today)?|now|in a (?:bit|minute|moment|sec|second|while)|right away|soon|first|next|again|in an hour|for (?:dinner|lunch|breakfast)|after (?:work|this|that|dinner|lunch))\b"
)


def _when(times: Sequence[When]) -> When | None:
    """The finest coming date."""
    dated = [w for w in times if w.kind == "date" and w.sign >= 0]
    return max(dated, key=lambda w: (len(w.iso or ""), -w.start)) if dated else None


def _plan(h: Hit, a: int, *, wish: bool) -> list[Value]:
    """Whether what begins at `a` is a plan worth keeping: dated beyond this week-end's fun, to a named place, or a milestone of a life."""
    low = h.low
    x, y, times = cut(low, a, h.now)
    x = a if low[a:x].strip() in {"to", "a", "an", "the", "my"} and x - a < 5 else x
    phrase = low[x:y]
    if not phrase or y - x < 3 or h.frame.kind not in {"first", "person", "fragment"} or "asked" in h.frame.flags:
        return []
    if m := re.match(r"(?:about )?(?:whether|if) (?:or not )?(?:to|i should|i can|i could|i want to)? ?(?:or not )?(?:to )?", phrase):
        x += m.end()
        phrase = low[x:y]
    if m := re.match(r"(?:to|on|about|of|for|start|be) ", phrase):
        x += m.end() if m[0] in {"to ", "on ", "about ", "of "} else 0
        phrase = low[x:y]
    when = _when(times) or _when(find(low, h.now))
    place = _named_place(h, phrase, x)
    big = _BIG.match(phrase)
    travel = _TRAVEL.match(phrase)
    today = _SMALL_TALK_TIME.search(low, h.frame.start) is not None and (when is None or when.sign == 0 or "weekend" in low[when.start : when.end])
    if re.match(
        r"(?:know|ask|talk|chat|discuss|hear|thank|tell|say|share|see (?:if|how|what|the)|understand|make sure|check|confirm|mention|try (?:that|it|this|the)|be (?:able|careful|honest|sure|clear|happy|reminded|there|here|on|in|ready|more|better|a (?:bit|better|good|part|little|while))|let|look (?:at|into|it|up)|use|get (?:started|this|it|some|more|to|going|the|back|ready|up|out|rid|better|home|a (?:better|good|sense|feel|bit|chance|refund|table|room|ride|cab|taxi|coffee|drink|quote))|"
        r"build (?:out|a (?:response|plan))|move (?:on|forward|some|money|this|it|the|that|ahead)|focus|set|finalize|finalise|go (?:over|through|with|ahead|deeper|for|on to|home|to (?:bed|sleep|work|the)|out|back to (?:the|our|that|this))|do (?:it|that|this|the|some)|keep|apply(?:ing)? for (?:an? |the |my )?(?:new |another )?(?:[a-z]+ ){0,4}(?:card|account|loan|refund|credit|insurance|coupon|discount)|switch(?:ing)? to (?:the|an?) |make (?:it|this|that|a (?:reservation|plan|list|call|note|payment)|some)|need|have (?:to|the|a (?:look|question|better|good|think|chat|bit|go|table|nice|proper|yarn))|start (?:with|by|the|setting|on|looking|from)|work (?:on|out|through|with)|become more (?:and|aware)|create|design|develop|explore (?:the|some|more|how|this)|learn (?:more|about|from|how (?:it|this|you|they)|what)|order|book (?:a table|it|that)|pay|transfer|cancel|change (?:the|my (?:password|order|pin|address|flight|reservation|appointment))|send|call|reach|touch base|come back|respond|reply|give|take (?:it|a (?:look|break|rest|bath|nap|shower|walk|moment|cab)|care|some|the (?:lead|next|first))|cook|eat|watch|read|sleep|rest|relax|play|buy (?:some|it|that|the|one|milk|groceries|food)|"
        r"speak (?:to|with)|meet (?:up|you)|help|find (?:out|a (?:way|recipe|good|place|hotel|restaurant|solution))|figure|spend (?:some|time|more|a)|see (?:you|it|this|that|more|some|a (?:movie|film|doctor)|my)|put|pick|hit|run (?:it|this|some|the|a (?:test|few|quick|report))|stay (?:in (?:bed|touch|shape)|home|here|up|positive|healthy|fit)|visit (?:the (?:dentist|doctor|site)|your)|write (?:it|this|that|an email|a (?:letter|note|review))|add|join (?:you|the (?:call|meeting))|wait|just|really|also|not|be|pursue your)\b",
        phrase,
    ):
        if (
            not (
                when
                and when.sign > 0
                and when.iso
                and len(when.iso) > 7
                and h.rule.name != "plans to"
                and re.match(r"(?:visit|see|meet|run|play|watch|have|take|do|go)", phrase)
            )
            and not big
        ):
            return []
        if not big and not re.search(
            r"\b(?:exam|test|wedding|interview|dentist|doctor|surgery|marathon|concert|parents|grandma|conference|funeral|graduation|in-laws|race|tournament)\b",
            phrase,
        ):
            return []
        if re.match(
            r"(?:be (?:able|careful|honest|sure|clear|happy|there|here|on|in|ready|more|better|a (?:bit|better|good|part|little))|learn (?:more|about|from|how (?:it|this|you|they)|what)|become more|move (?:on|forward|some|money|this|it|the)|study (?:the|this|these|it))\b",
            phrase,
        ):
            return []
    if today and not (place and travel) and not (big and when is not None and when.sign > 0):
        return []
    if _VAGUE_GOAL.search(phrase) and not place and not (when and when.iso):
        return []
    if len(phrase.split()) == 1 and re.search(r"(?:ed|ing)\Z", phrase) and h.frame.kind == "fragment":
        return []
    start_names = bool(re.match(r"(?:start|join|begin)(?:ing)? (?:work(?:ing)? )?(?:at|with|as) ", phrase))
    if place and travel:
        return [_plan_value(h, x, y, when, times)]
    if big and not re.match(
        r"(?:learn(?:ing)? (?:a|about|more|new|how|from|to (?:be|live|love|accept|say)|something|things|and)\b|be (?:an?|the) (?:\w+ )?(?:bit|good|better|part|problem|help|pain|little|fan|lot|great (?:day|time)|nice|fun|while|long|challenge|success|burden)|study(?:ing)? (?:for|the|this|it|hard|up|tonight|now)\b(?! (?:my|the) )|becom(?:e|ing) (?:more|less|a (?:bit|better|problem)|better|aware|clear|very)|join(?:ing)? the (?:call|meeting|chat|conversation|discussion)|start(?:ing)? (?:at|as) (?:the|soon|early|\d))",
        phrase,
    ):
        if (
            h.rule.name == "will do"
            and when is None
            and not re.match(r"(?:get|getting|having|have|retir|graduat|mov|quit|marry|adopt|expect|train|writing|sav|learn)", phrase)
        ):
            return []
        return [_plan_value(h, x, y, when, times)]
    if start_names and (when or h.capital(x)):
        return [_plan_value(h, x, y, when, times)]
    if when is not None and when.sign > 0 and not wish:
        weekend = "weekend" in low[when.start : when.end]
        if weekend and not re.search(r"\b(?:wedding|marathon|race|exam|surgery|moving|move|conference|parents|in-laws|funeral|reunion)\b", phrase):
            return []
        if re.match(
            r"(?:remind|set|book|schedule|let|come back|check in|get back|follow up|talk|reply|respond|send|call (?:you|back)|see you|be (?:back|here|there|late|busy|free|out|off|online|home))\b",
            phrase,
        ) and not re.match(r"be (?:in|out of) ", phrase):
            return []
        return [_plan_value(h, x, y, when, times)]
    return []


def _named_place(h: Hit, phrase: str, x: int) -> bool:
    for m in re.finditer(
        r"\b(?:to|in|around|across|at|visit(?:ing)?|through|see(?:ing)?|tour(?:ing)?|explor(?:e|ing)|for|of|hik(?:e|ing)|climb(?:ing)?)\s+(?:the )?",
        phrase,
    ):
        at = x + m.end()
        if known(h, at, x + len(phrase)):
            return True
        if (
            h.capital(at)
            and not h.shout
            and not re.match(
                r"(?:i\b|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|python|java|google)",
                h.low[at:],
            )
            and m[0].split()[0]
            in {"to", "in", "around", "across", "visit", "visiting", "through", "explore", "exploring", "climb", "climbing", "hike", "hiking", "see"}
        ):
            return True
    return bool(re.search(r"\b(?:abroad|overseas|the (?:seaside|countryside|coast|mountains)|disneyland|disney world|machu picchu)\b", phrase))


def _plan_value(h: Hit, x: int, y: int, when: When | None, times: Sequence[When]) -> Value:
    return Value(x, y, time=when.iso if when else None, times=times)


def plan(h: Hit) -> list[Value]:
    """After "plan to", "want to", "thinking of", "looking forward to"."""
    a = h.group()[0]
    lead = h.low[h.frame.at : a]
    if h.frame.kind == "fragment" and not re.match(
        r"(?:(?:just|also|currently|already|finally) )?(?:planning|hoping|looking forward|thinking (?:of|about)|considering|saving|training|preparing|booked|applying|sitting|taking|going|scheduled|want|wanna|decided|excited|getting)\b",
        h.low[h.frame.at :],
    ):
        return []
    if "would" in h.frame.flags and not re.search(r"\b(?:like|love|want)\b", lead):
        return []
    if re.match(r"(?:need|have|trying|try|like|love|think|about|set)\b", lead) and not (
        "would" in h.frame.flags and re.match(r"(?:like|love)", lead)
    ):
        if not re.match(r"(?:need|have) to ", lead) and not re.match(r"(?:think(?:ing)? (?:of|about)|about to|set to|trying to|try to)", lead):
            return []
        if re.match(r"(?:need|have)", lead) and not _when(find(h.low, h.now)):
            return []
    wish = bool(
        re.match(
            r"(?:want|wanna|wish|like|love|hope|hoping|dream|dreaming|thinking|think|considering|consider|need|have|trying|try|excited|looking|look|debating|contemplating)\b",
            lead,
        )
    )
    if re.match(
        r"(?:set|scheduled|booked|due|expecting|agreed|committed|commit|need|taking|sitting|retaking|going|gonna|getting|training(?! to)|applying|saving|saved|studying|revising)\b",
        h.low[h.frame.at :],
    ) and not re.search(r"\b(?:to|for|on|about|of)\s*\Z", lead):
        a = h.frame.at
    if re.match(r"(?:training|preparing|prepping|saving|studying|revising|applying|sitting|retaking|taking|looking forward)\b", lead) and re.search(
        r"\b(?:for|to)\s*\Z", lead
    ):
        x, y, times = cut(h.low, a, h.now)
        topic = h.low[x:y]
        if (
            x < y
            and not reaction(h.low, x, y)
            and not re.match(
                r"(?:the (?:next|meeting|call|rest)|your|it|this|that|hearing|seeing you|working|trying|chatting|talking|discussing|learning more|tonight|today|dinner|bed|work|lunch|a better|more)\b",
                topic,
            )
        ):
            start = h.frame.at if not lead.startswith("looking") else x
            if (
                lead.startswith("looking")
                and not _when(times)
                and not re.search(
                    r"\b(?:trip|wedding|holiday|vacation|retirement|marathon|baby|concert|visit|graduation|birthday|christmas)\b", topic
                )
            ):
                return []
            if re.match(r"(?:preparing|prepping|applying|studying|revising|taking|saving)\b", lead) and not re.search(
                r"\b(?:exam|exams|test|marathon|interview|wedding|bar|gre|gmat|sat|finals|ielts|toefl|jlpt|baby|house|car|trip|university|college|job|jobs|visa|citizenship|masters?|phd|home|holiday|retirement|deposit|ring|certification|certificate|licen[cs]e|competition|recital|role|position|school|grant)\b",
                topic,
            ):
                return []
            when = _when(times)
            return [Value(start, y, time=when.iso if when else None, times=times)]
        return []
    return _plan(h, a, wish=wish)


def plan_ahead(h: Hit) -> list[Value]:
    """ "I'm flying to Oslo on the 9th", "I'll start at Acme in May", "we're getting married in June"."""
    a = h.frame.at
    flags = h.frame.flags
    low = h.low
    if (flags & {"past", "used", "never"} and "future" not in flags) or (
        h.frame.kind == "fragment"
        and not re.match(
            r"(?:flying|moving|getting married|starting|heading|going|travelling|traveling|visiting|off to|running|sitting|having|leaving|graduating|retiring|seeing|meeting|presenting|speaking)\b",
            low[a:],
        )
    ):
        return []
    if ("be" in flags or (h.frame.kind == "fragment" and re.match(r"[a-z]+ing\b|off to", low[a:]))) and "future" not in flags:
        if not re.match(r"[a-z]+ing\b|off to|due (?:in|on|to)|back (?:in|to)|away", low[a:]):
            return []
    elif "have" in flags and "future" not in flags:
        return []
    elif "future" not in flags:
        times = find(low, h.now)
        when = _when(times)
        if when is None or when.sign <= 0 or (when.iso is None and "next" not in low[when.start : when.end]):
            return []
        if not re.match(
            r"(?:start|starts|begin|leave|leaves|fly|flies|move|moves|get|gets|have|has|go|goes|graduate|retire|finish|return|sit|take|run|see|meet|travel|play|perform|turn|defend|compete|head|arrive|present|speak|become|join|depart|host|race|marry)\b",
            low[a:],
        ):
            return []
        if re.match(r"(?:have|has) ", low[a:]):
            return []
    if (
        re.match(
            r"(?:feeling|doing|thinking|trying|looking|wondering|calling|asking|talking|dying|loving|having (?:trouble|a|an|fun|problems|issues|some)|getting (?:tired|bored|hungry|better|ready|the|a|an|some|used|there|older|worse|into)|being|making|going (?:through|over|on|crazy|well|insane)|reading|watching|eating|sitting here|waiting|using|kidding|joking|working on|writing to|listening|enjoying|hoping|planning|considering)\b",
            low[a:],
        )
    ) and (
        not (
            re.match(
                r"(?:having (?:a|an|my|our) (?:baby|boy|girl|operation|surgery|party|wedding|second|first|barbecue|c-section)|having (?:surgery|twins)|seeing)",
                low[a:],
            )
        )
    ):
        return []
    return _plan(h, a, wish=False)


def goal(h: Hit) -> list[Value]:
    """A goal of one's life; the goal of a task at hand ("my goal is to finish this report") is none."""
    x, y, times = cut(h.low, h.group()[0], h.now)
    phrase = h.low[x:y]
    if (
        x >= y
        or _VAGUE_GOAL.search(phrase)
        or re.match(r"(?:be|become|being) (?:an?|the) (?:bit|part|better|little|good (?:day|time|idea)|burden|able|more)\b", phrase)
        or re.search(r"\b(?:project|task|session|phase|report|assignment|meeting|app|code|today|tonight)\b", phrase)
    ):
        return []
    when = _when(times)
    return [Value(x, y, time=when.iso if when else None, times=times)]


_EVENT_NOUN: Final = re.compile(
    r"\b(?:flight|trip|train|holiday|vacation|cruise|tour|honeymoon|wedding|party|exam|test|interview|appointment|surgery|operation|meeting|conference|concert|recital|show|race|marathon|deadline|presentation|graduation|funeral|court|hearing|viewing|visit|move|moving day|start date|first day|last day|due date|scan|check-?up|physio|lesson|class|course|reunion|anniversary|viva|defen[cs]e|driving test|audition|tournament|match|game|competition|gig|performance|launch|demo|"
    r"review|booking|reservation|ceremony|visa|lease|contract|rent|leave|maternity leave|results?|delivery|baby|exhibition|workshop|webinar|dinner|date|festival|camp|retreat|closing|mot|inspection|biopsy|mri|ultrasound|treatment|session|rehearsal|ferry|bus|coach|sabbatical|internship|job|semester|term|school|renewal|dentist|doctor|vet)\b"
)


def appointment(h: Hit) -> list[Value]:
    """ "I have an interview on Friday": a listed kind of appointment with a date, or without one where it is big enough."""
    a = h.group()[0]
    low = h.low
    if h.frame.kind not in {"first", "fragment", "person"} or "asked" in h.frame.flags:
        return []
    verb = low[h.frame.at : a]
    if not verb and not h.frame.flags & {"have"} and h.frame.kind != "fragment":
        return []
    if h.frame.kind == "fragment" and not (
        re.match(r"(?:got|have|booked|made|scheduled)\b", low[h.frame.start :])
        or (
            re.match(
                r"(?:my|an?)?\s*(?:[\w']+ ){0,2}(?:appointment|interview|exam|surgery|flight|wedding|driving test|deadline)\b", low[h.frame.start :]
            )
            and find(low, h.now)
        )
    ):
        return []
    if re.search(r"\bin the past\b|\bhad\b", low[h.frame.start : a]) and "past" in h.frame.flags:
        return []
    x, y, times = cut(low, a, h.now)
    phrase = low[x:y]
    m = re.search(r"\b(?:" + "|".join(sorted(h.lex.words["appointments"], key=len, reverse=True)) + r")\b", phrase)
    if not m or y - x > 80 or reaction(low, x, y):
        return []
    if re.search(
        r"\b(?:question|problem|issue|idea|plan for|list|dream|bad|good time|great time|nice|fun|great|tough|hard|long|busy|phone|video|movie|game plan|hunch|class of|bit)\b",
        phrase[: m.end()],
    ) and not find(low, h.now):
        return []
    if re.search(r"\b(?:set|make|schedule|book|cancel|need|reschedule)\b", verb) and not re.match(r"(?:booked|made|scheduled|got)", verb):
        return []
    when = _when(times)
    today = re.search(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", low)
    big = re.search(
        r"\b(?:wedding|surgery|operation|exams?|interview|driving test|finals?|midterms?|marathon|court|viva|defen[cs]e|funeral|biopsy|scan|mri|flight|trip|graduation|deadline|audition)\b",
        m[0],
    )
    if (
        today
        and not (when and when.sign > 0)
        and not re.search(r"\b(?:interview|surgery|exam|wedding|funeral|operation|driving test|court)\b", phrase)
    ):
        return []
    if when is None and not any(w.kind in {"recurring"} for w in times) and not big:
        return []
    if re.match(r"(?:call|show|game|party|class|meeting|date|course|lesson)\Z", m[0]) and when is None:
        return []
    return [Value(x, y, time=when.iso if when else None, times=times)]


def scheduled(h: Hit) -> list[Value]:
    """ "My flight to Oslo is on 9 June": the event is the value, the date its time."""
    a, b = h.m.span("v")
    low = h.low
    x, y = trim(low, a, b)
    if x >= y or not _EVENT_NOUN.search(low[x:y]) or re.search(r"\b(?:birthday|favou?rite|name|fav)\b", low[x:y]):
        return []
    times = [w for w in find(low, h.now) if w.start >= h.m.start("t") - 6 and w.kind in {"date", "clock"}]
    dated = [w for w in times if w.kind == "date"]
    if not dated or dated[0].start > h.m.start("t") + 13:
        return []
    when = dated[0]
    if re.search(r"\b(?:was|were)\b", low[y : h.m.start("t")]) and when.sign < 0:
        return []
    owner = None
    if m := re.match(r"([a-z -]+?)'s (?=\w)", low[x:y]):
        owner, x = h.frame.owner if h.frame.kind == "person" else m[1], x + m.end()
    lead = low[h.m.start() : a]
    if (
        not re.search(r"\b(?:my|our)\b", lead)
        and not h.frame.flags & {"explicit"}
        and "correction" not in low
        and not re.search(r"'s (?:\Z|)", lead)
        and re.search(r"\bthe\b", lead)
    ) and (
        not re.search(
            r"\b(?:wedding|flight|exam|surgery|interview|operation|appointment|move|trip|baby|test|train|marathon|party|deadline|conference)\b",
            low[x:y],
        )
        or h.frame.kind == "question"
    ):
        return []
    return [Value(x, y, time=when.iso, times=[when], owner=owner)]


def moved_plan(h: Hit) -> list[Value]:
    names = h.m.groupdict()
    a, b = h.m.span("w") if names.get("w") is not None else h.m.span("v")
    t = h.m.start("u") if names.get("u") is not None else h.m.start("t")
    low = h.low
    times = [w for w in find(low, h.now) if w.end > t - 4 and w.kind == "date" and w.iso]
    if not times:
        return []
    x, y = trim(low, a, b)
    if names.get("w") is not None and not re.search(r"\b(?:moved|rescheduled|postponed|pushed|brought|changed|now)\b", low):
        return []
    if x >= y or (names.get("w") is None and not _EVENT_NOUN.search(low[x:y])):
        m = re.match(r"(?:it|that)\b", low[h.m.start() :])
        if not (x >= y or m):
            return []
        return [Value(a, a, time=times[0].iso, times=times, text="it")]
    return [Value(x, y, time=times[0].iso, times=times)]


def cancelled(h: Hit) -> list[Value]:
    a, b = h.group()
    x, y, _ = cut(h.low, a, h.now)
    x, y = trim(h.low, max(a, min(x, b)), min(y, b))
    if x >= y or (
        re.search(
            r"\b(?:subscription|order|light|lights|tv|alarm|power|timer|music|reminder|payment|internet|price|gloves|date|deal is)\b", h.low[x:y]
        )
        and not re.search(r"\b(?:trip|wedding)\b", h.low[x:y])
    ):
        return []
    if (h.low[h.m.start() : h.m.end()].endswith(" off") and not _EVENT_NOUN.search(h.low[x:y])) or h.frame.kind == "question":
        return []
    if re.search(r"\b(?:train|bus|flight|ferry|class|lesson|meeting)\Z", h.low[x:y]) and h.m.groupdict().get("w") is None:
        return []
    if not _EVENT_NOUN.search(h.low[x:y]) and not re.search(
        r"\b(?:plans?|idea|project|course|degree|engagement|picnic|barbecue|bbq|hike|weekend|outing|gathering|sleepover|marriage|dinner|lunch|date)\b",
        h.low[x:y],
    ):
        return []
    if re.match(r"(?:dropped|ditched|gave up on|abandoned|shelved)\b", h.low[h.m.start() :]) and not (
        _EVENT_NOUN.search(h.low[x:y]) or re.search(r"\b(?:plan|idea|project|course|degree|class)\b", h.low[x:y])
    ):
        return []
    return [Value(x, y)]


def not_plan(h: Hit) -> list[Value]:
    if not re.search(r"\b(?:any ?more|after all|no longer)\b", h.low):
        return []
    a = h.frame.at
    x, y, times = cut(h.low, a, h.now)
    y = trim(h.low, a, min(y, re.search(r"\bafter all\b|\Z", h.low[a:]).start() + a))[1]  # type: ignore[union-attr]
    m = re.match(r"(?:going to|planning to|going|planning on|planning) ", h.low[a:])
    x = a + (m.end() if m else 0)
    return [Value(x, y, times=times)] if x < y else []


# events


_TRIVIAL_EVENT: Final = re.compile(
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
    y = _whole(h, a)[1]
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
    y = _whole(h, a)[1]
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
        or re.search(r"\b(?:restaurant|cafe|starbucks|mcdonald|walmart|ikea|mall|cinema|university|college|school)\b", phrase)
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
    y = _whole(h, a)[1]
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


def project(h: Hit) -> list[Value]:
    """A lasting undertaking with a name: a novel, a thesis, a boat; "working on this task" is none."""
    a = h.frame.at
    low = h.low
    if h.frame.kind not in {"first", "person", "fragment"} or "asked" in h.frame.flags:
        return []
    if h.frame.kind == "fragment" and not re.match(
        r"(?:currently |now |still )?(?:writing|building|training for|preparing for|saving|studying for|revising for|renovating|restoring|looking for|house hunting|job hunting|expecting|thinking (?:of|about)|considering)\b",
        low[a:],
    ):
        return []
    _x, y, times = cut(low, a, h.now)
    phrase = low[a:y]
    if m := re.match(
        r"(?:working on|writing|write|composing|building|developing|designing|restoring|renovating|doing up|making|recording|creating|directing|producing|organi[sz]ing|planning|starting|launching)\b",
        phrase,
    ):
        if not re.search(
            r"\b(?:novel|memoir|my (?:\w+ )?book|a (?:\w+ )?book|thesis|dissertation|phd|album|screenplay|play|musical|symphony|boat|robot|cabin|treehouse|house|kitchen|bathroom|garden|game|app|podcast|documentary|short film|film|magazine|blog|cookbook|poetry collection|startup|business|company|wedding|portfolio|biography|comic|graphic novel|board game|charity|motorcycle|vintage \w+|old \w+|canoe|kayak|guitar|telescope)\b",
            phrase,
        ):
            return []
        if re.search(r"\b(?:this|that|your|the (?:response|plan|report|list|app\b.*bug)|together with you|you|us)\b", phrase) or (
            re.match(r"(?:planning|organi[sz]ing|starting|making)\b", phrase)
            and not re.search(r"wedding|business|company|startup|charity|blog|podcast|album|film|game|app", phrase)
        ):
            return []
        if low[a:].startswith("write ") or (m[0] in {"planning"} and "wedding" not in phrase):
            return [] if "wedding" not in phrase else [Value(a, y, times=times)]
        return [Value(a, y, times=times)]
    if re.match(r"(?:house|job|apartment|flat) hunting", phrase):
        return [Value(a, y, times=times)]
    if re.match(r"(?:looking|searching) (?:for|to)", phrase):
        if not re.search(
            r"\b(?:for (?:an?|my|another|full[- ]time|part[- ]time)? ?(?:new |better |different |full[- ]time |part[- ]time |summer |second )*(?:job|work|employment|apartment|flat|house|place to (?:live|rent|buy)|roommate|flatmate|wife|husband|soulmate|partner|girlfriend|boyfriend|internship|position|role|therapist|publisher|investor))\b",
            phrase,
        ):
            return []
        return [Value(a, y, times=times)]
    if re.match(r"(?:thinking (?:about|of)|considering)", phrase):
        topic = re.sub(
            r"^(?:thinking (?:about|of)|considering)\s+(?:(?:whether|if) (?:or not )?(?:to|i should|i can|i could)? ?(?:or not )?(?:to )?)?",
            "",
            phrase,
        )
        if not (
            _BIG.match(topic)
            or (_TRAVEL.match(topic) and _named_place(h, topic, y - len(topic)))
            or re.search(r"\b(?:job change|career change|changing jobs?|new job|moving|divorce|grad school|law school|early retirement)\b", topic)
        ) or re.match(r"learning (?:a|more|new)|becoming more|study", topic):
            return []
        return [Value(y - len(topic), y, times=times)]
    if re.match(r"(?:training|preparing|saving(?: up)?|studying|revising|prepping|applying)\b", phrase):
        return []  # "plans to" reads these
    if re.match(r"expecting (?:a (?:baby|boy|girl|child)|our|my (?:first|second|third)|twins|another)", phrase):
        return [Value(a, y, attribute="event", times=times)]
    return []
