"""Who a Chinese clause is about, and how it says it: what stands before the predicate, and the predicate itself.

Chinese drops subjects and stacks adverbs in front of the verb. A `Frame` takes fillers, times, the subject and adverbs off the front, so that one fact rule
serves 我在腾讯工作, 现在在腾讯工作 and 我老公其实一直在腾讯工作, and only owner and flags differ.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from memory.judge.rules import Lexicon
from memory.pattern import Pattern, regex
from memory.record import USER

STRANGER: Final = ""
"""Owner of clauses about people or things that are not the user's own."""

_SKIP: Final = regex(r"[\s，,、：:—\-~～·.。!！\"“”「」『』‘’'（）()\[\]【】*#>→⇒\ufe0f\u200d]+|[^\w\s，。]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A clause laid out. Offsets are within the clause's plain text.

    `subject` is self, kin, pronoun, named, you, other, thing or none; `owner` the fact owner it stands for (the user, 妈妈, 同事小王, 他, or STRANGER).
    `tail` begins after the subject, `body` after the adverbs too. `flags` are what lead-ins and adverbs said.
    """

    plain: str
    subject: str
    owner: str
    tail: int
    body: int
    flags: frozenset[str]
    kin: str = ""

    @property
    def predicate(self) -> str:
        return self.plain[self.body :]

    def with_flags(self, *more: str) -> "Frame":
        return replace(self, flags=self.flags | set(more))


def lay_out(plain: str, original: str, lex: Lexicon, carried: Mapping[str, str]) -> Frame:
    """Reads the front of a clause. `carried` is what earlier clauses settled: ``owner`` and ``subject`` of the last explicit subject, ``kin`` the
    relative last named (what 他/她 stand for)."""
    patterns = lex.patterns
    flags: set[str] = set(filter(None, carried.get("flags", "").split()))
    subject, owner, kin, tail = "none", USER, "", -1
    at = 0
    for _ in range(24):
        before = at
        if m := _SKIP.match(plain, at):
            at = m.end()
        if m := patterns["filler"].match(plain, at):
            at = m.end()
            continue
        if m := patterns["lead_time"].match(plain, at):
            flags |= _time_flags(m.group(), lex)
            at = m.end()
            continue
        if subject == "none":
            if m := patterns["opinion"].match(plain, at):
                flags.add("opinion")
                at = m.end()
                continue
            if m := patterns["reported_to_me"].match(plain, at):
                flags.add("reported")
                at = m.end()
                speaker = m.group("who") or ""
                found = patterns["kin"].match(speaker)
                if found is not None and "professional" not in flags and not patterns["professional"].search(speaker):
                    kin = found.group("rel")
                    flags.add("kin_reports")
                elif patterns["professional"].search(speaker):
                    flags.add("professional")
                    if found is not None and found.end() < len(speaker):  # 我妈的医生说不能吃甜的
                        kin = found.group("rel")
                        flags.add("kin_reports")
                elif not patterns["self"].match(speaker):
                    flags.add("stranger_reports")
                continue
            got = _subject(plain, original, at, lex, carried, flags)
            if got is not None:
                subject, owner, end, who = got
                if subject == "pronoun" and "kin_reports" in flags and can_mean(plain[at:end], kin, lex):
                    owner = who = kin  # 我同事说她搬到上海了
                elif carried.get("met") and (subject == "pronoun" or (subject == "kin" and not _MINE.match(plain, at))):
                    owner, who = STRANGER, ""  # 昨天来了个病人，他对青霉素过敏，爸妈离婚了
                at = end
                kin = who or kin
                tail = at
                continue
        if m := patterns["adverb"].match(plain, at):
            flags |= _adverb_flags(m.group(), lex)
            at = m.end()
            continue
        if at == before:
            break
    if tail < 0:
        tail = _front(plain, patterns)
    if subject == "none":
        owner = carried.get("owner", USER)
        if "kin_reports" in flags and kin:
            owner = kin
    if ("stranger_reports" in flags and subject in {"none", "pronoun"}) or "claimed" in flags:
        owner = STRANGER
    if subject == "you" and "told_user" in flags:
        subject, owner = "self", USER
    if "habitual" in flags and not patterns["really_today"].search(plain):
        flags.discard("today")
    return Frame(plain=plain, subject=subject, owner=owner, tail=tail, body=at, flags=frozenset(flags), kin=kin)


_MINE: Final = regex("我|咱|俺|家里|家中")
_WEEKDAY: Final = regex("周[一二三四五六日天末]")
"""What looks like the name of somebody called 周: 我女儿周五有家长会."""


def can_mean(pronoun: str, person: str, lex: Lexicon) -> bool:
    """Whether 他 or 她 can stand for that person: not against what his tie says, and no word for many."""
    if pronoun not in {"他", "她", "ta"}:
        return False
    other = {"他": "of_woman", "她": "of_man"}.get(pronoun)
    mine = {"他": "of_man", "她": "of_woman"}.get(pronoun)
    return other is None or mine is None or not lex.has(other, person) or lex.has(mine, person)


def _front(plain: str, patterns: Mapping[str, Pattern]) -> int:
    at = 0
    for _ in range(8):
        before = at
        if m := _SKIP.match(plain, at):
            at = m.end()
        if m := patterns["filler"].match(plain, at):
            at = m.end()
        if at == before:
            break
    return at


def _subject(plain: str, original: str, at: int, lex: Lexicon, carried: Mapping[str, str], flags: set[str]) -> tuple[str, str, int, str] | None:
    """(subject, owner, end, kin) of the subject that begins at `at`, or None."""
    patterns = lex.patterns
    if m := patterns["joint"].match(plain, at):
        flags.add("joint")
        return "self", USER, m.end(), (m.group("rel") or "")
    if m := patterns["chain"].match(plain, at):
        flags.add("chain")
        return "other", STRANGER, m.end(), ""
    if m := patterns["dealt_with"].match(plain, at):
        who = original[m.start("who") : m.end("who")]
        return "kin", who, m.end(), who
    if m := patterns["kin"].match(plain, at):
        rest = plain[m.end() :]
        if not patterns["not_after_kin"].match(rest):
            rel = original[m.start("rel") : m.end("rel")]
            name = original[m.start("who") : m.end("who")] if m.group("who") else ""
            if _WEEKDAY.fullmatch(name):
                return "kin", rel, m.end("rel"), rel
            return "kin", rel + name, m.end(), rel + name
    if (m := patterns["self"].match(plain, at)) and not (m.group() == "自己" and carried.get("subject") in {"kin", "named", "pronoun"}):
        return "self", USER, m.end(), ""
    if m := patterns["you"].match(plain, at):
        return "you", STRANGER, m.end(), ""
    if m := patterns["pronoun"].match(plain, at):
        kin = carried.get("kin", "")
        if kin and m.group() in {"他", "她"} and not can_mean(m.group(), kin, lex):
            kin = ""  # 我这当妈的…，他真正的生日是
        return "pronoun", kin or original[m.start() : m.end()], m.end(), kin
    if m := patterns["other"].match(plain, at):
        return "other", STRANGER, m.end(), ""
    if (names := carried.get("names")) and (m := re.compile(names).match(plain, at)):
        return "named", original[m.start() : m.end()], m.end(), original[m.start() : m.end()]
    return None


def _time_flags(text: str, lex: Lexicon) -> set[str]:
    flags = set()
    for name in ("past", "today", "moment", "now", "recent", "future", "habitual", "once"):
        if lex.has(f"time_{name}", text):
            flags.add(name)
    return flags


def _adverb_flags(text: str, lex: Lexicon) -> set[str]:
    flags = set()
    for name in ("past", "today", "now", "habitual", "negative", "no_longer", "once"):
        if lex.has(f"adverb_{name}", text):
            flags.add(name)
    return flags
