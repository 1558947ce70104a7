"""Whose fact a clause tells, and whether it is one at all: people met by the way, reported speech, wishes, tools switched to."""

from datetime import UTC, datetime

import pytest

from memory.judge import judge
from memory.small_model import small_model

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def told(text: str) -> set[tuple[str, str, str]]:
    judged = judge(text, time=NOW, model=small_model())
    return {(f.owner, f.attribute, f.value) for f in judged.facts}


@pytest.mark.parametrize(
    "text",
    [
        "今天门诊来了个患者叫老周，对头孢过敏", "昨天有个病人叫老罗。他对头孢过敏", "班上有个学生叫小冯，爸妈离婚了", "店里来了个客人，喜欢吃辣",
        "遇到一个网友，在字节上班", "今天来了个患者，有高血压，住在静安", "早上有个乘客姓钱，有糖尿病",
        "I had a patient called Wren, allergic to sulfa", "One of my students, Otis, his parents split up", "There was a guy at the pool, he's a vegan and lives in Hove",
        "A customer came in today, she's 91 and still drives", "I read about a man who eats only turnips",
    ],
)  # fmt: skip
def test_who_is_met_by_the_way_tells_nothing_of_the_user(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我有个朋友叫老罗，对头孢过敏", ("朋友", "allergy", "头孢")),
        ("我有个姐姐叫罗梅，住在西安", ("姐姐", "location", "西安")),
        ("昨天有个病人叫老罗，对头孢过敏，我也对头孢过敏", ("user", "allergy", "头孢")),
        ("班上有个学生，我爸妈离婚了", ("爸妈", "event", "离婚")),
        ("A friend of mine is a vet", ("friend", "occupation", "vet")),
        ("My partner Sam is a vet and we've got twins, they're four", ("twins", "age", "four")),
        ("Had a patient called Wren, allergic to sulfa. I'm allergic to latex", ("user", "allergy", "latex")),
    ],
)  # fmt: skip
def test_ones_own_people_and_oneself_are_told_of(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("我同事说她搬到厦门了", "同事"), ("我闺蜜说她怀孕了", "闺蜜"), ("我妈说她血压高", "妈"), ("我朋友说他对花生过敏", "朋友"),
        ("我妈说他血压高", "他"), ("我爸说她住院了", "她"), ("我妈说我对花生过敏", "user"), ("我同事说他们搬家了", "他们"),
    ],
)  # fmt: skip
def test_reported_speech_is_about_who_spoke_unless_the_pronoun_says_otherwise(text: str, owner: str) -> None:
    assert {o for o, _, _ in told(text)} == {owner}


@pytest.mark.parametrize(
    "text", ["我想养只狗，但是房东不让", "我打算养两只猫", "我特别想领养一只橘猫", "我妈不让我养狗", "我要养猫", "我不能养狗，过敏"]
)
def test_an_animal_that_is_wished_for_is_no_pet(text: str) -> None:
    assert not [f for f in told(text) if f[1] == "pet"]


@pytest.mark.parametrize("text", ["我养了只柴犬", "我家养了三只猫", "我领养了一只橘猫", "后来就养了只狗", "我在家养了一只仓鼠"])
def test_an_animal_that_is_kept_is_one(text: str) -> None:
    assert [f for f in told(text) if f[1] == "pet"]


@pytest.mark.parametrize(
    "text", ["Actually I switched to Sublime Text last month", "I switched to Monzo", "I switched to Firefox", "I switched to Vodafone in May"]
)
def test_what_one_switches_to_is_no_employer(text: str) -> None:
    assert not [f for f in told(text) if f[1] == "employer"]


def test_switching_jobs_is_told_as_an_employer() -> None:
    assert ("user", "employer", "Siemens") in told("I switched to Siemens as an engineer")


@pytest.mark.parametrize("text", ["我猜你住在绍兴", "我还以为你是天蝎座", "I think you live in Hove", "I guess you're a nurse"])
def test_what_the_user_thinks_of_the_assistant_is_no_fact(text: str) -> None:
    assert not told(text)


def test_an_order_never_to_mention_is_no_denial_of_having_said() -> None:
    assert ("user", "instruction", "Never mention my ex again") in told("Never mention my ex again")
    assert not told("I never mentioned a sister")


@pytest.mark.parametrize("text", ["我锻炼身体都干啥", "我平时都吃些啥", "这周我上夜班，困死了", "我过完生日了"])
def test_what_is_asked_or_is_for_this_once_is_no_habit(text: str) -> None:
    assert not told(text)


def test_each_child_goes_by_its_own_tie() -> None:
    facts = told("我有两个孩子，老大叫乐乐，今年7岁，老二叫豆豆，刚满3岁")
    assert {("user", "relationship", "老大叫乐乐"), ("user", "relationship", "老二叫豆豆"), ("老二", "age", "3岁")} <= facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I'm posting my dad a book. His name is Len and he lives at 17 Mill Lane", ("dad", "location", "17 Mill Lane")),
        ("It's my uncle's birthday on Sunday, he lives in Truro", ("uncle", "location", "Truro")),
        ("I bake for my niece a lot. She's allergic to sesame", ("niece", "allergy", "sesame")),
        ("My dad's neighbour came by. He lives in Truro", ("dad's neighbour", "location", "Truro")),
        ("I rang my mum. He lives in Truro", ("he", "location", "Truro")),
        ("Lunch with my dad and my brother. He lives in Truro", ("he", "location", "Truro")),
    ],
)
def test_a_pronoun_means_the_one_relative_spoken_of(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


def test_a_pronoun_means_who_was_spoken_of_just_before() -> None:
    history = [{"role": "user", "content": "I need a card for my aunt"}]
    assert {(f.owner, f.value) for f in judge("she lives in Truro", history=history, time=NOW).facts} == {("aunt", "Truro")}


@pytest.mark.parametrize(
    "text",
    [
        "来玩个剧本：你是酒馆老板娘，我是赶考的书生，姓柳，爱喝黄酒。你开头", "帮我设计一个NPC，四十五岁，退伍军人，独居", "写个小说人物小传：姓顾，苏州人，爱下围棋",
        "给我编个男二：二十八岁，国企混日子，跟前妻住对门", "Let's play a game. You're a grumpy troll, I'm Lady Pim, a baker from Hollowmere who hates onions. Start.",
        "You're a detective, and I'm the suspect. My name is Roger and I live above a pub.",
    ],
)  # fmt: skip
def test_who_is_played_or_invented_is_not_the_user(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    "text",
    [
        "刷到个主播说三十五岁辞职去景德镇做陶瓷，一年赚五十万，真的假的", "听说热搜上那个演员是满族，从小学戏", "看到有个网友说她对猫毛过敏还养了三只",
        "快递单号 SF1029384756，麻烦查下到哪了", "取件码 5-3-2011", "在郑州转车，就两小时，附近有啥吃的", "今晚九点喊我关火", "明早六点半叫我吃药",
        "太好了地铁又停运，我最爱走路上班了", "好棒，空调又坏了，我就喜欢蒸桑拿",
    ],
)  # fmt: skip
def test_rumours_codes_stops_and_irony_tell_nothing(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("别演了，说真的：我真名叫周以宁", ("user", "name", "周以宁")), ("我本名李芸", ("user", "name", "李芸")), ("以后喊我老陶就行", ("user", "name", "老陶")),
        ("这回就算了，往后报表统统用千分位", ("user", "instruction", "往后报表统统用千分位")), ("我一个写代码的，哪懂这个", ("user", "occupation", "写代码")),
        ("我一个给游戏做配乐的，工资三年没涨", ("user", "occupation", "给游戏做配乐")), ("看来看去还是最喜欢老版西游记", ("user", "likes", "老版西游记")),
        ("最近掉进咖啡的坑里了", ("user", "likes", "咖啡")), ("和处了五年的女朋友散了", ("user", "relationship", "和处了五年的女朋友散")), ("AB型，熊猫血", ("user", "health", "AB型")),
        ("签证到手！", ("user", "event", "签证到手")), ("Have I mentioned I'm colour-blind?", ("user", "health", "colour-blind")),
        ("Haven't I told you I hate coriander?", ("user", "dislikes", "coriander")), ("I think I told you I have two cats.", ("user", "pet", "two cats")),
        ("刚入职的实习生一枚，喊我可可", ("user", "occupation", "实习生")), ("葱我从小就不吃", ("user", "dislikes", "葱")), ("香菜我打小就不碰", ("user", "dislikes", "香菜")),
        ("琢磨着辞职回老家开间民宿", ("user", "plan", "辞职回老家开间民宿")), ("去年我中途换过一次单位", ("user", "event", "换过一次单位")),
        ("我妈前年走了，母亲节那种文案别再推给我", ("user", "instruction", "别再推给我")), ("Note this down for me: my gate code is 4471", ("user", "other", "4471")),
        ("Remember this for me: the combo on my bike lock is 44-12-09.", ("user", "other", "the combo on my bike lock is 44-12-09")),
        ("Write this down. The bike lock opens with 44-12-09.", ("user", "other", "The bike lock opens with 44-12-09")),
        ("我一个月拿9200", ("user", "other", "一个月拿9200")), ("周末我在老年大学上课", ("user", "school", "老年大学")),
        ("As a rule keep your answers plain.", ("user", "instruction", "keep your answers plain")),
    ],
)  # fmt: skip
def test_what_is_told_in_passing_or_again_is_told(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text", ["Have I told you my name?", "Did I tell you where I live?", "我的真名不方便说", "买了个A型的", "咱俩说好哈", "说好了哈，明天见"]
)
def test_what_only_asks_or_hides_tells_nothing(text: str) -> None:
    assert not told(text)
