"""The decision: one candidate, and what is known → the changes it makes, each with its reason. Pure and deterministic."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.record import Memory, Source, Status
from memory.revise.case import Case, slot_of, told_before
from memory.revise.cues import says
from memory.revise.forms import bare, day, fold
from memory.revise.people import is_pronoun, is_user, same_person, spelled, whom
from memory.revise.periods import overlap, start_of
from memory.revise.referents import is_bare, meant, points
from memory.revise.revision import Revision
from memory.revise.sameness import Same, mentions, same
from memory.revise.schema import attribute
from memory.revise.topics import topic

CONFIDENT: Final = 0.7
"""Below this confidence a fact waits as pending; the specification's figure (B4)."""


def revise(
    known: Sequence[Memory], candidate: Candidate, *, user: str, now: datetime, source: Source, recent: Sequence[Memory] = ()
) -> tuple[Revision, ...]:
    """What `candidate`, said at `now` (aware: the message's own time), does to the `known` versions of this user.

    `known` holds versions of every status, in any order; `recent` those mentioned lately, newest first, for pronouns and definite nouns. The same
    inputs give the same keys, so that a message revised twice changes nothing the second time. Several revisions come in the order to apply them.
    """
    newest = sorted((m for m in known if m.status is not Status.HELD), key=lambda m: (m.updated_at, m.recorded_at), reverse=True)
    owner = candidate.owner
    if is_pronoun(owner):
        found = whom(owner, [m for m in recent if m.status is not Status.HELD], newest)
        if found is None:
            case = Case(newest, candidate, user, now, source, recent)
            return (case.ignore(case.say(f"不清楚“{owner}”指谁", f"unclear who {owner!r} is")),)
        owner = found
    owner = _known_spelling(spelled(owner), newest)
    case = Case(newest, candidate.evolve(owner=owner), user, now, source, recent)
    if any(m.key == case.key for m in known):
        return (case.ignore(case.say("这条消息已处理过", "this message has been taken in already")),)
    match candidate.stance:
        case Stance.NEGATE:
            return _negate(case)
        case Stance.PAST:
            return _past(case)
        case Stance.CORRECT:
            return _correct(case)
        case _:
            return _assert(case)


def _known_spelling(owner: str, known: Sequence[Memory]) -> str:
    """The spelling under which this person's facts are kept already."""
    if is_user(owner):
        return owner
    return next((m.owner for m in known if m.owner != owner and not is_user(m.owner) and same_person(m.owner, owner, known)), owner)


# it is so


def _assert(case: Case) -> tuple[Revision, ...]:
    c = case.candidate
    if case.ends is not None and case.ends < case.now:
        return _past(case)
    if is_bare(c.value) and not c.time:
        pointed = meant(c.value, c.attribute, case.family())
        if not pointed:
            return (case.ignore(case.say(f"不清楚“{c.value}”指什么", f"unclear what {c.value!r} is")),)
        case = Case(case.known, c.evolve(value=pointed[0].value), case.user, case.now, case.source, case.recent)
        c = case.candidate
    waiting = next((m for m in case.mine if m.status is Status.PENDING and m.attribute == c.attribute and _alike(case, m)), None)
    twin = _twin(case)
    if twin is not None:
        return _again(case, twin)
    if case.source.message is not None and waiting is not None and waiting.source.message == case.source.message:
        return (case.ignore(case.say("同一条消息，仍待确认", "the same message: still waiting to be confirmed")),)
    if _stale(case):
        return (case.ignore(case.say("更近的消息已经改变了这一事实", "a more recent message has already changed this")),)
    rivals = _rivals(case)
    if _passing(case, rivals):
        return (case.ignore(case.say("临时状态，不改变稳定的事实", "a passing state: the lasting fact stays")),)
    if c.loose and waiting is None and any(attribute(m.attribute).single for m in rivals) and not says("change", case.text):
        reason = case.say("说得含糊，不足以改变已知事实，待确认", "told too loosely to change a known fact: waits until repeated or confirmed")
        return (case.hold(case.version(status=Status.PENDING), reason),)
    another_amount = says("change", case.text) and any(same(c.attribute, c.value, m.value) is Same.CONFLICT for m in rivals)
    if c.confidence < CONFIDENT and not c.explicit and waiting is None and not another_amount:
        reason = case.say("置信度不足，待确认（重复或用户确认后生效）", "not sure enough: waits until repeated or confirmed")
        return (case.hold(case.version(status=Status.PENDING), reason),)
    newer = [m for m in rivals if m.updated_at > case.now]
    if newer:
        until = min((m.valid_from or m.recorded_at) for m in newer)
        reason = case.say("较早的说法；更近的消息已有新值", "an older statement: a more recent message has a newer value")
        return (case.add(case.version(status=Status.SUPERSEDED, valid_to=max(until, case.begins) if case.begins else until), reason),)
    made = case.version()
    if waiting is not None:
        made = waiting.evolve(
            status=Status.ACTIVE, evidence=waiting.evidence + 1, confidence=max(c.confidence, CONFIDENT), updated_at=case.now,
            importance=max(waiting.importance, c.importance),
        )  # fmt: skip
    return (*_replace(case, rivals, made, confirmed=waiting is not None), *_moved(case, rivals), *_fulfilled(case, rivals))


def _alike(case: Case, memory: Memory) -> bool:
    return same(memory.attribute, case.candidate.value, memory.value) in {Same.EQUAL, Same.CLOSE}


def _twin(case: Case) -> Memory | None:
    """The active fact that this candidate says again, perhaps at another time."""
    c = case.candidate
    best: Memory | None = None
    for memory in case.current:
        if memory.attribute == c.attribute:
            degree = same(c.attribute, c.value, memory.value)
        elif memory.attribute in case.schema.twins:
            degree = same(c.attribute, c.value, memory.value)
            if degree is Same.CLOSE and not {c.attribute, memory.attribute} <= {"plan", "event"}:
                continue
            if memory.attribute == "plan" and c.attribute == "event" and _came_true(case, memory):
                continue
        else:
            continue
        if (
            degree is Same.EQUAL
            and c.attribute == "relationship"
            and slot_of(memory)[0] != case.slot[0]
            and "" not in {slot_of(memory)[0], case.slot[0]}
        ):
            continue  # 王芳 the landlady and 王芳 the teacher
        if degree is Same.EQUAL:
            return memory
        if (
            degree is Same.CLOSE
            and c.attribute == "occupation"
            and (_RISEN.search(case.text) or (_fuller(c.value, memory.value) and _NOW.search(case.text)))
        ):
            continue  # 财务 and 财务总监: promoted
        if degree is Same.CLOSE and best is None:
            best = memory
    if best is None and c.attribute in {"plan", "event"} and says("change", case.text):
        moved = [
            m for m in case.current if m.attribute in {"plan", "event"} and (mentions(m.source.text or "", c.value) or mentions(case.text, m.value))
        ]
        best = moved[0] if moved else None
    return best


_NOW: Final = re.compile(r"\bnow(?:adays)?\b|\bthese days\b|\bcurrently\b|\b(?:became|retrained|switched)\b")
_RISEN: Final = re.compile(r"升|提拔|晋|\bpromoted\b|\bnow\b.{0,12}\b(?:senior|head|lead|chief|director)\b")


def _again(case: Case, twin: Memory) -> tuple[Revision, ...]:
    """The same fact once more: evidence, unless it comes with another time, a fuller value, or an old and a new period."""
    c = case.candidate
    if twin.valid_from and case.begins and case.begins.date() != twin.valid_from.date() and case.now >= twin.updated_at:
        reason = case.say("同一事实，补充了起始时间", "the same fact, with the time it began")
        return (case.supersede(case.mistaken(twin, reason), case.version(after=twin, evidence=twin.evidence + 1), reason),)
    if c.time and c.attribute in {"plan", "event"} and _other_day(c.time, twin.time):
        if case.now < twin.updated_at:
            return (case.ignore(case.say("更近的消息已经改了时间", "a more recent message has already changed the time")),)
        if twin.attribute == "event" and c.attribute == "event" and not says("change", case.text):
            return (case.add(case.version(), case.say("同类的另一次事件", "another event of this kind")),)
        value = twin.value if is_bare(c.value) or not c.value else c.value
        reason = (
            case.say(f"时间改为 {c.time}", f"the time is now {c.time}") if twin.time else case.say(f"补充了时间 {c.time}", f"its time is {c.time}")
        )
        return (case.supersede(case.close(twin, case.now, reason), case.version(after=twin, value=value), reason),)
    if _fuller(c.value, twin.value) and c.attribute in {"location", "hometown", "name"} and case.now >= twin.updated_at:
        reason = case.say("同一事实，说得更具体", "the same fact, told more precisely")
        return (case.supersede(case.close(twin, case.now, reason), case.version(after=twin, valid_from=twin.valid_from), reason),)
    return (case.strengthen(twin),)


def _fuller(new: str, old: str) -> bool:
    a, b = bare(new), bare(old)
    return len(a) > len(b) + 1 and b in a


def _other_day(new: str, old: str | None) -> bool:
    if not old:
        return True
    a, b = day(new), day(old)
    return new != old if a is None or b is None else not a.same(b)


def _stale(case: Case) -> bool:
    """Whether the value was true and over before: a version of it closed by a message later than this one."""
    return any(
        m.status is Status.SUPERSEDED and m.attribute == case.candidate.attribute and m.updated_at > case.now and m.valid_to and m.valid_to > case.now
        and told_before(m, case.now) and same(m.attribute, case.candidate.value, m.value) is Same.EQUAL
        for m in case.mine
    )  # fmt: skip


def _rivals(case: Case) -> list[Memory]:
    """Active facts that cannot be true beside the candidate, the one it follows first."""
    c = case.candidate
    name, one = case.slot
    changed = says("change", case.text) or says("again", case.text) or (says("over", case.text) and c.attribute != "relationship")
    more = says("more", case.text)
    found: list[Memory] = []
    if c.replaces:
        found += meant(c.replaces, c.attribute, [m for m in case.family() if not _alike(case, m)])
    for memory in case.current:
        if memory in found:
            continue
        if memory.attribute in case.schema.opposite and same(memory.attribute, c.value, memory.value) is not Same.DIFFERENT:
            found.append(memory)
            continue
        if memory.attribute != c.attribute and memory.attribute not in case.schema.twins:
            continue
        other, _ = slot_of(memory)
        degree = same(c.attribute, c.value, memory.value)
        if degree is Same.CONFLICT and (other == name or (not name and changed)) and not more:
            found.append(memory)
        elif other != name or (not name and memory.attribute != c.attribute):
            continue
        elif one == "always" or (one == "change" and ((changed and not more) or _poles(case, memory))):
            found.append(memory)
    if c.attribute == "relationship" and len(found) > 1:
        found = _of_one_trade(case, found)
    if not found and changed and not more and one is None and c.attribute in {"instruction", "progress"} and says("change", case.text):
        found += [m for m in case.current if m.attribute == c.attribute and not slot_of(m)[0]][:1]
    return found


_TRADE: Final = re.compile(r"([一-龥]{2})(?:老师|教练|医生|师傅|律师)|\b(\w+) (?:teacher|coach|doctor|tutor|instructor)")


def _of_one_trade(case: Case, rivals: Sequence[Memory]) -> list[Memory]:
    """Of several people with one tie (two teachers), the one whom the message names, or who has the same trade (语文老师)."""
    said = case.source.text or case.text
    named = [m for m in rivals if mentions(said, m.value)]
    trade = _TRADE.search(fold(case.text))
    word = next((g for g in trade.groups() if g), "") if trade else ""
    return named or [m for m in rivals if word and word in fold(f"{m.content} {m.source.text or ''}")] or list(rivals[:1])


def _poles(case: Case, memory: Memory) -> bool:
    facet = case.schema.named(case.slot[0])
    if facet is None or not facet.poles:
        return False
    new, old = facet.pole(case.candidate.value), facet.pole(memory.value)
    return new is not None and old is not None and new != old


def _passing(case: Case, rivals: Sequence[Memory]) -> bool:
    """Whether this is a passing state that would push out a lasting one."""
    c = case.candidate
    if case.schema.passing or c.explicit:
        return False
    return c.temporary or (bool(rivals) and says("passing", case.text) and not says("change", case.text) and not says("again", case.text))


def _replace(case: Case, rivals: Sequence[Memory], made: Memory, *, confirmed: bool) -> tuple[Revision, ...]:
    c = case.candidate
    if not rivals:
        reason = case.say("重复提到，待确认的事实生效", "said again: the waiting fact now holds") if confirmed else case.say("新的事实", "a new fact")
        return (case.add(made, reason),)
    first, *rest = rivals
    begins = case.begins or case.now
    starts = case.begins if c.attribute == "age" else min(begins, case.now)  # an age began on a birthday that nobody told
    made = made.evolve(fact=first.fact, valid_from=starts, pinned=made.pinned or first.pinned)
    reason = case.say(f"{_label(c)}由“{first.value}”变为“{c.value}”", f"{_label(c)} changed from {first.value!r} to {c.value!r}")
    out = [case.supersede(case.close(first, begins, reason), made, reason)]
    out += [case.retire(case.close(m, begins, reason), reason) for m in rest]
    return tuple(out)


def _label(c: Candidate) -> str:
    return c.attribute if is_user(c.owner) else f"{c.owner} {c.attribute}"


def _moved(case: Case, rivals: Sequence[Memory]) -> tuple[Revision, ...]:
    """What ends along with the old value: moving house ends the old address."""
    if not rivals or not case.schema.ends:
        return ()
    ended = case.schema.ends.get(case.slot[0])
    reason = case.say("搬家后旧地址失效", "the old address ended with the move")
    gone = [m for m in case.current if m.attribute == case.candidate.attribute and slot_of(m)[0] == ended and m not in rivals]
    return tuple(
        case.retire(case.close(m, case.begins or case.now, reason), reason)
        for m in gone
        if m.source.message != case.source.message or not m.source.message
    )


def _fulfilled(case: Case, rivals: Sequence[Memory]) -> tuple[Revision, ...]:
    """Plans that this fact makes true."""
    if not case.schema.done:
        return ()
    reason = case.say("计划已实现", "the plan came true")
    return tuple(
        case.retire(case.close(m, case.now, reason), reason)
        for m in case.current
        if (m.attribute == "plan" or _ahead(m)) and m not in rivals and _came_true(case, m)
    )


def _ahead(memory: Memory) -> bool:
    """Whether an event was still to come when it was told."""
    start = start_of(memory.time, memory.recorded_at.tzinfo)
    return memory.attribute == "event" and start is not None and start > memory.recorded_at


def _came_true(case: Case, plan: Memory) -> bool:
    c = case.candidate
    if plan.recorded_at >= case.now or says("unreal", case.text):
        return False
    future = c.attribute == "event" and (start := start_of(c.time, case.now.tzinfo)) is not None and start > case.now
    if future or not (says("done", case.text) or says("change", case.text) or _due(plan, case.now)):
        return False
    return topic(plan.value, c.value) or topic(plan.value, case.text)


def _due(plan: Memory, now: datetime) -> bool:
    start = start_of(plan.time, now.tzinfo)
    return start is not None and start <= now + timedelta(days=1)


# it is not, or no longer, so


def _negate(case: Case) -> tuple[Revision, ...]:
    c = case.candidate
    said_now = case.source.message
    pool = [m for m in case.family(pending=True) if said_now is None or m.source.message != said_now or _alike(case, m)]
    targets = meant(c.value, c.attribute, pool)
    if not targets and attribute(c.attribute).single and (not c.value or points(c.value)):
        targets = [m for m in pool if m.attribute == c.attribute][:1]
    if not targets and c.value and not points(c.value):
        other = [
            m for m in case.current if m.attribute not in case.schema.opposite and (not m.source.message or m.source.message != case.source.message)
        ]
        targets = [m for m in other if same(m.attribute, c.value, m.value) in {Same.EQUAL, Same.CLOSE}]
    if not targets:
        over = says("over", case.text) and c.value and not points(c.value) and c.attribute not in {"plan", "event", "instruction"}
        if over and not any(m.status is Status.SUPERSEDED and _alike(case, m) for m in case.mine if m.attribute == c.attribute):
            reason = case.say("以前如此，现在不再", "it was so, and no longer is")
            return (case.add(case.version(status=Status.SUPERSEDED, valid_to=case.when_over()), reason),)
        return (case.ignore(case.say("没有与之对应的已知事实", "nothing known is denied by this")),)
    fresh = [m for m in targets if m.updated_at <= case.now]
    if not fresh:
        return (case.ignore(case.say("更近的消息确认过这一事实", "a more recent message says that it holds")),)
    reason = case.say(f"不再成立：{fresh[0].value}", f"no longer so: {fresh[0].value}")
    return tuple(case.retire(case.close(m, case.when_over(), reason), reason) for m in fresh)


# it was so


def _past(case: Case) -> tuple[Revision, ...]:
    c = case.candidate
    over = case.ends if case.ends and case.ends <= case.now else None
    period = (case.begins, over)
    same_value = [m for m in case.mine if m.attribute == c.attribute and same(c.attribute, c.value, m.value) in {Same.EQUAL, Same.CLOSE}]
    active = next((m for m in same_value if m.status is Status.ACTIVE), None)
    if active is not None and (over is None or (active.valid_from is not None and active.valid_from < over)) and not _separate(active, period):
        if active.updated_at > case.now:
            return (case.ignore(case.say("更近的消息确认过这一事实", "a more recent message says that it holds")),)
        reason = case.say("现在已不再如此", "it is no longer so")
        return (case.retire(case.close(active, case.when_over(), reason).evolve(valid_from=case.begins or active.valid_from), reason),)
    for past in (m for m in same_value if m.status is Status.SUPERSEDED):
        if not any(period) or (past.valid_from is None and past.valid_to == past.recorded_at) or overlap(period, (past.valid_from, past.valid_to)):
            return (case.ignore(case.say("历史中已有这一事实", "already in the history")),)
    reason = case.say("过去的事实，只记入历史", "a past fact: kept as history")
    nxt = min((m.valid_from for m in case.current if m.attribute == c.attribute and m.valid_from and slot_of(m)[0] == case.slot[0]), default=None)
    ended = over or (nxt if nxt and nxt <= case.now and case.schema.single else case.now)
    return (case.add(case.version(status=Status.SUPERSEDED, valid_to=max(ended, case.begins) if case.begins else ended), reason),)


def _separate(active: Memory, period: tuple[datetime | None, datetime | None]) -> bool:
    return any(period) and active.valid_from is not None and not overlap(period, (active.valid_from, None))


# what was said before was wrong


def _identical(case: Case, memory: Memory) -> bool:
    """Whether a correction says what is known already; a close value (pharmacist, pharmacy technician) is what it corrects."""
    degree = same(memory.attribute, case.candidate.value, memory.value)
    return degree is Same.EQUAL or (degree is Same.CLOSE and not case.candidate.replaces and memory.attribute in {"plan", "event", "instruction"})


def _correct(case: Case) -> tuple[Revision, ...]:
    c = case.candidate
    family = [m for m in case.family(pending=True) if not _identical(case, m) or (c.time and _other_day(c.time, m.time))]
    target: Memory | None = None
    if c.replaces:
        target = next(iter(meant(c.replaces, c.attribute, family)), None)
    if target is None:
        own = [m for m in family if m.attribute == c.attribute or m.attribute in case.schema.twins]
        if c.attribute in {"plan", "event"}:
            own = [m for m in own if _alike(case, m) or topic(m.value, c.value) or mentions(m.source.text or "", c.value)] or own
        slotted = [m for m in own if slot_of(m)[0] == case.slot[0]]
        tie = case.slot[0].startswith("tie ") or c.attribute == "relationship"
        target = next(iter(slotted or ([] if tie else own)), None)
    if not c.value or (c.replaces and bare(c.value) == bare(c.replaces) and not c.time):
        if target is None:
            return (case.ignore(case.say("没有可更正的事实", "nothing to correct")),)
        reason = case.say(f"更正：“{target.value}”不对", f"correction: {target.value!r} was wrong")
        return (case.retire(case.mistaken(target, reason), reason),)
    twin = _twin(case)
    if target is None or target.updated_at > case.now:
        return _assert(Case(case.known, c.evolve(stance=Stance.ASSERT), case.user, case.now, case.source, case.recent))
    reason = case.say(f"更正：“{target.value}”应为“{c.value}”", f"correction: {target.value!r} should be {c.value!r}")
    if twin is not None and twin.key != target.key and not (c.time and _other_day(c.time, twin.time)) and bare(twin.value) != bare(target.value):
        return (case.retire(case.mistaken(target, reason), reason), case.strengthen(twin))
    made = case.version(after=target, valid_from=case.begins or target.valid_from)
    return (case.supersede(case.mistaken(target, reason), made, reason),)
