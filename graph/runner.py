"""Conversations for callers that own their process: terminal, notebook, benchmarks, tests.

An `Agent` compiles `builder` with the same store and checkpointer that a server is given, finishes what a stopped process left pending before it takes
new input, and keeps answering from its own copy of a thread while Postgres is away.
"""

import asyncio
import logging
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

import psycopg
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot
from psycopg_pool import PoolTimeout

from graph.agent import builder
from graph.briefing import Briefing
from graph.context import Context
from graph.nodes.recall import OUT_OF_REACH
from graph.nodes.remember import episodes_of
from graph.orders import steps_back
from graph.phrases import went_back
from graph.rounds import talk, text_of
from graph.state import File, State
from memory import embedded
from memory.checkpointer import Checkpointer
from memory.clean import well_formed
from memory.errors import BadInput, JizhuError, MemoryUnavailable
from memory.forget import forget
from memory.history import undo_messages
from memory.ingest import archive
from memory.instants import instant
from memory.language import language_of
from memory.lines import flat
from memory.namespace import encode, split_thread_id, thread_id, user_id
from memory.open import open_memory
from memory.record import fingerprint
from memory.remember import Change
from memory.settings import Settings, load_settings
from memory.store import MemoryStore

log = logging.getLogger(__name__)
DOWN: Final = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, MemoryUnavailable, OSError)
Graph = CompiledStateGraph[State, Context, State, State]
KEPT_THREADS: Final = 100
STORED_OPS: Final = frozenset({"add", "supersede"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round as `chat --json` prints it. `stored` lists what was newly kept, long-term or for this session."""

    reply: str
    resolved: str
    context: str
    recalled: tuple[Mapping[str, Any], ...] = ()
    judgement: Mapping[str, Any] = field(default_factory=dict)
    stored: tuple[Mapping[str, str], ...] = ()
    applied: tuple[Mapping[str, Any], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "reply": self.reply, "resolved": self.resolved, "context": self.context, "recalled": list(self.recalled),
            "judgement": dict(self.judgement), "stored": list(self.stored),
        }  # fmt: skip


@dataclass(slots=True)
class _Copy:
    """What this process knows of a thread: its last state, and the messages said while Postgres was away."""

    values: State
    missed: list[AnyMessage] = field(default_factory=list)
    files: list[File] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Finished:
    """The end of a run: the thread's state, and the round."""

    values: State
    round: Round


class Agent:
    """jizhu, ready to talk. Made by `open_agent`; safe for concurrent threads, one round at a time in each."""

    def __init__(self, store: MemoryStore, checkpointer: Checkpointer, settings: Settings) -> None:
        self.store, self.checkpointer, self.settings = store, checkpointer, settings
        self.graph: Graph = builder.compile(checkpointer=checkpointer, store=store, name="jizhu")
        self._alone: Graph = builder.compile(name="jizhu")
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # held by who waits for it
        self._reviving: asyncio.Task[None] | None = None

    async def say(
        self, text: str, *, user: str = "me", thread: str = "default", time: datetime | str | None = None, files: Sequence[Mapping[str, str]] = ()
    ) -> Round:  # fmt: skip
        """One round, whole. Raises BadInput for a user, thread, time or file that cannot be meant."""
        async for piece in self.stream(text, user=user, thread=thread, time=time, files=files):
            if isinstance(piece, Round):
                return piece
        raise AssertionError("a stream ends with its Round")

    async def stream(
        self, text: str, *, user: str = "me", thread: str = "default", time: datetime | str | None = None, files: Sequence[Mapping[str, str]] = ()
    ) -> AsyncIterator[str | Round]:  # fmt: skip
        """The reply in pieces as the model gives it, then the `Round`."""
        config, context = self._config(user, thread), Context(user_id=user)
        stored_id = thread_id(user, thread)
        message = HumanMessage(well_formed(text), id=str(uuid.uuid4()), additional_kwargs={"time": _when(time, self.settings)})
        attached = [_file(f) for f in files]
        if (steps := await asyncio.to_thread(steps_back, message.text, self.settings.rules)) is not None:
            done = await self._go_back(user, thread, steps, message.text)
            yield done.reply
            yield done
            return
        async with self._locks.setdefault(stored_id, asyncio.Lock()):
            try:
                async with self.checkpointer.turn(stored_id):
                    missed = await self._ready(config, context, stored_id)
                    given: State = {"messages": [*missed.missed, message], "files": [*missed.files, *attached]}
                    async for piece in self._run(self.graph, given, config, context):
                        if isinstance(piece, _Finished):
                            finished = piece
                        else:
                            yield piece
                self._keep(stored_id, finished.values)
                if any(r.get("op") == "forget" for r in finished.round.applied):
                    self._drop_copies(user, but=stored_id)
                yield finished.round
            except DOWN as error:
                log.warning("memory is out of reach: %s", type(error).__name__)
                self._revive()
                async for part in self._run_alone(message, attached, context, stored_id):
                    yield part

    async def forget(self, user: str, what: str) -> list[Change]:
        """Forget what is meant, as `memory.forget.forget`, in this process's copies of the user's threads too."""
        changes = await forget(self.store, user, what)
        self._drop_copies(user)
        return changes

    async def sessions(self, user: str = "me") -> list[dict[str, Any]]:
        """This user's threads, the latest first: {"thread", "updated"}."""
        return [{"thread": t.thread, "updated": t.updated_at.isoformat()} for t in await self.checkpointer.threads(user)]

    async def session(self, user: str, thread: str) -> dict[str, Any]:
        """What one thread holds: summary, session facts, referents, files, its recent messages. Raises BadInput when there is none."""
        snapshot = await self._snapshot(user, thread)
        values = snapshot.values
        return {
            "thread": thread, "rounds": sum(isinstance(m, HumanMessage) for m in values.get("messages", [])), "trimmed": values.get("trimmed", 0),
            "summary": values.get("summary", {}), "session": values.get("session", {}), "referents": values.get("referents", []),
            "files": [{"name": f["name"], "md5": f["md5"], "characters": len(f["text"])} for f in values.get("files", [])],
            "messages": [{"role": role, "text": text} for role, text in talk(values.get("messages", []))],
        }  # fmt: skip

    async def end(self, user: str, thread: str) -> dict[str, Any]:
        """End a session: finish and lift what is worth keeping, keep its turns as dated episodes, clear everything else of the thread."""
        config = self._config(user, thread)
        stored_id = thread_id(user, thread)
        async with self._turn(stored_id):
            await self._catch_up(config, Context(user_id=user), stored_id)
            snapshot = await self._snapshot(user, thread)
            values = snapshot.values
            turns = [*values.get("leaving", []), *values.get("messages", [])]
            kept = (
                episodes_of(turns, user, stored_id, values.get("trimmed", 0) - len(values.get("leaving", [])))
                if self.settings.episodes == "on"
                else []
            )
            if kept:
                await archive(self.store, user, kept)
            await self.checkpointer.adelete_thread(stored_id)
            self._copies.pop(stored_id, None)
        return {"thread": thread, "episodes": len(kept), "session_facts": len(values.get("session", {}))}

    async def undo(self, user: str, thread: str, steps: int = 1) -> dict[str, Any]:
        """Go back `steps` rounds, with the memories they wrote. Too many: to the start, and `at_start` says so."""
        if steps < 1:
            raise BadInput("Say how many rounds to go back: 1 or more.")
        config = self._config(user, thread)
        stored_id = thread_id(user, thread)
        async with self._turn(stored_id):
            await self._catch_up(config, Context(user_id=user), stored_id)
            latest = snapshot = await self._snapshot(user, thread)
            undone, before = 0, None
            while undone < steps:
                parent = snapshot.parent_config
                if snapshot.metadata and snapshot.metadata.get("source") == "input":
                    undone, before = undone + 1, parent
                if parent is None:
                    break
                snapshot = await self.graph.aget_state(parent)
            target = await self.graph.aget_state(before) if before else None
            kept = {m.id for m in (target.values.get("messages", []) if target else [])}
            kept |= {m.id for m in (target.values.get("leaving", []) if target else [])}
            gone = [m for m in latest.values.get("messages", []) if isinstance(m, HumanMessage) and m.id not in kept]
            changes = await undo_messages(self.store, user, [str(m.id) for m in gone])
            if before and target and target.values:
                await self.graph.aupdate_state(before, None, as_node="remember")
            else:
                await self.checkpointer.adelete_thread(stored_id)
            self._copies.pop(stored_id, None)
        return {
            "thread": thread,
            "undone": undone,
            "at_start": not kept,
            "messages": [text_of(m) for m in gone],
            "memories": [c.as_json() for c in changes],
        }

    async def sweep(self) -> int:
        """End the threads of all users that have been idle for longer than JIZHU_SESSION_TTL; how many. Nothing when it is 0."""
        if not self.settings.session_ttl:
            return 0
        idle = await self.checkpointer.idle(datetime.now(UTC) - timedelta(hours=self.settings.session_ttl))
        for found in idle:
            await self.end(found.user, found.thread)
        return len(idle)

    async def aclose(self) -> None:
        """Judge and store what was said while Postgres was away, if it is back."""
        if self._reviving is not None:
            await self._reviving
        for stored_id, copy in list(self._copies.items()):
            if copy.missed:
                user, thread = split_thread_id(stored_id)
                try:
                    await self._catch_up(self._config(user, thread), Context(user_id=user), stored_id)
                except DOWN as error:
                    log.warning("what was said while memory was away is lost: %s", type(error).__name__)

    @asynccontextmanager
    async def _turn(self, stored_id: str) -> AsyncIterator[None]:
        """The thread's turn, in this process and among all."""
        async with self._locks.setdefault(stored_id, asyncio.Lock()), self.checkpointer.turn(stored_id):
            yield

    # ---- one round -----------------------------------------------------------------------------------------------------------------------------

    async def _go_back(self, user: str, thread: str, steps: int, text: str) -> Round:
        """The round of a message that orders to go back: it leaves no trace in the thread itself."""
        lang = language_of(text)
        try:
            done: dict[str, Any] | None = await self.undo(user, thread, steps)
        except BadInput:
            done = None
        except DOWN as error:
            log.warning("memory is out of reach: %s", type(error).__name__)
            return Round(reply=OUT_OF_REACH[lang], resolved=text, context="")
        return Round(reply=went_back(done, lang), resolved=text, context="", applied=tuple(done["memories"]) if done else ())

    async def _ready(self, config: RunnableConfig, context: Context, stored_id: str) -> _Copy:
        """Finish what a stopped run left pending; the messages said while Postgres was away, to be judged with the next."""
        snapshot = await self.graph.aget_state(config)
        if snapshot.next:
            await self.graph.ainvoke(None, config, context=context, durability="sync")
        return self._copies.get(stored_id) or _Copy(values={})

    async def _catch_up(self, config: RunnableConfig, context: Context, stored_id: str) -> None:
        """Judge and store what was said while Postgres was away, without waiting for the next message."""
        copy = await self._ready(config, context, stored_id)
        while copy.missed and isinstance(copy.missed[-1], AIMessage):
            copy.missed.pop()
        if copy.missed:
            async for _ in self._run(self.graph, {"messages": copy.missed, "files": copy.files}, config, context):
                pass
            del self._copies[stored_id]

    async def _run(self, graph: Graph, given: State, config: RunnableConfig | None, context: Context) -> AsyncIterator[str | _Finished]:
        """The reply in pieces, then the state and the round. Only the reply's own tokens are shown, whatever other models run."""
        seen: dict[str, Any] = {}
        values: State = {}
        kept = {"briefing", "applied", "judgement", "resolved"}
        async for mode, event in graph.astream(
            given, config, context=context, stream_mode=["messages", "updates", "values"], durability="sync" if config else None
        ):  # fmt: skip
            data: Any = event
            if mode == "messages":
                chunk, meta = data
                if meta.get("langgraph_node") == "generate_reply" and isinstance(chunk, AIMessage) and text_of(chunk):
                    yield text_of(chunk)
            elif mode == "updates":
                for node, update in data.items():
                    seen.update({k: v for k, v in (update or {}).items() if k in kept and (v or node != "remember")})
                    if node == "generate_reply":
                        seen["messages"] = update["messages"]
            else:
                values = data
        yield _Finished(values, _round(values, seen, context, self.settings))

    async def _run_alone(self, message: HumanMessage, files: list[File], context: Context, stored_id: str) -> AsyncIterator[str | Round]:
        """The round while Postgres is away: from this process's copy of the thread, without a store; the message waits to be judged."""
        copy = self._copies.get(stored_id) or _Copy(values={})
        known = copy.values.get("messages", [])
        here = {m.id for m in known}
        start: State = {**copy.values, "messages": [*known, *(m for m in copy.missed if m.id not in here), message]}
        start["files"] = [*copy.values.get("files", []), *files]
        async for piece in self._run(self._alone, start, None, context):
            if isinstance(piece, _Finished):
                copy.missed += [message, AIMessage(piece.round.reply, id=str(uuid.uuid4()))]
                copy.files += files
                self._copies[stored_id] = copy
                yield piece.round
            else:
                yield piece

    def _revive(self) -> None:
        """See in the background whether our own Postgres has crashed, and start it again for the next round."""
        if self.settings.database_url is None and (self._reviving is None or self._reviving.done()):
            self._reviving = asyncio.create_task(_revived(self.settings.data_dir))

    def _keep(self, stored_id: str, values: State) -> None:
        self._copies[stored_id] = _Copy(values=values)
        self._copies.move_to_end(stored_id)
        while len(self._copies) > KEPT_THREADS:
            oldest = next((k for k, c in self._copies.items() if not c.missed), None)
            if oldest is None:
                break
            del self._copies[oldest]

    def _drop_copies(self, user: str, but: str = "") -> None:
        """The copies of a user's threads were made before something was forgotten; those with messages that are still to be judged stay."""
        prefix = f"{encode(user_id(user))}:"
        for stored_id in [k for k, c in self._copies.items() if k.startswith(prefix) and k != but and not c.missed]:
            del self._copies[stored_id]

    async def _snapshot(self, user: str, thread: str) -> StateSnapshot:
        snapshot = await self.graph.aget_state(self._config(user, thread))
        if not snapshot.values:
            raise BadInput(f"There is no session called {thread!r}.")
        return snapshot

    def _config(self, user: str, thread: str) -> RunnableConfig:
        return {"configurable": {"thread_id": thread_id(user, thread)}}


@asynccontextmanager
async def open_agent(settings: Settings | None = None) -> AsyncIterator[Agent]:
    """An `Agent` on the configured Postgres. Raises MemoryUnavailable when it cannot be opened."""
    settings = settings or load_settings()
    async with open_memory(settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, settings)
        sweeping = asyncio.create_task(agent.sweep())
        try:
            yield agent
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError, JizhuError, psycopg.Error, PoolTimeout):
                await sweeping
            await agent.aclose()


async def _revived(data_dir: Path) -> None:
    try:
        await asyncio.to_thread(embedded.revive, data_dir)
    except JizhuError as error:
        log.warning("the embedded Postgres could not be started again: %s", error)


def _round(values: State, seen: Mapping[str, Any], context: Context, settings: Settings) -> Round:
    briefing: Briefing = seen.get("briefing") or Briefing()
    applied = tuple(seen.get("applied") or ())
    judgement = seen.get("judgement") or {}
    long = [{"scope": "long", "attribute": str(r["attribute"]), "value": str(r["value"])} for r in applied if r.get("op") in STORED_OPS]
    session = [{"scope": "session", "attribute": f["attribute"], "value": f["value"]} for f in judgement.get("session", ())]
    messages = seen.get("messages") or values.get("messages", [])  # as the reply was given: what a round forgot is not in the state any more
    return Round(
        reply=text_of(messages[-1]) if messages and isinstance(messages[-1], AIMessage) else "",
        resolved=seen.get("resolved") or values.get("resolved", ""),
        context=briefing.text(context.memory_tokens or settings.memory_tokens),
        recalled=tuple(h.as_json() for h in [*briefing.facts, *briefing.episodes]),
        judgement=judgement,
        stored=(*long, *session),
        applied=applied,
    )


def _when(time: datetime | str | None, settings: Settings) -> str:
    return (datetime.now(settings.zone) if time is None else instant(time, settings.zone)).isoformat()


def _file(given: Mapping[str, str]) -> File:
    name, text = given.get("name"), given.get("text")
    name = flat(well_formed(name)) if isinstance(name, str) else ""
    if not isinstance(text, str) or not name:
        raise BadInput('A file needs a "name" and a "text".')
    text = well_formed(text)
    return {"name": name, "md5": fingerprint(text), "text": text}


__all__ = ["Agent", "JizhuError", "Round", "open_agent"]
