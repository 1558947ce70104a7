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


@pytest.mark.parametrize(
    ("known", "message", "holds", "over"),
    [
        (("occupation", "销售部的组长", "我是销售部的组长"), "上周升主管了", "主管", "销售部的组长"),
        (("occupation", "junior analyst", "I'm a junior analyst"), "got promoted to senior analyst last week", "senior analyst", "junior analyst"),
        (("relationship", "孙大夫", "我主治医生是孙大夫"), "换成鲁大夫给我看了", "鲁大夫", "孙大夫"),
        (("plan", "把阳台重新装修一下", "我打算把阳台重新装修一下"), "阳台装修完了", "阳台装修完了", "把阳台重新装修一下"),
        (("plan", "买房", "我打算买房"), "房子买好了", "房子买好了", "买房"),
        (("health", "asthma", "I have asthma"), "doctor says the asthma's gone", "", "asthma"),
    ],
)
def test_what_has_come_about(known: Fact, message: str, holds: str, over: str) -> None:
    told = active(hear(learn(known), message))
    assert over not in told
    assert not holds or holds in told


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (("occupation", "组长", "我是组长"), "我想升主管"),
        (("occupation", "junior analyst", "I'm a junior analyst"), "my brother got promoted to senior analyst"),
        (("relationship", "孙大夫", "我主治医生是孙大夫"), "换成别的时间给我看了"),
        (("plan", "买房", "我打算买房"), "房子还没装修完"),
        (("health", "asthma", "I have asthma"), "doctor says the rash is gone"),
    ],
)
def test_what_has_not_come_about(known: Fact, message: str) -> None:
    before = learn(known)
    assert active(before) <= active(hear(before, message))


def test_whoever_parts_is_told_of_by_name() -> None:
    told = tidy([Candidate(attribute="relationship", value="和晓晴分手", clause="我和晓晴分手了")], "我和晓晴分手了")
    assert [(c.value, c.stance) for c in told] == [("晓晴", Stance.NEGATE)]
    told = tidy([Candidate(attribute="relationship", value="broke up", clause="Tara and I broke up")], "Tara and I broke up")
    assert [(c.value, c.stance) for c in told] == [("Tara", Stance.NEGATE)]


def test_the_end_of_a_thing_does_not_swallow_the_next_one() -> None:
    judged = Candidate(attribute="possession", value="Fiesta, got a Kona", stance=Stance.NEGATE, clause="sold the Fiesta, got a Kona")
    (told,) = tidy([judged], "sold the Fiesta, got a Kona")
    assert told.value == "Fiesta"
