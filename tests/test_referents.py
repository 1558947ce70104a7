"""What a pronoun points to, in Chinese and English, and where it points nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.referents import KEPT, listed, referents, resolve, update


def talk(*turns: tuple[str, str]) -> str:
    """The last turn of a conversation, resolved with the referents of the ones before."""
    known: tuple[str, ...] = ()
    texts: list[str] = []
    for role, text in turns[:-1]:
        said = resolve(text, known, texts) if role == "user" else text
        known = update(known, said, role)
        texts.append(said)
    return resolve(turns[-1][1], known, texts)


@pytest.mark.parametrize(
    ("before", "question", "resolved"),
    [
        ("我想看看星河手环。", "它多少钱？", "星河手环多少钱？"),
        ("我想看看星河手环。", "那个有红色的吗？", "星河手环有红色的吗？"),
        ("我想看看星河手环。", "刚才那款防水吗？", "星河手环防水吗？"),
        ("我想看看星河手环。", "多少钱？", "星河手环多少钱？"),
        ("我在读《山海夜话》", "那本书讲什么的", "山海夜话讲什么的"),
        ("订单B2077什么时候发货", "它到哪了", "订单B2077到哪了"),
        ("我想报一个游泳班", "那个贵吗？", "游泳班贵吗？"),
        ("蓝鲸14 Pro怎么样", "那它的续航呢", "那蓝鲸14 Pro的续航呢"),
        ("I am looking at the Nova band.", "How much is it?", "How much is the Nova band?"),
        ("I am looking at the Nova band.", "Does that one come in red?", "Does the Nova band come in red?"),
        ("I am looking at the Nova band.", "What's its weight?", "What's the Nova band's weight?"),
        ("I bought a kettle yesterday.", "Can I return it?", "Can I return the kettle?"),
    ],
)
def test_a_pronoun_becomes_the_thing_the_user_named(before: str, question: str, resolved: str) -> None:
    assert talk(("user", before), ("user", question)) == resolved


@pytest.mark.parametrize(
    ("answer", "question", "resolved"),
    [
        ("推荐您极光X3耳机，续航30小时。", "它防水吗", "极光X3耳机防水吗"),
        ("推荐您极光X3耳机，续航30小时。", "那款耳机有白色的吗", "极光X3耳机有白色的吗"),
        ("推荐您去老周面馆，评分4.8分。", "那家几点关门？", "老周面馆几点关门？"),
        ("有云朵枕头和松果枕头两款可选。", "第二款多少钱", "松果枕头多少钱"),
        ("有云朵枕头和松果枕头两款可选。", "前者软吗", "云朵枕头软吗"),
        ("We have the Nimbus X3 headset and the Comet earbuds.", "How much is the second one?", "How much is the Comet earbuds?"),
    ],
)
def test_also_what_only_the_assistant_named(answer: str, question: str, resolved: str) -> None:
    assert talk(("user", "有什么推荐的？"), ("assistant", answer), ("user", question)) == resolved


@pytest.mark.parametrize(
    "text",
    ["那个，我想问一下运费", "我那个时候还小", "那个人是谁", "今天下雨了", "我新买的相机坏了，它还在保修吗", "it is raining today", "I got it, thanks",
     "It seems that nobody cares", "I bought a lamp and it broke", "it's nice to meet you", "It takes a while"],
)  # fmt: skip
def test_a_pronoun_that_points_elsewhere_stays(text: str) -> None:
    assert resolve(text, ("星河手环",)) == text


@pytest.mark.parametrize("text", ["它多少钱？", "那个有红色的吗？", "How much is it?", "", "🙂", "{它}"])
def test_nothing_known_nothing_changed(text: str) -> None:
    assert resolve(text, ()) == text


def test_the_freshest_name_comes_first_and_an_answer_keeps_the_topic() -> None:
    known = update(update((), "我看了云朵枕头"), "也看了星河手环")
    assert known[:2] == ("星河手环", "云朵枕头")
    assert update(known, "星河手环有两种表带，搭配彩虹表带更好看。", "assistant")[0] == "星河手环"


def test_places_persons_and_plain_talk_are_no_things() -> None:
    assert referents("我在成都，今天心情不错") == ()
    assert referents("I am fine, thanks") == ()


def test_lists_keep_their_order() -> None:
    assert listed("有云朵枕头、松果枕头和星河手环") == ("云朵枕头", "松果枕头", "星河手环")


@given(st.text(max_size=60), st.lists(st.text(max_size=10), max_size=4))
def test_any_text_is_survived(text: str, known: list[str]) -> None:
    assert isinstance(resolve(text, known), str)
    assert len(update(known, text)) <= KEPT
