"""The offline model answers from the briefing, in both languages, and never claims what no tool reported."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from graph.briefing import Briefing
from graph.offline import OfflineModel
from graph.phrases import compose, model_failed, undone
from graph.questions import asked, asks, is_small_talk, person
from memory.language import Language
from memory.recall import Hit
from memory.record import CATEGORIES, Memory

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def known(attribute: str, value: str, **more: Any) -> Memory:
    return Memory(
        key=f"{attribute}:{value}", fact=value, user="u", category=CATEGORIES[attribute], attribute=attribute, value=value, recorded_at=NOW, updated_at=NOW,
        **{"content": value, **more},
    )  # fmt: skip


def brief(message: str, *profile: Memory, lang: Any = "zh", **more: Any) -> Briefing:
    return Briefing(lang=lang, message=message, profile=profile, first=False, **more)


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("我叫什么名字？", "name"), ("我今年多大？", "age"), ("我的职业是什么？", "occupation"), ("我在哪里工作？", "employer"), ("我住在哪？", "location"),
        ("我老家在哪？", "hometown"), ("我对什么过敏？", "allergy"), ("我喜欢什么？", "likes"), ("我讨厌什么？", "dislikes"), ("What's my name?", "name"),
        ("Where do I live?", "location"), ("What do I do for a living?", "occupation"), ("How old am I?", "age"), ("What am I allergic to?", "allergy"),
        ("今天天气怎么样？", None), ("它多少钱？", None),
    ],
)  # fmt: skip
def test_what_a_question_asks_for(question: str, attribute: str | None) -> None:
    assert asked(question) == attribute


def test_profile_questions_are_answered_from_the_profile() -> None:
    assert "软件工程师" in compose(brief("我的职业是什么？", known("occupation", "软件工程师")))
    assert "Utrecht" in compose(brief("Where do I live?", known("location", "Utrecht"), lang="en"))


def test_what_is_not_known_is_said_so() -> None:
    reply = compose(brief("我住在哪？", known("name", "张三")))
    assert "不知道" in reply and "张三" not in reply
    assert "don't know" in compose(brief("Where do I live?", lang="en"))


def test_the_mothers_allergy_is_not_the_users() -> None:
    assert "花生" not in compose(brief("我对什么过敏？", known("allergy", "花生", owner="妈妈")))


def test_only_reported_changes_are_acknowledged() -> None:
    assert "记住" not in compose(brief("我叫张三"))
    done = ({"op": "add", "attribute": "name", "value": "张三", "owner": "user"},)
    assert "记住了：你叫张三" in compose(brief("我叫张三", applied=done))
    assert "forgotten" in compose(brief("forget my job", lang="en", applied=({"op": "forget", "attribute": "occupation", "value": "nurse"},))).lower()
    assert "记不住" in compose(brief("我叫张三", applied=({"op": "failed", "reason": "database"},)))


def test_a_dislike_is_heeded_in_recommendations() -> None:
    assert "太贵的东西" in compose(brief("那你们的产品有什么推荐吗？", known("dislikes", "太贵的东西")))


def test_offline_is_said_once() -> None:
    first = Briefing(lang="zh", message="你好", first=True)
    assert "离线" in compose(first) and "离线" not in compose(brief("你好"))


def test_recall_answers_only_when_it_bears_on_the_question() -> None:
    hit = Hit(id="1", kind="episode", text="咖啡机是银色的", score=1.0, parts={"words": 1.0}, time=NOW)
    assert "银色" in compose(brief("咖啡机什么颜色？", episodes=(hit,), answerable=0.8))
    assert "银色" not in compose(brief("咖啡机什么颜色？", episodes=(hit,), answerable=0.2))


def test_a_failed_model_is_said_without_secrets() -> None:
    class RateLimitError(Exception):
        status_code = 429

    reply = model_failed(brief("What's my name?", known("name", "Ann"), lang="en"), RateLimitError("key sk-123"))
    assert "429" in reply and "Ann" in reply and "sk-123" not in reply


def test_it_is_a_chat_model_that_streams() -> None:
    pieces = list(OfflineModel().stream([HumanMessage("hi")], briefing=brief("我叫什么名字？", known("name", "张三"))))
    assert len(pieces) > 1 and "张三" in "".join(p.text for p in pieces)


def test_what_the_guard_stopped_is_said() -> None:
    stopped = ({"op": "ignore", "attribute": "other", "value": "x", "reason": "不保存敏感信息（password），除非你明确要求"},)
    assert "没有保存：不保存敏感信息" in compose(brief("我的密码是abc123", applied=stopped))


def test_the_days_that_are_asked_for() -> None:
    dentist, fair = known("plan", "看牙医", time="2026-03-06"), known("event", "书展", time="2026-03-20")
    assert compose(brief("我明天有什么安排？", dentist, fair, now=NOW)) == "那几天的事我没有记到。"
    assert compose(brief("我下周五有什么安排？", dentist, fair, now=NOW)) == "你的计划：看牙医（2026-03-06）。"
    assert "book fair" in compose(brief("What do I have on March 20?", known("plan", "book fair", time="2026-03-20"), lang="en", now=NOW))


def test_an_age_is_worked_out_from_a_birthday() -> None:
    assert compose(brief("我多大了？", known("birthday", "1990年5月3号", time="1990-05-03"), now=NOW)) == "你今年35岁（生日是1990年5月3号）。"
    assert "35" not in compose(brief("我多大了？", known("birthday", "5月3号"), now=NOW))


def test_likes_of_the_kind_that_is_asked_for() -> None:
    reply = compose(brief("我喜欢喝什么？", known("likes", "喝乌龙茶"), known("likes", "爬山")))
    assert "乌龙茶" in reply and "爬山" not in reply


def test_somebody_unknown_is_not_somebody_else() -> None:
    hit = Hit(id="n", kind="fact", text="is called Anna", score=2.0, parts={"words": 1.0}, memory=known("name", "Anna"))
    assert "Anna" not in compose(brief("Who is Tom?", lang="en", facts=(hit,), answerable=0.9))
    assert "Anna" not in compose(brief("what does tom eat?", lang="en", facts=(hit,), answerable=0.9))


@pytest.mark.parametrize("message", ["帮我写一首诗", "请翻译一下这段话", "Write a poem about rain", "could you plan my week"])
def test_what_takes_a_model_is_said_to(message: str) -> None:
    assert ("语言模型" if message[0] > "z" else "language model") in compose(brief(message, lang="zh" if message[0] > "z" else "en"))


@pytest.mark.parametrize(
    ("message", "small"), [("谢谢！再见", True), ("Hello there", True), ("好的，谢谢你", True), ("你好，我叫罗岚", False), ("谢谢，多少钱？", False)]
)
def test_small_talk(message: str, small: bool) -> None:
    assert is_small_talk(message) is small


def test_how_it_was_is_not_how_it_is() -> None:
    old, new = known("location", "厦门", valid_to=NOW), known("location", "泉州")
    assert compose(brief("我以前住在哪？", old, new)) == "你以前住在厦门。"
    assert compose(brief("我住在哪？", old, new)) == "你住在泉州。"


@pytest.mark.parametrize(
    "message", ["我住在哪", "我下周有什么安排", "我叫啥", "老公生日什么时候", "你是谁", "what is my name", "am I allergic to nuts"]
)
def test_questions_need_no_mark(message: str) -> None:
    assert asks(message)


@pytest.mark.parametrize(
    "message",
    [
        "我什么都不挑",
        "谁都知道我怕黑",
        "我怎么也睡不着",
        "我不知道他是谁，不过那天他帮了我一个大忙，我一直想找机会好好谢谢人家",
        "I know what I like",
    ],
)
def test_such_words_do_not_make_a_question(message: str) -> None:
    assert not asks(message)


def test_the_date_is_known_offline() -> None:
    assert compose(brief("今天几号？", now=NOW)) == "现在是2026-03-01 09:00，星期日。"
    assert "Sunday" in compose(brief("What day is it?", lang="en", now=NOW))


def test_what_harms_is_heeded_first() -> None:
    reply = compose(brief("晚上吃什么好？", known("likes", "爬山"), known("likes", "吃面"), known("allergy", "虾"), known("dislikes", "香菜")))
    assert reply.index("虾") < reply.index("香菜") < reply.index("爬山")


def test_an_answer_may_stand_in_a_file() -> None:
    files = (("行程.txt", "第一天：古城。\n苍山索道，门票280元。\n第三天返程。"),)
    assert "280元" in compose(brief("苍山索道多少钱？", files=files))
    assert "280" not in compose(brief("洱海游船多少钱？", files=files))


def test_no_message_is_read_for_ever() -> None:
    began = time.process_time()
    for text in ("hi" + " " * 37 + "x", "嗯" * 39 + "x", "早" * 39 + "x", "bye " * 9 + "x", "好的" * 19 + "x", "~" * 39 + "x"):
        assert not is_small_talk(text)
    assert time.process_time() - began < 1


@pytest.mark.parametrize("text", ["", "嗯嗯嗯", "ok thanks, bye bye", "好的好的，谢谢你的帮助！", "well, good night", "bye-bye~"])
def test_small_talk_of_several_words(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("what does ines eat?", "ines"), ("what does my aunt eat?", None), ("is Moss allergic to fish?", "Moss"), ("where does leo's sister live", "leo"),
        ("what is good for dinner", None), ("what is my name", None), ("who is Ines", "Ines"), ("罗岚喜欢吃什么？", "罗岚"), ("我妈喜欢什么", None), ("罗岚是谁", "罗岚"),
    ],
)  # fmt: skip
def test_whom_a_question_names(message: str, name: str | None) -> None:
    assert person(message) == name


def test_what_is_known_of_others_answers_for_them() -> None:
    people = [
        known("occupation", "牙医", owner="老公"), known("relationship", "高远", content="老公叫高远"), known("age", "7", owner="女儿"),
        known("relationship", "糖糖", content="女儿叫糖糖"), known("likes", "恐龙", owner="糖糖"),
    ]  # fmt: skip
    assert "牙医" in compose(brief("高远是做什么的", *people))
    assert "牙医" in compose(brief("我老公是做什么的？", *people))
    assert "7岁" in compose(brief("糖糖多大了？", *people))
    assert "恐龙" in compose(brief("我女儿喜欢什么？", *people))
    assert "不知道" in compose(brief("糖糖在哪上学？", *people))
    mine = [known("employer", "Fernwood", owner="wife Ines"), known("age", "4", owner="son Leo")]
    assert "Fernwood" in compose(brief("where does my wife work?", *mine, lang="en"))
    assert "4" in compose(brief("how old is leo", *mine, lang="en"))
    assert "4" not in compose(brief("what does leo like?", *mine, lang="en"))


def test_how_one_does_it_is_no_wish_for_advice() -> None:
    tea = known("habit", "早上喝普洱")
    hit = Hit(id="t", kind="fact", text="习惯：早上喝普洱", score=2.0, parts={"words": 1.0}, memory=tea)
    assert compose(brief("我早上喝什么？", facts=(hit,), answerable=0.9)) == "你的习惯：早上喝普洱。"
    assert "推荐" in compose(brief("早上喝什么好？", facts=(hit,), answerable=0.9))


def test_a_plan_is_not_made_from_memory() -> None:
    hit = Hit(id="p", kind="fact", text="计划：考驾照", score=2.0, parts={"words": 1.0}, memory=known("plan", "考驾照"))
    assert "语言模型" in compose(brief("你能帮我制定一个学车计划吗", facts=(hit,), answerable=0.9))


def test_an_earlier_question_hides_no_answer() -> None:
    asked_before = Hit(id="q", kind="episode", text="我什么时候考驾照", score=9.0, parts={"words": 1.0}, time=NOW)
    fact = Hit(id="p", kind="fact", text="计划：考驾照", score=2.0, parts={"words": 0.6}, memory=known("plan", "考驾照", time="2026-04-02"))
    assert "2026-04-02" in compose(brief("我什么时候考驾照", facts=(fact,), episodes=(asked_before,), answerable=0.9))


@pytest.mark.parametrize(
    ("lang", "attribute", "value", "told"),
    [
        ("zh", "allergy", "牛奶", "你以前对牛奶过敏"), ("zh", "location", "朝阳", "你以前住在朝阳"), ("en", "employer", "Ardent", "you used to work at Ardent"),
        ("en", "habit", "smoking", "formerly"),
    ],
)  # fmt: skip
def test_what_is_over_is_acknowledged_as_over(lang: Language, attribute: str, value: str, told: str) -> None:
    done = ({"op": "add", "attribute": attribute, "value": value, "valid_to": "2026-01-01T00:00:00+00:00"},)
    assert told in compose(brief("…", lang=lang, applied=done))


def test_there_is_always_something_said() -> None:
    assert (
        compose(brief("我不抽烟", applied=({"op": "ignore", "attribute": "habit", "value": "抽烟", "reason": "没有与之对应的已知事实"},))) == "好的。"
    )


def test_what_an_undo_brought_back_is_not_what_it_took() -> None:
    def home(city: str) -> dict[str, str]:
        return {"op": "supersede", "owner": "user", "attribute": "location", "value": city}

    changes: list[dict[str, Any]] = [
        {**home("海口"), "closed": home("三亚")},
        {**home("广州"), "closed": home("海口")},
        {"op": "retire", "attribute": "likes", "value": "茶"},
    ]
    gone, back = undone(changes)
    assert [m["value"] for m in gone] == ["三亚", "海口", "茶"] and [m["value"] for m in back] == ["广州"]
