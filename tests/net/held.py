"""Plain text held against the file where it was written down."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
REMAKE: Final = bool(os.environ.get("VOLTE_REMAKE_GOLDENS"))


def hold(text: str, *place: str) -> None:
    """Compares the text with the golden of that name; VOLTE_REMAKE_GOLDENS=1 writes it anew."""
    path = HERE.joinpath(*place)
    if REMAKE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text.split("\n") == path.read_text(encoding="utf-8").split("\n")
