"""`jizhu replay`: a past conversation becomes what it would have become then, and doing it twice changes nothing."""

import json
from pathlib import Path

from tests.commands import Jizhu

TALK = [
    {"user": "ann", "thread": "t1", "time": "2025-03-01T09:00:00+08:00", "text": "我住在上海。"},
    {"user": "ann", "thread": "t1", "time": "2025-03-01T09:00:05+08:00", "role": "assistant", "text": "我叫小助手，住在云上。"},
    {"user": "bob", "time": "2025-03-02T09:00:00+08:00", "text": "今天好冷啊"},
    {"user": "ann", "thread": "t2", "time": "2026-01-05T09:00:00+08:00", "text": "我搬到北京了。"},
]


def test_each_line_is_remembered_at_its_own_time(jizhu: Jizhu, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in TALK), encoding="utf-8")
    result = jizhu("replay", file, "--json")
    assert result.status == 0
    assert [line["line"] for line in result.lines] == [1, 2, 3, 4]
    assert [line["memory_type"] for line in result.lines] == ["LONG", "SHORT", "SHORT", "LONG"]
    first, second = result.lines[0]["changes"][0], result.lines[3]["changes"][0]
    assert {"op", "key", "attribute", "value", "reason"} <= set(first)
    assert (first["op"], first["attribute"], first["value"]) == ("add", "location", "上海")
    assert second["op"] == "supersede"
    versions = {m["value"]: m for m in jizhu("memories", "list", "--all", "--user", "ann", "--json").lines}
    assert versions["上海"]["recorded_at"].startswith("2025-03-01")
    assert versions["北京"]["status"] == "active"
    assert jizhu("memories", "list", "--user", "bob", "--json").lines == []

    again = jizhu("replay", file, "--json")
    assert {c["op"] for line in again.lines for c in line["changes"]} <= {"ignore"}
    assert {m["value"]: m for m in jizhu("memories", "list", "--all", "--user", "ann", "--json").lines} == versions


def test_bad_lines_are_answered_where_they_stand(jizhu: Jizhu) -> None:
    given: list[str | dict[str, str]] = ["nonsense", {"text": "我叫张三"}, {"user": "ann", "text": "我叫张三"}, {"user": "", "time": "2026-01-01", "text": "x"},
             {"user": "ann", "time": "2026-01-01", "role": "robot", "text": "x"}, TALK[0]]  # fmt: skip
    result = jizhu("replay", "-", "--json", given=given)
    assert result.status == 0
    assert [("error" in line) for line in result.lines] == [True] * 5 + [False]
    assert [line["line"] for line in result.lines] == list(range(1, 7))


def test_a_file_that_is_not_there_is_one_sentence(jizhu: Jizhu, tmp_path: Path) -> None:
    for name in (tmp_path / "none.jsonl", tmp_path):
        result = jizhu("replay", name, "--json")
        assert (result.status, result.out) == (1, "")
        assert result.err.count("\n") == 1
