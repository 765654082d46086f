"""Servers, people who visit their pages, and stores."""

from kit.sites import databases, house, site_with
from kit.stores import other, store
from kit.visits import visit

__all__ = ["databases", "house", "other", "site_with", "store", "visit"]
