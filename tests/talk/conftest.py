"""Servers, and people who visit them."""

from kit.sites import shared_site, site, site_with

__all__ = ["shared_site", "site", "site_with"]
