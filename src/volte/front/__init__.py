"""The front: a match, its rules, bots and advice in a few lines each. `import volte` has it all.

Nothing is judged here. A `Match` is a `Driver` whose seats nobody owns; the four functions of the
engine say what is legal, decide, fold and redact.
"""

from volte.bots import Bot, Clock
from volte.cards import Card, CardSet
from volte.front.advice import Advice, hint
from volte.front.error import IllegalMove, VolteError
from volte.front.match import Match, presets, read, ruleset
from volte.front.playing import play
from volte.game import ChooseMoon, Claim, Pass, Play, Player
from volte.rules import Ruleset
from volte.view import View

__all__ = [
    "Advice",
    "Bot",
    "Card",
    "CardSet",
    "ChooseMoon",
    "Claim",
    "Clock",
    "IllegalMove",
    "Match",
    "Pass",
    "Play",
    "Player",
    "Ruleset",
    "View",
    "VolteError",
    "hint",
    "play",
    "presets",
    "read",
    "ruleset",
]
