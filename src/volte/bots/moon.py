"""The moon: who may be shooting it, and whether one's own hand can (S3, S4, W10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from volte.bots.odds import ONE
from volte.bots.ranks import ABOVE, TWIN, ascending, highest
from volte.cards import SUIT_MASKS
from volte.game import DealState
from volte.rules import MoonBy, MoonRule, Ruleset, SlamRule


class Shooter(NamedTuple):
    """Somebody who may be on the way to taking everything.

    Attributes:
        seats: one, or a whole side where the side may do it together (W10).
        share: how likely it is to be taken for that, in 1024ths.
        ours: whether it is the seat's own side that gains by it.
    """

    seats: tuple[int, ...] = ()
    share: int = 0
    ours: bool = False


NOBODY: Final = Shooter()


def doers(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Who may take everything: each seat, or each side (W10)."""
    if rules.moon.by is MoonBy.SIDE:
        return rules.all_sides
    return tuple((seat,) for seat in range(rules.players))


def feared(deal: DealState, seat: int) -> Shooter:
    """Who besides the seat alone may take everything.

    Only the first that anybody else takes ends it. It is feared by the fourth power of the share
    that it has: the mean of its shares of the penalty cards and of their points, or, where only the
    slam counts, its share of the tricks.
    """
    rules = deal.rules
    if rules.moon.moon is not MoonRule.OFF:
        cards, points = rules.penalty_mask.bit_count(), rules.penalty_total
        whole = 2 * cards * points
        have = [
            (taken & rules.penalty_mask).bit_count() * points
            + rules.points_in(taken & rules.penalty_mask) * cards
            for taken in deal.taken
        ]
    elif rules.moon.slam is not SlamRule.OFF:
        whole, have = rules.hand_size, list(deal.won)
    else:
        return NOBODY
    together = [sum(have[member] for member in who) for who in doers(rules)]
    most = max(together)
    who = doers(rules)[together.index(most)]
    if who == (seat,) or not 0 < most == sum(have) or _lacks_jack(deal, who):
        return NOBODY
    share = most * ONE // whole
    square = share * share >> 10
    return Shooter(who, square * square >> 10, seat in rules.side(who[0]))


def _lacks_jack(deal: DealState, who: tuple[int, ...]) -> bool:
    """Whether somebody else has a card below zero that the moon wants as well (W7)."""
    rules = deal.rules
    bonus = rules.counting_mask & ~rules.penalty_mask
    return rules.moon.needs_jack and any(
        taken & bonus for seat, taken in enumerate(deal.taken) if seat not in who
    )


def takes_all(deal: DealState, seat: int, unseen: int) -> bool:
    """Whether the hand is likely to take every trick that is left, and the moon with them."""
    return may_shoot(deal, seat) and next(losers(deal, seat, unseen), None) is None


def may_shoot(deal: DealState, seat: int) -> bool:
    """Whether nothing has fallen elsewhere that the moon of that seat would want."""
    rules = deal.rules
    who = rules.side(seat) if rules.moon.by is MoonBy.SIDE else (seat,)
    if rules.moon.moon is MoonRule.OFF or deal.kitty_taker not in (None, *who):
        return False
    others = (taken for other, taken in enumerate(deal.taken) if other not in who)
    return not any(taken & rules.penalty_mask for taken in others) and not _lacks_jack(deal, who)


def losers(deal: DealState, seat: int, unseen: int) -> Iterator[int]:
    """The bits of the cards of a hand that are not likely to take their tricks.

    A card will take its trick where no unseen card of its suit is higher, or where the ones above
    it in the hand have drawn the suit out, each of them two thirds of a round.
    """
    left = deal.hands[seat]
    for suit in SUIT_MASKS:
        held, hidden = left & suit, unseen & suit
        left ^= held
        drawn = 0
        while held:
            bit = highest(held)
            held ^= bit
            above = hidden & (ABOVE[bit] | TWIN[bit])
            if above and drawn * (deal.rules.players - 1) * 2 // 3 < hidden.bit_count():
                yield bit
            drawn += 1
    yield from ascending(left)
