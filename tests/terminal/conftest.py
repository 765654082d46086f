"""Fixtures: a home, the command, and a playroom."""

from kit.luck import luck_is_told
from kit.seeking import nobody_waits
from kit.sites import playroom
from kit.terminals import anne, environ, folder, paul, volte

__all__ = [
    "anne",
    "environ",
    "folder",
    "luck_is_told",
    "nobody_waits",
    "paul",
    "playroom",
    "volte",
]
