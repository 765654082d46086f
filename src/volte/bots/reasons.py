"""Advice: an action and the reasons for it, by whatever means it was chosen.

A reason is given only where it holds by what the seat sees, and where it sets the action apart: it
is not as true of any action known to cost more. So a learner can check it against the cards, also
when a search has chosen. The first such reason of the lists below is given, or the first two that
set it apart together. If there is none, the reason is that a search has played the card out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain, combinations
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.bots.candidates import Scales
from volte.bots.casual import chosen_action
from volte.bots.grounds import Grounds, PassGrounds
from volte.bots.moons import ABOVE_QUEEN, THREAT, WARY
from volte.bots.odds import ABOVE, ONE, TWIN, USUAL, Weights, losers
from volte.bots.protocol import asked
from volte.cards import JOKERS, QUEENS, SPADES, SUIT_MASKS, cards_in, in_first_pack, mask_of
from volte.game import Pass, Play
from volte.view import View


class Reason(StrEnum):
    """Reasons for playing a card or passing cards; `volte.say` has a sentence for each."""

    FORCED = "forced"  # no other card may be played
    ALIKE = "alike"  # no other card would make a difference
    LOW_LEAD = "low_lead"  # another seat will probably take this trick
    SAFEST = "safest"  # others are likelier to take this trick than with any other card
    GIVE_POINTS = "give_points"  # another seat will probably take its points
    SAFE_LEAD = "safe_lead"  # taking this trick will probably cost little
    FOLLOWED = "followed"  # so many cards of the suit are out that all probably follow
    SAFE_EXIT = "safe_exit"  # all cards of the suit in other hands are higher
    TRAP = "trap"  # the queen led when every spade in another hand has to take her
    JOKER_LEAD = "joker_lead"  # gives the lead away
    FLUSH_QUEEN = "flush_queen"  # a low spade that drives the queen out of another hand
    CATCH_QUEEN = "catch_queen"  # a spade led when only the queen is left of the suit
    GUARD = "guard"  # spares the few low spades beside the queen, or beside ace or king
    KEEP_QUEEN = "keep_queen"  # the queen is kept until she can be discarded
    KEEP_COVER = "keep_cover"  # the last low card beside a single high one is kept
    KEEP_ENTRY = "keep_entry"  # a higher card is kept that can take a trick when one is wanted
    KEEP_EXIT = "keep_exit"  # cards are kept on which another seat has to take the trick
    DUCK = "duck"  # stays under the card that wins
    HIGHEST_UNDER = "highest_under"  # the highest card that stays under; lower ones are kept
    CANCEL = "cancel"  # the card and its equal of the other pack cancel each other
    LEAVE_KITTY = "leave_kitty"  # the kitty goes to the taker of this trick
    BURDEN_LEADER = "burden_leader"  # the leader of the match takes the points
    SAFE_TAKE = "safe_take"  # the last card to a trick that costs nothing
    SHED_HIGH = "shed_high"  # gets rid of a card that may take points later
    TAKE_HIGH = "take_high"  # the trick can hardly be avoided, so a high card may as well go
    JUST_ENOUGH = "just_enough"  # takes the trick, and higher cards are kept
    TAKE_ANY = "take_any"  # every card takes the trick
    LOWEST = "lowest"  # above the card that wins, but not for certain above the next
    TAKE_BONUS = "take_bonus"  # takes the jack, or another card that counts below zero
    DUMP_QUEEN = "dump_queen"  # the queen goes to an opponent
    DUMP_POINTS = "dump_points"  # a penalty card goes to an opponent
    DROP_COVER = "drop_cover"  # the ace or king of spades, on which the queen might fall
    VOID_SUIT = "void_suit"  # the last card of its suit: free to discard from now on
    NEARLY_VOID = "nearly_void"  # the last card but one of its suit
    STOP_MOON = "stop_moon"  # takes a point from a seat that has them all, or gives one to others
    NO_POINT = "no_point"  # a seat that has all points gets none of this hand
    KEEP_STOPPER = "keep_stopper"  # a high card is kept, against a seat that has all points
    SHOOT_MOON = "shoot_moon"  # this hand can take everything
    TRY_MOON = "try_moon"  # most cards of the hand are high, and no other seat has a point yet
    KEEP_POINTS = "keep_points"  # for a moon: penalty cards are not discarded
    KEEP_HIGH = "keep_high"  # half of the hand's cards are high, and a low one goes
    GO_ON_MOON = "go_on_moon"  # the seat has all the points so far, and takes more
    SURE_MOON = "sure_moon"  # for a moon: nobody can beat the card
    MAKE_WAY = "make_way"  # for a moon: a card that may be beaten goes first
    RUN_SUIT = "run_suit"  # for a moon: all the hand's cards of a suit will take tricks
    CLEAR_SUIT = "clear_suit"  # for a moon: draws cards that could beat others of its suit
    HARMLESS = "harmless"  # for a moon: the card has no points to lose
    SPARE_QUEEN = "spare_queen"  # for a moon: the queen is kept while higher spades are out
    DRIVE_COVER = "drive_cover"  # for a moon: drives out ace or king, so that the queen can win
    TAKE_QUEEN = "take_queen"  # for a moon: the queen is needed, and takes the trick
    DRAW_HEARTS = "draw_hearts"  # for a moon: others have to play their hearts
    COMPLETE_MOON = "complete_moon"  # the seat has all the points once this trick is taken
    PASS_DANGER = "pass_danger"  # the cards most likely to take points
    PASS_QUEEN = "pass_queen"  # the cards most likely to take points, with the queen
    PASS_VOID = "pass_void"  # a suit is emptied
    PASS_LOW = "pass_low"  # the high cards are kept
    PASS_LOWEST = "pass_lowest"  # the lowest cards of the hand
    PASS_CLEARED = "pass_cleared"  # of their suits only court cards and aces are kept
    PASS_HIGHEST = "pass_highest"  # the highest cards of the hand
    PASS_SPADES = "pass_spades"  # no high spade is kept
    PASS_NEARLY = "pass_nearly"  # only one card of a suit is kept
    PASS_TOPS = "pass_tops"  # the highest cards of their suits
    KEEP_TOP_HEART = "keep_top_heart"  # the highest heart is kept, against a moon
    KEEP_HEARTS = "keep_hearts"  # all hearts are kept
    KEEP_SUIT = "keep_suit"  # a suit is kept whole, in which low cards protect high ones
    SAFER = "safer"  # worse choices are likelier to take this trick
    SURER = "surer"  # worse choices are less likely to take this trick, which is wanted
    CHEAPER = "cheaper"  # worse choices are likely to bring more points
    HEAVIER = "heavier"  # worse choices are less dangerous to keep
    PASS_HEAVIER = "pass_heavier"  # worse choices leave more danger in the hand
    PASS_MOON = "pass_moon"  # worse choices leave fewer cards that take tricks
    ROUGHLY = "roughly"  # the sums of `casual`, where no general reason holds
    PLAYED_OUT = "played_out"  # the result of a search, where no general reason sets it apart


NEXT_TO_NOTHING: Final = 0.25
"""Points that an action may cost more than the advice and still be as good."""

CHANCE: Final = 0.015
"""Least loss in the chance of winning that makes an action worse, as a part of 1."""

STAKE: Final = 0.5
"""Least loss of stakes that is mentioned."""


class Other(msgspec.Struct, frozen=True):
    """Another possible action, and its cost."""

    action: Play | Pass
    # Points against the opponents by which it is expected to end worse than the advice; below zero
    # where it would end better in points, and only the match speaks against it
    points: float
    error: float = 0.0  # two standard errors of these points
    # Expected loss in the match: a part of the win, or stakes; None where unknown
    worth: float | None = None

    def of_match(self, wins: bool) -> float:
        """Cost in the whole match; 0 where it is too little to mention.

        Args:
            wins: whether the cost is a part of the win; else it is stakes.
        """
        worth = self.worth or 0.0
        return worth if worth >= (CHANCE if wins else STAKE) else 0.0

    def as_good(self, wins: bool) -> bool:
        """Whether it is as good as the advice, within the error."""
        little = self.points < 1 and self.points <= max(self.error, NEXT_TO_NOTHING)
        return little and not self.of_match(wins)


class Hint(msgspec.Struct, frozen=True):
    """A bot's choice, with its reasons."""

    action: Play | Pass
    reason: Reason
    # Other actions weighed, the best first; empty for a bot that weighs none
    others: tuple[Other, ...] = ()
    wins: bool = True  # whether worth is a part of the win; else it is stakes
    # The choice of `casual`, which looks one trick ahead: a tempting one where it differs
    tempting: Play | Pass | None = None
    also: Reason | None = None  # a second reason, which holds together with the first


_Grounds = Iterator[tuple[Reason, int]]
_Holding = Iterator[tuple[Reason, object]]


def reasons_of(
    view: View, action: Play | Pass, dear: Iterable[Play | Pass] = ()
) -> tuple[Reason, ...]:
    """Return the reasons for an action, by whatever means chosen: one, or two that go together.

    Args:
        dear: actions that cost more, of which the reasons must not be as true.
    """
    dear = tuple(dear)
    found = holding(view, action)
    if not dear:
        return (next(iter(found), Reason.PLAYED_OUT),)
    others = [holding(view, each) for each in dear]
    for reasons in chain(
        combinations(found, 1),
        combinations(_beside(view, action, dear), 1),
        combinations(found, 2),
    ):
        if not any(_as_true(reasons, found, other) for other in others):
            return reasons
    for reason in found:
        rivals = _rivals(view, action, dear)
        such = [each for each in rivals if _as_true([reason], found, holding(view, each))]
        for other in _beside(view, action, such) if such else ():
            if (other is Reason.SURER) <= (reason not in NOT_WANTED):
                return reason, other
    return (Reason.PLAYED_OUT,)


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
    reason = reason_of(view, action)
    return Hint(action, Reason.ROUGHLY if reason is Reason.PLAYED_OUT else reason)


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
