"""Tier 3: a chat model asked about what rules and small model left open, and only about that.

Its word counts for the open clauses alone. What it extracts must be a span of the user's own message, or it is dropped. A failure, a timeout, an
answer that is no JSON, a refusal: the judgement of the first two tiers stands. Below `sure` (0.7) the message stays short-term and the reason says so.
Verdicts are cached by an MD5 over model and prompt, so that a retried round asks once.
"""

import asyncio
import hashlib
import json
import logging
import re
import time as clock
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, Field, ValidationError, field_validator

from memory.judge.clauses import fold, language_of
from memory.judge.engine import Parts, assemble
from memory.judge.judgement import LONG_CLASSES, Candidate, Judgement, Tier
from memory.judge.reader import Reading
from memory.pattern import regex
from memory.record import CATEGORIES, USER
from prompts import render

log = logging.getLogger(__name__)

TEMPERATURE: Final = 0.1
HISTORY: Final = 6
MAX_CHARS: Final = 4000
"""Characters of a message, and of each earlier one, that the model gets to see."""

_JSON: Final = regex(r"\{.*\}", re.S)
_DEMOTED: Final = {"zh": "置信度不足，降级为短期", "en": "confidence too low, kept short-term"}


class Extracted(BaseModel):
    """One fact the model claims to have read."""

    owner: str = USER
    attribute: str = "other"
    value: str


class Verdict(BaseModel):
    """The model's answer. Unknown keys are ignored; a list of facts may also come as an object or a sentence, or not at all."""

    memory_type: Literal["LONG", "SHORT"]
    confidence: float = Field(ge=0, le=1)
    extracted_info: list[Extracted] = Field(default_factory=list)
    reason: str = ""

    @field_validator("memory_type", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.strip().upper().removesuffix("_TERM") if isinstance(value, str) else value

    @field_validator("extracted_info", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if value is None or value == "":
            return []
        if isinstance(value, dict) and "value" not in value:
            value = [{"attribute": k, "value": v} for k, v in value.items() if isinstance(v, str)]
        items = value if isinstance(value, list) else [value]
        return [{"value": item} if isinstance(item, str) else item for item in items]

    @field_validator("reason", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return "" if value is None else str(value)[:500]


class VerdictCache:
    """The last verdicts by MD5 over model and prompt; `seconds` old ones are asked again."""

    def __init__(self, size: int = 1000, seconds: float = 300.0, now: Callable[[], float] = clock.monotonic) -> None:
        self._size, self._seconds, self._now = size, seconds, now
        self._kept: OrderedDict[str, tuple[float, Verdict]] = OrderedDict()

    def get(self, key: str) -> Verdict | None:
        found = self._kept.get(key)
        if found is None or self._now() - found[0] > self._seconds:
            self._kept.pop(key, None)
            return None
        self._kept.move_to_end(key)
        return found[1]

    def put(self, key: str, verdict: Verdict) -> None:
        self._kept[key] = (self._now(), verdict)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forgets everything: verdicts quote what users said."""
        self._kept.clear()


async def consult(parts: Parts, llm: BaseChatModel, *, seconds: float = 30.0, cache: VerdictCache | None = None) -> Judgement:
    """The message judged, the chat model's word included where the first tiers were unsure. Never raises because of the model."""
    if not parts.open:
        return assemble(parts)
    prompt = _prompt(parts)
    key = hashlib.md5(f"{_name(llm)}\0{prompt}".encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    verdict = cache.get(key) if cache is not None else None
    if verdict is None:
        try:
            async with asyncio.timeout(seconds):
                verdict = await ask(llm, prompt)
        except Exception as error:  # whatever a provider's client raises: the first two tiers' judgement stands
            log.warning("the classifier model gave no verdict: %s", type(error).__name__)
            return assemble(parts)
        if cache is not None:
            cache.put(key, verdict)
    return assemble(heard(parts, verdict))


async def ask(llm: BaseChatModel, prompt: str) -> Verdict:
    """One verdict: by the provider's structured output, or where it has none from the JSON in its plain answer. Raises whatever goes wrong."""
    messages: list[BaseMessage] = [HumanMessage(prompt)]
    cool = llm.model_copy(update={"temperature": TEMPERATURE}) if "temperature" in type(llm).model_fields else llm
    try:
        structured = cool.with_structured_output(Verdict, method="json_schema", include_raw=True)
    except Exception:  # this kind of model knows no structured output
        structured = None
    try:
        answer: Any = await (structured or cool).ainvoke(messages)
    except Exception as error:
        if getattr(error, "status_code", None) not in {400, 404, 422}:
            raise
        answer = await llm.ainvoke(messages)  # the server refuses the schema or the temperature
    if isinstance(answer, dict):
        parsed = answer.get("parsed")
        if isinstance(parsed, Verdict):
            return parsed
        answer = answer.get("raw")
    return parse(answer.text if isinstance(answer, BaseMessage) else str(answer))


def parse(text: str) -> Verdict:
    """The verdict in a model's plain answer, also inside a code fence or between sentences. Raises ValueError when there is none."""
    found = _JSON.search(text)
    if found is None:
        raise ValueError("no JSON object in the answer")
    try:
        return Verdict.model_validate(json.loads(found[0]))
    except (json.JSONDecodeError, ValidationError, RecursionError):
        raise ValueError("the JSON in the answer is no verdict") from None


def heard(parts: Parts, verdict: Verdict) -> Parts:
    """The parts with the verdict on their open clauses: its facts where they stand in such a clause, or the rules' looser reading of the likeliest one."""
    weights = parts.ctx.rules.weights
    language = "en" if language_of(parts.ctx.message) == "en" else "zh"
    sure = verdict.confidence >= weights.sure
    found = {i: _grounded(i, parts, verdict) for i in parts.open}
    if verdict.memory_type == "LONG" and not any(found.values()):
        likeliest = next((i for i in parts.open if parts.readings[i].intent in LONG_CLASSES and parts.readings[i].facts), None)
        if likeliest is not None:
            found[likeliest] = tuple(f.evolve(confidence=verdict.confidence) for f in parts.readings[likeliest].facts)
    readings, tiers = list(parts.readings), list(parts.tiers)
    for index in parts.open:
        tiers[index] = "llm"
        why = verdict.reason
        if verdict.memory_type == "LONG" and found[index]:
            intent = parts.readings[index].intent if parts.readings[index].intent in LONG_CLASSES else _class(found[index][0], parts)
            readings[index] = replace(parts.readings[index], intent=intent, confidence=verdict.confidence, facts=found[index], why=why, open=False)
            continue
        if verdict.memory_type == "LONG" and not sure:
            why = f"{why}；{_DEMOTED[language]}" if why else _DEMOTED[language]
        readings[index] = _short(
            parts.readings[index], verdict.confidence if verdict.memory_type == "SHORT" else max(1 - verdict.confidence, 0.5), why
        )
    return replace(parts, readings=tuple(readings), tiers=tuple[Tier, ...](tiers))


def _short(reading: Reading, confidence: float, why: str) -> Reading:
    intent = "other" if reading.intent in LONG_CLASSES else reading.intent
    return replace(reading, intent=intent, confidence=confidence, facts=(), why=why or reading.why, open=False)


def _grounded(index: int, parts: Parts, verdict: Verdict) -> tuple[Candidate, ...]:
    """The extracted facts whose value stands in this clause, as the user wrote it; an owner that the message does not name is nobody's fact."""
    clause = parts.ctx.clauses[index]
    facts = []
    for item in verdict.extracted_info:
        wanted = fold(item.value.strip())
        at = clause.plain.find(wanted) if wanted else -1
        owner = item.owner.strip()
        if owner.lower() in {"", USER, "用户", "我", "self", "me", "i"}:
            owner = USER
        elif fold(owner) not in parts.ctx.plain:
            continue
        if at < 0:
            continue
        facts.append(
            Candidate(
                attribute=item.attribute if item.attribute in CATEGORIES else "other", value=clause.text[at : at + len(wanted)], owner=owner,
                confidence=verdict.confidence, clause=clause.text.strip(), reason=verdict.reason,
            )
        )  # fmt: skip
    return tuple(facts)


def _class(fact: Candidate, parts: Parts) -> str:
    return "relationship" if fact.owner != USER else parts.ctx.rules.class_of(fact.attribute)


def _prompt(parts: Parts) -> str:
    ctx = parts.ctx
    history = "\n".join(f"{s.role}: {_plain(s.text)}" for s in ctx.history[-HISTORY:])
    return render(
        "classify", "en" if language_of(ctx.message) == "en" else "zh", message=_plain(ctx.message), history=history,
        time=ctx.time.isoformat(timespec="minutes") if ctx.time else "",
    )  # fmt: skip


def _plain(text: str) -> str:
    """Message text as data: it can close no tag of the prompt."""
    return text[:MAX_CHARS].replace("<", "＜").replace(">", "＞")


def _name(llm: BaseChatModel) -> str:
    return str(getattr(llm, "model_name", None) or getattr(llm, "model", None) or type(llm).__name__)
