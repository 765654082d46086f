"""Counts of what was too much; `volte.web.metrics` shows them."""

from __future__ import annotations

from collections import Counter
from typing import Final

LIMITED: Final = Counter[str]()
"""Refusals since it was too much, by limit."""

SLOWED: Final = Counter[str]()
"""Messages that had to wait, by whose budget was empty."""
