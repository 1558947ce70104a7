"""`jizhu demo`: the six-turn walk of a customer, with everything that happens shown, on a user of its own who is erased at the end."""

import asyncio
import secrets
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.conversation import PROMPT
from cli.options import Json
from cli.output import console, emit, plain, table
from cli.screen import Screen
from cli.words import machine_language
from memory.language import Language, label
from memory.settings import load_settings

if TYPE_CHECKING:
    from graph.runner import Agent, Round

WALK: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("你好，我叫张三", "你好！今天深圳天气怎么样？", "我不喜欢推荐太贵的东西，我是个学生", "那你们的产品有什么推荐吗？", "它多少钱？", "谢谢，再见！"),
    "en": (
        "Hello, my name is Sam Carter.", "What's the weather like in Boston today?", "I don't like expensive recommendations, I'm a student.",
        "So which of your products would you recommend?", "How much is it?", "Thanks, goodbye!",
    ),
}  # fmt: skip
LATER: Final[dict[Language, tuple[str, ...]]] = {"zh": ("我叫什么名字？", "我住在哪？"), "en": ("What is my name?", "Where do I live?")}
STEPS: Final[dict[Language, dict[str, str]]] = {
    "zh": {"judged": "判断", "context": "给回复模型的上下文", "held": "会话中的短期记忆", "kept": "长期记忆", "ended": "会话结束：会话事实清空，对话存档", "later": "新的会话"},
    "en": {"judged": "judged", "context": "context for the reply", "held": "short-term memory of the thread", "kept": "long-term memory",
           "ended": "session ended: passing facts cleared, turns archived", "later": "a new thread"},
}  # fmt: skip


def demo(lang: Annotated[str, typer.Option("--lang", metavar="L", help="zh or en; default: the machine's")] = "", json: Json = False) -> None:
    """Play and explain a conversation.

    Six turns on a user of its own, with everything that happens shown; it leaves nothing behind.
    """
    if lang not in {"", "zh", "en"}:
        raise typer.BadParameter("--lang is zh or en")
    asyncio.run(_demo("en" if lang == "en" else "zh" if lang else machine_language(), json))


async def _demo(lang: Language, json: bool) -> None:
    from graph.runner import open_agent
    from memory.current import current

    user = f"demo-{secrets.token_hex(4)}"
    async with open_agent(load_settings()) as agent:
        try:
            for text in WALK[lang]:
                await _round(agent, user, "walk", text, lang, json)
            held, kept = await agent.session(user, "walk"), await current(agent.store, user)
            await agent.end(user, "walk")
            if json:
                emit({"session": held["session"], "referents": held["referents"], "memories": [m.as_json() for m in kept]})
            else:
                _heading(STEPS[lang]["held"])
                console().print("  " + plain("; ".join([*(f"{k} {v}" for k, v in held["session"].items()), *held["referents"]])))
                _heading(STEPS[lang]["kept"])
                table(["", "", ""], (["  " + label(m.attribute, lang), m.value, m.reason] for m in kept))
                _heading(STEPS[lang]["ended"])
                _heading(STEPS[lang]["later"])
            for text in LATER[lang]:
                await _round(agent, user, "later", text, lang, json)
        finally:
            await agent.store.erase(user)


async def _round(agent: "Agent", user: str, thread: str, text: str, lang: Language, json: bool) -> None:
    screen, done = Screen(lang), None
    if not json:
        console().print(PROMPT + text, style="bold")
    async for piece in agent.stream(text, user=user, thread=thread):
        if isinstance(piece, str):
            if not json:
                screen.piece(piece)
        else:
            done = piece
    if done is None:
        return
    if json:
        emit({"text": text, **done.as_json()})
        return
    screen.after(text, done)
    _details(done, lang)


def _details(done: "Round", lang: Language) -> None:
    words = STEPS[lang]
    judged: dict[str, Any] = dict(done.judgement)
    for clause in judged.get("clauses", ()):
        parts = " ".join(f"{name} {value:+.2f}" for name, value in clause["parts"].items())
        line = f"  {words['judged']}: {plain(clause['text'])} → {clause['memory_type']} {clause['intent']} {clause['score']:.2f} ({parts})"
        console().print(line, style="dim")
        console().print(f"    {plain(clause['reason'])}", style="dim")
    console().print(f"  {words['context']}:", style="dim")
    for line in done.context.splitlines():
        console().print("  │ " + plain(line), style="dim")
    console().print()


def _heading(text: str) -> None:
    console().print(f"— {text}", style="bold")
