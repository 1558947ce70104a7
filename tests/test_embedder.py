"""Embedders: the local model on hard input, an OpenAI-compatible endpoint over the wire, and what is not paid for twice."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from memory.embedder import MAX_CHARS, LocalEmbedder, OpenAIEmbedder, make_embedder, unit
from memory.errors import MemoryUnavailable
from memory.settings import Settings
from memory.vector_cache import ENTRIES
from tests.counting import CountingEmbedder

HARD = ["", " ", "a\x00b", "\ud800", "x" * 200_000, "{braces} <b>html</b>", "👩‍👩‍👧", "\n\n", "我喜欢绿茶"]


def test_the_local_model_has_an_answer_for_any_text() -> None:
    embedder = LocalEmbedder()
    began = time.monotonic()
    for kind in ("passage", "query"):
        vectors = embedder.embed(HARD, kind)
        assert vectors.shape == (len(HARD), 384) and vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert time.monotonic() - began < 30
    a_b, ab = embedder.embed(["a\x00b", "a"])
    assert not np.allclose(a_b, ab), "NUL does not end the text"
    assert embedder.embed([]).shape == (0, 384)


def test_the_local_model_tells_questions_from_passages_and_finds_the_right_one() -> None:
    embedder = LocalEmbedder()
    facts = embedder.embed(["我对花生过敏", "我住在杭州", "I play the piano"])
    assert int(np.argmax(facts @ embedder.query("他住在哪个城市？"))) == 1
    assert int(np.argmax(facts @ embedder.query("Which instrument does she play?"))) == 2
    assert not np.allclose(embedder.embed(["绿茶"], "query"), embedder.embed(["绿茶"], "passage"))


def test_a_batch_equals_one_by_one_and_order_is_kept() -> None:
    embedder = LocalEmbedder()
    texts = ["长一点的句子，说的是今天的事", "短", "middle length", "短"]
    together = embedder.embed(texts)
    assert np.array_equal(together, np.stack([embedder.embed([t])[0] for t in texts]))


def test_a_text_is_embedded_once_per_call_and_a_question_once() -> None:
    embedder = CountingEmbedder()
    embedder.embed(["甲", "乙", "甲"])
    assert sorted(embedder.texts) == ["乙", "甲"]
    for _ in range(3):
        embedder.query("问")
    assert embedder.texts.count("问") == 1
    for n in range(ENTRIES):
        embedder.query(f"q{n}")
    embedder.query("问")
    assert embedder.texts.count("问") == 2, "the least recently used went first"
    long = "字" * MAX_CHARS
    embedder.query(long + "一")
    embedder.query(long + "二")
    assert embedder.texts.count(long) == 1, "what is cut alike is asked once"


@pytest.mark.anyio
async def test_the_event_loop_goes_on_meanwhile() -> None:
    embedder, ticks = LocalEmbedder(), 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticker = asyncio.create_task(tick())
    await embedder.aembed_documents(["一句话，" * 60] * 1)
    await embedder.aembed([f"第 {n} 句话，" * 30 for n in range(10)])
    ticker.cancel()
    assert ticks > 5


def test_unit_survives_zeros_and_nan() -> None:
    found = unit(np.array([[3, 4], [0, 0], [np.nan, 1]], np.float32))
    assert np.allclose(found, [[0.6, 0.8], [0.0, 0.0], [0.0, 1.0]])


class Endpoint(BaseHTTPRequestHandler):
    """An embeddings endpoint: five dimensions; what it was asked, and how it misbehaves, are attributes of the server."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        server.asked.append((asked, self.headers["Authorization"]))
        status = server.status
        data = [{"object": "embedding", "index": i, "embedding": [1.0, *([0.5] * (server.dims - 1))]} for i, _ in enumerate(asked["input"])]
        body = json.dumps({"object": "list", "model": asked["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.asked, server.status, server.dims = [], 200, 5
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def at(server: Any, **more: Any) -> Settings:
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    return Settings(_env_file=None, JIZHU_EMBEDDINGS="openai:bge-m3", JIZHU_EMBEDDINGS_BASE_URL=url, **more)  # type: ignore[call-arg]


def test_an_endpoint_gets_texts_and_its_own_key(endpoint: Any) -> None:
    embedder = make_embedder(at(endpoint, JIZHU_EMBEDDINGS_API_KEY="own-key", OPENAI_API_KEY="other-key"))
    assert (embedder.name, embedder.dims) == ("openai/bge-m3", 5)
    vectors = embedder.embed(["a\x00b", "绿茶"])
    assert vectors.shape == (2, 5) and np.allclose(np.linalg.norm(vectors, axis=1), 1)
    asked, key = endpoint.asked[-1]
    assert asked["model"] == "bge-m3" and set(asked["input"]) == {"a b", "绿茶"} and key == "Bearer own-key"
    count = len(endpoint.asked)
    assert embedder.dims == 5 and len(endpoint.asked) == count, "the dimension is asked once"


def test_an_endpoint_of_its_own_never_gets_the_other_key(endpoint: Any) -> None:
    make_embedder(at(endpoint, OPENAI_API_KEY="other-key")).embed(["x"])
    assert "other-key" not in endpoint.asked[-1][1]


def test_an_endpoint_that_fails_or_changes_its_dimension_is_said(endpoint: Any) -> None:
    embedder = make_embedder(at(endpoint))
    assert embedder.dims == 5
    endpoint.dims = 6
    with pytest.raises(MemoryUnavailable, match="6 dimensions instead of 5"):
        embedder.embed(["x"])
    endpoint.status = 401
    with pytest.raises(MemoryUnavailable, match=r"openai/bge-m3 cannot be reached: AuthenticationError"):
        embedder.embed(["x"])
    assert isinstance(embedder, OpenAIEmbedder)
