"""Chinese allergies: what belongs to the thing, and whose it is."""

from datetime import datetime

import pytest

from memory.judge import judge
from memory.judge.judgement import Stance

NOW = datetime(2026, 3, 4, 9)


@pytest.mark.parametrize(
    ("text", "owner", "values"),
    [
        ("我有坚果过敏", "user", {"坚果"}),
        ("我有严重的芒果过敏", "user", {"芒果"}),
        ("我女儿有点鸡蛋过敏", "女儿", {"鸡蛋"}),
        ("榴莲我过敏的", "user", {"榴莲"}),
        ("草莓我也过敏", "user", {"草莓"}),
        ("虾和蟹我都过敏", "user", {"虾", "蟹"}),
        ("芒果我儿子过敏", "儿子", {"芒果"}),
        ("我喝牛奶过敏", "user", {"牛奶"}),
        ("查出来麸质过敏", "user", {"麸质"}),
        ("医生说我尘螨过敏", "user", {"尘螨"}),
        ("大周海鲜过敏", "大周", {"海鲜"}),
        ("小王芝麻过敏", "小王", {"芝麻"}),
        ("我同事大周海鲜过敏", "同事大周", {"海鲜"}),
        ("我妈是酒精过敏", "妈", {"酒精"}),
        ("小麦过敏", "user", {"小麦"}),
        ("小龙虾过敏", "user", {"小龙虾"}),
        ("大豆过敏", "user", {"大豆"}),
    ],
)
def test_the_thing_and_whose_it_is(text: str, owner: str, values: set[str]) -> None:
    assert {(f.owner, f.value) for f in judge(text, time=NOW).facts} == {(owner, v) for v in values}


@pytest.mark.parametrize("text", ["我没有花生过敏", "我无花生过敏"])
def test_what_one_has_not(text: str) -> None:
    assert [(f.value, f.stance) for f in judge(text, time=NOW).facts] == [("花生", Stance.NEGATE)]


@pytest.mark.parametrize("text", ["我没有任何过敏", "我今天皮肤过敏了", "女儿最近过敏了"])
def test_no_thing_at_all(text: str) -> None:
    assert not [f for f in judge(text, time=NOW).facts if f.attribute == "allergy" and f.stance is Stance.ASSERT]
