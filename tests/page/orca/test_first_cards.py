"""How much lies between a newcomer and their first cards, with Orca as it usually is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from page.orca.desk import Desk, missing
from page.orca.ear import Ear, twice
from page.orca.seat import Seat
from page.orca.test_heard import HAND, NAME, PASS, PLAY_NOW, TO_PASS, playroom

from volte.table.asking import What

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(missing() != "", reason=f"missing for Orca: {missing()}"),
]

PRESSES: Final = 8
WORDS: Final = 60
"""From “Play now” to the first pass, at most."""


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_first_pass_is_near(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest, lang: str
) -> None:
    twice(lambda: first_pass(tmp_path_factory.mktemp("house"), request, lang))


def first_pass(folder: Path, request: pytest.FixtureRequest, lang: str) -> None:
    with playroom(folder) as house, Desk(lang, reads=True) as desk:
        ear, seat = Ear(desk), Seat(house, lang)
        ear.chapter("first cards")
        ear.open(house.address, "the first page")
        ear.seek("Tab", PLAY_NOW[lang])
        ear.seek("Tab", NAME[lang])
        ear.type("Zoe")
        before = len(desk.voice.said)
        ear.until("Return", "at the table", lambda: seat.what is What.PASS, TO_PASS[lang])
        if not any(HAND[lang] in each.text for each in desk.voice.said[before:][-6:]):
            ear.seek("Tab", HAND[lang])
        ear.press("space", "Right", "space", "Right", "space")
        ear.seek("Tab", PASS[lang])
        ear.until("Return", "passed", lambda: seat.what is not What.PASS, "")
        words = sum(len(each.text.split()) for each in desk.voice.said[before:])
        print("WORDS", words, "STEPS", [step for step, _ in ear.chapters[-1].steps])
        for each in desk.voice.said[before:]:
            print("  |", each.text, "" if not each.cut else f"[cut {each.heard}]")
