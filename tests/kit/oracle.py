"""What is exactly true of a position, by plain search: slow, and to be read.

Every deal that a view allows is listed, and each is played out in every way by the rules of the
readable engine. Nothing here knows of bots, or of compiled code.
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
"""By seat, and `KITTY`, the mask of what is hidden there."""

Worth = tuple[float, ...]
"""What an end is worth to every seat: a part of the win, or stakes."""

# Where the hidden cards may lie


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
    """The deal of a view with nothing hidden any more."""
    hands = tuple(world.get(seat, hand) for seat, hand in enumerate(deal.hands))
    return replace(deal, hands=hands, kitty=world.get(KITTY, deal.kitty))


# Every way to play


def played(deal: DealState, card: Card) -> DealState:
    """The deal one card on."""
    after = fold_play(deal, deal.turn, card)
    if len(after.trick) < deal.rules.players:
        return after
    winner = trick_winner(after.leader, after.trick)
    assert winner is not None
    if deal.rules.kitty_size and not deal.tricks:
        after = replace(after, kitty_taker=winner)
    return fold_trick(after, winner)


def margin(points: Sequence[float], seat: int) -> float:
    """A seat's points less the mean of the others'."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


class Ends:
    """Deals played out by seats that know all cards, each for itself.

    Every seat wants the lowest margin; where the match ends with the deal and counts, it wants
    most of that, and the lowest margin only where it is the same. Of cards that are equally good
    it plays the first in this order: where it leads, from the lowest up; where it follows suit,
    those below the trick from the highest down, then those above it from the lowest up; where it
    discards, from the highest down.
    """

    def __init__(self, state: MatchState | None = None) -> None:
        """
        Args:
            state: of the match that counts; without, the points of the deal do.
        """
        self._state = state
        self._known: dict[object, Score] = {}

    def behind(self, deal: DealState) -> dict[Card, Score]:
        """How the deal ends behind each card that may be played."""
        return {card: self.of(played(deal, card)) for card in cards_in(legal_cards(deal))}

    def of(self, deal: DealState) -> Score:
        """How the deal ends."""
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
        """What a seat wants least of; margins in whole numbers, times the number of the others."""
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


# What an end is worth


def worth(state: MatchState, end: Score) -> Worth:
    """Of the last deal of a match, or of one in which a pot lies. Raises `ValueError` elsewhere."""
    return _worth(state.rules, state.deals, state.pot, end)


@lru_cache(maxsize=100_000)
def _worth(rules: Ruleset, before: tuple[Score, ...], pot: int, end: Score) -> Worth:
    deals = (*before, end)
    seats = range(rules.players)
    if rules.stakes.settlement is Settlement.POT:
        nothing = (0,) * rules.players  # where no card counts below zero, it does not matter
        return _by_lot(rules, lambda lots: settle_pot(rules, end, nothing, pot, lots))
    if not match_over(rules, deals):
        raise ValueError("the match goes on")
    if rules.stakes.settlement is not Settlement.NONE:
        return _by_lot(rules, lambda lots: settle_match(rules, deals, lots))
    won = winners(rules, deals)
    return tuple((seat in won) / len(won) for seat in seats)


def _by_lot(rules: Ruleset, settled: Callable[[Sequence[int]], Payment | LotsNeeded]) -> Worth:
    """What every seat gets, each order of lots being as likely; what stays in a pot is shared."""
    first = settled(())
    drawn = permutations(first.seats) if isinstance(first, LotsNeeded) else [()]
    payments = [payment for lots in drawn if isinstance(payment := settled(lots), Payment)]
    return tuple(
        sum(payment.net[seat] + payment.pot / rules.players for payment in payments) / len(payments)
        for seat in range(rules.players)
    )
