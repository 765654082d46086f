"""Score sheet, ends of deals and matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAGES: Final[Mapping[str, str]] = {}

CLIENT: Final[Mapping[str, str]] = {}
