"""`jizhu settings`: every setting, its value, where the value comes from, and which rule files are in use. Secrets are masked."""

import os
import re
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from cli.options import Json
from cli.output import emit, say, table
from memory.settings import Settings, load_settings


def show_settings(json: Json = False) -> None:
    """What is configured.

    Each value, and whether it comes from the environment, .env or a default; the rule files in use.
    """
    settings = load_settings()
    rows = [row(settings, name) for name in Settings.model_fields]
    rows += [
        {
            "name": "model in use",
            "value": settings.model_name,
            "origin": "JIZHU_MODEL" if settings.model else "derived",
            "description": "who replies",
        },
        {"name": "data directory", "value": str(settings.data_dir), "origin": "JIZHU_HOME" if settings.home else "derived", "description": ""},
    ]
    from memory.judge import Rules

    files = [str(f) for f in Rules.load(settings.rules).files]
    rows.append(
        {
            "name": "rule files",
            "value": files,
            "origin": "JIZHU_RULES" if settings.rules else "built in",
            "description": "what the judge goes by, yours last",
        }
    )
    if json:
        for one in rows:
            emit(one)
        return
    table(["setting", "value", "from", ""], ([r["name"], _cell(r["value"]), r["origin"], r["description"]] for r in rows))
    say("")
    say("Set them in the environment or in a .env file here; see .env.example.", style="dim")


def _cell(value: object) -> object:
    if isinstance(value, list):
        return f"{len(value)} files under {os.path.commonpath(value)}" if len(value) > 1 else value[0]
    return "—" if value is None else value


def row(settings: Settings, field: str) -> dict[str, Any]:
    """One setting: its environment name, masked value, and origin (environment, .env, default)."""
    info = Settings.model_fields[field]
    name = info.alias or field
    return {"name": name, "value": shown(name, getattr(settings, field)), "origin": origin(name), "description": info.description or ""}


def origin(name: str) -> str:
    """Where the value of this setting comes from. An empty variable counts as not set."""
    if any(key.upper() == name and value for key, value in os.environ.items()):
        return "environment"
    from dotenv import dotenv_values

    if any(key.upper() == name and value for key, value in dotenv_values(Path(".env")).items()):
        return ".env"
    return "default"


def shown(name: str, value: object) -> Any:
    """A value fit for showing: keys masked but for their last characters, database addresses without the password."""
    if isinstance(value, SecretStr):
        secret = value.get_secret_value()
        if name.endswith("_URL"):
            return without_password(secret)
        return "…" + secret[-4:] if len(secret) > 12 else "…"
    if isinstance(value, str) and "://" in value:
        return without_password(value)
    return str(value) if isinstance(value, Path) else value


def without_password(address: str) -> str:
    """The address with its password, and any password among its parameters, masked."""
    if "://" not in address:
        return "…"
    address = re.sub(r"(://[^:/?#@]*):.*@", r"\1:…@", address, flags=re.DOTALL)
    return re.sub(r"([?&](?:ssl)?password=)[^&]*", r"\1…", address, flags=re.IGNORECASE)
