"""A home, the command, and a playroom for whoever asks."""

from kit.terminals import anne, environ, folder, paul, playroom, volte

__all__ = ["anne", "environ", "folder", "paul", "playroom", "volte"]
