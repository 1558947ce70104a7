"""Chinese words of time in a question → spans (`memory.times`). Reads folded text: half-width, simplified."""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from memory.judge.zh.numbers import number
from memory.judge.zh.times import FESTIVALS, LUNAR
from memory.judge.zh.times import year as full_year
from memory.pattern import regex
from memory.periods import (
    Groups,
    Lead,
    Season,
    Span,
    ago,
    day_of,
    day_of_month,
    days,
    lately,
    months,
    named_month,
    nothing,
    placed,
    season,
    third,
    week,
    weekday,
)

HINT: Final = r"[年月日号天周前晚早夜季假节旦]|星期|礼拜|国庆|五一|六一|圣诞"

_N: Final = r"(?:(?<!\d)\d{1,2}|(?<![零〇一二三四五六七八九十])(?:[一二三]?十|[廿卅])?[一二三四五六七八九]|(?<![零〇一二三四五六七八九十])(?:[一二三]?十|[廿卅]))"
_COUNT: Final = r"(?:(?<!\d)\d{1,4}|(?:好|十)?几|[一二两三四五六七八九十百]{1,4}|半|多|数)"
_UNIT: Final = r"(?:天|日|周|星期|礼拜|月|年)"
_DIGIT: Final = "[零〇一二三四五六七八九]"
_RELATIVE: Final = r"(?P<r>(?<![以之从目])大*前|(?<!过)去|(?<!如)今|(?<![说证声])明|(?<![以之然])大*后|上一?|本)年(?![纪级龄轻薪会])"
_AGO_YEARS: Final = r"(?P<a>(?<!\d)\d{1,2}|[一二两三四五六七八九十]{1,3})年(?:之|以)?前"
_YEAR: Final = rf"(?:(?P<y>(?<!\d)\d{{4}}|(?<!\d)\d{{2}}|{_DIGIT}{{4}}|(?<!十){_DIGIT}{{2}})\s{{0,2}}年|{_RELATIVE}|{_AGO_YEARS})(?:的|\s)?"
_PART: Final = r"初(?![一二三四五六七八九十]|中|恋|次)|底|末|中旬|中(?![秋国午学文考])|上旬|下旬"
_MONTH: Final = (
    rf"(?P<m>{_N})\s{{0,2}}月(?!天(?!气)|初[一二三四五六七八九十])份?(?:的|\s)?"
    rf"(?:(?P<d>{_N})\s{{0,2}}[日号](?:[到至~-](?P<end>{_N})[日号])?|(?P<d2>\d{{1,2}})(?![\d个次天年月周点岁块元:.])|(?P<p>{_PART}))?"
)
_SPELL: Final = r"(?:(?P<s>[春夏秋冬])[天季]|(?P<v>[暑寒])假)"
_IN_YEAR: Final = (
    rf"(?P<h>[上下])半年|第?(?P<q>[一二三四1-4])个?季度|(?P<f>{'|'.join(sorted(FESTIVALS, key=len, reverse=True))})(?![路广大树]|号线|老人)"
)
_WD: Final = r"(?P<w>[一二三四五六日天末](?![次个起直样些共家场趟顿位半本气]))"
_WEEK: Final = r"(?:周|星期|礼拜)"

_PARTS: Final = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2}
_EDGES: Final = {"初": 1, "中": 6, "底": 11, "末": 11}  # of a year: the first of two months
_SEASONS: Final[dict[str, Season]] = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_VACATIONS: Final = {"暑": 7, "寒": 1}  # the first of two months
_HOLIDAYS: Final = {"国庆": 7, "国庆节": 7, "五一": 5, "劳动节": 5, "元旦": 3}  # days off; others are one day
_UNITS: Final = {"天": "day", "日": "day", "月": "month", "年": "year"}
_YEARS: Final = {"今": 0, "本": 0, "去": -1, "上": -1, "上一": -1, "前": -2, "明": 1, "后": 2}


def _year(m: Groups, today: datetime) -> int | None:
    """The year that an expression names."""
    if m["y"]:
        return full_year(m["y"])
    if m["a"]:
        return today.year - _int(m["a"])
    return today.year + _steps(m["r"], _YEARS) if m["r"] else None


def _steps(word: str, base: dict[str, int]) -> int:
    """大 takes 前年, 前天 one further back, 后天 one further on."""
    step = base[word.lstrip("大")]
    return step + word.count("大") * (1 if step > 0 else -1)


def _int(text: str) -> int:
    value = number(text)
    if value is None:
        raise ValueError(text)
    return value


def _date(m: Groups, today: datetime, joined: int | None) -> Span:
    year, month = _year(m, today) or joined, named_month(_int(m["m"]))
    if d := m["d"] or m["d2"]:
        count = 1 + max(0, _int(m["end"]) - _int(d)) if m["end"] else 1  # 5月4号到6号
        return placed(lambda y: day_of(today, y, month, _int(d), count), today, year)
    if m["p"]:
        return placed(lambda y: third(months(today, y, month), _PARTS[m["p"]]), today, year)
    return placed(lambda y: months(today, y, month), today, year)


def _spell(m: Groups, today: datetime, _: int | None) -> Span:
    year = _year(m, today)
    if m["s"]:
        return season(today, _SEASONS[m["s"]], year)
    return placed(lambda y: months(today, y, _VACATIONS[m["v"]], 2), today, year)


def _in_year(m: Groups, today: datetime, joined: int | None) -> Span:
    year = _year(m, today) or joined
    if m["h"]:
        return placed(lambda y: months(today, y, 1 if m["h"] == "上" else 7, 6), today, year)
    if m["q"]:
        return placed(lambda y: months(today, y, 3 * _int(m["q"]) - 2, 3), today, year)
    return placed(lambda y: day_of(today, y, *FESTIVALS[m["f"]], _HOLIDAYS.get(m["f"], 1)), today, year)


def _edge(m: Groups, today: datetime, _: int | None) -> Span:
    return placed(lambda y: months(today, y, _EDGES[m["e"]], 2), today, _year(m, today))


def _same_day(m: Groups, today: datetime, _: int | None) -> Span:
    """去年今天; 去年这个时候 is the month around it."""
    then = today.replace(year=_year(m, today) or today.year)
    return Span(then - timedelta(days=15), then + timedelta(days=16)) if m["about"] else days(then)


def _whole_year(m: Groups, today: datetime, _: int | None) -> Span:
    return months(today, _year(m, today) or 0, 1, 12)


def _ago(m: Groups, today: datetime, _: int | None) -> Span | None:
    if m["n"] in {"多", "数"} or m["way"] == "后":  # no saying when; after something that is not said
        return None
    unit = _UNITS.get(m["u"], "week")
    if len(m["n"]) == 2 and all(c in "一二两三四五六七八九" for c in m["n"]):  # 两三年前
        return ago(today, None, unit)
    if m["n"] == "半":
        return ago(today, 6, "month") if unit == "year" else ago(today, 0.5, unit)
    amount = None if m["n"].endswith("几") else _int(m["n"]) + 0.5 * bool(m["half"] or m["half2"])
    return None if m["n"] == "十几" else ago(today, amount, unit)


def _few(m: Groups, today: datetime, _: int | None) -> Span:
    """前几天, 前两周."""
    return Span(ago(today, None if m["n"] != "两" else 3, unit := _UNITS.get(m["u"], "week")).since, ago(today, 1, unit).until)


def _lately(m: Groups, today: datetime, _: int | None) -> Span:
    unit = _UNITS.get(m["u"], "week")
    if m["n"] == "半":
        return lately(today, 6, "month") if unit == "year" else lately(today, 0.5, unit)
    return lately(today, None if m["n"].endswith(("几", "些")) else _int(m["n"]), unit)


def _relative(m: Groups, today: datetime, _: int | None) -> Span:
    """上周, 上周三, 上个月, 上个月十号, 上个季度, 下周末, 上个夏天."""
    steps = m["step"].count("下") - m["step"].count("上")
    if m["w"]:
        return _on(week(today, steps).since, m["w"])
    if m["week"]:
        return week(today, steps)
    if m["s"] or m["v"]:
        lead: Lead = "last" if steps < 0 else "next" if steps > 0 else "this"
        return season(today, _SEASONS[m["s"]], None, lead) if m["s"] else placed(lambda y: months(today, y, _VACATIONS[m["v"]], 2), today, None, lead)
    if m["quarter"]:
        return months(today, today.year, (today.month - 1) // 3 * 3 + 1 + 3 * steps, 3)
    month = months(today, today.year, today.month + steps)
    if m["d"]:
        return days(month.since.replace(day=_int(m["d"])))
    return third(month, _PARTS[m["p"]]) if m["p"] else month


def _on(monday: datetime, name: str) -> Span:
    return week(monday, 0, 5, 2) if name == "末" else week(monday, 0, _weekday(name), 1)


def _weekday(name: str) -> int:
    return "一二三四五六日".index("日" if name == "天" else name)


def _month_part(m: Groups, today: datetime, _: int | None) -> Span:
    """月初, 月底: of this month if it has come, else of the one before."""
    part = third(months(today, today.year, today.month), _PARTS[m["p"]])
    return part if part.since <= today else third(months(today, today.year, today.month - 1), _PARTS[m["p"]])


def _near(base: dict[str, int], m: Groups, today: datetime, _: int | None) -> Span:
    return week(today, 0, today.weekday() + _steps(m["day"], base), 1)


RULES: Final = (
    (LUNAR, nothing),
    (regex(rf"(?<!每年)(?<!每年的)(?:{_YEAR})?{_MONTH}"), _date),
    (regex(rf"{_YEAR}{_SPELL}"), _spell),
    (regex(rf"{_YEAR}(?:今天|这一?天|(?P<about>这个?时[候间]|此时))"), _same_day),
    (regex(rf"(?<![一二三四五六七八九十每])(?:{_YEAR})?(?:{_IN_YEAR})"), _in_year),
    (regex(rf"(?:{_YEAR}年?|(?<![\d一二两三四五六七八九十几多半每])年)(?P<e>初(?![一二三中恋次])|底|末|中(?![秋国午学文考]))"), _edge),
    (
        regex(rf"(?!(?:19|20)\d\d年)(?P<n>{_COUNT})多?个?多?(?P<half>半)?(?P<u>{_UNIT})(?P<half2>半)?多?(?:之|以)?(?P<way>前|后)(?!后)"),
        _ago,
    ),
    (regex(rf"(?<![以之])前(?P<n>几|两|些)个?(?P<u>{_UNIT})(?!前|后)"), _few),
    (regex(rf"(?:过去|最近|近|这)的?这?(?P<n>{_COUNT}|些)个?(?P<u>{_UNIT})(?!前|后|{_DIGIT}|号)"), _lately),
    (
        regex(rf"(?P<y>(?<!\d)\d{{4}}|(?<!\d)[0789]\d|{_DIGIT}{{4}}|[零〇]{_DIGIT})\s?年(?!代|级|来|(?:之|以)?前(?!后))"),
        _whole_year,
    ),
    (regex(rf"{_RELATIVE}"), _whole_year),
    (
        regex(
            rf"(?P<step>(?<![以早晚手])上+|这|本|(?<!一)下+)一?个?(?:(?P<week>{_WEEK}){_WD}?|月份?的?(?:(?P<d>{_N})[日号]|(?P<p>{_PART}))?|(?P<quarter>季度)|{_SPELL})"
        ),
        _relative,
    ),
    (
        regex(r"(?P<day>(?<![以之从目面])大*前|昨|(?<!如)今|(?<![说证声])明|(?<![以之然])大*后)(?:[天日儿](?!天)|[晚早夜晨])"),
        partial(_near, {"前": -2, "昨": -1, "今": 0, "明": 1, "后": 2}),
    ),
    (regex(rf"(?:每个?|{_COUNT}个?){_WEEK}[一二三四五六日天末]?|{_WEEK}[一二三四五六日天][到至]{_WEEK}[一二三四五六日天]"), nothing),
    (regex(rf"{_WEEK}(?!末){_WD}"), lambda m, today, _: weekday(today, _weekday(m["w"]))),
    (regex(rf"(?<![每一二两三四五六七八九十几半\d个])月(?:的)?(?P<p>{_PART})"), _month_part),
    (
        regex(rf"(?<![第路街弄巷栋楼座室线])(?P<d>{_N})号(?![线楼院室机码门房床店馆桌车厅仓球公单电员字台])"),
        lambda m, today, _: day_of_month(today, _int(m["d"])),
    ),
)
