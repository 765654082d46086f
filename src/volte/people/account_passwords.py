"""Passwords of people: which may be chosen, and who has said the right one.

Whoever asks learns neither from an answer nor from its time whether a login exists.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from volte.cards import Fault
from volte.people.common_passwords import COMMON, breached
from volte.people.known_devices import known_device
from volte.people.store import Account, Accounts, folded
from volte.store import Person
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.room import Room
from volte.web.visit import Visit

log = get_logger("volte.server")

LEAST: Final = 8
MOST: Final = 200
"""Characters of a password, as they are after NFKC."""

SHORTEST_LOGIN: Final = 2
LONGEST_LOGIN: Final = 64


class AccountFault(Fault):
    """Something about an account that cannot be, or is not right.

    Attributes:
        field: of the form, where it stands.
    """

    def __init__(self, reason: str, /, field: str, **params: object) -> None:
        super().__init__(reason, **params)
        self.field = field


def normal(text: str) -> str:
    """A password as it is counted and hashed: the same, whatever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", text)


def read_login(text: str) -> str:
    """A login as it is kept. Raises `AccountFault`."""
    login = folded(" ".join(text.split()))
    if not (SHORTEST_LOGIN <= len(login) <= LONGEST_LOGIN and login.isprintable()):
        raise AccountFault("bad_login", "login", least=SHORTEST_LOGIN, most=LONGEST_LOGIN)
    return login


def asked_login(text: str) -> str:
    """A login that somebody says they have, as it would be kept."""
    return folded(" ".join(text.split()))[:LONGEST_LOGIN]


def check_password(visit: Visit, text: str, *own: str, field: str = "password") -> str:
    """A password that may be chosen, as it is hashed. Raises `AccountFault`.

    Args:
        own: what everybody knows about the person: their login and name.
    """
    password = normal(text)
    if not LEAST <= len(password) <= MOST:
        raise AccountFault("password_length", field, least=LEAST, most=MOST)
    plain = folded(password)
    if plain in {folded(each) for each in own}:
        raise AccountFault("password_own", field)
    known = plain in COMMON or plain in breached(visit.room.settings.breached)
    if known or len(set(plain)) < 3:
        raise AccountFault("password_common", field)
    return password


async def account_of(visit: Visit, login: str, text: str) -> Account:
    """The account with that login and password.

    The same is done where there is no such login. Raises `AccountFault`, and `Refused` for
    somebody who tries too often.
    """
    room, asked = visit.room, asked_login(login)
    account = await room.store[Accounts].by_login(asked)
    address, trying = visit.address, f"{visit.address} {asked}"
    device = await known_device(visit, account.person if account is not None else "")
    if device:
        await room.limits.spend("device", device)
    else:
        await room.limits.spend("sign_in", address, login=asked, wrong=trying)
    if not await _matches(room, account, text):
        log.warning("sign_in_failed", person=account.person if account is not None else "")
        raise AccountFault("wrong_login", "password")
    assert account is not None
    if device:
        room.limits.passed("device", device)
    else:
        room.limits.passed("wrong", trying)
    return account


async def owner_of(visit: Visit, account: Account) -> Person:
    """Whose account it is. Raises `Refused` 410 where it has just been deleted."""
    person = await visit.room.store.person(account.person)
    if person is None:
        raise Refused(410, "person_gone")
    return person


async def has_password(visit: Visit) -> bool:
    """Whether the person who asks has an account."""
    return await own_account(visit) is not None


async def own_account(visit: Visit) -> Account | None:
    """The account of the person who asks; None for a guest, and for nobody."""
    person = visit.person
    return None if person is None else await visit.room.store[Accounts].account(person.id)


async def sure_by_password(visit: Visit, text: str) -> bool:
    """Whether it is the password of the person who asks. Raises `Refused` 429."""
    room, account = visit.room, await own_account(visit)
    trying = f"sure {account.person if account is not None else visit.address}"
    await room.limits.spend("wrong", trying)
    sure = await _matches(room, account, text)
    if sure:
        room.limits.passed("wrong", trying)
    return sure


async def _matches(room: Room, account: Account | None, text: str) -> bool:
    """Whether that is the password of the account; as much work where there is none."""
    nobody = await room.passwords.nobody()
    kept = nobody if account is None else account.password
    right = await room.passwords.verify(kept, normal(text))
    if account is None or not right:
        return False
    if room.passwords.outdated(kept):
        await room.store[Accounts].rehash(account, await room.passwords.hash(normal(text)))
    return True
