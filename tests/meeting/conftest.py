"""Servers, and stores over each kind of database."""

from kit.sites import shared_site, site, site_with
from kit.stores import other, store

__all__ = ["other", "shared_site", "site", "site_with", "store"]
