"""Fixtures: a home folder, and the `volte` command."""

from kit.terminals import environ, folder, volte

__all__ = ["environ", "folder", "volte"]
