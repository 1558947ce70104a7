"""What stays in the thread, orders to the memory, complaints, and what a message says beside facts."""

from datetime import datetime

import pytest

from memory.judge import Stance, judge

NOW = datetime(2026, 1, 20, 10, 0)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("我填到第三步了", "step", "第三步"),
        ("今天深圳天气怎么样？", "city", "深圳"),
        ("不，我是说明天的", "day", "明天"),
        ("就选第二个", "choice", "第二个"),
    ],
)
def test_session_facts_are_never_long_term(text: str, attribute: str, value: str) -> None:
    judged = judge(text, time=NOW)
    assert judged.memory_type == "SHORT"
    assert judged.facts == ()
    assert [(s.attribute, s.value) for s in judged.session] == [(attribute, value)]


@pytest.mark.parametrize(
    ("text", "kind", "target", "attribute"),
    [
        ("忘掉我的地址", "forget", "我的地址", "location"),
        ("把我的电话删了", "forget", "我的电话", "contact"),
        ("关于我病情的内容请全部忘记。", "forget", "我病情的内容", "health"),
        ("我的收入不想存在你这儿", "forget", "我的收入", None),
        ("我的门禁密码别存了", "forget", "我的门禁密码", None),
        ("车祸那段就当我没说过", "forget", "车祸那段", None),
        ("不该告诉你门禁密码的。删掉吧。", "forget", "门禁密码", None),
        ("住址不想让你存着了", "forget", "住址", "location"),
        ("我的电话号码你给我抹掉", "forget", "我的电话号码", "contact"),
        ("不要再记得我住哪儿了", "forget", "我住哪儿", "location"),
        ("刚才讲的工资当我没说", "forget", "刚才讲的工资", None),
        ("我说的那个病，你别留着", "forget", "我说的那个病", "health"),
        ("别记这个", "skip", "", None),
        ("回到上一步", "undo", "", None),
    ],
)
def test_commands(text: str, kind: str, target: str, attribute: str | None) -> None:
    judged = judge(text, time=NOW)
    assert [(c.kind, c.target, c.attribute) for c in judged.commands] == [(kind, target, attribute)]
    assert judged.facts == ()


@pytest.mark.parametrize(
    "text",
    [
        "我忘了带伞",
        "别忘了吃药哦",
        "这段重复的代码删掉吧",
        "衣服别扔掉",
        "手机号注销了，微信也删了",
        "晚饭别留了",
        "相机丢了",
        "文档里的图帮我删掉",
        "垃圾别留着过夜",
        "灯别留着了",
    ],
)
def test_no_command(text: str) -> None:
    assert judge(text, time=NOW).commands == ()


def test_not_to_be_kept() -> None:
    judged = judge("我住在北京，别记这个", time=NOW)
    assert judged.facts == ()
    assert judged.memory_type == "SHORT"


def test_complaint_is_a_dated_event_with_order_and_state() -> None:
    judged = judge("我要投诉，订单 A1024 的耳机坏了，左边没声音", time=NOW)
    assert judged.intent == "complaint"
    assert judged.memory_type == "LONG"
    (event,) = judged.facts
    assert (event.attribute, event.time) == ("event", "2026-01-20")
    assert {"complaint", "投诉", "A1024", "坏了"} <= set(event.tags)
    assert "耳机" in event.value
    assert judge("我上次投诉的事怎么样了？", time=NOW).facts == ()
    assert judge("怎么退货？", time=NOW).facts == ()


@pytest.mark.parametrize(
    ("text", "attribute", "value", "stance"),
    [
        ("我以前住在上海", "location", "上海", Stance.PAST),
        ("2014年到2018年我住在哈尔滨。", "location", "哈尔滨", Stance.PAST),
        ("我已经不在腾讯了", "employer", "腾讯", Stance.NEGATE),
        ("我不再喝咖啡了", "likes", "咖啡", Stance.NEGATE),
        ("日本旅行取消了", "plan", "日本旅行", Stance.NEGATE),
        ("我之前说的不对，其实是对螃蟹过敏", "allergy", "螃蟹", Stance.CORRECT),
    ],
)
def test_stance(text: str, attribute: str, value: str, stance: Stance) -> None:
    assert (attribute, value, stance) in [(f.attribute, f.value, f.stance) for f in judge(text, time=NOW).facts]


def test_past_is_told_with_its_interval_and_is_not_current() -> None:
    judged = judge("2014年到2018年我住在哈尔滨。", time=NOW)
    assert [(f.valid_from, f.valid_to) for f in judged.facts] == [("2014", "2018")]
    assert judged.as_json()["facts"] == []
    assert judged.as_json()["retired"][0]["value"] == "哈尔滨"


def test_correction_names_what_it_replaces() -> None:
    (fact,) = [f for f in judge("更正一下，我妹妹是2001年的，不是2002年。", time=NOW).facts if f.stance is Stance.CORRECT]
    assert fact.replaces == "2002"
    assert fact.owner == "妹妹"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("我下个月3号去体检", "2026-02-03"),
        ("我下周五要去面试", "2026-01-30"),
        ("我打算明年六月结婚", "2027-06"),
        ("2月14号我要去领证", "2026-02-14"),
        ("后天我要做手术", "2026-01-22"),
    ],
)
def test_times(text: str, time: str) -> None:
    assert time in [f.time for f in judge(text, time=NOW).facts]


def test_lunar_birthday_is_kept_as_said() -> None:
    (fact,) = judge("我的生日是农历八月十五", time=NOW).facts
    assert (fact.attribute, fact.value, fact.time) == ("birthday", "农历八月十五", None)


def test_traditional_and_full_width_values_stay_the_users_own() -> None:
    (fact,) = judge("我對蝦子過敏", time=NOW).facts
    assert (fact.value, fact.normal) == ("蝦子", "虾子")
    (age,) = judge("我今年２８岁", time=NOW).facts
    assert (age.value, age.normal) == ("２８岁", 28)
