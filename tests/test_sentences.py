"""Facts are told in the second person, name whose they are, and mask secrets."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph.sentences import told
from memory.lines import in_short
from memory.record import Memory

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def fact(attribute: str, value: str, **more: Any) -> dict[str, Any]:
    return {"attribute": attribute, "value": value, "owner": "user", **more}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (fact("name", "罗岚"), "你叫罗岚"),
        (fact("age", "28"), "你28岁"),
        (fact("birthday", "3月5日", time="2026-03-05"), "你的生日是3月5日"),
        (fact("plan", "去看展", time="2026-04-02"), "你的计划：去看展（2026-04-02）"),
        (fact("allergy", "芒果", owner="妈妈"), "你妈妈对芒果过敏"),
        (fact("employer", "一家花店", owner="小罗"), "小罗在一家花店工作"),
        (fact("relationship", "阿杰", content="哥哥叫阿杰"), "你的哥哥叫阿杰"),
        (fact("relationship", "分手", content="分手"), "你分手"),
        (fact("school", "化学系研二"), "你的学业：化学系研二"),
        (fact("school", "实验小学", owner="儿子"), "你儿子在实验小学上学"),
        (fact("possession", "吉他"), "你有吉他"),
        (fact("pet", "一只兔子", content="宠物：一只兔子"), "你的宠物：一只兔子"),
        (fact("relationship", "跟两个同学合租", content="跟两个同学合租"), "你跟两个同学合租"),
        (fact("relationship", "合租", content="同学：合租", said="我跟两个同学合租"), "你跟两个同学合租"),
        (fact("health", "高血压", owner="外公"), "你外公：高血压"),
        (fact("habit", "骑车上班", said="我平时都骑车上班"), "你平时都骑车上班"),
        (fact("habit", "每天喝茶", said="每天喝茶是老习惯了"), "你的习惯：每天喝茶"),
        (fact("location", "南宁", valid_to=NOW), "你以前住在南宁"),
        (fact("employer", "造船厂", owner="爷爷", valid_to=NOW), "你爷爷以前在造船厂工作"),
        (fact("habit", "画画", said="我还画画", valid_to=NOW), "你以前还画画"),
    ],
)
def test_told_in_chinese(given: dict[str, Any], sentence: str) -> None:
    assert told(given, "zh") == sentence


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (fact("occupation", "welder"), "you work as a welder"),
        (fact("occupation", "electrician"), "you work as an electrician"),
        (fact("occupation", "UX writer"), "you work as a UX writer"),
        (fact("occupation", "HR assistant"), "you work as an HR assistant"),
        (fact("occupation", "the head gardener"), "you work as the head gardener"),
        (fact("likes", "jazz", owner="sister"), "your sister likes jazz"),
        (fact("occupation", "teaches pottery", owner="wife", said="she teaches pottery"), "your wife teaches pottery"),
        (fact("occupation", "a welder", owner="wife", said="she is a welder"), "your wife works as a welder"),
        (fact("possession", "canoe", said="I own a canoe"), "you have a canoe"),
        (fact("possession", "Golf GTI", said="I drive a Golf GTI"), "you have a Golf GTI"),
        (fact("possession", "car keys", said="my car keys are red"), "you have car keys"),
        (fact("progress", "Middlemarch", content="progress: Middlemarch", said="I'm reading Middlemarch"), "you are reading Middlemarch"),
        (
            fact("health", "the hospital", owner="uncle", content="uncle: the hospital", said="my uncle is in the hospital"),
            "your uncle is in the hospital",
        ),
        (fact("pet", "一只兔子", content="宠物：一只兔子", said="我养了一只兔子"), "your pet: 一只兔子"),
        (fact("pet", "Moss", content="cat is called Moss"), "you have a cat called Moss"),
        (fact("location", "Porto", owner="Ines"), "Ines lives in Porto"),
        (fact("pet", "Moss", content="cat called Moss"), "you have a cat called Moss"),
        (fact("pet", "Moss", content="pet: Moss"), "your pet: Moss"),
        (fact("occupation", "teach pottery to my neighbours", said="i teach pottery to my neighbours"), "you teach pottery to your neighbours"),
        (fact("occupation", "a welder", said="I'm a welder"), "you work as a welder"),
        (fact("habit", "gluten-free", owner="husband Leo", said="my husband Leo is strictly gluten-free"), "your husband Leo's habit: gluten-free"),
        (fact("habit", "vegetarian", owner="husband Leo", said="my husband Leo is still vegetarian"), "your husband Leo is still vegetarian"),
        (fact("location", "Porto", owner="Ines", valid_to=NOW), "Ines used to live in Porto"),
        (fact("habit", "left-handed", said="I'm left-handed", valid_to=NOW), "you used to be left-handed"),
        (fact("habit", "swim at dawn", said="I swim at dawn", valid_to=NOW), "you used to swim at dawn"),
        (fact("plan", "a trip to Oslo", valid_to=NOW), "your plan: a trip to Oslo (formerly)"),
        (fact("relationship", "engaged", content="engaged", said="Leo and I got engaged"), "you: engaged"),
        (fact("plan", "a trip to Oslo", time="2026-05"), "your plan: a trip to Oslo (2026-05)"),
    ],
)
def test_told_in_english(given: dict[str, Any], sentence: str) -> None:
    assert told(given, "en") == sentence


def test_what_is_over_is_told_as_past() -> None:
    past = Memory(
        key="k", fact="k", user="u", category="identity", attribute="location", value="Porto", content="lives in Porto",
        valid_to=NOW, recorded_at=NOW, updated_at=NOW,
    )  # fmt: skip
    assert told(past, "en") == "you used to live in Porto"
    assert told(past, "zh") == "你以前住在Porto"


def test_secrets_are_masked_wherever_people_read() -> None:
    secret = fact("other", "我的密码是 tulip-7731", content="我的密码是 tulip-7731", tags=["secret"])
    assert "tulip" not in told(secret, "zh")
    assert "tulip" not in in_short(secret)


def test_a_value_that_does_not_say_what_it_is_of_is_shown_whole() -> None:
    assert in_short(fact("relationship", "阿杰", content="哥哥叫阿杰")) == "哥哥叫阿杰"
    assert in_short(fact("pet", "Moss", content="宠物：黑猫叫Moss")) == "黑猫叫Moss"
    assert in_short(fact("likes", "爬山", content="喜欢爬山")) == "爬山"


def test_an_owner_is_named_once() -> None:
    assert in_short(fact("health", "broken arm", owner="uncle Joe", content="uncle Joe: broken arm")) == "broken arm"
    assert in_short(fact("other", "左撇子", owner="舅舅", content="舅舅：左撇子")) == "左撇子"
    assert in_short(fact("possession", "canoe", content="owns: canoe")) == "canoe"
