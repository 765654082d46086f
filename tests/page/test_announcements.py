"""Announcements of whole deals: exact, and none lost; at a server, and at a site without one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle, product
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from kit.browser.listener import BOT_PACE, Listener, LoneListener, plainly_dealt
from kit.browser.players import WHOLE
from kit.exporting import exported, packages_of
from kit.hosting import Host
from kit.sites import Playroom
from playwright.sync_api import Browser

from volte.rules import PRESETS
from volte.say import Verbosity

Listening: TypeAlias = Callable[..., Listener]

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
"""A hint depends on the time there was to think: only its first word is compared."""

QUESTIONS: Final = {1: "ct1", 2: "hl", 3: "ip", 4: "sf", 5: "ebbbnee"}
"""The keys to press in each trick, so that each is pressed once."""

LEFT: Final = 0 if WHOLE else 13 - max(QUESTIONS)
"""Cards that are still held where the gate stops listening to a deal."""


def whole_deal(listener: Listener) -> None:
    """A deal with everything in it, and the beginning of the next; or its first tricks."""
    listener.listen("dame-de-pique", deals=2)
    give_away(listener, [each["card"] for each in listener.latest["hand"][-3:]])
    tried = False
    while listener.latest["phase"] == "playing" and len(listener.latest["hand"]) > LEFT:
        for key in QUESTIONS.get(14 - len(listener.latest["hand"]), ""):
            listener.do(key, key)
        if not tried and illegal(listener):
            tried = True
            play(listener, illegal(listener)[0])
        play(listener, legal(listener)[-1])
    if WHOLE:
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
    """Judges what was heard by its golden, or by the beginning of it."""
    text = re.sub(HINT, r"\1…", "\n".join(listener.transcript) + "\n")
    golden = GOLDENS / f"{name}.txt"
    if WHOLE and os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    wanted = golden.read_text(encoding="utf-8")
    assert text == (wanted if WHOLE else wanted[: len(text)])
    assert len(text) > len(wanted) / 4


AT_BOTH: Final = pytest.mark.parametrize(
    "listening", ["server", pytest.param("site", marks=pytest.mark.full)], indirect=True
)
"""Where they listen: the same keys have to be answered by the same words."""


@pytest.fixture
def listening(
    request: pytest.FixtureRequest, browser: Browser, playroom: Playroom
) -> Iterator[Listening]:
    """Opens the browser of a listener, where the cards of a seed are dealt.

    It complains of nothing.
    """
    with ExitStack() as ends:

        def opens(lang: str, seed: int, bot_pace: int = BOT_PACE, **settings: Any) -> Listener:
            listener: Listener
            if request.param == "site":
                folder = exported()
                host = ends.enter_context(Host({"": folder}))
                listener = LoneListener(
                    browser, host.address, packages_of(folder), seed, lang, bot_pace
                )
            else:
                ends.enter_context(plainly_dealt(playroom, seed))
                listener = Listener(browser, playroom, lang, bot_pace)
            ends.callback(listener.close)
            listeners.append(listener)
            return listener.come_in(**settings)

        listeners: list[Listener] = []
        yield opens
        assert not [line for each in listeners for line in each.complaints]


@AT_BOTH
@pytest.mark.parametrize(
    "verbosity",
    [
        "normal",
        *(pytest.param(each, marks=pytest.mark.full) for each in ("terse", "brief", "full")),
    ],
)
@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_a_whole_deal_sounds_as_it_stands_in_its_golden(
    listening: Listening, lang: str, verbosity: str
) -> None:
    listener = listening(lang, 3, verbosity=verbosity, say_again=False)
    whole_deal(listener)
    compare(listener, f"{lang}-{verbosity}")


@pytest.mark.full
@AT_BOTH
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_moon_is_told_as_the_event_it_is(listening: Listening, lang: str) -> None:
    listener = listening(lang, 107, verbosity="normal", say_again=False)
    moon(listener)
    compare(listener, f"{lang}-moon")


# Nothing goes unheard: at every preset and number of players, at every pace of the bots and every
# verbosity, with keys that cut a screen reader short as people press them

DUE = ("ChooseMoon", "TurnDown", "Cut", "Accept", "Next")

PACES = (0, 800, 3000)
"""Milliseconds before each card of a bot: none, the usual, and slow."""

SEED = 11


def cases() -> Iterator[tuple[str, str, int, int, str]]:
    """Each preset and number of players at a server, and each preset at a site; paces and
    verbosities by turns, each with each."""
    manners = cycle(product(PACES, Verbosity))
    for name, preset in PRESETS.items():
        for players in preset.players:
            pace, verbosity = next(manners)
            yield "server", name, players, pace, str(verbosity)
            if players == preset.players[0]:
                yield "site", name, players, pace, str(verbosity)


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
        due = next(each for each in DUE if each in may)
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


@pytest.mark.full
@pytest.mark.parametrize(
    ("listening", "name", "players", "pace", "verbosity"), list(cases()), indirect=["listening"]
)
def test_whatever_stands_in_the_history_has_been_said(
    listening: Listening, name: str, players: int, pace: int, verbosity: str
) -> None:
    listener = listening("en", SEED, pace, verbosity=verbosity)
    listener.listen(name, players=players)
    keys = cycle(["ArrowRight", "t", "ArrowLeft", "c"])
    while listener.latest["phase"] not in ("ended", "closed"):
        act(listener, keys)
    listener.settle()
    assert unheard(listener) == []
