"""Tools that are known to be used (use Firefox for everything, 用飞鱼笔记记东西), and which of them another takes the place of when it is told by name alone. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from memory.pattern import regex
from memory.record import Memory

_USED: Final = regex(
    r"\b[Uu]s(?:e|ing) (?P<n>[A-Z][\w.+-]*(?: [A-Z0-9][\w.+-]*)*)|用(?:的是|着|惯了)?(?P<n2>[A-Za-z][\w.+ -]*[\w+]|[一-龥]{2,5}(?=(?:记|写|看|听|做|画|聊|付|存|管|拍|剪|导航|打车|点|买|订|办公)))"
)


def name_used(memory: Memory) -> str:
    """The tool that the fact says is used, in it: Firefox of "use Firefox for everything", 飞鱼笔记 of 用飞鱼笔记记东西; empty where none is."""
    if memory.attribute not in {"habit", "instruction", "possession", "other"}:
        return ""
    found = _USED.search(memory.value)
    if found is not None:
        return found["n"] or found["n2"]
    told = memory.source.text or ""
    used = re.search(rf"(?:用(?:的|着)?(?:[^，。]{{0,6}}是)?|\b[Uu]s(?:e|ing) ){re.escape(memory.value)}", told)
    with_it = memory.attribute == "other" and re.search(rf"(?:[’']s|\bis|\bare|\bbank) with {re.escape(memory.value)}", told)
    return memory.value if used is not None or with_it else ""


def tool_for(new: str, pool: Sequence[Memory]) -> Memory | None:
    """The one tool that is known to be used, when another is switched to by name alone."""
    if not re.match(r"[a-z][\w.+-]*(?: [a-z0-9][\w.+-]*){0,2}$|[一-龥]{2,6}$", new) or re.search(
        r"(?:手机|电脑|工作|房子|车|发型|公司|号码?|口味|座位|衣服|地方|别的|一个|新的)$", new
    ):
        return None
    used = [m for m in pool if name_used(m)]
    return used[0] if len(used) == 1 else None
