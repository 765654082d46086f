"""An exact oracle of positions, by plain search: slow, and easy to read.

Every deal that a view allows is listed, and each is played out in every way by the rules of the
readable engine, without bots or compiled code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from msgspec.structs import replace

from volte.cards import Card, cards_in, mask_of
from volte.game import DealState, MatchState, legal_cards
from volte.game.evolve import fold_play, fold_trick
from volte.rules import (
    LotsNeeded,
    Payment,
    Ruleset,
    Score,
    Settlement,
    match_over,
    score,
    settle_match,
    settle_pot,
    trick_winner,
    winners,
)
from volte.view import KITTY, View

World = dict[int, int]
"""Seat, or `KITTY` → mask of the cards hidden there."""

Worth = tuple[float, ...]
"""Worth of an end for each seat: a part of the win, or stakes."""

# Deals of the hidden cards


def worlds(view: View) -> Iterator[World]:
    """Every deal that the view allows."""
    deal = view.deal
    sizes = dict(enumerate(deal.hand_sizes())) | {KITTY: deal.rules.kitty_size}
    return _placed(
        view.unseen, [(place, sizes[place], view.possible[place]) for place in view.possible]
    )


def _placed(cards: int, places: Sequence[tuple[int, int, int]]) -> Iterator[World]:
    if not places:
        yield {}
        return
    (place, size, could), *others = places
    elsewhere = 0
    for _, _, mask in others:
        elsewhere |= mask
    surely = cards & ~elsewhere
    free = cards_in(cards & could & elsewhere)
    if surely & ~could or not 0 <= size - surely.bit_count() <= len(free):
        return
    for some in combinations(free, size - surely.bit_count()):
        hand = surely | mask_of(some)
        for world in _placed(cards & ~hand, others):
            yield {place: hand, **world}


def within(deal: DealState, world: World) -> DealState:
    """The deal of a view, its hidden cards filled in from a world."""
    hands = tuple(world.get(seat, hand) for seat, hand in enumerate(deal.hands))
    return replace(deal, hands=hands, kitty=world.get(KITTY, deal.kitty))


# All ways to play


def played(deal: DealState, card: Card) -> DealState:
    """Return the state of a deal after the seat on turn has played a card."""
    after = fold_play(deal, deal.turn, card)
    if len(after.trick) < deal.rules.players:
        return after
    winner = trick_winner(after.leader, after.trick)
    assert winner is not None
    if deal.rules.kitty_size and not deal.tricks:
        after = replace(after, kitty_taker=winner)
    return fold_trick(after, winner)


def margin(points: Sequence[float], seat: int) -> float:
    """The points of a seat less the mean of the others."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


class Ends:
    """Deals played out by seats that know all cards, each for itself.

    Every seat wants the lowest margin; if the match ends with the deal and counts, it wants the
    highest worth, and the lowest margin only among equals. Of equally good cards it plays the first
    in this order: when leading, from the lowest up; when following suit, cards below the trick from
    the highest down, then cards above it from the lowest up; when discarding, from the highest
    down.
    """

    def __init__(self, state: MatchState | None = None) -> None:
        """
        Args:
            state: of the match, if the match counts; without it the points of the deal count.
        """
        self._state = state
        self._known: dict[object, Score] = {}

    def behind(self, deal: DealState) -> dict[Card, Score]:
        """Legal card → score of the deal after it."""
        return {card: self.of(played(deal, card)) for card in cards_in(legal_cards(deal))}

    def of(self, deal: DealState) -> Score:
        """The score at the end of the deal."""
        if len(deal.tricks) == deal.rules.hand_size:
            taken = [deal.captured(seat) for seat in range(deal.rules.players)]
            return score(deal.rules, taken, deal.won)
        key = (deal.hands, deal.taken, deal.trick, deal.turn, deal.won, deal.broken, deal.voided)
        key = (*key, deal.kitty, deal.kitty_taker)  # type: ignore[assignment]
        if key not in self._known:
            ends = [self.of(played(deal, card)) for card in _in_order(deal)]
            self._known[key] = min(ends, key=lambda end: self.cost(end, deal.turn))
        return self._known[key]

    def cost(self, end: Score, seat: int) -> tuple[float, int]:
        """The loss that a seat minimises: of the match, then the margin times the other seats."""
        lost = -worth(self._state, end)[seat] if self._state is not None else 0.0
        return lost, end.points[seat] * len(end.points) - sum(end.points)


def _in_order(deal: DealState) -> list[Card]:
    cards = list(cards_in(legal_cards(deal)))
    if deal.led is None:
        return cards
    if cards[0].suit is not deal.led:
        return cards[::-1]
    best = max(card for card in deal.trick if card.suit is deal.led)
    losing = [card for card in cards if card < best]
    return losing[::-1] + cards[len(losing) :]


# The worth of an end


def worth(state: MatchState, end: Score) -> Worth:
    """Worth of the end of a deal: the last one of a match, or one with a pot.

    Raises `ValueError` for another deal.
    """
    return _worth(state.rules, state.deals, state.pot, end)


@lru_cache(maxsize=100_000)
def _worth(rules: Ruleset, before: tuple[Score, ...], pot: int, end: Score) -> Worth:
    deals = (*before, end)
    seats = range(rules.players)
    if rules.stakes.settlement is Settlement.POT:
        nothing = (0,) * rules.players  # takers do not matter if no card counts below zero
        return _by_lot(rules, lambda lots: settle_pot(rules, end, nothing, pot, lots))
    if not match_over(rules, deals):
        raise ValueError("the match goes on")
    if rules.stakes.settlement is not Settlement.NONE:
        return _by_lot(rules, lambda lots: settle_match(rules, deals, lots))
    won = winners(rules, deals)
    return tuple((seat in won) / len(won) for seat in seats)


def _by_lot(rules: Ruleset, settled: Callable[[Sequence[int]], Payment | LotsNeeded]) -> Worth:
    """Mean of each seat's payment over all orders of lots; a pot that stays is shared equally."""
    first = settled(())
    drawn = permutations(first.seats) if isinstance(first, LotsNeeded) else [()]
    payments = [payment for lots in drawn if isinstance(payment := settled(lots), Payment)]
    return tuple(
        sum(payment.net[seat] + payment.pot / rules.players for payment in payments) / len(payments)
        for seat in range(rules.players)
    )
