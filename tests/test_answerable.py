"""Is the thing mentioned, and does something of the asked kind stand there?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.answerable import answerable

CAT = ("我昨天带猫去打疫苗了", "它在家睡了一天")
BOOK = ("我在读一本讲航海的小说，叫《风暴角》", "读到一半了")


@pytest.mark.parametrize(
    ("question", "hits"),
    [
        ("我在读的小说叫什么名字？", BOOK),
        ("我的猫打了什么？", CAT),
        ("我的猫叫什么名字？", ("我家的猫叫年糕", *CAT)),
        ("我打算去哪个国家？", ("下个月想去冰岛看极光",)),
        ("我在学哪一门语言？", ("我开始学西班牙语了",)),
        ("What did I cook on Sunday?", ("I cooked a lentil soup on Sunday",)),
        ("How many plants do I have?", ("I have twelve plants on the balcony now",)),
        ("昨天带猫去了医院", CAT),
    ],
)  # fmt: skip
def test_what_stands_there_is_answerable(question: str, hits: tuple[str, ...]) -> None:
    assert answerable(question, hits, speakers=("小周", "AI"), share=0.4) >= 0.5


@pytest.mark.parametrize(
    ("question", "hits"),
    [
        ("我的猫叫什么名字？", CAT),
        ("我养的鹦鹉多大了？", CAT),
        ("我住的是哪家酒店？", ("上个月去了大理", "大理的天气很好")),
        ("我的相机是什么牌子？", ("我买了一台相机，拍照很清楚",)),
        ("Which hotel did I book in Oslo?", ("I am going to Oslo in June",)),
        ("我的猫叫什么名字？", ()),
    ],
)  # fmt: skip
def test_a_detail_that_was_never_said_is_not(question: str, hits: tuple[str, ...]) -> None:
    assert answerable(question, hits, speakers=("小周", "AI"), share=0.4) < 0.5


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3), st.floats(0, 1))
def test_it_is_a_share_whatever_is_asked(question: str, hits: list[str], share: float) -> None:
    assert 0 <= answerable(question, hits, share=share) <= 1
