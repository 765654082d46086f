"""Somebody at a browser who plays without a server: at an exported site on a host of files."""

from __future__ import annotations

import json
import secrets
from typing import Any
from urllib.parse import urlencode

from kit.browser.players import Player

LONG = 60_000
"""Milliseconds that the start of Python may take on a busy machine."""

KEEPS = """(fields) => window.volte.request(new URL(`${window.volte.base}/me`, location.href),
    { method: "POST", body: new URLSearchParams(fields) }).then((answer) => answer.status)"""


def address_of(lang: str = "en", match: str = "", **game: str) -> str:
    """The address of the page of a match below the site's; a new one with an id of its own.

    Args:
        game: fields of the form on the first page: preset, players, level, name.
    """
    given = {"match": match or secrets.token_hex(10), **game}
    return f"/{lang}/table/?{urlencode(given)}"


class Alone(Player):
    """Somebody who plays without a server.

    The address is that of the site. The service worker has its way.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"service_workers": "allow"} | settings)

    def sit_alone(self, **game: str) -> str:
        """Begin a match against bots; return its id. The hand is dealt when it returns."""
        match = secrets.token_hex(10)
        self.go_to(address_of(self.lang, match, **game))
        self.dealt()
        return match

    def dealt(self) -> None:
        """Wait until a hand is there."""
        self.page.wait_for_selector("#hand [role=option]", timeout=LONG)

    def keep_settings(self, **settings: Any) -> None:
        """Keep some settings, as the form at the table does; they hold from the next start."""
        texts = {"csrf": "", "next": "/me"}
        for name, value in settings.items():
            if value is not False:
                texts[name] = "on" if value is True else str(value)
        status = self.page.evaluate(KEEPS, texts)
        assert status < 400, (status, json.dumps(texts))
