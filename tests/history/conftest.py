"""A server, people who visit its pages, lobbies of live tables, and stores."""

from kit.live import lobby, open_lobby
from kit.sites import databases, house, site_with
from kit.stores import other, store
from kit.visits import visit

__all__ = [
    "databases",
    "house",
    "lobby",
    "open_lobby",
    "other",
    "site_with",
    "store",
    "visit",
]
