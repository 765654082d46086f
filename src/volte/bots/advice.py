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


class Hint(msgspec.Struct, frozen=True):
    """What `casual` would do, and why."""

    action: Play | Pass
    reason: Reason
