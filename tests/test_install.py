"""`make install` on machines that lack something: one sentence on what to do, and nothing half-made left behind."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEEDED = ("bash", "cat", "cksum", "mkdir", "rm", "dirname", "grep", "tail", "touch", "sleep", "awk", "rmdir")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A clone with what the installer reads, and a path that holds no Python."""
    (tmp_path / "cli").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "cli" / "install.sh", tmp_path / "cli")
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_text("nothing==1 \\\n", encoding="utf-8")
    for name in NEEDED:
        found = shutil.which(name)
        assert found
        (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def python(place: Path, name: str, script: str) -> None:
    (place / "bin" / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (place / "bin" / name).chmod(0o755)


def install(place: Path, kind: str = "runtime") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [place / "bin" / "bash", "cli/install.sh", kind], cwd=place, env={"PATH": str(place / "bin")}, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == ""
    assert not (place / ".venv.lock").exists()
    return done


def test_no_python_at_all(place: Path) -> None:
    done = install(place)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr
    assert not (place / ".venv").exists()


def test_only_an_old_python(place: Path) -> None:
    python(place, "python3", "exit 1")
    done = install(place)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_python_without_its_venv_package(place: Path) -> None:
    python(place, "python3", 'case "$*" in *venv*) echo "ensurepip is not available" >&2; exit 1;; *print*) echo 3.12;; esac')
    done = install(place)
    assert done.returncode == 1
    assert "apt install python3.12-venv" in done.stderr
    assert not (place / ".venv").exists()


def test_an_interrupted_installation_is_started_over(place: Path) -> None:
    (place / ".venv").mkdir()
    (place / ".venv" / ".unfinished").touch()
    (place / ".venv" / "half").touch()
    python(place, "python3", 'case "$*" in *venv*) echo "disk full" >&2; exit 1;; esac')
    done = install(place)
    assert "did not finish; starting over" in done.stderr
    assert "disk full" in done.stderr
    assert not (place / ".venv").exists()


def test_packages_that_cannot_be_had_are_one_sentence_and_leave_the_mark(place: Path) -> None:
    python(place, "pip", "exit 0")
    fake = "#!/bin/sh\ncase \"$*\" in *'pip install'*) echo 'ERROR: no route to host' >&2; exit 1;; esac\n"
    python(
        place,
        "python3",
        f"""case "$*" in *venv*) mkdir -p .venv/bin; printf '%s' "{fake.replace('"', chr(92) + '"').replace("$", chr(92) + "$")}" > .venv/bin/python; /bin/chmod +x .venv/bin/python;; esac""",
    )
    done = install(place)
    assert done.returncode == 1
    assert "no route to host" in done.stderr
    assert "run the same command again" in done.stderr
    assert (place / ".venv" / ".unfinished").exists()


def test_a_lock_of_a_process_that_is_gone_is_taken_over(place: Path) -> None:
    (place / ".venv.lock").mkdir()
    gone = subprocess.Popen(["true"])
    gone.wait()
    (place / ".venv.lock" / "pid").write_text(f"{gone.pid}\n")
    assert "needs Python" in install(place).stderr


def test_bad_usage(place: Path) -> None:
    assert install(place, "everything").returncode == 2
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
