"""Stretches of time told in a row: "I lived in Lisbon from 2009 to 2013. Then Ghent, 2014 until 2019. It's been Leeds since 2020."

What a clause with years leaves unsaid, the last fact told with years has said: which attribute it is about. Pure.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory, Status
from memory.revise.forms import fold
from memory.revise.hearing import as_said
from memory.revise.people import is_user
from memory.revise.schema import attribute

RECENT: Final = timedelta(days=2)
"""How long after a fact with years was told a clause may go on from it."""
_YEAR: Final = r"(?:(?:19|20)\d\d|(?<!\d)[0-3]\d(?=年))"
_SPAN: Final = regex(
    rf"(?:从|自|\bfrom |\bbetween )?(?P<a>{_YEAR})年?(?:\d{{1,2}}月)?\s*(?:到|至|-|–|—|~|to|until|till|through|and)\s*(?P<b>{_YEAR}|现在|今天|如今|至今|now|today|the present|present)(?:年)?(?:\d{{1,2}}月)?(?:底|初)?"
)
_SINCE: Final = regex(
    rf"(?:从|自从|自|打)?(?P<a>{_YEAR})年?(?:\d{{1,2}}月)?(?:初|底|春天|夏天|秋天|冬天|下半年|上半年)?(?:起|开始|以来|以后|之后|至今|到现在|后)(?:就|便|我)?|\b(?:ever )?since (?:early |late |spring |summer |autumn |the start of |the end of )?(?P<b>{_YEAR})|\bfrom (?P<c>{_YEAR}) (?:on(?:wards?)?)\b|\b(?:ever since|since then|to this day|since(?=[.!]?\s*$))\b"
)
_UNTIL: Final = regex(rf"\b(?:until|till|up to) (?P<b>{_YEAR})\b|(?:一直)?(?:到|直到)(?P<c>{_YEAR})年?(?:底|初|为止)?")
_JOINED: Final = regex(
    r"^(?:and|then|after that|after|next|before that|now|so|but|later|finally|followed by|接着|然后|之后|后来|再后来|再|又|随后|其后|如今|现在|最后|再往后|中间)[,，\s]*|"
    r"^(?:it[’']s been|it was|it has been|i[’']ve been|i was|i[’']m|i have been|i|a|an|the|as|in|at|with|to|came|went|moved|on to|off to|我|就|都|在|去了?|到了?|换成?了?|改成?了?|转(?:到|去)?了?|搬(?:到|去)了?|是|一直(?:都)?|住|待|做|当|开|养|干|读|念|上|跳槽?去?|进了?)(?:(?<=[a-z])(?![a-z])|(?<![a-z]))(?=[\s一-龥a-z])[\s]*"
)
_BEHIND: Final = regex(
    r"(?:，|,|;|；|\band\b).*$|(?:那边|这边|那儿|这儿|上班|工作|住|待着|没动过|了|的)+$|[.。!！]+$|\b(?:now|these days|until now|up to now|for good)$"
)


def continued(text: str, known: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> tuple[list[Candidate], list[Candidate]]:
    """(what the clauses with years tell of the attribute spoken of, the candidates left once that is understood)."""
    last = max(
        (m for m in known if m.valid_from and m.source.text and now - RECENT <= m.recorded_at < now and m.status in _TOLD and is_user(m.owner)),
        key=lambda m: m.recorded_at,
        default=None,
    )
    if last is None or last.attribute in {"event", "plan"} or len(text) > 200:
        return [], list(taken)
    plain = fold(text)
    taken = [c.evolve(attribute=last.attribute) if _unsaid(c, last) else c for c in taken]
    read = [c for c in taken if not c.loose and (c.valid_from or c.valid_to)]
    found: list[Candidate] = []
    for clause in re.split(r"[。；;!！\n]|\.(?=\s|$)", plain):
        span = _SPAN.search(clause)
        since = None if span else _SINCE.search(clause)
        until = None if span or since else _UNTIL.search(clause)
        if span is None and since is None and until is None:
            continue
        at = span or since or until
        assert at is not None
        value = _value(clause[: at.start()], clause[at.end() :])
        if value is None or any(fold(c.value) in clause for c in read if c.attribute == last.attribute or _VERB.search(fold(c.clause))):
            continue
        told = next((g for g in at.groups() if g), "")
        begun = None if until else _full(told)
        ended = _full(span["b"]) if span else _full(told) if until else None
        past = ended is not None and ended <= str(now.year)
        found.append(
            Candidate(
                attribute=last.attribute, value=as_said(value, text), owner=last.owner, valid_from=begun, valid_to=ended if past else None,
                stance=Stance.PAST if past else Stance.ASSERT, clause=text,
            )
        )  # fmt: skip
    if not found:
        return [], list(taken)
    return found, [c for c in taken if not c.loose and not (attribute(c.attribute).name == last.attribute and c not in read)]


_VERB: Final = regex(r"住|工作|上班|任职|就职|[读念]|上学|养|开|当|做|\b(?:liv|work|studi|study|own|had|have|drove|drive|taught|teach|play)\w*")


def _unsaid(c: Candidate, last: Memory) -> bool:
    """Whether the candidate has years and a place or firm without a verb: 14年到20年在青峰 after …在宁海电力上班 is a firm too."""
    return (
        bool(c.valid_from or c.valid_to) and c.attribute != last.attribute and {c.attribute, last.attribute} <= {"location", "employer", "school", "other"}
        and _VERB.search(fold(c.clause)) is None
    )  # fmt: skip


_TOLD: Final = frozenset({Status.ACTIVE, Status.SUPERSEDED})


def _value(before: str, after: str) -> str | None:
    """What stands beside the years: the shorter way to say it is the clause's rest, without what joins it to the clause before."""
    for part in (before, after):
        rest = part.strip(" ,，:：、的")
        previous = None
        while previous != rest:
            previous, rest = rest, _JOINED.sub("", rest).strip(" ,，")
        rest = _BEHIND.sub("", _BEHIND.sub("", rest)).strip(" ,，.。")
        if 1 < len(rest) <= 24 and len(rest.split()) <= 4 and not re.search(r"[?？]|没|不|\b(?:not|never|no)\b", rest):
            return rest
    return None


def _full(year: str) -> str | None:
    if not year.isdigit():
        return None
    return year if len(year) == 4 else f"20{year}" if int(year) < 40 else f"19{year}"
