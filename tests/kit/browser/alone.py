"""Somebody at a browser without a server: at an exported site on a host of files."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import urlencode

from kit.browser.players import QUICK, Player, setup_of
from kit.solo import to_take_along
from playwright.sync_api import Browser, FilePayload

from volte.alone.places import SECTIONS

LONG = 60_000
"""Milliseconds that the start of Python may take on a busy machine."""

POSTS = """([path, fields]) => window.volte.request(
    new URL(`${window.volte.base}${path}`, location.href),
    { method: "POST", body: new URLSearchParams(fields) }).then((answer) => answer.status)"""


def address_of(lang: str = "en", match: str = "", **game: str) -> str:
    """The address of the page of a match below the site's; a new one with an id of its own.

    Args:
        game: fields of the form on the first page: preset, players, level.
    """
    given = {"match": match or secrets.token_hex(10), **game}
    return f"/{lang}/table/?{urlencode(given)}"


ASKS = """async (address) => {
    const link = document.createElement("a");
    link.href = address;
    document.getElementById("content").replaceChildren(link);
    await new Promise(requestAnimationFrame);  // the page listens to new links a moment later
    link.click();
}"""
COME = "body:has(#start.late[hidden]) main > :not(a)"
"""Something on a page that the worker has made."""


class Alone(Player):
    """Somebody without a server.

    The address is that of the site. The service worker has its way.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"service_workers": "allow"} | settings)
        self._name = "Zoé"
        self._chosen: dict[str, Any] = dict(QUICK)

    def go_to(self, path: str) -> None:
        """Go to a page by its address below the language, if the worker makes it, or else by that
        below the site. A page of the worker is there when it returns."""
        section = path.partition("?")[0].split("/")[1]
        if section not in SECTIONS:
            super().go_to(path)
            return
        if self.page.locator("#start.late").count():
            self.page.evaluate(ASKS, f"/{self.lang}{path}")
        else:
            at, _, named = path.partition("#")
            super().go_to(f"/{self.lang}/{section}/?{urlencode({'at': at})}#{named}")
        self.page.wait_for_selector(COME, timeout=LONG, state="attached")

    def sit_alone(self, **game: str) -> str:
        """Begin a match against bots; return its id. The hand is dealt when it returns."""
        match = secrets.token_hex(10)
        self.go_to(address_of(self.lang, match, **game))
        self.dealt()
        return match

    def come_in(self, name: str = "Zoé", **settings: Any) -> Self:
        """Choose a name and settings for the tables that are brought along."""
        self._name, self._chosen = name, QUICK | settings
        return self

    def bring(self, name: str = "coeurs", **more: Any) -> str:
        """Take in a new table from a file, and choose the settings; return its id.

        So tables may have any rules. The arguments are those of `setup_of`.
        """
        taken = to_take_along(setup_of(name, **more), self.lang, self._name)
        with ThreadPoolExecutor() as pool:  # Playwright's loop runs in this thread
            table, content = pool.submit(asyncio.run, taken).result()
        self.go_to(f"/{self.lang}/")
        file = FilePayload(name="a.matches", mimeType="application/gzip", buffer=content)
        self.page.set_input_files("#kept-file", file)
        self.page.get_by_role("dialog").get_by_role("button").first.click(timeout=LONG)
        self.shown("#kept-list li").to_have_count(1)
        self.suit(**self._chosen)
        return table

    def begin(self, name: str = "coeurs", *, seed: None = None, **more: Any) -> str:
        """Begin at a new table: see `bring`. Nobody chooses a seed here. The hand is dealt when it
        returns."""
        table = self.bring(name, **more)
        self.go_to(address_of(self.lang, table))
        self.dealt()
        return table

    def dealt(self) -> None:
        """Wait until a hand is there."""
        self.page.wait_for_selector("#hand [role=option]", timeout=LONG)

    def csrf(self) -> str:
        """Nothing: no form comes from elsewhere."""
        return ""

    def _post_form(self, path: str, fields: dict[str, str]) -> None:
        """Post a form on a page with the worker; settings hold from the next start."""
        status = self.page.evaluate(POSTS, [path, fields])
        assert status < 400, (path, status, fields)


@contextmanager
def lent_alone(browser: Browser, site: str) -> Iterator[Callable[..., Alone]]:
    """Open browsers at a site; at the end none of them may have complained."""
    opened: list[Alone] = []

    def browse(lang: str = "en", **settings: Any) -> Alone:
        opened.append(Alone(browser, site, lang, **{"service_workers": "block"} | settings))
        return opened[-1]

    yield browse
    complaints = [line for each in opened for line in each.all_complaints()]
    for each in opened:
        each.close()
    assert not complaints, complaints
