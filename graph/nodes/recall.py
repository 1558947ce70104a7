"""recall: what long-term memory holds that bears on the message. A store that fails is said, not raised."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from graph.briefing import Briefing, profile_of
from graph.context import Context
from graph.questions import asks, is_small_talk, wants_all
from graph.rounds import text_of
from graph.state import State
from memory.current import current
from memory.database import FAILURES
from memory.language import language_of
from memory.namespace import namespace
from memory.recall import Recalled
from memory.record import Memory
from memory.search import recall
from tools.runtime import time_of, user_of

log = logging.getLogger(__name__)
FACTS, EPISODES, WHOLE = 8, 4, 200
PROFILE = ("instruction", "identity", "preference", "relationship")
OUT_OF_REACH = {"zh": "现在无法读取记忆。", "en": "Memory cannot be read right now."}


async def recall_memories(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The profile and the hits for the resolved message: ids and scores for the checkpoint, the text only for this run."""
    messages = state.get("messages", [])
    briefing = await look_up(state, runtime)
    hits = [*briefing.facts, *briefing.episodes]
    return {"briefing": briefing, "recalled": [{"id": h.id, "kind": h.kind, "score": round(h.score, 4)} for h in hits] if messages else []}


async def look_up(state: State, runtime: Runtime[Context]) -> Briefing:
    """A briefing with what long-term memory knows; with `problem` set where it cannot be reached."""
    messages = state.get("messages", [])
    resolved = state.get("resolved") or (text_of(messages[-1]) if messages else "")
    lang = language_of(resolved, *(text_of(m) for m in reversed(messages[-6:])))
    now = time_of(messages[-1] if messages else None)
    store: BaseStore | None = runtime.store
    if store is None:
        return Briefing(lang=lang, message=resolved, now=now, problem=OUT_OF_REACH[lang])
    try:
        user = user_of(runtime)
        # a question stands on its own once it is resolved: what was asked before would only pull its answer in again; a statement is searched beside
        # the message before it, whose embedding is at hand
        talk = [] if asks(resolved) else [m for m in messages[:-1] if m.type == "human"]
        history = [text_of(m) for m in talk][-1:]
        profile, found = await asyncio.gather(_profile(store, user, resolved), _found(store, user, resolved, history, now))
    except FAILURES as error:
        log.warning("recall failed: %s", type(error).__name__)
        return Briefing(lang=lang, message=resolved, now=now, problem=OUT_OF_REACH[lang])
    return Briefing(
        lang=lang if resolved.strip() else language_of(*(m.content for m in profile)),
        message=resolved,
        now=now,
        profile=profile_of(profile),
        facts=tuple(h for h in found.hits if h.kind == "fact")[:FACTS],
        episodes=tuple(h for h in found.hits if h.kind == "episode")[:EPISODES],
        answerable=found.answerable,
    )


async def refreshed(briefing: Briefing, runtime: Runtime[Context], changes: Sequence[Mapping[str, Any]]) -> Briefing:
    """The briefing after tools changed memory: the profile is read again, and what is no longer so is dropped; nothing is searched anew."""
    store = runtime.store
    if store is None:
        return briefing
    gone = [str(c["value"]) for c in changes if c.get("op") == "forget" and c.get("value")]
    facts = [h for h in briefing.facts if h.memory is not None]
    try:
        user = user_of(runtime)
        profile, items = await asyncio.gather(
            _profile(store, user, briefing.message),
            asyncio.gather(*(store.aget(namespace(user, h.memory.category), h.id) for h in facts if h.memory is not None)),
        )
    except FAILURES as error:
        log.warning("recall failed: %s", type(error).__name__)
        return replace(briefing, problem=OUT_OF_REACH[briefing.lang])
    past = [h for h in facts if h.memory is not None and h.memory.valid_to is not None and not any(g == h.memory.value for g in gone)]
    return replace(
        briefing,
        profile=profile_of(profile),
        facts=tuple(h for h, item in zip(facts, items, strict=True) if item is not None or h in past),
        episodes=tuple(h for h in briefing.episodes if not any(g in h.text for g in gone)),
    )


async def _profile(store: BaseStore, user: str, message: str) -> list[Memory]:
    """The lasting picture of the user; all there is where the message asks for that."""
    return await (current(store, user, limit=WHOLE) if wants_all(message) else current(store, user, PROFILE, limit=30))


async def _found(store: BaseStore, user: str, query: str, history: list[str], now: datetime) -> Recalled:
    if not query.strip() or is_small_talk(query):
        return Recalled()
    return await recall(store, user, query, history=history, k=FACTS + EPISODES, now=now)
