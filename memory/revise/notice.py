"""What a message says about facts that are known already: that they are over, have another value, or came true.

A judge sees the message alone; 他上个月辞职了, 那只鸟飞走了 and 体检改到后天了 only mean something beside what is known. Patterns (notice.toml) are loose on
purpose: a candidate comes out only when a known fact is meant without doubt. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER, Memory, Status
from memory.revise.amounts import ages, amounts, figures
from memory.revise.anew import RETURN, back, changes, led_back, replacing
from memory.revise.clocks import reclocked
from memory.revise.cues import says
from memory.revise.doses import in_its_place, rates
from memory.revise.elided import elided, tells_figure
from memory.revise.followed import followed, gone, swapped, turned
from memory.revise.forms import bare, fold, numerals
from memory.revise.hearing import Resolve, facts_of, somebody, subject_of, table, unsure
from memory.revise.learnt import learnt
from memory.revise.members import another_member, names_member
from memory.revise.newday import day_put_right, tells_day
from memory.revise.over import DOCTOR, MOVING, STAYING, STAYS, came_true, ends, told_over
from memory.revise.parallel import frame, parallel, shared
from memory.revise.parted import given_back, moved_in, parted, tells_end
from memory.revise.people import is_user, names_in, relation, relations_in
from memory.revise.redate import CUE, another_day, redated
from memory.revise.retold import called, name_of_animal, retold
from memory.revise.sameness import Same, mentions, same
from memory.revise.stretches import continued
from memory.revise.successors import succeeded
from memory.revise.topics import topic
from memory.revise.unsaid import JOKE, joked, not_but
from memory.revise.weekly import moved_once, reweekly
from memory.revise.wrong import instead, placed, wrong


def tells(text: str) -> bool:
    """Whether the text holds anything that could touch a known fact: cheap, and true too often rather than too seldom."""
    plain = fold(text[:2000])
    sayings = table()
    patterns = [*(e.pattern for e in sayings.ends), *(c.pattern for c in sayings.changes), sayings.done, RETURN, CUE, STAYS, JOKE]
    return (
        any(p.search(plain) for p in patterns)
        or any(says(c, plain) for c in _CUES)
        or _FIGURES.search(plain) is not None
        or wrong(plain)
        or names_member(plain)
        or tells_figure(plain)
        or tells_day(plain)
        or tells_end(plain)
    )


_TO_ME: Final = regex(r"\bme\b|[给让帮把]我")
"""Whoever does it, it is the user to whom it happens."""
_CUES: Final = ("change", "again", "over", "done")
_FIGURES: Final = regex(r"\d|[一二两三四五六七八九十百]|新|\bnew\b")


def notice(
    text: str, known: Sequence[Memory], candidates: Sequence[Candidate], *, now: datetime, resolve: Resolve = lambda _: None
) -> list[Candidate]:
    """What `text` says about the `known` facts beside the `candidates` that a judge found in it already.

    The result holds the given candidates, some with the old value they replace filled in, and after them what was noticed.
    """
    active = sorted(
        (m for m in known if m.status is Status.ACTIVE and m.recorded_at <= now), key=lambda m: (m.updated_at, m.recorded_at), reverse=True
    )
    waiting = [m for m in known if m.status is Status.PENDING and m.recorded_at <= now]
    read, candidates = [c for c in candidates if c.learnt], [c for c in candidates if not c.learnt]
    stretches, candidates = continued(text, [m for m in known if m.recorded_at <= now], candidates, now)
    if not text or not (active or stretches):
        return [*candidates, *learnt(text, waiting, read, candidates)]
    if right := day_put_right(text, active, now, resolve):
        return right
    found: list[Candidate] = stretches
    introduced = [c.value for c in candidates if c.attribute == "relationship" and is_user(c.owner) and relation(c.value) is None]
    taken = retold([_beside_home(_whose(c, text, active, introduced), text, active) for c in placed(candidates, text, active, now)], active)
    persons, taken = succeeded(text, active, not_but(text, active, taken))
    found += persons
    unsaid, taken = joked(text, active, taken)
    found += unsaid
    owner, before = USER, ""
    everything = active
    for clause in _clauses(text):
        active = [m for m in everything if m.attribute != "habit"] if moved_once(clause) else everything
        told, spoken_of, owner = subject_of(clause, USER, active), owner, subject_of(clause, owner, active)
        if DOCTOR.search(fold(owner)) and somebody(spoken_of) and not is_user(spoken_of):
            owner = spoken_of  # 我姐…，医生说…逆转了: the doctor speaks of whom the message is about
        if is_user(told) and not is_user(owner) and not facts_of(active, owner):
            owner = USER  # nothing is known about whoever was spoken of: 医生出差，拔牙挪到周五
        if not unsure(_INSTEAD.sub("", clause)):
            object_ = USER if re.search(r"\b(?:me|my)\b|[给让帮把]我|我的", clause) or not somebody(owner) or DOCTOR.search(fold(owner)) else owner
            changed = reweekly(clause, text, object_, active)
            if changed:
                taken, read = ([c for c in cs if not (c.attribute in _ON_DAYS and bare(c.clause) in bare(clause))] for cs in (taken, read))
            elif changed := reclocked(clause, text, object_, active):
                taken = [c for c in taken if c.attribute not in {"plan", "event", "location"} or c.time]
            else:
                changed, taken = changes(clause, before, text, object_, active, taken, resolve)
            taken = led_back(clause, known, replacing(clause, active, taken))
            if not changed and (changed := instead(clause, before, text, active, taken, now)):
                taken = [c for c in taken if not any(c.attribute == k.attribute and (mentions(c.value, k.value) or _also_right(c)) for k in changed)]
            changed = changed or back(clause, text, object_, known, taken)
            if not changed:
                whose = USER if not somebody(owner) or _TO_ME.search(clause) else owner
                changed, taken = another_member(clause, text, whose, active, taken)
                if not changed:
                    changed, taken = swapped(clause, text, whose, active, taken)
                if not changed:
                    changed, taken = turned(clause, text, whose, active, taken)
            found += changed
            if not changed:
                aged = ages(clause, text, active, [*taken, *found])
                found += aged
                taken = [c for c in taken if not (aged and c.attribute == "event" and re.search(r"生日|birthday", fold(c.value)))]
                pet = next((m for m in active if m.attribute == "pet" and called(m, clause)), None)
                whom = (
                    (object_,) if _of(told, clause) else _patient(active) if _THEIR_DOCTOR.search(clause) else tuple(dict.fromkeys((object_, USER)))
                )
                anew = next((f for o in whom if pet is None and (f := rates(clause, before, text, o, active, [*taken, *found]))), [])
                if pet is None:
                    anew = anew or amounts(clause, text, object_, active, [*taken, *found])
                anew = anew or next(
                    (f for o in whom if pet is None and (f := figures(clause, before, text, o, active, [*taken, *found]))),
                    [],
                )
                anew = anew or next(
                    (f for o in whom if pet is None and (f := parallel(clause, before, text, o, active, [*taken, *found]))),
                    [],
                )
                anew = anew or next(
                    (f for o in whom if pet is None and (f := elided(clause, before, text, o, active, [*taken, *found]))),
                    [],
                )
                found += anew
                taken = [c for c in taken if not any(a.attribute == c.attribute and bare(a.value) == bare(c.value) and a.replaces for a in anew)]
                taken = [
                    c for c in taken if not (anew and c.attribute != anew[0].attribute and c.confidence < SURE and mentions(c.value, anew[0].value))
                ]
                over = ends(clause, before, text, owner, active, [*taken, *found])
                over += parted(clause, text, active, [*taken, *found, *over])
                over += given_back(clause, text, active, [*taken, *found, *over], now)
                taken = [c for c in taken if not (c.attribute == "event" and any(o.attribute == "plan" and topic(o.value, c.value) for o in over))]
                taken = [c for c in taken if not (c.stance is Stance.ASSERT and c.replaces is None and any(_is_over(c, clause, o) for o in over))]
                found += over
                rest = clause if not over else _BESIDES.split(clause, maxsplit=1)[-1]  # gave up rowing and started fencing
                if (not over or rest != clause) and (ended := gone(active, [*taken, *found])):
                    anew, taken = followed(rest, text, ended, active, taken)
                    found += anew
                arrived = moved_in(clause, text, active, [*taken, *found], now)
                taken = [c for c in taken if not (arrived and c.attribute == "event" and bare(c.clause) in bare(clause))]
                found += arrived or came_true(clause, before, text, owner, active, [*taken, *found], now)
            if found:
                taken = [c for c in taken if not (c.loose and _tells_less(c, clause, found))]
        before = clause
    active = everything
    taken = another_day(text, active, taken, now)
    if not any(c.attribute in {"plan", "event", "habit"} for c in found) and (moved := redated(text, active, taken, now, resolve)):
        found += moved
        taken = [c for c in taken if not (c.attribute in {"plan", "event"} and not c.time) and not c.loose]
    stays = STAYS.search(fold(text[:400])) is not None
    staying = [c for c in taken if c.attribute in {"plan", "event"} and not c.time and STAYING.match(fold(c.value))]
    if (staying or stays) and (moves := [m for m in active if m.attribute == "plan" and is_user(m.owner) and MOVING.search(fold(m.value))]):
        taken = [c for c in taken if c not in staying]
        found += [
            over for m in moves[:1] if not any(f.stance is Stance.NEGATE and f.value == m.value for f in found) for over in [told_over(m, text)]
        ]
    found, taken = _once([in_its_place(c) for c in found]), [in_its_place(c) for c in taken]
    taken = [c for c in taken if not any(_gives_way(c, f) for f in found)]
    return [
        *taken,
        *found,
        *learnt(text, [*active, *waiting], [_whose(c, text, active, introduced) for c in placed(read, text, active, now)], [*taken, *found]),
    ]


_ON_DAYS: Final = frozenset({"plan", "event", "habit", "other"})
"""What a weekly habit's new day may be taken for."""

_INSTEAD: Final = regex(r"\bgoing to (?=[^,.;]*\binstead\b)")
"""Where one goes in the place of what was cancelled is settled, as "going to" alone is not."""


_BESIDES: Final = regex(r"\b(?:and|so)\b(?: now)?")


def _is_over(candidate: Candidate, clause: str, over: Candidate) -> bool:
    """Whether a candidate is what this clause ends, or of a tie anything that the clause says of it."""
    if candidate.attribute != over.attribute or bare(clause) not in bare(candidate.clause):
        return False
    tie = candidate.attribute == "relationship" and not _STATE.search(fold(over.value))
    return tie or same(candidate.attribute, candidate.value, over.value) in {Same.EQUAL, Same.CLOSE}


_STATE: Final = regex(r"^(?:还)?(?:单着|单身|没对象|光棍|打光棍|分手|离异)|恋爱$|没有?[男女]朋友")
"""Being single or in love, beside which the clause that ends it may tell the next state: 我脱单了."""


def _also_right(candidate: Candidate) -> bool:
    """Whether a judge's candidate was taken for the right value, only because the message admits a mistake."""
    return candidate.stance is Stance.CORRECT and candidate.replaces is None


def _tells_less(candidate: Candidate, clause: str, found: Sequence[Candidate]) -> bool:
    """Whether a loose candidate is the very clause that was understood as a change of something known, or holds its new value."""
    told = fold(candidate.clause)
    understood = [f for f in found if bare(clause) in bare(f.clause) and (f.replaces or f.stance is Stance.NEGATE or f.time)]
    if bare(clause) in bare(told):
        return bool(understood)
    return bare(told) in bare(clause) and any(f.replaces and mentions(candidate.value, f.value) for f in understood)


_THEIR_DOCTOR: Final = regex(r"\b(?:his|her|their) (?:doctor|doc|gp|nurse|consultant|specialist|cardiologist|psychiatrist|vet)\b")


def _patient(active: Sequence[Memory]) -> tuple[str, ...]:
    """Whose doctor "her doctor" is: the one person besides the user of whose health something is known."""
    owners = tuple({m.owner for m in active if m.attribute == "health" and not is_user(m.owner)})
    return owners if len(owners) == 1 else ()


def _of(person: str, clause: str) -> bool:
    """Whether the clause begins with something of another person's, which is never the user's: 同事的房租要三千五."""
    return not is_user(person) and re.match(rf"(?:我|my )?(?:的)?{re.escape(fold(person))}(?:的|家的?|[’']s\b)", clause) is not None


def _gives_way(candidate: Candidate, change: Candidate) -> bool:
    """Whether what the candidate says again is what the message changes."""
    again = candidate.stance is Stance.ASSERT and candidate.replaces is None and candidate.attribute == change.attribute
    return again and change.replaces is not None and candidate.owner == change.owner and bare(candidate.value) == bare(change.replaces)


SURE: Final = 0.7
"""Below this a judge's candidate gives way to a known fact's new figure in the same words."""

_PERSONAL: Final = frozenset(
    {"contact", "age", "birthday", "location", "employer", "occupation", "school", "health", "allergy", "likes", "dislikes", "habit", "skill"}
)


_KIN_AGED: Final = regex(r"^(?:my |our )?(?P<who>[a-z]+)(?:[’']s| is| turns| will be) \d{1,3}\b")
_OTHER_SCHOOL: Final = regex(
    r"\b(?:switched|changed|transferred|moved|swapped) (?:schools?|unis?|universities|colleges?|courses?)\b|\bmy (?:course|degree|studies)\b|\bi(?:[’']m| am)? (?:still )?study"
)
_WED: Final = frozenset({"结婚", "离婚", "订婚", "已婚", "单身", "married", "divorced", "engaged"})


_AT_WORK: Final = regex(r"在[^，。！？]{1,14}?(?:上班|工作|打工|实习)")
_TURN: Final = regex(r"了|现在|如今|目前|换|调|搬|新|跳槽|入职|改|转|[今去]年|开始|毕业|来|回|其实|不是|不在")
_HOME: Final = regex(r"住|家在|定居|搬|安家|现居")


def _beside_home(candidate: Candidate, text: str, active: Sequence[Memory]) -> Candidate:
    """我住在成都 · 我在绵阳上班: a place of work, told without a word of change, ends no home that was told as one."""
    work = _AT_WORK.search(candidate.clause) if candidate.attribute == "location" and is_user(candidate.owner) else None
    if work is None or candidate.stance is not Stance.ASSERT or candidate.replaces or _TURN.search(text):
        return candidate
    homes = [m for m in facts_of(active, USER, frozenset({"location"})) if _HOME.search(m.source.text or "")]
    if not homes or any(mentions(m.value, candidate.value) or mentions(candidate.value, m.value) for m in homes):
        return candidate
    return candidate.evolve(attribute="other", value=work[0], normal=None)


_EXPECTING: Final = regex(r"产检|孕检|妊娠|孕期|唐筛|糖耐|产前|\b(?:prenatal|antenatal|gestational)\b")
_ONESELF: Final = regex(r"我|\b(?:i|my|me)\b|i[’']")
_PREGNANT: Final = regex(r"怀孕|怀着|怀[了上二三]|孕\S{0,3}周|预产期|\b(?:pregnant|expecting|due date)\b")


def _expecting(active: Sequence[Memory]) -> str | None:
    """Who is known to be pregnant, where that is one person and not the user: what is found at her check-ups is hers."""
    owners = {m.owner for m in active if _PREGNANT.search(fold(f"{m.value} {m.source.text or ''}"))}
    return owners.pop() if len(owners) == 1 and not any(is_user(o) for o in owners) else None


def _whose(candidate: Candidate, text: str, active: Sequence[Memory], introduced: Sequence[str]) -> Candidate:
    """The candidate under its right owner, where only what is known tells: 乐乐…，6岁了 is 乐乐's age; a date of the user's plan stays the user's."""
    clause = fold(candidate.clause)
    if (
        is_user(candidate.owner)
        and candidate.attribute in {"age", "birthday"}
        and (kin := _KIN_AGED.match(clause))
        and relation(kin["who"]) is not None
    ):
        return candidate.evolve(owner=kin["who"])  # mum's 60 on 4 May
    if is_user(candidate.owner) and candidate.attribute == "employer" and _OTHER_SCHOOL.search(fold(text)):
        old = next((m for m in facts_of(active, USER, frozenset({"school"})) if m.value[:1].isupper()), None)
        if old is not None:
            return candidate.evolve(attribute="school", replaces=old.value)  # switched schools, I'm at Calder Tech now
    if is_user(candidate.owner) and candidate.attribute == "health" and _EXPECTING.search(fold(text)) and not _ONESELF.search(clause):
        return candidate.evolve(owner=_expecting(active) or USER)
    if is_user(candidate.owner) and candidate.attribute == "event" and (people := names_in(clause, active)) and clause.startswith(fold(people[0])):
        return candidate.evolve(owner=people[0])
    if (
        candidate.attribute == "relationship"
        and candidate.value in _WED
        and (people := names_in(clause, active))
        and clause.startswith(fold(people[0]))
    ):
        return candidate.evolve(owner=people[0], attribute="event")  # 贺老师回老家结婚了
    if candidate.attribute == "name" and is_user(candidate.owner) and candidate.replaces is None and _RENAMED.search(clause):
        names = [m for m in facts_of(active, USER, frozenset({"name"})) if m.value.isascii() == candidate.value.isascii()]
        return candidate.evolve(replaces=names[0].value) if len(names) == 1 else candidate
    if candidate.attribute == "school" and is_user(candidate.owner) and _SENT.search(clause):
        child = next((m.owner for m in active if m.attribute in {"school", "progress"} and not is_user(m.owner)), USER)
        return candidate.evolve(owner=child)  # 给他转到…小学了: whoever goes to school already
    if is_user(candidate.owner) and candidate.attribute in _PERSONAL and not re.search(r"我|\b(?:i|my|me|we)\b", clause):
        if pet := next((m for m in active if m.attribute == "pet" and called(m, clause)), None):
            return candidate.evolve(owner=name_of_animal(pet))  # 豆包胖到12斤了
        at = fold(text).find(clause)
        until = fold(text)[: at + len(clause)] if at >= 0 else clause
        named = names_in(until, active) + [n for n in introduced if fold(n) in until]
        before = fold(text)[:at] if at > 0 else ""
        if named and not re.search(r"(?<!是)我(?!们)|\b(?:i|i[’']m)\b", before):
            return candidate.evolve(owner=named[-1])
    unnamed = not is_user(candidate.owner) and not names_in(clause, active) and not relations_in(clause)
    if unnamed and candidate.attribute in {"other", "possession", "habit"} and re.search(r"\d", numerals(clause)):
        mine = [
            m for m in facts_of(active, USER) if shared(numerals(clause), frame(m.source.text or "", m)) >= 2 and re.search(r"\d", numerals(m.value))
        ]
        return candidate.evolve(owner=USER) if mine and not facts_of(active, candidate.owner, frozenset({candidate.attribute})) else candidate
    if unnamed and candidate.attribute in {"plan", "event"}:
        mine = [
            m
            for m in facts_of(active, USER, frozenset({"plan", "event"}))
            if mentions(f"{m.value} {m.content} {m.source.text or ''}", candidate.value)
        ]
        if mine:
            return candidate.evolve(owner=USER)
    return candidate


_RENAMED: Final = regex(r"(?:改|现在|如今|换|以后)(?:名)?(?:了|成|都)?(?:叫|名为)")
"""One is called so now: the only known name in the same script is the old one."""
_SENT: Final = regex(r"[给把让帮](?:他|她|孩子|娃|宝宝|小家伙|小朋友)")
"""A child as the object: the school that follows is the child's."""
_MARKS: Final = regex(r"[，,。；;！!？?\n]")
_GAP: Final = regex(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
"""What stands for a comma where a message has no punctuation."""
_CLAUSE: Final = regex(r"(?:[^，,。；;！!？?\n]|(?<=\d),(?=\d{3}))+[，,。；;！!？?\n]*")


def _clauses(text: str) -> Iterator[str]:
    plain = fold(text[:2000])
    if not _MARKS.search(plain):
        plain = _GAP.sub("，", plain)
    yield from (c.strip() for c in _CLAUSE.findall(plain) if c.strip())


def _once(found: Sequence[Candidate]) -> list[Candidate]:
    seen: dict[tuple[str, str, str, Stance], Candidate] = {}
    for c in found:
        seen.setdefault((c.owner, c.attribute, bare(c.value), c.stance), c)
    return list(seen.values())
