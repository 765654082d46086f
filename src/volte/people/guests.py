"""People who come in by saying a name."""

from __future__ import annotations

import secrets
from time import time
from typing import Final

from starlette.requests import Request

from volte.names import clean_name
from volte.say.catalogue import language_of
from volte.store import Person, Store

ID_BYTES: Final = 12


async def new_guest(request: Request, name: str, lang: str = "") -> Person:
    """Somebody new of that name, kept. Raises `NameFault` and `Refused`."""
    called = clean_name(name)
    await request.app.state.room.limits.spend("guest", request.state.address)
    spoken = language_of(lang) or str(request.state.lang)
    person = Person(secrets.token_urlsafe(ID_BYTES), called, spoken, {}, time())
    store: Store = request.app.state.room.store
    await store.put_person(person)
    return person
