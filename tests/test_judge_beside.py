"""What stands beside a fact: clauses that go on with a plan or an order, clauses that only the small model reads, markup, notes."""

from datetime import UTC, datetime

import pytest

from memory.judge import judge
from memory.judge.clauses import without_markup
from memory.small_model import small_model

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def facts(text: str) -> set[tuple[str, str]]:
    return {(f.attribute, f.value) for f in judge(text, time=NOW).facts if f.owner == "user"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我打算年底辞职，回老家开一家面馆", ("plan", "回老家开一家面馆")),
        ("我眼睛花了，字给我放大点就行，以后都这样", ("instruction", "字给我放大点就行")),
        ("我家里老爷子八十一了，腿脚不好", None),
        ("小时候在洛阳长大", ("hometown", "洛阳")),
        ("戒烟第三年了", ("habit", "戒烟第三年")),
        ("跟初恋分了三年了", ("relationship", "跟初恋分了三年")),
        ("上周绿卡终于下来了", ("event", "上周绿卡终于下来")),
        ("我觉很轻，有点动静就醒", ("health", "觉很轻")),
        ("我们老两口打算去昆明看孙女", ("plan", "昆明看孙女")),
        ("我的话，会拉一点二胡", ("skill", "二胡")),
    ],
)
def test_chinese_kinds(text: str, expected: tuple[str, str] | None) -> None:
    found = facts(text)
    assert expected in found if expected else found == set()


@pytest.mark.parametrize("text", ["今天就别用敬语了，跟我随便聊", "下次你要是能一起来就好了", "我想学点新东西", "座位离舞台特别近", "我忘了它多少钱"])
def test_no_fact_and_no_order(text: str) -> None:
    said = judge(text, time=NOW)
    assert said.memory_type == "SHORT"
    assert said.commands == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("guide dog user here, is the museum ok for us?", ("health", "guide dog user")),
        ("night nurse here, any tips for sleeping?", ("occupation", "night nurse")),
        ("my blood type's AB neg in case it matters", ("health", "AB neg")),
        ("the right knee has severe arthritis", ("health", "right knee has severe arthritis")),
        ("we close on the flat in Leith on the 4th", ("event", "close on the flat in Leith on the 4th")),
        ("there isn't a saturday i don't go to the market", ("habit", "there isn't a saturday i don't go to the market")),
        ("got the job! starting may 12", ("plan", "starting may 12")),
        ("my emergency contact is my uncle Bo, 555-0199", ("contact", "555-0199")),
        ("I usually go for a swim at dawn, it helps me clear my head", ("habit", "usually go for a swim at dawn")),
    ],
)
def test_english_notes(text: str, expected: tuple[str, str]) -> None:
    said = judge(text, time=NOW)
    assert expected in {(f.attribute, f.value) for f in said.facts}
    assert said.commands == ()


def test_a_name_that_is_not_the_users() -> None:
    assert facts("the band name is settled") == set()


def test_markup_is_no_word() -> None:
    assert facts("I'm allergic to <b>nuts</b>") == {("allergy", "nuts")}
    assert facts("我对<em class='x'>芒果</em>过敏") == {("allergy", "芒果")}
    assert without_markup("one<br/>two <p>three") == "one\ntwo \nthree"
    assert without_markup("a < b and <none of these> 5>3") == "a < b and <none of these> 5>3"


def test_the_model_reads_what_stands_beside_a_fact() -> None:
    model = small_model()
    text = "我是厨师，膝盖里有两颗钢钉，回头再说吧"
    said = judge(text, model=model)
    assert [(f.attribute, f.value) for f in judge(text).facts] == [("occupation", "厨师")]
    assert [(f.attribute, f.value) for f in said.facts] == [("occupation", "厨师"), ("health", "膝盖里有两颗钢钉")]
    assert said.tier == "model"


def test_nothing_stands_beside_where_no_fact_is() -> None:
    model = small_model()
    assert judge("今天好累，路上堵得要命，回头再说吧", model=model).facts == ()


@pytest.mark.parametrize(
    "text",
    [
        "这部小说主要讲述了一个下岗工人的一生。在失去工作后，带着女儿去了南方",
        "最近事情多，我有些焦虑",
        "我真的很害怕出现意外",
        "今天我去了植物园散步",
        "我正打算去公园",
        "我们下次再聊",
        "别闹，人家是专业的",
        "I think I hurt my back!",
        "explain it like i'm five: gravity",
        "i want to apply for a new credit card",
        "my visa card was stolen",
        "I went to Willow Park and saw a squirrel",
    ],
)
def test_tells_nothing_lasting(text: str) -> None:
    assert judge(text, time=NOW).facts == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天是我同事的生日", ("同事", "birthday", "今天")),
        ("我卖二手书为生", ("user", "occupation", "卖二手书为生")),
        ("我得了癌症", ("user", "health", "癌症")),
        ("我喜欢听歌，我弹钢琴，也跳舞", ("user", "habit", "跳舞")),
        ("主要是西藏，打算九月份自驾", ("user", "plan", "自驾")),
        ("my friends call me bo", ("user", "name", "bo")),
        ("i need to eat better i'm getting married in june", ("user", "plan", "getting married in june")),
        ("When I ask for a price I only want the total", ("user", "instruction", "When I ask for a price I only want the total")),
        ("so lifting stays under 10 kg, permanently", ("user", "instruction", "lifting stays under 10 kg, permanently")),
        ("german shepherd named rolf and a cat named ida", ("user", "pet", "german shepherd named rolf and a cat named ida")),
        ("irl i'm a piano teacher though", ("user", "occupation", "piano teacher")),
    ],
)
def test_tells_it_of_the_right_one(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in {(f.owner, f.attribute, f.value) for f in judge(text, time=NOW).facts}
