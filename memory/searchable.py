"""What of a fact or an episode can be found: the words that BM25 counts and the text that is embedded. Pure.

An episode is found by its speaker, its text, the description of a shared picture and its date; a fact by its sentence, the words people use for its
attribute (location: 住 live), whom it is about, its tags and the time of the event. Both by what kind of thing they speak of (`memory.concepts`).
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Final

from memory.concepts import concepts
from memory.episode import Episode
from memory.pattern import regex
from memory.record import USER, Memory
from memory.words import fold, terms

_CUES: Final[Mapping[str, str]] = {
    "name": "名字 姓名 叫 name called", "age": "年龄 多大 几岁 岁 age old", "birthday": "生日 出生 birthday born",
    "occupation": "职业 工作 做什么 job work occupation profession", "employer": "公司 单位 工作 上班 company employer work",
    "school": "学校 上学 大学 毕业 school university study", "location": "住 住哪 哪里 地址 城市 live lives living address city where",
    "hometown": "老家 家乡 来自 hometown from grew", "contact": "电话 手机 邮箱 联系 微信 phone email contact number",
    "health": "健康 身体 病 health condition ill", "allergy": "过敏 不能吃 allergy allergic", "skill": "会 擅长 技能 skill speak able",
    "possession": "有 车 房 own owns have", "likes": "喜欢 爱 爱好 最爱 偏好 like likes love favorite prefer enjoy hobby",
    "dislikes": "不喜欢 讨厌 不吃 dislike hate", "habit": "习惯 经常 每天 平时 habit usually routine", "plan": "计划 打算 安排 准备 plan planning going",
    "event": "发生 经历 event happened", "relationship": "家人 关系 朋友 family friend relationship", "pet": "宠物 猫 狗 养 pet cat dog",
    "instruction": "要求 回答 以后 instruction always answer", "progress": "进度 进展 学到 项目 progress project",
}  # fmt: skip
"""Attribute → how people ask for it."""
_SENTENCE: Final = regex(r"[.!?。！？]")
_MONTHS: Final = "January February March April May June July August September October November December"


def dated(when: datetime) -> str:
    """The day in the words of both languages."""
    return f"{when.day} {_MONTHS.split()[when.month - 1]} {when.year} {when.month}月{when.day}日 {when.year}年"


def episode_text(episode: Episode) -> str:
    """What is embedded of an episode."""
    spoken = f"{episode.speaker}: {episode.text}" if episode.speaker else episode.text
    return f"{spoken} [{episode.caption}]" if episode.caption else spoken


def asks(text: str) -> float:
    """The share of sentences that are questions, for a text that ends with one; 0 for any other."""
    if not text.rstrip().endswith(("?", "？")):
        return 0.0
    sentences = [s for s in _SENTENCE.split(text[:2000]) if s.strip()]
    return min(1.0, sum(text.count(mark) for mark in "?？") / max(1, len(sentences)))


def episode_terms(episode: Episode) -> list[str]:
    return [*terms(f"{episode_text(episode)} {dated(episode.time)}"), *sorted(concepts(fold(f"{episode.text} {episode.caption}")))]


def fact_text(memory: Memory) -> str:
    """A fact's sentence with the words people use for its attribute: what tells whether it bears on a question."""
    return f"{memory.content or memory.value} {_CUES.get(memory.attribute, '')}"


@cache
def _cue_terms(attribute: str) -> frozenset[str]:
    return frozenset(terms(_CUES.get(attribute, "")))


def fact_terms(memory: Memory) -> list[str]:
    """The words of a fact's sentence; those of its cues count once each."""
    about = "" if memory.owner == USER else memory.owner
    said = " ".join(str(x) for x in (memory.content, about, *memory.tags, memory.time or "", memory.normal or ""))
    found = terms(said)
    return [*found, *sorted(_cue_terms(memory.attribute) - set(found)), *sorted(concepts(fold(f"{said} {memory.attribute}")))]
