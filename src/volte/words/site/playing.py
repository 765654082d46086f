"""Choosing and playing cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLIENT: Final[Mapping[str, str]] = {}
