"""What the offline model says: replies composed from a briefing, in Chinese and English. Pure."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from graph.briefing import Briefing
from graph.sentences import told
from memory.language import Language, label
from memory.record import USER, Memory
from memory.revise.dates import date_in
from memory.times import spans

# Which attribute a question about oneself asks for; the first that matches wins.
_ASKS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (attribute, re.compile(pattern, re.IGNORECASE))
    for attribute, pattern in (
        ("name", r"(?:我|俺)(?:叫|的名字|姓)(?:什么|啥|是什么|是啥)|我是谁|(?:what(?:'s| is)|do you (?:know|remember)) my name|who am i"),
        ("age", r"我(?:今年|现在)?(?:多大|几岁|多少岁)|我的年龄|how old am i|(?:what(?:'s| is)|know|remember) my age"),
        ("birthday", r"我(?:的)?生日|when(?:'s| is) my birthday|when was i born|my birthday"),
        (
            "employer",
            r"我(?:现在)?在哪(?:里|儿|家公司|个公司)?(?:工作|上班)|我(?:的)?(?:公司|单位)|where (?:do|did) i (?:used? to )?work|who (?:do|did) i work for|(?:what(?:'s| is)|know|remember) my (?:company|employer)",
        ),
        (
            "occupation",
            r"我(?:的)?(?:职业|工作|职位|岗位)|我(?:是)?(?:做|干)(?:什么|啥)|what(?:'s| is) my (?:job|occupation|profession)|what do i do\b|(?:know|remember) my (?:job|occupation|profession)",
        ),
        ("school", r"我(?:在)?(?:哪(?:个|所|里)?)(?:学校|大学|上学|读书|念书)|我的学校|which school|where do i study"),
        ("hometown", r"我(?:的)?(?:老家|家乡|故乡)|我(?:是)?(?:哪里|哪儿)(?:人|来的)|我来自哪|where am i from|my hometown"),
        (
            "location",
            r"我(?:现在)?(?:家)?(?:住|居住)(?:在)?(?:哪|什么)|我家在哪|我的(?:地址|住址)|where (?:do|did|have) i (?:used? to )?live|my (?:address|home)\b",
        ),
        (
            "allergy",
            r"我(?:对)?(?:什么|啥|哪些)?(?:东西|食物)?(?:会)?过敏|我(?:有)?(?:什么|哪些)(?:东西|食物)?(?:不能吃)|what am i allergic|my allerg",
        ),
        ("dislikes", r"我(?:不喜欢|讨厌|不爱)(?:什么|啥|吃什么|喝什么|哪)|what (?:do|don't) i (?:dislike|hate|like)(?<!do i like)"),
        (
            "likes",
            r"我(?:最)?(?:喜欢|爱|爱好)(?:什么|啥|吃什么|喝什么|哪|是什么)|我的(?:爱好|兴趣|喜好)|what do i (?:like|love|enjoy)|my (?:hobbies|hobby|favou?rite)",
        ),
        ("plan", r"我(?:有)?(?:什么|哪些)?(?:计划|打算|安排)|what(?:'s| is| are) my plans?|what am i planning"),
        ("pet", r"我(?:的|家)?(?:有)?(?:什么|哪些)?(?:宠物)|my pets?\b|我(?:的|家的?)(?:猫|狗)叫"),
        ("skill", r"我(?:在)?(?:学|会)(?:什么|啥|些什么)|what am i learning|my skills?"),
        ("contact", r"我的(?:电话|手机|手机号|邮箱|微信|联系方式)|my (?:phone|number|e-?mail|contact)"),
        ("instruction", r"我(?:对你)?(?:有)?(?:什么|哪些)要求|what did i ask you to"),
    )
)
_ABOUT_ME: Final = re.compile(
    r"(?:记得|记住|记着|知道|了解)(?:了)?(?:些)?(?:我|关于我)?(?:的)?(?:什么|多少|哪些|些什么|啥)(?:事|东西|信息|情况|资料)?(?:吗|呢|了)?[？?。!！\s]*$|(?:知道|了解|记得)我(?:的)?(?:事|情况)?吗?[？?]|"
    r"我(?:的)?(?:画像|资料|信息)|关于我[，,]?你|"
    r"what (?:do|did|have|can) you (?:know|remember|learned?|have|got|tell me)(?: \w+)? (?:about|on|of) me|tell me about myself|what do you (?:know|remember)\s*\?|"
    r"do you (?:know|remember) (?:anything|something) about me|do you (?:know|remember) me\b",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(r"^\s*(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|hi|hello|hey|good (?:morning|afternoon|evening))", re.IGNORECASE)
_THANKS: Final = re.compile(r"谢谢|感谢|多谢|thank|thx", re.IGNORECASE)
_BYE: Final = re.compile(r"再见|拜拜|回头见|晚安|\bbye\b|see you|good night", re.IGNORECASE)
_RECOMMEND: Final = re.compile(
    r"推荐|建议|有什么好|(?:吃|喝|买|送|看|玩|选|做|穿)(?:点|些)?(?:什么|啥|哪)(?:好|呢|菜|吗)?|去哪(?:里|儿)?(?:玩|吃|好)|recommend|suggest|\b(?:what|where|which) should (?:i|we)\b|any ideas?\b|gift for",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"^(?:请|麻烦|能不能|可以|帮(?:我|忙)|给我|替我)?.{0,6}?(?:写|翻译|算|画|讲|总结|润色|改写|查|订|安排|制定|列|想)(?:一|个|首|篇|下|份|些|点)|帮我(?!记|记住)|"
    r"^(?:please |could you |can you |would you )?(?:write|translate|calculate|draw|summari[sz]e|explain|book|find|list|plan|draft|make|tell)\b|\bhelp me\b",
    re.IGNORECASE,
)
_AGENDA: Final = re.compile(
    r"(?:有)?(?:什么|啥|哪些)(?:安排|计划|打算|事|活动|日程)|(?:要|得)?(?:做|干|忙)(?:什么|啥)|去(?:了)?(?:哪|什么地方)|发生(?:了)?什么|"
    r"what(?:'s| is| do| did| am| have| was).{0,24}(?:on|have|plan|schedule|happening|doing|do|coming up)|where (?:did|do|am|was) i\b|do i have (?:anything|something|plans)",
    re.IGNORECASE,
)
_PAST_ZH: Final = re.compile(r"以前|之前|从前|曾经|过去|原来|原先")
_PAST: Final = re.compile(rf"{_PAST_ZH.pattern}|\bused? to\b|\bpreviously\b|\bbefore\b|\bformer", re.IGNORECASE)
_WHO: Final = re.compile(
    r"(?P<zh>[^\s，。？?！!我你他她谁]{1,12})是谁|who(?:'s| is| was) (?P<en>(?!my\b|your\b|the\b|he\b|she\b|it\b)\w[\w'-]*)", re.IGNORECASE
)
_BY_MOUTH: Final = re.compile(
    r"我(?:平时|最|一般)?(?:喜欢|爱)(?P<verb>[喝吃看玩听读学])|what do i (?:like|love) to (?P<verb_en>drink|eat|watch|play|read)", re.IGNORECASE
)
_LIVE: Final = re.compile(r"天气|气温|新闻|股价|汇率|路况|几点了|weather|temperature|news|stock price|exchange rate", re.IGNORECASE)
_SMALL_TALK: Final = re.compile(
    r"(?:(?:好的?|嗯+|哦|行|ok(?:ay)?|great|cool|well|oh|alright)?[\s，,。.!！~～]*(?:你好|您好|大家好|嗨|哈喽|早上好|上午好|下午好|晚上好|早安|早|谢谢(?:你|您|啦|了)?(?:的帮助|帮忙)?|多谢(?:了|啦)?|感谢|辛苦了|再见|拜拜|回头见|明天见|晚安|"
    r"(?:hi|hello|hey)(?: there| again)?|good (?:morning|afternoon|evening|night)|thank you(?: so much| very much)?|thanks(?: a lot| so much| again)?|thx|bye(?:[ -]bye)?|goodbye|see you(?: later| soon| tomorrow)?)?[\s，,。.!！~～]*)+",
    re.IGNORECASE,
)
SMALL: Final = 40  # characters of small talk at most
STOPPED: Final = ("不保存", "安全检查", "a secret", "guard:")  # how the reasons of the guard begin; people are told why something was not kept
NEAR: Final = 0.4  # share of the best word score that a hit needs to be told as an answer
CLOSE: Final = 0.75  # and of the best score
_QUESTION: Final = re.compile(r"[？?]|(?:吗|呢|么)\s*$|^(?:what|who|where|when|why|how|which|do|does|did|is|are|can|could)\b", re.IGNORECASE)

_SAY: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {
        "offline": "（我现在是离线模式：没有连接语言模型，只根据记忆回答。）", "saved": "好的，记住了：{}。", "known": "这个我已经记着了：{}。", "changed": "好的，已更新：{}。",
        "retired": "好的，不再算数了：{}。", "forgot": "已经忘掉了：{}。", "nothing": "没有找到要忘掉的内容（{}）。", "refused": "没有保存：{}。", "failed": "现在记不住东西：记忆暂时无法使用。",
        "held": "这条先放着，等确认后再算数：{}。", "hello": "你好{}！有什么可以帮你？", "thanks": "不客气{}！", "bye": "再见{}，下次聊！", "unknown": "我还不知道{}。",
        "unknown_any": "这个我不知道：记忆里没有，离线模式下也查不到。", "cannot": "这件事要靠语言模型，离线模式下我做不了。", "no_plan": "那几天的事我没有记到。", "age": "你今年{age}岁（生日是{birthday}）", "plain": "{}", "back": "好的，回到了 {} 轮之前。", "at_start": "已经到开头了。", "taken_back": "一并撤回了：{}。", "no_rounds": "这个会话里还没有可以回退的内容。",
        "live": "离线模式下我查不到{}这类实时信息。", "about": "我记得这些：{}。", "nothing_yet": "我还没有记住关于你的事。",
        "heed": "推荐时我会照顾到：{}。", "no_catalogue": "不过离线模式下我没有商品资料，给不出具体推荐。", "episode": "之前聊到过：{}。", "ok": "好的。", "session": "（本次会话）{}",
        "you": "你", "sep": "；",
    },
    "en": {
        "offline": "(I'm offline: no language model is connected, so I answer from memory only.)", "saved": "Got it, I'll remember: {}.", "known": "I already have that: {}.",
        "changed": "Updated: {}.", "retired": "Noted, no longer so: {}.", "forgot": "Forgotten: {}.", "nothing": "I found nothing like that to forget ({}).", "refused": "Not saved: {}.",
        "failed": "I can't remember anything right now: memory is out of reach.", "held": "I'll keep this aside until it is confirmed: {}.", "hello": "Hello{}! How can I help?",
        "thanks": "You're welcome{}!", "bye": "Goodbye{}, until next time!", "unknown": "I don't know your {} yet.", "unknown_any": "I don't know: it isn't in my memory, and offline I can't look it up.",
        "cannot": "That takes a language model, and I'm offline.", "no_plan": "I have nothing noted for then.", "age": "you are {age} (your birthday is {birthday})",
        "plain": "{}", "back": "All right, back by {} round(s).", "at_start": "That is the start.", "taken_back": "Taken back with it: {}.",
        "no_rounds": "There is nothing in this conversation to go back to.", "live": "Offline I can't look up live information such as {}.", "about": "Here is what I remember: {}.", "nothing_yet": "I don't remember anything about you yet.",
        "heed": "For recommendations I'll heed this: {}.", "no_catalogue": "Offline I have no product data, so I can't name anything specific.", 
        "episode": "We talked about this before: {}.", "ok": "All right.", "session": "(this session) {}", "you": "you", "sep": "; ",
    },
}  # fmt: skip
_UNKNOWN_ZH: Final[Mapping[str, str]] = {
    "name": "你叫什么名字", "age": "你的年龄", "birthday": "你的生日", "employer": "你在哪里工作", "occupation": "你的职业", "school": "你在哪里上学", "hometown": "你的家乡",
    "location": "你住在哪里", "allergy": "你对什么过敏", "dislikes": "你不喜欢什么", "likes": "你喜欢什么", "plan": "你有什么计划", "pet": "你有没有宠物", "skill": "你在学什么",
    "contact": "你的联系方式", "instruction": "你对我有什么要求",
}  # fmt: skip


def compose(briefing: Briefing) -> str:
    """The reply: what memory tools reported first, then an answer from what is known, or an honest "I don't know"; offline is said once."""
    say = _SAY[briefing.lang]
    parts = [*_acknowledged(briefing, say), *_answer(briefing, say)]
    if briefing.problem:
        parts.append(say["failed"])
    if briefing.first:
        parts.append(say["offline"])
    return (" " if briefing.lang == "en" else "").join(parts) if parts else say["ok"]


def model_failed(briefing: Briefing, error: Exception | None) -> str:
    """The reply when the configured model could not answer: why, in a sentence without secrets, then what memory alone can say."""
    reason = {
        "zh": {
            "timeout": "超时",
            "rate": "请求太频繁（429）",
            "auth": "密钥无效或没有权限",
            "gone": "连不上",
            "empty": "没有给出回答",
            "bad": "返回了无法理解的内容",
        },
        "en": {
            "timeout": "timed out",
            "rate": "is rate limited (429)",
            "auth": "refused the key",
            "gone": "cannot be reached",
            "empty": "gave no answer",
            "bad": "answered nonsense",
        },
    }[briefing.lang][_kind(error)]
    head = f"（模型{reason}，下面只根据记忆回答。）" if briefing.lang == "zh" else f"(The model {reason}; this is from memory only.) "
    say = _SAY[briefing.lang]
    rest = [*_acknowledged(briefing, say), *_answer(briefing, say)]
    return head + ((" " if briefing.lang == "en" else "").join(rest) or say["ok"])


def asked(message: str) -> str | None:
    """The attribute that a question about oneself asks for, now or earlier, if it is such a question."""
    if not (_QUESTION.search(message) or "what" in message.lower()):
        return None
    plain = _PAST_ZH.sub("", message)
    return next((attribute for attribute, pattern in _ASKS if pattern.search(plain)), None)


def asks(message: str) -> bool:
    """Whether the message is a question."""
    return _QUESTION.search(message) is not None


def wants_answer(message: str) -> bool:
    """Whether it asks or requests something, so that what was recalled for it is of interest."""
    return asks(message) or _RECOMMEND.search(message) is not None or _REQUEST.search(message) is not None


def is_small_talk(message: str) -> bool:
    """Whether there is nothing in it but a greeting, thanks or a goodbye: nothing to search memory for."""
    return len(message) <= SMALL and not asks(message) and _SMALL_TALK.fullmatch(message.strip()) is not None


def went_back(done: Mapping[str, Any] | None, lang: Language) -> str:
    """The reply after going back, from what `Agent.undo` reports; None: there was nothing to go back to."""
    say = _SAY[lang]
    if done is None:
        return say["no_rounds"]
    memories = say["sep"].join(dict.fromkeys(told(m, lang) for m in done["memories"] if m.get("value")))
    parts = [say["back"].format(done["undone"]), say["at_start"] if done["at_start"] else "", say["taken_back"].format(memories) if memories else ""]
    return (" " if lang == "en" else "").join(p for p in parts if p)


def _acknowledged(briefing: Briefing, say: Mapping[str, str]) -> list[str]:
    """What the tools did, said once per kind; only what they reported."""
    groups: dict[str, list[str]] = {}
    kinds = {"add": "saved", "strengthen": "known", "supersede": "changed", "retire": "retired", "hold": "held", "forget": "forgot"}
    for report in briefing.applied:
        op = str(report.get("op"))
        if op in kinds and report.get("attribute"):
            groups.setdefault(kinds[op], []).append(told(report, briefing.lang))
        elif op == "ignore" and report.get("reason") == "not found":
            groups.setdefault("nothing", []).append(str(report.get("value", "")))
        elif op == "ignore" and str(report.get("reason", "")).startswith(STOPPED):
            groups.setdefault("refused", []).append(str(report["reason"]))
        elif op == "refused":
            groups.setdefault("refused", []).append(str(report.get("reason", "")))
        elif op == "undo":
            groups.setdefault("plain", []).append(str(report.get("reason", "")))
        elif op == "failed":
            groups.setdefault("failed", [])
    return [say[kind].format(say["sep"].join(dict.fromkeys(items))) for kind, items in groups.items()]


def _answer(briefing: Briefing, say: Mapping[str, str]) -> list[str]:
    message, lang = briefing.message, briefing.lang
    name = next((m.value for m in briefing.profile if m.attribute == "name" and m.owner == USER), "")
    called = f"，{name}" if name and lang == "zh" else f", {name}" if name else ""
    if _ABOUT_ME.search(message):
        known = briefing.known
        return [say["about"].format(say["sep"].join(told(m, lang) for m in known[:20])) if known else say["nothing_yet"]]
    attribute = asked(message)
    if attribute is not None and attribute != "plan":
        return [_profile_answer(briefing, say, attribute)]
    if _AGENDA.search(message) and asks(message) and (agenda := _agenda(briefing, say)):
        return [agenda]
    if attribute is not None:
        return [_profile_answer(briefing, say, attribute)]
    if _RECOMMEND.search(message) and not briefing.applied:
        heeded = [m for m in briefing.known if m.attribute in {"likes", "dislikes", "allergy", "instruction", "habit"}][:6]
        return [*([say["heed"].format(say["sep"].join(told(m, lang) for m in heeded))] if heeded else []), say["no_catalogue"]]
    if live := _LIVE.search(message):
        return [say["live"].format(live.group())] if asks(message) else []
    if asks(message) and not briefing.applied and not _THANKS.search(message):
        return [_recalled(briefing, say)]
    if _BYE.search(message):
        return [say["bye"].format(called)]
    if _THANKS.search(message):
        return [say["thanks"].format(called)]
    if _GREETING.search(message) and not briefing.applied:
        return [say["hello"].format(called)]
    if _REQUEST.search(message) and not briefing.applied:
        return [say["cannot"]]
    return [] if briefing.applied else [say["ok"]]


def _profile_answer(briefing: Briefing, say: Mapping[str, str], attribute: str) -> str:
    related = {"occupation": ("occupation", "employer"), "age": ("age", "birthday"), "plan": ("plan", "event")}.get(attribute, (attribute,))
    past = _PAST.search(briefing.message) is not None
    found = [m for m in briefing.known if m.attribute in related and m.owner == USER and (m.valid_to is not None) == past]
    exact = [m for m in found if m.attribute == attribute] or found
    if attribute == "likes" and (verb := _BY_MOUTH.search(briefing.message)):
        word = verb["verb"] or verb["verb_en"]
        habits = [m for m in briefing.known if m.attribute == "habit" and m.owner == USER and word in m.content]
        exact = [m for m in exact if word in f"{m.value}{m.content}{m.source.text}"] + habits or exact
    if attribute == "age" and exact and exact[0].attribute == "birthday" and (years := _years(exact[0], briefing.now)) is not None:
        return _sentence(say["age"].format(age=years, birthday=exact[0].value), briefing.lang)
    if exact:
        return _sentence(say["sep"].join(told(m, briefing.lang) for m in exact), briefing.lang)
    return say["unknown"].format(_UNKNOWN_ZH[attribute] if briefing.lang == "zh" else label(attribute, "en"))


def _sentence(text: str, lang: Language) -> str:
    return f"{text}。" if lang == "zh" else f"{text[0].upper()}{text[1:]}."


def _years(birthday: Memory, now: datetime | None) -> int | None:
    """The age on the day `now`, where the birthday has its year."""
    try:
        born = date.fromisoformat(str(birthday.time or birthday.normal or birthday.value))
    except ValueError:
        return None
    today = (now or datetime.now().astimezone()).date()
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day)) if born < today else None


def _agenda(briefing: Briefing, say: Mapping[str, str]) -> str | None:
    """Plans and events of the days that the question names; None when it names none."""
    days = _days(briefing)
    if not days:
        return None
    found = [m for m in briefing.known if m.time and m.owner == USER and m.attribute in {"plan", "event", "habit", "progress"} and _on(m.time, days)]
    return (
        _sentence(say["sep"].join(told(m, briefing.lang) for m in sorted(found, key=lambda m: str(m.time))), briefing.lang)
        if found
        else say["no_plan"]
    )


def _days(briefing: Briefing) -> list[tuple[str, str]]:
    """The days that the message names, as ISO dates: first, last."""
    if briefing.now is None:
        return []
    named = [(s.since.date().isoformat(), s.until.date().isoformat()) for s in spans(briefing.message, briefing.now)]
    single = date_in(briefing.message, briefing.now)
    return [*named, *([(single, single + "~")] if single else [])]


def _on(when: str, days: list[tuple[str, str]]) -> bool:
    """Whether an ISO day or month lies in one of the stretches; a month holds its days."""
    return any(first <= when < last or first.startswith(when) or when.startswith(first) for first, last in days)


def _recalled(briefing: Briefing, say: Mapping[str, str]) -> str:
    """What bears on a question that is not about the profile: hits that share its words, of the days it names; an earlier question is no answer."""
    if briefing.answerable >= 0.5:
        hits = (*briefing.facts, *briefing.episodes)
        near = [h for h in hits if h.parts.get("words", 0.0) >= NEAR and h.score >= CLOSE * max(h.score for h in hits)]
        if who := _WHO.search(briefing.message):
            near = [h for h in near if str(who["zh"] or who["en"]).casefold() in f"{h.text} {h.memory.owner if h.memory else ''}".casefold()]
        days = _days(briefing)
        facts = [
            told(h.memory, briefing.lang) for h in near if h.memory is not None and not (days and h.memory.time and not _on(h.memory.time, days))
        ]
        if facts:
            return _sentence(say["sep"].join(facts[:3]), briefing.lang)
        turns = [h for h in near if h.role != "assistant" and not asks(h.text)]
        if turns:
            return say["episode"].format(say["sep"].join(f"{h.time.date().isoformat() if h.time else ''} {h.text[:80]}".strip() for h in turns[:2]))
    return say["cannot" if _REQUEST.search(briefing.message) else "unknown_any"]


def _kind(error: Exception | None) -> str:
    if error is None:
        return "empty"
    name, status = type(error).__name__.lower(), getattr(error, "status_code", None)
    if "timeout" in name:
        return "timeout"
    if status == 429 or "ratelimit" in name:
        return "rate"
    if status in {401, 403}:
        return "auth"
    if "connect" in name or "protocol" in name or isinstance(error, OSError):
        return "gone"
    return "bad"
