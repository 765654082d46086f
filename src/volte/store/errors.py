"""Errors of a store, whatever it stores its rows in."""

from __future__ import annotations

from volte.cards import VolteError


class StoreFault(VolteError):
    """A store that cannot be opened."""


class Conflict(Exception):
    """Somebody else was first: nothing of the job was written."""


class Gone(Exception):
    """A person whom a job names, or for whom it was to be written, is no longer here: nothing of it
    was written."""


class Unavailable(Exception):
    """The database cannot be reached, is full, or stopped in the middle.

    Whether anything was written is not known: read, then try again.
    """
