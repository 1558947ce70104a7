"""What a fresh machine gets: locks that pin everything by hash and name no place, and a package that carries its data."""

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.test_imports import HOUSE, imports, sources

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-testmodel.lock")


def pinned(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", (ROOT / lock).read_text(), re.MULTILINE):
        found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), set()).add(version)
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_no_place(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert not re.search(r"://|index|find-links|^\s*#|(^|\s)/", text, re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_pin_every_line_by_hash(lock: str) -> None:
    entries = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / lock).read_text().strip())
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_runtime_lock_is_part_of_the_development_lock() -> None:
    runtime, dev = pinned("requirements.lock"), pinned("requirements-dev.lock")
    assert {name: versions for name, versions in runtime.items() if not versions <= dev.get(name, set())} == {}


def test_locks_hold_every_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    def names(requirements: list[str]) -> set[str]:
        return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", r)[0]).lower() for r in requirements}

    assert names(project["dependencies"]) <= set(pinned("requirements.lock"))
    assert names(project["optional-dependencies"]["dev"]) <= set(pinned("requirements-dev.lock"))


def test_what_is_imported_is_declared() -> None:
    """Benchmarks may use the development dependencies as well."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    def names(requirements: list[str]) -> set[str]:
        return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", r)[0]).lower() for r in requirements}

    runtime = names(project["dependencies"]) | {"psycopg-pool"}  # psycopg[pool]
    homes = packages_distributions()
    for package in HOUSE:
        allowed = runtime | names(project["optional-dependencies"]["dev"]) if package == "bench" else runtime
        for path in sources(package):
            for top in {name.split(".")[0] for name in imports(path)} - set(HOUSE) - sys.stdlib_module_names:
                distributions = {re.sub(r"[-_.]+", "-", d).lower() for d in homes[top]}
                assert distributions & allowed, f"{path.relative_to(ROOT)} imports {top}, of {distributions}"


def test_every_package_is_listed() -> None:
    """Setuptools leaves `tools` out unless it is named."""
    find = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]["include"]
    packages = {p.parent.name for p in ROOT.glob("*/__init__.py")}
    assert packages == {pattern.rstrip("*") for pattern in find}
