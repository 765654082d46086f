"""Counts of refused requests and delayed messages, for `volte.web.metrics`."""

from __future__ import annotations

from collections import Counter
from typing import Final

LIMITED: Final = Counter[str]()
"""Requests refused by a limit, by the name of the limit."""

SLOWED: Final = Counter[str]()
"""Messages that had to wait, by the budget that was used up."""
