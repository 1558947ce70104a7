"""Are two things said about one plan? 去冰岛玩, 冰岛旅行 and "The Iceland trip is off" share their topic."""

import re
from typing import Final

from memory.pattern import regex
from memory.revise.forms import bare, fold
from memory.revise.sameness import abridged, content_words, mentions

_GENERIC: Final = frozenset(
    {"get", "plan", "want", "go", "trip", "visit", "take", "start", "new", "have", "holiday", "vacation", "travel", "fly", "be"}
)
_HEAD: Final = regex(r"^(?:打算|准备|计划|想要|想|要|会|去|参加|考|做|办|搬去|搬到|学|买|报|交|上|看)+(?=..)")
_TAIL: Final = regex(
    r"(?<=..)(?:过了|通过了|通过|考完了?|结束了?|完成了?|的?旅行|的?旅游|旅|游|玩|之旅|行程|计划|的事|考试|回来了|了|一趟|一次)+$|(?<=..)(?:改|推迟|提前|延期|取消|顺延|挪).*$"
)


_ONE_THING: Final = tuple(
    regex(p)
    for p in (
        r"结婚|婚礼|领证|办婚|\bmarr|\bwedding",
        r"求婚|订婚|\bpropos(?:e|ed|ing)\b|\bengaged\b|\bpop(?:ped|ping)? the question",
        r"生孩子|生娃|预产|待产|出生|生了|\bbaby\b|\bborn\b|\bdue\b|expecting",
        r"买房|买套房|房子买|买了房|\b(?:buy|buying|bought) (?:an? |the |our |my )?(?:first |new )?(?:house|flat|home|apartment)\b",
        r"毕业|答辩|graduat",
        r"考(?:研|公|博|编|上)|高考|自考|成考|专升本|上岸|录取|研究生",
        r"\b(?:sell|selling|sold)\b(?=.*\b(?:caravan|house|flat|car|van|boat|bike|home)\b)",
        r"入职|跳槽|换工作|找工作|找到工作|offer|新工作|new job|found a job|start(?:ed|ing)? at",
    )
)


def core(text: str) -> str:
    """What a plan is about: without verbs of intention in front and words of outcome behind."""
    plain = fold(text).strip()
    if plain.isascii():
        words = content_words(plain) - _GENERIC
        return " ".join(sorted(words)) if words else plain
    return _TAIL.sub("", _HEAD.sub("", re.sub(r"^把|重新|一下$", "", re.sub(r"^(?:打算|准备|计划|想)把", "", plain))))


_OBJECT: Final = regex(
    r"^(?:跟|和|与|带|陪|给|帮|把|在|到|回|趟|一下|[^，。的]{0,6}?)(?:开|办|搞|弄|做|建|买|租|换|养|领养|申请|报|考|学|写|出|拍|种|装|修|盖|搭|拿|评|比|打|练|看|订)(?:一)?(?:个|家|间|套|辆|台|部|本|只|条|场|次|张|片|门|届)?(?P<o>[一-龥a-z][一-龥a-z0-9]{1,7})$"
)


def _object(about: str) -> str:
    """What a planned doing is done to: 花店 of 开个花店; empty where it has no such noun of its own."""
    found = _OBJECT.match(about)
    return found["o"] if found is not None and not re.fullmatch(r"东西|事情|一下|工作|活动|考试|项目|朋友|孩子|时候|地方", found["o"]) else ""


def topic(plan: str, said: str) -> bool:
    """Whether what is said is about the plan: what matters in one is in the other."""
    if any(p.search(fold(plan)) and p.search(fold(said)) for p in _ONE_THING):
        return True
    about, told = core(plan), core(said)
    if len(bare(told)) > 1 and (mentions(plan, told) or abridged(told, plan)):
        return True
    if not about:
        return False
    if mentions(said, about):
        return True
    if about.isascii():
        words = content_words(about)
        return len(words) > 1 and len(words & content_words(said)) * 2 >= len(words)
    if _object(about) and _object(about) in fold(said):
        return True
    return len(about) >= 4 and any(gram in fold(said) for i in range(len(about) - 2) if re.search("[一-龥]{2}", gram := about[i : i + 3]))
