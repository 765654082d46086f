"""Servers, and people who visit them."""

from kit.browsing import visitor
from kit.hostile import addresses, eve
from kit.sites import house, shared_site, site, site_with

__all__ = ["addresses", "eve", "house", "shared_site", "site", "site_with", "visitor"]
