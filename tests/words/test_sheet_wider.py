"""Rule sheets of the wider family (W1–W11): each value in words, each number that of the books."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit.strategies import recounted, rulesets, wider_rulesets
from words.sheets import ENGLISH, lines_on, numbers, sheet_text, signed

from volte.cards import HEARTS, Card
from volte.rules import (
    LotsNeeded,
    MoonRule,
    Payment,
    Ruleset,
    Score,
    Settlement,
    SlamRule,
    Stakes,
    Value,
    expected_sum,
    make_ruleset,
    score,
    settle_pot,
    totals,
)

FEWER = settings(max_examples=settings().max_examples // 2)


def of(preset: str, **options: Value) -> Ruleset:
    return make_ruleset(preset, options)


def test_W1_a_scatter_says_which_card_goes_to_whom() -> None:
    rules = of("scatter")
    assert "gives 3 cards to another" in lines_on(rules, "P1")
    assert "the first card picked goes to the neighbour on the left" in lines_on(rules, "W1")
    assert "then one card to each of the others. Then it starts over." in lines_on(rules, "W1")
    always = of("scatter", pass_cycle=["scatter"])
    assert "gives one card to each of the others" in lines_on(always, "P1")
    assert "3 cards" not in lines_on(always, "P1") + lines_on(always, "W1")


def test_W2_any_club_is_led_by_whoever_holds_the_lowest() -> None:
    text = lines_on(of("salon", opening="any_club", players=6), "W2")
    assert text.startswith("Whoever holds the 2 of clubs after the pass leads to the first trick")
    assert text.endswith("with any club.")


def test_W2_W11_of_two_lowest_clubs_the_table_says_which_leads() -> None:
    for opening in ("lowest_club", "any_club"):
        assert "If two players hold one" in lines_on(of("cancellation", opening=opening), "L2")
    alone = of("cancellation", opening="lowest_club", removed=["2C'", "2D", "2D'", "2S"])
    assert "If two players hold one" not in lines_on(alone, "L2")


def test_W3_the_waiting_queen_changes_what_the_other_duties_say() -> None:
    rules = of("salon", queen_play="once_broken", queen_discard="forced")
    assert "neither led nor discarded before a heart has been played" in lines_on(rules, "W3")
    assert "Leading it" not in lines_on(rules, "T5")
    assert lines_on(rules, "T5").endswith("kept it in the hand, it goes the next time.")
    assert "only hearts and the queen of spades" in lines_on(rules, "T4")
    assert "W3" not in sheet_text(
        of("salon", queen_play="once_broken", removed=["QS"], kitty="first_trick")
    )


def test_W4_the_kitty_goes_where_the_table_says() -> None:
    assert lines_on(of("coeurs", players=5, kitty="last_trick"), "W4").startswith(
        "Whoever wins the last trick takes the kitty"
    )
    text = lines_on(of("coeurs", players=5, kitty="first_heart"), "W4")
    assert "the first trick with a heart in it" in text
    assert "if no heart has been won before, it goes with the last trick" in text


def test_W5_black_maria_counts_three_spades() -> None:
    rules = of("black-maria")
    assert lines_on(rules, "W5") == (
        "The king of spades counts 10 points. The ace of spades counts 7 points."
    )
    assert "hearts, the queen of spades, the king of spades and the ace of spades" in lines_on(
        rules, "S1"
    )


def test_W5_hearts_that_count_otherwise_are_named() -> None:
    rules = of("spot-hearts", card_points=["AH=20", "2H=0"])
    assert "But the 2 of hearts counts 0 points. But the ace of hearts counts 20 points." in (
        lines_on(rules, "W5")
    )
    assert "Avoid taking hearts other than the 2 of hearts" in sheet_text(rules)
    assert "the 12 hearts that cost points" in lines_on(rules, "S3")


def test_W5_a_bonus_card_that_is_not_the_jack_is_worth_taking() -> None:
    rules = of("omnibus", jack_points=0, card_points=["TD=-10"])
    assert "it is worth taking the 10 of diamonds" in lines_on(rules, "W5")
    assert "Whoever takes the 10 of diamonds scores 10 points less." in lines_on(rules, "W5")
    assert "and the 10 of diamonds as well" in lines_on(rules, "W7")


def test_W6_taking_no_trick_is_counted_after_a_moon_too() -> None:
    told = lines_on(of("salon", no_tricks=-5), "W6")
    assert told == (
        "Whoever takes no trick at all scores 5 points less. Whoever has taken no trick scores 5"
        " points less even then."
    )


@pytest.mark.parametrize(
    ("moon", "told"),
    [
        ("shooter_minus", "scores 26 points less, and the others score nothing"),
        ("shooter_chooses", "26 points more for each of the others and 26 points off"),
        ("plus_unless_lost", "ended the match without a win"),
    ],
)
def test_W7_each_moon_has_its_own_words(moon: str, told: str) -> None:
    assert told in lines_on(of("dame-de-pique", moon=moon), "W7")
    assert "W7" not in sheet_text(of("dame-de-pique"), clauses=True)


def test_W7_a_moon_that_needs_the_jack_says_so_everywhere() -> None:
    rules = of("salon-valet", moon_needs_jack=True)
    assert "and the jack of diamonds as well" in lines_on(rules, "W7")
    assert "take every card that counts" in lines_on(rules, "W7")
    assert "not needed" not in sheet_text(rules)
    assert "not needed" in sheet_text(of("salon-valet"))


def test_W8_a_double_slam_counts_two_moons() -> None:
    rules = of("spot-hearts")
    assert numbers(lines_on(rules, "W8")) == [2 * 129]
    off = lines_on(of("spot-hearts", moon="off"), "W8")
    assert off.endswith("each of the others scores 258 points.")
    assert "twice what a moon does" not in off


def test_W9_exactly_the_limit_falls_back_to_half_rounded_down() -> None:
    told = lines_on(of("exact-hundred", match_end="limit:75"), "W9")
    assert told.startswith("A total of exactly 75 points falls back to 37.")
    rules = of("exact-hundred", match_end="limit:75")
    assert totals(rules, [Score((75, 3, 0, 0))]) == (37, 3, 0, 0)
    assert "goes beyond 75 points" in told


def test_W9_a_tie_is_played_on_even_after_the_last_deal() -> None:
    rules = of("coeurs", ties="play_on")
    assert "another deal is played" in lines_on(rules, "W9")
    assert "the player to the dealer's left deals next" in lines_on(rules, "D2")
    assert "This holds for the first deal" in lines_on(rules, "M3")


@pytest.mark.parametrize(
    ("players", "partners", "told"),
    [
        (4, 2, "opposite each other: counted clockwise, players 1 and 3 play together against"),
        (6, 2, "the sides are 1+4, 2+5 and 3+6."),
        (6, 3, "Every other player is a partner: counted clockwise, players 1, 3 and 5"),
    ],
)
def test_W10_the_sheet_says_who_sits_with_whom(players: int, partners: int, told: str) -> None:
    rules = of("coeurs", players=players, partners=partners, pass_cycle=["left"])
    assert told in lines_on(rules, "W10")


def test_W10_stakes_are_paid_and_shared_by_sides() -> None:
    pot = of("coeurs-cagnotte", partners=2)
    assert numbers(lines_on(pot, "M6")) == [50, 100, 25]  # both partners pay for their side
    assert "the partners of the side that shot it share them" in lines_on(
        of("coeurs", partners=2), "M3"
    )


@FEWER
@given(wider_rulesets().filter(lambda rules: rules.moon.moon is not MoonRule.OFF), st.booleans())
def test_M6_W7_W10_what_a_moon_does_to_the_pot_is_what_is_paid(rules: Ruleset, asked: bool) -> None:
    """By `settle_pot`: seat 0 has every card, and another seat has a trick."""
    rules = replace(rules, stakes=Stakes(Settlement.POT))
    taken = (rules.deck_mask, *(0,) * (rules.players - 1))
    tricks = (rules.hand_size, 1, *(0,) * (rules.players - 2))
    scored = score(rules, taken, tricks, minus=asked)
    assume(scored.slam is None)
    payment = settle_pot(rules, scored, taken, pot=1)
    if isinstance(payment, LotsNeeded):
        payment = settle_pot(rules, scored, taken, pot=1, lots=payment.seats)
    assert isinstance(payment, Payment)
    told = lines_on(rules, "M6")
    if scored.minus:
        assert not any(payment.paid)
        assert "nobody pays, and the others, who have no points, take the pot" in told
        assert all(payment.drawn[seat] == 0 for seat in rules.side(0))
    else:
        paid = {payment.paid[seat] for seat in range(rules.players) if seat not in rules.side(0)}
        assert paid == {rules.penalty_total}
        assert sum(payment.drawn[seat] for seat in rules.side(0)) == sum(payment.paid) + 1
        assert re.search(f"After a moon each [a-z ]+ pays {ENGLISH.stakes(*paid)}, and the", told)


def test_W11_equal_cards_cancel_and_the_trick_waits() -> None:
    told = lines_on(of("cancellation"), "W11")
    assert "Two equal cards in the same trick cancel each other" in told
    assert "On the last trick, whoever led it takes it" in told
    assert "all 26 hearts and the two queens of spades" in lines_on(of("cancellation"), "S3")
    assert "cancel" not in sheet_text(of("black-lady"))


def test_W11_what_is_left_out_of_two_packs_is_counted() -> None:
    removed = [f"2{suit}{mark}" for suit in "CDSH" for mark in ("", "'")]
    rules = of("cancellation", players=6, removed=[*removed, "AS", "3C", "3C'"])
    assert "without the eight 2s, the two 3s of clubs and one copy of the ace of spades" in (
        lines_on(rules, "R-DECK")
    )


@FEWER
@given(wider_rulesets() | recounted(rulesets()))
def test_S6_W7_W8_W10_the_sums_told_are_those_of_the_books(rules: Ruleset) -> None:
    """By `expected_sum`, which knows nothing of the sheet; a side is told once."""
    told = signed(lines_on(rules, "S6"))
    each = rules.sides.partners
    extra = sum(points for points in rules.values.values() if points < 0)
    sums = [expected_sum(rules, Score(()))]
    for minus in (False, True):
        if minus_may_be(rules, minus):
            if rules.moon.moon is not MoonRule.OFF:
                sums.append(expected_sum(rules, Score((), moon=0, minus=minus)))
            if rules.moon.slam is SlamRule.DOUBLE:
                sums.append(expected_sum(rules, Score((), slam=0, minus=minus)))
    if rules.moon.slam is SlamRule.REVERSAL:
        sums.append(expected_sum(rules, Score((), slam=0)))
    due = {books // each - extra for books in sums}
    beside = {-extra} if extra else set()
    beside |= {-rules.points.no_tricks} if rules.points.no_tricks else set()
    assert due <= {*told}
    assert {*told} == due | beside


def minus_may_be(rules: Ruleset, minus: bool) -> bool:
    """Whether a moon, or a slam that counts twice, may be counted that way."""
    if rules.moon.moon in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST):
        return True
    return (rules.moon.moon is MoonRule.SHOOTER_MINUS) is minus


@FEWER
@given(wider_rulesets() | recounted(rulesets()))
def test_S1_S2_S5_W5_what_each_card_counts_can_be_read_off(rules: Ruleset) -> None:
    """Every card that the sheet names counts what it says; the others as their suit does."""
    told = " ".join(
        line for line in sheet_text(rules).splitlines() if "count" in line or "less" in line
    )
    for card in rules.cards:
        name = card_name(card)
        found = re.search(
            f"(?:T|t)he {name}(?:, the only heart,)? counts (nothing|−?[0-9,]+)", told
        )
        lowered = re.search(f"Whoever takes the {name} scores ([0-9,]+) points? less", told)
        worth = rules.points.of(card)
        if lowered:
            assert -int(lowered[1].replace(",", "")) == worth
        elif found:
            number = found[1].replace(",", "").replace("−", "-")
            assert (0 if number == "nothing" else int(number)) == worth
        elif card.bit & HEARTS and "Each heart counts 1 point" in told:
            assert worth == 1
        elif card.bit & HEARTS and "Each heart counts its rank" in told:
            assert worth == card.rank
        else:
            assert worth == 0


def card_name(card: Card) -> str:
    return re.escape(ENGLISH.card(card))
