"""What a message says about facts that are known already: that they are over, have another value, or came true.

A judge sees the message alone; 他上个月辞职了, 那只鸟飞走了 and 体检改到后天了 only mean something beside what is known. Patterns (notice.toml) are loose on
purpose: a candidate comes out only when a known fact is meant without doubt. Pure.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from memory.judge.judgement import Candidate, Stance
from memory.record import USER, Memory, Status
from memory.revise.case import slot, slot_of
from memory.revise.cues import says
from memory.revise.forms import bare, fold, numerals, quantity
from memory.revise.people import gender_of_pronoun, is_user, names_in, relation, relations_in, same_person, whom
from memory.revise.referents import is_bare, kind_covers, meant, noun_of, points
from memory.revise.sameness import Same, mentions, same
from memory.revise.schema import attribute
from memory.revise.tidy import admits
from memory.revise.topics import topic

Resolve = Callable[[str], str | None]
"""An expression of time in a text → its ISO date, worked out from the message's time."""

_CLAUSE: Final = re.compile(r"[^，,。；;！!？?\n]+[，,。；;！!？?\n]*")
_UNSURE: Final = re.compile(
    r"打算|准备|想(?!不)|考虑|计划|可能|也许|要不要|会不会|如果|要是|万一|差点|几乎|希望|梦见|[吗么][？?]?$|[？?]|"
    r"\b(?:will|going to|want(?:s|ed)? to|plan(?:ning)? to|might|may|thinking (?:of|about)|hope|if|should i|almost|nearly|would|dreamt?|about to)\b"
)
_DENIED: Final = re.compile(r"(?:没有?|未|不会|别|并非|不是|还没)$|\b(?:not|never|haven[’']t|hasn[’']t|didn[’']t|wasn[’']t|isn[’']t)\s*$")
_FILL: Final = re.compile(
    r"^(?:我(?:家|们)?的?|我|把|将|就|也|都|又|才|终于|后来|结果|原来|本来|之前|(?:(?:the|my|our|and|but|so|i|we|finally|just|sadly)\b|i[’']ve|we[’']ve))\s*"
)


@dataclass(frozen=True, slots=True)
class _End:
    attributes: frozenset[str]
    pattern: re.Pattern[str]
    only: bool
    slot: str | None
    people: bool


@dataclass(frozen=True, slots=True)
class _Change:
    pattern: re.Pattern[str]
    across: bool
    attributes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Table:
    ends: tuple[_End, ...]
    changes: tuple["_Change", ...]
    done: re.Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data: dict[str, Any] = tomllib.loads(files("memory.revise").joinpath("notice.toml").read_text("utf-8"))
    ends = tuple(
        _End(frozenset(e["attributes"]), re.compile(e["pattern"]), e.get("only", False), e.get("slot"), e.get("people", False)) for e in data["end"]
    )
    return _Table(
        ends,
        tuple(_Change(re.compile(c["pattern"]), c.get("across", False), frozenset(c.get("attributes", ()))) for c in data["change"]),
        re.compile("|".join(d["pattern"] for d in data["done"])),
    )


def tells(text: str) -> bool:
    """Whether the text holds anything that could touch a known fact: cheap, and true too often rather than too seldom."""
    plain = fold(text[:2000])
    table = _table()
    patterns = [*(e.pattern for e in table.ends), *(c.pattern for c in table.changes), table.done, _INSTEAD, _RETURN]
    return any(p.search(plain) for p in patterns) or quantity(plain) is not None


def notice(
    text: str, known: Sequence[Memory], candidates: Sequence[Candidate], *, now: datetime, resolve: Resolve = lambda _: None
) -> list[Candidate]:
    """What `text` says about the `known` facts beside the `candidates` that a judge found in it already.

    The result holds the given candidates, some with the old value they replace filled in, and after them what was noticed.
    """
    active = sorted(
        (m for m in known if m.status is Status.ACTIVE and m.recorded_at <= now), key=lambda m: (m.updated_at, m.recorded_at), reverse=True
    )
    if not active or not text:
        return list(candidates)
    found: list[Candidate] = []
    introduced = [c.value for c in candidates if c.attribute == "relationship" and is_user(c.owner) and relation(c.value) is None]
    taken = [_whose(c, text, active, introduced) for c in candidates]
    owner, before = USER, ""
    for clause in _clauses(text):
        owner = _subject(clause, owner, active)
        if not _UNSURE.search(clause):
            object_ = USER if re.search(r"\b(?:me|my)\b|[给让帮把]我|我的", clause) or not _somebody(owner) else owner
            changed, taken = _changes(clause, before, text, object_, active, taken, resolve)
            changed = changed or _instead(clause, before, text, active, taken, now)
            changed = changed or _back(clause, text, object_, known, taken)
            found += changed
            if not changed:
                found += _ages(clause, text, active, [*taken, *found])
                found += _amounts(clause, text, object_, active, [*taken, *found])
                over = _ends(clause, before, text, owner, active, [*taken, *found])
                taken = [c for c in taken if not (c.attribute == "event" and any(o.attribute == "plan" and topic(o.value, c.value) for o in over))]
                found += over
                found += _done(clause, text, owner, active, [*taken, *found], now)
        before = clause
    return [*taken, *_once(found)]


def _whose(candidate: Candidate, text: str, active: Sequence[Memory], introduced: Sequence[str]) -> Candidate:
    """The candidate under its right owner, where only what is known tells: 乐乐…，6岁了 is 乐乐's age; a date of the user's plan stays the user's."""
    clause = fold(candidate.clause)
    if is_user(candidate.owner) and candidate.attribute in _PERSONAL and not re.search(r"我|\b(?:i|my|me|we)\b", clause):
        at = fold(text).find(clause)
        until = fold(text)[: at + len(clause)] if at >= 0 else clause
        named = names_in(until, active) + [n for n in introduced if fold(n) in until]
        before = fold(text)[:at] if at > 0 else ""
        if named and not re.search(r"(?<!是)我(?!们)|\b(?:i|i[’']m)\b", before):
            return candidate.evolve(owner=named[-1])
    if not is_user(candidate.owner) and candidate.attribute in {"plan", "event"} and not names_in(clause, active) and not relations_in(clause):
        mine = [
            m for m in _pool(active, USER, frozenset({"plan", "event"})) if mentions(f"{m.value} {m.content} {m.source.text or ''}", candidate.value)
        ]
        if mine:
            return candidate.evolve(owner=USER)
    return candidate


_PERSONAL: Final = frozenset({"age", "birthday", "location", "employer", "occupation", "school", "health", "allergy", "likes", "dislikes", "habit"})


def _clauses(text: str) -> Iterator[str]:
    yield from (c.strip() for c in _CLAUSE.findall(fold(text[:2000])) if c.strip())


def _once(found: Sequence[Candidate]) -> list[Candidate]:
    seen: dict[tuple[str, str, str, Stance], Candidate] = {}
    for c in found:
        seen.setdefault((c.owner, c.attribute, bare(c.value), c.stance), c)
    return list(seen.values())


def _subject(clause: str, carried: str, active: Sequence[Memory]) -> str:
    """Whose doing the clause tells: a person it names, one a pronoun means, else the user; a clause without a subject keeps the last one."""
    names = names_in(clause, active)
    if names:
        return names[0]
    ties = relations_in(clause)
    if ties:
        return ties[0][1].words[0]
    found = re.match(r"(?:后来|现在|最近|and |but )?(他们|她们|他|她|(?:he|she|they)\b)", clause)
    if found and gender_of_pronoun(found[1]) != "":
        return whom(found[1], [], active) or found[1]
    if re.match(r"我|i\b|i[’']|my\b|we\b", clause):
        return USER
    return carried if carried != USER else USER


def _somebody(owner: str) -> bool:
    """Whether the subject is a person at all: "they" without anybody in mind is nobody."""
    return fold(owner) not in {"they", "他们", "她们"}


def _pool(active: Sequence[Memory], owner: str, attributes: frozenset[str] | None = None) -> list[Memory]:
    return [m for m in active if (attributes is None or m.attribute in attributes) and same_person(m.owner, owner, active)]


# it is over


def _ends(clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    out: list[Candidate] = []
    for row in _table().ends:
        for found in row.pattern.finditer(clause):
            if _DENIED.search(clause[: found.start()]):
                continue
            what = next((g for name, g in found.groupdict().items() if name.startswith("what") and g is not None), "")
            whose = USER if row.attributes == {"relationship"} or not _somebody(owner) else owner
            pool = [m for m in _pool(active, whose, row.attributes) if row.slot is None or slot_of(m)[0] == row.slot]
            if row.people:
                pool = [m for m in active if m.attribute in row.attributes and not is_user(m.owner) and mentions(what, m.owner)]
            for memory in _named(_trim(what), before, row, pool, whole=clause):
                if not any(_covers(c, memory) for c in taken):
                    out.append(_over(memory, text))
    return out


_WHEN: Final = re.compile(
    r"昨天|今天|前天|前几天|前阵子|上个?月|上上?周末?|上?个?星期|去年|前年|最近|刚刚|今[早晚年]|昨晚|早就|早已|已经|\b(?:yesterday|today|recently|last (?:week|month|year|night))\b"
)


def _trim(what: str) -> str:
    """The thing itself: without whose it is, when it happened, and filling words."""
    what = _WHEN.sub(" ", what)
    for at, tie in relations_in(what):
        word = next((w for w in sorted(tie.words, key=len, reverse=True) if fold(what)[at:].startswith(w)), "")
        what = what.replace(word, " ", 1) if word and len(bare(what)) > len(word) else what
    previous = None
    while previous != what:
        previous, what = what, _FILL.sub("", what.strip())
    return re.sub(
        r"(?:都|也|已经|已|的|给|就|全|了)+$| (?:completely|altogether|entirely|totally|for good|for ever|forever|at last|finally)$", "", what
    ).strip()


def _named(what: str, before: str, row: _End, pool: Sequence[Memory], *, whole: str) -> list[Memory]:
    """Which facts of the pool the words mean: by name, else by what they point at, else the only one where that is safe."""
    if not pool:
        return []
    if row.people:
        return list(pool[:1])
    alike = {Same.EQUAL, Same.CLOSE}
    named = [
        m
        for m in pool
        if what
        and (
            same(m.attribute, what, m.value) in alike
            or mentions(what, m.value)
            or mentions(whole, m.value)
            or (len(bare(what)) > 1 and mentions(m.value, what))
        )
    ]
    if not named and "plan" in row.attributes:
        named = [m for m in pool if topic(m.value, whole)][:1]
    if named:
        return named
    core = noun_of(what)
    if what and not is_bare(what):
        told = [m for m in pool if len(bare(core)) > 1 and core and (mentions(m.content, core) or mentions(m.source.text or "", core))]
        if told:
            return told[:1]
        found = meant(what, pool[0].attribute, pool) if points(what) or len(core) <= 4 or core.isascii() else []
        return found[:1] if found and _by_kind(core, found[0]) else (list(pool[:1]) if row.only else [])
    if row.only:
        return list(pool[:1])
    if is_bare(what) and what:
        return list(pool[:1])
    spoken = [m for m in pool if before and mentions(before, m.value)]
    return spoken[:1] or (list(pool) if len(pool) == 1 and row.attributes & {"possession", "relationship", "pet"} and len(bare(whole)) <= 8 else [])


def _by_kind(core: str, memory: Memory) -> bool:
    """Whether a definite noun may stand for the fact: what it names is said in it, or of its kind."""
    return bool(meant(core, memory.attribute, [memory])) and (mentions(memory.content, core) or bool(_kind_of(core, memory)))


def _kind_of(core: str, memory: Memory) -> bool:
    facet = attribute(memory.attribute).named(slot_of(memory)[0])
    return bool(facet and facet.words and facet.words.search(core)) or kind_covers(core, memory)


def _covers(candidate: Candidate, memory: Memory) -> bool:
    """Whether a judge's candidate deals with this fact already."""
    if candidate.attribute != memory.attribute and candidate.stance is Stance.ASSERT:
        return False
    if candidate.replaces and same(memory.attribute, candidate.replaces, memory.value) is not Same.DIFFERENT:
        return True
    alike = same(memory.attribute, candidate.value, memory.value) in {Same.EQUAL, Same.CLOSE} if candidate.value else False
    return alike and same_person(candidate.owner, memory.owner, [])


def _over(memory: Memory, text: str) -> Candidate:
    return Candidate(
        attribute=memory.attribute, value=memory.value, owner=memory.owner, stance=Stance.NEGATE, clause=text, importance=memory.importance
    )


# another value


def _changes(
    clause: str, before: str, text: str, owner: str, active: Sequence[Memory], candidates: Sequence[Candidate], resolve: Resolve
) -> tuple[list[Candidate], list[Candidate]]:
    """Known facts whose value the clause changes; a judge's candidate for the new value learns what it replaces."""
    for row in _table().changes:
        told = f"{before} {clause}" if row.across and before else clause
        found = row.pattern.search(told)
        if found is None or _DENIED.search(told[: found.start()]):
            continue
        groups = found.groupdict()
        what, old = _trim(groups.get("what") or ""), (groups.get("old") or "").strip()
        new = (groups.get("new") or groups.get("new2") or "").strip()
        if row.attributes:
            memory = next((m for m in _pool(active, owner, row.attributes) if not is_user(m.owner)), None)
        else:
            memory = _changed(what, old, new, _pool(active, owner), resolve)
        if memory is None or (row.pattern.pattern.startswith("^") and resolve(new) is None):
            continue
        judged = [c for c in candidates if c.value and (mentions(new, c.value) or mentions(c.value, new) or (c.time and c.time == resolve(new)))]
        when = resolve(new)
        if memory.attribute in {"plan", "event"} and when is not None:
            kept = [c for c in candidates if c not in judged and not (c.attribute == "event" and topic(memory.value, c.value))]
            return [Candidate(attribute=memory.attribute, value=memory.value, owner=memory.owner, time=when, clause=text)], kept
        if judged:
            return [], [
                c.evolve(replaces=memory.value)
                if c in judged and c.replaces is None and c.attribute == memory.attribute and not _alike(c, memory)
                else c
                for c in candidates
            ]
        if memory.attribute in {"plan", "event"}:
            continue
        value = _value_of(new, memory)
        if value is None:
            continue
        said = _as_said(value, text)
        return [Candidate(attribute=memory.attribute, value=said, owner=memory.owner, replaces=memory.value, clause=text)], list(candidates)
    return [], list(candidates)


_INSTEAD: Final = re.compile(
    r"(?:应该是|其实是|说错了?[，,]?是|正确的?是|我是说|我的意思是|想说的是)(?P<v>[^，,。；;！!]{1,24})|\b(?:i meant(?: to say)?|should (?:be|have been)|i should have said|make that|rather,?) (?P<v2>[^,!?;]{2,40})"
)
_IT_IS: Final = re.compile(r"^(?:而)?是(?P<v>[^，,。；;！!]{1,24})|^it(?:[’']s| is) (?P<v2>[^,!?;]{2,40})")
RECENT: Final = timedelta(days=7)
"""How long after a fact was said a correction that names no attribute may still mean it."""
ALIKE: Final = 0.4
"""difflib ratio from which a correcting value looks like the value it corrects (Fernhill School / Fernwood School is .87, a name and a city .2)."""


def _instead(clause: str, before: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """A correction that gives the right value and nothing else: it means the latest fact that looks like it."""
    found = _INSTEAD.search(clause) or (_IT_IS.match(clause) if admits(before) else None)
    if found is None or any(c.stance is Stance.CORRECT for c in taken):
        return []
    new = re.sub(r"[.。]$|(?:才对|吧|啊|呀|哈)$", "", next(g for g in found.groups() if g).strip()).strip()
    for memory in active:
        named = bool(before) and mentions(before, memory.value)
        if now - memory.updated_at > RECENT and not named:
            continue
        alike = named or SequenceMatcher(None, bare(new), bare(memory.value), autojunk=False).ratio() >= ALIKE
        if alike and same(memory.attribute, new, memory.value) is not Same.EQUAL and not any(mentions(c.value, new) for c in taken if c.value):
            said = _as_said(new, text)
            return [Candidate(attribute=memory.attribute, value=said, owner=memory.owner, stance=Stance.CORRECT, replaces=memory.value, clause=text)]
    return []


_RETURN: Final = re.compile(
    r"(?:换|改|搬|调|转|用|回|请)(?:回|到)(?:了|去|来)?(?P<v>[^，,。；;！!]{1,20})|\b(?:back (?:to|at|in|with|on)|again[^,.]{0,10} (?:at|in|with)|returned to) (?P<v2>[^,.!?;]{1,40})|(?P<v3>[^,.!?;:]{2,40}?) again\b"
)


def _back(clause: str, text: str, owner: str, known: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A value that was true before and is true again: 换回X, back at X."""
    found = _RETURN.search(clause)
    if found is None:
        return []
    said = next(g for g in found.groups() if g).strip()
    newest = sorted(known, key=lambda m: (m.updated_at, m.recorded_at), reverse=True)
    for memory in (m for m in newest if m.status is Status.SUPERSEDED and same_person(m.owner, owner, known)):
        row = attribute(memory.attribute)
        slot = slot_of(memory)
        current = [m for m in newest if m.status is Status.ACTIVE and m.attribute == memory.attribute and slot_of(m)[0] == slot[0]]
        spoken = mentions(said, memory.value) or (len(bare(said)) > 1 and mentions(memory.value, re.sub(r"[了。.]+$", "", said)))
        if not spoken or any(_covers(c, memory) for c in taken) or not (row.single or (slot[0] and current)):
            continue
        if any(same(memory.attribute, m.value, memory.value) is Same.EQUAL for m in current):
            continue
        replaced = current[0].value if current else None
        return [Candidate(attribute=memory.attribute, value=memory.value, owner=memory.owner, replaces=replaced, content=memory.content, clause=text)]
    return []


def _alike(candidate: Candidate, memory: Memory) -> bool:
    return same(memory.attribute, candidate.value, memory.value) in {Same.EQUAL, Same.CLOSE}


def _changed(what: str, old: str, new: str, pool: Sequence[Memory], resolve: Resolve) -> Memory | None:
    """The fact that gets a new value: by its old value, by its name, or by what kind of thing it is."""
    if old:
        by_old = [m for m in pool if same(m.attribute, old, m.value) in {Same.EQUAL, Same.CLOSE}]
        if by_old:
            return by_old[0]
    core = noun_of(what)
    if not core or is_bare(core):
        return _in_slot(new, pool)
    dated = resolve(new) is not None
    kinds = [m for m in pool if (m.attribute in {"plan", "event"}) == dated or m.attribute in {"birthday"}]
    named = [m for m in kinds if mentions(core, m.value) or (len(bare(core)) > 1 and mentions(m.value, core))]
    slots = [m for m in kinds if (f := attribute(m.attribute).named(slot_of(m)[0])) is not None and f.words is not None and f.words.search(core)]
    told = [m for m in kinds if dated and len(bare(core)) > 1 and mentions(f"{m.content} {m.source.text or ''}", core)]
    return next(iter([*named, *slots, *told]), None) or (_in_slot(new, pool) if core in _SELVES else None)


_SELVES: Final = frozenset({"them", "they", "me", "公司", "领导", "老板", "单位", "boss", "work"})


def _in_slot(new: str, pool: Sequence[Memory]) -> Memory | None:
    """The fact whose slot the new value fills, when nothing else says what changed: 改成中文 is about the language."""
    value = re.sub(r"(?:了|吧|啦|哦|please|now|this \w+|last \w+)$", "", new).strip()
    for memory in pool:
        name, one = slot_of(memory)
        if name and one and slot(memory.attribute, value, value, value)[0] == name and same(memory.attribute, value, memory.value) is Same.DIFFERENT:
            return memory
    return None


def _value_of(new: str, memory: Memory) -> str | None:
    """The new value as it was said, if it can stand where the old one stood."""
    value = re.sub(r"(?:了|吧|啦|哦|的)$|\b(?:now|instead|today|yesterday|last \w+)$", "", new).strip()
    if not value or len(value) > 40 or (quantity(memory.value) and not re.search(r"\d", numerals(value))):
        return None
    return value


# another amount

_AGE: Final = re.compile(
    r"(?P<n>\d{1,3}|[一二三四五六七八九十]{1,3})(?:周)?岁|\b(?:turned|turns|turning|is|[’']s|now|just turned) (?P<n2>\d{1,3})(?= (?:today|now|yesterday|on|last|this|already|years)|[.,!]|$)|(?P<n3>\d{1,3})(?:st|nd|rd|th) birthday"
)


def _ages(clause: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A known person (or the user) has another age: 乐乐11岁了, Gran turned 89, had my 31st birthday."""
    found = _AGE.search(clause)
    if (
        found is None
        or any(c.attribute == "age" for c in taken)
        or re.search(r"下|明|快|即将|要|\b(?:next|soon|will|coming up|i[’']ll|tomorrow)\b", clause)
    ):
        return []
    owner = _subject(clause, "", active) or (USER if re.search(r"\bmy \d|我", clause) else "")
    known = next((m for m in active if m.attribute == "age" and owner and same_person(m.owner, owner, active)), None)
    said = next(g for g in found.groups() if g)
    if known is None or quantity(f"{said}岁") == quantity(f"{known.normal or known.value}岁"):
        return []
    value = f"{said}岁" if found["n"] else said
    return [Candidate(attribute="age", value=value, owner=known.owner, normal=int(numerals(said)), clause=text)]


_PACE: Final = re.compile(r"\b(?:up to|down to|now|these days)\b|现在|改成|加到|减到|涨到|降到|提高到")
_MEASURED: Final = re.compile(r"\d+(?:\.\d+)?\s*(?:[a-zμ]+|[\u4e00-\u9fff]{1,2})?\d{0,2}")


def _amounts(clause: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A known amount (weight, dose, rent) told anew by its unit and slot."""
    plain = numerals(clause)
    amount = quantity(plain)
    for memory in _pool(active, owner, frozenset({"health", "other", "habit"})):
        name, one = slot_of(memory)
        known = quantity(memory.value)
        facet = attribute(memory.attribute).named(name) or attribute("other").named(name) or attribute("health").named(name)
        dosed = memory.attribute == "habit" and amount is not None and known is not None and amount.kind == "mass"
        paced = (
            memory.attribute == "habit" and amount is not None and known is not None and amount.kind == known.kind and _PACE.search(plain) is not None
        )
        facet = facet or (attribute("health").named("dose") if dosed else None)
        if paced:
            span = next(
                (
                    m[0].strip()
                    for m in _MEASURED.finditer(plain)
                    if (q := quantity(m[0])) is not None and amount is not None and q.kind == amount.kind
                ),
                None,
            )
            if span and same("habit", span, memory.value) is Same.CONFLICT and not any(mentions(c.value, span) for c in taken):
                return [Candidate(attribute="habit", value=_as_said(span, text), owner=memory.owner, replaces=memory.value, clause=text)]
            continue
        if facet is None or (one != "always" and not dosed) or any(quantity(c.value) and slot_name(c) == name for c in taken):
            continue
        if amount and known and amount.kind == known.kind:
            span = next((m[0].strip() for m in _MEASURED.finditer(plain) if (q := quantity(m[0])) is not None and q.kind == amount.kind), None)
            worded = bool(facet.words and facet.words.search(plain)) or bool(re.search(r"(?:加|减|升|降|涨|调|提|改)到", plain))
            same_slot = worded or bool(facet.value and span and facet.value.search(span) and _alone(span, plain))
        elif known is None and amount is None and facet.words and facet.words.search(plain) and re.search(r"\d", memory.value):
            span = next((m[0] for m in re.finditer(r"\d+(?:\.\d+)?", plain)), None)
            same_slot = span is not None
        else:
            continue
        if span and same_slot and same(memory.attribute, span, memory.value) is not Same.EQUAL:
            return [Candidate(attribute=memory.attribute, value=_as_said(span, text), owner=memory.owner, replaces=memory.value, clause=text)]
    return []


def _alone(span: str, plain: str) -> bool:
    """Whether the amount stands for itself: 71公斤 at the end, or each night; not 5公斤苹果, and nothing bought, eaten or carried."""
    at = plain.find(span)
    before, after = plain[:at], plain[at + len(span) :]
    return bool(re.match(r"[\s\W]*(?:$|了|啦|each|every|a day|per|daily|at night|now|这个?|每)", after)) and not re.search(
        r"[买卖吃喝跑走搬扛举带用花送寄称]了?$|\b(?:bought|ate|ran|carr\w+|lift\w*|sold|of)\b", before
    )


def slot_name(candidate: Candidate) -> str:
    """The slot of a candidate inside its attribute."""
    return attribute(candidate.attribute).facet(candidate.value, candidate.content, candidate.clause)[0]


def _as_said(span: str, text: str) -> str:
    """The folded span in the user's own spelling, where the text still has it."""
    at = text.casefold().find(span)
    return text[at : at + len(span)] if at >= 0 and len(text.casefold()) == len(text) else span


# it came true


def _done(clause: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    if not _table().done.search(clause) or says("unreal", clause):
        return []
    for plan in _pool(active, owner, frozenset({"plan"})):
        if plan.recorded_at >= now or any(c.attribute in {"event", "relationship", "employer", "location", "school", "possession"} for c in taken):
            continue
        if topic(plan.value, clause):
            value = _event_of(clause, text)
            return [Candidate(attribute="event", value=value, owner=plan.owner, time=now.date().isoformat(), replaces=plan.value, clause=text)]
    return []


def _event_of(clause: str, text: str) -> str:
    trimmed = re.sub(r"[，,。；;！!？?\s]+$", "", clause)
    at = fold(text).find(trimmed)
    return text[at : at + len(trimmed)] if at >= 0 and len(fold(text)) == len(text) else trimmed
