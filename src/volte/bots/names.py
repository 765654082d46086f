"""What bots are called, wherever they sit."""

from __future__ import annotations

from typing import Final

NAMES: Final = (
    "Alice",
    "Bruno",
    "Chloé",
    "David",
    "Emma",
    "Félix",
    "Gaëlle",
    "Hugo",
    "Inès",
    "Jules",
)
"""At a table of any size."""
