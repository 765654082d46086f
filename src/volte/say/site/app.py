"""The page as an application, and without a connection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAGES: Final[Mapping[str, str]] = {}

CLIENT: Final[Mapping[str, str]] = {}
