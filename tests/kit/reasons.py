"""The reasons for which something cannot be, whatever the sentence says."""

from __future__ import annotations

from collections.abc import Callable

from volte.cards import VolteError


def because(reason: str) -> Callable[[VolteError], bool]:
    """For `check` of `pytest.raises`: whether that is the reason."""
    return lambda error: error.reason == reason
