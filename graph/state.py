"""What one thread holds: its short-term memory, kept by the checkpointer.

Text of long-term memories never enters a checkpoint (it lives in `UntrackedValue`s), so that forgetting a memory reaches every thread; checkpoints
hold ids and scores.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from graph.briefing import Briefing


class File(TypedDict):
    """A file given in the conversation; `md5` is over its text."""

    name: str
    md5: str
    text: str


class RecalledRef(TypedDict):
    """What was recalled for the running round: where to find it, never what it says."""

    id: str
    kind: str
    score: float


def merge_files(old: Sequence[File] | None, new: Sequence[File] | None) -> list[File]:
    """Files by name: giving one again replaces it."""
    return list({f["name"]: f for f in [*(old or ()), *(new or ())]}.values())


class State(TypedDict, total=False):
    """The graph's state.

    `user` is whose thread it is, as storage labels him, so that erasing a user reaches the threads that a server named itself; `judged_through` is the id of the last human message the judge has seen; `trimmed` counts the messages that have left the window so far;
    `leaving` holds those that left in this round until they are archived; `applied` is what the memory tools reported done in this round.
    """

    user: str
    messages: Annotated[list[AnyMessage], add_messages]
    summary: dict[str, Any]
    session: dict[str, str]
    referents: list[str]
    files: Annotated[list[File], merge_files]
    resolved: str
    judgement: dict[str, Any]
    judged_through: str
    recalled: list[RecalledRef]
    trimmed: int
    leaving: list[AnyMessage]
    applied: Annotated[list[Mapping[str, Any]], UntrackedValue(list)]
    briefing: Annotated[Briefing, UntrackedValue(Briefing)]
