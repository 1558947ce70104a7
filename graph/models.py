"""Which model replies: the offline one, or any OpenAI-compatible one, from settings and the run's context."""

from functools import lru_cache
from typing import Final

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from graph.offline import OfflineModel
from memory.settings import Settings

CONTEXT_TOKENS: Final = 16_000  # what a request may hold, unless the model is known to take more: small local models are common


def reply_model(name: str | None, settings: Settings) -> BaseChatModel:
    """The model called `name` (``offline`` or ``openai:NAME``; None: as configured). Raises BadSettings for anything else."""
    return chat_model(name or settings.model_name, settings)


def chat_model(name: str, settings: Settings, *, temperature: float | None = None) -> BaseChatModel:
    """A chat model by its name, made once per process. Raises BadSettings."""
    settings.check_model(name)
    if name == "offline":
        return OfflineModel()
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    return _openai(name.partition(":")[2], settings.openai_base_url, key or "none", settings.model_timeout, settings.model_retries, temperature)


@lru_cache(maxsize=16)
def _openai(model: str, base_url: str | None, key: str, timeout: float, retries: int, temperature: float | None) -> BaseChatModel:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=model, base_url=base_url, api_key=SecretStr(key), timeout=timeout, max_retries=retries, temperature=temperature, streaming=True,
        stream_usage=False,
    )  # fmt: skip
