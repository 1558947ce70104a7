"""Chinese expressions of time, resolved against the time of the message.

A day becomes ``2026-02-03``, a month ``2026-02``, a year ``2026``. Weeks start on Monday: 下周五 is Friday of the next week, 周五 the coming one.
Lunar dates (农历, 腊月) are kept as said.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal

from memory.judge.zh.numbers import number
from memory.pattern import regex

_N: Final = r"(?:\d{1,4}|[零〇一二两三四五六七八九十廿卅]{1,4})"
_WD: Final = "一二三四五六日天末"
_YEARS: Final = {"今": 0, "明": 1, "后": 2, "去": -1, "前": -2, "本": 0, "当": 0, "同": 0}
_DAYS: Final = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今早": 0,
    "今夜": 0,
    "明天": 1,
    "明日": 1,
    "明早": 1,
    "明晚": 1,
    "后天": 2,
    "大后天": 3,
}
FESTIVALS: Final = {
    "元旦": (1, 1),
    "情人节": (2, 14),
    "妇女节": (3, 8),
    "劳动节": (5, 1),
    "五一": (5, 1),
    "儿童节": (6, 1),
    "六一": (6, 1),
    "国庆节": (10, 1),
    "国庆": (10, 1),
    "平安夜": (12, 24),
    "圣诞节": (12, 25),
    "圣诞": (12, 25),
}
LUNAR: Final = regex(r"(?:农历|阴历|旧历)[^，。；,;]{1,8}|(?:正|腊|冬|闰[一二三四五六七八九十])月(?:初|廿|十|二十|三十)[一二三四五六七八九十]?")

_RULES: Final = tuple(
    (name, regex(text))
    for name, text in (
        ("ymd", rf"(?P<y>\d{{4}}|\d{{2}}(?=年)|[零〇一二三四五六七八九]{{2,4}}(?=年))(?:年|[-/.])(?P<m>{_N})(?:月份?|[-/.])(?:(?P<d>{_N})[日号]?(?!\d))?"),
        ("relyear", rf"(?P<r>今|明|后|去|前|当|同)年(?:的)?(?:(?P<m>{_N})月份?(?:的)?(?:(?P<d>{_N})[日号]?)?|(?P<s>年?底|年?初|春节?天?|夏天|秋天|冬天|上半年|下半年|暑假|寒假))?"),
        ("lastday", r"(?P<r>上+个?|这个?|本|下+个?|当|今|明)(?P<u>月|年)(?:的)?(?:底的)?最后一天|(?P<b>月底|年底)(?:那天|的?最后一天|当天)"),
        ("sameday", r"(?P<r>上+个?|下+个?|明)(?P<u>周|星期|礼拜|月|年)的?(?:今天|这天|同一天)"),
        ("weekon", rf"(?P<n>{_N})(?:个)?(?:周|星期|礼拜)(?:之|以)?后的?(?:周|星期|礼拜)(?P<w>[{_WD}])"),
        ("nth", rf"(?:(?P<m>{_N})月份?|(?P<r>这个?|本|下+个?)月)(?:的)?第?(?P<k>一|二|两|三|四|最后一)个?(?:周|星期|礼拜)(?P<w>[{_WD}])"),
        ("yet", rf"(?:再过|还有|还剩|再等|过)(?P<n>{_N}|半)(?:个)?(?P<u>天|日|周|星期|礼拜|月)(?!前|后|内|里)"),
        ("relmonth", rf"(?P<r>上+个?|这个?|本|下+个?)月(?:的)?(?:(?P<d>{_N})[日号]?|(?P<s>底|初|中旬?|末|上旬|下旬))?"),
        ("relweek", rf"(?P<r>上+个?|这个?|本|下+个?)(?:周|星期|礼拜)(?P<w>[{_WD}])?"),
        ("weekday", rf"(?:周|星期|礼拜)(?P<w>[{_WD}])"),
        ("day", "|".join(sorted(_DAYS, key=len, reverse=True))),
        ("ago", rf"(?<!\d)(?!(?:19|20)\d{{2}}年)(?P<n>{_N}|半|几|好几|多)(?:个)?(?P<u>天|日|周|星期|礼拜|月|年)(?:多)?(?P<h>半)?(?:之|以)?(?P<dir>前|后)(?!年|天)"),
        ("md", rf"(?P<m>{_N})(?:月份?(?:的)?(?P<d>{_N})[日号]?(?!\d)|[-/](?P<d2>\d{{1,2}})(?![\d/])|\.(?P<d3>\d{{1,2}})(?:号|日))"),
        ("month", rf"(?P<m>{_N})月份?(?![日号])(?P<s>底|初|中旬?|末)?"),
        ("dom", rf"(?P<d>{_N})[号日](?![线楼院])"),
        ("year", r"(?P<y>(?:19|20)\d{2}|[一二][零〇九][零〇一二三四五六七八九]{2}|[零〇一二三四五六七八九]{2}|\d{2})年(?!级|代|来|的?时间|多)(?:(?<=\d\d\d\d年)|(?!前|后))"),
        ("festival", "|".join(sorted(FESTIVALS, key=len, reverse=True))),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """A time found in a text: where it stands, and its ISO value (None when it cannot be resolved without the message's time)."""

    start: int
    end: int
    value: str | None
    kind: str

    @property
    def bare(self) -> bool:
        """今天 and its like: a lean, not a date worth an entity."""
        return self.kind == "today"


def moments(plain: str, when: datetime | None) -> list[Moment]:
    """Every expression of time in the folded text, left to right; longer readings win."""
    if not any(c in plain for c in "年月日号天周期拜前后节庆旦夜晚早一圣六-/"):
        return []
    lunar = [(m.start(), m.end()) for m in LUNAR.finditer(plain)]
    taken: list[tuple[int, int]] = list(lunar)
    found = [Moment(a, b, None, "lunar") for a, b in lunar]
    for name, pattern in _RULES:
        for match in pattern.finditer(plain):
            if any(a < match.end() and match.start() < b for a, b in taken):
                continue
            if name == "month" and plain[match.start() - 1 : match.start()] in {"个", "几", "半", "上", "下"}:
                continue
            value = _resolve(name, match, when.date() if when else None)
            if value is False:
                continue
            taken.append((match.start(), match.end()))
            kind = "today" if name == "day" and _DAYS[match.group()] == 0 else name
            found.append(Moment(match.start(), match.end(), value, kind))
    return sorted(found, key=lambda m: m.start)


def resolve(plain: str, when: datetime | None) -> str | None:
    """The ISO value of the first resolvable time in the text."""
    return next((m.value for m in moments(plain, when) if m.value is not None), None)


def _resolve(name: str, m: re.Match[str], today: date | None) -> str | Literal[False] | None:
    """ISO value; None: a time, but not to be placed; False: no time after all."""
    g = m.groupdict()
    month = _int(g.get("m"))
    day = _int(g.get("d") or g.get("d2") or g.get("d3"))
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return False
    try:
        if name == "ymd":
            return _iso(year(g["y"]), month, day)
        if name == "year":
            return f"{year(g['y']):04d}"
        if today is None:
            return None
        return _relative(name, g, m.group(), month, day, today)
    except (ValueError, OverflowError):
        return None


def _relative(name: str, g: dict[str, str | None], text: str, month: int | None, day: int | None, today: date) -> str | None:
    if name == "day":
        return (today + timedelta(days=_DAYS[text])).isoformat()
    if name == "relyear":
        year = today.year + _YEARS[g["r"] or "今"]
        if g.get("s") and "底" in (g["s"] or ""):
            return f"{year:04d}-12"
        if g.get("s") and "初" in (g["s"] or ""):
            return f"{year:04d}-01"
        return _iso(year, month, day)
    if name == "lastday":
        first = today if g["b"] or g["r"] in {"当", "今"} else _shift(today, _steps(g["r"] or "")) if g["u"] == "月" else today
        if g["u"] == "年" or g["b"] == "年底":
            return date(today.year + (g["r"] == "明"), 12, 31).isoformat()
        return date(first.year, first.month, monthrange(first.year, first.month)[1]).isoformat()
    if name == "sameday":
        if g["u"] == "年":
            return _shift(today, 12).isoformat()
        steps = _steps(g["r"] or "")
        return (_shift(today, steps) if g["u"] == "月" else today + timedelta(weeks=steps)).isoformat()
    if name == "weekon":
        count = number(g["n"] or "")
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=int(count or 0))
        return None if count is None else (monday + timedelta(days=_weekday(g["w"] or "一"))).isoformat()
    if name == "nth":
        return _nth_weekday(g, month, today)
    if name == "yet":
        return _ago({**g, "dir": "后"}, today)
    if name == "relmonth":
        shifted = _shift(today, _steps(g["r"] or ""))
        return _iso(shifted.year, shifted.month, day)
    if name == "relweek":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=_steps(g["r"] or ""))
        if not g.get("w"):
            return None
        return (monday + timedelta(days=_weekday(g["w"] or "一"))).isoformat()
    if name == "weekday":
        ahead = (_weekday(g["w"] or "一") - today.weekday()) % 7
        return (today + timedelta(days=ahead)).isoformat()
    if name == "ago":
        return _ago(g, today)
    if name in {"md", "month"}:
        year = today.year if (month or 1) >= today.month else today.year + 1
        return _iso(year, month, day)
    if name == "dom":
        base = today if (day or 1) >= today.day else _shift(today, 1)
        return _iso(base.year, base.month, day)
    m, d = FESTIVALS[text]
    year = today.year if (m, d) >= (today.month, today.day) else today.year + 1
    return _iso(year, m, d)


def _nth_weekday(g: dict[str, str | None], month: int | None, today: date) -> str | None:
    """下个月第一个周一; a month told by its number is the coming one."""
    base = date(today.year + (month < today.month), month, 1) if month else _shift(today.replace(day=1), _steps(g["r"] or ""))
    days = [base + timedelta(days=n) for n in range(monthrange(base.year, base.month)[1])]
    fits = [d for d in days if d.weekday() == _weekday(g["w"] or "一")]
    which = -1 if g["k"] == "最后一" else "一二三四".find((g["k"] or "一").replace("两", "二"))
    return fits[which].isoformat()


def _ago(g: dict[str, str | None], today: date) -> str | None:
    count = 0.5 if g["n"] == "半" else number(g["n"] or "")
    if count is None:
        return None
    sign = -1 if g["dir"] == "前" else 1
    unit = g["u"]
    if unit in {"天", "日"}:
        return (today + timedelta(days=sign * int(count))).isoformat()
    if unit in {"周", "星期", "礼拜"}:
        return (today + timedelta(weeks=sign * int(count))).isoformat()
    if unit == "月":
        shifted = _shift(today, sign * int(count))
        return f"{shifted.year:04d}-{shifted.month:02d}"
    if count == 0.5:
        shifted = _shift(today, sign * 6)
        return f"{shifted.year:04d}-{shifted.month:02d}"
    return f"{today.year + sign * int(count):04d}"


def _steps(text: str) -> int:
    return text.count("下") - text.count("上")


def _weekday(char: str) -> int:
    return {"日": 6, "天": 6, "末": 5}.get(char, "一二三四五六".find(char))


def _int(text: str | None) -> int | None:
    return number(text) if text else None


def year(text: str | None) -> int:
    """The full year of one told in two or four digits: 08 → 2008, 九五 → 1995."""
    value = number(text or "") or 0
    if value < 100:
        value += 2000 if value < 40 else 1900
    return value


def _shift(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _iso(year: int, month: int | None, day: int | None) -> str:
    if month is None:
        return f"{year:04d}"
    if day is None:
        return f"{year:04d}-{month:02d}"
    return date(year, month, day).isoformat()
