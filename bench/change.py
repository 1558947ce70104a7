"""Do facts change as they should? Replays update scenarios through judge and memory, scores them by kind, and counts what restatements cost.

usage: python -m bench.change --data DIR [--part updates|alone|log|pairs|all] [--only KIND] [--show] [--rules-only] [--postgres] [--out FOLDER]

DIR holds ``updates/dev.jsonl``, ``score_updates.py`` and ``train/kvpi.jsonl`` of the evaluation data, which is not part of the product; the part
``log`` needs none of it and writes its own 1,000 lines, 43 % of them restatements. On Postgres, `updates` also asks the queries and counts answers
in which an outdated fact stands above the current one.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from memory.errors import AmbiguousRequest
from memory.forget import forget
from memory.judge import judge
from memory.judge.judgement import Candidate, Stance
from memory.judge.reader import SmallModel
from memory.record import USER, Memory, Source, Status
from memory.remember import Change, remember, versions
from memory.revise import applied, revise
from memory.revise.cues import says
from memory.revise.dates import date_in
from memory.revise.forms import bare
from memory.revise.sameness import form
from memory.revise.tidy import admits
from memory.search import recall
from memory.small_model import small_model
from memory.store import MemoryStore

RESTATING = frozenset({"restate_exact", "restate_paraphrase", "numerals", "additive", "same_family"})
"""Kinds in which nothing may be superseded or retired, unless the scenario itself says that something is."""


@dataclass
class Replayed:
    """One scenario, replayed."""

    scenario: Mapping[str, Any]
    memories: list[Memory] = field(default_factory=list)
    changes: list[tuple[str, list[Change]]] = field(default_factory=list)


async def replay(store: BaseStore, scenario: Mapping[str, Any], model: SmallModel | None = None) -> Replayed:
    """Say every turn of the scenario at its own time to the memory of a user of its own."""
    done, history, user = Replayed(scenario), list[dict[str, str]](), str(scenario["id"])
    for n, turn in enumerate(scenario["turns"]):
        when = datetime.fromisoformat(turn["time"])
        source = Source(thread="replay", message=f"{user}-{n}", text=turn["text"])
        verdict = judge(turn["text"], history=history, time=when, model=model)
        changes: list[Change] = []
        if not any(c.kind == "skip" for c in verdict.commands):
            changes += await remember(store, user, verdict.candidates, source=source, now=when)
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


async def recalled(store: BaseStore, scenarios: Sequence[Mapping[str, Any]], out: Path) -> tuple[Path, int]:
    """Hits of every query just after the last turn, and how often a forbidden fact stands above the wanted one."""
    path, stale = out / "hits.jsonl", 0
    with path.open("w", encoding="utf-8") as file:
        for s in scenarios:
            now = datetime.fromisoformat(s["turns"][-1]["time"])
            for n, q in enumerate(s["queries"]):
                found = await recall(store, s["id"], q["query"], now=now)
                file.write(json.dumps({"id": f"{s['id']}#{n}", "hits": [h.as_json() for h in found.hits]}, ensure_ascii=False) + "\n")
                texts = [h.memory.value if h.memory else h.text for h in found.hits]
                bad = next((i for i, t in enumerate(texts) if any(m and m in t for m in q["must_not_contain"])), None)
                good = next((i for i, t in enumerate(texts) if q["must_contain"] and all(m in t for m in q["must_contain"])), None)
                stale += bad is not None and good is not None and bad < good
    return path, stale


async def updates(store: BaseStore, data: Path, scenarios_file: Path, only: str | None, show: bool, out: Path, model: SmallModel | None) -> None:
    """Scenarios end to end: the official score by kind, and false updates where nothing may change."""
    rows = [json.loads(line) for line in (await asyncio.to_thread(scenarios_file.read_text, "utf-8")).splitlines()]
    scenarios = [r for r in rows if only is None or only in {r["kind"], r["id"], r["lang"]}]
    done = [await replay(store, s, model) for s in scenarios]
    facts, chosen = out / "facts.jsonl", out / "scenarios.jsonl"
    facts.write_text(
        "".join(json.dumps({**m.as_json(), "user": d.scenario["id"]}, ensure_ascii=False) + "\n" for d in done for m in d.memories), "utf-8"
    )
    chosen.write_text("".join(json.dumps(s, ensure_ascii=False) + "\n" for s in scenarios), "utf-8")
    if show:
        for d in done:
            _show(d, data, out)
    if isinstance(store, MemoryStore):
        hits, stale = await recalled(store, scenarios, out)
        print(_score(data, chosen, facts, str(hits)))
        print(f"stale above fresh: {stale}")
    else:
        print(_score(data, chosen, facts))
    false = Counter(
        d.scenario["kind"]
        for d in done
        if d.scenario["kind"] in RESTATING and not d.scenario["expect_superseded"]
        for _, cs in d.changes
        for c in cs
        if c.op in {"supersede", "retire"}
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
    false = (
        done.scenario["kind"] in RESTATING
        and not done.scenario["expect_superseded"]
        and any(c.op in {"supersede", "retire"} for _, cs in done.changes for c in cs)
    )
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


def alone(data: Path, show: bool) -> None:
    """`revise` by itself: the scenarios' own facts as an ideal judge would propose them, turn by turn."""
    rows = [json.loads(line) for line in (data / "updates" / "dev.jsonl").read_text("utf-8").splitlines()]
    kinds: dict[str, list[bool]] = {}
    for s in rows:
        if s["kind"] == "forget_request":
            continue
        known = list[Memory]()
        for n, candidates in enumerate(ideal(s)):
            when = datetime.fromisoformat(s["turns"][n]["time"])
            for c in candidates:
                source = Source(message=f"{s['id']}-{n}", text=c.clause)
                known = applied(known, revise(known, c, user=s["id"], now=when, source=source))
        active = [m for m in known if m.status is Status.ACTIVE]
        right = all(sum(_is(f, m) for m in active) == 1 for f in s["expect_active"]) and not any(
            _is(f, m) for f in s["expect_superseded"] for m in active if not any(_is(e, m) for e in s["expect_active"])
        )
        kinds.setdefault(s["kind"], []).append(right)
        if show and not right:
            print(f"  {s['id']} {s['kind']}: active {[(m.owner, m.attribute, m.value, m.time) for m in active]}")
    for kind, results in sorted(kinds.items()):
        print(f"{kind:22s} {sum(results)}/{len(results)}")
    every = [r for results in kinds.values() for r in results]
    print(f"revise alone           {sum(every)}/{len(every)} = {sum(every) / len(every):.3f}")


def ideal(scenario: Mapping[str, Any]) -> list[list[Candidate]]:
    """Candidates by turn, as an ideal judge would propose them: a fact where its value (or another form of it) is said, as past or as a correction
    where the turn says so; and a denial in the turn that ends a fact without a new value."""
    turns = [t["text"] for t in scenario["turns"]]
    times = [datetime.fromisoformat(t["time"]) for t in scenario["turns"]]
    active, gone = scenario["expect_active"], scenario["expect_superseded"]
    out: list[list[Candidate]] = [[] for _ in turns]
    for f in [*gone, *active]:
        owner, shadow = f.get("subject", USER), [g["value"] for g in gone if f in active and f["value"] in g["value"] and f["value"] != g["value"]]
        spoken = {n: v for n, t in enumerate(turns) for v in _forms(f) if bare(v) in bare(t) and not any(g in t for g in shadow)}
        dates = {
            n: d
            for n, t in enumerate(turns)
            if (d := date_in(t, times[n])) and any(d == v or d.endswith(v) for v in _forms(f) if re.fullmatch(r"[0-9-]{5,10}", v))
        }
        where = sorted(spoken or dates)
        rivals = [a for a in active if f in gone and a.get("subject") == f.get("subject")]
        where = [n for n in where if n == where[0] or not any(bare(v) in bare(turns[n]) for a in rivals for v in _forms(a))]
        for n in where:
            ended = f in gone and (says("over", turns[n]) or _PERIOD.search(turns[n]) is not None)
            stance = Stance.PAST if ended and n == where[0] else Stance.NEGATE if ended and n == where[-1] else Stance.ASSERT
            stance = Stance.CORRECT if f in active and admits(turns[n]) else stance
            date = next((v for v in _forms(f) if re.fullmatch(r"\d{4}-\d\d-\d\d", v)), None)
            value = _shared(turns) if date and f["attribute"] == "plan" else spoken.get(n, f["value"])
            out[n].append(Candidate(attribute=f["attribute"], value=value, owner=owner, time=date, stance=stance, clause=turns[n]))
        followed = any(a["attribute"] == f["attribute"] and a.get("subject") == f.get("subject") for a in active)
        adds_up = f["attribute"] in {"likes", "habit", "pet", "skill", "allergy"}
        if f in gone and where and where[-1] < len(turns) - 1 and (adds_up or not followed):
            later = range(where[-1] + 1, len(turns))
            end = next((n for n in later if says("over", turns[n]) or says("done", turns[n])), later[-1])
            out[end].append(Candidate(attribute=f["attribute"], value=f["value"], owner=owner, stance=Stance.NEGATE, clause=turns[end]))
    return out


_PERIOD: Final = re.compile(r"以前|曾|used to|\bwas an?\b|\d{4}.{0,6}(?:到|to).{0,3}\d{4}")


def _shared(turns: Sequence[str]) -> str:
    """What the turns about one plan have in common, or the first of them."""
    for a, b in pairwise(turns):
        m = SequenceMatcher(None, a, b, autojunk=False).find_longest_match()
        if m.size >= 2:
            return a[m.a : m.a + m.size].strip()
    return turns[0]


def _forms(fact: Mapping[str, Any]) -> list[str]:
    return [fact["value"], *fact.get("alt", [])]


def _is(fact: Mapping[str, Any], memory: Memory) -> bool:
    if memory.attribute != fact["attribute"] or memory.owner != fact.get("subject", USER):
        return False
    told = {form(memory.attribute, memory.value), memory.time or ""}
    return any(form(memory.attribute, v) in told or v in told or (memory.attribute in {"plan", "event"} and v in memory.value) for v in _forms(fact))


COLOURS: Final = "赤 橙 黄 绿 青 蓝 紫 黑 白 灰 金 银 粉 褐 竹 木 铜 铁 石 玉 陶 瓷 纸 布 丝 麻".split()  # noqa: SIM905
THINGS: Final = "风筝 茶杯 灯笼 雨伞 书架 花瓶 棋盘 扇子 口琴 风铃 挂毯 信封 相框 沙发 地毯 面具 弹珠 烛台 屏风 竹笛 算盘 香囊".split()  # noqa: SIM905
CITIES: Final = "昆明 大理 丽江 玉溪 曲靖 保山 昭通 普洱 临沧 楚雄".split()  # noqa: SIM905


def log(lines: int = 1000, restated: float = 0.43, seed: int = 7) -> list[Candidate]:
    """A log of one user: every line says a fact; `restated` of them say one again that holds already."""
    chance = random.Random(seed)
    things = [("likes", f"我喜欢{c}色的{t}", f"{c}色的{t}") for c in COLOURS for t in THINGS]
    chance.shuffle(things)
    moves = [("location", f"我搬到{city}了", city) for city in CITIES]
    new = iter([moves.pop() if n % 57 == 0 and moves else things.pop() for n in range(len(things))])
    order = [False] * (lines - round(lines * restated)) + [True] * round(lines * restated)
    chance.shuffle(order)
    order.insert(0, order.pop(order.index(False)))  # nothing can be said again at first
    out, holding = list[Candidate](), list[Candidate]()
    for repeat in order:
        if repeat:
            out.append(chance.choice(holding))
            continue
        attribute, clause, value = next(new)
        candidate = Candidate(attribute=attribute, value=value, clause=clause, content=clause)
        holding = [c for c in holding if attribute != "location" or c.attribute != "location"] + [candidate]
        out.append(candidate)
    return out


async def cost(store: MemoryStore, lines: Sequence[Candidate], *, naive: bool) -> Counter[str]:
    """Statements that write a value or a vector, and texts embedded, for a log; `naive` puts every line as a new item, as a store without revision does."""
    counted: Counter[str] = Counter()
    inner = store.vectors_of

    async def vectors_of(texts: Sequence[str]) -> Any:
        counted["embeddings"] += len(texts)
        return await inner(texts)

    store.vectors_of = vectors_of  # type: ignore[method-assign]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for n, c in enumerate(lines):
        when = start + timedelta(minutes=n)
        if naive:
            await store.aput(("log",), str(n), {"content": c.content})
            counted["writes"] += 1
        else:
            changes = await remember(store, "log", [c], source=Source(message=str(n), text=c.clause), now=when)
            counted["writes"] += any(x.op in {"add", "supersede", "retire", "hold"} for x in changes)
            counted["evidence"] += any(x.op == "strengthen" for x in changes)
    store.vectors_of = inner  # type: ignore[method-assign]
    return counted


async def saved(store: BaseStore) -> None:
    if not isinstance(store, MemoryStore):
        print("the part log needs --postgres")
        return
    lines = log()
    plain, ours = await cost(store, lines, naive=True), await cost(store, lines, naive=False)
    for name in ("writes", "embeddings"):
        print(f"{name:12s} every line {plain[name]:5d}   with revision {ours[name]:5d}   saved {1 - ours[name] / plain[name]:.1%}")
    print(f"evidence     {ours['evidence']} small updates")


def pairs(data: Path) -> None:
    """KvPI: does a message that shows an attribute of its speaker agree with the profile? Only what revise can decide: same value or another one."""
    counts: Counter[str] = Counter()
    names = {"constellation": "other", "loc": "location", "gender": "other"}
    for line in (data / "train" / "kvpi.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        profile = dict(re.findall(r"'(\w+)': '([^']+)'", row["profile"]))
        wanted, key = row["label"], row["attribute"]
        if wanted not in {"entailed", "contradicted"} or key not in names or key not in profile:
            continue
        verdict = judge(row["text"])
        facts = [f for f in verdict.facts if f.owner == USER and (f.attribute == names[key] or (key == "loc" and f.attribute == "hometown"))]
        if not facts:
            counts[f"{wanted} not extracted"] += 1
            continue
        alike = any(part and (part in f.value or f.value in part) for f in facts for part in profile[key].split())
        counts[f"{wanted} {'right' if alike == (wanted == 'entailed') else 'wrong'}"] += 1
    for name, n in sorted(counts.items()):
        print(f"{name:28s} {n}")


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
    parser.add_argument("--part", choices=("updates", "alone", "log", "pairs", "all"), default="updates")
    parser.add_argument("--only", help="one kind, language or scenario id")
    parser.add_argument("--scenarios", type=Path, help="other scenarios than DIR/updates/dev.jsonl")
    parser.add_argument("--show", action="store_true", help="print the scenarios that are not right")
    parser.add_argument("--rules-only", action="store_true", help="judge without the small model")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--out", type=Path)
    a = parser.parse_args(arguments)
    if a.part in {"alone", "all"}:
        await asyncio.to_thread(alone, a.data, a.show)
    if a.part in {"pairs", "all"}:
        await asyncio.to_thread(pairs, a.data)
    if a.part in {"alone", "pairs"}:
        return
    with tempfile.TemporaryDirectory() as temporary:
        out = a.out or Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        async with opened(a.postgres) as store:
            if a.part in {"log", "all"}:
                await saved(store)
            if a.part != "log":
                await updates(
                    store, a.data, a.scenarios or a.data / "updates" / "dev.jsonl", a.only, a.show, out, None if a.rules_only else small_model()
                )


if __name__ == "__main__":
    asyncio.run(main())
