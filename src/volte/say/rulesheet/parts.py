"""What the rule sheets are made of, and the phrases that several sections need."""

from __future__ import annotations

from typing import Final, NamedTuple

from volte.cards import HEARTS, JACK, QUEENS, Card, cards_in
from volte.rules import Direction, EndKind, MoonBy, MoonRule, QueenPlay, Ruleset, Ties
from volte.say.words import Words


class RuleLine(NamedTuple):
    """A sentence or two of a rule sheet."""

    text: str
    clauses: tuple[str, ...]  # the clauses of RULES behind it, at least one


class Section(NamedTuple):
    """A part of a rule sheet, never without lines."""

    title: str
    lines: tuple[RuleLine, ...]


def penalty_cards(rules: Ruleset, words: Words) -> str:
    """What people avoid: "hearts and the queen of spades"."""
    _ = words.t
    hearts, free = _hearts_that_cost(rules)
    if len(hearts) <= max(1, len(free)):
        parts = words.each(hearts, "the")
    elif free:
        parts = [_("hearts other than {cards}", cards=words.cards(free))]
    else:
        parts = [_("hearts")]
    return words.listed(parts + _other_penalty_cards(rules, words))


def all_penalty_cards(rules: Ruleset, words: Words) -> str:
    """What shoots the moon: "all 13 hearts and the queen of spades"."""
    _ = words.t
    hearts, free = _hearts_that_cost(rules)
    if len(hearts) <= max(1, len(free)):
        parts = words.each(hearts, "the")
    elif free:
        parts = [_("the {count} hearts that cost points", count=len(hearts))]
    else:
        parts = [_("all {count} hearts", count=len(hearts))]
    return words.listed(parts + _other_penalty_cards(rules, words))


def all_needed_cards(rules: Ruleset, words: Words) -> str:
    """What shoots the moon at this table, cards that take points off included (W7)."""
    everything = all_penalty_cards(rules, words)
    if not moon_needs_more(rules):
        return everything
    return words.t("{cards}, and {more} as well", cards=everything, more=bonus_cards(rules, words))


def _hearts_that_cost(rules: Ruleset) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The hearts of the deck that are penalty cards, and those that are not."""
    hearts = rules.deck_mask & HEARTS
    return cards_in(hearts & rules.penalty_mask), cards_in(hearts & ~rules.penalty_mask)


def _other_penalty_cards(rules: Ruleset, words: Words) -> list[str]:
    return words.each(cards_in(rules.penalty_mask & ~HEARTS), "the")


def bonus_mask(rules: Ruleset) -> int:
    """Mask of the cards that take points off whoever takes them (S5, W5)."""
    return rules.counting_mask & ~rules.penalty_mask


def bonus_cards(rules: Ruleset, words: Words) -> str:
    """Those cards: "the jack of diamonds"."""
    return words.cards(cards_in(bonus_mask(rules)))


def only_the_jack(rules: Ruleset) -> bool:
    """Whether the jack of diamonds, once in the deck, is all that takes points off."""
    return bonus_mask(rules) == JACK.bit


def moon_needs_more(rules: Ruleset) -> bool:
    """Whether the moon wants the cards that take points off, too (W7)."""
    on = rules.moon.moon is not MoonRule.OFF
    return on and rules.moon.needs_jack and bool(bonus_mask(rules))


def has_queen(rules: Ruleset) -> bool:
    return bool(rules.deck_mask & QUEENS)


def has_hearts(rules: Ruleset) -> bool:
    return bool(rules.deck_mask & HEARTS)


def has_bonus_jack(rules: Ruleset) -> bool:
    return rules.values.get(JACK, 0) < 0


def queen_waits(rules: Ruleset) -> bool:
    """Whether the queen has to wait until hearts are broken (W3)."""
    return has_queen(rules) and rules.play.queen_play is QueenPlay.ONCE_BROKEN


def has_partners(rules: Ruleset) -> bool:
    return rules.sides.partners > 1


def side_shoots(rules: Ruleset) -> bool:
    """Whether partners may shoot the moon, or make the slam, between them (W10)."""
    return has_partners(rules) and rules.moon.by is MoonBy.SIDE


def one_deal(rules: Ruleset) -> bool:
    """Whether the match can never have a second deal."""
    return one_deal_due(rules) and rules.ending.ties is Ties.SHARE


def one_deal_due(rules: Ruleset) -> bool:
    """Whether the match has one deal, unless it ends in a tie that is played on (E1, W9)."""
    end = rules.ending.match_end
    return end.kind is EndKind.DEALS and end.number == 1


def moon_wins(rules: Ruleset) -> bool:
    """Whether whoever shoots the moon wins the match by it (E1)."""
    return one_deal_due(rules) and rules.moon.moon is not MoonRule.OFF


def passes(rules: Ruleset) -> bool:
    """Whether cards are passed in any deal that this table can come to."""
    return any(pass_steps(rules))


SCATTERED: Final = -1
"""What stands in `pass_steps` for one card to each of the others (W1)."""


def pass_steps(rules: Ruleset) -> tuple[int, ...]:
    """How many seats to the left the pass goes, deal after deal, until it starts over; 0 for none.

    The shortest cycle that says it all: what a short match never comes to is left out.
    """
    end, cycle = rules.ending.match_end, max(1, len(rules.passing.cycle))
    ends = end.kind is EndKind.DEALS and rules.ending.ties is Ties.SHARE
    deals = min(end.number, 2 * cycle) if ends else 2 * cycle
    steps = tuple(_step(rules.direction(deal), rules.players) for deal in range(1, deals + 1))
    return next(
        steps[:period]
        for period in range(1, deals + 1)
        if all(step == steps[deal % period] for deal, step in enumerate(steps))
    )


def _step(direction: Direction, players: int) -> int:
    return SCATTERED if direction is Direction.SCATTER else direction.target(0, players)
