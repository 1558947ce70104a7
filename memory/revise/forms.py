"""Normal forms of values: what two spellings of one thing have in common. Pure text work; equal forms propose sameness.

Width, case, 繁/简, numerals (二十三 = 23 = twenty-three), units (70公斤 = 140斤), and dates (4月17号 = 17 April = 04-17) are folded away. Measures
are compared in one base unit per dimension, so a value in another unit can be told from another value.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import opencc

from memory.clean import well_formed
from memory.judge.clauses import spoken
from memory.pattern import regex

_DIGITS: Final = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "俩": 2, "仨": 3}
_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_ZH_NUMBER: Final = regex(r"[零〇一二两三四五六七八九十百千万亿俩仨]+")
_ONES: Final = {
    w: n
    for n, w in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS: Final = {w: 10 * n for n, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)}
_EN_WORD: Final = "|".join([*sorted(sorted({*_ONES, *_TENS}), key=len, reverse=True), "hundred", "thousand", "dozen"])
_EN_NUMBER: Final = regex(rf"\b(?:an? (?=hundred|thousand|dozen))?(?:{_EN_WORD})(?:(?:[ -]| and )(?:{_EN_WORD}))*\b")
_INVISIBLE: Final = regex(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe0f]")

_MONTHS: Final = {
    m: n
    for n, m in enumerate(
        ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"], 1
    )
}
_MONTH: Final = "(?P<m>" + "|".join(f"{m}|{m[:3]}" if len(m) > 3 else m for m in _MONTHS) + r"|sept)\.?"

UNITS: Final[dict[str, tuple[str, float]]] = {
    "kg": ("mass", 1000), "kgs": ("mass", 1000), "公斤": ("mass", 1000), "千克": ("mass", 1000), "kilos": ("mass", 1000), "kilo": ("mass", 1000),
    "kilograms": ("mass", 1000), "斤": ("mass", 500), "g": ("mass", 1), "克": ("mass", 1), "grams": ("mass", 1), "mg": ("mass", 1e-3),
    "毫克": ("mass", 1e-3), "milligrams": ("mass", 1e-3), "mcg": ("mass", 1e-6), "ug": ("mass", 1e-6), "μg": ("mass", 1e-6),
    "微克": ("mass", 1e-6), "micrograms": ("mass", 1e-6), "lb": ("mass", 453.592), "lbs": ("mass", 453.592), "pounds": ("mass", 453.592),
    "磅": ("mass", 453.592), "stone": ("mass", 6350.29),
    "cm": ("length", 0.01), "厘米": ("length", 0.01), "公分": ("length", 0.01), "centimetres": ("length", 0.01), "centimeters": ("length", 0.01),
    "m": ("length", 1), "米": ("length", 1), "metres": ("length", 1), "meters": ("length", 1), "mm": ("length", 0.001), "毫米": ("length", 0.001),
    "km": ("length", 1000), "公里": ("length", 1000), "千米": ("length", 1000), "kilometres": ("length", 1000), "kilometers": ("length", 1000),
    "里": ("length", 500), "miles": ("length", 1609.344), "mile": ("length", 1609.344), "英里": ("length", 1609.344), "inches": ("length", 0.0254),
    "inch": ("length", 0.0254), "英寸": ("length", 0.0254), "寸": ("length", 0.0254), "feet": ("length", 0.3048), "foot": ("length", 0.3048),
    "ft": ("length", 0.3048),
    "ml": ("volume", 1), "毫升": ("volume", 1), "l": ("volume", 1000), "升": ("volume", 1000), "litres": ("volume", 1000), "liters": ("volume", 1000),
    "元": ("cny", 1), "块": ("cny", 1), "块钱": ("cny", 1), "rmb": ("cny", 1), "cny": ("cny", 1), "美元": ("usd", 1), "dollars": ("usd", 1),
    "usd": ("usd", 1), "euros": ("eur", 1), "欧元": ("eur", 1), "eur": ("eur", 1),
    "gb": ("data", 1), "gigs": ("data", 1), "gig": ("data", 1), "gigabytes": ("data", 1), "mb": ("data", 1e-3), "tb": ("data", 1e3), "兆": ("data", 1e-3),
    "mbps": ("speed", 1), "gbps": ("speed", 1000),
    "亩": ("area", 666.7), "公顷": ("area", 10_000), "acres": ("area", 4046.9), "acre": ("area", 4046.9), "hectares": ("area", 10_000),
    "square feet": ("area", 0.0929), "平": ("area", 1), "平米": ("area", 1), "平方米": ("area", 1), "sqm": ("area", 1), "square metres": ("area", 1), "square meters": ("area", 1),
    "小时": ("duration", 60), "个小时": ("duration", 60), "钟头": ("duration", 60), "hours": ("duration", 60), "hour": ("duration", 60),
    "分钟": ("duration", 1), "minutes": ("duration", 1), "mins": ("duration", 1), "岁": ("age", 1), "周岁": ("age", 1),
    "years old": ("age", 1), "year old": ("age", 1), "度": ("degree", 1), "%": ("percent", 1), "percent": ("percent", 1), "quid": ("gbp", 1), "镑": ("gbp", 1), "英镑": ("gbp", 1), "港币": ("hkd", 1), "日元": ("jpy", 1),
}  # fmt: skip
"""Unit → (dimension, factor to the dimension's base unit). Grams, metres, millilitres, minutes."""

_UNIT: Final = "|".join(re.escape(u) + (r"(?![a-z])" if u.isascii() and u.isalpha() else "") for u in sorted(UNITS, key=len, reverse=True))
_MEASURE: Final = regex(rf"(?P<n>\d+(?:\.\d+)?)\s*-?(?P<scale>万|千|k(?![a-z]))?\s*(?P<unit>{_UNIT})")
_CURRENCY: Final = regex(r"(?P<sign>[$€£¥])\s*(?P<n>\d+(?:\.\d+)?)\s*(?P<scale>k\b|万|千)?")
_SIGNS: Final = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny"}
_SCALE: Final = {"k": 1000.0, "千": 1000.0, "万": 10_000.0}
_METRE_TAIL: Final = regex(r"(\d)米(\d{1,2})(?!\d|\.|米|厘米|公分)")
_FEET: Final = regex(r"(\d)\s*(?:'|’|ft|feet|foot)\s*(\d{1,2})\s*(?:\"|”|in(?:ches)?\b)?")
_COUNT: Final = regex(
    r"(?P<n>\d+(?:\.\d+)?)\s*(?:个|名|位|只|条|头|匹|本|部|辆|台|套|间|家|种|门|杯|次|支|张|颗|份|章|级|期|把|双|块|场|第)?\s*(?P<noun>[a-z\u4e00-\u9fff]{1,12})"
)
_ORDINAL: Final = regex(
    r"(?:第|(?P<en>chapter|level|lesson|part|unit|page|week|season|episode|stage|step|hsk|band)\s*)(?P<n>\d+(?:\.\d+)?)(?P<noun>[\u4e00-\u9fff]?)"
)


_EDGE: Final = r"(?:(?<![a-z0-9_])(?=[a-z0-9_])|(?<=[a-z0-9_])(?![a-z0-9_]))"


def compiled(text: str, flags: int = 0) -> re.Pattern[str]:
    r"""A pattern for folded text of both languages: `\b` holds between letters and Chinese characters too (我major是)."""
    return regex(text.replace(r"\b", _EDGE), flags)


@lru_cache(maxsize=1)
def _simplifier() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Width, case, traditional characters, invisible characters and runs of white space folded away."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", well_formed(text))).casefold()
    if not plain.isascii():
        plain = _simplifier().convert(spoken(plain))
    return " ".join(plain.split())


@lru_cache(maxsize=8192)
def bare(text: str) -> str:
    """`fold` with numerals as digits and without punctuation or spaces: the form whose equality means the same text."""
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w.]+|_", "", numerals(fold(text)))


_HALVES: Final = regex(
    r"(?P<n>\d+|[一二两三四五六七八九十])个半(?:小时|钟头)|半个?(?P<half>小时|钟头)|\b(?:an|one) hour and a (?:half|quarter)\b|\bhalf an hour\b|\bthree quarters of an hour\b|\ban hour\b"
)


def _half(m: re.Match[str]) -> str:
    """Hours told by halves, in minutes: 一个半小时 → 90分钟, an hour and a half → 90 minutes."""
    if m["n"]:
        whole = int(m["n"]) if m["n"].isdigit() else int(_chinese(m["n"]))
        return f"{whole * 60 + 30}分钟"
    if m["half"]:
        return "30分钟"
    told = {"half an hour": 30, "three quarters of an hour": 45, "an hour": 60}
    return f"{told.get(m[0], 75 if 'quarter' in m[0] else 90)} minutes"


def numerals(folded: str) -> str:
    """Written-out numbers as digits: 二十三 → 23, 一百五 → 150, two dozen → 24. Expects folded text."""
    text = re.sub(
        r"([零〇一二两三四五六七八九十百])米([零〇一二三四五六七八九]{1,2})(?![十百])",
        lambda m: m[1] + "米" + "".join(str(_DIGITS[c]) for c in m[2]),
        folded,
    )
    text = _HALVES.sub(lambda m: _half(m), text)
    text = _ZH_NUMBER.sub(lambda m: _chinese(m[0]), text)
    text = _EN_NUMBER.sub(lambda m: str(_english(m[0])), text)
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def _chinese(run: str) -> str:
    if all(c in _DIGITS for c in run):
        return "".join(str(_DIGITS[c]) for c in run)
    total = section = 0
    digit: int | None = None
    last_scale = 1
    for char in run:
        if char in _DIGITS:
            digit = _DIGITS[char]
            if digit == 0:
                last_scale = 10
            continue
        scale = _SCALES[char]
        if scale >= 10_000:
            total = (total + section + (digit or 0)) * scale
            section = 0
        else:
            section += (1 if digit is None else digit) * scale
        digit, last_scale = None, scale
    if digit is not None:
        section += digit * (last_scale // 10 if last_scale >= 100 else 1)  # 一百五 is 150, 二十三 is 23
    return str(total + section)


def _english(run: str) -> int:
    total = current = 0
    for word in re.split(r"[ -]", run):
        if word in _ONES:
            current += _ONES[word]
        elif word in _TENS:
            current += _TENS[word]
        elif word in {"a", "an"}:
            current = 1
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word == "dozen":
            current = max(current, 1) * 12
        elif word == "thousand":
            total += max(current, 1) * 1000
            current = 0
    return total + current


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount of something: `kind` is a dimension (mass, length, …) or the thing that is counted."""

    amount: float
    kind: str

    def equals(self, other: "Quantity") -> bool:
        """Same kind and the same amount within 1 %, the slack that rounding between units needs."""
        return self.kind == other.kind and abs(self.amount - other.amount) <= 0.01 * max(abs(self.amount), abs(other.amount), 1e-9)


@lru_cache(maxsize=4096)
def quantity(text: str) -> Quantity | None:
    """The one amount that the text states, in base units, or what it counts; None when it states none."""
    plain = numerals(fold(text))
    plain = _METRE_TAIL.sub(lambda m: f"{m[1]}.{m[2]}米", plain)
    if feet := _FEET.search(plain):
        return Quantity(int(feet[1]) * 0.3048 + int(feet[2]) * 0.0254, "length")
    if money := _CURRENCY.search(plain):
        return Quantity(float(money["n"]) * _SCALE.get(money["scale"] or "", 1.0), _SIGNS[money["sign"]])
    if measure := _MEASURE.search(plain):
        kind, factor = UNITS[measure["unit"]]
        return Quantity(float(measure["n"]) * factor * _SCALE.get(measure["scale"] or "", 1.0), kind)
    if ordinal := _ORDINAL.search(plain):
        return Quantity(float(ordinal["n"]), ordinal["en"] or "第" + ordinal["noun"])
    if count := _COUNT.search(plain):
        return Quantity(float(count["n"]), _singular(count["noun"]))
    return None


_IRREGULAR: Final = {
    "children": "child",
    "kids": "child",
    "people": "person",
    "mice": "mouse",
    "feet": "foot",
    "小孩": "孩子",
    "娃": "孩子",
    "儿女": "孩子",
}


def _singular(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    return noun[:-1] if noun.isascii() and noun.endswith("s") and not noun.endswith("ss") else noun


@dataclass(frozen=True, slots=True)
class Day:
    """A date as far as a text tells it; unknown parts are None."""

    year: int | None
    month: int
    day: int | None

    def same(self, other: "Day") -> bool:
        """Whether the two can be the same date: what both tell agrees."""
        return all(a is None or b is None or a == b for a, b in ((self.year, other.year), (self.month, other.month), (self.day, other.day)))


_DAY_PATTERNS: Final = (
    regex(r"(?P<y>\d{4})[-/.年](?P<m>\d{1,2})(?:[-/.月](?P<d>\d{1,2}))?"),
    regex(r"(?<!\d)(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})[日号]?)?"),
    regex(r"^(?P<m>\d{2})-(?P<d>\d{2})$"),
    regex(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<y>\d{{4}}))?"),
    regex(rf"\b{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y>\d{{4}}))?\b"),
)


@lru_cache(maxsize=4096)
def day(text: str) -> Day | None:
    """The calendar date a text names (ISO, 4月17号, 17 April 2026), or None."""
    plain = numerals(fold(text))
    for pattern in _DAY_PATTERNS:
        if found := pattern.search(plain):
            parts = found.groupdict()
            month = parts["m"]
            number = int(month) if month.isdigit() else next(n for m, n in _MONTHS.items() if m.startswith(month[:3]))
            if 1 <= number <= 12:
                year, dom = parts.get("y"), parts.get("d")
                return Day(int(year) if year else None, number, int(dom) if dom else None)
    return None
