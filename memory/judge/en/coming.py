"""A day that is told with what happens on it: "a week from today I pick up the puppy", "ten days from now the builders start on my kitchen".

Fact rules know the occasions that people have words for (an interview, a wedding). Beyond those, what makes a plan is the shape: a coming day, and a plain
present of what is done or comes. Today and tomorrow are too near to be worth keeping, unless somebody comes at an hour.
"""

import re
from datetime import datetime
from typing import Final

from memory.judge.en.checks.appointments import OCCASION
from memory.judge.en.frame import Frame
from memory.judge.en.times import find
from memory.judge.en.values import trim
from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import USER

_NEAR: Final = regex(
    r"(?:the |late )?(?:today|tonight|tomorrow|tmrw|tmr|this (?:morning|afternoon|evening))(?: (?:morning|afternoon|evening|night))?"
)
_COMES: Final = regex(
    r"\b(?:(?:[’']s|is|are) (?:coming|arriving|starting|due|visiting|landing|flying|opening|closing|leaving|back|here|on|being \w+)|comes?|arrives?|starts?|begins?|ends?|finishes|opens?|closes?|leaves?|lands?|falls?|is|are|[’']s"
    r"|expires?|goes|moves?|turns?|takes place|happens?|fits?|installs?|collects?|delivers?|delivered|picks? (?:me|us|it|up)|gets? (?:here|back|in|fitted|installed|delivered|picked)|runs out|due)\b"
)
_VISITS: Final = regex(
    r"\b(?:visit\w*|com(?:e|es|ing)|arriv\w+|stay\w*|land\w*|fl(?:y|ies|ying)|driv\w+|back|home|over|round|to (?:see|help|stay))\b"
)
_NO_PLAN: Final = regex(
    r"\b(?:rain\w*|snow\w*|sunny|storm\w*|weather|forecast|degrees|sale|sales|deal|price|prices|episode|season|movie|film|album|released?|election|stock|market|strike|bank holiday"
    r"|remind|set an?|book (?:me|a)|order|find|show me|tell me|help me|suggest|recommend|let me know|talk (?:to you|soon|later)|see you|speak|ask|hope|hopefully|wish|maybe|might|if|unless|or|usually|every|free|busy|available|think|guess|wonder"
    r"|know|need|want|love|like|hate|feel|says?|said|tells?|told|reckons?|insists?|have to work|working|at work)\b|\?"
)
_STATE: Final = regex(r"(?:am|’m|'m|think|know|mean|believe|remember|understand|seem|look|own|belong|live|work|sleep|wake|eat|drink)\b")
_HOUR: Final = regex(r"\bat (?:\d|half|quarter|noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)")
_IS: Final = regex(r"(?:[’']s| is| are)$")
LEAST: Final = 2
"""Words beside the day that tell what happens."""


def coming(text: str, low: str, made: Frame, now: datetime | None) -> list[Candidate]:
    """The plan that the clause tells with its day, empty where it tells none."""
    if now is None or made.kind in {"question", "order", "you"} or made.flags & {"past", "used", "never", "neg", "would", "can", "freq", "asked"}:
        return []
    days = [w for w in find(low, now) if w.kind == "date" and w.sign > 0 and w.iso and len(w.iso) == 10]
    if len(days) != 1 or days[0].to or _NO_PLAN.search(low):
        return []
    if _NEAR.fullmatch(low[days[0].start : days[0].end].strip()) and (made.kind not in {"thing", "fragment", "mine"} or not _HOUR.search(low)):
        return []
    day = days[0]
    rest = (low[: day.start] + " " + low[day.end :])[made.start if day.start >= made.start else 0 :]
    if not _happens(low, rest, made) or len(rest.split()) < LEAST:
        return []
    a = made.start if made.kind in {"person", "mine"} else made.at
    a, b = trim(low, a, day.start if day.start > a else len(low))
    value = _IS.sub("", text[a if made.kind != "mine" else made.start : b].strip(" ,.!"))
    mine = made.kind != "person" or _VISITS.search(rest) is not None
    if len(value.split()) < (1 if made.kind == "fragment" else LEAST) or not (mine or made.owner):
        return []
    return [Candidate(attribute="plan", value=value, owner=USER if mine else made.owner, time=day.iso, confidence=0.82, clause=text.strip())]


def _happens(low: str, rest: str, made: Frame) -> bool:
    if made.kind == "first":
        return bool(made.flags & {"verb", "future"}) and not _STATE.match(low, made.at)
    if made.kind in {"mine", "person"}:
        return _COMES.search(rest) is not None
    if re.search(r"\b(?:my|our|us|me)\b", rest) or (made.kind == "fragment" and OCCASION.search(rest)):
        return _COMES.search(rest) is not None
    return (found := _COMES.search(rest)) is not None and found[0].strip("’'s ") not in {"is", "are", "", "on"}
