"""No secret of a conversation reaches the checkpoint tables, in whatever channel it travels."""

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from graph.runner import Agent
from memory.hiding import cleared, hidden

KEY = "sk-proj-" + "a1B2c3D4" * 4


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "secret"), [(f"My API key is {KEY}, keep it safe", KEY), ("我的微信密码是Hunter22x", "Hunter22x"), ("我的身份证号11010519491231002X", "11010519491231002X")]
)  # fmt: skip
async def test_a_secret_said_reaches_no_table(agent: Agent, database_url: str, text: str, secret: str) -> None:
    await agent.say(text, thread="t")
    await agent.say("今天天气不错，我住在厦门。", thread="t")
    with psycopg.connect(database_url) as conn:
        tables = [r[0] for r in conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        for table in tables:
            rows = conn.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608  (names from the catalogue)
            for row in rows:
                assert not any(secret.encode() in (v if isinstance(v, bytes) else str(v).encode()) for v in row), table
    assert "厦门" in str((await agent.say("我住在哪？", thread="t")).reply)


def test_a_secret_goes_wherever_it_stands_in_the_state() -> None:
    state = {
        "messages": [HumanMessage(f"my password is {KEY[:20]}!", id="1"), AIMessage("ok", id="2")],
        "referents": [{"name": KEY[:20] + "!"}], "resolved": "", "trimmed": 3, "files": (),
    }  # fmt: skip
    found = hidden(state)
    assert KEY[:20] not in str(found) and found["messages"][0].id == "1" and found["trimmed"] == 3
    assert KEY[:20] in str(state)  # the running round keeps what was said


@given(
    st.recursive(
        st.text(alphabet="我住在杭州ab ，。") | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text("xyz"), inner)
    )
)
def test_what_holds_no_secret_is_left_as_it_is(value: object) -> None:
    assert hidden(value) is value


def test_what_is_cleared_keeps_its_shape() -> None:
    def keep(text: str) -> str:
        return "" if "姑姑" in text else text.strip()

    said = [HumanMessage("我姑姑来了", id="1"), HumanMessage("  好的 ", id="2"), AIMessage("", id="3", tool_calls=[])]
    left = cleared(said, keep)
    assert [(m.id, bool(m.content.strip())) for m in left] == [("1", True), ("2", True), ("3", False)] and "姑姑" not in str(left[0].content)
    assert left[1] is said[1] and left[2] is said[2]
    assert cleared({"paragraphs": ["姑姑来了", "下雨"], "rounds": 2}, keep) == {"paragraphs": ["下雨"], "rounds": 2}
    assert cleared({"city": "姑姑家", "step": "2"}, keep) == {"step": "2"}
    whole = {"a": ["x", 1, None]}
    assert cleared(whole, keep) is whole
