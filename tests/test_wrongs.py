"""What is taken back in the same breath, and hours that move: the right value, and nothing else, is changed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from memory.judge import judge
from memory.record import Memory, Source, Status
from memory.revise import applied, revise
from memory.revise.dates import date_in
from memory.revise.notice import notice
from memory.revise.tidy import tidy
from memory.small_model import small_model

START = datetime(2026, 11, 30, 9, tzinfo=UTC)


def said(*messages: str) -> set[tuple[str, str, str]]:
    """The facts that hold after the messages, a day apart."""
    known: Sequence[Memory] = []
    for n, text in enumerate(messages):
        now = START + timedelta(days=n)
        facts = tidy(judge(text, time=now, model=small_model()).facts, text)
        for c in notice(text, known, facts, now=now, resolve=lambda t, now=now: date_in(t, now)):  # type: ignore[misc]
            known = applied(known, revise(known, c, user="u", now=now, source=Source(message=str(n), text=text)))
    return {(m.owner, m.attribute, m.value) for m in known if m.status is Status.ACTIVE}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我妹妹生日是8月2号……啊不是，8月12号", ("妹妹", "birthday", "8月12号")),
        ("我叫何琳，不对，打错了，是何霖", ("user", "name", "何霖")),
        ("我家在厦门，不对，泉州", ("user", "location", "泉州")),
        ("我对花生过敏，哦不是，是腰果", ("user", "allergy", "腰果")),
        ("我今年41岁，说错了，42", ("user", "age", "42")),
        ("My favourite colour is red. No wait, teal.", ("user", "likes", "teal")),
        ("I live in Leeds, no wait, Bradford.", ("user", "location", "Bradford")),
        ("My name is Jon, sorry, I meant Joan.", ("user", "name", "Joan")),
        ("I'm allergic to peanuts. Wait, no, almonds.", ("user", "allergy", "almonds")),
    ],
)
def test_the_value_put_right_in_the_same_message_is_the_one_kept(text: str, fact: tuple[str, str, str]) -> None:
    assert said(text) == {fact}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我叫何琳，不是何霖", ("user", "name", "何琳")),
        ("我住在厦门，不对劲的是房租太贵", ("user", "location", "厦门")),
        ("I live in Leeds. Actually no, I don't like it here.", ("user", "location", "Leeds")),
        ("My dog is called Rex. No wait, I forgot to say he's brown.", ("user", "pet", "Rex")),
    ],
)
def test_what_only_looks_like_a_correction_changes_nothing(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in said(text)


@pytest.mark.parametrize(
    ("home", "meeting", "moved", "now"),
    [
        ("我家在厦门", "周五下午三点开会", "改到四点了", "周五下午四点开会"),
        ("我家在厦门", "周五下午三点开会", "会议推迟到晚上七点", "周五晚上七点开会"),
        ("我家在厦门", "下周一上午十点面试", "面试改到下午两点了", "下周一下午两点面试"),
        ("我家在厦门", "周三上午九点看牙医", "牙医改到十点半了", "周三上午十点半看牙医"),
        ("我家在厦门", "周五下午三点开会", "没改到四点", "周五下午三点开会"),
        (
            "I live in Leeds", "I have a dentist appointment on Friday at 3pm", "the dentist got moved to 4:30pm",
            "dentist appointment on Friday at 4:30pm",
        ),
    ],
)  # fmt: skip
def test_another_hour_is_the_appointments_and_no_place(home: str, meeting: str, moved: str, now: str) -> None:
    assert {v for _, _, v in said(home, meeting, moved)} == {home[-2:] if home.startswith("我") else "Leeds", now}


def test_an_hour_without_an_appointment_changes_nothing() -> None:
    assert said("我家在厦门", "改到四点了") == {("user", "location", "厦门")}


@pytest.mark.parametrize(
    ("habit", "once"),
    [
        ("周末一般去爬山", "这周末不去爬山了，要加班"), ("我每天跑步", "今天不跑步了，太累"), ("我喜欢喝咖啡", "今天不喝咖啡了"),
        ("I go running every morning", "I'm not going running today"),
    ],
)  # fmt: skip
def test_what_is_left_out_once_is_no_habit_given_up(habit: str, once: str) -> None:
    assert said(habit) <= said(habit, once)


@pytest.mark.parametrize(
    ("habit", "over"), [("我每天跑步", "我不跑步了"), ("我每天跑步", "从今天起不跑步了"), ("I play tennis", "I quit tennis this week")]
)
def test_what_is_given_up_is_over(habit: str, over: str) -> None:
    assert not said(habit) & said(habit, over)


@pytest.mark.parametrize(
    ("told", "joke"),
    [
        ("我养了只猫叫豆包", "我开玩笑的，我没有猫"),
        ("我养了只猫叫豆包", "逗你的，其实没养猫"),
        ("I have a dog called Rex", "I was joking, I don't have a dog"),
    ],
)
def test_a_joke_is_taken_back(told: str, joke: str) -> None:
    assert not said(told, joke)


def test_a_joke_takes_back_only_what_it_names() -> None:
    assert ("user", "pet", "旺财") in said("我养了只狗叫旺财", "我养了只猫叫豆包", "开玩笑的啦，其实没养猫")
    assert ("user", "pet", "豆包") in said("我养了只猫叫豆包", "我爱开玩笑，我没有车")


def test_not_that_but_this_takes_the_place_of_that() -> None:
    assert said("My brother Dan is allergic to nuts", "Correct that: Dan is allergic to milk, not nuts") == {("brother Dan", "allergy", "milk")}
    assert len(said("My brother Dan is allergic to nuts", "Dan is allergic to milk")) == 2


@pytest.mark.parametrize(
    ("messages", "facts"),
    [
        (("下个月十五号我们要去衢州玩三天", "衢州不去了，改去温州"), {("user", "plan", "去温州")}),
        (("我准备考日语二级", "日语不考了，改考西语"), {("user", "plan", "考西语")}),
        (("我养了一只乌龟", "乌龟不养了，改养金鱼"), {("user", "pet", "金鱼")}),
        (("我在学二胡", "不学二胡了，改学古琴"), {("user", "skill", "古琴")}),
    ],
)
def test_what_is_done_instead_takes_the_place_of_what_was_given_up(messages: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    assert said(*messages) == facts


@pytest.mark.parametrize(
    ("messages", "habit"),
    [
        (("最近在学古筝，每周三晚上去上课", "哦对了，古筝课改到周四了"), "每周四晚上去上课"),
        (("我每周六上午上插花课", "插花课改成周日了"), "每周日上午上插花课"),
        (("我每天早上七点跑步", "跑步改到晚上了"), "每天晚上跑步"),
        (("我每周一学琴，每周四学舞", "琴改到周二了"), "每周二学琴"),
        (("I have choir every Monday", "Choir is on Wednesdays now"), "choir every Wednesday"),
    ],
)
def test_a_habit_gets_its_new_day(messages: tuple[str, ...], habit: str) -> None:
    now = said(*messages)
    assert any(attribute == "habit" and habit in value for _, attribute, value in now)
    assert not any(attribute == "plan" for _, attribute, _ in now)


@pytest.mark.parametrize(
    "messages", [("我每周三去游泳", "这周的游泳改到周五"), ("我每周三去游泳", "公司例会改到周五了"), ("我每周三去游泳", "明天游泳改到早上")]
)
def test_another_day_for_once_or_of_something_else_leaves_the_habit(messages: tuple[str, ...]) -> None:
    assert ("user", "habit", "每周三去游泳") in said(*messages)


@pytest.mark.parametrize(
    ("messages", "facts"),
    [
        (("We're flying to Oslo on 18 December", "We had to cancel Oslo, going to Bergen instead"), {("user", "plan", "going to Bergen")}),
        (("I'm planning to study law", "Scrapped the law idea, doing nursing instead"), {("user", "plan", "doing nursing")}),
        (("I'm a nurse", "I've left nursing for good"), set()),
        (("I teach maths", "I left teaching the kids to Ana"), {("user", "occupation", "teach maths")}),
        (("We're flying to Oslo on 18 December", "Would you go to Bergen instead?"), {("user", "plan", "flying to Oslo")}),
    ],
)
def test_instead_of_what_was_given_up(messages: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    told = {f for f in said(*messages) if f[1] in {"plan", "occupation"}}
    assert told == facts


@pytest.mark.parametrize(
    ("messages", "facts"),
    [
        (("我现在退休了，以前是木匠", "我退休前是干什么的"), {("user", "occupation", "退休")}),
        (("dissertation 的 deadline 是 2027年9月3号", "我拿到 Acme 的 offer 了！"), {("user", "event", "dissertation 的 deadline 是 2027年9月3号")}),
        (("My favourite band is Wilco", "No, wait, it's nothing"), {("user", "likes", "Wilco")}),
        (("我最近在戒烟", "戒烟失败了"), set()),
        (("我爸住院了", "我爸出院了"), set()),
        (("My mom's in the hospital right now", "Mom's home from the hospital"), set()),
        (("我血压高", "血压现在正常了"), set()),
        (("我打算年底把老车卖掉", "老车不卖了，还能跑"), set()),
        (("打算下个月给卧室刷漆", "卧室不刷漆了，味太大"), set()),
        (("打算下个月给卧室刷漆", "客厅不刷漆了，味太大"), {("user", "plan", "给卧室刷漆")}),
        (("我开了家包子铺", "今天包子卖光了，早早收摊"), {("user", "occupation", "开了家包子铺")}),
        (("我家乌龟叫慢慢", "把慢慢送给表哥养了"), set()),
        (("我住在厦门", "改到下周日了"), {("user", "location", "厦门")}),
        (("我儿子在柳荫小学读二年级", "这学期给他转学了，现在读北坡小学"), {("儿子", "school", "北坡小学")}),
        (("我每月房租一千八", "同事的房租要三千五"), {("user", "other", "一千八")}),
        (("我对milk过敏", "再说一次，我对牛奶过敏"), {("user", "allergy", "milk")}),
        (("我报了名，十月要跑马拉松",), {("user", "plan", "跑马拉松")}),
        (("打算下周三去南昌",), {("user", "plan", "南昌")}),
        (("I restring rackets at Oakley Sports",), {("user", "employer", "Oakley Sports"), ("user", "occupation", "restring rackets")}),
        (("我住梧桐路", "搬进单位宿舍了"), {("user", "location", "单位宿舍")}),
        (("我弟在松岭中学教化学", "打错了，他教的是生物"), {("弟", "employer", "松岭中学"), ("弟", "occupation", "生物")}),
        (("我的phone number是15800001111", "换号了，新number是15900002222，旧的停了"), {("user", "contact", "15900002222")}),
        (("我在青禾咖啡做barista",), {("user", "employer", "青禾咖啡"), ("user", "occupation", "barista")}),
        (("我老家是泰州", "之前讲错了，其实老家是扬州，泰州是我上高中的地方"), {("user", "hometown", "扬州"), ("user", "school", "泰州")}),
        (("我吃氨氯地平", "医生把氨氯地平换成缬沙坦了"), {("user", "habit", "缬沙坦")}),
        (("我养了条狗，叫大黄", "大黄上礼拜没了"), set()),
        (("My wife is Petra", "We broke up, me and Petra"), set()),
        (("My husband is Mark", "Mark and I are separating"), set()),
        (("我老婆叫小雅，我妹妹叫小梅", "我们离婚了"), {("user", "relationship", "小梅")}),
        (("儿子在青岛跑运输", "儿子不跑运输了，歇着呢"), {("儿子", "location", "青岛")}),
        (("乐乐是我儿子，他喜欢踢足球", "乐乐不踢足球了，改学围棋了"), {("user", "relationship", "乐乐"), ("乐乐", "likes", "围棋")}),
        (("下周三要带豆豆去打疫苗", "豆豆的疫苗改到下周五了"), {("user", "event", "下周五要带豆豆去打疫苗")}),
        (("My husband Mark is diabetic", "Actually, Mark isn't diabetic, he's just pre-diabetic"), {("husband Mark", "health", "pre-diabetic")}),
        (("我喜欢吃辣", "我不吃晚饭了"), {("user", "likes", "吃辣"), ("user", "habit", "不吃晚饭")}),
        (("我每天喝两杯咖啡", "今天不喝咖啡了"), {("user", "habit", "每天喝两杯咖啡")}),
    ],
)
def test_what_ended_is_over_and_nothing_else_is(messages: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    told = said(*messages)
    assert {f for f in told if f[1] != "event" or f in facts} == facts


def test_a_partners_surname_is_not_the_users() -> None:
    now = said("我叫李陶", "我处了个对象，姓韩")
    assert ("user", "name", "李陶") in now
    assert not any(owner == "user" and value == "韩" for owner, attribute, value in now if attribute == "name")


def test_another_thing_that_changed_leaves_the_plan() -> None:
    assert ("user", "plan", "考日语二级") in said("我准备考日语二级", "开会改去三楼")


@pytest.mark.parametrize(
    ("told", "fact", "said_then"),
    [
        ("I'm allergic to sulphites", ("user", "allergy", "sulphites"), "I'd rather you answered in a line, no endless essays please"),
        ("I work at Carden Mills", ("user", "employer", "Carden Mills"), "no fancy phrases please"),
        ("I weigh 71 kilos", ("user", "health", "weigh 71 kilos"), "sorry I said 52, I turned 53 in May"),
        ("I'm learning the oboe", ("user", "skill", "learning the oboe"), "sorry I lost my thread there"),
        ("I live in Kendal", ("user", "location", "Kendal"), "oh no my kettle broke"),
    ],
)
def test_what_only_begins_like_a_correction_corrects_nothing(told: str, fact: tuple[str, str, str], said_then: str) -> None:
    assert fact in said(told, said_then)


@pytest.mark.parametrize("wrong", ["no, 451", "sorry 451", "oh no, it's 451", "no wait 451"])
def test_a_bare_value_after_a_no_is_the_right_one(wrong: str) -> None:
    assert ("user", "other", "451") in said("My locker is 415", wrong)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("hubby's called Piers", {("user", "relationship", "Piers")}),
        ("other half's called Nell, she's a vet", {("user", "relationship", "Nell"), ("other half", "occupation", "vet")}),
        ("bf's named Rory", {("user", "relationship", "Rory")}),
        ("hubby's allergic to figs", {("hubby", "allergy", "figs")}),
        ("bloke next door's called Len", set()),
        ("cat's named Moss", set()),
    ],
)
def test_the_name_of_somebody_said_without_my_is_not_the_users(text: str, facts: set[tuple[str, str, str]]) -> None:
    assert said("My name is Beth", text) == {("user", "name", "Beth"), *facts}


def test_who_was_told_without_my_is_known_by_the_name() -> None:
    assert ("Piers", "allergy", "figs") in said("hubby's called Piers", "Piers's allergic to figs")


@pytest.mark.parametrize(
    ("told", "anew", "fact"),
    [
        ("我二甲双胍一天两回，一回一片", "改成一天三片了", ("user", "habit", "二甲双胍一天三片")),
        ("我在吃甲巯咪唑，一天两片", "医生让改成一天一片", ("user", "habit", "甲巯咪唑一天一片")),
        ("我妈降压药一天一片", "医生给改成一天两片", ("妈", "habit", "降压药一天两片")),
        ("I'm on 50mg of sertraline", "they put me up to 100", ("user", "health", "on 100mg of sertraline")),
    ],
)
def test_a_new_dose_is_of_what_the_old_one_was(told: str, anew: str, fact: tuple[str, str, str]) -> None:
    assert fact in said(told, anew)
