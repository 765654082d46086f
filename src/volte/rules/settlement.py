"""Payments among the seats, in whole stakes (M1–M6), and the lots (D1, M2, M5).

Where stakes cannot be shared equally the lots decide, and only the seats draw to which they can
make a difference. So a settlement is asked for twice: once without lots, when it may answer with
the seats that have to draw, and then with the order that they drew.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from volte.cards import CARDS, PACK_SIZE, Card
from volte.rules.groups import Settlement
from volte.rules.ruleset import Ruleset
from volte.rules.scoring import Score, extras, lone_shooter, totals, winners


class Payment(msgspec.Struct, frozen=True):
    """Stakes that each seat pays and receives."""

    paid: tuple[int, ...]  # stakes each seat pays in
    drawn: tuple[int, ...]  # stakes each seat draws out
    pot: int = 0  # stakes that stay on the table afterwards (M6)

    @property
    def net(self) -> tuple[int, ...]:
        return tuple(drawn - paid for paid, drawn in zip(self.paid, self.drawn, strict=True))


class LotsNeeded(msgspec.Struct, frozen=True):
    """The seats among whom lots decide, in seat order."""

    seats: tuple[int, ...]


def settle_match(
    rules: Ruleset, deals: Sequence[Score], lots: Sequence[int] = ()
) -> Payment | LotsNeeded:
    """The payment after the last deal: difference (M1–M4) or average (M5), else nothing.

    Args:
        lots: the seats that had to draw, luckiest first.
    """
    sums = totals(rules, deals)
    if rules.stakes.settlement is Settlement.DIFFERENCE:
        shooter = lone_shooter(rules, deals)
        if shooter is not None:
            return settle_moon(rules, shooter)
        return settle_difference(sums, winners(rules, deals), lots)
    if rules.stakes.settlement is Settlement.AVERAGE:
        return settle_average(sums, lots)
    nothing = (0,) * rules.players
    return Payment(nothing, nothing)


def settle_moon(rules: Ruleset, shooter: int) -> Payment:
    """Payment of the penalty total by each of the others to the shooter's side (M3)."""
    seats, side = range(rules.players), rules.side(shooter)
    paid = tuple(0 if seat in side else rules.penalty_total for seat in seats)
    return Payment(paid, tuple(sum(paid) // len(side) if seat in side else 0 for seat in seats))


def settle_difference(
    sums: Sequence[int], lowest: Sequence[int], lots: Sequence[int] = ()
) -> Payment | LotsNeeded:
    """Payment of every loser's difference to the lowest total, which the winners share (M1, M2)."""
    best = min(sums)
    paid = tuple(total - best for total in sums)
    return _share(paid, sum(paid), lowest, lots)


def settle_pot(
    rules: Ruleset, deal: Score, taken: Sequence[int], pot: int, lots: Sequence[int] = ()
) -> Payment | LotsNeeded:
    """Payment of a deal into the pot, which the seats without points share (M6).

    Args:
        taken: mask of the cards each seat has won.
        pot: stakes that already lie there.
    """
    bonus = extras(rules, taken, deal.trickless)
    points = tuple(
        have - sum(bonus[partner] for partner in rules.side(seat))
        for seat, have in enumerate(deal.points)
    )
    paid = tuple(max(0, count) for count in points)
    free = tuple(seat for seat, count in enumerate(points) if count == 0)
    whole = pot + sum(paid)
    if not free:
        return Payment(paid, (0,) * len(paid), whole)
    return _share(paid, whole, free, lots)


def settle_average(sums: Sequence[int], lots: Sequence[int] = ()) -> Payment | LotsNeeded:
    """Payment of differences to the mean, rounded down: seats above pay, seats below draw (M5)."""
    players = len(sums)
    above = [total * players - sum(sums) for total in sums]
    paid = tuple(max(0, part) // players for part in above)
    claims = [max(0, -part) // players for part in above]
    below = [seat for seat in range(players) if above[seat] < 0]
    spare = sum(paid) - sum(claims)
    while spare:
        step = 1 if spare > 0 else -1
        sharing = [seat for seat in below if step > 0 or claims[seat] > 0]
        if abs(spare) < len(sharing):
            if not lots:
                return LotsNeeded(tuple(sharing))
            sharing = [seat for seat in lots if seat in sharing][::step][: abs(spare)]
        for seat in sharing:
            claims[seat] += step
            spare -= step
    return Payment(paid, tuple(claims))


def _share(
    paid: tuple[int, ...], whole: int, seats: Sequence[int], lots: Sequence[int]
) -> Payment | LotsNeeded:
    """Payment of equal parts, the remainder to the luckiest (M2)."""
    part, over = divmod(whole, len(seats))
    if over and not lots:
        return LotsNeeded(tuple(seats))
    drawn = [part if seat in seats else 0 for seat in range(len(paid))]
    if over:
        drawn[lots[0]] += over
    return Payment(paid, tuple(drawn))


# Lots: one card each, by rank alone, ace high, equal cards draw again

LOTS: Final = tuple(card for card in CARDS[:PACK_SIZE] if card.joker is None)
"""Cards that lots are drawn from: one pack, without jokers."""

Draw = tuple[tuple[int, Card], ...]
"""One round of lots: seats, and the cards that they drew."""


class Wanted(StrEnum):
    """Purpose of the lots: one seat, or an order of all; only ties that matter draw again."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    ORDER = "order"


def draws_left(seats: Sequence[int], wanted: Wanted, rounds: Sequence[Draw]) -> tuple[int, ...]:
    """The seats that must draw next: all at first, then the tied; empty when it is settled."""
    groups = _groups(seats, rounds)
    if rounds and wanted is not Wanted.ORDER:
        groups = [groups[0 if wanted is Wanted.HIGHEST else -1]]
    return tuple(sorted(seat for group in groups if len(group) > 1 for seat in group))


def lawful_draw(seats: Sequence[int], wanted: Wanted, rounds: Sequence[Draw]) -> bool:
    """Whether just the seats that had to draw did, each a card of its own, until it is settled."""
    for place, drawn in enumerate(rounds):
        cards = [card for _, card in drawn]
        drawing = draws_left(seats, wanted, rounds[:place])
        if not drawing or tuple(seat for seat, _ in drawn) != drawing:
            return False
        if len(set(cards)) < len(cards) or not set(cards) <= set(LOTS):
            return False
    return not draws_left(seats, wanted, rounds)


def order_of(seats: Sequence[int], rounds: Sequence[Draw]) -> tuple[int, ...]:
    """The seats from the highest card to the lowest, as far as the rounds tell them apart."""
    return tuple(seat for group in _groups(seats, rounds) for seat in group)


def _groups(seats: Sequence[int], rounds: Sequence[Draw]) -> list[tuple[int, ...]]:
    """The seats from the highest card to the lowest, those still equal side by side."""
    groups: list[tuple[int, ...]] = [tuple(seats)]
    for drawn in rounds:
        rank = {seat: card.rank or 0 for seat, card in drawn}
        finer = []
        for group in groups:
            if not rank.keys() >= set(group):
                finer.append(group)
                continue
            for high in sorted({rank[seat] for seat in group}, reverse=True):
                finer.append(tuple(seat for seat in group if rank[seat] == high))
        groups = finer
    return groups
