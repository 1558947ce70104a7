"""Compiled expressions that outlive a process (memory/pattern.py)."""

import marshal
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.judge.rules import Rules
from memory.pattern import Kept, Pattern

TEXT = r"(?P<who>我|俺)(?:[去到在](?!了)){1,3}(?<=在)(?P<where>[^，。]{2,8}?)(?=，|$)"


def again(file: Path, text: str = TEXT, flags: int = 0) -> re.Pattern[str]:
    """Compiled by one process, made again by the next."""
    first = Kept(file)
    first.regex(text, flags)
    first.write()
    return Kept(file).regex(text, flags)


def test_what_is_kept_is_what_the_compiler_makes(tmp_path: Path) -> None:
    made = again(tmp_path / "patterns")
    assert made == re.compile(TEXT)
    assert made.groupindex == {"who": 1, "where": 2}
    assert (found := made.search("后来我去到在苏州河边，")) and found["where"] == "苏州河边"


@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.MULTILINE, re.IGNORECASE | re.DOTALL])
def test_flags_belong_to_the_expression(tmp_path: Path, flags: int) -> None:
    assert again(tmp_path / "patterns", r"(?m:^a.b$)|(?P<x>C+)", flags) == re.compile(r"(?m:^a.b$)|(?P<x>C+)", flags)


def test_every_rule_is_made_again_as_it_was(tmp_path: Path) -> None:
    lexicons = Rules.load().lexicons.values()
    texts = {p.text for lexicon in lexicons for p in (*lexicon.patterns.values(), *(f.pattern for f in lexicon.facts))}
    assert len(texts) > 500
    first = Kept(tmp_path / "patterns")
    for text in texts:
        first.regex(text, 0)
    first.write()
    second = Kept(tmp_path / "patterns")
    assert all(second.regex(t, 0) == re.compile(t) for t in texts)


def broken(good: bytes) -> dict[str, bytes]:
    version, codes = marshal.loads(good)
    key, (flags, numbers, groups, named) = next(iter(codes.items()))
    return {
        "empty": b"",
        "cut": good[: len(good) // 2],
        "noise": b"\xff" * 200,
        "another Python": marshal.dumps(("2.7", codes)),
        "no table": marshal.dumps((version, 7)),
        "not a pair": marshal.dumps(5),
        "other numbers": marshal.dumps((version, {key: (flags, b"\x07\0\0\0" * 50, groups, named)})),
        "half a number": marshal.dumps((version, {key: (flags, numbers[:-3], groups, named)})),
        "too few groups": marshal.dumps((version, {key: (flags, numbers, 1, {})})),
    }


@pytest.mark.parametrize(
    "kind", ["empty", "cut", "noise", "another Python", "no table", "not a pair", "other numbers", "half a number", "too few groups"]
)
def test_a_broken_file_is_made_anew(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "patterns"
    again(file)
    file.write_bytes(broken(file.read_bytes())[kind])
    assert again(file) == re.compile(TEXT)


@given(st.binary(max_size=400))
def test_any_numbers_are_a_program_or_refused(numbers: bytes) -> None:
    kept = Kept(Path("/nowhere/at/all"))
    kept._codes[TEXT, 0] = (32, numbers, 3, {"who": 1, "where": 2})
    assert isinstance(kept.regex(TEXT, 0), re.Pattern)


def test_where_nothing_can_be_written_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("")
    assert again(tmp_path / "a file" / "patterns") == re.compile(TEXT)


def test_two_processes_add_to_one_file(tmp_path: Path) -> None:
    one, other = Kept(tmp_path / "patterns"), Kept(tmp_path / "patterns")
    one.regex("a+", 0)
    other.regex("b+", 0)
    one.write()
    other.write()
    assert set(marshal.loads((tmp_path / "patterns").read_bytes())[1]) == {("a+", 0), ("b+", 0)}
    assert [f.name for f in tmp_path.iterdir()] == ["patterns"]


def test_a_wrong_expression_is_an_error_as_ever(tmp_path: Path) -> None:
    with pytest.raises(re.error):
        Kept(tmp_path / "patterns").regex("(", 0)


@pytest.mark.skipif(sys.platform != "linux", reason="the cache directory is another one there")
def test_a_process_writes_at_its_end_and_the_next_has_nothing_to_add(tmp_path: Path) -> None:
    code = "from memory.judge import judge; print(judge('我对青霉素过敏，I moved to Leeds in May').memory_type)"
    written = []
    for seed in ("1", "2"):  # an expression made from a set would be another one in every process
        said = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONHASHSEED": seed}, capture_output=True,
            text=True, check=True, timeout=60,
        )  # fmt: skip
        assert said.stdout.strip() == "LONG"
        (file,) = (tmp_path / "jizhu").iterdir()
        written.append(file.read_bytes())
    assert written[0] == written[1]


def test_what_is_not_used_gives_way_when_the_file_grows_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again(tmp_path / "patterns", "old|older")
    monkeypatch.setattr("memory.pattern.MOST", 200)
    again(tmp_path / "patterns")
    assert set(marshal.loads((tmp_path / "patterns").read_bytes())[1]) == {(TEXT, 0)}


def test_an_expression_is_compiled_when_it_is_used() -> None:
    pattern = Pattern("一[个只]")
    with pytest.raises(AttributeError):
        _ = pattern.nothing
    assert pattern.fullmatch("一只")
    assert pattern.pattern == "一[个只]"
