"""Loose candidates beside what is known: a clause that no rule could read and that speaks of a known fact says that fact again, not a new one. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory
from memory.revise.case import slot, slot_of
from memory.revise.cues import says
from memory.revise.forms import bare, fold
from memory.revise.people import is_user, same_person
from memory.revise.sameness import content_words, mentions, negated
from memory.revise.schema import attribute

_NEAR: Final = (
    frozenset({"likes", "habit", "instruction", "skill"}),
    frozenset({"dislikes", "habit", "instruction"}),
    frozenset({"location", "hometown", "contact"}),
    frozenset({"relationship", "pet"}),
    frozenset({"occupation", "employer", "school", "skill", "progress"}),
    frozenset({"health", "allergy", "habit"}),
    frozenset({"plan", "event"}),
)
SHARE: Final = 0.3
"""How much of a loose `other` a known value must make up to be what it says again."""

_COMMON: Final = frozenset(
    "早上 早晨 清晨 中午 下午 晚上 睡前 每天 天天 每周 周末 上班 下班 现在 以前 一杯 一个 喜欢 讨厌 平时 一直 经常 今天 昨天 公司 工作 学习 时候 自己 我的 叫做".split()  # noqa: SIM905
)


def retold(candidates: Sequence[Candidate], active: Sequence[Memory]) -> list[Candidate]:
    """The candidates; a loose one that speaks of a known fact becomes that fact, or its contrary where the taste has turned."""
    told = {(c.owner, c.attribute) for c in candidates if not c.loose and attribute(c.attribute).single}
    stays = [m for m in active if (m.owner, m.attribute) not in told]  # 其实老家是南平，建瓯是我读书的地方: no hometown again
    return [_as_known(c, stays) if c.loose and c.stance is Stance.ASSERT else _denied(c, active) for c in candidates]


_NOT: Final = regex(
    r"^(?:i )?(?:don[’']t|do not|doesn[’']t|does not|never|can[’']t|cannot|can not|no longer)(?: really| ever| even| actually)? (?=[a-z])"
)


def _denied(c: Candidate, active: Sequence[Memory]) -> Candidate:
    """The candidate in the place of its own denial: I eat pork beside "don't eat pork", and the other way round."""
    if c.attribute not in {"habit", "skill"} or c.stance is not Stance.ASSERT or c.replaces is not None or c.temporary:
        return c
    told = fold(c.value)
    said = _NOT.sub("", told)
    for memory in active:
        known = fold(memory.value)
        plain = _NOT.sub("", known)
        if (
            memory.attribute == c.attribute
            and (said == told) != (plain == known)
            and bare(said) == bare(plain)
            and same_person(memory.owner, c.owner, active)
        ):
            return c.evolve(replaces=memory.value)
    return c


def _as_known(c: Candidate, active: Sequence[Memory]) -> Candidate:
    clause = fold(c.clause)
    mine = [m for m in active if same_person(m.owner, c.owner, active)]
    if says("change", clause) or says("over", clause) or says("again", clause):
        return c
    for memory in mine:
        if c.attribute in attribute(memory.attribute).opposite and mentions(clause, memory.value) and len(bare(memory.value)) > 1:
            return c.evolve(value=memory.value, loose=False)
    if c.attribute == "pet" and (pet := next((m for m in mine if m.attribute == "pet" and called(m, clause)), None)):
        aged = AGED.search(clause)
        return (
            _same_again(c, pet)
            if aged is None
            else c.evolve(value=with_age(pet.value, aged[0]), stance=Stance.CORRECT, replaces=pet.value, loose=False)
        )
    for memory in mine:
        if (_near(c.attribute, memory.attribute) or _fills(c, memory)) and len(bare(memory.value)) > 1 and mentions(clause, memory.value):
            return _same_again(c, memory)
    for memory in mine:
        if (
            c.attribute == memory.attribute == "habit"
            and len(core := activity(memory.value)) > 1
            and core in bare(clause)
            and negated(clause) == negated(memory.value)
        ):
            return _same_again(c, memory)
    for memory in mine:
        if not (_near(c.attribute, memory.attribute) or c.attribute == "other") or (attribute(memory.attribute).exact and not shared(clause, memory)):
            continue  # what shares no word with a place or a name does not say it again
        name, one = slot_of(memory)
        if name and one == "always" and not re.search(r"\d", clause) and not name.startswith("tie") and memory.attribute not in {"plan", "event"}:
            told, _ = slot(memory.attribute, c.value, c.content, c.clause)
            if told == name and not _contrary(c, memory, name):
                return _same_again(c, memory)
    return c


_CALLED: Final = regex(r"叫(?:做)?(?P<name>[^，,。（）\s]{1,8})")
AGED: Final = regex(r"(?:\d{1,2}|[一两二三四五六七八九十半]{1,3})(?:岁半?|个半?月大?)")


def name_of_animal(memory: Memory) -> str:
    """What the animal is called: 豆包 of 橘猫，叫豆包, else the value itself."""
    named = _CALLED.search(memory.value)
    return named["name"] if named is not None else memory.value


def called(memory: Memory, clause: str) -> bool:
    """Whether the clause calls the animal by its name: 橘猫，叫豆包."""
    name = name_of_animal(memory)
    return 1 < len(name) <= 4 and not re.search(r"[猫狗犬鸟鱼龟兔鼠]|\d", name) and fold(name) in clause and not name.isascii()


def with_age(value: str, age: str) -> str:
    """An animal's fact with its age, in place of an older one."""
    return AGED.sub(age, value) if AGED.search(value) else f"{value}，{age}"


_ROUTINE: Final = regex(
    r"每(?:天|日|早|晚|周|个?月|年)(?:早上|晚上|中午|下午|傍晚|清晨)?|天天|早上|早晨|清晨|中午|下午|傍晚|晚上|睡前|饭后|周末|平时|一般|通常|经常|习惯|都会?|总会?|要|我|"
    r"(?:去|在|到)(?:公园|江边|河边|湖边|海边|小区|楼下|健身房|操场|学校|广场|家里?|单位|公司|图书馆|球馆|泳池|体育馆)(?:里|边)?|去"
)


def activity(value: str) -> str:
    """What is done in a Chinese habit, without when and where: 每天早上去公园打太极 → 打太极."""
    plain = bare(value)
    return "" if plain.isascii() or re.search(r"\d", plain) else _ROUTINE.sub("", plain)


def _near(one: str, other: str) -> bool:
    return one == other or any({one, other} <= group for group in _NEAR)


def _fills(c: Candidate, memory: Memory) -> bool:
    """Whether a loose `other` is for the better part the known value."""
    return c.attribute == "other" and memory.attribute not in {"plan", "event"} and len(bare(memory.value)) >= SHARE * len(bare(c.value))


def _same_again(c: Candidate, memory: Memory) -> Candidate:
    return c.evolve(attribute=memory.attribute, value=memory.value, owner=memory.owner, content=memory.content, time=None, loose=False)


def _contrary(c: Candidate, memory: Memory, name: str) -> bool:
    facet = attribute(memory.attribute).named(name)
    if facet is not None and facet.poles:
        new, old = facet.pole(c.value), facet.pole(memory.value)
        return new is None or old is None or new != old
    return negated(c.value) != negated(memory.value) or not (shared(c.clause, memory) or facet is not None)


def shared(text: str, memory: Memory) -> bool:
    """Whether the text names what the fact is about: its value, or a telling part of it (早上一杯美式 → 美式, drink three cups of coffee → coffee)."""
    if not is_user(memory.owner) and not text:
        return False
    plain, value = bare(text), bare(memory.value)
    if not value or not plain:
        return False
    if value in plain or mentions(text, memory.value):
        return True
    if value.isascii():
        words = {w for w in content_words(memory.value) if len(w) > 3 and not w.isdigit()} - _DULL
        return bool(words & content_words(text))
    runs = {value[i : i + n] for n in (4, 3, 2) for i in range(len(value) - n + 1)}
    return any(r in plain for r in runs if not any(r in w or w in r for w in _COMMON) and re.fullmatch(r"[\u4e00-\u9fff]+|[a-z0-9]{3,}", r))


_DULL: Final = frozenset(
    "morn even everi each week weekday weekend daili drink work walk drive ride have live like love take make play read watch cup time year month hour minut pound euro dollar".split()  # noqa: SIM905
)
