"""Check of the reason of an error, whatever its sentence says."""

from __future__ import annotations

from collections.abc import Callable

from volte.cards import VolteError


def because(reason: str) -> Callable[[VolteError], bool]:
    """A predicate for `check` of `pytest.raises`: whether the error has the reason."""
    return lambda error: error.reason == reason
