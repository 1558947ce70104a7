"""What takes up the place of something that the same message ends: sold the Golf, got a Tesla; 围棋不学了，改学编程; dropped the cello for drums.

The clause that ends something tells what kind of thing is to come, so that the next one need not say it in full. Pure.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory
from memory.revise.forms import bare, fold
from memory.revise.hearing import as_said, covers, facts_of, in_its_words
from memory.revise.people import same_person
from memory.revise.sameness import Same, mentions, same

_WHEN: Final = regex(
    r"\s+(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)day|next \w+|in (?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|now|instead|these days|today|yesterday|last \w+|this \w+|already|soon)$|(?:了|啦|呢|吧|上班|工作)$"
)
_DOING: Final = (
    r"(?:改|开始|现在|转头|转而|扭头|转|换|在|又)+(?:成|去|为)?(?:学|练|看|追|听|读|打|玩|弹|拉|吃|喝|做|用|跑|踢|养|穿)(?P<v>[^，。；！]{1,14})"
    r"|\b(?:(?:i[’']m|now|just|and|he[’']s|she[’']s) )*(?:doing|learning|studying|playing|reading|watching|started(?: on| reading| watching| learning| playing)?|taking up|took up|taken up|picked up|switched to|moved on to|on to|onto|into|trying|drinking|eating|having)(?: on)? (?:the |some )?(?P<w>[^,.!?;]{2,30})"
)
_BEGINS: Final = {
    "employer": regex(
        r"(?:去了?|到了?|进了|加入了?|入职了?|跳到了?|跳去了?|换到了?|现在在)(?P<v>[^，。；！]{2,14})"
        r"|\b(?:starting|started|start|joined|joining|moved|working|work|i[’']m|going|gone)(?: work| over| a new job| now)*(?: at| with| for| to| in)? (?P<w>[a-z][^,.!?;]{1,30})"
    ),
    "possession": regex(
        r"(?:提|买|入手|入|换|订|整|弄)了?(?:一?[台辆部款])(?:新的?|二手的?)?(?P<v>[^，。；！]{1,14})|(?:换成|换了)(?:一?个|一?只|一?把)?(?P<v2>[^，。；！一]{1,14})"
        r"|\b(?:got|bought|have|driving|drive|ordered|using|picked up|went for|getting)(?: myself| me| us)? (?:an?|the|some|my) (?:new |used |second-?hand )?(?P<w>[^,.!?;]{2,30})"
    ),
    "plan": regex(
        r"\b(?P<w>(?:going to|going for|doing|buying|visiting|flying to|driving to|heading to|applying to|booked|booking) [^,.!?;]{2,30}?) instead\b"
        r"|\binstead (?:we[’']re |i[’']m |we |i )?(?P<w2>(?:going to|going for|doing|buying|visiting|flying to|driving to|heading to|applying to|booked|booking) [^,.!?;]{2,30})"
    ),
    **{a: regex(_DOING) for a in ("skill", "habit", "likes", "progress")},
}
_FOR: Final = regex(
    r"\b(?:dropped|swapped|ditched|traded|exchanged|replaced|quit|left|gave up|given up)(?: out)? (?:the |my |his |her |our )?(?P<old>[a-z][\w -]{1,24}?) (?:for|in favou?r of|with) (?:the |an? |some )?(?P<new>[^,.!?;]{2,30})"
)
_NOTHING: Final = regex(
    r"^(?:it|that|this|them|one|home|there|here|work|back|better|rid|used|一个|新的|别的|其他|那边|这边|家|家里|外地|哪里?|好|着|过|不)$|^(?:rid of|used to|to )|\b(?:good|now|coffee|lunch|dinner|breakfast|drink|beer|tea|tickets?|call|text|e-?mail|haircut|lift|taxi|cold|price|deal|refund|offer|sleep|rest|break|time)$|^[$£€\d]|现金|钱$"
)


_TURNED: Final = regex(
    r"(?P<what>[^，。；！]{0,8}?)(?:改|换|转)(?:成|为|去|来|系|专业|行|到)*(?P<verb>去学|坐|吃|喝|抽|学|练|念|读|修|用|穿|戴|支持|追|看|听|打|踢|玩|弹|拉|养)(?!了$)(?P<new>[^，。；！]{1,12}?)(?:了|啦)?[，,。！!]*$"
)
_DOINGS: Final = tuple(
    regex(p)
    for p in ("吃", "喝", "抽", "学|练|念|读|修|专业", "用", "穿", "戴", "支持|球队|主队|俱乐部|粉", "追|看", "听", "打|踢|玩", "弹|拉", "养")
)


def turned(clause: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """(the thing that a known doing has turned to, the candidates that are left): 早饭改吃燕麦了, 转专业去学统计了.

    The known fact is of the same doing, or has the noun before the verb in its words; of several, none that the noun does not name.
    """
    found = _TURNED.search(clause)
    if found is None:
        return [], list(taken)
    verb = found["verb"].removeprefix("去")
    doing = next((d for d in _DOINGS if d.search(verb)), None)
    pool = facts_of(active, owner, frozenset({"habit", "likes", "skill", "progress", "school", "possession", "other"}))
    pool = [m for m in pool if doing is not None and doing.search(fold(f"{m.value} {m.source.text or ''}")) and not mentions(m.value, found["new"])]
    noun = re.sub(r"^(?:我们?|现在|最近|后来|以后|今年|决定|打算|的|已经|都|又|就)+", "", found["what"])
    named = [m for m in pool if len(noun) > 1 and noun in fold(m.source.text or m.value)]
    old = named[0] if named else pool[0] if len(pool) == 1 and len(noun) < 2 else None
    if old is None:
        return [], list(taken)
    said = as_said(found["new"], text)
    value = f"{verb}{said}" if old.attribute == "habit" else said
    left = [c for c in taken if not (bare(said) in bare(c.value) and c.stance is not Stance.NEGATE)]
    return [Candidate(attribute=old.attribute, value=value, owner=old.owner, replaces=old.value, content=in_its_words(old, value), clause=text)], left


def swapped(clause: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """(one thing in the place of another that the clause names, the candidates that are left): swapped porridge for eggs."""
    found = _FOR.search(clause)
    if found is None:
        return [], list(taken)
    pool = facts_of(active, owner, frozenset(_BEGINS) | {"other", "employer"})
    old = next((m for m in pool if mentions(m.value, found["old"]) or same(m.attribute, found["old"], m.value) in {Same.EQUAL, Same.CLOSE}), None)
    new = _WHEN.sub("", found["new"]).strip()
    if old is None or _NOTHING.search(new):
        return [], list(taken)
    said = as_said(new, text)
    left = [c for c in taken if not (bare(said) in bare(c.value) or mentions(c.value, found["old"]))]
    return [Candidate(attribute=old.attribute, value=said, owner=old.owner, replaces=old.value, clause=text)], left


def gone(active: Sequence[Memory], told: Sequence[Candidate]) -> list[Memory]:
    """The known facts that a message ends."""
    over = [c for c in told if c.stance is Stance.NEGATE and c.value]
    return [m for m in active if any(covers(c, m) and same_person(c.owner, m.owner, active) for c in over)]


def followed(
    clause: str, text: str, ended: Sequence[Memory], active: Sequence[Memory], taken: Sequence[Candidate]
) -> tuple[list[Candidate], list[Candidate]]:
    """(what the clause puts in the place of a fact that ended, the candidates that are left)."""
    for memory in ended:
        pattern = _BEGINS.get(memory.attribute)
        found = pattern.search(clause) if pattern is not None else None
        if found is None:
            continue
        new = next(g for g in found.groups() if g)
        while (cut := _WHEN.sub("", new).strip()) != new:
            new = cut
        new = re.sub(r" (?:on|from|for|at|with|after|because|but|to)\b.*$", "", new) if memory.attribute == "possession" else new
        if not new or _NOTHING.search(new) or mentions(new, memory.value) or mentions(memory.value, new):
            continue
        said = as_said(new, text)
        if memory.attribute == "employer" and said.isascii() and not said[:1].isupper():
            continue
        judged = [c for c in taken if c.stance is not Stance.NEGATE and (bare(said) in bare(c.value) or bare(c.value) in bare(said)) and c.value]
        if any(c.attribute == memory.attribute and same_person(c.owner, memory.owner, active) and not c.loose for c in judged):
            return [], list(taken)
        left = [c for c in taken if c not in judged and not (c.stance is Stance.NEGATE and bare(said) in bare(c.value))]
        return [Candidate(attribute=memory.attribute, value=said, owner=memory.owner, clause=fold(clause))], left
    return [], list(taken)
