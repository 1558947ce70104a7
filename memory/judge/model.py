"""Tier 2: a linear head over the local sentence embedding and hashed n-grams, for the clauses that the rules leave open.

Multinomial logistic regression over the classes of B1; the probability of LONG is the sum of the lasting classes', made honest by a line fitted on
out-of-fold predictions (Platt scaling). Each language has its own weights. `bench/train_judge.py` makes them from the examples in this folder;
inference is numpy alone. The embedding belongs to the weights: always the local model, whatever embeds the memories.

An open clause is judged twice, as its sentence and as the whole message, and the two log-odds are averaged: the sentence holds the fact, the message
tells a question about oneself from a statement. A long message is judged by sentences only. A second head reads clauses alone: which attribute a lasting
clause tells, and what clauses tell beside one that was read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from memory.judge.clauses import Clause
from memory.judge.features import MAX_CHARS, buckets, clean
from memory.judge.judgement import LONG_CLASSES
from memory.judge.reader import Context, Opinion, Reading
from memory.judge.rules import Rules
from memory.judge.weights import GATE, SOMEBODY, Floats, Weights

Embed = Callable[[Sequence[str]], Floats]

MAX_UNITS: Final = 6
MAX_EMBEDDED: Final = 600
MAX_LOOKED_AT: Final = 60
"""What one message may cost: so many texts and characters to embed, so many clauses to look at. Clauses beyond stay open, which means short-term."""

ASK: Final = 0.4
"""A sentence that the rules call passing is shown to the model from this probability on, by n-grams alone."""
DENY: Final = 0.3
"""One that the rules call lasting, below this probability."""
FIRM: Final = 0.93
"""Confidence from which the rules' word on a clause is not doubted."""
NAMED: Final = 0.5
"""How likely an attribute must be among all that a lasting clause could tell, or the clause is filed by its class alone."""

_EXACT: Final = frozenset({"name", "age", "birthday", "contact"})
"""Attributes whose value must be read, not taken as a clause."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """One text: its centred embedding; log-probabilities of the classes with the uncalibrated log-odds of LONG appended."""

    vector: Floats
    classes: Floats


@dataclass(frozen=True, slots=True)
class Told:
    """What a clause alone tells: the probability that it tells anything, and how likely each thing (SOMEBODY, or an attribute) is if it does, the
    likeliest first."""

    chance: float
    shares: tuple[tuple[str, float], ...]


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
                    units[span] = _language(ctx.clauses[index])
                    spent += size
        scores = dict(zip(units, self._scores([ctx.message[a:b] for a, b in units], list(units.values())), strict=True))
        found: list[Opinion] = []
        for index in indices:
            mine = [scores[s] for s in ([whole, spans[index]] if short else [spans[index]]) if s in scores]
            if not mine or spans[index] not in scores:
                found.append(Opinion(readings[index].intent, 0.5))
                continue
            found.append(self._prediction(np.mean([s.classes for s in mine], axis=0), units[spans[index]]).opinion)
        lasting = [n for n, o in enumerate(found) if o.intent in LONG_CLASSES and o.confidence > 0.5]
        alone = {spans[indices[n]]: scores[spans[indices[n]]].vector for n in lasting}
        for n, told in zip(lasting, self.told([ctx.clauses[indices[n]] for n in lasting], alone), strict=True):
            found[n] = _filed(found[n], told, ctx.rules)
        return found

    def beside(self, ctx: Context, readings: Sequence[Reading]) -> dict[int, Opinion]:
        """What clauses tell that no rule could read, where another clause of the message tells something lasting: by clause index."""
        if not any(r.intent in LONG_CLASSES and r.facts and not r.open for r in readings):
            return {}
        unread = [i for i, (c, r) in enumerate(zip(ctx.clauses[:MAX_LOOKED_AT], readings, strict=False)) if _unread(c, r)]
        asked = [i for i in unread if self.glance(ctx.clauses[i].text, _language(ctx.clauses[i]), telling=True) >= ASK][:MAX_UNITS]
        told = self.told([ctx.clauses[i] for i in asked], {})
        sure = [(i, t) for i, t in zip(asked, told, strict=True) if t.chance >= ctx.rules.weights.sure and t.shares[0][1] >= NAMED]
        return {i: _filed(Opinion(ctx.rules.class_of(t.shares[0][0]), t.chance), t, ctx.rules) for i, t in sure}

    def told(self, clauses: Sequence[Clause], known: Mapping[tuple[int, int], Floats]) -> list[Told]:
        """What each clause tells. `known` holds centred embeddings by span of the message; the others are embedded."""
        if not clauses:
            return []
        weights = self.weights
        vectors = {(c.start, c.end): known[c.start, c.end] for c in clauses if (c.start, c.end) in known}
        fresh = [c for c in clauses if (c.start, c.end) not in vectors]
        if fresh:
            embedded = self._embed([clean(c.text) or " " for c in fresh]) - weights.mean
            vectors |= {(c.start, c.end): v for c, v in zip(fresh, embedded, strict=True)}
        found = []
        for clause in clauses:
            at = np.unique(buckets(clause.text, _language(clause)) % GATE)
            logits = weights.clause.scores(vectors[clause.start, clause.end], at).astype(np.float64)
            odds = np.exp(logits - logits.max())
            odds /= odds.sum()
            nothing = weights.told.index("")
            chance = 1 - float(odds[nothing])
            odds[nothing] = 0
            ranked = sorted(zip(weights.told, (odds / max(chance, 1e-9)).tolist(), strict=True), key=lambda s: -s[1])
            found.append(Told(chance, tuple(ranked[: len(weights.told) - 1])))
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
            language = _language(ctx.clauses[members[0]])
            chance = self.glance(_text(members[0], members[-1], ctx), language) if weak else 0.5
            if not lasting and chance >= ASK:
                likeliest = max(members, key=lambda i: self.glance(ctx.clauses[i].text, language))
                found += [likeliest] if likeliest in weak else []
            elif len(lasting) == 1 and lasting[0] in weak and chance <= DENY:
                found += lasting
        return found

    def glance(self, text: str, language: str, *, telling: bool = False) -> float:
        """By n-grams alone: the probability that a message is LONG, or with `telling` that a clause tells something."""
        gate = (self.weights.telling if telling else self.weights.gates)[language]
        at = np.unique(buckets(text, language) % GATE)
        return float(1 / (1 + np.exp(-(gate[at].sum() / np.sqrt(max(len(at), 1)) + gate[-1]))))

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
            found.append(_Scores(vector, np.append(logits, odds).astype(np.float32)))
        return found

    def _prediction(self, scores: Floats, language: str) -> Prediction:
        weights = self.weights
        slope, offset = weights.lines[language]
        probability = float(1 / (1 + np.exp(-np.clip(slope * float(scores[-1]) + offset, -30, 30))))
        ranked = sorted(zip(scores[:-1], weights.classes, strict=True), reverse=True)
        lasting = next(c for _, c in ranked if c in LONG_CLASSES)
        passing = next(c for _, c in ranked if c not in LONG_CLASSES)
        return Prediction(probability, lasting, passing)


def _language(clause: Clause) -> str:
    return "zh" if clause.language == "zh" else "en"


def _unread(clause: Clause, reading: Reading) -> bool:
    """Whether the clause could tell something that no rule has a pattern for: no question or greeting, nothing that the rules know to be void."""
    return not (reading.facts or reading.void or reading.intent in {"greeting", "question"} or reading.confidence >= FIRM or clause.quoted)


def _filed(opinion: Opinion, told: Told, rules: Rules) -> Opinion:
    """The opinion with the attribute that the clause tells: the likeliest of all where that is likely enough, else of the opinion's class. What
    somebody else does is a tie of the user's."""
    what, share = told.shares[0]
    if share < NAMED:
        what, share = next(((a, s) for a, s in told.shares if rules.class_of(a) == opinion.intent), ("", 0.0))
    if what == SOMEBODY:
        return replace(opinion, intent="relationship", attribute="relationship", named=share)
    if not what:
        return opinion
    return replace(opinion, intent=rules.class_of(what), attribute="other" if what in _EXACT else what, named=share)


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
