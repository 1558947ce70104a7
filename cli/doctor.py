"""`jizhu doctor`: is everything reachable, and does it agree with itself."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from cli.options import Json
from cli.output import console, emit, plain
from memory.errors import JizhuError
from memory.settings import Settings, load_settings

if TYPE_CHECKING:
    from memory.embedder import Embedder


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str


def doctor(json: Json = False) -> None:
    """Is everything in order.

    Rules, data directory, database, embeddings, model, consistency; exit status 1 when something is wrong.
    """
    asyncio.run(_report(load_settings(), json))


async def _report(settings: Settings, json: bool) -> None:
    wrong = False
    async for check in checks(settings):
        wrong = wrong or not check.ok
        if json:
            emit({"check": check.name, "ok": check.ok, "detail": check.detail})
        else:
            mark, style = ("✓", "green") if check.ok else ("✗", "red")
            console().print(mark, plain(check.name) + ":", plain(check.detail), style=None if check.ok else style)
    if wrong:
        raise typer.Exit(1)


async def checks(settings: Settings) -> AsyncIterator[Check]:
    """Everything in order; what cannot be looked at because an earlier step failed is left out."""
    yield _rules(settings)
    if settings.database_url is None:
        yield _data_directory(settings)
    async for check in _memory(settings):
        yield check
    yield await _model(settings)


def _rules(settings: Settings) -> Check:
    from memory.judge import Rules

    try:
        files = Rules.load(settings.rules).files
    except JizhuError as error:
        return Check("rules", False, str(error))
    return Check("rules", True, f"{len(files)} files" + (f", yours: {settings.rules}" if settings.rules else ""))


def _data_directory(settings: Settings) -> Check:
    there = settings.data_dir
    while not there.exists() and there != there.parent:
        there = there.parent
    if os.access(there, os.W_OK | os.X_OK):
        return Check("data directory", True, str(settings.data_dir))
    return Check("data directory", False, f"{settings.data_dir} cannot be written: choose another one with JIZHU_HOME.")


async def _memory(settings: Settings) -> AsyncIterator[Check]:
    import psycopg

    from memory.consistency import inspect
    from memory.open import open_memory

    try:
        async with open_memory(settings) as (store, _, embedder):
            found = await inspect(store)
            kind = "your own" if settings.database_url else "embedded"
            yield Check("database", True, f"{kind} Postgres {found.server_version} with pgvector {found.vector_version}")
            yield await _embedder(embedder)
            yield Check("memory", True, ", ".join(f"{n:,} {name}" for name, n in found.counts.items()))
            if found.faults:
                yield Check("consistency", False, "; ".join(f"{n:,} {name}" for name, n in found.faults.items()) + ": run `jizhu reembed`.")
            else:
                yield Check("consistency", True, "every current fact and episode is in place, with its vector")
    except (JizhuError, psycopg.Error) as error:
        yield Check("database", False, str(error))


async def _embedder(embedder: "Embedder") -> Check:
    start = time.perf_counter()
    try:
        vector = await embedder.aquery("记住 remember")
    except JizhuError as error:
        return Check("embeddings", False, str(error))
    return Check("embeddings", True, f"{embedder.name}, {len(vector)} dimensions, {(time.perf_counter() - start) * 1000:.0f} ms with loading")


async def _model(settings: Settings) -> Check:
    from graph.models import reply_model

    name = settings.model_name
    if name == "offline":
        return Check("model", True, "offline: replies are composed from memory; set OPENAI_API_KEY for a real one")
    start = time.perf_counter()
    try:
        async with asyncio.timeout(min(settings.model_timeout, 20)):
            await reply_model(None, settings).ainvoke("ping")
    except TimeoutError:
        return Check("model", False, f"{name} did not answer within {min(settings.model_timeout, 20):.0f} s")
    except Exception as error:  # whatever a provider's client raises is one kind of news here
        return Check("model", False, f"{name}: {type(error).__name__}, {str(error)[:200]}")
    return Check("model", True, f"{name} answered in {time.perf_counter() - start:.1f} s")
