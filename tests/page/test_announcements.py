"""What ears hear of whole deals: exactly, in both languages and the four verbosities.

The files in `announcements/` hold one message a line, as it stands in the live region; `>` begins
what the person does. VOLTE_REMAKE_GOLDENS=1 writes them anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from kit.sites import House
from page.listener import Listener, plainly_dealt
from playwright.sync_api import Browser

GOLDENS: Final = Path(__file__).parent / "announcements"


def legal(listener: Listener) -> list[str]:
    return [each["card"] for each in listener.latest["hand"] if each["legal"]]


def illegal(listener: Listener) -> list[str]:
    return [each["card"] for each in listener.latest["hand"] if not each["legal"]]


def stand_on(listener: Listener, card: str) -> None:
    listener.page.focus(f"#card-{card}")


def play(listener: Listener, card: str) -> None:
    stand_on(listener, card)
    listener.do(f"Enter ({card})", "Enter")


def press(listener: Listener, action: str) -> None:
    listener.page.focus(f"#actions [data-key={action}]")
    listener.do(f"Enter ({action})", "Enter")


def give_away(listener: Listener, cards: list[str]) -> None:
    """Chooses those cards and passes them."""
    for card in cards:
        stand_on(listener, card)
        listener.do(f"Space ({card})", " ")
    press(listener, "Pass")


HINT: Final = r"(?m)(?<=^> i\n)(\S+ ).*"
"""What is advised is another thing where there was less time to think: its first word counts."""

QUESTIONS: Final = {1: "ct1", 2: "hl", 3: "ip", 4: "sf", 5: "ebbbnee"}
"""The keys that are pressed in each trick, so that all are pressed once."""


def whole_deal(listener: Listener) -> None:
    """A deal with everything in it, and the beginning of the next."""
    listener.listen("dame-de-pique", deals=2)
    give_away(listener, [each["card"] for each in listener.latest["hand"][-3:]])
    tried = False
    while listener.latest["phase"] == "playing":
        for key in QUESTIONS.get(14 - len(listener.latest["hand"]), ""):
            listener.do(key, key)
        if not tried and illegal(listener):
            tried = True
            play(listener, illegal(listener)[0])
        play(listener, legal(listener)[-1])
    press(listener, "Next")


def moon(listener: Listener) -> None:
    """Somebody takes everything, in a match of one deal, for stakes."""
    listener.listen("coeurs")
    give_away(listener, sorted(legal(listener), key=rank)[:3])
    while listener.latest["phase"] == "playing":
        play(listener, max(legal(listener), key=rank))


def rank(card: str) -> int:
    return "23456789TJQKA".index(card[0])


def compare(listener: Listener, name: str) -> None:
    """Judges what was heard by its golden."""
    text = re.sub(HINT, r"\1…", "\n".join(listener.transcript) + "\n")
    golden = GOLDENS / f"{name}.txt"
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def hear(
    browser: Browser,
    house: House,
    lang: str,
    verbosity: str,
    seed: int,
    story: Callable[[Listener], None],
    name: str,
) -> None:
    listener = Listener(browser, house, lang)
    try:
        listener.come_in("Zoé", verbosity=verbosity, say_again=False)
        with plainly_dealt(house, seed):
            story(listener)
        compare(listener, name)
        listener.assert_content()
    finally:
        listener.close()


@pytest.mark.parametrize(
    "verbosity",
    [
        "normal",
        pytest.param("terse", marks=pytest.mark.full),
        pytest.param("brief", marks=pytest.mark.full),
        pytest.param("full", marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_a_whole_deal_sounds_as_it_stands_in_its_golden(
    browser: Browser, house: House, lang: str, verbosity: str
) -> None:
    hear(browser, house, lang, verbosity, 3, whole_deal, f"{lang}-{verbosity}")


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_a_moon_is_told_as_the_event_it_is(browser: Browser, house: House, lang: str) -> None:
    hear(browser, house, lang, "normal", 107, moon, f"{lang}-moon")
