"""What a message unsays of known facts: 我开玩笑的，我没有猫; James is allergic to dogs, not cats. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.forms import fold
from memory.revise.hearing import facts_of
from memory.revise.over import told_over
from memory.revise.people import same_person
from memory.revise.referents import kind_covers
from memory.revise.sameness import Same, mentions, same

JOKE: Final = regex(
    r"(?:我)?(?:刚才|之前|上次|昨天|那是|那句是)?(?:是)?(?:跟你|和你)?(?:开(?:个)?玩笑|逗你|骗你|瞎说|胡说|瞎编|乱说)(?:的|玩的|呢|而已)|"
    r"\b(?:i was|i[’\']m|i am|i were)? ?(?:just |only )?(?:joking|kidding|pulling your leg|messing with you)\b|\bi made (?:that|it) up\b|\bthat was (?:just )?a (?:joke|lie)\b"
)
_HAVE_NO: Final = regex(
    r"(?:根本|其实|压根|从来)?(?:没有?|没养|没买|不是|不会|不在|不住|不喜欢|不爱)(?:过|在)?(?:什么|任何)?(?P<v>[^，,。；;！!？?]{1,12})|"
    r"\b(?:don[’\']t|do not|never|haven[’\']t|didn[’\']t)(?: actually| really)? (?:have|own|had|got|get|buy|bought|like|live in|work (?:at|for)) (?:an? |any |the )?(?P<v2>[^,.!?;]{1,30})|"
    r"\b(?:i[’\']m|i am) not (?:really |actually )?(?:an? |the |in |from )?(?P<v3>[^,.!?;]{1,30})"
)


def joked(text: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """The user's facts that were a joke, as over, and the candidates without what the joking itself was read as."""
    plain = fold(text[:400])
    if JOKE.search(plain) is None:
        return [], list(taken)
    denied = [next(g for g in m.groups() if g).strip() for m in _HAVE_NO.finditer(plain)]
    over = [
        m for m in facts_of(active, USER) if any(mentions(m.value, v) or mentions(v, m.value) or kind_covers(v, m) or _of_kind(v, m) for v in denied)
    ]
    left = [c for c in taken if not JOKE.search(fold(c.value)) and not (c.stance is Stance.ASSERT and any(fold(c.value) in v for v in denied))]
    return [told_over(m, text) for m in over], left


def _of_kind(word: str, memory: Memory) -> bool:
    """Whether the fact was told as one of that kind: a pet known by its name alone."""
    return memory.attribute in {"pet", "possession"} and mentions(f"{memory.content} {memory.source.text or ''}", word)


def not_but(text: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; one told "X, not Y" takes the place of the known Y of the same owner."""
    plain = fold(text[:400])
    out = []
    for c in taken:
        found = (
            re.search(
                re.escape(fold(c.value))
                + r"(?:过敏)?[，, ]*(?:and |but )?(?:而)?(?:不是|not )(?:to |an? |the |in |at )?(?P<r>[^，,。.；;！!？?]{1,24})",
                plain,
            )
            if c.value and c.replaces is None and c.stance in {Stance.ASSERT, Stance.CORRECT}
            else None
        )
        old = found["r"].strip() if found is not None else ""
        known = [
            m
            for m in active
            if old
            and m.attribute == c.attribute
            and same_person(m.owner, c.owner, active)
            and same(m.attribute, old, m.value) in {Same.EQUAL, Same.CLOSE}
        ]
        out.append(c.evolve(replaces=known[0].value) if known else c)
    return out
