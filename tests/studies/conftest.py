"""Servers, people who visit their pages, and stores."""

from kit.sites import playroom, site_with
from kit.stores import other, store
from kit.visits import visit

__all__ = ["other", "playroom", "site_with", "store", "visit"]
