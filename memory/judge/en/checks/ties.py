"""Tests on the user's people and animals."""

import re
from typing import Final

from memory.judge.en.checks.identity import name
from memory.judge.en.checks.places import known
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import find
from memory.judge.en.values import cut, trim
from memory.pattern import regex

_CLAUSE_END: Final = regex(
    r"\s*(?:[.!?;—(]|, (?:so|but|because|and i|i\b|which|it|can|what|do|any)|\b(?:because|cos|but|although|so (?:i|we|please|any|what|can)|do you|can you|what|any ideas)\b)"
)


_ONE_NAMED: Final = r"(?:baby |little )?[A-ZÀ-Þ][\w'’-]+(?: ?\((?P<a%d>\d{1,2})[^()]{0,12}\)|,? (?:is |aged? |who(?:'s| is) )?(?P<b%d>\d{1,2})(?=\s*(?:,|and\b|&|$|[.!]))(?: years? old)?)?"
_NAMES: Final = regex(
    r"\s*(?:,|:|—|\(| are| is| called| named|,? (?:who are |they're |they are )?(?:called|named))?\s*(?:called |named )?(?P<all>"
    + r"(?:\s*,\s*(?:and )?|\s+(?:and|&)\s+)".join(f"(?P<n{i}>{_ONE_NAMED % (i, i)})" for i in range(2))
    + "".join(r"(?:(?:\s*,\s*(?:and )?|\s+(?:and|&)\s+)" + f"(?P<n{i}>{_ONE_NAMED % (i, i)}))?" for i in range(2, 6))
    + r")(?![\w'’])"
)
"""Two to six names after the word for them, each perhaps with an age: "Ella (7) and Max (4)"."""
_EACH: Final = {
    "kids": "kid",
    "children": "child",
    "wives": "wife",
    "mice": "mouse",
    "puppies": "puppy",
    "ponies": "pony",
    "canaries": "canary",
    "bunnies": "bunny",
}


def named_list(h: Hit, at: int) -> re.Match[str] | None:
    """The names told one after the other right after `at`."""
    several = re.search(r"(?:[^s]s|children|mice|sheep|fish)\Z", h.low[:at]) is not None
    m = _NAMES.match(h.text, at) if several and not h.shout else None
    lone = {"I", "And", "But", "We", "My", "The", "They", "She", "He"}
    return None if m is None or any(m[f"n{i}"] and m[f"n{i}"].split()[0].strip(",") in lone for i in range(6)) else m


def ages(h: Hit, names: re.Match[str], kind: str) -> list[Value]:
    """The age of each of the named, as a fact of theirs."""
    one = _EACH.get(kind, kind.removesuffix("s"))
    out = []
    for i in range(6):
        for group in (f"a{i}", f"b{i}"):
            if names[group]:
                if group[0] == "b" and not all(names[f"a{n}"] or names[f"b{n}"] for n in range(6) if names[f"n{n}"]):
                    continue  # "Sam and Nell, aged 5": whose age it is, is not told
                name = re.split(r"[ ,(]", names[f"n{i}"])[0]
                out.append(Value(*names.span(group), attribute="age", owner=f"{one} {name}", normal=int(names[group])))
    return out


def each_named(h: Hit, names: re.Match[str], kind: str) -> list[Value]:
    """Animals told together, each under its own name, so that one of them can be lost: "two cats, Pip and Moss"."""
    one = _EACH.get(kind, kind.removesuffix("s"))
    return [
        Value(*names.span(f"n{i}"), attribute="pet", owner="user", text=f"{one} called {re.split('[ ,(]', names[f'n{i}'])[0]}")
        for i in range(6)
        if names[f"n{i}"]
    ]


def named_ones(h: Hit) -> list[Value]:
    """ "My two kids, Ella (7) and Max (4), …", "our cats are called Pip and Moss": how many, who they are and how old; without names only a count."""
    if h.frame.kind == "question":
        return []
    a, _ = h.m.span("v")
    k = h.m["k"]
    kind = "pet" if h.has("pets", k) else None
    names = named_list(h, h.m.end("k"))
    if names is None:
        counted = h.m["c"] and (kind or re.search(r"\b(?:kids|children|sons|daughters|boys|girls|twins|brothers|sisters)\Z", k))
        return [Value(a, h.m.end("k"), attribute=kind, owner="user")] if counted else []
    if kind:
        return each_named(h, names, k)
    text = f"{h.text[a : h.m.end('k')]}, {names['all']}"
    return [Value(a, names.end("all"), attribute=kind, owner="user", text=text), *ages(h, names, k)]


def whole(h: Hit, a: int) -> tuple[int, int]:
    """From `a` to the end of the statement, times kept inside."""
    m = _CLAUSE_END.search(h.low, a + 1)
    return a, trim(h.low, a, m.start() if m else len(h.low))[1]


_BORN: Final = regex(
    r"(?P<more> (?:boy|girl))?(?:,| called| named|,? and (?:they )?(?:called|named) (?:him|her|it))? (?P<n>[A-ZÀ-Þ][\w'’-]+)(?=\s*(?:$|[.,!]|(?:last|this|on|yesterday|today|in|at)\b))"
)


def has_relation(h: Hit) -> list[Value]:
    """ "I have two kids", "I've got a sister called Ann": ties and how many."""
    a = h.group()[0]
    low = h.low
    verb = low[h.frame.at : a].strip()
    if h.frame.kind == "fragment" and not re.match(r"(?:have|got|only have)\b", low[h.frame.start :]):
        return []
    if (
        h.frame.kind != "fragment"
        and not h.frame.flags & {"have"}
        and not re.match(r"(?:got|have|has|had|raise|raising|adopted|foster|expecting|blessed)", verb)
    ):
        return []
    k = h.m["k"]
    plain = re.search(r"\b(?:have|has|had|and|with|of|his|her|their|my|our)\b", low[a : h.m.start("k")]) is None
    if plain and (names := named_list(h, h.m.end("k"))):
        return [Value(trim(low, a, h.m.end("k"))[0], names.end("all")), *ages(h, names, k)]
    if (
        h.frame.kind == "person"
        and (named := _BORN.match(h.text, h.m.end("k")))
        and k in {"baby", "boy", "girl", "baby boy", "baby girl", "son", "daughter"}
    ):
        who, child = h.frame.owner, h.text[a : h.m.end("k")].removeprefix("a ") + (named["more"] or "")
        return [Value(*named.span("n"), owner="user", content=f"{who}'s {child}: {named['n']}")]
    before = low[a : h.m.start("k")]
    if re.search(r"\b(?:have|has|had|her|his|their)\b", before):
        return []
    if re.search(r"\b(?:to|for|with|about|from|of|my|your|and|at|in|on|the|been|seen|met|called|asked|told)\b", before) and not re.match(
        r"(?:the|a|an|lots of|a couple of|only|some|been|several|many) ?(?:\w+ )?\Z", before
    ):
        return []
    if (
        re.match(
            r"(?:doctor|dentist|teacher|therapist|gp|date|trainer|lawyer|accountant|cleaner|family|mate|baby|friend|friends|coach|tutor|neighbou?rs?|boss|manager|instructor|landlord)\Z",
            k,
        )
        and not re.search(r"\b(?:who|called|named|new|great|strict|best|large|big|small|good|close|few|two|three|of \w+)\b", low[a:])
    ) and (not (k in {"boss", "family", "baby"} and not re.search(r"meeting|emergency|dinner|issue|trip|plan", low))):
        return []
    if re.match(
        r" (?:question|problem|issue|meeting|dinner|trip|emergency|issues|appointment|visiting|coming|over|to (?:pick|visit|see|feed)|stuff|party|wedding|photo)",
        low[h.m.end("k") :],
    ):
        return []
    _, y = whole(h, a)
    y2 = cut(low, a, h.now)[1]
    m = re.compile(r",? who(?:'s| is| are| was| lives| works| has| loves| likes)?\b.*").search(low, a)
    y = min(max(y2, m.start()), y) if m and "called" not in low[a : m.start()] else y if y - a < 70 else y2
    x, y = trim(low, a, y)
    x = a if low[a:x].strip() in {"a", "an", "no"} and low[a:].startswith("no") else x
    return [Value(x, y, times=[])]


def marital(h: Hit) -> list[Value]:
    a, b = h.group()
    low = h.low
    word = low[a:b]
    if h.frame.kind == "fragment" and not re.match(
        r"(?:recently |happily |newly |now |just )?(?:married|divorced|engaged|widowed|separated|single|in a)\b", low[h.frame.start :]
    ):
        return []
    if (
        re.match(r"(?:single|engaged|separated)\Z", word)
        and re.match(r" (?:room|bed|ticket|line|malt|use|in|with|out|from|player|parent|mom|mum|dad|file)", low[b:])
        and not re.match(r" (?:mom|mum|dad|parent)", low[b:])
    ):
        return []
    if "future" in h.frame.flags or (
        re.search(r"\b(?:getting|get)\s*\Z", low[:a].rstrip() + " ") and re.search(r"\b(?:will|going to|want to|plan|hope|getting)\b", low[:a])
    ):
        return []
    _x, y, times = cut(low, a, h.now, past=True)
    y = max(y, a + len(word.split(" to ")[0])) if y < b else min(y, b)
    return [Value(a, trim(low, a, y)[1], times=times)]


def parent(h: Hit) -> list[Value]:
    """ "I'm a mum of two", "single dad here"; a bare "Mom" calls somebody."""
    a, b = h.group()
    a, b = trim(h.low, a, b)
    if h.frame.kind == "fragment" and not re.match(
        r"(?:an? )?(?:single|proud|new|working|busy|foster|first|solo|stay)|.* (?:of|to) (?:\w+ )?(?:two|three|four|five|six|one|twins|\d|boys|girls|kids|children)",
        h.low[a:b],
    ):
        return []
    pets = any(w in h.lex.sets["pets"] for w in h.low[a:b].split())
    return [Value(a, b, attribute="pet" if pets else None)] if a < b else []


def relation_name(h: Hit) -> list[Value]:
    """ "My daughter's name is Tilda" is a tie of the user's: value Tilda, content with the relation."""
    out = name(h)
    for v in out:
        if h.frame.owner in {"he", "she", "they"}:
            v.attribute = "name"  # of the person or animal last named
        else:
            v.owner = "user"
            v.content = f"{h.frame.owner}: {h.text[v.start : v.end]}"
    return out


def relation_is_name(h: Hit) -> list[Value]:
    """ "My dentist is Dr Allan", "my boss is now Ana": a capitalised name that is no place, job or nationality."""
    a, _b = h.group()
    titled = re.match(r"(?:dr|mr|mrs|ms|miss|prof|professor)\b", h.low[a:])
    if h.shout or h.frame.owner in {"he", "she", "they"}:
        return []
    m = re.compile(r"(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor)\.? [A-Z][\w'-]+(?: [A-Z][\w'-]+)?|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?").match(h.text, a)
    if m is None:
        return []
    word = m[0].lower()
    if not titled and (
        known(h, a, m.end())
        or any(h.has(s, word) for s in ("demonyms", "languages", "traits", "diets", "occupations", "tools"))
        or not re.match(
            r"\s*(?:$|[,.!(]|with (?:an?|one|two|no|the) |(?:now|these days|nowadays|from (?:now on|this|next)|as of|at)\b)", h.low[m.end() :]
        )
    ):
        return []
    return [Value(a, m.end(), owner="user", content=f"{h.frame.owner}: {m[0]}")]


def partner(h: Hit) -> list[Value]:
    """ "Rafael and I have been together since 2015": a capitalised name."""
    a, b = h.group()
    if h.shout or not h.capital(a) or known(h, a, b):
        return []
    return [Value(a, b, owner="user", content=h.text.strip())]


def is_my_relation(h: Hit) -> list[Value]:
    n = h.m["n"]
    first = n.split()[0]
    if h.has("not_ties", first) or not ((h.capital(h.m.start("n")) and not h.shout) or first in h.lex.sets["given_names"]):
        return []
    a, b = h.m.start(), h.m.end()
    return [Value(h.m.start("n"), b, owner="user", content=h.text[a:b])]


def person_span(h: Hit) -> list[Value]:
    """How somebody of the user's stands to the user; only for people named by their tie."""
    if h.frame.owner in {"he", "she", "they"} or "poss" in h.frame.flags:
        return []
    if re.search(
        r"\b(?:today|just now|right now|tonight|tomorrow|this (?:morning|evening|afternoon)|yesterday|last night|will|said|says|asked|told)\b", h.low
    ):
        return []
    return [Value(h.frame.start, whole(h, h.frame.at)[1], owner="user")]


def pet(h: Hit) -> list[Value]:
    """An animal that is kept: number, kind and name; "a dog bit me" and "I want a dog" are not."""
    a = h.group()[0]
    low = h.low
    verb = low[h.frame.at : a].strip()
    k = h.m["k"]
    if h.frame.kind == "person" or "asked" in h.frame.flags or re.search(r"\bfor a living\b", low):
        return []
    if h.frame.kind == "fragment":
        if not re.match(r"(?:just )?(?:have|own|got|adopted|rescued|bought|two|three|four|one|five|proud owner)\b", low[h.frame.start :]):
            return []
    elif not h.frame.flags & {"have"} and not re.match(
        r"(?:only |just |recently |finally )*(?:own|keep|breed|raise|raising|got|get|adopted|rescued|bought|have|has|had|foster|brought|looking)",
        verb,
    ):
        return []
    if verb in {"get", "got", "had", "looking after", "bring"} and re.search(
        r"\b(?:food|hot dog|attacked|allergy|for dinner|fish and chips|sandwich)\b", low
    ):
        return []
    before = low[a : h.m.start("k")]
    if (
        re.search(
            r"\b(?:to|for|with|about|from|like|at|on|than|your|his|her|their|been|seen|see|walk|feed|hate|love|grilled|fried|roast|smoked|raw)\b",
            before,
        )
        or (
            before.strip() in {"the", ""}
            and k in {"fish", "chicken", "duck", "lab", "pig", "bird", "rat", "python", "pool", "sheep", "mouse", "shepherd"}
        )
        or (k == "python" and not re.search(r"\ba\b|snake|pet", low))
    ):
        return []
    if (
        k in {"mouse", "lab", "chicken", "fish", "duck", "python", "bird", "rats"}
        and not re.search(r"\b(?:pet|two|three|four|five|six|some|named|called|keep|own|coop|tank|aquarium|a)\b", low[a:])
    ) or re.match(
        r" (?:sandwich|salad|soup|curry|wings|nuggets|food|tank|report|results?|show|park|walker|shelter|allergy|hair|person|people|lover|video|for (?:lunch|dinner))",
        low[h.m.end("k") :],
    ):
        return []
    if re.search(r"\b(?:want|wish|would|thinking|maybe|should|never had|might)\b", low[h.frame.start : a]):
        return []
    if k.endswith("s") and (names := named_list(h, h.m.end("k"))):
        return each_named(h, names, k)
    y = whole(h, a)[1]
    if m := re.compile(
        r",? (?:who|which|that|and (?:i|he|she|they|it|we)|and a [a-z]+ (?:who|that)|both|they|at home|living|in my|since|because|for \w+ years|from the shelter|from a shelter|to keep|as (?:a )?pets?)\b"
    ).search(low, a, y):
        y = m.start()
    x, y = trim(low, a, y)
    if m := re.match(r"(?:also|both|another|only|just|the|got)\s+", low[x:y]):
        x += m.end()
    if y - x > 70:
        y = h.m.end("k")
    times = find(low, h.now, past=True)
    return [Value(x, y, times=times)]


def pet_described(h: Hit) -> list[Value]:
    """ "My cat is named Miso", "our old beagle hates rain": about an animal of the user's."""
    a, b = h.group()
    low = h.low
    if (low[h.m.start() : a].startswith("the ") and not re.search(r"\b(?:called|named|name is)\b", low[a:])) or h.frame.kind == "question":
        return []
    lead = low[h.frame.start : h.m.start()]
    m = re.compile(r"([\w -]*?\b(?:" + "|".join(sorted(h.lex.words["pets"], key=len, reverse=True)) + r")(?:'s)?)\b").match(low, a)
    end = m.end() if m else b
    tail = low[end:].strip()
    today = re.search(
        r"\b(?:today|tonight|tomorrow|right now|just now|this morning|yesterday|last night|vet appointment|at the vet|for a walk|asleep|keeps? barking|is barking|is sleeping|just|has broken|have broken|broke|ate my|won't stop|knocked|jumped)\b",
        low,
    )
    if re.match(r"(?:and i|to the|for a|food|out|in for|on the|walker|sitter|park)\b", tail) or (
        lead.strip() and not re.search(r"\b(?:called|named)\b", low)
    ):
        if re.search(r"\b(?:to|for|with|about|from|at|on|love|walk|feed|take|took|walking|of|by|and)\s*\Z", lead + " "):
            named = re.match(r" (?:called |named )?([A-Z][a-z]+)", h.text[end:])
            return [Value(a, end + named.end())] if named and "'s" not in low[a:end] else []
        return []
    if today:
        named = re.match(r" ?,? ?(?:called |named )?([A-Z][a-z]+)\b(?!')", h.text[end:])
        return [Value(a, end + named.end())] if named and not h.shout else []
    if not tail:
        return []
    if (
        re.match(
            r"(?:is|'s|are|was|were|has|have|had|loves?|hates?|likes?|turned|turns|weighs?|called|named|name|,|needs|takes|got|always|only|never|can|can't|won't|sleeps|eats|lives?|[a-z]+,|sheds|barks|gets)\b",
            tail,
        )
        or (re.match(r" ?[A-Z][a-z]+", h.text[end:]) and not h.shout)
        or (low[end - 2 : end] == "'s" and re.match(r"\s*(?:name|birthday|vet|breed|age)", low[end:]))
    ):
        y = whole(h, a)[1]
        if y - a > 90:
            y = cut(low, a, h.now)[1]
        return [Value(a, y)]
    return []
