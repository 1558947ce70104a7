"""Everyday English statements one after the other, whoever they are about: what is known of whom in the end."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.judge import judge
from memory.record import Memory, Source, Status
from memory.revise import applied, revise
from memory.revise.dates import date_in
from memory.revise.notice import notice
from memory.revise.tidy import tidy
from memory.small_model import small_model

START = datetime(2026, 3, 4, 9, tzinfo=UTC)


def known_after(*messages: str) -> set[tuple[str, str, str]]:
    """(owner, attribute, value) of what holds after the messages, a day apart."""
    known: list[Memory] = []
    for n, text in enumerate(messages):
        now = START + timedelta(days=n)

        def day(told: str, now: datetime = now) -> str | None:
            return date_in(told, now)

        read = tidy(judge(text, time=now, model=small_model()).facts, text)
        for c in notice(text, known, read, now=now, resolve=day):
            known = applied(known, revise(known, c, user="u", now=now, source=Source(message=str(n), text=text)))
    return {(m.owner, m.attribute, m.value) for m in known if m.status is Status.ACTIVE}


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        (("My husband's at Norvale Rail.",), {("husband", "employer", "Norvale Rail")}),
        (("My wife is at Hobb & Sons.",), {("wife", "employer", "Hobb & Sons")}),
        (("My husband works at Milton Steel.", "He's been poached by Larch Bikes."), {("husband", "employer", "Larch Bikes")}),
        (
            ("Marta is my next-door neighbour.", "Marco is my upstairs neighbour."),
            {("user", "relationship", "Marta"), ("user", "relationship", "Marco")},
        ),
        (("I don't drink alcohol.", "Remember I'm teetotal."), {("user", "habit", "don't drink alcohol")}),
        (("I don't smoke.", "I'm a non-smoker, by the way."), {("user", "habit", "don't smoke")}),
        (("My stepdaughter Ivy is 7.", "My stepson Max is 10.", "She's 8 today!"), {("stepdaughter Ivy", "age", "8"), ("stepson Max", "age", "10")}),
        (("My dad is 15 stone.",), {("dad", "health", "15 stone")}),
        (("I weigh 11 stone.", "I'm 66 kg now."), {("user", "health", "66 kg")}),
        (("My rent is 900 a month.", "The rent's gone up to 1,050 a month."), {("user", "other", "1,050 a month")}),
        (("My rent is 12,000 a year.", "My rent is 1,100 a month from today."), {("user", "other", "1,100 a month")}),
        (("Birdwatching is my thing.",), {("user", "likes", "Birdwatching")}),
        (("Chess is my favourite pastime.",), {("user", "likes", "Chess")}),
        (("Pottery is my big passion.",), {("user", "likes", "Pottery")}),
        (("Rose is my dentist.",), {("user", "relationship", "Rose")}),
        (("My thirtieth is on 12 May.",), {("user", "birthday", "12 May")}),
        (("Leeds born and bred.",), {("user", "hometown", "Leeds")}),
        (("My mum drives a van for Hobb & Sons.",), {("mum", "employer", "Hobb & Sons")}),
        (("These days I eat everything but pork.",), {("user", "habit", "eat everything but pork")}),
        (("I weigh 80 kilos.", "Scales say 76 kg this morning."), {("user", "health", "76 kg")}),
        (("I'm a night nurse.", "I've moved to day shifts."), {("user", "occupation", "night nurse"), ("user", "habit", "day shifts")}),
        (("There was a cat in our house once, Tibbles; now I only have a hamster.",), {("user", "pet", "hamster")}),
    ],
)
def test_a_plain_statement_is_known_under_its_owner(told: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    assert known_after(*told) == facts


@pytest.mark.parametrize(
    ("told", "value", "gone"),
    [
        (("My dentist is Dr Amos.", "He's retired, so I've been moved to Dr Berg."), "Dr Berg", "Dr Amos"),
        (("My GP is Dr Amos.", "I've switched to Dr Berg."), "Dr Berg", "Dr Amos"),
        (("My GP is Dr Amos.", "I see Dr Berg now."), "Dr Berg", "Dr Amos"),
        (("My GP is Dr Amos.", "I saw Dr Berg today, only a locum."), "Dr Amos", "Dr Berg"),
        (("My GP is Dr Amos.", "My dentist is Dr Hill.", "I've switched to Dr Berg."), "Dr Amos", ""),
    ],
)
def test_another_doctor_takes_the_place_of_the_only_one(told: tuple[str, ...], value: str, gone: str) -> None:
    names = {v for _, a, v in known_after(*told) if a == "relationship"}
    assert value in names
    assert gone not in names


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        (
            ("My sister works at Halden Bank.", "I told you wrong about my sister, it's Morrow Insurance she works for."),
            {("sister", "employer", "Morrow Insurance")},
        ),
        (("My dad drives a Skoda.", "I got that wrong, it's a Seat he drives."), {("dad", "possession", "Seat")}),
        (("I'm allergic to shellfish.", "Sorry, wrong word, I meant walnuts."), {("user", "allergy", "walnuts")}),
        (("I live in Leeds.", "Wrong city, sorry. I meant Hull."), {("user", "location", "Hull")}),
        (("My dog is called Rex.", "Sorry, my mistake, it's Max."), {("user", "pet", "Max")}),
        (
            ("My dog is called Rex.", "My name is Jon.", "Sorry, typo, it's John."),
            {("user", "pet", "Rex"), ("user", "name", "John")},
        ),
    ],
)
def test_a_correction_finds_the_fact_that_it_means(told: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    assert known_after(*told) == facts


@pytest.mark.parametrize("answer", ["They turned me down.", "Got rejected.", "They went with someone else."])
def test_a_refusal_ends_the_application(answer: str) -> None:
    assert not any(a == "plan" for _, a, _ in known_after("I've an interview at Sallow & Finch on Friday.", answer))


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        (("I'm on warfarin.", "I've come off warfarin."), set()),
        (("I go to the gym on Mondays.", "Gym's on Wednesdays now."), {("user", "habit", "go to the gym on Wednesdays")}),
        (("I play five-a-side on Thursdays.", "Five-a-side's moved to Fridays."), {("user", "habit", "play five-a-side on Fridays")}),
        (("I don't eat pork.", "I eat pork now."), {("user", "habit", "eat pork")}),
        (("I drink coffee.", "I don't drink coffee."), {("user", "habit", "don't drink coffee")}),
        (("I can't swim.", "I can swim now."), {("user", "skill", "swim")}),
        (("My mum's birthday is 4 May.", "Mum's 60 on 4 May."), {("mum", "birthday", "4 May")}),
        (
            ("I study carpentry at Corran College.", "Switched schools, I'm at Westmere Tech now."),
            {("user", "school", "carpentry"), ("user", "school", "Westmere Tech")},
        ),
        (("I hate jazz.", "Jazz has won me over."), {("user", "likes", "Jazz")}),
        (("My degree was in geology.", "Slip of the keys: geography."), {("user", "school", "geography")}),
        (("I've got asthma and hay fever.",), {("user", "health", "asthma"), ("user", "health", "hay fever")}),
        (("I have diabetes and high blood pressure.",), {("user", "health", "diabetes"), ("user", "health", "high blood pressure")}),
        (("My blood pressure is 140/90.", "Blood pressure's 125/80 now."), {("user", "health", "125/80")}),
        (("I'm allergic to penicillin.", "The tests say I'm not allergic to penicillin."), set()),
        (("I work part-time.", "I've gone full-time."), {("user", "habit", "full-time")}),
        (("I live in Leeds.", "Hull's home now."), {("user", "location", "Hull")}),
        (("I live in Leeds.", "Home is Hull these days."), {("user", "location", "Hull")}),
        (("I live in Galway.", "Settled into Cork at last."), {("user", "location", "Cork")}),
        (("I live at 4 Oak Road.", "New address: 19 Elm Street."), {("user", "location", "19 Elm Street")}),
        (("I'm unemployed.", "Got a job at the library!"), {("user", "employer", "the library")}),
        (("I'm on maternity leave.", "I'm back at work now."), set()),
        (("I've a tortoise called Speedy.", "Speedy's really called Sheldon, I mixed them up."), {("user", "pet", "Sheldon")}),
        (("I'm on sertraline.", "They've taken me off sertraline."), set()),
        (("I hate olives.", "Olives have grown on me."), {("user", "likes", "Olives")}),
        (("I get the train to work.", "I've started driving to work."), {("user", "habit", "driving to work")}),
        (("I drive a Mini.", "The Mini's gone, I've got an e-bike now."), {("user", "possession", "e-bike")}),
        (("I have a dog called Rex.", "Rex isn't mine any more."), set()),
        (("I'm back at Corran College.",), {("user", "school", "Corran College")}),
        (("My favourite tea has to be oolong.", "My favourite tea is sencha now."), {("user", "likes", "sencha")}),
        (("My favourite colour's green.", "Blue's my favourite now."), {("user", "likes", "Blue")}),
        (
            ("My favourite colour's green.", "My favourite film is Alien.", "Blue's my favourite now."),
            {("user", "likes", "green"), ("user", "likes", "Alien"), ("user", "likes", "Blue")},
        ),
        (("My partner eats everything.", "My partner has gone gluten-free on doctor's orders."), {("partner", "habit", "gluten-free")}),
        (("I'm vegetarian.", "I've gone gluten-free."), {("user", "habit", "vegetarian"), ("user", "habit", "gluten-free")}),
    ],
)
def test_what_a_plain_statement_ends_or_replaces(told: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    assert known_after(*told) == facts


@pytest.mark.parametrize(
    "told",
    [
        ("I live in Leeds.", "Dad's home now."),
        ("I live in Leeds.", "Sam's home now."),
        ("I'm allergic to nuts.", "Wrong word in the crossword again, I meant to check it."),
        ("I'm on maternity leave.", "Sam's back at work."),
        ("I'm on warfarin.", "My sister has come off warfarin."),
        ("I eat pork.", "My wife doesn't eat pork."),
        ("I own a Fiat.", "The petrol is gone."),
        ("I'm unemployed.", "My son got a job."),
    ],
)
def test_what_is_said_of_others_or_other_things_ends_nothing(told: tuple[str, ...]) -> None:
    assert known_after(told[0]) <= known_after(*told)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I've moved to Neovim", ("user", "habit", "Neovim")),
        ("I moved from Trello to Obsidian last month", ("user", "habit", "Obsidian")),
        ("I've moved to oat milk", ("user", "habit", "oat milk")),
        ("I live in Figma these days", ("user", "habit", "live in Figma")),
    ],
)
def test_a_tool_that_is_moved_to_is_no_home(said: str, fact: tuple[str, str, str]) -> None:
    assert known_after("I live in Kendal.", said) == {("user", "location", "Kendal"), fact}


@pytest.mark.parametrize(
    ("said", "home"), [("I've moved to Little Ambrook", "Little Ambrook"), ("i moved to hull", "hull"), ("We moved to Vim Street", "Vim Street")]
)
def test_a_place_that_is_moved_to_is_home(said: str, home: str) -> None:
    assert ("user", "location", home) in known_after(said)


def test_what_is_changed_to_is_no_home() -> None:
    assert ("user", "location", "Kendal") in known_after("I live in Kendal.", "I've changed to tea")


@pytest.mark.parametrize(
    ("messages", "facts"),
    [
        (("I'm on citalopram 40mg", "my psychiatrist halved the dose to 20"), {("user", "health", "citalopram 20mg")}),
        (("My uncle takes 5mg of ramipril.", "his doctor doubled it to 10"), {("uncle", "health", "takes 10mg of ramipril")}),
        (("My uncle takes 5mg of ramipril.", "his landlord doubled it to 10"), {("uncle", "health", "takes 5mg of ramipril")}),
    ],
)
def test_a_dose_that_a_doctor_changes_is_the_patients(messages: tuple[str, ...], facts: set[tuple[str, str, str]]) -> None:
    assert known_after(*messages) == facts


def test_anothers_doctor_changes_no_dose_of_the_users() -> None:
    assert ("user", "health", "take 30mg of zinc") in known_after("I take 30mg of zinc.", "My aunt has gout.", "her doctor upped it to 40")
