"""Applies the fact rules to a framed clause: which may act, with which stance, and the candidates that come out."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from memory.judge.en.checks import appointments, events, goods, habits, health, identity, likes, places, plans, spans, study, ties, work
from memory.judge.en.found import Hit, Value
from memory.judge.en.frame import Frame
from memory.judge.en.times import When, find
from memory.judge.judgement import Candidate, Stance
from memory.judge.rules import FactRule, Lexicon
from memory.pattern import Pattern, regex
from memory.record import USER

CHECKS: Final[Mapping[str, Callable[[Hit], list[Value]]]] = {
    "exact": spans.exact, "user exact": spans.user_exact, "capital": spans.capital, "np": spans.np, "span keep": spans.span_keep, "negated span": spans.negated_span, "name": identity.name,
    "given name": identity.given_name, "am name": identity.am_name, "age": identity.age, "turning": identity.turning, "birthday": identity.birthday,
    "birthday whole": identity.birthday_whole, "money": identity.money, "name from": places.name_from, "not since": spans.not_since, "as a": work.as_a, "kept": spans.kept, "height": identity.height, "contact": identity.contact, "gone": identity.gone,
    "place loose": places.place_loose, "place from": places.place_from, "location": places.location, "place move": places.place_move,
    "address": places.address, "known place": places.known_place, "known place be": places.known_place_be, "demonym": places.demonym,
    "job": work.job, "job any": work.job_any, "job loose": work.job_loose, "job at": work.job_at,
    "field": work.work_field, "teach": work.teach, "service": work.service, "service person": work.service_person,
    "org": work.org, "org strict": work.org_strict, "org left": work.org_left, "org of job": work.org_of_job,
    "org be": work.org_be, "school": study.school, "school name": study.school_name, "skill": study.skill,
    "language": study.language, "good at": study.good_at, "ability": study.ability, "instrument": study.instrument,
    "liked": likes.liked, "fan": likes.fan, "favourite": likes.favourite, "is favourite": likes.is_favourite,
    "prefer over": likes.prefer_over, "disliked": likes.disliked, "disliked strict": likes.disliked_strict,
    "feared": likes.feared, "allergen": health.allergen, "allergy noun": health.allergy_noun, "upsets": health.upsets, "health adjective": health.health_adjective,
    "condition": health.condition, "habitual": habits.habitual, "habitual be": habits.habitual_be,
    "neg habit": habits.neg_habit, "quit habit": habits.quit_habit, "habit span": habits.habit_span, "never": habits.never,
    "sport": habits.sport, "commute": habits.commute, "celebrates": habits.celebrates, "diet": habits.diet,
    "goods": goods.goods, "capital goods": goods.capital_goods, "property": goods.own_property, "titled": goods.titled, "goods gone": goods.goods_gone, "trait": goods.trait, "measure": goods.measure, "has relation": ties.has_relation,
    "marital": ties.marital, "named ones": ties.named_ones, "relation is name": ties.relation_is_name, "parent": ties.parent, "relation name": ties.relation_name, "is my relation": ties.is_my_relation, "partner": ties.partner,
    "person span": ties.person_span, "pet": ties.pet, "pet described": ties.pet_described, "plan": plans.plan,
    "plan ahead": plans.plan_ahead, "appointment": appointments.appointment, "scheduled": appointments.scheduled,
    "moved plan": appointments.moved_plan, "cancelled": appointments.cancelled, "not plan": appointments.not_plan,
    "milestone": events.milestone, "milestone span": events.milestone_span, "family event": events.family_event,
    "trip": events.trip, "trip clause": events.trip_clause, "we event": events.we_event, "progress": events.progress,
    "project": plans.project, "goal": plans.goal,
}  # fmt: skip
"""Names of the checks as rules write them."""

_TENSES: Final = frozenset({"event", "any-tense", "has-past"})
_META: Final = frozenset(
    {"bare", "deny", "event", "any-tense", "has-past", "future-ok", "can-ok", "would-ok", "neg-ok", "negany", "tense-likes", "tense-own", "denied-dislikes",
     "freq-needed", "neg-pet", "comes", "order-ok", "anymore|after all", "future-ok|be", "be|verb|future-ok"}
)  # fmt: skip
_TIMED: Final = frozenset({"plan", "event"})
_STATES: Final = frozenset(
    {
        "occupation",
        "employer",
        "school",
        "location",
        "habit",
        "pet",
        "possession",
        "relationship",
        "likes",
        "dislikes",
        "skill",
        "hometown",
        "health",
        "name",
    }
)
_LASTED: Final = frozenset({"occupation", "employer", "school", "location", "habit", "pet", "possession", "likes", "dislikes"})
"""What is over when it is told of the past: as a student I drove a Polo."""
_KINDS: Final = frozenset({"first", "person", "mine", "you", "thing", "order", "question", "fragment"})
_UNTIL: Final = regex(
    r"\b(?:until|till|til|for (?:a|one|two|three|four|five|six|\d+|the next|a couple of|a few) (?:days?|weeks?|nights?|months?)|this (?:week|month|weekend)|temporarily|for now|for the moment|while|at the moment|filling in|covering|on secondment|today|tonight)\b"
)


@lru_cache(maxsize=2048)
def _conditions(when: frozenset[str]) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """(groups of which one flag each must hold, flags that must not hold) of a rule's `when`, without the words about stance and tense."""
    wanted, unwanted = [], set()
    for word in when - _META:
        if word.startswith("!"):
            unwanted.add(word[1:])
        else:
            wanted.append(frozenset(word.split("|")))
    return tuple(wanted), frozenset(unwanted)


def facts_of(text: str, low: str, frame: Frame, lex: Lexicon, now: datetime | None, *, shout: bool) -> list[tuple[Candidate, FactRule]]:
    """Candidates of one clause. Longer finds of an attribute win over shorter ones at the same place."""
    out: list[tuple[Candidate, FactRule, tuple[int, int]]] = []
    for rule, stance in _acting(lex, frame.kind, frame.flags):
        if rule.need:
            for literal in rule.need:
                if literal in low:
                    break
            else:
                continue
        m = _meet(rule, low, frame)
        if m is None:
            continue
        hit = Hit(rule, m, text, low, frame, lex, now, shout)
        for value in CHECKS[rule.check](hit):
            made = _candidate(value, hit, stance)
            if made is not None:
                out.append((made, rule, (value.start, value.end)))
    return _best(out)


_Acting = tuple[tuple[FactRule, Stance], ...]
_ACTING: Final[dict[int, tuple[Lexicon, dict[tuple[str, frozenset[str]], _Acting]]]] = {}


def _acting(lex: Lexicon, kind: str, flags: frozenset[str]) -> _Acting:
    """The rules that may act in frames of this kind with these flags, each with its stance; worked out once per kind of frame."""
    known = _ACTING.get(id(lex))
    if known is None:
        if len(_ACTING) > 8:
            _ACTING.clear()
        known = _ACTING[id(lex)] = (lex, {})
    table = known[1]
    found = table.get((kind, flags))
    if found is None:
        if len(table) > 4096:
            table.clear()
        found = table[kind, flags] = tuple((r, s) for r in lex.facts if (s := _stance(r, kind, flags)) is not None and _holds(r, kind, flags))
    return found


def _holds(rule: FactRule, kind: str, flags: frozenset[str]) -> bool:
    wanted, unwanted = _conditions(rule.when)
    here = flags | {kind}
    if kind == "fragment" and "bare" in rule.when:
        here = here | {"be", "verb", "have", "first"}
    return unwanted.isdisjoint(here) and not any(g.isdisjoint(here) for g in wanted)


@lru_cache(maxsize=1024)
def _anchored(pattern: Pattern) -> re.Pattern[str] | None:
    """The pattern without its leading ^ (which would mean the start of the string, not of the clause after openers)."""
    return regex(pattern.pattern[1:]) if pattern.pattern.startswith("^") else None


def _meet(rule: FactRule, low: str, frame: Frame) -> re.Match[str] | None:
    if rule.on != "clause":
        return rule.pattern.match(low, frame.at)
    anchored = _anchored(rule.pattern)
    return rule.pattern.search(low) if anchored is None else anchored.match(low, frame.start)


def _stance(rule: FactRule, kind: str, flags: frozenset[str]) -> Stance | None:
    """The stance a rule takes in such a frame, None where it may not act."""
    when = rule.when
    if rule.on != "clause":
        if kind not in {"first", "person", "fragment"} or (kind == "fragment" and "bare" not in when):
            return None
        if (rule.owner == USER and kind == "person") or (rule.owner == "person" and kind != "person"):
            return None
        if "poss" in flags and "poss" not in str(when) and rule.attribute not in {"name"}:
            return None
        if "future" in flags and "future-ok" not in when and not any("future" in w for w in when):
            return None
        if "would" in flags and "would-ok" not in when and "would" not in when:
            return None
        if "can" in flags and "neg" not in flags and not {"can", "can-ok"} & when:
            return None
        if "can" in flags and "neg" in flags and not {"can", "can-ok"} & when:
            return None
    elif "used" in flags and rule.stance is Stance.ASSERT and rule.attribute in _LASTED and not when & _TENSES and kind == "first":
        return Stance.PAST
    elif (kind in {"question", "order"} and rule.attribute not in {"contact", "name"} and "order-ok" not in when) or kind == "question":
        return None
    stance = rule.stance
    if "neg" in flags and not {"neg", "neg-ok", "negany", "neg-pet"} & when and rule.on != "clause":
        if "denied-dislikes" in when:
            return None
        if "deny" not in when and not ("anymore" in flags and rule.attribute in {"skill", "habit", "possession", "pet"} and "!neg" not in when):
            return None
        return Stance.NEGATE
    if {"past", "used"} & flags and stance is Stance.ASSERT and rule.on != "clause":
        if when & _TENSES:
            return Stance.PAST if "used" in flags and ("event" not in when or rule.attribute == "pet") else stance
        if rule.attribute in {"plan", "event", "birthday", "name", "hometown", "progress"}:
            return stance
        if "tense-own" in when:
            return Stance.ASSERT if "used" not in flags and re.search("bought|got|inherited", rule.pattern.pattern) else Stance.PAST
        return Stance.PAST
    return stance


def _candidate(value: Value, hit: Hit, stance: Stance) -> Candidate | None:
    rule, frame, low = hit.rule, hit.frame, hit.low
    attribute = value.attribute or rule.attribute
    text = value.text if value.text is not None else hit.text[value.start : value.end]
    if not text.strip() and attribute not in {"plan", "event"}:
        return None
    owner = value.owner if value.owner is not None else frame.owner or USER
    if attribute in {"pet"}:
        owner = USER
    if value.stance is not None:
        stance = value.stance
    if (
        stance is Stance.ASSERT
        and attribute in {"likes", "dislikes"}
        and "past" in frame.flags
        and not frame.flags & {"have", "used", "never"}
        and rule.on != "clause"
    ):
        return None
    times = value.times or []
    time = value.time
    valid_from = valid_to = None
    temporary = False
    if attribute in _TIMED and time is None:
        time = _event_time(find(low, hit.now, past=attribute == "event"))
    if attribute in _STATES and stance is not Stance.CORRECT:
        valid_from, valid_to, over = _interval(low, times or find(low, hit.now, past=True), stance)
        if over and stance is Stance.ASSERT:
            stance = Stance.PAST
        temporary = (
            attribute in {"location", "occupation", "employer", "habit"}
            and "past" not in frame.flags
            and _UNTIL.search(low) is not None
            and "since" not in low
            and "until further notice" not in low
        )
    return Candidate(
        attribute=attribute, value=text, owner=owner, normal=value.normal, time=time, content=value.content, stance=stance, replaces=value.replaces,
        valid_from=valid_from, valid_to=valid_to, temporary=temporary, explicit="explicit" in frame.flags,
        confidence=value.confidence if value.confidence is not None else rule.conf,
    )  # fmt: skip


def _event_time(times: Sequence[When]) -> str | None:
    """The finest date of the clause."""
    return max((w.iso for w in times if w.kind == "date" and w.iso), key=len, default=None)


def _interval(low: str, times: Sequence[When], stance: Stance) -> tuple[str | None, str | None, bool]:
    """(valid_from, valid_to, over) of a state: since 2019, from 2010 to 2016, until March; the year of a move or of an end."""
    dated = [w for w in times if w.kind == "date" and w.iso]
    for w in dated:
        if w.until:
            return w.iso, w.until, True
    for w in dated:
        if w.since:
            return w.iso, None, False
        if (w.to and w.sign < 0) or (w.to and stance in {Stance.PAST, Stance.NEGATE}):
            return None, w.iso, True
    past = [w for w in dated if w.sign < 0]
    if stance in {Stance.NEGATE, Stance.PAST}:
        return None, past[0].iso if past and stance is Stance.NEGATE else None, False
    if past and re.search(
        r"\b(?:moved|relocated|joined|started|became|switched|left|bought|got|married|begun|began|adopted|went|took|promoted)\b", low
    ):
        return past[0].iso, None, False
    return None, None, False


_SAME: Final = [{"likes", "habit", "dislikes"}, {"plan", "event"}, {"health", "other", "allergy"}, {"skill", "habit", "school", "plan"}, {"occupation", "school"}, {"relationship", "pet", "event", "name"}, {"possession", "pet", "health", "other", "plan"},
                {"habit", "plan", "occupation", "skill", "location", "employer"}, {"age", "birthday"}, {"employer", "possession"}, {"location", "hometown", "event"}, {"health", "habit"}, {"occupation", "possession"}, {"event", "possession"}, {"event", "school"}, {"event", "habit"}, {"event", "age"}, {"plan", "birthday"}, {"other", "habit"}, {"other", "relationship"}, {"likes", "relationship"}, {"habit", "relationship"}]  # fmt: skip
_RANK: Final = {
    "occupation": 9,
    "employer": 9,
    "allergy": 9,
    "health": 8,
    "pet": 8,
    "relationship": 6,
    "name": 7,
    "age": 9,
    "location": 8,
    "hometown": 8,
    "skill": 7,
    "school": 8,
    "likes": 6,
    "dislikes": 6,
    "habit": 4,
    "possession": 6,
    "plan": 3,
    "event": 5,
    "other": 3,
}


def _best(found: list[tuple[Candidate, FactRule, tuple[int, int]]]) -> list[tuple[Candidate, FactRule]]:
    """Drops a find that overlaps a better one of the same family: more confident, then of the more telling attribute."""
    kept: list[tuple[Candidate, FactRule, tuple[int, int]]] = []
    for one in sorted(found, key=lambda f: (-f[0].confidence, -_RANK.get(f[0].attribute, 5), f[2][0] - f[2][1])):
        c, _, (a, b) = one
        clash = False
        for k, _, (x, y) in kept:
            if a < y and x < b and (k.attribute == c.attribute or any({k.attribute, c.attribute} <= s for s in _SAME)):
                clash = True
        if not clash:
            kept.append(one)
    kept.sort(key=lambda f: f[2])
    return [(c, r) for c, r, _ in kept]
