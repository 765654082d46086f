"""Bots: the protocol, the levels, and advice with a reason."""

from volte.bots.advice import Hint, Other, Reason
from volte.bots.beginner import Beginner, Drifter
from volte.bots.burden import Weights
from volte.bots.casual import Casual, hint
from volte.bots.choosing import chosen_moon
from volte.bots.levels import LEVELS, MARKS, compiled, make_bot, warm_up
from volte.bots.names import NAMES
from volte.bots.owner import BotOwner
from volte.bots.protocol import Bot, Clock, Estimate, StoppableClock, Thinker, Thought, think
from volte.bots.puppet import Puppet

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
