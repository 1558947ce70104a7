"""The user's people as subjects: "my mum", "my colleague Ben", "our eldest", "a friend of mine", with or without a possessive 's."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate
from memory.judge.rules import Lexicon
from memory.pattern import regex

_OWN: Final = regex(r"(?:(?:both |all )(?:of )?)?(?:my|our|the(?= (?:wife|missus|husband|kids|boss|in-laws|other half|hubby|wean|bairns)\b))\s+")
_OF_MINE: Final = regex(
    r"(?:an?|one of my|two of my|some of my|this|that)\s+(?:(?:good|close|old|dear|best|older|younger|little|big) )?(?P<r>[a-z-]+)(?: of (?:mine|ours))?(?=\W|\Z)"
)
_ADJECTIVE: Final = regex(
    r"(?:(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[- ]?(?:year|yr|month|week)[- ]?olds?|old|new|best|good|dear|dearest|late|little|big|older|younger|elder|eldest|youngest|oldest|"
    r"only|other|ex|future|former|current|present|previous|teenage|adult|baby|twin|lovely|poor|beloved|close|closest|longtime|long-time|childhood|school|college|uni|university|work|gym|running|"
    r"online|german|french|english|spanish|italian|chinese|japanese|piano|guitar|violin|music|maths|math|dance|driving|swimming|yoga|tennis|ex-|step|half|adopted|foster|maternal|paternal|great|own|"
    r"two|three|four|five|six|first|second|third|middle|whole|entire|immediate|extended|family|next-door|downstairs|upstairs|senior|junior|direct|line|team|art|language|photography|personal)\s+"
)
_ROLE: Final = regex(
    r"(?:[a-z][a-z-]+ ){1,3}(?=(?:coach|teacher|tutor|trainer|instructor|therapist|counsellor|counselor|doctor|dentist|nurse|consultant|surgeon|physio|advis[eo]r|supervisor|manager|landlord|landlady|accountant|lawyer|solicitor|agent|broker"
    r"|partner|buddy|mate|mentor|hairdresser|barber|mechanic|cleaner|gardener|gp|vet)\b)"
)
"""What a role is a role in: my tai chi coach, my personal injury lawyer."""
_BARE: Final = regex(
    r"(?:hubby|wifey|other half|partner|kids|parents|fianc[eé]e?|mum|mom|dad|grandma|grandpa|nan|gran|granny|grandad|granddad|sis|bro|missus|flatmate|roommate|housemate|boss|wife|husband|girlfriend|boyfriend|gf|bf|sister|brother|son|daughter)(?=(?:'s)? (?:(?:has |have |just |finally |only |always |never )?(?:gave|got|bought|sold|quit|stopped|started|took|left|swears|says|used|came|went|became|switched|changed|joined|finished|broke|won|lost|smokes|cooks|teaches|studies|makes|sells|owns|transferred|dropped|gone|given|swapped|packed)|finally|only|an?|is|are|was|has|had|have|works?|lives?|hates?|loves?|likes?|can't|never|always|turned|turns|hit|hits|reached|got|moved|died|retired|just|also|still|now|will|won't|does|doesn't|goes|plays|runs|drives|wants|needs|takes|keeps|speaks|eats|drinks)\b"
    r"|'s (?!sake\b|the word\b|army\b|club\b|day\b|meeting\b|name day\b)[a-z]| (?:is|are) [a-z])"
)
_BARE_NAMED: Final = regex(
    r"(?P<tie>[Hh]ubby|[Ww]ifey|[Ww]ife|[Hh]usband|[Ss]is|[Bb]ro|[Bb]rother|[Dd]aughter|[Mm]issus|[Ff]latmate|[Rr]oommate|[Hh]ousemate|[Gg]irlfriend|[Bb]oyfriend|[Gg]f|[Bb]f) (?=[A-Z][a-z]+(?:'s)? [a-z])"
)
_TITLED: Final = regex(r"(?P<tie>[Aa]unt(?:ie|y)?|[Uu]ncle|[Cc]ousin|[Gg]ran(?:ny|dma|dpa|dad)?|[Nn]an) (?=[A-Z][a-z])")
_NO_TIE: Final = regex(r"[ -](?:tongue|nature|board|ship|lode|figure|land|hood|rock|in-law'?s house)\b")
_IN_PLACE: Final = regex(
    r" (?:in|from|over in|back in) [A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)?(?= (?:is|was|has|had|just|got|works?|lives?|hates?|loves?|can't|never|always|moved|died|turned|is|will)\b)"
)
_HAN_RELATION: Final = regex(r"[老妈爸哥姐弟妹奶爷外姥舅姨叔姑儿女同朋室男丈媳婆公父母孩宝闺][一-鿿]{0,2}")
_NAME: Final = regex(r",? ?(?P<n>[A-Z][a-zà-öø-ÿ]+(?:-[A-Z][a-z]+)?)(?=$|[\s,'’.!])")
_LOW_NAME: Final = regex(r" (?P<n>[a-z]+)(?=$|[\s,'])")
_KNOWN_BY: Final = regex(
    r"(?:the )?(?:friend|best friend|mate|buddy|coworker|co-worker|colleague|boss|manager|neighbou?r|landlord|landlady|roommate|flatmate|classmate|teacher|professor|coach|barber|hairdresser|dentist|doctor|therapist|"
    r"accountant|lawyer|plumber|mechanic|mailman|trainer|tutor|babysitter|cleaner|vet|uber driver|client|tenant)s?'s? "
)
_PASSING: Final = regex(
    r"(?:my|our|the|an?|some) (?:uber|lyft|taxi|cab|bus|delivery|amazon) (?:driver|guy|man|lady)\b|(?:my|our|the) (?:waiter|waitress|barista|cashier|server|bartender|mailman|postman|neighbou?r's|flight attendant|tour guide)\b"
)
"""Somebody met in passing, of whom nothing need be kept."""
_SERVED: Final = r"(?:patient|student|pupil|client|customer|guest|passenger|reader|follower|viewer|caller|applicant|candidate|user|resident)"
_UNKNOWN: Final = rf"(?:{_SERVED}|guy|man|woman|bloke|lad|lady|chap|fella|fellow|person|stranger|tourist|couple|climber|runner|driver|girl|boy)"
_MET: Final = regex(
    r"\W*(?:(?:so|and|well|ok|oh|today|yesterday|once|the other day|this morning|last \w+|earlier),? ){0,3}"
    rf"(?:(?:(?:i|we)(?:'ve|'d)? )?(?:just |once |recently |also |today )?(?:had|saw|seen|treated|served|taught|read about|heard about|heard of|read of) (?:an?|this|some|another) (?:[a-z-]+ ){{0,2}}{_UNKNOWN}\b"
    rf"|there(?:'s| is| was) (?:an?|this|some|another) (?:[a-z-]+ ){{0,2}}{_UNKNOWN}\b"
    rf"|(?:an?|some|another|this|that) (?:[a-z-]+ ){{0,2}}?{_UNKNOWN}\b"
    rf"|(?:one|two|some|several|a few|many|most) of (?:my|our|the) (?:[a-z-]+ ){{0,1}}{_SERVED}s\b)"
    r"(?! (?:of mine|friend|and (?:i|me)\b))"
)
_NAMED: Final = regex(
    r"\b(?:[Mm]y|[Oo]ur) (?:(?:\w+ )?(?:year|yr)[- ]old |older |younger |little |big |eldest |youngest |oldest |late )?(?P<v>(?:wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|"
    r"mom|mum|dad|mother|father|brother|sister|grandson|granddaughter|grandma|grandpa|niece|nephew|stepson|stepdaughter|twin|baby),? (?P<n>[A-Z][a-zà-öø-ÿ]+))(?=$|[\s,.!'’])(?!'s|’s)"
)
_STOP: Final = frozenset({"Is", "Has", "Was", "And", "The", "In", "On", "At", "Who", "Will", "Can", "May", "I", "He", "She"})


def met_in_passing(low: str, at: int) -> bool:
    """Whether the clause is about somebody who only serves the user for a moment ("my uber driver used to be a pilot")."""
    return _PASSING.match(low, at) is not None


def stranger_met(low: str) -> bool:
    """Whether the clause brings in somebody who is none of the user's people ("had a patient called Lee", "one of my students", "some guy")."""
    return _MET.match(low) is not None and " my " not in low.removeprefix("one of my ")  # some guy scratched my car


def relatives_named(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Relatives that a clause with other facts names in passing ("my wife Priya and I are saving"); those that own a fact already are known."""
    owners = " ".join([f.owner for f in found] + [f.value for f in found])
    return [
        Candidate(attribute="relationship", value=m["v"], confidence=0.84)
        for m in _NAMED.finditer(text[:400])
        if m["n"] not in owners and m["n"] not in _STOP
    ]


def known_by_others(owner: str) -> bool:
    """Whether an owner is somebody whom only an acquaintance of the user's knows ("neighbor's kid")."""
    return _KNOWN_BY.match(owner.lower()) is not None


def relation_at(text: str, low: str, start: int, lexicon: Lexicon) -> tuple[str, int, bool] | None:
    """(owner, end, possessive) when a person of the user's is named at `start`; `end` is where the subject stops, after a possessive 's too."""
    relations = lexicon.sets["relations"]
    if m := _OWN.match(low, start):
        at = m.end()
        for _ in range(3):
            adjective = _ADJECTIVE.match(low, at)
            if adjective is None or _longest(low, at, relations):
                break
            at = adjective.end()
        if not _longest(low, at, relations) and (role := _ROLE.match(low, at)):
            at = role.end()
        if han := _HAN_RELATION.match(text, at):
            return _finish(text, low, han[0], han.end(), lexicon)
        if (word := _longest(low, at, relations)) and not _NO_TIE.match(low, at + len(word)):
            end = at + len(word)
            owner = text[at:end]
            if low[end : end + 2] == "'s" and (second := _longest(low, end + 3, relations)):  # my friend's wife
                end += 3 + len(second)
                owner = text[at:end]
            return _finish(text, low, owner, end, lexicon)
    elif (m := _TITLED.match(text, start) or _BARE_NAMED.match(text, start)) is not None:
        return _finish(text, low, m["tie"].lower(), m.end("tie"), lexicon)
    elif (m := _BARE.match(low, start)) and not re.match(r"\s*[,!?]", low[m.end() :]):
        return _finish(text, low, text[m.start() : m.end()], m.end(), lexicon)
    elif m := _OF_MINE.match(low, start):
        word = m["r"]
        if word in relations and ("of m" in m[0] or "of o" in m[0] or "of my" in m[0]):
            return _finish(text, low, word, m.end(), lexicon)
    return None


def _longest(low: str, at: int, words: frozenset[str]) -> str | None:
    """The longest entry of `words` that stands at `at` as whole words."""
    best = None
    end = at
    for _ in range(3):
        m = re.compile(r"[ ]?[a-zéà-ÿ]+(?:-[a-z]+)*").match(low, end)
        if m is None or (end != at and low[end] != " "):
            break
        end = m.end()
        if low[at:end] in words:
            best = low[at:end]
    return best


def _finish(text: str, low: str, owner: str, end: int, lexicon: Lexicon) -> tuple[str, int, bool]:
    if (m := _NAME.match(text, end)) and m["n"] not in _STOP and text[m.end() : m.end() + 1] != ".":
        owner, end = f"{owner} {m['n']}", m.end()
        if text[end : end + 1] == "," and m[0].startswith(","):
            end += 1
    elif (
        (m := _LOW_NAME.match(low, end))
        and m["n"] in lexicon.sets["given_names"]
        and m["n"] not in {"will", "may", "can", "mark", "guy", "dawn", "grace", "joy", "rob", "sue", "don", "bill", "drew", "chase"}
    ):
        owner, end = f"{owner} {text[m.start('n') : m.end('n')]}", m.end()
    if m := _IN_PLACE.match(text, end):
        end = m.end()
    if low[end : end + 2] == "'s" or (low[end : end + 1] == "'" and owner.endswith("s")):
        return owner, end, True
    return owner, end, False
