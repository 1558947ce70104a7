"""What a candidate's value, owner and attribute are cut to before it meets what is known, whatever tier it came from. Pure."""

import re
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER
from memory.revise.forms import fold
from memory.revise.people import is_user, relation_in

_THING: Final = frozenset({"它", "它们", "it"})
_GIVEN: Final = regex(r"(?:给|送|塞给|留给)(?:了)?我|归我|\b(?:gave|left|handed|passed) (?:me|it to me)\b")
_MEASURE: Final = regex(r"^一?(?:辆|台|部|架|艘|款)(?=.)")
_TO_COME: Final = regex(
    r"(?:下|明|后)(?:下)?个?(?:月|周|年|天|礼拜|星期)|马上|就要|即将|快要|还有\w{1,4}(?:天|周|个?月)|\b(?:next|tomorrow|soon|i[’']?ll be|will be|about to turn|(?:turning|turn) \d+ (?:in|on|next)|in (?:a|two|three|\d+) (?:days?|weeks?|months?))\b"
)
_DATED: Final = regex(
    r"[\d零〇一二三四五六七八九十廿]|节|除夕|平安夜|后$|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|christmas|easter|eve|day|spring|summer|autumn|winter)"
)
_COUPLE: Final = regex(r"^(?:我)?(?:跟|和|与)(?P<who>[一-龥]{2,4}?)(?:正式|终于|已经)?(?:在一起|谈恋爱|领证|订婚|结婚|好上)(?:了|啦)?$")
_PARTED: Final = regex(r"^(?:我)?(?:跟|和|与)(?P<who>[一-龥]{1,4}?)(?:已经|早就|上个?月|去年|刚)?(?:分手|分开|掰|离婚|离)(?:了|啦)?$")
_BROKE_UP: Final = regex(r"^(?:(?:have|has) )?(?:just )?(?:broke|broken|split) up\b")
_WITH: Final = regex(r"\b([A-Z][\w’-]+) and I (?:have )?(?:just )?(?:broke|broken|split) up|(?:broke|broken|split) up with ([A-Z][\w’-]+)")
_MODEL: Final = regex(r" ?\d[a-z\d-]*(?: (?:pro|max|ultra|plus|mini|air|se)\b)*", re.IGNORECASE)
"""The number of a model behind its name: Mate 60 Pro."""
_IS: Final = regex(r"^(?:就是|是|为|：|:)(?=[^，。]{1,24}$)")
_PROPERTY: Final = regex(
    r"^(?:现在|目前)?(?:我用的|用的|我的|我)?(?!.*(?:人|族|的)$)[一-龥a-zA-Z ]{2,10}?(?:是|为|：)(?P<v>[^，。是的]{1,20})$|^(?:my )?[a-z][a-z ]{1,20}? (?:is|are) (?P<v2>[\d£$€](?:[^.;]|\.(?=\d)){0,30}|(?:\w+-)?\w+ (?:thousand|hundred)\b.{0,20})$"
)
"""A property and what it is (工资是每月8000, rent is 950 pounds): the value is what follows."""
_STUDIES: Final = regex(r"^(?:在|正在)?(?:学|练)(?!校|习|生|期|会)(?P<v>[^，。]{1,8}?)(?:了|呢)?$")
_NOBODY: Final = regex(r"^(?:已经|现在|就)?是我?(?:的)?[一-龥]{1,4}了?$")
_TAIL: Final = regex(r"[\s~～…]*[\U0001F300-\U0001FAFF\u2600-\u27BF\ufe0f]+$")
_YEAR_AT: Final = regex(r"^(?:in )?(?:my |the )?(?:first|second|third|fourth|fifth|final|last) year (?:at|of) (?=[A-Z])")
"""A year of study in front of the school: its own fact."""
_LASTING: Final = frozenset({"habit", "likes", "dislikes", "skill", "possession", "occupation", "employer", "location"})
_LATELY: Final = regex(r"(?<=\w) (?:now|nowadays|these days|at the moment)$", re.IGNORECASE)
_AND_GOT: Final = regex(r", (?:got|bought|have|getting|drive|driving)\b.*$", re.IGNORECASE)
"""What came in place of a thing that is gone is not part of it: sold the Golf, got a Tesla."""
_OVER: Final = regex(r"第[一二三四五六七八九十\d]+年$|好几年$")


def cut(c: Candidate) -> Candidate | None:
    """The candidate with the shortest value that says it, under its owner; None when it says nothing that lasts."""
    clause = fold(c.clause)
    if fold(c.owner) in _THING and c.attribute not in {"pet", "relationship"}:
        c = c.evolve(owner=USER)
    if c.attribute in {"pet", "possession"} and not is_user(c.owner) and _GIVEN.search(clause):
        c = c.evolve(owner=USER)
    value = _TAIL.sub("", c.value).strip()
    if c.attribute in _LASTING:
        value = _LATELY.sub("", value)
    if c.stance is Stance.NEGATE and c.attribute == "possession":
        value = _AND_GOT.sub("", value)
    if c.loose and c.attribute != "relationship" and (told := _PROPERTY.match(value)) is not None:
        return c.evolve(attribute="other", content=c.content or value, value=(told["v"] or told["v2"]).strip())
    match c.attribute:
        case "age" if c.stance is Stance.ASSERT and _TO_COME.search(clause):
            return None
        case "birthday" if value and not _DATED.search(fold(value)):
            return None
        case "possession":
            value = _MEASURE.sub("", value)
            start = c.clause.find(value)
            if value and start >= 0 and not value[-1].isdigit() and value[-1].isascii() and (number := _MODEL.match(c.clause, start + len(value))):
                value += number[0]
        case "location" | "hometown" | "employer":
            value = _OVER.sub("", value) or value
        case "school" if (at := _YEAR_AT.match(value)) is not None:
            value = value[at.end() :]
        case "relationship" if (parted := _PARTED.match(value) or (_BROKE_UP.match(fold(value)) and _WITH.search(c.clause))) is not None:
            return c.evolve(value=next(g for g in parted.groups() if g), stance=Stance.NEGATE, content="")
        case "relationship" if (couple := _COUPLE.match(value)) is not None:
            c = c.evolve(content=c.content or value)
            value = couple["who"]
        case "other" | "contact":
            value = _IS.sub("", value)
            if (told := _PROPERTY.match(value)) is not None:
                c = c.evolve(content=c.content or value)
                value = (told["v"] or told["v2"]).strip()
            elif c.loose and (studied := _STUDIES.match(value)) is not None:
                return c.evolve(attribute="skill", value=studied["v"])
        case "relationship" if _NOBODY.match(value) is not None and relation_in(value) is not None:
            return None
        case _:
            pass
    return c if value == c.value or (c.value and not value) else c.evolve(value=value)
