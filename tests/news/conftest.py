"""Stores over each kind of database, and a push service."""

from kit.pushing import push_service
from kit.stores import other, store

__all__ = ["other", "push_service", "store"]
