"""Finds spans in a message and tells what they are: a linear chain over tokens proposes values, linear heads name each or reject it. Pure numpy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from memory.judge.spans.features import span_features, token_features
from memory.judge.spans.weights import DENSE, TAGS, SpanWeights, bucket
from memory.judge.spans.words import Token, tokens
from memory.judge.weights import Floats

MAX_TOKENS: Final = 200
"""Tokens of a message that are looked at."""
FAR: Final = 5.0
"""Log-odds against a value up to which it is proposed in training: the heads, which see the whole span, learn to reject what is none."""
NEAR: Final = 2.0
"""The same in use, where a clause with a proposal costs an embedding: a third fewer clauses, nine tenths of the facts found."""
_BEGIN, _INSIDE, _OUTSIDE = (TAGS.index(tag) for tag in ("B", "I", "O"))

ALIKE: Final = (
    frozenset({"likes", "dislikes", "habit", "instruction"}),
    frozenset({"plan", "event", "habit"}),
    frozenset({"location", "hometown", "contact", "other"}),
    frozenset({"relationship", "pet", "occupation", "name"}),
    frozenset({"occupation", "employer", "school", "skill", "progress"}),
    frozenset({"health", "allergy", "habit", "other"}),
    frozenset({"birthday", "age", "event"}),
    frozenset({"possession", "other", "likes"}),
)
"""Attributes that people file one fact under: between them the reader may waver and still be sure that a fact is told."""


def alike(one: str, other: str) -> bool:
    """Whether two attributes are one, or two that people file one fact under."""
    return one == other or any({one, other} <= group for group in ALIKE)


@dataclass(frozen=True, slots=True)
class Found:
    """A value at ``text[start:end]``. `sure`: how likely the clause tells a fact of this kind; `stance` is is, new, over or not; `other`: how likely the
    fact is somebody else's than the user's."""

    start: int
    end: int
    attribute: str
    sure: float
    stance: str
    other: float


def propose(text: str, weights: SpanWeights, far: float = FAR) -> list[tuple[int, int]]:
    """Where values may stand, in order: what the likeliest labels of the message hold, and in a clause without any the likeliest value that it could hold,
    unless that is `far` less likely than none."""
    given = tokens(text)[:MAX_TOKENS]
    if not given:
        return []
    scores = _emissions(given, weights)
    labels = _best(scores, weights.transitions)
    found = []
    start = 0
    for end in [n + 1 for n, t in enumerate(given) if t.stop or n == len(given) - 1]:
        size = end - given[end - 1].stop
        found += _runs(labels, start, size) or _likeliest(scores, weights.transitions, start, size, far)
        start = end
    return [(given[a].start, given[b].end) for a, b in found]


def _emissions(given: list[Token], weights: SpanWeights) -> Floats:
    rows, ends = list[int](), list[int]()
    for features in token_features(given, weights.vocabulary):
        rows += [n for f in features if (n := weights.features.get(f)) is not None]
        ends.append(len(rows))
    sums = np.concatenate([np.zeros((1, len(TAGS)), np.float32), np.cumsum(weights.emissions[rows], axis=0)])
    found: Floats = np.diff(sums[[0, *ends]], axis=0)
    return found


def _best(emissions: Floats, transitions: Floats) -> list[int]:
    """The likeliest labels (Viterbi)."""
    score, back = emissions[0], []
    for row in emissions[1:]:
        paths = score[:, None] + transitions
        back.append(paths.argmax(axis=0))
        score = paths.max(axis=0) + row
    labels = [int(score.argmax())]
    for step in reversed(back):
        labels.append(int(step[labels[-1]]))
    return labels[::-1]


def _runs(labels: Sequence[int], start: int, end: int) -> list[tuple[int, int]]:
    """First and last token of each value from `start` to before `end`."""
    found: list[tuple[int, int]] = []
    for at in range(start, end):
        if labels[at] == _INSIDE and found and found[-1][1] == at - 1:
            found[-1] = (found[-1][0], at)
        elif labels[at] != _OUTSIDE:
            found.append((at, at))
    return found


def _likeliest(emissions: Floats, transitions: Floats, start: int, end: int, far: float) -> list[tuple[int, int]]:
    """The one value that tokens from `start` to before `end` would hold if they had to hold one, unless that is `far` less likely than none."""
    count = end - start
    if count <= 0:
        return []
    gain = emissions[start:end] - emissions[start:end, _OUTSIDE : _OUTSIDE + 1]
    step = transitions - transitions[_OUTSIDE, _OUTSIDE]
    after = np.concatenate([[0], np.cumsum(gain[:, _INSIDE] + step[_INSIDE, _INSIDE])])
    open_ = gain[:, _BEGIN] + step[_OUTSIDE, _BEGIN]
    total = np.full((count, count), -np.inf)
    for a in range(count):
        total[a, a] = open_[a] + step[_BEGIN, _OUTSIDE]
        if a + 1 < count:
            more = after[a + 2 : count + 1] - after[a + 1] - step[_INSIDE, _INSIDE] + step[_BEGIN, _INSIDE]
            total[a, a + 1 :] = open_[a] + more + step[_INSIDE, _OUTSIDE]
    a, b = divmod(int(total.argmax()), count)
    return [(start + a, start + b)] if total[a, b] > -far else []


def name(text: str, span: tuple[int, int], clause: tuple[int, int], vector: Floats, weights: SpanWeights) -> Found:
    """What the span is; `vector` is the embedding of its clause, not centred."""
    at = sorted({bucket(f) for f in span_features(text, *span, clause, weights.vocabulary)})
    scores = weights.hashed[at].sum(axis=0, dtype=np.float32) / np.sqrt(len(at)) + weights.bias
    kinds, stances = len(weights.attributes), len(weights.stances)
    odds = scores[:kinds] + (vector - weights.mean) @ weights.dense * DENSE
    chances = np.exp(odds - odds.max())
    chances /= chances.sum()
    told = {a: float(p) for a, p in zip(weights.attributes, chances, strict=True) if a}
    best = max(told, key=lambda a: told[a])
    sure = sum(p for a, p in told.items() if alike(a, best))
    stance = weights.stances[int(scores[kinds : kinds + stances].argmax())]
    return Found(*span, best, sure, stance, float(1 / (1 + np.exp(-scores[-1]))))
