"""Chinese: what kind of fact a clause tells, where its words look like another kind."""

from datetime import datetime

import pytest

from memory.judge import judge
from memory.small_model import small_model

NOW = datetime(2026, 3, 4, 9)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我是昆明出生的", {("user", "hometown", "昆明")}),
        ("我是农村出生的", {("user", "hometown", "农村")}),
        ("去年做过一次甲状腺手术", {("user", "health", "做过一次甲状腺手术")}),
        ("我做过水手", {("user", "occupation", "水手")}),
        ("医生说我不能吃柚子，跟药冲突", {("user", "health", "不能吃柚子")}),
        ("大夫交代了，不能喝酒", {("user", "health", "不能喝酒")}),
        ("医生不让我吃辣", {("user", "health", "不让我吃辣")}),
        ("医生叮嘱我妈别吃太咸", {("妈", "health", "别吃太咸")}),
        ("我妈的医生说不能吃甜的", {("妈", "health", "不能吃甜")}),
        ("我女儿老师说她近视了", {("女儿", "health", "近视")}),
        ("我不能吃辣", {("user", "dislikes", "辣")}),
        ("医生让我每天走路", {("user", "habit", "每天走路")}),
        ("我最怕是蛇", {("user", "dislikes", "蛇")}),
        ("我怕打针", {("user", "dislikes", "打针")}),
    ],
)
def test_the_kind_of_fact(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert {(f.owner, f.attribute, f.value) for f in judge(text, time=NOW, model=small_model()).facts} == expected


@pytest.mark.parametrize(
    "text",
    ["怕是发炎了", "我怕是感冒了", "要是我中了彩票我就搬去三亚", "要是我中了大奖，我就辞职", "等我有钱了我就买特斯拉", "我要是辞职了就回老家开店"],
)
def test_what_is_only_feared_or_supposed_tells_nothing(text: str) -> None:
    judged = judge(text, time=NOW, model=small_model())
    assert (judged.memory_type, judged.facts) == ("SHORT", ())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("last day是11月20", "plan"),
        ("due date是6月2号", "plan"),
        ("我弟婚礼是6月8号", "event"),
        ("交房是11月20", "event"),
        ("我女儿11月20生的", "birthday"),
        ("我是4月9号的", "birthday"),
        ("11月20是我生日", "birthday"),
    ],
)
def test_a_day_is_a_birthday_only_where_it_is_said(text: str, kind: str) -> None:
    assert [f.attribute for f in judge(text, time=NOW, model=small_model()).facts] == [kind]


@pytest.mark.parametrize("text", ["记错了，是6月18号", "July 12th", "等等，是7月。7月12号"])
def test_a_day_alone_is_nobodys_birthday(text: str) -> None:
    assert not judge(text, time=NOW, model=small_model()).facts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("优甲乐一天一片", {("user", "habit", "优甲乐一天一片")}),
        ("氨氯地平每晚半片", {("user", "habit", "氨氯地平每晚半片")}),
        ("我爸阿司匹林一天一片", {("爸", "habit", "阿司匹林一天一片")}),
        ("我妈二甲双胍一天两次", {("妈", "habit", "二甲双胍一天两次")}),
        ("我一直吃甲巯咪唑", {("user", "habit", "吃甲巯咪唑")}),
        ("以后快递都放门卫室", {("user", "instruction", "以后快递都放门卫室")}),
        ("下午别给我推消息", {("user", "instruction", "下午别给我推消息")}),
        ("晚上九点后不要提醒我", {("user", "instruction", "晚上九点后不要提醒我")}),
        ("定了同济", {("user", "school", "同济")}),
        ("保研定了厦大", {("user", "school", "厦大")}),
        ("我叫老钱", {("user", "name", "老钱")}),
        ("我叫钱峰", {("user", "name", "钱峰")}),
    ],
)
def test_doses_parcels_quiet_hours_schools_and_names(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert {(f.owner, f.attribute, f.value) for f in judge(text, time=NOW, model=small_model()).facts} == expected


@pytest.mark.parametrize("text", ["快递放哪了", "今天上午别给我发提醒", "定了个大蛋糕", "今天吃了一片布洛芬", "我叫老板来了"])
def test_what_is_only_of_today_or_of_something_else(text: str) -> None:
    assert not judge(text, time=NOW, model=small_model()).facts
