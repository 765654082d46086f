"""Advice: an action, and the reason for it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from volte.game import Pass, Play


class Reason(StrEnum):
    """Why a card is played, or cards are passed; `volte.words` has a sentence for each."""

    FORCED = "forced"  # no other card may be played
    LOW_LEAD = "low_lead"  # somebody else will probably take this trick
    SAFE_LEAD = "safe_lead"  # taking this trick will probably cost little
    JOKER_LEAD = "joker_lead"  # gives the lead away
    FLUSH_QUEEN = "flush_queen"  # a low card that drives a dear one out of another hand
    DUCK = "duck"  # stays under the card that wins
    SAFE_TAKE = "safe_take"  # last to play, and nothing to pay: a good time for a high card
    SHED_HIGH = "shed_high"  # gets rid of a card that would take points later
    TAKE_HIGH = "take_high"  # the trick cannot be avoided, so a high card may as well go
    TAKE_BONUS = "take_bonus"  # the jack, or whatever counts below zero
    DUMP_QUEEN = "dump_queen"  # the queen goes to somebody else
    DUMP_POINTS = "dump_points"  # so does another penalty card
    VOID_SUIT = "void_suit"  # the last card of its suit: free to discard from now on
    STOP_MOON = "stop_moon"  # another card would be better if nobody were shooting the moon
    SHOOT_MOON = "shoot_moon"  # this hand can take everything
    PASS_DANGER = "pass_danger"  # the cards most likely to take points
    PASS_QUEEN = "pass_queen"  # the same, and the queen is among them


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
    """

    action: Play | Pass
    reason: Reason
    others: tuple[Other, ...] = ()
