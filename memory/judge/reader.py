"""The seam between the engine and the languages: what a reader gets, and what it gives back.

The engine cuts a message into sentences, lets the language's reader cut them into clauses, and asks for a `Reading` of each. A reader is pure: text and
context in, values out.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from memory.entities import Entity, find_entities
from memory.judge.clauses import Clause
from memory.judge.judgement import Candidate, Command, SessionFact
from memory.judge.rules import Lexicon, Rules

if TYPE_CHECKING:
    from memory.judge.spans.find import Found


@dataclass(frozen=True, slots=True)
class Said:
    """One earlier message of the conversation. `role` is user or assistant."""

    role: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Context:
    """The message around a clause. `time` is when the message was said (aware or naive), None when unknown."""

    message: str
    plain: str
    clauses: tuple[Clause, ...]
    rules: Rules
    history: tuple[Said, ...] = ()
    time: datetime | None = None
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def first(self, lexicon: Lexicon, name: str) -> int:
        """Where the pattern of that name first matches in the whole message, -1 when nowhere; searched once per message."""
        if name not in self.memo:
            found = lexicon.patterns[name].search(self.plain)
            self.memo[name] = found.start() if found else -1
        at: int = self.memo[name]
        return at

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """Persons, places, organisations, dates and ids of the message; found once, on first use (it costs about a millisecond)."""
        return find_entities(self.message[:2000])

    def entities_in(self, clause: Clause) -> list[Entity]:
        return [e for e in self.entities if clause.start <= e.start < clause.end]

    def same_sentence(self, index: int) -> list[Clause]:
        """The clauses of this clause's sentence, itself included."""
        here = self.clauses[index].sentence
        return [c for c in self.clauses if c.sentence == here]

    def last_said(self, role: str) -> str:
        """The latest earlier message of that role, or an empty string."""
        return next((s.text for s in reversed(self.history) if s.role == role), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader makes of one clause.

    `intent` is a class of B1; `confidence` is how sure the reader is of it; `why` says why, in the clause's language; `open` asks for a dearer tier.
    `facts` are given for lasting classes (each with its own confidence). `explicit` means that the user asked for this clause to be remembered.
    `void` means that what the clause says is not so or not the user's: supposed, quoted, played, for this once.
    `hints` are values too unsure to be facts: they count only beside what is known.
    `state` is the reader's own note for the clauses that follow (a subject, say); the engine does not look at it.
    """

    intent: str
    confidence: float
    why: str = ""
    open: bool = False
    explicit: bool = False
    void: bool = False
    facts: tuple[Candidate, ...] = ()
    hints: tuple[Candidate, ...] = ()
    state: Mapping[str, object] = field(default_factory=dict)


class Reader(Protocol):
    """One language. Stateless; safe for any number of threads."""

    language: str

    def split(self, sentence: str) -> list[tuple[int, int]]:
        """Spans of the clauses of one sentence (offsets within it)."""
        ...

    def read(self, index: int, ctx: Context, before: Sequence[Reading]) -> Reading:
        """Judges clause `index`; `before` holds the readings of the clauses before it."""
        ...

    def propose(self, index: int, ctx: Context, intent: str) -> tuple[Candidate, ...]:
        """Facts of a clause that a dearer tier found lasting while the rules had found none: looser spans, never invented."""
        ...

    def holds(self, attribute: str, value: str, ctx: Context) -> bool:
        """Whether a loose value can be one of that attribute: a location names a place, a health fact a condition."""
        ...

    def session(self, ctx: Context, readings: Sequence[Reading]) -> tuple[SessionFact, ...]:
        """What matters in this thread only: a city asked about, the step of a form, a choice for now."""
        ...

    def commands(self, ctx: Context) -> tuple[Command, ...]:
        """Orders to the memory itself: forget, skip, undo."""
        ...


@dataclass(frozen=True, slots=True)
class Opinion:
    """A dearer tier's word on one open clause. `attribute` names what a lasting clause tells, empty when that is not known; `named` is how sure
    the tier is of that name."""

    intent: str
    confidence: float
    attribute: str = ""
    named: float = 0.0


class SmallModel(Protocol):
    """Tier 2: judges the clauses that the rules leave open, all of a message in one call."""

    def opinions(self, indices: Sequence[int], ctx: Context, readings: Sequence[Reading]) -> Sequence[Opinion]:
        """One opinion per index, in order."""
        ...

    def doubts(self, ctx: Context, readings: Sequence[Reading]) -> Sequence[int]:
        """Clauses that the rules settled and a cheap look contradicts: worth an opinion, which counts only when it is sure."""
        ...

    def beside(self, ctx: Context, readings: Sequence[Reading]) -> Mapping[int, Opinion]:
        """What unread clauses tell beside a lasting one of the message, by clause index."""
        ...

    def spans(self, ctx: Context, indices: Sequence[int], asked: Collection[int]) -> Mapping[int, Sequence["Found"]]:
        """Values that these clauses tell, by clause index. `asked`: clauses on which an opinion was asked before."""
        ...
