"""Tier 2: a linear head over the local sentence embedding and hashed n-grams, for the clauses that the rules leave open.

Multinomial logistic regression over the classes of B1; the probability of LONG is the sum of the lasting classes', made honest by a line fitted on
out-of-fold predictions (Platt scaling). Each language has its own weights. `bench/train_judge.py` makes them from the examples in this folder;
inference is numpy alone. The embedding belongs to the weights: always the local model, whatever embeds the memories.

An open clause is judged by the n-grams of its sentence and the embedding of a few words more or less: of the clause with as many neighbours as `WINDOW`
holds, because a text's embedding costs a millisecond a word. A second head reads clauses alone: which attribute a lasting clause tells, and what clauses
tell beside one that was read.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, sqrt
from typing import Final

import numpy as np

from memory.judge.clauses import Clause, language_of
from memory.judge.features import MAX_CHARS, buckets, clean, few_buckets
from memory.judge.judgement import LONG_CLASSES
from memory.judge.reader import Context, Opinion, Reading
from memory.judge.rules import Rules
from memory.judge.spans.find import NEAR, Found, name, propose
from memory.judge.spans.weights import SpanWeights, shipped_spans
from memory.judge.weights import SOMEBODY, Floats, Weights

Embed = Callable[[Sequence[str]], Floats]

WINDOW: Final = {"zh": 24, "en": 96}
"""Characters that are embedded around an open clause. Fewer lose what a question or a "maybe" beside it says; sentence and message apart, their log-odds
averaged, were right three times in a thousand more and took three times as long."""

PER_WINDOW: Final = {"zh": 150, "en": 600}
"""Characters of a message for which one more window is embedded, beside the first."""

MAX_UNITS: Final = 6
MAX_LOOKED_AT: Final = 60
"""What one message may cost: so many texts to embed, so many clauses to look at. Clauses beyond stay open, which means short-term."""

SHORT: Final = {"zh": 80, "en": 160}
"""Characters of a message that spans are sought in: the examples they are learnt from are no longer, and in long ones most that is found is none."""

ASK: Final = 0.4
"""A sentence that the rules call passing is shown to the model from this probability on, by n-grams alone."""
DENY: Final = 0.3
"""One that the rules call lasting, below this probability."""
FIRM: Final = 0.93
"""Confidence from which the rules' word on a clause is not doubted."""
HOPELESS: Final = 0.3
"""A clause that looks less likely to tell anything is not searched for values."""
NAMED: Final = 0.5
"""How likely an attribute must be among all that a lasting clause could tell, or the clause is filed by its class alone."""

_STOPS: Final = "。.，,；;…~～ "

_EXACT: Final = frozenset({"name", "age", "birthday", "contact"})
"""Attributes whose value must be read, not taken as a clause."""


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

    def __init__(self, weights: Callable[[], Weights], embed: Embed, spans: Callable[[], SpanWeights] = shipped_spans) -> None:
        self._read = weights
        self._embed = embed
        self._spans = spans

    @cached_property
    def weights(self) -> Weights:
        return self._read()

    def predict(self, texts: Sequence[str], languages: Sequence[str]) -> list[Prediction]:
        """Each text as a message of its own. Embeds them all."""
        return [self._prediction(self._scores(v, t, lang), lang) for v, t, lang in zip(self._vectors(texts), texts, languages, strict=True)]

    def opinions(self, indices: Sequence[int], ctx: Context, readings: Sequence[Reading]) -> list[Opinion]:
        """One opinion per open clause; clauses beyond the limits of one message get one that is worth nothing (confidence .5)."""
        windows = {index: _window(index, ctx) for index in indices}
        asked = self._worth_asking(windows, ctx)
        vectors = dict(zip(asked, self._vectors([_shown(a, b, ctx) for a, b in asked]), strict=True))
        found: list[Opinion] = []
        for index in indices:
            if (vector := vectors.get(windows.get(index, (-1, -1)))) is None:
                found.append(Opinion(readings[index].intent, 0.5))
                continue
            clause = ctx.clauses[index]
            a, b = _sentence(index, ctx)
            opinion = self._prediction(self._scores(vector, ctx.message[a:b], _language(clause)), _language(clause)).opinion
            found.append(_filed(opinion, self._told(clause, vector), ctx.rules) if opinion.intent in LONG_CLASSES else opinion)
        return found

    def _worth_asking(self, windows: Mapping[int, tuple[int, int]], ctx: Context) -> list[tuple[int, int]]:
        """Of the windows around open clauses those that are embedded, the clauses that look most lasting by n-grams first."""
        distinct = list(dict.fromkeys(windows.values()))
        units = min(MAX_UNITS, 1 + len(ctx.message) // PER_WINDOW[_language(ctx.clauses[0])])
        if len(distinct) <= units:
            return distinct
        chance = dict.fromkeys(distinct, 0.0)
        for index, window in list(windows.items())[:MAX_LOOKED_AT]:
            clause = ctx.clauses[index]
            chance[window] = max(chance[window], self.glance(clause.text, _language(clause), telling=True))
        return sorted(distinct, key=lambda w: -chance[w])[:units]

    def beside(self, ctx: Context, readings: Sequence[Reading]) -> dict[int, Opinion]:
        """What clauses tell that no rule could read, where another clause of the message tells something lasting: by clause index."""
        if not any(r.intent in LONG_CLASSES and r.facts and not r.open for r in readings):
            return {}
        unread = [i for i, (c, r) in enumerate(zip(ctx.clauses[:MAX_LOOKED_AT], readings, strict=False)) if _unread(c, r)]
        asked = [i for i in unread if self.glance(ctx.clauses[i].text, _language(ctx.clauses[i]), telling=True) >= ASK][:MAX_UNITS]
        told = self.told([ctx.clauses[i] for i in asked])
        sure = [(i, t) for i, t in zip(asked, told, strict=True) if t.chance >= ctx.rules.weights.sure and t.shares[0][1] >= NAMED]
        return {i: _filed(Opinion(ctx.rules.class_of(t.shares[0][0]), t.chance), t, ctx.rules) for i, t in sure}

    def told(self, clauses: Sequence[Clause]) -> list[Told]:
        """What each clause tells. Embeds them all."""
        return [self._told(c, v) for c, v in zip(clauses, self._vectors([c.text for c in clauses]), strict=True)]

    def _told(self, clause: Clause, vector: Floats) -> Told:
        """By the n-grams of the clause and the embedding of it, or of the window around it."""
        weights = self.weights
        at = few_buckets(clause.text, _language(clause))
        logits = weights.clause.scores(vector, at).astype(np.float64)
        odds = np.exp(logits - logits.max())
        odds /= odds.sum()
        nothing = weights.told.index("")
        chance = 1 - float(odds[nothing])
        odds[nothing] = 0
        ranked = sorted(zip(weights.told, (odds / max(chance, 1e-9)).tolist(), strict=True), key=lambda s: -s[1])
        return Told(chance, tuple(ranked[: len(weights.told) - 1]))

    def spans(self, ctx: Context, indices: Sequence[int], asked: Collection[int]) -> dict[int, list[Found]]:
        """Values that these clauses tell. Only clauses in which the chain proposes one are embedded; for those that an opinion was asked on, its window
        serves."""
        if len(ctx.message) > SHORT.get(language_of(ctx.message), 0):
            return {}
        wanted = {i for i in indices if self.glance(ctx.clauses[i].text, _language(ctx.clauses[i]), telling=True) >= HOPELESS}
        if not wanted:
            return {}
        weights = self._spans()
        where: list[tuple[int, tuple[int, int]]] = []
        for span in propose(ctx.message, weights, NEAR):
            at = next((i for i, c in enumerate(ctx.clauses) if c.start <= span[0] < c.end), -1)
            if at in wanted:
                where.append((at, span))
        telling = list(dict.fromkeys(at for at, _ in where))[:MAX_UNITS]
        shown = [_shown(*_window(i, ctx), ctx) if i in asked else ctx.clauses[i].text for i in telling]
        vectors = dict(zip(telling, self._embed([clean(t) or " " for t in shown]), strict=True)) if telling else {}
        found: dict[int, list[Found]] = {i: [] for i in telling}
        for at, span in where:
            if at in vectors:
                clause = ctx.clauses[at]
                found[at].append(name(ctx.message, span, (clause.start, clause.end), vectors[at], weights))
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
        at = few_buckets(text, language)
        return 1 / (1 + exp(-(float(gate.take(at).sum()) / sqrt(max(len(at), 1)) + float(gate[-1]))))

    def _vectors(self, texts: Sequence[str]) -> Floats:
        """Centred embeddings."""
        centred: Floats = self._embed([clean(t) or " " for t in texts]) - self.weights.mean if texts else np.empty((0, 0), np.float32)
        return centred

    def _scores(self, vector: Floats, text: str, language: str) -> Floats:
        """Log-probabilities of the classes with the uncalibrated log-odds of LONG appended; the embedding may be of another stretch than the n-grams."""
        weights = self.weights
        long = np.array([c in LONG_CLASSES for c in weights.classes])
        logits = weights.heads[language].scores(vector, buckets(text, language)).astype(np.float64)
        top = logits.max()
        odds = np.log(np.exp(logits[long] - top).sum()) - np.log(np.exp(logits[~long] - top).sum())
        logits -= top + np.log(np.exp(logits - top).sum())
        return np.append(logits, odds).astype(np.float32)

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


def _window(index: int, ctx: Context) -> tuple[int, int]:
    """The clause with as many neighbours as fit, those of its own sentence first; of a longer clause what comes first."""
    clauses = ctx.clauses
    first = last = index
    room = WINDOW[_language(clauses[index])]
    while True:
        around = [(a, b) for a, b in ((first - 1, last), (first, last + 1)) if a >= 0 and b < len(clauses)]
        around.sort(key=lambda s: clauses[s[0]].sentence != clauses[index].sentence or clauses[s[1]].sentence != clauses[index].sentence)
        fitting = next((s for s in around if clauses[s[1]].end - clauses[s[0]].start <= room), None)
        if fitting is None:
            start, end = _span(first, last, ctx)
            return start, min(end, start + MAX_CHARS)
        first, last = fitting


def _shown(start: int, end: int, ctx: Context) -> str:
    """What is embedded of a window: without the stop at its end, so that a sentence of one clause and the clause are one text. A question keeps its mark."""
    return ctx.message[start:end].rstrip(_STOPS)


def _sentence(index: int, ctx: Context) -> tuple[int, int]:
    """The sentence of the clause when that is short enough, else the clause with its neighbours, else the clause."""
    number = ctx.clauses[index].sentence
    first = last = index
    while first > 0 and ctx.clauses[first - 1].sentence == number:
        first -= 1
    while last + 1 < len(ctx.clauses) and ctx.clauses[last + 1].sentence == number:
        last += 1
    choices = [_span(a, b, ctx) for a, b in ((first, last), (max(index - 1, first), min(index + 1, last)), (index, index))]
    return next((s for s in choices if s[1] - s[0] <= MAX_CHARS), choices[-1])


def _span(first: int, last: int, ctx: Context) -> tuple[int, int]:
    """From one clause to another, the mark that closes it included: 喜欢什么 and 喜欢什么？ are not the same."""
    end = ctx.clauses[last]
    mark = len(end.mark) if end.mark and ctx.message.startswith(end.mark, end.end) else 0
    return ctx.clauses[first].start, end.end + mark


def _text(first: int, last: int, ctx: Context) -> str:
    start, end = _span(first, last, ctx)
    return ctx.message[start:end]
