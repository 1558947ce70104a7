"""The offline model: composes replies from memory, without a language model, and says that it does.

It is a real chat model (it streams, it can be swapped for any other), but what it answers from is the `Briefing` it is bound to, as data; it never
parses a prompt.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable

from graph.briefing import Briefing
from graph.phrases import compose

MARK: Final = {"model_name": "jizhu-offline"}


class OfflineModel(BaseChatModel):
    """Answers from the briefing given as ``briefing=`` (see `bind`); without one it can only say that it is offline."""

    @property
    def _llm_type(self) -> str:
        return MARK["model_name"]

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        """It calls no tools: what memory needs doing, the graph has done before it is asked."""
        return self.bind(**kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(_reply(kwargs.get("briefing")), response_metadata=dict(MARK)))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(kwargs.get("briefing")):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(kwargs.get("briefing")):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk


def _reply(briefing: Briefing | None) -> str:
    return compose(briefing if briefing is not None else Briefing())


def _chunks(briefing: Briefing | None, size: int = 8) -> Iterator[ChatGenerationChunk]:
    """The reply in small pieces, as a streaming model gives it; the first one carries the mark."""
    text = _reply(briefing)
    for at in range(0, len(text), size):
        yield ChatGenerationChunk(message=AIMessageChunk(content=text[at : at + size], response_metadata={} if at else dict(MARK)))


def is_offline(message: AnyMessage) -> bool:
    """Whether this reply was composed offline, so that its phrases are nobody's topic."""
    return message.response_metadata.get("model_name") == MARK["model_name"]


def said_before(messages: Sequence[AnyMessage]) -> bool:
    """Whether this conversation already has a reply, so that being offline is said only once."""
    return any(isinstance(m, AIMessage) and m.text for m in messages)
