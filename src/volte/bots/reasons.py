"""Advice: an action and the reason for it, whoever has chosen it.

A reason is given only where it holds in what the seat sees: the first that does of the lists below.
So a learner can check it against the cards, also for what a search has chosen. Where nothing
general is true, the reason is that the card was played out.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from typing import Final

import msgspec

from volte.bots.casual import USUAL, Taking, burdens, chosen_action
from volte.bots.odds import (
    ABOVE,
    BELOW,
    ONE,
    SUIT_OF,
    TWIN,
    Weights,
    feared,
    highest,
    losers,
    may_shoot,
)
from volte.cards import JOKERS, QUEEN, QUEENS, SPADES, SUIT_MASKS, cards_in, in_first_pack, mask_of
from volte.game import Pass, Play
from volte.rules import MoonRule
from volte.view import View


class Reason(StrEnum):
    """Why a card is played, or cards are passed; `volte.say` has a sentence for each."""

    FORCED = "forced"  # no other card may be played
    ALIKE = "alike"  # nor would another make a difference
    LOW_LEAD = "low_lead"  # somebody else will probably take this trick
    SAFE_LEAD = "safe_lead"  # taking this trick will probably cost little
    SAFE_EXIT = "safe_exit"  # whoever has a card of the suit has a higher one
    JOKER_LEAD = "joker_lead"  # gives the lead away
    FLUSH_QUEEN = "flush_queen"  # a low card that drives a dear one out of another hand
    GUARD = "guard"  # spares the few low spades beside the queen, or beside ace or king
    DUCK = "duck"  # stays under the card that wins
    HIGHEST_UNDER = "highest_under"  # the same, and lower ones are kept
    CANCEL = "cancel"  # and its equal do not count, of two packs
    LEAVE_KITTY = "leave_kitty"  # to whoever takes this trick
    SAFE_TAKE = "safe_take"  # last to play, and nothing to pay
    SHED_HIGH = "shed_high"  # gets rid of a card that may take points later
    TAKE_HIGH = "take_high"  # the trick can hardly be avoided, so a high card may as well go
    TAKE_ANY = "take_any"  # every card takes the trick
    LOWEST = "lowest"  # above the card that wins, but not for certain above the next
    TAKE_BONUS = "take_bonus"  # the jack, or whatever counts below zero
    DUMP_QUEEN = "dump_queen"  # the queen goes to somebody else
    DUMP_POINTS = "dump_points"  # so does another penalty card
    DROP_COVER = "drop_cover"  # the ace or king of spades, on which the queen might fall
    VOID_SUIT = "void_suit"  # the last card of its suit: free to discard from now on
    STOP_MOON = "stop_moon"  # takes a point from somebody who has them all, or gives one to others
    NO_POINT = "no_point"  # somebody who has them all gets none of this hand
    KEEP_STOPPER = "keep_stopper"  # a high card stays, against somebody who has them all
    SHOOT_MOON = "shoot_moon"  # this hand can take everything
    TRY_MOON = "try_moon"  # most of its cards are high, and nobody else has a point yet
    GO_ON_MOON = "go_on_moon"  # it has all the points so far, and takes more
    PASS_DANGER = "pass_danger"  # the cards most likely to take points
    PASS_QUEEN = "pass_queen"  # the same, and the queen is among them
    PASS_VOID = "pass_void"  # a suit goes
    PASS_LOW = "pass_low"  # the high cards stay
    ROUGHLY = "roughly"  # by the sums of `casual`, and nothing general is true
    PLAYED_OUT = "played_out"  # by a search, and nothing general is true


class Other(msgspec.Struct, frozen=True):
    """Something else that could be done, and what that would cost."""

    action: Play | Pass
    # Points against the opponents by which it is expected to end worse; below zero where it would
    # end better in points, and only the match speaks against it
    points: float
    error: float = 0.0  # two standard errors of these points
    # What it is expected to lose of the match: a part of the win, or stakes; None where unknown
    worth: float | None = None


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do, and why."""

    action: Play | Pass
    reason: Reason
    # What else it has weighed, the best first; empty for a bot that weighs nothing
    others: tuple[Other, ...] = ()
    wins: bool = True  # whether worth is a part of the win; else it is stakes
    # What is easily done instead: what whoever looks one trick ahead would do
    tempting: Play | Pass | None = None


ABOVE_QUEEN: Final = ABOVE[QUEEN.bit]
"""Mask of the spades that have to take her if they are played to her trick."""

THREAT: Final = 430
"""The share, as in `odds.feared`, from which on a moon is spoken of: that of somebody who has
about two fifths of all there is."""

GUARDS: Final = 3
"""Low spades beside high ones, up to which none of them is to spare."""

LITTLE: Final = ONE
"""What a trick that costs little is likely to cost at most."""


_Reasons = Iterator[tuple[Reason, object]]


def reason_of(view: View, action: Play | Pass) -> Reason:
    """What speaks for an action, whoever has chosen it."""
    if isinstance(action, Pass):
        return _of_pass(view, action)
    return _Why(view, action.card.bit).reason()


def hint(view: View, weights: Weights = USUAL) -> Hint:
    """What `casual` does, and why. Only for a seat that has to pass or to play."""
    action = chosen_action(view, weights)
    reason = reason_of(view, action)
    return Hint(action, Reason.ROUGHLY if reason is Reason.PLAYED_OUT else reason)


def _of_pass(view: View, action: Pass) -> Reason:
    hand, given = view.hand.mask, mask_of(action.cards)
    if not given & ~mask_of(burdens(view)[: len(action.cards) + 2]):
        queen = given & QUEENS & view.deal.rules.penalty_mask
        return Reason.PASS_QUEEN if queen else Reason.PASS_DANGER
    if any(not SUIT_OF[card.bit] & hand & ~given for card in cards_in(given & ~JOKERS)):
        return Reason.PASS_VOID
    ranks = sorted(card.rank or 0 for card in view.hand)
    if max(card.rank or 0 for card in action.cards) < ranks[len(ranks) // 2]:
        return Reason.PASS_LOW
    return Reason.PLAYED_OUT


class _Why(Taking):
    """What is true of a card that is about to be played."""

    def __init__(self, view: View, bit: int) -> None:
        super().__init__(view, USUAL)
        self.bit = bit
        self.suit = SUIT_OF[bit]
        self.own = self.values.get(bit, 0)
        self.chance = self.takes(bit)
        self.lower = self.hand & BELOW[bit]

    def reason(self) -> Reason:
        for reason, holds in chain(self._always(), self._fitting()):
            if holds:
                return reason
        return Reason.PLAYED_OUT

    # The reasons, in the order in which they are given, each with what makes it one

    def _always(self) -> _Reasons:
        yield Reason.FORCED, len({in_first_pack(card) for card in cards_in(self.legal)}) == 1
        yield Reason.SHOOT_MOON, self.probable and self.shooting
        yield Reason.GO_ON_MOON, self.goes_on
        yield Reason.TRY_MOON, self.tries
        yield Reason.STOP_MOON, self.stops
        yield Reason.NO_POINT, self.withholds

    def _fitting(self) -> _Reasons:
        led = self.deal.led
        if led is None:
            return self._leading()
        if not self.bit & SUIT_MASKS[led]:
            return self._discarding()
        under = self.best and not ABOVE[self.best] & self.bit
        return self._ducking() if under else self._taking()

    def _leading(self) -> _Reasons:
        yield Reason.JOKER_LEAD, self.bit & JOKERS
        # She, but no spade as high as she is, may lie in another hand than this
        yield (
            Reason.FLUSH_QUEEN,
            self.bit & SPADES and self.hidden_queen & self.dear_above(self.bit),
        )
        yield Reason.SAFE_EXIT, self.exits
        yield Reason.GUARD, self.guards and not self.probable
        yield Reason.VOID_SUIT, self.last_of_suit and not self.probable
        yield Reason.LOW_LEAD, not self.probable
        yield Reason.SAFE_LEAD, self.cheap
        yield Reason.GUARD, self.guards

    def _ducking(self) -> _Reasons:
        under = self.legal & BELOW[self.best]
        yield Reason.CANCEL, TWIN[self.bit] == self.best
        yield Reason.DUMP_QUEEN, self.dumps and self.bit & QUEENS
        yield Reason.LEAVE_KITTY, self.kitty_with(self.bit) > 0 and self.beaten
        yield Reason.HIGHEST_UNDER, self.legal & self.lower and not under & ABOVE[self.bit]
        yield Reason.DUCK, True

    def _taking(self) -> _Reasons:
        yield Reason.TAKE_BONUS, self.probable and self.table + self.own < 0
        yield Reason.SAFE_TAKE, self.free
        yield Reason.TAKE_HIGH, self.legal & self.lower and not self.chosen
        yield Reason.LOW_LEAD, not self.probable
        yield Reason.SHED_HIGH, self.high and self.cheap
        yield Reason.TAKE_ANY, all(self.takes(card.bit) == ONE for card in cards_in(self.legal))
        yield Reason.LOWEST, not self.legal & self.lower and 0 < self.chance < ONE
        yield Reason.SAFE_LEAD, self.cheap

    def _discarding(self) -> _Reasons:
        yield Reason.DUMP_QUEEN, self.dumps and self.bit & QUEENS
        yield Reason.DUMP_POINTS, self.dumps
        yield Reason.DROP_COVER, self.bit & SPADES & ABOVE_QUEEN and self.hidden_queen
        yield Reason.KEEP_STOPPER, self.keeps_stopper
        yield Reason.VOID_SUIT, self.last_of_suit
        yield Reason.SHED_HIGH, self.high
        yield Reason.GUARD, self.guards

    # Whatever the card does

    @property
    def probable(self) -> bool:
        return self.chance * 2 >= ONE

    @property
    def chosen(self) -> bool:
        """Whether another card would probably not take it."""
        return any(self.takes(card.bit) * 2 < ONE for card in cards_in(self.legal))

    @property
    def tries(self) -> bool:
        """Whether most of the hand is likely to take tricks, and this card does, or is in the way.

        Nobody else has any points yet.
        """
        if not may_shoot(self.deal, self.seat):
            return False
        low = list(losers(self.deal, self.seat, self.odds.unseen))
        strong = len(low) * 4 <= self.hand.bit_count()
        rid = self.bit in low and not self.chance and self.own <= 0
        on_purpose = self.probable and (self.deal.led is None or self.chosen)
        return strong and (rid or (on_purpose and self.bit not in low))

    @property
    def goes_on(self) -> bool:
        """Whether the seat's side has all the points so far, and takes more on purpose."""
        if self.rules.moon.moon is MoonRule.OFF or not (self.probable and self.chosen):
            return False
        mine = feared(self.deal, next(iter(self._foes)))
        return self.seat in mine.seats and mine.share >= THREAT

    @property
    def threatened(self) -> bool:
        return self.shooter.share >= THREAT and not self.shooter.ours

    @property
    def stops(self) -> bool:
        """Whether it takes points from whoever may be shooting the moon, or gives them away."""
        if not self.threatened:
            return False
        if self.probable:
            any_trick = self.rules.moon.moon is MoonRule.OFF
            return any_trick or self.dirty or self.own > 0 or self.adds(self.bit) * 4 >= ONE
        others = self.deal.led is not None and not self.shooter_takes()
        return self.own > 0 and others

    @property
    def withholds(self) -> bool:
        """Whether whoever may be shooting takes the trick, without a point that might have gone."""
        could = self.legal & self.rules.penalty_mask
        return (
            self.threatened
            and not self.chance
            and self.own <= 0 < could
            and self.winner in self.shooter.seats
        )

    @property
    def keeps_stopper(self) -> bool:
        """Whether a card stays in hand that takes the next trick of its suit."""
        if not self.threatened or self.probable:
            return False
        unseen = self.odds.unseen
        return any(
            not unseen & (ABOVE[card.bit] | TWIN[card.bit]) and unseen & BELOW[card.bit]
            for card in cards_in(self.legal & ~self.bit)
        )

    @property
    def _foes(self) -> list[int]:
        side = self.rules.side(self.seat)
        return [seat for seat in range(self.rules.players) if seat not in side]

    # What lies hidden

    @property
    def hidden_queen(self) -> int:
        """Mask of the queens of spades that count and that an opponent may hold."""
        queens = QUEENS & self.rules.penalty_mask & self.odds.unseen
        could = 0
        for seat in self._foes:
            could |= self.odds.could(seat)
        return queens & could

    @property
    def last_of_suit(self) -> bool:
        """Whether its holder may discard on others of that suit from now on."""
        return self.hand & self.suit == self.bit and bool(self.odds.unseen & self.suit)

    @property
    def high(self) -> bool:
        """Whether it beats most of what is hidden of its suit, and no less than the hand has there.

        Only as long as there are points to come.
        """
        if not self.suit:
            return False
        unseen = self.odds.unseen
        below, above = unseen & BELOW[self.bit], unseen & ABOVE[self.bit]
        left = (unseen | self.hand & ~self.bit) & self.rules.penalty_mask
        top = highest(self.legal & self.suit)
        return bool(left) and not above & BELOW[top] and below.bit_count() > above.bit_count()

    @property
    def guards(self) -> bool:
        """Whether it spares the few low spades beside high ones that the queen makes dear."""
        dear = self.hand & QUEENS & self.rules.penalty_mask
        if self.hidden_queen:
            dear |= self.hand & ABOVE_QUEEN
        few = 0 < (self.legal & BELOW[QUEEN.bit]).bit_count() <= GUARDS
        return bool(dear) and few and not self.bit & SPADES

    # Leads

    @property
    def exits(self) -> bool:
        """Whether somebody else has cards of its suit, and none but higher ones."""
        unseen = self.odds.unseen & self.suit
        return (
            self.rules.deck.packs == 1
            and not self.deal.trick
            and not unseen & BELOW[self.bit]
            and unseen.bit_count() > (0 if self.deal.kitty else self.rules.kitty_size)
        )

    @property
    def cheap(self) -> bool:
        """Whether taking the trick with it will probably cost little."""
        cost = (self.table + self.own) * ONE + self.adds(self.bit) + self.kitty_with(self.bit)
        return cost <= LITTLE and not self._first

    # Above the card that wins, or below

    @property
    def free(self) -> bool:
        """Whether the trick is its own, and costs nothing."""
        dirty = self.dirty or self.own > 0
        return not (self.later or dirty or self.kitty_with(self.bit) or self._first)

    @property
    def _first(self) -> bool:
        """Whether the trick would cost what a hand without any is worth (W6)."""
        return bool(self.rules.points.no_tricks) and not self.deal.won[self.seat]

    @property
    def dumps(self) -> bool:
        """Whether its points go to an opponent."""
        mates = self.mates_take(self.bit, self.chance)
        return self.own > 0 and self.beaten and mates * 2 < ONE

    @property
    def beaten(self) -> bool:
        """Whether the trick goes elsewhere, whatever comes: an equal card may cancel (W11)."""
        followed = self.deal.led is not None and self.bit & SUIT_MASKS[self.deal.led]
        rival = self.later and followed and self.odds.unseen & TWIN[self.best]
        return not self.chance and not rival
