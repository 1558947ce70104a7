"""A figure or code told in the words that a known one was told in takes its place: a crew of eight … a crew of 10 now; 车位是B2层37号 … 车位现在是B1层112号.

What counts is not a list of things that can be counted but the frame: the words around the figure are shared, the figures are of one kind, and the clause
tells something new. Pure.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import Memory
from memory.revise.cues import says
from memory.revise.forms import UNITS, bare, fold, numerals, quantity
from memory.revise.hearing import as_said, facts_of
from memory.revise.people import is_user
from memory.revise.sameness import Same, content_words, same

_UNIT: Final = "|".join(re.escape(u) for u in sorted(UNITS, key=len, reverse=True))
_FIGURE: Final = regex(
    rf"(?<![\d.:])(?:[$€£¥]\s?)?(?P<code>[a-z]{{0,3}}-?\d{{1,18}}(?:[.:/-]\d{{1,9}}){{0,6}}[a-z]?(?![a-z\d]))(?:\s?(?:万|千|百|k\b))?(?:\s?(?:{_UNIT})(?![a-z]))?(?P<tail>[\u4e00-\u9fff]?)"
)
"""A figure with its sign and unit, or a code (B2, 7K2); in numerals."""
_TIME: Final = regex(
    r"(?:周|星期|礼拜)\d|(?:19|20)\d\d ?年|\b(?:in|since|from|until|till|to) (?:19|20)\d\d\b|(?<!\d)\d{1,2}月(?:\d{1,2}[日号])?|\d{1,2}[:：]\d\d|\d+\s?(?:am|pm|点|年|个?月|天|周|次|遍|岁|号线|days?|weeks?|months?|years?|times?|minutes? ago)"
)
_ANEW: Final = regex(
    r"已经|现在|目前|如今|最新|今起|改|换|涨|降|升|加|减|添|变|挪|搬|调|缩|扩|砍|压到|提到|提高|剩|只有|成了|新"
    r"|\b(?:now|new|currently|up(?:ped)?|down|only|from|changed?|moved?|switched|raised?|cut|dropped|bump(?:ed)?|went|gone|grew|grown|got|given|so|already|left|reissued|renewed|replaced|became|these days|today)\b"
)
_ONCE: Final = regex(
    r"昨[天晚]|前天|今[天早晚]|刚才|这次|那次|有一次|偶尔|破例|这[两几]?天|这周|本周|上周|周末|临时|暂时|平均|一共|总共|差点"
    r"|\b(?:yesterday|this (?:morning|evening|week|weekend)|tonight|last (?:night|week|weekend)|once|just this|for now|temporarily|average|almost|nearly)\b"
)
_DULL: Final = frozenset(
    "now new year month week day still each every onli pound per have take make get got give use run drink eat read live work go come been was were this that they there then from than about hour minut".split()  # noqa: SIM905
)
_EMPTY: Final = regex(
    r"现在|目前|如今|以前|已经|一直|大概|差不多|左右|今年|去年|每[天月年周日]|一[天个月年周]|公司|老板|房东|物业|我们?家?的?|这个|那个|这|那|的|了|是|有|在|到|着|还|都|也|就|才|又|只|不|没|从|把|被|给|让|和|跟|要|能|会|说|去|来|上|下|里|个"
)


def parallel(clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The known fact whose figure the clause tells anew, with the new figure in place of the old; empty where none is meant without doubt."""
    plain = numerals(fold(clause))
    if not re.search(r"\d", plain) or re.search(r"\d{19}", plain) or (_ONCE.search(plain) and not says("change", plain)):
        return []
    news = figures_in(plain)
    if not news:
        return []
    best: tuple[int, Memory, str, str] | None = None
    mine = facts_of(active, owner)
    own = {m.key for m in mine}
    others = [m for m in active if m.key not in own and not is_user(m.owner)] if is_user(owner) and not re.match(r"我|i\b|my\b", plain) else []
    for memory in (*mine, *others):
        known = figures_in(numerals(fold(memory.value)))
        if len(known) != 1 or memory.attribute not in _COUNTED:
            continue
        if any(c.attribute == memory.attribute and not c.loose and is_user(c.owner) != is_user(memory.owner) for c in taken):
            continue
        fits = [n for n in news if _of_one_kind(n, known[0])]
        if len(fits) != 1 or same(memory.attribute, fits[0], known[0]) is Same.EQUAL or bare(fits[0]) == bare(known[0]):
            continue
        told = frame(memory.source.text or "", memory)
        near, far = shared(plain, told), shared(before, told)
        weight = near * 2 + far
        anew = bool(_ANEW.search(plain)) or bool(before and _ANEW.search(before)) or near >= 4
        framed = near + far >= 1 if (q := quantity(known[0])) is not None and q.kind in _MEASURED else near >= 2 or far >= 2
        if not framed or not anew or any(_deals(c, memory, fits[0]) for c in taken):
            continue
        if best is None or weight > best[0]:
            best = weight, memory, known[0], fits[0]
    if best is None:
        return []
    _, memory, old, new = best
    was, now = as_said(old, memory.value), as_said(new, text)
    value = (
        now
        if bare(memory.value) == bare(old)
        else memory.value.replace(was, now, 1)
        if was in memory.value
        else numerals(fold(memory.value)).replace(old, now, 1)
    )
    return [Candidate(attribute=memory.attribute, value=value, owner=memory.owner, replaces=memory.value, clause=text)]


_COUNTED: Final = frozenset({"other", "health", "habit", "possession", "occupation", "relationship", "pet", "likes", "progress", "skill", "plan"})
"""Attributes whose values a figure may stand in; an address or a number to call is another one as a whole."""
_MEASURED: Final = frozenset(kind for kind, _ in UNITS.values())


def figures_in(plain: str) -> list[str]:
    """The figures and codes of a text in numerals, with their units; times of day, dates and durations left out. Neighbours (B2层37号) are one."""
    spans: list[tuple[int, int]] = []
    for found in _FIGURE.finditer(_TIME.sub(lambda m: " " * len(m[0]), plain)):
        end = (
            found.end("tail") if found["tail"] and found["tail"] in "层号栋座楼室盆片张本只条头台辆间套份杯瓶根支包箱人亩位" else found.start("tail")
        )
        if spans and found.start() == spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((found.start(), end))
    return [plain[a:b].strip() for a, b in spans]


def _of_one_kind(one: str, other: str) -> bool:
    first, second = quantity(one), quantity(other)
    if first and second:
        return first.kind == second.kind or not ({first.kind, second.kind} & _MEASURED)
    return _shape(one) == _shape(other)


def _shape(token: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+(?:\.\d+)?", "9", token))


def frame(told: str, memory: Memory) -> str:
    """The words a fact was told in, without its own figure."""
    words = f"{told} {memory.content}" if told else memory.content
    return re.sub(r"\d+", " ", numerals(fold(words)))


def shared(plain: str, told: str) -> int:
    """How much of the frame a text shares: the length of the longest telling Chinese run, plus two for each telling English word."""
    rest = _EMPTY.sub(" ", re.sub(r"[\d.,，。]+", " ", plain))
    hay = _EMPTY.sub(" ", told)
    runs = re.findall(r"[\u4e00-\u9fff]+", rest)
    longest = max((n for r in runs for n in range(len(r), 0, -1) if any(r[i : i + n] in hay for i in range(len(r) - n + 1))), default=0)
    words = {w for w in content_words(plain) & content_words(told) if w.isascii() and len(w) > 2 and not w.isdigit()} - _DULL
    return longest + 2 * len(words)


def _deals(candidate: Candidate, memory: Memory, figure: str) -> bool:
    """Whether a judge's candidate deals with this fact already, or has another use for the figure."""
    if candidate.loose:
        return False
    holds = bare(figure) in bare(candidate.value)
    return holds if candidate.attribute != memory.attribute else holds and candidate.replaces is not None
