"""Servers, and people who visit their pages."""

from kit.sites import house, site_with
from kit.visits import visit

__all__ = ["house", "site_with", "visit"]
