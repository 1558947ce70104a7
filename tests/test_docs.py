"""The documents are tests: their code runs, and every command, setting, tool, error, folder and make target is in them, in both languages."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from cli.main import app
from memory import errors
from memory.settings import Settings

ROOT = Path(__file__).parent.parent
READMES = ("README.md", "README.zh-CN.md")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", read(name), re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Every command, groups with their own: ``memories list``."""
    found = []
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        found += [f"{name} {sub}" for sub in inner] if inner else [name]
    return found


def tool_names() -> list[str]:
    found = []
    for path in sorted((ROOT / "tools").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tool" and node.args and isinstance(node.args[0], ast.Constant):
                found.append(str(node.args[0].value))
    assert found
    return found


@pytest.mark.parametrize("name", [*READMES, ".env.example"])
def test_every_setting_is_documented(name: str) -> None:
    text = read(name)
    assert [f.alias for f in Settings.model_fields.values() if str(f.alias) not in text] == []


@pytest.mark.parametrize("name", READMES)
def test_no_setting_is_documented_that_does_not_exist(name: str) -> None:
    known = {str(f.alias) for f in Settings.model_fields.values()}
    assert set(re.findall(r"\b(?:JIZHU|OPENAI|DATABASE)_[A-Z_]+\b", read(name))) <= known


@pytest.mark.parametrize("name", [*READMES, "docs/reference.md"])
@pytest.mark.parametrize("command", commands())
def test_every_command_is_documented(name: str, command: str) -> None:
    group, _, sub = command.partition(" ")
    rows = [line for line in read(name).splitlines() if re.search(rf"\bjizhu {group}\b", line)]
    assert rows
    assert not sub or any(re.search(rf"\b{sub}\b", row) for row in rows)


@pytest.mark.parametrize("name", [*READMES, "docs/reference.md"])
def test_no_command_is_documented_that_does_not_exist(name: str) -> None:
    known = {c.split()[0] for c in commands()}
    assert set(re.findall(r"`jizhu ([a-z]+)", read(name))) <= known


@pytest.mark.parametrize("name", READMES)
def test_tools_folders_and_targets_are_documented(name: str) -> None:
    text = read(name)
    for tool in tool_names():
        assert f"`{tool}`" in text
    for folder in sorted(
        p.name
        for p in ROOT.iterdir()
        if p.is_dir() and not p.name.startswith((".", "build")) and (p.name in {"docs", "tests", "notebooks"} or (p / "__init__.py").exists())
    ):
        assert f"`{folder}/`" in text
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets


def test_every_error_is_documented() -> None:
    classes = [n for n, v in vars(errors).items() if isinstance(v, type) and issubclass(v, errors.JizhuError)]
    text, tree = read("docs/reference.md"), str(errors.__doc__)
    for name in classes:
        assert f"`{name}`" in text
        assert name in tree


def test_relative_links_lead_somewhere() -> None:
    for name in (*READMES, "docs/reference.md", "docs/architecture.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", read(name)):
            assert ((ROOT / name).parent / target).exists(), f"{name}: {target}"


def test_both_readmes_have_the_same_shape() -> None:
    shapes = [[line.split()[0] if line.startswith("#") else "|" for line in read(n).splitlines() if line.startswith(("#", "|"))] for n in READMES]
    assert shapes[0] == shapes[1]
    assert len(blocks(READMES[0], "python")) == len(blocks(READMES[1], "python"))


@pytest.fixture
def environment(database_url: str, tmp_path: Path) -> dict[str, str]:
    """A newcomer's: `jizhu` on the path, offline, on a database of the test's own."""
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "jizhu").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli "$@"\n')
    (binaries / "jizhu").chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JIZHU_", "OPENAI_", "DATABASE_"))}
    return {
        **kept,
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "DATABASE_URL": database_url,
        "JIZHU_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
    }


@pytest.mark.parametrize("name", READMES)
def test_code_in_the_readme_runs(name: str, environment: dict[str, str]) -> None:
    for code in blocks(name, "python"):
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.strip()


@pytest.mark.parametrize("name", READMES)
def test_commands_in_the_readme_run(name: str, environment: dict[str, str]) -> None:
    for script in blocks(name, "sh"):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) >= 4
        assert '"error"' not in done.stdout
