"""Tests on habits: what one does as a rule, never does, or no longer does."""

import re

from memory.judge.en.checks.spans import span_keep
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import find
from memory.judge.en.values import cut, reaction, trim


def habitual(h: Hit) -> list[Value]:
    """What one does as a rule: with "always" or "usually", or with "every Tuesday", "twice a week", "before bed"."""
    a = h.frame.at
    low = h.low
    flags = h.frame.flags
    if h.frame.kind not in {"first", "person"} or flags & {"asked"}:
        return []
    times = find(low, h.now)
    recurring = [w for w in times if w.kind == "recurring"]
    daily = re.search(
        r"\b(?:first thing|before (?:bed|work|breakfast|sleep|dawn|i sleep)|after (?:work|lunch|dinner|school)|all (?:day|the time|summer|winter)|most (?:days|nights|mornings|evenings|weekends)|day and night|on a (?:daily|regular|weekly) basis|for breakfast|in the shower|at \d{1,2}(?::\d\d)? ?(?:am|pm)?|until (?:late|midnight|noon)|a day|a week|per day|per week|regularly|religiously|"
        r"in the (?:mornings?|evenings?|winter|summer)|during the (?:winter|summer|week|day)|while i (?:work|run|study|drive|cook)|with my (?:coffee|tea)|in my (?:spare|free) time|for fun|professionally|competitively|often|a lot|everyday|sometimes|constantly|all of the time|too much|again(?= *$)|whenever i (?:can|have)|for hours|\d+ hours|when(?:ever)? i(?:'m| am| m| have| feel| get| can))\b",
        low[a:],
    )
    freq = "freq" in flags or ("never" in flags and "neg" not in flags)
    if not (freq or recurring or daily):
        return []
    words = re.findall(r"[a-z']+", low[a:])
    if not words:
        return []
    verb = words[0]
    base = verb.removesuffix("s") if h.frame.kind == "person" and not verb.endswith("ss") else verb
    if base in {"goe", "doe", "watche", "teache", "catche", "fishe", "practise", "stretche"}:
        base = base.removesuffix("e")
    if any(w.kind == "date" and w.sign > 0 for w in times) and not recurring and not freq:
        return []
    if (verb in h.lex.sets["state_verbs"] and verb not in {"keep", "live", "work", "get", "try", "have", "end", "own", "find", "need"}) or (
        verb == "have"
        and re.match(
            r"have (?:to|a (?:question|problem|feeling|doubt|hard|difficult|good|great|bad)|no|trouble|been|problems|had|the feeling)\b", low[a:]
        )
    ):
        return []
    if base in {"say", "tell", "ask", "claim", "joke", "respond", "reply", "answer"}:
        return []
    if verb in {"find", "end", "own", "live", "work", "try"} and not (recurring or verb == "work") and not (verb == "try" and freq):
        return []
    if not freq and base not in h.lex.sets["activity_verbs"]:
        return []
    if (
        not freq
        and re.match(r"(?:have|has) ", low[a:])
        and not re.search(r"breakfast|lunch|dinner|coffee|tea|lesson|class|practice|therapy|training|snack|drink|meeting", low[a:])
    ):
        return []
    if re.search(r"\b(?:you|your|this (?:app|chat)|the assistant|right now|today|tonight|this morning)\b", low[a:]) or (
        "just" in flags and not recurring
    ):
        return []
    start = a
    if freq:
        m = re.compile(
            r"(?:always|usually|often|sometimes|normally|typically|generally|regularly|rarely|seldom|occasionally|frequently|mostly|constantly|never|tend to)[ ]"
        ).search(low, h.frame.start, a)
        start = m.start() if m else a
    end_m = re.compile(
        r",? (?:because|cos|so (?:i|we|please|that)|but|although|though|which|since|and (?:i|my|it|then|now)|do you|any|can you|what|where|if)\b|[.!?;—(]|, (?=i\b|we\b|my\b|can't|it|so\b)"
    ).search(low, a)
    end = end_m.start() if end_m else len(low)
    x, y = trim(low, start, end)
    x = start
    if len(low[x:y].split()) < 2 or y - x > 110:
        return [] if y - x > 110 or (not recurring and not freq) else [Value(x, min(y, x + 110), times=times)]
    return [Value(x, y, times=[w for w in times if w.kind != "date"])]


def habitual_be(h: Hit) -> list[Value]:
    a = h.frame.at
    if h.frame.kind not in {"first", "person"} or not re.search(
        r"\b(?:always|usually|often|generally|normally|typically|constantly|never)\b", h.low[h.frame.start : a + 12]
    ):
        return []
    m = re.compile(r"(?:always|usually|often|generally|normally|typically|constantly|never)\b").search(h.low, h.frame.start)
    start = m.start() if m else a
    _x, y, times = cut(h.low, a, h.now)
    if re.search(r"\b(?:happy to|ready|here|sorry|there for|interested|curious|you|asked|late to reply)\b", h.low[a:y]):
        return []
    end = max(y, a + len(h.low[a:].split(".")[0].split(",")[0]))
    return [Value(start, trim(h.low, start, end)[1], times=times)]


def neg_habit(h: Hit) -> list[Value]:
    """ "never eat breakfast", "don't drink": a rule of one's life, not "don't use that file"."""
    a, b = h.group()
    low = h.low
    if h.frame.kind not in {"first", "person"} or "asked" in h.frame.flags or (h.frame.kind == "person" and h.frame.owner == "they"):
        return []
    x, y, times = cut(low, a, h.now)
    y = max(y, min(b, a + len(low[a:b].split(",")[0].rstrip(" .!?"))))
    x, y = a, trim(low, a, y)[1]
    phrase = low[x:y]
    m = re.match(
        r"(?:never|don't|do not|dont|doesn't|does not|doesnt|hardly ever|rarely|seldom|no longer|barely|almost never|try not to|avoid)(?: ever| really| even| usually| normally| actually| generally)? (\w+)(?: (.*))?",
        phrase,
    )
    if m is None:
        return []
    verb, rest = m[1].rstrip("s") if m[1] not in {"touches", "gambles"} else m[1], (m[2] or "").strip()
    if re.match(
        r"(?:it|that|this|them|these|those|you|your|the (?:app|file|link|word|one|answer|same|second|first)|anyone|any of|my (?:phone|wallet|keys)|a clue|mind|much idea)\b",
        rest,
    ):
        return []
    if h.has("never_verbs_narrow", verb):
        if not rest or (
            not phrase.startswith(("never", "hardly", "rarely", "seldom", "avoid", "no longer", "almost"))
            and not re.match(
                r"(?:drugs|mornings|thursdays|mondays|sundays|weekends|sugar|milk|medication|social media|facebook|instagram|a car|cars|a tv|tv|television|glasses|makeup|perfume|jewel\w*|shorts|heels|horror|the news|news|sports|video games|games|cash|meat|alcohol|caffeine|coffee|tea|fast food|out|spicy|lunch|breakfast|dinner|a smartphone|smartphone|calls|phone calls|any other language|\w+ very often|to (?:church|the gym|parties|bars|school)|credit cards)\b",
                rest,
            )
        ):
            return []
        if verb == "speak" and rest.split()[0] in h.lex.sets["languages"]:
            return [Value(x, y, attribute="skill", times=times)]
    if h.has("never_verbs", verb):
        if re.search(r"\b(?:yet|today|tonight|this morning|now|right now)\b", low) or verb in {"cheat"}:
            return []
        if verb == "sleep" and not phrase.startswith("never") and not re.search(r"before|past|after|more than|much", rest):
            return []
        if verb == "work" and re.match(r"(?:for (?:me|us)|like|out for|properly|at all|in)\b", rest):
            return []
        if verb == "get" and not re.match(r"up", rest):
            return []
    return [Value(x, y, times=times)]


def quit_habit(h: Hit) -> list[Value]:
    """A habit that is over: smoking, coffee, a class; what is quit today only, or a job, is not."""
    a = h.group()[0]
    x, y, times = cut(h.low, a, h.now, past=True)
    if any(w.start <= x and y <= w.end for w in times):
        return []
    raw = h.low[x:y]
    if (
        x >= y
        or reaction(h.low, x, y)
        or re.match(
            r"(?:job|my job|work|talking|trying|here|there|responding|working (?:for|at|on|after)|by|at|to|worrying|and|the (?:car|bus|app|page|task|project|chat)|asking|saying|using (?:this|that)|halfway|reading (?:it|this)|raining|hope|waiting|loading|that|apologizing|being|it)\b",
            raw,
        )
    ):
        return []
    if h.frame.kind == "fragment" and not re.match(r"(?:quit|gave up|given up|stopped|off)\b", h.low[h.frame.at :]):
        return []
    verb = h.low[h.m.start() : a]
    if re.match(r"(?:off|stop|dropped|cut|ditched|come|came|done)\b", verb) and not re.search(
        r"\b(?:coffee|tea|sugar|meat|dairy|gluten|smoking|cigarettes|alcohol|drinking|carbs|caffeine|soda|booze|tablets|medication|meds|pills|social media|facebook|instagram|class|classes|lessons|gym|dieting)\b",
        raw,
    ):
        return []
    if (
        re.match(r"(?:stop|quit)\b", verb)
        and h.frame.kind == "first"
        and "verb" in h.frame.flags
        and "past" not in h.frame.flags
        and not h.frame.flags & {"have"}
        and "quit" not in verb
    ):
        return []
    if h.has("employers", raw) or (h.capital(x) and not h.shout and not raw.endswith("ing")):
        return []
    occupation = re.match(r"(?:teaching|nursing|freelancing|driving (?:trucks|for)|acting|coaching)\b", raw)
    return [Value(x, y, times=times, attribute="occupation" if occupation else None)]


def never(h: Hit) -> list[Value]:
    """ "I've never flown", "I never learned to drive": what one's life has not had; not "I've never heard of it"."""
    a = h.group()[0]
    x, y, _ = cut(h.low, a, h.now)
    raw = h.low[x:y]
    if (
        reaction(h.low, x, y)
        or re.search(r"\b(?:it|that|this|one|before|such|so|there|them|anything like|of (?:it|that)|you)\b", h.low[a:])
        or len(raw.split()) < 2
    ):
        return []
    m = re.compile(r"never\b").search(h.low, h.frame.start, a)
    return [Value(m.start() if m else a, y)]


def habit_span(h: Hit) -> list[Value]:
    a = h.group()[0]
    _, y, times = cut(h.low, a, h.now)
    rec = [w for w in find(h.low, h.now) if w.kind in {"recurring", "clock"} and w.start >= y - 1]
    if rec and rec[-1].end - y < 40:
        y = rec[-1].end
    if m := re.compile(r"work(?:s|ing)? (?:full|part)[- ]time\b").match(h.low, a):
        y = max(y, m.end())
    if any(w.kind == "date" and w.sign > 0 for w in times) or re.search(
        r"\b(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening)|right now|right away|on (?:this|it|that))\b", h.low[a:]
    ):
        return []
    if re.search(r"\b(?:coach|mentor|tutor|host) (?:me|you|us)\b", h.low):
        return []
    return [Value(a, y, times=times)]


def sport(h: Hit) -> list[Value]:
    """A pastime in the simple present: "I run half-marathons", "I surf", "I play tennis"."""
    a = h.group()[0]
    k = h.m.start("k")
    low = h.low
    if h.frame.kind == "fragment" or "asked" in h.frame.flags or "just" in h.frame.flags:
        return []
    words = re.findall(r"[a-z&'-]+", low[k:])[:4]
    verb = low[a:].split()[0]
    sports = h.lex.sets["sports"]
    named = any(" ".join(words[i : i + n]) in sports for i in range(2) for n in (3, 2, 1))
    if (
        re.match(
            r"(?:run|go|lift|ride|write|sing|perform|train|race|climb|box|row|hike|swim|build|collect|paint|knit|teach|coach|do|play|practi)", verb
        )
        and not named
    ) and (
        not re.search(
            r"\b(?:marathons?|half-marathons?|10ks?|5ks?|weights|horses|motorcycles|poetry|poems|songs|novels|short stories|stories|fan ?fiction|music|a blog|blog|choir|band|a band|team|league|stamps|coins|records|vinyls?|antiques|comics?|cards|toys|figurines|sneakers|guns|knives|rocks|postcards|dolls|plates|watercolou?rs|portraits|scarves|sweaters|models|model \w+|miniatures|drones|computers|robots|instruments|"
            r"mountains|trails|triathlons?|laps|magic tricks|video games?|online|professionally|competitively|improv|theatre|theater|stand-?up|martial arts|gymnastics|crossfit|wood\w*|jewelry|quilts|memorabilia)\b",
            low[k:],
        )
    ):
        return []
    if verb in {"go"} and not (words and words[0].endswith("ing") and words[0] in sports):
        return []
    if h.has("bare_sports", verb) and not named and re.match(r"(?:it|that|this|the|them|you)\b", low[k:]):
        return []
    if re.match(r"(?:play|do|run|write) (?:it|that|this|them|the (?:game|song|one))\b", low[a:]):
        return []
    _, y, times = cut(low, a, h.now)
    if any(w.kind == "date" and w.sign >= 0 for w in times) or re.search(r"\b(?:today|tonight|right now|you|your)\b", low[a:]):
        return []
    if verb in {"play", "plays"} and any(w in h.lex.sets["instruments"] for w in words[:3]):
        return []
    return [Value(a, y, times=times)]


def commute(h: Hit) -> list[Value]:
    a = h.group()[0]
    if not re.search(r"\bto (?:work|school|the office|uni|college|campus)\b|commut|everywhere|in every", h.low[a:]) or re.search(
        r"\b(?:today|tomorrow|tonight|this morning)\b", h.low
    ):
        return []
    return span_keep(h)


def celebrates(h: Hit) -> list[Value]:
    a = h.group()[0]
    if not re.search(
        r"\b(?:every year|each year|always|christmas|hanukkah|diwali|eid|ramadan|lunar new year|chinese new year|easter|thanksgiving|shabbat|sabbath|kwanzaa|holi|passover|lent|nowruz)\b|[\u3400-\u9fff]",
        h.low[a:] + h.low[:a],
    ) or h.frame.kind not in {"first", "person"}:
        return []
    if not re.match(r"(?:celebrat|observ|fast)", h.low[a:]) and not re.search(r"kosher|sabbath|shabbat|halal", h.low[a:]):
        return []
    end = re.compile(r"[.!?;,]|\bso\b|\bbut\b|\bbecause\b").search(h.low, a)
    y = end.start() if end else len(h.low)
    return [Value(a, trim(h.low, a, y)[1])]


def diet(h: Hit) -> list[Value]:
    a, b = h.group()
    if h.frame.kind == "fragment" and not re.match(
        r"(?:strictly |strict |lifelong |fully |i |now )?(?:vegan|vegetarian|pescatarian|teetotal|coeliac|halal|kosher|keto)\b",
        h.low[h.frame.start :],
    ):
        return []
    word = h.low[a:b]
    lead = h.low[h.frame.at : a]
    if word in {"sober", "carnivore", "raw vegan"} and re.search(r"not", lead):
        return []
    if h.has("food_laws", word) and "verb" in h.frame.flags and not re.search(r"eat|keep|go|diet|follow|went", lead) and h.frame.kind != "fragment":
        return []
    if re.match(r" (?:restaurant|food|option|recipe|place|meal|dish|menu|cake|pizza|burger|dinner)", h.low[b:]):
        return []
    return [Value(a, b, times=find(h.low, h.now, past=True))]
