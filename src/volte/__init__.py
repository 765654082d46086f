"""Volte: Hearts, les Cœurs and la Dame de Pique, whole.

Programs begin here: `Match` is a match, `play` has bots play one, `read` reads one from its record,
`ruleset` makes the rules of a table, and `hint` gives advice. docs/your-bot.md and
docs/your-rules.md show them at work. Nothing is loaded before it is used.
"""

from __future__ import annotations

# ruff: noqa: F403, F405 - a test compares the names with those of the front

TYPE_CHECKING = False
if TYPE_CHECKING:
    from volte.front import *
    from volte.front import VolteError

__version__ = "0.1.0"

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


def sentence(error: VolteError, lang: str) -> str:
    """The sentence of an error in a language; `cards`, the lowest room, gets it from here."""
    from volte.say import Words

    return Words(lang).fault(error)


if not TYPE_CHECKING:  # with `__getattr__`, a type checker would accept any name

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from volte import front

        globals().update({each: getattr(front, each) for each in __all__})
        return globals()[name]

    def __dir__():
        return sorted({*globals(), *__all__})
