"""A server, and people who visit its pages."""

from kit.sites import playroom
from kit.visits import visit

__all__ = ["playroom", "visit"]
