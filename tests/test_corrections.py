"""Corrections are kept as examples, and leave with their user."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.corrections import Correction, forget, keep, read


def test_kept_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "corrections.jsonl"
    assert read(path) == ([], 0)
    keep(path, user="u", text=" 我今天吃了面 ", label="SHORT", at=datetime(2026, 5, 1, tzinfo=UTC))
    keep(path, user="u", text="我住温州", label="LONG", intent="personal_info", source="review")
    assert read(path)[0] == [
        Correction(user="u", text="我今天吃了面", label="SHORT", at="2026-05-01T00:00:00+00:00"),
        Correction(user="u", text="我住温州", label="LONG", intent="personal_info", source="review"),
    ]


def test_the_last_word_on_a_text_counts(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    keep(path, user="u", text="我爱喝茶", label="LONG")
    keep(path, user="v", text="我爱喝茶", label="LONG")
    keep(path, user="u", text="我爱喝茶", label="SHORT")
    assert [(c.user, c.label) for c in read(path)[0]] == [("v", "LONG"), ("u", "SHORT")]


def test_nothing_is_kept_of_an_empty_text_and_a_class_must_fit_its_label(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    keep(path, user="u", text="  ", label="SHORT")
    assert not path.exists()
    with pytest.raises(ValueError, match="not a SHORT class"):
        keep(path, user="u", text="x", label="SHORT", intent="preference")


def test_broken_lines_are_counted_and_survive_forgetting(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    keep(path, user="u", text="a\ud800b", label="SHORT")
    with path.open("a") as file:
        file.write('{"user": "u"\n[1]\n')
    keep(path, user="v", text="b", label="LONG")
    assert len(read(path)[0]) == 2
    assert read(path)[1] == 2
    assert forget(path, user="u") == 1
    assert [c.user for c in read(path)[0]] == ["v"]
    assert read(path)[1] == 2
    assert forget(path, user="v", text="other") == 0
    assert forget(path, user="v", text="b") == 1
    assert forget(tmp_path / "absent.jsonl", user="v") == 0


def test_many_writers_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: keep(path, user=str(n % 3), text=f"text {n}", label="SHORT"), range(120)))
        list(pool.map(lambda n: forget(path, user="0") if n == 5 else keep(path, user="1", text=f"more {n}", label="LONG"), range(40)))
    kept, broken = read(path)
    assert broken == 0
    assert len(kept) == 80 + 39
