"""What no table can play: each impossible combination is refused with its own reason."""

from __future__ import annotations

from volte.cards import CARDS, CLUBS, PACK_SIZE, Fault
from volte.rules.groups import (
    Deck,
    Direction,
    Ending,
    EndKind,
    Kitty,
    Opening,
    Passing,
    Play,
    Points,
)

MOST_POINTS = 1000
MOST_DEALS = 1000
HIGHEST_LIMIT = 100_000


class RulesetFault(Fault):
    """Options that cannot be played, or are not options."""


def check(deck: Deck, passing: Passing, play: Play, points: Points, ending: Ending) -> None:
    """Raises `RulesetFault` for the first thing that makes the groups unplayable together."""
    _check_deck(deck)
    _check_passing(passing, deck)
    _check_play(play, deck)
    _check_points(points, deck)
    _check_ending(ending, points, deck)


def _check_deck(deck: Deck) -> None:
    if not 3 <= deck.players <= 7:
        raise RulesetFault("players_out_of_range", players=deck.players, least=3, most=7)
    for card in deck.removed:
        if card not in CARDS[:PACK_SIZE] or card.joker is not None:
            raise RulesetFault("removed_not_in_pack", card=card)
    if len(set(deck.removed)) < len(deck.removed):
        raise RulesetFault("removed_twice")
    if deck.jokers not in (0, 2):
        raise RulesetFault("jokers_out_of_range", jokers=deck.jokers)
    if deck.hand_size < 1:
        raise RulesetFault("too_few_cards", cards=len(deck.cards), players=deck.players)
    if deck.kitty_size and deck.kitty is Kitty.NONE:
        raise RulesetFault(
            "cards_left_over",
            cards=len(deck.cards),
            players=deck.players,
            left=deck.kitty_size,
        )


def _check_passing(passing: Passing, deck: Deck) -> None:
    if not 0 <= passing.count <= 4:
        raise RulesetFault("pass_count_out_of_range", count=passing.count, most=4)
    if passing.count and not passing.cycle:
        raise RulesetFault("pass_cycle_empty")
    if passing.count > deck.hand_size:
        raise RulesetFault("pass_larger_than_hand", count=passing.count, hand=deck.hand_size)
    if passing.count and Direction.ACROSS in passing.cycle and deck.players % 2:
        raise RulesetFault("across_needs_even_players", players=deck.players)


def _check_play(play: Play, deck: Deck) -> None:
    if play.opening is Opening.LOWEST_CLUB and (deck.mask & CLUBS).bit_count() <= deck.kitty_size:
        raise RulesetFault("no_club_to_open")
    if not 1 <= play.hearts_from_trick <= deck.hand_size:
        raise RulesetFault(
            "hearts_from_trick_out_of_range",
            trick=play.hearts_from_trick,
            most=deck.hand_size,
        )


def _check_points(points: Points, deck: Deck) -> None:
    for card, worth in points.table:
        if abs(worth) > MOST_POINTS:
            raise RulesetFault("points_out_of_range", card=card, points=worth, most=MOST_POINTS)
    if not any(worth > 0 for worth in points.within(deck).values()):
        raise RulesetFault("no_penalty_cards")


def _check_ending(ending: Ending, points: Points, deck: Deck) -> None:
    end = ending.match_end
    most = MOST_DEALS if end.kind is EndKind.DEALS else HIGHEST_LIMIT
    if not 1 <= end.number <= most:
        raise RulesetFault("match_end_out_of_range", kind=end.kind, number=end.number, most=most)
    if end.kind is EndKind.LIMIT and sum(points.within(deck).values()) <= 0:
        raise RulesetFault("limit_never_reached")  # all totals would sink, deal after deal
