"""People at browsers: they come in, open tables, and see what they hold and may do."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal, Self, TypeAlias
from unittest.mock import patch
from urllib.parse import urlsplit

from kit.sites import Playroom
from msgspec.structs import replace
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, ViewportSize, expect

from volte.fair import House as Dealer
from volte.forms.preferences import USUAL
from volte.game.codec import encode
from volte.people.sessions import Sessions
from volte.rules import make_ruleset, preset
from volte.rules.options import Value
from volte.table import Happening, Setup, Someone, decode_happening
from volte.table.live import LiveTable

WHOLE: Final = os.environ.get("VOLTE_TEST_PROFILE") == "full"
SHELL: Final = None if WHOLE else shutil.which("chromium-headless-shell")
CHROMIUM: Final = SHELL or shutil.which("chromium")
"""In the gate Chromium's headless shell, if it is installed: opening a window takes half a second
of a core."""

ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP *.volte.test 127.0.0.1",
    *(() if WHOLE else ("--js-flags=--liftoff-only", "--renderer-process-limit=1")),
)
"""Chromium's arguments: in the gate WebAssembly is compiled once, as it comes, since Python has no
time there to make up for being compiled again; and all pages are in one process, which is not
started anew for each of them."""
PATIENCE: Final = 20_000  # milliseconds
LOOK: Final = 30
"""Milliseconds between two checks of a condition that is waited for. Playwright's default, a check
at every frame, would make the browser draw frames for no other reason."""

WATCHING: Final = (Path(__file__).parent / "watching.js").read_text(encoding="utf-8")
QUICK: Final = {"bot_pace": 0, "trick_pace": 0, "helped": True}
"""Settings without pauses and help."""

CLOSE: Final = {"connection": "close"}
"""Header for requests beside the pages: the server might close a connection that is used again."""

MINE: Final = (
    *("AnswerUndo", "Back", "ChooseMoon", "Pass", "Play", "TurnDown", "Accept", "Cut", "Next"),
)
"""Actions that the match asks of a person, in the order in which they do them."""

FOCUS_LOST: Final = """() => document.activeElement === null
    || document.activeElement === document.body || !document.activeElement.isConnected"""
TABLE: Final = """() => ['status', 'trick', 'hand', 'seats', 'sheet-rows'].map(
    (id) => document.getElementById(id).innerText)"""
CLEAR: Final = "location.host && [localStorage, sessionStorage].forEach((each) => each.clear())"
OWN_SETTINGS: Final = {"service_workers", "forced_colors", "java_script_enabled", "contrast"}
"""Playwright's settings with which a browser is not lent to others."""

Theme = Literal["light", "dark"]


def scripts(test: str) -> str:
    """The object of functions in the script beside a test, such as `felt.js` for `test_felt.py`."""
    path = Path(test)
    text = path.with_name(f"{path.stem.removeprefix('test_')}.js").read_text(encoding="utf-8")
    return f"({text})"


def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until an asynchronous function of the page returns a true value.

    Playwright’s own waiting takes its promise for one.
    """
    end = monotonic() + PATIENCE / 1000
    while not page.evaluate(condition, argument):
        assert monotonic() < end, condition
        page.wait_for_timeout(LOOK)


# Contexts that change the tables opened inside them


@contextmanager
def opened_with(playroom: Playroom, /, **changes: Any) -> Iterator[None]:
    """Inside the context, use other services (or timings) than the usual ones."""
    lobby = playroom.site.room.lobby
    before = lobby._services
    timing = {name: changes.pop(name) for name in list(changes) if hasattr(before.timing, name)}
    lobby._services = replace(before, timing=replace(before.timing, **timing), **changes)
    try:
        yield
    finally:
        lobby._services = before


@contextmanager
def dealt_from(playroom: Playroom, seed: int) -> Iterator[None]:
    """Inside the context, deal the cards of a seed.

    With a `Player(still=True)` alone at a table, and bots that do not search, every match of a
    seed is the same.
    """
    with opened_with(playroom, house=lambda: Dealer.from_seed(seed)):
        yield


@contextmanager
def at_once(playroom: Playroom, dealer: Callable[[], Dealer], **services: Any) -> Iterator[None]:
    """Inside the context, bots wait for nobody, whatever pace people have set."""
    with (
        opened_with(playroom, house=dealer, bot_pace=0.0, trick_pace=0.0, **services),
        patch.object(LiveTable, "set_pace", lambda table, who, pace: None),
    ):
        yield


def setup_of(
    name: str = "coeurs",
    *,
    players: int = 0,
    deals: int = 1,
    setup: dict[str, Any] | None = None,
    **options: Value,
) -> Setup:
    """A setup for a table; the arguments are those of `Player.open_table`."""
    ends: dict[str, Value] = {"match_end": f"deals:{deals}"} if deals else {}
    seats: dict[str, Value] = {"players": players} if players else {}
    rules = make_ruleset(preset(name).name, ends | seats | options)
    return Setup(f"Table {name}", rules, **(setup or {}))


class Player:
    """Somebody at a browser, with the errors and warnings of the browser.

    Args:
        place: the playroom, or its address.
        theme: the theme of their system.
        still: whether their own bytes are always the same (see `dealt_from`).
        moving: whether cards fly on their page, or arrive at once, as with less motion in the
            settings. Drawing flights takes a third of all the work of a browser: in the gate
            they fly only if a test says so.
        more: further settings of playwright's context; the service worker stays out unless
            they let it in.
    """

    def __init__(
        self,
        browser: Browser,
        place: Playroom | str,
        lang: str = "en",
        *,
        width: int = 1280,
        height: int = 900,
        touch: bool = False,
        theme: Theme = "light",
        still: bool = False,
        moving: bool = WHOLE,
        **more: Any,
    ) -> None:
        self._browser = browser
        self._friends: list[Player] = []
        self._window = ViewportSize(width=width, height=height)
        self.kind = ""  # later borrowers with the same kind may get the browser; empty for none
        self._place = place
        self.address = place if isinstance(place, str) else place.address
        self.lang = lang
        self.context = browser.new_context(
            locale=lang,
            viewport=self._window,
            has_touch=touch,
            color_scheme=theme,
            reduced_motion="no-preference" if moving else "reduce",
            **{"service_workers": "block", **more},
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(f"window.stillBytes = {json.dumps(still)};\n{WATCHING}")
        self.page = self.context.new_page()
        self.complaints: list[str] = []  # errors and warnings in the console
        self.forgiven = "^$"  # pattern of complaints that the test causes on purpose
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        forgiven = f"{self.forgiven}|^Service Worker registration blocked by Playwright"
        if message.type in ("error", "warning") and not re.search(forgiven, message.text):
            self.complaints.append(message.text)

    def close(self) -> None:
        for each in (*self._friends, self):
            each.context.close()

    def clear(self) -> None:
        """Reset the browser for somebody else, but keep its cached files."""
        while self._friends:
            self._friends.pop().close()
        self.page.unroute_all()
        self.context.set_offline(False)
        self.page.evaluate(CLEAR)
        self.context.clear_cookies()
        self.page.goto("about:blank")
        self.page.set_viewport_size(self._window)
        self.complaints.clear()
        self.forgiven = "^$"

    def all_complaints(self) -> list[str]:
        """The complaints of this browser and of all beside it."""
        return [line for each in (self, *self._friends) for line in each.complaints]

    def beside(self, name: str = "Ana", lang: str = "en") -> Player:
        """Somebody else, at another browser, who has come in; they leave when this person does."""
        self._friends.append(Player(self._browser, self._place, lang).come_in(name))
        return self._friends[-1]

    # Coming in, and opening tables: without pages, which have tests of their own

    def come_in(self, name: str = "Zoé", **settings: Any) -> Self:
        """Come in as a guest, with settings for no pauses and no help unless others are given."""
        self._post_json("/api/guest", {"name": name, "lang": self.lang})
        self.suit(**(QUICK | settings))
        return self

    def suit(self, **settings: Any) -> None:
        """Set these settings, and all others to their defaults."""
        chosen = {**USUAL, "lang": self.lang, **settings}
        helped = chosen.pop("helped")
        fields = {"csrf": self.csrf(), "next": "/me"}
        for name, value in chosen.items():
            if value is not False and value is not None:
                fields[name] = "on" if value is True else str(value)
        self._post_form("/me", fields)
        if helped:
            self._post_form("/me/helped", {"csrf": fields["csrf"]})

    def csrf(self) -> str:
        """The CSRF token in the forms of this session."""
        text = self.context.request.get(f"{self.address}/rules", headers=CLOSE).text()
        found = re.search(r'name="csrf" value="([^"]*)"', text)
        assert found is not None
        return found[1]

    def open_table(
        self,
        name: str = "coeurs",
        *,
        players: int = 0,
        levels: Sequence[str] | None = None,
        deals: int = 1,
        password: str = "",
        setup: dict[str, Any] | None = None,
        seed: int | None = None,
        **options: Value,
    ) -> str:
        """Open a new table of the person's own; return its id.

        Args:
            players: 0 for the usual number.
            levels: levels of the bots at the other seats, `casual` if left out; "" for a free seat.
            deals: deals after which the match ends; 0 for the preset's own end.
            setup: other fields of `Setup`, such as its clock.
            seed: seed of the cards (see `dealt_from`).
        """
        chosen = setup_of(name, players=players, deals=deals, setup=setup, **options)
        content = {
            "setup": json.loads(encode(chosen)),
            "levels": list(levels or ["casual"] * (chosen.rules.players - 1)),
            "password": password,
        }
        seeded = dealt_from(self.playroom, seed) if seed is not None else nullcontext()
        with seeded:
            table: str = self._post_json("/api/tables", content)["table"]
        return table

    def go_to(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")

    def sit_down(self, table: str) -> None:
        """Go to a table of the person's own that waits, or at which they play."""
        self.go_to(f"/tables/{table}")
        self.wait("() => window.watched.scene !== null")

    def begin(self, name: str = "coeurs", **more: Any) -> str:
        """Begin at a new table: see `open_table`. The hand is dealt when it returns."""
        table = self.open_table(name, **more)
        self.go_to(f"/tables/{table}?begin")
        self.page.wait_for_selector("#hand [role=option]")
        return table

    def at_turn(self, seed: int | None = None, **settings: Any) -> Self:
        """Come in with some settings, and begin a match without a pass; it is the person's turn."""
        self.come_in(**settings)
        self.begin("coeurs", pass_count=0, seed=seed)
        assert self.due() == "Play"
        return self

    def play_now(self) -> None:
        """Press "Play now" on the first page."""
        self.go_to("/")
        self.page.click("form[action='/play'] button")
        self.page.wait_for_selector("#hand [role=option]")

    def _post_json(self, path: str, content: Any) -> Any:
        headers = CLOSE | {"x-volte": "1", "content-type": "application/json"}
        answer = self.context.request.post(
            f"{self.address}{path}", data=json.dumps(content), headers=headers
        )
        assert answer.ok, (answer.status, answer.text())
        return answer.json()

    def _post_form(self, path: str, fields: dict[str, str]) -> None:
        host = urlsplit(self.address)
        headers = CLOSE | {"origin": f"{host.scheme}://{host.netloc}", "x-volte": "1"}
        answer = self.context.request.post(
            f"{self.address}{path}", form=dict(fields), headers=headers, max_redirects=0
        )
        assert answer.status < 400, (answer.status, answer.text())

    def keys(self, *keys: str) -> None:
        """Press one key after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    # Looking

    @property
    def scene(self) -> dict[str, Any]:
        """The last scene of the server; see docs/wire.md."""
        found: dict[str, Any] = self.page.evaluate("window.watched.scene")
        return found

    @property
    def said(self) -> list[str]:
        """The messages of the live region since the page was loaded."""
        found: list[str] = self.page.evaluate("window.watched.said")
        return found

    def hears(self, words: str) -> None:
        """Wait until a message that contains the words has been said."""
        self.wait("(words) => window.watched.said.some((line) => line.includes(words))", words)

    def wait(self, condition: str, argument: Any = None) -> Any:
        """Wait until a function of the page returns a true value, and return it."""
        assert not condition.startswith("async"), "`until` waits for what a promise brings"
        found = self.page.wait_for_function(condition, arg=argument, timeout=PATIENCE, polling=LOOK)
        return found.json_value()

    def due(self, wanted: Sequence[str] = MINE) -> str:
        """Wait until the match asks one of the actions of the person, or its phase is `ended` or
        `closed`; return which. The hand is painted by then, and lies still."""
        found: str = self.wait("window.watched.due", list(wanted))
        return found

    def moment(self) -> str:
        """Key of the match's present request: it changes when the match goes on."""
        found: str = self.page.evaluate("window.watched.moment", list(MINE))
        return found

    def until_after(self, moment: str) -> None:
        """Wait until the match's request is another one than at that moment."""
        over = "([mine, before]) => window.watched.moment(mine) !== before"
        try:
            self.wait(over, [list(MINE), moment])
        except Error as error:
            error.add_note(f"{moment}: {self.scene['status']} Said last: {self.said[-5:]}")
            raise

    def play_on(self, condition: str = "() => false") -> str:
        """Play the first legal card whenever a card is due, until a condition about the scene holds
        then, or anything else is due; return what is.

        For the way to a state: the page does it by itself, in a quarter of the time of any means
        by which people play.
        """
        playing = f"([wanted, most]) => window.watched.playOn(wanted, {condition}, most)"
        found: str = self.page.evaluate(playing, [list(MINE), PATIENCE])
        return found

    def cards(self) -> Locator:
        """The cards in hand."""
        return self.page.locator("#hand [role=option]")

    def shown(self, selector: str) -> Any:
        """Assertions about an element of the page, which wait until they hold."""
        return expect(self.page.locator(selector))

    def held(self) -> int:
        return self.cards().count()

    def focused(self) -> str:
        """The id of the element that has the focus."""
        found: str = self.page.evaluate("document.activeElement?.id ?? ''")
        return found

    def take_focus(self) -> None:
        """Put the focus into the hand, where a person who plays has it."""
        self.page.focus("#hand [role=option][tabindex='0']")

    # Judging

    def keep_focus(self) -> None:
        """Check that something has the focus, and that no happening so far has lost or moved it."""
        now = self.page.evaluate("document.activeElement?.outerHTML.slice(0, 200)")
        assert not self.page.evaluate(FOCUS_LOST), now
        astray = self.page.evaluate("[...window.watched.lost, ...window.watched.moved]")
        assert not astray, astray

    # What the server knows

    @property
    def playroom(self) -> Playroom:
        assert isinstance(self._place, Playroom)
        return self._place

    @property
    def someone(self) -> Someone:
        """The person at the browser."""
        cookies = {each["name"]: each["value"] for each in self.context.cookies()}
        person = self.playroom.do(self.playroom.site.room[Sessions].person(cookies["volte"]))
        assert person is not None
        return Someone(person.id, person.name)

    @property
    def log(self) -> list[Happening]:
        """The stored log of the table at which they are."""
        table = self.page.url.rpartition("/")[2].partition("?")[0]
        entries = self.playroom.do(self.playroom.site.room.store.read(table))
        return [decode_happening(each.data) for each in entries]


Browse: TypeAlias = Callable[..., Player]
"""Opens a browser; takes the arguments of `Player`, and those that `Browsers.lent` adds."""


class Browsers:
    """Browsers that tests borrow.

    Most of what a browser costs is to begin and to fetch all scripts and styles. So whoever comes
    next with the same window and language gets one that is there, of which nothing is left but the
    files that it has kept.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[Player]] = {}

    @contextmanager
    def lent(self, playroom: Playroom) -> Iterator[Browse]:
        """Lend browsers; at the end none of them may have complained."""
        opened: list[Player] = []

        def browse(lang: str = "en", *, at: str = "", own: bool = False, **settings: Any) -> Player:
            """
            Args:
                at: the address of the server, where it is not that of the playroom.
                own: whether it must be a new one, that nobody else gets.
            """
            kind = f"{lang} {sorted(settings.items())}"
            own = own or bool(settings.keys() & OWN_SETTINGS)
            idle = [] if own else self._idle.setdefault(kind, [])
            player = idle.pop() if idle else Player(self._browser, playroom, lang, **settings)
            player._place, player.address = playroom, at or playroom.address
            player.kind = "" if own else kind
            opened.append(player)
            return player

        yield browse
        complaints = [line for each in opened for line in each.all_complaints()]
        for each in opened:
            try:
                each.clear()
            except Error:  # after a test that has failed
                each.kind = ""
            if each.kind:
                self._idle[each.kind].append(each)
            else:
                each.close()
        assert not complaints, complaints
