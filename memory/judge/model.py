"""Tier 2: a linear head over the local sentence embedding and hashed n-grams, for the clauses that the rules leave open.

Multinomial logistic regression over the classes of B1; the probability of LONG is the sum of the lasting classes', made honest by a line fitted on
out-of-fold predictions (Platt scaling). Each language has its own weights. `bench/train_judge.py` makes them from the examples in this folder;
inference is numpy alone. The embedding belongs to the weights: always the local model, whatever embeds the memories.

An open clause is judged twice, as its sentence and as the whole message, and the two log-odds are averaged: the sentence holds the fact, the message
tells a question about oneself from a statement. A long message is judged by sentences only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory.judge.features import BUCKETS, MAX_CHARS, buckets, clean
from memory.judge.judgement import LONG_CLASSES
from memory.judge.reader import Context, Opinion, Reading
from memory.judge.rules import Rules

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]

FORMAT: Final = 3
MAX_UNITS: Final = 6
MAX_EMBEDDED: Final = 600
MAX_LOOKED_AT: Final = 60
"""What one message may cost: so many texts and characters to embed, so many clauses to look at. Clauses beyond stay open, which means short-term."""

GATE: Final = 2**13
ASK: Final = 0.4
"""A sentence that the rules call passing is shown to the model from this probability on, by n-grams alone."""
DENY: Final = 0.3
"""One that the rules call lasting, below this probability."""
FIRM: Final = 0.93
"""Confidence from which the rules' word on a clause is not doubted."""

_EXACT: Final = frozenset({"name", "age", "birthday", "contact"})
"""Attributes whose value must be read, not taken as a clause."""

DENSE: Final = 3.0
"""Weight of the centred embedding beside the n-grams' unit vector; chosen by cross-validation, part of the format."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The weights of one language: `dense` float32[dims, classes], `hashed` float32[BUCKETS, classes], `bias` float32[classes]."""

    dense: Floats
    hashed: Floats
    bias: Floats

    def scores(self, vector: Floats, indices: NDArray[np.int64]) -> Floats:
        """Logits of the classes for one text: `vector` is its centred embedding."""
        sparse = self.hashed[indices].sum(axis=0) / np.sqrt(max(len(indices), 1))
        total: Floats = vector @ self.dense * DENSE + sparse + self.bias
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The shipped file: classes, the mean embedding, per language a head, a calibration line (slope, offset)
    and a gate: float32[GATE + 1], the log-odds of LONG by n-grams alone, the offset last; and for both languages the attributes of what the user says of
    himself, with their head: float32[dims + 1, attributes] over the centred embedding, the offset last."""

    classes: tuple[str, ...]
    mean: Floats
    heads: Mapping[str, Head]
    lines: Mapping[str, tuple[float, float]]
    gates: Mapping[str, Floats]
    attributes: tuple[str, ...]
    naming: Floats

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As the arrays of an npz file."""
        out: dict[str, NDArray[Any]] = {"format": np.array(FORMAT), "classes": np.array(self.classes), "mean": self.mean}
        out |= {"attributes": np.array(self.attributes), "naming": self.naming}
        for language, head in self.heads.items():
            out |= {f"{language}.dense": head.dense, f"{language}.hashed": head.hashed, f"{language}.bias": head.bias}
            out[f"{language}.line"] = np.array(self.lines[language], np.float64)
            out[f"{language}.gate"] = self.gates[language]
        return out


def read_weights(arrays: Mapping[str, NDArray[Any]]) -> Weights:
    """The arrays of an npz file → Weights. Raises ValueError for another format."""
    if int(arrays["format"]) != FORMAT or arrays["zh.hashed"].shape[0] != BUCKETS:
        raise ValueError("the small model's weights have another format than this code; train them again")
    heads = {lang: Head(arrays[f"{lang}.dense"], arrays[f"{lang}.hashed"], arrays[f"{lang}.bias"]) for lang in ("zh", "en")}
    lines = {lang: (float(arrays[f"{lang}.line"][0]), float(arrays[f"{lang}.line"][1])) for lang in ("zh", "en")}
    gates = {lang: arrays[f"{lang}.gate"] for lang in ("zh", "en")}
    attributes = tuple(str(a) for a in arrays["attributes"])
    return Weights(tuple(str(c) for c in arrays["classes"]), arrays["mean"], heads, lines, gates, attributes, arrays["naming"])


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """One text: log-probabilities of the classes with the uncalibrated log-odds of LONG appended; logits of the attributes."""

    classes: Floats
    attributes: Floats


@dataclass(frozen=True, slots=True)
class Prediction:
    """One text judged: calibrated probability of LONG, the likeliest lasting and the likeliest passing class."""

    long: float
    lasting: str
    passing: str

    @property
    def opinion(self) -> Opinion:
        return Opinion(self.lasting, self.long) if self.long >= 0.5 else Opinion(self.passing, 1 - self.long)


class LinearModel:
    """The small model. `weights` is called at first use, `embed` (query vectors of the local model) when a clause is open."""

    def __init__(self, weights: Callable[[], Weights], embed: Embed) -> None:
        self._read = weights
        self._embed = embed

    @cached_property
    def weights(self) -> Weights:
        return self._read()

    def predict(self, texts: Sequence[str], languages: Sequence[str]) -> list[Prediction]:
        """Each text as a message of its own. Embeds them all."""
        return [self._prediction(s.classes, lang) for s, lang in zip(self._scores(texts, languages), languages, strict=True)]

    def opinions(self, indices: Sequence[int], ctx: Context, readings: Sequence[Reading]) -> list[Opinion]:
        """One opinion per open clause; clauses beyond the limits of one message get one that is worth nothing (confidence .5)."""
        spans = _units(indices, ctx)
        units: dict[tuple[int, int], str] = {}
        spent = 0
        whole = (0, len(ctx.message))
        short = len(ctx.message) <= MAX_CHARS
        for index in indices:
            for span in dict.fromkeys([whole, spans[index]] if short else [spans[index]]):
                size = min(span[1] - span[0], MAX_CHARS)
                if span not in units and len(units) < MAX_UNITS and spent + size <= MAX_EMBEDDED:
                    units[span] = "zh" if ctx.clauses[index].language == "zh" else "en"
                    spent += size
        scores = dict(zip(units, self._scores([ctx.message[a:b] for a, b in units], list(units.values())), strict=True))
        found: list[Opinion] = []
        for index in indices:
            mine = [scores[s] for s in ([whole, spans[index]] if short else [spans[index]]) if s in scores]
            if not mine or spans[index] not in scores:
                found.append(Opinion(readings[index].intent, 0.5))
                continue
            said = self._prediction(np.mean([s.classes for s in mine], axis=0), units[spans[index]]).opinion
            found.append(replace(said, attribute=self._attribute(scores[spans[index]].attributes, said.intent, ctx.rules)))
        return found

    def doubts(self, ctx: Context, readings: Sequence[Reading]) -> list[int]:
        """Settled clauses that deserve a second look, at most one a sentence: the n-grams alone (a fraction of a millisecond) contradict the rules.

        A sentence without a lasting clause that looks lasting gives its likeliest clause; one with a lasting clause that looks passing gives that.
        """
        sentences: dict[int, list[int]] = {}
        for index, clause in enumerate(ctx.clauses[:MAX_LOOKED_AT]):
            sentences.setdefault(clause.sentence, []).append(index)
        found: list[int] = []
        for members in sentences.values():
            if any(readings[i].open for i in members):
                continue
            lasting = [i for i in members if readings[i].intent in LONG_CLASSES]
            weak = [i for i in members if readings[i].confidence < FIRM and not readings[i].explicit]
            language = "zh" if ctx.clauses[members[0]].language == "zh" else "en"
            chance = self.glance(_text(members[0], members[-1], ctx), language) if weak else 0.5
            if not lasting and chance >= ASK:
                likeliest = max(members, key=lambda i: self.glance(ctx.clauses[i].text, language))
                found += [likeliest] if likeliest in weak else []
            elif len(lasting) == 1 and lasting[0] in weak and chance <= DENY:
                found += lasting
        return found

    def glance(self, text: str, language: str) -> float:
        """The probability of LONG by n-grams alone."""
        gate = self.weights.gates[language]
        at = np.unique(buckets(text, language) % GATE)
        return float(1 / (1 + np.exp(-(gate[at].sum() / np.sqrt(max(len(at), 1)) + gate[-1]))))

    def _attribute(self, logits: Floats, intent: str, rules: Rules) -> str:
        """The likeliest attribute of that class; empty where the class has none that a whole clause can be the value of."""
        ranked = sorted(zip(logits, self.weights.attributes, strict=True), reverse=True)
        best = next((a for _, a in ranked if rules.class_of(a) == intent), "")
        return "other" if best in _EXACT else best

    def _scores(self, texts: Sequence[str], languages: Sequence[str]) -> list["_Scores"]:
        if not texts:
            return []
        weights = self.weights
        vectors = self._embed([clean(t) or " " for t in texts]) - weights.mean
        long = np.array([c in LONG_CLASSES for c in weights.classes])
        found = []
        for text, language, vector in zip(texts, languages, vectors, strict=True):
            logits = weights.heads[language].scores(vector, buckets(text, language)).astype(np.float64)
            top = logits.max()
            odds = np.log(np.exp(logits[long] - top).sum()) - np.log(np.exp(logits[~long] - top).sum())
            logits -= top + np.log(np.exp(logits - top).sum())
            found.append(_Scores(np.append(logits, odds).astype(np.float32), vector @ weights.naming[:-1] + weights.naming[-1]))
        return found

    def _prediction(self, scores: Floats, language: str) -> Prediction:
        weights = self.weights
        slope, offset = weights.lines[language]
        probability = float(1 / (1 + np.exp(-np.clip(slope * float(scores[-1]) + offset, -30, 30))))
        ranked = sorted(zip(scores[:-1], weights.classes, strict=True), reverse=True)
        lasting = next(c for _, c in ranked if c in LONG_CLASSES)
        passing = next(c for _, c in ranked if c not in LONG_CLASSES)
        return Prediction(probability, lasting, passing)


def _units(indices: Sequence[int], ctx: Context) -> dict[int, tuple[int, int]]:
    """The span to embed for each clause: its sentence when that is short enough, else the clause with its neighbours, else the clause."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for at, clause in enumerate(ctx.clauses):
        first.setdefault(clause.sentence, at)
        last[clause.sentence] = at
    found = {}
    for index in indices:
        sentence = ctx.clauses[index].sentence
        near = max(index - 1, first[sentence]), min(index + 1, last[sentence])
        choices = [_span(a, b, ctx) for a, b in ((first[sentence], last[sentence]), near, (index, index))]
        found[index] = next((s for s in choices if s[1] - s[0] <= MAX_CHARS), choices[-1])
    return found


def _span(first: int, last: int, ctx: Context) -> tuple[int, int]:
    """From one clause to another, the mark that closes it included: 喜欢什么 and 喜欢什么？ are not the same."""
    end = ctx.clauses[last]
    mark = len(end.mark) if end.mark and ctx.message.startswith(end.mark, end.end) else 0
    return ctx.clauses[first].start, end.end + mark


def _text(first: int, last: int, ctx: Context) -> str:
    start, end = _span(first, last, ctx)
    return ctx.message[start:end]


@cache
def shipped() -> Weights:
    """The weights in this package."""
    with resources.files("memory.judge").joinpath("weights.npz").open("rb") as file, np.load(file) as arrays:
        return read_weights(arrays)
