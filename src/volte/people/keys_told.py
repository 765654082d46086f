"""The keys of one letter as pages list them, with what each does, as the person has set them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.people.settings_page import settings_of
from volte.people.settings_words import LABELS
from volte.say import N_, Words
from volte.store import Person
from volte.web.preferences import USUAL

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
NAMED: Final = {
    "arrows": (N_("Left, right"), N_("the card before, the card after")),
    "suits": (N_("Up, down"), N_("the next suit, the suit before")),
    "ends": (N_("Home, End"), N_("the first card, the last card")),
    "enter": (
        N_("Enter, space"),
        N_("plays the card; before the pass, chooses it or puts it back"),
    ),
    "escape": (N_("Escape"), N_("back to your hand, from anywhere on the page")),
    "type": (N_("Full stop"), N_("a line on which you type a card; several for the pass")),
    "digits": (N_("1 to 9, and 0"), N_("one of the cards on the table")),
    "seats": (
        N_("Shift and a digit"),
        N_(
            "one of the seats, clockwise from yours: cards left, points, total, and suits known to"
            " be missing"
        ),
    ),
}
"""Keys that cannot be chosen: their names, and what they do."""

QUESTIONS: Final = (
    *("table", "scores", "turn", "situation", "hand", "last", "points", "sheet", "rules", "hint"),
    *("talk", "verbosity", "keys"),
)
REVIEWS: Final = ("repeat", "before", "after", "kind")
RULINGS: Final = ("turn_down", "put_right", "object", "claim_revoke", "cut", "accept")

Keys = list[tuple[str, list[tuple[str, str]]]]


def keys_told(
    words: Words,
    person: Person | None,
    questions: Sequence[str] = QUESTIONS,
    rulings: Sequence[str] = RULINGS,
    reviews: Sequence[str] = REVIEWS,
    moves: Sequence[str] = (*MOVES, "type"),
) -> Keys:
    """The keys under their headings: what is pressed, and what that does."""
    chosen = USUAL if person is None else settings_of(person)

    def letter(name: str) -> tuple[str, str]:
        return str(chosen[f"key_{name}"]).upper(), words.t(LABELS[f"key_{name}"])

    def named(name: str) -> tuple[str, str]:
        key, meaning = NAMED[name]
        return words.t(key), words.t(meaning)

    headed = [
        (words.t("Your cards"), [*map(named, moves)]),
        (words.t("Questions"), [named("digits"), named("seats"), *map(letter, questions)]),
        (words.t("What was said"), [*map(letter, reviews)]),
        (words.t("At a table with a referee"), [*map(letter, rulings)]),
    ]
    return [(heading, keys) for heading, keys in headed if keys]
