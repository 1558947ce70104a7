"""Whether a loose value, the words of a clause that no rule could read, is one that an attribute can hold."""

import re
from typing import Final

from memory.pattern import regex

_SPEAKS_OF: Final = {
    "location": regex(r"\b(?:live|living|moved?|based|house|flat|apartment|street|road|city|town|village|home|in [A-Z])"),
    "hometown": regex(r"\b(?:from|born|raised|grew up|home ?town|roots)\b"),
    "employer": regex(r"\b(?:work|job|company|firm|office|employ\w*|hired?|joined|boss|at [A-Z])"),
    "health": regex(
        r"(?i)\b(?:ill\w*|sick\w*|pain\w*|ach\w+|hurt\w*|diagnos\w+|doctor|hospital|surgery|operation|medic\w+|pills?|tablets?|blood|sleep\w*|pregnan\w+|injur\w+"
        r"|allerg\w+|condition|disease|syndrome|disorder|\w+itis|\w+emia|asthma|diabet\w+|cancer|anxi\w+|depress\w+|blind|deaf|wheelchair|glasses|weigh\w*|eyes?|back"
        r"|knees?|heart|stomach|migraines?|therap\w+|dizzy|tired|fatigue|vision|hearing|mental|stress\w*|intoleran\w+)\b"
    ),
}
"""What a clause that no rule could read must speak of to be filed under these attributes."""

_NAMED: Final = frozenset({"name", "age", "birthday", "contact", "occupation", "school", "allergy", "pet", "skill"})
_CLAUSE: Final = regex(r"(?:^|\s)(?:he|she|they|you|it|nobody|everyone|someone|thinks?|says?|said)(?=\s|$|')")
_OF_WORK: Final = regex(r"\b(?:job|work|shifts?|trade|profession|career|boss|company|office|firm|business|craft|role|post|position)\b")
_BY_ITSELF: Final = regex(r"(?:i|we)(?:[’']ve| have)? (?:just |finally |already )?\w+(?:ed|ne|nt|me)\W*\Z")
"""A doing without anything it is done to ("I moved", "we went"), which is no trade."""
_NO_BODY: Final = regex(r"\b(?:phone|car|plan|laptop|flat|house|rent|broadband|contract|bike|boiler|garden|neighbou?r|tv|computer|train|bus)\b")


def fits(attribute: str, value: str) -> bool:
    """Whether `value` may stand under `attribute`: a name or a trade is a few words, a number has digits, a phone plan is no trade."""
    plain = value.lower()
    if attribute in _SPEAKS_OF:
        return _SPEAKS_OF[attribute].search(value) is not None and not (
            attribute == "health" and re.match(r"(?:my|our) ", plain) and _NO_BODY.search(plain)
        )
    if any("\u3400" <= c <= "\u9fff" for c in value):
        return True
    if attribute in _NAMED and (len(plain.split()) > 12 or _CLAUSE.search(plain)):
        return False
    match attribute:
        case "age":
            return re.search(r"\d|teen|twent|thirt|fort|fift|sixt|sevent|eight|ninet", plain) is not None
        case "contact":
            return re.search(r"\d{4}|@|\w\.\w", plain.replace(" ", "")) is not None
        case "occupation":
            return _OF_WORK.search(plain) is not None or (_BY_ITSELF.match(plain) is None and _NO_BODY.search(plain) is None)
        case _:
            return True
