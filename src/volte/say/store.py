"""What keeps the data of the playroom from being kept, and what to do."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

STORE_FAULTS: Final = {
    "store_url": N_(
        "“{text}” is no place for the data: write sqlite:///PATH or postgresql://USER@HOST/NAME."
    ),
    "store_not_opened": N_("{path} cannot hold the data: {why}."),
    "store_foreign": N_("{path} holds something else: name a database of Volte, or an empty one."),
    "store_newer": N_("{path} was made by a newer Volte: install it, or name another database."),
    "store_pooled": N_(
        "Something between here and {path} shares connections out, such as PgBouncer: name the"
        " address of PostgreSQL itself."
    ),
    "store_unreachable": N_(
        "The database {path} cannot be reached ({why}): start it, or name another one."
    ),
    "store_denied": N_("{path} does not let Volte in: look after the name and the password."),
    "store_in_use": N_("A server has {path} open: stop it first, then try again."),
    "copy_exists": N_("{path} is there already: name another file, or write --force."),
    "copy_of_itself": N_("{path} is the database itself: name another file for the copy."),
    "copy_damaged": N_("{path} is damaged, and nothing was changed: take an older copy."),
    "not_sqlite": N_(
        "The data is in PostgreSQL, which copies itself: use pg_dump, and pg_restore to put it"
        " back."
    ),
    "store_missing": N_("{path} does not exist: create that database, or name another one."),
}
"""By reason; `path` is a file, or the address of a database without its password."""

STORE_WHY: Final = (
    N_("Connection refused"),
    N_("Name or service not known"),
    N_("another program holds it"),
    N_("it is damaged"),
)
"""What keeps a database from being used."""
