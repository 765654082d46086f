"""The address of a playroom, or of one of its tables, as it is copied from a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from volte.console.terminal import Misuse

_PATH: Final = re.compile(
    r"((?:/(?!tables/|live/)[\w-]+)*?)"
    r"(?:(?:/node/[\da-z-]{1,32})?/(?:tables|live)/([\w-]{1,64})(?:/invited/([\da-f]{1,64}))?)?/?",
    re.ASCII,
)
_HOST: Final = re.compile(r"(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?", re.ASCII | re.IGNORECASE)
_LEAD: Final = re.compile(r"(?:/[\w-]+)+(?:\?[\w=&-]*)?", re.ASCII)

MOST_LEADS: Final = 2
"""How often in a row one goes where a playroom leads."""


def led(address: str, path: str) -> str:
    """Where a playroom leads from an address, at the same origin; empty for anything but a path.

    >>> led("wss://volte.example/games/live/x7", "/games/node/a/live/x7")
    'wss://volte.example/games/node/a/live/x7'
    >>> led("wss://volte.example/games/live/x7", "//elsewhere.example/live/x7")
    ''
    """
    return urljoin(address, path) if _LEAD.fullmatch(path) else ""


@dataclass(frozen=True)
class Address:
    """Where a playroom is.

    Attributes:
        site: as in `http://host:port`, and the path of a playroom that shares its host.
        table: the id of a table; empty for the playroom itself.
        invitation: of its host, where the address is the link that invites people.
    """

    site: str
    table: str = ""
    invitation: str = ""

    @classmethod
    def read(cls, text: str) -> Address:
        """The address that somebody typed; `http://` goes without saying. Raises `Misuse`.

        >>> Address.read("volte.example:8000/tables/x7#top")
        Address(site='http://volte.example:8000', table='x7', invitation='')
        """
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            port = parts.port
        except ValueError:
            raise Misuse("not_an_address", address=text) from None
        path = _PATH.fullmatch(parts.path)
        if (
            parts.scheme not in ("http", "https")
            or not _HOST.fullmatch(parts.netloc)
            or port == 0
            or path is None
        ):
            raise Misuse("not_an_address", address=text)
        base, table, invitation = path.groups("")
        return cls(f"{parts.scheme}://{parts.netloc.lower()}{base}", table, invitation)

    @property
    def page(self) -> str:
        """Where a browser finds it."""
        invited = f"/invited/{self.invitation}" if self.invitation else ""
        return f"{self.site}/tables/{self.table}{invited}" if self.table else self.site

    @property
    def live(self) -> str:
        """Where the table is played, by WebSocket."""
        return f"ws{self.site.removeprefix('http')}/live/{self.table}"
