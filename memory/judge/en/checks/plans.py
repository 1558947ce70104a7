"""Tests on plans: dated beyond this week-end's fun, to a named place, or a milestone of a life."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.en.checks.places import known
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import When, find
from memory.judge.en.values import cut, reaction
from memory.pattern import regex

_TRAVEL: Final = regex(
    r"(?:go(?:ing)?|fly(?:ing)?|travel(?:l?ing)?|visit(?:ing)?|head(?:ing)?|driv(?:e|ing)|mov(?:e|ing)|relocat(?:e|ing)|emigrat(?:e|ing)|backpack(?:ing)?|tour(?:ing)?|see(?:ing)?|road ?trip(?:ping)?|honeymoon(?:ing)?|climb(?:ing)?|trek(?:king)?|sail(?:ing)?|cycl(?:e|ing)|hik(?:e|ing)|explor(?:e|ing)|"
    r"(?:take|taking|plan|planning|book|booking|go on|going on|make|making|have|having) (?:an?|my|our|the) (?:\w+ )?(?:trip|holiday|vacation|cruise|tour|road trip|honeymoon|weekend away|city break)|an? (?:\w+ )?(?:trip|holiday|vacation|cruise|tour|road trip|honeymoon|city break)|trip|study(?:ing)?|stay(?:ing)?|live|living|retir(?:e|ing)|spend(?:ing)?|work(?:ing)?|teach(?:ing)?|volunteer(?:ing)?|leav(?:e|ing)|return(?:ing)?)\b"
)


_BIG: Final = regex(
    r"(?:get(?:ting)? (?:married|engaged|divorced|a (?:dog|cat|puppy|kitten|tattoo|new job|degree|phd|masters?|master's|promotion|divorce|house|visa)|my (?:degree|licen[cs]e|phd|masters?|driving|driver's|braces|tonsils|wisdom)|into (?:college|university|med|law|grad|shape|politics|coding))|marry(?:ing)? \w+|hav(?:e|ing) (?:a (?:baby|boy|girl|kid|child)|kids|children|twins|surgery|an operation|our (?:first|second|third)|another baby)|retir(?:e|ing)|graduat(?:e|ing)|"
    r"mov(?:e|ing) (?:in with|out|house|home|away|abroad|overseas|back|to|into)|buy(?:ing)? (?:an?|my|our|the) (?:first |new |bigger |small |second )?(?:house|flat|home|apartment|car|boat|farm|condo|place|bike|motorcycle|van|land|dog|horse|piano|guitar|ring|electric car)|"
    r"(?:start|open|launch|found|set up|run|build|own)(?:ing)? (?:up )?(?:my own|our own|an?|the|my|our|his|her) (?:(?!for\b|to\b)[\w-]+ ){0,3}(?:business|company|shop|restaurant|cafe|startup|studio|podcast|blog|channel|bakery|bar|farm|school|charity|brand|store|agency|practice|family|band|garden|career|phd|degree|course|job|masters?|master's|apprenticeship|internship|treatment|physiotherapy|therapy|chemo|diet)|start(?:ing)? (?:physiotherapy|therapy|chemo|treatment|college|university|uni|school|work at|work as|at|as|training|maternity leave|driving lessons|lessons|an? \w+ (?:course|class|job)|a new)|"
    r"(?:find|get|look for)(?:ing)? (?:an?|another) (?:new |better |different )?(?:job|career|place to live)|chang(?:e|ing) (?:my )?(?:jobs?|careers?|my (?:name|job|career|major))|switch(?:ing)? (?:jobs?|careers?|to)|quit(?:ting)? (?:my job|smoking|drinking|work|school|coffee|sugar|social media|caffeine)|giv(?:e|ing) up (?:smoking|drinking|meat|coffee|alcohol|sugar|caffeine)|"
    r"learn(?:ing)? (?:to (?:drive|swim|play|speak|cook|code|ski|surf|sew|knit|dance|paint|fly|sail|dive|sing|draw|ride)|how to (?:drive|swim|play|speak|cook|code|ski|surf|sew|dance|paint|fly|sail)|(?:some |more |a bit of |basic )?(?:english|french|spanish|german|italian|portuguese|dutch|russian|polish|greek|turkish|arabic|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|swedish|norwegian|danish|finnish|welsh|irish|latin|sign language|guitar|piano|violin|drums|coding|programming|python|karate|chess|photography|calligraphy|painting|pottery|surfing|skiing|salsa|tango|carpentry|woodworking))|run(?:ning)? (?:an?|the|my|another) (?:\w+ ){0,3}(?:marathon|half-marathon|10k|5k|race|ultra|triathlon|business|company|shop)|"
    r"writ(?:e|ing) (?:an?|my|the) (?:\w+ )?(?:book|novel|memoir|thesis|dissertation|screenplay|album|cookbook)|publish(?:ing)? |becom(?:e|ing) (?:an?|the|more)? ?|be (?:an?|the) (?:\w+ ){0,3}\w+|apply(?:ing)? (?:for|to)|study(?:ing)? (?:for|abroad|at|in|\w+)|adopt(?:ing)?(?: (?:an?|another|two)|\Z)|propos(?:e|ing) to|sit(?:ting)? (?:the|my|an?)|tak(?:e|ing) (?:the|my|an?) (?:\w+ ){0,2}(?:exam|test|bar|gre|gmat|sat|ielts|toefl|dele|jlpt|mcat|lsat|course|class|sabbatical|gap year|year off|driving test|finals|lessons)|"
    r"tak(?:e|ing) (?:\w+ )?(?:lessons|classes)|pass(?:ing)? (?:the|my)|train(?:ing)? for|climb(?:ing)? (?:mount|mt|kilimanjaro|everest)|compet(?:e|ing) in|perform(?:ing)? (?:at|in)|speak(?:ing)? at|present(?:ing)? at|defend(?:ing)? (?:my|the)|sell(?:ing)? (?:my|our|the) (?:house|car|flat|business|company|bike|home)|renovat(?:e|ing) |remodel(?:l?ing)? |redo(?:ing)? (?:my|our|the)|turn(?:ing)? (?:vegan|vegetarian|\d+)|go(?:ing)? (?:vegan|vegetarian|back to (?:school|university|college|uni|work)|to (?:college|university|uni|med school|law school|grad school|business school|culinary school)|into (?:politics|business|teaching|nursing)|freelance|part[- ]time|abroad|travelling|traveling|on (?:tour|maternity|sabbatical|a diet))|"
    r"los(?:e|ing) (?:weight|\d+|some weight|ten|twenty)|sav(?:e|ing) (?:up|for|enough|money)|join(?:ing)? (?:the|a|an)|enrol(?:l|ling)? (?:in|at|on)|do(?:ing)? (?:an?|my) (?:phd|masters?|master's|degree|course|mba|internship|apprenticeship|residency|marathon|triathlon)|car(?:e|ing) for|look(?:ing)? for (?:an?|my|our) (?:new |better |different )?(?:job|house|flat|apartment|place|roommate|girlfriend|boyfriend|husband|wife|partner|therapist|school|work)|find(?:ing)? (?:an?|my) (?:new |better )?(?:job|flat|house|apartment|girlfriend|boyfriend|husband|wife|partner)|"
    r"hik(?:e|ing) (?:the|in)|sign(?:ing)? up for|volunteer(?:ing)? (?:at|in|for|with)|host(?:ing)? |sponsor(?:ing)? |foster(?:ing)? |fast(?:ing)? |having (?:my|a) (?:\w+ )?(?:party|wedding|surgery|operation|baby)|expecting (?:a|our|my|twins|another)|due (?:in|on)|pay(?:ing)? off (?:my|our|the)|work(?:ing)? (?:abroad|overseas|as an?|at|for)|teach(?:ing)? (?:abroad|english)|play(?:ing)? (?:professionally|in the|basketball|football|college)|major(?:ing)? in)"
)


_VAGUE_GOAL: Final = regex(r"\b(?:this|that|it|them|these|those|something|anything|your|you)\b")


_SMALL_TALK_TIME: Final = regex(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|arvo|weekend)|later(?: today)?|now|in a (?:bit|minute|moment|sec|second|while)|right away|soon|first|next|again|in an hour|for (?:dinner|lunch|breakfast)|after (?:work|this|that|dinner|lunch))\b"
)


def coming(times: Sequence[When]) -> When | None:
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
    when = coming(times) or coming(find(low, h.now))
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


_ERRAND: Final = regex(
    r"(?:to )?(?:apply for|open|close|cancel|order|replace|activate|report|get|check|pay|transfer|dispute|freeze|redeem|request) (?:an? |my |the |another )?(?:\w{1,16} ){0,2}"
    r"(?:card|account|loan|refund|bill|balance|check|cheque|pin|statement|transaction|charge|limit|points)\b"
)


def plan(h: Hit) -> list[Value]:
    """After "plan to", "want to", "thinking of", "looking forward to"; an errand at the bank is none."""
    a = h.group()[0]
    if _ERRAND.match(h.low, a):
        return []
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
        if re.match(r"(?:need|have)", lead) and not coming(find(h.low, h.now)):
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
                and not coming(times)
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
            when = coming(times)
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
        when = coming(times)
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
        not _BIG.match(low[a:])
        and (
            re.match(
                r"(?:feeling|doing|thinking|trying|looking|wondering|calling|asking|talking|dying|loving|having (?:trouble|a|an|fun|problems|issues|some)|getting (?:tired|bored|hungry|better|ready|the|a|an|some|used|there|older|worse|into)|being|making|going (?:through|over|on|crazy|well|insane)|reading|watching|eating|sitting here|waiting|using|kidding|joking|working on|writing to|listening|enjoying|hoping|planning|considering)\b",
                low[a:],
            )
        )
        and (
            not (
                re.match(
                    r"(?:having (?:a|an|my|our) (?:baby|boy|girl|operation|surgery|party|wedding|second|first|barbecue|c-section)|having (?:surgery|twins)|seeing)",
                    low[a:],
                )
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
    when = coming(times)
    return [Value(x, y, time=when.iso if when else None, times=times)]


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
