"""Servers, people who visit their pages, and stores."""

from kit.sites import house, site_with
from kit.stores import other, store, template
from kit.visits import visit

__all__ = ["house", "other", "site_with", "store", "template", "visit"]
