"""A fact as it is told to its user: 你妈妈对花生过敏, your name is Anna. Pure; the wording is data (sentences.toml)."""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from memory.guard import masked
from memory.language import Language
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.people import relation_in, tie_of

_YOURS: Final = regex(r"^(?:你|您|your?\b|the\b|a\b|an\b)", re.IGNORECASE)
_COUNTED: Final = regex(r"^(?:an?|the|my|your|one|two|some)\b|s$|\band\b|\d", re.ASCII)

_SPOKEN: Final = frozenset({"habit", "occupation", "skill", "health", "progress", "possession", "relationship", "other"})
_SCHOOL: Final = regex(r"大学|学校|学院|[小中]学|高中|初中|附[小中]|幼儿园|[校院园班]$|[一-龥]大$")
_LABELLED: Final = regex(r"^(?:宠物|pet)\s*[:：]")
_HOW_ZH: Final = r"(?:(?:一般|平时|通常|一直|总是|都|每次|现在|最近|习惯|会|还|也|正在|在)){0,3}"
_HOW_EN: Final = r"(?:(?:also|usually|always|generally|mostly|often|still|now|never|only|currently|just|a|an) ){0,2}"
_MINE: Final = regex(r"\b(?:my|me|I)\b", re.I)
_STUDIES: Final = regex(r"(?:读研|读博|留学|上学|读书|念书|读大学|读硕士|进修)$")
_SEVERAL: Final = regex(
    r"\b(?:parents|folks|grandparents|kids|children|twins|sons|daughters|brothers|sisters|siblings|friends|colleagues|coworkers|neighbou?rs|cousins|in-laws|uncles|aunts|(?:room|flat|house)mates)$",
    re.IGNORECASE,
)
_AGREED: Final = ((" is", " are"), (" has", " have"), (" doesn't", " don't"), ("'s", "'"))
_TURNED: Final = (
    (r"\bI(?:['’]m| am)\b", "you are"), (r"\bI was\b", "you were"), (r"\bam I\b", "are you"), (r"\bI(?=['’]|\b)", "you"), (r"\bmy\b", "your"),
    (r"\bmine\b", "yours"), (r"\bmyself\b", "yourself"), (r"\bme\b", "you"),
)  # fmt: skip
_BE: Final = regex(r"^ (?:are|is)\b")


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    table: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(files("graph").joinpath("sentences.toml").read_text("utf-8"))
    return table


def told(fact: Memory | Mapping[str, Any], lang: Language) -> str:
    """The sentence, in the second person, dated where the value does not say the date; `fact` is a memory or what a tool reported of one.

    Secrets are masked. A fact of somebody else names whose it is.
    """
    get = fact.get if isinstance(fact, Mapping) else lambda name: getattr(fact, name)
    attribute, owner, when, tags = str(get("attribute")), str(get("owner") or USER), get("time"), get("tags") or ()
    value, content = masked(str(get("value") or ""), tags), str(get("content") or "")
    content = masked(content, tags) if value != get("value") else content
    mine = owner == USER
    pattern = _table()[lang]["you" if mine else "they"].get(attribute, "«c»")
    if not content or (not mine and pattern == "«c»"):
        pattern, content = pattern.replace("«c»", "«v»" if mine else "«s»：«v»" if lang == "zh" else "«s»: «v»"), ""
    if mine and pattern == "«c»":
        content = addressed(content, lang)
    if attribute == "instruction":
        value = addressed(value, lang)
    if attribute == "relationship" and "«c»" in pattern and re.match(r"[他她它]", content):
        pattern = "«c»"
    if "在«v»" in pattern and value.startswith("在"):
        pattern = pattern.replace("在«v»", "«v»")
    if attribute == "pet" and _LABELLED.match(content):  # no sentence of the user's own, and perhaps of the other language
        pattern = "你的宠物：«v»" if lang == "zh" else "your pet: «v»"
    if attribute == "pet" and lang == "en":
        content = re.sub(r"^((?:[\w'-]+ ){1,3})is called ", r"\1called ", content)  # you have a cat called Moss
    if attribute == "relationship" and lang == "zh" and mine and re.match(r"[跟和与同]", content):
        pattern = "你«c»"
    if "«c»" in pattern and (_YOURS.match(content) or (":" in content and lang == "en")):
        pattern = "«c»" if _YOURS.match(content) else "your «c»"
    if attribute == "relationship" and "«c»" in pattern and content and relation_in(content) is None:
        pattern = "你«c»" if lang == "zh" else "you: «c»"  # 分手, engaged: no person that one has
    if attribute == "school" and lang == "zh" and not _SCHOOL.search(value):
        study = "的学业：«v»" if not _STUDIES.search(value) else "«v»" if value.startswith("在") else "在«v»"
        pattern = pattern.split("«v»")[0].removesuffix("在") + study
    said = str((get("said") if isinstance(fact, Mapping) else fact.source.text) or "")
    spoken = _as_said(attribute, value, said, lang, mine=mine)
    if spoken:
        pattern = "«s»" + spoken
    if get("valid_to"):
        pattern = _past(pattern, "" if spoken else attribute, lang)
    if attribute == "age" and lang == "zh" and value.isdigit():
        value += "岁"
    if attribute == "possession" and lang == "en" and (article := re.search(rf"\b(?:an?|two|three|some) (?={re.escape(value)}\b)", said, re.I)):
        value = article[0].lower() + value
    if lang == "en" and not mine and _SEVERAL.search(owner):
        pattern = _plural(pattern)
    text = pattern.replace("«s»", _whose(owner, lang)).replace("«a»", _counted(value)).replace("«v»", value).replace("«c»", content)
    if when and str(when) not in text and attribute != "birthday":
        text += f"（{when}）" if lang == "zh" else f" ({when})"
    return text


def addressed(text: str, lang: Language) -> str:
    """What the user said of himself, said to him: my passport → your passport; as it stands where it speaks to somebody already."""
    if lang == "zh":
        return text if re.search(r"[你您“\"「]", text) else text.replace("我", "你").replace("俺", "你")
    if re.search(r"\byou\b|[\"“]", text, re.IGNORECASE):
        return text
    for pattern, other in _TURNED:
        text = re.sub(pattern, lambda m, to=other: to.capitalize() if m.start() == 0 else to, text, flags=re.IGNORECASE)  # type: ignore[misc]
    return text


def _plural(pattern: str) -> str:
    """A pattern of somebody, for several: my parents live, are, have."""
    for one, many in _AGREED:
        pattern = re.sub(rf"^«s»{re.escape(one)}(?=\W|$)", f"«s»{many}", pattern)
    return re.sub(r"^«s» (comes|lives|works|likes|studies)\b", lambda m: f"«s» {m[1][:-3] + 'y' if m[1] == 'studies' else m[1][:-1]}", pattern)


def _as_said(attribute: str, value: str, clause: str, lang: Language, *, mine: bool) -> str:
    """What follows the subject, where the clause puts the value right behind it: of "I teach math" " teach math"; empty where the table knows better."""
    if attribute not in _SPOKEN or not value or value not in clause:
        return ""
    if lang == "zh":
        with_whom = r"(?:(?:跟|和|与)[^，。；]{1,8}?)?" if attribute == "relationship" else ""
        found = re.search(rf"我(?P<how>{_HOW_ZH}{with_whom}){re.escape(value)}", clause) if mine else None
        return found["how"] + value.replace("我", "你") if found else ""
    before = r"\bI(?P<be>['’]?m| am)?" if mine else r"(?P<be>['’]s| is)"
    if not mine and attribute == "occupation":  # she teaches math
        verb = re.search(rf"\b(?:she|he|who) {_HOW_EN}(?=[a-z]+s\b){re.escape(value)}", clause, re.I)
        return f" {value}" if verb else ""
    doing = r"(?:(?:re|watch|listen|work|learn|study|writ|train)\w*ing (?:to |on |for |through )?)?" if attribute == "progress" else ""
    where = r"(?:(?:in|on|at|under) )?" if attribute == "health" else ""
    found = re.search(rf"{before} (?P<how>{_HOW_EN}{doing}{where}){re.escape(value)}", clause, re.I)
    if found is None or (attribute == "occupation" and found["be"]):
        return ""
    be = "" if not found["be"] else " are" if mine else " is"
    return f"{be} {found['how'].lower()}{_MINE.sub(lambda m: 'your' if m.group().lower() == 'my' else 'you', value)}"


def _past(pattern: str, attribute: str, lang: Language) -> str:
    """The pattern for what is no longer so."""
    if lang == "en":
        spoken = f"«s» used to{_BE.sub(' be', pattern.removeprefix('«s»'), count=1)}" if pattern.startswith("«s» ") else f"{pattern} (formerly)"
        return _table()["en"]["past"].get(attribute, spoken)
    subject = "你" if pattern.startswith("你") else "«s»"
    return f"{subject}以前{pattern.removeprefix(subject)}" if pattern.startswith(subject) else f"以前的{pattern}"


def _whose(owner: str, lang: Language) -> str:
    """A relative is the user's own (你妈妈, your mother, your wife Anna); a named person goes by the name."""
    if owner == USER:
        return "你" if lang == "zh" else "you"
    if tie_of(owner) is None or _YOURS.match(owner):
        return owner
    return f"你{owner}" if lang == "zh" else f"your {owner}"


def _counted(noun: str) -> str:
    """An occupation with its article: a nurse, an engineer, a UX designer; what has one, is a name or several stays."""
    first, last = (noun.split() or [""])[0], (noun.split() or [""])[-1]
    if _COUNTED.search(noun) or last != last.lower() or not noun.isascii():
        return noun
    spelt = len(first) < 4 and first.isupper()
    return f"{'an' if first[:1] in ('AEFHILMNORSX' if spelt else 'aeiouAEIOU') else 'a'} {noun}"
