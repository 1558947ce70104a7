"""How well the judge judges: `python -m bench.judge [--data DIR] [--negatives DIR] [--out DIR]`.

Three sets: the held-out fifth of the examples (never trained on), the cross-check (messages written after the judge), and with `--data` a folder of
``*.jsonl`` files of {"text", "lang", "memory_type", "intent", "facts", "history"?, "trap"?} with an optional `borderline_ids.json`, whose rows are left
out. `--negatives` is a folder with CLINC150 and CrossWOZ user turns (nearly all short-term) and KvPI (does a message show the speaker's own attribute).
Prints tables, writes a confusion table and a reliability plot as PNG to `--out`. Without a model key there is no third tier, and none is measured.
"""

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.examples import examples
from bench.train_judge import calibration_error
from memory.judge import Judgement, judge
from memory.judge.clauses import fold
from memory.judge.judgement import LONG_CLASSES
from memory.record import USER
from memory.small_model import small_model

CLASSES: Final = ("personal_info", "preference", "important_event", "relationship", "instruction", "correction", "greeting", "chitchat", "question",
                  "transient", "task", "other")  # fmt: skip
SAME: Final = ({"plan", "event"}, {"likes", "habit"}, {"age", "birthday"})
SAMPLE: Final = 400
"""Rows of each public file, chosen by a seed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled message, judged."""

    gold: dict[str, Any]
    said: Judgement
    alone: Judgement
    seconds: float

    @property
    def long(self) -> bool:
        return bool(self.gold["memory_type"] == "LONG")

    @property
    def right(self) -> bool:
        return bool(self.said.memory_type == self.gold["memory_type"])


def judged(rows: Iterable[dict[str, Any]]) -> list[Row]:
    """Judges each row twice, with the small model and by rules alone; the time is the former's."""
    model, out = small_model(), []
    judge("我最近在慢慢适应新的节奏，也不知道算不算好。", model=model)  # loads what is loaded once
    for gold in rows:
        history = gold.get("history") or []
        began = time.perf_counter()
        said = judge(gold["text"], history=history, model=model)
        seconds = time.perf_counter() - began
        out.append(Row(gold, said, judge(gold["text"], history=history), seconds))
    return out


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def scores(rows: Sequence[Row]) -> dict[str, float]:
    """Precision, recall and F1 of LONG, macro-F1 of LONG and SHORT, share and accuracy of what rules settled, calibration error."""
    tp = sum(r.long and r.right for r in rows)
    fp = sum(not r.long and not r.right for r in rows)
    fn = sum(r.long and not r.right for r in rows)
    tn = len(rows) - tp - fp - fn
    long, short = share(2 * tp, 2 * tp + fp + fn), share(2 * tn, 2 * tn + fp + fn)
    settled = [r for r in rows if r.said.tier == "rules"]
    return {
        "n": len(rows), "acc": share(tp + tn, len(rows)), "P": share(tp, tp + fp), "R": share(tp, tp + fn), "F1": long, "macro": (long + short) / 2,
        "rules": share(len(settled), len(rows)), "rules acc": share(sum(r.right for r in settled), len(settled)),
        "alone": share(sum(r.alone.memory_type == r.gold["memory_type"] for r in rows), len(rows)),
        "ECE": calibration_error(np.array([r.said.confidence for r in rows]), np.array([r.right for r in rows])) if rows else 0.0,
    }  # fmt: skip


def table(title: str, groups: dict[str, list[Row]], console: Console) -> None:
    out = Table(title=title, title_justify="left")
    for name in ("", "n", "acc", "P", "R", "F1", "macro", "rules", "rules acc", "alone", "ECE"):
        out.add_column(name, justify="right" if name else "left")
    for name, rows in groups.items():
        out.add_row(name, *(f"{v:.3f}" if isinstance(v, float) else str(v) for v in scores(rows).values()))
    console.print(out)


def facts(rows: Sequence[Row], console: Console) -> None:
    """Precision and recall of facts by attribute: an attribute counts when the values overlap."""
    count: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        left = [(f.attribute, f.value, f.owner) for f in row.said.facts]
        for gold in row.gold.get("facts") or []:
            count[gold["attribute"]]["gold"] += 1
            hit = next((f for f in left if _same(gold["attribute"], f) and _overlap(gold["value"], f[1])), None)
            if hit:
                left.remove(hit)
                count[gold["attribute"]]["hit"] += 1
        for attribute, _, _ in left:
            count[attribute]["extra"] += 1
    out = Table(title="facts by attribute", title_justify="left")
    for name in ("attribute", "labelled", "found", "extra", "precision", "recall"):
        out.add_column(name, justify="left" if name == "attribute" else "right")
    for name, c in sorted(count.items(), key=lambda kv: -kv[1]["gold"]):
        out.add_row(
            name, str(c["gold"]), str(c["hit"]), str(c["extra"]), f"{share(c['hit'], c['hit'] + c['extra']):.2f}", f"{share(c['hit'], c['gold']):.2f}"
        )
    console.print(out)


def _same(attribute: str, fact: tuple[str, str, str]) -> bool:
    mine = fact[0]
    return attribute == mine or any({attribute, mine} <= pair for pair in SAME) or (attribute == "relationship" and fact[2] != USER)


def _overlap(one: str, other: str) -> bool:
    a, b = "".join(fold(one).split()), "".join(fold(other).split())
    return bool(a and b) and (a in b or b in a or len(set(a) & set(b)) / len(set(a) | set(b)) > 0.6)


def times(rows: Sequence[Row], console: Console) -> None:
    out = Table(title="milliseconds a message", title_justify="left")
    for name in ("language", "tier", "n", "p50", "p99"):
        out.add_column(name, justify="right" if name in {"n", "p50", "p99"} else "left")
    for language in ("zh", "en"):
        for tier in ("rules", "model"):
            mine = [1000 * r.seconds for r in rows if r.gold["lang"] == language and r.said.tier == tier]
            if mine:
                out.add_row(language, tier, str(len(mine)), f"{np.percentile(mine, 50):.2f}", f"{np.percentile(mine, 99):.2f}")
    console.print(out)


def draw(name: str, rows: Sequence[Row], folder: Path) -> list[Path]:
    """A confusion table of the classes and a reliability plot."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    counts = np.zeros((len(CLASSES), len(CLASSES)), int)
    for row in rows:
        if row.gold.get("intent") in CLASSES and row.said.intent in CLASSES:
            counts[CLASSES.index(row.gold["intent"]), CLASSES.index(row.said.intent)] += 1
    figure, axes = plt.subplots(figsize=(8, 7))
    axes.imshow(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), cmap="Blues", vmin=0, vmax=1)
    for (y, x), value in np.ndenumerate(counts):
        if value:
            axes.text(x, y, str(value), ha="center", va="center", fontsize=8, color="white" if value > counts[y].sum() / 2 else "black")
    split = sum(c in LONG_CLASSES for c in CLASSES) - 0.5
    axes.axhline(split, color="grey", linewidth=0.8)
    axes.axvline(split, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(CLASSES)), CLASSES, rotation=45, ha="right")
    axes.set_yticks(range(len(CLASSES)), CLASSES)
    axes.set_xlabel("judged")
    axes.set_ylabel("labelled")
    axes.set_title(f"Classes, {name.replace('_', '-')} ({len(rows)} messages)")
    paths = [folder / f"judge_confusion_{name}.png", folder / f"judge_reliability_{name}.png"]
    figure.tight_layout()
    figure.savefig(paths[0], dpi=120)
    plt.close(figure)

    confidence, right = np.array([r.said.confidence for r in rows]), np.array([r.right for r in rows])
    bins = np.minimum((confidence * 10).astype(int), 9)
    filled = [b for b in range(10) if (bins == b).any()]
    figure, axes = plt.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, linestyle="--", label="honest")
    xs, ys, sizes = (
        [confidence[bins == b].mean() for b in filled],
        [right[bins == b].mean() for b in filled],
        [int((bins == b).sum()) for b in filled],
    )
    axes.plot(xs, ys, marker="o", label=f"judge (ECE {calibration_error(confidence, right):.3f})")
    for x, y, size in zip(xs, ys, sizes, strict=True):
        axes.annotate(str(size), (x, y), textcoords="offset points", xytext=(6, -10), fontsize=8)
    axes.set_xlim(0.4, 1.02)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("confidence")
    axes.set_ylabel("share right")
    axes.set_title(f"Confidence, {name.replace('_', '-')} ({len(rows)} messages)")
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(paths[1], dpi=120)
    plt.close(figure)
    return paths


def report(name: str, rows: list[Row], console: Console, folder: Path) -> None:
    groups = {"all": rows} | {lang: [r for r in rows if r.gold["lang"] == lang] for lang in ("zh", "en")}
    table(name, {k: v for k, v in groups.items() if v}, console)
    tiers = {tier: [r for r in rows if r.said.tier == tier] for tier in ("rules", "model", "llm")}
    table(f"{name}, by tier", {k: v for k, v in tiers.items() if v}, console)
    kinds = sorted({r.gold.get("trap") or "" for r in rows} - {""})
    if kinds:
        table(f"{name}, by kind", {k: [r for r in rows if r.gold.get("trap") == k] for k in kinds}, console)
    if any(r.gold.get("facts") for r in rows):
        facts(rows, console)
    times(rows, console)
    console.print("drawn: " + ", ".join(str(p) for p in draw(name, rows, folder)))


def own() -> list[dict[str, Any]]:
    """The held-out fifth of the examples."""
    return [
        {"text": e.text, "lang": lang, "memory_type": e.label, "intent": e.intent, "trap": e.kind}
        for lang in ("zh", "en") for e in examples(lang) if e.held_out
    ]  # fmt: skip


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in file.read_text(encoding="utf-8").splitlines() if x.strip()]


def negatives(folder: Path, console: Console) -> None:
    """Public messages: how often something would be kept of CLINC150 and CrossWOZ, and what KvPI's profile messages give."""
    model = small_model()
    out = Table(title=f"public messages, {SAMPLE} each: share judged LONG", title_justify="left")
    for name in ("file", "group", "n", "LONG", "by rules alone"):
        out.add_column(name, justify="left" if name in {"file", "group"} else "right")
    for name in ("clinc150.jsonl", "crosswoz_user.jsonl", "kvpi.jsonl"):
        if not (folder / name).exists():
            console.print(f"skipped: {name} is not in {folder}")
            continue
        rows = random.Random(7).sample(found := lines(folder / name), min(SAMPLE, len(found)))
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            groups[row.get("label", "all")].append(row)
        for label, mine in sorted(groups.items()):
            kept = sum(judge(r["text"], model=model).memory_type == "LONG" for r in mine)
            alone = sum(judge(r["text"]).memory_type == "LONG" for r in mine)
            out.add_row(name, label, str(len(mine)), f"{share(kept, len(mine)):.3f}", f"{share(alone, len(mine)):.3f}")
    console.print(out)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.judge")
    parser.add_argument("--data", type=Path, help="folder of labelled *.jsonl files")
    parser.add_argument("--negatives", type=Path, help="folder with clinc150.jsonl, crosswoz_user.jsonl, kvpi.jsonl")
    parser.add_argument("--out", type=Path, default=Path("bench/out"), help="where the pictures go")
    args = parser.parse_args(argv)
    console = Console(width=140)
    report("held_out", judged(own()), console, args.out)
    report("crosscheck", judged(lines(Path(__file__).with_name("crosscheck.jsonl"))), console, args.out)
    if args.data is None:
        console.print("skipped: labelled data of others (--data DIR)")
    else:
        soft = set(json.loads((args.data / "borderline_ids.json").read_text())) if (args.data / "borderline_ids.json").exists() else set()
        for file in sorted(args.data.glob("*.jsonl")):
            given = lines(file)
            clear = [g for g in given if g.get("id") not in soft]
            console.print(f"{file.name}: {len(given) - len(clear)} borderline rows left out")
            report(file.name.split(".")[0], judged(clear), console, args.out)
    if args.negatives is None:
        console.print("skipped: public messages (--negatives DIR)")
    else:
        negatives(args.negatives, console)
    console.print("skipped: the third tier (no chat model is asked here)")


if __name__ == "__main__":
    main()
