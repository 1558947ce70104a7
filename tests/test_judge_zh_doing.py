"""What people do for a living, told by verb and thing, where they do it, and in which years; whom somebody deals with, and what is told of him."""

from datetime import UTC, datetime

import pytest

from memory.judge import judge
from memory.judge.judgement import Stance

WHEN = datetime(2026, 3, 30, 9, tzinfo=UTC)


def told(text: str, history: tuple[str, ...] = ()) -> set[tuple[str, str, str]]:
    said = [{"role": "user", "content": h} for h in history]
    return {(c.owner, c.attribute, c.value) for c in judge(text, history=said, time=WHEN).facts}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我在昆明做装修", {("user", "location", "昆明"), ("user", "occupation", "做装修")}),
        ("我哥在泉州开网店", {("哥", "location", "泉州"), ("哥", "occupation", "开网店")}),
        ("我在海丰设计院画施工图", {("user", "employer", "海丰设计院"), ("user", "occupation", "画施工图")}),
        ("我侄女在三中读初二", {("侄女", "school", "三中")}),
        ("我姐在兰州", {("姐", "location", "兰州")}),
        ("我姑姑去年搬到珠海跟女儿住了", {("姑姑", "location", "珠海")}),
        ("我弟弟上个月调去了无锡", {("弟弟", "location", "无锡")}),
        ("我弟回村种葡萄去了", {("弟", "occupation", "种葡萄")}),
    ],
)
def test_a_living_is_told_by_verb_and_thing(text: str, facts: set[tuple[str, str, str]]) -> None:
    assert facts <= told(text)


@pytest.mark.parametrize("text", ["我今天在上海开会", "我下周去成都做培训", "我想去大理开民宿", "我在西安做了个手术"])
def test_what_is_done_once_is_no_living(text: str) -> None:
    assert not {f for f in told(text) if f[1] in {"occupation", "location"}}


@pytest.mark.parametrize(
    ("text", "value", "period"),
    [
        ("03年到09年，我在糖厂当电工。", "电工", ("2003", "2009")),
        ("05到11年开了家五金店", "开了家五金店", ("2005", "2011")),
        ("2014到2018年读中专，我天天打羽毛球。", "天天打羽毛球", ("2014", "2018")),
    ],
)
def test_a_period_counts_for_all_of_its_sentence(text: str, value: str, period: tuple[str, str]) -> None:
    found = [c for c in judge(text, time=WHEN).facts if c.value == value]
    assert [(c.stance, c.valid_from, c.valid_to) for c in found] == [(Stance.PAST, *period)]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("对门邻居叫方芸，退休了。", ("user", "relationship", "对门邻居叫方芸")),
        ("我们部门会计叫罗敏。", ("user", "relationship", "部门会计叫罗敏")),
        ("装空调的师傅叫何平，手脚快。", ("user", "relationship", "装空调的师傅叫何平")),
        ("钱芳是我的牙医。", ("user", "relationship", "钱芳是我的牙医")),
        ("我跟袁磊合租。", ("user", "relationship", "袁磊")),
        ("周文帮我记账。", ("周文", "occupation", "帮我记账")),
        ("我表妹叫思雨，人在珠海。", ("表妹", "location", "珠海")),
        ("思雨是我表妹，人在珠海。", ("思雨", "location", "珠海")),
        ("带我的师傅叫丁立，干了十年钳工。", ("丁立", "occupation", "钳工")),
        ("我跟袁磊合租，他是做后端的。", ("袁磊", "occupation", "做后端")),
    ],
)
def test_who_is_made_known_is_told_of_further(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


def test_each_of_two_animals_has_its_name() -> None:
    names = {v for _, a, v in told("我养了两只兔子，白的叫米团，灰的叫芝麻。") if a == "pet"}
    assert {"兔子，叫米团", "兔子，叫芝麻"} <= names
    assert {"狗，叫大豆", "狗，叫小豆"} <= {v for _, a, v in told("我家俩狗，公的大豆，母的小豆。") if a == "pet"}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我跟我弟都在富昌钢铁厂上班。", {("user", "employer", "富昌钢铁厂"), ("弟", "employer", "富昌钢铁厂")}),
        ("我女友以前在旅行社，现在自己做代购。", {("女友", "occupation", "做代购")}),
        ("对门的汪叔修空调。", {("汪叔", "occupation", "修空调")}),
        ("室友天天吃宵夜。", {("室友", "habit", "天天吃宵夜")}),
        ("我表哥去深圳进厂了。", {("表哥", "location", "深圳"), ("表哥", "occupation", "进厂")}),
        ("我侄子在威海读博。", {("侄子", "location", "威海")}),
        ("抱了只狸花，叫静香，三岁多。", {("user", "pet", "狸花，叫静香")}),
        ("2011年到2014年，北山师范学院。", {("user", "school", "北山师范学院")}),
    ],
)
def test_more_of_who_does_what_where(text: str, facts: set[tuple[str, str, str]]) -> None:
    assert facts <= told(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我三姨在菜市场卖豆腐。", ("三姨", "occupation", "卖豆腐")),
        ("二姑改去幼儿园烧饭了。", ("二姑", "occupation", "烧饭")),
        ("我在业余乐队打鼓。", ("user", "skill", "打鼓")),
        ("我现在上白班。", ("user", "habit", "白班")),
        ("我家养了一缸孔雀鱼。", ("user", "pet", "一缸孔雀鱼")),
        ("苗苗学芭蕾。", ("苗苗", "other", "学芭蕾")),
    ],
)
def test_kin_by_order_and_more_doings(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


def test_a_period_up_to_today_is_not_over() -> None:
    found = [c for c in judge("2016年到今天我住青岛。", time=WHEN).facts if c.attribute == "location"]
    assert [(c.stance, c.valid_to) for c in found] == [(Stance.ASSERT, None)]
