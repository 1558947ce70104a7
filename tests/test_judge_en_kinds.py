"""English kinds that real talk broke: abbreviations, named children, introductions, who is meant; own examples."""

from datetime import UTC, datetime

import pytest

from memory.judge import judge
from memory.judge.en.fits import fits
from memory.small_model import small_model

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def facts(text: str, asked: str = "") -> set[tuple[str, str, str]]:
    history = [{"role": "assistant", "content": asked}] if asked else []
    return {(f.owner, f.attribute, f.value) for f in judge(text, time=NOW, history=history).facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work as a porter at St. Bride's Infirmary in Perth", {("user", "occupation", "porter"), ("user", "employer", "St. Bride's Infirmary")}),
        ("I'm a welder at Harlow Ltd. in Derby", {("user", "occupation", "welder"), ("user", "employer", "Harlow Ltd")}),
        ("I live on Elm St. I like plums.", {("user", "location", "Elm St"), ("user", "likes", "plums")}),
        ("I live in St. Ives", {("user", "location", "St. Ives")}),
        (
            "we've got two kids, Nora (6) and Finn (3)",
            {("user", "relationship", "two kids, Nora (6) and Finn (3)"), ("kid Nora", "age", "6"), ("kid Finn", "age", "3")},
        ),
        ("I have two sons: Abe and Lou", {("user", "relationship", "two sons: Abe and Lou")}),
        (
            "I live in Cork with my wife Una and our three kids",
            {("user", "location", "Cork"), ("user", "relationship", "wife Una"), ("user", "relationship", "three kids")},
        ),
        ("My brother Al just had a baby girl, Ines!", {("user", "relationship", "Ines"), ("user", "relationship", "brother Al")}),
        ("our rabbits are called Dot and Dash", {("user", "pet", "rabbit called Dot"), ("user", "pet", "rabbit called Dash")}),
        ("I own a second rabbit now and she's called Dash", {("user", "pet", "second rabbit called Dash")}),
        ("Hi, im Farah, a chemist from Delhi", {("user", "name", "Farah"), ("user", "occupation", "chemist"), ("user", "hometown", "Delhi")}),
        ("I'm Mira, 34, a plumber", {("user", "name", "Mira"), ("user", "age", "34"), ("user", "occupation", "plumber")}),
        ("I used to live in Hull before I moved to York in 2018", {("user", "location", "Hull"), ("user", "location", "York")}),
        ("bought a tent yesterday for £60", {("user", "possession", "tent")}),
        ("my phone number is 07700 900777", {("user", "contact", "07700 900777")}),
        ("Nan hit 88 on Friday", {("Nan", "age", "88")}),
        ("I do ceramics full time", {("user", "occupation", "ceramics")}),
        ("he snores, for the record", {("he", "other", "snores")}),
        ("I'm sorry, a friend called", set()),
    ],
)
def test_facts(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) == expected


def test_an_answer_about_a_favourite_names_its_slot() -> None:
    [fact] = judge("it's plum", time=NOW, history=[{"role": "assistant", "content": "What's your favourite colour?"}]).facts
    assert (fact.attribute, fact.value, fact.content) == ("likes", "plum", "my favourite colour is plum")


@pytest.mark.parametrize(
    ("attribute", "value", "holds"),
    [
        ("occupation", "wood carver", True),
        ("occupation", "nobody here has a spare key", False),
        ("location", "the kettle has a loose lid", False),
        ("occupation", "phone plan has ten gigs", False),
        ("age", "quite old", False),
        ("contact", "not by post", False),
        ("other", "nobody here has a spare key", True),
    ],
)
def test_what_an_attribute_can_hold(attribute: str, value: str, holds: bool) -> None:
    assert fits(attribute, value) is holds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I have two cats, Fig and Plum", {("user", "pet", "cat called Fig"), ("user", "pet", "cat called Plum")}),
        ("Hello, I'm Gus, 45, live in Bath, married, two kids", {("user", "name", "Gus"), ("user", "age", "45"), ("user", "location", "Bath")}),
        ("My cousin Rae had a baby boy called Ned last night", {("user", "relationship", "Ned")}),
    ],
)
def test_told_in_one_breath(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected <= facts(text)
    assert all(value in {v for _, _, v in expected} or attribute == "relationship" for _, attribute, value in facts(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I have a walnut allergy", {("user", "allergy", "walnut")}),
        ("I've had a really nasty mussel allergy since school", {("user", "allergy", "mussel")}),
        ("my nephew has a sesame and soy allergy", {("nephew", "allergy", "sesame"), ("nephew", "allergy", "soy")}),
        ("my husband's horse allergy is getting worse", {("husband", "allergy", "horse")}),
        ("I have a severe allergy to lupin", {("user", "allergy", "lupin")}),
        ("Bake something for my aunt with a kiwi allergy", {("aunt", "allergy", "kiwi")}),
        ("I don't have any food allergies", {("user", "health", "don't have any food allergies")}),
        ("a menu for guests with a celery allergy", set()),
        ("The allergy clinic has moved", set()),
    ],
)
def test_an_allergy_is_to_the_noun_before_it(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    ("text", "stance"),
    [("I don't have a walnut allergy", "negate"), ("I've outgrown my walnut allergy", "negate"), ("I used to have a walnut allergy", "past")],
)
def test_an_allergy_that_is_none_or_over(text: str, stance: str) -> None:
    assert [(f.value, f.stance.value) for f in judge(text, time=NOW).facts] == [("walnut", stance)]


@pytest.mark.parametrize(
    "text",
    [
        "does my lodger have a walnut allergy?", "does my niece still sing in the choir", "am I allergic to anything", "do I still live in Perth",
        "I'm allergic to walnuts, aren't I", "I live in Perth, don't I", "my aunt's called Bea, isn't she", "and my nephew, is he allergic to sesame",
        "wasn't I going to Lisbon in May",
    ],
)  # fmt: skip
def test_what_is_asked_without_a_mark_tells_nothing(text: str) -> None:
    assert facts(text) == set()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("please don't put tables in summaries unless I ask", "don't put tables in summaries unless I ask"),
        ("no comments in code please unless I ask", "no comments in code please unless I ask"),
        ("Don't spell out the basics unless asked", "Don't spell out the basics unless asked"),
        ("No endless explanations please", "No endless explanations"),
        ("only add sources when I ask", "only add sources when I ask"),
        ("reply in Welsh please", "reply in Welsh"),
        ("I'd rather you kept it brief", "I'd rather you kept it brief"),
        ("I would rather have bullet points", "I would rather have bullet points"),
    ],
)
def test_a_wish_is_kept_with_its_not_and_its_only(text: str, value: str) -> None:
    assert facts(text) == {("user", "instruction", value)}


@pytest.mark.parametrize(
    "text",
    [
        "reply to this letter in Welsh please",
        "No words for that",
        "Don't worry unless I call",
        "never again",
        "I'm on the tram",
        "they're for my uncle's 50th",
    ],
)
def test_what_is_no_standing_wish_and_no_fact(text: str) -> None:
    assert facts(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm on an M1 Mac", {("user", "possession", "M1 Mac")}),
        ("I'm on Windows 10 at work", {("user", "possession", "Windows 10")}),
        ("I'd rather be called Nell", {("user", "name", "Nell")}),
    ],
)
def test_machines_and_names_gone_by(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    "text", ["14 March", "no wait, it's March. 14 March", "my brother thinks I'm fussing about the figs", "my aunt says I'm too thin"]
)
def test_the_small_model_finds_no_birthday_and_no_opinions(text: str) -> None:
    assert judge(text, time=NOW, model=small_model()).facts == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my nephew Abe has music therapy on Friday afternoons", {("nephew Abe", "habit", "music therapy on Friday afternoons")}),
        ("I have fencing on Tuesday evenings", {("user", "habit", "fencing on Tuesday evenings")}),
        ("my niece has pottery every Sunday", {("niece", "habit", "pottery every Sunday")}),
        ("I have a meeting on Tuesday evening", {("user", "plan", "meeting")}),
        ("lentils make me bloated", {("user", "health", "lentils make me bloated")}),
        ("wheat upsets my niece's stomach", {("niece", "health", "wheat upsets my niece's stomach")}),
        ("this soup upsets my stomach", set()),
        ("my niece is fine with almonds", {("niece", "health", "fine with almonds")}),
        ("I'm fine with that", set()),
        ("my niece can have cooked egg now but still no custard", {("niece", "health", "can have cooked egg now but still no custard")}),
    ],
)
def test_what_is_had_every_week_and_what_a_body_takes(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) == expected


def test_whose_body_a_pronoun_means() -> None:
    assert {f.owner for f in judge("Mia's fine with almonds but lentils make her tummy hurt", time=NOW).facts} == {"Mia"}
