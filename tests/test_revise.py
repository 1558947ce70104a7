"""`revise` by kind of change, in both languages: each story is a list of (day, candidate) and what must be true at its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory.judge.judgement import Candidate, Stance
from memory.record import USER, Memory, Source, Status
from memory.revise import Op, applied, revise

START = datetime(2025, 3, 1, 9, tzinfo=UTC)
NEGATE, PAST, CORRECT = Stance.NEGATE, Stance.PAST, Stance.CORRECT


def say(attribute: str, value: str, clause: str, **more: Any) -> Candidate:
    return Candidate(attribute=attribute, value=value, clause=clause, **more)


@dataclass
class Told:
    known: list[Memory]
    ops: list[Op]
    reasons: list[str]

    def values(self, attribute: str, owner: str = USER, status: Status = Status.ACTIVE) -> set[str]:
        return {m.value for m in self.known if m.attribute == attribute and m.owner == owner and m.status is status}

    def times(self, attribute: str) -> set[str | None]:
        return {m.time for m in self.known if m.attribute == attribute and m.status is Status.ACTIVE}


def tell(*turns: tuple[int, Candidate] | tuple[int, Candidate, Candidate], known: Sequence[Memory] = ()) -> Told:
    told = Told(list(known), [], [])
    for n, (day, *candidates) in enumerate(turns):
        now = START + timedelta(days=day)
        for candidate in candidates:
            assert isinstance(candidate, Candidate)
            found = revise(told.known, candidate, user="u", now=now, source=Source(message=f"m{n}", text=candidate.clause))
            told.known = applied(told.known, found)
            told.ops += [r.op for r in found]
            told.reasons += [r.reason for r in found]
            assert all(r.reason for r in found)
    assert len({m.key for m in told.known}) == len(told.known)
    return told


# one value at a time


def test_a_new_city_supersedes_the_old_one_and_ends_the_address() -> None:
    told = tell(
        (0, say("location", "昆明", "我住在昆明")),
        (1, say("location", "翠湖北路12号", "地址是翠湖北路12号")),
        (90, say("location", "大理", "上个月搬到大理了", valid_from="2025-04")),
    )
    assert told.values("location") == {"大理"}
    assert told.values("location", status=Status.SUPERSEDED) == {"昆明", "翠湖北路12号"}
    assert told.ops == [Op.ADD, Op.ADD, Op.SUPERSEDE, Op.RETIRE]
    new = next(m for m in told.known if m.value == "大理")
    assert new.valid_from == datetime(2025, 4, 1, tzinfo=UTC)
    assert next(m for m in told.known if m.value == "昆明").valid_to == new.valid_from
    assert new.fact == next(m for m in told.known if m.value == "昆明").fact


def test_a_new_employer_leaves_city_and_profession_alone() -> None:
    told = tell(
        (0, say("location", "Leeds", "I live in Leeds"), say("employer", "Brackley Mills", "I work at Brackley Mills")),
        (1, say("occupation", "weaver", "I'm a weaver")),
        (60, say("employer", "Ostrava Textiles", "I joined Ostrava Textiles")),
    )
    assert told.values("location") == {"Leeds"}
    assert told.values("occupation") == {"weaver"}
    assert told.values("employer") == {"Ostrava Textiles"}


def test_there_and_back_again() -> None:
    told = tell(
        (0, say("employer", "青禾书店", "我在青禾书店上班")),
        (30, say("employer", "远帆物流", "跳槽去了远帆物流")),
        (90, say("employer", "青禾书店", "又回青禾书店了")),
    )
    assert told.values("employer") == {"青禾书店"}
    assert told.values("employer", status=Status.SUPERSEDED) == {"远帆物流", "青禾书店"}


def test_part_time_work_stands_beside_the_main_job() -> None:
    told = tell((0, say("employer", "海棠中学", "我在海棠中学上班")), (5, say("employer", "琴行", "周末在琴行兼职")))
    assert told.values("employer") == {"海棠中学", "琴行"}


def test_two_phones_only_after_a_change_is_one() -> None:
    told = tell(
        (0, say("possession", "山岚5", "我的手机是山岚5")),
        (1, say("possession", "机械手表", "我还有一块机械手表")),
        (50, say("possession", "星芒2", "手机换成星芒2了")),
    )
    assert told.values("possession") == {"机械手表", "星芒2"}


def test_things_owned_add_up() -> None:
    told = tell((0, say("possession", "tandem bike", "I own a tandem bike")), (9, say("possession", "canoe", "Bought a canoe")))
    assert told.values("possession") == {"tandem bike", "canoe"}


def test_a_closed_mailbox_and_its_successor() -> None:
    told = tell(
        (0, say("contact", "olu@old.example", "My email is olu@old.example"), say("contact", "020 7946 0000", "and my phone is 020 7946 0000")),
        (9, say("contact", "that mailbox", "I shut that mailbox", stance=NEGATE), say("contact", "olu@new.example", "use olu@new.example instead")),
    )
    assert told.values("contact") == {"olu@new.example", "020 7946 0000"}


def test_two_numbers_are_two_contacts_until_one_is_replaced() -> None:
    told = tell((0, say("contact", "13900000001", "电话13900000001")), (1, say("contact", "13900000002", "还有一个号码13900000002")))
    assert told.values("contact") == {"13900000001", "13900000002"}
    told = tell((0, say("contact", "13900000001", "电话13900000001")), (1, say("contact", "13900000002", "手机号换成13900000002了")))
    assert told.values("contact") == {"13900000002"}


# sameness


@pytest.mark.parametrize(
    ("attribute", "one", "other"),
    [
        ("likes", "红茶", "绿茶"),
        ("allergy", "花生", "花粉"),
        ("contact", "13900000001", "13900000011"),
        ("relationship", "张伟", "张薇"),
        ("skill", "弹吉他", "弹钢琴"),
        ("likes", "dark chocolate", "white chocolate"),
        ("plan", "去日本旅游", "去韩国旅游"),
    ],
)
def test_alike_but_two_things(attribute: str, one: str, other: str) -> None:
    told = tell((0, say(attribute, one, one)), (1, say(attribute, other, other)))
    assert told.values(attribute) == {one, other}


@pytest.mark.parametrize(
    ("attribute", "one", "other"),
    [
        ("other", "身高168厘米", "1米68"),
        ("health", "70公斤", "140斤"),
        ("relationship", "两个孩子", "2个孩子"),
        ("location", "高雄市", "高雄"),
        ("likes", "喝烏龍茶", "喝乌龙茶"),
        ("skill", "ＳＱＬ", "sql"),
        ("birthday", "5月6日", "05-06"),
        ("occupation", "软件工程师", "程序员"),
        ("habit", "每天早上跑步", "早上跑步"),
        ("other", "two dozen pupils", "24 pupils"),
        ("likes", "hiking", "登山"),
    ],
)
def test_one_thing_in_two_forms(attribute: str, one: str, other: str) -> None:
    told = tell((0, say(attribute, one, one)), (1, say(attribute, other, other)), (2, say(attribute, one, one)))
    assert told.ops == [Op.ADD, Op.STRENGTHEN, Op.STRENGTHEN]
    assert [m.evidence for m in told.known] == [3]


@pytest.mark.parametrize(
    ("attribute", "old", "new"), [("health", "82公斤", "156斤"), ("relationship", "one child", "two children"), ("health", "5 mg", "7500 mcg")]
)
def test_another_amount_of_one_thing_replaces_it(attribute: str, old: str, new: str) -> None:
    told = tell((0, say(attribute, old, old)), (40, say(attribute, new, new)))
    assert told.values(attribute) == {new}


# likes, dislikes, habits


def test_what_is_disliked_is_no_longer_liked() -> None:
    told = tell(
        (0, say("likes", "香菜", "我爱吃香菜"), say("likes", "韭菜", "也爱吃韭菜")),
        (9, say("dislikes", "香菜", "现在讨厌香菜")),
    )
    assert told.values("likes") == {"韭菜"}
    assert told.values("dislikes") == {"香菜"}


def test_a_habit_given_up_is_history() -> None:
    told = tell((0, say("habit", "每天喝咖啡", "我每天喝咖啡")), (9, say("habit", "咖啡", "我不再喝咖啡了", stance=NEGATE)))
    assert told.values("habit") == set()
    assert told.values("habit", status=Status.SUPERSEDED) == {"每天喝咖啡"}
    told = tell((0, say("habit", "抽烟", "我戒烟了", stance=NEGATE)))
    assert told.values("habit", status=Status.SUPERSEDED) == {"抽烟"}


def test_denying_what_nobody_said_changes_nothing() -> None:
    told = tell((0, say("plan", "婚礼", "没有要办婚礼", stance=NEGATE)))
    assert told.ops == [Op.IGNORE]
    assert not told.known


def test_it_means_the_thing_just_spoken_of() -> None:
    told = tell(
        (0, say("likes", "滑雪", "我喜欢滑雪")),
        (1, say("likes", "游泳", "我喜欢游泳")),
        (9, say("likes", "那个", "对那个没兴趣了", stance=NEGATE)),
    )
    assert told.values("likes") == {"滑雪"}


# instructions


def test_instructions_add_up_but_styles_exclude_each_other() -> None:
    told = tell(
        (0, say("instruction", "用英文回答", "请用英文回答")),
        (1, say("instruction", "标注出处", "另外要标注出处")),
        (9, say("instruction", "用中文", "改成中文吧")),
    )
    assert told.values("instruction") == {"标注出处", "用中文"}
    told = tell(
        (0, say("instruction", "keep answers short", "keep answers short")), (1, say("instruction", "detailed answers", "I'd like detailed answers"))
    )
    assert told.values("instruction") == {"detailed answers"}


# people


def test_two_people_do_not_mix() -> None:
    told = tell(
        (0, say("birthday", "9 May", "My birthday is 9 May"), say("birthday", "3 June", "my cousin's is 3 June", owner="cousin")),
        (3, say("birthday", "5 June", "I got hers wrong, it's 5 June", owner="her", stance=CORRECT)),
    )
    assert told.values("birthday") == {"9 May"}
    assert told.values("birthday", "cousin") == {"5 June"}


def test_a_name_and_a_tie_are_one_person_when_a_fact_says_so() -> None:
    told = tell(
        (0, say("relationship", "乐乐", "我侄女叫乐乐", content="侄女叫乐乐"), say("age", "5岁", "5岁", owner="侄女")),
        (0, say("relationship", "朵朵", "我外甥女叫朵朵", content="外甥女叫朵朵"), say("age", "8岁", "8岁", owner="外甥女")),
        (200, say("age", "6岁", "乐乐6岁了", owner="乐乐")),
    )
    assert told.values("age", "侄女") == {"6岁"}
    assert told.values("age", "外甥女") == {"8岁"}


def test_a_pronoun_means_the_person_of_that_gender_spoken_of_last() -> None:
    told = tell(
        (0, say("employer", "白鹭医院", "我老公在白鹭医院上班", owner="老公")),
        (1, say("employer", "花店", "我妹妹在花店上班", owner="妹妹")),
        (9, say("employer", "", "他上个月辞职了", owner="他", stance=NEGATE, valid_to="2025-02")),
    )
    assert told.values("employer", "老公") == set()
    assert told.values("employer", "妹妹") == {"花店"}
    told = tell((0, say("employer", "花店", "他在花店上班", owner="他")))
    assert told.ops == [Op.IGNORE]


def test_my_mum_and_mother_are_one() -> None:
    told = tell(
        (0, say("allergy", "pollen", "my mum is allergic to pollen", owner="my mum")),
        (1, say("allergy", "pollen", "Mother's pollen allergy", owner="mother")),
    )
    assert told.ops == [Op.ADD, Op.STRENGTHEN]


def test_a_definite_noun_finds_its_fact() -> None:
    told = tell(
        (0, say("pet", "画眉", "爷爷养了只画眉", owner="爷爷")),
        (1, say("pet", "乌龟", "我养了只乌龟")),
        (9, say("pet", "那只鸟", "爷爷那只鸟飞走了", owner="爷爷", stance=NEGATE)),
    )
    assert told.values("pet", "爷爷") == set()
    assert told.values("pet") == {"乌龟"}


# plans


def test_a_moved_date_replaces_the_old_one() -> None:
    told = tell(
        (0, say("plan", "去做体检", "下周三去做体检", time="2025-03-05")),
        (1, say("plan", "体检", "体检改到周五了", time="2025-03-07")),
    )
    assert told.times("plan") == {"2025-03-07"}
    assert told.values("plan", status=Status.SUPERSEDED) == {"去做体检"}


def test_a_cancelled_plan_is_gone_and_others_stay() -> None:
    told = tell(
        (0, say("plan", "去冰岛玩", "打算8月去冰岛玩", time="2025-08")),
        (1, say("plan", "考驾照", "准备考驾照")),
        (20, say("plan", "冰岛旅行", "冰岛旅行取消了", stance=NEGATE)),
    )
    assert told.values("plan") == {"考驾照"}


def test_what_came_true_is_no_longer_a_plan() -> None:
    told = tell((0, say("plan", "考科目三", "下个月考科目三")), (30, say("event", "科目三过了", "科目三过了")))
    assert told.values("plan") == set()
    assert told.values("event") == {"科目三过了"}
    told = tell((0, say("plan", "getting married", "We're getting married in May")), (90, say("relationship", "married", "We're married now")))
    assert told.values("plan") == set()
    assert told.values("relationship") == {"married"}


def test_a_correction_of_a_date() -> None:
    told = tell(
        (0, say("plan", "flight to Bergen", "My flight to Bergen is on 3 May", time="2025-05-03")),
        (2, say("plan", "Bergen flight", "Correction: the Bergen flight is on 6 May", time="2025-05-06", stance=CORRECT)),
    )
    assert told.times("plan") == {"2025-05-06"}


# corrections


def test_a_correction_without_the_old_value() -> None:
    told = tell(
        (0, say("allergy", "芒果", "我对芒果过敏")),
        (1, say("allergy", "菠萝", "之前说的不对，其实是对菠萝过敏", stance=CORRECT)),
    )
    assert told.values("allergy") == {"菠萝"}
    wrong = next(m for m in told.known if m.value == "芒果")
    assert wrong.valid_from == wrong.valid_to  # it never was so


def test_a_correction_that_names_the_old_value() -> None:
    told = tell(
        (0, say("likes", "jazz", "I like jazz"), say("likes", "folk", "and folk")),
        (1, say("likes", "blues", "not jazz, blues", stance=CORRECT, replaces="jazz")),
    )
    assert told.values("likes") == {"folk", "blues"}


def test_correcting_a_number() -> None:
    told = tell((0, say("age", "43", "I'm 43")), (1, say("age", "34", "typo: I'm 34", stance=CORRECT)))
    assert told.values("age") == {"34"}


# time


def test_periods_that_do_not_touch_stay_apart() -> None:
    told = tell(
        (0, say("location", "Porto", "2010 to 2012 in Porto", valid_from="2010", valid_to="2012")),
        (0, say("location", "Lyon", "Lyon in 2013", valid_from="2013", valid_to="2013")),
        (0, say("location", "Porto", "Porto again since 2020", valid_from="2020")),
    )
    assert told.values("location") == {"Porto"}
    assert sorted((m.value, m.valid_from.year if m.valid_from else 0) for m in told.known) == [("Lyon", 2013), ("Porto", 2010), ("Porto", 2020)]


def test_past_and_present_in_one_message() -> None:
    told = tell((0, say("location", "银川", "我以前住银川", stance=PAST), say("location", "西安", "现在住西安")))
    assert told.values("location") == {"西安"}
    assert told.values("location", status=Status.SUPERSEDED) == {"银川"}


def test_used_to_ends_what_was_believed_to_hold() -> None:
    told = tell((0, say("habit", "cycling to work", "I cycle to work")), (9, say("habit", "cycling to work", "I used to cycle to work", stance=PAST)))
    assert told.values("habit") == set()


def test_an_old_message_does_not_override_newer_facts() -> None:
    told = tell((60, say("location", "兰州", "我搬到兰州了")), (0, say("location", "西宁", "我住在西宁")))
    assert told.values("location") == {"兰州"}
    old = next(m for m in told.known if m.value == "西宁")
    assert old.status is Status.SUPERSEDED
    assert old.valid_to == START + timedelta(days=60)
    told = tell(
        (0, say("likes", "tea", "I like tea")), (60, say("likes", "tea", "tea again please")), (30, say("likes", "tea", "no more tea", stance=NEGATE))
    )
    assert told.values("likes") == {"tea"}


def test_a_passing_state_leaves_the_lasting_one() -> None:
    told = tell(
        (0, say("location", "珠海", "我住在珠海")),
        (9, say("location", "贵阳", "这周在贵阳出差")),
        (9, say("location", "贵阳", "在贵阳", temporary=True)),
    )
    assert told.values("location") == {"珠海"}
    assert told.ops == [Op.ADD, Op.IGNORE, Op.IGNORE]


def test_replaying_a_log_changes_nothing() -> None:
    turns = (
        (0, say("location", "A市", "我住A市")),
        (10, say("location", "B市", "搬到B市了")),
        (20, say("location", "A市", "又搬回A市")),
        (30, say("likes", "桂花", "我喜欢桂花")),
        (40, say("likes", "桂花", "我喜欢桂花")),
        (50, say("likes", "桂花", "不喜欢桂花了", stance=NEGATE)),
    )
    once = tell(*turns)
    twice = tell(*turns, known=once.known)
    assert set(twice.ops) == {Op.IGNORE}
    assert sorted(twice.known, key=lambda m: m.key) == sorted(once.known, key=lambda m: m.key)


# pending


def test_a_doubtful_fact_waits_until_it_is_repeated() -> None:
    told = tell((0, say("likes", "黑巧", "好像挺喜欢黑巧", confidence=0.6)))
    assert told.ops == [Op.HOLD]
    assert told.values("likes", status=Status.PENDING) == {"黑巧"}
    again = tell((1, say("habit", "x", "x")), (3, say("likes", "黑巧", "还是喜欢黑巧", confidence=0.6)), known=told.known)
    assert again.values("likes") == {"黑巧"}
    assert again.values("likes", status=Status.PENDING) == set()


def test_the_users_word_makes_it_certain() -> None:
    told = tell((0, say("likes", "黑巧", "记住我喜欢黑巧", confidence=0.6, explicit=True)))
    assert told.ops == [Op.ADD]


def test_reasons_speak_the_candidates_language() -> None:
    assert tell((0, say("likes", "tea", "I like tea"))).reasons == ["a new fact"]
    assert tell((0, say("likes", "茶", "我喜欢茶"))).reasons == ["新的事实"]
