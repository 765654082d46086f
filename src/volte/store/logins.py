"""Logins as they are compared, and the codes by which somebody comes back without a password."""

from __future__ import annotations

import secrets
import unicodedata
from hashlib import sha256
from typing import Final

CODES: Final = 10
"""Codes that somebody gets at a time."""

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's: what looks alike is one letter, and no word comes out by accident."""

GROUPS: Final = 4
GROUP: Final = 4
"""Letters of a group: 80 bits in all, too many to be guessed from what is kept."""

_ALIKE: Final = str.maketrans("iloILO", "110110")


def folded(text: str) -> str:
    """A login as it is kept and looked for: two that look the same are the same.

    >>> folded(" Zoé "), folded("ＡＮＮＡ"), folded("Straße")
    ('zoé', 'anna', 'strasse')
    """
    plain = unicodedata.normalize("NFKC", text.strip())
    return unicodedata.normalize("NFKC", plain.casefold())


def new_codes() -> tuple[str, ...]:
    """Ten new codes, as they are shown."""
    return tuple("-".join(_group() for _ in range(GROUPS)) for _ in range(CODES))


def code_key(person: str, text: str) -> bytes:
    """What is kept of a code, however it was typed; the same code of somebody else is another.

    >>> code_key("ann", "0123-4567-89AB-CDEF") == code_key("ann", "o l23 4567 89ab cdef")
    True
    >>> code_key("bob", "0123-4567-89ab-cdef") == code_key("ann", "0123-4567-89ab-cdef")
    False
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())
    return sha256(f"code {person} {bare.translate(_ALIKE).lower()}".encode()).digest()


def _group() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(GROUP))
