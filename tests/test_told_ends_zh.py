"""Chinese: what is given up, what one need do no longer, and what was a joke are no facts that hold."""

import pytest

from tests.test_told_and_changed import hear


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (("我喜欢喝奶茶", "我自己奶茶戒了快半年了"), {("user", "habit", "奶茶戒了快半年")}),
        (("我每天抽一包烟", "我戒烟半年了"), {("user", "habit", "戒烟半年")}),
        (("我每天抽一包烟", "烟我戒了"), set()),
        (("我爸酒戒了五年了",), {("爸", "habit", "酒戒了五年")}),
        (("我每周倒三天夜班", "终于不用倒夜班了"), set()),
        (("我每天要接送孩子", "以后不用接送孩子了"), set()),
        (("我上班不用打卡",), {("user", "habit", "不用打卡")}),
        (("备孕三胎，哈哈开玩笑的，打死不生了",), set()),
        (("我养了条鳄鱼，哈哈，逗你玩的",), set()),
        (("我要结婚了，骗你的",), set()),
        (("我怀孕了，没开玩笑",), {("user", "health", "怀孕")}),
        (("我喜欢香菜，我爸骗你的",), {("user", "likes", "香菜")}),
    ],
)
def test_what_holds_in_the_end(told: tuple[str, ...], expected: set[tuple[str, str, str]]) -> None:
    assert {(m.owner, m.attribute, m.value) for m in hear(*told)} == expected


def test_an_end_to_come_is_planned() -> None:
    assert [(m.attribute, m.value, m.time) for m in hear("下个月起不用再倒夜班啦")] == [("plan", "不用再倒夜班", "2026-04")]
