"""`volte backup` and `volte restore`: copies of all that a playroom keeps."""

from __future__ import annotations

from pathlib import Path

from volte.say import Words
from volte.say.faults import shown_path
from volte.say.language import N_
from volte.store import StoreFault
from volte.store.backup import Counts, back_up, sqlite_file
from volte.store.backup import restore as put_back


def backup(lang: str, file: Path, url: str, *, force: bool = False) -> int:
    """Copies the database of that URL into a file. Raises `StoreFault`."""
    words = Words(lang)
    counts = back_up(_file(url), file, force=force)
    print(words.t(COPIED, path=shown_path(str(file)), counts=told(words, counts)))
    return 0


def restore(lang: str, file: Path, url: str) -> int:
    """Puts that copy in the place of the database of that URL. Raises `StoreFault`."""
    words, database = Words(lang), _file(url)
    counts, aside = put_back(file, database)
    print(words.t(RESTORED, path=shown_path(str(database)), counts=told(words, counts)))
    if aside is not None:
        print(words.t(ASIDE, path=shown_path(str(aside))))
    return 0


def told(words: Words, counts: Counts) -> str:
    """Such as "3 tables, 12 matches, 5 people"."""
    return ", ".join(
        [
            words.n(
                "{count} table or score sheet", "{count} tables and score sheets", counts.tables
            ),
            words.n("{count} match", "{count} matches", counts.matches),
            words.n("{count} person", "{count} people", counts.people),
        ]
    )


def _file(url: str) -> Path:
    file = sqlite_file(url)
    if file is None:
        raise StoreFault("not_sqlite")
    return file


COPIED = N_("{path} is a whole copy: {counts}.")
RESTORED = N_("{path} is as it was when it was copied: {counts}.")
ASIDE = N_("What was there before is in {path}.")
