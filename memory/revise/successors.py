"""Another person in a known person's place: 班主任换成柏老师了; the landlord's changed, it's Mrs Crane now; Dr Hale has retired, I see Dr Okonjo.

A tie word tells whose place it is; without one, a name with the title of a known person who is said to have gone. Pure.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.clauses import simplified
from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import Memory
from memory.revise.case import slot_of
from memory.revise.forms import bare, fold
from memory.revise.hearing import unsure
from memory.revise.people import is_user, relation, relation_in

_ZH_TITLE: Final = "老师|医生|大夫|教练|师傅|师父|经理|主任|律师|阿姨|叔叔|教授|导师|护士|校长|院长|总监|总|姐|哥|嫂|叔|姨|工|队|导|博士"
_ZH_NAME: Final = rf"(?:[一-龥]{{1,3}}(?:{_ZH_TITLE})|(?!这|那|我|你|他|她|谁|什么|一个|个|人|别|下|明|上)[小老阿]?[一-龥]{{1,3}}?)"
_EN_NAME: Final = r"(?:[一-龥]{2,4}|(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Sister|Father|Coach)\.? [A-Z][\w’'-]+|(?!I\b|It\b|He\b|She\b|They\b|We\b|You\b)[A-Z][\w’-]+(?: [A-Z][\w’-]+)?)"
_TO_END: Final = r"(?=了|啦|吧|[，。；！,.!;\s]|教|带|管|来|接|$)"
_GONE: Final = regex(
    r"退休|离职|辞职|走了|调走|调到|调去|不干|不教|不带|不做|休产假|产假|支教|出国|回老家|搬走|转行|回去了?|带孙子|transfer|relocate|高升|升职|去世|换了|换人|离开|跳槽"
    r"|\b(?:retired?|retiring|left|leaving|gone|quit|moved (?:on|away|to|back)|resigned|on (?:leave|maternity|sabbatical|secondment)|passed away|died|replaced|no longer|stepped down|transferred|emigrated|sold up)\b"
)
_REPLACED: Final = regex(rf"^(?:现在|已经|后来)?(?:换成|换了|改成|改由)[一-龥]{{1,2}}(?:{_ZH_TITLE})")
"""Somebody instead, with nobody named: the title tells whose place it is."""
_STEPS_IN: Final = regex(
    r"现在|以后|接手|接替|接任|接班|顶替|换成|换了|改由|改跟|转给|来带|来教|新来|负责"
    r"|\b(?:now|instead|from now on|took over|takes over|taken over|taking over|stepped in|replaced|replaces|looks? after|with|see|seeing|to|these days|new)\b"
)


def succeeded(text: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """(what takes the place of known people, the candidates that are left once those are understood)."""
    if unsure(fold(text[:400])):
        return [], list(taken)
    said = text[:400]
    for memory in active:
        if memory.attribute != "relationship" or not is_user(memory.owner) or not slot_of(memory)[0].startswith("tie ") or relation(memory.value):
            continue
        plain = simplified(said)
        name = _in_the_place(plain, memory) or _with_the_title(plain, memory) or _taking_over(plain, memory) or _moved_to(plain, memory, active)
        if name:
            at = plain.find(name)
            name = said[at : at + len(name)]
        if not name or bare(name) == bare(memory.value) or any(bare(name) == bare(m.value) for m in active if m.attribute == "relationship"):
            continue
        content = memory.content.replace(memory.value, name) if memory.value in memory.content else ""
        found = Candidate(attribute="relationship", value=name, replaces=memory.value, content=content, clause=text)
        return [found], [c for c in taken if not _same_person_told(c, name, memory, said)]
    return [], list(taken)


def _same_person_told(c: Candidate, name: str, memory: Memory, said: str) -> bool:
    """Whether a judge's candidate is what the change of person was read as, or part of the new name."""
    tie = relation_in(c.owner) if not is_user(c.owner) else None
    if bare(memory.value) in bare(f"{c.owner} {c.value}") or bare(name) in bare(c.value) or (tie is not None and c.attribute == "event"):
        return True
    at, of_name = said.find(c.value), said.find(name)
    return c.value != "" and at >= 0 and of_name >= 0 and at < of_name + len(name) and of_name < at + len(c.value)


def _in_the_place(said: str, memory: Memory) -> str | None:
    """The name that the message puts in the place that the tie word names."""
    tie = relation_in(memory.content, memory.value) or relation_in(memory.source.text or "", memory.value)
    for word in sorted(tie.words, key=len, reverse=True) if tie else ():
        if word not in fold(said):
            continue
        w = re.escape(word)
        if word.isascii():
            patterns: tuple[str, ...] = (
                rf"(?i:\b{w}(?:[’']s| is| has| was| got)? (?:now|changed|switched|left|replaced|retired|new|been replaced)[^.!?]{{0,30}}?(?:it[’']?s|by|with|to|is|now)[ :]+(?:now |called )?|\b{w} is now )(?P<n>{_EN_NAME})",
                rf"(?i:\b(?:my|our|the) {w}(?:[’']s| is) )(?P<n>{_EN_NAME})(?i: (?:now|these days|nowadays|from (?:now on|this|next)|as of|since)\b)",
                rf"(?i:\bnew {w}(?:[’']s| is|,|:)? ?(?:it[’']?s |called |named )?)(?P<n>{_EN_NAME})",
                rf"(?P<n>{_EN_NAME})(?:[’']s| is| has become| became) (?:now )?(?:my|our) (?:new )?{w}\b (?:now|instead|these days)",
                rf"(?i:\b(?:switched|changed|swapped|moved) {w}s?\b[^.!?]{{0,20}}?(?:to|it[’']s|with|now|i see) )(?P<n>{_EN_NAME})",
            )
        else:
            patterns = (
                rf"{w}(?:已经|又|也|都|给|老师|医生)?(?:换成|换为|变成|改成|改为|变更为|换做|换作|改由|由)了?(?P<n>{_ZH_NAME}){_TO_END}",
                rf"{w}(?:已经|又|也|都)?(?:换人?了|走了|离职了|退休了|调走了|变了)[，,。！!\s]*(?:现在|目前|如今|新的|新来的|接替的|接手的|接班的)?(?:这位|那位|个)?(?:是|叫|姓|换成|换了|由)?(?P<n>{_ZH_NAME}){_TO_END}",
                rf"(?:新的?|新来的|现在的?){w}(?:老师|医生)?(?:是|叫|姓)(?P<n>{_ZH_NAME}){_TO_END}",
                rf"{w}(?:现在|如今|目前|改)(?:是|叫)(?P<n>{_ZH_NAME}){_TO_END}",
                rf"(?P<n>{_ZH_NAME})(?:成了|当了|接任|接替|现在是|是)(?:我|我们|咱们)(?:的)?(?:新){w}",
            )
        patterns = (*patterns, rf"新(?:来的|的)?\s?{w}(?:老师|医生)?(?:是|叫|姓|换成)\s?(?P<n>[A-Z][a-z]+|{_ZH_NAME}){_TO_END}")
        for pattern in patterns:
            if found := re.search(pattern, said, re.IGNORECASE if not word.isascii() else 0):
                return found["n"].strip()
    return None


def _taking_over(said: str, memory: Memory) -> str | None:
    """Who takes over from a known person who goes: Kevin离职了，现在report给Linda; Ana has left, I report to Petra now."""
    at, end = _spoken_of(said, memory)
    if at < 0 or not _GONE.search(fold(said[at:])):
        return None
    rest = said[end:]
    zh = rf"(?:(?:现在|以后|接下来|改|换|转)[^，。！]{{0,4}}?)?(?:换成|换了|换做|改由|改成|改为|变成)了?(?P<n3>[A-Z][a-z]+|{_ZH_NAME})(?:来?管|来?带|负责|接手|接班|教|上课|做|帮|[，。！!]|$)|(?:现在|以后|接下来|改|换|转)[^，。！]{{0,4}}?(?:report给|汇报给|向|跟着?|归|由|换成|改成|交给|给|找|是|来的是)\s?(?P<n>[A-Z][a-z]+|{_ZH_NAME})(?:汇报|来?管|来?带|负责|接手|接班|教|上课|了|[，。！!]|$)|(?P<n2>[A-Z][a-z]+|{_ZH_NAME})(?:接手了?|接任了?|接班了?|来接|顶上了?|顶替了?)"
    en = rf"(?i:\b(?:the |my |our )?(?:new|next|replacement) one(?:[’']s| is| is called)? |\b(?:report(?:ing)? to|work(?:ing)? (?:for|under)|replaced by|taken over by|it[’']s|i see|i have|with) )(?P<n>{_EN_NAME})|(?P<n2>{_EN_NAME}) (?:took|has taken|takes|is taking) over|(?i:\b(?:his|her|their) (?:son|daughter|wife|husband|partner|brother|sister|colleague|assistant|nephew|niece|cousin|apprentice)) (?P<n3>{_EN_NAME}) (?:does|handles|looks after|runs|has|is|comes|cuts|fixes|teaches|sees)\b"
    for pattern in (zh, en):
        if found := re.search(pattern, rest):
            return next(found[g] for g in ("n", "n2", "n3") if found[g]).strip()
    return None


_MOVED_TO: Final = regex(
    r"\b[Ii](?:[’']ve| have)?(?: just| now| recently)?(?: been| was| got)? (?:moved|switched|transferred|changed|reassigned|swapped|handed|passed|gone)(?: over| on| across)? to (?P<n>(?:Dr|Prof|Professor)\.? [A-Z][\w’'-]+)"
    r"|\b(?:[Ii] (?:now )?(?:see|go to|have)|[Ii][’']m (?:now )?(?:seeing|with|under)|it[’']s) (?P<n2>(?:Dr|Prof|Professor)\.? [A-Z][\w’'-]+)(?= (?:now|instead|these days|from now on)\b)"
)


def _moved_to(said: str, memory: Memory, active: Sequence[Memory]) -> str | None:
    """Another doctor whom one is moved to or sees now, where one only is known: I've been moved to Dr Lund; I see Dr Lund now."""
    found = _MOVED_TO.search(said)
    if found is None or not _TITLED.match(memory.value):
        return None
    known = [m for m in active if m.attribute == "relationship" and is_user(m.owner) and _TITLED.match(m.value)]
    return (found["n"] or found["n2"]) if len(known) == 1 else None


_TITLED: Final = regex(r"(?:Dr|Prof|Professor)\b")


def _spoken_of(said: str, memory: Memory) -> tuple[int, int]:
    """Where the known person is spoken of: by the full name, the first name (Joan of Joan Whitlock), or surname and title (罗大夫 of 罗敏); (-1, -1) where not."""
    value = simplified(memory.value)
    first = re.match(r"[A-Z][\w’-]{2,}(?= [A-Z])", value)
    titled = re.match(r"(?P<sur>[一-龥])[一-龥]{1,2}$", value)
    for pattern in (re.escape(value), rf"\b{first[0]}\b" if first else "", rf"[小老阿]?{titled['sur']}(?:{_ZH_TITLE})" if titled else ""):
        if pattern and (found := re.search(pattern, said)):
            return found.span()
    return -1, -1


def _with_the_title(said: str, memory: Memory) -> str | None:
    """The other name of a message in which the known person goes and somebody of the same title steps in."""
    at = said.find(memory.value)
    if not _REPLACED.search(said) and (at < 0 or not _GONE.search(fold(said)) or not _STEPS_IN.search(fold(said))):
        return None
    zh = re.search(rf"(?:{_ZH_TITLE})$", memory.value)
    en = re.match(r"(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor)\b", memory.value)
    if zh:
        names = re.findall(rf"(?<![一-龥])[一-龥]{{1,2}}?{zh[0]}|(?<=[由给跟找是成了换归和])[一-龥]{{1,2}}?{zh[0]}", said)
    elif en:
        names = re.findall(r"\b(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor)\.? [A-Z][\w’'-]+", said)
    else:
        return None
    names = [re.sub(r"^[成为到做了换叫是由给跟找来](?=..)", "", n) for n in names] if zh else names
    others = [n for n in dict.fromkeys(names) if bare(n) != bare(memory.value)]
    return others[0] if len(others) == 1 else None
