"""Whose fact answers a question: the user's own for the user, somebody's for that person, and none of them where nobody's is asked for."""

import pytest

from graph.questions import asked, asks
from memory.language import language_of
from tests.asking import ask, fact

FAMILY_ZH = [
    fact("likes", "吃辣", "弟弟"), fact("dislikes", "羊肉", "弟弟"), fact("allergy", "青霉素"), fact("health", "62", content="体重62"),
    fact("health", "在吃甲状腺药"), fact("relationship", "钱进", content="老公叫钱进"), fact("allergy", "芒果", "奶奶"), fact("age", "76岁", "外公"),
    fact("school", "武汉读博", "姐姐"), fact("name", "罗岚", said="我叫罗岚"), fact("name", "岚岚", said="叫我岚岚就好"), fact("school", "园艺"),
    fact("age", "4", "儿子豆豆"), fact("habit", "不吃牛肉"),
]  # fmt: skip
FAMILY_EN = [
    fact("allergy", "walnuts", "daughter Ines", "is allergic to walnuts"), fact("health", "cannot eat dairy", "aunt", "aunt: cannot eat dairy"),
    fact("age", "9", "son Leo"), fact("location", "Porto"), fact("location", "Faro", "parents"), fact("instruction", "call me Bea"),
    fact("name", "Beatriz Lima", said="my name is Beatriz Lima"), fact("health", "take thyroxine every morning", said="I take thyroxine every morning"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("我对什么药过敏？", "你对青霉素过敏。"), ("我对什么过敏？", "你对青霉素过敏。"), ("我对虾过敏吗？", "你对青霉素过敏。"), ("我吃的甲状腺药叫什么？", "你的健康情况：在吃甲状腺药。"), ("我在吃什么药？", "你的健康情况：在吃甲状腺药。"),
        ("你说我今天该吃什么药？", "你的健康情况：在吃甲状腺药。"), ("我读什么专业？", "你的学业：园艺。"), ("我老公姓什么？", "你的老公叫钱进。"),
        ("我弟弟不能吃什么？", "你弟弟不喜欢羊肉。"), ("我弟弟能吃辣吗？", "你弟弟喜欢吃辣。"), ("我姐姐在哪上学？", "你姐姐在武汉读博。"),
        ("我叫什么？", "你叫罗岚，希望被叫作岚岚。"), ("我儿子叫什么？", "你儿子叫豆豆。"), ("我儿子几岁？", "你儿子豆豆4岁。"),
        ("我老公叫什么？我奶奶对什么过敏？", "你的老公叫钱进。你奶奶对芒果过敏。"), ("我奶奶对什么过敏？她多大？", "你奶奶对芒果过敏。这个我不知道：记忆里没有，离线模式下也查不到。"),
        ("我能吃牛肉吗？", "你的习惯：不吃牛肉。"), ("我不能吃什么？", "你对青霉素过敏；你的习惯：不吃牛肉。"),
        ("What medication am I on?", "You take thyroxine every morning."), ("Where do my parents live?", "Your parents live in Faro."),
        ("Whats my name?", "Your name is Beatriz Lima; you asked me to call you Bea."), ("What is my son's name?", "Your son is called Leo."),
        ("Is Ines allergic to anything?", "Your daughter Ines is allergic to walnuts."), ("What can't my aunt eat?", "Your aunt: cannot eat dairy."),
        ("How old is Leo?", "Your son Leo is 9."),
    ],
)  # fmt: skip
def test_what_is_asked_of_whom(question: str, answer: str) -> None:
    assert ask(question, FAMILY_ZH if language_of(question) == "zh" else FAMILY_EN) == answer


@pytest.mark.parametrize(
    "question",
    [
        "我能吃辣吗？", "我多大？", "我女儿几岁？", "小梅多大了？", "我妈对什么过敏？", "我喜欢吃什么？", "我妻子的生日是哪天？", "我弟弟能吃香菜吗？",
        "Am I allergic to anything?", "Can I eat dairy?", "How old is Ines?", "How old is Zoe?", "What do I think of my boss?", "What pills does my aunt take?",
        "How old are my parents?", "What can't I eat?",
    ],
)  # fmt: skip
def test_nobodys_fact_is_anothers(question: str) -> None:
    reply = ask(question, FAMILY_ZH if language_of(question) == "zh" else FAMILY_EN, "My daughter Ines is allergic to walnuts", "我奶奶对芒果过敏")
    assert ("不知道" in reply or "don't know" in reply) and "；" not in reply and ";" not in reply


@pytest.mark.parametrize(
    "question",
    ["1+1等于几？", "三加五是多少？", "2乘以3等于几", "葡萄牙的首都是哪里？", "谁发明了电话？", "感冒吃什么药好？", "What is 12 x 4?", "Who wrote Emma?", "What's the capital of Chile?"],
)  # fmt: skip
def test_sums_and_general_knowledge_are_not_in_memory(question: str) -> None:
    assert "语言模型" in ask(question, FAMILY_ZH) or "language model" in ask(question, FAMILY_EN)


@pytest.mark.parametrize(
    "message", ["我妈问我什么时候结婚，烦死了", "老板问我什么时候交报告", "同事一直追问我工资多少，好烦", "My aunt asked me when I would move"]
)
def test_what_somebody_else_asked_is_no_question(message: str) -> None:
    assert not asks(message) and asked(message) is None
    assert ask(message, FAMILY_ZH) in {"好的。", "All right."}


@pytest.mark.parametrize("message", ["我妈问我什么时候结婚，我该怎么说？", "我想问我对什么过敏", "请问我叫什么"])
def test_one_s_own_question_about_it_is_one(message: str) -> None:
    assert asks(message)


def test_a_recommendation_minds_the_user_first_and_says_no_but_without_a_reason() -> None:
    reply = ask("有什么推荐", FAMILY_ZH)
    assert reply.index("青霉素") < reply.index("芒果") and "吃辣" not in reply and "不过" in reply
    assert ask("有什么推荐", []).startswith("离线模式下")


def test_what_the_user_said_is_told_to_the_user() -> None:
    assert ask("When does my passport expire?", [], "My passport expires in May 2031").endswith("Your passport expires in May 2031.")


def test_the_second_person_agrees() -> None:
    assert "你住在扬州" in ask("我住在哪？", [fact("location", "在扬州")])
    assert "你男朋友在上海读研" in ask("我男朋友在哪上学？", [fact("school", "上海读研", "男朋友")])


KIDS_ZH = [fact("relationship", "李禾", content="女儿叫李禾"), fact("relationship", "李木", content="儿子叫李木"), fact("occupation", "老师", "哥")]
KIDS_EN = [fact("relationship", "twins, Ivo and Lea"), fact("age", "four", "twins"), fact("relationship", "Nils", content="brother is called Nils")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("我孩子叫什么？", "你的女儿叫李禾；你的儿子叫李木。"), ("我有几个孩子？", "你的女儿叫李禾；你的儿子叫李木。"), ("我有几个兄弟姐妹？", "你哥的职业是老师。"),
        ("How many kids do I have?", "Your twins, Ivo and Lea."), ("How old are my kids?", "Your twins are four."),
        ("How many siblings do I have?", "Your brother is called Nils."),
    ],
)  # fmt: skip
def test_one_word_asks_for_several_people(question: str, answer: str) -> None:
    assert ask(question, KIDS_ZH if language_of(question) == "zh" else KIDS_EN) == answer
