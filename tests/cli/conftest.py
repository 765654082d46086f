"""A home, and the command, for whoever asks."""

from kit.terminals import environ, folder, volte

__all__ = ["environ", "folder", "volte"]
