"""Another value of something known: 手机换成了…, the interview moved to Friday, 又换回…."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.clauses import fold as lined
from memory.judge.judgement import Candidate, Stance
from memory.judge.zh.times import LUNAR, moments
from memory.pattern import regex
from memory.record import CATEGORIES, USER, Memory, Status
from memory.revise.case import slot, slot_of
from memory.revise.clocks import ONLY_CLOCK
from memory.revise.cues import says
from memory.revise.forms import UNITS, bare, fold, numerals, quantity
from memory.revise.hearing import DENIED, Resolve, as_said, covers, facts_of, in_its_words, subject_of, table, trimmed
from memory.revise.people import is_user, relation_in, same_person
from memory.revise.referents import is_bare, kind_covers, noun_of
from memory.revise.retold import shared
from memory.revise.sameness import Same, abridged, mentions, same
from memory.revise.schema import attribute
from memory.revise.tidy import admits
from memory.revise.topics import topic
from memory.revise.used import name_used, tool_for


def changes(
    clause: str, before: str, text: str, owner: str, active: Sequence[Memory], candidates: Sequence[Candidate], tell: Resolve
) -> tuple[list[Candidate], list[Candidate]]:
    """Known facts whose value the clause changes; a judge's candidate for the new value learns what it replaces."""

    def resolve(expression: str) -> str | None:
        return None if _WEEKLY.search(expression) else tell(expression)  # Thursdays are no day

    for row in table().changes:
        told = f"{before} {clause}" if row.across and before else clause
        found = row.pattern.search(told)
        if found is None or DENIED.search(told[: found.start()]):
            continue
        groups = found.groupdict()
        what, old = trimmed(groups.get("what") or ""), (groups.get("old") or "").strip()
        new = _LASTED.sub("", (groups.get("new") or groups.get("new2") or "").strip().rstrip(".!"))
        if new[-1:].isdigit() and (more := re.search(re.escape(new) + r"(?:,\d{3})+[^,.;!?]*", told)) is not None:
            new = more[0].strip()  # 1,050 a month is no 1
        if row.attributes:
            told_of = subject_of(clause, USER, active)
            if is_user(owner) and row.own and not is_user(told_of):
                continue  # my brother got promoted
            own = row.own and not any(c.attribute in row.attributes for c in candidates)
            memory = next((m for m in facts_of(active, owner, row.attributes) if own or not is_user(m.owner)), None)
        else:
            pool = facts_of(active, owner)
            memory = _changed(what, old, new, pool, resolve) or _spoken_of(what, before, new, pool, resolve)
            if memory is None and what and not is_user(owner) and resolve(new) is not None:
                memory = _changed(what, old, new, facts_of(active, USER, frozenset({"plan", "event"})), resolve)  # the user's plan with that person
            if memory is None and (named := _named_beside(what, new, clause, text, pool)) is not None:
                memory, word = named
                said = as_said(_value_of(new, memory) or new, text)
                value = re.sub(re.escape(word), said.replace("\\", ""), memory.value, count=1, flags=re.IGNORECASE)
                left = [c for c in candidates if not (mentions(new, c.value) or mentions(c.value, new))]
                return [Candidate(attribute=memory.attribute, value=value, owner=memory.owner, replaces=memory.value, clause=text)], left
        if memory is None or (row.pattern.pattern.startswith("^") and resolve(new) is None):
            continue
        judged = [
            c
            for c in candidates
            if c.value
            and not c.loose
            and bare(c.value) != bare(clause)
            and (mentions(new, c.value) or mentions(c.value, new) or (c.time and c.time == resolve(new)))
        ]
        judged = [] if row.own else judged
        misread = [c for c in judged if c.stance is Stance.NEGATE and new and mentions(c.value, new)]
        name = slot_of(memory)[0]
        if name and memory.attribute in _PROPERTIES and not any(c.attribute == memory.attribute for c in judged):
            filled = slot(memory.attribute, new, new, new)[0] == name
            misread += [c for c in judged if filled and c not in misread]
        candidates = [c for c in candidates if c not in misread]
        judged = [c for c in judged if c not in misread]
        guessed = [c for c in judged if c.attribute in _GUESSED and c.attribute != memory.attribute]
        if guessed and len(guessed) == len(judged) and len(bare(noun_of(what))) > 1 and not is_bare(noun_of(what)):
            new, judged = guessed[0].value, []  # switched banks, I'm with …: what kind of thing it is was said
            candidates = [c for c in candidates if c not in guessed]
        when = resolve(new)
        if when is not None and memory.attribute in _NO_DAYS:
            continue  # 改到下周日了 moves no home
        if memory.attribute in {"plan", "event"} and (when is not None or LUNAR.match(new)):
            kept = [c for c in candidates if c not in judged and not (c.attribute == "event" and topic(memory.value, c.value))]
            stance = Stance.CORRECT if admits(text) else Stance.ASSERT
            value = with_day(memory.value, new.rstrip("了吧啦 "))
            return [
                Candidate(attribute=memory.attribute, value=value, owner=memory.owner, time=when, stance=stance, replaces=memory.value, clause=text)
            ], kept
        if judged and memory.attribute in _PROPERTIES and not any(c.attribute == memory.attribute for c in judged):
            over = Candidate(attribute=memory.attribute, value=memory.value, owner=memory.owner, stance=Stance.NEGATE, clause=text)
            return [over], list(candidates)
        if judged:
            return [], [
                c.evolve(replaces=memory.value, attribute=memory.attribute)
                if c in judged and c.replaces is None and {c.attribute, memory.attribute} in _ONE_KIND and not _alike(c, memory)
                else c
                for c in candidates
            ]
        if memory.attribute in {"plan", "event"}:
            continue
        spoken = _value_of(new, memory)
        if spoken is None or (memory.attribute == "relationship" and (not _A_NAME.match(spoken) or _POSTED.search(found[0]))):
            continue
        said = as_said(spoken, text)
        left = [c for c in candidates if bare(c.value) != bare(clause)]
        value, content = (
            (memory.value.replace(used, said, 1), "") if (used := name_used(memory)) and used != memory.value else (said, in_its_words(memory, said))
        )
        return [Candidate(attribute=memory.attribute, value=value, owner=memory.owner, replaces=memory.value, content=content, clause=text)], left
    return [], list(candidates)


def _spoken_of(what: str, before: str, new: str, pool: Sequence[Memory], resolve: Resolve) -> Memory | None:
    """The fact that the clause before is about, for a change that names none itself (力健倒闭了，我转到…; 航班取消，给我改签到…)."""
    if what and not is_bare(noun_of(what)) and len(bare(what)) > 3:
        return None
    dated = resolve(new) is not None
    kinds = [m for m in pool if (m.attribute in {"plan", "event"}) == dated and m.attribute not in {"event", "relationship", "name", "birthday"}]
    if not dated and not what and not before and pool and not is_user(pool[0].owner):
        theirs = [m for m in kinds if m.attribute in {"school", "skill", "progress", "occupation", "likes", "habit"}]
        return theirs[0] if len(theirs) == 1 else None
    told = [m for m in kinds if before and (shared(before, m) or (dated and kind_covers(before, m)))]
    if told or dated or not is_bare(noun_of(what)) or not what:
        return told[0] if told else None
    return next((m for m in kinds if m.attribute in {"possession", "plan", "habit"}), None)


def _changed(what: str, old: str, new: str, pool: Sequence[Memory], resolve: Resolve) -> Memory | None:
    """The fact that gets a new value: by its old value, by its name, or by what kind of thing it is."""
    if old:
        by_old = [m for m in pool if same(m.attribute, old, m.value) in {Same.EQUAL, Same.CLOSE}]
        if by_old:
            return by_old[0]
    core = noun_of(what)
    ending = [m for m in pool if (noun := _property(m)) and len(noun) > 1 and bare(new).endswith(bare(noun))]
    if not core or is_bare(core):
        bare_new = re.sub(r"(?:了|吧|啦)$|\b(?:now|last \w+|yesterday|today|this \w+)$", "", new).strip()
        return ending[0] if ending else _in_slot(new, pool) or (tool_for(bare_new, pool) if not what else None)
    dated = resolve(new) is not None or LUNAR.match(new) is not None
    kinds = [m for m in pool if (m.attribute in {"plan", "event"}) == dated or m.attribute in {"birthday"}]
    named = [m for m in kinds if mentions(core, m.value) or (len(bare(core)) > 1 and mentions(m.value, core))]
    parts = [p for p in core.split("的") if len(p) > 1]
    named += [m for m in kinds if dated and len(parts) > 1 and all(mentions(m.value, p) for p in parts)]  # 豆豆的疫苗 of 带豆豆去打疫苗
    slots = [m for m in kinds if (f := attribute(m.attribute).named(slot_of(m)[0])) is not None and f.words is not None and f.words.search(core)]
    tie = None if dated else relation_in(core, "")
    slots += [m for m in kinds if tie is not None and is_user(m.owner) and slot_of(m)[0] == f"tie {tie.words[0]}"]
    told = [m for m in kinds if dated and len(bare(core)) > 1 and mentions(f"{m.content} {m.source.text or ''}", core)]
    owned = ending + [
        m for m in kinds if not dated and len(core) > 2 and m.attribute in _PROPERTIES and (mentions(m.content, core) or _told_of(core, m))
    ]
    owned += [m for m in kinds if not dated and len(core) > 3 and mentions(m.source.text or "", core) and _in_slot(new, [m]) is not None]
    alike = [
        m for m in kinds if dated and m.attribute in {"plan", "event"} and (kind_covers(core, m) or abridged(core, m.value) or topic(m.value, core))
    ]
    return (
        next(iter([*named, *slots, *told, *owned, *alike]), None)
        or (None if dated else _of_kind(core, pool))
        or (_in_slot(new, pool) if core in _SELVES or re.search(r"账户|account", core) else None)
    )


def _named_beside(what: str, new: str, clause: str, text: str, pool: Sequence[Memory]) -> tuple[Memory, str] | None:
    """The fact whose name another clause of the message says (换到Obsidian了，Notion太慢), and that name in it."""
    if len(bare(what)) > 2 or re.search(r"\d", new) or len(new) > 24:
        return None
    beside = fold(text).replace(clause.strip(" ，,。."), " ")
    for memory in pool:
        if memory.attribute not in {"habit", "possession", "other", "likes"}:
            continue
        for word in re.findall(r"[a-z][a-z0-9.+-]{2,}", fold(memory.value)):
            if re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", beside) and word not in fold(new) and not beside.isascii():
                return memory, word
    return None


def _property(memory: Memory) -> str:
    """The noun of a property of one's own (我用的输入法是… → 输入法), empty where the fact is none."""
    name = slot_of(memory)[0]
    return name.removeprefix("property ") if name.startswith("property ") else ""


_GUESSED: Final = frozenset({"employer", "occupation", "location"})
"""What a judge files "I'm with X", "I'm at X" under, where nothing tells what X is."""
_KINDS: Final = {
    "school": regex(r"(?:schools?|colleges?|uni(?:versity|versities)?|courses?|学校?|园|校|专业)$"),
    "employer": regex(r"(?:jobs?|compan(?:y|ies)|firms?|employers?|工作|公司|单位|东家)$"),
    "location": regex(r"(?:flats?|houses?|cit(?:y|ies)|homes?|places?|房子?|住处|城市)$"),
}


def _told_of(core: str, memory: Memory) -> bool:
    """Whether the value was told as that of the noun: broadband, of "my broadband is with Sky"."""
    told, value = fold(memory.source.text or ""), fold(memory.value)
    at = told.find(core)
    return at >= 0 and 0 <= told.find(value, at + len(core)) - at - len(core) <= 12


def _of_kind(core: str, pool: Sequence[Memory]) -> Memory | None:
    """The one known fact of the kind that the noun names (switched schools, 转园了)."""
    for name, noun in _KINDS.items():
        if noun.match(core):
            facts = [m for m in pool if m.attribute == name and slot_of(m)[0] not in {"grade", "major", "side", "parking"}]
            return facts[0] if len(facts) == 1 else None
    return None


_ONE_KIND: Final = (*({name} for name in CATEGORIES), {"plan", "event"})
_PROPERTIES: Final = frozenset({"other", "habit", "possession", "contact"})


_SELVES: Final = frozenset({"them", "they", "me", "公司", "领导", "老板", "单位", "boss", "work"})


def _in_slot(new: str, pool: Sequence[Memory]) -> Memory | None:
    """The fact whose slot the new value fills, when nothing else says what changed: 改成中文 is about the language."""
    value = re.sub(r"(?:了|吧|啦|哦|please|now|this \w+|last \w+)$", "", new).strip()
    for memory in pool:
        if memory.attribute in _PLACED and ONLY_CLOCK.match(value):
            continue
        if memory.attribute == "location" and value.isascii() and not re.search(r"\d", value):
            continue  # a home that is moved to is read as such: moved to decaf moves none
        name, one = slot_of(memory)
        if name and one and slot(memory.attribute, value, value, value)[0] == name and same(memory.attribute, value, memory.value) is Same.DIFFERENT:
            return memory
    return None


_WEEKLY: Final = regex(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|每(?:周|个?星期|个?礼拜)[一二三四五六日天末]")
_PLACED: Final = frozenset(
    {"name", "location", "hometown", "employer", "occupation", "school", "relationship", "pet", "contact", "health", "allergy"}
)
"""Attributes whose value is never a time of day."""
_DAY_IN: Final = regex(
    r"(?:下下|下|这|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|(?:\d{1,2}月)?\d{1,2}[日号]|大?后天|明天|今天|\b(?:on |next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b"
)
"""A day inside the value of a plan, which a new day takes the place of."""


def with_day(value: str, new: str) -> str:
    """The value of a plan with another day in it, where it holds one."""
    told = moments(lined(new), None)
    new = new[told[0].start : told[0].end] if len(told) == 1 and told[0].start == 0 else new
    days = [m for m in moments(lined(value), None) if not m.bare]
    if len(days) == 1 and not value.isascii():
        return value[: days[0].start] + new + value[days[0].end :]
    return _DAY_IN.sub(new, value, count=1)


_NO_DAYS: Final = frozenset(
    {"location", "hometown", "employer", "school", "occupation", "name", "contact", "relationship", "pet", "likes", "allergy"}
)
"""Attributes whose value is never a day."""
_DIMENSIONS: Final = frozenset(kind for kind, _ in UNITS.values())
_LASTED: Final = regex(r"(?:都|也|已经)?(?:快|有)?(?:半个?|[\d一二两三四五六七八九十几好]{1,3}个?)(?:年|月|星期|礼拜|周|天|阵子)(?:多)?了?$")
"""How long the new value has held already: 换成燕麦拿铁有半个月了."""


def _value_of(new: str, memory: Memory) -> str | None:
    """The new value as it was said, if it can stand where the old one stood."""
    value = re.sub(r"(?:了|吧|啦|哦|的)$|\b(?:now|instead|today|yesterday|last \w+)$", "", new).strip()
    measured = (known := quantity(memory.value)) is not None and known.kind in _DIMENSIONS
    if not value or len(value) > 40 or _SOME.match(value) or (measured and not re.search(r"\d", numerals(value))):
        return None
    return value


_SOME: Final = regex(r"(?:一[截点些下大半倍成阵番]|不少|许多|很多|好多|几|多少|没多|a (?:lot|bit|little)\b)")
"""How much more or less, which names no value: 工资涨了一截."""
_POSTED: Final = regex(r"[调转搬派]|\bmoved|\btransferred")
"""Where somebody went is nobody's name: Karen调去新加坡了."""
_A_NAME: Final = regex(
    r"(?![去到在回给被来])(?:[小老阿]?[一-龥·]{1,3}(?:老师|医生|大夫|教练|师傅|经理|主任|律师|阿姨|叔叔|教授|总|姐|哥|先生|女士|工)?|(?:dr|mrs?|ms|miss|prof)?\.? ?[a-z][a-z .'’-]{1,30})$"
)


def _alike(candidate: Candidate, memory: Memory) -> bool:
    return same(memory.attribute, candidate.value, memory.value) in {Same.EQUAL, Same.CLOSE}


RETURN: Final = regex(
    r"(?:还是|恢复|重新|照旧|继续)(?:得|要|去|回|用|叫|喝|吃|住|坐|骑|开|穿|看|听|学|练|做|当|在|走|选|养)*(?P<v0>[^，,。；;！!]{1,16})|"
    r"(?:换|改|搬|调|转|用|打|踢|看|听|弹|跳|跑|养|留|教|卖|回|请|叫|拉|喊|挖|招|聘|接|退|跳|投|返|派|剪|又|喝|吃|穿|住|坐|骑|练|学|做|开|玩)(?:回|到)(?:到)?(?:了|去|来)?(?P<v>[^，,。；;！!]{1,20})|\b(?:back (?:to|at|in|with|on)|again[^,.]{0,10} (?:at|in|with)|returned to) (?P<v2>[^,.!?;]{1,40})|(?P<v3>[^,.!?;:]{2,40}?) again\b"
)


def back(clause: str, text: str, owner: str, known: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A value that was true before and is true again: 换回X, back at X."""
    found = RETURN.search(clause)
    if found is None:
        return []
    said = re.sub(r"(?:吧|了|好了|算了|得了|啦|呢)+$", "", next(g for g in found.groups() if g).strip())
    newest = sorted(known, key=lambda m: (m.updated_at, m.recorded_at), reverse=True)
    for memory in (m for m in newest if m.status is Status.SUPERSEDED and same_person(m.owner, owner, known)):
        row = attribute(memory.attribute)
        slot = slot_of(memory)
        active = [m for m in newest if m.status is Status.ACTIVE]
        after = [m for m in active if m.fact == memory.fact]  # what took its place
        current = after or [m for m in active if m.attribute == memory.attribute and slot_of(m)[0] == slot[0]]
        spoken = mentions(said, memory.value) or (len(bare(said)) > 1 and mentions(memory.value, re.sub(r"[了。.]+$", "", said)))
        if not spoken or any(covers(c, memory) for c in taken) or not (row.single or after or (slot[0] and current)):
            continue
        if any(same(memory.attribute, m.value, memory.value) is Same.EQUAL for m in current):
            continue
        replaced = current[0].value if current else None
        return [Candidate(attribute=memory.attribute, value=memory.value, owner=memory.owner, replaces=replaced, content=memory.content, clause=text)]
    return []


def led_back(clause: str, known: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; a value that is so again takes the place of what had taken its place: I swim before work again."""
    if not says("again", clause):
        return list(taken)
    out = []
    for c in taken:
        before = [
            m for m in known
            if m.status is Status.SUPERSEDED and m.attribute == c.attribute and c.replaces is None and c.stance is Stance.ASSERT
            and same_person(m.owner, c.owner, known) and _alike(c, m)
        ]  # fmt: skip
        facts = {m.fact for m in before}
        after = [m for m in known if m.status is Status.ACTIVE and m.fact in facts and not _alike(c, m)]
        out.append(c.evolve(replaces=after[0].value) if len(after) == 1 else c)
    return out


_TO_REPLACE: Final = regex(
    r"\b(?:got|bought|picked up|ordered)\b[^,.;]{2,40}\binstead\b|to replace (?:it|that|mine|the old one)|as a replacement|代替(?:它|旧的|原来的)|顶替(?:它|旧的)"
)


_FAVOURITE_NOW: Final = regex(
    r"\bmy (?:new )?favou?rite(?: one)?(?: is [^,.!?;]{2,30}| (?:has to be|would be) [^,.!?;]{2,30})? (?:now|these days|nowadays)\b|\bmy new favou?rite(?: one)?(?=[.,!?;]|$)"
)


def _fills(c: Candidate, known: Memory) -> bool:
    """Whether a judge's candidate is a favourite that is told without what it is of, and another than the known one."""
    return c.attribute == "likes" and is_user(c.owner) and c.stance is Stance.ASSERT and c.replaces is None and not _alike(c, known)


def replacing(clause: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; a thing got "to replace it" takes the place of the latest known one, what is "my favourite now" that of the only known favourite."""
    if _FAVOURITE_NOW.search(clause) is not None:
        known = [m for m in facts_of(active, USER, frozenset({"likes"})) if slot_of(m)[0].startswith("favourite ")]
        if len(known) == 1:
            return [c.evolve(replaces=known[0].value, content=in_its_words(known[0], c.value)) if _fills(c, known[0]) else c for c in taken]
    if _TO_REPLACE.search(clause) is None:
        return list(taken)
    out = []
    for c in taken:
        old = next((m for m in facts_of(active, c.owner, frozenset({"possession"})) if not _alike(c, m)), None)
        out.append(c.evolve(replaces=old.value) if c.attribute == "possession" and c.replaces is None and old is not None else c)
    return out
