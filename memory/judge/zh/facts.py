"""Applies the fact rules to a laid-out clause: candidates with owner, span, stance and time."""

import re
from itertools import pairwise
from typing import Final

from memory.judge.clauses import Clause
from memory.judge.judgement import Candidate, Stance
from memory.judge.reader import Context
from memory.judge.rules import FactRule, Lexicon
from memory.judge.zh.frame import STRANGER, Frame
from memory.judge.zh.numbers import number
from memory.judge.zh.times import Moment, moments, year
from memory.judge.zh.values import CHECKS, Span, break_list, trim
from memory.pattern import regex
from memory.record import CATEGORIES, USER

_CN_YEAR: Final = r"(?:(?:19|20)\d\d|\d\d|[一二][零〇九][零〇一二三四五六七八九]{2}|[零〇一二三四五六七八九]{2})"
_YEARS: Final = regex(
    rf"(?<![\d零〇一二三四五六七八九])({_CN_YEAR})年?\s*(?:到|至|[-~—–])\s*(?:(?={_CN_YEAR}年)|(?=(?:19|20)\d\d(?!\d)))({_CN_YEAR})(?!\d)"
)
_WHOLE: Final = frozenset({"instruction", "plan", "event", "habit", "relationship", "progress"})
_TIMED: Final = frozenset({"plan", "event", "birthday", "progress", "health"})
_EACH: Final = regex(r"(?:每|逢|每个|一到)$")
_HARD: Final = frozenset({"event", "health", "relationship"})
"""What is so even when it is told with irony."""
_WORKS: Final = regex(r"工作|上班|打工|实习")
_NUMBERS: Final = regex(r"\d{100}")
_MOVES: Final = frozenset({"location", "employer", "occupation", "school"})
_LASTING: Final = frozenset(
    {"location", "employer", "occupation", "school", "habit", "relationship", "likes", "pet", "possession", "hometown", "skill", "name"}
)


def find_facts(clause: Clause, frame: Frame, ctx: Context, lex: Lexicon, blocked: frozenset[str]) -> list[tuple[Candidate, FactRule]]:
    """Candidates of one clause. `blocked` names what forbids facts here (question, hypothetical, …); only rules with `keep` act then."""
    plain = clause.plain
    if _NUMBERS.search(plain):
        return []  # a dump of digits holds no fact, and every pattern for numbers would try it at each place
    found: list[tuple[Candidate, FactRule]] = []
    taken: list[tuple[Span, str]] = []
    times: list[Moment] | None = None
    signals = (
        _signals(frame)
        | ({"period"} if _period_before(clause, ctx) else set())
        | ({"ordered"} if _ordered(clause, ctx, lex) else set())
        | ({"commutes"} if frame.owner == USER and _commutes(clause, ctx, lex) else set())
        | {name for name in ("service", "scales", "gives_up", "address") if ctx.first(lex, name) >= 0}
    )
    hard = blocked == {"sarcasm"} and lex.has("hard_event", plain)
    for rule in lex.candidates(plain):
        if blocked and not rule.keep and not (rule.owner == "anyone" and blocked == {"stranger"}) and not (hard and rule.attribute in _HARD):
            continue
        if not _owner_fits(rule, frame) or not rule.when_holds(signals):
            continue
        for match in _matches(rule, frame, plain):
            for attribute, values in _found(rule, match, plain, ctx, lex, clause.start):
                if attribute == "location" and rule.attribute == "employer" and "commutes" in signals:
                    continue
                if f"not_of_me_{attribute}" in lex.patterns and lex.has(f"not_of_me_{attribute}", plain):
                    continue
                for value in values:
                    value = _after_subject(value, attribute, frame)
                    if value[0] >= value[1] or any(a < value[1] and value[0] < b for (a, b), _ in taken):
                        continue
                    if times is None:
                        times = moments(plain, ctx.time)
                    taken.append((value, attribute))
                    found.append(
                        (
                            _to_come(_candidate(rule, attribute, value, match, clause, frame, times, ctx), match, value, clause, frame, times, ctx),
                            rule,
                        )
                    )
    return found


def _ordered(clause: Clause, ctx: Context, lex: Lexicon) -> bool:
    """Whether a doctor says it, here or in the clause before: 医生说了，不能吃海鲜."""
    if lex.has("ordered_by", clause.plain):
        return True
    before = [c for c in ctx.clauses if c.sentence == clause.sentence and c.start < clause.start]
    return bool(before) and lex.has("ordered_by", before[-1].plain)


def _after_subject(value: Span, attribute: str, frame: Frame) -> Span:
    """老大近视了: who has it is no part of what he has."""
    inside = attribute == "health" and frame.subject in {"kin", "named", "pronoun"} and value[0] < frame.tail < value[1]
    return (frame.tail, value[1]) if inside else value


def _commutes(clause: Clause, ctx: Context, lex: Lexicon) -> bool:
    """Whether the place where one works is another than home: a home is told beside it, or the way to it."""
    if not _WORKS.search(clause.plain):
        return False
    return lex.has("commutes", clause.plain) or any(lex.has("home_told", c.plain) for c in ctx.clauses if c is not clause)


def _owner_fits(rule: FactRule, frame: Frame) -> bool:
    if frame.owner == STRANGER:
        return rule.owner == "anyone"
    return not (rule.owner == "self" and frame.owner != USER) and not (rule.owner == "other" and frame.owner == USER)


def _signals(frame: Frame) -> frozenset[str]:
    """What `when` may ask for: the flags, the subject, and mixtures of them."""
    person = frame.subject in {"kin", "named", "pronoun"} or "carried" in frame.flags
    more = {frame.subject}
    if frame.subject == "self" or person:
        more |= {"stated", "self_or_kin", "stated_or_habit"}
    if person:
        more.add("kin_or_named")
    if frame.subject in {"kin", "named", "pronoun"}:
        more.add("kin_here")
    if frame.subject == "pronoun" and not frame.kin:
        more.add("stray_pronoun")
    if "habitual" in frame.flags:
        more |= {"stated_or_habit", "habitual_or_fixed"}
    if frame.subject in {"self", "kin"}:
        more.add("habitual_or_fixed")
    return frame.flags | more


def _matches(rule: FactRule, frame: Frame, plain: str) -> list[re.Match[str]]:
    if rule.on == "clause":
        return list(rule.pattern.finditer(plain))
    found = rule.pattern.match(plain, frame.tail if rule.on == "tail" else frame.body)
    return [found] if found else []


def _parts(rule: FactRule, match: re.Match[str]) -> list[tuple[str, Span]]:
    """The value, and further facts whose groups bear an attribute's name (在(?P<employer>…)做(?P<v>…))."""
    parts = []
    for group in match.re.groupindex:
        name = group.rstrip("0123456789")
        attribute = rule.attribute if name == "v" else name
        if attribute in CATEGORIES and match.span(group)[0] >= 0:
            parts.append((attribute, match.span(group)))
    return parts


def _found(rule: FactRule, match: re.Match[str], plain: str, ctx: Context, lex: Lexicon, offset: int) -> list[tuple[str, list[Span]]]:
    """Attribute and value spans of a match; a main value that is refused takes the others with it."""
    found = [(attribute, span, _values(rule, attribute, plain, span, ctx, lex, offset)) for attribute, span in _parts(rule, match)]
    if any(attribute == rule.attribute and not values for attribute, _, values in found):
        return []
    return [(attribute, values) for attribute, _, values in found]


def _values(rule: FactRule, attribute: str, plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> list[Span]:
    span = trim(plain, span, lex, whole=attribute in _WHOLE)
    if attribute in {"pet", "relationship"} and span[1] - span[0] > 1 and plain[span[0]] in "只条头匹个位名":
        span = (span[0] + 1, span[1])  # 养了只橘猫: a bare measure word is no part of it
    if attribute == "event" and plain.startswith(("我搬", "我住", "我结", "我离", "我辞", "我毕", "我升", "我退", "我考", "我拿"), span[0]):
        span = (span[0] + 1, span[1])
    if plain.startswith("们", span[0]):
        span = (span[0] + 1, span[1])  # 我们上周搬家了: whose it is begins with 我
    if attribute == "skill" and span[1] - span[0] == 1 and plain[span[0]] in "做干搞弄当":
        return []
    if attribute in _MOVES and plain.startswith("在", span[0]):
        span = (span[0] + 1, span[1])
    spans = break_list(plain, span, lex) if rule.split and attribute == rule.attribute else [span]
    check = CHECKS.get(rule.check) if attribute == rule.attribute else {"employer": CHECKS["org"], "location": CHECKS["place"]}.get(attribute)
    good = []
    for one in spans:
        text = plain[one[0] : one[1]]
        if not text.strip():
            continue
        if rule.deny is not None and attribute == rule.attribute and rule.deny.search(text):
            return []  # one refused item spoils the list: it is no list of values
        if check is not None and not check(plain, one, ctx, lex, offset):
            continue
        if not CHECKS["content"](plain, one, ctx, lex, offset):
            continue
        good.append(one)
    return good


def _candidate(
    rule: FactRule, attribute: str, span: Span, match: re.Match[str], clause: Clause, frame: Frame, times: list[Moment], ctx: Context
) -> Candidate:
    value = clause.text[span[0] : span[1]]
    plain = clause.plain[span[0] : span[1]]
    if (
        attribute == "relationship"
        and rule.name.startswith(("relationship.marital", "relationship.wed", "change.married", "relationship.have"))
        and frame.owner not in {USER, STRANGER}
    ):
        attribute = "event" if plain.endswith("婚") else "other"  # 我闺蜜离婚了 is hers
    stance = rule.stance
    if (
        stance is Stance.ASSERT
        and attribute not in {"event", "plan", "birthday", "progress", "hometown"}
        and "past" in frame.flags
        and "now" not in frame.flags
    ):
        stance = Stance.PAST
    time = valid_from = valid_to = None
    ended = False
    near = [m for m in times if m.value is not None]
    if attribute in _TIMED:
        time = _event_time(near, span)
    elif attribute in _LASTING and (
        near := [m for m in near if not _EACH.search(clause.plain[: m.start]) and (attribute != "location" or m.end <= span[0] or m.start >= span[1])]
    ):
        valid_from, valid_to, ended = _interval(clause.plain, near)
    elif attribute in _LASTING and "now" not in frame.flags and (period := _period_before(clause, ctx)) is not None:
        valid_from, valid_to, ended = period
    if ended and stance is Stance.ASSERT:
        stance = Stance.PAST
    replaces = clause.text[slice(*match.span("r"))] if "r" in match.re.groupindex and match.span("r")[0] >= 0 else None
    named = clause.text[slice(*match.span("o"))] if "o" in match.re.groupindex and match.span("o")[0] >= 0 else ""
    return Candidate(
        attribute=attribute, value=value, owner=named or _owner(rule, attribute, clause, frame), normal=normal_form(attribute, value, plain), time=time, stance=stance,
        replaces=replaces, valid_from=valid_from, valid_to=valid_to, temporary=rule.temporary or "once" in frame.flags, confidence=rule.conf,
        clause=clause.text.strip(),
    )  # fmt: skip


def _owner(rule: FactRule, attribute: str, clause: Clause, frame: Frame) -> str:
    """Whose the fact is: the subject's; a number or address is that of whom the clause says it is, though no tie is named (老李的电话, 物业电话)."""
    if attribute in {"relationship", "instruction"} or (rule.owner == "here" and frame.subject == "none"):
        return USER
    if attribute == "contact" and frame.owner in {None, "", USER} and (found := _REACHED.search(clause.plain)) and not _OWN.search(found["who"]):
        return clause.text[slice(*found.span("who"))]
    if attribute == "birthday" and frame.owner in {None, "", USER} and (found := _THEIR_DAY.search(clause.plain)):
        return clause.text[slice(*found.span("who"))]
    return frame.owner or USER


_THEIR_DAY: Final = regex(r"是(?P<who>他|她|它)(?:的)?[^，。我]{0,4}(?:生日|大寿|岁)")
_REACHED: Final = regex(
    r"(?:^|[，。！？：:\s])(?:对了|另外|还有|这个?是|那个?是|帮?我?(?:记|存)(?:一?下|住|着|了)?|[一-龥]{2,4}(?=[小老阿][一-龥](?:的|换|电话|手机|微信)))?"
    r"(?P<who>[一-龥]{2,6}?)(?:的|家的?)?(?:(?:已经|又|刚)?(?:换|改)(?:了|成)?)?(?:新的?|工作|手机|办公)?(?:电话|手机|号码|微信|邮箱|qq|联系方式|座机|号)"
)
_OWN: Final = regex(
    r"[我你您他她它咱俺的是换改加发打用有给留]|现在|目前|新|旧|备用|常用|工作|公司|单位|办公|家里|家庭|个人|私人|紧急|固定|以前|原来|注册|绑定|登录|最近|今天|以后|手机|电话|微信|邮箱|联系"
)


def _to_come(
    found: Candidate, match: re.Match[str], span: Span, clause: Clause, frame: Frame, times: list[Moment], ctx: Context
) -> Candidate:  # fmt: skip
    """A new home or job that a later day is named for is a plan: 下个月要搬到深圳 does not end the present home."""
    apart = [m for m in times if m.end <= span[0] or m.start >= span[1]]  # 槐树路18号 is no date
    if found.attribute == "school":
        apart = [
            m
            for m in apart
            if not (clause.plain[m.start : m.end] == "周末" and not clause.plain[: m.start].endswith(("这", "这个", "下", "下个", "本")))
        ]
    later = [m.value for m in apart if m.value and ctx.time is not None and m.value > ctx.time.date().isoformat()[: len(m.value)]]
    untold = found.attribute == "other" and found.owner != USER  # 奶奶下周三做白内障: something of hers that is to come
    if not (found.attribute in _MOVES or untold) or found.stance is not Stance.ASSERT or "now" in frame.flags or not later:
        return found
    value = clause.text[match.start() : span[1]].strip()
    return found.evolve(attribute="plan", value=value, normal=None, time=max(later, key=len), valid_from=None, valid_to=None)


def _event_time(near: list[Moment], span: Span) -> str | None:
    """The finest time of the clause: a day beats a month beats a year; today counts only when nothing else is there."""
    real = [m for m in near if m.kind != "today"] or near
    return max((m.value for m in real if m.value), key=len, default=None)


def _interval(plain: str, near: list[Moment]) -> tuple[str | None, str | None, bool]:
    """(valid_from, valid_to, over) of a state: 2014年到2018年, 2023年起, 去年搬到…"""
    for a, b in pairwise(near):
        if re.fullmatch(r"[年间]?\s*(?:到|至|-|~|—|直到)\s*", plain[a.end : b.start]):
            return (a.value, None, False) if b.kind == "today" else (a.value, b.value, True)
    if m := _YEARS.search(plain):
        return f"{year(m.group(1)):04d}", f"{year(m.group(2)):04d}", True
    first = near[0]
    if first.kind in {"today"} or first.value is None:
        return None, None, False
    return first.value, None, False


_PERIOD: Final = regex(
    rf"(?:^|[。！？；\n：:，,])\s*(?:我|从|自|在)?(?P<a>{_CN_YEAR})年?(?:\d{{1,2}}月)?(?:初|底)?\s*(?:(?:到|至|[-~—–])\s*(?P<b>{_CN_YEAR}(?:年|(?!\d))|现在|今|如今|今天)(?:\d{{1,2}}月)?(?:初|底)?"
    r"|(?<=年)(?:起|开始|以后|之后|以来))(?P<rest>[^。！？；\n]*)[，,：:\s]$"
)
_MOVES_ON: Final = regex(r"后来|然后|接着|之后|现在|如今|目前|再|至今|直到|还|一直到|年")


def _period_before(clause: Clause, ctx: Context) -> tuple[str | None, str | None, bool] | None:
    """The period that the sentence began with, for its later clauses: 2015年到2019年，我在…; 08到12年住校，天天打球."""
    if not clause.start or (found := _PERIOD.search(ctx.plain[max(0, clause.start - 60) : clause.start])) is None:
        return None
    if _MOVES_ON.search(found["rest"]) or _MOVES_ON.search(clause.plain):
        return None
    begun = f"{year(found['a']):04d}"
    over = found["b"] is not None and number(found["b"].rstrip("年")) is not None
    return begun, f"{year(found['b'].rstrip('年')):04d}" if over else None, over


def normal_form(attribute: str, value: str, plain: str) -> str | int | float | None:
    """A number for ages, the folded form where the user's differs from it."""
    if attribute == "age":
        found = re.search(r"\d+|[零〇一二两三四五六七八九十百]+", plain)
        if found and (n := number(found.group())) is not None:
            return n
    return plain if plain != value and plain != value.lower() else None
