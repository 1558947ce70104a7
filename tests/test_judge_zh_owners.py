"""Chinese: whose a finding is, a name in front, and who is meant once somebody died."""

from datetime import datetime

import pytest

from memory.judge import judge
from memory.small_model import small_model
from tests.test_told_and_changed import hear

NOW = datetime(2026, 3, 4, 9)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("老师说老二近视了，左眼100右眼125", {("老二", "health", "近视"), ("老二", "health", "左眼100右眼125")}),
        ("老大近视，左眼200，右眼225", {("老大", "health", "近视"), ("老大", "health", "左眼200"), ("老大", "health", "右眼225")}),
        ("老师说孩子有多动症", {("孩子", "health", "多动症")}),
        ("老大视力不好", {("老大", "health", "视力不好")}),
        ("媳妇怀孕了，产检说有点贫血", {("媳妇", "health", "怀孕"), ("媳妇", "health", "贫血")}),
        ("媳妇怀孕20周了。产检说有点妊娠糖尿病", {("媳妇", "health", "怀孕20周"), ("媳妇", "health", "妊娠糖尿病")}),
        ("阿棠吃素的", {("阿棠", "habit", "吃素")}),
        ("老伴前年走了，现在一个人住", {("老伴", "event", "走"), ("user", "other", "一个人住")}),
        ("我爸走了三年了，现在我妈一个人住", {("爸", "event", "走了三年"), ("妈", "other", "一个人住")}),
        ("我左眼300右眼350", {("user", "health", "左眼300右眼350")}),
    ],
)
def test_whose_it_is(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert {(f.owner, f.attribute, f.value) for f in judge(text, time=NOW, model=small_model()).facts} == expected


@pytest.mark.parametrize(
    ("told", "found", "owner"),
    [
        ("我老婆怀孕20周了", "产检说有点妊娠糖尿病", "老婆"),
        ("媳妇怀二胎了", "孕检查出来贫血", "媳妇"),
        ("我怀孕12周了", "产检说有点贫血", "user"),
        ("我老婆怀孕20周了", "老婆去产检了，我查出来脂肪肝", "user"),
    ],
)
def test_what_a_check_up_finds_is_the_expectant_mothers(told: str, found: str, owner: str) -> None:
    known = {(m.owner, m.value) for m in hear(told)}
    assert {m.owner for m in hear(told, found) if m.attribute == "health" and (m.owner, m.value) not in known} == {owner}
