"""What hearing a clause beside known facts needs: the sayings (notice.toml), whose doing the clause tells, and the thing it names."""

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from memory.judge.clauses import fold as lined
from memory.judge.judgement import Candidate, Stance
from memory.judge.zh.asking import asks
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.forms import bare, compiled, fold, numerals
from memory.revise.people import gender_of_pronoun, is_user, names_in, relations_in, same_person, whom
from memory.revise.sameness import Same, same

Resolve = Callable[[str], str | None]
"""An expression of time in a text → its ISO date, worked out from the message's time."""


_UNSURE: Final = regex(
    r"(?<![不没再])(?:打算|准备|想(?!不)|考虑|计划)|可能|也许|要不要|会不会|如果|要是|万一|差点|几乎|希望|梦见|[吗么][？?]?$|[？?]|(?:什么|哪里?|哪儿|谁|啥|干嘛|多少|几岁|几号|怎么样?)(?:的|呢|来着|啊)?$|"
    r"\b(?:will|(?<!not )(?<!longer )going to|(?<!n[’']t )(?<!longer )want(?:s|ed)? to|(?<!not )(?<!longer )plan(?:ning)? to|might|(?<!\d )(?<!\d(?:st|nd|rd|th) )may(?! \d)(?![.!,;]|$)|thinking (?:of|about)|hope|if|should i|almost|nearly|would|dreamt?|about to)\b"
)


def unsure(text: str) -> bool:
    """Whether what the folded clause speaks of is asked, supposed or only to come."""
    return _UNSURE.search(text) is not None or asks(text)


DENIED: Final = regex(r"(?:没有?|未|不会|别|并非|不是|还没)$|\b(?:not|never|haven[’']t|hasn[’']t|didn[’']t|wasn[’']t|isn[’']t)\s*$")


DOING: Final = regex(
    r"^(?:listening to|watching|playing|reading|eating|drinking|going to|doing|having|cooking|making|buying|wearing|visiting) (?=[a-z])"
)
"""What one stops doing with a thing: stopped listening to true crime."""


_FILL: Final = regex(
    r"^(?:[一-龥]{1,4}(?:发(?:来)?(?:消息|短信|通知)|来电|回复|通知|说|讲)(?:说|了)?(?=[一-龥]{2})|我(?:家|们)?的?|(?:他|她|它)们?的|家(?:里)?的|那[只条头匹](?=.)|我|把|将|就|也|都|又|才|终于|后来|结果|原来|本来|之前|(?:(?:the|my|our|his|her|their|and|but|so|i|we|finally|just|sadly)\b|i[’']ve|we[’']ve))\s*"
)


_WHEN: Final = regex(
    r"昨天|今天|前天|前几天|前阵子|上个?月|上上?周末?|上?个?(?:星期|礼拜)|现在|去年|前年|最近|刚刚|今[早晚年]|昨晚|早就|早已|已经|\b(?:yesterday|today|recently|last (?:week|month|year|night))\b"
)


@dataclass(frozen=True, slots=True)
class End:
    attributes: frozenset[str]
    pattern: re.Pattern[str]
    only: bool
    slot: str | None
    people: bool
    failing: frozenset[str]  # what is over where no fact of `attributes` is known: who is known by trade alone leaves that
    outcome: bool
    about: re.Pattern[str] | None  # what a fact must speak of to be meant, whatever the clause names
    work: bool  # whether ties are meant that end when the person stops his work


@dataclass(frozen=True, slots=True)
class Saying:
    pattern: re.Pattern[str]
    across: bool
    attributes: frozenset[str]
    own: bool  # whether the user may be meant too


@dataclass(frozen=True, slots=True)
class Table:
    ends: tuple[End, ...]
    changes: tuple["Saying", ...]
    done: re.Pattern[str]


@lru_cache(maxsize=1)
def table() -> Table:
    data: dict[str, Any] = tomllib.loads(files("memory.revise").joinpath("notice.toml").read_text("utf-8"))
    ends = tuple(
        End(
            frozenset(e["attributes"]),
            compiled(e["pattern"]),
            e.get("only", False),
            e.get("slot"),
            e.get("people", False),
            frozenset(e.get("failing", ())),
            e.get("outcome", False),
            compiled(e["about"]) if "about" in e else None,
            e.get("work", False),
        )
        for e in data["end"]
    )
    return Table(
        ends,
        tuple(
            Saying(compiled(c["pattern"]), c.get("across", False), frozenset(c.get("attributes", ())), c.get("own", False)) for c in data["change"]
        ),
        compiled("|".join(d["pattern"] for d in data["done"])),
    )


_I_AM: Final = regex(
    r"(?:我|^)(?:现在|目前)?(?:是|当|做)(?:了)?(?:一?[名个位])?[^，。]{0,4}$|(?:升|提|晋)(?:任|为|成|到|职|上|了)*[^，。]{0,4}$|\b(?:i[’']?m|i am|i (?:work|was|became)|as) (?:an? )?[a-z ]{0,16}$"
)
"""What makes the word behind it the user's own trade: 我是语文老师 is not about a teacher of his."""
_GIVEN_TO: Final = regex(r"(?:送|卖|借|还|寄|交|留|托|让|转|捐|过继)给(?:了|我)?的?$")
"""Before whoever got something: 把鹦鹉送给表姐了 is not told of the cousin."""
_SOMEBODY: Final = regex(
    r"(?:听说|结果|后来|昨天|今天)?(?:(?P<who>(?!小(?:时|区|学|孩|猫|狗|心|声|事|吃)|老(?:家|是|早|板|师|人|了|想)|阿(?:姨|里))[小老阿][一-龥]|(?!我|你|他|她|最近|平时|打工|开工|完工|民工|员工|职工)[一-龥]{1,2}(?:总|哥|姐|工|经理|主任|师傅))"
    r"(?=说|讲|也|都|他|她|已经|昨天|今天|上|下|前|要|刚|把|被|又|辞|离|退|跳|搬|结|怀|生|去世|走|换|进|去|倒|调|升|改)|(?P<who2>[^，。我你他她它说]{1,6})(?:说|讲|告诉我)(?:他|她))"
)
"""Somebody whom nothing is known of as the subject: 小李说他下个月辞职 is not about the user."""


def subject_of(clause: str, carried: str, active: Sequence[Memory]) -> str:
    """Whose doing the clause tells: a person it names, one a pronoun means, else the user; a clause without a subject keeps the last one."""
    names = names_in(clause, active)
    if names:
        return names[0]
    if (
        animal := next((m for m in active if m.attribute == "pet" and len(bare(m.value)) > 1 and clause.startswith(fold(m.value))), None)
    ) is not None:
        return USER if is_user(animal.owner) else animal.owner  # 年年送给楼下阿姨了 is about the cat
    ties = [t for t in relations_in(clause) if not (_I_AM.search(clause[: t[0]]) or _GIVEN_TO.search(clause[: t[0]]))]
    if ties:
        return ties[0][1].words[0]
    if (other := _SOMEBODY.match(clause)) is not None:
        return other["who"] or other["who2"]
    found = re.match(r"(?:后来|现在|最近|and |but )?(他们|她们|他|她|(?:he|she|they)\b)", clause)
    if found and gender_of_pronoun(found[1]) != "":
        return whom(found[1], [], active) or found[1]
    if re.match(r"我|i\b|i[’']|my\b|we\b", clause) or re.search(r"(?<![给让帮把跟和对找教陪])我(?:已经|也|就|都|还|又|把|不|没|只|要|得)", clause):
        return USER
    return carried if carried != USER else USER


def somebody(owner: str) -> bool:
    """Whether the subject is a person at all: "they" without anybody in mind is nobody."""
    return fold(owner) not in {"they", "他们", "她们"}


def facts_of(active: Sequence[Memory], owner: str, attributes: frozenset[str] | None = None) -> list[Memory]:
    return [m for m in active if (attributes is None or m.attribute in attributes) and same_person(m.owner, owner, active)]


def trimmed(what: str) -> str:
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


def covers(candidate: Candidate, memory: Memory) -> bool:
    """Whether a judge's candidate deals with this fact already."""
    if candidate.attribute != memory.attribute and candidate.stance is Stance.ASSERT:
        return False
    if candidate.replaces and same(memory.attribute, candidate.replaces, memory.value) is not Same.DIFFERENT:
        return True
    alike = same(memory.attribute, candidate.value, memory.value) in {Same.EQUAL, Same.CLOSE} if candidate.value else False
    return alike and same_person(candidate.owner, memory.owner, [])


def in_its_words(memory: Memory, value: str) -> str:
    """The sentence of a known fact with another value in it, where the known one stands in it: what it is of (输入法, gym) is told there alone."""
    told = memory.content if memory.value in memory.content else memory.source.text or ""
    return told.replace(memory.value, value, 1) if memory.attribute in {"other", "possession"} and memory.value in told and len(told) < 80 else ""


def as_said(span: str, text: str) -> str:
    """The folded span in the user's own spelling, numerals included, where the text still has it."""
    plain = text.casefold()
    for spelled in (plain, lined(text)):
        at = spelled.find(span) if len(spelled) == len(text) else -1
        if at >= 0:
            return text[at : at + len(span)]
    if not re.search(r"\d", span) or len(text) > 400:
        return span
    starts = [m.start() for m in re.finditer(r"(?<![a-z])[a-z]|[\d\u4e00-\u9fff]", plain)]
    for start in starts:
        for end in range(start + 1, min(start + 3 * len(span) + 12, len(text)) + 1):
            if numerals(fold(text[start:end])) == span:
                return text[start:end].strip()
    return span
