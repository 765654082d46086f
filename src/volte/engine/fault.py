"""What is wrong with a line of the protocol, or with an outside program."""

from __future__ import annotations

from volte.cards import Fault


class EngineFault(Fault):
    """A line that cannot be answered, or a program that cannot be played with."""
