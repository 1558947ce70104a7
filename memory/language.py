"""Which of the two languages a text is in."""

from typing import Final, Literal

from memory.pattern import regex

Language = Literal["zh", "en"]
_HAN: Final = regex(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN: Final = regex(r"[A-Za-z]{2,}")


def language_of(*texts: str) -> Language:
    """The language of the first text that shows one: Chinese where there is a Han character, English where there are Latin words; else Chinese.

    Only the first 2,000 characters of each are looked at.
    """
    for text in texts:
        head = text[:2000]
        if _HAN.search(head):
            return "zh"
        if _LATIN.search(head):
            return "en"
    return "zh"


ATTRIBUTE_LABELS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "name": "姓名", "age": "年龄", "birthday": "生日", "occupation": "职业", "employer": "工作单位", "school": "学校", "location": "住址", "hometown": "家乡",
        "likes": "喜欢", "dislikes": "不喜欢", "habit": "习惯", "allergy": "过敏", "health": "健康", "relationship": "关系", "pet": "宠物", "plan": "计划",
        "event": "事件", "instruction": "要求", "contact": "联系方式", "skill": "技能", "progress": "进展", "possession": "拥有", "other": "其他",
        "city": "城市", "step": "步骤", "choice": "选择", "day": "日期", "budget": "预算",
    },
    "en": {
        "name": "name", "age": "age", "birthday": "birthday", "occupation": "occupation", "employer": "employer", "school": "school", "location": "home",
        "hometown": "hometown", "likes": "likes", "dislikes": "dislikes", "habit": "habit", "allergy": "allergy", "health": "health",
        "relationship": "relationship", "pet": "pet", "plan": "plan", "event": "event", "instruction": "instruction", "contact": "contact", "skill": "skill",
        "progress": "progress", "possession": "owns", "other": "other",
        "city": "city", "step": "step", "choice": "choice", "day": "day", "budget": "budget",
    },
}  # fmt: skip


def label(attribute: str, lang: Language) -> str:
    """An attribute's name for people, of facts and of session facts; an unknown one is its own label."""
    return ATTRIBUTE_LABELS[lang].get(attribute, attribute)
