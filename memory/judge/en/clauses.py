"""Cutting an English sentence into clauses: where a new subject, an order or a question begins.

Lists stay whole ("I like tea, jazz and long walks"), and so do coordinated subjects ("my wife and I").
"""

import re
from typing import Final

from memory.judge.en.text import lower, plain
from memory.pattern import regex

_VERBISH: Final = (
    r"(?:is|'s|s|are|was|were|has|have|had|will|'ll|can|can't|could|would|does|doesn't|did|didn't|just|got|goes?|works?|lives?|likes?|loves?|hates?|died|passed|"
    r"moved|left|quit|turns?|turned|wants?|needs?|thinks?|says?|said|keeps?|plays?|teaches|studies|runs?|drives|drove|owns|eats|drinks|takes|rides|speaks|cycles|walks|sings|cooks|collects|weighs|earns|wears|uses|smokes|sleeps|prefers|bought|sold|never|always|also|isn't|wasn't|starts?|started|supports|follows|reads|watches|believes|swims|dances|paints|draws|writes|builds|makes|sells|buys|repairs|fixes|trains|coaches|manages|travels|commutes|gardens|bakes|knits|sews|fishes|rents|shares|rows|sails|skis|surfs|climbs|comes|breeds|farms|volunteers|practises|practices|suffers|swears|votes|attends|learns|did|used to|grew|gave|took|became|retired|joined|switched|changed|adores|enjoys|avoids|refuses)"
)
_POSSESSED: Final = rf"(?:my|our|his|her|their)(?: [\w'-]+){{1,4}}? {_VERBISH}\b|(?:my|our|his|her|their) [\w-]+'s\b"
_SUBJECT: Final = (
    r"(?:i|i'm|i'll|i'd|i've|im|ive|we|we're|we've|we'll|we'd|he|he's|she|she's|they|they're|they've|it's|its|that's|thats|there's|there is|this is|that is|"
    r"you're|you are|you should|you can|you have|you need|nothing|everything|"
    + _POSSESSED
    + r"|the (?:wife|kids|missus|husband)|name's|(?:rent|mortgage|salary|pay|deposit)'s|"
    r"the \w+ (?:is|was|are|were|has)|don't|dont|do not|please|pls|could you|can you|would you|will you|can i|could i|may i|should i|shall we|do you|do i|does|did you|"
    r"are you|is there|is it|are there|any (?:idea|ideas|tips|suggestions|advice|recommendations|chance|thoughts)|what|what's|whats|where|where's|how|how's|who|who's|whose|"
    r"why|which (?:one|is|are|\w+ (?:should|do|is|goes|would|can|are|will|has))|let's|lets|tell me|show me|give me|suggest|recommend|remind me|call me|help me|skip|remember)"
)
_BREAK: Final = regex(
    r"\s*[—;]\s*|\s+-{1,3}\s+|\s*\.{2,}\s*|(?<! kids)(?<! children)(?<! sons)(?<!daughters)(?<! boys)(?<! girls)(?<! twins)(?<! cats)(?<! dogs):\s+(?![\d'])|\s+(?:before|until|till) (?=(?:i|we) (?:moved|relocated|emigrated|came (?:over )?to|switched|became|joined)\b)|(?<=[12]\d\d\d)\s+(?=(?:i|we) (?:lived|worked|was|were|used to|had)\b)|,\s*(?=\")|(?<=\w)[.,!?]?\"\s*,\s*|\s\.\s|(?<=[a-z])\.(?=(?:i|i'm|im|my|we|it|but|so|and|what|the)\s)"
    rf"|\s*,\s*(?:(?:and|but|so|yet|plus|then|or|also|although|though|while|whereas|because|cos|cuz|coz|since)\s+)?(?:(?:also|now|nowadays|today|presently|then|actually|currently|this time|luckily|sadly|maybe|please|sometimes|usually|often|normally|recently|lately|these days)\s+)?(?={_SUBJECT}(?![\w']))"
    rf"|,\s*(?=me and (?:my|the) )|,\s*(?=[a-z]+'s my [a-z])"
    rf"|\s+(?:and|but|so|plus|because|cos|cuz|coz|although|though|while|whereas|btw)\s+(?:(?:also|now|then|actually|currently|sometimes|usually|often|normally|recently|lately|these days)\s+)?(?={_SUBJECT}(?![\w']))"
    r"|(?<!what)(?<!how)(?<!where)(?<!when)(?<!which)(?<!who)(?<!why)(?<!that)(?<!much)(?<!many)(?<!long)(?<!one)(?<!things)(?<!far)\s+(?=(?:can|could|would|will|do|should|may) (?:you|i|we) (?!not\b|n't)[a-z]|(?:what|how|where) (?:do|does|can|should|is|are) (?:i|we|you|the|it|there)\b|any (?:ideas|tips|suggestions|advice|recommendations)\b)"
    r"|[\s,]+(?=(?:and |how about |what about |hbu |wbu )?(?:you|u|yours|yourself|hbu|wbu)\s*\Z)"
    r"|(?<=[a-z0-9])(?<!\bnow)(?<!\bdays)(?<!nowadays)(?<!\bactually)(?<!\bcurrently)(?<!\bstill)(?<!\balso)(?<!\bjust)(?<!\bthen)(?<!\blately)(?<!\bthat)(?<!\bif)(?<!\bwhen)(?<!\bso)(?<!\band)(?<!\bbut)(?<!\bor)(?<!\bas)(?<!\bthan)(?<!\bsay)(?<!\bsaid)(?<!\bsays)(?<!\bthink)(?<!\bthought)(?<!\bknow)(?<!\bknew)(?<!\bguess)(?<!\bwish)(?<!\bhope)(?<!\bbet)(?<!\bsure)(?<!\bwhere)(?<!\bwhat)(?<!\bwho)(?<!\bhow)(?<!\bwhile)(?<!\bsince)(?<!\blike)(?<!\bfeel)(?<!\bmean)(?<!\bbelieve)(?<!\bsaw)(?<!\bheard)(?<!\bthough)(?<!\bone)(?<!\btime)(?<!\bunless)(?<!\bbecause)(?<!\bwhy)(?<!\bhere)(?<!\ball)\s+"
    r"(?=(?:i am|i'm|im) (?:an? (?!bit|little|lot|mess)[a-z]|getting married|from [a-z]|married|divorced|widowed|single|retired|allergic to [a-z]|vegan|vegetarian|pregnant|\d{1,2}\b)|my name is )"
    r"|\s*,\s*(?=(?:not|but not|no longer|never)\s)|\s*,\s*but\s+|\s+but\s+(?=(?:not|now|never|only|can't|don't|no longer|hate|love|like|prefer|it)\b)|,\s+so\s+(?=[a-z])"
    r"|\s+so\s+(?=(?:please |pls |always )?(?:keep|use|avoid|no|always|never|make sure|break|explain|talk|speak|write|stick|leave|include|anything|anywhere|everything|captions|subtitles|only|nothing)\s)"
    r"|\s*,\s*(?:but |and |now |currently )*(?=(?:now )?(?:living|based|residing|working|studying|retired|single|married|divorced|widowed) (?:in|at|as|alone|with|from|and)\b)"
)
_TWO_SUBJECTS: Final = regex(
    r"(?:(?:well|so|but|and|hi|yes|yeah|no|today|yesterday|recently|ok|then|now|because|when|if|that|since|last \w+)[ ,]+){0,3}(?:me|(?:my|the|our) (?!name\b)\w+(?: (?!is\b|was\b|has\b|are\b|lives?\b|works?\b|drinks\b|eats\b|plays\b|likes\b|loves\b|hates\b|drives\b|supports\b|reads\b|watches\b|runs\b|takes\b|keeps\b|makes\b|sells\b|owns\b|speaks\b|studies\b|teaches\b|wears\b|rides\b|smokes\b)\w+){0,2}|(?!i\b|we\b|it\b|you\b|that\b|this\b)[a-z]+(?: (?!is\b|was\b|are\b)[a-z]+)?)"
)
_DOES: Final = r"(?:love|loves|like|likes|hate|hates|enjoy|enjoys|prefer|prefers|work|works|live|lives|have|has|own|owns|play|plays|speak|speaks|teach|teaches|study|studies|am|can't|don't|doesn't|never|always|usually|collect|drive|drives|run|runs|also|grew up|moved|used to|joined|left|quit|started|became|bought|got|married|adopted|took up|switched|retired|still|now)"
_ALSO: Final = regex(rf"(?:\s*,\s*(?:and\s+|but\s+)?|\s+(?:and|but)\s+)(?={_DOES}\s)")
_OPEN_VERB: Final = regex(r"\b(?:to|can|could|will|would|should|let's|and i both|people who|who|that|if|when|love to|like to|you|they|it)\b")
_PARTED: Final = regex(r"\b(?:sold|lost|ditched|scrapped|returned|traded|gave|swapped|crashed) (?:it|them)(?: in| away| back)?$")
_WE: Final = regex(
    r"\s+and\s+i\b(?!')|\s+and\s+(?:my|the)\s+\w+(?:\s+\w+)?(?:\s+and i)?\s+(?:are|have|live|love|like|want|went|go|moved|got|had|will|both|were)\b"
)
_SUBORDINATE: Final = regex(
    r"(?:if|unless|whenever|when|once|in case|every time|each time|as soon as|while|although|though|since|because|after|before|until|as|whether)\s(?!i was\b)"
)
_FRAGMENT: Final = regex(
    r"(?:i'm \d{1,2}\b|im \d{1,2}\b|i am \d{1,2}\b|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)\b|quick facts?|about me|fyi|bio|allergic|left-handed|right-handed|vegan|vegetarian|hate|hates|love|loves|don't|can't|\d{1,2}\b|single|married|based|living|born|raised|grew|name's|my name's|names|"
    r"working|studying|training|colou?r-?blind|retired|mum|mom|mother|father|dad|parent|not a)\b"
)
_HERE: Final = regex(r"(?:hi |hey |hello )?(?!i\b|i'm\b|we\b|it\b|you\b)(?:[a-z-]+ ){1,4}here\s*,")
"""What somebody is, said in passing: "night nurse here, any tips"."""
_INTRODUCED: Final = regex(
    r"(?P<me>(?:i'm|im|i am|my name is|my name's|name's|this is) (?!an?\b|the\b|from\b|in\b|not\b|so\b|very\b)[a-zà-ÿ'-]+(?: [a-zà-ÿ'-]+)?)\s*,\s*"
    r"(?=(?:an?|just an?) [a-z]|\d{1,2}\b|originally |from |based |living |born |raised )"
)
"""A name and what goes with it: "I'm Mira, 34, a dentist from Pune"."""
_ADDRESS: Final = regex(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|yes|yeah|no|nope|sorry|well|great|cool|wow|sure|alright|right|actually|correction|also|oh|good morning|good evening)(?: there)?\Z"
)


_BEFORE: Final = regex(r"\s*(?:(?:well|so|and)[ ,]+)?before (?=(?:i|we) (?:moved|relocated|emigrated|became|joined)\b[^,]{0,60}(?:,| (?:i|we) ))")


_PERIOD: Final = regex(
    r"\s*(?:(?:and|then|so|but),? )?(?:(?:from|between|since|in|until|till) )?(?:[a-z]{3,9} )?(?:19|20)\d\d(?:(?: ?[-–—] ?| (?:to|until|till|through|and|onwards) ?)(?:(?:[a-z]{3,9} )?(?:19|20)\d\d)?)?"
    r"|\s*(?:when i was (?:an? )?[a-z]+(?: [a-z]+){0,2}|as an? (?:kid|child|teenager|student|boy|girl|youngster)|growing up|in my [a-z]+(?: (?:days|years))?|back in the [a-z0-9]+)"
)
"""A period in front of what was so in it: From 2009 to 2014, I worked at …."""
_BACK_WHEN: Final = regex(
    r"(?:well,? |and |but )?(?:back )?when (?:i|we) (?:lived|worked|studied|was|were|taught|served) (?:in|at|with|for|on) [\w' -]{2,30}?(?P<cut>,? )(?=(?:i|we)(?:'d)? [a-z])"
)


def split(sentence: str) -> list[tuple[int, int]]:
    """Spans of the clauses of one sentence, without the separators."""
    low = lower(plain(sentence))
    cuts: list[tuple[int, int]] = []
    begin = first = m.end() if (m := _BEFORE.match(low)) else 0
    for m in _BREAK.finditer(low):
        if m.start() < begin or not low[begin : m.start()].strip():
            continue
        if _WE.match(low, m.start()) and _TWO_SUBJECTS.fullmatch(low[begin : m.start()].strip(" ,")[-60:]):
            continue
        if _PERIOD.fullmatch(low, begin, m.start()):
            continue
        cuts.append(m.span())
        begin = m.end()
    if m := _BACK_WHEN.match(low, first):
        cuts = sorted({*cuts, m.span("cut")})
    cuts = sorted([*cuts, *_predicates(low, cuts)])
    spans: list[tuple[int, int]] = []
    at = first
    for a, b in [*cuts, (len(low), len(low))]:
        spans += _commas(low, at, a)
        at = b
    return [(a, b) for a, b in (_trim(low, a, b) for a, b in spans) if a < b]


def joined(low: str) -> bool:
    """Whether a clause begins with a verb that goes on with the subject before it."""
    return re.match(rf"{_DOES}\s", low.lstrip()) is not None


def _predicates(low: str, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Further cuts before a second predicate of "I" or of a person ("I work in sales and love surfing"), but not inside "I want to …"."""
    found = []
    for m in _ALSO.finditer(low):
        begin = max((b for a, b in cuts if b <= m.start()), default=0)
        before = low[begin : m.start()]
        if any(a < m.end() and m.start() < b for a, b in cuts) or (_OPEN_VERB.search(before) and not _PARTED.search(before)):
            continue
        if re.search(r"(?:^|[\s,])(?:i|i'm|im|i've|we|we're|my [\w-]+(?: \w+)?|he|she|he's|she's)\s", low[begin : m.start()][:40]):
            found.append(m.span())
    return found


def _commas(low: str, start: int, end: int) -> list[tuple[int, int]]:
    """A subordinate clause in front, a form of address or a list of fragments is cut at its commas; anything else stays whole."""
    part = low[start:end].lstrip()
    lead = start + len(low[start:end]) - len(part)
    if "," not in part:
        return [(start, end)]
    first = part.find(",")
    if _ADDRESS.match(part[:first].strip()):
        return [(start, lead + first), *_commas(low, lead + first + 1, end)]
    if _SUBORDINATE.match(part):
        return [(start, lead + first), (lead + first + 1, end)]
    if (m := _INTRODUCED.match(part)) is not None:
        return [(start, lead + m.end("me")), *_commas(low, lead + m.end(), end)]
    if (_FRAGMENT.match(part) or _HERE.match(part)) and part.count(",") < 20:
        out, at = [], start
        for m in re.finditer(r",\s*(?:and\s+)?", low[start:end]):
            out.append((at, start + m.start()))
            at = start + m.end()
        return [*out, (at, end)]
    return [(start, end)]


def _trim(low: str, a: int, b: int) -> tuple[int, int]:
    while a < b and (low[a].isspace() or low[a] in ',;:-"'):
        a += 1
    while b > a and (low[b - 1].isspace() or low[b - 1] in ',;:"'):
        b -= 1
    return a, b
