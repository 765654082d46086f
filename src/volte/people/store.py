"""The store of accounts: logins, passwords, recovery codes, roles, sessions, devices, passkeys."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection
from hashlib import sha256
from time import time
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Delete, Index, Update, and_, delete, func, or_, select, update

from volte.store.part import Part
from volte.store.schema import PEOPLE, SESSIONS, table
from volte.store.store import session_over, sessions_over
from volte.store.writer import NewRow, Write, Writing, insert, one, put, renew

LINK: Final = "link"  # the agent of a session that is so far only a link for another device
MOST_LISTED: Final = 200  # accounts that administrators are shown at once


class Account(msgspec.Struct, frozen=True):
    """An account, with which a person can come back at any browser."""

    person: str  # id of the person
    login: str  # folded; no two accounts have the same
    password: str  # argon2 hash of the password
    made: float  # time when it was made, in seconds since 1970
    changed: float  # time when the password was set, in seconds since 1970


ACCOUNTS: Final = table("accounts", Account, "person", unique="login", person=PEOPLE)

CODES: Final = table(
    "codes",
    {"code_hash": bytes, "person": str, "used": float | None},
    "code_hash",
    Index("codes_by_person", "person"),
    person=PEOPLE,
)

DEVICES: Final = table(
    "devices",
    {"token_hash": bytes, "person": str, "since": float, "expires": float},
    "token_hash",
    Index("devices_by_person", "person"),
    Index("devices_by_end", "expires"),
    person=PEOPLE,
)

ROLES: Final = table("roles", {"person": str, "role": str}, "person", person=PEOPLE)


class Session(msgspec.Struct, frozen=True):
    """A session: a browser or client at which somebody is signed in."""

    token_hash: bytes  # hash of the token, which itself is not stored
    begun: float
    used: float  # time when it was last renewed, in seconds since 1970
    expires: float
    agent: str  # the kind of browser and system, by the browser's header; empty where unknown


class Known(msgspec.Struct, frozen=True):
    """An account as administrators see it in a list."""

    login: str
    name: str
    person: str
    role: str  # see `Accounts.role`
    made: float
    used: float  # time when a session was last used; 0 without a session


class Accounts(Part):
    """The store's part for accounts, recovery codes, roles, sessions and known devices."""

    met = (ACCOUNTS.c.person, ROLES.c.person)

    # Accounts

    async def account(self, person: str) -> Account | None:
        """The account of a person; None for a guest."""
        return await self._first(Account, select(ACCOUNTS).where(ACCOUNTS.c.person == person))

    async def by_login(self, login: str) -> Account | None:
        """The account with a folded login; None where there is none."""
        return await self._first(Account, select(ACCOUNTS).where(ACCOUNTS.c.login == login))

    async def make(self, account: Account, codes: Collection[bytes], *also: Write) -> None:
        """Makes an account for a person who has none, with recovery codes.

        Raises `Conflict` where the login is taken, or the person has an account already.
        """
        await self._write(insert(ACCOUNTS, account), *_codes(account.person, codes), *also)

    async def change(self, before: Account, after: Account, *also: Write) -> None:
        """Changes the login or the password of an account.

        Raises `Conflict` where the login is somebody else's, or the password is no longer that of
        `before`, so that nobody changes anything by an old password.
        """
        changed = {"login": after.login, "password": after.password, "changed": after.changed}
        await self._write(one(_unchanged(before).values(changed)), *also)

    async def sure(self, account: Account, *writes: Write) -> None:
        """Writes for somebody who has proved that they know the password of an account.

        Raises `Conflict`, with nothing written, where the password has been changed since.
        """
        await self._write(one(_unchanged(account).values(password=account.password)), *writes)

    async def rehash(self, account: Account, password: str) -> None:
        """Stores another hash of the same password. Raises `Conflict` where the password has been
        changed meanwhile."""
        await self._write(one(_unchanged(account).values(password=password)))

    # Recovery codes

    async def codes_left(self, person: str) -> int:
        """Number of a person's codes that can still be used."""
        query = select(func.count()).select_from(CODES)
        query = query.where(CODES.c.person == person, CODES.c.used.is_(None))
        return await self._value(query, 0)

    async def put_codes(self, person: str, codes: Collection[bytes]) -> None:
        """Gives a person new codes in place of all old ones."""
        await self._write(*codes_replaced(person, codes))

    async def has_code(self, code: bytes) -> bool:
        """Whether a code, given by its hash, exists and has not been used."""
        query = select(CODES.c.code_hash).where(CODES.c.code_hash == code, CODES.c.used.is_(None))
        return bool(await self._reader.rows(query))

    async def recover(self, account: Account, code: bytes, *also: Write) -> None:
        """Uses a code up, and sets the new password of the account.

        Raises `Conflict`, with nothing written, where there is no such code, or it was used.
        """
        unused = update(CODES).where(CODES.c.code_hash == code, CODES.c.used.is_(None))
        known = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person)
        await self._write(
            one(unused.values(used=time())),
            one(known.values(password=account.password, changed=account.changed)),
            *also,
        )

    # Roles

    async def role(self, person: str) -> str:
        """A person's role: '' for players, 'moderator' or 'administrator'."""
        return await self._value(select(ROLES.c.role).where(ROLES.c.person == person), "")

    async def put_role(self, person: str, role: str) -> None:
        """Gives a person a role; an empty one takes it away."""
        if role:
            await self._write(put(ROLES, person=person, role=role))
        else:
            await self._write(delete(ROLES).where(ROLES.c.person == person))

    # Sessions

    async def sessions(self, person: str) -> list[Session]:
        """The sessions of a person, the last used first; without links for other devices."""
        columns = SESSIONS.c
        query = select(
            columns.token_hash, columns.begun, columns.used, columns.expires, columns.agent
        ).where(columns.person == person, columns.expires > time(), columns.agent != LINK)
        return sorted(await self._all(Session, query), key=lambda each: -each.used)

    async def end_sessions(self, person: str, keep: bytes = b"") -> list[bytes]:
        """Ends all sessions of a person but one, and the links for other devices.

        Returns the token hashes of the ended ones.
        """
        query = select(SESSIONS.c.token_hash).where(SESSIONS.c.person == person)
        ended = await self._column(query)
        await self._write(*sessions_over(person, keep))
        return [each for each in ended if each != keep]

    # Known devices

    async def devices_of(self, token_hashes: Collection[bytes], person: str | None) -> list[bytes]:
        """The given devices that are known ones of a person, or of anybody if that is None."""
        query = select(DEVICES.c.token_hash).where(DEVICES.c.expires > time())
        if person is not None:
            query = query.where(DEVICES.c.person == person)
        found = await self._among(query, DEVICES.c.token_hash, token_hashes)
        return [token_hash for (token_hash,) in found]

    async def renew_devices(self, token_hashes: Collection[bytes], expires: float) -> None:
        """Lets known devices stay known until a time at least; other devices stay unknown."""
        known = update(DEVICES).where(DEVICES.c.expires > time(), DEVICES.c.expires <= expires)
        known = known.values(expires=expires)
        await self._write(*(known.where(DEVICES.c.token_hash == each) for each in token_hashes))

    def over(self, now: float) -> tuple[Write, ...]:
        return (delete(DEVICES).where(DEVICES.c.expires <= now),)

    # People

    async def known(self, text: str = "") -> list[Known]:
        """Accounts whose login or name contains a text, ordered by login; 200 at most."""
        used = select(func.max(SESSIONS.c.used)).where(SESSIONS.c.person == ACCOUNTS.c.person)
        query = (
            select(
                ACCOUNTS.c.login,
                PEOPLE.c.name,
                ACCOUNTS.c.person,
                func.coalesce(ROLES.c.role, ""),
                ACCOUNTS.c.made,
                func.coalesce(used.scalar_subquery(), 0.0),
            )
            .join(PEOPLE, PEOPLE.c.id == ACCOUNTS.c.person)
            .outerjoin(ROLES, ROLES.c.person == ACCOUNTS.c.person)
            .order_by(ACCOUNTS.c.login)
            .limit(MOST_LISTED)
        )
        if text:
            named = PEOPLE.c.name.icontains(text, autoescape=True)
            query = query.where(or_(ACCOUNTS.c.login.contains(text, autoescape=True), named))
        return await self._all(Known, query)

    async def export(self, person: str) -> dict[str, Any]:
        account = await self.account(person)
        shown = None if account is None else msgspec.structs.asdict(account)
        if shown is not None:
            del shown["password"]
        devices = select(DEVICES.c.since, DEVICES.c.expires.label("ends"))
        return {
            "account": shown,
            "recovery_codes_left": await self.codes_left(person),
            "role": await self.role(person),
            "sessions": [
                {"device": each.agent, "begun": each.begun, "used": each.used, "ends": each.expires}
                for each in await self.sessions(person)
            ],
            "known_devices": await self._dicts(devices.where(DEVICES.c.person == person)),
        }


def _unchanged(account: Account) -> Update:
    """An update of an account, which changes nothing if its password has been changed meanwhile."""
    known = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person)
    return known.where(ACCOUNTS.c.password == account.password)


def _codes(person: str, codes: Collection[bytes]) -> tuple[NewRow, ...]:
    return tuple(insert(CODES, code_hash=code, person=person, used=None) for code in codes)


def codes_replaced(person: str, codes: Collection[bytes]) -> tuple[Write, ...]:
    """Writes that give a person new codes in place of all old ones."""
    before = delete(CODES).where(CODES.c.person == person, CODES.c.code_hash.not_in(codes))
    return before, *_codes(person, codes)


def device_known(token_hash: bytes, person: str, expires: float) -> tuple[Write, ...]:
    """Writes that make a device known until a time, as its person has proved who they are there."""
    values = {"token_hash": token_hash, "person": person, "since": time(), "expires": expires}
    return (renew(DEVICES, "expires", **values),)


def session_ended(person: str, token_hash: bytes) -> tuple[Write, ...]:
    """Writes that end one session of a person, and all links for other devices, since the session
    may have handed some out."""
    links = delete(SESSIONS).where(SESSIONS.c.person == person, SESSIONS.c.agent == LINK)
    return session_over(token_hash), links


def secured(person: str, session: bytes = b"", device: bytes = b"") -> tuple[Write, ...]:
    """Writes for a changed password: all sessions but one end, and other devices are no longer
    known."""
    devices = delete(DEVICES).where(DEVICES.c.person == person, DEVICES.c.token_hash != device)
    return *sessions_over(person, session), devices


# Folded logins, and the codes by which somebody comes back without a password

CODES_AT_ONCE: Final = 10  # codes that somebody gets at a time
ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's alphabet: letters that look alike are one, and few words come out by accident."""

GROUPS, GROUP = 4, 4  # groups and letters in each: 80 bits, too many to be guessed from the hash
_ALIKE: Final = str.maketrans("iloILO", "110110")


def folded(text: str) -> str:
    """A login in the form in which it is stored and compared: capitals and widths do not matter.

    >>> folded(" Zoé "), folded("ＡＮＮＡ"), folded("Straße")
    ('zoé', 'anna', 'strasse')
    """
    plain = unicodedata.normalize("NFKC", text.strip())
    return unicodedata.normalize("NFKC", plain.casefold())


def new_codes() -> tuple[str, ...]:
    """Ten new recovery codes, in the form in which they are shown."""

    def group() -> str:
        return "".join(secrets.choice(ALPHABET) for _ in range(GROUP))

    return tuple("-".join(group() for _ in range(GROUPS)) for _ in range(CODES_AT_ONCE))


def code_key(person: str, text: str) -> bytes:
    """The hash of a code, however it is typed; the same code of another person has another hash.

    >>> code_key("ann", "0123-4567-89AB-CDEF") == code_key("ann", "o l23 4567 89ab cdef")
    True
    >>> code_key("bob", "0123-4567-89ab-cdef") == code_key("ann", "0123-4567-89ab-cdef")
    False
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())
    return sha256(f"code {person} {bare.translate(_ALIKE).lower()}".encode()).digest()


CHALLENGE_BYTES: Final = 32


CHALLENGE_LASTS: Final = 300.0
"""Seconds in which somebody has to answer a challenge by their passkey."""


class Passkey(msgspec.Struct, frozen=True):
    """A passkey of a person; the secret half of it never leaves their device."""

    id: bytes  # id given by the device; unique
    person: str
    public_key: bytes  # in COSE's encoding
    sign_count: int  # uses, by its own last count; always 0 where devices share copies of the key
    name: str  # name that its owner has given it
    made: float  # seconds since 1970
    used: float | None = None  # time of the last use; None where it never was used


PASSKEYS: Final = table(
    "passkeys",
    Passkey,
    "id",
    Index("passkeys_by_person", "person"),
    wide="sign_count",
    person=PEOPLE,
)


CHALLENGES: Final = table(
    "challenges",
    {"challenge": bytes, "person": str, "expires": float},
    "challenge",
    Index("challenges_by_end", "expires"),
)


class Passkeys(Part):
    """The store's part for passkeys, and for the challenges that they sign."""

    met = (PASSKEYS.c.person,)

    async def add(self, passkey: Passkey, *also: Write) -> None:
        """Stores a new passkey. Raises `Conflict` where its id is known, and `Gone` where its
        person is not."""
        await self._write(insert(PASSKEYS, passkey), *also)

    async def of(self, person: str) -> list[Passkey]:
        """The passkeys of a person, the oldest first."""
        query = select(PASSKEYS).where(PASSKEYS.c.person == person)
        return await self._all(Passkey, query.order_by(PASSKEYS.c.made, PASSKEYS.c.id))

    async def find(self, key: bytes) -> Passkey | None:
        """The passkey with an id, of any person; None where there is none."""
        return await self._first(Passkey, select(PASSKEYS).where(PASSKEYS.c.id == key))

    async def rename(self, passkey: Passkey, name: str) -> None:
        """Gives a passkey another name; does nothing if the passkey is gone."""
        await self._write(update(PASSKEYS).where(_is(passkey)).values(name=name))

    async def use(self, passkey: Passkey, count: int, *also: Write) -> None:
        """Stores the use of a passkey with the count of uses that it gave, and the writes that the
        use allows.

        Raises `Conflict`, with nothing written, where the count has not grown, as happens when
        somebody has made a copy of the key; and where the passkey is gone. Keys that are shared by
        devices always count 0.
        """
        more = PASSKEYS.c.sign_count < count
        counted = or_(more, PASSKEYS.c.sign_count == 0) if count == 0 else more
        used = update(PASSKEYS).where(_is(passkey), counted)
        await self._write(one(used.values(sign_count=count, used=time())), *also)

    async def export(self, person: str) -> dict[str, Any]:
        keys = await self.of(person)
        return {"passkeys": [{"name": k.name, "made": k.made, "used": k.used} for k in keys]}

    # Challenges

    async def challenge(self, purpose: str, writing: Writing | None = None) -> bytes:
        """New random bytes to be signed, for one purpose alone.

        Args:
            writing: stores them, if the person's earlier proof still holds.
        """
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        await (writing or self._write)(_new_challenge(challenge, purpose))
        return challenge

    def over(self, now: float) -> tuple[Write, ...]:
        return (delete(CHALLENGES).where(CHALLENGES.c.expires <= now),)

    async def try_writing(self) -> None:
        """Writes a challenge and removes it in the same transaction, to see whether that works.

        Raises `Unavailable` where nothing can be written.
        """
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        await self._write(_new_challenge(challenge, ""), one(_taken(challenge, "")))

    async def take(self, challenge: bytes, purpose: str) -> None:
        """Uses a challenge up. Raises `Conflict` for a used, old or invented one."""
        await self._write(one(_taken(challenge, purpose)))


def passkey_gone(passkey: Passkey) -> Delete:
    """The deletion of a passkey."""
    return delete(PASSKEYS).where(_is(passkey))


def _is(passkey: Passkey) -> ColumnElement[bool]:
    """The condition that a row is that passkey, still of the same person."""
    return and_(PASSKEYS.c.id == passkey.id, PASSKEYS.c.person == passkey.person)


def _new_challenge(challenge: bytes, purpose: str) -> NewRow:
    expires = time() + CHALLENGE_LASTS
    return insert(CHALLENGES, challenge=challenge, person=purpose, expires=expires)


def _taken(challenge: bytes, purpose: str) -> Delete:
    query = delete(CHALLENGES).where(CHALLENGES.c.challenge == challenge)
    return query.where(CHALLENGES.c.person == purpose, CHALLENGES.c.expires > time())
