"""Deals that are kept to be played again: by a link, and the deal of the day."""
