"""`jizhu guard`: what the guard says of a text, by the channel it came from. Stores nothing, opens no database."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import typer

from cli import lines
from cli.options import Json
from cli.output import console, emit, plain, wants_json

CHANNELS: Final = ("user", "tool", "document", "web")


def guard(
    text: Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="a text; without one, JSON lines are read from stdin")] = None,
    channel: Annotated[str, typer.Option("--channel", "-c", metavar="C", help="user, tool, document or web")] = "user",
    json: Json = False,
) -> None:
    """What the guard says of a text.

    {"id"?, "text", "channel"?} lines on stdin, or TEXT. Nothing is stored.
    """
    from memory.guard import inspect

    if channel not in CHANNELS:
        raise typer.BadParameter(f"--channel is one of {', '.join(CHANNELS)}")
    if text:
        ruling = inspect(" ".join(text), channel)
        if wants_json(json):
            emit({"id": None, **ruling.as_json()})
        else:
            console().print(f"{ruling.verdict}  {ruling.score:.2f}  {plain('; '.join(ruling.reasons))}")
        return

    def answer(number: int, record: lines.Record) -> Mapping[str, Any]:
        came_by = lines.choice(record, "channel", CHANNELS, channel)
        return {"id": record.get("id"), **inspect(lines.text(record), came_by).as_json()}

    lines.each_now(lines.stdin_lines(), answer)
