"""What a message asks for: an attribute of oneself, a day's plans, a recommendation, somebody; in Chinese and English. Pure."""

import re
from collections.abc import Callable
from typing import Final

from memory.lexer import is_chinese, tag
from memory.pattern import regex
from memory.query import PAST

_ASKS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (attribute, regex(pattern, re.IGNORECASE))
    for attribute, pattern in (
        ("name", r"(?:我|俺)(?:叫|的名字|姓)(?:什么|啥|是什么|是啥)|我是谁|(?:what(?:'s| is)|do you (?:know|remember)) my name|who am i"),
        ("age", r"我(?:今年|现在)?(?:多大|几岁|多少岁)|我的年龄|how old am i|(?:what(?:'s| is)|know|remember) my age"),
        ("birthday", r"我(?:的)?生日|when(?:'s| is) my birthday|when was i born|\bmy birthday"),
        (
            "studies_in",
            r"我(?:现在)?(?:在|是在)哪(?:个|座)?(?:城市|地方)(?:读|上学|念|留学)|(?:what|which) (?:city|town) (?:do|am) i (?:study|studying)",
        ),
        ("works_in", r"我(?:现在)?(?:在|是在)哪(?:个|座)?(?:城市|地方)(?:工作|上班)|(?:what|which) (?:city|town) (?:do|am) i (?:work|working)"),
        (
            "exercise",
            r"我(?:平时|一般|平常|最近|现在|都)*(?:做|有|在做|玩)(?:些|点)?(?:什么|啥|哪些)(?:运动|锻炼|健身)|我(?:平时|一般|平常)*(?:怎么|如何)(?:运动|锻炼|健身)|"
            r"what do i do for (?:exercise|fitness|sports?)|what (?:kind of |sort of )?(?:exercise|sports?|workouts?) do i|how do i (?:exercise|work out|(?:keep|stay) (?:fit|in shape))|do i (?:exercise|work out)\b",
        ),
        (
            "car",
            r"我(?:现在)?(?:开|有|买)(?:的)?(?:是)?(?:什么|啥|哪种|哪款|几辆)(?:车|牌子的车)|我的车(?:是|叫)?(?:什么|啥|哪)|what (?:kind of |sort of |make of )?(?:car|vehicle) (?:do|have|am) i|what(?:'s| is) my car\b|what do i drive\b|do i (?:have|own) a car",
        ),
        (
            "progress",
            r"我(?:最近|现在|正)*(?:在)?(?:读|看|学)(?:的)?(?:是)?(?:什么书|哪本书|哪部|到哪)|我(?:的)?(?:学习|阅读)?(?:进度|进展)|what (?:book )?am i (?:currently |now )?(?:reading|watching|working on)|(?:what|which) book am i|how far (?:am|have) i\b",
        ),
        (
            "pay",
            r"我(?:的|现在|每个?月|一个月|每年|一年)*(?:工资|薪水|薪资|[月年时底周]薪|(?:[月年]|税[前后])?收入)(?:现在)?(?:是|有|拿)?(?:多少|几)|我(?:现在|每个?月|一个月|每年|一年|能)*(?:挣|赚)(?:多少|几)|"
            r"how much (?:money )?(?:do|am) i (?:currently )?(?:earn|paid|get paid|make|being paid)\b|what(?:'s| is) my (?:\w+ )?(?:salary|pay|wages?|income)\b|what do i (?:earn|get paid)\b",
        ),
        ("height", r"我(?:现在)?(?:有)?多高|我(?:的)?身高(?:是|有)?多少|how tall am i|what(?:'s| is) my height"),
        ("weight", r"我(?:现在)?(?:有)?多重|我(?:的)?体重(?:是|有)?多少|how (?:much do i weigh|heavy am i)|what(?:'s| is) my weight|what do i weigh"),
        (
            "employer",
            r"我(?:现在)?在哪(?:里|儿|家公司|个公司)?(?:工作|上班)|我(?:的)?(?:公司|单位)|where (?:do|did) i (?:used? to )?work|who (?:do|did) i work for|(?:what(?:'s| is)|know|remember) my (?:company|employer)",
        ),
        (
            "occupation",
            r"我(?:的)?(?:职业|工作|职位|岗位)|我(?:现在|目前|如今)?(?:是|在)?(?:(?:做|干)(?:什么|啥)(?!好|呢|菜|饭|吃)|干[嘛吗么]的)|what(?:'s| is) my (?:job|occupation|profession)|what do i do\b(?! (?:for (?!a (?:living|job)|work|money)|on|in|at|when|every|to|with|about))|(?:know|remember) my (?:job|occupation|profession)",
        ),
        (
            "school",
            r"我(?:是)?(?:读|学|念)(?:的)?(?:是)?(?:什么|啥|哪个)(?:专业|系|科)|我的专业|what(?:'s| is) my (?:major|degree)|what do i (?:study|major)|我(?:在)?(?:哪(?:个|所|里)?)(?:学校|大学|上学|读书|念书)|我(?:现在)?(?:上|读|念)(?:几|哪个|什么)年级|我的学校|which school|what (?:grade|year) am i in|where do i study",
        ),
        ("hometown", r"我(?:的)?(?:老家|家乡|故乡)|我(?:是)?(?:哪里|哪儿)(?:人|来的)|我来自哪|where am i from|\bmy hometown"),
        (
            "location",
            r"我(?:现在)?(?:家)?(?:住|居住)(?:在)?(?:哪|什么)|我家在哪|我的(?:地址|住址)|where (?:do|did|have) i (?:used? to )?live|\bmy (?:address|home)\b",
        ),
        (
            "allergy",
            r"我对[^，。？?]{1,8}过敏(?:吗|么|不)|我(?:对)?(?:什么|啥|哪些|哪种)?(?:东西|食物|药物?)?(?:会)?过敏|我(?:有)?(?:什么|哪些|没有)?(?:药物|食物)?过敏|what am i allergic|\bam i allergic|do i have any allerg|\bmy allerg",
        ),
        (
            "medication",
            r"我(?![^，。？]{0,8}(?:感冒|发烧|头|咳|疼|痛|胃|拉肚))[^，。？]{0,8}(?:吃|用|服用?)(?:着|的)?(?:是)?(?:什么|啥|哪些|哪种|几种)药|我(?:在)?(?:吃|服)药吗|我(?:在)?[吃用](?:的)?[^，。？?]{0,6}药(?:是|叫)(?:什么|啥)|我的药(?:是|叫)什么|"
            r"(?:what|which) (?:medications?|medicines?|meds|pills?|drugs?|tablets?) (?:am|do|should|did|have) i\b(?!.*\bfor\b)|(?:am i|do i) (?:on|taking|take) any (?:medic|meds|pills|drugs)|what(?:'s| is| are) my (?:medic|meds|pills)",
        ),
        (
            "diet",
            r"我(?:有)?(?:什么|啥|哪些)?(?:东西|食物)?(?:不能|不可以|不该|不宜)[吃喝碰](?:的)?(?:什么|啥|哪些)?|我(?:有)?(?:什么|啥|哪些)?忌口|我(?:能不能|可不可以|可以|能)[吃喝](?!什么)|"
            r"what (?:can't|cannot|shouldn't|can i not|should i not) (?:i )?(?:eat|drink)|what (?:foods?|drinks?) (?:can't|should) i\b|\b(?:can|may|could) i (?:eat|drink|have)\b",
        ),
        ("dislikes", r"我(?:不喜欢|讨厌|不爱)(?:什么|啥|吃什么|喝什么|哪)|what (?:do|don't) i (?:dislike|hate|like)(?<!do i like)"),
        (
            "likes",
            r"我(?:最)?(?:喜欢|爱|爱好)(?:什么|啥|吃什么|喝什么|哪|是什么)|我的(?:爱好|兴趣|喜好)|what do i (?:like|love|enjoy)|\bmy (?:hobbies|hobby|favou?rite)",
        ),
        ("plan", r"我(?:有)?(?:什么|哪些)?(?:计划|打算|安排)|what(?:'s| is| are) my plans?|what am i planning"),
        (
            "pet",
            r"我(?:的|家)?(?:有)?(?:什么|哪些)?(?:宠物)|\bmy pets?\b|我(?:的|家的?)(?:猫|狗)叫|what(?:'s| is) my (?:cat|dog|pet|rabbit|parrot|hamster)(?:'s name| called)",
        ),
        ("skill", r"我(?:在)?(?:学|会)(?:什么|啥|些什么)|what am i learning|\bmy skills?"),
        ("contact", r"我的(?:电话|手机|手机号|邮箱|微信|联系方式)|\bmy (?:phone|number|e-?mail|contact)"),
        ("instruction", r"我(?:对你)?(?:有)?(?:什么|哪些)要求|what did i ask you to"),
    )
)
_ASKS_OF_EN: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (attribute, regex(pattern, re.IGNORECASE))
    for attribute, pattern in (
        ("name", r"\bname\b|\bwhat .+ called\b|\bwho(?:'s| is| are) my\b"),
        ("age", r"how old (?:is|was|are)\b|'s age\b"),
        ("birthday", r"when(?:'s| is| was)\b.*\bbirthday|when was .+ born"),
        ("allergy", r"what(?:'s| is| are) .+ allergic|^(?:is|are) .+ allergic|'s allerg|does .+ allerg"),
        (
            "medication",
            r"(?:what|which) (?:medic\w*|meds|pills?|drugs?) .*\b(?:is|does|on|take)\b|^(?:is|does) .+ (?:on|take|taking) any (?:medic|meds|pills)",
        ),
        ("diet", r"\b(?:can't|cannot|shouldn't|can|may|could|not)\b.* (?:eat|drink)\b"),
        ("employer", r"where (?:does|did) .+ work\b|who does .+ work for|'s (?:company|employer)\b"),
        ("occupation", r"what (?:does|did) .+ do\b(?! (?:on|in|at|every|with)\b)|'s (?:job|occupation|profession)\b"),
        ("school", r"where (?:does|did) .+ (?:study|go to school)\b|which school|(?:what|which) (?:grade|year|class) is .+ in\b"),
        ("hometown", r"where is .+ from\b|'s hometown\b"),
        ("location", r"where (?:does|did) .+ live\b|'s (?:address|home)\b"),
        ("dislikes", r"what (?:does|did)(?:n't| not)? .+ (?:dislike|hate)|what (?:doesn't|does .+ not) .*like"),
        ("likes", r"what (?:does|did) .+ (?:like|love|enjoy)\b|'s (?:hobb|favou?rite)"),
    )
)
ABOUT_ME: Final = regex(
    r"(?:记得|记住|记着|知道|了解)(?:了)?(?:些)?(?:我|关于我)?(?:的)?(?:什么|多少|哪些|些什么|啥)(?:事|东西|信息|情况|资料)?(?:吗|呢|了)?[？?。!！\s]*$|(?:知道|了解|记得)我(?:的)?(?:事|情况)?吗?[？?]|"
    r"我(?:的)?(?:画像|资料|信息)|关于我[，,]?你|"
    r"what (?:do|did|have|can) you (?:know|remember|learned?|have|got|tell me)(?: \w+)? (?:about|on|of) me|tell me about myself|what do you (?:know|remember)\s*\?|"
    r"do you (?:know|remember) (?:anything|something) about me|do you (?:know|remember) me\b",
    re.IGNORECASE,
)
ABOUT_SOMEBODY: Final = regex(
    r"(?:记得|记着|记住|知道|了解)(?:了)?(?:些)?(?:关于)?(?P<zh>[^，。？?]{1,10}?)(?:的)?(?:什么|哪些|多少|一切|所有|事情?|情况)|(?:关于|有关)(?P<zh2>[^，。？?]{1,10}?)[，,]?你?(?:都)?(?:记得|记着|记住|知道|了解)(?:了)?(?:些)?(?:什么|哪些|多少)|"
    r"(?:what|everything|all|anything)(?: that)?(?: (?:do|did|have|can))?(?: you)?(?: (?:know|remember|learned?|have|tell me))(?: \w+)? (?:about|on|of) (?!me\b)(?P<en>[^?.!]{2,30})|tell me (?:everything |all )?about (?!me\b|myself\b)(?P<en2>[^?.!]{2,30})",
    re.IGNORECASE,
)
"""Asks for all that is known of somebody."""
GREETING: Final = regex(r"^\s*(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|hi|hello|hey|good (?:morning|afternoon|evening))", re.IGNORECASE)
THANKS: Final = regex(r"谢谢|感谢|多谢|thank|thx", re.IGNORECASE)
BYE: Final = regex(r"再见|拜拜|回头见|晚安|\bbye\b|see you|good night", re.IGNORECASE)
RECOMMEND: Final = regex(
    r"推荐|建议|有什么好|(?:吃|喝|买|送|看|玩|选|做|穿)(?:点|些)?(?:什么|啥|哪)(?!的|药)(?:好|呢|菜|吗)?|去哪(?:里|儿)?(?:玩|吃|好)|recommend|suggest|\b(?:what|where|which) should (?:i|we)\b|any ideas?\b|gift for",
    re.IGNORECASE,
)
MY_WAY: Final = regex(
    r"我(?:平时|平常|一般|通常|每天|每周|经常|总是|早上|中午|晚上|周末|早饭|晚饭|睡前|最?喜欢|最?爱)+(?:都|会|去|在|用)?[吃喝买看玩做穿]|\bwhat do i (?:usually|normally|always|generally|often)\b",
    re.IGNORECASE,
)  # asks how the user does it: no recommendation is wanted
REQUEST: Final = regex(
    r"^(?:请|麻烦|能不能|可以|帮(?:我|忙)|给我|替我)?.{0,6}?(?:写|翻译|算|画|讲|总结|润色|改写|查|订|安排|制定|列|想)(?:一|个|首|篇|下|份|些|点)|帮我(?!记|记住)|"
    r"^(?:please |could you |can you |would you )?(?:write|translate|calculate|draw|summari[sz]e|explain|book|find|list|plan|draft|make|tell)\b|\bhelp me\b",
    re.IGNORECASE,
)
AGENDA: Final = regex(
    r"(?:有)?(?:什么|啥|哪些)(?:安排|计划|打算|事|活动|日程)|(?:要|得)?(?:做|干|忙)(?:什么|啥)|去(?:了)?(?:哪|什么地方)|发生(?:了)?什么|"
    r"what(?:'s| is| do| did| am| have| was).{0,24}(?:on|have|plan|schedule|happening|doing|do|coming up)|where (?:did|do|am|was) i\b|do i have (?:anything|something|plans)",
    re.IGNORECASE,
)
_WHO: Final = regex(
    r"(?P<zh>[^\s，。？?！!我你他她谁]{1,12})是谁|who(?:'s| is| was) (?P<en>(?!my\b|your\b|the\b|he\b|she\b|it\b)\w[\w'-]*)", re.IGNORECASE
)
_SUBJECT_EN: Final = regex(
    r"(?:(?<!what )(?<!which )\b(?:is|was)|\b(?:does|did|has|will|can|should|would))\s+(?!(?:i|you|he|she|it|we|they|my|your|our|the|this|that|there|an?|not|in|on|at|to|for|any|some|all)\b)([a-z][\w-]*)(?='s\b|\s+\w)",
    re.IGNORECASE,
)
_OF_WHOM: Final = regex(
    r"^(?P<zh>(?!今天|现在|什么|一共|这|那|有|家里|晚上)[^我你您他她它咱俺，。？?\s]{2,6}?)(?:今年|现在|平时|一般|也|会|最)*(?:多大|几岁|属什么|对(?:什么|啥)|住(?:在)?哪|(?:是)?做(?:什么|啥)|(?:不)?喜欢(?:什么|啥|吃|喝)|(?:不)?能吃|在哪|的?生日)|"
    r"\b(?:how (?:old|tall|is)|where|when)(?:'s| is| was) (?P<en>(?!my\b|your\b|the\b|he\b|she\b|it\b|this\b|that\b|there\b|everybody\b|everything\b)[a-z][\w-]*)\s*[?？]?$|"
    r"\bhow (?:old|tall) (?:is|was) (?P<old>(?!my\b|your\b|the\b|he\b|she\b|it\b|this\b|that\b)[a-z][\w-]*)",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = regex(r"我|俺|咱|\b(?:i|me|my|mine|i'm|i've|we|our|us)\b", re.IGNORECASE)
GENERAL: Final = regex(
    r"\d\s*(?:[+*/×÷^=xX]|[-−]\s|加|减|乘(?:以)?|除以)\s*\d|[一二三四五六七八九十百\d]+(?:加|减|乘以?|除以)[一二三四五六七八九十百\d]+|等于(?:几|多少)|平方根|"
    r"\b\d+ (?:plus|minus|times|divided by|percent of) \d|square root|"
    r"首都|发明了|谁写的|作者是谁|人口|世界上|历史上|(?:是)?什么意思|用英语怎么|"
    r"capital (?:city )?of|\bwho (?:wrote|invented|discovered|painted|composed|founded)\b|population of|\bin the world\b|what does .+ mean\b|meaning of|how (?:far|high|deep|tall) is the\b",
    re.IGNORECASE,
)
"""Sums, and what is in an encyclopedia."""
CARE: Final = regex(
    r"(?:吃|用|服|买)(?:点|些)?(?:什么|啥|哪种)药|(?:不能|不可以|不该)[吃喝]|\bwhat (?:medicine|medication|pills?|drugs?)\b|\b(?:can't|cannot|shouldn't) .*(?:eat|drink)",
    re.IGNORECASE,
)
"""About medicine, or what somebody must not eat: nothing to recommend."""
_REPORTED: Final = regex(
    r"(?:^|[，,。；\s])(?:(?!你|您|想|请)[^，,。？?]){1,10}(?:问|追问|盘问|打听)(?:了|过|起)?(?:我|我们|他|她)|\b(?:he|she|they|my \w+|[a-z]+) (?:always |just |keeps? |kept )?ask(?:s|ed|ing)? (?:me|us|him|her)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = regex(r"[^？?。！!\n]+[？?。！!\n]*")
_PRONOUN: Final = regex(r"(?<!其)[他她](?!们)|\b(?:he|she)\b|\b(?:his|her)\b", re.IGNORECASE)
BY_MOUTH: Final = regex(
    r"我(?:平时|最|一般)?(?:喜欢|爱)(?P<verb>[喝吃看玩听读学])|what do i (?:like|love) to (?P<verb_en>drink|eat|watch|play|read)", re.IGNORECASE
)
DATE: Final = regex(
    r"(?:今天|现在)(?:是)?(?:几号|几月|星期几|周几|礼拜几|什么日子|几点)|几点了|what(?:'s| is) (?:the date|today's date|the time)|what (?:day|date|time) is it|today's date",
    re.IGNORECASE,
)
LIVE: Final = regex(r"天气|气温|新闻|股价|汇率|路况|weather|temperature|news|stock price|exchange rate", re.IGNORECASE)
_SMALL_TALK: Final = regex(  # one way to read each text: whatever repeats begins with a word
    r"[\s，,。.!！~～]*(?:(?:好的?|嗯|哦|行|ok(?:ay)?|great|cool|well|oh|alright|"
    r"你好|您好|大家好|嗨|哈喽|早上好|上午好|下午好|晚上好|早安|早|谢谢(?:你|您|啦|了)?(?:的帮助|帮忙)?|多谢(?:了|啦)?|感谢|辛苦了|再见|拜拜|回头见|明天见|晚安|"
    r"(?:hi|hello|hey)(?: there| again)?|good (?:morning|afternoon|evening|night)|thank you(?: so much| very much)?|thanks(?: a lot| so much| again)?|thx|bye(?:-bye)?|goodbye|see you(?: later| soon| tomorrow)?)"
    r"[\s，,。.!！~～]*)*",
    re.IGNORECASE,
)
SMALL: Final = 40  # characters of small talk at most
_MARKED: Final = regex(
    r"[？?]|(?:吗|呢|么|嘛|等于几)\s*$|^(?:what|who|where|when|why|how|which|do|does|did|is|are|am|was|were|can|could)\b", re.IGNORECASE
)
_ASKING_WORD: Final = regex(
    r"有没有(?!的)|是不是|干[嘛吗么]的|多高(?![兴大级档])|多重(?![要点视大])|(?<![没都也])(?:什么|啥|哪(?:里|儿|个|家|天|些|一天|种)?|谁|几(?:点|号|岁|天|月|年级)|(?<!了)几[片粒颗次回支针包杯顿]|多少|多大|多久|多长|怎么(?!都|也)|咋|为什么)(?!都|也|的话|时候都)"
)
_LONGEST: Final = 30  # characters of a question that has no mark; in longer messages such words relate (我不知道他是谁，…)


def asked(message: str) -> str | None:
    """The attribute that a question about oneself asks for, now or earlier, if it is such a question."""
    message = _spelt(message)
    if not (asks(message) or "what" in message.lower()) or reported(message):
        return None
    plain = PAST.sub("", message)  # 我以前住哪 asks for what 我住哪 asks for, of another time
    return next((attribute for attribute, pattern in _ASKS if pattern.search(message) or pattern.search(plain)), None)


def asked_of(message: str, called: str) -> str | None:
    """The attribute of somebody whom the question `called` so (老公, Zoe): the same as `asked`, of another."""
    message = _spelt(message)
    if not asks(message):
        return None
    if is_chinese(message):
        return asked(re.sub(rf"(?:我们?|咱们?|俺)?(?:家)?(?:的)?{re.escape(called)}", "我", message, count=1))
    return next((attribute for attribute, pattern in _ASKS_OF_EN if pattern.search(message)), None)


def asks(message: str) -> bool:
    """Whether the message is a question, with or without its mark."""
    if reported(message):
        return False
    return _MARKED.search(message) is not None or (len(message) <= _LONGEST and _ASKING_WORD.search(message) is not None)


def reported(message: str) -> bool:
    """Whether it tells of somebody who asked something (我妈问我什么时候结婚，烦死了), without asking it."""
    return _REPORTED.search(message) is not None and not message.rstrip().endswith(("?", "？"))


_ELSEWHERE: Final = frozenset({"progress", "pay"})  # what is asked for by words that the facts need not have


def wants_all(message: str) -> bool:
    """Whether every kind of fact is asked for, or one that no profile holds."""
    return ABOUT_ME.search(message) is not None or ABOUT_SOMEBODY.search(message) is not None or asked(message) in _ELSEWHERE


def of_me(message: str) -> bool:
    """Whether the user speaks of himself in it."""
    return _FIRST_PERSON.search(message) is not None


def questions_in(message: str, whom: Callable[[str], str | None]) -> list[str]:
    """The questions of a message that has several, each with the person it means: in 我妻子叫什么？她多大？ 她 is 我妻子, as `whom` finds in the one before."""
    found: list[str] = []
    before: str | None = None
    for sentence in (m.group().strip() for m in _SENTENCE.finditer(message)):
        if before and whom(sentence) is None:
            sentence = _PRONOUN.sub(lambda m, of=before: f"{of}'s" if m.group().lower() in {"his", "her"} else of, sentence, count=1)  # type: ignore[misc]
        before = whom(sentence) or before
        if asks(sentence):
            found.append(sentence)
    return found


def _spelt(message: str) -> str:
    """With its apostrophes: what’s, whats → what's."""
    return re.sub(r"\b(what|who|where|when)s\b", r"\1's", message.replace("’", "'"), flags=re.IGNORECASE)


def person(message: str) -> str | None:
    """Whom a question is about by name (Anna: what does Anna eat?); None where it names nobody, or is about the user."""
    if who := _WHO.search(message):
        return str(who["zh"] or who["en"])
    if subject := _SUBJECT_EN.search(message):
        return subject[1]
    if subject := _OF_WHOM.search(message):
        return str(subject["zh"] or subject["en"] or subject["old"])
    return next((word for word, kind in tag(message) if kind == "PER"), None) if is_chinese(message) else None


def asks_what(message: str) -> bool:
    """Whether a question names what it wants to know, instead of asking for a yes."""
    return (
        _ASKING_WORD.search(message) is not None or re.search(r"\b(?:what|who|whose|where|when|which|why|how)\b", message, re.IGNORECASE) is not None
    )


def wants_answer(message: str) -> bool:
    """Whether it asks or requests something, so that what was recalled for it is of interest."""
    return asks(message) or RECOMMEND.search(message) is not None or REQUEST.search(message) is not None


def is_small_talk(message: str) -> bool:
    """Whether there is nothing in it but a greeting, thanks or a goodbye: nothing to search memory for."""
    return len(message) <= SMALL and not asks(message) and _SMALL_TALK.fullmatch(message.strip()) is not None
