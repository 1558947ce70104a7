"""What the span reader found, beside what is known and what the rules understood of the message.

Its candidates (`learnt`) may be unsure: below `HELD` they are hints, which count only where they fit a known fact. What the rules understood needs no hint;
a value said of a period that is over is past; one that a known fact holds already says it again; one whose old value the message ends or turns from takes
its place. Pure.
"""

from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.judge.spans.find import alike
from memory.judge.spans.words import tokens, vocabulary, words
from memory.pattern import regex
from memory.record import Memory, Status
from memory.revise.case import slot, slot_of
from memory.revise.cues import says
from memory.revise.forms import bare, fold
from memory.revise.hearing import facts_of, unsure
from memory.revise.retold import retold, shared
from memory.revise.sameness import Same, mentions, same
from memory.revise.schema import attribute

_PLACED: Final = frozenset({"employer", "location", "school"})
_NOWHERE: Final = regex(
    r"(?:还?在)?(?:厂|厂子|公司|单位|店|学校|校|家|院|所|局|部队|组|村|外面|外地|那|这)(?:里|内|上|边|儿)?|(?:老|原来?的?|这个|那个)(?:地方|单位|公司|厂|店|学校)|(?:at )?(?:home|work|there|here|the (?:office|same place|factory|shop|company)|same (?:place|company|job))"
)
"""What names no place or firm: 我还在厂里 says that nothing has changed."""
HELD: Final = 0.5
"""Below this nothing waits for confirmation: a candidate is a hint, or nothing."""
BELIEVED: Final = 0.72
"""How sure a hint is that fits a known fact."""
_ALSO: Final = regex(r"[也还又]|另外|除了|再(?:养|买|加)|\b(?:also|too|as well|another|second|besides|on top)\b")
_OVER: Final = regex(
    r"(?:\d{2,4}|[一二三四五六七八九〇零]{2,4})年?.{0,8}?(?:到|至|[-—~])\s*(?:\d{2,4}|[一二三四五六七八九〇零]{2,4})年?(?!今)|"
    r"\b(?:from|between) [a-z]* ?\d{4} (?:to|until|till|and) [a-z]* ?\d{4}\b|\b(?:until|till) [a-z]* ?(?:19|20)\d\d\b|\b\d{4} ?[-–—] ?\d{4}\b"
)
"""A period that has ended."""
_NAMES_NOTHING: Final = regex(
    r"(?:那|就|还是|最后|最终|结果|后来|我们?|咱们?|又|决定|打算|只好|干脆|算了|现在|[，,\s])*(?:改|换|变|转|推|延|提前(?=[到了至])|挪|调|取消)"
    r"|(?:(?:so|and|but|we|i|now|it|that|they|then|in the end|finally|actually|just|instead|have|had|has|is|was|been|[’']\w+|[, ])\s*)*(?:switched|changed|moved|pushed|going|ended up|mak(?:e|ing)|postponed|bumped|shifted|booked|decided)"
)
"""A change told without a word for what changes: of a user's plans it means one; 开会改去三楼 changes another thing."""
_NOW: Final = regex(r"现在|如今|以后|今后|从今天起|往后|\b(?:now|these days|nowadays|from now on|any ?more)\b")
_ONE_FOR_ANOTHER: Final = frozenset({"location", "employer", "occupation", "school", "name", "age"})
"""Attributes in which a value told as new takes the place of the only known one."""
_AKIN: Final = frozenset({"habit", "instruction", "plan", "contact", "progress", "other", "possession"})
"""Those in which it does so only where both are of one kind, or the message names the old one."""


def learnt(text: str, known: Sequence[Memory], read: Sequence[Candidate], rules: Sequence[Candidate]) -> list[Candidate]:
    """What stays of the candidates that the span reader `read`, beside those of the `rules`. `known` holds what is active and what waits: a change of what
    was told once before confirms both."""
    read = [c for c in read if not (c.attribute in _PLACED and _NOWHERE.fullmatch(fold(c.value)))]
    believed = [c for c in read if not (_understood(c, rules) or _surname(c, known) or says("passing", c.clause) or unsure(fold(c.clause)))]
    left = [_settled(c, text) for c in believed if not any(_rival(o, c) for o in believed)]
    touched = [c.replaces or c.value for c in rules if c.replaces or c.stance is Stance.NEGATE]
    active = [m for m in known if m.status is Status.ACTIVE]
    open_ = [m for m in known if not any(same(m.attribute, v, m.value) in {Same.EQUAL, Same.CLOSE} for v in touched)]
    ended = _ended(left, open_)
    out: list[Candidate] = []
    used: set[str] = set()
    for c in sorted((c for c in left if c.stance is Stance.ASSERT), key=lambda c: -c.confidence):
        memory = _followed(c, text, [m for m in open_ if m.key not in used], ended, left)
        if memory is None:
            out.append(_again(c, active))
            continue
        used.add(memory.key)
        sure = max(c.confidence, BELIEVED)
        old = memory.value if memory.status is Status.ACTIVE else None
        out.append(c.evolve(attribute=memory.attribute, owner=memory.owner, replaces=old, confidence=sure, content=""))
    out += [Candidate(attribute=m.attribute, value=m.value, owner=m.owner, stance=Stance.NEGATE, clause=text) for m in ended if m.key not in used]
    out += [
        c for c in left
        if c.stance is not Stance.ASSERT and not any(mentions(c.value, m.value) or mentions(m.value, c.value) for m in ended)
    ]  # fmt: skip
    return [c for c in out if c.confidence >= HELD or any(m.status is Status.PENDING and _same_fact(c, m) for m in known)]


def _same_fact(c: Candidate, memory: Memory) -> bool:
    return c.attribute == memory.attribute and same(c.attribute, c.value, memory.value) in {Same.EQUAL, Same.CLOSE}


def _rival(one: Candidate, other: Candidate) -> bool:
    """Whether only one of them can be so, and the first is the surer."""
    same_slot = one.attribute == other.attribute and one.owner == other.owner and one.stance is other.stance is Stance.ASSERT
    return same_slot and attribute(one.attribute).single and one.confidence > other.confidence


def _understood(c: Candidate, rules: Sequence[Candidate]) -> bool:
    """Whether the rules made something of the same words: the same value, the one it takes the place of, or a change of the same kind of fact."""
    for r in rules:
        if any(mentions(v, c.value) or mentions(c.value, v) for v in (r.value, r.replaces) if v):
            return True
        if r.attribute == c.attribute and (r.replaces or r.stance is not Stance.ASSERT or r.time) and bare(c.clause) in bare(r.clause):
            return True
    return False


def _surname(c: Candidate, known: Sequence[Memory]) -> bool:
    """Whether the value is no more than how the name that is known begins: 新来的老板也姓欧阳 renames nobody."""
    said = bare(c.value)
    return c.attribute == "name" and any(
        bare(m.value) != said and bare(m.value).startswith(said) for m in facts_of(known, c.owner, frozenset({"name"}))
    )


def _settled(c: Candidate, text: str) -> Candidate:
    """Past, where the clause or the one after it tells a period that is over."""
    plain, clause = fold(text), fold(c.clause)
    at = plain.find(clause)
    near = plain[at : at + len(clause) + 16] if at >= 0 else clause
    over = c.stance is Stance.ASSERT and _OVER.search(near) is not None and not says("change", clause)
    return c.evolve(stance=Stance.PAST) if over else c


def _again(c: Candidate, active: Sequence[Memory]) -> Candidate:
    """The known fact that the clause says again, else the candidate."""
    return retold([c.evolve(loose=True)], active)[0].evolve(loose=False)


def _ended(read: Sequence[Candidate], known: Sequence[Memory]) -> list[Memory]:
    """Known facts that a candidate says are over: named by it, or the only one of its attribute where it names nothing."""
    out: list[Memory] = []
    for c in (c for c in read if c.stance is Stance.NEGATE):
        pool = facts_of(known, c.owner)
        named = [
            m for m in pool if len(bare(m.value)) > 1 and (mentions(c.value, m.value) or (len(bare(c.value)) > 1 and mentions(m.value, c.value)))
        ]
        kind = [m for m in pool if m.attribute == c.attribute]
        if named:
            out += [m for m in named[:1] if m not in out]
        elif len(kind) == 1 and says("over", c.clause) and c.confidence >= HELD and len(bare(c.value)) < 6:
            out += [m for m in kind if m not in out]
    return out


def _followed(c: Candidate, text: str, known: Sequence[Memory], ended: Sequence[Memory], read: Sequence[Candidate]) -> Memory | None:
    """The known fact in whose place the value comes."""
    if any(same(m.attribute, c.value, m.value) is not Same.DIFFERENT for m in facts_of(known, c.owner, frozenset({c.attribute}))):
        return None
    family = attribute(c.attribute).family
    others = [r for r in read if r.stance is Stance.ASSERT and r is not c]
    for m in (m for m in ended if m in known):
        near = m.attribute in family or alike(m.attribute, c.attribute)
        if (near or not others) and not (mentions(c.value, m.value) or mentions(m.value, c.value)):
            return m
    if not (c.turned or says("change", fold(c.clause)) or _NOW.search(fold(c.clause))) or _ALSO.search(fold(text)):
        return None
    pool = [m for m in facts_of(known, c.owner) if m.attribute in family or alike(m.attribute, c.attribute)]
    single = [m for m in pool if m.attribute == c.attribute and c.attribute in _ONE_FOR_ANOTHER]
    if single:
        return single[0] if len(single) == 1 else None
    akin = [
        m for m in pool if m.attribute in _AKIN and c.attribute in _AKIN and (mentions(text, m.value) or _one_kind(c, m) or _one_plan(c, text, m))
    ]
    return akin[0] if len(akin) == 1 else None


def _one_plan(c: Candidate, text: str, memory: Memory) -> bool:
    """Whether the change is of that plan: told without a word for what changes, or in words of the plan's."""
    return c.attribute == memory.attribute == "plan" and (_NAMES_NOTHING.match(fold(c.clause)) is not None or shared(text, memory))


def _one_kind(c: Candidate, memory: Memory) -> bool:
    """Whether the values fill one slot, or hold words of one class."""
    name, _ = slot(c.attribute, c.value, c.content, c.clause)
    if name and memory.attribute == c.attribute and slot_of(memory)[0] == name:
        return True
    known = vocabulary()
    one, other = ({found[1] for w in words(tokens(v), known) if (found := known.of(w.text))} for v in (c.value, memory.value))
    return bool(one & other)
