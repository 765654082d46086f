"""Shared parts of all pages: visits, forms, limits, settings, languages."""
