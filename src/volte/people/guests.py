"""People who come in by saying a name."""

from __future__ import annotations

import secrets
from time import time
from typing import Final

from volte.names import clean_name
from volte.say.catalogue import language_of
from volte.store import Person
from volte.web.visit import Visit

ID_BYTES: Final = 12


async def new_guest(visit: Visit, name: str, lang: str = "") -> Person:
    """Somebody new of that name, kept. Raises `NameFault` and `Refused`."""
    called = clean_name(name)
    await visit.room.limits.spend("guest", visit.address)
    spoken = language_of(lang) or str(visit.lang)
    person = Person(secrets.token_urlsafe(ID_BYTES), called, spoken, {}, time())
    store = visit.room.store
    await store.put_person(person)
    return person
