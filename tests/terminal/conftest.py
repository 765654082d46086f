"""A home, the command, and a playroom for whoever asks."""

from kit.sites import house
from kit.terminals import anne, environ, folder, paul, volte

__all__ = ["anne", "environ", "folder", "house", "paul", "volte"]
