"""A figure in words of more or less that names nothing: cut down to one, upped it to 30, 减到一片, gone up to five days.

It means the one known fact whose figure it can follow: of the same unit where one is told, in the direction that the words give, and not many times as
much; where more than one could be meant, and none is named, nothing is. Pure.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import Memory
from memory.revise.forms import fold, numerals
from memory.revise.hearing import as_said, facts_of
from memory.revise.parallel import frame, shared
from memory.revise.sameness import mentions
from memory.words import stem

_UP: Final = r"doubled|tripled|upped|raised|increased|bumped|up|加|涨|升|提|增|多|胖|长|上调"
_TOLD: Final = regex(
    r"(?P<verb>减少|减|降低|降|加|涨|升|提高|提|增加|增|砍|缩短|缩|压|下调|上调|调|瘦|胖|少|多)(?:[喝吃抽去练跑睡])?(?:到|成|为|至)(?:了)?(?:只有|大概|差不多)?(?P<n>\d+(?:\.\d+)?)(?P<unit>[一-龥]?)"
    r"|\b(?P<verb2>doubled|tripled|halved|up|down|cut|dropp?(?:ed)?|upped|raised|lowered|bumped|increased|reduced|trimmed)(?: (?:it|them|me|that|back|(?:the|my|his|her|their) dos(?:e|age)))?(?: (?P<way>up|down))?(?: (?:it|them|me))? to (?:just |only |about |around )?"
    r"[$£€]?(?P<n2>\d+(?:\.\d+)?)(?P<over> over \d+)?(?: ?(?P<unit2>[a-z%]+))?"
)
_FIGURE: Final = regex(r"(?<![\d.:a-z])(?P<n>\d+(?:\.\d+)?)(?P<over> over \d+)?(?: ?(?P<unit>[a-z%]+|[一-龥]))?")
_NO_UNIT: Final = frozenset(
    {"a", "an", "per", "now", "and", "of", "at", "in", "on", "so", "the", "today", "yesterday", "last", "this", "from", "了", "啦", "吧"}
)
_NOBODY: Final = regex(
    r"医生|大夫|老板|公司|领导|我们?|他们|她|他|现在|已经|最近|这次|终于|给|让|把|都|又|才|要|了|[，,。！!.;；]"
    r"|\b(?:the|my|our|his|her|their|a|an|i|we|they|he|she|it|me|put|doctor|doc|gp|nurse|psychiatrist|specialist|consultant|cardiologist|pharmacist|boss|work|have|has|had|[’']?ve|[’']s|been|got|get|going|gone|went|now|finally|just|and|but|so|today|yesterday|this week|last week|these days|per|week|day|month|each|every|from)\b|[’']"
)
MOST: Final = 8.0
"""How many times more or less the new figure may be."""

_ATTRIBUTES: Final = frozenset({"habit", "health", "other", "plan", "skill", "progress", "occupation"})


def tells_figure(plain: str) -> bool:
    """Whether the folded text tells a figure in words of more or less."""
    return _TOLD.search(_times(numerals(plain))) is not None


def elided(clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The known fact with the figure that the clause tells in place of its own; empty where none is meant without doubt."""
    plain = _times(numerals(fold(clause)))
    told = _TOLD.search(plain)
    if told is None:
        return []
    number, unit = told["n"] or told["n2"], _unit(told["unit"] or told["unit2"])
    up = bool(re.fullmatch(_UP, told["way"] or told["verb"] or told["verb2"] or ""))
    down = not up and (told["way"] or told["verb"] or told["verb2"]) != "调"
    rest = _NOBODY.sub(" ", plain[: told.start()] + " " + plain[told.end() :])
    found: list[tuple[Memory, re.Match[str]]] = []
    for memory in facts_of(active, owner, _ATTRIBUTES):
        known = [f for f in _FIGURE.finditer(_times(numerals(fold(memory.value)))) if not unit or _unit(f["unit"]) == unit]
        if (
            len(known) != 1
            or bool(known[0]["over"]) != bool(told["over"])
            or any(c.replaces == memory.value or mentions(c.value, number) for c in taken)
        ):
            continue
        old, new = float(known[0]["n"]), float(number)
        if not new or not old or old == new or (up and new < old) or (down and new > old) or max(old / new, new / old) > MOST:
            continue
        if rest.strip() and not shared(rest, frame(memory.source.text or "", memory)):
            continue
        found.append((memory, known[0]))
    named = [f for f in found if before and shared(fold(before), frame(f[0].source.text or "", f[0]))]
    if len(found) > 1 and len(named) != 1:
        return []
    for memory, old_figure in named or found:
        was, now = as_said(old_figure[0].strip(), memory.value), as_said(number + (told["over"] or ""), text)
        put = _put(memory.value if was in memory.value else _times(numerals(fold(memory.value))), was, old_figure, now)
        put = (
            re.sub(r"\b1 times?\b", "once", put)
            if "once" in fold(clause)
            else re.sub(r"\b2 times\b", "twice", put)
            if "twice" in fold(clause)
            else put
        )
        return [Candidate(attribute=memory.attribute, value=put, owner=memory.owner, replaces=memory.value, clause=text)]
    return []


def _times(plain: str) -> str:
    """Once and twice as the figures they are."""
    return re.sub(r"\bonce\b", "1 times", re.sub(r"\btwice\b", "2 times", plain))


def _unit(told: str | None) -> str:
    return "" if not told or told in _NO_UNIT else stem(told) if told.isascii() else told


def _put(value: str, was: str, old: re.Match[str], now: str) -> str:
    """The known value with the new figure in the old one's place, its noun in the singular after one."""
    at = value.find(was)
    if at < 0:
        at, was = old.start(), old[0].strip()
    unit = old["unit"] or ""
    after = value[at + len(was) :]
    gap = " " if unit.isascii() and unit and was[: -len(unit)].endswith(" ") else ""
    unit = unit[:-1] if now in {"1", "one"} and len(unit) > 3 and unit.endswith("s") else unit
    return f"{value[:at]}{now}{gap}{unit}{after}"
