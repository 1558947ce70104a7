"""Corrections of what was said before: "Correction: I'm 34, not 33", "you've got my surname wrong, it's Thomson"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory.judge.en.values import trim
from memory.judge.judgement import Candidate, Stance
from memory.judge.reader import Context
from memory.pattern import regex
from memory.record import USER

_CUE: Final = regex(
    r"\b(?:corrections?|typo|misspoke|mis-?typed|mis-?read|mis-?remembered|slip of|my mistake|my bad|scratch that|strike that|let me correct|to correct|i was wrong|that was wrong|got (?:that|this|it|\w+|my \w+) wrong|"
    r"(?:is|was|were|got|have|had|spelled|spelt) (?:it |that |my \w+ )?wrong|meant to (?:say|write|type)|i meant (?!the\b|to\b|tomorrow\b|this\b|that\b|it\b|for\b)|should (?:be|have (?:said|been|read|written))|not what i said|mixed (?:it|that|them|those|up)|mixed up|mistaken|i made a mistake|oops|whoops|"
    r"i said .{1,40} but|you (?:said|wrote|have|put) .{1,30} but|clash|confused (?:it|them|the))\b"
)
_WRONG: Final = regex(
    r"\b(?:mistyped|misspelled|misspelt|mixed up|messed up|gave you the wrong|mis-typed) (?P<whose3>my )?(?P<noun3>[a-z -]{2,20}?)(?= *(?:$|,))|\b(?:got|have|had|spelled|spelt|wrote|put|keep getting|are getting|saved|noted|remembered|pronounced|recorded) (?P<whose>my|his|her|their|our|the) (?P<noun>[a-z -]{2,30}?) (?:wrong|incorrectly|down wrong)|\b(?P<whose2>my|his|her|their) (?P<noun2>[a-z -]{2,30}?) (?:is|was|'s) (?:wrong|incorrect|misspelled|misspelt|outdated|out of date|not right)"
)
_IT_IS: Final = regex(
    r"^(?:(?:and|but|no|so|actually|sorry|oh)[ ,]+)*(?:it's|its|it is|it should be|should be|that's|it's actually|the (?:right|correct|new) (?:one|\w+) is|use) (?:actually |really |spelled |spelt |now )*(?P<v>\S.*)"
)
_NOUNS: Final = {
    "name": "name", "surname": "name", "last name": "name", "first name": "name", "family name": "name", "nickname": "name", "age": "age", "birthday": "birthday", "birth date": "birthday", "date of birth": "birthday", "job": "occupation",
    "occupation": "occupation", "profession": "occupation", "job title": "occupation", "title": "occupation", "company": "employer", "employer": "employer", "address": "location", "city": "location", "town": "location", "hometown": "hometown",
    "number": "contact", "phone number": "contact", "email": "contact", "email address": "contact", "e-mail": "contact", "allergy": "allergy", "school": "school", "university": "school", "pronouns": "other", "height": "other",
    "weight": "health", "blood type": "other", "wife's name": "relationship", "husband's name": "relationship", "dog's name": "pet", "cat's name": "pet",
}  # fmt: skip
_CALLED: Final = regex(r"\b(?:calling|call|called|wrote|spelling) (?:me )?([a-z][\w'-]+)(?= *$)")
_TAIL: Final = regex(r"\s+(?:without|with) (?:the|an?|one|two|no) .*\Z|\s*,? (?:not|instead of|rather than) (?P<old>[\w' -]+?)\W*\Z")
_SPELLED: Final = regex(
    r"(?:^|[\s,])(?P<v>[A-Z][a-z]{1,15}(?:-[A-Z][a-z]+)?),? (?:with|without) (?:an?|the|two|one|no) [\"']?[A-Za-z](?:'?s)?[\"']?(?=$|[\s,.!])"
    r"|[Nn]ame(?:'s| is) (?:spelled|spelt|written) (?P<w>[A-Z][a-z]{1,15})\b"
)
_THEIRS: Final = regex(r"\W*(?:(?:and|but|so),? )?(?:my|our|his|her|their|the) (?!(?:\w+ )?(?:sur|nick)?name\b)[\w' -]{2,30} (?:is|are|was) ")
"""How somebody else's name is spelled: my dentist is Marc, with a c."""
_SWAP: Final = regex(
    r"^(?:no,? |nope,? |sorry,? |actually,? |wait,? )*(?:it's|its|it is|i'm|that's|my name is|i said|make that|i meant) (?P<v>[A-Z][\w' -]{1,30}?),? (?:not|and not) (?P<r>[A-Z][\w' -]{1,30}?)\W*\Z"
)


def correction_cue(index: int, ctx: Context, lows: Sequence[str]) -> bool:
    """Whether this clause, one near it, or its "not X" says that something said before was wrong."""
    near = lows[max(0, index - 2) : index + 2]
    return any(_CUE.search(low) for low in near) or bool(
        re.match(r"not\s+\S+", lows[index + 1]) if index + 1 < len(lows) and ctx.clauses[index + 1].sentence == ctx.clauses[index].sentence else False
    )


def corrected(found: list[Candidate], index: int, ctx: Context, lows: Sequence[str]) -> list[Candidate]:
    """The facts as corrections; "…, not 33" in the next clause gives the old value."""
    after = lows[index + 1] if index + 1 < len(lows) and ctx.clauses[index + 1].sentence == ctx.clauses[index].sentence else ""
    m = re.match(r"(?:and )?not (?:an? |the |in |at |on |from )?([\w'@. -]{1,40}?)(?: any ?more| any longer)?\W*\Z", after)
    out = []
    for fact in found:
        old = fact.replaces or (m[1] if m and len(found) == 1 else None)
        real = fact.attribute in {
            "name",
            "age",
            "birthday",
            "location",
            "employer",
            "occupation",
            "contact",
            "hometown",
            "school",
            "plan",
            "event",
            "health",
            "allergy",
            "other",
            "pet",
            "relationship",
            "possession",
            "likes",
            "dislikes",
        }
        cue = any(_CUE.search(low) for low in lows[max(0, index - 2) : index + 2])
        if fact.stance is Stance.ASSERT and real and (cue or (fact.attribute in {"name", "age", "birthday"} and old)):
            fact = replace(fact, stance=Stance.CORRECT, replaces=old)
        elif (
            fact.stance is Stance.ASSERT
            and old
            and (m is None or " any" in after or fact.attribute in {"name", "age", "birthday", "location", "employer", "occupation", "contact"})
        ):
            fact = replace(fact, replaces=old)
        out.append(fact)
    return out


def named_wrong(index: int, ctx: Context, lows: Sequence[str]) -> Candidate | None:
    """ "You've got my surname wrong, it's Thomson without the p": the noun of the clause before says which attribute."""
    clause = ctx.clauses[index]
    text = clause.text
    if m := _SWAP.match(text.strip()):
        return (
            Candidate(attribute="name", value=m["v"].strip(), replaces=m["r"].strip(), stance=Stance.CORRECT, confidence=0.75)
            if not re.search(r"day\b|ary\b", m["v"])
            else None
        )
    if (m := _SPELLED.search(text)) and not _THEIRS.match(lows[index]):
        wrong = any(
            re.search(r"\b(?:wrong|you keep|you put|you wrote|not with|misspell\w*|nope|no)\b", low) for low in lows[max(0, index - 1) : index + 2]
        )
        return Candidate(attribute="name", value=m["v"] or m["w"], stance=Stance.CORRECT if wrong else Stance.ASSERT, confidence=0.86)
    it = _IT_IS.match(lows[index])
    if it is None:
        return None
    for i in range(max(0, index - 2), index + 1):
        if called := _CALLED.search(lows[i]):
            a, b = trim(lows[index], *it.span("v"))
            named = ctx.clauses[i].text[called.start(1) : called.end(1)]
            return (
                Candidate(attribute="name", value=text[a:b], stance=Stance.CORRECT, replaces=named, confidence=0.9)
                if text[a:b][:1].isupper()
                else None
            )
        if (m := _WRONG.search(lows[i])) is None:
            continue
        noun = (m["noun"] or m["noun2"] or m["noun3"]).strip()
        attribute = _NOUNS.get(noun) or _NOUNS.get(noun.split()[-1])
        if attribute is None:
            return None
        a, b = it.span("v")
        old = None
        if tail := _TAIL.search(lows[index], a):
            b = tail.start()
            old = tail["old"]
        a, b = trim(lows[index], a, b)
        whose = m["whose"] or m["whose2"] or "my"
        owner = USER if whose in {"my", "our", "the"} else {"his": "he", "her": "she", "their": "they"}[whose]
        normal: int | None = (
            int(lows[index][a:b]) if attribute == "age" and lows[index][a:b].isascii() and lows[index][a:b].isdigit() and b - a < 4 else None
        )
        return (
            Candidate(attribute=attribute, value=text[a:b], owner=owner, stance=Stance.CORRECT, replaces=old, normal=normal, confidence=0.9)
            if a < b
            else None
        )
    return None
