"""A position on a page: the table as one seat sees it, and answers to all its questions.

All of it comes with the page, so the script asks nothing more of the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from volte.game.codec import card_text
from volte.say import N_, Words
from volte.say.answers import tricks, who
from volte.say.keys import OF_COMPANY, Key, Keys, keys_of
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.telling import Lines
from volte.scene.faces import NO_SETTINGS
from volte.scene.match import PositionBuilder
from volte.view import View

LABELS: Final = {
    "known": N_("What you know"),
    "story": N_("The tricks so far"),
    "show": N_("Show me the best card"),
}
"""Labels of buttons that the script makes, and that no table has."""

QUESTIONS: Final = tuple(
    key for key in keys_of(Keys.ASKING) if key not in (Key.HINT, Key.VERBOSITY, *OF_COMPANY)
)
"""Keys of the questions that the page answers."""

REVIEWS: Final = (Key.REPEAT, Key.BEFORE, Key.AFTER, Key.OLDEST, Key.LATEST)
"""Keys that repeat what was said on the page."""


def shown(
    words: Words,
    view: View,
    status: Lines,
    settings: Mapping[int, Mapping[str, Any]] = NO_SETTINGS,
) -> dict[str, Any]:
    """Context of the template `position.html`: for the page as it is, and for its script.

    Args:
        status: sentences that say what is going on, and what the seat is asked.
        settings: of people, by seat, with the faces that they have chosen.
    """
    known = words.newcomer(view)
    story = tricks(words, view) if view.deal.tricks else (words.t("This is the first trick."),)
    return {
        "situation": known,
        "story": story,
        "labels": {key: words.t(text) for key, text in LABELS.items()},
        "laid": laid(view),
        "hand": [(card.text, words.card(card)) for card in words.hand_order(view)],
        "answers": _answers(words, view) | {"known": known, "story": story},
        "scene": msgspec.to_builtins(
            PositionBuilder(words, view, status, settings).scene(), enc_hook=card_text
        ),
        "sections": rule_sheet(view.state.rules, words),
        "sheet_fault": "",
        "kept": {},  # hidden fields that the form sends besides the card
    }


def laid(view: View) -> list[tuple[str, str]]:
    """The cards of the trick as texts, each with the name of its player."""
    deal, players = view.deal, view.state.players
    return [
        (card.text, players[(deal.leader + place) % len(players)].name)
        for place, card in enumerate(deal.trick)
    ]


def _answers(words: Words, view: View) -> dict[str, Lines]:
    players = len(view.state.players)
    cards = range(1, players + 1)
    first = view.seat or 0
    return {
        "table": words.table(view),
        **{f"table {number}": words.table_card(view, number) for number in cards},
        "scores": words.scores(view),
        "turn": words.turn(view),
        "situation": (*words.turn(view), *words.situation(view)),
        **{f"seat {at + 1}": words.seat(view, (first + at) % players) for at in range(players)},
        "hand": words.hand(view, places=False),
        "last": words.last_trick(view),
        "points": words.points_taken(view),
        "sheet": words.score_sheet(view, width=0),
        "who": who(words, view),
    }
