"""A strict scripted chat model: it answers exactly the steps it was given, records what it was asked, and fails on an extra call."""

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import Field, PrivateAttr


class ScriptedModel(BaseChatModel):
    """Gives `steps` in order: a message, or an exception to raise. `calls` holds the messages of each call; `done()` fails on unused steps."""

    steps: list[Any] = Field(default_factory=list)
    calls: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[str] = Field(default_factory=list)
    _script: Iterator[Any] = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        self._script = iter(list(self.steps))

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        self.tools[:] = [t.name for t in tools]
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: CallbackManagerForLLMRun | None = None, **kwargs: Any
    ) -> ChatResult:  # fmt: skip
        self.calls.append(messages)
        step = next(self._script, None)
        assert step is not None, f"unexpected call {len(self.calls)}: {messages[-1]!r}"
        if isinstance(step, BaseException):
            raise step
        return ChatResult(generations=[ChatGeneration(message=AIMessage(step) if isinstance(step, str) else step)])

    def done(self) -> None:
        """Every step was used."""
        left = list(self._script)
        assert not left, f"unused steps: {left!r}"
