"""Advice: an action, and the reason for it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from volte.game import Pass, Play


class Reason(StrEnum):
    """Why a card is played, or cards are passed; `volte.say` has a sentence for each."""

    FORCED = "forced"  # no other card may be played
    ALIKE = "alike"  # nor would another make a difference
    LOW_LEAD = "low_lead"  # somebody else will probably take this trick
    SAFE_LEAD = "safe_lead"  # taking this trick will probably cost little
    SAFE_EXIT = "safe_exit"  # whoever has a card of the suit has a higher one
    JOKER_LEAD = "joker_lead"  # gives the lead away
    FLUSH_QUEEN = "flush_queen"  # a low card that drives a dear one out of another hand
    GUARD = (
        "guard"  # spares the low spades beside the queen, or beside ace or king while she is out
    )
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
    """Something else that could be done, and what that would cost.

    Attributes:
        points: by which it is expected to end worse, against the opponents; below zero where it
            would end better in points, and only the match speaks against it.
        error: two standard errors of these points.
        worth: of the match that it is expected to lose: a part of the win, or stakes; None where
            nothing was asked about the match.
    """

    action: Play | Pass
    points: float
    error: float = 0.0
    worth: float | None = None


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do, and why.

    Attributes:
        others: what else it has weighed, the best first; empty for a bot that weighs nothing.
        wins: whether worth is a part of the win; else it is stakes.
        tempting: what is easily done instead: what whoever looks one trick ahead would do.
    """

    action: Play | Pass
    reason: Reason
    others: tuple[Other, ...] = ()
    wins: bool = True
    tempting: Play | Pass | None = None
