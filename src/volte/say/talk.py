"""Talk at tables: the prepared phrases, why something is not said, and what moderators decide."""

from __future__ import annotations

from typing import Final

from volte.say.faults.served import SERVING
from volte.say.language import N_, Language

PHRASES: Final = {
    "hello": N_("Hello, everybody!"),
    "good_luck": N_("Good luck!"),
    "well_played": N_("Well played!"),
    "thank_you": N_("Thank you!"),
    "welcome": N_("You are welcome."),
    "sorry": N_("Sorry!"),
    "one_moment": N_("One moment, please."),
    "back": N_("I am back."),
    "your_turn": N_("It is your turn."),
    "slower": N_("A little slower, please."),
    "fine_moon": N_("What a fine moon!"),
    "oh_queen": N_("Oh no, the queen of spades!"),
    "close": N_("That was close!"),
    "good_game": N_("Good game!"),
    "another": N_("Shall we play another match?"),
    "must_go": N_("I have to go. Goodbye!"),
    "yes": N_("Yes."),
    "no": N_("No."),
}
"""What can be said without writing, in the order in which it is offered: each reads it in their own
language.
"""

REASONS: Final = {
    "insult": N_("Insults, or hate against somebody"),
    "harassment": N_("Harassment, or a threat"),
    "spam": N_("The same again and again, or advertising"),
    "name": N_("A name that hurts"),
    "cheating": N_("Telling cards, or playing together in secret"),
    "other": N_("Something else"),
}
"""Why somebody is reported."""


TOLD: Final = {
    "warning": N_("A moderator warns you: {why}"),
    "silence": SERVING["silenced"],
    "silence_for_good": SERVING["silenced_for_good"],
    "exclusion": SERVING["excluded"],
    "exclusion_for_good": SERVING["excluded_for_good"],
    "warning_lifted": N_("A moderator has taken back the warning of {since}."),
    "silence_lifted": N_("You may talk again: a moderator has lifted the measure of {since}."),
    "exclusion_lifted": N_(
        "Public tables are open to you again: a moderator has lifted the measure of {since}."
    ),
    "report": N_("Thank you for your report of {since}: a moderator has looked at it and decided."),
}
"""What somebody is told of measures about them, and of what came of their reports."""


def phrase_line(language: Language, phrase: str) -> str:
    """A prepared phrase; one that is known no more has no words."""
    return language.t(PHRASES[phrase]) if phrase in PHRASES else "…"


def told_line(language: Language, name: str, /, **params: object) -> str:
    """What somebody is told of a measure; see `TOLD`."""
    return language.t(TOLD[name], **params)
