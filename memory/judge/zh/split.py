"""Cutting a Chinese sentence into clauses: at commas, and where a new predicate begins without one."""

from typing import Final

from memory.judge.clauses import fold
from memory.pattern import regex

_COMMA: Final = regex(
    r"[，,](?!\d{3}\b)|[：:](?!\d)|[—–]{1,2}(?!\s*(?:\d{2,4}|[零〇一二三四五六七八九]{2,4})年)|~+|～+|(?<=[一-龥])[ 　\t]+(?=[一-龥])|\s{2,}"
)
_LATIN_GAP: Final = regex(r"[一-龥][a-zA-Z0-9][a-zA-Z0-9.+-]{0,14}(?P<cut>[ 　]+)(?=[一-龥])")
"""红米note9 内存64G: whoever writes Latin letters close to Han characters means something by the space."""
_QUOTE: Final = regex(r"[“「『\"][^”」』\"]{4,}[”」』\"]?")
_ME: Final = regex(
    r"(?<![因为果以道得说诉让给跟对和帮叫比是把被但而像当等请问教陪看与替向由听个的以醒喊呼约找打扰带负责欢爱恨厌怕烦,，])"
    r"我(?=叫|是|今年|喜欢|不|在|住|家|妈|爸|对|有|想|打算|平时|最|老公|老婆|儿子|女儿|也|还|要|每|从|姓|来自|养|爱|讨厌|目前|现在|这人|一般|的|刚|昨|今|去年|上个|下个|开|会|弹|用|身|性|考|离|会|吃|喝|靠|教|做|学)"
)
_ME_WORD: Final = regex(
    r"(?:成了?|成为了?|因为|如果|所以|知道|觉得|告诉|但是|记住|记得|希望|以为|认为|感觉|假如|要是|除了|关于|至于|包括|以及|还是)$"
)
_VERB: Final = regex(r"[是叫在有住喜爱想要会能吃喝去来做说看买打学过了着到得养对姓不没好啦啊呀]|[a-z]{3}")
_TIME_END: Final = regex(
    r"(?:时间|之余|年|月|周[一二三四五六日末]?|[日号天]|后|前|时|时候|末|期|晚|早上|下午|上午|晚上|中午|最近|现在|平时|其实|反正|以来|开始|过年|国庆|五一|元旦|春节|等[^，]{1,8}|目前|如今|然而|当时|小)$"
)
_TIME_ONLY: Final = regex(r"[\d年月日号到至~—零〇一二三四五六七八九十上下个周前后今明去起间期的-]{2,}")
_NEW: Final = regex(
    r"今年(?=[0-9一二两三四五六七八九十]{1,3}岁)|在(?=[一-龥a-z]{2,10}(?:工作|上班|读书|上学|念书|当老师))|住在?(?=[一-龥])|现居(?=[一-龥])|(?:平时|最)?喜欢(?!的)|来自(?=[一-龥])|目前在|现在在|(?<=岁)叫(?=[一-龥a-z]{1,6}(?:[，。！]|$))|(?<=岁了)叫(?=[一-龥a-z]{1,6}(?:[，。！]|$))"
)
_HAS_PREDICATE: Final = regex(
    r"(?:叫|是|姓|来自|岁|住在?|毕业|(?:有|养)了?(?:一|两|三|几)?[个只条位])[一-龥a-z0-9]{1,}|\d岁|[一二三四五六七八九十]岁"
)
_YOU: Final = regex(r"你(?=推荐|注意|记|帮我|回答|说话|别|以后|给我|看看|觉得|有没有|能不能|能|可以|说我)")
_LINK: Final = regex(r"但是|不过(?![敏期关户夜瘾年节了来去])|可是|所以|因为|而且|另外|还有(?!一|点|几|个|人)|然后|只是(?!这)")


def split(sentence: str) -> list[tuple[int, int]]:
    """Spans of the clauses of one sentence (offsets within it), without the separators."""
    spans: list[tuple[int, int]] = []
    at, folded = 0, fold(sentence)
    cuts = [m.span() for m in _COMMA.finditer(sentence)] + [(e, e) for m in _QUOTE.finditer(sentence) for e in m.span()]
    cuts += [m.span("cut") for m in _LATIN_GAP.finditer(sentence)]
    for start, end in sorted(cuts):
        if start < at:
            continue
        spans += _inner(folded, at, start)
        at = end
    spans += _inner(folded, at, len(sentence))
    return [s for s in spans if sentence[s[0] : s[1]].strip()] or [(0, len(sentence))]


def _inner(folded: str, start: int, end: int) -> list[tuple[int, int]]:
    """Breaks a run without punctuation: 我叫张三今年28岁在腾讯工作."""
    text = folded[start:end]
    if len(text) < 7:
        return [(start, end)]
    cuts: set[int] = set()
    for m in _ME.finditer(text):
        if (
            m.start() >= 3
            and _VERB.search(text[: m.start()])
            and not _ME_WORD.search(text[: m.start()])
            and not (m.start() < 8 and _TIME_END.search(text[: m.start()]))
            and not _TIME_ONLY.fullmatch(text[: m.start()])
        ):
            cuts.add(m.start())
    for m in _NEW.finditer(text):
        if m.start() >= 3 and _HAS_PREDICATE.search(text[: m.start()]) and text[m.start() - 1] not in "的不也很最都我他她是个还真就才并可会现目己":
            cuts.add(m.start())
    for m in _YOU.finditer(text):
        if m.start() >= 5 and text[m.start() - 1] not in "给跟对和帮让叫比把被是的,，请问":
            cuts.add(m.start())
    for m in _LINK.finditer(text):
        if m.start() >= 4:
            cuts.add(m.start())
    spans, at = [], 0
    for cut in sorted(cuts):
        if cut - at >= 2:
            spans.append((start + at, start + cut))
            at = cut
    spans.append((start + at, end))
    return spans
