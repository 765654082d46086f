"""Advice: an action and the reason for it, whoever has chosen it.

A reason is given only where it holds in what the seat sees, and where it sets the action apart: it
is not as true of anything that is known to cost more. So a learner can check it against the cards,
also for what a search has chosen. It is the first that does of the lists below, or the first two
that do together. Where nothing general does, the reason is that the card was played out.
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
    """Why a card is played, or cards are passed; `volte.say` has a sentence for each."""

    FORCED = "forced"  # no other card may be played
    ALIKE = "alike"  # nor would another make a difference
    LOW_LEAD = "low_lead"  # somebody else will probably take this trick
    SAFEST = "safest"  # the same, and with no other card is it as likely
    GIVE_POINTS = "give_points"  # and its points with it
    SAFE_LEAD = "safe_lead"  # taking this trick will probably cost little
    FOLLOWED = "followed"  # since so many cards of the suit are out that everybody has one
    SAFE_EXIT = "safe_exit"  # whoever has a card of the suit has a higher one
    TRAP = "trap"  # the same of the queen: whoever has a spade has to take her
    JOKER_LEAD = "joker_lead"  # gives the lead away
    FLUSH_QUEEN = "flush_queen"  # a low card that drives a dear one out of another hand
    CATCH_QUEEN = "catch_queen"  # the same, and nothing else of the suit is left
    GUARD = "guard"  # spares the few low spades beside the queen, or beside ace or king
    KEEP_QUEEN = "keep_queen"  # she stays until she can be thrown off
    KEEP_COVER = "keep_cover"  # the last low card beside a single high one stays
    KEEP_ENTRY = "keep_entry"  # a higher card stays that takes a trick whenever it is wanted
    KEEP_EXIT = "keep_exit"  # all cards stay on which somebody else takes the trick
    DUCK = "duck"  # stays under the card that wins
    HIGHEST_UNDER = "highest_under"  # the same, and lower ones are kept
    CANCEL = "cancel"  # and its equal do not count, of two packs
    LEAVE_KITTY = "leave_kitty"  # to whoever takes this trick
    BURDEN_LEADER = "burden_leader"  # whoever leads in the match takes the points
    SAFE_TAKE = "safe_take"  # last to play, and nothing to pay
    SHED_HIGH = "shed_high"  # gets rid of a card that may take points later
    TAKE_HIGH = "take_high"  # the trick can hardly be avoided, so a high card may as well go
    JUST_ENOUGH = "just_enough"  # takes the trick, and higher ones are kept
    TAKE_ANY = "take_any"  # every card takes the trick
    LOWEST = "lowest"  # above the card that wins, but not for certain above the next
    TAKE_BONUS = "take_bonus"  # the jack, or whatever counts below zero
    DUMP_QUEEN = "dump_queen"  # the queen goes to somebody else
    DUMP_POINTS = "dump_points"  # so does another penalty card
    DROP_COVER = "drop_cover"  # the ace or king of spades, on which the queen might fall
    VOID_SUIT = "void_suit"  # the last card of its suit: free to discard from now on
    NEARLY_VOID = "nearly_void"  # the last but one
    STOP_MOON = "stop_moon"  # takes a point from somebody who has them all, or gives one to others
    NO_POINT = "no_point"  # somebody who has them all gets none of this hand
    KEEP_STOPPER = "keep_stopper"  # a high card stays, against somebody who has them all
    SHOOT_MOON = "shoot_moon"  # this hand can take everything
    TRY_MOON = "try_moon"  # most of its cards are high, and nobody else has a point yet
    KEEP_POINTS = "keep_points"  # for a moon: none are thrown away
    KEEP_HIGH = "keep_high"  # half of its cards are, and one that is not goes
    GO_ON_MOON = "go_on_moon"  # it has all the points so far, and takes more
    SURE_MOON = "sure_moon"  # the same, and nobody can beat the card
    MAKE_WAY = "make_way"  # for a moon: a card that may be beaten goes first
    RUN_SUIT = "run_suit"  # the same: all the cards of a suit will take tricks
    CLEAR_SUIT = "clear_suit"  # the same: what could beat others of its suit
    HARMLESS = "harmless"  # the same: it has no points to lose
    SPARE_QUEEN = "spare_queen"  # the same: she stays while higher spades are out
    DRIVE_COVER = "drive_cover"  # the same: the ace or the king, that the queen may take hers
    TAKE_QUEEN = "take_queen"  # the same: she is needed, and takes the trick
    DRAW_HEARTS = "draw_hearts"  # the same: others have to play theirs
    COMPLETE_MOON = "complete_moon"  # it has all the points once this trick is taken
    PASS_DANGER = "pass_danger"  # the cards most likely to take points
    PASS_QUEEN = "pass_queen"  # the same, and the queen is among them
    PASS_VOID = "pass_void"  # a suit goes
    PASS_LOW = "pass_low"  # the high cards stay
    PASS_LOWEST = "pass_lowest"  # the lowest cards of the hand
    PASS_CLEARED = "pass_cleared"  # of their suits only court cards and aces stay
    PASS_HIGHEST = "pass_highest"  # its highest
    PASS_SPADES = "pass_spades"  # no high spade stays
    PASS_NEARLY = "pass_nearly"  # one card of a suit stays
    PASS_TOPS = "pass_tops"  # the highest of each suit that any is given of
    KEEP_TOP_HEART = "keep_top_heart"  # the highest heart stays, against a moon
    KEEP_HEARTS = "keep_hearts"  # all hearts stay
    KEEP_SUIT = "keep_suit"  # a suit stays as it is, in which low cards protect high ones
    SAFER = "safer"  # what costs more is likelier to take this trick
    SURER = "surer"  # or less likely, where it is wanted
    CHEAPER = "cheaper"  # or likely to bring more points
    HEAVIER = "heavier"  # or less dangerous to keep
    PASS_HEAVIER = "pass_heavier"  # leaves more danger in the hand
    PASS_MOON = "pass_moon"  # or fewer cards that take tricks
    ROUGHLY = "roughly"  # by the sums of `casual`, and nothing general is true
    PLAYED_OUT = "played_out"  # by a search, and nothing general sets it apart


NEXT_TO_NOTHING: Final = 0.25
"""Points, and stakes, too few to mention."""

CHANCE: Final = 0.015
"""The smallest chance of winning that makes something worse, as a part of 1."""

STAKE: Final = 0.5
"""The smallest stake that is mentioned."""


class Other(msgspec.Struct, frozen=True):
    """Something else that could be done, and what that would cost."""

    action: Play | Pass
    # Points against the opponents by which it is expected to end worse; below zero where it would
    # end better in points, and only the match speaks against it
    points: float
    error: float = 0.0  # two standard errors of these points
    # What it is expected to lose of the match: a part of the win, or stakes; None where unknown
    worth: float | None = None

    def of_match(self, wins: bool) -> float:
        """What it costs in the whole match; 0 where that is too little to mention.

        Args:
            wins: whether that is a part of the win; else it is stakes.
        """
        worth = self.worth or 0.0
        return worth if worth >= (CHANCE if wins else STAKE) else 0.0

    def as_good(self, wins: bool) -> bool:
        """Whether it cannot be told apart from the advice."""
        little = self.points < 1 and self.points <= max(self.error, NEXT_TO_NOTHING)
        return little and not self.of_match(wins)


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do, and why."""

    action: Play | Pass
    reason: Reason
    # What else it has weighed, the best first; empty for a bot that weighs nothing
    others: tuple[Other, ...] = ()
    wins: bool = True  # whether worth is a part of the win; else it is stakes
    # What is easily done instead: what whoever looks one trick ahead would do
    tempting: Play | Pass | None = None
    also: Reason | None = None  # what speaks for the action together with the reason


_Grounds = Iterator[tuple[Reason, int]]
_Holding = Iterator[tuple[Reason, object]]


def reasons_of(
    view: View, action: Play | Pass, dear: Iterable[Play | Pass] = ()
) -> tuple[Reason, ...]:
    """What speaks for an action, whoever has chosen it: one reason, or two that go together.

    Args:
        dear: what costs more, of which the reasons must not be as true.
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
    """Whether all those reasons are as true of another action, of which that was found."""
    return not any(found.get(reason, 1) & ~other.get(reason, 0) for reason in reasons)


NOT_WANTED: Final = frozenset({Reason.LOW_LEAD, Reason.SAFEST, Reason.GIVE_POINTS})
"""Reasons of somebody who does not want the trick."""


def reason_of(view: View, action: Play | Pass, dear: Iterable[Play | Pass] = ()) -> Reason:
    """The first of `reasons_of`."""
    return reasons_of(view, action, dear)[0]


def hint(view: View, weights: Weights = USUAL) -> Hint:
    """What `casual` does, and why. Only for a seat that has to pass or to play."""
    action = chosen_action(asked(view), weights)
    reason = reason_of(view, action)
    return Hint(action, Reason.ROUGHLY if reason is Reason.PLAYED_OUT else reason)


def holding(view: View, action: Play | Pass) -> dict[Reason, int]:
    """All that is true of an action, in the order in which it is told.

    Each with a mask of the suits or cards that it is true of, where it speaks of some of those that
    are passed or stay; else with 1.
    """
    if isinstance(action, Pass):
        grounds = _of_pass(view, action)
    else:
        card = Grounds(view, action.card.bit)
        grounds = ((reason, int(bool(holds))) for reason, holds in _of_play(card))
    return {reason: what for reason, what in grounds if what}


def _rivals(view: View, action: Play | Pass, dear: Sequence[Play | Pass]) -> Sequence[Play | Pass]:
    """What else could be done: of passes, only what is dear."""
    if isinstance(action, Pass):
        return dear
    card = Grounds(view, action.card.bit)
    return [Play(action.seat, each) for each in cards_in(card.legal) if not card.like(each.bit)]


def _beside(view: View, action: Play | Pass, others: Sequence[Play | Pass]) -> list[Reason]:
    """What an action has before all those others."""
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
    """How much lighter a hand is without those cards."""
    relief = 0
    for card in given.cards:
        relief += scales.relief(hand, card.bit)
        hand &= ~card.bit
    return relief


def _low_after(view: View, given: Pass) -> int:
    """How many cards are then not likely to take their tricks."""
    hands = list(view.deal.hands)
    hands[given.seat] &= ~mask_of(given.cards)
    deal = replace(view.deal, hands=tuple(hands))
    return sum(1 for _ in losers(deal, given.seat, view.unseen))


# The reasons, in the order in which they are given, each with what makes it one


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
    # She, but no spade as high as she is, may lie in another hand than this
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
