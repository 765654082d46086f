"""The keys for a table that others sit at too; they stand beside those of `keys`."""

from __future__ import annotations

from enum import Enum
from typing import Final

from volte.console.keys import bare
from volte.say import N_


class TableKey(Enum):
    """The same in every language: letter or sign, then words."""

    WHO = ("w", "who", "qui")
    SIT = ("a", "sit", "seat", "asseoir", "place")
    BOT = ("x", "bot", "away", "absent")
    PAUSE = ("z", "pause", "wait", "attendre")
    INVITE = ("*", "invite", "inviter")
    MORE = ("+", "more", "time", "plus", "temps")


TABLE_KEY_LINES: Final = (
    N_("W: who is at the table. A: asks for a seat."),
    N_("X: lets a bot play for you, until you are back."),
    N_("Z: lets the match wait."),
    N_("INVITE: opens a table that is yours alone, and tells its address."),
    N_("+: more time, where a clock runs."),
)
"""What they do, a line each."""

_KEYS: Final = {word: key for key in TableKey for word in key.value}


def table_key_of(line: str) -> TableKey | None:
    """The key that a line is, if it is one.

    >>> table_key_of("Qui"), table_key_of("qs")
    (<TableKey.WHO: ('w', 'who', 'qui')>, None)
    """
    return _KEYS.get(bare(line))
