"""Advice, a reason for every kind of it, and the cost of alternatives (hints.txt)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.deals import dealt, play, view_of
from kit.sentences import ENGLISH, FRENCH, languages, plain

from volte.bots import Hint, Other, Reason
from volte.cards import Card, read_cards
from volte.game import Pass, Play
from volte.say import Words

TEXT = Path(__file__).with_name("hints.txt").read_text(encoding="utf-8")
CASES = [part.strip().splitlines() for part in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]


def action(cards: str) -> Play | Pass:
    """`QC` is played, `KC+QS+AH` are passed."""
    if "+" in cards:
        return Pass(0, read_cards(cards.replace("+", " ")))
    return Play(0, Card(cards))


def other(text: str) -> Other:
    """`QC 3.1 0.4 0.04`: an alternative, its cost, the error of that, its worth in the match."""
    cards, points, error, *worth = text.split()
    return Other(action(cards), float(points), float(error), *map(float, worth))


def hint(line: str) -> Hint:
    listed, _, more = line.partition(" | ")
    others = tuple(map(other, listed.split(", ")))
    usual = None if more in ("", "stakes") else action(more)
    if "+" in line:
        return Hint(action("KC+QS+AH"), Reason.PASS_QUEEN, others, tempting=usual)
    return Hint(action("4C"), Reason.DUCK, others, more != "stakes", usual)


def costs(advice: Hint, words: Words) -> str:
    """Sentences about alternatives, behind the advice and its reason."""
    alone = Hint(advice.action, advice.reason)
    sentence = words.hint(advice)
    assert sentence.startswith(words.hint(alone))
    return sentence.removeprefix(words.hint(alone)).strip()


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_something_else_would_cost(case: list[str]) -> None:
    advice = None
    for line in case[1:]:
        if line[:3] not in ("en:", "fr:"):
            advice = hint(line)
            continue
        assert advice is not None
        assert plain(costs(advice, Words(line[:2]))) == line[4:]


def test_cards_are_advised_with_a_reason() -> None:
    assert FRENCH.hint(Hint(action("QS"), Reason.DUMP_QUEEN)) == (
        "Jouez la dame de pique\u00a0: les nombreux points de cette carte vont à quelqu’un d’autre."
    )
    assert ENGLISH.hint(Hint(action("QS+AS+KH"), Reason.PASS_QUEEN)) == (
        "Pass the ace of spades, the queen of spades and the king of hearts:"
        " the queen of spades and the cards most likely to take points."
    )
    # Where the cards make no difference nothing else is said.
    assert ENGLISH.hint(Hint(action("2C"), Reason.ALIKE, (other("3C 0.0 0.0"),))) == (
        "Play the 2 of clubs: all the cards you may play are worth the same here."
    )


@pytest.mark.parametrize(
    ("low", "told"),
    [
        ("5432", "4 spades are out, at most 4 of them in one hand, so your low ones can protect"),
        ("32", "you keep low spades to protect the high ones."),
    ],
)
def test_low_spades_are_counted_where_they_last(low: str, told: str) -> None:
    others = "S: KJ D: 2345", "S: A9 D: 6789", "D: TJQKA C: 2"
    state = dealt("coeurs", f"S: Q{low} C: {'A' if len(low) == 4 else 'A34'}", *others)
    assert told in ENGLISH.hint(Hint(Play(0, Card("AC")), Reason.GUARD), view_of(state, 0))


@pytest.mark.parametrize(
    ("low", "told"),
    [("7", "the 7 of spades protects her."), ("76", "your low spades protect her.")],
)
def test_a_single_low_spade_that_protects_the_queen_is_named(low: str, told: str) -> None:
    hands = "C: A234", f"S: Q{low} D: {'KJ'[: 3 - len(low)]}", "C: 56 S: TK", "C: 789 H: 2"
    state = play(dealt("coeurs", *hands), "AC")
    advice = Hint(Play(1, Card("KD")), Reason.SHED_HIGH, queen=Reason.QUEEN_GUARDED)
    assert told in ENGLISH.hint(advice, view_of(state, 1))


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("JC", "it is high, and might take points later."),
        ("7C", "most of the clubs still to come are lower, and it might take points later."),
    ],
)
def test_a_card_that_only_few_can_beat_is_not_called_high(card: str, told: str) -> None:
    hands = f"C: {card[0]}3 D: A", "C: 24 D: 2", "C: 56 D: 3", "C: 8 D: 4 H: 5"
    state = play(dealt("coeurs", *hands), "AD 2D 3D 4D")
    assert told in ENGLISH.hint(Hint(Play(0, Card(card)), Reason.SHED_HIGH), view_of(state, 0))


@pytest.mark.parametrize(
    ("preset", "told"), [("coeurs", "nobody but N has any points"), ("salon-valet", "somebody may")]
)
def test_S5_nobody_is_said_to_have_no_points_who_has_some_below_zero(
    preset: str, told: str
) -> None:
    hands = "H: AK C: 79 D: 2", "H: 34 C: 28 D: 3", "H: 569 D: 4T", "H: 78 C: K4 D: J"
    state = dealt(
        preset, *hands, opening="eldest", hearts_lead="free", pass_count=0, match_end="deals:1"
    )
    state = play(state, "2D 3D 4D JD 7H AH 3H 5H KH 4H 6H 8H 7C 2C 9H")
    assert told in ENGLISH.hint(Hint(Play(3, Card("KC")), Reason.STOP_MOON), view_of(state, 3))


@pytest.mark.parametrize(
    ("cards", "goes_on", "tries"),
    [
        ("AH 3H 2H 6H", "so far are yours,", "nobody else has"),
        ("5H 3H KH 6H 2H 7H AH 4H", "so far are your side’s,", "no opponent has"),
    ],
)
def test_W10_points_that_a_partner_took_are_said_to_be_the_sides(
    cards: str, goes_on: str, tries: str
) -> None:
    hands = "H: A5 C: A9", "H: 34 C: 78", "H: K2 C: 65", "H: 67 C: KQ"
    state = play(dealt("coeurs", *hands, partners=2, moon_by="side"), cards)
    for reason, told in ((Reason.GO_ON_MOON, goes_on), (Reason.TRY_MOON, tries)):
        assert told in ENGLISH.hint(Hint(Play(0, Card("AC")), reason), view_of(state, 0))


@languages
def test_every_reason_has_words_of_its_own(words: Words) -> None:
    sentences = {reason: words.hint(Hint(action("2C"), reason)) for reason in Reason}
    assert len(set(sentences.values())) == len(Reason)
    for reason, sentence in sentences.items():
        assert sentence.endswith(".")
        assert f": {reason}." not in sentence


numbers = st.floats(-40, 40, allow_nan=False)


@given(
    others=st.lists(
        st.builds(
            Other,
            st.sampled_from(["2C", "3C", "QC", "AC", "QS", "KH", "RJ", "AC'"]).map(action),
            numbers,
            st.floats(0, 30),
            st.none() | st.floats(-1, 1) | numbers,
        ),
        unique_by=lambda each: each.action,
    ),
    wins=st.booleans(),
    words=st.sampled_from([FRENCH, ENGLISH]),
)
def test_whatever_is_found_is_said_in_a_few_sentences(
    others: list[Other], wins: bool, words: Words
) -> None:
    text = costs(Hint(action("4C"), Reason.DUCK, tuple(others), wins), words)
    assert text.count(".") <= 2
    assert bool(text) == bool(others)
    assert not text or ((text[0].isupper() or text[0].isdigit()) and text.endswith("."))
    assert not {"{", "}"} & set(text)
    assert "−" not in text, "no cost is told as a number below zero"
