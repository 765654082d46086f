"""The wider family at a refereed table: the choice of a moon (W7), sides (W10), two packs (W11)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from kit import refereed
from kit.deals import view_of
from kit.refereed import after, event, play, refused, start, take, turned
from kit.strategies import any_rulesets, seeds

from volte import referee
from volte.cards import Card, CardSet, mask_of, union
from volte.game import (
    ChooseMoon,
    DealScored,
    MoonShot,
    NameDealer,
    Phase,
    Play,
    TrickHeld,
)
from volte.game.actions import Refusal
from volte.rules import Irregularities, Ruleset, Score, Value
from volte.rules.scoring import expected_sum

HANDS = ("C: A H: A", "C: 2 H: 2", "C: 3 H: 3")
ALL = "AC 2C 3C AH 2H 3H"


USUAL: dict[str, Value] = {"queen_discard": "free", "moon": "others_plus"}


def dealt(*hands: str, **options: Value) -> referee.RefereedMatch:
    """The first deal at a refereed table with just those hands; seat 0 leads."""
    return refereed.dealt(*hands, options={**USUAL, **options})


def shot(**options: Value) -> referee.RefereedMatch:
    """The first seat has shot the moon, which counts three, and is to choose."""
    return turned(dealt(*HANDS, moon="shooter_chooses", **options), ALL)


# The choice of the moon


def test_W7_the_deal_is_reckoned_as_plus_and_the_shooter_is_asked() -> None:
    full = play(dealt(*HANDS, moon="shooter_chooses"), ALL)
    events = take(full, referee.TurnDown(0)).events
    assert events[1:] == (referee.Reckoned((0, 3, 3), moon=0), MoonShot(0))
    state = after(full, referee.TurnDown(0))
    assert (state.phase, state.shooter, referee.to_act(state)) == (Phase.PLAYING, 0, (0,))
    views = [view_of(state, seat) for seat in range(3)]
    assert [view.my_turn for view in views] == [True, False, False]
    assert views[0].legal == CardSet()
    assert referee.legal_actions(state, 0) == (
        ChooseMoon(0, minus=False),
        ChooseMoon(0, minus=True),
    )


def test_W7_neither_cut_nor_acceptance_before_the_choice() -> None:
    refusal = refused(shot(), referee.Cut(0))
    assert (refusal.reason, refusal.clause) == ("moon_not_chosen", "W7")
    assert refusal.params == {"turn": 0}
    for seat in range(3):
        assert refused(shot(match_end="deals:1"), referee.Accept(seat)).reason == "moon_not_chosen"


@pytest.mark.parametrize(("minus", "points"), [(False, (0, 3, 3)), (True, (-3, 0, 0))])
def test_W7_the_choice_is_reckoned_and_scored_at_the_cut(
    minus: bool, points: tuple[int, ...]
) -> None:
    assert take(shot(), ChooseMoon(0, minus)).events == (
        referee.Reckoned(points, moon=0, minus=minus),
    )
    state = after(shot(), ChooseMoon(0, minus))
    assert (state.shooter, referee.to_act(state)) == (None, (state.cutter,))
    scored = event(state, referee.Cut(state.cutter), DealScored)
    assert scored.score == Score(points, moon=0, minus=minus)


def test_W7_nobody_else_chooses_and_nobody_twice() -> None:
    assert refused(shot(), ChooseMoon(1, minus=True)).reason == "no_moon_to_choose"
    chosen = after(shot(), ChooseMoon(0, minus=True))
    assert refused(chosen, ChooseMoon(0, minus=False)).reason == "no_moon_to_choose"
    early = dealt(*HANDS, moon="shooter_chooses")
    assert refused(early, ChooseMoon(0, minus=True)).reason == "no_moon_to_choose"


REVOKED = ("C: A3 H: A", "C: 2 H: 25", "C: 4 D: 2 H: 3")
"""The second seat plays a heart on the first club, and has one."""


@pytest.mark.parametrize("chosen", [False, True])
def test_I5_a_revoke_may_be_claimed_before_the_choice_and_after_it(chosen: bool) -> None:
    state = turned(dealt(*REVOKED, moon="shooter_chooses"), "AC 5H 4C AH 2H 3H 3C 2C 2D")
    assert state.shooter == 0
    if chosen:
        state = after(state, ChooseMoon(0, minus=True))
    claim = referee.ClaimRevoke(2, 1, 1)
    assert event(state, claim, referee.RevokeClaimed).clause == "T1"
    stopped = after(state, claim)
    assert stopped.reckoned == Score((0, 4, 0))
    assert stopped.shooter is None
    assert refused(stopped, ChooseMoon(0, minus=True)).reason == "no_moon_to_choose"
    assert after(stopped, referee.Cut(stopped.cutter)).deals == (Score((0, 4, 0)),)


def test_I7_mixed_tricks_end_the_question_too() -> None:
    state = after(shot(), referee.MixTricks(0))
    assert (state.shooter, state.reckoned) == (None, Score((3, 0, 0)))


def test_W7_plus_unless_lost_is_judged_at_the_table_too() -> None:
    state = turned(dealt(*HANDS, moon="plus_unless_lost", match_end="deals:3"), ALL)
    assert state.reckoned == Score((0, 3, 3), moon=0)


# Sides


def test_W10_I5_partners_of_who_revoked_score_as_well() -> None:
    hands = ("C: A3 H: A", "C: 2 H: 25", "C: 4 D: 2 H: 3", "C: 56 D: 3")
    state = play(dealt(*hands, partners=2, moon="off"), "AC 5H 4C 3D AH")
    claimed = after(state, referee.ClaimRevoke(2, 1, 1))
    assert claimed.reckoned == Score((0, 4, 0, 4))
    both = after(claimed, referee.ClaimRevoke(2, 3, 1))
    assert both.reckoned == Score((0, 8, 0, 8))  # each offender scores it


def test_W10_a_partner_may_claim_against_a_partner() -> None:
    hands = ("C: A3 H: A", "C: 2 H: 25", "C: 4 D: 2 H: 3", "C: 56 D: 3")
    state = play(dealt(*hands, partners=2, moon="off"), "AC 5H 4C 5C AH")
    assert event(state, referee.ClaimRevoke(3, 1, 1), referee.RevokeClaimed).clause == "T1"


# Two packs

PAIRS = ("C: 2A", "C': 2 H: 2", "C: 3 H: 3", "C': 3 H: 4", "D: 2 S: 2", "D': 2 S: 3")
HELD = "2C 2C' 3C 3C' 2D 2D'"


def test_W11_whoever_led_turns_a_trick_down_that_nobody_takes() -> None:
    full = play(dealt(*PAIRS, moon="off"), HELD)
    assert (full.lying.taker, full.lying.turner, referee.to_act(full)) == (None, 0, (0,))
    assert refused(full, referee.TurnDown(1)).reason == "not_yours_to_turn_down"
    assert take(full, referee.TurnDown(0)).events == (TrickHeld(),)
    held = after(full, referee.TurnDown(0))
    assert CardSet(held.lying.held) == CardSet("C: 23 C': 23 D: 2 D': 2")
    assert (held.lying.turn, held.lying.won) == (0, (0,) * 6)


def test_W11_its_leader_may_lead_at_once() -> None:
    full = play(dealt(*PAIRS, moon="off"), HELD)
    assert take(full, Play(0, Card("AC"))).events[0] == TrickHeld()
    assert refused(full, Play(1, Card("2H"))).reason == "not_turned_down"


def test_W11_a_revoke_in_a_held_trick_is_objected_to_or_claimed() -> None:
    hands = ("C: 2A", "C: 4 C': 2", "C: 3 H: 3", "C': 3 H: 4", "D: 2 S: 2", "D': 2 H: 2")
    lying = play(dealt(*hands, moon="off"), "2C 2C' 3H")
    assert event(lying, referee.Object(0, 2), referee.Objected).clause == "T1"
    held = turned(lying, "4H 2D 2H")
    assert held.lying.tricks[0].winner is None
    assert event(held, referee.ClaimRevoke(0, 2, 1), referee.RevokeClaimed).clause == "T1"
    assert event(held, referee.ClaimRevoke(0, 3, 1), referee.RevokeClaimed).clause == "T1"
    assert after(held, referee.ClaimRevoke(0, 2, 1)).reckoned == Score((0, 0, 3, 0, 0, 0))


def test_W11_the_last_trick_goes_to_whoever_led_it() -> None:
    hands = ("C: 2", "C': 2", "H: 2", "H': 2", "S: Q", "S': Q")
    state = turned(dealt(*hands, moon="off"), "2C 2C' 2H 2H' QS QS'")
    assert state.reckoned == Score((26, 0, 0, 0, 0, 0))


# Cards that are missing


@pytest.mark.parametrize("missing", ["QS", "QS'"])
def test_W11_I8_one_of_two_equal_cards_is_missing_and_the_other_counts(missing: str) -> None:
    other = "QS'" if missing == "QS" else "QS"
    hands = ("C: 2A", "C: 3 H: 2", "C: 4 H: 3", f"{other} C: 5", "C: 6 D: 2", "C: 7")
    state = by_hand(hands, missing, moon="off")
    assert state.lying.rules.penalty_total == 2 + 12
    state = turned(state, "2C 3C 4C 5C 6C 7C")
    assert state.reckoned == Score((0, 0, 0, 0, 0, 14))  # the short hand takes what is left


def test_W6_I8_who_takes_no_trick_counts_as_ever() -> None:
    state = by_hand(("C: 2A H: 2", "C: 34 H: 3", "C: 56"), "QS", moon="off", no_tricks=-5)
    state = turned(state, "2C 3C 5C 6C AC 4C")
    assert state.reckoned == Score((0, -5, 2), trickless=(1,))


def test_W11_I8_what_waits_goes_to_the_hand_that_has_run_out() -> None:
    hands = ("C: 2A", "C': 2 H: 2", "C: 3 H: 3", "C': 3 H: 4", "D: 2 S: 2", "D': 2")
    state = turned(by_hand(hands, "3S", moon="off"), HELD)
    assert state.lying.won == (0, 0, 0, 0, 0, 2)
    assert state.reckoned == Score((0, 0, 0, 0, 0, 3))


@given(any_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_I8_the_books_add_up_whatever_is_missing(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    with_referee = replace(rules, irregularities=Irregularities.REFEREED)
    state = after(referee.replay([start(with_referee)]), NameDealer(0))
    deck = rng.sample(rules.cards, len(rules.cards) - rng.randint(1, 3))
    pile, kitty = deck[rules.kitty_size :], deck[: rules.kitty_size]
    hands = tuple(tuple(pile[seat :: rules.players]) for seat in range(rules.players))
    action = referee.DealByHand(hands, tuple(kitty))
    if isinstance(referee.decide(state, action), Refusal):  # nothing is left that counts, or opens
        return
    state = after(state, action)
    while state.reckoned is None:
        state = after(
            state, rng.choice(referee.legal_actions(state, rng.choice(referee.to_act(state))))
        )
    everything = union(state.lying.taken) | state.lying.kitty
    assert everything == mask_of(deck)
    assert sum(state.reckoned.points) == expected_sum(state.lying.rules, state.reckoned)


def by_hand(hands: tuple[str, ...], missing: str, **options: Value) -> referee.RefereedMatch:
    """Real cards dealt, of which one is missing from the pack: the last hand is short."""
    whole = (*hands[:-1], f"{missing} {hands[-1]}")
    table = refereed.waiting(*whole, options={**USUAL, **options})
    return after(table, refereed.by_hand(*hands))
