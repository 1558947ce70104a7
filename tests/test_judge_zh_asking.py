"""Chinese questions without 吗 and without a mark tell nothing; what only looks like them does."""

import pytest

from memory.judge import judge
from memory.small_model import small_model
from tests.test_told_and_changed import hear


@pytest.mark.parametrize(
    "text",
    [
        "我对芒果过不过敏",
        "我对虾过敏不过敏",
        "我血脂高不高",
        "我喜欢不喜欢吃苦瓜",
        "我家狗打没打过狂犬疫苗",
        "我姐离没离婚",
        "我房子卖了没",
        "我驾照考过没",
        "我有对象没有",
        "我女儿交学费没",
        "我还学钢琴不",
        "我能喝咖啡不",
        "我住海淀还是朝阳",
        "我喜欢喝红茶还是绿茶来着",
        "我是A型血还是O型血",
        "我导师姓陆还是姓路",
        "我儿子上几年级",
        "我近视几度",
        "我奶奶吃几种药",
        "我甲巯咪唑一天吃几片",
        "我在哪一家公司上班",
    ],
)
def test_a_question_by_its_form_alone_tells_nothing(text: str) -> None:
    judged = judge(text, model=small_model())
    assert (judged.intent, judged.facts, judged.pending) == ("question", (), ())


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("我时不时去游泳", "habit", "游泳"),
        ("我动不动就头疼", "health", "头疼"),
        ("我早上不上班", "habit", "不上班"),
        ("我还是喜欢杭州", "likes", "杭州"),
        ("我平时不吃辣", "dislikes", "辣"),
        ("我每天跑几公里", "habit", "几公里"),
        ("我是左撇子没错", "other", "左撇子"),
        ("我家有三口人没别人", "relationship", "三口人"),
    ],
)
def test_what_only_looks_like_a_question_is_told(text: str, attribute: str, value: str) -> None:
    assert [f.attribute for f in judge(text, model=small_model()).facts if value in f.value] == [attribute]


@pytest.mark.parametrize(
    ("told", "asked"),
    [("我每天抽一包烟", "我烟戒了没"), ("我有辆本田飞度", "我飞度卖了没"), ("我下周二考科目二", "我科二考过没"), ("我在学德语", "我还学德语不")],
)
def test_a_question_ends_nothing(told: str, asked: str) -> None:
    assert hear(told, asked) == hear(told) != []
