"""What clients send wrongly: counted, and told to the log in one line a minute.

It is no fault of the server's, and a line for each would let anybody fill the log.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import Final

from volte.web.logs import get_logger
from volte.web.metrics import CLIENT_FAULTS

EVERY: Final = 60.0
"""Seconds between two lines, at least."""

log = get_logger("volte.server")


class ClientFaults:
    """Counts them by kind, such as `wrong_origin` or `bad_frame`."""

    def __init__(self) -> None:
        self._since: Counter[str] = Counter()
        self._logged_at = -EVERY

    def count(self, kind: str) -> None:
        """Counts a fault of that kind."""
        CLIENT_FAULTS.labels(kind).inc()
        self._since[kind] += 1

    def tell(self) -> None:
        """Logs how many there were since the last line, if that is a while ago."""
        now = monotonic()
        if self._since and now >= self._logged_at + EVERY:
            log.warning("client_faults", **self._since)
            self._since.clear()
            self._logged_at = now


client_faults: Final = ClientFaults()
"""What clients of this process have sent wrongly."""
