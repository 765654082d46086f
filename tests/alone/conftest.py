"""Rooms of a browser, and the command that reads what they write."""

from kit.solo import room_over
from kit.terminals import folder, volte

__all__ = ["folder", "room_over", "volte"]
