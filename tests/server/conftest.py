"""Servers, and people who visit them."""

from kit.browsing import visitor
from kit.hostile import addresses, eve
from kit.seeking import nobody_waits
from kit.sites import playroom, shared_site, site, site_with
from kit.visits import visit

__all__ = [
    "addresses",
    "eve",
    "nobody_waits",
    "playroom",
    "shared_site",
    "site",
    "site_with",
    "visit",
    "visitor",
]
