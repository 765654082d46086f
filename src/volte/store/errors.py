"""Errors of a store, whatever it stores its rows in."""

from __future__ import annotations

import errno

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


def cause_of(error: BaseException) -> str:
    """Type and code of the first error in a chain; no text, which may have values in it."""
    while error.__cause__ is not None:
        error = error.__cause__
    names = (getattr(error, name, None) for name in ("sqlstate", "sqlite_errorname"))
    number = getattr(error, "errno", None)
    code = next(filter(None, names), None) or (errno.errorcode.get(number) if number else None)
    return " ".join(filter(None, (type(error).__name__, code)))
