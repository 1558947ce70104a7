"""A value of a closed class takes the place of the known one: 孩子升三年级了, 现在坐地铁, they've put me on days, so just vegetarian now.

Nobody has two at a time, so naming another one in words of change is enough; what was told once, planned or denied is not. Pure.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory
from memory.revise.case import slot_of
from memory.revise.forms import bare, fold
from memory.revise.hearing import as_said, facts_of
from memory.revise.people import is_user, name_in

_TURN: Final = regex(
    r"了[，,。！!～~]*$|改|换|转|倒成|升|现在|如今|目前|开始|又|恢复"
    r"|\b(?:now|these days|so|again|back|started|starting|start(?:s|ed)?|moved|put me|switch(?:ed|ing)?|gone|went|going|became|turned|instead|just|into|up to)\b"
)
_NOW: Final = regex(r"改|换|现在|如今|目前|[每天]天|就(?:到|行)|\b(?:now|these days|every day|switch(?:ed|ing)?|instead)\b")
"""What a way of going somewhere needs to be the new way to work; a trip elsewhere is none."""
_ELSEWHERE: Final = regex(
    r"周末|(?<!上)下班(?!都|也|了|就)|[去到回](?!公司|单位|上班|学校|厂|就|了|的)[一-龥]|\bto (?!work\b|(?:the )?(?:office|school)\b|get\b)|\bhome\b"
)
_ONCE: Final = regex(
    r"今天|昨天|明天|前天|刚才|这[次周趟几两]|那次|上次|偶尔|有时|临时|暂时|破例|顺路|顺便|一次|不用"
    r"|\b(?:today|yesterday|tomorrow|this (?:morning|week|weekend|time)|tonight|last (?:night|week)|once|just this|for now|sometimes|occasionally)\b(?! (?:is|was) the)"
)
_LONG_AGO: Final = regex(r"要是|如果|别人|以前|之前|曾经|小时候|当年|那年|那时|\b(?:last year|used to|back then|when (?:i|he|she) was|ago)\b")
_DENIED: Final = regex(
    r"(?:不是?|没有?|没再|别|不想|不再|讨厌|比|像)\w{0,3}$|\b(?:not|never|no longer|n[’']t|stopped|without|for a|like a|than)(?: \w+){0,2} $"
)


@dataclass(frozen=True, slots=True)
class Class:
    name: str
    attributes: frozenset[str]
    members: tuple[re.Pattern[str], ...]
    figure: re.Pattern[str] | None
    slot: str | None
    once: bool  # whether it may be so on one day only

    def found(self, text: str) -> list[tuple[str, int, int]]:
        """(which member, where it begins and ends) for every one that the folded text names."""
        if self.figure is not None:
            return [(bare(m[0]), m.start(), m.end()) for m in self.figure.finditer(text)]
        return sorted(((str(n), m.start(), m.end()) for n, p in enumerate(self.members) for m in p.finditer(text)), key=lambda x: x[1])


@lru_cache(maxsize=1)
def classes() -> tuple[Class, ...]:
    data: dict[str, Any] = tomllib.loads(files("memory.revise").joinpath("members.toml").read_text("utf-8"))
    return tuple(
        Class(
            c["name"],
            frozenset(c["attributes"]),
            tuple(regex(m) for m in c.get("members", ())),
            regex(c["figure"]) if "figure" in c else None,
            c.get("slot"),
            c.get("once", True),
        )
        for c in data["class"]
    )


def names_member(plain: str) -> bool:
    """Whether the folded text names a value of any closed class."""
    return any(row.found(plain) for row in classes())


def another_member(
    clause: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]
) -> tuple[list[Candidate], list[Candidate]]:
    """(the known facts of a closed class told anew, the candidates that are left once those are understood)."""
    if _TURN.search(clause) is None or _LONG_AGO.search(clause):
        return [], list(taken)
    for row in classes():
        told = row.found(clause)
        if row.once and _ONCE.search(clause):
            continue
        if row.slot == "commute" and (_NOW.search(clause) is None or _ELSEWHERE.search(clause)):
            continue
        if len({t[0] for t in told}) != 1 or _DENIED.search(clause[: told[0][1]]):
            continue
        member, start, end = told[0]
        if any(c.stance is not Stance.ASSERT and row.found(fold(c.clause)) and bare(c.clause) in bare(clause) for c in taken):
            continue
        known = [m for m in _theirs(owner, active, row.attributes) if row.slot is None or slot_of(m)[0] == row.slot]
        old = next((m for m in known if (had := row.found(fold(m.value))) and member not in {h[0] for h in had}), None)
        if old is None or any(member in {h[0] for h in row.found(fold(m.value))} for m in known):
            continue
        said = as_said(clause[start:end], text)
        value = _in_place(row, old, said) if row.figure is not None else said
        left = [c for c in taken if not (bare(said) in bare(c.value) and c.attribute in row.attributes | {"plan", "event"})]
        content = (f"通勤：{value}" if re.search(r"[一-龥]", value) else f"commute: {value}") if row.slot == "commute" else ""
        return [Candidate(attribute=old.attribute, value=value, owner=old.owner, replaces=old.value, content=content, clause=text)], left
    return [], list(taken)


def _theirs(owner: str, active: Sequence[Memory], attributes: frozenset[str]) -> list[Memory]:
    """The owner's facts, also where the owner is known under a tie and a name (daughter Zoe)."""
    mine = facts_of(active, owner, attributes)
    if mine or is_user(owner):
        return mine
    return [m for m in active if m.attribute in attributes and not is_user(m.owner) and fold(owner) in fold(name_in(m.owner) or m.owner).split()]


def _in_place(row: Class, old: Memory, said: str) -> str:
    """The known value with the new member in the old one's place: 在实验小学上二年级 → 在实验小学上三年级."""
    found = row.found(fold(old.value))
    if len(fold(old.value)) != len(old.value) or not found or bare(old.value) == found[0][0]:
        return said
    _, start, end = found[0]
    return old.value[:start] + said + old.value[end:]
