"""The judge on Chinese messages: what is stored, what is not, and why."""

from datetime import datetime
from typing import Any

import pytest

from memory.judge import judge
from memory.judge.engine import context
from memory.judge.judgement import Stance
from memory.judge.rules import Rules
from memory.judge.zh.reader import ZhReader

NOW = datetime(2026, 1, 20, 10, 0)


def facts(text: str, **kwargs: Any) -> list[tuple[str, str, str]]:
    return [(f.owner, f.attribute, f.value) for f in judge(text, time=NOW, **kwargs).facts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我叫张三，今年28岁", {("user", "name", "张三"), ("user", "age", "28岁")}),
        ("你好我叫张三。", {("user", "name", "张三")}),
        ("我是一名软件工程师在腾讯工作。", {("user", "occupation", "软件工程师"), ("user", "employer", "腾讯")}),
        ("现在在腾讯工作", {("user", "employer", "腾讯")}),
        ("我喜欢打篮球和看电影。", {("user", "likes", "打篮球"), ("user", "likes", "看电影")}),
        ("我妈妈对花生过敏", {("妈妈", "allergy", "花生")}),
        ("我不喜欢推荐太贵的东西，我是个学生", {("user", "dislikes", "太贵的东西"), ("user", "occupation", "学生")}),
    ],
)
def test_states_facts(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert set(facts(text)) == expected
    assert judge(text, time=NOW).memory_type == "LONG"


@pytest.mark.parametrize(
    "text",
    [
        "今天天气真好",
        "我今天心情不错。",
        "北京今天天气怎么样？",
        "谢谢你的帮助。",
        "我会记住你说的话。",
        "我叫车了",
        "我是不是说过我喜欢咖啡？",
        "那个多少钱？",
        "你好",
        "晚安",
    ],
)
def test_keeps_nothing(text: str) -> None:
    judged = judge(text, time=NOW)
    assert judged.memory_type == "SHORT"
    assert judged.facts == ()


def test_age_is_a_number_and_month_is_resolved() -> None:
    age = next(f for f in judge("我叫张三，今年28岁", time=NOW).facts if f.attribute == "age")
    assert age.normal == 28
    trip = judge("我计划下个月去日本旅游。", time=NOW)
    assert [(f.attribute, f.time) for f in trip.facts] == [("plan", "2026-02")]
    assert trip.intent == "important_event"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("你好，我叫张三，是一名软件工程师。", 0.9, 1.0),
        ("我喜欢打篮球和看电影。", 0.8, 1.0),
        ("我计划下个月去日本旅游。", 0.7, 1.0),
        ("我今天心情不错。", 0.0, 0.3),
        ("今天天气真好。", 0.0, 0.3),
    ],
)
def test_reference_scores_are_explained_by_parts(text: str, low: float, high: float) -> None:
    judged = judge(text, time=NOW)
    assert low <= judged.score <= high
    assert sum(judged.parts.values()) == pytest.approx(judged.score, abs=1e-9)
    assert judged.reason


@pytest.mark.parametrize(
    ("text", "attribute", "value", "time"),
    [("我下个月要搬到深圳", "plan", "搬到深圳", "2026-12"), ("我下周三入职腾讯", "plan", "入职腾讯", "2026-12-09"), ("我昨天搬到了苏州", "location", "苏州", None)],
)  # fmt: skip
def test_a_move_that_is_still_to_come_is_a_plan(text: str, attribute: str, value: str, time: str | None) -> None:
    found = judge(text, time=datetime(2026, 11, 30)).facts
    assert [(f.attribute, f.value, f.time) for f in found] == [(attribute, value, time)]


@pytest.mark.parametrize(
    "text",
    [
        "忘掉我妈有高血压的事",
        "忘了我住在苏州这件事",
        "把我对花生过敏的事忘了吧",
        "我爸有糖尿病这件事，忘掉吧",
        "我老公是干什么的？",
        "我姐是做什么的",
        "我爷爷以前是卖什么的",
    ],
)
def test_orders_to_forget_and_questions_tell_nothing(text: str) -> None:
    assert facts(text) == []


def test_an_order_to_forget_leaves_the_rest_of_the_message() -> None:
    assert facts("忘掉我的旧地址，我现在住在苏州") == [("user", "location", "苏州")]


@pytest.mark.parametrize("text", ["12月20号是我和老公的结婚纪念日", "5月2日是我跟老婆的恋爱纪念日", "我们的领证纪念日是9月9号"])
def test_an_anniversary_is_an_event_with_a_day(text: str) -> None:
    found = judge(text, time=NOW).facts
    assert [f.attribute for f in found] == ["event"]
    assert found[0].value.endswith("纪念日")
    assert found[0].time


@pytest.mark.parametrize(
    ("attribute", "value", "held"),
    [
        ("location", "搬到苏州了", True),
        ("location", "身份证尾号1234", False),
        ("health", "每天游3公里", False),
        ("health", "膝盖做过手术", True),
        ("occupation", "想换个心情", False),
        ("relationship", "最近在上网课", False),
        ("likes", "什么都行的那种", True),
    ],
)
def test_a_loose_value_is_filed_where_it_can_be(attribute: str, value: str, held: bool) -> None:
    ctx = context(value, rules=Rules.load())
    assert ZhReader().holds(attribute, value, ctx) is held


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我对芒果过敏，豆豆对牛奶过敏", {("user", "allergy", "芒果"), ("豆豆", "allergy", "牛奶")}),
        ("我不吃香菜，李敏不吃羊肉", {("user", "dislikes", "香菜"), ("李敏", "dislikes", "羊肉")}),
        ("小美今年三十岁", {("小美", "age", "三十岁")}),
        ("夏天对花粉过敏", {("user", "allergy", "花粉")}),
        ("天天喜欢喝咖啡", {("user", "likes", "喝咖啡")}),
        ("我在小米，我媳妇在滴滴", {("user", "employer", "小米"), ("媳妇", "employer", "滴滴")}),
    ],
)
def test_a_clause_with_a_name_for_subject_is_that_persons(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert set(facts(text)) == expected


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("我有个儿子，今年四岁，叫周子安，小名毛豆", "relationship", "儿子叫周子安，小名毛豆"),
        ("我家有个闺女，小名果果", "relationship", "闺女叫果果"),
        ("家里还养了只三花，叫年糕", "pet", "三花，叫年糕"),
        ("我养了条金毛，三岁了，名字叫阿福", "pet", "金毛，叫阿福"),
        ("下周一要去成都出差，待到周四", "plan", "去成都出差，待到周四"),
        ("不太能吃辣，虽然在重庆长大", "dislikes", "辣"),
        ("身份证后四位3021，工资卡尾号8866", "other", "工资卡尾号8866"),
        ("自我介绍一下：销售组长", "occupation", "销售组长"),
        ("刚入了把吉他", "possession", "吉他"),
        ("21年提的小鹏，开到现在", "possession", "小鹏"),
        ("车贷还差三万", "other", "车贷还差三万"),
        ("榴莲，我爱吃得很", "likes", "榴莲"),
    ],
)
def test_what_is_said_in_pieces(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(text)


@pytest.mark.parametrize("text", ["我爱吃得很", "自我介绍一下", "我刚入了坑"])
def test_no_value_is_no_fact(text: str) -> None:
    assert facts(text) == []


def test_a_taste_of_youth_is_past() -> None:
    assert [f.stance for f in judge("年轻那阵我是摇滚乐迷", time=NOW).facts] == [Stance.PAST]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我有个闺蜜叫林晓，在银行上班", {("user", "relationship", "闺蜜叫林晓"), ("闺蜜", "employer", "银行")}),
        ("我有两个儿子，大的叫子安，小的叫子宁", {("user", "relationship", "两个儿子"), ("user", "relationship", "大儿子叫子安"), ("user", "relationship", "小儿子叫子宁")}),
        ("养了两只猫，一只叫年糕一只叫汤圆", {("user", "pet", "两只猫"), ("user", "pet", "猫，叫年糕"), ("user", "pet", "猫，叫汤圆")}),
        ("我有只狗，今年五岁，叫大黄", {("user", "pet", "狗，叫大黄")}),
        ("我们家狗去年走了", {("user", "event", "狗去年走")}),
        ("海鲜我吃不了", {("user", "dislikes", "海鲜")}),
        ("我搬家了", {("user", "event", "搬家")}),
    ],
)  # fmt: skip
def test_each_under_its_own_name(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert set(facts(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我弟弟叫周航，航航今年二十", {("弟弟", "name", "周航"), ("航航", "age", "二十")}),
        ("我有个女儿叫陈一诺，一诺下周二过生日", {("user", "relationship", "女儿叫陈一诺"), ("一诺", "birthday", "下周二")}),
        ("杜甫是我最喜欢的诗人", {("user", "likes", "杜甫")}),
    ],
)
def test_names_that_are_known_or_only_admired(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert set(facts(text)) == expected


@pytest.mark.parametrize(
    ("text", "target"), [("忘掉豆豆的年龄", "豆豆的年龄"), ("把我姐的电话忘掉吧", "我姐的电话"), ("我把他的电话忘了", None), ("我忘了她的生日", None)]
)
def test_orders_to_forget_are_no_lapses_of_memory(text: str, target: str | None) -> None:
    assert next((c.target for c in judge(text, time=NOW).commands), None) == target


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("有个儿子今年六岁叫豆豆", {("儿子", "age", "六岁"), ("user", "relationship", "儿子叫豆豆")}),
        ("我妹妹刚生了个儿子，叫小满", {("妹妹", "event", "妹妹刚生了个儿子"), ("妹妹", "other", "儿子叫小满")}),
        ("我闺蜜林晓离婚了", {("闺蜜林晓", "event", "离婚")}),
        ("公司从老城搬到了高新区", set()),
        ("李敏搬去青岛了", {("李敏", "location", "青岛")}),
        ("我在减肥，目标是105斤", {("user", "plan", "减肥"), ("user", "plan", "105斤")}),
    ],
)
def test_what_is_somebody_elses(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert {f for f in facts(text) if f[1] != "progress"} == expected


def test_a_name_not_to_be_called_by_is_no_name() -> None:
    assert ("user", "name", "林小姐") not in facts("别再叫我林小姐，叫我悦悦")


@pytest.mark.parametrize("text", ["我哥在哪上班", "我女儿在哪读书来着", "我们单位明年搬到曲江"])
def test_neither_a_question_nor_the_firms_move_is_kept(text: str) -> None:
    assert facts(text) == []


def test_whose_anniversary_it_is() -> None:
    assert facts("12月20号是我爸妈的结婚纪念日") == [("user", "event", "爸妈的结婚纪念日")]
