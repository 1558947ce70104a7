"""What is stored is found by the questions that ask for it: what one reads, drives, does for exercise, where one studies; and all that is known of somebody."""

import pytest

from graph.questions import asked, wants_all
from memory.record import Memory
from tests.asking import ask, fact

ZH = [
    fact("habit", "每天睡前吃两粒阿托伐他汀", said="我每天睡前吃两粒阿托伐他汀"), fact("health", "高血脂"), fact("location", "Leiden", said="我在Leiden读硕士"),
    fact("school", "硕士", said="我在Leiden读硕士"), fact("occupation", "收银员"), fact("employer", "一家花店"), fact("habit", "周三游泳", said="我周三游泳"),
    fact("possession", "五菱宏光", said="我开五菱宏光"), fact("possession", "一把小提琴", said="我有一把小提琴"), fact("pet", "一只兔子", content="宠物：一只兔子"),
    fact("school", "二年级", "女儿糯糯"), fact("relationship", "糯糯", content="女儿糯糯"), fact("location", "漳州", "舅舅"), fact("allergy", "虾", "同事老周"),
    fact("progress", "《平凡的世界》", content="进展：《平凡的世界》", said="我在读《平凡的世界》"),
]  # fmt: skip
EN = [
    fact("progress", "Middlemarch", content="progress: Middlemarch", said="I'm reading Middlemarch"), fact("health", "migraines"),
    fact("habit", "do aquarobics on Mondays", said="I do aquarobics and swim on Mondays"), fact("possession", "Fiat Panda", said="I drive a Fiat Panda"),
    fact("possession", "canoe", said="I own a canoe"), fact("occupation", "baker"), fact("pet", "rabbit", content="pet: rabbit"),
    fact("relationship", "Ines", content="wife: Ines"), fact("occupation", "teaches music", "wife", said="she teaches music"), fact("allergy", "kiwi", "colleague Omar"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "facts", "told", "untold"),
    [
        ("我吃什么药", ZH, "阿托伐他汀", "游泳"), ("我在哪个城市读书", ZH, "Leiden", "花店"), ("我现在做什么", ZH, "收银员", "没有商品资料"), ("我平时做什么运动？", ZH, "游泳", "他汀"),
        ("我开什么车？", ZH, "五菱宏光", "小提琴"), ("我的兔子叫什么？我有什么宠物？", ZH, "一只兔子", "游泳"), ("糯糯上几年级", ZH, "二年级", "硕士"), ("我最近在读什么书？", ZH, "平凡的世界", "硕士"),
        ("你都记得我家里人什么", ZH, "漳州", "虾"), ("关于糯糯你知道什么", ZH, "二年级", "漳州"), ("你知道老周的什么事？", ZH, "虾", "漳州"),
        ("what am I reading?", EN, "Middlemarch", "migraines"), ("What do I do for exercise?", EN, "aquarobics", "baker"), ("What do I do for a living?", EN, "baker", "aquarobics"),
        ("What car have I got?", EN, "Fiat Panda", "canoe"), ("what is my rabbit called?", EN, "don't know the name", "baker"),
        ("tell me everything you know about Ines", EN, "teaches music", "kiwi"), ("what do you know about my family?", EN, "teaches music", "kiwi"),
        ("What do you know about Omar?", EN, "kiwi", "music"),
    ],
)  # fmt: skip
def test_the_answer_is_what_is_stored(question: str, facts: list[Memory], told: str, untold: str) -> None:
    reply = ask(question, facts)
    assert told in reply and untold not in reply


def test_what_a_list_leaves_out_is_counted() -> None:
    many = [fact("likes", f"thing {n}", content=f"likes thing {n}") for n in range(26)]
    assert "6 more" in ask("what do you know about me?", many)
    assert "more" not in ask("what do you know about me?", many[:20])
    some = [fact("likes", f"东西{n}") for n in range(23)]
    assert "还有 3 条" in ask("你知道我什么？", some)


@pytest.mark.parametrize("question", ["Amy的生日是哪天", "when is Amy birthday?", "When's Amy's birthday?"])
def test_a_stranger_s_birthday_is_not_the_user_s(question: str) -> None:
    assert asked(question) != "birthday"


@pytest.mark.parametrize("text", ["我现在做什么好", "今晚做什么菜", "tell me a story about dragons", "how about lunch?", "what do I do on Mondays?"])
def test_what_asks_for_none_of_it(text: str) -> None:
    assert asked(text) not in {"occupation", "progress", "car", "exercise"} and not wants_all(text)


OTHERS_ZH = [
    fact("occupation", "老师", "爱人"), fact("other", "在吃氨氯地平", "妈"), fact("allergy", "青霉素", "室友"), fact("habit", "吃素", "表妹"), fact("habit", "一直吃甲巯咪唑"),
    fact("other", "两万三", content="月薪：两万三"), fact("other", "181", content="身高：181"), fact("health", "140斤", content="体重：140斤"),
]  # fmt: skip
OTHERS_EN = [
    fact("allergy", "horses", "flatmate"), fact("location", "Oslo", "cousin", content="cousin: lives in Oslo"), fact("other", "5,100 a month", content="salary is 5,100 a month"),
    fact("other", "170 cm", content="170 cm tall"), fact("health", "takes lisinopril", "uncle"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "facts", "told", "untold"),
    [
        ("我爱人干嘛的", OTHERS_ZH, "老师", "好的"), ("我妈吃什么药", OTHERS_ZH, "氨氯地平", "甲巯咪唑"), ("我吃什么药", OTHERS_ZH, "甲巯咪唑", "氨氯地平"),
        ("我爸吃什么药", OTHERS_ZH, "不知道", "你在吃"), ("谁对青霉素过敏", OTHERS_ZH, "室友", "吃素"), ("我家谁吃素？", OTHERS_ZH, "表妹", "老师"), 
        ("我甲巯咪唑一天吃几片", [fact("habit", "甲巯咪唑一天两片")], "一天两片", "好的"), ("我月薪多少", OTHERS_ZH, "两万三", "不知道"), ("我一个月挣多少", OTHERS_ZH, "两万三", "181"), ("我多高", OTHERS_ZH, "181", "两万"), ("我体重多少", OTHERS_ZH, "140斤", "181"),
        ("who is allergic to horses?", OTHERS_EN, "flatmate", "Oslo"), ("Who lives in Oslo?", OTHERS_EN, "cousin", "horses"),
        ("how much do I earn?", OTHERS_EN, "5,100", "170"), ("How tall am I?", OTHERS_EN, "170", "5,100"), ("what medication am I on?", OTHERS_EN, "don't know", "lisinopril"),
    ],
)  # fmt: skip
def test_what_is_held_of_whomever_is_found(question: str, facts: list[Memory], told: str, untold: str) -> None:
    reply = ask(question, facts)
    assert told in reply and untold not in reply


@pytest.mark.parametrize("text", ["我今天多高兴啊", "这事有多重要我知道", "你干嘛呢", "我没干嘛"])
def test_what_only_sounds_like_such_a_question(text: str) -> None:
    assert asked(text) not in {"height", "weight", "occupation"}
