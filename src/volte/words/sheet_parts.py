"""What the rule sheets are made of, and the phrases that several sections need."""

from __future__ import annotations

from typing import NamedTuple

from volte.cards import HEARTS, JACK, QUEEN, cards_in
from volte.rules import EndKind, Ruleset
from volte.words.words import Words


class Line(NamedTuple):
    """A sentence or two of a rule sheet.

    Attributes:
        clauses: the clauses of RULES behind it, at least one.
    """

    text: str
    clauses: tuple[str, ...]


class Section(NamedTuple):
    """A part of a rule sheet, never without lines."""

    title: str
    lines: tuple[Line, ...]


def penalty_cards(rules: Ruleset, words: Words) -> str:
    """What people avoid: "hearts and the queen of spades"."""
    _ = words.t
    hearts = cards_in(rules.penalty_mask & HEARTS)
    parts = [_("hearts")] if len(hearts) > 1 else [words.the_card(card) for card in hearts]
    return words.listed(parts + _other_penalty_cards(rules, words))


def all_penalty_cards(rules: Ruleset, words: Words) -> str:
    """What shoots the moon: "all 13 hearts and the queen of spades"."""
    _ = words.t
    hearts = cards_in(rules.penalty_mask & HEARTS)
    if len(hearts) > 1:
        parts = [_("all {count} hearts", count=len(hearts))]
    else:
        parts = [words.the_card(card) for card in hearts]
    return words.listed(parts + _other_penalty_cards(rules, words))


def _other_penalty_cards(rules: Ruleset, words: Words) -> list[str]:
    return [words.the_card(card) for card in cards_in(rules.penalty_mask & ~HEARTS)]


def has_queen(rules: Ruleset) -> bool:
    return bool(rules.deck_mask & QUEEN.bit)


def has_hearts(rules: Ruleset) -> bool:
    return bool(rules.deck_mask & HEARTS)


def has_bonus_jack(rules: Ruleset) -> bool:
    return rules.values.get(JACK, 0) < 0


def one_deal(rules: Ruleset) -> bool:
    end = rules.ending.match_end
    return end.kind is EndKind.DEALS and end.number == 1


def passes(rules: Ruleset) -> bool:
    """Whether cards are passed in any deal that this table can come to."""
    return any(pass_steps(rules))


def pass_steps(rules: Ruleset) -> tuple[int, ...]:
    """How many seats to the left the pass goes, deal after deal, until it starts over; 0 for none.

    The shortest cycle that says it all: what a short match never comes to is left out.
    """
    end, cycle = rules.ending.match_end, max(1, len(rules.passing.cycle))
    deals = min(end.number, 2 * cycle) if end.kind is EndKind.DEALS else 2 * cycle
    steps = tuple(rules.direction(deal).target(0, rules.players) for deal in range(1, deals + 1))
    return next(
        steps[:period]
        for period in range(1, deals + 1)
        if all(step == steps[deal % period] for deal, step in enumerate(steps))
    )
