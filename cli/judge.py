"""`jizhu judge`: is this worth remembering, which facts would be kept, and why. Stores nothing, opens no database."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import lines
from cli.options import Json
from cli.output import console, emit, plain, wants_json
from memory.settings import Settings, load_settings

if TYPE_CHECKING:
    from memory.judge import Judgement

    VerdictOn = Callable[[str, list[dict[str, str]], datetime], Coroutine[Any, Any, Judgement]]


def judge_messages(
    text: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="a message; without one, JSON lines are read from stdin")] = None,
    json: Json = False,
) -> None:
    """Is it worth remembering, and why.

    {"id"?, "text", "history"?, "time"?} lines on stdin, or TEXT. Nothing is stored.
    """
    settings = load_settings()
    verdict_on = _consulted(settings) if settings.model_name != "offline" else _local(settings)
    if text:
        verdict = asyncio.run(verdict_on(" ".join(text), [], datetime.now(settings.zone)))
        if wants_json(json):
            emit({"id": None, **verdict.as_json()})
        else:
            explain(verdict)
        return

    async def answer(number: int, record: lines.Record) -> Mapping[str, Any]:
        said = lines.when(record, settings.zone) or datetime.now(settings.zone)
        verdict = await verdict_on(lines.text(record), lines.talk(record), said)
        return {"id": record.get("id"), **verdict.as_json()}

    asyncio.run(lines.each(lines.stdin_lines(), answer))


def _local(settings: Settings) -> "VerdictOn":
    """Rules, and the small model for what they leave open."""
    from memory.judge import Rules, judge
    from memory.small_model import small_model

    rules, model = Rules.load(settings.rules), small_model()

    async def verdict_on(text: str, history: list[dict[str, str]], time: datetime) -> "Judgement":
        return judge(text, history=history, time=time, rules=rules, model=model)

    return verdict_on


def _consulted(settings: Settings) -> "VerdictOn":
    """The same, and the configured chat model for what is still open."""
    from graph.models import chat_model
    from memory.classify import VerdictCache, consult
    from memory.judge import Rules, read
    from memory.small_model import small_model

    rules, model = Rules.load(settings.rules), small_model()
    llm, cache = chat_model(settings.model_name, settings), VerdictCache()

    async def verdict_on(text: str, history: list[dict[str, str]], time: datetime) -> "Judgement":
        parts = read(text, history=history, time=time, rules=rules, model=model)
        return await consult(parts, llm, seconds=settings.model_timeout, cache=cache)

    return verdict_on


def explain(verdict: "Judgement") -> None:
    """The verdict for a person: each clause with its class and score, the facts it gives, and the reason."""
    from rich.text import Text

    out = console()
    for clause in verdict.clauses:
        out.print(Text.assemble((plain(clause.text), "bold"), f"  {clause.memory_type} {clause.intent}  ", f"{clause.score:.2f}"))
        parts = "  ".join(f"{name} {value:+.2f}" for name, value in clause.parts.items())
        out.print(f"  {parts}   confidence {clause.confidence:.2f}, {clause.tier}", style="dim")
        for fact in clause.facts:
            owner = "" if fact.owner == "user" else f"{fact.owner}: "
            extra = "".join(f"  ({plain(x)})" for x in (fact.normal, fact.time) if x is not None)
            out.print(Text.assemble("  → ", owner, (fact.attribute, "cyan"), " ", plain(fact.value), extra))
        if clause.reason:
            out.print(f"  {plain(clause.reason)}", style="dim")
    for fact in verdict.pending:
        out.print(Text.assemble(("  ? ", "yellow"), (fact.attribute, "cyan"), " ", plain(fact.value), ("  pending", "dim")))
    for noted in verdict.session:
        out.print(Text.assemble("  · session ", (noted.attribute, "cyan"), " ", plain(noted.value)))
    out.print(
        Text.assemble((verdict.memory_type, "bold green" if verdict.memory_type == "LONG" else "bold"), f"  {verdict.intent}  {verdict.score:.2f}")
    )
