"""Nothing goes unheard: whatever stands in the history has been said, whole and in order.

At every preset and number of players, at every pace of the bots and every verbosity, with keys
that cut a screen reader short as people press them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, product

import pytest
from kit.sites import House
from page.listener import Listener, plainly_dealt
from playwright.sync_api import Browser

from volte.rules import PRESETS
from volte.say import Verbosity

DUE = ("ChooseMoon", "TurnDown", "Cut", "Accept", "Next")

PACES = (0, 800, 3000)
"""Milliseconds before each card of a bot: none, the usual, and slow."""

SEED = 11


def cases() -> Iterator[tuple[str, int, int, str]]:
    """Each preset and number of players; paces and verbosities by turns, each with each."""
    manners = cycle(product(PACES, Verbosity))
    for name, preset in PRESETS.items():
        for players in preset.players:
            pace, verbosity = next(manners)
            yield name, players, pace, str(verbosity)


def act(listener: Listener, keys: Iterator[str]) -> None:
    """One thing that the match asks; before it a key, which cuts what is being spoken."""
    page, scene = listener.page, listener.latest
    may = scene["may"]
    page.keyboard.press(next(keys))
    if "Play" in may:
        card = next((each for each in scene["hand"] if each["legal"]), scene["hand"][0])
        page.focus(f'[id="card-{card["card"]}"]')
    elif "Pass" in may:
        for each in scene["hand"][: scene["pass_count"]]:
            page.focus(f'[id="card-{each["card"]}"]')
            page.keyboard.press("Space")
        page.focus("#actions [data-key=Pass]")
    else:
        due = next(
            each for each in ("ChooseMoon", "TurnDown", "Cut", "Accept", "Next") if each in may
        )
        page.focus(f":is(#actions, #more, #ending) [data-key^={due}]")
    listener.do("Enter", "Enter")


def unheard(listener: Listener) -> list[str]:
    """Lines of the history that were never said, or not in their order."""
    lines = listener.page.locator("#log p").all_inner_texts()
    said = " ".join(each.removesuffix("\u00a0") for each in listener.said)
    while lines and lines[0] not in said:
        lines.pop(0)  # from before the person listened
    place, lost = 0, []
    for line in lines:
        found = said.find(line, place)
        if found < 0:
            lost.append(line)
        else:
            place = found + len(line)
    assert len(lines) > 20
    return lost


def listen(
    browser: Browser, house: House, name: str, players: int, pace: int, verbosity: str
) -> list[str]:
    listener = Listener(browser, house, "en", pace)
    try:
        listener.come_in(verbosity=verbosity)
        with plainly_dealt(house, SEED):
            listener.listen(name, players=players)
        keys = cycle(["ArrowRight", "t", "ArrowLeft", "c"])
        while listener.latest["phase"] not in ("ended", "closed"):
            act(listener, keys)
        listener.settle()
        return unheard(listener)
    finally:
        listener.close()


@pytest.mark.parametrize(
    ("name", "players", "pace", "verbosity"),
    [
        ("cancellation", 6, 800, "brief"),
        *(pytest.param(*case, marks=pytest.mark.full) for case in cases()),
    ],
)
def test_whatever_stands_in_the_history_has_been_said(
    browser: Browser, house: House, name: str, players: int, pace: int, verbosity: str
) -> None:
    assert listen(browser, house, name, players, pace, verbosity) == []
