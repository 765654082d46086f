"""Somebody who only listens: the test sets the time of their page, so that sentences are always
joined into the same messages.

The messages of the table are held, and let through action by action, at the usual pace of bots.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self

from kit.browser.alone import Alone, address_of
from kit.browser.players import MINE, PATIENCE, Player, at_once
from kit.dealing import Plain, deal_plainly, with_dealing
from kit.sites import Playroom
from playwright.sync_api import Browser

from volte.fair import House as Dealer
from volte.table.thinking import Thinking

STRIDE: Final = 2000
"""Milliseconds that pass at once: less than the time in which the line has to answer."""

STOPPED: Final = 120_000
"""Milliseconds since the page was opened at which its time stops: later than any start."""

BOT_PACE: Final = 800
TRICK_PACE: Final = 1500
"""Milliseconds, in the time of the page."""

NO_BREAK_SPACE: Final = "\u00a0"

Message = dict[str, Any]


@contextmanager
def plainly_dealt(playroom: Playroom, seed: int) -> Iterator[None]:
    """Inside the context, tables deal the cards of a seed to `Plain` bots, which wait
    for nobody: the pace is kept by `Listener`.
    """
    thinking = Thinking(lambda level, number: Plain(), 1, 1.0, 60.0)
    try:
        with at_once(playroom, lambda: Dealer.from_seed(seed), thinking=thinking):
            yield
    finally:
        playroom.do(thinking.close())


class Listener(Player):
    """Somebody who plays by keys and hears the messages; see `transcript`."""

    def __init__(
        self, browser: Browser, place: Playroom | str, lang: str, bot_pace: int = BOT_PACE
    ) -> None:
        super().__init__(browser, place, lang, still=True, service_workers="block")
        self._bot_pace = bot_pace
        self._trick_pace = TRICK_PACE * bot_pace // BOT_PACE
        self.transcript: list[str] = []
        self.latest: Message = {}
        self._told: deque[Message] = deque()
        self._unanswered: set[str] = set()
        self._noted = 0
        self._trick_lies = False
        self.page.clock.install(time=0)
        self.page.expose_function("holdTold", lambda text: self._told.append(json.loads(text)))
        self.page.expose_function("noteAsked", lambda text: self._asked(json.loads(text)))

    def _asked(self, message: Message) -> None:
        self._unanswered.add(message["id"])

    def come_in(self, name: str = "Zoé", **settings: Any) -> Self:
        paces = {"bot_pace": self._bot_pace, "trick_pace": self._trick_pace}
        return super().come_in(name, **paces | settings)

    def listen(self, name: str, **more: Any) -> None:
        """Begin a match at a new table, and play it until it asks something of the person."""
        self._sit_down(name, **more)
        self.page.clock.pause_at(STOPPED)
        self.settle()
        self.take_focus()

    def _sit_down(self, name: str, **more: Any) -> None:
        table = self.open_table(name, **more)
        self.go_to(f"/tables/{table}?begin")

    # Time

    def settle(self) -> None:
        """Let the match go on until it waits for the person, and everything has been said."""
        while not self._waits():
            self._let_through(self._action())
        self._pass_time(5000)

    def _waits(self) -> bool:
        scene = self.latest
        if self._told or self._unanswered or not scene:
            return False
        others = [each for each in scene["seats"] if each["state"] == "bot"]
        if scene["phase"] == "passing" and not all(each["passed"] for each in others):
            return False
        return scene["phase"] == "ended" or any(each in scene["may"] for each in MINE)

    def _next(self) -> Message:
        ends = monotonic() + PATIENCE / 1000
        while not self._told:
            assert monotonic() < ends, "the server says nothing"
            self.page.wait_for_timeout(5)
        return self._told.popleft()

    def _action(self) -> list[Message]:
        """The server's messages about one action, up to its scene; or a single other message."""
        said = [self._next()]
        while said[-1]["say"] == "happened":
            said.append(self._next())
        return said

    def _let_through(self, said: list[Message]) -> None:
        events = [each["happening"] for each in said if each["say"] == "happened"]
        mine = self.latest.get("seat")
        if any(each["event"] == "Played" and each["seat"] != mine for each in events):
            self._pass_time(self._trick_pace if self._trick_lies else self._bot_pace)
        if events:
            self._trick_lies = any(each["event"] == "TrickTaken" for each in events)
        for message in said:
            self._unanswered.discard(message.get("id", ""))
            self.page.evaluate("window.watched.pass", json.dumps(message))
            if message["say"] == "scene":
                self.latest = message
                self.page.wait_for_function(
                    "(number) => window.watched.scene?.number >= number",
                    arg=message["number"],
                    polling=5,
                )
        self._pass_time(0)

    def _pass_time(self, milliseconds: int) -> None:
        for begun in range(0, max(milliseconds, 1), STRIDE):
            self.page.clock.run_for(min(STRIDE, milliseconds - begun))
        self._write_down()

    def _write_down(self) -> None:
        said = self.said[self._noted :]
        self._noted += len(said)
        self.transcript += [line.removesuffix(NO_BREAK_SPACE) for line in said]

    # Doing

    def do(self, what: str, *keys: str) -> None:
        """Press keys, and hear the messages that follow."""
        self.transcript.append(f"> {what}")
        for key in keys:
            self.keys(key)
        self._pass_time(0)
        self.settle()


class LoneListener(Listener, Alone):
    """A listener who plays without a server: at an exported site, with the cards of a seed.

    Args:
        site: its address.
        packages: the archive of the site with our modules.
    """

    def __init__(self, browser: Browser, site: str, packages: Path, seed: int, *rest: Any) -> None:
        super().__init__(browser, site, *rest)
        body = with_dealing(packages.read_bytes(), deal_plainly, seed)
        self.context.route("**/packages.zip.txt", lambda route: route.fulfill(body=body))

    def _sit_down(self, name: str, **more: Any) -> None:
        self.go_to(address_of(self.lang, self.bring(name, **more)))
        while not self._told:  # the start is told in time that goes by
            self.page.wait_for_timeout(20)
        self._noted = len(self.said)
