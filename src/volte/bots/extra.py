"""The extra `strong`: NumPy and Numba, with which bots search in compiled code."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Final

from volte.cards import Fault

EXTRA: Final = "strong"


@cache
def strong_installed() -> bool:
    """Whether the extra is installed; without it bots search in plain Python."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


def require_strong() -> None:
    """For what needs the extra. Raises `Fault` `needs_extra` where it is not installed."""
    if not strong_installed():
        raise Fault("needs_extra", extra=EXTRA)
