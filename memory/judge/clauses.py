"""Cutting a message into sentences and clauses, and folding its characters for matching.

`fold` keeps length, so that a span found in the folded text is a span of the user's own words.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from memory.pattern import regex

MAX_CLAUSE: Final = 240
"""Longer runs without punctuation are cut, so that no pattern ever meets a long string."""

PASTED_WITHIN: Final = 2000  # characters at the beginning in which a text to work on is announced

_HAN: Final = regex(r"[\u3400-\u9fff\uf900-\ufaff]")
_HAN_RUN: Final = regex(r"[\u3400-\u9fff\uf900-\ufaff]+")
_LATIN: Final = regex(r"[A-Za-zＡ-Ｚａ-ｚ]")
_ENGLISH: Final = regex(
    r"\b(?:i|i'm|i’m|my|me|we|our|the|is|are|was|were|am|a|an|and|of|in|you|your|please|don't|do|does|did|what|how|with|for|that|this|from|have|has|had|she|he|they|every|so|but|now|not|on|at|to|call"
    r"|it|it's|it’s|been|be|or|as|up|his|her|him|them|their|us|about|by|out|into|than|then|when|where|since|after|before|over|no|too|all|some|any|again|these|those|will|can|could|would|instead|still|just|there|here)\b"
)
_GRAMMAR: Final = regex(r"[我你他她它的了是在不没有和把被吗呢吧就也都很]")
"""Characters that make a run of Chinese a clause instead of a word."""
_LATIN_WORD: Final = regex(r"[A-Za-z]{2,}")
_MARKS: Final = frozenset("，！？：；（）～")
"""Full-width punctuation that stays as it is: patterns are written with it."""
_PLAIN: Final = regex(r"[\x20-\x7e]*\Z")
_SENTENCE: Final = regex(r"[。！？!?；;\n\r…]+[”」』’\"'）)]*|[.](?=\s|\Z)[\"')]*")
_TITLE: Final = regex(r"\b(?:dr|mrs?|ms|prof|rev|st|mt|ft|sgt|capt|lt|gen|sen)\Z", re.IGNORECASE)
_AFTER_TITLE: Final = regex(r"\s(?:(?!(?:I|I'm|I’m|My|We|It|He|She|They|The|You|What|How|And|But|So)\b)[A-Z]|(?:[a-z]+['’]s\b))")
_SHORTENED: Final = regex(
    r"\b(?:inc|ltd|corp|co|plc|bros|jr|sr|vs|approx|dept|est|min|max|etc|e\.g|i\.e|[ap]\.m|u\.[sk]|u\.s\.a|d\.c|ph\.d|no)\Z", re.IGNORECASE
)
_GOES_ON: Final = regex(r"\s(?!(?:i|im|my|we|it|he|she|they|you|what|how|but|so)\b)[a-z0-9]")
_OPENING: Final = regex('[“「『‘"]')
_PAIRS: Final = {"“": "”", "「": "」", "『": "』", "‘": "’", '"': '"'}


_SPOKEN: Final = str.maketrans("喺嘅唔佢咗冇嗰哋嚟睇啲俾畀喇囉㗎攞揸諗谂搵揾嘢", "在的不他了没那们来看些给给了了的拿开想想找找事")
"""Cantonese function words and verbs → the Mandarin ones that the patterns know."""
_CANTONESE: Final = regex(r"[喺嘅唔佢咗冇嗰哋嚟睇啲喇㗎攞揸諗搵嘢]|係|而家|依家")
_PHRASES: Final = (
    ("而家", "现在"), ("依家", "现在"), ("鍾意", "喜欢"), ("钟意", "喜欢"), ("中意", "喜欢"), ("屋企", "家里"), ("返工", "上班"), ("放工", "下班"), ("聽日", "明天"), ("听日", "明天"),
    ("琴日", "昨天"), ("尋日", "昨天"), ("寻日", "昨天"), ("今日", "今天"), ("唔使", "不用"), ("舊年", "去年"), ("旧年", "去年"), ("出年", "明年"), ("成日", "整天"), ("食", "吃"), ("飲", "喝"), ("饮", "喝"),
    ("返學", "上学"), ("返学", "上学"), ("識", "会"), ("识", "会"), ("禮拜", "礼拜"), ("細路", "小孩"), ("细路", "小孩"),
)  # fmt: skip
"""The same for words of more characters, only where the text is Cantonese; every pair is of one length."""
_DOING: Final = regex(r"(?<=[用食做住返學学讀读玩睇看揸開开養养練练行坐搭教寫写])[緊紧]")
_CLOSING: Final = regex(r"(?<![了的啦好对行])啦(?=\Z|[\s，。！？,.!?~～…])")
_IS: Final = regex(r"(?<![關关聯联干體体])係")


def spoken(text: str, *, closing: bool = True) -> str:
    """Cantonese words as Mandarin ones, and with `closing` a 啦 at the end as the 了 that it stands for; always as long as `text`."""
    if closing and "啦" in text:
        text = _CLOSING.sub("了", text)
    if not _CANTONESE.search(text):
        return text
    for said, written in _PHRASES:
        text = text.replace(said, written)
    text = re.sub(r"(?<=[我你佢他她哋在])[部間间隻架個](?!人|月|[钟鐘星])(?=[a-zA-Z\u4e00-\u9fff])", "的", text)
    text = re.sub(r"(?:(?<![\u4e00-\u9fffa-zA-Z0-9])|(?<=但)|(?<=而))[部間间隻架個](?!人|月|[钟鐘星])(?=[a-zA-Z\u4e00-\u9fff])", "那", text)
    return _IS.sub("是", _DOING.sub("着", text)).translate(_SPOKEN)


@lru_cache(maxsize=1)
def _converter() -> Any:
    import opencc  # loaded on first use, not with the package

    return opencc.OpenCC("t2s")


def simplified(text: str) -> str:
    """Simplified characters and Mandarin words, letters as they are; always as long as `text`."""
    return text if _PLAIN.match(text) else _simple(spoken(text)) or text


def _simple(text: str) -> str | None:
    """The text in simplified characters; None for what cannot be converted one by one."""
    try:
        found: str = _converter().convert(text)
    except (UnicodeError, ValueError):  # lone surrogates
        return None
    return found if len(found) == len(text) else None


@lru_cache(maxsize=8192)
def _narrow(char: str) -> str:
    if char in _MARKS:
        return char
    one = unicodedata.normalize("NFKC", char).lower()
    return one if len(one) == 1 else char


def fold(text: str, *, closing: bool = True) -> str:
    """Half-width, simplified, lower case, as `spoken` says; always as long as `text`."""
    if _PLAIN.match(text):
        low = text.lower()
        return low if len(low) == len(text) else text
    narrow = spoken("".join([_narrow(c) if c > "~" else c.lower() for c in text]), closing=closing)
    return _simple(narrow) or narrow


def language_of(text: str) -> str:
    """`zh` when Han characters occur and the frame is not plainly English (My 老婆 is from Taipei), `en` when there are Latin letters, else empty."""
    if _HAN.search(text):
        start = text[:400]
        frame, runs, words = len(_ENGLISH.findall(start.lower())), _HAN_RUN.findall(start), latin_words(start)
        if frame and _LATIN.match(text.lstrip()) and words > 2 * len(runs) and not any(_GRAMMAR.search(r) for r in runs):
            return "en"  # Everyone calls me 小白
        return "en" if frame > 1 and frame >= len(runs) and words > 1 else "zh"
    return "en" if _LATIN.search(text) else ""


def has_han(text: str) -> bool:
    return _HAN.search(text) is not None


def latin_words(text: str) -> int:
    return len(_LATIN_WORD.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of a message: `text` in the user's characters, `plain` folded and of equal length.

    `start` is its offset in the message, `mark` the punctuation that closes it, `sentence` the index of its sentence, `quoted` whether it stands
    inside quotation marks.
    """

    text: str
    plain: str
    start: int
    mark: str
    sentence: int
    language: str
    quoted: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def abbreviated(text: str, at: int) -> bool:
    """Whether the full stop there only shortens a word: St. Mary's, Dr. Patel, Acme Inc. in Dublin, 9 a.m. on Friday."""
    before = text[max(0, at - 8) : at]
    if _TITLE.search(before):
        return _AFTER_TITLE.match(text, at + 1) is not None
    return _SHORTENED.search(before) is not None and _GOES_ON.match(text, at + 1) is not None


def sentences(text: str) -> list[tuple[int, int, str]]:
    """(start, end, closing mark) of each sentence; blank ones are left out."""
    found: list[tuple[int, int, str]] = []
    at = 0
    for mark in _SENTENCE.finditer(text):
        if mark.group() == "." and abbreviated(text, mark.start()):
            continue
        if text[at : mark.start()].strip() or (found and not mark.group().isspace()):
            if text[at : mark.start()].strip():
                found.append((at, mark.start(), mark.group().strip()))
        elif mark.group().strip():
            found.append((at, mark.end(), mark.group().strip()))  # a message of marks only: 。。。 or ？
        at = mark.end()
    if text[at:].strip():
        found.append((at, len(text), ""))
    return found


_MARKUP: Final = regex(
    r"</?(?P<name>b|i|u|s|a|em|strong|span|font|mark|code|small|big|sub|sup|del|ins|tt|p|div|br|hr|li|ul|ol|tr|td|th|table|tbody|h[1-6]|pre|blockquote|"
    r"section|article|img|body|html|head|title|center)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_INLINE: Final = frozenset(
    {"b", "i", "u", "s", "a", "em", "strong", "span", "font", "mark", "code", "small", "big", "sub", "sup", "del", "ins", "tt"}
)


def without_markup(text: str) -> str:
    """The text without HTML tags; those of blocks end a sentence. What only looks like a tag stays."""
    if "<" not in text:
        return text
    return _MARKUP.sub(lambda m: "" if m["name"].lower() in _INLINE else "\n", text)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Spans inside quotation marks that hold more than one word (“爱” alone is emphasis, not quotation)."""
    spans: list[tuple[int, int]] = []
    at, unclosed = 0, set()
    while (opening := _OPENING.search(text, at)) is not None:
        at, mark = opening.end(), opening.group()
        end = -1 if mark in unclosed else text.find(_PAIRS[mark], at)
        if end > 0:
            spans.append((at, end))
            at = end + 1
        else:
            unclosed.add(mark)  # no later one is closed either
    return spans


def without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks and quotation marks at its ends; never empty unless it holds nothing else."""
    a, b = start, end
    while a < b and (text[a].isspace() or text[a] in '“”「」『』"'):
        a += 1
    while a < b and (text[b - 1].isspace() or text[b - 1] in '“”「」『』"'):
        b -= 1
    return (a, b) if a < b else (start, end)


def pieces(start: int, end: int) -> list[tuple[int, int]]:
    """The span, cut into runs of at most MAX_CLAUSE characters."""
    return [(i, min(i + MAX_CLAUSE, end)) for i in range(start, end, MAX_CLAUSE)]


_NOT_PASTED: Final = r"(?![^：:\n]{0,24}(?:时候|时[，,：:]|以后|每次|注意|偏好|喜欢|when|always|prefer|from now on))"
_PASTED: Final = regex(
    r"(?:翻译|译成|润色|改写|校对|续写|缩写|扩写)" + _NOT_PASTED + r"[^：:。！？\n]{0,16}[：:\n]|"
    r"(?:总结|概括|检查|修改|纠正|分析|解释|回复|整理|提取|看看|读一?读)(?:一?下)?(?:这|下面|以下|下列|语法|错别字|病句)[^：:。！？\n]{0,16}[：:\n]|"
    r"(?:把|将|给)(?:下面|以下|这[段篇封条份则])[^：:。！？\n]{0,40}(?:改|译|写|缩|精简|压缩|整理|排版|优化)[^：:。！？\n]{0,30}[：:\n]|"
    r"(?:应用题|数学题|逻辑题|推理题|智力题|谜语|谜题|阅读题|完形|脑筋急转弯)[^：:。！？\n]{0,10}[：:\n]|"
    r"\b(?:riddle|(?:word|maths?|logic|physics) (?:problem|puzzle|question)|puzzle|brain ?teaser|homework question|exam question)\b[^:.!?\n]{0,16}:|"
    r"(?:下面|以下)(?:就)?是[^：:。！？\n]{0,16}(?:邮件|短信|消息|文章|原文|内容|网页|新闻|帖子|文档|材料|公告|通知|评论|简历|作文|日记|记录|的话)[：:\n]|"
    r"(?:邮件|短信|文章|原文|网页|网站|新闻|帖子|文档|公告|评论|聊天记录|字幕)(?:里|上|中)?(?:是|写道|写着|说|内容|如下|的内容|的原文)?(?:是|如下)?[：:]|"
    r"\b(?:translat(?:e|ion)|summari[sz]e|summary|proofread|rewrite|rephrase|paraphrase|polish)\b" + _NOT_PASTED + r"[^:.!?\n]{0,80}[:\n]|"
    r"(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bi )\b(?:correct|check|fix|edit|review|explain|read|analy[sz]e|reply to|respond to) (?:the |my |this |these |that )?(?:following |below )?"
    r"(?:grammar|spelling|text|sentences?|e-?mail|letter|paragraph|essay|wording|english|message|passage|document|one|this)\b[^:.!?\n]{0,20}[:\n]|"
    r"\b(?:here(?:'s| is| are)|below is|this is|the following is) (?:the|an?|my|his|her|their|our|what) [^:.!?\n]{0,30}[:\n]|"
    r"\b(?:e-?mail|letter|message|text|article|web ?site|web ?page|page|post|tweet|document|transcript|lyrics|chorus|sign|leaflet)s? (?:from|says?|said|reads?|goes|states?)\b[^:.!?\n]{0,24}:|"
    r"^\s*\[\s*(?:tool|system|assistant|function|result)\b[^\]\n]{0,40}\]",
    re.IGNORECASE,
)
_FENCE: Final = regex(r"^[ \t]*(?:```|~~~|-{3,}|={3,})[^\n]{0,40}$", re.MULTILINE)


def pasted_spans(text: str) -> list[tuple[int, int]]:
    """Spans that hold somebody's text given to work on: what stands between fences, and what follows "translate this:", "email from Bob:", 下面是原文：."""
    fences = [m.span() for m in _FENCE.finditer(text)]
    spans = [(a[1], b[0]) for a, b in zip(fences[::2], fences[1::2], strict=False)]
    header = _PASTED.search(text[:PASTED_WITHIN])
    if header is not None:
        spans.append((0 if header[0].endswith("]") else header.end(), len(text)))
    return spans


def own_words(text: str) -> str:
    """The text without what was pasted into it."""
    out, at = [], 0
    for start, end in sorted(pasted_spans(text)):
        out.append(text[at:start])
        at = max(at, end)
    return "".join([*out, text[at:]])
