"""The reranker: scripted, behind an endpoint, and a local cross-encoder (here one that counts the word "good")."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory.episode import Episode
from memory.errors import BadSettings, MemoryUnavailable
from memory.ingest import archive
from memory.rerank import EndpointReranker, LocalReranker, make_reranker
from memory.search import recall
from memory.settings import Settings
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
MODEL = Path(__file__).parent / "data" / "reranker"


class Scripted:
    """Prefers short texts; remembers what it was asked."""

    def __init__(self, fails: bool = False) -> None:
        self.fails, self.asked = fails, list[tuple[str, list[str]]]()

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, list(texts)))
        if self.fails:
            raise MemoryUnavailable("The reranker is away.")
        return [-float(len(t)) for t in texts]


@pytest.mark.parametrize("fails", [False, True])
async def test_ten_hits_are_read_again_and_a_failure_changes_nothing(counted: tuple[MemoryStore, Any], fails: bool) -> None:
    store, _ = counted
    await archive(store, "ann", [Episode(id=str(i), user="ann", text="茶" * (i + 1), time=NOW, session="s") for i in range(12)])
    plain = await recall(store, "ann", "茶叶", k=12, now=NOW)
    store.reranker = scripted = Scripted(fails)
    found = await recall(store, "ann", "茶叶 ", k=3, now=NOW)
    [(query, texts)] = scripted.asked
    assert query == "茶叶 " and texts == [h.text for h in plain.hits[:10]]
    wanted = [h.id for h in plain.hits[:3]] if fails else [h.id for h in sorted(plain.hits[:10], key=lambda h: len(h.text))[:3]]
    assert [h.id for h in found.hits] == wanted
    assert [h.score for h in found.hits] == sorted((h.score for h in found.hits), reverse=True)
    assert all(abs(sum(h.parts.values()) - h.score) < 1e-9 for h in found.hits)


@pytest.mark.parametrize(
    "answer",
    [{"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]}, [{"index": 1, "score": 0.9}, {"index": 0, "score": 0.2}]],
)  # fmt: skip
async def test_endpoints_of_both_kinds(answer: Any) -> None:
    asked: list[dict[str, Any]] = []

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        return httpx.Response(200, json=answer)

    reranker = EndpointReranker("http://host/rerank#small", transport=httpx.MockTransport(handle))
    assert await reranker.score("q", ["a", "b", "c"]) == [0.2, 0.9, -0.8]
    assert asked[0]["model"] == "small" and asked[0]["documents"] == ["a", "b", "c"]


@pytest.mark.parametrize("response", [httpx.Response(500), httpx.Response(200, text="no"), httpx.Response(200, json={"x": 1})])
async def test_an_endpoint_that_fails_is_one_sentence(response: httpx.Response) -> None:
    reranker = EndpointReranker("http://host/rerank?key=secret", transport=httpx.MockTransport(lambda _: response))
    with pytest.raises(MemoryUnavailable, match="reranker at http://host/rerank gave no scores") as caught:
        await reranker.score("q", ["a"])
    assert "secret" not in str(caught.value)


async def test_a_local_cross_encoder() -> None:
    reranker = make_reranker(Settings(_env_file=None, JIZHU_RERANKER=str(MODEL)))  # type: ignore[call-arg]
    assert isinstance(reranker, LocalReranker)
    assert await reranker.score("good question", ["bad", "good good", "good"]) == [1.0, 3.0, 2.0]


def test_a_path_without_a_model_is_refused(tmp_path: Path) -> None:
    assert make_reranker(Settings(_env_file=None)) is None  # type: ignore[call-arg]
    with pytest.raises(BadSettings, match=r"has no model\.onnx and no tokenizer\.json"):
        make_reranker(Settings(_env_file=None, JIZHU_RERANKER=str(tmp_path)))  # type: ignore[call-arg]
