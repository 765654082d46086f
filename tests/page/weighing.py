"""What a page costs on the line."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import CDPSession


class Weighed:
    """All that comes over the line to a page from now on; not its WebSocket, nor what was kept.

    Attributes:
        bytes: by address, with the headers.
    """

    def __init__(self, session: CDPSession) -> None:
        self.bytes: dict[str, float] = {}
        self._asked: dict[str, str] = {}
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.loadingFinished", self._take)
        session.send("Network.enable")

    @property
    def total(self) -> float:
        return sum(self.bytes.values())

    def _ask(self, event: Any) -> None:
        redirected = event.get("redirectResponse")
        if redirected:
            self._count(redirected["url"], redirected["encodedDataLength"])
        self._asked[event["requestId"]] = event["request"]["url"]

    def _take(self, event: Any) -> None:
        self._count(self._asked.get(event["requestId"], ""), event["encodedDataLength"])

    def _count(self, address: str, size: float) -> None:
        if size and not address.startswith("data:"):
            self.bytes[address] = self.bytes.get(address, 0) + size
