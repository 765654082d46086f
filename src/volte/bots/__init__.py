"""Bots: the protocol, the levels, and advice with a reason."""

from volte.bots.casual import Casual
from volte.bots.levels import (
    LEVELS,
    MARKS,
    NAMES,
    Beginner,
    Drifter,
    Puppet,
    compiled,
    make_bot,
    warm_up,
)
from volte.bots.odds import Weights
from volte.bots.protocol import (
    Bot,
    BotOwner,
    Clock,
    Estimate,
    StoppableClock,
    Thinker,
    Thought,
    chosen_moon,
    think,
)
from volte.bots.reasons import Hint, Other, Reason, hint

__all__ = [
    "LEVELS",
    "MARKS",
    "NAMES",
    "Beginner",
    "Bot",
    "BotOwner",
    "Casual",
    "Clock",
    "Drifter",
    "Estimate",
    "Hint",
    "Other",
    "Puppet",
    "Reason",
    "StoppableClock",
    "Thinker",
    "Thought",
    "Weights",
    "chosen_moon",
    "compiled",
    "hint",
    "make_bot",
    "think",
    "warm_up",
]
