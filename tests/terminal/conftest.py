"""Fixtures: a home, the command, and a playroom."""

from kit.seeking import nobody_waits
from kit.sites import playroom
from kit.terminals import anne, environ, folder, paul, volte

__all__ = ["anne", "environ", "folder", "nobody_waits", "paul", "playroom", "volte"]
