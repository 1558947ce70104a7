"""The decision: one candidate, and what is known → the changes it makes, each with its reason. Pure and deterministic."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.record import Memory, Source, Status
from memory.revise.beside import ahead, alike, came_true, fuller, rivals_of, twin_of
from memory.revise.case import Case, slot_of, told_before
from memory.revise.cues import says
from memory.revise.forms import bare, day
from memory.revise.people import is_pronoun, is_user, same_person, spelled, whom
from memory.revise.periods import overlap
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
    waiting = next((m for m in case.mine if m.status is Status.PENDING and m.attribute == c.attribute and alike(case, m)), None)
    twin = twin_of(case)
    if twin is not None:
        return _again(case, twin)
    if case.source.message is not None and waiting is not None and waiting.source.message == case.source.message:
        return (case.ignore(case.say("同一条消息，仍待确认", "the same message: still waiting to be confirmed")),)
    if _stale(case):
        return (case.ignore(case.say("更近的消息已经改变了这一事实", "a more recent message has already changed this")),)
    rivals = rivals_of(case)
    if c.learnt and not c.replaces:
        rivals = [m for m in rivals if m.attribute == c.attribute]
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


def _again(case: Case, twin: Memory) -> tuple[Revision, ...]:
    """The same fact once more: evidence, unless it comes with another time, a fuller value, or an old and a new period."""
    c = case.candidate
    if twin.valid_from and case.begins and case.begins.date() != twin.valid_from.date() and case.now >= twin.updated_at:
        reason = case.say("同一事实，补充了起始时间", "the same fact, with the time it began")
        return (case.supersede(case.mistaken(twin, reason), case.version(after=twin, evidence=twin.evidence + 1), reason),)
    if c.time and c.attribute in {"plan", "event"} and _other_day(c.time, twin.time):
        if case.now < twin.updated_at:
            return (case.ignore(case.say("更近的消息已经改了时间", "a more recent message has already changed the time")),)
        if twin.attribute == "event" and c.attribute == "event" and not c.replaces and not says("change", case.text):
            return (case.add(case.version(), case.say("同类的另一次事件", "another event of this kind")),)
        value = twin.value if is_bare(c.value) or not c.value else c.value
        reason = (
            case.say(f"时间改为 {c.time}", f"the time is now {c.time}") if twin.time else case.say(f"补充了时间 {c.time}", f"its time is {c.time}")
        )
        return (case.supersede(case.close(twin, case.now, reason), case.version(after=twin, value=value), reason),)
    if fuller(c.value, twin.value) and c.attribute in {"location", "hometown", "name"} and case.now >= twin.updated_at:
        reason = case.say("同一事实，说得更具体", "the same fact, told more precisely")
        return (case.supersede(case.close(twin, case.now, reason), case.version(after=twin, valid_from=twin.valid_from), reason),)
    return (case.strengthen(twin),)


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
    made = _still_named(made.evolve(fact=first.fact, valid_from=starts, pinned=made.pinned or first.pinned), first)
    reason = case.say(f"{_label(c)}由“{first.value}”变为“{c.value}”", f"{_label(c)} changed from {first.value!r} to {c.value!r}")
    out = [case.supersede(case.close(first, begins, reason), made, reason)]
    out += [case.retire(case.close(m, begins, reason), reason) for m in rest]
    return tuple(out)


def _still_named(made: Memory, old: Memory) -> Memory:
    """The new version told in the words of the old one that say what it is of, where only the value was said anew: order number is A1 → order number is A2."""
    if made.attribute != old.attribute or bare(made.content) != bare(made.value) or old.content.count(old.value) != 1 or old.content == old.value:
        return made
    return made.evolve(content=old.content.replace(old.value, made.value))


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
        if (m.attribute == "plan" or ahead(m)) and m not in rivals and came_true(case, m)
    )


# it is not, or no longer, so


def _negate(case: Case) -> tuple[Revision, ...]:
    c = case.candidate
    said_now = case.source.message
    pool = [m for m in case.family(pending=True) if said_now is None or m.source.message != said_now or alike(case, m)]
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
        if over and not any(m.status is Status.SUPERSEDED and alike(case, m) for m in case.mine if m.attribute == c.attribute):
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
            own = [m for m in own if alike(case, m) or topic(m.value, c.value) or mentions(m.source.text or "", c.value)] or [
                m
                for m in own
                if bool(m.time) == bool(c.time)  # a day corrects only what has one
            ]
        slotted = [m for m in own if slot_of(m)[0] == case.slot[0]]
        tie = case.slot[0].startswith("tie ") or c.attribute == "relationship"
        target = next(iter(slotted or ([] if tie else own)), None)
    if not c.value or (c.replaces and bare(c.value) == bare(c.replaces) and not c.time):
        if target is None:
            return (case.ignore(case.say("没有可更正的事实", "nothing to correct")),)
        reason = case.say(f"更正：“{target.value}”不对", f"correction: {target.value!r} was wrong")
        return (case.retire(case.mistaken(target, reason), reason),)
    twin = twin_of(case)
    if target is None or target.updated_at > case.now:
        return _assert(Case(case.known, c.evolve(stance=Stance.ASSERT), case.user, case.now, case.source, case.recent))
    reason = case.say(f"更正：“{target.value}”应为“{c.value}”", f"correction: {target.value!r} should be {c.value!r}")
    if twin is not None and twin.key != target.key and not (c.time and _other_day(c.time, twin.time)) and bare(twin.value) != bare(target.value):
        return (case.retire(case.mistaken(target, reason), reason), case.strengthen(twin))
    made = _still_named(case.version(after=target, valid_from=case.begins or target.valid_from), target)
    return (case.supersede(case.mistaken(target, reason), made, reason),)
