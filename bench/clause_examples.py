"""Examples of single clauses and what they tell: `python -m bench.clause_examples` makes memory/judge/examples/clauses.jsonl from the messages beside it.

A clause that the rules read in a lasting message is an example of the attribute that they found, one of a passing message an example of none; what a
lasting message says besides is left out, for nobody labelled it. Examples written for this file ("source": "written") are kept as they are.
The file is data of its own: the small model is trained from it, whatever the rules have learnt since.
"""

import json
from collections.abc import Sequence
from typing import Final

from bench.examples import CLAUSES, ClauseExample, clause_examples, examples
from memory.judge.engine import read
from memory.judge.weights import SOMEBODY
from memory.record import USER

_READ: Final = 0.75
"""How sure the rules must be of a fact that names its clause's attribute."""


def read_clauses(messages: Sequence[tuple[str, str, str]]) -> list[ClauseExample]:
    """Examples from labelled messages (text, LONG or SHORT, attribute or an empty string), each text once."""
    found: dict[tuple[str, str], str] = {}
    for text, label, attribute in messages:
        parts = read(text)
        for clause, reading in zip(parts.ctx.clauses, parts.readings, strict=True):
            facts = [f for f in reading.facts if f.confidence >= _READ]
            alone = len(parts.readings) == 1
            if label == "LONG" and facts:
                first = facts[0]
                named = attribute if alone and attribute and first.attribute == "other" else first.attribute
                said = named if first.owner == USER else SOMEBODY
            elif label == "SHORT" or reading.intent in {"greeting", "question", "task"}:
                said = ""
            elif alone and attribute:
                said = attribute
            else:
                continue
            found.setdefault((clause.text.strip(), "zh" if clause.language == "zh" else "en"), said)
    return [ClauseExample(text, language, said) for (text, language), said in found.items() if text]


def main() -> None:
    written = [e for e in clause_examples() if e.source == "written"]
    known = {(e.text, e.language) for e in written}
    messages = [(e.text, e.label, e.attribute) for language in ("zh", "en") for e in examples(language) if not e.held_out]
    rows = [*written, *(e for e in read_clauses(messages) if (e.text, e.language) not in known)]
    with CLAUSES.open("w", encoding="utf-8") as out:
        for e in rows:
            row = {"text": e.text, "lang": e.language, "attribute": e.attribute} | ({"source": e.source} if e.source == "written" else {})
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{len(rows)} clauses, {sum(bool(e.attribute) for e in rows)} of them lasting")


if __name__ == "__main__":
    main()
