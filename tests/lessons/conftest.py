"""A server, and people who visit its pages, or those of a browser without one."""

from kit.doors import visit
from kit.sites import playroom

__all__ = ["playroom", "visit"]
