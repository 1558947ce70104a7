"""The attribute schema: which values add up, which replace one another, and which slot inside an attribute a value belongs to. Data: attributes.toml."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from memory.record import CATEGORIES
from memory.revise.forms import compiled, fold, numerals

One = Literal["always", "change"]


@dataclass(frozen=True, slots=True)
class Facet:
    """A slot inside an attribute, such as weight in health. `one` = "always": one value at a time; "change": one per spoken change."""

    name: str
    one: One
    value: re.Pattern[str] | None = None
    words: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    dynamic: re.Pattern[str] | None = None
    poles: tuple[re.Pattern[str], ...] = ()
    both: bool = False
    last: bool = False

    def pole(self, text: str) -> int | None:
        """Which of the excluding word sets the text uses; None for none or several."""
        hits = [n for n, pattern in enumerate(self.poles) if pattern.search(fold(text))]
        return hits[0] if len(hits) == 1 else None


@dataclass(frozen=True, slots=True)
class Attribute:
    """One row of the schema."""

    name: str
    single: bool = False
    exact: bool = False
    passing: bool = False
    narrow: bool = False
    done: bool = False
    twins: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    ends: Mapping[str, str] | None = None
    facets: tuple[Facet, ...] = ()

    def facet(self, value: str, *texts: str) -> tuple[str, One | None]:
        """The slot of a value: (name, how many values it holds). The empty name is the attribute itself.

        Each text is tried in turn, from the closest to the value (its content) to the widest (the clause); in one text the facet word nearest the
        value wins.
        """
        plain = fold(value)
        for facet in self.facets:
            told = not facet.both or (facet.words is not None and any(facet.words.search(fold(t)) for t in (value, *texts)))
            if facet.value and not facet.last and (facet.value.search(plain) or facet.value.search(numerals(plain))) and told:
                return facet.name, facet.one
        for text in (value, *texts):
            hay = fold(text)
            at = hay.find(plain) if plain else -1
            best: tuple[int, str, One] | None = None
            for facet in self.facets:
                if facet.dynamic and best is None and (found := facet.dynamic.search(hay)) and plain in hay[found.start() :]:
                    return f"{facet.name} {next(g for g in found.groups() if g).replace('colour', 'color').replace('favour', 'favor')}", facet.one
                if facet.words is None or facet.both or (facet.unless and facet.unless.search(hay)):
                    continue
                for found in facet.words.finditer(hay):
                    distance = 0 if at < 0 else max(at - found.end(), found.start() - at - len(plain), 0)
                    if best is None or distance < best[0]:
                        best = (distance, facet.name, facet.one)
            if best is not None:
                return best[1], best[2]
        for facet in self.facets:
            if facet.last and facet.value and facet.value.search(plain):
                return facet.name, facet.one
        return "", "always" if self.single else None

    def named(self, name: str) -> Facet | None:
        """The facet of this name."""
        return next((f for f in self.facets if f.name == name or (f.dynamic and name.startswith(f.name))), None)


@lru_cache(maxsize=1)
def schema() -> Mapping[str, Attribute]:
    """Attribute name → its row, for every attribute of the specification."""
    data = tomllib.loads(files("memory.revise").joinpath("attributes.toml").read_text("utf-8"))
    return {name: _attribute(name, data.get(name, {})) for name in CATEGORIES}


def attribute(name: str) -> Attribute:
    """The schema row of an attribute; an unknown one behaves like `other`."""
    return schema().get(name) or schema()["other"]


def _attribute(name: str, row: Mapping[str, Any]) -> Attribute:
    return Attribute(
        name=name,
        single=row.get("single", False),
        exact=row.get("exact", False),
        passing=row.get("passing", False),
        narrow=row.get("narrow", False),
        done=row.get("done", False),
        twins=tuple(row.get("twins", ())),
        family=tuple(dict.fromkeys([name, *row.get("family", ())])),
        opposite=tuple(row.get("opposite", ())),
        ends=dict(pair.split(":", 1) for pair in row.get("ends", ())),
        facets=tuple(_facet(f) for f in row.get("facets", ())),
    )


def _facet(row: Mapping[str, Any]) -> Facet:
    def pattern(key: str) -> re.Pattern[str] | None:
        return compiled(row[key], re.IGNORECASE) if key in row else None

    return Facet(
        name=row["name"], one=row["one"], value=pattern("value"), words=pattern("words"), unless=pattern("unless"), dynamic=pattern("dynamic"),
        poles=tuple(compiled(p, re.IGNORECASE) for p in row.get("poles", ())), both=row.get("both", False), last=row.get("last", False),
    )  # fmt: skip
