"""A day that is told with what happens on it: 新房这个月最后一天交付, 元旦那天全家去拍照, 十天后要交稿.

Fact rules know the occasions that people have words for (面试, 手术, 婚礼). Beyond those, what makes a plan is the shape: a coming day, and a doing of the
user's, of his people or of what is his. Tomorrow is too near, unless an hour is set for it: only an occasion makes a plan of it.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.judge.zh.frame import STRANGER, Frame
from memory.judge.zh.times import Moment, moments
from memory.pattern import regex
from memory.record import USER

_LEAST: Final = 3
"""Characters that tell what happens, beside the day."""
_HOUR: Final = regex(r"[0-9一二两三四五六七八九十]{1,3}(?:点|时(?!候))|[0-9]{1,2}[:：][0-9]{2}")
_NEAR: Final = regex(r"^[今明]|^周末")


def coming(index: int, ctx: Context, before: Sequence[Reading], frame: Frame, lex: Lexicon) -> tuple[Candidate, ...]:
    """The plan that the clause tells with its day, empty where it tells none."""
    return _told(index, ctx, frame, lex) or _along(index, ctx, before, frame, lex)


def _along(index: int, ctx: Context, before: Sequence[Reading], frame: Frame, lex: Lexicon) -> tuple[Candidate, ...]:
    """What the user does on the day of what he has just told of somebody else: 奶奶下周三做手术，我得去陪床."""
    clause = ctx.clauses[index]
    if not before or ctx.clauses[index - 1].sentence != clause.sentence or frame.subject != "self" or not lex.has("along", clause.plain):
        return ()
    told = next((f for f in before[-1].facts if f.attribute in {"plan", "event"} and f.owner != USER and f.time), None)
    if told is None or ctx.time is None or told.time is None or told.time <= ctx.time.date().isoformat():
        return ()
    return (Candidate(attribute="plan", value=clause.text.strip(" ，,。！!~"), time=told.time, confidence=0.82, clause=clause.text.strip()),)


def _told(index: int, ctx: Context, frame: Frame, lex: Lexicon) -> tuple[Candidate, ...]:
    clause = ctx.clauses[index]
    plain = clause.plain
    if ctx.time is None or frame.owner == STRANGER or frame.subject in {"you", "other", "pronoun"} or frame.flags & {"past", "habitual", "negative"}:
        return ()
    today = ctx.time.date().isoformat()
    days = [
        m
        for m in moments(plain, ctx.time)
        if m.value is not None and len(m.value) == 10 and m.value > today and (_HOUR.search(plain) or not _NEAR.match(plain[m.start : m.end]))
    ]
    if len(days) != 1 or lex.has("no_plan_of_day", plain):
        return ()
    what = _without(plain, days[0], lex)
    if len(what) < _LEAST or not lex.has("plan_of_day", what) or (frame.subject == "thing" and not lex.has("mine_of_day", plain)):
        return ()
    mine = frame.subject != "kin" or lex.has("kin_for_me", plain)
    value = clause.text.strip(" ，,。！!~")
    return (
        Candidate(
            attribute="plan", value=value, owner=USER if mine else frame.owner, time=days[0].value, confidence=0.82, clause=clause.text.strip()
        ),
    )  # fmt: skip


def _without(plain: str, day: Moment, lex: Lexicon) -> str:
    """What is said beside the day, the hour and whom it is about."""
    rest = plain[: day.start] + "，" + plain[day.end :]
    return re.sub(r"[\s，]+", "", lex.patterns["beside_day"].sub("", rest))
