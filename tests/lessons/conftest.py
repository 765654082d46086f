"""A server, and people who visit its pages."""

from kit.sites import house
from kit.visits import visit

__all__ = ["house", "visit"]
