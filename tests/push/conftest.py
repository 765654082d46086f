"""A push service, servers that send to it, and stores over each kind of database."""

from kit.browsing import visitor
from kit.pushing import push_service
from kit.sites import playroom, shared_site, site, site_with
from kit.stores import other, store

__all__ = [
    "other",
    "playroom",
    "push_service",
    "shared_site",
    "site",
    "site_with",
    "store",
    "visitor",
]
