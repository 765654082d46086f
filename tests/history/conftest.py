"""A server, people who visit its pages, lobbies of live tables, and stores."""

from kit.live import open_lobby
from kit.sites import playroom, site_with
from kit.stores import other, store
from kit.visits import visit

__all__ = [
    "open_lobby",
    "other",
    "playroom",
    "site_with",
    "store",
    "visit",
]
