"""Runs `jizhu` commands for tests: in this process, with real file descriptors, on the test's own database."""

import asyncio
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from memory.judge.judgement import Candidate
from memory.open import open_memory
from memory.record import Memory, Source
from memory.revise import Revision, revise
from memory.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Result:
    """What one command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """stdout as JSON lines; anything else on stdout fails."""
        return [json.loads(line) for line in self.out.splitlines()]


def tell(settings: Settings, user: str, *facts: tuple[str, str], confidence: float = 1.0) -> None:
    """The user says these facts, a day apart."""

    async def write() -> None:
        async with open_memory(settings) as (store, _, _):
            for day, (attribute, value) in enumerate(facts, start=1):
                candidate = Candidate(attribute=attribute, value=value, content=f"{attribute} {value}", confidence=confidence)
                now = datetime(2026, 5, day, 9, tzinfo=UTC)

                def decide(known: Sequence[Memory], candidate: Candidate = candidate, now: datetime = now) -> Sequence[Revision]:
                    return revise(known, candidate, user=user, now=now, source=Source(text=candidate.content))

                await store.commit(user, decide)

    asyncio.run(write())


class Jizhu:
    """Call it like the command: ``jizhu("judge", "--json", given=[{"text": …}])``."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *arguments: str | Path, given: Iterable[Mapping[str, Any] | str | bytes] = ()) -> Result:
        load_settings.cache_clear()
        self._capfd.readouterr()
        with tempfile.TemporaryFile() as file:
            for line in given:
                raw = line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)).encode()
                file.write(raw + b"\n")
            file.seek(0)
            stdin = os.dup(0)
            os.dup2(file.fileno(), 0)
            try:
                status = main([str(a) for a in arguments])
            finally:
                os.dup2(stdin, 0)
                os.close(stdin)
        out, err = self._capfd.readouterr()
        return Result(status, out, err)
