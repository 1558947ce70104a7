"""Rules are data: weights, words and patterns load, an operator's file goes on top, and a broken or runaway one is refused with its line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import BadRules
from memory.judge import Rules, judge
from memory.judge.judgement import LONG_CLASSES
from memory.judge.runaway import runaway


def own(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    return path


def test_built_in_rules_load_once_and_list_their_files() -> None:
    rules = Rules.load()
    assert rules is Rules.load()
    names = {p.name for p in rules.files}
    assert {"weights.toml", "customer_service.toml", "frame.toml"} <= names
    assert all(p.is_file() for p in rules.files)


def test_no_built_in_pattern_can_run_away() -> None:
    for language in ("zh", "en"):
        lexicon = Rules.load().lexicon(language)
        patterns = [*lexicon.patterns.values(), *(f.pattern for f in lexicon.facts), *(f.deny for f in lexicon.facts if f.deny is not None)]
        assert patterns
        assert [p.text for p in patterns if runaway(p.text)] == []
        assert all("v" in f.pattern.groupindex for f in lexicon.facts)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(?:a|a)*b", "(?:.*,)*x", "((ab)*)*", ".*a.*b.*c.*d.*"])
def test_runaway_patterns_are_found(pattern: str) -> None:
    assert runaway(pattern) is not None


@pytest.mark.parametrize("pattern", ["a+b+", "(?:ab|cd)*", "(?:喜欢|爱){0,5}[^，]+", "(?P<v>.+)$"])
def test_harmless_patterns_pass(pattern: str) -> None:
    assert runaway(pattern) is None


def test_an_operators_weights_words_and_facts_count(tmp_path: Path) -> None:
    path = own(
        tmp_path,
        '[weights.base]\npreference = 0.99\n\n[zh]\nallow = ["工单"]\ndeny = ["内部代号"]\n\n[zh.words]\nemphasis = ["巨"]\n\n'
        '[[zh.facts]]\nname = "own.member"\nattribute = "other"\nre = \'会员号是(?P<v>[a-z0-9]+)\'\n',
    )
    rules = Rules.load(path)
    assert rules.files[-1] == path
    assert judge("我喜欢爬山", rules=rules).parts["base"] == 0.99
    assert judge("我喜欢爬山").parts["base"] == 0.8
    assert "巨" in rules.lexicon("zh").words["emphasis"]
    assert [(f.attribute, f.value) for f in judge("我会员号是AB12", rules=rules).facts] == [("other", "AB12")]
    assert judge("工单昨天处理完毕", rules=rules).memory_type == "LONG"
    assert judge("我叫张三，内部代号", rules=rules).clauses[1].reason == "运营规则禁止保存"


def test_lists_can_be_edited(tmp_path: Path) -> None:
    rules = Rules.load(own(tmp_path, '[zh.words.emphasis]\nremove = ["很"]\nadd = ["贼"]\n'))
    assert "很" not in rules.lexicon("zh").words["emphasis"]
    assert "贼" in rules.lexicon("zh").words["emphasis"]


def test_what_a_rule_needs_is_forgotten_with_its_pattern(tmp_path: Path) -> None:
    path = own(
        tmp_path,
        '[zh.words]\nbrand = ["星洲记"]\n\n[[zh.facts]]\nname = "likes.verb"\nattribute = "likes"\nre = \'稀罕(?P<v>[一-龥]+)\'\n',
    )
    before, after = ({f.name: f.need for f in Rules.load(p).lexicon("zh").facts} for p in (None, path))
    assert before["employer.brand"]
    assert before["likes.verb"]
    assert after["employer.brand"] == after["likes.verb"] == ()
    assert after["pet.keep"] == before["pet.keep"] != ()
    assert [(f.attribute, f.value) for f in judge("我稀罕石榴", rules=Rules.load(path)).facts] == [("likes", "石榴")]


def test_packs_can_be_switched_off(tmp_path: Path) -> None:
    rules = Rules.load(own(tmp_path, "packs = []\n"))
    text = "我要投诉，订单 A1024 的耳机坏了"
    assert judge(text).intent == "complaint"
    assert judge(text, rules=rules).intent != "complaint"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('[zh]\nbroken = "\n', "line 2", ""),
        ("[zh.patterns]\nmine = '(未完'\n", "line 2", "broken pattern"),
        ("[zh.patterns]\n\nmine = '(a+)+'\n", "line 3", "run away"),
        ("[zh.patterns]\nmine = '%NOPE%'\n", "line 2", "unknown macro"),
        ("[weights]\nstore = 7\n", "", "number from 0 to 1"),
        ('[[zh.facts]]\nname = "own.x"\nattribute = "shoe"\nre = \'(?P<v>x)\'\n', "line 2", "no attribute"),
        ('[[zh.facts]]\nname = "own.x"\nattribute = "other"\nre = \'x\'\n', "line 2", "no group"),
        ('packs = ["nope"]\n', "line 1", "no pack"),
    ],
)
def test_broken_files_are_refused_with_their_line(tmp_path: Path, text: str, line: str, why: str) -> None:
    path = own(tmp_path, text)
    with pytest.raises(BadRules) as error:
        Rules.load(path)
    assert str(path) in str(error.value)
    assert line in str(error.value)
    assert why in str(error.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRules, match="cannot be read"):
        Rules.load(tmp_path / "nowhere.toml")


HAN = st.sampled_from(list("我你他在是不喜欢叫岁今年住对过敏妈爸养猫以后记住，。！？“”工作公司北京2月3日abcXYZ ~…、：打算计划学会了的和👍ａ２\u0000"))


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(HAN, max_size=60).map("".join)))
def test_never_raises_and_always_adds_up(text: str) -> None:
    judged = judge(text, history=[{"role": "assistant", "content": "你住在哪？"}])
    assert sum(judged.parts.values()) == pytest.approx(judged.score, abs=1e-6)
    assert 0 <= judged.score <= 1
    assert judged.intent in LONG_CLASSES or judged.memory_type == "SHORT"
    for clause in judged.clauses:
        if clause.intent == "greeting":
            assert clause.memory_type == "SHORT"
        assert not (clause.facts and clause.memory_type == "SHORT")
    judged.as_json()


@pytest.mark.parametrize("text", ["", "   ", "\x00", "\ud800", "{}", "。。。", "<b>我叫</b>", "👍" * 200, "我" * 5000])
def test_odd_input(text: str) -> None:
    assert judge(text).memory_type == "SHORT"


def test_message_objects_and_blocks_as_history() -> None:
    class Message:
        type = "ai"
        content = [{"type": "text", "text": "你叫什么名字？"}]  # noqa: RUF012

    judged = judge("李雷", history=[Message()])
    assert [(f.attribute, f.value) for f in judged.facts] == [("name", "李雷")]
