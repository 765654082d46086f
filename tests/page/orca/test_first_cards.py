"""The presses and words between a newcomer and their first cards, with Orca's usual settings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from kit.orca.desk import Desk, wait
from kit.orca.ear import LOADING, Ear
from kit.orca.playroom import Seat
from page.orca.test_heard import heard_playroom

from volte.table.turns import TurnKind

pytestmark = pytest.mark.full

PRESSES: Final = 8
WORDS: Final = 60
"""The most words from “Play now” until the first cards are passed."""
USUAL: Final = 18.0
"""Letters a second of a voice that speaks 200 words a minute."""


def test_the_first_pass_is_near(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest, lang: str
) -> None:
    presses, words = first_pass(tmp_path_factory.mktemp("playroom"), lang)
    request.node.user_properties += [("presses", presses), ("words", words)]
    assert presses <= PRESSES
    assert words <= WORDS


def first_pass(folder: Path, lang: str) -> tuple[int, int]:
    """Presses and words from “Play now” to the pass: three cards side by side, and the button."""
    with heard_playroom(folder) as playroom, Desk(lang, reads=True) as desk:
        ear, seat = Ear(desk), Seat(playroom, lang)
        ear.chapter("coming")
        ear.open(playroom.address, "the first page")
        ear.seek("Tab", "play now")
        ear.seek("Tab", "name")
        ear.type("Zoe")
        before = len(desk.voice.said)
        desk.voice.letters = USUAL
        ear.until("Return", "at the table", lambda: seat.what is TurnKind.PASS, "to pass")
        ear.chapter("passing")
        ear.press("space", "Right", "space", "Right", "space")
        ear.seek("Tab", "pass")
        heard = [each.text for each in desk.voice.said[before:]]
        desk.press("Return")
        wait("the pass", lambda: seat.what is not TurnKind.PASS)
        spoken = [text for text in heard if not re.fullmatch(LOADING[lang], text)]
        words = [word for text in spoken for word in text.split() if any(map(str.isalnum, word))]
        print("presses and words:", len(ear.chapters[-1].steps) + 1, len(words))
        return len(ear.chapters[-1].steps) + 1, len(words)
