"""Hints: an action, the reasons for it, and the cost of others."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import hypot
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from volte.bots.protocol import Estimate
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
    MOON_CHANCE = "moon_chance"  # by a search: worse choices take everything less often
    MOON_OPEN = "moon_open"  # by a search, the hand often takes everything
    QUEEN_WANTED = "queen_wanted"  # the queen is held back: a moon needs her
    QUEEN_MATE = "queen_mate"  # she is held back: a partner may take the trick
    QUEEN_FEARED = "queen_feared"  # she is held back: a seat with all points may take the trick
    QUEEN_BEHIND = "queen_behind"  # she is held back for an opponent with fewer points than theirs
    QUEEN_FREE = "queen_free"  # she can wait: no other hand has a spade
    QUEEN_GUARDED = "queen_guarded"  # low spades protect her: as many as another hand can lead
    QUEEN_LATER = "queen_later"  # she can wait: other cards are out on which she may be discarded
    ROUGHLY = "roughly"  # the sums of `casual`, where no general reason holds
    PLAYED_OUT = "played_out"  # the result of a search, where no general reason sets it apart


NEXT_TO_NOTHING: Final = 0.25
"""Points that an action may cost more than the advice and still be as good."""

CHANCE: Final = 0.015
"""Least loss in the chance of winning that makes an action worse, as a part of 1."""

STAKE: Final = 0.5
"""Least loss of stakes that is mentioned."""


OFTEN: Final = 0.25
"""Least part of a search's worlds with a moon of its own in which a hand counts as going for it."""

SELDOM: Final = 0.1
"""Part of these worlds below which nothing is said of a moon of one's own."""

RARER: Final = 0.05
"""Part of these worlds by which a choice has fewer moons, to count as worse for them."""

OF_MOON: Final = frozenset(
    {
        *(Reason.SHOOT_MOON, Reason.GO_ON_MOON, Reason.TRY_MOON, Reason.COMPLETE_MOON),
        *(Reason.KEEP_POINTS, Reason.KEEP_HIGH, Reason.SURE_MOON, Reason.MAKE_WAY),
        *(Reason.RUN_SUIT, Reason.HARMLESS, Reason.TAKE_QUEEN, Reason.DRAW_HEARTS),
        *(Reason.PASS_LOW, Reason.PASS_LOWEST, Reason.PASS_CLEARED, Reason.PASS_MOON),
        *(Reason.MOON_CHANCE, Reason.MOON_OPEN),
    }
)
"""Reasons that speak of a moon of one's own."""

FOR_MOON: Final = OF_MOON | {
    *(Reason.FORCED, Reason.JUST_ENOUGH, Reason.TAKE_ANY, Reason.TAKE_BONUS, Reason.KEEP_ENTRY),
    *(Reason.CLEAR_SUIT, Reason.SPARE_QUEEN, Reason.DRIVE_COVER, Reason.SURER),
}
"""Reasons of a hand that wants all tricks; any other would sound as if it did not."""


class Other(msgspec.Struct, frozen=True):
    """Another possible action, and its cost."""

    action: Play | Pass
    # Points against the opponents by which it is expected to end worse than the advice; below zero
    # where it would end better in points, and only the match speaks against it
    points: float
    error: float = 0.0  # two standard errors of these points
    # Expected loss in the match: a part of the win, or stakes; None where unknown
    worth: float | None = None

    @classmethod
    def beside(cls, other: Estimate, best: Estimate) -> Self:
        """Make the comparison of an action with the best one, from the estimates of both."""
        assert isinstance(other.action, Play | Pass)
        error = 2 * hypot(other.error or 0.0, best.error or 0.0)
        worth = None
        if other.worth is not None and best.worth is not None:
            worth = best.worth - other.worth
        return cls(other.action, other.margin - best.margin, error, worth)

    def of_match(self, wins: bool) -> float:
        """Cost in the whole match; 0 where it is too little to mention.

        Args:
            wins: whether the cost is a part of the win; else it is stakes.
        """
        worth = self.worth or 0.0
        return worth if worth >= (CHANCE if wins else STAKE) else 0.0

    def as_good(self, wins: bool) -> bool:
        """Whether it is as good as the advice, within the error."""
        return self.points < 1 and not self.costs and not self.of_match(wins)

    @property
    def costs(self) -> bool:
        """Whether it costs points, beyond the error."""
        return self.points > max(self.error, NEXT_TO_NOTHING)


def said_of(others: Sequence[Other], view: View) -> tuple[Other, ...]:
    """Return other actions as they are spoken of: in the first deal without the match."""
    if view.state.deals:
        return tuple(others)
    return tuple(replace(each, worth=None) for each in others)


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
    queen: Reason | None = (
        None  # the reason for keeping the queen of spades, at a void or in a pass
    )
