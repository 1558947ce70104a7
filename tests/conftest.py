"""Fixtures: one embedded Postgres per run, a fresh database per test (cloned from a template), and memory opened on it."""

import asyncio
import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from memory import embedded
from memory.checkpointer import Checkpointer
from memory.embedder import Embedder
from memory.migrate import migrate
from memory.open import open_memory
from memory.settings import Settings, load_settings
from memory.store import MemoryStore
from tests.commands import Jizhu
from tests.counting import CountingEmbedder

if TYPE_CHECKING:
    from graph.runner import Agent

Opened = tuple[MemoryStore, Checkpointer, Embedder]

hypothesis.settings.register_profile("jizhu", deadline=None)  # how long an example takes says more about the machine than about the code
hypothesis.settings.load_profile("jizhu")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of an embedded server of this run's own."""
    with tempfile.TemporaryDirectory(prefix="jizhu-test-") as folder:
        home = Path(folder)
        home.chmod(0o755)  # as root, the server's user must be able to enter
        lease = embedded.acquire(home)
        yield lease.url
        lease.release()


def in_database(url: str, name: str) -> str:
    """The URL of another database on the same server."""
    return url.replace("/postgres?", f"/{name}?", 1)


@pytest.fixture(scope="session")
def template(postgres: str) -> str:
    """A migrated database to clone; nobody is connected to it."""
    with psycopg.connect(postgres, autocommit=True) as conn:
        conn.execute("CREATE DATABASE template_memory")
    with ThreadPoolExecutor(1) as thread:  # a loop may be running in this one
        thread.submit(lambda: asyncio.run(_migrated(in_database(postgres, "template_memory")))).result()
    return "template_memory"


async def _migrated(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True, row_factory=dict_row) as conn:
        await migrate(conn)
        await Checkpointer(conn).setup()


@pytest.fixture
def empty_database_url(postgres: str) -> Iterator[str]:
    """A database with nothing in it."""
    yield from _database(postgres, "template1")


@pytest.fixture
def database_url(postgres: str, template: str) -> Iterator[str]:
    """A migrated database of the test's own."""
    yield from _database(postgres, template)


def _database(url: str, template: str) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield in_database(url, name)
        finally:
            conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def settings(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings on the test's database, deaf to the machine's environment and `.env`."""
    for name in list(os.environ):
        if name.startswith(("JIZHU_", "OPENAI_", "DATABASE_")):
            monkeypatch.delenv(name)
    return Settings(_env_file=None, DATABASE_URL=database_url, JIZHU_TIMEZONE="Asia/Shanghai")  # type: ignore[call-arg]


@pytest.fixture
async def memory(settings: Settings) -> AsyncIterator[Opened]:
    """(store, checkpointer, embedder) with the local embedding model."""
    async with open_memory(settings) as opened:
        yield opened


@pytest.fixture
async def counted(settings: Settings) -> AsyncIterator[tuple[MemoryStore, CountingEmbedder]]:
    """A store whose cheap embedder counts what it is asked."""
    embedder = CountingEmbedder()
    async with open_memory(settings, embedder=embedder) as (store, _, _):
        yield store, embedder


@pytest.fixture
def jizhu(
    settings: Settings, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> Iterator[Jizhu]:
    """The command line on the test's database, in an empty folder. The settings it read are nobody's afterwards."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("JIZHU_TIMEZONE", "Asia/Shanghai")
    monkeypatch.setenv("JIZHU_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    yield Jizhu(capfd)
    load_settings.cache_clear()


@pytest.fixture
async def agent(settings: Settings) -> AsyncIterator["Agent"]:
    """An agent with the offline model, on a database of the test's own."""
    from graph.runner import Agent  # only the tests that talk to it wait for its import

    async with open_memory(settings) as (store, checkpointer, _):
        yield Agent(store, checkpointer, settings)
