"""What 它 / 那个 / 刚才那款 / "it" / "that one" point to: the things a message names, and the question with its pronoun replaced by the thing.

Pure but for the word model. A referent is a name as it was said (星河手环, "Nova band"). Lists of referents hold the most salient first.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memory.lexer import is_chinese, tag, words
from memory.pattern import regex

KEPT: Final = 8  # referents remembered per thread

_QUOTED: Final = regex(r"《([^《》]{1,40})》|「([^「」]{1,30})」|“([^“”]{2,30})”|\"([^\"\n]{2,40})\"")
_CODE: Final = regex(r"(?<![A-Za-z0-9-])(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+(?![A-Za-z0-9-])")

# ---- Chinese -------------------------------------------------------------------------------------------------------------------------------------

_PROPER: Final = frozenset({"nz", "nw", "nr", "ns", "nt", "PER", "LOC", "ORG"})
_NOMINAL: Final = _PROPER | {"n", "vn", "an", "xc", "s"}
_DETERMINED: Final = regex(r"(?:[一二两三几这那某]|\d+)?[个款台本部家只双件条种瓶杯套辆间位张把支枝副座座首篇盒包块幅顶架艘门场份]$")
_VAGUE: Final = words(
    "问题 时候 时间 东西 事情 事 价格 价钱 颜色 情况 方面 意思 感觉 心情 天气 原因 办法 方法 样子 地方 人 大家 朋友 家 家里 家人 公司 老师 同学 同事 妈妈 爸爸 客服 亲 先生 女士 产品 商品 "
    "型号 牌子 品牌 款式 尺寸 评分 功能 优惠 活动 质量 红色 黑色 白色 蓝色 绿色 黄色 紫色 粉色 灰色 金色 银色 钱 元 块 预算 建议 推荐 介绍 选择 机会 方式 内容 部分 话 话题 名字 电话 地址 订单 信息 结果 生活 工作 "
    "周末 早上 晚上 下午 上午 附近 旁边 里面 外面 上面 下面 中间 左边 右边 前面 后面 全部 其他 效果 特点 时长 续航 音质 画质 口感 口味 空间 库存 运费 快递 发票 会员 客户 用户 助手 信心 压力 兴趣 爱好 习惯 你好 您好 谢谢 再见 拜拜 晚安 早安 哈喽"
)
_HYPERNYMS: Final = words("产品 商品 东西 型号 款 款式 牌子 品牌 店 地方 物品 玩意 玩意儿")
_KINDS: Final = words(
    "书 小说 电影 片子 剧 电视剧 动画 歌 曲子 专辑 游戏 软件 应用 手机 电脑 平板 相机 手表 车 店 店铺 餐厅 饭店 馆子 酒店 宾馆 民宿 景点 课 课程 班 套餐"
)
_MEASURE: Final = "个款台本部家只双件条种瓶杯套辆间张把支副座首篇盒幅"
_SAID: Final = r"(?:刚才|刚刚|之前|前面|上面|上次)?(?:你|您|我|咱们|我们)?(?:刚才|刚刚|之前|前面|上面|上次)?(?:说的?|提到的?|推荐的?|介绍的?|讲的?|看的?|聊的?|问的?|讲到的?)?(?:的)?"
_THAT: Final = regex(rf"(?P<lead>{_SAID})(?P<det>那|这)(?P<measure>一?[{_MEASURE}])(?P<rest>.*)", re.S)
_IT: Final = regex(r"它们|牠们|它|牠")
_ORDINAL: Final = regex(
    rf"(?:那|这)?(?:第(?P<n>[一二两三四五六]|\d)[{_MEASURE}]|(?P<first>前者|前一[{_MEASURE}])|(?P<last>后者|后一[{_MEASURE}]|最后一?[{_MEASURE}]))"
)
_DIGITS: Final = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6}
_AFTER_THAT: Final = regex(
    r"(?=$|[，。？！；,.?!;…\s]|的|有|没|多|几|怎|是|不|还|也|都|能|可|会|要|在|好|贵|便宜|呢|吗|吧|啊|呀|现|什|咋|哪|啥|行|够|卖|支持|适合|比|和|跟|打折|送|用|吃|看|包|容易|防|续航|质量|价|颜色|尺寸|重|大|小|长|保)"
)
_ELLIPSIS: Final = regex(
    r"^(?:那|那么|请问|对了)?[，,]?(?:多少钱|什么价|价格多少|价格是多少|怎么卖|贵不贵|贵吗|便宜吗|有货吗|还有货吗|有现货吗|能便宜点吗|打折吗|有没有?[^，。？]{1,4}色的?|有[^，。？]{1,4}色的?吗|什么颜色|有什么颜色|有哪些颜色|防水吗|"
    r"续航多久|保修多久|怎么用|怎么样|好用吗|好吃吗|好看吗|好玩吗|好喝吗|在哪里?买|哪里有卖|什么时候发货|几点开门|几点关门|什么时候上市|包邮吗|质量怎么样|评价怎么样|有优惠吗|支持[^，。？]{1,8}吗|能退吗)[呢呀啊]?[？?。!！]*$"
)

_ROLE: Final = regex(
    r"(?:我|俺|咱|你|您|他|她|[爸妈哥姐弟妹公婆子女儿友爷奶叔姨]|老公|老婆)(?:现在|目前|以前|曾经|还|只|也|就|本来|其实|平时)*(?:是|当|做|算|不是|成了)(?:了|过)?(?:一?[个名位])?$"
)  # what follows is what somebody is, not a thing

# ---- English -------------------------------------------------------------------------------------------------------------------------------------

_STOP_EN: Final = words(
    "i you he she it we they me him her us them my your his its our their this that these those a an the and or but if so because as of in on at to from for with by about into over after before "
    "is are was were be been being am do does did done have has had having will would shall should can could may might must not no nor yes ok okay please thanks thank hi hello hey well also just very "
    "really too then than there here what which who whom whose when where why how all any some each every few more most other such only own same much many lot lots one ones two three good great nice sure "
    "let lets want wants need needs like likes love loves get got gets give gives take takes make makes buy bought see saw look looking looks know think thought tell told say said says try tried use used "
    "comes come came goes go went going has costs cost works work worked broke breaks lasts offers offer available recommend recommended suggest ordered order today tomorrow yesterday now later soon again "
    "ever never always still yet already back out up down off which's it's that's there's i'm i've i'd i'll you're you've don't doesn't didn't isn't aren't wasn't can't won't monday tuesday wednesday thursday "
    "friday saturday sunday january february march april june july august september october november december"
)
_VAGUE_EN: Final = words(
    "thing things time times way ways problem problems question questions idea day days week weeks month months year years bit kind sort moment price color colour people person man woman guy friend "
    "weather something anything nothing someone everyone help fun reason case fact part side end rest morning evening afternoon night weekend size look chance lot job work life"
)
_WORD_EN: Final = regex(r"[A-Za-z][A-Za-z0-9'’-]*|\d+[A-Za-z]\w*|\d+(?=\s|$)|[^\sA-Za-z]")
_DET_EN: Final = words("a an the this my our your new another")
_PLEONASTIC: Final = regex(
    r"\bit(?:'s|’s| is| was| will be|'ll be| has been|'s been| gets| got| seems| looks| feels| would be| might be| may be| must be| can be)\s+(?:(?:so|very|really|too|quite|pretty|always|still|also|just|not|going to|gonna|getting|a bit|a little|about)\s+)*"
    r"(?:rain\w*|snow\w*|sunny|cloudy|windy|hot|cold|warm|cool outside|freezing|humid|foggy|dark|late|early|time|noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d|me\b|us\b|you who|"
    r"(?:nice|good|great|hard|easy|difficult|important|possible|impossible|necessary|better|best|fun|lovely|likely|unlikely|clear|true|obvious|strange|sad|funny|okay|ok|fine|safe|worth|hopeless|normal|common|a pity|a shame|my turn|your turn)"
    r"\s+(?:to|that|for|if|when|how|seeing|meeting|talking|being)\b|been|that\b|as if|like (?:i|you|we|it)\b|clear that)"
    r"|\bit (?:rains?|snows?|rained|snowed|seems|appears|turns out|depends|doesn't matter|does not matter|takes? (?:me|time|a while|courage|hours|days)|hurts to|looks like|feels like|sounds like)\b"
    r"|\b(?:make|made|get|got|take|call|hate|love|like|appreciate|find|think|keep)\s+it(?:\s+(?:when|that|if|to|easy|hard|a day|up|simple|short|together))|\bgot it\b|\bthat's it\b|\bmade it\b|\bmake it\b|\bdeal with it\b|\bforget it\b",
    re.I,
)
_ROLE_EN: Final = regex(
    r"\b(?:i|you|he|she|we|they|who|husband|wife|mother|father|mum|mom|dad|brother|sister|son|daughter)(?:'m|'re|'s| am| are| is| was| were| became| work(?:s|ed)? as)"
    r"(?: \w+ly| just| also| still| now| not)? (?:an?|the)\s*$",
    re.I,
)
_IT_EN: Final = regex(
    r"\b(?:(?P<its>its)|(?P<itis>it(?:'s|’s))|(?P<it>it)|(?P<one>(?:that|this|the same) one)|(?P<those>they|them|those|these)(?=\s|[?.!,]|$))(?![\w'’-])",
    re.I,
)
_ORDINAL_EN: Final = regex(r"\bthe (?:(?P<n>first|second|third|fourth|last) (?:one|option|choice)|(?P<first>former)|(?P<last>latter))\b", re.I)
_ORDER_EN: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def referents(text: str, role: str = "user") -> tuple[str, ...]:
    """The things `text` names, most salient first.

    In a user's message the last one is the freshest (我看了A，也看了B: B); an assistant's message is about the first one it names. Names come
    before plain nouns (极光X3耳机 before 手机). Proper names, quoted titles, product ids, and nouns that are introduced (一款…, "a …") count.
    """
    text = text[:1000]
    found = [*_titles(text), *(_nouns_zh(text) if is_chinese(text) else _nouns_en(text))]
    found.sort()
    order = found if role == "assistant" else found[::-1]
    ranked = sorted(order, key=lambda f: not f[2])
    return _unique(name for _, name, _ in ranked)


def update(known: Sequence[str], text: str, role: str = "user") -> tuple[str, ...]:
    """The thread's referents after one more message, most salient first, at most `KEPT`.

    What the conversation is about stays in front when an assistant's message names it again, or names it more exactly (耳机 → 极光X3耳机).
    """
    fresh = tuple(next((k for k in known if k.endswith(f)), f) for f in referents(text, role))
    if role == "assistant" and known and known[0] in text:
        fresh = (next((f for f in fresh if f.endswith(known[0])), known[0]), *fresh)
    return _unique((*fresh, *known))[:KEPT]


def listed(text: str) -> tuple[str, ...]:
    """The things `text` names, in the order they stand there: what "the second one" counts."""
    found = sorted({*_titles(text), *(_nouns_zh(text) if is_chinese(text) else _nouns_en(text))})
    names = _unique(name for _, name, strong in found if strong)
    return names or _unique(name for _, name, _ in found)


def resolve(text: str, known: Sequence[str], history: Sequence[str] = ()) -> str:
    """`text` with its pronoun replaced by the thing it points to; unchanged when nothing is known or the pronoun points nowhere.

    `known` are the thread's referents, most salient first. `history` holds the texts of earlier messages, oldest first; "the second one" is
    counted in the last of them that lists several things.
    """
    if len(text) > 500:
        return text
    known = [k for k in known if k]
    if is_chinese(text) or _THAT.search(text) or _IT.search(text):
        return _resolve_zh(text, known, history)
    return _resolve_en(text, known, history)


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n for n in names if n))


def _titles(text: str) -> list[tuple[int, str, bool]]:
    """(place, name, strong) of quoted titles and of ids with hyphens."""
    out = [(m.start(), next(g for g in m.groups() if g), True) for m in _QUOTED.finditer(text)]
    return out + [(m.start(), m.group(), True) for m in _CODE.finditer(text)]


def _nouns_zh(text: str) -> list[tuple[int, str, bool]]:
    """Runs of nominal words; strong when the run holds a name, a model number, or two nouns (星河|手环)."""
    out: list[tuple[int, str, bool]] = []
    run: list[tuple[str, str]] = []
    start = at = 0
    before = ""
    last_before = ""
    tagged = [*tag(text), ("", "w")]
    for word, cls in tagged:
        place = text.find(word, at) if word else len(text)
        joins = bool(run) and not word.strip() and run[-1][0].isascii()  # the space in "小米14 Pro"
        number = bool(re.fullmatch(r"[A-Za-z0-9+.]+", word)) and cls in {"m", "TIME", "nz", "n", "xc"} and not re.fullmatch(r"(19|20)\d\d", word)
        nickname = cls == "a" and re.fullmatch(r"[老小阿大][^的]", word) is not None and at + 1 < len(text)  # 老张|面馆
        if (
            joins
            or nickname
            or (cls in _NOMINAL and (word.strip() and not re.fullmatch(r"[了吗呢吧啊呀的]", word)))
            or (number and (run or not word.isdigit()))
        ):
            if not run:
                start, last_before = place, before
            run.append((word, cls))
        else:
            _close_run(text, run, start, place, last_before, out)
            run = []
        before = word
        at = place + len(word)
    return out


def _close_run(text: str, run: list[tuple[str, str]], start: int, end: int, before: str, out: list[tuple[int, str, bool]]) -> None:
    name = text[start:end].strip()
    if not run or not name or name in _VAGUE or (start and text[start - 1] in '《「“"') or _ROLE.search(text[:start]):
        return
    nouns = [(w, c) for w, c in run if w.strip()]
    if nouns[-1][1] == "a":
        return
    if nouns[-1][0] in _VAGUE:
        return
    model = any(re.search(r"[A-Za-z0-9]", w) for w, _ in nouns)
    only_place = len(nouns) == 1 and nouns[0][1] in {"LOC", "ns"}
    only_person = all(c in {"PER", "nr"} for _, c in nouns)
    strong = model or (len(nouns) > 1 and not only_person) or (nouns[0][1] in {"nz", "nw", "ORG", "nt"} and len(name) > 2)
    if only_person or only_place or (len(name) < 2 and not _DETERMINED.search(before)) or name.isdigit():
        return
    out.append((start, name, strong))


def _nouns_en(text: str) -> list[tuple[int, str, bool]]:
    """Capitalised names inside a sentence, and what an article introduces, up to the next function word."""
    out: list[tuple[int, str, bool]] = []
    tokens = [(m.start(), m.group()) for m in _WORD_EN.finditer(text)]
    i = 0
    while i < len(tokens):
        low = tokens[i][1].lower()
        first = i == 0 or tokens[i - 1][1] in ".?!:\n"
        introduced = low in _DET_EN
        named = tokens[i][1][0].isupper() and not first and low not in _STOP_EN
        if not (introduced or named):
            i += 1
            continue
        j = i + 1 if introduced else i
        while j < len(tokens) and tokens[j][1].lower() in _DET_EN:
            j += 1
        begin = j
        while (
            j < len(tokens)
            and j - begin < 5
            and re.match(r"[A-Za-z0-9]", tokens[j][1])
            and tokens[j][1].lower() not in _STOP_EN
            and not tokens[j][1].lower().endswith("ly")
        ):
            j += 1
        named_by = [t for _, t in tokens[begin:j]]
        role = introduced and begin < len(tokens) and _ROLE_EN.search(text[: tokens[begin][0]]) is not None
        if named_by and not role and named_by[-1].lower() not in _VAGUE_EN and not all(w.isdigit() for w in named_by):
            name = re.sub(r"['’]s$", "", text[tokens[begin][0] : tokens[j - 1][0] + len(tokens[j - 1][1])])
            strong = any(w[0].isupper() or any(c.isdigit() for c in w) for w in named_by)
            person = not introduced and len(named_by) == 1 and named_by[0][0].isupper() and not any(c.isdigit() for c in named_by[0])
            if not person:
                out.append((tokens[begin][0], name, strong))
        i = max(j, i + 1)
    return out


def _resolve_zh(text: str, known: Sequence[str], history: Sequence[str]) -> str:
    if ordinal := _ORDINAL.search(text):
        things = next((names for h in reversed(history) if len(names := listed(h)) > 1), ())
        which = 1 if ordinal["first"] else len(things) if ordinal["last"] else int(_DIGITS.get(ordinal["n"], ordinal["n"]))
        if 1 <= which <= len(things) and not re.match(r"[次天步章节课题周年]", text[ordinal.end() :]):
            return text[: ordinal.start()] + things[which - 1] + text[ordinal.end() :]
    if not known:
        return text
    if it := _IT.search(text):
        if _nouns_zh(text[: it.start()]) or _QUOTED.search(text[: it.start()]):
            return text
        if it.group().endswith("们"):
            several = next((names for h in reversed(history) if len(names := listed(h)) > 1), ())
            return text[: it.start()] + ("和".join(several) if several else known[0]) + text[it.end() :]
        return text[: it.start()] + known[0] + text[it.end() :]
    if that := _THAT.search(text):
        return _that(text, that, known)
    if _ELLIPSIS.match(text):
        lead = re.match(r"(?:那么|那|请问|对了)?[，,]?", text)
        cut = lead.end() if lead else 0
        return text[:cut] + known[0] + text[cut:]
    return text


def _that(text: str, that: re.Match[str], known: Sequence[str]) -> str:
    rest = that["rest"]
    filler = not that["lead"] and that.start() == 0 and that["measure"] == "个" and re.match(r"[，,…。、\s]|$", rest)
    if filler or any(strong for _, _, strong in _nouns_zh(text[: that.start("lead")])):
        return text
    head = text[: that.start()]
    word = next((w for w, _ in tag(rest)), "") if rest else ""
    if target := _noun_of(rest, known):
        noun, name = target
        return head + name + rest[len(noun) :]
    if re.match(r"[^，。？的有]{1,4}(?:色|号|大|小|新|旧)的", rest):  # 那款红色的多少钱: the colour stays
        return head + known[0] + rest
    if word in _HYPERNYMS or word in _KINDS:
        return head + known[0] + rest[len(word) :]
    if _AFTER_THAT.match(rest) and not re.match(r"(?:时候|小时|人|月|星期|礼拜|周|年|意思|样)", rest):
        return head + known[0] + rest
    return text


def _noun_of(rest: str, known: Sequence[str]) -> tuple[str, str] | None:
    """The noun that follows 那款, with the referent it is the head of (手环 → 星河手环)."""
    for size in range(min(6, len(rest)), 0, -1):
        noun = rest[:size]
        if name := next((k for k in known if k.endswith(noun) and len(k) >= size), None):
            return noun, name
    return None


def _resolve_en(text: str, known: Sequence[str], history: Sequence[str]) -> str:
    if ordinal := _ORDINAL_EN.search(text):
        things = next((names for h in reversed(history) if len(names := listed(h)) > 1), ())
        word = (ordinal["n"] or "").lower()
        which = 1 if ordinal["first"] else len(things) if ordinal["last"] or word == "last" else _ORDER_EN[word]
        if 1 <= which <= len(things):
            return text[: ordinal.start()] + _the(things[which - 1]) + text[ordinal.end() :]
    if not known:
        return text
    for m in _IT_EN.finditer(text):
        if any(p.start() <= m.start() < p.end() for p in _PLEONASTIC.finditer(text)) or _nouns_en(text[: m.start()]):
            continue
        if m["those"] and (m["those"].lower() in {"those", "these"} and re.match(r"\s+[a-z]", text[m.end() :])):
            continue
        if m["it"] and re.match(r"\s+(?:is|was)\s+\w+\s+(?:who|that)\b", text[m.end() :]):
            continue
        thing = _the(known[0])
        if m["its"]:
            thing += "'s"
        elif m["itis"]:
            thing += " is"
        elif m["those"]:
            several = next((names for h in reversed(history) if len(names := listed(h)) > 1), ())
            if not several and m["those"].lower() in {"they", "them"}:
                continue
            thing = " and ".join(_the(s) for s in several) if several else thing
        if m.start() == 0:
            thing = thing[0].upper() + thing[1:]
        return text[: m.start()] + thing + text[m.end() :]
    return text


def _the(name: str) -> str:
    """An English common noun takes the article; names and other scripts stand alone."""
    last = name.split()[-1]
    return f"the {name}" if last.isascii() and last[:1].islower() else name
