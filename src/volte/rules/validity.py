"""What no table can play: each impossible combination is refused with its own reason."""

from __future__ import annotations

from volte.cards import CLUBS, Fault
from volte.rules.groups import (
    Deck,
    Direction,
    Ending,
    EndKind,
    Kitty,
    Opening,
    Passing,
    PlayRules,
    Points,
    Sides,
)

MOST_POINTS = 1000
MOST_DEALS = 1000
HIGHEST_LIMIT = 100_000


class RulesetFault(Fault):
    """Options that cannot be played, or are not options."""


SEATS = {1: (3, 7), 2: (6, 10)}
"""The least and the most players, by the number of packs."""


def check(
    deck: Deck, passing: Passing, play: PlayRules, points: Points, ending: Ending, sides: Sides
) -> None:
    """Raises `RulesetFault` for the first thing that makes the groups unplayable together."""
    _check_deck(deck)
    _check_passing(passing, deck)
    _check_play(play, deck)
    _check_points(points, deck)
    _check_ending(ending, points, deck)
    _check_sides(sides, deck)


def _check_deck(deck: Deck) -> None:
    if deck.packs not in SEATS:
        raise RulesetFault("packs_out_of_range", packs=deck.packs)
    least, most = SEATS[deck.packs]
    if not least <= deck.players <= most:
        reason = "players_out_of_range" if deck.packs == 1 else "players_for_two_packs"
        raise RulesetFault(reason, players=deck.players, least=least, most=most)
    for card in deck.removed:
        if card.pack >= deck.packs or card.joker is not None:
            raise RulesetFault("removed_not_in_pack", card=card)
    if len(set(deck.removed)) < len(deck.removed):
        raise RulesetFault("removed_twice")
    if deck.jokers not in (0, 2):
        raise RulesetFault("jokers_out_of_range", jokers=deck.jokers)
    if deck.hand_size < 1:
        raise RulesetFault("too_few_cards", cards=len(deck.cards), players=deck.players)
    if deck.kitty_size and deck.kitty is Kitty.NONE:
        raise RulesetFault(
            "cards_left_over", cards=len(deck.cards), players=deck.players, left=deck.kitty_size
        )


def _check_passing(passing: Passing, deck: Deck) -> None:
    if not 0 <= passing.count <= 4:
        raise RulesetFault("pass_count_out_of_range", count=passing.count, most=4)
    if passing.count and not passing.cycle:
        raise RulesetFault("pass_cycle_empty")
    if passing.count > deck.hand_size:
        raise RulesetFault("pass_larger_than_hand", count=passing.count, hand=deck.hand_size)
    scattered = passing.count and Direction.SCATTER in passing.cycle
    if scattered and deck.players - 1 > deck.hand_size:
        raise RulesetFault("scatter_larger_than_hand", count=deck.players - 1, hand=deck.hand_size)
    if passing.count and Direction.ACROSS in passing.cycle and deck.players % 2:
        raise RulesetFault("across_needs_even_players", players=deck.players)


def _check_play(play: PlayRules, deck: Deck) -> None:
    if play.opening is not Opening.ELDEST and (deck.mask & CLUBS).bit_count() <= deck.kitty_size:
        raise RulesetFault("no_club_to_open")
    if not 1 <= play.hearts_from_trick <= deck.hand_size:
        raise RulesetFault(
            "hearts_from_trick_out_of_range", trick=play.hearts_from_trick, most=deck.hand_size
        )


def _check_points(points: Points, deck: Deck) -> None:
    for card, worth in points.table:
        if card.pack >= deck.packs:
            raise RulesetFault("points_of_second_pack", card=card)
        if abs(worth) > MOST_POINTS:
            raise RulesetFault("points_out_of_range", card=card, points=worth, most=MOST_POINTS)
    if not any(worth > 0 for worth in points.within(deck).values()):
        raise RulesetFault("no_penalty_cards")
    if not -MOST_POINTS <= points.no_tricks <= 0:
        raise RulesetFault("no_tricks_out_of_range", points=points.no_tricks, most=MOST_POINTS)


def _check_ending(ending: Ending, points: Points, deck: Deck) -> None:
    end = ending.match_end
    most = MOST_DEALS if end.kind is EndKind.DEALS else HIGHEST_LIMIT
    if not 1 <= end.number <= most:
        raise RulesetFault("match_end_out_of_range", kind=end.kind, number=end.number, most=most)
    if end.kind is EndKind.LIMIT and sum(points.within(deck).values()) <= 0:
        raise RulesetFault("limit_never_reached")  # all totals would sink, deal after deal


def _check_sides(sides: Sides, deck: Deck) -> None:
    if sides.partners not in (1, 2, 3):
        raise RulesetFault("partners_out_of_range", partners=sides.partners)
    if deck.players % sides.partners or deck.players == sides.partners:
        raise RulesetFault("sides_unequal", players=deck.players, partners=sides.partners)
