"""The keys of one letter as pages list them, with what each does, as the person has set them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from volte.people.settings_page import settings_of
from volte.say import Words
from volte.say.pages import page_sentence
from volte.store import Person
from volte.web.preferences import USUAL

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
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
    say = partial(page_sentence, words)

    def letter(name: str) -> tuple[str, str]:
        return str(chosen[f"key_{name}"]).upper(), say(f"set_key_{name}")

    digits, seats = ((say(f"name_{each}"), say(f"key_{each}")) for each in ("digits", "seats"))
    headed = [
        (say("keys_moving"), [(say(f"name_{each}"), say(f"key_{each}")) for each in moves]),
        (say("keys_asking"), [digits, seats, *map(letter, questions)]),
        (say("keys_again"), [*map(letter, reviews)]),
        (say("keys_at_referee"), [*map(letter, rulings)]),
    ]
    return [(heading, keys) for heading, keys in headed if keys]
