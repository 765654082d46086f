"""Who pays whom, in whole stakes (M1–M6).

Where stakes cannot be shared equally the lots decide, and only the seats that they can make a
difference to draw. So a settlement is asked for twice: once without lots, when it may answer with
the seats that have to draw, and then with the order that they drew.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from volte.rules.groups import Settlement
from volte.rules.ruleset import Ruleset
from volte.rules.scoring import Score, extras, lone_shooter, totals, winners


class Payment(msgspec.Struct, frozen=True):
    """Attributes:
    paid: stakes each seat pays in.
    drawn: stakes each seat draws out.
    pot: stakes that stay on the table afterwards (M6).
    """

    paid: tuple[int, ...]
    drawn: tuple[int, ...]
    pot: int = 0

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
    """Each of the others pays the penalty total to the shooter (M3), and to the partners."""
    seats, side = range(rules.players), rules.side(shooter)
    paid = tuple(0 if seat in side else rules.penalty_total for seat in seats)
    return Payment(paid, tuple(sum(paid) // len(side) if seat in side else 0 for seat in seats))


def settle_difference(
    sums: Sequence[int], lowest: Sequence[int], lots: Sequence[int] = ()
) -> Payment | LotsNeeded:
    """Every loser pays the difference to the winners' total, who share it (M1, M2)."""
    best = min(sums)
    paid = tuple(total - best for total in sums)
    return _share(paid, sum(paid), lowest, lots)


def settle_pot(
    rules: Ruleset, deal: Score, taken: Sequence[int], pot: int, lots: Sequence[int] = ()
) -> Payment | LotsNeeded:
    """What a deal pays into the pot, and who takes it: those without points (M6).

    Args:
        taken: mask of the cards each seat has won.
        pot: what already lies there.
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
    """Who is above the mean pays the difference, who is below draws it, rounded down (M5)."""
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
    """Equal parts, and what is over to the luckiest (M2)."""
    part, over = divmod(whole, len(seats))
    if over and not lots:
        return LotsNeeded(tuple(seats))
    drawn = [part if seat in seats else 0 for seat in range(len(paid))]
    if over:
        drawn[lots[0]] += over
    return Payment(paid, tuple(drawn))
