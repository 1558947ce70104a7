"""The `jizhu` command: one file per command group, imported here, and the one place where errors become an exit status.

Exit status: 0; 2 for bad usage; 1 with one sentence on stderr for everything else; 130 after Ctrl-C; 141 when the reader of our output has gone.
Command modules import what is heavy (langgraph, Postgres, models) inside their functions: `jizhu --help` and `jizhu judge` start fast.
"""

import logging
import os
import signal
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from cli import db, memories, review, sessions
from cli.chat import chat
from cli.demo import demo
from cli.doctor import doctor
from cli.guard import guard
from cli.judge import judge_messages
from cli.output import complain
from cli.recall import ingest, recall
from cli.replay import replay
from cli.settings import show_settings
from cli.transfer import erase_user, export_user, import_user, reembed_all
from memory.errors import JizhuError

app = typer.Typer(
    name="jizhu", help="记住 — an agent that decides by itself what to remember about you, and what to forget.",
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
)  # fmt: skip
app.command("chat")(chat)
app.command("demo")(demo)
app.command("judge")(judge_messages)
app.command("replay")(replay)
app.command("ingest")(ingest)
app.command("recall")(recall)
app.add_typer(memories.app, name="memories")
app.command("export")(export_user)
app.command("import")(import_user)
app.command("erase")(erase_user)
app.add_typer(review.app, name="review")
app.add_typer(sessions.app, name="sessions")
app.add_typer(db.app, name="db")
app.command("guard")(guard)
app.command("settings")(show_settings)
app.command("doctor")(doctor)
app.command("reembed")(reembed_all)


@app.callback()
def options(traceback: Annotated[bool, typer.Option("--traceback", help="show where an unexpected error comes from")] = False) -> None:
    """记住 — an agent that decides by itself what to remember about you, and what to forget."""


def run() -> None:
    """The console script."""
    status = 0
    logging.getLogger().addHandler(logging.NullHandler())  # what went wrong is said once, in a sentence
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        status = 128 + signal.SIGPIPE
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the last flush, at exit, must not fail again
    sys.exit(status)


def main(arguments: list[str]) -> int:
    """Runs one command; its exit status. Only a broken pipe, and with --traceback an unexpected error, comes out as an exception."""
    try:
        result = typer.main.get_command(app).main(arguments, prog_name="jizhu", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except typer.Exit as done:
        return done.exit_code
    except TyperException as error:
        if show := getattr(error, "show", None):
            show()
        else:
            complain(error.format_message())
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    except BrokenPipeError:
        raise
    except JizhuError as error:
        complain(str(error))
    except Exception as error:
        if "--traceback" in arguments[:1]:
            raise
        if type(error).__module__.partition(".")[0] in {"psycopg", "psycopg_pool"}:
            complain(f"The memory database failed: {str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}")
            return 1
        complain(f"Unexpected {type(error).__name__}: {error or 'no details'} (jizhu --traceback … shows where).")
    return 1
