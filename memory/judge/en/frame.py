"""Who a clause is about, and how it says it: the subject, what stands before the main verb, and the shape (statement, order, question, fragment).

A `Frame` points at the predicate: what follows the auxiliaries, negations and adverbs. So one fact rule serves "I work at", "I've always worked at",
"my mum doesn't work at", and only the flags differ.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memory.judge.en.people import relation_at
from memory.judge.en.times import find
from memory.judge.rules import Lexicon
from memory.pattern import regex

_OPENER: Final = regex(
    r"(?:well|hi|hello|hey|hiya|ok|okay|so|and|but|or|also|actually|yes|yeah|yea|yep|yup|aye|no(?! longer\b| one\b| more\b)|nope|nah|oh|ah|um|uh|er|hmm|hm|btw|by the way|fyi|honestly|"
    r"frankly|tbh|to be honest|basically|anyway|anyways|plus|just so you know|just to say|for the record|for what it's worth|as i said|as i told you|as you know|you know|you see|look(?=,)|"
    r"listen(?=,)|see(?=,)|(?:i'm|i am|i|it's)(?= i mean\b)|i mean|i think(?: that)?|i guess(?: that)?|i believe(?: that)?|i suppose|i'd say|i would say|i must say|i have to say|i must admit|i admit|i'm afraid(?! of\b)|i forgot to (?:say|mention)(?: that)?|"
    r"i should (?:mention|say|add)(?: that)?|i should have (?:mentioned|said)(?: that)?|let me (?:tell you|add)(?: that)?|did i mention(?: that)?(?= i hate)|did you know(?: that)?(?= (?:i|i'm|my|we)\b)|fun fact|quick facts?|quick correction|one more thing|"
    r"another thing|one thing|in fact|in case (?:it matters|you(?:'re| are) wondering|it's useful)|if it (?:helps|matters)|if you must know|correction|update|quick update|note|nb|psa|lol|haha|hehe|cool|wow|great|nice|sure|right(?=,)|"
    r"thanks|thank you|sorry|unfortunately|fortunately|luckily|sadly|happily|personally|finally|usually|normally|sometimes|often|generally|mostly|because|cos|cuz|coz|since(?= (?:i|we|my)\b)|"
    r"even (?:when|if) (?:it|it's) (?:rains|snows|pours|'s? ?(?:cold|hot|raining|snowing))(?=,? (?:i|we)\b)|though|although|while|whereas|and then|then|besides|guess what|good news|great news|bad news|big news|exciting news|news flash|same|me too|too|true|for me|as for me|me(?! and\b)|myself|"
    r"speaking of which|i'm happy to say(?: that)?|i'm proud to say(?: that)?|happy to say|turns out(?: that)?|it turns out(?: that)?|the thing is|the problem is|the truth is|(?:before|after|prior to) (?:that|then|this|moving here|[a-z]{3,12})(?=,? (?:i|we) (?:lived|worked|was|were|had|studied|went|used)\b)|at least|at any rate|in (?:the )?future(?=[ ,]+[a-z])|from now on|going forward|from here on(?: out| in)?|moving forward|next time(?=,)|on the plus side|oddly enough|truth is|now(?= that\b)|"
    r"(?:i want|i'd like|i need) you to know(?: that)?|you should know(?: that)?|just a heads up|heads up|reminder|again|seriously|yay|hooray|omg|ugh|(?:dude|mate|man|folks|guys|my friend|friend)(?=\s*[,!.])|ha|"
    r"hopefully|apparently|in general|as a rule|by default|at heart|by trade|by profession|in real life|irl|these days though|as it happens|as for me|for my part|on my end|that said|having said that|still(?=,)|even so|either way|long story short|only)(?![\w'])[\s,:!.—…-]*"
)
_REMEMBER: Final = regex(
    r"(?:(?:please|pls|plz|can you|could you|would you|you should|i want you to|i'd like you to|i need you to|so|also|ok|just)[\s,]+)*"
    r"(?:(?:remember|note|keep in mind|bear in mind|make a note|take note|memori[sz]e|don't forget|do not forget|dont forget|never forget|jot down|jot it down|write down|know)"
    r"(?:\s+that|\s+this|\s+down|\s+for me|\s*[:,—-])+\s*|(?:remember|note|don't forget|do not forget|dont forget|keep in mind|make a note|memori[sz]e|save|store)\s+(?:that\s+)?(?=(?:i|i'm|im|i've|my|we|our)\b)|"
    r"(?:for (?:the|your) (?:record|memory|notes|reference)|note to self|to remember|worth remembering|for future reference|for next time)[\s,:—-]+)"
)
_REMEMBER_TAIL: Final = regex(
    r"[\s,.;:!—-]*\b(?:and |so |but )?(?:please |pls |can you |could you )?(?:remember (?:that|this|it)|don't forget(?: (?:that|this|it))?|dont forget(?: (?:that|this|it))?|keep (?:that|this|it) in mind|"
    r"keep in mind|make a note(?: of (?:that|it|this))?|note (?:that|this|it)(?: down)?|write (?:that|this|it) down|save (?:that|this|it)|for future reference|for the record)(?: please| for me| for later| ok| okay)?[\s.!]*\Z"
)
_FIRST: Final = regex(
    r"(?:i|ah(?=')|im(?=\s)|ive(?=\s)|we|both of us|me and (?:my|the) [\w-]+(?: [\w-]+)?(?= (?:have|are|were|want|need|live|love|like|moved|got|both|will|'re|had|went)\b)|(?:my|the) [\w-]+(?: [\w-]+)? and i|[a-z]+ and i|i and my [\w-]+|us two)(?![\w])"
)
_PRONOUN: Final = regex(r"(?:he|she|they)(?![\w])")
_THING: Final = regex(r"(?:it|this|that|these|those|there|everything|nothing|something|the|a|an|some|all|both|each|one|its|what|which)(?![\w])")
_YOU: Final = regex(r"(?:you|your|ur|u|yours|yall|y'all)(?![\w])")
_MINE: Final = regex(r"(?:my|our|mine|ours|me)(?![\w])")
_THEIR: Final = regex(r"(?:his|her|their)\s+")
_WH: Final = regex(
    r"(?:(?:and|so|but|or|also|then|hey|hi|ok|okay|please|well|umm?|oh)[\s,]+)*(?:(?:for|at|in|on|to|by|from|with|of) (?:what|which|whom|how)|what|what's|whats|wat|where|where's|wheres|when|when's|who|who's|whos|whose|whom|which|why|why's|how|how's|hows|"
    r"is|isn't|are|aren't|am|was|were|(?:wasn't|weren't) (?:i|we|my|our|you|he|she|it|they|that|there|the)\b|do|does|did|don't (?:you|i|we|they)|doesn't|didn't|dont (?:you|i)|can|can't (?:you|i|we)|could|couldn't|would|wouldn't|will|won't (?:you|it)|shall|should|may i|might|"
    r"have (?:you|i|we|they)|has|haven't (?:you|i)|had|any (?:idea|ideas|tips|suggestion|suggestions|advice|recommendations|chance|thoughts|good)|anyone|anybody|is there|wanna know)(?![\w'])"
)
ASKS_BACK: Final = regex(
    r"(?:\A|[\w'],? )(?:is|are|am|was|were|do|does|did|have|has|had|ca|could|wo|would|should)(?:n't|nt) (?:i|we|you|he|she|it|they)\W*\Z"
    r"|\A\W*(?:(?:and|so|but|ok|hey|what about|how about),? )*(?:my|our) [\w' -]{2,24}, (?:is|are|was|were|do|does|did|has|have|can|could|will|would|should) (?:he|she|it|they|we|i)\b"
)
"""A statement handed back as a question ("…, aren't I"), and a subject put in front of one ("and my son, is he …")."""
_AUX: Final = regex(
    r"[\s,]*(?:"
    r"(?P<be>'m|m(?=\s)|am|'re|are|is|'s|been(?! (?:to|through|around|there|abroad|anywhere|outside|overseas)\b)|being|be|bein)|(?P<past>was|were|wasnt|werent|had been)|(?P<have>'ve|ve(?=\s)|have|has|got(?! (?:up|out|off|into|onto|over|through|rid|back|home|here|there|it|a new|my|the job|promoted|married|engaged|laid|fired|hired|sick|accepted|divorced|caught|lost))|'ve got|gotta have)|"
    r"(?P<had>had)|(?P<do>do|does)|(?P<did>did)|(?P<will>'ll|will|ll(?=\s)|shall|gonna|(?<=[mes] )going to(?= [a-z])|bout to|about to)|(?P<would>'d|would|could|might|may|should|must|cud|wud|ought to|wanna be)|"
    r"(?P<can>can(?! t\b| not\b))|(?P<used>used to|use to)|(?P<neg>isn't|isnt|aren't|arent|ain't|aint|wasn't|weren't|don't|dont|doesn't|doesnt|didn't|didnt|haven't|havent|hasn't|hasnt|hadn't|won't|wont|"
    r"don t|doesn t|didn t|isn t|aren t|wasn t|weren t|haven t|hasn t|can t|won t|couldn t|wouldn t|wouldn't|wouldnt|couldn't|shouldn't|can't|cant|cannot|can not|not|n't|no longer|no more|hardly|barely)|(?P<never>never)|"
    r"(?P<freq>always|usually|often|sometimes|normally|typically|generally|regularly|rarely|seldom|occasionally|frequently|mostly|mainly|tend to|constantly|forever)|"
    r"(?P<adv>really|just|also|still|already|currently|actually|only|now|even|ever|kinda|kind of|sort of|sorta|pretty much|absolutely|totally|quite|truly|definitely|deffo|probably|honestly|literally|both|all|"
    r"recently|lately|finally|once|personally|secretly|simply|especially|particularly|basically|originally|formerly|previously|soon|officially|happily|sadly|proudly|unfortunately|so|very|too|"
    r"fully|legally|technically|genuinely|seriously|deeply|fucking|freaking|bloody|do|apparently|obviously|clearly|completely|extremely|strongly|certainly|surely|primarily|naturally|myself|rather|well|"
    r"newly|freshly|happily|presently|at present|these days|nowadays|at the moment|as of today|like|super|a bit|a little|bit|slightly|somewhat|severely|deathly|highly|mildly|badly|terribly|awfully|horribly|incredibly|exclusively|strictly|almost|nearly)"
    r")(?![\w'])"
)

_OWNED: Final = regex(
    r"(?:'s|')?\s+(?=(?:\w+ ){0,2}(?:name|birthday|bday|age|job|email|number|phone|address|favou?rite|hobby|hobbies|husband|wife|boyfriend|girlfriend|kids|dog|cat|surname|nickname|car|house|wedding|exam|flight|surgery|allergy|diet|school|company|"
    r"health|condition|first|last|is|was)\b)"
)
_STATED: Final = regex(
    r"(?:how about i|what i|where i|when (?:i|we|my|you|it|they|he|she)|am an?|have an?|had|will be|can't|may|was an?|does (?:my|our) (?:accounts?|teeth|hair|nails|feet|taxes|books|garden|lawn|hedges?|bins|shopping|washing|laundry|ironing|cleaning|make-?up|admin|head in)\b|which is|which i|whose|who (?:is|was|has) my|how i|why i|what's more)(?= )(?![^?]*\?)"
)

_WORD: Final = regex(r"[a-z]+(?:[-'][a-z]+)*")
_ANYMORE: Final = regex(r"\b(?:any ?more|no longer|these days|nowadays|not (?:now|any longer))\b")


@dataclass(frozen=True, slots=True)
class Frame:
    """How a clause is built. `at` is where its predicate begins; `start` where it begins after openers; `owner` whom it is about, if that is known.

    Kinds: first (I, we), person (my mum, Ben, she), mine (my flight), you, thing (it, the flat), order, question, fragment (no subject).
    Flags: be, have, verb (what the predicate hangs on); past, used, future, would, can; neg, never, freq; now, anymore; shout; explicit; we.
    """

    kind: str
    owner: str
    start: int
    at: int
    flags: frozenset[str]
    subject: str = ""

    def moved(self, by: int) -> "Frame":
        """The same frame of a clause that begins `by` characters earlier."""
        return replace(self, start=self.start + by, at=self.at + by)


def begin(low: str, now: datetime | None) -> tuple[int, set[str]]:
    """Where the clause begins after openers, times set in front ("since 2019 I've …") and a wish to remember; and flags from those."""
    at, flags = 0, set()
    for _ in range(8):
        while at < len(low) and not (low[at].isalnum() or low[at] in "'\"“¿"):
            at += 1
        if (m := _REMEMBER.match(low, at)) and m.end() > at and m.end() < len(low):
            flags.add("explicit")
            at = m.end()
            continue
        if m := _OPENER.match(low, at):
            if m.end() >= len(low):
                break
            if m[0].startswith(("usually", "normally", "often", "sometimes", "generally", "mostly")):
                flags.add("freq")
            at = m.end()
            continue
        if m := _BACK_WHEN.match(low, at):
            flags.add("used")
            at = m.end()
            continue
        times = find(low[at : at + 60], now) if at < len(low) else ()
        if (
            times
            and times[0].start == 0
            and times[0].end < len(low) - at
            and re.match(r"[\s,]+(?:i|i'm|im|we|my|our|he|she|they|the|it|there)\b", low[at + times[0].end :])
        ):
            if times[0].kind == "vague" and times[0].sign < 0:
                flags.add("used")
            if times[0].kind == "recurring":
                flags.add("freq")
            at += times[0].end
            continue
        break
    return at, flags


def frame(text: str, low: str, lexicon: Lexicon, now: datetime | None, *, question: bool, shout: bool, people: frozenset[str] = frozenset()) -> Frame:
    """Parses one clause. `text` keeps the case, `low` is its folded form of equal length; `question`: it ends in a question mark."""
    start, flags = begin(low, now)
    if (
        (tail := _REMEMBER_TAIL.search(low, start))
        and tail.start() > start
        and not re.search(r"(?:n't|not|cannot|cant|to|i|you|never|always|even|will|'ll|would|could|can|should|must)\s*\Z", low[: tail.start()])
    ):
        flags.add("explicit")
    if shout:
        flags.add("shout")
    if (_WH.match(low, start) and (question or not _STATED.match(low, start))) or ASKS_BACK.search(low):
        return Frame("question", "", start, start, frozenset(flags))
    if m := _FIRST.match(low, start):
        if m[0] not in {"i", "im", "ive"}:
            flags.add("we")
        at = _predicate(low, m.end() - (1 if m[0] == "im" else 2 if m[0] == "ive" else 0), flags)
        if question:
            flags.add("asked")
        return Frame("first", "user", start, at, _more(low, at, flags, lexicon), m[0])
    if found := _person(text, low, start, lexicon, shout, people):
        owner, end, owned = found
        if owned and (m := _OWNED.match(low, end)):
            flags.add("poss")
            return Frame("person", owner, start, m.end(), _more(low, m.end(), flags, lexicon), low[start:end])
        at = _predicate(low, end, flags)
        return Frame("person", owner, start, at, _more(low, at, flags, lexicon), low[start:end])
    if m := _MINE.match(low, start):
        return Frame("mine", "user", start, start, _more(low, start, flags, lexicon), m[0])
    if m := _YOU.match(low, start):
        at = _predicate(low, m.end(), flags)
        return Frame("you", "", start, at, _more(low, at, flags, lexicon), m[0])
    if m := _THING.match(low, start):
        return Frame("thing", "", start, start, _more(low, start, flags, lexicon), m[0])
    flags.add("bare")
    if (
        (m := _WORD.match(low, start))
        and m[0] in lexicon.sets["task_verbs"]
        and m[0] not in lexicon.sets["not_orders"]
        and not re.match(r"type (?:1|2|one|two|i|ii|a|b|o|ab)\b", low[start:])
    ):
        return Frame("order", "", start, start, frozenset(flags))
    at = _predicate(low, start, flags)
    return Frame("fragment", "user", start, at, _more(low, at, flags, lexicon))


def _predicate(low: str, at: int, flags: set[str]) -> int:
    """Moves past auxiliaries, negations and adverbs, noting them."""
    hang = "verb"
    for _ in range(12):
        m = _AUX.match(low, at)
        if m is None:
            break
        name = m.lastgroup or "adv"
        rest = low[m.end() :].lstrip(" ")
        if name in {"have", "had", "do", "did", "can", "be", "past", "would"} and not rest and m.end() >= len(low) and name != "be":
            break
        if (
            (
                name == "adv"
                and m[0].strip() in {"like", "well", "so", "do", "all", "both", "even", "rather"}
                and hang == "verb"
                and not flags & {"be", "have"}
            )
            and m[0].strip() != "do"
            and not re.match(r"(?:really|also|just|always|hate|love|enjoy)\b", rest)
        ):
            break
        if (
            name == "do"
            and not re.match(
                r"(?:not|n't|really|actually|like|love|enjoy|have|hate|prefer|want|live|work|play|speak|own|know|need|still|also|think|drive|go|drink|eat|smoke)\b",
                rest,
            )
            and "neg" not in flags
        ):
            break
        if name == "have" and re.match(r"to\b", rest):
            break
        if hang == "be" and m[0].strip() in {"will", "may"}:
            break  # a name
        if name == "adv" and m[0].strip() == "now" and re.match(r"(?:that|and|\W)", rest):
            break
        if name in {"be", "past"}:
            hang = "be"
        elif name in {"have", "had"}:
            hang = "have"
        if name == "past" or name == "had" or name == "did":
            flags.add("past")
        elif name == "will":
            flags.add("future")
            hang = "verb"
        elif name == "neg":
            if "didn" in m[0]:
                flags.add("past")
            if "would" in m[0] or "could" in m[0] or "should" in m[0]:
                flags.add("would")
            if "wo" in m[0] and "would" not in m[0]:
                flags.add("future")
            if "can" in m[0]:
                flags.add("can")
            if re.search(r"was|were|hadn", m[0]):
                flags.add("past")
            if re.search(r"isn|aren|ain|was|were", m[0]):
                hang = "be"
            if re.search(r"haven|havent|hasn|hadn", m[0]):
                hang = "have"
            flags ^= {"neg"}  # a second negation takes the first one back
            if "longer" in m[0] or "no more" in m[0]:
                flags.add("anymore")
        elif name == "never":
            flags ^= {"neg"}
            flags.add("never")
        elif name == "adv":
            word = m[0].strip()
            if word in {"now", "currently", "presently", "these days", "nowadays", "at the moment", "as of today", "still", "at present"}:
                flags.add("now")
            elif word in {"formerly", "previously"}:
                flags.add("past")
            elif word == "just":
                flags.add("just")
        elif name not in {"be", "have"}:
            flags.add(name)
        at = m.end()
        if name in {"be", "past"} and re.match(r"[\s,]*(?:m|s|re|ve|ll|d)\b", low[at:]):
            break
    flags.add(hang)
    while at < len(low) and low[at] in " ,":
        at += 1
    return at


def _more(low: str, at: int, flags: set[str], lexicon: Lexicon) -> frozenset[str]:
    m = _WORD.match(low, at)
    if m and m[0] in {"read", "cut", "put", "set", "let", "hit", "hurt", "beat"} and "freq" in flags:
        return frozenset(flags | ({"anymore"} if _ANYMORE.search(low, at) else set()))
    if m and "verb" in flags and not flags & {"neg", "can", "would", "future", "do"}:
        word = m[0]
        if word in lexicon.sets["past_verbs"] or (word.endswith("ed") and word not in lexicon.sets["not_past"] and len(word) > 3):
            flags.add("past")
    if _ANYMORE.search(low, at):
        flags.add("anymore")
    return frozenset(flags)


_NAME_WORD: Final = regex(r"[A-Z][a-zà-öø-ÿ'’]+(?:-[A-Z][a-z]+)?")


_BACK_WHEN: Final = regex(r"(?:back )?when (?=(?:i|we) (?:lived|worked|studied|taught|served|was|were|had)\b)")
_NO_TIE: Final = (
    r"(?:(?:all[- ]time|absolute|personal|new|old|big|biggest|great|greatest|main|only|real|true|one|top|number one|secret|guilty|current|first|second|latest|other) ){0,2}"
    r"(?:fav(?:ou?rites?|e|s)?|thing|passion|hobby|pastime|obsession|weakness|addiction|vice|love|life|world|everything|jam|go-to|comfort|happy place|kryptonite|escape|therapy|pleasure|cup of tea|bag|dream|goal|plan|"
    r"sport|game|drink|food|dish|snack|fruit|colou?r|season|city|town|country|language|religion|faith|instrument|subject|major|degree|job|name|nickname|surname|middle name|home|hometown|birthplace|diet|allergy)\b"
)
"""What is one's own and nobody: chess is my passion."""
_DOES_FOR_ME: Final = regex(
    rf" (?:is|has|was|[a-z]{{2,12}}s(?: after| up| out)?|(?:is|was) [a-z]{{3,12}}ing) (?:(?:me|us) )?(?:[a-z]{{1,4}} )?(?:my|our|me|us)\b(?! (?:{_NO_TIE}))(?! (?:sad|happy|mad|angry|feel|laugh|cry|crazy|smile|want))"
    rf"|(?:'s| is) (?:my|our) (?!{_NO_TIE})|'s (?:just |now |recently )?(?:moved|left|quit|retired|sold|given up|packed in|stopped|started|become|switched|got|allergic)\b"
)
"""What only somebody does: Allan cuts my hair; a name that no list holds."""


def _person(text: str, low: str, start: int, lexicon: Lexicon, shout: bool, people: frozenset[str]) -> tuple[str, int, bool] | None:
    """The person a clause is about, where the subject ends, and whether a possessive follows: (mom | colleague Ben | Ben | she, end, False)."""
    if found := relation_at(text, low, start, lexicon):
        return found
    if m := _PRONOUN.match(low, start):
        return m[0], m.end(), False
    if m := _THEIR.match(low, start):
        return {"his": "he", "her": "she", "their": "they"}[m[0].strip()], m.end() - 1, True
    if shout:
        return None
    m = _NAME_WORD.match(text, start)
    if m is None or m[0] in lexicon.sets["not_persons"]:
        return None
    end = m.end()
    if (n := _NAME_WORD.match(text, end + 1)) and text[end : end + 1] == " " and n[0] not in lexicon.sets["not_persons"]:
        end = n.end()
    name = text[start:end]
    first = name.split()[0].lower().removesuffix("'s")
    known = first in lexicon.sets["given_names"] or name in people or first in {p.split()[-1].lower() for p in people}
    if name.lower().removesuffix("'s") in lexicon.sets["places"] or (
        first in lexicon.sets["not_names"] and first not in {"will", "may", "june", "april"}
    ):
        return None
    if not known and not _DOES_FOR_ME.match(low, end - 2 if name.endswith(("'s", "’s")) else end):
        return None
    if m := re.compile(
        r" from (?:the )?[a-z]+(?= (?:is|has|was|hates?|loves?|likes?|lives?|works?|can't|never|always|doesn't|said|got|moved|left|quit|will|just)\b)"
    ).match(low, end):
        end = m.end()
    owned = low[end : end + 2] == "'s"
    return name.removesuffix("'s").removesuffix("’s"), end - 2 if name.endswith(("'s", "’s")) else end, owned or name.endswith(("'s", "’s"))


def reframed(low: str, made: Frame, lexicon: Lexicon) -> Frame:
    """A clause said to the user ("you're prediabetic") read as one about the user."""
    m = _YOU.match(low, made.start)
    if m is None:
        return made
    flags = set(made.flags) - {"be", "have", "verb", "neg", "past"}
    at = _predicate(low, m.end(), flags)
    return Frame("first", "user", made.start, at, _more(low, at, flags, lexicon), "you")


def shared(low: str, last: Frame, made: Frame, lexicon: Lexicon) -> Frame:
    """A predicate without a subject read with the subject of the clause before it."""
    flags: set[str] = set(made.flags & {"explicit", "shout"})
    at = _predicate(low, made.start, flags)
    return Frame(last.kind, last.owner, made.start, at, _more(low, at, flags, lexicon), last.subject)
