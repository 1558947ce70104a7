"""A cross-encoder that reads question and memory together and puts the best ten in a better order (JIZHU_RERANKER; off by default).

An endpoint speaks the common rerank protocol: POST {"model"?, "query", "documents"} → {"results": [{"index", "relevance_score"}]} (Cohere, Jina, vLLM,
llama.cpp), or a list of {"index", "score"} (text-embeddings-inference). A local path is a folder with ``model.onnx`` and ``tokenizer.json``.
"""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from memory.errors import BadSettings, MemoryUnavailable
from memory.settings import Settings

CANDIDATES: Final = 10  # hits that are read again
MAX_CHARS: Final = 1000  # of a memory
MAX_TOKENS: Final = 512
SECONDS: Final = 3.0  # an endpoint that takes longer is not waited for


class Reranker(Protocol):
    """Anything that scores texts for a question; only the order of the scores counts."""

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better. Raises MemoryUnavailable."""
        ...


class EndpointReranker:
    """A reranker behind HTTP; ``http://host/v1/rerank#model`` names the model where the server holds several."""

    def __init__(self, url: str, *, transport: Any = None) -> None:
        self.url, _, self.model = url.partition("#")
        self._transport = transport

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        import httpx

        asked = {"query": query[:MAX_CHARS], "documents": [t[:MAX_CHARS] for t in texts], "texts": [t[:MAX_CHARS] for t in texts]}
        if self.model:
            asked["model"] = self.model
        try:
            async with httpx.AsyncClient(timeout=SECONDS, transport=self._transport) as client:
                answer = (await client.post(self.url, json=asked)).raise_for_status().json()
            rows = answer["results"] if isinstance(answer, dict) else answer
            scores = {int(r["index"]): float(r["relevance_score"] if "relevance_score" in r else r["score"]) for r in rows}
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
            raise MemoryUnavailable(f"The reranker at {self.url.split('?')[0]} gave no scores: {type(error).__name__}.") from error
        least = min(scores.values(), default=0.0)
        return [scores.get(i, least - 1.0) for i in range(len(texts))]


class LocalReranker:
    """A cross-encoder exported to ONNX; loaded at its first use, run on a worker thread."""

    def __init__(self, folder: Path) -> None:
        missing = [name for name in ("model.onnx", "tokenizer.json") if not (folder / name).is_file()]
        if missing:
            raise BadSettings(f"Setting JIZHU_RERANKER: {folder} has no {' and no '.join(missing)}.")
        self.folder = folder

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        import onnxruntime as ort  # type: ignore[import-untyped]

        try:
            tokenizers = import_module("tokenizers")  # of the extra `rerank`
        except ImportError:
            raise BadSettings("Setting JIZHU_RERANKER: a local reranker needs the package tokenizers: pip install jizhu[rerank].") from None
        tokenizer = tokenizers.Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.enable_padding()
        return tokenizer, ort.InferenceSession(str(self.folder / "model.onnx"), providers=["CPUExecutionProvider"])

    def _score(self, query: str, texts: Sequence[str]) -> list[float]:
        tokenizer, session = self._loaded
        encoded = tokenizer.encode_batch([(query[:MAX_CHARS], t[:MAX_CHARS]) for t in texts])
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        wanted = {i.name for i in session.get_inputs()}
        inputs = {name: np.array([getattr(e, column) for e in encoded], np.int64) for name, column in columns.items() if name in wanted}
        logits = np.asarray(session.run(None, inputs)[0], float).reshape(len(texts), -1)
        return [float(x) for x in logits[:, -1]]  # one logit, or the class "relevant" of two

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return await asyncio.to_thread(self._score, query, texts) if texts else []


def make_reranker(settings: Settings) -> Reranker | None:
    """The reranker that the settings name, if any. Raises BadSettings for a path that holds none."""
    named = (settings.reranker or "").strip()
    if not named:
        return None
    if named.startswith(("http://", "https://")):
        return EndpointReranker(named)
    return LocalReranker(Path(named).expanduser())
