"""A key silences a reader in the middle of a message: what it cut is spoken again, if wanted.

The page knows how fast this reader speaks.
"""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Final

import pytest
from kit.orca.desk import Desk, wait
from kit.orca.ear import Ear, sentences
from kit.orca.playroom import Guest, Seat
from kit.orca.voice import Utterance
from page.orca.test_first_cards import USUAL
from page.orca.test_heard import heard_playroom

pytestmark = pytest.mark.full

Told = list[str]
"""Sentences."""

BEGUN: Final = 0.3
"""Seconds of a sentence that have been heard when the key comes."""
RESTED: Final = 2.5
"""Seconds of silence after which nothing is said again any more."""


@pytest.mark.parametrize("again", [True, False])
def test_what_a_key_cuts_is_heard_whole_and_once(
    tmp_path_factory: pytest.TempPathFactory, lang: str, again: bool
) -> None:
    with Desk(lang) as desk:
        for late in (False, True):
            told, before, after = cut(tmp_path_factory.mktemp("playroom"), desk, again, late)
            lost = [each for each in told if each not in before + after]
            assert bool(lost) is not again, (told, before, after)
            assert max(map(after.count, told)) <= again, (told, before, after)


def cut(folder: Path, desk: Desk, again: bool, late: bool) -> tuple[Told, Told, Told]:
    """Presses an arrow key in the first sentence of a message, or in the last but one.

    Returns the sentences of that message, but for the card at its end, which has the focus, and
    those spoken whole before the key, and after it.
    """
    lang = desk.lang
    with (
        heard_playroom(folder) as playroom,
        Guest(playroom, lang, say_again=again, reader_rate=200) as guest,
    ):
        ear, seat, voice = Ear(desk), Seat(playroom, lang), desk.voice
        voice.letters = 400
        table = guest.open_table("coeurs", pass_count=0, match_end="deals:1")
        guest.open(ear, f"/tables/{table}?begin", "a table", word="to pass")
        ear.seek("Tab", "hand")
        seat.go_to(ear, seat.legal)
        voice.letters = USUAL
        first = len(voice.said)
        desk.press("Return")
        wait(
            "the news",
            lambda: ear.word("my turn") in (voice.speaking.text if voice.speaking else ""),
        )
        assert voice.speaking is not None
        told, then = sentences(voice.speaking.text)[:-1], voice.speaking.number
        sleep(BEGUN + len(" ".join(told[:-2])) / USUAL * late)
        desk.press("Right")
        desk.settle(RESTED)
        print(*(f"{each.text} | {each.heard}" for each in voice.said[first:]), sep="\n")
        return told, whole(voice.said[first:then]), whole(voice.said[then:])


def whole(said: list[Utterance]) -> Told:
    """The sentences that were spoken to their end."""
    return [line for each in said for line in sentences(each.heard)]
