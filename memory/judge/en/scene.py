"""What the whole message says about each of its clauses: role play, suppositions, quotations, who was named before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory.judge.clauses import Clause, quoted_spans
from memory.judge.en.text import lower, plain, shouting
from memory.judge.reader import Context
from memory.judge.rules import Lexicon
from memory.pattern import regex

_NAMED: Final = regex(r"\b[A-Z][a-z]+(?= (?:is|was|has|does|teaches|works|lives|says|said|and)\b|'s\b)")


@dataclass(frozen=True, slots=True)
class Scene:
    """Read once per message. `low` is the folded message, `people` the names that earlier messages of the user introduced."""

    low: str
    shout: bool
    fiction: bool
    sarcasm: bool
    people: frozenset[str]


def scene_of(ctx: Context, lex: Lexicon) -> Scene:
    low = lower(plain(ctx.message))
    head = low[:1200]
    people: set[str] = set()
    for said in ctx.history[-6:]:
        if said.role == "user":
            people.update(_NAMED.findall(said.text[:500]))
    return Scene(
        low=low, shout=shouting(ctx.message[:400]), fiction=lex.has("fiction", head) and not lex.has("fiction_not", head),
        sarcasm=lex.has("sarcasm", head) and not lex.has("sarcasm_not", head), people=frozenset(people),
    )  # fmt: skip


_SPEECH: Final = regex(r"(?:i|i'm|i've|i'd|i'll|im|my|you|you're|we|we're|he|she|they|it's)\b.")


def mask_quotes(lows: list[str], ctx: Context) -> None:
    """Hides quoted sentences inside a clause that says more than the quotation; quoted titles and words stay."""
    spans = quoted_spans(ctx.message[:4000])
    for a, b in spans:
        if b - a < 8 or not _SPEECH.match(lower(plain(ctx.message[a:b])).lstrip()):
            continue
        for i, clause in enumerate(ctx.clauses[:60]):
            if clause.start < b and a < clause.end and not clause.quoted:
                x, y = max(a, clause.start) - clause.start, min(b, clause.end) - clause.start
                lows[i] = lows[i][:x] + "_" * (y - x) + lows[i][y:]


def supposed(index: int, clauses: Sequence[Clause], lex: Lexicon, lows: Sequence[str]) -> bool:
    """Whether this clause only supposes: it begins with "if", or "imagine" stands before it in its sentence."""
    here = clauses[index]
    low = lows[index].lstrip(" ,\"'")
    if lex.has("hypothetical", low) and not lex.has("hypothetical_not", low):
        return True
    return any(lex.has("supposing", lows[i]) for i in range(max(0, index - 5), index + 1) if clauses[i].sentence == here.sentence)
