"""Candidates as revision wants them, whatever tier they came from: the tie as (user, relationship, name), other people's facts under their own attribute,
a pet and its name as one fact, and corrections marked as such when the message says that something was wrong. Pure.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER
from memory.revise.cues import says
from memory.revise.doses import of_what
from memory.revise.forms import fold
from memory.revise.inline import righted
from memory.revise.instead import now_instead
from memory.revise.people import is_user, name_in, relation, relation_in, relations_in
from memory.revise.spans import cut

_NAMED: Final = regex(
    r"^(?P<who>[^，,。]{0,12}?)(?:[，,]|的)?(?:名字|小名|大名)?(?:叫做|叫作|名叫|叫|名字是|的名字是|名为| is called | is named | called | named |'s name is )\s*(?P<name>[^，,。!！\s][^，,。!！]{0,19}?)(?P<also>，小名[^，,。!！\s]{1,8})?$"
)
_MINE: Final = regex(r"^(?P<name>[\w·. ]{1,20}?)\s*(?:是我的?|(?:is|[’']s) (?:my|our)|is one of (?:my|our))\s*(?P<tie>[\w -]{1,30})$", re.IGNORECASE)
_KIN: Final = tuple(
    (attribute, regex(pattern))
    for attribute, pattern in (
        ("skill", r"^(?:在|正在)?(?:学|练)(?!校|习|生|期|会)(?P<v>[^，。]{1,8}?)(?:了|呢)?$"),
        ("allergy", r"^对(?P<v>[^，。]{1,12}?)过敏"),
        ("location", r"^(?:现在|目前|一直)?住(?:在|到)?(?P<v>[^，。]{2,12}?)(?:了|呢)?$"),
        ("location", r"^(?:已经|又|刚)?搬(?:到|去|进|回)(?:了)?(?P<v>[^，。]{2,12}?)(?:去|住)?(?:了|呢)?$"),
        ("employer", r"^(?:现在|目前|一直)?在(?P<v>[^，。]{2,14}?)(?:上班|工作|任职|就职)(?:了|呢)?$"),
        ("school", r"^(?:现在|目前)?在(?P<v>[^，。]{2,14}?)(?:读书|上学|念书|读)(?:了|呢)?$"),
        ("occupation", r"^(?:是|当|做)(?:一?名|一?个|一?位)?(?P<v>[^，。的]{2,10}?)(?:了|的)?$"),
        ("likes", r"^(?:很|特别|最|就|也|一直)?(?:喜欢|爱)(?P<v>[^，。]{1,14}?)(?:了)?$"),
        ("dislikes", r"^(?:很|特别|最|就|也)?(?:讨厌|不喜欢|不爱)(?P<v>[^，。]{1,14}?)(?:了)?$"),
        ("age", r"^(?:今年)?(?:都|已经)?(?:满|快)?(?P<v>\d{1,3}岁?|[一二三四五六七八九十]{1,3}岁)(?:了)?$"),
        ("pet", r"^养(?:了)?(?:一)?(?:只|条|个)?(?P<v>[^，。]{1,10}?)(?:了)?$"),
    )
)
_WRONG: Final = regex(
    r"(?:说|打|写|记|搞|弄|看|填|讲|念|报|听|叫|认)(?:错|反|岔|串|混)了?|(?:^|[，。！,.!])\s*不对(?!劲)[，,。！!]|更正|纠正|口误|笔误|手滑|说得?不(?:准|对|准确)|看岔|之前说的不对|刚才说的不对|前面说的不对|不是这样|(?:之前|上次|上回|昨天|前天|刚才|前面)[^，。！]{0,8}(?:作废|不算数|不作数|别信|划掉)|(?:不算数|不作数)[了，。！]|我糊涂|脑子(?:抽|短路|进水)|真正的[一-龥]{1,4}是|吹牛|骗你的|(?:打|说|写|嘴|手)(?:快|急|瓢|秃噜)了|(?:说|写|打|算|数)漏了|(?:少|多)(?:打|写|说|算|报)了|中间[少多]了|(?:漏|少|多)(?:了|打了?|写了?|输了?|填了?|按了?|敲了?)(?:一)?(?:个|位|俩|两个|几个)(?!人|月|小时)|(?:票|日历|日期|时间|通知)看错|(?:不对|不是)(?= |$)|(?:^|[，。！,.! ])呸[，,。！!]|(?:^|[，。！,.! ])那是我?(?:爸|妈|老公|老婆|室友|同事|朋友|弟|妹|哥|姐|爷爷|奶奶)\w{0,3}的|"
    r"\bthat(?:[’']s| was| is) my (?:dad|mum|mom|wife|husband|brother|sister|boss|flatmate|friend|partner|colleague)[’']s\b|\b(?:autocorrect|oops|whoops|typo|correction|i was wrong|i meant|i misread|misread|misheard|mistook|looked at the wrong|read it wrong|i mistyped|i misspel(?:t|led)|spelt it wrong|spelled it wrong|wrong way round|swapped the (?:last|first) two|i misspoke|i mixed up|mix(?:ed)? (?:it|them|that|those|these) up|had (?:it|that|them) backwards|my mistake|got (?:that|it|his|hers|theirs|mine) wrong|was a (?:slip|mistake|typo)|scratch that|i said (?:that|it) wrong|let me correct|(?:mum|mom|mummy|baby|old|my|pregnancy|menopause) brain|brain fog|senior moment|autopilot|slip of the (?:tongue|finger|keyboard)|fat fingers|my bad|silly me|misspoke|i should say|i don[’']t know why i said|should read|(?:ignore|forget|disregard|scrap|scratch) what i (?:said|told you|wrote)|what i (?:said|told you) (?:before |earlier |yesterday |last time )?(?:was|is) wrong|i had (?:it|that) wrong|i got mixed up|turns out i was wrong|(?:told|gave) you (?:it |that )?(?:wrong|the wrong)|got (?:my |his |her |their |the )?(?:\w+[’']?s? ){1,3}wrong|(?:made|was) a mistake|wrong (?:word|name|number|city|town|day|date|year|month|street|company|firm|school|place|person|dog|cat))\b"
)
_TO_DO: Final = regex(r"(?:要|得|打算|准备|计划|想|将要?|会去|得去)(?!是|求(?!婚)|命|强|好|紧|不)[一-龥]{2,}")
_HOLLOW: Final = regex(r"^(?:以后)?(?:回答|回复|答复|回)(?:我|问题|消息)?(?:的时候)?$|^(?:answer|reply|respond)(?: me)?$")
_SPECIES: Final = regex(r"^(?:一|两|几|\d)?(?:只|条|个|头|匹)?")

_HAD: Final = frozenset({"likes", "skill", "possession", "pet"})  # what somebody has or likes: that one of them is over tells of none


def tidy(candidates: Sequence[Candidate], text: str) -> list[Candidate]:
    """The candidates of one message, in order; `text` is the whole message."""
    wrong = _WRONG.search(fold(text))
    out: list[Candidate] = []
    for raw in candidates:
        plain = cut(raw)
        if plain is None or (raw.loose and (admits(raw.value) or (raw.attribute in _HAD and says("over", raw.clause or raw.value)))):
            continue
        candidate = _own_attribute(_tie(_theirs(plain)))
        candidate = _past(_lost(candidate))
        candidate = _called(candidate)
        if candidate.attribute == "instruction" and _HOLLOW.match(fold(candidate.value)):
            continue
        if candidate.attribute == "relationship" and not candidate.content and relation_in(candidate.clause) is None and (tie := relation_in(text)):
            said = next((w for w in sorted(tie.words, key=len, reverse=True) if w in fold(text)), "")
            candidate = candidate.evolve(content=f"{said}：{candidate.value}" if _chinese(said) else f"{said}: {candidate.value}")
        if (
            wrong
            and not candidate.loose
            and candidate.stance is Stance.ASSERT
            and candidate.attribute not in {"event", "instruction"}
            and _after(candidate, text, wrong.start())
        ):
            candidate = candidate.evolve(stance=Stance.CORRECT)
        if (placed := _PLACED.match(candidate.value)) and candidate.attribute == "occupation":
            known = any(c.attribute == "employer" and c.owner == candidate.owner for c in candidates)
            out += [] if known else [candidate.evolve(attribute="employer", value=placed["org"], content="")]
            candidate = candidate.evolve(value=placed["job"], content="")
        if (
            candidate.stance in {Stance.ASSERT, Stance.CORRECT}
            and candidate.attribute not in {"instruction", "event", "other"}
            and admits(candidate.value)
        ):
            continue
        if candidate.attribute in {"location", "employer", "occupation"} and re.fullmatch(
            r"(?:the )?(?:days|nights|earlies|lates|(?:day|night|early|late) shifts?)|[白夜早晚中]班", fold(candidate.value)
        ):
            candidate = candidate.evolve(attribute="habit")
        if candidate.value.casefold().strip() in {"is", "are", "was", "the", "a", "an", "有变", "变了", "有变化"}:
            continue
        if candidate.attribute == "pet" and (called := _NAMED.match(candidate.value)) and called["who"].strip():
            candidate = candidate.evolve(
                value=called["name"].strip(), content=f"宠物：{candidate.value}" if _chinese(candidate.value) else candidate.value
            )
        candidate = _viewed(_dated(candidate))
        if candidate.attribute == "event" and _TO_DO.match(fold(candidate.value)) and not re.search(r"[了过]$", fold(candidate.value)):
            candidate = candidate.evolve(attribute="plan")  # 年底前我要求婚 is still to come
        if (
            candidate.attribute == "name"
            and re.match(r"(?:名字|名|小名)?叫", fold(candidate.clause))
            and re.search(r"养|宠物|猫|狗|兔|鸟|鱼|龟", _before(candidate, text))
        ):
            candidate = candidate.evolve(attribute="pet", content=f"宠物叫{candidate.value}")
        before = out[-1] if out else None
        if (
            before is not None
            and before.attribute == "pet"
            and candidate.attribute == "name"
            and re.match(r"(?:名字|名|小名)?叫", fold(candidate.clause))
        ):
            kind = _SPECIES.sub("", before.value)
            out[-1] = before.evolve(value=candidate.value, content=f"宠物：{kind}叫{candidate.value}", clause=f"{before.clause}，{candidate.clause}")
            continue
        if before is not None and before.attribute == "possession" and candidate.attribute == "name" and fold(candidate.clause).startswith("叫"):
            title = _CALLED_IT.sub("", candidate.clause).strip("，,。 ")
            out[-1] = before.evolve(value=title or candidate.value, content=f"{before.value}，{candidate.clause}")
            continue
        out.append(candidate)
    out = of_what(righted(out, text))
    out += _joined(out, text)
    out += now_instead(out, text)
    out += _introduced(out)
    tied = any(c.attribute == "relationship" and not c.loose and is_user(c.owner) for c in out)
    return [
        c
        for c in out
        if not _tied(c, out)
        and not (c.attribute == "employer" and any(o.attribute == "school" and (o.owner, o.value) == (c.owner, c.value) for o in out))
        and not (tied and c.attribute == "relationship" and c.loose)  # what is said of him is no other tie
        and not (c.attribute == "other" and any(o is not c and o.attribute != "other" and fold(o.value) == fold(c.value) for o in out))
    ]


_CALL_ME: Final = regex(
    r"^(?:以后|今后|往后|请|就|你|您|大家|都|可以|直接|还是|改|也){0,4}(?P<no>别|不要|别再|不用)?(?:再)?叫我?(?P<n>[一-龥a-z·]{1,8}?)(?:就行|就好|就可以|就成|好了|行了|得了|吧|了|啦|哦|呀|哈)*$"
)


def _called(c: Candidate) -> Candidate:
    """An order how to be called is a name: 叫我小周就行; 别叫小周了 ends it."""
    found = _CALL_ME.match(fold(c.value)) if c.attribute == "instruction" and is_user(c.owner) else None
    if found is None or not (found["no"] or "叫我" in c.value):
        return c
    at = fold(c.value).find(found["n"])
    name = c.value[at : at + len(found["n"])] if len(fold(c.value)) == len(c.value) else found["n"]
    return c.evolve(attribute="name", value=name, content="", stance=Stance.NEGATE if found["no"] else c.stance)


_OFFER: Final = regex(r"^(?:拿到|收到|接了|签了|拿了)(?:了)?(?P<org>[^，。的]{2,14})的(?:offer|录用通知|聘书)$")


def _joined(told: Sequence[Candidate], text: str) -> list[Candidate]:
    """拿到…的offer，已经入职了: the firm whose offer was taken up is the employer."""
    taken_up = re.search(r"(?:已经|今天|昨天|上周|刚)?(?:入职|报到|上班)了", text)
    found = (_OFFER.match(fold(c.value)) for c in told if c.attribute == "event" and is_user(c.owner)) if taken_up else ()
    known = any(c.attribute == "employer" for c in told)
    return [Candidate(attribute="employer", value=m["org"], clause=text) for m in found if m and not known][:1]


def _introduced(told: Sequence[Candidate]) -> list[Candidate]:
    """Who is told of under a tie and a name is somebody's name too: 表姐文静在银行上班 makes 文静 known."""
    named = {name: c for c in told if not is_user(c.owner) and relation(c.owner) is None and (name := name_in(c.owner)) and _chinese(name)}
    known = {fold(c.value) for c in told if c.attribute == "relationship"}
    return [Candidate(attribute="relationship", value=n, content=c.owner, clause=c.clause) for n, c in named.items() if fold(n) not in known]


_THEIRS: Final = (
    ("possession", regex(r"^(?:drives|owns|has|rides|uses) (?:an? |the )(?P<v>[\w -]{2,30})$")),
    ("location", regex(r"^(?:lives|is living|is based) in (?P<v>[\w' -]{2,30})$")),
    ("employer", regex(r"^works (?:at|for) (?:an? |the )?(?P<v>[\w' &-]{2,30})$")),
    ("habit", regex(r"^(?P<v>works (?:nights|days|earlies|lates|shifts|part[- ]time|from home))$")),
    ("likes", regex(r"^(?:loves|likes|enjoys|adores) (?P<v>[\w' -]{2,30})$")),
    ("dislikes", regex(r"^(?:hates|dislikes|can[’']?t stand|loathes) (?P<v>[\w' -]{2,30})$")),
    ("skill", regex(r"^(?P<v>(?:plays|speaks) (?:the )?[\w -]{2,24})$")),
    ("pet", regex(r"^keeps (?:an? |two |three |some )?(?P<v>[\w -]{3,24})$")),
    ("likes", regex(r"^(?:supports|follows|roots for) (?:the )?(?P<v>[\w' -]{2,24})$")),
    (
        "habit",
        regex(
            r"^(?P<v>(?:only |always |never |mostly |just )?(?:drinks|eats|smokes|vapes|wears|swims|runs|cycles|walks|jogs|takes|has|goes to) [\w' -]{2,30})$"
        ),
    ),
    (
        "location",
        regex(r"^(?:is |[’']s )?in (?P<v>(?!(?:a|the|his|her|my|hospital|love|bed|trouble|town|prison|debt|pain|charge)\b)[\w' -]{2,24})$"),
    ),
    (
        "occupation",
        regex(
            r"^(?P<v>(?:teaches|sells|runs|fixes|builds|repairs|farms|breeds|drives (?:lorries|trucks|buses|taxis|trains)) [\w' -]{2,30}|(?:drives lorries|drives buses|farms))$"
        ),
    ),
)


def _theirs(c: Candidate) -> Candidate:
    """A loose tie that tells what a relative does: (user, relationship, wife drives a hatchback) → (wife, possession, hatchback)."""
    if c.attribute != "relationship" or not c.loose or not is_user(c.owner):
        return c
    plain = re.sub(r"^(?:and |but )?my ", "", fold(c.value)).rstrip(".! ")
    who = next((word for _, tie in relations_in(plain) for word in tie.words if plain.startswith(f"{word} ")), "")
    for attribute, pattern in _THEIRS if who else ():
        if found := pattern.match(plain[len(who) + 1 :]):
            at = fold(c.value).find(found["v"])
            value = c.value[at : at + len(found["v"])] if at >= 0 and len(fold(c.value)) == len(c.value) else found["v"]
            return c.evolve(attribute=attribute, owner=who, value=value, loose=False)
    return c


_CALLED_IT: Final = regex(r"^叫(?:做)?")


def _tied(c: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether a person's trade is the tie to the user itself, told already: Marta's my swim coach."""
    return c.attribute == "occupation" and any(
        o.attribute == "relationship" and is_user(o.owner) and fold(o.value) == fold(c.owner) and fold(c.value) in fold(o.content) for o in others
    )


_PLACED: Final = regex(
    r"^(?P<org>[^，。的]{2,14}(?:公司|集团|大学|学院|学校|高中|中学|小学|幼儿园|医院|银行|研究所|研究院|事务所|报社|出版社|酒店|餐厅|店|厂|局|院|社|所|馆|科技|传媒))的(?:一?名|一?个|一?位)?(?P<job>[^，。的]{2,10})$"
)
_FADED: Final = regex(
    r"没(?:了|有)?(?:兴趣|兴致|感觉|热情)|不感兴趣|提不起|腻了|(?:不|没)(?:再|那么|怎么|太|很)?(?:喜欢|爱|中意|稀罕|迷|想)[^，。！？]{0,12}了|不再(?:喜欢|爱|中意|迷)|"
    r"\b(?:lost interest|no longer (?:interested|likes?|loves?|enjoys?|into)|not interested|bored (?:of|with)|tired of|over it|(?:don[’']?t|do not|doesn[’']?t) (?:really )?(?:like|love|enjoy|care for|fancy)\b[^.!?]{0,40} (?:any ?more|these days|nowadays)|not into [^.!?]{1,40} any ?more)\b"
)
_LOATHED: Final = regex(r"讨厌|厌恶|受不了|恶心|反感|恨|\b(?:hates?|loathes?|detests?|despises?|(?:can[’']?t|cannot) (?:stand|bear)|sick of|disgust)")
_USED_TO: Final = regex(
    r"\bused to\b|\bonce (?:had|owned|kept|lived|worked|was)\b|\bfor(?:merly|mer)\b|以前|曾经|从前|过去(?!了)|原先|原来(?=在|是|住|开|做|当|教|养|用|叫)|之前(?!要|得)|早先|早年|早些年|前些年|头几年|头些年|当年|当初|年轻(?:时|那|的时候)|小时候|(?:结婚|生娃|生孩子|怀孕|工作|毕业|退休|离婚|戒酒|戒烟)(?:之|以)?前|(?:上学|读书|念书|单身|打工|当兵)(?:时|那|的时候)|(?:刚毕业|刚工作|刚来)[^，。]{0,4}(?:时|那[会阵])|\bgrowing up\b|\bas a (?:kid|child|teenager|student)\b|\bback when\b|\bin my (?:teens|twenties|thirties|youth)\b"
)
_NOW: Final = regex(r"\b(?:now|these days|today)\b|现在|如今|目前")


def _lost(c: Candidate) -> Candidate:
    """Interest that has faded is a liking that ended, not a dislike that began."""
    faded = _FADED.search(fold(c.clause)) or (_GIVEN_UP.search(fold(c.clause)) and "不喜欢" not in c.clause)
    if c.attribute == "dislikes" and c.stance is Stance.ASSERT and faded and not _LOATHED.search(fold(c.clause)):
        return c.evolve(attribute="likes", stance=Stance.NEGATE)
    return c


def _past(c: Candidate) -> Candidate:
    """What the clause says was so before, and not now."""
    clause = fold(c.clause)
    at, cue = clause.find(fold(c.value)), _USED_TO.search(clause)
    if c.stance is not Stance.ASSERT or cue is None or at < cue.start() or c.attribute in {"event", "plan", "instruction", "name", "birthday"}:
        return c
    return c if _NOW.search(clause[cue.end() : at]) or re.search(r"used to (?:it|the|this|that|\w+ing)\b", clause) else c.evolve(stance=Stance.PAST)


_GIVEN_UP: Final = regex(r"(?:不|没)(?:再)?(?:吃|喝|抽|玩|看|打|碰|用|听|练|跑|学|养)[^，。！？不]{0,8}了")
_YEARS: Final = regex(
    r"(?<!\d)(?P<a>(?:19|20)\d{2})年?\s*(?:到|至|-|–|—|~)\s*(?P<b>(?:19|20)\d{2})|\b(?:from|between) (?P<c>(?:19|20)\d{2}) (?:to|until|till|and) (?P<d>(?:19|20)\d{2})"
)
_EXPERIENCED: Final = regex(r"(?:养|住|当|做|学|读|开|用|干|待|交往|练|种)过")


def _dated(c: Candidate) -> Candidate:
    """What the clause tells of its period, where no tier read it: 2009到2012年养过… is over."""
    clause = fold(c.clause)
    if c.attribute in {"event", "plan", "birthday", "instruction", "name"} or c.stance not in {Stance.ASSERT, Stance.PAST}:
        return c
    years = _YEARS.search(clause)
    if years and not c.valid_to:
        return c.evolve(valid_from=years["a"] or years["c"], valid_to=years["b"] or years["d"])
    at = clause.find(fold(c.value))
    if c.stance is Stance.ASSERT and (cue := _EXPERIENCED.search(clause)) and at >= cue.start() and not _NOW.search(clause[:at]):
        return c.evolve(stance=Stance.PAST)
    return c


_VIEWED: Final = regex(
    r"[在去](?P<v>[一-龥]{2,8}看(?:中|好|上)?了(?:一|个|套|间|两|三|几|处){0,2}[^，。！？]{0,6}?(?:居室?|室|房子?|公寓|单间|loft))"
)


def _viewed(c: Candidate) -> Candidate:
    """Where a home was only looked at is no home yet: 在滨江看了个两居."""
    found = _VIEWED.search(fold(c.clause)) if c.attribute == "location" and is_user(c.owner) else None
    if found is None or c.value not in found["v"]:
        return c
    return c.evolve(attribute="event", value=found["v"], stance=Stance.ASSERT, content="")


def _before(candidate: Candidate, text: str) -> str:
    """The message up to the candidate's clause."""
    at = fold(text).find(fold(candidate.clause))
    return fold(text)[: max(at, 0)]


def admits(text: str) -> bool:
    """Whether the text takes something back: 说错了, a typo."""
    return bool(_WRONG.search(fold(text)))


def _after(candidate: Candidate, text: str, marked: int) -> bool:
    """Whether the candidate's clause is not before the words that admit a mistake, and does not tell of a change in time."""
    at = fold(text).find(fold(candidate.clause)) if candidate.clause else 0
    return at + len(fold(candidate.clause)) > marked and not says("more", candidate.clause)


def _tie(c: Candidate) -> Candidate:
    """外甥女/relationship = 外甥女叫佳佳 → user/relationship = 佳佳, told as 外甥女叫佳佳."""
    if c.attribute == "name" and not is_user(c.owner):
        tied = c.evolve(attribute="relationship", owner=USER)
        return tied if c.content else tied.evolve(content=f"{c.owner}叫{c.value}" if _chinese(c.value + c.owner) else f"{c.owner}: {c.value}")
    if c.attribute != "relationship":
        return c
    if c.loose and not is_user(c.owner) and _NAMED.match(c.value) is None:
        return c.evolve(attribute="other")  # what a relative does is his own
    found = _NAMED.match(c.value)
    if found and (relation(found["who"].strip()) or relation_in(found["who"]) or not is_user(c.owner)):
        also = f"（{found['also'][1:]}）" if found["also"] else ""
        return c.evolve(owner=USER, value=found["name"].strip() + also, content=c.content or c.value)
    mine = _MINE.match(c.value)
    if mine and (relation(mine["tie"]) or relation_in(mine["tie"])) is not None:
        named = f"{mine['tie']}{mine['name']}" if _chinese(mine["tie"]) else f"{mine['tie']}: {mine['name']}"
        return c.evolve(owner=USER, value=mine["name"], content=c.content if c.content and c.content != c.value else named)
    if not is_user(c.owner):
        return c.evolve(owner=USER, content=c.content or (f"{c.owner}：{c.value}" if _chinese(c.owner) else f"{c.owner}: {c.value}"))
    return c


def _own_attribute(c: Candidate) -> Candidate:
    """妈妈/other = 对花粉过敏 → 妈妈/allergy = 花粉."""
    if c.attribute != "other" or is_user(c.owner):
        return c
    for attribute, pattern in _KIN:
        found = pattern.match(fold(c.value))
        if found:
            start, end = found.span("v")
            value = c.value[start:end] if len(fold(c.value)) == len(c.value) else found["v"]
            return c.evolve(attribute=attribute, value=value, content="")
    plain = re.sub(r"^(?:and |but )?(?:my |our )?", "", fold(c.value)).rstrip(".! ")
    plain = plain.removeprefix(f"{fold(c.owner)} ")
    for attribute, pattern in _THEIRS if c.value.isascii() else ():
        if found := pattern.match(plain):
            at = fold(c.value).rfind(found["v"])
            return c.evolve(attribute=attribute, value=c.value[at : at + len(found["v"])] if at >= 0 else found["v"], content="", loose=False)
    return c


def _chinese(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)
