"""What a few words end or settle beside what is known: a break-up (小鹿跟我分了), tickets given back (票也退了), having moved in (已经搬过来啦). Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.forms import fold
from memory.revise.hearing import covers, facts_of
from memory.revise.over import PARTNERS, told_over
from memory.revise.people import relation_in
from memory.revise.redate import day_of
from memory.revise.sameness import mentions

_SPLIT: Final = (
    r"(?:已经|早就|还是|最终|终于|彻底|上个?[周月]|前天|昨天|前阵子|刚刚?|正式){0,2}(?:提)?(?:分|掰|吹|散)(?:手|开)?(?:了|啦)(?=[，,。！!；;~\s]|$)"
)
_PARTED: Final = regex(
    rf"(?P<who>[一-龥a-z]{{1,6}}?)(?:跟|和|与)我{_SPLIT}|(?:跟|和|与)(?P<who2>[一-龥a-z]{{1,6}}?){_SPLIT}|(?P<we>我们俩?|我俩|咱俩|俩人){_SPLIT}"
    r"|\b(?P<who3>[a-z][a-z’'-]+) and i (?:have |[’']ve )?(?:just |finally )?(?:broke|broken|split) up\b|\b(?:broke|broken|split) up with (?P<who4>[a-z][a-z’'-]+)"
    r"|\b(?P<who5>[a-z][a-z’'-]+) (?:left|dumped|broke up with) me(?=[,.!]| (?:last|yesterday|today|for)|$)|\b(?P<we2>we)(?:[’']ve| have)? (?:just |finally )?(?:broke|broken|split) up\b"
)
_TOGETHER: Final = regex(r"在一起|恋爱|谈了|交往|同居|异地恋|\b(?:together|dating|seeing each other)\b")
_PAIR: Final = regex(r"在一起|恋爱|谈了|谈对象|交往|对象|\b(?:together|dating|seeing)\b")


def parted(clause: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The ties that the user's own break-up ends: who is named, else the partner, and what they were together."""
    found = _PARTED.search(clause)
    if found is None:
        return []
    who = next((g for name, g in found.groupdict().items() if name.startswith("who") and g), "")
    ties = facts_of(active, USER, frozenset({"relationship"}))
    partners = [m for m in ties if not _TOGETHER.search(fold(m.value)) and _partner(m)]
    named = [m for m in partners if mentions(m.value, who) or mentions(who, m.value) or mentions(m.content, who)] if who else partners
    if who and not named:
        return []
    states = [m for m in ties if _TOGETHER.search(fold(m.value))]
    over = [*(named if who or len(named) == 1 else []), *states]
    return [told_over(m, text) for m in over if not any(c.stance is Stance.NEGATE and covers(c, m) for c in taken)]


def _partner(tie: Memory) -> bool:
    told = f"{tie.content} {tie.source.text or ''}"
    kind = relation_in(tie.content or tie.source.text or "", tie.value)
    return kind.words[0] in PARTNERS if kind is not None else _PAIR.search(fold(told)) is not None


_GIVEN_BACK: Final = regex(
    r"票(?:也|都|已经|全|给|刚|钱){0,3}(?:退|转让|转|卖)(?:掉|出去)?(?:了|啦)|退票了"
    r"|\b(?:got|had|have) (?:the|my|our) (?:tickets?|flights?|booking) refunded|\b(?:cancell?ed|refunded|returned|sold|gave away) (?:the|my|our|those) (?:tickets?|flights?|booking)\b|\btrip(?:[’']s| is) (?:off|cancell?ed)\b"
)
_BY_TICKET: Final = regex(
    r"票|飞|航班|高铁|火车|动车|演唱会|音乐节|话剧|[去到](?!医院)|\b(?:tickets?|flights?|fly|flying|train|ferry|trip|gig|concert|festival|show|holiday)\b"
)


def given_back(clause: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """The one journey or evening that is to come and whose tickets were given back."""
    if _GIVEN_BACK.search(clause) is None:
        return []
    coming = [m for m in facts_of(active, USER, frozenset({"plan", "event"})) if (day := day_of(m.time)) is not None and day >= now.date()]
    meant = [m for m in coming if _BY_TICKET.search(fold(f"{m.value} {m.source.text or ''}"))]
    bought = [m for m in meant if re.search(r"票|ticket|flight", fold(f"{m.value} {m.source.text or ''}"))]
    meant = bought if len(bought) == 1 else meant
    return [told_over(m, text) for m in meant if not any(covers(c, m) for c in taken)] if len(meant) == 1 else []


_MOVED_IN: Final = regex(
    r"^(?:我们?|咱们?|全家|今天|昨天|上周末?|上个?月|刚刚?|已经|终于|总算|都|也|早就|正式){0,4}搬(?:过来|进来|过去|进去|进新家)(?:住)?(?:了|啦)[，,。！!~\s]*$"
    r"|\b(?:we|i)(?:[’']ve| have)?(?: finally| just| now)? moved in(?: now| already| yesterday| last \w+)?[,.! ]*$"
)
_HOME_TO_BE: Final = regex(
    r"^(?:打算|准备|想)?(?:在)?(?P<p>[一-龥]{2,8}?)(?:那边|这边)?(?:看|租|买|定|订|签|找)(?:中|好|下|到|上)?(?:了)?(?:一|个|套|间|两|三|处){0,2}[^，。]{0,6}?(?:居室?|室|房子?|公寓|厅|单间|loft)$|^(?:打算|准备|要|想)?搬(?:到|去)(?P<p2>[一-龥]{2,8}?)(?:住|去)?$"
    r"|\b(?:flat|house|apartment|place|home|room|studio) in (?P<p3>[a-z][a-z' -]{1,24})$|^(?:i[’']m |we[’']re )?moving to (?P<p4>[a-z][a-z' -]{1,24})$"
)
_LATELY: Final = timedelta(days=180)


def moved_in(clause: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """The home that was looked at or planned lately, now that the user says that he has moved in; and the plan is over."""
    if _MOVED_IN.search(clause) is None or any(c.attribute == "location" for c in taken):
        return []
    for m in facts_of(active, USER, frozenset({"plan", "event", "other"})):
        found = _HOME_TO_BE.search(fold(m.value)) if now - m.updated_at <= _LATELY else None
        if found is None:
            continue
        name = next(n for n, g in found.groupdict().items() if g)
        place = m.value[slice(*found.span(name))] if len(fold(m.value)) == len(m.value) else found[name]
        old = next((k.value for k in facts_of(active, USER, frozenset({"location"}))), None)
        return [Candidate(attribute="location", value=place, replaces=old, clause=text), told_over(m, text)]
    return []


def tells_end(plain: str) -> bool:
    """Whether the folded text may tell one of these."""
    return any(p.search(plain) for p in (_PARTED, _GIVEN_BACK, _MOVED_IN))
