"""Worlds for a seat: all hidden hands that fit its view, whatever the hidden cards really are."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import after, because, deal_of, dealt, match, play, rulesets, seeds, take, view_of
from kit.bots import Moment, moments, told_anew, where_all_lie, worlds
from kit.stanzas import read_stanza, stanzas
from msgspec.structs import replace
from view.test_view import worlds as fitting

from volte.bots.worlds import Dealer, WorldPlan, sight
from volte.cards import Card, CardSet, mask_of
from volte.game import Action, Event, MatchState, Pass, Phase, visible
from volte.kernel import KernelFault
from volte.rules import Ruleset, make_ruleset
from volte.view import KITTY, View, project

# Properties of every world


@given(rulesets(), seeds, seeds)
def test_every_world_is_one_that_the_view_allows(rules: Ruleset, seed: int, draws: int) -> None:
    for moment in moments(rules, seed, 6):
        view = moment.view
        for world in worlds(view, 4, draws).tolist():
            check_allowed(view, world)


def check_allowed(view: View, world: list[int]) -> None:
    deal = view.deal
    assert world[deal.rules.players] == deal.kitty or KITTY in view.possible
    assert view.seat is not None
    assert world[view.seat] == view.hand.mask
    assert tuple(hand.bit_count() for hand in world[:-1]) == deal.hand_sizes()
    assert world[-1].bit_count() == deal.rules.kitty_size
    for place, could in view.possible.items():
        assert not world[place] & ~could
    out = mask_of(deal.trick) | sum(deal.taken)
    assert sum(world) + out == deal.rules.deck_mask


@given(rulesets(), seeds)
def test_the_truth_is_one_of_the_worlds(rules: Ruleset, seed: int) -> None:
    for moment in moments(rules, seed, 6):
        seen = sight(moment.view)
        true = where_all_lie(deal_of(moment.state))
        assert all(not known & ~true[column] for column, known in enumerate(seen.known))
        for place, room, could in zip(seen.places, seen.room, seen.could, strict=True):
            assert not true[place] & ~could
            assert true[place].bit_count() == room
        assert WorldPlan(seen).ways >= 1


# Against every deal that the rules allow


small_rulesets = st.sampled_from([(3, 14), (4, 12), (5, 10), (6, 9), (7, 8)]).flatmap(
    lambda size: rulesets(st.just(size[0]), most_cards=size[1])
)


@given(small_rulesets, seeds)
def test_worlds_are_all_the_deals_that_fit(rules: Ruleset, seed: int) -> None:
    """Compare with `view.test_view.worlds`, which tests every play against the rules."""
    for moment in moments(rules, seed, 3):
        if moment.state.phase is not Phase.PLAYING:
            continue
        by_hand = fitting(moment.state, moment.seat)
        places = sorted(by_hand[0])
        fits = {tuple(mask_of(world[place]) for place in places) for world in by_hand}
        dealer = Dealer(moment.view, seed)
        assert dealer.plan.ways == len(fits)
        found = dealer.draw(30 * len(fits) if len(fits) <= 40 else 200)
        held = {tuple(world[place] for place in places) for world in found.tolist()}
        assert held == fits if len(fits) <= 40 else held <= fits


# Hidden cards make no difference


@given(rulesets(), seeds, seeds)
def test_worlds_depend_on_nothing_that_is_hidden(rules: Ruleset, seed: int, draws: int) -> None:
    """Another deal that fits allows the same plays, and looks the same to the observer."""
    for moment in moments(rules, seed, 3):
        view = moment.view
        [world] = worlds(view, 1, draws).tolist()
        actions = told_anew(moment, world, random.Random(seed))
        state = after(moment.undealt, *actions)
        assert where_all_lie(deal_of(state)) == world
        assert seen_of(moment, actions) == seen_of(moment, moment.actions)
        assert view_of(state, moment.seat) == view
        assert (worlds(view_of(state, moment.seat), 5, draws) == worlds(view, 5, draws)).all()


def seen_of(moment: Moment, actions: Sequence[Action]) -> list[Event]:
    """Return the events that the observer would see of those actions."""
    state, seen = moment.undealt, list[Event]()
    for action in actions:
        _, _, events, state = take(state, action)
        seen += [visible(event, moment.seat) for event in events]
    return seen


# In words


def all_worlds(view: View) -> set[tuple[str, ...]]:
    """Return all worlds, as texts, from so many draws that none is missing."""
    dealer = Dealer(view, seed=1)
    found = {
        tuple(str(CardSet(hand)) for hand in world)
        for world in dealer.draw(int(30 * dealer.plan.ways)).tolist()
    }
    assert len(found) == dealer.plan.ways
    return found


def test_before_the_exchange_the_others_and_the_kitty_hold_all_the_rest() -> None:
    hands = ("C: 2 D: 2", "C: 3 D: 3", "H: 23")
    state = dealt("coeurs", *hands, kitty="S: 4", pass_count=1)
    assert state.phase is Phase.PASSING
    seen = sight(view_of(state, 1))
    assert seen.known == (0, CardSet(hands[1]).mask, 0, 0)
    assert (seen.places, seen.room) == ((2, 0, KITTY), (2, 2, 1))
    assert WorldPlan(seen).ways == 30
    assert WorldPlan(sight(view_of(after(state, Pass(1, (Card("3C"),))), 1))).ways == 30


@pytest.mark.parametrize("text", stanzas(__file__, "worlds.txt"))
def test_what_a_seat_must_think_possible(text: str) -> None:
    """Every world of that seat: by place, the kitty last."""
    stanza = read_stanza(text)
    seat, *lines = stanza.lines
    found = all_worlds(view_of(stanza.state, int(seat.removeprefix("seat "))))
    assert {" | ".join(world).rstrip() for world in found} == set(lines)


def test_P1_a_card_that_was_passed_stays_where_it_went() -> None:
    state = dealt("coeurs", "C: A2 D: 2", "D: 34 H: 2", "C: 3 S: Q H: 3", pass_count=1)
    given = [Pass(0, (Card("AC"),)), Pass(1, (Card("3D"),)), Pass(2, (Card("QS"),))]
    dealer = Dealer(view_of(after(state, *given), 0), seed=1)
    assert dealer.plan.ways == 10
    assert all(CardSet(hand) >= CardSet("AC") for hand in dealer.draw(50)[:, 1].tolist())


def test_D6_a_kitty_is_dealt_to_all_but_the_seat_that_took_it() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    assert len(all_worlds(view_of(play(state, "5S AS 4S"), 0))) == 12


def test_somebody_without_cards_may_think_of_worlds_as_well() -> None:
    state = play(dealt("coeurs", "C: A2", "C: 3 D: 2", "C: 4 H: 2"), "AC 3C 4C")
    seen = sight(view_of(state, None))
    assert (seen.known, seen.places, seen.room) == ((0, 0, 0, 0), (0, 1, 2), (1, 1, 1))
    assert len(all_worlds(view_of(state, None))) == 6


# Seeds


@given(seeds, st.lists(st.integers(0, 40), max_size=4))
def test_a_dealer_goes_on_where_it_stopped(seed: int, counts: list[int]) -> None:
    view = view_of(fresh("microsoft"), 2)
    whole = worlds(view, sum(counts), seed)
    dealer = Dealer(view, seed)
    for number, count in enumerate(counts):
        first = sum(counts[:number])
        batch = dealer.draw(count)
        assert (batch == whole[first : first + count]).all()
        assert (batch == worlds(view, count, seed, first)).all()


def test_another_seed_has_other_worlds() -> None:
    view = view_of(fresh("microsoft"), 2)
    batches = {worlds(view, 10, seed).tobytes() for seed in (0, 1, 2**63, 2**64 - 1)}
    assert len(batches) == 4


def fresh(preset: str) -> MatchState:
    """The first deal of a match, as soon as somebody has to act."""
    return next(step.after for step in match(make_ruleset(preset), 5) if step.after.deal)


# Faults


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_that_is_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(KernelFault, check=because("kernel_range")):
        Dealer(view_of(fresh("microsoft"), 2), seed)


def test_a_view_that_contradicts_itself_has_no_worlds() -> None:
    state = dealt("coeurs", "C: A2", "C: 3 D: 2", "C: 4 H: 2")
    deal = replace(deal_of(state), excluded=(0, 0, CardSet("C: 34 D: 2").mask))
    with pytest.raises(KernelFault, check=because("kernel_no_world")):
        worlds(View(0, project(replace(state, deal=deal), 0)), 1, 0)
