"""Trains the small model from the examples in memory/judge/examples: `python -m bench.train_judge`.

Deterministic: the same examples give the same weights to 1e-6 on one architecture (`--check` proves it; bench/same_numbers.py says how). Needs
scikit-learn (development only) and a C compiler.

A fifth of the written examples, chosen by a hash of their text, is never trained on: it serves for reports and tests. The calibration line is fitted
on out-of-fold predictions of the rest. `--data DIR` adds ``*.jsonl`` files of {"text", "label"|"memory_type", "intent"?, "lang"?}; `--corrections FILE`
adds what people corrected in use; where the class is unknown, the likeliest one of that label is taken. `--out FILE` writes elsewhere.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.examples import FOLDS, ClauseExample, Example, clause_examples, examples
from bench.same_numbers import exact_embed
from memory.corrections import read as read_corrections
from memory.judge.clauses import language_of
from memory.judge.engine import context
from memory.judge.features import BUCKETS, GATE, buckets, clean, few_buckets
from memory.judge.judgement import LONG_CLASSES, SHORT_CLASSES
from memory.judge.model import Embed, LinearModel
from memory.judge.rules import Rules
from memory.judge.weights import Floats, Head, Weights, read_weights
from memory.small_model import local_embed

STRENGTH: Final = 3.0
"""Inverse of the L2 penalty, chosen by cross-validation."""
DENSE: Final = 2.25
CLAUSE_DENSE: Final = 3.4
"""Weight of the centred embedding beside the n-grams' unit vector, for messages and for clauses; chosen by cross-validation."""

CLASSES: Final = tuple(sorted((LONG_CLASSES | SHORT_CLASSES) - {"complaint", "return"}))


def outside(folder: Path) -> list[Example]:
    """Optional public data. Lines without a label are left out."""
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            label, intent = row.get("label") or row.get("memory_type"), row.get("intent")
            if label in {"LONG", "SHORT"} and row.get("text"):
                found.append(Example(row["text"], label, _language(row["text"]), intent if intent in CLASSES else None, source=file.name))
    return found


def corrected(file: Path) -> list[Example]:
    """Corrections kept from use; says how many lines could not be read."""
    kept, broken = read_corrections(file)
    if broken:
        sys.stderr.write(f"{file}: {broken} lines could not be read\n")
    return [Example(c.text, c.label, _language(c.text), c.intent if c.intent in CLASSES else None, source="correction") for c in kept]


def _language(text: str) -> str:
    return "zh" if language_of(text) == "zh" else "en"


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Features of examples: embeddings ``float32[n, dims]`` (not centred), hashed indices, languages."""

    dense: Floats
    hashed: list[Any]
    languages: list[str]

    def rows(self, at: Sequence[int]) -> "Matrix":
        return Matrix(self.dense[list(at)], [self.hashed[i] for i in at], [self.languages[i] for i in at])


def matrix(given: Sequence[Example], embed: Embed) -> Matrix:
    return Matrix(embed([clean(e.text) or " " for e in given]), [buckets(e.text, e.language) for e in given], [e.language for e in given])


def fit(features: Matrix, classes: Sequence[str]) -> tuple[Floats, dict[str, Head]]:
    """The mean embedding and a head per language.

    One regression over both languages: the embedding once shared and once per language (so that the languages help each other), the n-grams marked
    with their language. The shared and the own part add up in a head.
    """
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    mean = features.dense.mean(axis=0, dtype=np.float64).astype(np.float32)
    dims = features.dense.shape[1]
    centred = ((features.dense - mean) * DENSE).astype(np.float64)
    own = [sparse.csr_matrix(centred * np.array([[lang == x] for lang in features.languages])) for x in ("zh", "en")]
    counts = [len(i) for i in features.hashed]
    hashed = sparse.csr_matrix(
        (np.repeat([1 / np.sqrt(max(c, 1)) for c in counts], counts), np.concatenate(features.hashed), np.concatenate([[0], np.cumsum(counts)])),
        shape=(len(counts), BUCKETS),
    )
    with threadpool_limits(1):
        model = LogisticRegression(C=STRENGTH, max_iter=2000, tol=1e-4).fit(
            sparse.hstack([sparse.csr_matrix(centred), *own, hashed]).tocsr(), classes
        )
    if tuple(model.classes_) != CLASSES:
        raise ValueError(f"every class needs examples; there are none of {sorted(set(CLASSES) - set(model.classes_))}")
    coef = model.coef_.T.astype(np.float32)
    bias = model.intercept_.astype(np.float32)
    shared, rest = coef[:dims] * DENSE, coef[3 * dims :]
    return mean, {lang: Head(shared + coef[dims * (n + 1) : dims * (n + 2)] * DENSE, rest, bias) for n, lang in enumerate(("zh", "en"))}


def train(given: Sequence[Example], told: Sequence[ClauseExample], embed: Embed) -> Weights:
    """Examples of messages and of clauses → calibrated weights. Those of `given` that are held out are not looked at."""
    told = sorted(told, key=lambda e: (e.language, e.text))
    used = sorted({(e.language, e.text): e for e in given if not e.held_out}.values(), key=lambda e: (e.language, e.text))
    features = matrix(used, embed)
    classes = _complete(used, features)
    odds = np.zeros(len(used))
    for fold in range(FOLDS):
        inside = [i for i, e in enumerate(used) if e.fold != fold]
        outside_ = [i for i, e in enumerate(used) if e.fold == fold]
        mean, heads = fit(features.rows(inside), [classes[i] for i in inside])
        odds[outside_] = log_odds(features.rows(outside_), mean, heads)
    lines = {}
    for lang in ("zh", "en"):
        at = [i for i, e in enumerate(used) if e.language == lang]
        lines[lang] = _line(odds[at], np.array([used[i].long for i in at]))
    mean, heads = fit(features, classes)
    gates = {lang: fit_gate([(e.text, lang, e.long) for e in used if e.language == lang]) for lang in ("zh", "en")}
    telling = {lang: fit_gate([(c.text, lang, bool(c.attribute)) for c in told if c.language == lang]) for lang in ("zh", "en")}
    labels, clause = fit_clauses(told, embed, mean)
    return Weights(CLASSES, mean, heads, lines, gates, telling, labels, clause)


def fit_gate(given: Sequence[tuple[str, str, bool]]) -> Floats:
    """Log-odds by n-grams alone, in fewer buckets, of texts (text, language, yes or no): what tells that a text deserves the model's look."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10.0, max_iter=2000, tol=1e-4).fit(_few_grams([(t, lang) for t, lang, _ in given]), [yes for _, _, yes in given])
    return np.append(model.coef_[0], model.intercept_[0]).astype(np.float32)


def fit_clauses(given: Sequence[ClauseExample], embed: Embed, mean: Floats) -> tuple[tuple[str, ...], Head]:
    """What clauses can tell, sorted, and the head that tells it from the embedding and the n-grams of the clause alone."""
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    centred = ((embed([clean(e.text) or " " for e in given]) - mean) * CLAUSE_DENSE).astype(np.float64)
    x = sparse.hstack([sparse.csr_matrix(centred), _few_grams([(e.text, e.language) for e in given])]).tocsr()
    with threadpool_limits(1):
        model = LogisticRegression(C=STRENGTH, max_iter=2000, tol=1e-4).fit(x, [e.attribute for e in given])
    coef, dims = model.coef_.T, centred.shape[1]
    head = Head((coef[:dims] * CLAUSE_DENSE).astype(np.float32), coef[dims:].astype(np.float16), model.intercept_.astype(np.float32))
    return tuple(str(c) for c in model.classes_), head


def _few_grams(texts: Sequence[tuple[str, str]]) -> Any:
    """The n-grams of texts (text, language) in `GATE` buckets, rows of length 1."""
    from scipy import sparse

    at = [few_buckets(text, language) for text, language in texts]
    counts = [len(i) for i in at]
    ends = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_matrix((np.repeat([1 / np.sqrt(c) for c in counts], counts), np.concatenate(at), ends), shape=(len(at), GATE))


def log_odds(features: Matrix, mean: Floats, heads: dict[str, Head]) -> Any:
    """Uncalibrated log-odds of LONG of each row."""
    long = np.array([c in LONG_CLASSES for c in CLASSES])
    scores = np.stack(
        [heads[lang].scores(v - mean, i) for v, i, lang in zip(features.dense, features.hashed, features.languages, strict=True)]
    ).astype(np.float64)
    return np.log(np.exp(scores[:, long]).sum(axis=1)) - np.log(np.exp(scores[:, ~long]).sum(axis=1))


def _line(odds: Any, long: Any) -> tuple[float, float]:
    """Platt scaling: slope and offset of the log-odds, rounded so that the file is stable."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6, tol=1e-8).fit(odds[:, None], long)
    return round(float(model.coef_[0, 0]), 4), round(float(model.intercept_[0]), 4)


def _complete(used: Sequence[Example], features: Matrix) -> list[str]:
    """The class of each example; where only the label is known, the likeliest one of that label by those whose class is known."""
    known = [i for i, e in enumerate(used) if e.intent]
    classes = [e.intent or "" for e in used]
    if len(known) < len(used):
        mean, heads = fit(features.rows(known), [classes[i] for i in known])
        for i, example in enumerate(used):
            if not classes[i]:
                scores = heads[example.language].scores(features.dense[i] - mean, features.hashed[i])
                classes[i] = max((float(s), c) for s, c in zip(scores, CLASSES, strict=True) if (c in LONG_CLASSES) == example.long)[1]
    return classes


def difference(one: Weights, other: Weights) -> float:
    """The largest difference between two models' weights."""
    pairs = zip(one.arrays().items(), other.arrays().items(), strict=True)
    return max(float(np.abs(a.astype(np.float64) - b.astype(np.float64)).max()) for (name, a), (_, b) in pairs if name not in {"classes", "told"})


def held_out_report(weights: Weights, held: Iterable[Example], embed: Embed) -> dict[str, dict[str, float]]:
    """Accuracy, precision and recall of LONG, and expected calibration error, per language, on examples never trained on."""
    model = LinearModel(lambda: weights, embed)
    out: dict[str, dict[str, float]] = {}
    rows = list(held)
    for lang in ("zh", "en"):
        mine = [e for e in rows if e.language == lang]
        if not mine:
            continue
        said = np.array([p.long for p in model.predict([e.text for e in mine], [lang] * len(mine))])
        long = np.array([e.long for e in mine])
        hit = (said >= 0.5) & long
        out[lang] = {
            "n": len(mine), "accuracy": float(((said >= 0.5) == long).mean()), "precision": float(hit.sum() / max((said >= 0.5).sum(), 1)),
            "recall": float(hit.sum() / max(long.sum(), 1)), "attribute": naming_rate(model, mine), "ece": calibration_error(np.maximum(said, 1 - said), (said >= 0.5) == long),
        }  # fmt: skip
    return out


def naming_rate(model: LinearModel, rows: Sequence[Example]) -> float:
    """Share of the messages of one clause with a known attribute whose attribute is the likeliest that the clause tells."""
    mine = [(e, c) for e in rows if e.attribute and len(c := context(e.text, rules=Rules.load()).clauses) == 1]
    told = model.told([c[0] for _, c in mine])
    return sum(t.shares[0][0] == e.attribute for t, (e, _) in zip(told, mine, strict=True)) / len(mine) if mine else float("nan")


def calibration_error(confidence: Any, right: Any, bins: int = 10) -> float:
    """Expected calibration error over equal-width bins (Guo et al. 2017)."""
    at = np.minimum((np.asarray(confidence) * bins).astype(int), bins - 1)
    gaps = [abs(np.mean(right[at == b]) - np.mean(confidence[at == b])) * np.mean(at == b) for b in range(bins) if (at == b).any()]
    return float(sum(gaps))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.train_judge", description="Train the small model from the examples in the package.")
    parser.add_argument("--data", type=Path, help="folder of more *.jsonl examples")
    parser.add_argument("--corrections", type=Path, help="corrections kept from use")
    parser.add_argument("--out", type=Path, default=Path(str(resources.files("memory.judge").joinpath("weights.npz"))))
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 unless the file at --out is reproduced to 1e-6")
    args = parser.parse_args(argv)
    own = [*examples("zh"), *examples("en")]
    more = [*(outside(args.data) if args.data else []), *(corrected(args.corrections) if args.corrections else [])]
    weights = train([*own, *more], clause_examples(), exact_embed)
    report = held_out_report(weights, [e for e in own if e.held_out], local_embed)
    if args.check:
        with np.load(args.out) as arrays:
            report["difference"] = {"max": difference(read_weights(arrays), weights)}
    else:
        np.savez_compressed(args.out, allow_pickle=False, **weights.arrays())
    sys.stdout.write(json.dumps({k: {n: round(v, 8) for n, v in r.items()} for k, r in report.items()}, indent=1) + "\n")
    return int(args.check and report["difference"]["max"] > 1e-6)


if __name__ == "__main__":
    raise SystemExit(main())
