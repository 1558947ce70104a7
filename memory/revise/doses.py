"""New figures in the words that the old ones were told in: 赖诺普利一天10毫克 … 改成20毫克 is 赖诺普利一天20毫克, never 20毫克 alone; and how often or how many
a day (改成一天三片). Pure."""

from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory
from memory.revise.forms import bare, fold, numerals
from memory.revise.hearing import as_said, facts_of
from memory.revise.parallel import frame, shared
from memory.revise.sameness import mentions

_TOLD_IN_WORDS: Final = frozenset({"habit", "health", "other", "skill", "progress"})
_N: Final = r"(?:\d+(?:[.,]\d+)*|[一二两三四五六七八九十百千万半]+)"
_UNIT: Final = r"(?:毫克|微克|千克|公斤|毫升|公里|千米|小时|分钟|单位|[克斤升米片粒颗丸支针包袋杯根瓶碗次回遍页圈组步千万块元]|(?:mcg|mg|ml|km|kg|g|k|kilos?|miles?|units?|minutes?|mins?|hours?|tablets?|pills?|puffs?|drops?|pages?|times?)\b)"
_FIGURE: Final = regex(rf"(?<![\d.:a-z])(?P<n>{_N})(?:(?P<gap> ?)(?P<unit>{_UNIT})|(?![天周月年日号点岁一-龥\d.:a-z%]))")
_ALONE: Final = regex(rf"[$£€¥]?(?P<n>{_N}) ?(?P<unit>{_UNIT})?")
_A_DAY: Final = r"(?:一天|每天|每日|一日|一周|每周|一星期|每晚)"
RATE: Final = regex(rf"(?P<per>{_A_DAY})(?P<verb>各?[吃打喝用服要抽]?)(?P<n>{_N})(?P<unit>[次回片粒颗支针包袋杯顿遍丸喷滴根])")
_OFTEN: Final = regex(
    r"(?P<n>once|twice|(?:\d|two|three|four|five|six) times|every \d+ (?:hours|days)) (?:an?|per|each|every) (?P<per>day|night|week|month)|(?P<daily>daily|nightly|weekly)\b"
)
_CHANGED: Final = regex(r"[改变换调加减增降]|现在|\b(?:now|instead|changed|switched|moved|put|up|down|cut|reduced|increased|bumped|supposed)\b")
_NOBODY: Final = regex(
    r"医生|大夫|护士|让|叫|给|把|我们?|他|她|现在|已经|最近|这次|又|才|要|得|都|了|啦|吧|成|为|到|是|[改变换调加减增降]"
    r"|\b(?:the|my|our|i|he|she|they|it|that|doctor|doc|gp|nurse|have|has|had|been|got|changed|switched|moved|put|now|instead|me|to|on|up|down|cut|take|takes|taking|supposed|just)\b|[’']\w*|[，,。！!.;；\s]"
)


def in_its_place(change: Candidate) -> Candidate:
    """The change; a bare figure stands where the old one stood, in the words that tell what it is of."""
    old = change.replaces
    if old is None or change.stance is Stance.NEGATE or change.attribute not in _TOLD_IN_WORDS:
        return change
    if (said := RATE.fullmatch(bare_end(change.value))) and (known := RATE.search(old)):
        return change.evolve(value=old[: known.start()] + said[0] + old[known.end() :], content="") if known[0] != old else change
    told = _ALONE.fullmatch(fold(bare_end(change.value)))
    if told is None or _ALONE.fullmatch(fold(old)):
        return change
    known_figures = [f for f in _FIGURE.finditer(old) if not told["unit"] or _same_unit(told["unit"], f["unit"])]
    if len(known_figures) > 1:
        named = [p.span() for p in _PART.finditer(old) if any(mentions(change.clause, w) for w in _WORD.findall(p[0]))]
        known_figures = [f for f in known_figures if len(named) == 1 and named[0][0] <= f.start() < named[0][1]]
    if not _FIGURE.search(old) and change.attribute == "health" and _TAKES.match(fold(old)):
        return change.evolve(value=f"{old} {change.value.strip()}", content="")
    if len(known_figures) != 1:
        return change
    f = known_figures[0]
    number = change.value.strip()[told.start("n") : told.end("n")]
    return change.evolve(value=f"{old[: f.start('n')]}{number}{old[f.end('n') :]}", content="")


_TAKES: Final = regex(r"(?:take|takes|taking|on|use|uses|using) [a-z-]{4,}$|[吃服用打][一-龥]{3,8}$")
"""A medicine without its dose, which the first figure told is put behind."""
_PART: Final = regex(r"(?:(?! and |,|，|、|和).)+")
_WORD: Final = regex(r"[a-z]{5,}|[一-龥]{2,}")
"""What one of several figures is of: 20mg of lisinopril and 500mg of metformin."""


def bare_end(value: str) -> str:
    return value.strip().rstrip("了啦吧。.!！")


def _same_unit(one: str, other: str | None) -> bool:
    return other is not None and one.rstrip("s") == fold(other).rstrip("s")


def rates(clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The known fact that tells how much a day, told anew so (改成一天三片, now it's twice a day); empty where none is meant without doubt."""
    found = RATE.search(clause) or _OFTEN.search(clause)
    if found is None or _CHANGED.search(f"{clause[: found.start()]} {clause[found.end() :]}") is None:
        return []
    pattern = RATE if found.re is RATE else _OFTEN
    rest = _NOBODY.sub(" ", f"{clause[: found.start()]} {clause[found.end() :]}").strip()
    pool = [m for m in active if m.attribute in _TOLD_IN_WORDS and pattern.search(fold(m.value)) and len(fold(m.value)) == len(m.value)]
    mine = facts_of(pool, owner)
    known = [(m, old) for m in mine or ([] if _FIRST.search(clause) else pool) if (old := pattern.search(fold(m.value)))]
    if rest or before:
        named = [(m, old) for m, old in known if shared(rest or fold(before), frame(m.source.text or "", m)) or (rest and mentions(m.value, rest))]
        if rest and not named:
            return []
        known = named or known
    if len(known) != 1:
        return []
    memory, old = known[0]
    if numerals(old[0]) == numerals(found[0]) or any(c.replaces == memory.value for c in taken):
        return []
    value = memory.value[: old.start()] + as_said(found[0], text) + memory.value[old.end() :]
    return (
        [Candidate(attribute=memory.attribute, value=value, owner=memory.owner, replaces=memory.value, clause=text)]
        if bare(value) != bare(memory.value)
        else []
    )


_FIRST: Final = regex(r"我|\b(?:i|my|me)\b")
_TAKEN: Final = regex(r"(?:我)?(?:在|一直|长期|现在|每天|正在)*[吃服用打](?P<what>(?!药|饭)[^，,。\d]{2,12})")


def of_what(told: Sequence[Candidate]) -> list[Candidate]:
    """The facts of a message; how much a day, told behind what is taken, is that of it: 在吃二甲双胍，一天两片."""
    out = []
    for c in told:
        thing = next(
            (m for o in told if o is not c and o.owner == c.owner and o.attribute in {"health", "habit"} and (m := _TAKEN.fullmatch(o.value))), None
        )
        alone = c.attribute == "habit" and RATE.fullmatch(c.value) is not None
        out.append(c.evolve(value=f"{thing['what']}{c.value}", content="") if alone and thing is not None else c)
    return out
