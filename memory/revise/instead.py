"""What is so now in the place of what was, told in the same message without saying again what it is of: "I used to drive a Polo, today it's a Skoda";
小时候讨厌香菜，现在爱得不行. Pure.
"""

from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.revise.forms import fold
from memory.revise.sameness import mentions

_NOW: Final = r"(?:now|today|nowadays|these days|currently|at the moment)"
_IS: Final = r"(?:it[’']?s|it is|i[’']?ve got|i have|i[’']?m (?:on|with|at|in|down to))(?: (?:just|only|all|mostly|nothing but))*"
_EN: Final = regex(
    rf"\b{_NOW},? {_IS} (?:an? |the |my |some )?(?P<v>[^,.!?;]{{2,40}})|\b{_IS} (?:an? |the |my |some )?(?P<w>[^,.!?;]{{2,40}}?)(?: for (?:me|him|her|us|them))? {_NOW}\b"
)
_ZH: Final = regex(
    r"(?:现在|如今|目前|眼下|后来|去年|前年|今年|结婚后|[\d一二两三四五六七八九十几]+年前)(?:早就|早|已经|就|只|全|都|我){0,2}(?:换成|换了|换|改名叫?|改叫|改成|改用|改|变成|是|成了)(?:了)?(?:一?[辆台部只条个款家双把])?(?P<v>[^，,。！!？?；;]{1,12}?)(?:了|啦)?(?=[，,。！!？?；;]|$)"
)
_KINDS: Final = frozenset(
    {"possession", "pet", "habit", "likes", "location", "employer", "school", "skill", "occupation", "health", "allergy", "name", "other"}
)
_LOVED: Final = regex(
    rf"\b(?:i )?(?:really |absolutely )?(?:love|like|adore|enjoy|crave)s? (?:them|it|those|that)(?: all)? {_NOW}|\b{_NOW},? (?:i )?(?:really |absolutely |actually )?(?:love|like|adore|enjoy|crave) (?:them|it|those|that)\b"
    r"|(?:现在|如今|长大(?:后|了|以后))(?:我)?(?:却|反而|倒|反倒|居然|竟然|就|都|是)?(?:爱得不行|爱死了|离不开|爱上了|超?喜欢|爱吃|最爱|真香|顿顿|天天吃|上瘾|一天不吃|顿顿不离|可爱吃)"
)
_LOATHED: Final = regex(
    rf"\b(?:hate|loathe|can[’']?t stand|can[’']?t bear) (?:them|it|those|that) {_NOW}|\b{_NOW},? (?:i )?(?:hate|loathe|can[’']?t stand|can[’']?t bear) (?:them|it|those|that)\b"
    r"|(?:现在|如今|长大(?:后|了|以后))(?:我)?(?:却|反而|倒|反倒|就|都)?(?:讨厌|看见就烦|闻着就(?:吐|恶心)|一看就(?:烦|吐)|烦得不行|恨得)"
)

_NO_VALUE: Final = regex(r"(?:so|too|not|time|better|fine|ok|hard|all|been|going|我|你|他|她|没|不)\b|[我你他她没不]")


def now_instead(told: Sequence[Candidate], text: str) -> list[Candidate]:
    """What the message says is so now where it told what was so before, and nobody read it."""
    plain = fold(text[:600])
    past = [c for c in told if c.stance in {Stance.PAST, Stance.NEGATE} and c.attribute in _KINDS | {"dislikes"} and c.clause]
    if not past:
        return []
    was = past[-1]
    rest = plain[(at := max(plain.find(fold(was.clause)), 0)) :]
    for attribute, opposite, pattern in (("likes", "dislikes", _LOVED), ("dislikes", "likes", _LOATHED)):
        if was.attribute == opposite and pattern.search(rest) and not any(c.attribute == attribute and c.stance is Stance.ASSERT for c in told):
            return [was.evolve(attribute=attribute, stance=Stance.ASSERT, valid_from=None, valid_to=None, content="", clause=text)]
    found = _EN.search(rest) or (_ZH.search(rest) if was.stance is Stance.PAST else None)
    if found is None or was.attribute not in _KINDS:
        return []
    group = next(g for g, v in found.groupdict().items() if v)
    start, end = at + found.start(group), at + found.end(group)
    value = text[start:end].strip() if len(fold(text)) == len(text) else found[group].strip()
    told_already = (c for c in told if c is not was and not (c.loose or c.learnt) and c.stance is Stance.ASSERT)
    if any(mentions(c.value, value) or mentions(value, c.value) for c in told_already) or mentions(was.value, value) or _NO_VALUE.match(fold(value)):
        return []
    return [was.evolve(value=value, stance=Stance.ASSERT, valid_from=None, valid_to=None, normal=None, content="", loose=False, clause=text)]
