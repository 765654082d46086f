"""Servers, and stores over each kind of database."""

from kit.sites import databases, site_with
from kit.stores import other, store

__all__ = ["databases", "other", "site_with", "store"]
