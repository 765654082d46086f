"""The table as it is seen: seats, trick, hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAGES: Final[Mapping[str, str]] = {}

CLIENT: Final[Mapping[str, str]] = {}
