"""What the span reader found, beside what is known: hints that fit, values in place of others, what the rules understood already."""

from datetime import UTC, datetime
from typing import Any

from memory.judge.judgement import Candidate, Stance
from memory.record import Memory, Source, Status
from memory.revise.learnt import learnt

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def known(attribute: str, value: str, status: Status = Status.ACTIVE) -> Memory:
    return Memory(
        key=value, fact=value, user="u", category="preference", attribute=attribute, value=value, content=value, recorded_at=NOW, updated_at=NOW,
        status=status, source=Source(text=value),
    )  # fmt: skip


def read(attribute: str, value: str, clause: str, sure: float, **more: Any) -> Candidate:
    return Candidate(attribute=attribute, value=value, clause=clause, confidence=sure, learnt=True, **more)


def test_a_hint_that_fits_nothing_is_dropped() -> None:
    assert learnt("如今喝绿茶", [], [read("habit", "绿茶", "如今喝绿茶", 0.4, turned=True)], []) == []


def test_a_hint_of_a_new_value_takes_the_place_of_the_known_one() -> None:
    found = learnt("如今喝绿茶", [known("habit", "红茶")], [read("habit", "绿茶", "如今喝绿茶", 0.4, turned=True)], [])
    assert [(c.value, c.replaces) for c in found] == [("绿茶", "红茶")]
    assert found[0].confidence >= 0.7


def test_what_comes_with_an_end_takes_the_attribute_of_what_ended() -> None:
    text = "Settled in Perth, no more Leeds rain"
    hints = [
        read("plan", "Perth", "Settled in Perth", 0.3),
        read("location", "Leeds rain", "no more Leeds rain", 0.4, stance=Stance.NEGATE, turned=True),
    ]
    found = learnt(text, [known("location", "Leeds")], hints, [])
    assert [(c.attribute, c.value, c.replaces) for c in found] == [("location", "Perth", "Leeds")]


def test_one_thing_more_replaces_nothing() -> None:
    found = learnt("现在也喝绿茶", [known("habit", "红茶")], [read("habit", "绿茶", "现在也喝绿茶", 0.8, turned=True)], [])
    assert [(c.value, c.replaces) for c in found] == [("绿茶", None)]


def test_an_end_is_believed_only_of_what_is_known() -> None:
    over = read("habit", "抽烟", "不抽烟了", 0.4, stance=Stance.NEGATE, turned=True)
    assert [(c.value, c.stance) for c in learnt("不抽烟了", [known("habit", "抽烟")], [over], [])] == [("抽烟", Stance.NEGATE)]
    assert learnt("不抽烟了", [known("habit", "喝茶")], [over], []) == []


def test_what_the_rules_understood_needs_no_reading() -> None:
    rule = Candidate(attribute="habit", value="一天抽8根", replaces="一天抽20根", clause="压到8根了")
    assert learnt("压到8根了", [known("habit", "一天抽20根")], [read("habit", "8根", "压到8根了", 0.9, turned=True)], [rule]) == []


def test_a_value_of_a_period_that_is_over_is_past() -> None:
    text = "头一辆车是蓝鸟，2011年开到2017年"
    assert [c.stance for c in learnt(text, [], [read("possession", "蓝鸟", "头一辆车是蓝鸟", 0.8)], [])] == [Stance.PAST]


def test_a_passing_state_is_no_reading() -> None:
    assert learnt("这周吃素", [known("habit", "吃肉")], [read("habit", "吃素", "这周吃素", 0.9, turned=True)], []) == []


def test_a_change_of_what_waits_is_believed_without_ending_it() -> None:
    found = learnt("现在喝绿茶", [known("habit", "红茶", Status.PENDING)], [read("habit", "绿茶", "现在喝绿茶", 0.4, turned=True)], [])
    assert [(c.value, c.replaces) for c in found] == [("绿茶", None)]


def test_of_values_that_exclude_each_other_the_surest_stays() -> None:
    both = [read("employer", "Hale & Rowe", "I'm with Hale & Rowe", 0.9), read("employer", "the contracts team", "in the contracts team", 0.7)]
    assert [c.value for c in learnt("I'm with Hale & Rowe, in the contracts team", [], both, [])] == ["Hale & Rowe"]


def test_a_new_habit_of_another_kind_replaces_nothing() -> None:
    found = learnt("如今喝绿茶", [known("habit", "每天跑步")], [read("habit", "绿茶", "如今喝绿茶", 0.8, turned=True)], [])
    assert [(c.value, c.replaces) for c in found] == [("绿茶", None)]


def test_a_new_plan_ends_no_other() -> None:
    found = learnt("提前囤了五盒布丁", [known("plan", "拔智齿")], [read("plan", "五盒布丁", "提前囤了五盒布丁", 0.8, turned=True)], [])
    assert [(c.value, c.replaces) for c in found] == [("五盒布丁", None)]
