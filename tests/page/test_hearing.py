"""Announcements of news that come in all manners: the parts of the page that speak, alone.

`hearing.txt` is what a person at seat 0 of four lives through, and hears. After each name:

    begin SETTINGS          they are at the table, and the page has been read; `load`: no table yet
    Played 1 > 2: Bot 1     what happens, and to whom; then it is for seat 2, or `me`, to play
    old Played 1: Bot 1     news of before they came
    paint 0 AnswerUndo      a scene by itself: whose turn it is (`-` for nobody's), what they may do
    wait 800                milliseconds
    < Bot 1. Your turn.     all that was said since the last time; after <= it is said again at once
    log Bot 1. | Bot 2.     what the history holds; `spoken` and `priority` are of the same kind

All other lines are keys, answers, and other incidents: see `CALLS` and `Ears.live`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final, get_args

import pytest
from kit import Browse, Playroom, scripts
from kit.browser.line import Line
from kit.browser.reading import read
from kit.stanzas import stanzas
from playwright.sync_api import Browser

from volte.forms.preferences import USUAL
from volte.say import Words
from volte.table import Happening
from volte.web.assets import client_sentences, static

WORDS: Final = client_sentences(Words("en"))
NO_BREAK_SPACE: Final = "\u00a0"
PARTS: Final = scripts(__file__).replace('"/static/', f'"{static("", "en")}')

CALLS: Final = {
    "arrive": "announcer.arrive()",
    "loading": "Object.defineProperty(document, 'readyState', {{ value: 'loading' }})",
    "loaded": "dispatchEvent(new Event('load'))",
    "answer": "announcer.answer([{}])",
    "refuse": "announcer.answer([{}], 'answer', true)",
    "warn": "listening.warn([{}])",
    "chat": "listening.hear({})",
    "lose": "listening.lose()",
    "mend": "listening.comeBack()",
    "forget": "localStorage.clear()",
    "fall": "speechSynthesis.end()",
}
"""Other incidents, as calls to the page; in braces the rest of the line."""

NEWS: Final = re.compile(r"(\w+)(?: (\d))?(?: > (\S+))?: (.*)")


# It has notifications, which Orca does not hear.
FIREFOX: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"


class Ears:
    """Somebody at a table of four, at seat 0, with bots; their time is the test's."""

    def __init__(self, browser: Browser, playroom: Playroom, outlet: str) -> None:
        self.notified = outlet == "notifications"
        self.context = browser.new_context(user_agent=None if self.notified else FIREFOX)
        self.page = self.context.new_page()
        self._address = f"{playroom.address}/fair"
        self.page.clock.install(time=0)
        self.page.goto(self._address)
        self.page.clock.pause_at(1000)  # for good, on whatever page
        self._number = 0

    def come_anew(self) -> None:
        """Has heard nothing yet."""
        self.page.evaluate("localStorage.clear()")
        self.page.goto(self._address)
        self._number = 0

    def load(self, **settings: Any) -> None:
        """Has the page, but not the table yet; once."""
        self.page.evaluate("localStorage.setItem('volte said again', 'yes')")
        chosen = json.dumps({**USUAL, **settings})
        self.page.evaluate(f"{PARTS}.begin", [json.dumps(WORDS), chosen])

    def begin(self, **settings: Any) -> None:
        """Is at the table, and the page has been read; once."""
        self.load(**settings)
        self.paint()
        self.wait(1300)

    @property
    def said(self) -> list[str]:
        """Return the messages said since the last call."""
        found: list[str] = self.page.evaluate("window.said.splice(0)")
        return found

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    def see(self, line: str, fresh: bool = True) -> None:
        """Let something happen; its sentences are separated by bars."""
        news = NEWS.fullmatch(line)
        assert news is not None, line
        event, seat, then, told = news.groups()
        self._number += 1
        whose = "leader" if event == "PlayStarted" else "seat"
        happening = {"event": event} | ({whose: int(seat)} if seat else {})
        what = {"number": self._number, "happening": happening, "fresh": fresh}
        self.page.evaluate(
            "(news) => window.listening.see(news)", what | {"lines": told.split(" | ")}
        )
        if then:
            self.paint(*(["0", "Play"] if then == "me" else [then]))

    def paint(self, turn: str = "-", *may: str, table: str = "") -> None:
        seats = [{"name": name, "state": "bot"} for name in ("Zoé", "Alice", "Bruno", "Chloé")]
        scene = {"seat": 0, "deal": 1, "hand": [], "status": "The status.", "phase": "playing"}
        scene |= {"turn": None if turn == "-" else int(turn), "may": may, "seats": seats}
        scene |= {"next_table": table}
        self.page.evaluate("(scene) => window.listening.paint(scene)", scene)
        self.wait(200)

    def look(self, *, away: bool) -> None:
        """Looks at the page, or away from it."""
        self.page.evaluate(
            """(hidden) => {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            away,
        )
        self.wait(200)

    def live(self, line: str) -> None:
        """Lives through a line of `hearing.txt`, but for those that tell what is said."""
        order, _, rest = line.partition(" ")
        parts = rest.split(" | ") if rest else []
        match order:
            case "begin":
                settings = (each.split("=") for each in rest.split())
                self.begin(**{name: json.loads(value.lower()) for name, value in settings})
            case "load":
                self.load()
            case "paint":
                self.paint(*(["0", "Play"] if rest == "me" else rest.split()))
            case "next":
                self.paint(table=rest)
            case "wait":
                self.wait(int(rest))
            case "press":
                self.page.keyboard.press(rest)
            case "away" | "back":
                self.look(away=order == "away")
            case "repeat" | "before" | "after" | "kind":
                self.page.evaluate(f"window.listening.{order}()")
                self.wait(300)
            case "voice":
                self.page.evaluate(f"{PARTS}.speak")
            case "spoken":
                assert self.page.evaluate("window.spoken.splice(0)") == parts
            case "log":
                assert list(filter(None, self.page.inner_text("#log").split("\n\n"))) == parts
            case "priority":
                assert self.page.evaluate("window.priority") == (rest if self.notified else None)
            case "old":
                self.see(rest, fresh=False)
            case _ if order in CALLS:
                self.page.evaluate("window." + CALLS[order].format(json.dumps(rest)))
            case _:
                self.see(line)

    def expects(self, line: str) -> str:
        """Check that the messages of a line of `hearing.txt` are said."""
        mark, _, words = line.partition(" ")
        return words.format_map(WORDS) + NO_BREAK_SPACE * (mark == "<=")


# In the gate all other pages notify.
OUTLETS: Final = (pytest.param("notifications", marks=pytest.mark.full), "live region")


@pytest.fixture(scope="module", params=OUTLETS)
def somebody(
    browser: Browser, playroom: Playroom, request: pytest.FixtureRequest
) -> Iterator[Ears]:
    opened = Ears(browser, playroom, request.param)
    yield opened
    opened.context.close()


@pytest.fixture
def ears(somebody: Ears) -> Ears:
    somebody.come_anew()
    return somebody


@pytest.mark.parametrize("scene", stanzas(__file__, "hearing.txt"))
def test_what_is_said(ears: Ears, scene: str) -> None:
    for told, lines in groupby(scene.splitlines()[1:], lambda line: line.startswith("<")):
        if told:
            assert ears.said == [ears.expects(line) for line in lines if line != "<"]
        else:
            for line in lines:
                ears.live(line)


def test_every_channel_is_of_happenings_and_has_a_setting(ears: Ears) -> None:
    channels = ears.page.evaluate(
        "async () => (await import('/static/web/static/announcer.js')).CHANNELS"
    )
    assert channels.keys() < {kind.__name__ for kind in get_args(Happening)}
    assert {f"say_{channel}" for channel in channels.values()} <= USUAL.keys()


SILENT: Final = dict(
    each.split()
    for each in (
        *("plays Played", "tricks TrickTaken", "pass Passed"),
        *("scores DealScored", "people StoodIn", "clock TimeGiven"),
    )
)
"""Channels, and something that each of them tells."""


@pytest.mark.parametrize(("channel", "event"), SILENT.items(), ids=SILENT)
def test_a_channel_can_be_silent(ears: Ears, channel: str, event: str) -> None:
    ears.begin(**{f"say_{channel}": False})
    ears.see(f"{event} 1 > 1: Somebody else.")
    ears.wait(3000)
    assert ears.said == []
    assert ears.page.inner_text("#log") == "Somebody else."
    ears.see(f"{event} 0 > me: Myself.")
    own = ["Myself."] if channel in ("people", "clock") else []
    assert ears.said == [" ".join([*own, "Your turn."])]


@pytest.mark.parametrize(
    ("lang", "rate", "known"),
    [("fr", 600, False), ("fr", 150, True)]
    + [
        pytest.param(lang, rate, known, marks=pytest.mark.full)
        for lang in ("en", "fr")
        for rate in (150, 200, 300, 400, 600)
        for known in (True, False)
    ],
)
def test_whoever_waits_hears_nothing_twice_and_what_a_key_has_cut_comes_again_once(
    ears: Ears, playroom: Playroom, lang: str, rate: int, known: bool
) -> None:
    """A deal by a simulated reader: one sentence, where its rate is not known, and it is asked."""
    setting = rate if known else None
    heard = read(ears.page, playroom.address, lang, 1, rate=rate, setting=setting)
    assert heard["said"] > 80
    assert heard["again"] <= (0 if known else heard["said"] // 50)
    if known:
        how = {"rate": rate, "setting": rate, "cuts": 0.3, "latency": 0}
        cut = read(ears.page, playroom.address, lang, 1, **how)
        assert cut["cut"] > 20
        assert (cut["again"], cut["lost"]) == (0, 0)
    else:
        told = read(ears.page, playroom.address, lang, 1, rate=rate, measures=True, cuts=0.3)
        assert told["rate"] == pytest.approx(rate, rel=0.1)


def test_buttons_do_what_the_keys_do(ears: Ears) -> None:
    ears.begin(key_repeat="x")
    ears.see("TrickTaken 1 > 1: One.")
    ears.wait(500)
    button = ears.page.get_by_role("button", name=WORDS["does_repeat"], exact=True)
    assert button.get_attribute("aria-keyshortcuts") == "X"
    button.click()
    ears.wait(500)
    assert ears.said == ["One.", ears.expects("<= One.")]


def test_a_page_that_was_hidden_for_long_says_that_much_was_missed(ears: Ears) -> None:
    ears.begin()
    ears.look(away=True)
    for number in range(20):
        ears.see(f"StoodIn 1: Event {number}.")
    ears.paint("1")
    ears.look(away=False)
    ears.wait(500)
    assert ears.said == [f"{WORDS['missed']} The status."]
    ears.live("before")
    ears.wait(500)
    assert ears.said[0].startswith("Event 0. Event 1.")


@pytest.mark.full
def test_a_line_that_is_cut_and_mended_is_told_at_a_real_table(
    browse: Browse, playroom: Playroom
) -> None:
    with Line(playroom.address) as line:
        player = browse("en", at=line.address)
        player.forgiven = "WebSocket|ERR_CONNECTION_REFUSED"
        player.come_in()
        player.begin("coeurs")
        player.due()
        line.cut()
        player.wait("(lost) => window.watched.said.at(-1) === lost", WORDS["lost"])
        line.mend()
        status = "Choose 3 cards to pass to Alice."
        player.wait("(status) => window.watched.said.at(-1).endsWith(status)", status)
        told = player.said[player.said.index(WORDS["lost"]) + 1 :]
        assert " ".join(told) == f"{WORDS['back']} {status}"  # and not that it waits
