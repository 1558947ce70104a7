"""What checks work on and what they give back: a matched rule in its clause, and the values found in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.judge.en.frame import Frame
from memory.judge.en.times import When
from memory.judge.judgement import Stance
from memory.judge.rules import FactRule, Lexicon


@dataclass(slots=True)
class Hit:
    """One rule that matched one clause. `text` keeps the case, `low` is folded; both have the same length."""

    rule: FactRule
    m: re.Match[str]
    text: str
    low: str
    frame: Frame
    lex: Lexicon
    now: datetime | None
    shout: bool

    def group(self) -> tuple[int, int]:
        """The span of the value group that took part."""
        for name in ("v", "w", "x"):
            if name in self.m.re.groupindex and self.m[name] is not None:
                return self.m.span(name)
        return self.m.span()

    def has(self, word_list: str, word: str) -> bool:
        return word in self.lex.sets[word_list]

    def capital(self, at: int) -> bool:
        """Whether a name-like capital stands there (always true where the message gives no case)."""
        char = self.text[at : at + 1]
        return char.isupper() or "\u3400" <= char <= "\u9fff"


@dataclass(slots=True)
class Value:
    """One value: its span in the clause, and what the check already knows about it."""

    start: int
    end: int
    attribute: str | None = None
    normal: str | int | float | None = None
    time: str | None = None
    times: Sequence[When] = ()
    stance: Stance | None = None
    owner: str | None = None
    replaces: str | None = None
    content: str = ""
    confidence: float | None = None
    text: str | None = None
