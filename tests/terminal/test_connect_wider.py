"""The wider family at a real playroom: a scatter, and the choice of how a moon counts (W1, W7)."""

from __future__ import annotations

import re

import pytest
from kit.sites import Playroom
from kit.terminals import Guest, Stubborn, match_log
from terminal.test_wider import tiny

from volte.console.terminal import Quit
from volte.game import DealScored, MatchStarted, MoonShot, Passed


class Chooser(Stubborn):
    """Puts a moon on the others, with the key that elsewhere asks for more time.

    Args:
        others: names of people to wait for before the match begins.
    """

    def __init__(self, *others: Guest) -> None:
        super().__init__()
        self._others = others

    def __call__(self, heard: str) -> str:
        if "Press Enter to begin the match." in heard:
            for other in self._others:
                other.hears("^You sit down")
        return "+" if heard.endswith("Minus (−) or plus (+)?\n") else super().__call__(heard)


@pytest.mark.parametrize("irregularities", ["enforced", "refereed"])
def test_W7_somebody_at_the_table_is_asked_and_the_others_hear_it(
    irregularities: str, playroom: Playroom
) -> None:
    rules = tiny(
        irregularities=irregularities, match_end="deals:2", pass_count=1, pass_cycle=["scatter"]
    )
    anne, *others = guests = [Guest(playroom.address, name) for name in ("Anne", "Paul", "Zoé")]
    table = anne.open("", "", rules=rules)
    anne.sit(table, Chooser(*others))
    for guest in others:
        guest.sit(table, Chooser())
    for guest in guests:
        guest.leaves()
        assert isinstance(guest.gone, Quit)
        assert re.search(r"^Your 2 cards, in this order: to \w+ and to \w+\?$", guest.said, re.M)
        assert guest.said.count("how the points count.\n") == 2
        assert "No answer is wanted" not in guest.said
    log = match_log(playroom, table)
    shot = [event for event in log if isinstance(event, MoonShot)]
    assert len(shot) == 2
    assert not any(event.minus for event in log if isinstance(event, DealScored))
    assert sum(isinstance(event, Passed) for event in log) == 6
    (started,) = (event for event in log if isinstance(event, MatchStarted))
    said = {guest.who.name: guest.said for guest in guests}
    for event in shot:
        assert "You give each of the others 1 point.\n" in said[started.players[event.seat].name]
