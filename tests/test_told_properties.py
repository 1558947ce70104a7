"""What one keeps to, is served by and keeps things in, told under its noun and told anew: what holds in the end."""

import pytest

from tests.test_told_and_changed import hear


@pytest.mark.parametrize(
    ("told", "value", "gone"),
    [
        (("常去的茶馆是云隐，靠河边。", "云隐拆了，现在常去的茶馆是半山。"), "半山", "云隐"),
        (("游泳卡办在碧波馆", "游泳卡转到海豚湾了"), "海豚湾", "碧波馆"),
        (("最近在读的书是《边城》", "《边城》读完了，现在在读的书是《围城》"), "围城", "边城"),
        (("降糖药吃的是二甲双胍", "医生把降糖药换成了格列美脲"), "格列美脲", "二甲双胍"),
        (("给我理发的是阿坤", "给我理发的换成小米了"), "小米", "阿坤"),
        (("我的主治医生是邹大夫", "邹大夫调走了，以后我的主治是纪大夫"), "纪大夫", "邹大夫"),
        (("笔记都记在石墨里", "笔记现在搬到语雀了"), "语雀", "石墨"),
        (("报纸订的是晨报", "报纸改订成晚报了"), "晚报", ""),
        (("我住在苏州", "辞职回老家了"), "老家", "苏州"),
        (("We bank with Oakfield.", "We bank with Marlow Trust now."), "Marlow Trust", "Oakfield"),
        (("My reading list lives in Papyr.", "My reading list is now in Shelfy."), "Shelfy", "Papyr"),
        (("Our fruit box comes from Greenlane.", "The fruit box comes from Orchardly now."), "Orchardly", "Greenlane"),
        (("The choirmaster is Anna Voss.", "The choirmaster is now Peter Lowe."), "Peter Lowe", "Anna Voss"),
        (("My husband drives a Marten pickup.", "He sold the pickup and got himself a Dorset Tourer."), "Dorset Tourer", "Marten pickup"),
    ],
)
def test_what_is_told_under_its_noun_is_replaced_under_it(told: tuple[str, ...], value: str, gone: str) -> None:
    known = {m.value for m in hear(*told)}
    assert value in known
    assert gone not in known


def test_a_business_in_other_words_is_the_same_business() -> None:
    assert [m.value for m in hear("我是开花店的。", "经营一家小花店，起早贪黑。") if m.attribute == "occupation"] == ["开花店"]


@pytest.mark.parametrize("said", ["我家猫今年四岁", "我家狗都九岁了", "Our dog is 7 now."])
def test_an_animals_age_is_not_the_users(said: str) -> None:
    assert [(m.owner, m.value) for m in hear("我今年41岁。", said) if m.attribute == "age"] == [("user", "41岁")]


def test_whose_allergy_it_is_and_that_it_is_cured() -> None:
    first = "我老公芒果过敏"
    assert [(m.owner, m.value) for m in hear(first) if m.attribute == "allergy"] == [("老公", "芒果")]
    assert not [m for m in hear(first, "老公打完脱敏针，医生说他芒果过敏已经好了") if m.attribute == "allergy"]


def test_a_figure_mistyped_and_years_that_are_over() -> None:
    assert [m.value for m in hear("我的电话是138-0000-1122。", "抱歉敲错了，应为138-0000-1123。")] == ["138-0000-1123"]
    assert not [m for m in hear("Coached rowing 2009 to 2014.") if m.attribute == "habit"]
    assert [m.value for m in hear("I started driving a bus.")] == ["driving a bus"]


@pytest.mark.parametrize(
    ("told", "value", "gone"),
    [
        (("睡前必听相声，不听睡不着。", "相声我早就听腻了，如今只爱评书这一口。"), "评书", "相声"),
        (("被同桌拉进了魔方的坑",), "魔方", ""),
        (("我MBTI测出来是ENTP。", "又测了一回，变ISFJ了"), "ISFJ", "ENTP"),
        (("My desk is on the second floor.", "We were all moved: my desk is on the ninth floor now."), "ninth floor", "second floor"),
        (("现在开远航7，省油。",), "远航7", ""),
    ],
)
def test_tastes_types_and_floors_told_anew(told: tuple[str, ...], value: str, gone: str) -> None:
    known = {m.value for m in hear(*told)}
    assert value in known
    assert gone not in known
