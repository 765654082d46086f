"""Bots: the protocol, the levels, and advice with a reason."""

from volte.bots.casual import Casual
from volte.bots.characters import CHARACTERS, COMPANY, company_of
from volte.bots.hints import Hint, Other, Reason
from volte.bots.levels import (
    LEVELS,
    MARKS,
    NAMES,
    OFFERED,
    Beginner,
    Drifter,
    Puppet,
    check_level,
    compiled,
    installed,
    is_ours,
    make_bot,
    player_named,
    unknown_to_twin,
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
from volte.bots.reasons import hint
from volte.cards.public import in_sentences

__all__ = [
    "CHARACTERS",
    "COMPANY",
    "LEVELS",
    "MARKS",
    "NAMES",
    "OFFERED",
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
    "check_level",
    "chosen_moon",
    "company_of",
    "compiled",
    "hint",
    "installed",
    "is_ours",
    "make_bot",
    "player_named",
    "think",
    "unknown_to_twin",
    "warm_up",
]

in_sentences(__name__, but=("BotOwner.tell", "Casual.choose", "SimpleBot.choose"))
