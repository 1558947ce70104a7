"""Trains the span reader from memory/judge/examples/spans.jsonl: `python -m bench.train_spans`.

A linear chain over tokens (CRFsuite, L1 and L2) learns where values stand; what it proposes of examples that it was not trained on, and the values
themselves, train the heads that name a span or reject it (logistic regression). Deterministic; `--check` proves that the shipped file comes out the same
to 1e-6. `--without SOURCE` leaves a writer's examples out, writes nothing and reports on them: how well the reader does on somebody it has not read.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from bench.examples import SpanExample, SpanFact, span_examples
from bench.same_numbers import exact_embed
from memory.judge.engine import context
from memory.judge.features import clean
from memory.judge.rules import Rules
from memory.judge.spans.features import span_features, token_features
from memory.judge.spans.find import MAX_TOKENS, Found, alike, name, propose
from memory.judge.spans.weights import BUCKETS, DENSE, TAGS, SpanWeights, bucket, read_span_weights
from memory.judge.spans.words import Token, tokens, vocabulary
from memory.judge.weights import Floats, shipped
from memory.small_model import local_embed

CHAIN: Final = {"c1": 0.1, "c2": 0.05, "max_iterations": 60, "feature.possible_transitions": True}
HALVES: Final = 2
"""Parts of the examples that the chain proposes spans of when trained on the rest."""
STRENGTH: Final = 10.0
"""Inverse of the heads' L2 penalty."""
SEEN: Final = 2
"""Spans that a feature must occur in to count in a head."""

Clause = tuple[int, int]
Embed = Callable[[Sequence[str]], Floats]
Span = tuple[SpanExample, int, int, str, str, str]
"""Example, start, end, attribute (empty where the span is no value), stance, owner."""


def chain(given: Sequence[SpanExample]) -> tuple[dict[str, int], Floats, Floats]:
    """Features with their rows, emissions and transitions of the chain."""
    import pycrfsuite  # type: ignore[import-untyped]

    words = vocabulary()
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(CHAIN)
    for example in given:
        said = tokens(example.text)[:MAX_TOKENS]
        if said:
            trainer.append(pycrfsuite.ItemSequence(token_features(said, words)), tags(said, example.facts))
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "chain")
        trainer.train(file)
        tagger = pycrfsuite.Tagger()
        tagger.open(file)
        told = tagger.info()
        tagger.close()
    features = {f: n for n, f in enumerate(sorted({f for f, _ in told.state_features}))}
    emissions = np.zeros((len(features), len(TAGS)), np.float32)
    for (feature, tag), weight in told.state_features.items():
        emissions[features[feature], TAGS.index(tag)] = weight
    transitions = np.zeros((len(TAGS), len(TAGS)), np.float32)
    for (one, other), weight in told.transitions.items():
        transitions[TAGS.index(one), TAGS.index(other)] = weight
    return features, emissions, transitions


def tags(said: Sequence[Token], facts: Sequence[SpanFact]) -> list[str]:
    """B for the first token of a value, I for its others, O for the rest."""
    found = ["O"] * len(said)
    for fact in facts:
        inside = [n for n, t in enumerate(said) if t.start < fact.end and fact.start < t.end and found[n] == "O"]
        for n in inside:
            found[n] = "B" if n == inside[0] else "I"
    return found


def train(given: Sequence[SpanExample], embed: Embed) -> SpanWeights:
    """Examples → weights."""
    given = sorted(given, key=lambda e: (e.language, e.text))
    spans: list[Span] = [(e, f.start, f.end, f.attribute, f.stance, f.owner) for e in given for f in e.facts]
    known = {(e.text, a, b) for e, a, b, *_ in spans}
    for half in range(HALVES):
        proposing = _bare(*chain([e for e in given if e.fold % HALVES != half]))
        for example in (e for e in given if e.fold % HALVES == half):
            spans += [_matched(example, *s) for s in propose(example.text, proposing) if (example.text, *s) not in known]
    return heads(spans, embed, *chain(given))


def _bare(features: dict[str, int], emissions: Floats, transitions: Floats) -> SpanWeights:
    """A chain without heads."""
    none = np.zeros((0, 0), np.float32)
    return SpanWeights(vocabulary(), features, emissions, transitions, (), (), none, none, none.astype(np.float16), none)


def _matched(example: SpanExample, start: int, end: int) -> Span:
    """The span as the fact whose value it shares most with, or as none when that is less than half of the shorter one."""

    def shared(f: SpanFact) -> int:
        return min(end, f.end) - max(start, f.start)

    best = max(example.facts, key=shared, default=None)
    if best is None or shared(best) * 2 < min(end - start, best.end - best.start):
        return example, start, end, "", "", ""
    return example, start, end, best.attribute, best.stance, best.owner


def clause_of(text: str, start: int, cut: dict[str, list[Clause]]) -> Clause:
    """The clause in which the span begins, as the judge cuts it."""
    if text not in cut:
        cut[text] = [(c.start, c.end) for c in context(text, rules=Rules.load()).clauses]
    return next((c for c in cut[text] if c[0] <= start < c[1]), (0, len(text)))


def heads(spans: Sequence[Span], embed: Embed, features: dict[str, int], emissions: Floats, transitions: Floats) -> SpanWeights:
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    words, mean, cut = vocabulary(), shipped().mean, dict[str, list[Clause]]()
    clauses = [clause_of(e.text, a, cut) for e, a, *_ in spans]
    vectors = embed([clean(e.text[a:b]) or " " for (e, *_), (a, b) in zip(spans, clauses, strict=True)])
    at = [sorted({bucket(f) for f in span_features(e.text, a, b, c, words)}) for (e, a, b, *_), c in zip(spans, clauses, strict=True)]
    counts = [len(i) for i in at]
    ends = np.concatenate([[0], np.cumsum(counts)])
    hashed = sparse.csr_matrix((np.repeat([1 / np.sqrt(c) for c in counts], counts), np.concatenate(at), ends), shape=(len(at), BUCKETS))
    kept = np.flatnonzero(np.bincount(hashed.indices, minlength=BUCKETS) >= SEEN)
    told = [n for n, s in enumerate(spans) if s[3]]

    def fit(x: Any, y: Sequence[Any]) -> Any:
        with threadpool_limits(1):
            return LogisticRegression(C=STRENGTH, max_iter=300, tol=1e-4).fit(x, y)

    dense = sparse.csr_matrix(((vectors - mean) * DENSE).astype(np.float64))
    attribute = fit(sparse.hstack([dense, hashed[:, kept]]).tocsr(), [s[3] for s in spans])
    stance = fit(hashed[told][:, kept], [spans[n][4] for n in told])
    owner = fit(hashed[told][:, kept], [spans[n][5] != "user" for n in told])
    dims = vectors.shape[1]
    weights = np.concatenate([attribute.coef_[:, dims:], stance.coef_, owner.coef_]).T
    wide = np.zeros((BUCKETS, weights.shape[1]), np.float16)
    wide[kept] = weights.astype(np.float16)
    bias = np.concatenate([attribute.intercept_, stance.intercept_, owner.intercept_]).astype(np.float32)
    return SpanWeights(
        words, features, emissions, transitions, tuple(map(str, attribute.classes_)), tuple(map(str, stance.classes_)), mean,
        attribute.coef_[:, :dims].T.astype(np.float32), wide, bias,
    )  # fmt: skip


def report(weights: SpanWeights, given: Sequence[SpanExample], embed: Embed) -> list[str]:
    """By how sure the reader must be: precision and recall of facts (value overlaps, attribute alike), how often attribute, stance (so or not so) and
    owner are right, and messages without a fact in which it found one."""
    cut: dict[str, list[Clause]] = {}
    where = [(e, s, clause_of(e.text, s[0], cut)) for e in given for s in propose(e.text, weights)]
    vectors = embed([clean(e.text[a:b]) or " " for e, _, (a, b) in where])
    found: dict[str, list[Found]] = {e.text: [] for e in given}
    for (example, span, clause), vector in zip(where, vectors, strict=True):
        found[example.text].append(name(example.text, span, clause, vector, weights))
    lines = []
    for bar in (0.0, 0.3, 0.5, 0.6, 0.7, 0.8):
        right = exact = stance = owner = said = 0
        for example in given:
            left = list(example.facts)
            for one in (f for f in found[example.text] if f.sure >= bar):
                said += 1
                fits = [f for f in left if f.start < one.end and one.start < f.end and alike(f.attribute, one.attribute)]
                if fits:
                    left.remove(fits[0])
                    right += 1
                    exact += fits[0].attribute == one.attribute
                    stance += (fits[0].stance in {"over", "not"}) == (one.stance in {"over", "not"})
                    owner += (fits[0].owner != "user") == (one.other > 0.5)
        total, empty = sum(len(e.facts) for e in given), [e for e in given if not e.facts]
        false = sum(any(f.sure >= bar for f in found[e.text]) for e in empty)
        n = max(right, 1)
        lines.append(
            f"sure {bar:.1f}: precision {right / max(said, 1):.3f} recall {right / max(total, 1):.3f} attribute {exact / n:.3f} stance {stance / n:.3f} "
            f"owner {owner / n:.3f}, found in {false} of {len(empty)} without a fact"
        )
    return lines


def difference(one: SpanWeights, other: SpanWeights) -> float:
    """The largest difference between two readers' weights; infinite where they do not even have the same features."""
    pairs = list(zip(one.arrays().values(), other.arrays().values(), strict=True))
    if any(a.shape != b.shape for a, b in pairs):
        return float("inf")
    return max(float(np.abs(a.astype(np.float64) - b.astype(np.float64)).max()) for a, b in pairs if a.dtype.kind != "U")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.train_spans", description="Train the span reader from the examples in the package.")
    parser.add_argument("--out", type=Path, default=Path(str(resources.files("memory.judge").joinpath("spans.npz"))))
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 unless the file at --out is reproduced to 1e-6")
    parser.add_argument("--without", nargs="+", default=[], help="sources to leave out and to report on; written only with --out")
    args = parser.parse_args(argv)
    given = span_examples()
    weights = train([e for e in given if e.source not in args.without], exact_embed)
    for source in args.without:
        sys.stdout.write("\n".join([source, *report(weights, [e for e in given if e.source == source], local_embed)]) + "\n")
    if args.check:
        with np.load(args.out) as arrays:
            far = difference(read_span_weights(arrays), weights)
        sys.stdout.write(f"difference {far:.9f}\n")
        return int(far > 1e-6)
    if not args.without or args.out != parser.get_default("out"):
        np.savez_compressed(args.out, allow_pickle=False, **weights.arrays())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
