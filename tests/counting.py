"""A cheap, deterministic embedder for tests that count what is embedded."""

import hashlib

import numpy as np

from memory.embedder import Embedder, Kind, Vectors


class CountingEmbedder(Embedder):
    """A cheap, deterministic embedder that counts: texts that share characters are near each other. `texts` lists what it was asked, in order."""

    name = "counting"
    version = "1"
    dims = 64

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.calls = 0

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        self.texts += texts
        self.calls += 1
        found = np.zeros((len(texts), self.dims), np.float32)
        for row, text in zip(found, texts, strict=True):
            for char in text:
                row[hashlib.md5(char.encode(), usedforsecurity=False).digest()[0] % self.dims] += 1
        return found
