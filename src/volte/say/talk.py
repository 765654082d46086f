"""Talk at tables: the prepared phrases, and why somebody is reported."""

from __future__ import annotations

from typing import Final

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


def phrase_line(language: Language, phrase: str) -> str:
    """A prepared phrase; “…” for one that no longer exists."""
    return language.t(PHRASES[phrase]) if phrase in PHRASES else "…"
