"""`jizhu memories` and `jizhu db`: what people and programs read about one user, and nobody else's."""

import pytest

from memory.corrections import corrections_file, read
from memory.record import Memory
from memory.settings import Settings, load_settings
from tests.commands import Jizhu, tell

KEYS = {"key", "category", "attribute", "value", "content", "owner", "tags", "status", "confidence", "importance", "valid_from", "valid_to",
        "recorded_at", "updated_at", "source"}  # fmt: skip


def test_list_prints_current_facts_of_one_user(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "上海"), ("location", "北京"), ("likes", "爬山"))
    tell(settings, "bob", ("location", "深圳"))
    listed = jizhu("memories", "list", "--user", "ann", "--json")
    assert listed.status == 0
    assert {m["value"] for m in listed.lines} == {"北京", "爬山"}
    assert all(set(m) >= KEYS for m in listed.lines)
    every = jizhu("memories", "list", "--all", "--user", "ann", "--json").lines
    assert {(m["value"], m["status"]) for m in every} == {("上海", "superseded"), ("北京", "active"), ("爬山", "active")}
    assert jizhu("memories", "list", "--user", "carol", "--json").out == ""


def test_search_ranks_the_user_s_own_facts(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "北京"), ("likes", "爬山"), ("allergy", "花生"))
    tell(settings, "bob", ("likes", "爬山"))
    found = jizhu("memories", "search", "我对什么过敏", "--user", "ann", "--json").lines
    assert found[0]["value"] == "花生"
    assert len(found) == 3
    assert {m["user"] for m in found} == {"ann"}
    assert len(jizhu("memories", "search", "爬山", "-k", "1", "--user", "ann", "--json").lines) == 1


def test_history_and_show_take_any_version(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "上海"), ("location", "北京"))
    old, new = jizhu("memories", "list", "--all", "--user", "ann", "--json").lines
    for key in (old["key"], new["key"]):
        versions = jizhu("memories", "history", key, "--user", "ann", "--json").lines
        assert [v["value"] for v in versions] == ["上海", "北京"]
    assert jizhu("memories", "show", old["key"], "--user", "ann", "--json").lines == [old]
    assert Memory.from_json(old).valid_to is not None


def test_the_beginning_of_a_key_is_enough(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "上海"))
    [fact] = jizhu("memories", "list", "--user", "ann", "--json").lines
    assert jizhu("memories", "show", fact["key"][:6], "--user", "ann", "--json").lines == [fact]
    assert jizhu("memories", "show", fact["key"][:3], "--user", "ann").status == 1
    assert jizhu("memories", "forget", fact["key"][:6], "--user", "bob").status == 1
    assert jizhu("memories", "forget", fact["key"][:6], "--user", "ann", "--json").lines[0]["op"] == "forget"


@pytest.mark.parametrize("command", ["show", "history"])
def test_a_key_of_someone_else_is_not_found(jizhu: Jizhu, settings: Settings, command: str) -> None:
    tell(settings, "ann", ("location", "上海"))
    key = jizhu("memories", "list", "--user", "ann", "--json").lines[0]["key"]
    result = jizhu("memories", command, key, "--user", "bob", "--json")
    assert (result.status, result.out) == (1, "")
    assert result.err.count("\n") == 1


def test_a_table_for_people_acts_on_nothing_that_a_memory_says(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("likes", "[bold]爬山[/bold] \x1b[31m:smile:"))
    shown = jizhu("memories", "list", "--user", "ann").out
    assert "[bold]爬山[/bold]" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("arguments", [["memories", "list", "--user", ""], ["memories", "show", "k", "--user", "x" * 600]])
def test_a_user_id_that_cannot_be_is_refused(jizhu: Jizhu, arguments: list[str]) -> None:
    result = jizhu(*arguments)
    assert result.status == 1
    assert "user id" in result.err


def test_bad_usage_is_status_2(jizhu: Jizhu) -> None:
    for arguments in (["nothing"], ["memories", "show"], ["memories", "list", "--nope"], []):
        result = jizhu(*arguments)
        assert result.status == 2
        assert result.out == ""


def test_an_unreachable_database_is_one_sentence(jizhu: Jizhu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hunter2@localhost:1/none")
    result = jizhu("memories", "list")
    assert (result.status, result.out) == (1, "")
    assert result.err.count("\n") == 1
    assert "localhost:1" in result.err
    assert "hunter2" not in result.err


def test_db_url_is_the_database_in_use_and_not_ours_to_stop(jizhu: Jizhu, database_url: str) -> None:
    assert jizhu("db", "url").out == database_url + "\n"
    assert jizhu("db", "url", "--json").lines == [{"url": database_url}]
    assert jizhu("db", "stop").status == 1


def test_forget_removes_every_version_and_nothing_else(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "上海"), ("location", "北京"), ("likes", "爬山"), ("likes", "游泳"))
    tell(settings, "bob", ("location", "北京"))
    old = jizhu("memories", "list", "--all", "--user", "ann", "--json").lines[0]
    removed = jizhu("memories", "forget", old["key"], "--user", "ann", "--json")
    assert removed.status == 0
    assert {r["op"] for r in removed.lines} == {"forget"}
    assert {m["value"] for m in jizhu("memories", "list", "--all", "--user", "ann", "--json").lines} == {"爬山", "游泳"}
    assert jizhu("memories", "forget", "--attribute", "likes", "--user", "ann", "--json").status == 0
    assert jizhu("memories", "list", "--all", "--user", "ann", "--json").lines == []
    assert len(jizhu("memories", "list", "--user", "bob", "--json").lines) == 1


def test_forget_wants_one_thing_that_exists(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "上海"))
    assert jizhu("memories", "forget", "--user", "ann").status == 2
    assert jizhu("memories", "forget", "k", "--attribute", "likes", "--user", "ann").status == 2
    assert jizhu("memories", "forget", "--attribute", "nothing", "--user", "ann").status == 2
    assert jizhu("memories", "forget", "nokey", "--user", "ann").status == 1
    assert len(jizhu("memories", "list", "--user", "ann", "--json").lines) == 1


def test_undo_twice_is_as_before_and_restore_brings_a_version_back(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("location", "上海"), ("location", "北京"))
    first = jizhu("memories", "list", "--all", "--user", "ann", "--json").lines[0]

    def home() -> list[str]:
        return [m["value"] for m in jizhu("memories", "list", "--user", "ann", "--json").lines]

    assert jizhu("memories", "undo", "--user", "ann", "--json").status == 0
    assert home() == ["上海"]
    jizhu("memories", "undo", "--user", "ann")
    assert home() == ["北京"]
    assert jizhu("memories", "restore", first["key"], "--user", "ann").status == 0
    assert home() == ["上海"]
    assert jizhu("memories", "restore", "nokey", "--user", "ann").status == 1


def test_pin_and_unpin(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("likes", "爬山"))
    key = jizhu("memories", "list", "--user", "ann", "--json").lines[0]["key"]
    jizhu("memories", "pin", key, "--user", "ann")
    assert jizhu("memories", "show", key, "--user", "ann", "--json").lines[0]["pinned"] is True
    jizhu("memories", "pin", key, "--off", "--user", "ann")
    assert jizhu("memories", "show", key, "--user", "ann", "--json").lines[0]["pinned"] is False


def test_an_operator_reviews_what_waits(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("likes", "爬山"), confidence=0.6)
    tell(settings, "bob", ("likes", "游泳"), ("likes", "滑雪"), confidence=0.6)
    waiting = jizhu("review", "list", "--json").lines
    assert [(m["user"], m["value"], m["status"]) for m in waiting] == [
        ("ann", "爬山", "pending"), ("bob", "游泳", "pending"), ("bob", "滑雪", "pending")
    ]  # fmt: skip
    assert jizhu("review", "approve", waiting[0]["key"], "--json").status == 0
    assert jizhu("review", "reject", waiting[1]["key"], "--user", "bob", "--json").status == 0
    assert jizhu("review", "approve", waiting[2]["key"], "--user", "ann").status == 1
    assert [m["value"] for m in jizhu("memories", "list", "--user", "ann", "--json").lines] == ["爬山"]
    assert jizhu("memories", "list", "--user", "bob", "--json").lines == []
    assert [m["value"] for m in jizhu("review", "list", "--user", "bob", "--json").lines] == ["滑雪"]
    assert jizhu("review", "approve", "nokey").status == 1
    kept, broken = read(corrections_file(load_settings()))
    assert [(c.user, c.label, c.source) for c in kept] == [("ann", "LONG", "approve"), ("bob", "SHORT", "reject")] and not broken
    assert jizhu("erase", "--user", "bob", "--yes").status == 0
    assert [c.user for c in read(corrections_file(load_settings()))[0]] == ["ann"]
    assert jizhu("memories", "forget", waiting[0]["key"], "--user", "ann").status == 0
    assert read(corrections_file(load_settings()))[0] == []


def test_an_undo_says_which_way_it_went(jizhu: Jizhu, settings: Settings) -> None:
    tell(settings, "ann", ("likes", "爬山"))
    first, second = jizhu("memories", "undo", "--user", "ann").out, jizhu("memories", "undo", "--user", "ann").out
    assert "taken back" in first and "brought back" in second
    assert "爬山" in first and "爬山" in second


def test_changes_and_attributes_are_named_for_people(jizhu: Jizhu, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(settings, "ann", ("location", "上海"))
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "住址" in jizhu("memories", "list", "--user", "ann").out
    key = jizhu("memories", "list", "--user", "ann", "--json").lines[0]["key"]
    assert jizhu("memories", "pin", key, "--user", "ann").out.startswith("pinned  住址")
    assert jizhu("memories", "pin", key, "--off", "--user", "ann").out.startswith("unpinned")
    assert jizhu("memories", "forget", "--attribute", "住址", "--user", "ann", "--json").lines[0]["op"] == "forget"


def test_the_machine_that_names_no_language_shows_that_of_the_memories(jizhu: Jizhu, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(settings, "ann", ("hometown", "Ghent"))
    tell(settings, "bao", ("hometown", "泉州"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "hometown" in jizhu("memories", "list", "--user", "ann").out
    assert "家乡" in jizhu("memories", "list", "--user", "bao").out
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert "hometown" in jizhu("memories", "list", "--user", "bao").out


@pytest.mark.parametrize("said", ["住址", "location", "home", "上海"])
def test_a_fact_is_named_by_its_attribute_or_value_where_only_one_fits(jizhu: Jizhu, settings: Settings, said: str) -> None:
    tell(settings, "ann", ("location", "上海"), ("location", "北京"), ("likes", "爬山"), ("likes", "登山鞋"))
    assert [v["value"] for v in jizhu("memories", "history", said, "--user", "ann", "--json").lines] == ["上海", "北京"]
    several, none = jizhu("memories", "history", "likes", "--user", "ann"), jizhu("memories", "show", "宠物", "--user", "ann")
    assert (several.status, none.status) == (1, 1) and "Several" in several.err and "宠物" in none.err


def test_a_thread_may_stand_alone(jizhu: Jizhu) -> None:
    jizhu("chat", "--json", "--user", "ann", "--thread", "monday", given=[{"text": "我喜欢爬山"}])
    jizhu("chat", "--json", "--user", "ann", "--thread", "tuesday", given=[{"text": "你好"}])
    assert jizhu("sessions", "show", "monday", "--user", "ann", "--json").lines[0]["thread"] == "monday"
    assert jizhu("sessions", "undo", "monday", "--user", "ann", "--json").lines[0]["thread"] == "monday"
    assert jizhu("sessions", "end", "tuesday", "--user", "ann", "--json").lines[0]["thread"] == "tuesday"


@pytest.mark.parametrize("given", [["undo", "2"], ["show", "a", "b"], ["end", "a", "--thread", "b"]])
def test_what_may_mean_several_things_is_hinted_at(jizhu: Jizhu, given: list[str]) -> None:
    result = jizhu("sessions", *given)
    assert result.status == 2
    assert f"--thread {given[1]}" in result.err
