"""Do facts change as they should? Replays update scenarios through judge and memory, scores them by kind, and counts what restatements cost.

usage: python -m bench.change --data DIR [--part updates|alone|log|pairs] [--only KIND] [--show] [--postgres] [--out FOLDER]

DIR holds ``updates/dev.jsonl``, ``score_updates.py`` and ``train/kvpi.jsonl`` of the evaluation data, which is not part of the product.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from memory.errors import AmbiguousRequest
from memory.forget import forget
from memory.judge import judge
from memory.record import Memory, Source
from memory.remember import Change, remember, versions

RESTATING = frozenset({"restate_exact", "restate_paraphrase", "numerals", "additive", "same_family"})
"""Kinds in which nothing may be superseded or retired."""


@dataclass
class Replayed:
    """One scenario, replayed."""

    scenario: Mapping[str, Any]
    memories: list[Memory] = field(default_factory=list)
    changes: list[tuple[str, list[Change]]] = field(default_factory=list)


async def replay(store: BaseStore, scenario: Mapping[str, Any]) -> Replayed:
    """Say every turn of the scenario at its own time to the memory of a user of its own."""
    done, history, user = Replayed(scenario), list[dict[str, str]](), str(scenario["id"])
    for n, turn in enumerate(scenario["turns"]):
        when = datetime.fromisoformat(turn["time"])
        source = Source(thread="replay", message=f"{user}-{n}", text=turn["text"])
        verdict = judge(turn["text"], history=history, time=when)
        changes: list[Change] = []
        if not any(c.kind == "skip" for c in verdict.commands):
            changes += await remember(store, user, [*verdict.facts, *verdict.pending], source=source, now=when)
        for command in verdict.commands:
            if command.kind == "forget":
                try:
                    changes += await forget(store, user, command, source=source, now=when)
                except AmbiguousRequest as error:
                    print(f"  {user}: {error}")
        history.append({"role": "user", "content": turn["text"]})
        done.changes.append((turn["text"], changes))
    done.memories = await versions(store, user)
    return done


async def updates(store: BaseStore, data: Path, scenarios_file: Path, only: str | None, show: bool, out: Path) -> None:
    """Scenarios end to end: the official score by kind, and false updates where nothing may change."""
    rows = [json.loads(line) for line in (await asyncio.to_thread(scenarios_file.read_text, "utf-8")).splitlines()]
    scenarios = [r for r in rows if only is None or only in {r["kind"], r["id"], r["lang"]}]
    done = [await replay(store, s) for s in scenarios]
    facts, chosen = out / "facts.jsonl", out / "scenarios.jsonl"
    facts.write_text(
        "".join(json.dumps({**m.as_json(), "user": d.scenario["id"]}, ensure_ascii=False) + "\n" for d in done for m in d.memories), "utf-8"
    )
    chosen.write_text("".join(json.dumps(s, ensure_ascii=False) + "\n" for s in scenarios), "utf-8")
    if show:
        for d in done:
            _show(d, data, out)
    print(_score(data, chosen, facts))
    false = Counter(
        d.scenario["kind"] for d in done if d.scenario["kind"] in RESTATING for _, cs in d.changes for c in cs if c.op in {"supersede", "retire"}
    )
    print(f"false updates on restatements and unrelated facts: {sum(false.values())} {dict(false) or ''}")


def _score(data: Path, scenarios: Path, facts: Path, *extra: str) -> str:
    command = [sys.executable, str(data / "score_updates.py"), str(scenarios), str(facts), *extra]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=data).stdout


def _show(done: Replayed, data: Path, out: Path) -> None:
    one, facts = out / "one.jsonl", out / "one_facts.jsonl"
    one.write_text(json.dumps(done.scenario, ensure_ascii=False) + "\n", "utf-8")
    facts.write_text("".join(json.dumps({**m.as_json(), "user": done.scenario["id"]}, ensure_ascii=False) + "\n" for m in done.memories), "utf-8")
    score = json.loads(_score(data, one, facts, "--json"))["all"]
    false = done.scenario["kind"] in RESTATING and any(c.op in {"supersede", "retire"} for _, cs in done.changes for c in cs)
    if score["right"] and not false:
        return
    print(f"--- {done.scenario['id']} {done.scenario['kind']} " + " ".join(k for k in ("active", "once", "no_stale", "forgotten") if not score[k]))
    for text, changes in done.changes:
        print(f"  > {text}")
        for c in changes:
            print(f"      {c.op} {c.owner}/{c.attribute} = {c.value}   [{c.reason}]")
    wanted = [f"{f.get('subject', '')}/{f['attribute']}={f['value']}" for f in done.scenario["expect_active"]]
    gone = [f"{f.get('subject', '')}/{f['attribute']}={f['value']}" for f in done.scenario["expect_superseded"]]
    print(f"  active: {[f'{m.owner}/{m.attribute}={m.value}' for m in done.memories if m.status == 'active']}")
    print(f"  wanted: {wanted}  gone: {gone}")


@asynccontextmanager
async def opened(postgres: bool) -> AsyncIterator[BaseStore]:
    """A plain store in memory, or the real one in a database of its own."""
    if not postgres:
        yield InMemoryStore()
        return
    from memory.open import open_memory
    from memory.settings import Settings

    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as home:
        await asyncio.to_thread(Path(home).chmod, 0o755)
        async with open_memory(Settings(home=Path(home))) as (store, _, _):
            yield store


async def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", help="one kind, language or scenario id")
    parser.add_argument("--scenarios", type=Path, help="other scenarios than DIR/updates/dev.jsonl")
    parser.add_argument("--show", action="store_true", help="print the scenarios that are not right")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--out", type=Path)
    a = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        out = a.out or Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        async with opened(a.postgres) as store:
            await updates(store, a.data, a.scenarios or a.data / "updates" / "dev.jsonl", a.only, a.show, out)


if __name__ == "__main__":
    asyncio.run(main())
