"""Deals that are kept to be played again: by a link, in a set, of the day, of a club's week."""
