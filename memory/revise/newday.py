"""A day put right, or moved, by a message that says nothing else: 哦不对，是周四; sorry, it's the 10th; 手术改了，12月10号.

It is the new day of what was dated last, of whomever, or of what the message names. Pure.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory
from memory.revise.anew import with_day
from memory.revise.dates import is_day
from memory.revise.forms import fold
from memory.revise.hearing import Resolve, as_said
from memory.revise.redate import day_of, means, named_day
from memory.revise.sameness import mentions
from memory.revise.wrong import RECENT, SHAPED

LONGEST: Final = 60
"""Characters of a message that only gives a day."""
_DATED: Final = frozenset({"plan", "event", "birthday"})
_DAY: Final = r"(?P<day>[^，,。；;！!？?]{2,12}?)(?:才对|才是|来着|的|哈|啊|呀|吧|了|啦)*[。.！!～~\s]*$"
_RIGHT_ZH: Final = regex(
    r"^(?:(?:哦|噢|喔|啊|诶|欸|哎|呀|唉|呃|额|嗯|咦|哈|我|刚才|刚刚|前面|之前|上次|又|时间|日子|日期|抱歉|不好意思|"
    r"(?P<no>等等|等一?下|不对|不是|不|错了|更正|(?:说|记|搞|弄|看|写|打)(?:错|岔|反|混)(?:时间|日子|日期)?了?|口误))[，,。.！!、…~ ]*)+(?<![我前时日])(?:应该?|其实|确认){0,2}(?:是|为|在)?"
    + _DAY
)
_MOVED_ZH: Final = regex(
    r"^(?:对了|哦|那个|[，, ])*(?P<what>[^，,。；;！!？?不没]{0,12}?)(?:的?(?:时间|日子|日期))?(?:又|临时|给|要|得){0,2}(?:改(?:期|时间|日子)?|变|换(?:时间|日子)?|挪|调整|推迟|延期|提前)(?:了|啦)[，,：: ]+(?:[改换挪推调延](?:到|成|至)|到|成|是|在)?"
    + _DAY
)
_DAY_EN: Final = r"(?:actually |now |really |supposed to be )?(?:on |for )?(?P<day>[a-z\d' ]{2,24}?)(?: now| instead)?[.! ]*$"
_RIGHT_EN: Final = regex(
    r"^(?:(?:oh|ah|er+|um+|ugh|oops|whoops|(?P<no>no|nope|wait|hang on|hold on|sorry|actually|my bad|my mistake|scratch that|correction|i got (?:it|that|the (?:day|date)) wrong|wrong (?:day|date)))[,.!… ]+)+"
    r"(?:(?:it|that)(?:[’']s| is| was| should be)|should be|i mean|i meant|make (?:it|that))? ?" + _DAY_EN
)
_MOVED_EN: Final = regex(
    r"^(?:(?:ok|so|and|but|well|update)[, ]+)*(?:(?:the|my|our|her|his|their) (?P<what>[a-z' ]{2,24}?)|it|that|they)(?:[’']s|[’']ve| has| have| got| was| is)?(?: been)? (?:moved|changed|rescheduled|pushed(?: back)?|postponed|delayed)(?: it)?[,:. –-]+(?:it[’']s |it is |to )?"
    + _DAY_EN
)
_WEEKDAY_ZH: Final = regex(r"^(?:周|星期|礼拜)(?P<w>[一二三四五六日天])")
_OF_MONTH_ZH: Final = regex(r"^(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})[号日]")


def tells_day(plain: str) -> bool:
    """Whether the folded text may be nothing but a day put right or moved."""
    return _said(plain) is not None


def _said(plain: str) -> tuple[str, str, bool] | None:
    """(what it is of, the day, whether what was said before was wrong)."""
    if len(plain) > LONGEST or "?" in plain:
        return None
    for pattern, wrong in ((_RIGHT_ZH, True), (_RIGHT_EN, True), (_MOVED_ZH, False), (_MOVED_EN, False)):
        found = pattern.match(plain)
        if found is not None and (not wrong or found["no"]) and is_day(found["day"]):
            return ("" if wrong else (found["what"] or "").strip()), found["day"], wrong
    return None


def day_put_right(text: str, active: Sequence[Memory], now: datetime, resolve: Resolve) -> list[Candidate]:
    """The one dated fact on the day that the message gives it; empty where it says anything else, or nothing dated can be meant."""
    plain = fold(text)
    if (said := _said(plain)) is None:
        return []
    what, told, wrong = said
    memory = _dated_last([m for m in active if m.attribute in _DATED and m.time], what, now, wrong=wrong)
    if memory is None or (new := _new_day(told, memory, now, resolve)) is None or new == memory.time:
        return []
    shown = as_said(told, text)
    value = shown if memory.attribute == "birthday" else with_day(memory.value, shown)
    stance = Stance.CORRECT if wrong else Stance.ASSERT
    return [Candidate(attribute=memory.attribute, value=value, owner=memory.owner, time=new, stance=stance, replaces=memory.value, clause=text)]


def _dated_last(dated: Sequence[Memory], what: str, now: datetime, *, wrong: bool) -> Memory | None:
    """The fact that was told last; where the message names one, or nothing was told lately, the only one it can mean."""
    if not wrong:
        dated = [m for m in dated if (day := day_of(m.time)) is None or day >= now.date()]
    if len(what) > 1:
        named = [m for m in dated if means(what, m) or mentions(f"{m.owner} {m.value}", what)]
        return named[0] if len(named) == 1 else None
    lately = [m for m in dated if now - m.updated_at <= RECENT] or (dated if len(dated) == 1 and now - dated[0].updated_at <= SHAPED else [])
    return lately[0] if lately else None


def _new_day(told: str, memory: Memory, now: datetime, resolve: Resolve) -> str | None:
    """The day as it is meant beside the old one: a weekday near it, a day of its month, else as it reads by itself."""
    old = day_of(memory.time)
    if old is None or len(memory.time or "") != 10:
        return resolve(told)
    if told.isascii():
        near = named_day(f"it's actually {told}", old, now, resolve)
        return near.isoformat() if near is not None else None
    if (weekday := _WEEKDAY_ZH.match(told)) is not None:
        return _near(old, "一二三四五六日".find(weekday["w"].replace("天", "日")), now).isoformat()
    if (of_month := _OF_MONTH_ZH.match(told)) is not None and (number := resolve(f"{old.month}月{of_month[0]}")) is not None:
        return f"{old.isoformat()[:8]}{number[-2:]}"
    return resolve(told)


def _near(old: date, weekday: int, now: datetime) -> date:
    """That weekday of the old day's own week, or of the next where it has gone by."""
    day = date.fromordinal(old.toordinal() - old.weekday() + weekday)
    return day if day >= now.date() else date.fromordinal(day.toordinal() + 7)
