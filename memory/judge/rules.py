"""The judge's data: weights, word lists, macros, patterns and fact rules per language, domain packs, and an operator's own file on top.

Files are TOML. Those under ``rules/<language>/`` hold the tables of one language; ``rules/weights.toml``, packs and the operator's file hold languages as
tables (``[zh.words]``) beside ``[weights]``, ``[classes]``, ``packs``. Lists extend what is there (a table ``{add, remove, replace}`` edits it), a fact
rule of a known name replaces it, ``enabled = false`` drops it. In patterns ``%NAME%`` stands for a macro or a word list.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from memory.errors import BadRules
from memory.judge.judgement import Stance
from memory.judge.runaway import runaway
from memory.pattern import Pattern, regex
from memory.record import CATEGORIES

LANGUAGES: Final = ("zh", "en")
_MACRO: Final = regex(r"%(\w+)%")
_FACT_KEYS: Final = {
    "name", "attribute", "re", "need", "on", "conf", "stance", "split", "owner", "check", "deny", "enabled", "temporary", "keep", "class", "when",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRule:
    """One construction that states a fact.

    `pattern` holds the group ``v`` (the value) and may hold ``r`` (the value it replaces), ``o`` (an owner) and ``t`` (a time). `need` are literals one
    of which must occur, or the pattern is not tried. `on` says what it is matched against: ``predicate`` (the clause after its subject), ``clause``,
    or ``message``. `split` breaks lists into single values; `check` names a test of the reader's on the value; `deny` refuses values; `when` lists
    conditions on the frame of the clause that the reader knows. `keep` lets the rule act in questions.
    """

    name: str
    attribute: str
    pattern: Pattern
    need: tuple[str, ...] = ()
    on: str = "predicate"
    conf: float = 0.9
    stance: Stance = Stance.ASSERT
    split: bool = False
    owner: str = "any"
    check: str = ""
    deny: Pattern | None = None
    temporary: bool = False
    keep: bool = False
    when: frozenset[str] = frozenset()

    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()

    def when_holds(self, signals: frozenset[str]) -> bool:
        """Whether the conditions of `when` hold: all `wanted` ones among the signals, none of the `unwanted` ones."""
        return self.wanted <= signals and self.unwanted.isdisjoint(signals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Numbers of B2 and B4."""

    base: Mapping[str, float]
    store: float
    sure: float
    pending: float
    commitment: float
    emphasis: float
    entities_some: tuple[int, float]
    entities_many: tuple[int, float]
    length: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language's data. `sets` are the word lists as sets, for membership."""

    words: Mapping[str, tuple[str, ...]]
    sets: Mapping[str, frozenset[str]]
    patterns: Mapping[str, Pattern]
    texts: Mapping[str, str]
    facts: tuple[FactRule, ...]
    allow: tuple[Pattern, ...]
    deny: tuple[Pattern, ...]
    by_literal: Mapping[str, list[tuple[str, tuple[int, ...]]]] = field(default_factory=dict)  # first character → (literal, rules)
    always: tuple[int, ...] = ()
    groups: Mapping[str, list[tuple[str, Pattern]]] = field(default_factory=dict)

    def candidates(self, text: str) -> list[FactRule]:
        """The fact rules whose literals occur in the text, in order: the others cannot match."""
        found = set(self.always)
        for at, char in enumerate(text):
            for literal, indices in self.by_literal.get(char, ()):
                if text.startswith(literal, at):
                    found.update(indices)
        return [self.facts[i] for i in sorted(found)]

    def group(self, prefix: str) -> list[tuple[str, Pattern]]:
        """The patterns whose name begins with the prefix, by the rest of the name."""
        return self.groups.get(prefix, [])

    def find(self, name: str, text: str) -> re.Match[str] | None:
        """Searches `text` with the pattern of that name."""
        return self.patterns[name].search(text)

    def has(self, name: str, text: str) -> bool:
        return self.patterns[name].search(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything the judge knows beforehand. `files` are the files in use, built-in ones first."""

    weights: Weights
    classes: Mapping[str, str]
    lexicons: Mapping[str, Lexicon]
    files: tuple[Path, ...]
    _empty: Lexicon = field(default_factory=lambda: Lexicon(words={}, sets={}, patterns={}, texts={}, facts=(), allow=(), deny=()))

    @staticmethod
    def load(extra: Path | None = None) -> "Rules":
        """The built-in rules with `extra` on top; cached per file and its time of change. Raises BadRules naming file and line."""
        if extra is None:
            return _load(None, 0)
        try:
            return _load(extra, extra.stat().st_mtime_ns)
        except OSError as error:
            raise BadRules(f"Rule file {extra} cannot be read: {error.strerror or error}") from None

    def lexicon(self, language: str) -> Lexicon:
        return self.lexicons.get(language, self._empty)

    def class_of(self, attribute: str) -> str:
        return self.classes.get(attribute, "other")


@lru_cache(maxsize=8)
def _load(extra: Path | None, _changed: int) -> Rules:
    root = Path(str(resources.files("memory.judge"))) / "rules"
    data: dict[str, Any] = {}
    origin: dict[str, Path] = {}
    files: list[Path] = []

    def take(path: Path, language: str | None) -> None:
        table = _read(path)
        files.append(path)
        _merge(data, {language: table} if language else table, path, origin, ())

    take(root / "weights.toml", None)
    for language in LANGUAGES:
        for path in sorted((root / language).glob("*.toml")):
            take(path, language)
    own = _read(extra) if extra is not None else {}
    packs = own.get("packs", data.get("packs", []))
    for pack in packs:
        path = root / "packs" / f"{pack}.toml"
        if not path.is_file():
            raise BadRules(f"Rule file {extra or root / 'weights.toml'}{_line_of(extra, 'packs')}: there is no pack {pack!r}")
        take(path, None)
    if extra is not None:
        take(extra, None)
        for language in LANGUAGES:  # the operator's own are tried first: a span that one fact took is no other's
            mine = {f["name"] for f in own.get(language, {}).get("facts", [])}
            data[language]["facts"].sort(key=lambda f, mine=mine: f["name"] not in mine)
    return _build(data, origin, tuple(files), checked=extra is not None)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadRules(f"Rule file {path}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadRules(f"Rule file {path} cannot be read: {error}") from None


def _line_of(path: Path | None, needle: str) -> str:
    """``, line N`` where `needle` first stands in the file; an empty string when it cannot be found."""
    if path is None:
        return ""
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if needle in line:
            return f", line {number}"
    return ""


def _merge(into: dict[str, Any], table: Mapping[str, Any], path: Path, origin: dict[str, Path], at: tuple[str, ...]) -> None:
    for key, value in table.items():
        here = (*at, key)
        origin[".".join(here)] = path
        old = into.get(key)
        if key == "facts" and isinstance(value, list):
            known = {f["name"]: f for f in old or []}
            for fact in value:
                if not isinstance(fact, dict) or "name" not in fact:
                    raise BadRules(f"Rule file {path}{_line_of(path, '[[')}: a fact rule needs a name")
                origin[".".join((*here, fact["name"]))] = path
                old_fact = known.get(fact["name"], {})
                stale = {"need"} if "re" in fact else set()  # another pattern needs other literals
                known[fact["name"]] = {**{k: v for k, v in old_fact.items() if k not in stale}, **fact}
            into[key] = list(known.values())
        elif isinstance(value, dict) and isinstance(old, list) and set(value) <= {"add", "remove", "replace"}:
            kept = value.get("replace", [w for w in old if w not in value.get("remove", [])])
            into[key] = [*kept, *value.get("add", [])]
        elif isinstance(value, dict):
            if old is not None and not isinstance(old, dict):
                raise BadRules(f"Rule file {path}{_line_of(path, key)}: {'.'.join(here)} is not a table")
            target = into.setdefault(key, {})
            _merge(target, value, path, origin, here)
        elif isinstance(value, list) and isinstance(old, list) and at[:1] and at[0] in LANGUAGES:
            into[key] = [*old, *(v for v in value if v not in old)]
        else:
            into[key] = value


def _build(data: Mapping[str, Any], origin: Mapping[str, Path], files: tuple[Path, ...], checked: bool) -> Rules:
    def wrong(key: str, needle: str, why: str) -> BadRules:
        path = next((origin[k] for k in (key, key.rpartition(".")[0]) if k in origin), files[-1])
        return BadRules(f"Rule file {path}{_line_of(path, needle)}: {why}")

    raw = data["weights"]
    try:
        weights = Weights(
            base={k: _fraction(v) for k, v in raw["base"].items()}, store=_fraction(raw["store"]), sure=_fraction(raw["sure"]),
            pending=_fraction(raw["pending"]), commitment=_fraction(raw["commitment"]), emphasis=_fraction(raw["emphasis"]),
            entities_some=(int(raw["entities_some"][0]), _fraction(raw["entities_some"][1])),
            entities_many=(int(raw["entities_many"][0]), _fraction(raw["entities_many"][1])),
            length=tuple((int(a), _fraction(b)) for a, b in raw["length"]),
        )  # fmt: skip
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise wrong(
            "weights", str(getattr(error, "args", [""])[0]).split()[0] or "weights", f"a weight must be a number from 0 to 1 ({error})"
        ) from None
    for attribute in data["classes"]:
        if attribute not in CATEGORIES:
            raise wrong(f"classes.{attribute}", attribute, f"{attribute!r} is no attribute")
    lexicons = {}
    for language in LANGUAGES:
        changed = frozenset(
            n for n in _macros(data.get(language, {})) if _added(f"{language}.words.{n}", origin) or _added(f"{language}.macros.{n}", origin)
        )
        lexicons[language] = _lexicon(language, data.get(language, {}), wrong, checked, changed)
    return Rules(weights=weights, classes=data["classes"], lexicons=lexicons, files=files)


def _fraction(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not 0 <= number <= 1:
        raise ValueError(f"{value!r}")
    return number


def _macros(table: Mapping[str, Any]) -> set[str]:
    return {*table.get("words", {}), *table.get("macros", {})}


def _added(key: str, origin: Mapping[str, Path]) -> bool:
    """Whether the entry was last written by a file on top of the language's own: a pack or an operator's."""
    return key in origin and origin[key].parent.name not in LANGUAGES


def _lexicon(language: str, table: Mapping[str, Any], wrong: Any, checked: bool, changed: frozenset[str]) -> Lexicon:
    """`checked`: compile and test every pattern now. Without an operator's file that is left to the tests, and each is compiled on first use.

    The literals that a rule needs were read off its pattern; where that holds one of the `changed` macros, they no longer tell when it can match.
    """
    words: dict[str, tuple[str, ...]] = {}
    for name, entries in table.get("words", {}).items():
        if not isinstance(entries, list) or not all(isinstance(w, str) and w for w in entries):
            raise wrong(f"{language}.words.{name}", name, f"words.{name} must be a list of words")
        words[name] = tuple(dict.fromkeys(entries))
    macros: dict[str, str] = {n: _alternatives(ws) for n, ws in words.items() if ws}
    macros |= table.get("macros", {})

    used: set[str] = set()

    def expand(text: str, key: str, depth: int = 0) -> str:
        def one(match: re.Match[str]) -> str:
            name = match.group(1)
            used.add(name)
            if name not in macros or depth > 8:
                raise wrong(key, f"%{name}%", f"unknown macro %{name}%")
            return expand(macros[name], key, depth + 1)

        return _MACRO.sub(one, text)

    def compiled(text: Any, key: str) -> Pattern:
        if not isinstance(text, str):
            raise wrong(key, key.rpartition(".")[2], "a pattern must be a string")
        pattern = Pattern(expand(text, key))
        if not checked:
            return pattern
        try:
            _ = pattern.made
        except re.error as error:
            raise wrong(key, text.splitlines()[0], f"broken pattern {text!r}: {error}") from None
        if (why := runaway(pattern.text)) is not None:
            raise wrong(key, text.splitlines()[0], f"pattern {text!r} could run away: {why}")
        return pattern

    patterns = {n: compiled(t, f"{language}.patterns.{n}") for n, t in table.get("patterns", {}).items()}
    facts: list[FactRule] = []
    for raw in table.get("facts", []):
        if raw.get("enabled", True):
            used.clear()
            fact = _fact(raw, f"{language}.facts.{raw['name']}", compiled, wrong)
            facts.append(fact if used.isdisjoint(changed) else replace(fact, need=()))
    lists = {n: tuple(compiled(t, f"{language}.{n}") for t in table.get(n, [])) for n in ("allow", "deny")}
    needed: dict[str, tuple[int, ...]] = {}
    for index, fact in enumerate(facts):
        for literal in fact.need:
            needed[literal] = (*needed.get(literal, ()), index)
    by_literal: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for literal, indices in needed.items():
        by_literal.setdefault(literal[0], []).append((literal, indices))
    groups: dict[str, list[tuple[str, Pattern]]] = {}
    for name, pattern in patterns.items():
        prefix, _, rest = name.partition("_")
        groups.setdefault(prefix + "_", []).append((rest, pattern))
    return Lexicon(
        groups=groups, by_literal=by_literal, always=tuple(i for i, f in enumerate(facts) if not f.need), words=words, sets={n: frozenset(w) for n, w in words.items()}, patterns=patterns, texts=table.get("texts", {}), facts=tuple(facts), **lists
    )  # fmt: skip


def _alternatives(words: tuple[str, ...]) -> str:
    """A pattern that matches any of the words, the longest first; single characters as a class."""
    single = "".join(re.escape(w) for w in words if len(w) == 1)
    longer = [re.escape(w) for w in sorted(words, key=len, reverse=True) if len(w) > 1]
    return "(?:" + "|".join([*longer, f"[{single}]"] if single else longer) + ")"


def _fact(raw: Mapping[str, Any], key: str, compiled: Any, wrong: Any) -> FactRule:
    name = raw["name"]
    if unknown := set(raw) - _FACT_KEYS:
        raise wrong(key, name, f"fact rule {name} has unknown keys: {', '.join(sorted(unknown))}")
    if raw.get("attribute") not in CATEGORIES:
        raise wrong(key, name, f"fact rule {name}: {raw.get('attribute')!r} is no attribute")
    pattern: Pattern = compiled(raw.get("re"), key)
    if "(?P<v>" not in pattern.text:
        raise wrong(key, name, f"fact rule {name}: its pattern has no group (?P<v>…)")
    try:
        return FactRule(
            name=name, attribute=raw["attribute"], pattern=pattern, need=tuple(raw.get("need", ())), on=raw.get("on", "predicate"),
            conf=_fraction(raw.get("conf", 0.9)), stance=Stance(raw.get("stance", "assert")), split=bool(raw.get("split", False)),
            owner=raw.get("owner", "any"), check=raw.get("check", ""), deny=compiled(raw["deny"], key) if "deny" in raw else None,
            temporary=bool(raw.get("temporary", False)), keep=bool(raw.get("keep", False)), when=frozenset(raw.get("when", ())),
            wanted=frozenset(c for c in raw.get("when", ()) if not c.startswith("!")),
            unwanted=frozenset(c[1:] for c in raw.get("when", ()) if c.startswith("!")),
        )  # fmt: skip
    except (TypeError, ValueError) as error:
        raise wrong(key, name, f"fact rule {name}: {error}") from None
