"""The small model: honest probabilities, bounded cost, weights that can be made again."""

import dataclasses
import time
import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.examples import Example, clause_examples, examples, span_examples
from bench.train_judge import CLASSES, calibration_error, difference, held_out_report, train
from memory.judge import Reading, Rules, judge
from memory.judge.engine import context
from memory.judge.features import BUCKETS, buckets, clean
from memory.judge.judgement import LONG_CLASSES, SHORT_CLASSES
from memory.judge.model import MAX_UNITS, LinearModel
from memory.judge.weights import Floats, read_weights, shipped
from memory.small_model import local_embed


class Counting:
    """An embedder of fixed vectors that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Floats:
        self.asked += texts
        return np.stack([np.random.default_rng(len(t)).normal(size=384) / 20 for t in texts]).astype(np.float32)


def test_enough_examples_and_hard_negatives_as_common_as_positives() -> None:
    for language, least in (("zh", 3300), ("en", 1700)):
        rows = examples(language)
        assert len(rows) >= least
        assert len({r.text for r in rows}) == len(rows)
        assert all((r.intent in LONG_CLASSES) == r.long for r in rows)
        assert 0.45 <= np.mean([r.long for r in rows]) <= 0.55
        lengths = [len(r.text) for r in rows]
        assert min(lengths) <= 3
        assert max(lengths) >= 200


@pytest.mark.parametrize("language", ["zh", "en"])
def test_right_and_calibrated_on_examples_it_never_saw(language: str) -> None:
    held = [e for e in examples(language) if e.held_out]
    sample = held[:: len(held) // 300]  # fewer would tell more of the sample than of the model
    report = held_out_report(shipped(), sample, local_embed)[language]
    assert report["n"] >= 60
    assert report["accuracy"] >= 0.85
    assert report["ece"] <= 0.12  # a sample; the whole fifth is reported by the bench, bar .05


def test_weights_come_out_the_same_and_round_trip() -> None:
    both = [examples(lang) for lang in ("zh", "en")]
    rows = [e for given in both for e in given[::120]]
    rows += [e for given in both for c in CLASSES for e in [x for x in given if x.intent == c][:3]]
    clauses = clause_examples()[::40]
    one, two = train(rows, clauses, Counting()), train(list(reversed(rows)), list(reversed(clauses)), Counting())
    assert difference(one, two) <= 1e-6
    assert difference(read_weights(one.arrays()), one) == 0
    with pytest.raises(ValueError, match="format"):
        read_weights(one.arrays() | {"format": np.array(99)})


def test_a_correction_without_a_class_gets_the_likeliest_of_its_label() -> None:
    both = [examples(lang) for lang in ("zh", "en")]
    rows = [e for given in both for c in CLASSES for e in [x for x in given if x.intent == c][:4]]
    more = [Example("我最爱的水果是杨梅", "SHORT", "zh", None, source="correction")] * 3
    weights = train([*rows, *more], clause_examples()[::40], Counting())
    assert set(weights.classes) == (LONG_CLASSES | SHORT_CLASSES) - {"complaint", "return"}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.sampled_from(["zh", "en"]))
def test_any_text_has_features_and_an_opinion(text: str, language: str) -> None:
    found = buckets(text, language)
    assert len(found) == len(set(found.tolist())) > 0
    assert 0 <= found.min() <= found.max() < BUCKETS
    assert len(clean(text)) <= 256
    (said,) = LinearModel(shipped, Counting()).predict([text], [language])
    assert 0 <= said.long <= 1
    assert said.opinion.confidence >= 0.5


def test_a_long_message_costs_no_more_than_its_limit() -> None:
    embed = Counting()
    ctx = context("".join(f"那个第{n}件事情嘛怎么说呢也就那样。" for n in range(2000)), rules=Rules.load())
    readings = [Reading(intent="other", confidence=0.4, open=True)] * len(ctx.clauses)
    began = time.perf_counter()
    said = LinearModel(shipped, embed).opinions(range(len(ctx.clauses)), ctx, readings)
    assert time.perf_counter() - began < 5
    assert [o.confidence for o in said[-100:]] == [0.5] * 100
    assert len(embed.asked) <= MAX_UNITS


def test_of_a_short_message_the_window_that_looks_most_lasting_is_embedded() -> None:
    embed = Counting()
    text = "Well, that meeting went on and on until everybody had left the room. Anyway, my sister works as a midwife in a hospital near the coast."
    ctx = context(text, rules=Rules.load())
    readings = [Reading(intent="other", confidence=0.4, open=True)] * len(ctx.clauses)
    LinearModel(shipped, embed).opinions(range(len(ctx.clauses)), ctx, readings)
    (asked,) = embed.asked
    assert "midwife" in asked


def test_weights_are_read_at_first_use() -> None:
    def fail() -> None:
        raise AssertionError("weights were read")

    model = LinearModel(fail, Counting())  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="weights were read"):
        model.predict(["x"], ["en"])


def test_prediction_is_frozen() -> None:
    (said,) = LinearModel(shipped, Counting()).predict(["x"], ["en"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        said.long = 1.0  # type: ignore[misc]


def test_calibration_error_is_zero_for_honest_confidence() -> None:
    assert calibration_error(np.array([0.75] * 4), np.array([True, True, True, False])) == pytest.approx(0)
    assert calibration_error(np.array([0.95] * 4), np.array([True, True, False, False])) == pytest.approx(0.45)


def test_the_model_overrules_a_settled_clause_only_when_sure() -> None:
    text = "我看书只看纸质的。"
    model = LinearModel(shipped, local_embed)
    alone, seconded = judge(text), judge(text, model=model)
    assert alone.memory_type == "SHORT"
    assert (seconded.memory_type, seconded.tier) == ("LONG", "model")
    assert judge("今天天气真好。", model=model).tier == "rules"
    firm = judge("你好，我叫张三，是一名软件工程师。", model=model)
    assert (firm.memory_type, firm.tier) == ("LONG", "rules")


def test_at_most_one_clause_of_a_sentence_is_doubted() -> None:
    ctx = context("我目前在写一部剧本，讲的是老街，写了三年，快写完了。", rules=Rules.load())
    readings = [Reading(intent="chitchat", confidence=0.75)] * len(ctx.clauses)
    model = LinearModel(shipped, Counting())
    assert len(model.doubts(ctx, readings)) == 1
    assert model.doubts(ctx, [dataclasses.replace(r, confidence=0.97) for r in readings]) == []


def test_what_only_the_model_reads_is_filed_under_a_fitting_attribute() -> None:
    model = LinearModel(shipped, local_embed)
    for text, attribute in (("我看书只看纸质的。", "habit"), ("我睡觉得开着小夜灯。", "habit")):
        (fact, *_) = judge(text, model=model).facts
        assert fact.attribute == attribute


MADE_OF = (58660620, 693692582)
"""Checksums of what the shipped weights and the shipped span reader were made of. Whoever changes how texts are folded or cut trains both again
(`python -m bench.train_judge`, `python -m bench.train_spans`) and notes the new ones here."""


def test_the_weights_were_made_of_what_is_read_now() -> None:
    texts = [e.text for lang in ("zh", "en") for e in examples(lang)] + [e.text for e in clause_examples()]
    folded = zlib.crc32("\n".join(map(clean, texts)).encode("utf-8", "replace"))
    cut = [[(c.start, c.end) for c in context(e.text, rules=Rules.load()).clauses] for e in span_examples()]
    assert (folded, zlib.crc32(repr(cut).encode())) == MADE_OF
