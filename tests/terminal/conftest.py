"""Fixtures: a home, the command, and a playroom."""

from kit.sites import playroom
from kit.terminals import anne, environ, folder, paul, volte

__all__ = ["anne", "environ", "folder", "paul", "playroom", "volte"]
