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

from memory.times import Span, spans
from memory.words import fold, number, terms

TURNS: Final = 8  # earlier turns whose words count
JOINED: Final = 4  # last turns, the question among them, that are embedded as one text
DECAY: Final = 0.9  # per turn
LONGEST: Final = 2000  # characters of one earlier turn that are looked at
EMBEDDED: Final = 512  # characters of one embedded text

_TAG: Final = re.compile(r"^\s*<?(?P<speaker>[^<>:：\s]{1,24})>?\s*[:：]\s*[\"“]?(?P<text>.*?)[\"”]?\s*$", re.S)
_PAST: Final = re.compile(
    r"以前|之前|从前|过去|原来|曾经|曾|上一[个份家次]|前一[个份家]|搬家前|\bused to\b|\bbefore\b|\bpreviously\b|\bprevious\b|\bformer(?:ly)?\b|\bin the past\b|\bback then\b|\bearlier\b|\bold (?:job|address|phone|number|company)\b",
    re.I,
)
_ASSISTANT_SAID: Final = re.compile(
    r"(?:你|您)[^，。？我]{0,12}(?:推荐|建议|告诉|介绍|说过|说的|提到|提过|回答|给了?我|教我|帮我)|(?:did|have|had) you (?:\w+ )?(?:recommend|suggest|tell|told|say|said|advise|mention|give|given|recommended|suggested)\w*|"
    r"\byou(?:'ve| have| had)? (?:\w+ )?(?:recommended|suggested|told|advised|mentioned|gave|said)\b",
    re.I,
)
_USER_SAID: Final = re.compile(
    r"我[^，。？]{0,8}(?:和|跟|向|对)(?:你|您)[^，。？]{0,6}(?:说|分享|提|讲|聊|推荐|咨询|问)|\bI (?:\w+ )?(?:told|recommended|shared|mentioned|said|asked|suggested)\b",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, understood. `words` maps the number of each term to its weight, before document frequencies; `texts` are embedded and averaged."""

    text: str
    words: Mapping[int, float]
    own: frozenset[int] = frozenset()
    texts: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    past: bool = False
    role: str | None = None
    folded: str = field(default="", repr=False)


def understand(text: str, history: Sequence[str] = (), now: datetime | None = None) -> Query:
    """The question as recall searches it. `history` holds the earlier turns, oldest first; "name: words" and plain words are both fine."""
    text = text[:LONGEST]
    turns = [t for t in (spoken(h) for h in history) if t]
    if turns and turns[-1] == text.strip():
        turns.pop()
    own = terms(text)
    words: dict[str, float] = dict(Counter(own))
    for age, turn in enumerate(reversed(turns[-TURNS:]), start=1):
        for term, count in Counter(terms(turn[:EMBEDDED])).items():
            words[term] = words.get(term, 0.0) + count * DECAY**age
    words = {t: w**0.5 for t, w in words.items()} if turns else words
    texts = [text[:EMBEDDED]]
    if turns:
        texts.append(" ".join([*turns[1 - JOINED :], text])[-EMBEDDED:])
    role = "assistant" if _ASSISTANT_SAID.search(text) and not _USER_SAID.search(text) else None
    return Query(
        text=text, words={number(t): w for t, w in words.items()}, own=frozenset(number(t) for t in own), texts=tuple(texts),
        spans=spans(text, now) if now else (), past=_PAST.search(text) is not None, role=role, folded=fold(text),
    )  # fmt: skip


def spoken(line: str) -> str:
    """The words of a transcript line such as ``<Ann>: "hello"`` or ``User: hello``; other lines as they are."""
    line = line[:LONGEST]
    found = _TAG.match(line) if line.lstrip().startswith("<") or re.match(r"\s*(?:user|assistant|human|ai|用户|助手)\s*[:：]", line, re.I) else None
    return (found["text"] if found else line).strip()
