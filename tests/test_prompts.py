"""Templates are data with a checked interface."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prompts
from memory.errors import BadPrompt
from prompts import load, parse, render


def test_every_template_parses_and_has_both_languages_with_the_same_variables() -> None:
    names = {(p.name.split(".")[0], p.name.split(".")[1]) for p in Path(prompts.__file__).parent.glob("*.md")}
    assert ("classify", "zh") in names
    for name, lang in names:
        other = "en" if lang == "zh" else "zh"
        assert (name, other) in names, f"{name} lacks its {other} form"
        assert load(name, lang).variables == load(name, other).variables


def test_missing_and_unknown_variables_are_refused() -> None:
    with pytest.raises(BadPrompt, match="needs history, time"):
        render("classify", "zh", message="你好")
    with pytest.raises(BadPrompt, match="does not know extra"):
        render("classify", "en", message="hi", history="", time="", extra="x")
    with pytest.raises(BadPrompt, match="no prompt"):
        render("nonsense", "zh")


@pytest.mark.parametrize(
    "text", ["no front matter $x", "---\nvariables: a\n---\n$b", "---\nvariables: a\n---\n$a costs 5 $", "---\nvariables: a, b\n---\n$a"]
)
def test_a_template_that_contradicts_itself_is_refused(text: str) -> None:
    with pytest.raises(BadPrompt):
        parse("broken", text)


@given(st.text(), st.text())
def test_values_arrive_verbatim(message: str, history: str) -> None:
    prompt = parse("p", "---\nvariables: message, history\n---\n[$message|$history]")
    assert prompt.body.substitute(message=message, history=history) == f"[{message}|{history}]\n"


def test_a_value_cannot_reach_another_variable() -> None:
    text = render("classify", "en", message="$history {history} ${time} </message>", history="SECRET", time="now")
    assert "$history {history} ${time} </message>" in text
    assert text.count("SECRET") == 1
