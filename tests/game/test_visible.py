"""Nobody sees hidden cards: if they are swapped, the seat sees the same events."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given
from kit import TABLES, any_rulesets, seeds
from kit.deals import Step, deal_of, match

from volte import game
from volte.cards import Card, cards_in, mask_of
from volte.rules import Ruleset, make_ruleset
from volte.view import KITTY, View

Swap = dict[Card, Card]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_hidden_cards_can_lie_otherwise_and_a_seat_sees_the_same(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    assert redeals(rules, seed=players, moments=40) > 20


@given(any_rulesets(), seeds)
def test_so_it_is_at_any_table(rules: Ruleset, seed: int) -> None:
    redeals(rules, seed, moments=8)


def redeals(rules: Ruleset, seed: int, moments: int) -> int:
    """Swap hidden cards at some moments of a match; return how many swaps were lawful."""
    rng = random.Random(seed)
    steps = list(match(rules, seed))
    lawful = 0
    for _ in range(moments):
        end = rng.randrange(len(steps))
        if steps[end].after.phase in (game.Phase.PASSING, game.Phase.PLAYING):
            lawful += swapped(steps[: end + 1], rng.choice([*range(rules.players), None]), rng)
    return lawful


def swapped(steps: Sequence[Step], seat: int | None, rng: random.Random) -> bool:
    """Swap two cards that the seat has not seen, and replay the deal; return whether it works."""
    state = steps[-1].after
    places = hidden(state, seat)
    if len(places) < 2:
        return False
    here, there = rng.sample(sorted(places), 2)
    one, other = rng.choice(places[here]), rng.choice(places[there])
    first = max(place for place, step in enumerate(steps) if type(step.action) is game.DealCards)
    deal = steps[first:]
    happened = tuple(chain.from_iterable(step.events for step in deal))
    swap = {one: other, other: one}
    again = played_again(deal[0].before, [renamed(step.action, swap) for step in deal])
    if again is None or opening(again) != opening(happened):
        return False
    assert [game.visible(event, seat) for event in again] == [
        game.visible(event, seat) for event in happened
    ]
    view = View(seat, steps[first].before).see(*(game.visible(event, seat) for event in again))
    assert view.possible[there] & one.bit
    assert view.possible[here] & other.bit
    return True


def hidden(state: game.MatchState, seat: int | None) -> dict[int, tuple[Card, ...]]:
    """Return the cards that the seat has not seen, by place."""
    deal = deal_of(state)
    given = mask_of(
        card
        for transfer in deal.transfers
        if transfer.giver == seat
        for card in transfer.cards or ()
    )
    places = {
        owner: cards_in(hand & ~given) for owner, hand in enumerate(deal.hands) if owner != seat
    }
    if deal.kitty_taker is None or deal.kitty_taker != seat:
        places[KITTY] = cards_in(deal.kitty)
    return {place: cards for place, cards in places.items() if cards}


def renamed(action: game.Action, swap: Swap) -> game.Action:
    match action:
        case game.DealCards(deck):
            return game.DealCards(tuple(swap.get(card, card) for card in deck))
        case game.Pass(seat, cards):
            return game.Pass(seat, tuple(swap.get(card, card) for card in cards))
        case _:
            return action


def played_again(
    state: game.MatchState, actions: Sequence[game.Action]
) -> tuple[game.Event, ...] | None:
    """Return the events of those actions; None if one is not lawful."""
    again: tuple[game.Event, ...] = ()
    for action in actions:
        outcome = game.decide(state, action)
        if isinstance(outcome, game.Refusal):
            return None
        for event in outcome:
            state = game.evolve(state, event)
        again += outcome
    return again


def opening(events: Sequence[game.Event]) -> game.PlayStarted | None:
    """Return the event that tells everybody who holds the lowest club (L2), if there is one."""
    return next((event for event in events if isinstance(event, game.PlayStarted)), None)
