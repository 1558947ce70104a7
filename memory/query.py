"""What a question asks for: its words with weights, the texts to embed, whom it names, the days it means, whether it asks about the past. Pure.

A running conversation is searched beside the question: the words of earlier turns count less the older they are, and the last turns together are one more
text to embed.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memory.concepts import concepts
from memory.pattern import regex
from memory.times import Span, spans
from memory.words import fold, number, terms

TURNS: Final = 8  # earlier turns whose words count
JOINED: Final = 4  # last turns, the question among them, that are embedded as one text
DECAY: Final = 0.85  # per turn
CONCEPT: Final = 0.5  # weight of what kind of thing a question speaks of
TOPIC: Final = 1.25  # the same inside a conversation, where what is sought is what belongs to its topic
LONGEST: Final = 2000  # characters of one earlier turn that are looked at
EMBEDDED: Final = 512  # characters of one embedded text

_TAG: Final = regex(r"^\s*<?(?P<speaker>[^<>:：\s]{1,24})>?\s*[:：]\s*[\"“]?(?P<text>.*?)[\"”]?\s*$", re.S)
PAST: Final = regex(
    r"以前|之前|从前|过去|原来|曾经|曾|上一[个份家次]|前一[个份家]|搬家前|\bused to\b|\bbefore\b|\bpreviously\b|\bprevious\b|\bformer(?:ly)?\b|\bin the past\b|\bback then\b|\bearlier\b|\bold (?:job|address|phone|number|company)\b|\bwh(?:at|o) was my\b|\bwhere did i (?:live|work|study)\b|(?:小学|初中|中学|高中|大学|本科|研究生)(?:是)?(?:在|读|念|上)的?(?:是)?哪",
    re.I,
)
_YEAR: Final = regex(r"(?<!\d)((?:19|20)\d{2})(?!\d|[-/.]\d)")
_STATE: Final = regex(r"住|工作|上班|上学|读|念|公司|单位|学校|职业|\b(?:live|living|work|working|study|studying|school|job|company|drive)\b", re.I)
_ASSISTANT_SAID: Final = regex(
    r"(?:你|您)[^，。？我]{0,12}(?:推荐|建议|告诉|介绍|说过|说的|提到|提过|回答|给了?我|教我|帮我)|(?:did|have|had) you (?:\w+ )?(?:recommend|suggest|tell|told|say|said|advise|mention|give|given|recommended|suggested)\w*|"
    r"\byou(?:'ve| have| had)? (?:\w+ )?(?:recommended|suggested|told|advised|mentioned|gave|said)\b",
    re.I,
)
_USER_SAID: Final = regex(
    r"我[^，。？]{0,8}(?:和|跟|向|对)(?:你|您)[^，。？]{0,6}(?:说|分享|提|讲|聊|推荐|咨询|问)|\bI (?:\w+ )?(?:told|recommended|shared|mentioned|said|asked|suggested)\b",
    re.I,
)
_TALKS: Final = r"(?:聊天|对话|聊|交谈|见面|说话|谈话|认识)"
_FIRST_TALK: Final = regex(
    rf"(?:第一次|最初|刚开始|最开始|一开始){_TALKS}|\bfirst (?:conversation|chat|talk|dialogue|time we (?:talked|chatted|spoke|met))|\bwhen we first (?:talked|met|chatted|spoke)",
    re.I,
)
_LAST_TALK: Final = regex(
    rf"(?:上次|上一次|最近一次|最后一次){_TALKS}|\b(?:last|latest|most recent) (?:conversation|chat|talk|dialogue|time we (?:talked|chatted|spoke|met))",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, understood. `words` maps the number of each term to its weight, before document frequencies; `texts` are embedded and averaged;
    `own` are the terms of the question itself; `role` is whose words it asks for, `talk` whether it means the first or the last conversation."""

    text: str
    words: Mapping[int, float]
    own: frozenset[int] = frozenset()
    texts: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    past: bool = False
    role: str | None = None
    talk: str | None = None
    folded: str = field(default="", repr=False)


def understand(text: str, history: Sequence[str] = (), now: datetime | None = None) -> Query:
    """The question as recall searches it. `history` holds the earlier turns, oldest first; "name: words" and plain words are both fine."""
    text = text[:LONGEST]
    turns = [t for t in (spoken(h) for h in history) if t]
    if turns and turns[-1] == text.strip():
        turns.pop()
    own = Counter(terms(text))
    words: dict[str, float] = dict(own) if not turns else dict.fromkeys(own, 1.0)
    weight = TOPIC if turns else CONCEPT
    words.update(dict.fromkeys(concepts(fold(text)), weight))
    for age, turn in enumerate(reversed(turns[-TURNS:]), start=1):
        faded = DECAY**age
        for term in set(terms(turn)):
            words[term] = max(words.get(term, 0.0), faded)
        for term in concepts(fold(turn)):
            words[term] = max(words.get(term, 0.0), weight * faded)
    texts = [text[:EMBEDDED]]
    if turns:
        texts.append(" ".join([*turns[1 - JOINED :], text])[-EMBEDDED:])
    first, last = _FIRST_TALK.search(text), _LAST_TALK.search(text)
    role = "assistant" if _ASSISTANT_SAID.search(text) and not _USER_SAID.search(text) else None
    days = spans(text, now) if now else ()
    return Query(
        text=text, words={number(t): w for t, w in words.items()}, own=frozenset(number(t) for t in own), texts=tuple(texts),
        spans=days, past=PAST.search(text) is not None or _then(text, days, now), role=role,
        talk="first" if first else "last" if last else None, folded=fold(text),
    )  # fmt: skip


def _then(text: str, days: Sequence[Span], now: datetime | None) -> bool:
    """Whether the question is about how things stood in a year gone by: 2020年我住哪, 前年我在哪上班, where did I work in 2016."""
    if now is None or not _STATE.search(text):
        return False
    years = [*map(int, _YEAR.findall(text)), *(s.since.year for s in days)]
    return bool(years) and max(years) < now.year


def spoken(line: str) -> str:
    """The words of a transcript line such as ``<Ann>: "hello"`` or ``User: hello``; other lines as they are."""
    line = line[:LONGEST]
    found = _TAG.match(line) if line.lstrip().startswith("<") or re.match(r"\s*(?:user|assistant|human|ai|用户|助手)\s*[:：]", line, re.I) else None
    return (found["text"] if found else line).strip()
