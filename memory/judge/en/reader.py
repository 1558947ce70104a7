"""The English reader: clauses, their class, their facts. Stateless; what a clause leaves for the next ones travels in `Reading.state`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory.judge.en.answers import answer, own_answer
from memory.judge.en.clauses import joined, split
from memory.judge.en.coming import coming
from memory.judge.en.corrections import corrected, correction_cue, named_wrong
from memory.judge.en.extract import facts_of
from memory.judge.en.fits import fits
from memory.judge.en.foreign import given_back, given_back_text, lettered
from memory.judge.en.frame import ASKS_BACK, Frame, frame, reframed, shared
from memory.judge.en.instruct import instructions, wish
from memory.judge.en.people import known_by_others, met_in_passing, relatives_named, stranger_met
from memory.judge.en.propose import asked_to_keep, loose
from memory.judge.en.scene import Scene, mask_quotes, scene_of, supposed
from memory.judge.en.session import cases, commands_of, session_of
from memory.judge.en.short import short_class
from memory.judge.en.text import lower, plain
from memory.judge.en.times import find
from memory.judge.en.values import trim
from memory.judge.judgement import LONG_CLASSES, Candidate, Command, SessionFact, Stance
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.pattern import regex
from memory.record import USER

_SETTLED: Final = 0.7
_FIRM: Final = 0.96
_PRONOUNS: Final = frozenset({"he", "she", "they", "his", "her", "their"})
_ONCE: Final = regex(
    r"\W*(?:and |but |so )?(?:back )?(?:when|while) (?:i|we) (?:was|were|had|lived|worked|studied|[a-z]{3,}ed)\b|\W*(?:as an? (?:kid|child|teenager|student)|growing up|back in the)\b"
)
"""A stretch of life that is over, told in front of what was so in it."""
_BARE: Final = regex(r"(?:it|them|that|those|these|this)\Z")


class EnReader:
    """English, also with words of other languages in it."""

    language = "en"

    def split(self, sentence: str) -> list[tuple[int, int]]:
        return split(sentence)

    def read(self, index: int, ctx: Context, before: Sequence[Reading]) -> Reading:
        latin, words = lettered(ctx)
        reading = self._read(index, latin, before)
        return replace(reading, facts=given_back(reading.facts, words), why=given_back_text(reading.why, words)) if words else reading

    def _read(self, index: int, ctx: Context, before: Sequence[Reading]) -> Reading:
        lex = ctx.rules.lexicon("en")
        clause = ctx.clauses[index]
        scene, lows = _shared(index, ctx, before, lex)
        low = lows[index]
        if lex.deny and any(p.search(low) for p in lex.deny):
            return Reading(intent="other", confidence=0.99, why=lex.texts["why_denied"], state={"scene": scene, "lows": lows})
        made = frame(clause.text, low, lex, ctx.time, question="?" in clause.mark, shout=scene.shout, people=scene.people)
        made = _carried(index, ctx, made, low, before, lex)
        if _handed_back(index, ctx, lows):
            made = replace(made, kind="question")
        if "past" in made.flags and index and _ONCE.match(lows[index - 1]) and ctx.clauses[index - 1].sentence == clause.sentence:
            made = replace(made, flags=made.flags | {"used"})
        if "explicit" not in made.flags and (_asked_after(index, ctx, lows) or _asked_before(index, ctx, lows)):
            made = replace(made, flags=made.flags | {"explicit"})
        if (inner := _reported(low, made, lex)) is not None:
            asked = "?" in clause.mark and not _TOLD_YOU.match(low)
            made = frame(clause.text[inner:], low[inner:], lex, ctx.time, question=asked, shout=scene.shout, people=scene.people).moved(inner)
        met = stranger_met(low) or _still_met(index, ctx, made, before)
        blocked = _blocked(index, ctx, made, scene, lows, lex) or ("stranger" if met else "")
        state: dict[str, object] = {"scene": scene, "lows": lows, "frame": made, "person": _person(made, before), "stranger": met}
        sentence = " ".join(lows[i] for i, c in enumerate(ctx.clauses) if c.sentence == clause.sentence) if len(lows) < 40 else low
        found: list[Candidate] = []
        if not blocked or blocked == "fiction":
            found = instructions(clause.text, low, made, lex, sentence=sentence[:600])
            if (blocked == "fiction" or ctx.message.startswith(":", clause.end)) and not lex.has("standing", low):
                found = []  # "explain like I'm five: inflation" is for this once
        if not found and not blocked and index and before[-1].facts and before[-1].intent in LONG_CLASSES and made.kind != "question":
            found = wish(clause.text, low, lower(plain(ctx.message[ctx.clauses[index - 1].end : clause.start])), lex)
        if blocked == "professional":
            made = reframed(low, made, lex)
        if not blocked or blocked == "professional":
            found += self._facts(index, ctx, made, scene, lows, before, lex, instructed=bool(found))
            if blocked == "professional":
                blocked = ""
        if any(f.attribute == "name" for f in found):
            found = [f for f in found if f.attribute != "instruction" or not re.match(r"(?:call|address|refer to) me\b", f.value.lower())]
        answered = False
        if not found and not blocked and index == 0 and ctx.history:
            found = answer(ctx)
            answered = bool(found)
        if not found and not blocked:
            found = own_answer(index, ctx, lows)
        if not found and not blocked:
            found = cases(index, ctx, lows, lex)
        if not blocked and all(f.attribute == "other" for f in found):
            found = coming(clause.text, low, made, ctx.time) or found
        if not found and "explicit" in made.flags and not blocked and made.kind != "question" and "?" not in clause.mark:
            found = asked_to_keep(clause.text, low, made)
        if not found and lex.allow and any(p.search(low) for p in lex.allow):
            found = [Candidate(attribute="other", value=clause.text.strip(), confidence=0.99)]
        explicit = "explicit" in made.flags
        if found and not blocked:
            found += relatives_named(clause.text, found)
        if found:
            numbers = {f.value for f in found if f.attribute == "contact"}
            found = [f for f in found if f.attribute != "other" or f.value not in numbers]
            found = [replace(f, explicit=f.explicit or explicit) for f in found]
            best = max(found, key=lambda f: f.confidence)
            intent = _intent(best, found, ctx, explicit)
            state["facts"] = tuple(found)
            return Reading(
                intent=intent, confidence=max(best.confidence, _FIRM if answered else 0.0), why=_why(lex, intent, best), explicit=explicit, facts=tuple(found), state=state,
                open=best.confidence < _SETTLED,
            )  # fmt: skip
        if blocked:
            intent, confidence = _BLOCKED[blocked]
            pasted = blocked == "quoted" and len(clause.text) < len(ctx.message.strip(" \"'“”"))
            if pasted or lex.has("play", scene.low[:300]) or lex.has("unsaid", low) or (blocked == "sarcasm" and lex.has("sarcasm", low)):
                confidence = _FIRM
            if intent != "question":
                guess = short_class(low, clause.mark, made, lex)
                intent = guess[0] if guess[0] in {"greeting", "question", "task"} else intent
            return Reading(intent=intent, confidence=confidence, why=lex.texts[f"why_{blocked}"], void=True, state=state)
        intent, confidence, why = short_class(low, clause.mark, made, lex)
        return Reading(intent=intent, confidence=confidence, why=lex.texts.get(why, why), state=state, open=confidence < _SETTLED)

    def _facts(
        self, index: int, ctx: Context, made: Frame, scene: Scene, lows: Sequence[str], before: Sequence[Reading], lex: Lexicon, *, instructed: bool
    ) -> list[Candidate]:
        clause, low = ctx.clauses[index], lows[index]
        wrong = named_wrong(index, ctx, lows)
        if wrong is not None:
            return [wrong]
        if made.kind == "question" or ("asked" in made.flags and not made.flags & {"explicit"}):
            return []
        pairs = facts_of(clause.text, low, made, lex, ctx.time, shout=scene.shout)
        found = [c for c, _ in pairs if not (instructed and c.attribute not in {"contact", "name", "allergy", "health", "age"})]
        coming = [w.iso for w in find(low, ctx.time) if w.kind == "date" and w.sign > 0 and w.iso]
        if coming:
            found = [_to_come(f, clause.text, low, made, max(coming, key=len)) for f in found]
        out: list[Candidate] = []
        person = _person(made, before) or _spoken_of(made, ctx, index)
        for fact in found:
            if fact.owner in _PRONOUNS and fact.attribute == "name" and (pet := _named_pet(fact, ctx, index, before)) is not None:
                out.append(pet)
                continue
            if fact.owner in _PRONOUNS:
                if person and person not in _PRONOUNS:
                    fact = replace(fact, owner=person)
                elif fact.owner in {"they", "their"}:
                    continue
            if _BARE.match(fact.value.lower()) and fact.stance is not Stance.NEGATE:
                pointed = _pointed(before, low)
                if pointed is None:
                    continue
                fact = replace(fact, value=pointed)
            if any(f.attribute == fact.attribute and f.value.lower() == fact.value.lower() for r in before[-3:] for f in r.facts):
                continue
            out.append(fact)
        return corrected(out, index, ctx, lows) if correction_cue(index, ctx, lows) else out

    def propose(self, index: int, ctx: Context, intent: str) -> tuple[Candidate, ...]:
        return loose(index, ctx, intent)

    def holds(self, attribute: str, value: str, ctx: Context) -> bool:
        return fits(attribute, value)

    def session(self, ctx: Context, readings: Sequence[Reading]) -> tuple[SessionFact, ...]:
        return session_of(ctx, readings)

    def commands(self, ctx: Context) -> tuple[Command, ...]:
        return commands_of(ctx)


_BLOCKED: Final = {
    "command": ("task", 0.95), "fiction": ("chitchat", 0.88), "quoted": ("chitchat", 0.88), "sarcasm": ("chitchat", 0.85), "hypothetical": ("chitchat", 0.88),
    "once": ("task", 0.9), "self_question": ("question", 0.95), "stranger": ("chitchat", 0.95),
}  # fmt: skip


_VISITS: Final = regex(
    r"(?:visiting|coming (?:over|to|round|up|down|for|back)|staying|flying in|arriving|landing|over for)\b(?! (?:the|a|an|his|her|their)\b)|coming$"
)


def _to_come(fact: Candidate, text: str, low: str, made: Frame, when: str) -> Candidate:
    """A job or school that begins on a coming date is a plan, whatever verb tells it ("next month I start at Verran Glass")."""
    if fact.stance is not Stance.ASSERT or made.kind not in {"first", "person"}:
        return fact
    if fact.attribute in {"plan", "event"} and fact.time is None and len(when) == 10 and "past" not in made.flags:
        fact = replace(fact, time=when)
    if fact.attribute == "plan" and made.kind == "person" and fact.owner != USER and _VISITS.match(fact.value.lower()):
        return replace(fact, owner=USER, value=f"{made.subject} {fact.value}".removeprefix("my "), time=fact.time or when)  # whom one has to stay
    if fact.attribute == "habit" and len(when) == 10 and "freq" not in made.flags and all(w.kind != "recurring" for w in find(low, None)):
        return replace(fact, attribute="plan", time=when, temporary=False)  # "a week from today I pick up the puppy"
    if fact.attribute not in {"employer", "occupation", "school"}:
        return fact
    if not re.match(r"(?:start|starts|starting|join|joins|joining|begin|beginning|move|moving|switch|switching)\b", low[made.at :]):
        return fact
    ends = [w.start for w in find(low, None) if w.start > made.at]
    a, b = trim(low, made.at, min(ends, default=len(low)))
    return replace(fact, attribute="plan", value=text[a:b], time=when, valid_from=None)


def _shared(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> tuple[Scene, list[str]]:
    """What is worked out once per message and handed on from clause to clause."""
    for reading in before[-1:]:
        scene, lows = reading.state.get("scene"), reading.state.get("lows")
        if isinstance(scene, Scene) and isinstance(lows, list):
            return scene, lows
    lows = [lower(plain(c.text)) for c in ctx.clauses]
    mask_quotes(lows, ctx)
    return scene_of(ctx, lex), lows


_KEEP_IT: Final = regex(
    r"\W*(?:and |so |but )?(?:please |pls |do |can you |could you )?(?:remember (?:that|this|it)|don't forget(?: (?:that|this|it))?|keep (?:that|this|it) in mind|note (?:that|this|it)(?: down)?|make a note(?: of (?:that|it|this))?|"
    r"write (?:that|this|it) down|save (?:that|this|it)|remember(?:,? please|,? ok(?:ay)?)?)(?: please| for me| for later| for next time| ok| okay)?\W*\Z"
)


def _asked_after(index: int, ctx: Context, lows: Sequence[str]) -> bool:
    """Whether the next clause says "remember that"."""
    return (
        index + 1 < len(lows)
        and ctx.clauses[index + 1].sentence - ctx.clauses[index].sentence <= 1
        and "?" not in ctx.clauses[index + 1].mark
        and _KEEP_IT.match(lows[index + 1]) is not None
    )


_NOTE: Final = regex(
    r"\W*(?:please |pls |ok |and |so |can you |could you )*(?:make a note|take a note|note|note to self|for the record|for your (?:records|notes|memory)|remember|write|jot|keep in mind|"
    r"for future reference|one to remember|something to remember)(?P<this> (?:this|the following|of this))?(?: down| for me| please| for later)*\W*\Z"
)


def _handed_back(index: int, ctx: Context, lows: Sequence[str]) -> bool:
    """Whether the next clause of the sentence only asks this one back ("I live in Leeds, don't I")."""
    return (
        index + 1 < len(lows)
        and ctx.clauses[index + 1].sentence == ctx.clauses[index].sentence
        and len(lows[index + 1]) < 16
        and ASKS_BACK.match(lows[index + 1]) is not None
    )


def _asked_before(index: int, ctx: Context, lows: Sequence[str]) -> bool:
    """Whether the clause before is "make a note:" of the same sentence, or "remember this." """
    note = _NOTE.match(lows[index - 1]) if index > 0 else None
    if note is None or ("?" in ctx.clauses[index - 1].mark and not lows[index - 1].startswith(("can", "could"))):
        return False
    return note["this"] is not None or ctx.clauses[index - 1].sentence == ctx.clauses[index].sentence


def _carried(index: int, ctx: Context, made: Frame, low: str, before: Sequence[Reading], lex: Lexicon) -> Frame:
    """ "… and love surfing", "…, work at Acme": the subject of the clause before, in the same sentence, does this too."""
    if made.kind not in {"fragment", "order", "thing"} or not before or ctx.clauses[index - 1].sentence != ctx.clauses[index].sentence:
        return made
    last = before[-1].state.get("frame")
    if (
        re.match(r"an? [a-z]|\d{1,2}\Z", low[made.start :])
        and isinstance(last, Frame)
        and any(f.attribute in {"name", "age"} and f.owner == USER for f in before[-1].facts)
    ):
        return Frame("first", "user", made.start, made.start, frozenset({"be"}), "i")  # "I'm Mira, 34, a dentist from Pune"
    if made.kind == "thing" or not joined(low):
        return made
    if not isinstance(last, Frame) or last.kind not in {"first", "person"} or "poss" in last.flags:
        return made
    return shared(low, last, made, lex)


_SOMEBODY: Final = regex(
    r"(?:my|the|our|an?|his|her) (?:[\w-]+ )?(?P<who>[\w.-]+)(?: \w+)? (?=(?:just |also |finally )?(?:says?|said|told|confirmed|thinks|reckons|found|diagnosed|warned|informed)\b)"
)


_TOLD_YOU: Final = regex(
    r"\W*(?:(?:have|haven't) i (?:already |not )?(?:told|mentioned)|did(?:n't)? i mention|i (?:think|believe) i(?:'ve| have)? (?:told|mentioned))(?: (?:to )?you)?"
    r"(?: before| already| yet)?(?: that)? (?=i\b|my |we\b)"
)


def _reported(low: str, made: Frame, lex: Lexicon) -> int | None:
    """Where what the user says of himself begins after words about saying it: "my doctor says I'm prediabetic", "have I told you I'm deaf in one ear?"."""
    if told := _TOLD_YOU.match(low):
        return told.end()
    if (who := _SOMEBODY.match(low, made.start)) and lex.has("professional", who[0]) and (m := lex.find("reported", low[who.end() :])):
        return who.end() + m.end()
    return None


def _blocked(index: int, ctx: Context, made: Frame, scene: Scene, lows: Sequence[str], lex: Lexicon) -> str:
    """Why no fact may come from this clause; "professional" where a doctor's quoted words are about the user; empty when nothing forbids it."""
    clause, low = ctx.clauses[index], lows[index]
    if (lex.has("command_forget", low) or lex.has("command_skip", low)) and not lex.has("command_not", low):
        return "command"
    if clause.quoted:
        lead = scene.low[max(0, clause.start - 60) : clause.start]
        return "professional" if lex.has("professional", lead) and re.search(r"\b(?:my|the|our)\b", lead) else "quoted"
    if made.kind == "person" and "poss" not in made.flags and known_by_others(made.owner):
        return "stranger"
    if met_in_passing(low, made.start) or lex.has("of_you", low):
        return "stranger"
    if scene.fiction or lex.has("play", scene.low[:300]):
        return "fiction"
    if supposed(index, ctx.clauses, lex, lows):
        return "hypothetical"
    if scene.sarcasm and (lex.has("sarcasm", low) or len(ctx.clauses) <= 3):
        return "sarcasm"
    if lex.has("unsaid", low):
        return "hypothetical"
    if lex.has("no_fact", low) and made.kind != "person" and not _TOLD_YOU.match(low):
        return "self_question" if re.search(r"\b(?:did|have|do) (?:i|you)\b", low) else "hypothetical"
    if lex.has("once", low) and not re.search(r"\b(?:always|never|from now on)\b", low):
        return "once"
    return ""


def _still_met(index: int, ctx: Context, made: Frame, before: Sequence[Reading]) -> bool:
    """Whether the clause goes on about the stranger of the clause before: by a pronoun, or without a subject in the same sentence."""
    if not index or not before[-1].state.get("stranger"):
        return False
    same = ctx.clauses[index - 1].sentence == ctx.clauses[index].sentence
    return (made.kind == "person" and made.owner in _PRONOUNS) or (made.kind == "fragment" and same)


_ONE: Final = regex(
    r"\b(mom|mum|dad|wife|husband|son|daughter|brother|sister|boyfriend|girlfriend|friend|partner|aunt|uncle|cousin|niece|nephew|boss|grandma|grandpa|grandson|granddaughter|roommate|flatmate|fiancée?)\b"
)
_MANY: Final = regex(
    r"\b(twins|triplets|kids|children|sons|daughters|boys|girls|brothers|sisters|parents|grandparents|grandchildren|grandkids|in-laws)\b"
)


_HE: Final = "dad|daddy|father|husband|hubby|son|brother|boyfriend|uncle|nephew|grandpa|grandad|granddad|grandfather|grandson|stepdad|stepson"
_SHE: Final = "mom|mum|mummy|mother|wife|daughter|sister|girlfriend|aunt|auntie|niece|grandma|granny|nan|grandmother|granddaughter|stepmum|stepmom"
_EITHER: Final = (
    "friend|partner|cousin|boss|manager|flatmate|roommate|housemate|neighbou?r|landlord|landlady|teacher|tutor|colleague|coworker|fianc[eé]e?"
)
_SPOKEN_OF: Final = {
    word: regex(
        rf"\b(?:my|our) (?:(?:older|younger|little|big|best|new|old|late) )?(?P<who>{ties}|{_EITHER})\b(?!['’]s (?!birthday|house|place|address|phone|number|flight|party|present|gift|card|surgery|operation|anniversary|funeral|retirement))"
    )
    for word, ties in (("he", _HE), ("she", _SHE), ("they", f"{_HE}|{_SHE}"))
}
"""Whom a clause speaks of beside its subject: a parcel for my dad, my dad's birthday."""


def _spoken_of(made: Frame, ctx: Context, index: int) -> str:
    """The one relative whom a pronoun of this clause can mean, of those that the message, or else the one before it, speaks of; empty where it is not one."""
    earlier = [said.text for said in ctx.history if said.role == "user"][-1:]
    for text in (ctx.message[: ctx.clauses[index].start], *earlier):
        found = {m["who"] for m in _SPOKEN_OF[made.owner].finditer(lower(text[-400:]))} if made.owner in _SPOKEN_OF else set[str]()
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""


def _person(made: Frame, before: Sequence[Reading]) -> str:
    """The person a pronoun of this clause would mean: the one last named in the message; empty when only strangers were."""
    for reading in reversed(before[-6:]):
        seen = reading.state.get("frame")
        if isinstance(seen, Frame):
            if seen.kind == "person" and seen.owner not in _PRONOUNS:
                return seen.owner
            for fact in reading.facts:
                if fact.owner not in {USER, *_PRONOUNS}:
                    return fact.owner
                if fact.attribute == "relationship" and fact.owner == USER:
                    tie = (_MANY if made.owner in {"they", "their"} else _ONE).search(fact.value.lower())
                    if tie:
                        return tie[1]
    return ""


def _named_pet(fact: Candidate, ctx: Context, index: int, before: Sequence[Reading]) -> Candidate | None:
    """ "I have a dog, his name is Rex": the animal of the clause before with its name."""
    told = next((f for r in reversed(before[-2:]) for f in reversed(r.facts)), None)
    if told is None or told.attribute != "pet":
        return None
    start = ctx.message.find(told.value)
    end = ctx.message.find(fact.value, ctx.clauses[index].start)
    if not 0 <= start < end or end - start >= 80:
        return None
    whole = ctx.message[start : end + len(fact.value)]
    value = f"{told.value} called {fact.value}" if re.search(r"\b(?:now|yesterday|today|last \w+|recently)\b", whole.lower()) else whole
    return replace(told, value=value, clause=whole)


def _pointed(before: Sequence[Reading], low: str) -> str | None:
    """What "it" or "them" means in "skip horror, I can't stand it": the last value, or the object of the clause before."""
    for reading in reversed(before[-2:]):
        for fact in reversed(reading.facts):
            if fact.attribute in {"likes", "dislikes", "habit", "possession", "instruction"} and fact.attribute != "instruction":
                return fact.value
        seen = reading.state.get("frame")
        lows = reading.state.get("lows")
        if isinstance(seen, Frame) and isinstance(lows, list):
            index = len(before) - 1
            text = lows[index]
            m = re.search(
                r"\b(?:skip|avoid|no|not|don't (?:suggest|recommend|give me|bring)|leave out|without|about|eat|drink|watch|offered me|tried|cook|serve[sd]?|wear|hear|had|made|makes|having|gave me|of) (?:any |the |some |me |my )?([a-z][a-z -]{2,30}?)(?: (?:films|movies|for|at|in|again|every|when|please|to)\b|$|[,.])",
                text,
            )
            if m:
                return m[1]
    return None


def _intent(best: Candidate, found: Sequence[Candidate], ctx: Context, explicit: bool) -> str:
    if any(f.stance is Stance.CORRECT for f in found):
        return "correction"
    if best.attribute == "event" and "complaint" in best.tags:
        return "complaint"
    if best.attribute == "event" and "return" in best.tags:
        return "return"
    if explicit and best.attribute == "other":
        return "instruction"
    if best.owner != USER:
        return "relationship"
    return ctx.rules.class_of(best.attribute)


def _why(lex: Lexicon, intent: str, fact: Candidate) -> str:
    owner = "user" if fact.owner == USER else fact.owner
    denied = {Stance.NEGATE: " (no longer or not so)", Stance.PAST: " (in the past)", Stance.CORRECT: " (corrected)"}.get(fact.stance, "")
    return f"{lex.texts.get(f'why_{intent}', intent)}: {owner} {fact.attribute} = {fact.value}{denied}"
