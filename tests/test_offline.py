"""The offline model answers from the briefing, in both languages, and never claims what no tool reported."""

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from graph.briefing import Briefing
from graph.offline import OfflineModel
from graph.phrases import asked, compose, model_failed
from memory.recall import Hit
from memory.record import CATEGORIES, Memory

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def known(attribute: str, value: str, **more: Any) -> Memory:
    return Memory(
        key=f"{attribute}:{value}", fact=value, user="u", category=CATEGORIES[attribute], attribute=attribute, value=value, content=value, recorded_at=NOW, updated_at=NOW,
        **more,
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
    assert "记住了：姓名 张三" in compose(brief("我叫张三", applied=done))
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
