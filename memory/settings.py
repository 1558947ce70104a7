"""Every setting, typed, read once from the environment and a `.env` file. Nothing else in jizhu reads the environment."""

import os
from datetime import tzinfo
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory.errors import BadSettings


class Settings(BaseSettings):
    """What an operator may choose. Construct through `load_settings`, which turns nonsense into one sentence."""

    # Code may name fields (`home=`); the environment may not: without a prefix of their own, HOME, MODEL or TIMEZONE would be read as settings.
    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, populate_by_name=True, env_ignore_empty=True, env_prefix="only in code: "
    )

    home: Annotated[Path | None, Field(alias="JIZHU_HOME", description="data directory: embedded database and local files")] = None
    database_url: Annotated[
        SecretStr | None, Field(alias="DATABASE_URL", description="your own Postgres (needs the vector extension); unset: the embedded one")
    ] = None
    database_read_url: Annotated[SecretStr | None, Field(alias="DATABASE_READ_URL", description="a read replica for recall")] = None
    model: Annotated[str | None, Field(alias="JIZHU_MODEL", description="offline, or openai:NAME for any OpenAI-compatible model")] = None
    summary_model: Annotated[
        str | None, Field(alias="JIZHU_SUMMARY_MODEL", description="a stronger model for summaries that fail their quality check")
    ] = None
    openai_api_key: Annotated[SecretStr | None, Field(alias="OPENAI_API_KEY", description="key of the model's API")] = None
    openai_base_url: Annotated[str | None, Field(alias="OPENAI_BASE_URL", description="any OpenAI-compatible endpoint")] = None
    model_timeout: Annotated[float, Field(alias="JIZHU_MODEL_TIMEOUT", gt=0, le=600, description="seconds to wait for the model")] = 60.0
    model_retries: Annotated[int, Field(alias="JIZHU_MODEL_RETRIES", ge=0, le=10, description="tries after a failed model call")] = 2
    embeddings: Annotated[str, Field(alias="JIZHU_EMBEDDINGS", description="local, or openai:NAME")] = "local"
    embeddings_base_url: Annotated[str | None, Field(alias="JIZHU_EMBEDDINGS_BASE_URL", description="endpoint of the embedding model")] = None
    embeddings_api_key: Annotated[SecretStr | None, Field(alias="JIZHU_EMBEDDINGS_API_KEY", description="key of the embedding model's API")] = None
    reranker: Annotated[str | None, Field(alias="JIZHU_RERANKER", description="a cross-encoder: local path or endpoint")] = None
    rules: Annotated[Path | None, Field(alias="JIZHU_RULES", description="your own rule file on top of the built-in ones")] = None
    episodes: Annotated[Literal["on", "off"], Field(alias="JIZHU_EPISODES", description="keep turns as dated episodes when a session ends")] = "on"
    timezone: Annotated[str | None, Field(alias="JIZHU_TIMEZONE", description="gives naive times and 今天 their day; unset: the machine's")] = None
    lock_wait: Annotated[
        float, Field(alias="JIZHU_LOCK_WAIT", ge=0, le=600, description="seconds a writer waits for another writer of the same user")
    ] = 5.0
    session_ttl: Annotated[
        float, Field(alias="JIZHU_SESSION_TTL", ge=0, description="hours after which an idle thread is lifted and cleared; 0: never")
    ] = 0.0
    memory_tokens: Annotated[int, Field(alias="JIZHU_MEMORY_TOKENS", ge=100, le=100_000, description="token budget of memory in the context")] = 1000
    history_tokens: Annotated[
        int, Field(alias="JIZHU_HISTORY_TOKENS", ge=100, le=1_000_000, description="history tokens above which trimming starts")
    ] = 2000
    recent_rounds: Annotated[int, Field(alias="JIZHU_RECENT_ROUNDS", ge=1, le=1000, description="rounds kept verbatim after trimming")] = 5
    trim_rounds: Annotated[int, Field(alias="JIZHU_TRIM_ROUNDS", ge=1, le=1000, description="rounds above which trimming starts")] = 10

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                ZoneInfo(value)
            except (KeyError, ValueError, OSError):
                raise ValueError(f"{value!r} is not a time zone name such as Asia/Shanghai") from None
        return value

    @field_validator("model", "summary_model")
    @classmethod
    def _known_model(cls, value: str | None) -> str | None:
        if value is not None and value != "offline" and not (value.startswith("openai:") and value[7:].strip()):
            raise ValueError("must be offline or openai:NAME")
        return value

    @field_validator("openai_base_url", "embeddings_base_url")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                parts = urlsplit(value)
                whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 80) > 0
            except ValueError:
                whole = False
            if not whole:
                raise ValueError("must be an address such as https://host/v1")
        return value

    @field_validator("embeddings")
    @classmethod
    def _known_embeddings(cls, value: str) -> str:
        if value != "local" and not (value.startswith("openai:") and value[7:].strip()):
            raise ValueError("must be local or openai:NAME")
        return value

    @property
    def model_name(self) -> str:
        """The model in use: as set, else a small OpenAI model when a key or base URL is given, else offline."""
        if self.model:
            return self.model
        return "openai:gpt-4o-mini" if self.openai_api_key or self.openai_base_url else "offline"

    def check_model(self, name: str) -> None:
        """Raises BadSettings for a model that cannot be had: of an unknown kind, or without what its server asks for."""
        kind, _, model = name.partition(":")
        if name != "offline" and (kind != "openai" or not model.strip()):
            raise BadSettings(f"Unknown model {name!r}: use offline, or openai:NAME for any OpenAI-compatible model.")
        if name != "offline" and not self.openai_api_key and self.openai_base_url is None:
            raise BadSettings("The model needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server that takes none; JIZHU_MODEL=offline works without.")

    @property
    def data_dir(self) -> Path:
        """Where files live. As root it is under /var/lib, whose ancestors are open: the embedded server runs as another user there."""
        if self.home is not None:
            return self.home.expanduser().absolute()
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            return Path("/var/lib/jizhu")
        return Path(platformdirs.user_data_dir("jizhu"))

    @property
    def zone(self) -> tzinfo:
        """The time zone of naive times."""
        if self.timezone:
            return ZoneInfo(self.timezone)
        from datetime import datetime

        return datetime.now().astimezone().tzinfo or ZoneInfo("UTC")


@lru_cache(maxsize=1)
def load_settings() -> Settings:
    """The process's settings, read once. Raises BadSettings with one sentence that names the setting."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(x) for x in first["loc"])
        raise BadSettings(f"Setting {name}: {first['msg'].removeprefix('Value error, ')}") from None
