"""What is wrong with a puzzle that somebody asks for."""

from __future__ import annotations

from volte.cards import Fault


class PuzzleFault(Fault):
    """A puzzle that is not there, or not to be read."""
