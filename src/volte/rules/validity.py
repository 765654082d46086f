"""Checks of the rules: each combination that no table can play is refused with its own reason."""

from __future__ import annotations

from volte.cards import CLUBS, QUEEN, VolteError
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


class RulesetFault(VolteError):
    """Options that cannot be played, or are not options."""


SEATS = {1: (3, 7), 2: (6, 10)}
"""The least and the most players, by the number of packs."""


def check(
    deck: Deck, passing: Passing, play: PlayRules, points: Points, ending: Ending, sides: Sides
) -> None:
    """Raise `RulesetFault` for the first thing that makes the groups unplayable together."""
    _check_deck(deck)
    _check_passing(passing, deck)
    _check_play(play, deck)
    _check_points(points, deck)
    _check_ending(ending, points, deck)
    _check_sides(sides, deck)


def _check_deck(deck: Deck) -> None:
    if deck.packs not in SEATS:
        raise RulesetFault("packs_out_of_range", packs=deck.packs).at("packs")
    least, most = SEATS[deck.packs]
    if not least <= deck.players <= most:
        reason = "players_out_of_range" if deck.packs == 1 else "players_for_two_packs"
        raise RulesetFault(reason, players=deck.players, least=least, most=most).at("players")
    for card in deck.removed:
        if card.pack >= deck.packs or card.joker is not None:
            raise RulesetFault("removed_not_in_pack", card=card).at("removed")
    if len(set(deck.removed)) < len(deck.removed):
        raise RulesetFault("removed_twice").at("removed")
    if deck.jokers not in (0, 2):
        raise RulesetFault("jokers_out_of_range", jokers=deck.jokers).at("jokers")
    if deck.hand_size < 1:
        raise RulesetFault("too_few_cards", cards=len(deck.cards), players=deck.players).at(
            "removed"
        )
    if deck.kitty_size and deck.kitty is Kitty.NONE:
        raise RulesetFault(
            "cards_left_over",
            cards=len(deck.cards),
            players=deck.players,
            left=deck.kitty_size,
        ).at("kitty")


def _check_passing(passing: Passing, deck: Deck) -> None:
    if not 0 <= passing.count <= 4:
        raise RulesetFault("pass_count_out_of_range", count=passing.count, most=4).at("pass_count")
    if passing.count and not passing.cycle:
        raise RulesetFault("pass_cycle_empty").at("pass_cycle")
    if passing.count > deck.hand_size:
        raise RulesetFault("pass_larger_than_hand", count=passing.count, hand=deck.hand_size).at(
            "pass_count"
        )
    scattered = passing.count and Direction.SCATTER in passing.cycle
    if scattered and deck.players - 1 > deck.hand_size:
        raise RulesetFault(
            "scatter_larger_than_hand", count=deck.players - 1, hand=deck.hand_size
        ).at("pass_cycle")
    if passing.count and Direction.ACROSS in passing.cycle and deck.players % 2:
        raise RulesetFault("across_needs_even_players", players=deck.players).at("pass_cycle")


def _check_play(play: PlayRules, deck: Deck) -> None:
    if play.opening is not Opening.ELDEST and (deck.mask & CLUBS).bit_count() <= deck.kitty_size:
        raise RulesetFault("no_club_to_open").at("opening")
    if not 1 <= play.hearts_from_trick <= deck.hand_size:
        raise RulesetFault(
            "hearts_from_trick_out_of_range",
            trick=play.hearts_from_trick,
            most=deck.hand_size,
        ).at("hearts_from_trick")


def _check_points(points: Points, deck: Deck) -> None:
    for card, worth in points.table:
        if card.pack >= deck.packs:
            raise RulesetFault("points_of_second_pack", card=card).at("card_points")
        if abs(worth) > MOST_POINTS:
            fault = RulesetFault("points_out_of_range", card=card, points=worth, most=MOST_POINTS)
            raise fault.at("queen_points" if card == QUEEN else "card_points")
    if not any(worth > 0 for worth in points.within(deck).values()):
        raise RulesetFault("no_penalty_cards").at("queen_points")
    if not -MOST_POINTS <= points.no_tricks <= 0:
        raise RulesetFault("no_tricks_out_of_range", points=points.no_tricks, most=MOST_POINTS).at(
            "no_tricks"
        )


def _check_ending(ending: Ending, points: Points, deck: Deck) -> None:
    end = ending.match_end
    most = MOST_DEALS if end.kind is EndKind.DEALS else HIGHEST_LIMIT
    if not 1 <= end.number <= most:
        raise RulesetFault(
            "match_end_out_of_range", kind=end.kind, number=end.number, most=most
        ).at("match_end")
    if end.kind is EndKind.LIMIT and sum(points.within(deck).values()) <= 0:
        raise RulesetFault("limit_never_reached").at(
            "match_end"
        )  # all totals would sink, deal after deal


def _check_sides(sides: Sides, deck: Deck) -> None:
    if sides.partners not in (1, 2, 3):
        raise RulesetFault("partners_out_of_range", partners=sides.partners).at("partners")
    if deck.players % sides.partners or deck.players == sides.partners:
        raise RulesetFault("sides_unequal", players=deck.players, partners=sides.partners).at(
            "partners"
        )
