"""The prompt at a terminal: what Ctrl-C and Ctrl-D do there."""

import asyncio

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.conversation import Conversation
from graph.runner import Agent
from memory.settings import Settings

pytestmark = pytest.mark.anyio
INTERRUPT, END, ENTER = "\x03", "\x04", "\r"


@pytest.mark.parametrize(
    ("keys", "lines", "asked"),
    [
        ((f"half{INTERRUPT}", f"whole{ENTER}", END), ["whole"], 0),
        ((f"half{INTERRUPT}", f"另半句{INTERRUPT}", f"整句{ENTER}", END), ["整句"], 0),
        ((INTERRUPT, f"still here{ENTER}", END), ["still here"], 1),
        ((f"half{INTERRUPT}", INTERRUPT, INTERRUPT), [], 1),
        ((INTERRUPT, f"half{INTERRUPT}", INTERRUPT, INTERRUPT), [], 2),
    ],
)
async def test_ctrl_c_drops_the_line_and_two_leave(
    keys: tuple[str, ...], lines: list[str], asked: int, settings: Settings, tmp_path: object, capfd: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    async def open_it() -> Agent:
        raise AssertionError("nothing is said here")

    opening: asyncio.Task[Agent] = asyncio.create_task(asyncio.sleep(60))  # type: ignore[arg-type]
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        talk = Conversation(opening, settings.model_copy(update={"home": tmp_path}), "me", None)
        hint, read = talk.screen.words("leave"), list[str]()

        async def type_it() -> None:
            for key in keys:
                pipe.send_text(key)
                await asyncio.sleep(0.15)

        typing = asyncio.create_task(type_it())
        async with asyncio.timeout(20):
            async for line in talk.typed():
                read.append(line)
        await typing
    opening.cancel()
    assert read == lines
    assert capfd.readouterr().out.count(hint) == asked
