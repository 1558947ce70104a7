"""What a message says about known facts without telling a fact of its own, and what it must leave alone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory.judge.judgement import Candidate
from memory.record import Memory, Source, Status
from memory.revise import applied, revise
from memory.revise.notice import notice, tells
from memory.revise.phrase import phrase

START = datetime(2025, 3, 1, 9, tzinfo=UTC)
Fact = tuple[str, str, str] | tuple[str, str, str, str]


def resolve(text: str) -> str | None:
    """The few dates these messages name."""
    dates = {"周五": "2025-03-14", "5月2号": "2025-05-02", "后天": "2025-03-13", "friday": "2025-03-14", "2 may": "2025-05-02"}
    return next((iso for word, iso in dates.items() if word in text.lower()), None)


def learn(*facts: Fact) -> list[Memory]:
    known: list[Memory] = []
    for n, (attribute, value, clause, *owner) in enumerate(facts):
        more: dict[str, Any] = {"owner": owner[0]} if owner else {}
        candidate = Candidate(attribute=attribute, value=value, clause=clause, time=resolve(clause) if attribute == "plan" else None, **more)
        candidate = candidate.evolve(content=phrase(candidate))
        known = applied(known, revise(known, candidate, user="u", now=START + timedelta(hours=n), source=Source(message=f"k{n}", text=clause)))
    return known


def hear(known: list[Memory], message: str, *judged: Candidate) -> list[Memory]:
    now = START + timedelta(days=10)
    for candidate in notice(message, known, judged, now=now, resolve=resolve):
        known = applied(known, revise(known, candidate, user="u", now=now, source=Source(message="m", text=message)))
    return known


def active(known: list[Memory]) -> set[str]:
    return {m.value for m in known if m.status is Status.ACTIVE}


OVER: list[tuple[tuple[Fact, ...], str, str]] = [
    ((("employer", "云杉医院", "我老婆在云杉医院上班", "老婆"), ("employer", "港口", "我在港口上班")), "她上周辞职了，想歇一阵。", "云杉医院"),
    ((("employer", "Larkfield", "My brother works at Larkfield", "brother"), ("employer", "Moss & Co", "I work at Moss & Co")), "He quit his job last week.", "Larkfield"),
    ((("employer", "Moss & Co", "I work at Moss & Co"),), "I got laid off yesterday.", "Moss & Co"),
    ((("pet", "鹦鹉", "外婆养了只鹦鹉", "外婆"), ("pet", "兔子", "我养了只兔子")), "外婆那只鸟前天飞走了。", "鹦鹉"),
    ((("pet", "Whiskers", "My cat is called Whiskers"), ("pet", "Rex", "my dog Rex")), "Whiskers passed away on Sunday.", "Whiskers"),
    ((("possession", "帆船", "我有一艘帆船"), ("possession", "相机", "我有一台相机")), "相机卖掉了，手头紧。", "相机"),
    ((("possession", "moped", "I own a moped"), ("possession", "tent", "I have a tent")), "I sold the moped last month.", "moped"),
    ((("plan", "去挪威看极光", "打算冬天去挪威看极光"), ("plan", "考教师资格证", "准备考教师资格证")), "挪威不去了，太贵。", "去挪威看极光"),
    ((("plan", "concert in Lyon", "I'm going to a concert in Lyon"), ("plan", "dentist appointment", "dentist appointment soon")), "The Lyon concert got cancelled.", "concert in Lyon"),
    ((("habit", "每天喝奶茶", "我每天喝奶茶"), ("likes", "书法", "我喜欢书法")), "奶茶已经戒了。", "每天喝奶茶"),
    ((("likes", "滑板", "我爱玩滑板"),), "板子都送人了，对那个没兴趣了。", "滑板"),
    ((("likes", "crosswords", "I love crosswords"), ("likes", "rowing", "I love rowing")), "I've lost interest in crosswords.", "crosswords"),
    ((("relationship", "小雅", "我女朋友叫小雅"), ("relationship", "刘洋", "我房东叫刘洋")), "我和小雅分手了。", "小雅"),
    ((("contact", "jo@old.example", "my email is jo@old.example"), ("contact", "0700 900 123", "my phone is 0700 900 123")), "I closed that mailbox.", "jo@old.example"),
    ((("contact", "13900000002", "我手机号13900000002"),), "那个号码停用了。", "13900000002"),
    ((("health", "骨折", "我左手骨折了"), ("health", "高血压", "我有高血压")), "骨折已经好了。", "骨折"),
    ((("instruction", "附上英文翻译", "回答时附上英文翻译"), ("instruction", "标注来源", "要标注来源")), "以后不用附英文翻译了。", "附上英文翻译"),
    ((("location", "石桥路5号", "我的地址是石桥路5号"), ("location", "苏州", "我住苏州")), "上周末搬家了，累死。", "石桥路5号"),
    ((("school", "望江中学", "我在望江中学读高三"),), "终于毕业了！", "望江中学"),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "message", "gone"), OVER)
def test_what_is_over(facts: tuple[Fact, ...], message: str, gone: str) -> None:
    known = learn(*facts)
    assert tells(message)
    assert active(known) - active(hear(known, message)) == {gone}


ALONE: list[tuple[tuple[Fact, ...], str]] = [
    ((("employer", "港口", "我在港口上班"),), "我同事辞职了。"),
    ((("employer", "港口", "我在港口上班"),), "我打算辞职。"),
    ((("employer", "港口", "我在港口上班"),), "我没辞职。"),
    ((("employer", "Moss & Co", "I work at Moss & Co"),), "I might quit my job one day."),
    ((("pet", "兔子", "我养了只兔子"),), "邻居家的猫走丢了。"),
    ((("possession", "相机", "我有一台相机"),), "同学把相机卖了。"),
    ((("plan", "去挪威看极光", "打算冬天去挪威看极光"),), "公司的团建取消了。"),
    ((("plan", "考教师资格证", "准备考教师资格证"),), "今天面试的人说他考过了。"),
    ((("likes", "书法", "我喜欢书法"),), "今天不想动了。"),
    ((("location", "苏州", "我住苏州"),), "今天换了条路走。"),
    ((("health", "70公斤", "我体重70公斤"),), "我爸有90公斤。"),
    ((("health", "70公斤", "我体重70公斤"),), "买了5公斤苹果。"),
    ((("instruction", "标注来源", "要标注来源"),), "不用谢了。"),
    ((("contact", "jo@old.example", "my email is jo@old.example"),), "Can I close that mailbox?"),
    ((("likes", "rowing", "I love rowing"),), "I stopped at the shop."),
    ((("habit", "每天喝奶茶", "我每天喝奶茶"),), "如果戒了奶茶会瘦吗？"),
]


@pytest.mark.parametrize(("facts", "message"), ALONE)
def test_what_is_left_alone(facts: tuple[Fact, ...], message: str) -> None:
    known = learn(*facts)
    assert active(hear(known, message)) == active(known)


NEW: list[tuple[tuple[Fact, ...], str, str, str]] = [
    ((("possession", "浪花8", "我的手机是浪花8"),), "前几天手机换成了岩石Pro。", "浪花8", "岩石Pro"),
    ((("other", "3000", "我房租3000"),), "房租涨到3500了。", "3000", "3500"),
    ((("health", "5 mg", "I take 5 mg of it every morning"),), "My doctor put me on 7.5 mg.", "5 mg", "7.5 mg"),
    ((("health", "150斤", "我体重150斤"),), "今早上秤，71公斤。", "150斤", "71公斤"),
    ((("habit", "day shift", "I work the day shift"),), "They moved my shift to nights.", "day shift", "nights"),
]


@pytest.mark.parametrize(("facts", "message", "old", "new"), NEW)
def test_another_value(facts: tuple[Fact, ...], message: str, old: str, new: str) -> None:
    after = active(hear(learn(*facts), message))
    assert old not in after
    assert new in after


@pytest.mark.parametrize(
    ("facts", "message", "when"),
    [
        ((("plan", "看牙", "我5月2号去看牙"),), "看牙改到周五了。", "2025-03-14"),
        ((("plan", "交论文", "我的deadline是5月2号，要交论文"),), "deadline推迟到后天。", "2025-03-13"),
        ((("plan", "job interview", "my job interview is on 2 May"),), "They moved the interview to Friday.", "2025-03-14"),
    ],
)
def test_another_day(facts: tuple[Fact, ...], message: str, when: str) -> None:
    known = hear(learn(*facts), message)
    assert [m.time for m in known if m.status is Status.ACTIVE] == [when]


@pytest.mark.parametrize(
    ("plan", "said", "message"),
    [
        ("考普通话", "下个月考普通话", "普通话考过了，一级乙等！"),
        ("交毕业论文", "周五交毕业论文", "毕业论文交了。"),
        ("driving test", "I have my driving test on Friday", "I passed my driving test!"),
    ],
)
def test_a_plan_that_came_true(plan: str, said: str, message: str) -> None:
    known = hear(learn(("plan", plan, said)), message)
    assert [(m.attribute) for m in known if m.status is Status.ACTIVE] == ["event"]


def test_a_judged_fact_learns_what_it_replaces() -> None:
    known = learn(("possession", "浪花8", "我的手机是浪花8"), ("possession", "手表", "我有块手表"))
    judged = Candidate(attribute="possession", value="岩石Pro", clause="手机换成了岩石Pro")
    assert active(hear(known, "手机换成了岩石Pro。", judged)) == {"岩石Pro", "手表"}


@pytest.mark.parametrize(
    ("known", "message", "attribute", "value", "stays"),
    [
        (("pet", "三花，叫年糕", "我养了只三花，叫年糕"), "其实年糕是两岁的猫", "pet", "其实年糕是两岁的猫", "三花，叫年糕，两岁"),
        (("location", "昆明", "我住在昆明"), "最近在上网课", "school", "在上网课", "昆明"),
        (("location", "昆明", "我住在昆明"), "我闺蜜送了我一台烤箱", "other", "送了我一台烤箱", "昆明"),
    ],
)
def test_a_loose_clause_is_never_an_unrelated_fact_again(known: Fact, message: str, attribute: str, value: str, stays: str) -> None:
    loose = Candidate(attribute=attribute, value=value, clause=message, loose=True, confidence=0.9)
    told = hear(learn(known), message, loose)
    assert stays in active(told)
    assert all(m.evidence == 1 for m in told if m.value == known[1])


def test_a_nickname_is_the_same_person() -> None:
    known = learn(("relationship", "周子安（小名毛豆）", "儿子叫周子安，小名毛豆"), ("age", "四岁", "儿子今年四岁", "儿子"))
    told = hear(known, "毛豆五岁了", Candidate(attribute="age", value="五岁", owner="毛豆", clause="毛豆五岁了"))
    assert [(m.owner, m.value) for m in told if m.attribute == "age" and m.status is Status.ACTIVE] == [("儿子", "五岁")]


@pytest.mark.parametrize(
    ("known", "message", "value"),
    [
        (("habit", "一天抽二十根烟", "我一天抽二十根烟"), "压到每天8根了", "一天抽8根烟"),
        (("habit", "每天喝三杯咖啡", "我每天喝三杯咖啡"), "现在减到一杯了", "每天喝一杯咖啡"),
        (("habit", "每周打2局保龄", "我每周打2局保龄"), "现在加到4局", "每周打4局保龄"),
    ],
)
def test_another_count_of_one_habit(known: Fact, message: str, value: str) -> None:
    assert active(hear(learn(known), message)) == {value}


def test_how_long_they_are_together_is_not_who_it_is() -> None:
    known = learn(("relationship", "陈浩", "我老公叫陈浩"))
    judged = Candidate(attribute="relationship", value="在一起十年", clause="我跟老公在一起十年了")
    assert active(hear(known, "我跟老公在一起十年了", judged)) == {"陈浩", "在一起十年"}


def test_an_animal_grows_older() -> None:
    assert active(hear(learn(("pet", "猫，叫豆包，三岁", "我家有只猫，叫豆包，三岁")), "豆包四岁了")) == {"猫，叫豆包，四岁"}


def test_one_of_two_animals_is_lost() -> None:
    known = learn(("pet", "猫，叫年糕", "我养了两只猫，一只叫年糕一只叫汤圆"), ("pet", "猫，叫汤圆", "我养了两只猫，一只叫年糕一只叫汤圆"))
    assert active(hear(known, "年糕上周走丢了")) == {"猫，叫汤圆"}


@pytest.mark.parametrize("message", ["小李说他下个月辞职", "小李辞职了", "张总上周离职了", "楼下大爷说他被裁员了"])
def test_somebody_elses_end_is_not_the_users(message: str) -> None:
    assert active(hear(learn(("employer", "云杉医院", "我在云杉医院上班")), message)) == {"云杉医院"}


def test_the_animals_weight_is_not_the_users() -> None:
    known = learn(("health", "62公斤", "我体重62公斤"), ("pet", "橘猫，叫豆包", "我养了只橘猫，叫豆包"))
    told = hear(known, "豆包胖到6公斤了", Candidate(attribute="health", value="6公斤", clause="豆包胖到6公斤了"))
    assert "62公斤" in active(told)


def test_a_correction_about_oneself_is_not_about_the_daughter() -> None:
    known = learn(("age", "41", "我41岁"), ("age", "9", "女儿9岁", "女儿"))
    judged = Candidate(attribute="age", value="42岁", clause="我其实是42岁")
    assert not [c for c in notice("我其实是42岁", known, [judged], now=START + timedelta(days=1), resolve=resolve) if c.owner != "user"]


def test_who_is_known_by_trade_alone_leaves_the_trade() -> None:
    known = learn(("occupation", "中学音乐老师", "我老公是中学音乐老师", "老公"))
    assert not active(hear(known, "我老公上周辞职了"))


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("去厦门找工作", "我不打算去厦门了，留在这里"), ("考教资", "我不想考教资了"), ("去冰岛玩", "冰岛我不想去了"), ("学潜水", "没打算学潜水了，太贵"),
        ("Japan", "I'm not going to Japan anymore"),
    ],
)  # fmt: skip
def test_an_intention_that_is_given_up(plan: str, message: str) -> None:
    assert not active(hear(learn(("plan", plan, f"plan: {plan}")), message))
    assert active(hear(learn(("plan", plan, f"plan: {plan}")), message.replace("不", "").replace("没", "").replace("not ", "").split("，")[0])) == {
        plan
    }
