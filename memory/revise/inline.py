"""A value taken back in the same breath: 我叫刘洋，不对，是刘阳; my favourite colour is green. No wait, blue. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.revise.forms import fold

_BACK: Final = regex(
    r"^[\s，,。.…、！!~—–-]*(?:吧|了|的|啊|呀|吗)?[\s，,。.…、！!~—–-]*"
    r"(?:(?:啊|哦|噢|呃|额|哎|诶|等等|等下|抱歉|不好意思|sorry|oh|er+|um+|hmm|hang on|hold on|wait|actually)[\s，,。.…]*){0,3}"
    r"(?:(?:不对|不是|不不不?|错了|(?:说|打|写|记|搞|弄)错了|口误|手滑|更正)(?:啊|呀|哦)?(?=[\s，,。.…！!：:]|是|应该)(?:[\s，,。.…！!：:]*(?:我)?(?:说|打|写|记|搞|弄)错了|[\s，,。.…！!：:]*(?:口误|手滑|抱歉))*"
    r"[\s，,。.…！!：:]*(?:应该|其实)?(?:是|叫|在)?"
    r"|(?<=wait )no\b|(?<=wait, )no\b|no,? wait\b|wait,? no\b|(?:no|sorry),? (?:i meant?|make that)\b|scratch that\b|strike that\b|correction\b|actually,? no\b|oops\b|i meant\b|make that\b|(?<=sorry )no\b)"
    r"[\s,.:…!—–-]*(?:(?:i meant?|it[’']s|make that|i should say|that should be) )?(?P<v>[^，,。.；;！!？?…\n]{1,32}?)(?:才对|吧|啊|呀|哈)?\s*(?=[，,。.；;！!…\n]|$)"
)
_NO_VALUE: Final = regex(
    r"^(?:我|你|他|她|它|那|这|不|没|就|还|都|也|算了|忘|因为|所以|对了|i\b|we\b|you\b|he\b|she\b|they\b|it\b|that\b|this\b|my\b|the other|not?\b|never\b|don|but\b|and\b|so\b|because\b)"
)
_VALUES: Final = frozenset(
    {
        "name", "age", "birthday", "location", "hometown", "employer", "occupation", "school", "likes", "dislikes", "allergy", "pet", "relationship", "contact",
        "other", "health", "possession",
    }
)  # fmt: skip
_MANY: Final = frozenset({"likes", "dislikes", "allergy", "pet", "possession", "other", "health", "relationship"})
_DAY: Final = regex(r"(\d{1,2})月(\d{1,2})[日号]?$")


def righted(told: Sequence[Candidate], text: str) -> list[Candidate]:
    """The candidates, each under the value that the message puts in its place right behind it."""
    plain = text.casefold()
    if len(plain) != len(text):
        return list(told)
    out = list(told)
    for n, c in enumerate(told):
        at = plain.rfind(c.value.casefold()) if c.attribute in _VALUES and c.value else -1
        found = _BACK.match(plain[at + len(c.value) :][:120]) if at >= 0 else None
        if found is None or _NO_VALUE.match(found["v"]) or c.stance is Stance.NEGATE:
            continue
        start = at + len(c.value) + found.start("v")
        value = text[start : start + len(found["v"])].strip()
        if not value or fold(value) == fold(c.value) or _other_kind(c, value):
            continue
        number = re.match(r"\d{1,3}", value) if c.attribute == "age" else None
        content = c.content.replace(c.value, value) if c.content else ""
        stance = Stance.ASSERT if c.attribute in _MANY else Stance.CORRECT
        out[n] = c.evolve(
            value=value, content=content, normal=int(number[0]) if number else None, time=_same_year(c.time, value), stance=stance, replaces=None
        )
    new = {fold(o.value) for o, c in zip(out, told, strict=True) if o is not c}
    return [o for o, c in zip(out, told, strict=True) if o is not c or fold(o.value) not in new] if new else out


def _other_kind(candidate: Candidate, value: str) -> bool:
    """Whether what follows cannot stand for the value: a figure for a word, or a word for a figure."""
    return bool(re.search(r"\d", candidate.value)) != bool(re.search(r"\d", value)) or len(value) > 3 * len(candidate.value) + 12


def _same_year(time: str | None, value: str) -> str | None:
    found = _DAY.match(value)
    return f"{time[:4]}-{int(found[1]):02}-{int(found[2]):02}" if time and len(time) == 10 and found else None
