"""Whether what was found can answer the question: is the thing it asks about mentioned, and does something of the asked kind stand there? Pure.

The common trap is a thing that was mentioned while the asked detail never was: "the cat's name" when a cat, but no name, was spoken of. A question that is
no question (a statement in a conversation) is answered by whatever belongs to its topic.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.lexer import is_chinese, tag, words
from memory.pattern import regex
from memory.words import STOP_WORDS, fold, stem

START: Final = 0.85  # a question whose words are all found
UNMENTIONED: Final = 0.6  # times the share of its things that no hit mentions
UNMENTIONED_EN: Final = 0.5  # English has more words for one thing
ASKED: Final = 0.2  # "which hotel" and no hotel anywhere
UNNAMED: Final = 0.45  # nothing of the asked kind stands in the hits
NOTHING: Final = 0.1

_CLASSES: Final = frozenset({"n", "nz", "nw", "vn", "an", "nr", "PER", "LOC", "ORG", "ns", "nt", "s"})
_FRAME: Final = words(
    "名字 时候 时 时间 话题 问题 事情 事 内容 具体 名称 情况 方面 地方 对话 次 天 人 关系 记录 经历 原因 类型 种类 建议 方式 日期 名 什么样 哪些"
)
_FRAME_EN: Final = words(
    "recommend recommended mentioned mention remember said say saying tell told name names called give gave given before once kind kinds type types sort also any some one thing things time "
    "day days recently recent ago few several most really very conversation talked talk shared share asked ask consulted don't didn't doesn't right may going go went get got make made did "
    "both between main during often long many much main kind out into around first last use used want wanting wants attend considered favorite favourite may june july march april content about"
)
_QUESTION: Final = regex(
    r"[?？]|什么|谁|哪|几|多少|怎么|如何|为什么|吗|呢|\b(?:what|who|whom|whose|which|where|when|why|how|do|does|did|is|are|was|were|can|have|has)\b",
    re.I,
)
_ORGANISED: Final = r"(?:公司|单位|酒店|宾馆|民宿|餐厅|饭店|餐馆|店|出版社|学校|大学|中学|医院|银行|机构|健身房|俱乐部)"
_TITLED: Final = r"(?:书|小说|电影|片|歌|曲|剧|游戏|诗|文章|专辑|漫画|动画|节目|杂志)"
_LANGUAGE: Final = regex(
    r"[英法德日韩俄汉]语|[中日英法德韩]文|(?:西班牙|葡萄牙|意大利|阿拉伯|泰|越南|拉丁)语|粤语|普通话|\b(?:english|chinese|mandarin|spanish|french|german|japanese|korean|italian|portuguese|russian|arabic|dutch|latin|hindi)\b|python|java|rust",
    re.I,
)
_NUMBER: Final = regex(
    r"\d|\b(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|once|twice|first|second|third|another|couple|few|several|dozen|every|daily|weekly|always|usually)\b|[一二两三四五六七八九十]+[百千万][一二两三四五六七八九十百千万]*|[一二两三四五六七八九十百千万半]+(?:个|位|名|岁|次|天|年|月|点|块|元|本|只|条|台|遍|公里|分钟|小时|号|来)",
    re.I,
)
_CALLED: Final = regex(r"(?:叫做?|名叫|名为|名字(?:是|叫)?|取名|起名)[“「《]?([^\s，。！？、的了吗什么啊呢我你]{1,12})")
_QUOTED: Final = regex(r"《[^》]+》|“[^”]{1,20}”|「[^」]{1,20}」|\"[^\"]{2,40}\"")
_PERSON_EN: Final = regex(r"(?<![.!?\"“]\s)(?<!^)\b[A-Z][a-z]{2,}\b")

_WHICH_EN: Final = regex(r"\bwhich (\w+)", re.I)
_KINDS: Final = (
    ("title", regex(rf"{_TITLED}[^，。？]{{0,8}}(?:叫什么|名字|名称|书名|片名)|哪(?:一)?(?:本|部|首|篇|款){_TITLED}")),
    ("language", regex(r"哪(?:一)?[门种][^，。？]{0,2}语言|语言[^，。？]{0,4}(?:哪|什么)|学[^，。？]{0,4}什么语|\bwhich language\b|\bwhat language\b", re.I)),
    ("brand", regex(r"(?:什么|哪个|哪种)(?:品牌|牌子)|(?:品牌|牌子)是(?:什么|哪)|\bwh(?:at|ich) brand\b", re.I)),
    ("organisation", regex(rf"哪(?:一)?[家个所间座]{_ORGANISED}|{_ORGANISED}[^，。？]{{0,4}}(?:叫什么|名字|名称|是哪)|什么{_ORGANISED}")),
    ("place", regex(r"哪(?:一)?[个座]?(?:国家|城市|国|省|地方)|什么(?:国家|城市)")),
    ("person", regex(r"谁|(?:人|老师|医生|朋友|同事|老板|教练|同学|邻居|室友)[^，。？]{0,3}(?:叫什么|姓什么|名字)|\bwho(?:se|m)?\b", re.I)),
    ("name", regex(r"叫什么|名字(?:是|叫)|(?:的|什么)名字|\bname of\b|'s name\b|\bcalled\b|\bnamed\b", re.I)),
    ("number", regex(r"多少|几(?:个|位|名|岁|次|天|年|点|块|本|只|条|台)|多大|\bhow (?:many|much|old|long|far|often)\b", re.I)),
)  # fmt: skip


def answerable(question: str, hits: Sequence[str], *, speakers: Sequence[str] = (), share: float = 1.0) -> float:
    """0–1; from 0.5 on the hits are taken to answer the question.

    `hits` are the texts of the best hits, `speakers` the names of who talks there (they answer no question about other people), `share` the part of the
    question's informative words that the best hit holds.
    """
    if not hits:
        return 0.0
    question, text = question[:300], "\n".join(h[:2000] for h in hits)
    if not _QUESTION.search(question):
        return max(NOTHING, min(1.0, 0.5 + share))
    kind = next((name for name, pattern in _KINDS if pattern.search(question)), None)
    things = _things(question)
    named = kind is not None and _stands(kind, question, hits, speakers)
    if named and kind in {"place", "language", "organisation", "brand"}:  # which country: the name of one is answer enough
        things = [t for t in things if not re.search(rf"(?:哪|什么|which|what)[^，。？]{{0,4}}{re.escape(t)}", question, re.I)]
    missing = [t for t in things if not _mentioned(t, fold(text))]
    weight = UNMENTIONED if is_chinese(question) else UNMENTIONED_EN
    score = START - weight * (len(missing) / len(things) if things else max(0.0, 0.5 - share))
    if (asked := _WHICH_EN.search(question)) and asked.group(1).lower() in missing:
        score -= ASKED
    if kind is not None and not named:
        score -= UNNAMED
    return max(NOTHING, score)


def _things(question: str) -> list[str]:
    """The things that a question is about: its nouns in Chinese, its content words in English."""
    if is_chinese(question):
        return list(dict.fromkeys(w for w, c in tag(question) if c in _CLASSES and w not in _FRAME and not w.isdigit()))
    found = re.findall(r"[a-z][a-z'-]+", question.lower())
    return list(dict.fromkeys(w.removesuffix("'s") for w in found if w not in STOP_WORDS and w not in _FRAME_EN))


def _mentioned(thing: str, text: str) -> bool:
    """Whether the text has the thing, or two characters of it in a row (相机 for 照相机)."""
    thing = fold(thing)
    if thing.isascii():
        return any(stem(w) == stem(thing) for w in re.findall(r"[a-z][a-z'-]*", text)) or thing in text
    return thing in text or any(thing[i : i + 2] in text for i in range(len(thing) - 1))


def _stands(kind: str, question: str, hits: Sequence[str], speakers: Sequence[str]) -> bool:
    """Whether something of this kind stands in the hits that the question itself does not say."""
    text = "\n".join(h[:2000] for h in hits)
    if kind == "number":
        return _NUMBER.search(text) is not None
    if kind == "language":
        return any(m.group().lower() not in question.lower() for m in _LANGUAGE.finditer(text))
    known = {fold(s) for s in speakers}
    chinese = is_chinese(question)
    if kind in {"title", "name"} and any(m.group() not in question for m in _QUOTED.finditer(text)):
        return True
    if kind == "name" and any(
        fold(m.group(1)) not in known and not any(fold(m.group(1)).startswith(k) for k in known if k) for m in _CALLED.finditer(text)
    ):
        return True
    if not chinese:
        return any(fold(m.group()) not in known and m.group().lower() not in question.lower() for m in _PERSON_EN.finditer(text))
    wanted = {
        "title": {"nw"}, "name": {"PER", "nw", "nz", "nr"}, "person": {"PER", "nr"}, "place": {"LOC", "ns"}, "organisation": {"ORG", "nt"},
        "brand": {"ORG", "nz"},
    }[kind]  # fmt: skip
    for hit in hits:
        for word, cls in tag(hit):
            if cls in wanted and len(word) > 1 and word not in question and fold(word) not in known and word != "AI":
                return True
    return False
