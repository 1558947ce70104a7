"""Questions by their form alone, without 吗 and without a question mark: 我血压高不高, 我车卖了没, 我还练瑜伽不, 我住杭州还是上海来着."""

from typing import Final

from memory.pattern import regex

_END: Final = r"(?=[^\w]*\Z)"
_NOT_A_VERB: Final = "在上下高重学定动时人男后前里中间机天年月日点家个话事子心气没得还习近们了的么鬼"
"""What stands before 不 or 没 as the end of a word of its own: 现在不在, 早上不上班, 时不时. The first few are verbs too, and tried apart."""

_A_NOT_A: Final = regex(
    r"(?<![爱该])(?:(?<![现实存])在[不没]在|(?<![早晚马路网街床身])上[不没]上|(?<![楼私地乡天底])下[不没]下|(?<!身)高[不没]高|(?<!体)重[不没]重"
    rf"|(?<![同大小中放])学[不没]学|(?<![决肯一])定[不没]定|动没动|(?P<a>(?![{_NOT_A_VERB}])[一-龥])[不没](?P=a)|(?P<b>[一-龥]{{2}})[不没](?P=b))"
)
_TAGGED: Final = regex(
    rf"[了过]没(?:有)?[呢啊呀]?{_END}|(?<!没)有(?!时|些|点)[^，。！？没都也]{{1,10}}没(?:有)?{_END}"
    rf"|[\w]{{2}}(?<![我你他她它们也都还又从并就可才钱点个啥事今天在候])没{_END}"
    rf"|[\w]{{2}}(?<![我你他她它们绝从偏才然要可也都就并又再决还说点不毫真来])不[呢啊呀]?{_END}"
)
_OR: Final = regex(
    rf"[\w]{{2}}(?<![我你他她它们天])还是[^，。！？]{{1,12}}来着{_END}"
    r"|(?:住|叫|姓|属|是(?![觉说想打因])|(?P<same>[喜爱吃喝用开穿选学读养做练买坐去在]))[^，。！？还的得]{1,8}还是"
    rf"(?:(?P=same)|(?(same)\Z|(?![不挺很比有会想要得没老太能可习喜觉最更一蛮照常经每去因为])))[^，。！？]{{1,8}}{_END}"
)
_HOW_MANY: Final = regex(
    rf"(?<![好十了过这那没])几(?:年级|班|码|栋|单元|度|环|座)[呢啊呀]?{_END}|[吃用服]着?几种药{_END}"
    rf"|(?:一(?:天|次|日|周|顿|年|晚|个月)|每(?:天|次|日|周|晚))[^，。！？了过几]{{1,4}}几(?:片|粒|颗|次|遍|顿|针|支|滴|毫升|毫克|单位|包|袋|勺)[呢啊呀]?{_END}"
    rf"|一(?:天|次|日|周|晚)[^，。！？了过几]{{1,4}}几(?:瓶|杯|根|小时|个|只|趟|节|公里){_END}"
)
_WHATEVER: Final = regex(r"不管|无论|不论|甭管|管他")


def asks(plain: str) -> bool:
    """Whether the clause asks by its form. `plain` is folded text of one clause."""
    if not ("不" in plain or "没" in plain or "还是" in plain or "几" in plain):
        return False
    return any(p.search(plain) for p in (_A_NOT_A, _TAGGED, _OR, _HOW_MANY)) and not _WHATEVER.search(plain)


def asks_across(plain: str, after: str) -> bool:
    """Whether a question was cut in two at its 不过: 对海鲜过 · 不过敏. `after` is what follows without anything between."""
    return after.startswith("不过") and _A_NOT_A.search(plain[-2:] + after[:4]) is not None
