"""What no table can play: each impossible combination is refused with its own reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from volte.cards import CARDS, CLUBS, PACK_SIZE, Fault
from volte.rules.groups import Direction, EndKind, Kitty, MoonRule, Opening, SlamRule

if TYPE_CHECKING:
    from volte.rules.ruleset import Ruleset

MOST_POINTS = 1000
MOST_DEALS = 1000
HIGHEST_LIMIT = 100_000


class RulesetFault(Fault):
    """Options that cannot be played, or are not options."""


def check(rules: Ruleset) -> None:
    """Raises `RulesetFault` for the first thing that makes the ruleset unplayable."""
    _check_deck(rules)
    _check_passing(rules)
    _check_play(rules)
    _check_points(rules)
    _check_ending(rules)


def _check_deck(rules: Ruleset) -> None:
    deck = rules.deck
    if not 3 <= deck.players <= 7:
        raise RulesetFault("players_out_of_range", players=deck.players, least=3, most=7)
    for card in deck.removed:
        if card not in CARDS[:PACK_SIZE] or card.joker is not None:
            raise RulesetFault("removed_not_in_pack", card=card)
    if len(set(deck.removed)) < len(deck.removed):
        raise RulesetFault("removed_twice")
    if deck.jokers not in (0, 2):
        raise RulesetFault("jokers_out_of_range", jokers=deck.jokers)
    if rules.hand_size < 1:
        raise RulesetFault("too_few_cards", cards=len(rules.cards), players=deck.players)
    if rules.kitty_size and deck.kitty is Kitty.NONE:
        raise RulesetFault(
            "cards_left_over",
            cards=len(rules.cards),
            players=deck.players,
            left=rules.kitty_size,
        )


def _check_passing(rules: Ruleset) -> None:
    passing = rules.passing
    if not 0 <= passing.count <= 4:
        raise RulesetFault("pass_count_out_of_range", count=passing.count, most=4)
    if not passing.cycle:
        raise RulesetFault("pass_cycle_empty")
    if passing.count > rules.hand_size:
        raise RulesetFault("pass_larger_than_hand", count=passing.count, hand=rules.hand_size)
    if Direction.ACROSS in passing.cycle and rules.players % 2:
        raise RulesetFault("across_needs_even_players", players=rules.players)


def _check_play(rules: Ruleset) -> None:
    if (
        rules.play.opening is Opening.LOWEST_CLUB
        and (rules.deck_mask & CLUBS).bit_count() <= rules.kitty_size
    ):
        raise RulesetFault("no_club_to_open")
    if not 1 <= rules.play.hearts_from_trick <= rules.hand_size:
        raise RulesetFault(
            "hearts_from_trick_out_of_range",
            trick=rules.play.hearts_from_trick,
            most=rules.hand_size,
        )


def _check_points(rules: Ruleset) -> None:
    for card, points in rules.points.table:
        if abs(points) > MOST_POINTS:
            raise RulesetFault("points_out_of_range", card=card, points=points, most=MOST_POINTS)
    if not rules.penalty_mask:
        raise RulesetFault("no_penalty_cards")


def _check_ending(rules: Ruleset) -> None:
    end = rules.ending.match_end
    most = MOST_DEALS if end.kind is EndKind.DEALS else HIGHEST_LIMIT
    if not 1 <= end.number <= most:
        raise RulesetFault("match_end_out_of_range", kind=end.kind, number=end.number, most=most)
    if end.kind is EndKind.LIMIT and _sum_of_a_deal(rules) <= 0:
        raise RulesetFault("limit_never_reached")


def _sum_of_a_deal(rules: Ruleset) -> int:
    """The least that the points of a deal can add up to."""
    bonus = sum(points for points in rules.values.values() if points < 0)
    penalties = rules.penalty_total
    if rules.moon.slam is SlamRule.REVERSAL:
        penalties = min(penalties, (rules.players - 2) * rules.penalty_total)
    if rules.moon.moon is MoonRule.OTHERS_PLUS:
        penalties = min(penalties, (rules.players - 1) * rules.penalty_total)
    return penalties + bonus
