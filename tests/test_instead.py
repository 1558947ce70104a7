"""What is so now in the place of what was, told without saying again what it is of; periods told in a row; ties that end with somebody's work."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from memory.judge import judge
from memory.record import Memory, Source, Status
from memory.revise import applied, revise
from memory.revise.dates import date_in
from memory.revise.notice import notice
from memory.revise.tidy import tidy

WHEN = datetime(2026, 3, 30, 9, tzinfo=UTC)


def after(*texts: str) -> set[tuple[str, str, str]]:
    """(owner, attribute, value) of what is active once the texts were said, a minute apart."""
    known: Sequence[Memory] = []
    history: list[dict[str, str]] = []
    for n, text in enumerate(texts):
        now = WHEN + timedelta(minutes=n)
        found = judge(text, history=history, time=now)
        history.append({"role": "user", "content": text})

        def resolve(said: str, now: datetime = now) -> str | None:
            return date_in(said, now)

        for candidate in notice(text, known, tidy(found.candidates, text), now=now, resolve=resolve):
            known = applied(known, revise(known, candidate, user="u", now=now, source=Source(message=str(n), text=text)))
    return {(m.owner, m.attribute, m.value) for m in known if m.status is Status.ACTIVE}


@pytest.mark.parametrize(
    ("text", "active", "gone"),
    [
        ("When I was a student I drove a Fiat, now it's a Volvo.", ("possession", "Volvo"), "Fiat"),
        ("I used to keep ducks; these days it's just the three hens.", ("pet", "three hens"), "ducks"),
        ("As a kid I hated mushrooms. Love them now.", ("likes", "mushrooms"), ""),
        ("以前开丰田，现在换成奥迪了。", ("possession", "奥迪"), "丰田"),
    ],
)
def test_what_is_now_takes_the_kind_of_what_was(text: str, active: tuple[str, str], gone: str) -> None:
    found = {(a, v) for _, a, v in after(text)}
    assert active in found
    assert not gone or not any(gone in v for _, v in found)


@pytest.mark.parametrize(
    ("texts", "active"),
    [
        (("From 2009 to 2014 I worked at Marlow Freight.", "Between 2014 and 2020 I was at Hobb & Lane.", "Since 2020 I've been with Fenwick Trust."), {("employer", "Fenwick Trust")}),
        (("2003 to 2008 I lived in Bath.", "Then Exeter until 2015.", "I've been in Durham ever since."), {("location", "Durham")}),
        (("In 2011 to 2014, I was at Hobb & Lane.",), set()),
    ],
)  # fmt: skip
def test_periods_in_a_row(texts: tuple[str, ...], active: set[tuple[str, str]]) -> None:
    assert {(a, v) for _, a, v in after(*texts)} == active


@pytest.mark.parametrize(
    ("texts", "active", "gone"),
    [
        (("修空调的师傅叫方立。", "我的健身教练叫方力。", "方力改行开花店了。"), "方立", "方力"),
        (("我闺女班主任叫罗小云。", "她的舞蹈老师叫罗晓芸。", "罗晓芸回老家了，课停了。"), "罗小云", "罗晓芸"),
        (("My plumber is Phillip with two Ls.", "My accountant is called Philip.", "Phillip has retired."), "Philip", "Phillip"),
    ],
)
def test_a_tie_by_work_ends_with_the_work(texts: tuple[str, ...], active: str, gone: str) -> None:
    people = {v for _, a, v in after(*texts) if a == "relationship"}
    assert active in people
    assert gone not in people


def test_who_takes_over() -> None:
    people = {v for _, a, v in after("公司里带我的师傅叫方雷。", "方雷退休了，换成丁姐带我。") if a == "relationship"}
    assert "丁姐" in people
    assert "方雷" not in people


@pytest.mark.parametrize(
    ("texts", "active", "gone"),
    [
        (("我对虾过敏 我弟对花粉过敏", "弟弟去医院做了脱敏 现在不过敏了"), ("user", "allergy", "虾"), "花粉"),
        (("My sister plays the cello, I play the drums.", "My sister gave that up at Christmas."), ("user", "skill", "play the drums"), "plays the cello"),
        (("My flatmate's learning Korean and I'm doing Italian.", "flatmate dropped Korean after two lessons"), ("user", "skill", "doing Italian"), "Korean"),
        (("我养了一条柯基，邻居养了一条边牧。", "邻居家的边牧送回乡下了。"), ("user", "pet", "一条柯基"), "边牧"),
        (("My niece Ana is 6 and my goddaughter Anna is 11.", "Anna turned 12 yesterday."), ("niece Ana", "age", "6"), "11"),
        (("我每天走路上班，我同事小郑骑电动车。", "小郑改坐地铁了。"), ("user", "habit", "每天走路上班"), ""),
    ],
)  # fmt: skip
def test_what_is_over_for_one_is_not_for_the_other(texts: tuple[str, ...], active: tuple[str, str, str], gone: str) -> None:
    found = after(*texts)
    assert active in found
    assert not gone or not any(v == gone for _, _, v in found)


def test_aunts_are_not_one_person() -> None:
    assert {("姑姑", "location", "嘉兴"), ("小姨", "location", "珠海")} <= after("我姑姑住在嘉兴，我小姨住在珠海。")


def test_a_tie_by_work_that_will_end_has_not_ended() -> None:
    people = {v for _, a, v in after("隔壁组组长叫方丽群。", "方丽群下个月就要调去成都了。") if a == "relationship"}
    assert people == {"方丽群"}


def test_another_such_person_is_not_the_first() -> None:
    people = {v for _, a, v in after("我们组长叫方婷。", "隔壁组长叫方亭。") if a == "relationship"}
    assert people == {"方婷", "方亭"}


@pytest.mark.parametrize(
    ("texts", "gone"),
    [
        (("我养了两只鹦鹉，绿的叫豆丁，蓝的叫斗丁。", "斗丁送给楼下阿姨养了。"), "斗丁"),
        (("我妹妹在恒远保险上班。", "妹妹跳槽了，去一家诊所做前台。"), "恒远保险"),
        (("我和室友都在学古筝。", "室友说不学了。"), ""),
        (("I've two cats called Tilly and Tully.", "Tully got run over last week."), "Tully"),
        (("我姐有糖尿病，我有胃炎。", "我姐减了三十斤，医生说糖尿病逆转了。"), "糖尿病"),
        (("我表弟开店卖手机，我开店卖茶叶。", "表弟的手机店倒闭了。"), "开店卖手机"),
        (("我老公不吃羊肉，我不吃牛肉。", "老公现在羊肉也吃了。"), "羊肉"),
        (("我原来叫李招娣，两年前改成李昭迪了。",), "李招娣"),
    ],
)
def test_what_ends_ends_for_whom_it_is_said_of(texts: tuple[str, ...], gone: str) -> None:
    found = after(*texts)
    assert not any(v == gone for _, _, v in found)
    assert found


def test_a_break_up_of_somebody_else_is_not_the_users() -> None:
    found = after("我单身 我闺蜜有男朋友", "闺蜜分手了 哭了一晚上")
    assert ("user", "relationship", "单身") in found
    assert not any(o == "user" and v == "男朋友" for o, _, v in found)


def test_where_one_grew_up_is_not_where_one_was_born() -> None:
    found = {(a, v) for _, a, v in after("I was born in Lagos.", "I grew up in Leeds.")}
    assert {("hometown", "Lagos"), ("hometown", "Leeds")} <= found
