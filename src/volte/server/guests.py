"""People who come in by saying a name."""

from __future__ import annotations

import secrets
from time import time
from typing import Final

from starlette.requests import Request

from volte.cards import Fault
from volte.store import Person, Store
from volte.table.setup import LONGEST_NAME
from volte.words.catalogue import LANGUAGES

ID_BYTES: Final = 12


def person_name(text: str) -> str:
    """The name that somebody typed, blanks set right. Raises `Fault`."""
    name = " ".join(text.split())
    if not (1 <= len(name) <= LONGEST_NAME and name.isprintable()):
        raise Fault("bad_name", most=LONGEST_NAME)
    return name


async def new_guest(request: Request, name: str, lang: str = "") -> Person:
    """Somebody new of that name, kept. Raises `Fault` for the name, and `Refused`."""
    called = person_name(name)
    await request.app.state.room.limits.spend("guest", request.state.address)
    spoken = lang if lang in LANGUAGES else str(request.state.lang)
    person = Person(secrets.token_urlsafe(ID_BYTES), called, spoken, {}, time())
    store: Store = request.app.state.room.store
    await store.put_person(person)
    return person
