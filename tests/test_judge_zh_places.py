"""Chinese: where one sleeps on a journey and where one works are no home; a firm's name may begin with a place."""

from datetime import datetime

import pytest

from memory.judge import judge
from memory.judge.judgement import Stance
from memory.small_model import small_model
from tests.test_told_and_changed import hear

NOW = datetime(2026, 3, 4, 9)


def told(text: str) -> set[tuple[str, str]]:
    return {(f.attribute, f.value) for f in judge(text, time=NOW, model=small_model()).facts if f.owner == "user" and f.stance is Stance.ASSERT}


def homes(text: str) -> set[str]:
    return {v for a, v in told(text) if a == "location"}


@pytest.mark.parametrize(
    "text", ["去大连玩三天，住星海广场", "飞三亚度假，住亚龙湾", "国庆去桂林玩，住阳朔", "我去年去泉州玩了三天，住西街", "住鼓浪屿，玩两天"]
)
def test_a_bed_on_a_journey_is_no_home(text: str) -> None:
    assert not homes(text)


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("我住在南宁，下周去桂林玩三天", {"南宁"}),
        ("我喜欢旅游，住在大理", {"大理"}),
        ("我经常去上海出差，住在苏州", {"苏州"}),
        ("我住在无锡，平时在苏州上班", {"无锡"}),
        ("我在苏州上班，住无锡", {"无锡"}),
        ("我住东莞，在深圳华为上班", {"东莞"}),
        ("我在苏州上班", {"苏州"}),
        ("我爸妈住无锡，我在苏州上班", {"苏州"}),
        ("以前住无锡，现在在苏州上班", {"苏州"}),
    ],
)
def test_home_and_work(text: str, home: set[str]) -> None:
    assert homes(text) == home


def test_the_way_to_work_is_kept() -> None:
    assert ("other", "在苏州上班") in told("我住在无锡，平时在苏州上班")


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("我在宁德时代上班", "宁德时代"),
        ("我在宁波银行上班", "宁波银行"),
        ("我在中国移动上班", "中国移动"),
        ("我在武汉大学工作", "武汉大学"),
        ("我在阿里做运营", "阿里"),
    ],
)
def test_a_firm_with_a_place_in_its_name(text: str, firm: str) -> None:
    assert {f for f in told(text) if f[0] in {"employer", "location"}} == {("employer", firm)}


def test_a_firm_in_a_place() -> None:
    assert {("location", "深圳"), ("employer", "华为")} <= told("我在深圳华为上班")


@pytest.mark.parametrize(
    ("said", "home"),
    [
        ("我在常州上班", {"无锡"}),
        ("我平时在常州上班", {"无锡"}),
        ("我现在在常州上班", {"常州"}),
        ("我调到常州上班了", {"常州"}),
        ("我搬到常州了", {"常州"}),
    ],
)
def test_a_place_of_work_without_a_word_of_change_ends_no_home(said: str, home: set[str]) -> None:
    assert {m.value for m in hear("我住在无锡", said) if m.attribute == "location"} == home
