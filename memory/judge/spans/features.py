"""What the span reader sees: of a token, to find where a value stands; of a span in its message, to tell what it is. Strings, the same in training and use."""

from typing import Final

from memory.judge.spans.words import Token, Vocabulary, Word, tokens, words

NEAR: Final = 2
"""Words to each side whose distance counts; of the others in the clause only the side does."""
BEFORE: Final = 8
"""Words of the clause before that are looked at."""
AROUND: Final = 40
"""Characters of the message before and after the clause that tell of a span."""
_EDGE: Final = "#"


def token_features(given: list[Token], vocabulary: Vocabulary) -> list[list[str]]:
    """One list of features per token of a message."""
    count = len(given)
    said = words(given, vocabulary)
    classes = [vocabulary.of(w.text) for w in said]
    text = [_EDGE] * 3 + [t.text for t in given] + [_EDGE] * 3
    clauses: dict[int, list[int]] = {}
    for number, word in enumerate(said):
        clauses.setdefault(word.clause, []).append(number)
    found: list[list[str]] = []
    for number, word in enumerate(said):
        mine = clauses[word.clause]
        shared = ["b", *_beside(number, said, classes)]
        for other in mine:
            gap = other - number
            if gap:
                name = "l=" if -NEAR <= gap < 0 else "r=" if 0 < gap <= NEAR else "L=" if gap < 0 else "R="
                shared.append(name + said[other].text)
        if word.clause:
            shared += ["P=" + said[k].text for k in clauses[word.clause - 1][-BEFORE:]]
        else:
            shared.append("first")
        size = word.last - word.first + 1
        for at in range(word.first, word.last + 1):
            place = "B" if at == word.first else "E" if at == word.last else "I"
            found.append(shared + _local(at, text, given, count) + ([f"w={word.text}{place}", f"wp={place}{size}"] if given[at].kind == "h" else []))
    return found


def _beside(number: int, said: list[Word], classes: list[tuple[int, int] | None]) -> list[str]:
    out = []
    clause = said[number].clause
    for gap in (-2, -1, 1, 2):
        other = number + gap
        inside = 0 <= other < len(said) and said[other].clause == clause
        out.append(f"w{gap}={said[other].text if inside else _EDGE}")
    for gap in (-1, 0, 1):
        other = number + gap
        if 0 <= other < len(said) and said[other].clause == clause and (found := classes[other]) is not None:
            out += [f"c{gap}a={found[0]}", f"c{gap}b={found[1]}"]
    return out


def _local(at: int, text: list[str], given: list[Token], count: int) -> list[str]:
    a, b, c, d, e, f, g = text[at : at + 7]  # three to each side
    token = given[at]
    out = [
        "0=" + d, "-1=" + c, "1=" + e, "-2=" + b, "2=" + f, f"-10={c}_{d}", f"01={d}_{e}", f"-2-1={b}_{c}", f"12={e}_{f}", f"-101={c}{d}{e}",
        f"-3-1={a}{b}{c}", f"13={e}{f}{g}", "s=" + token.kind,
    ]  # fmt: skip
    if token.kind != "h":
        before = given[at - 1].kind if at else _EDGE
        after = given[at + 1].kind if at + 1 < count else _EDGE
        out += ["sf=" + d[-3:], "pf=" + d[:3], "sf2=" + d[-2:], "s-1=" + before, "s1=" + after]
    return out


def span_features(text: str, start: int, end: int, clause: tuple[int, int], vocabulary: Vocabulary) -> set[str]:
    """What tells of the span ``text[start:end]`` what it is: its own words, those before and after it in its clause, and those around the clause."""
    left, value, right = text[clause[0] : start], text[start:end], text[end : max(end, clause[1])]
    before, after = text[max(0, clause[0] - AROUND) : clause[0]], text[clause[1] : clause[1] + AROUND]
    parts = {"v": tokens(value), "l": tokens(left), "r": tokens(right), "p": tokens(before), "q": tokens(after)}
    found = {"value " + ("han" if any(t.kind == "h" for t in parts["v"]) else "latin"), f"value {min(len(parts['v']), 6)}"}
    for name, said in parts.items():
        found |= _runs(name, [t.text for t in said], 2 if name in "pq" else 3)
        found |= _runs("c" + name, _classes(said, vocabulary), 1 if name in "pq" else 2)
    found |= _runs("n", [t.text for t in parts["l"][-5:]], 2) | _runs("cn", _classes(parts["l"][-5:], vocabulary), 1)
    found |= _runs("m", [t.text for t in parts["r"][:5]], 2) | _runs("cm", _classes(parts["r"][:5], vocabulary), 1)
    just = [t.text for t in tokens(text[max(0, start - AROUND) : start])][-3:]
    then = [t.text for t in tokens(text[end : end + AROUND])][:3]
    for size in (1, 2, 3):
        found |= {f"-{size} " + "_".join(just[-size:]), f"+{size} " + "_".join(then[:size])}
    for token in parts["v"]:
        if token.kind.startswith("D"):
            found.add("value figure")
        elif token.kind != "h" and len(token.text) > 3:
            found |= {"x" + token.text[-3:], "y" + token.text[:4]}
    for word in words(parts["v"], vocabulary):
        if (known := vocabulary.of(word.text)) is not None:
            found |= {f"a{known[0]}", f"b{known[1]}"}
    return found


def _runs(name: str, said: list[str], longest: int) -> set[str]:
    return {f"{name} " + "_".join(said[i : i + size]) for size in range(1, longest + 1) for i in range(len(said) - size + 1)}


def _classes(given: list[Token], vocabulary: Vocabulary) -> list[str]:
    """The words as their fine classes, a question mark where one has none."""
    return [str(c[1]) if (c := vocabulary.of(w.text)) else "?" for w in words(given, vocabulary)]
