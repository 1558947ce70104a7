"""The span reader: tokens and words, the features' stability, proposals that never overlap, and what is read with the shipped weights."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.judge import judge
from memory.judge.spans.features import span_features, token_features
from memory.judge.spans.find import name, propose
from memory.judge.spans.weights import read_span_weights, shipped_spans
from memory.judge.spans.words import Vocabulary, tokens, vocabulary, words
from memory.small_model import local_embed, small_model

FEW = Vocabulary({"喜欢": (1, 2), "香菜": (-1, -1), "kale": (3, 4)})


def test_tokens_are_characters_words_figures_and_marks() -> None:
    assert [(t.text, t.kind) for t in tokens("我用MacBook写了30页，Ann's")] == [
        ("我", "h"), ("用", "h"), ("macbook", "Xx"), ("写", "h"), ("了", "h"), ("00", "D2"), ("页", "h"), ("，", "p"), ("ann's", "Xx"),
    ]  # fmt: skip


def test_words_are_the_longest_in_the_list_and_clauses_are_counted() -> None:
    said = words(tokens("喜欢香菜，kale"), FEW)
    assert [(w.text, w.clause) for w in said] == [("喜欢", 0), ("香菜", 0), ("，", 0), ("kale", 1)]
    assert FEW.of("喜欢") == (1, 2)
    assert FEW.of("香菜") is None


def test_a_token_knows_its_neighbours_the_clause_and_the_clause_before() -> None:
    features = token_features(tokens("喜欢香菜，kale"), FEW)
    assert {"0=香", "-1=欢", "w-1=喜欢", "c-1b=2", "first"} <= set(features[2])
    assert {"0=kale", "P=喜欢", "c0a=3"} <= set(features[-1])


def test_a_span_tells_its_own_words_from_those_around_it() -> None:
    found = span_features("喜欢香菜，kale", 2, 4, (0, 4), FEW)
    assert {"v 香_菜", "l 喜_欢", "q kale", "cl 2"} <= found


@given(st.text(max_size=300))
def test_proposals_are_stretches_of_the_text_that_do_not_overlap(text: str) -> None:
    found = propose(text, shipped_spans())
    assert all(0 <= a < b <= len(text) for a, b in found)
    assert all(b <= c for (_, b), (c, _) in pairwise(found))


def test_weights_survive_their_arrays_and_another_format_is_refused() -> None:
    arrays = shipped_spans().arrays()
    again = read_span_weights(arrays)
    assert again.features == shipped_spans().features
    assert np.array_equal(again.hashed, shipped_spans().hashed)
    with pytest.raises(ValueError, match="another format"):
        read_span_weights(arrays | {"format": np.array(99)})


@pytest.mark.parametrize(
    ("text", "value", "attribute"),
    [
        ("搬到顺义这边住了", "顺义", "location"),
        ("碰不得花生，一吃喉咙就肿", "花生", "allergy"),
        ("totally hooked on bouldering since spring", "bouldering", "likes"),
        ("based in Aberdeen, near the harbour", "Aberdeen", "location"),
    ],
)
def test_values_of_unwritten_wordings_are_found_and_named(text: str, value: str, attribute: str) -> None:
    weights = shipped_spans()
    spans = [s for s in propose(text, weights) if value in text[slice(*s)]]
    assert spans
    found = name(text, spans[0], (0, len(text)), local_embed([text])[0], weights)
    assert found.attribute == attribute
    assert found.sure > 0.5


def test_the_vocabulary_has_words_of_both_languages_near_each_other() -> None:
    known = vocabulary()
    assert known.of("中国") is not None
    assert known.of("工作") == known.of("job")


def test_long_messages_are_left_to_the_other_tiers() -> None:
    verdict = judge("今天天气不错，我们去公园走走吧，" * 8, model=small_model())
    assert not any(f.learnt for f in verdict.candidates)
