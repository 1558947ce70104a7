"""Settings come from their documented names only, each refusal is one sentence, and the listing masks secrets and names origins."""

import json
from pathlib import Path

import pytest

from cli.main import main
from cli.settings import without_password
from memory.errors import BadSettings
from memory.settings import Settings, load_settings

NAMES = [str(f.alias) for f in Settings.model_fields.values()]


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    load_settings.cache_clear()


def listed(capfdbinary: pytest.CaptureFixture[bytes]) -> dict[str, dict[str, object]]:
    assert main(["settings", "--json"]) == 0
    return {row["name"]: row for row in map(json.loads, capfdbinary.readouterr().out.splitlines())}


def test_every_setting_has_a_name_and_a_description() -> None:
    for field in Settings.model_fields.values():
        assert field.alias
        assert field.description


def test_field_names_are_not_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"HOME": "/somewhere", "MODEL": "nonsense", "TIMEZONE": "nowhere", "EPISODES": "maybe"}.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.home is None
    assert settings.model is None
    assert settings.episodes == "on"


def test_code_may_name_fields(tmp_path: Path) -> None:
    assert Settings(home=tmp_path).data_dir == tmp_path


@pytest.mark.parametrize(
    ("name", "value"),
    [("JIZHU_MODEL", "gpt"), ("JIZHU_MODEL", "openai:"), ("JIZHU_EMBEDDINGS", "remote"), ("JIZHU_TIMEZONE", "Mars/Olympus"), ("JIZHU_EPISODES", "maybe"),
     ("JIZHU_LOCK_WAIT", "-1"), ("JIZHU_LOCK_WAIT", "nan"), ("JIZHU_MEMORY_TOKENS", "ten"), ("JIZHU_RECENT_ROUNDS", "0")],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings, match=name):
        load_settings()
    assert main(["settings"]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert name in err
    assert err.count("\n") == 1


def test_a_chat_with_a_model_that_cannot_be_had_does_not_begin(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("JIZHU_MODEL", "openai:some-model")
    assert main(["chat"]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "OPENAI_API_KEY" in err


def test_listing_names_origins_and_masks_secrets(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnop1234")
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hunter2@db.example:5432/app?sslmode=require")
    (tmp_path / ".env").write_text("JIZHU_MODEL=openai:qwen-plus\nJIZHU_HOME=\n", encoding="utf-8")
    rows = listed(capfdbinary)
    assert set(NAMES) <= set(rows)
    assert rows["JIZHU_MODEL"] | {"description": ""} == {"name": "JIZHU_MODEL", "value": "openai:qwen-plus", "origin": ".env", "description": ""}
    assert rows["OPENAI_API_KEY"]["origin"] == "environment"
    assert rows["JIZHU_HOME"]["origin"] == "default"
    assert isinstance(rows["rule files"]["value"], list)
    assert "abcdef" not in json.dumps(rows)
    assert "hunter2" not in json.dumps(rows)
    assert "db.example:5432/app" in str(rows["DATABASE_URL"]["value"])


@pytest.mark.parametrize(
    ("address", "masked"),
    [
        ("postgresql://u:p@h/d", "postgresql://u:…@h/d"),
        ("postgresql://u@h/d", "postgresql://u@h/d"),
        ("postgresql:///d?host=/run&password=p", "postgresql:///d?host=/run&password=…"),
        ("host=h password=p", "…"),
        ("postgresql://u:p@ss/w@h:1/d", "postgresql://u:…@h:1/d"),
    ],
)
def test_passwords_never_show(address: str, masked: str) -> None:
    assert without_password(address) == masked


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "JIZHU_EMBEDDINGS_BASE_URL"])
@pytest.mark.parametrize("value", ["not-a-url", "https://", "host/v1", "http://host:port/v1"])
def test_an_address_must_be_one(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings, match=f"{name}: must be an address such as"):
        load_settings()
