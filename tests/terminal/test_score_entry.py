"""Deals as they are typed at the score-keeper."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.laws import cells, preset_and_settings, read_laws
from kit.reasons import because
from kit.spoken import EVERY
from kit.terminals import FOUR, SEVEN
from msgspec.structs import fields

from volte.cards import Card, VolteError
from volte.referee import Misdeal
from volte.rules import PRESETS, Ruleset, make_ruleset
from volte.say import Words
from volte.scorekeeper.model import (
    Counted,
    DealReport,
    Enter,
    LostDeal,
    Open,
    SheetFault,
    StoppedDeal,
    Taken,
    decide,
    fold,
)
from volte.scorekeeper.telling.sheet import typed
from volte.scorekeeper.terminal.entry import DealReader, completed
from volte.scorekeeper.terminal.keys import (
    ScoreKey,
    Verb,
    example,
    points_example,
    verb_of,
)
from volte.sheet import Took

DEALS = read_laws(Path(__file__).with_name("deals.txt"))
FAULTS = DEALS.pop("faults")
COEURS = make_ruleset("coeurs-moyenne")
SIX = (*FOUR, "Emma", "Félix")


def reader(rules: Ruleset = COEURS, names: tuple[str, ...] = FOUR, lang: str = "en") -> DealReader:
    return DealReader(rules, names, Words(lang))


def noted(deal: DealReport) -> str:
    """A deal as it was read, in the notation of `deals.txt`."""
    found = ((field, getattr(deal, field.name)) for field in fields(deal))
    said = [f"{field.name}={shown(value)}" for field, value in found if value != field.default]
    return " ".join([type(deal).__name__, *said])


def shown(value: object) -> str:
    match value:
        case None:
            return "-"
        case Took(card, seats):
            return f"{card}:{shown(seats)}"
        case tuple():
            return ",".join(map(shown, value))
    return str(value)


@pytest.mark.parametrize("lang", EVERY)
@pytest.mark.parametrize("table", DEALS)
def test_what_was_typed_is_understood_and_is_shown_as_it_can_be_typed(
    table: str, lang: str
) -> None:
    preset, settings = preset_and_settings(table)
    rules = make_ruleset(preset, {"players": "4", **settings})
    names = SIX[: rules.players]
    read = reader(rules, names, lang).deal
    for line, expected in map(cells, DEALS[table]):
        deal = read(line)
        assert noted(deal) == expected, line
        if not re.search("-( |,|$)", expected):
            assert read(typed(Words(lang), names, deal)) == deal, line


def test_cards_are_read_in_the_language_of_whoever_types() -> None:
    assert reader(lang="fr").deal("4 6d 2 manque 2c") == reader().deal("4 6q 2 missing 2h")


def enter(line: str, lang: str) -> None:
    """Enter a line; raise the `VolteError` that refuses it."""
    opened = decide(None, Open(COEURS, FOUR))
    assert not isinstance(opened, SheetFault)
    outcome = decide(fold([opened]), Enter(reader(lang=lang).deal(line)))
    if isinstance(outcome, SheetFault):
        raise outcome


@pytest.mark.parametrize("row", FAULTS)
@pytest.mark.parametrize("lang", EVERY)
def test_what_cannot_be_has_a_reason(row: str, lang: str) -> None:
    line, reason = cells(row)
    with pytest.raises(VolteError) as caught:
        enter(line, lang)
    assert caught.value.reason == reason
    sentence = Words(lang).fault(caught.value)
    assert sentence[-1] in ".?!»", sentence
    assert "\n" not in sentence


def refused(line: str, preset: str, lang: str = "en") -> str:
    """The sentence that refuses the line on a new sheet; empty if it is written down."""
    rules, words = make_ruleset(preset), Words(lang)
    names = tuple(f"{letter}nna" for letter in "ABCDEFGHIJ"[: rules.players])
    opened = decide(None, Open(rules, names))
    assert not isinstance(opened, SheetFault)
    sheet, read = fold([opened]), DealReader(rules, names, words)
    try:
        deal = completed(read.deal(line), sheet, read, words, lambda question: "1")
    except VolteError as fault:
        return words.fault(fault)
    outcome = decide(sheet, Enter(deal))
    return words.fault(outcome) if isinstance(outcome, SheetFault) else ""


@pytest.mark.parametrize("lang", EVERY)
@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_of_the_wrong_kind_are_told_how_to_be_typed(preset: str, lang: str) -> None:
    """The example in the sentence is accepted when it is typed."""
    rules, words = make_ruleset(preset), Words(lang)
    hearts, points = example(words, rules), points_example(rules)
    assert [refused(line, preset, lang) for line in (hearts, points)] == ["", ""]
    assert points in refused("99 99 1", preset, lang)
    assert hearts in refused("= 99 99 1", preset, lang)
    neither = refused("1/2/3", preset, lang)
    assert hearts in neither
    assert points in neither


@pytest.mark.parametrize(
    ("preset", "line", "typed"),
    [
        ("coeurs", "1 5 17 2", "= 1 5 17 2"),
        ("coeurs", "anna 1 bnna 5 cnna 17", "= 1 5 17 2"),
        ("coeurs", "1 5 17q 2", "= 1 5 17 2"),
        ("coeurs", "0 25 25 25", "= 0 25 25 25"),
        ("salon-valet", "-10 6 2 18", "= -10 6 2 18"),
        ("partnership", "5 21", "= 5 21"),
    ],
)
def test_numbers_that_can_only_be_points_are_shown_typed_as_points(
    preset: str, line: str, typed: str
) -> None:
    assert f"“{typed}”." in refused(line, preset)
    assert refused(typed, preset) == ""


def test_names_that_begin_alike_are_told_apart() -> None:
    three = reader(make_ruleset("coeurs", {"players": 3}), ("Anne", "Anne-Lise", "Jean Paul"))
    assert three.seat("anne") == 0
    assert three.seat("anne-l") == 1
    assert three.seat("paul") == 2
    assert three.seats("Jean Paul") == (2,)
    with pytest.raises(VolteError, check=because("score_which_name")):
        three.seat("an")


def test_no_word_means_two_things() -> None:
    keys = [word for key in ScoreKey for word in key.value]
    verbs = [word for verb in Verb for word in verb.value]
    assert len({*keys, *verbs}) == len(keys) + len(verbs)
    assert verb_of("Corriger 2  4 6q 3") == (Verb.FIX, "2 4 6q 3")


seats = st.integers(0, 6)
deals = st.one_of(
    st.builds(
        Taken,
        st.tuples(*[st.integers(0, 13)] * 7),
        seats,
        st.none() | seats,
        missing=st.lists(st.sampled_from([Card("2H"), Card("QS")]), unique=True).map(tuple),
    ),
    st.builds(Counted, st.tuples(*[st.integers(-36, 182)] * 7), st.none() | seats),
    st.builds(
        StoppedDeal,
        st.lists(seats, unique=True, min_size=1).map(tuple),
        st.lists(seats, unique=True).map(tuple),
    ),
    st.sampled_from([LostDeal(cause) for cause in Misdeal]),
)


@pytest.mark.parametrize("lang", EVERY)
@given(told=deals)
def test_what_is_shown_as_typed_can_be_typed(lang: str, told: DealReport) -> None:
    """A correction shows the old entry in a form that can be typed to put it back."""
    rules = make_ruleset("coeurs", {"players": 7})
    assert reader(rules, SEVEN, lang).deal(typed(Words(lang), SEVEN, told)) == told
