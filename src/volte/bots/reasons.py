"""Advice: an action and the reasons for it, by whatever means it was chosen.

A reason is given only where it holds by what the seat sees, and where it sets the action apart: it
is not as true of any action known to cost more. So a learner can check it against the cards, also
when a search has chosen. The first such reason of the lists below is given, or the first two that
set it apart together. If there is none, the reason is that a search has played the card out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Final

from msgspec.structs import replace

from volte.bots.candidates import Scales
from volte.bots.casual import chosen_action
from volte.bots.grounds import Grounds, PassGrounds
from volte.bots.hints import FOR_MOON, OF_MOON, OFTEN, RARER, SELDOM, Hint, Reason
from volte.bots.moons import ABOVE_QUEEN, THREAT, WARY
from volte.bots.odds import ABOVE, ONE, TWIN, USUAL, Weights, losers
from volte.bots.protocol import Estimate, asked
from volte.bots.queen import kept_queen
from volte.cards import JOKERS, QUEENS, SPADES, SUIT_MASKS, cards_in, in_first_pack, mask_of
from volte.game import Pass, Play, SeatAction
from volte.game.claims import tricks_matter
from volte.view import View

_Grounds = Iterator[tuple[Reason, int]]
_Holding = Iterator[tuple[Reason, object]]


def reasons_of(
    view: View,
    action: Play | Pass,
    dear: Iterable[Play | Pass] = (),
    weighed: Sequence[Estimate] = (),
    shoots: bool = False,
) -> tuple[Reason, ...]:
    """Return the reasons for an action, by whatever means chosen: one, or two that go together.

    Args:
        dear: actions that cost more, of which the reasons must not be as true.
        weighed: estimates of a search, which tell how often the hand takes everything.
        shoots: whether the action was chosen for a moon, where no estimate tells.
    """
    hopes = Hopes(action, weighed, shoots)
    reasons = _apart(view, action, tuple(dear), hopes)
    if not hopes.often or reasons == (Reason.FORCED,) or OF_MOON.intersection(reasons):
        return reasons
    first = [] if reasons[0] is Reason.PLAYED_OUT else reasons[:1]
    return (*first, Reason.MOON_OPEN)


def _apart(
    view: View, action: Play | Pass, dear: tuple[Play | Pass, ...], hopes: Hopes
) -> tuple[Reason, ...]:
    """Return the first reasons that fit the hopes, and set the action apart from dear ones."""
    found = {reason: what for reason, what in holding(view, action).items() if hopes.fit(reason)}
    if not dear:
        return (next(iter(found), Reason.PLAYED_OUT),)

    def beside(others: Sequence[Play | Pass]) -> list[Reason]:
        return [reason for reason in _beside(view, action, others) if hopes.fit(reason)]

    others = [holding(view, each) for each in dear]
    for reasons in chain(
        combinations(found, 1),
        [(Reason.MOON_CHANCE,)] if hopes.above(dear) else [],
        combinations(beside(dear), 1),
        combinations(found, 2),
    ):
        if not any(_as_true(reasons, found, other) for other in others):
            return reasons
    for reason in found:
        rivals = _rivals(view, action, dear)
        such = [each for each in rivals if _as_true([reason], found, holding(view, each))]
        for other in beside(such) if such else ():
            if (other is Reason.SURER) <= (reason not in NOT_WANTED):
                return reason, other
    return (Reason.PLAYED_OUT,)


class Hopes:
    """Hopes of a moon of one's own after an action."""

    def __init__(self, action: Play | Pass, weighed: Sequence[Estimate], shoots: bool) -> None:
        self._shares = {_cards(each.action): each.moon for each in weighed}
        self._share = self._shares.get(_cards(action))
        self.often = shoots if self._share is None else self._share >= OFTEN

    def fit(self, reason: Reason) -> bool:
        """Whether a reason is in keeping with them."""
        if self.often:
            return reason in FOR_MOON
        seldom = self._share is not None and self._share < SELDOM
        return not (seldom and reason in OF_MOON)

    def above(self, others: Iterable[Play | Pass]) -> bool:
        """Whether a moon comes often, and less often after each of the others."""
        shares = [self._shares.get(_cards(other)) for other in others]
        return self.often and all(
            share is not None and self._share is not None and self._share - share >= RARER
            for share in shares
        )


def _cards(action: SeatAction) -> int:
    """Mask of the cards of an action."""
    if isinstance(action, Play):
        return action.card.bit
    return mask_of(action.cards) if isinstance(action, Pass) else 0


def _as_true(
    reasons: Iterable[Reason], found: Mapping[Reason, int], other: Mapping[Reason, int]
) -> bool:
    """Whether all the reasons are as true of another action, by its own reasons `other`."""
    return not any(found.get(reason, 1) & ~other.get(reason, 0) for reason in reasons)


NOT_WANTED: Final = frozenset({Reason.LOW_LEAD, Reason.SAFEST, Reason.GIVE_POINTS})
"""Reasons of a seat that does not want the trick."""


def reason_of(view: View, action: Play | Pass, dear: Iterable[Play | Pass] = ()) -> Reason:
    """Return the first of `reasons_of`."""
    return reasons_of(view, action, dear)[0]


def hint(view: View, weights: Weights = USUAL) -> Hint:
    """Return the choice of `casual`, with its reason; only for a seat that has to pass or play."""
    action = chosen_action(asked(view), weights)
    if isinstance(action, Play) and view.legal.mask & (view.legal.mask - 1) and not _matters(view):
        return Hint(action, Reason.ALIKE)
    shoots = isinstance(action, Play) and Grounds(view, action.card.bit).shooting
    reasons = reasons_of(view, action, shoots=shoots)
    return Hint(
        action,
        Reason.ROUGHLY if reasons[0] is Reason.PLAYED_OUT else reasons[0],
        also=reasons[1] if reasons[1:] else None,
        queen=kept_queen(view, action, reasons),
    )


def _matters(view: View) -> bool:
    """Whether the tricks that are left can still change the score."""
    deal = view.deal
    left = view.hand.mask | view.unseen | deal.held | mask_of(deal.trick)
    return bool(left & deal.rules.counting_mask) or tricks_matter(deal)


def holding(view: View, action: Play | Pass) -> dict[Reason, int]:
    """Return all reasons that hold for an action, in the order in which they are preferred.

    Each comes with the mask of the suits or cards that it is true of, if it speaks of some that are
    passed or kept; else with 1.
    """
    if isinstance(action, Pass):
        grounds = _of_pass(view, action)
    else:
        card = Grounds(view, action.card.bit)
        grounds = ((reason, int(bool(holds))) for reason, holds in _of_play(card))
    return {reason: what for reason, what in grounds if what}


def _rivals(view: View, action: Play | Pass, dear: Sequence[Play | Pass]) -> Sequence[Play | Pass]:
    """Other possible actions; of passes, only the dear ones."""
    if isinstance(action, Pass):
        return dear
    card = Grounds(view, action.card.bit)
    return [Play(action.seat, each) for each in cards_in(card.legal) if not card.like(each.bit)]


def _beside(view: View, action: Play | Pass, others: Sequence[Play | Pass]) -> list[Reason]:
    """Reasons by which the action compares well with each of the others."""
    if isinstance(action, Pass):
        grounds = _pass_beside(view, action, others)
    else:
        grounds = _play_beside(view, action, others)
    return [reason for reason, holds in grounds if holds]


def _play_beside(view: View, action: Play, others: Sequence[Play | Pass]) -> _Grounds:
    card = Grounds(view, action.card.bit)
    rivals = [Grounds(view, other.card.bit) for other in others if isinstance(other, Play)]
    if (card.wants_all or card.threatened) and (card.chance or card.own <= 0):
        yield Reason.SURER, all(card.chance - other.chance >= ONE // 16 for other in rivals)
        return
    yield Reason.SAFER, all(other.chance - card.chance >= ONE // 16 for other in rivals)
    yield Reason.CHEAPER, all(other.cost - card.cost >= ONE // 4 for other in rivals)
    yield Reason.HEAVIER, all(card.relief - other.relief >= ONE // 8 for other in rivals)


def _pass_beside(view: View, action: Pass, others: Sequence[Play | Pass]) -> _Grounds:
    passes = [other for other in others if isinstance(other, Pass)]
    if Reason.PASS_LOW in holding(view, action):
        low, lows = _low_after(view, action), [_low_after(view, other) for other in passes]
        yield Reason.PASS_MOON, low * 2 <= view.hand.mask.bit_count() and low < min(lows)
        return
    scales, hand = Scales(view, USUAL), view.hand.mask
    reliefs = [_relief(scales, hand, other) for other in passes]
    relief = _relief(scales, hand, action)
    yield Reason.PASS_HEAVIER, all(relief - other >= ONE // 16 for other in reliefs)


def _relief(scales: Scales, hand: int, given: Pass) -> int:
    """Burden that a hand loses with the cards given, in 1024ths of a point."""
    relief = 0
    for card in given.cards:
        relief += scales.relief(hand, card.bit)
        hand &= ~card.bit
    return relief


def _low_after(view: View, given: Pass) -> int:
    """Number of cards kept after a pass that are not likely to take their tricks."""
    hands = list(view.deal.hands)
    hands[given.seat] &= ~mask_of(given.cards)
    deal = replace(view.deal, hands=tuple(hands))
    return sum(1 for _ in losers(deal, given.seat, view.unseen))


# The reasons in the order in which they are preferred, each with its condition


def _of_pass(view: View, action: Pass) -> _Grounds:
    cards = PassGrounds(view, action)
    yield Reason.PASS_QUEEN, bool(cards.heaviest and cards.given & cards.queens)
    yield Reason.PASS_VOID, cards.emptied
    yield Reason.PASS_DANGER, cards.heaviest
    yield Reason.PASS_LOW, cards.low
    yield Reason.PASS_LOWEST, cards.low and cards.lowest
    yield Reason.PASS_CLEARED, cards.clears if cards.low else 0
    yield Reason.PASS_HIGHEST, cards.highest
    if not cards.low:
        yield Reason.PASS_SPADES, cards.spades
        yield Reason.GUARD, cards.guards
        yield Reason.KEEP_COVER, cards.cover[0]
        yield Reason.PASS_NEARLY, cards.alone
        yield Reason.PASS_TOPS, cards.tops
        yield Reason.KEEP_TOP_HEART, bool(cards.top_heart)
    yield Reason.KEEP_HEARTS, cards.hearts
    yield Reason.KEEP_SUIT, cards.whole


def _of_play(card: Grounds) -> _Holding:
    yield Reason.FORCED, len({in_first_pack(each) for each in cards_in(card.legal)}) == 1
    yield Reason.COMPLETE_MOON, card.completes
    yield Reason.SHOOT_MOON, card.probable and card.shooting and not card.low
    yield Reason.GO_ON_MOON, card.goes_on
    yield Reason.TRY_MOON, card.tries
    yield Reason.STOP_MOON, card.stops(THREAT)
    yield Reason.NO_POINT, card.withholds(THREAT)
    led = card.deal.led
    if led is None:
        yield from _leading(card)
    elif not card.bit & SUIT_MASKS[led]:
        yield from _discarding(card)
    elif card.best and not ABOVE[card.best] & card.bit:
        yield from _ducking(card)
    else:
        yield from _taking(card)
    yield Reason.TAKE_QUEEN, card.wants_queen
    yield Reason.SURE_MOON, card.sure
    yield Reason.KEEP_STOPPER, card.keeps_stopper(WARY)
    yield Reason.STOP_MOON, card.stops(WARY)
    yield Reason.NO_POINT, card.withholds(WARY)
    yield Reason.KEEP_HIGH, card.keeps_high
    yield Reason.KEEP_EXIT, card.kept_exits
    yield Reason.KEEP_COVER, card.cover[0]
    yield Reason.GUARD, card.guards
    yield Reason.KEEP_QUEEN, card.keeps_queen and not card.wants_all
    yield Reason.SPARE_QUEEN, card.keeps_queen and card.wants_all and card.hidden_cover
    yield Reason.SHED_HIGH, led is None and card.high and card.probable


def _leading(card: Grounds) -> _Holding:
    yield Reason.JOKER_LEAD, card.bit & JOKERS
    yield Reason.TRAP, card.traps
    yield Reason.CATCH_QUEEN, card.catches
    # Another hand may hold the queen, and this one has no spade as high
    yield (
        Reason.FLUSH_QUEEN,
        card.bit & SPADES and card.hidden_queen & card.dear_above(card.bit),
    )
    yield Reason.SAFE_EXIT, card.exits
    yield Reason.GUARD, card.guards and not card.probable
    yield Reason.VOID_SUIT, card.last_of_suit and not card.probable
    yield Reason.LOW_LEAD, not card.probable
    yield Reason.FOLLOWED, card.cheap and card.followed
    yield Reason.SAFE_LEAD, card.cheap
    yield Reason.GIVE_POINTS, card.own > 0 and not card.probable
    yield Reason.SAFEST, card.safest
    yield Reason.SHED_HIGH, card.high and card.cheap and card.probable
    yield Reason.RUN_SUIT, card.runs
    yield Reason.DRIVE_COVER, card.drives
    yield Reason.CLEAR_SUIT, card.clears
    yield Reason.MAKE_WAY, card.makes_way
    yield Reason.DRAW_HEARTS, card.draws
    yield Reason.HARMLESS, card.harmless
    yield Reason.NEARLY_VOID, card.nearly_last


def _ducking(card: Grounds) -> _Holding:
    equal = TWIN[card.bit] == card.best
    yield Reason.CANCEL, equal
    yield Reason.DUMP_QUEEN, card.dumps and card.bit & QUEENS and not card.feeds
    yield Reason.LEAVE_KITTY, card.kitty_with(card.bit) > 0 and card.beaten
    yield Reason.KEEP_STOPPER, card.keeps_stopper(THREAT)
    yield Reason.HIGHEST_UNDER, card.highest_under and not equal
    yield Reason.DUCK, not equal
    yield Reason.BURDEN_LEADER, card.burdens_leader
    yield Reason.DUMP_POINTS, card.dumps and not card.feeds
    yield Reason.DROP_COVER, card.covers
    yield Reason.KEEP_ENTRY, card.entry


def _taking(card: Grounds) -> _Holding:
    yield Reason.TAKE_BONUS, card.probable and card.table + card.own < 0
    yield Reason.SAFE_TAKE, card.free
    yield Reason.TAKE_HIGH, card.legal & card.lower and not card.chosen
    yield Reason.LOW_LEAD, not card.probable
    yield Reason.SHED_HIGH, card.high and card.cheap
    yield Reason.TAKE_ANY, all(card.takes(each.bit) == ONE for each in cards_in(card.legal))
    yield Reason.LOWEST, not card.legal & card.lower and 0 < card.chance < ONE
    yield Reason.JUST_ENOUGH, card.just_enough
    yield Reason.SAFE_LEAD, card.cheap
    yield Reason.DROP_COVER, card.covers
    yield Reason.GIVE_POINTS, card.own > 0 and not card.probable
    yield Reason.SAFEST, card.safest
    yield Reason.SHED_HIGH, card.high


def _discarding(card: Grounds) -> _Holding:
    yield Reason.DUMP_QUEEN, card.dumps and card.bit & QUEENS and not card.feeds
    yield Reason.DUMP_POINTS, card.dumps and not card.feeds
    yield Reason.DROP_COVER, card.bit & SPADES & ABOVE_QUEEN and card.hidden_queen
    yield Reason.KEEP_STOPPER, card.keeps_stopper(THREAT)
    yield Reason.VOID_SUIT, card.last_of_suit
    yield Reason.SHED_HIGH, card.high
    yield Reason.BURDEN_LEADER, card.burdens_leader
    yield Reason.KEEP_POINTS, card.keeps_points
    yield Reason.NEARLY_VOID, card.nearly_last
