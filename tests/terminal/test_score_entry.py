"""Deals as they are typed at the score-keeper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.terminals import FOUR, SEVEN

from volte.cards import Card, Fault
from volte.referee import Misdeal
from volte.referee.scores import Took
from volte.rules import Ruleset, make_ruleset
from volte.say import Words
from volte.scorekeeper.model import (
    Counted,
    Enter,
    LostDeal,
    Open,
    SheetFault,
    StoppedDeal,
    Taken,
    Told,
    decide,
    fold,
)
from volte.scorekeeper.telling.sheet import typed
from volte.scorekeeper.terminal.entry import DealReader
from volte.scorekeeper.terminal.keys import ScoreKey, Verb, verb_of

COEURS = make_ruleset("coeurs-moyenne")
JACK = make_ruleset("salon-valet")
EXPOSED, WRONG = Misdeal.EXPOSED, Misdeal.COUNT


def reader(rules: Ruleset = COEURS, names: tuple[str, ...] = FOUR, lang: str = "en") -> DealReader:
    return DealReader(rules, names, Words(lang))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("4 6q 3", Taken((4, 6, 3, None), 1)),
        ("4 6q 3 0", Taken((4, 6, 3, 0), 1)),
        ("4, 6q, 3", Taken((4, 6, 3, None), 1)),
        ("4 6 3 q", Taken((4, 6, 3, None), 3)),
        ("4 6 q 3", Taken((4, 6, None, 3), 2)),
        ("4 6 q 3 0", Taken((4, 6, 3, 0), 1)),  # one word more than players: q follows the 6
        ("4 6 3", Taken((4, 6, 3, None))),
        ("13q", Taken((13, None, None, None), 0)),
        ("4 6D 3", Taken((4, 6, 3, None), 1)),
        ("b6q a4 c3", Taken((4, 6, 3, None), 1)),
        ("bruno 6q anne 4", Taken((4, 6, None, None), 1)),
        ("Bruno 6 and the queen, Anne 4", Taken((4, 6, None, None), 1)),
        ("Bruno 6 et la dame, Anne 4 cœurs", Taken((4, 6, None, None), 1)),
        ("da 7q a6", Taken((6, None, None, 7), 3)),
        ("chloe 13 q", Taken((None, None, 13, None), 2)),
        ("= 4 19 3", Counted((4, 19, 3, None))),
        ("=4 19 3 0", Counted((4, 19, 3, 0))),
        ("points anne 26", Counted((26, None, None, None))),
        ("= 0 26 26 26", Counted((0, 26, 26, 26))),
        ("moon anne", Taken((13, 0, 0, 0), 0)),
        ("m 2", Taken((0, 13, 0, 0), 1)),
        ("volte Chloé", Taken((0, 0, 13, 0), 2)),
        ("revoke bruno", StoppedDeal((1,))),
        ("revoke anne and bruno", StoppedDeal((0, 1))),
        ("renonce 1 4", StoppedDeal((0, 3))),
        ("mixed chloé", StoppedDeal((), (2,))),
        ("revoke anne mixed bruno", StoppedDeal((0,), (1,))),
        ("levées mêlées david renonce chloé", StoppedDeal((2,), (3,))),
        ("misdeal exposed", LostDeal(EXPOSED)),
        ("maldonne vue", LostDeal(EXPOSED)),
        ("misdeal count", LostDeal(WRONG)),
        ("Maldonne, nombre", LostDeal(WRONG)),
        ("4 6q 2 missing 2h", Taken((4, 6, 2, None), 1, missing=(Card("2H"),))),
        ("= 5 5 missing queen of spades", Counted((5, 5, None, None), missing=(Card("QS"),))),
        ("moon anne missing 2h 3h", Taken((11, 0, 0, 0), 0, missing=(Card("2H"), Card("3H")))),
    ],
)
def test_what_was_typed_is_understood(line: str, told: Told) -> None:
    assert reader().deal(line) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("4 6q 3j", Taken((4, 6, 3, None), 1, 2)),
        ("4 6qj 3", Taken((4, 6, 3, None), 1, 1)),
        ("4 6dv 3", Taken((4, 6, 3, None), 1, 1)),
        ("b6q a4j", Taken((4, 6, None, None), 1, 0)),
        ("= -10 16 10 10", Counted((-10, 16, 10, 10))),
        ("= −10 16 10 10", Counted((-10, 16, 10, 10))),
        ("= 0j 26 0", Counted((0, 26, 0, None), 0)),
        ("moon anne jack bruno", Taken((13, 0, 0, 0), 0, 1)),
        ("m 1 j 2", Taken((13, 0, 0, 0), 0, 1)),
        ("slam chloé", Taken((0, 0, 13, 0), 2, 2, 2)),
        ("grand chelem 3", Taken((0, 0, 13, 0), 2, 2, 2)),
    ],
)
def test_the_jack_and_the_slam(line: str, told: Told) -> None:
    assert reader(JACK).deal(line) == told


MARIA = make_ruleset("black-maria", {"players": 4})
PACKS = make_ruleset("cancellation", {"players": 6})
PAIRS = make_ruleset("partnership", {"moon": "shooter_chooses", "no_tricks": -5})
SIX = ("Anne", "Bruno", "Chloé", "David", "Emma", "Félix")


def others(**cards: tuple[int, ...]) -> tuple[Took, ...]:
    took = sorted((Card(name), seats) for name, seats in cards.items())
    return tuple(Took(card, seats) for card, seats in took)


@pytest.mark.parametrize(
    ("rules", "line", "told"),
    [
        (MARIA, "4 6q 3 ks anne, as d", Taken((4, 6, 3, None), 1, others=others(KS=(0,), AS=(3,)))),
        (MARIA, "4k 6q 3a", Taken((4, 6, 3, None), 1, others=others(KS=(0,), AS=(2,)))),
        (MARIA, "4 6d 3 roi de pique anne", Taken((4, 6, 3, None), 1, others=others(KS=(0,)))),
        (PACKS, "4q 6q 3", Taken((4, 6, 3, None, None, None), others=others(QS=(0, 1)))),
        (PACKS, "4 6qq 3", Taken((4, 6, 3, None, None, None), others=others(QS=(1, 1)))),
        (PACKS, "13 13 qs anne bruno", Taken((13, 13, *[None] * 4), others=others(QS=(0, 1)))),
        (PACKS, "moon anne", Taken((26, 0, 0, 0, 0, 0), others=others(QS=(0, 0)))),
        (PAIRS, "4q 9", Taken((4, 9), 0)),
        (PAIRS, "4q", Taken((4, None), 0)),
        (PAIRS, "4q 9 0 0", Taken((4, 9, 0, 0), 0)),
        (PAIRS, "4q 9 no trick chloé david", Taken((4, 9), 0, trickless=(2, 3))),
        (PAIRS, "4d 9 sans levée personne", Taken((4, 9), 0, trickless=())),
        (PAIRS, "m 1 minus no trick 3", Taken((13, 0, 0, 0), 0, trickless=(2,), minus=True)),
        (PAIRS, "= 0 26 plus", Counted((0, 26), minus=False)),
        (PAIRS, "= -26 0 moins", Counted((-26, 0), minus=True)),
    ],
)
def test_what_only_the_wider_family_counts(rules: Ruleset, line: str, told: Told) -> None:
    names = SIX if rules is PACKS else FOUR
    for lang in ("fr", "en"):
        if lang == "en" and "roi" in line:
            continue
        wording = line.replace("as d", "♠a d") if lang == "en" else line.replace("ks", "rp")
        assert reader(rules, names, lang).deal(wording.replace("qs", "♠q")) == told


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_the_wider_family_counts_is_shown_as_it_can_be_typed(lang: str) -> None:
    deals: list[tuple[Ruleset, tuple[str, ...], Told]] = [
        (MARIA, FOUR, Taken((4, 6, 3, 0), 1, others=others(KS=(0,), AS=(3,)))),
        (PACKS, SIX, Taken((4, 6, 3, 0, 0, 0), others=others(QS=(1, 1)), missing=(Card("2H"),))),
        (PAIRS, FOUR, Taken((4, 9), 0, trickless=(2, 3))),
        (PAIRS, FOUR, Taken((13, 0, 0, 0), 0, trickless=(), minus=True)),
        (PAIRS, FOUR, Counted((0, 26), minus=False)),
    ]
    for rules, names, told in deals:
        assert reader(rules, names, lang).deal(typed(Words(lang), names, told)) == told


def test_cards_are_read_in_the_language_of_whoever_types() -> None:
    assert reader(lang="fr").deal("4 6d 2 manque 2c") == reader().deal("4 6q 2 missing 2h")


def enter(line: str, lang: str) -> None:
    """Raises the `Fault` of whatever refuses the line."""
    opened = decide(None, Open(COEURS, FOUR))
    assert not isinstance(opened, SheetFault)
    outcome = decide(fold(opened), Enter(reader(lang=lang).deal(line)))
    if isinstance(outcome, SheetFault):
        raise outcome


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("zorro", "score_no_such_name"),
        ("anne", "score_not_a_deal"),
        ("qq", "score_no_such_name"),
        ("£$%", "score_not_a_deal"),
        ("1 2 3 4 5", "score_too_many"),
        ("4 b6q 3", "score_names_or_places"),
        ("b6q 4", "score_names_or_places"),
        ("anne 4 anne 6", "score_name_twice"),
        ("4x 6q 3", "score_no_such_mark"),
        ("4q 6q 3", "score_two_queens"),
        ("4j 6j 3", "score_two_jacks"),
        ("= 4 19q 3", "score_queen_in_points"),
        ("moon", "score_name_wanted"),
        ("moon anne bruno", "score_one_name"),
        ("moon 5", "score_no_such_place"),
        ("m 0", "score_no_such_place"),
        ("revoke", "score_name_wanted"),
        ("revoke zorro", "score_no_such_name"),
        ("misdeal", "score_why_misdealt"),
        ("misdeal perhaps", "score_why_misdealt"),
        ("4 6q 3 missing", "score_which_missing"),
        ("missing 2h", "score_missing_first"),
        ("4 6q 3 missing zz", "no_such_card"),
        ("4 6q 3 missing ♣2", "missing_counts_nothing"),
        ("misdeal exposed missing 2h", "score_missing_from_what"),
        ("slam anne", "slam_counts_nothing"),
        ("99999999999 1 2", "score_not_a_deal"),
    ],
)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_cannot_be_has_a_reason(line: str, reason: str, lang: str) -> None:
    with pytest.raises(Fault) as caught:
        enter(line, lang)
    assert caught.value.reason == reason
    sentence = Words(lang).fault(caught.value)
    assert sentence[-1] in ".?!»", sentence
    assert "\n" not in sentence


def test_names_that_begin_alike_are_told_apart() -> None:
    three = reader(make_ruleset("coeurs", {"players": 3}), ("Anne", "Anne-Lise", "Jean Paul"))
    assert three.seat("anne") == 0
    assert three.seat("anne-l") == 1
    assert three.seat("paul") == 2
    assert three.seats("Jean Paul") == (2,)
    with pytest.raises(Fault, match="score_which_name"):
        three.seat("an")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("S", ScoreKey.SCORES),
        ("f", ScoreKey.SHEET),
        ("Règlement", ScoreKey.STAKES),
        ("4 6q 3", None),
        ("3", None),
    ],
)
def test_K1_the_keys_are_those_of_the_table(line: str, key: ScoreKey | None) -> None:
    assert ScoreKey.of(line) is key


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
    st.sampled_from([LostDeal(EXPOSED), LostDeal(WRONG)]),
)


@pytest.mark.parametrize("lang", ["fr", "en"])
@given(told=deals)
def test_what_is_shown_as_typed_can_be_typed(lang: str, told: Told) -> None:
    """A correction shows what stood there before, in a form that puts it back."""
    rules = make_ruleset("coeurs", {"players": 7})
    assert reader(rules, SEVEN, lang).deal(typed(Words(lang), SEVEN, told)) == told
