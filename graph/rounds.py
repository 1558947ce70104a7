"""Messages as rounds: valid order, what leaves the window, what fits a model's budget. Pure.

A round is a human message and everything up to the next one. Whatever is cut is cut at a round's border, so a tool call never loses its results.
"""

import json
from collections.abc import Sequence
from typing import Final, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage, merge_message_runs

from memory.tokens import count_tokens, cut_to_tokens

OVERHEAD: Final = 4  # tokens a chat format spends on each message's frame
UNANSWERED: Final = "(no result: the call was interrupted)"


def text_of(message: AnyMessage) -> str:
    """The text of a message, whatever form its content has."""
    return message.text if isinstance(message.text, str) else str(message.content)


def talk(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """What was said, as (role, text): the user's messages and the replies that have words."""
    return [("assistant" if m.type == "ai" else "user", text_of(m)) for m in messages if m.type in {"human", "ai"} and text_of(m)]


def tokens_of(message: AnyMessage) -> int:
    """Tokens of a message as a model is charged for it: text, tool calls and the frame."""
    calls = json.dumps(message.tool_calls, ensure_ascii=False, default=str) if isinstance(message, AIMessage) and message.tool_calls else ""
    return count_tokens(text_of(message)) + (count_tokens(calls) if calls else 0) + OVERHEAD


def rounds(messages: Sequence[AnyMessage]) -> list[list[AnyMessage]]:
    """The messages in rounds; anything before the first human message is a round of its own."""
    out: list[list[AnyMessage]] = []
    for message in messages:
        if isinstance(message, HumanMessage) or not out:
            out.append([])
        out[-1].append(message)
    return out


def repaired(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The same conversation in an order every model accepts.

    A tool call without its result gets one that says so, directly behind the call; a tool result without its call is left out.
    """
    results = {m.tool_call_id: m for m in messages if isinstance(m, ToolMessage)}
    out: list[AnyMessage] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            continue
        out.append(message)
        if isinstance(message, AIMessage):
            for call in message.tool_calls:
                call_id = call["id"] or ""
                out.append(results.get(call_id) or ToolMessage(UNANSWERED, tool_call_id=call_id, name=call["name"], status="error"))
    return out


def window(messages: Sequence[AnyMessage], *, recent: int, above_rounds: int, above_tokens: int) -> int:
    """How many leading messages leave the window: none up to `above_rounds` rounds and `above_tokens` tokens, else all but the `recent` last rounds.

    The last round always stays; of the recent ones, the oldest leave too while the rest has more than `above_tokens` tokens.
    """
    split = rounds(messages)
    sizes = [sum(map(tokens_of, r)) for r in split]
    if len(split) <= above_rounds and sum(sizes) <= above_tokens:
        return 0
    keep = min(recent, len(split))
    while keep > 1 and sum(sizes[-keep:]) > above_tokens:
        keep -= 1
    return sum(len(r) for r in split[: len(split) - keep])


def fit(messages: Sequence[AnyMessage], limit: int) -> list[AnyMessage]:
    """What a model is sent: repaired, neighbours of one role merged, whole rounds from the end within `limit` tokens.

    It starts with a human message. The last human message is never dropped; where it alone exceeds the limit it is cut with a mark, and so is any
    single message of the last round.
    """
    split = [r for r in rounds(repaired([m for m in messages if not isinstance(m, SystemMessage)])) if isinstance(r[0], HumanMessage)]
    if not split:
        return []
    last = split[-1]
    kept = _within(last, limit)
    left = limit - sum(map(tokens_of, kept))
    for earlier in reversed(split[:-1]):
        size = sum(map(tokens_of, earlier))
        if size > left:
            break
        kept, left = [*earlier, *kept], left - size
    return _merged(kept)


def _within(messages: list[AnyMessage], limit: int) -> list[AnyMessage]:
    sizes = [tokens_of(m) for m in messages]
    if sum(sizes) <= limit:
        return messages
    share = max(64, limit // max(1, len(messages)))
    out = []
    for message, size in zip(messages, sizes, strict=True):
        room = max(share, limit - (sum(sizes) - size)) if size > share else size
        out.append(message.model_copy(update={"content": cut_to_tokens(text_of(message), room - OVERHEAD)}) if size > room else message)
    return out


def _merged(messages: list[AnyMessage]) -> list[AnyMessage]:
    """Neighbouring human messages, and neighbouring plain replies, become one; tool calls and results stay as they are."""
    out: list[AnyMessage] = []
    for message in messages:
        same = out and type(out[-1]) is type(message) and isinstance(message, (HumanMessage, AIMessage))
        if same and not (isinstance(message, AIMessage) and (message.tool_calls or getattr(out[-1], "tool_calls", None))):
            out[-1:] = cast(list[AnyMessage], merge_message_runs([out[-1], message]))
        else:
            out.append(message)
    return out
