"""What each thing that one may ask for covers: the attributes that tell it, what a fact of a wider attribute must speak of, and how its absence is said. Data."""

import re
from collections.abc import Mapping
from typing import Final

from memory.language import Language
from memory.pattern import regex
from memory.record import Memory

RELATED: Final[Mapping[str, tuple[str, ...]]] = {
    "occupation": ("occupation", "employer"),
    "age": ("age", "birthday"),
    "plan": ("plan", "event"),
    "likes": ("likes", "habit"),
    "allergy": ("allergy", "health"),
    "medication": ("health", "habit", "other"),
    "diet": ("allergy", "health", "dislikes", "habit"),
    "name": ("name", "relationship"),
    "studies_in": ("location", "school"),
    "works_in": ("location", "employer"),
    "exercise": ("habit", "likes", "progress", "skill", "plan"),
    "car": ("possession",),
    "pay": ("other",),
    "height": ("other", "health"),
    "weight": ("health", "other"),
}
_DRUG: Final = (
    r"地平|沙坦|普利|洛尔|他汀|双胍|列[汀净奈]|格列|咪唑|拉唑|硝唑|康唑|替丁|西林|头孢|[霉环]素|沙星|洛韦|西泮|唑仑|西汀|舍曲林|普兰|氮平|硫平|匹林|布洛芬|泼尼松|米松|甲状腺素|优甲乐|华法林|"
    r"司他|别嘌|秋水仙碱|司特|他定|利嗪|氯吡格雷|司美格鲁肽|叶酸|"
    r"\b\w+(?:pril|sartan|olol|statin|dipine|gliptin|gliflozin|formin|prazole|tidine|cillin|mycin|floxacin|oxetine|traline|alopram|zepam|zolam|thyroxine|profen|farin|xaban|dogrel|semide|thiazide|lukast|solone|tirizine|ratadine|glutide|tirzepatide)\b|"
    r"\b(?:aspirin|paracetamol|acetaminophen|warfarin|lithium|ventolin|ozempic|mounjaro|prozac|zoloft|xanax|eliquis)\b"
)
"""Medicines by the ends of their names, which tell what they are."""
_ONLY: Final[Mapping[str, re.Pattern[str]]] = {  # what a fact of a wider attribute must speak of
    "allergy": regex(r"过敏|不耐受|allerg|intoleran", re.I),
    "medication": regex(
        r"药|服用|在吃|在打|[吃服打](?:了)?[一两三四半几\d]*[片粒颗丸支针]|胰岛素|维生素|\b(?:take|takes|taking|medic\w*|meds|pills?|insulin|tablets?|mg)\b|^on \w+|"
        + _DRUG,
        re.I,
    ),
    "exercise": regex(
        r"运动|锻炼|健身|跑|游泳|瑜伽|普拉提|球|骑车|骑行|爬山|登山|徒步|散步|跳操|跳绳|太极|撸铁|舞|\b(?:exercis\w*|work(?:s|ing)? out|gym|pilates|yoga|run\w*|jog\w*|swim\w*|cycl\w*|hik\w*|climb\w*|row\w*|walk\w*|lift\w*|train\w*|box\w*|danc\w*|football|tennis|golf|badminton|basketball|squash|crossfit)\b",
        re.I,
    ),
    "car": regex(r"车(?!位|库|票)|(?:[我他她]|现在|平时)开(?!始|会|店|公司)|\b(?:cars?|driv\w+|vehicle|suv|van|truck|convertible)\b", re.I),
    "pay": regex(r"工资|薪|收入|月入|年入|[挣赚]|\b(?:salary|wages?|pay|paid|income|earn\w*|makes?)\b", re.I),
    "height": regex(r"身高|高|\b(?:tall|height)\b", re.I),
    "weight": regex(r"体重|重|斤|公斤|\b(?:weigh\w*|weight|kilos?|kg|pounds|lbs?|stone)\b", re.I),
    "diet": regex(r"不[能可吃喝]|忌|素|清真|不耐受|\b(?:eat|drink|diet|vegan|vegetarian|gluten|halal|kosher|intoleran\w*)\b", re.I),
}
SAYS: Final[Mapping[str, re.Pattern[str]]] = {  # without which an earlier turn cannot be an answer
    "age": regex(r"\d|[一二三四五六七八九十]岁"),
    "birthday": regex(r"\d|[一二三四五六七八九十]月|生日|born|birthday", re.I),
    "name": regex(r"叫|名字|是我|\b(?:called|named?)\b|my \w+,? [A-Z]"),
    "location": regex(r"住|搬|\b(?:liv|mov)", re.I),
    **_ONLY,
}
UNKNOWN: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {
        "name": "你叫什么名字", "age": "你的年龄", "birthday": "你的生日", "employer": "你在哪里工作", "occupation": "你的职业", "school": "你在哪里上学",
        "hometown": "你的家乡", "location": "你住在哪里", "allergy": "你对什么过敏", "dislikes": "你不喜欢什么", "likes": "你喜欢什么", "plan": "你有什么计划",
        "pet": "你有没有宠物", "skill": "你在学什么", "contact": "你的联系方式", "medication": "你在吃什么药", "diet": "你不能吃什么", "instruction": "你对我有什么要求",
        "studies_in": "你在哪个城市上学", "works_in": "你在哪个城市工作", "exercise": "你平时做什么运动", "car": "你开什么车", "progress": "你的进度", "pay": "你的收入", "height": "你的身高", "weight": "你的体重",
    },
    "en": {
        "name": "your name", "age": "how old you are", "birthday": "your birthday", "employer": "where you work", "occupation": "what you do for a living",
        "school": "where you study", "hometown": "where you come from", "location": "where you live", "allergy": "what you are allergic to",
        "dislikes": "what you dislike", "likes": "what you like", "plan": "what you plan", "pet": "whether you have a pet", "skill": "what you are learning",
        "contact": "how to reach you", "medication": "what medication you take", "diet": "what you cannot eat", "instruction": "what you asked of me",
        "studies_in": "where you study", "works_in": "where you work", "exercise": "what you do for exercise", "car": "what you drive", "progress": "how far you are",
        "pay": "what you earn", "height": "how tall you are", "weight": "what you weigh",
    },
}  # fmt: skip


def fits(memory: Memory, attribute: str) -> bool:
    """Whether a fact says what is asked for, where its attribute is a wider one."""
    return (
        memory.attribute in {attribute, "allergy", "dislikes"}
        or attribute not in _ONLY
        or _ONLY[attribute].search(f"{memory.value} {memory.content} {memory.source.text or ''}") is not None
    )
