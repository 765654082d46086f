"""Stores over each kind of database."""

from kit.stores import other, store

__all__ = ["other", "store"]
