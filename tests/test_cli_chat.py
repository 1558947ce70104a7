"""`jizhu chat` and `jizhu sessions`: the whole agent behind one command, for programs (--json) and for people (piped)."""

import json
from pathlib import Path

import pytest
from prompt_toolkit.history import FileHistory

from cli.conversation import drop_from_history, history_file
from cli.words import TEXTS, words
from memory.settings import Settings
from tests.commands import Jizhu

WALK = [
    "你好，我叫张三",
    "你好！今天深圳天气怎么样？",
    "我不喜欢推荐太贵的东西，我是个学生",
    "那你们的产品有什么推荐吗？",
    "它多少钱？",
    "谢谢，再见！",
]
KEYS = {"reply", "resolved", "context", "recalled", "judgement", "stored"}


def profile(jizhu: Jizhu, user: str) -> set[tuple[str, str]]:
    return {(m["attribute"], m["value"]) for m in jizhu("memories", "list", "--user", user, "--json").lines}


def test_the_six_turn_walk(jizhu: Jizhu) -> None:
    rounds = jizhu("chat", "--json", "--user", "zhang", "--thread", "walk", given=[{"text": t} for t in WALK])
    assert rounds.status == 0
    assert len(rounds.lines) == len(WALK)
    assert all(set(r) >= KEYS for r in rounds.lines)
    assert profile(jizhu, "zhang") == {("name", "张三"), ("dislikes", "太贵的东西"), ("occupation", "学生")}
    assert {"scope": "session", "attribute": "city", "value": "深圳"} in rounds.lines[1]["stored"]
    assert "太贵的东西" in rounds.lines[3]["context"]
    assert "太贵" in rounds.lines[3]["reply"] or "价格" in rounds.lines[3]["reply"]

    held = jizhu("sessions", "show", "--user", "zhang", "--json").lines[0]
    assert held["session"] == {"city": "深圳"}
    assert held["rounds"] == 6
    assert jizhu("sessions", "end", "--user", "zhang", "--thread", "walk", "--json").status == 0
    assert jizhu("sessions", "list", "--user", "zhang", "--json").lines == []
    answer = jizhu("chat", "--json", "--user", "zhang", given=[{"text": "我住在哪？"}, {"text": "我叫什么名字？"}]).lines
    assert "深圳" not in answer[0]["reply"]
    assert "张三" in answer[1]["reply"]


def test_lines_choose_user_and_thread(jizhu: Jizhu) -> None:
    given = [
        {"id": 1, "text": "我叫张三", "user": "a", "thread": "t"},
        {"id": 2, "text": "我叫李四", "user": 1, "thread": "t"},
        {"id": 3, "text": "我叫什么名字？", "user": "1", "thread": "u"},
        {"id": 4, "text": "今天深圳天气怎么样？", "user": "a", "thread": "last"},
    ]
    first, _, third, fourth = jizhu("chat", "--json", given=given).lines
    assert (first["id"], first["thread"], fourth["thread"]) == (1, "t", "t")
    assert "李四" in third["reply"]
    assert "张三" not in third["reply"] + third["context"]
    assert profile(jizhu, "a") == {("name", "张三")}


def test_bad_lines_and_odd_texts(jizhu: Jizhu) -> None:
    bad = ["{", '{"text": 1}', '{"text": "x", "user": ""}', '{"text": "x", "time": "soon"}', '{"text": "x", "files": [{"name": "f"}]}']
    odd = ["a\x00b", "\ud800", "{x} {0}", "<script>1</script>", "👩‍👩‍👧‍👦"]
    result = jizhu("chat", "--json", given=[*bad, *(json.dumps({"text": t}) for t in odd)])
    assert result.status == 0
    assert ["error" in line for line in result.lines] == [True] * len(bad) + [False] * len(odd)


def test_files_given_with_a_message_are_held_by_the_session(jizhu: Jizhu) -> None:
    given = [{"text": "看看这个文件", "thread": "f", "files": [{"name": "合同.txt", "text": "甲方：星河公司"}]}]
    assert "error" not in jizhu("chat", "--json", given=given).lines[0]
    assert [f["name"] for f in jizhu("sessions", "show", "--thread", "f", "--json").lines[0]["files"]] == ["合同.txt"]


def test_undo_takes_rounds_and_their_memories_back(jizhu: Jizhu) -> None:
    jizhu("chat", "--json", "--thread", "t", given=[{"text": "我叫张三"}, {"text": "我住在上海。"}])
    assert profile(jizhu, "me") == {("name", "张三"), ("location", "上海")}
    done = jizhu("sessions", "undo", "--thread", "t", "--json").lines[0]
    assert (done["undone"], done["at_start"]) == (1, False)
    assert profile(jizhu, "me") == {("name", "张三")}
    done = jizhu("sessions", "undo", "--thread", "t", "--steps", "9", "--json").lines[0]
    assert done["at_start"] is True
    assert profile(jizhu, "me") == set()


def test_a_piped_chat_reads_like_a_chat(jizhu: Jizhu, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_bytes("会议在周五".encode("gb18030"))
    given = ["你好，我叫李雷", "/memories", f"/file {note}", "/file nowhere", "这个文件讲什么？", "/forget 李雷", "/memories", "/undo x", "/bogus", "/new b",
             "/end", "今天深圳天气怎么样？", "/end", "/help", "/quit", "never read"]  # fmt: skip
    result = jizhu("chat", "--user", "li", given=given)
    assert (result.status, result.err) == (0, "")
    shown = result.out
    for expected in (
        "› 你好，我叫李雷",
        "记住：姓名 李雷",
        "1  姓名",
        "note.txt",
        "nowhere",
        "已忘掉：姓名 李雷",
        "还没有记住什么",
        "/bogus",
        "会话 b",
        "深圳",
        "会话已结束",
    ):
        assert expected in shown
    assert "never read" not in shown
    assert profile(jizhu, "li") == set()


def test_the_interface_follows_the_language_of_the_person(jizhu: Jizhu) -> None:
    shown = jizhu("chat", "--user", "ann", given=["Hello there!", "/memories", "/nothing"]).out
    assert "Nothing remembered yet." in shown
    assert "There is no command /nothing" in shown


def test_both_languages_say_everything() -> None:
    assert set(TEXTS["zh"]) == set(TEXTS["en"])
    for name in TEXTS["zh"]:
        holes = [{part.split("}")[0] for part in TEXTS[lang][name].split("{")[1:]} for lang in ("zh", "en")]
        assert holes[0] == holes[1], name
    assert words("en", "new", thread="{thread} x") == "New thread {thread} x."


@pytest.mark.parametrize("arguments", [["--thread", ""], ["--user", ""], ["--user", "x" * 600]])
def test_names_that_cannot_be_are_refused(jizhu: Jizhu, arguments: list[str]) -> None:
    result = jizhu("chat", *arguments)
    assert result.status == 1
    assert result.err.count("\n") == 1


def test_what_was_typed_stays_with_its_user(settings: Settings, tmp_path: Path) -> None:
    files = {history_file(tmp_path, user) for user in ("a", "A", "a/b", "a%2Fb", "x" * 512, "x" * 511)}
    assert len(files) == 6
    assert all(f.parent == tmp_path / "history" for f in files)


def test_what_is_forgotten_goes_from_what_was_typed(tmp_path: Path) -> None:
    history = FileHistory(str(tmp_path / "h"))
    for line in ("我叫张三", "你好\n我住在杭州", "今天天气不错"):
        history.store_string(line)
    drop_from_history(tmp_path / "h", ["杭州"])
    drop_from_history(tmp_path / "h", [])
    drop_from_history(tmp_path / "none", ["x"])
    assert list(FileHistory(str(tmp_path / "h")).load_history_strings()) == ["今天天气不错", "我叫张三"]
    drop_from_history(tmp_path / "h", ["张三"])
    history.store_string("再见")
    assert list(FileHistory(str(tmp_path / "h")).load_history_strings()) == ["再见", "今天天气不错"]
