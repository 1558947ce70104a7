"""Updates that name little: a figure in words of more or less, another member of a closed class; and neighbours that tell nothing of what is known."""

import pytest

from memory.revise.notice import tells
from tests.test_notice import Fact, active, hear, learn

WORK: Fact = ("habit", "骑车上班", "我骑车上班")
DOSE: Fact = ("health", "take 40mg of ramipril", "I take 40mg of ramipril")


@pytest.mark.parametrize(
    ("known", "message", "value"),
    [
        (DOSE, "the doctor upped it to 60", "take 60mg of ramipril"),
        (("habit", "drink three beers a week", "I drink three beers a week"), "cut down to one", "drink one beer a week"),
        (("habit", "swim twice a week", "I swim twice a week"), "I've gone down to once a week", "swim once a week"),
        (("health", "blood pressure is 160 over 100", "my blood pressure is 160 over 100"), "got it down to 130 over 85", "blood pressure is 130 over 85"),
        (("habit", "每天吃两片降压药", "我每天吃两片降压药"), "大夫让加到三片", "每天吃三片降压药"),
        (("plan", "存够五万", "我的目标是存够五万"), "目标上调到八万了", "存够八万"),
        (("age", "41", "我今年41"), "过完生日42了", "42"),
        (("location", "3 Mill Street", "My address is 3 Mill Street"), "new address: 8 Quay Road", "8 Quay Road"),
        (WORK, "太热了，现在坐地铁", "坐地铁"),
        (("habit", "drive to work", "I drive to work"), "I take the train now, the car is too dear", "train"),
        (("habit", "上夜班", "我上夜班"), "从下个月开始倒成白班了", "白班"),
        (("habit", "vegan", "I'm vegan"), "I eat eggs again, so just vegetarian", "vegetarian"),
        (("school", "在河边小学上三年级", "孩子在河边小学上三年级", "孩子"), "孩子升四年级了", "在河边小学上四年级"),
        (("school", "year 2", "my son is in year 2", "son"), "my son started year 3 today", "year 3"),
    ],
)  # fmt: skip
def test_what_takes_the_place(known: Fact, message: str, value: str) -> None:
    assert tells(message)
    assert active(hear(learn(known), message)) == {value}


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (DOSE, "the price of petrol is up to 60"),
        (DOSE, "the doctor upped it to 20"),
        (("habit", "drink three beers a week", "I drink three beers a week"), "the queue was down to one"),
        (("habit", "每天吃两片降压药", "我每天吃两片降压药"), "鸡蛋涨到三块了"),
        (("plan", "存够五万", "我的目标是存够五万"), "她的粉丝涨到八万了"),
        (("age", "41", "我今年41"), "我爸过完生日70了"),
        (WORK, "周末坐地铁去看展了"),
        (WORK, "今天坐地铁，累死了"),
        (("habit", "drive to work", "I drive to work"), "took the train to Leeds, now I'm back"),
        (("habit", "drive to work", "I drive to work"), "I took the bus today"),
        (("habit", "vegan", "I'm vegan"), "my sister went vegetarian"),
        (("habit", "上夜班", "我上夜班"), "小陈倒成白班了"),
        (("school", "初二", "我儿子读初二", "儿子"), "我小时候初三就住校了"),
    ],
)
def test_what_leaves_it_alone(known: Fact, message: str) -> None:
    before = learn(known)
    assert active(hear(before, message)) == active(before)


def test_an_elided_figure_that_two_facts_could_mean_changes_neither() -> None:
    known = learn(
        ("habit", "drink three beers a week", "I drink three beers a week"), ("habit", "smoke five cigars a month", "I smoke five cigars a month")
    )
    assert active(hear(known, "cut down to one")) == active(known)
