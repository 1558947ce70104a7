"""What a caller may choose for one run."""

from dataclasses import dataclass


@dataclass(kw_only=True)
class Context:
    """The run's context. On a server with authentication the user is the authenticated identity, whatever `user_id` says.

    `model` is ``offline`` or ``openai:NAME`` (None: as configured); `memory_tokens` caps the memory part of the context, `history_tokens` and
    `recent_rounds` steer trimming (None: as configured).
    """

    user_id: str = "me"
    model: str | None = None
    memory_tokens: int | None = None
    history_tokens: int | None = None
    recent_rounds: int | None = None
