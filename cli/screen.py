"""How a round looks on a terminal: the reply as it comes, then dim lines on what was understood, remembered and recalled."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.output import console, plain
from cli.words import words
from memory.language import Language, label

if TYPE_CHECKING:
    from graph.runner import Round

SHOWN: Final = 4  # recalled memories named on one line
OPS: Final = {"add": "remembered", "supersede": "updated", "retire": "retired", "forget": "forgot"}


class Screen:
    """Where one conversation is shown. `lang` follows the person's own language."""

    def __init__(self, lang: Language) -> None:
        self.lang = lang
        self.console = console()
        self.seen: set[str] = set()
        self.waiting = False

    def line(self, text: str, style: str | None = "dim") -> None:
        self.console.print(text, style=style)

    def words(self, name: str, /, **values: object) -> str:
        return words(self.lang, name, **values)

    def wait(self) -> None:
        """A mark where the reply will be."""
        if self.console.is_terminal:
            self.console.print("…", end="", style="dim")
            self.waiting = True

    def stop_waiting(self) -> None:
        """The mark goes."""
        if self.waiting:
            self.console.file.write("\r\x1b[K")
            self.waiting = False

    def piece(self, text: str) -> None:
        """A part of the reply, as the model gives it."""
        self.stop_waiting()
        self.console.print(clean(text), end="")
        self.console.file.flush()

    def after(self, text: str, done: "Round") -> None:
        """The quiet lines under a reply."""
        from graph.questions import wants_answer

        self.stop_waiting()
        self.console.print()
        if done.resolved and done.resolved.strip() != text.strip():
            self._aside("↳", "resolved", plain(done.resolved))
        for mark, name, entries in self.changes(done):
            self._aside(mark, name, " · ".join(entries))
        recalled = [short(h) for h in done.recalled] if wants_answer(done.resolved or text) else []
        news = {str(h.get("id")) for h in done.recalled} - self.seen
        self.seen |= news
        if recalled and news:  # the same memories again are no news
            more = f" +{len(recalled) - SHOWN}" if len(recalled) > SHOWN else ""
            self._aside("↺", "recalled", " · ".join(recalled[:SHOWN]) + more)

    def changes(self, done: "Round") -> list[tuple[str, str, list[str]]]:
        """(mark, word, entries) for what this round kept, changed and let go; session facts last."""
        found: dict[str, list[str]] = {}
        for report in done.applied:
            op = str(report.get("op"))
            name = "past" if report.get("valid_to") else OPS.get(op) or {"hold": "held" if report.get("status") == "held" else "waiting"}.get(op)
            if name and report.get("value"):
                found.setdefault(name, []).append(self.fact(report))
        marks = {"remembered": "✓", "past": "✓", "updated": "✓", "retired": "✗", "forgot": "✗", "waiting": "?", "held": "!"}
        out = [(mark, name, unique(found[name])) for name, mark in marks.items() if name in found]
        session = unique(self.fact(s) for s in done.stored if s.get("scope") == "session")
        return [*out, ("·", "session", session)] if session else out

    def fact(self, entry: Mapping[str, Any]) -> str:
        from memory.lines import in_short

        owner = str(entry.get("owner") or "user")
        whose = "" if owner == "user" else f"{plain(owner)} "
        return f"{whose}{label(str(entry.get('attribute', '')), self.lang)} {plain(in_short(entry))}"

    def _aside(self, mark: str, name: str, text: str) -> None:
        line = f"  {mark} {self.words(name)}：{text}" if self.lang == "zh" else f"  {mark} {self.words(name)}: {text}"
        if self.console.is_terminal:
            self.console.print(line, style="dim", no_wrap=True, overflow="ellipsis", soft_wrap=False)
        else:
            self.console.print(line)


def clean(text: str) -> str:
    """Reply text as it may reach a terminal: newlines stay, control codes go."""
    return "\n".join("".join(c for c in part if c.isprintable() or c == "\t") for part in text.split("\n"))


def short(hit: Mapping[str, Any]) -> str:
    text = plain(hit.get("text", ""))
    return text if len(text) <= 40 else text[:39] + "…"


def unique(entries: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(entries))
