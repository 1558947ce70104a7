"""What takes up the place of something that a message ends or turns from; and clauses beside an end that put nothing in its place."""

import pytest

from memory.judge.judgement import Candidate, Stance
from memory.revise.tidy import tidy
from tests.test_notice import Fact, active, hear, learn


@pytest.mark.parametrize(
    ("known", "message", "value"),
    [
        (("possession", "Fiesta", "I drive a Fiesta"), "sold the Fiesta, got a Kona", "Kona"),
        (("possession", "Fiesta", "I drive a Fiesta"), "the Fiesta died, bought a Kona last week", "Kona"),
        (("skill", "learning Greek", "I'm learning Greek"), "gave up on Greek, doing Turkish now", "Turkish"),
        (("progress", "Emma", "I'm reading Emma"), "finished Emma, on to Villette", "Villette"),
        (("employer", "Moss & Co", "I work at Moss & Co"), "I quit my job, starting at Larkfield on Monday", "Larkfield"),
        (("habit", "muesli for breakfast", "I have muesli for breakfast"), "I've swapped muesli for toast", "toast"),
        (("skill", "plays the flute", "my son plays the flute", "son"), "my son dropped the flute for drums", "drums"),
        (("employer", "码头", "我在码头上班"), "码头那边不干了，去了青禾物流", "青禾物流"),
        (("skill", "书法", "我儿子学书法", "儿子"), "书法不学了，改学轮滑", "轮滑"),
        (("habit", "早饭吃油条", "我早饭吃油条"), "早饭改吃玉米了", "吃玉米"),
        (("school", "法学", "我主修法学"), "转专业去学考古了", "考古"),
        (("likes", "青松队", "我最爱的球队是青松队"), "我现在改支持海潮队了", "海潮队"),
        (("habit", "run on Mondays", "I run on Mondays"), "switched my runs to Fridays", "run on Fridays"),
        (("habit", "一般十一点睡", "我一般十一点睡"), "现在都一点才睡", "一般一点睡"),
        (("habit", "go to bed at 10", "I go to bed at 10"), "these days I'm in bed by 9", "go to bed at 9"),
    ],
)
def test_what_comes_next(known: Fact, message: str, value: str) -> None:
    assert active(hear(learn(known), message)) == {value}


@pytest.mark.parametrize(
    ("known", "message", "left"),
    [
        (("possession", "Fiesta", "I drive a Fiesta"), "sold the Fiesta, got a coffee on the way back", set[str]()),
        (("possession", "Fiesta", "I drive a Fiesta"), "sold the Fiesta, got a good price", set[str]()),
        (("employer", "Moss & Co", "I work at Moss & Co"), "I quit my job, going home now", set[str]()),
        (("possession", "相机", "我有一台相机"), "相机卖了，买了点水果", set[str]()),
        (("habit", "早饭吃油条", "我早饭吃油条"), "电影改看晚场了", {"早饭吃油条"}),
        (("habit", "muesli for breakfast", "I have muesli for breakfast"), "I swapped seats for the view", {"muesli for breakfast"}),
        (("habit", "一般十一点睡", "我一般十一点睡"), "昨天一点才睡", {"一般十一点睡"}),
        (("skill", "书法", "我儿子学书法", "儿子"), "我不学了，改天再说", {"书法"}),
    ],
)
def test_what_puts_nothing_in_its_place(known: Fact, message: str, left: set[str]) -> None:
    assert active(hear(learn(known), message)) == left


def test_the_end_of_a_thing_does_not_swallow_the_next_one() -> None:
    judged = Candidate(attribute="possession", value="Fiesta, got a Kona", stance=Stance.NEGATE, clause="sold the Fiesta, got a Kona")
    (told,) = tidy([judged], "sold the Fiesta, got a Kona")
    assert told.value == "Fiesta"
