"""Servers, and people who visit them."""

from kit.browsing import visitor
from kit.hostile import addresses, eve
from kit.sites import databases, playroom, shared_site, site, site_with
from kit.visits import visit

__all__ = [
    "addresses",
    "databases",
    "eve",
    "playroom",
    "shared_site",
    "site",
    "site_with",
    "visit",
    "visitor",
]
