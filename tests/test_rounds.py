"""Trimming never breaks a conversation."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage

from graph.rounds import UNANSWERED, fit, repaired, rounds, text_of, tokens_of, window
from memory.tokens import CUT_MARK


def calling(call_id: str) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name="f", args={}, id=call_id, type="tool_call")])


@st.composite
def conversations(draw: st.DrawFn) -> list[AnyMessage]:
    """Any sequence of messages, tool calls with and without results, results without calls."""
    out: list[AnyMessage] = []
    for n, kind in enumerate(draw(st.lists(st.sampled_from(["human", "ai", "call", "orphan", "silent", "system"]), max_size=30))):
        text = draw(st.text(max_size=40))
        made: dict[str, list[AnyMessage]] = {
            "human": [HumanMessage(text)], "ai": [AIMessage(text)], "call": [calling(f"c{n}"), ToolMessage(text, tool_call_id=f"c{n}")],
            "orphan": [ToolMessage(text, tool_call_id=f"o{n}")], "silent": [calling(f"s{n}")], "system": [SystemMessage(text)],
        }  # fmt: skip
        out += made[kind]
    return out


@given(conversations(), st.integers(100, 2000))
def test_what_a_model_is_sent_is_valid(messages: list[AnyMessage], limit: int) -> None:
    sent = fit(messages, limit)
    humans = [m for m in messages if isinstance(m, HumanMessage)]
    assert bool(sent) == bool(humans)
    if not sent:
        return
    assert isinstance(sent[0], HumanMessage)
    assert text_of(humans[-1]) in text_of(next(m for m in reversed(sent) if isinstance(m, HumanMessage))) or CUT_MARK in text_of(sent[0])
    open_calls: list[Any] = []
    previous: AnyMessage | None = None
    for message in sent:
        if isinstance(message, ToolMessage):
            assert message.tool_call_id in open_calls
            open_calls.remove(message.tool_call_id)
        else:
            assert not open_calls
            assert not (isinstance(message, HumanMessage) and isinstance(previous, HumanMessage))
            open_calls = [c["id"] for c in message.tool_calls] if isinstance(message, AIMessage) else []
        previous = message
    assert not open_calls


@given(conversations(), st.integers(1, 6), st.integers(1, 8), st.integers(10, 300))
def test_window_cuts_between_rounds_and_keeps_the_last(messages: list[AnyMessage], recent: int, above: int, tokens: int) -> None:
    gone = window(messages, recent=recent, above_rounds=above, above_tokens=tokens)
    assert 0 <= gone <= max(0, len(messages) - 1)
    if gone:
        assert isinstance(messages[gone], HumanMessage)
        assert len(rounds(messages[gone:])) <= recent


def test_nothing_leaves_below_both_thresholds() -> None:
    messages = [m for n in range(10) for m in (HumanMessage(f"问题{n}"), AIMessage(f"回答{n}"))]
    assert window(messages, recent=5, above_rounds=10, above_tokens=2000) == 0
    assert window([*messages, HumanMessage("再问")], recent=5, above_rounds=10, above_tokens=2000) == 12


def test_a_message_larger_than_the_window_is_cut_with_a_mark() -> None:
    sent = fit([HumanMessage("长" * 50_000)], 1000)
    assert len(sent) == 1 and CUT_MARK in text_of(sent[0])
    assert tokens_of(sent[0]) <= 1000


def test_a_call_without_a_result_gets_one() -> None:
    fixed = repaired([HumanMessage("hi"), calling("x"), HumanMessage("again")])
    assert [type(m).__name__ for m in fixed] == ["HumanMessage", "AIMessage", "ToolMessage", "HumanMessage"]
    assert text_of(fixed[2]) == UNANSWERED
