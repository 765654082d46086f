"""Accounts: logins, recovery codes, roles, sessions; and whatever is kept about a person."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final

import msgspec
from sqlalchemy import Column, ColumnElement, exists, func, or_, select

from volte.store.part import Part
from volte.store.schema import (
    ACCOUNTS,
    ADMITTED,
    CODES,
    COMERS,
    DEVICES,
    LISTINGS,
    MATCHES,
    MEASURES,
    MEMBERS,
    PASSKEYS,
    PEOPLE,
    PLAYERS,
    REPORTS,
    RESULTS,
    ROLES,
    SAYINGS,
    SESSIONS,
)
from volte.store.writer import Change

LINK: Final = "link"
"""What stands for the device where a session is a link for another one, and no session yet."""

SHEET: Final = "sheet"
"""The state of the listing of a score sheet, which is its owner's alone."""

MOST_LISTED: Final = 200

KNOWN_BY: Final = (
    *(ACCOUNTS.c.person, PASSKEYS.c.person, ROLES.c.person),
    *(PLAYERS.c.person, PLAYERS.c.began, RESULTS.c.person),
    *(MEMBERS.c.person, COMERS.c.person, SAYINGS.c.person),
    *(REPORTS.c.by, REPORTS.c.against, MEASURES.c.person),
)
"""Where a person stands who can come back, or whom others have played or talked with."""


class Account(msgspec.Struct, frozen=True):
    """How somebody comes back at any browser.

    Attributes:
        person: id of whose it is.
        login: folded (`logins.folded`); no two are the same.
        password: its argon2 hash.
        made: in seconds since 1970.
        changed: when the password was set, likewise.
    """

    person: str
    login: str
    password: str
    made: float
    changed: float


class Session(msgspec.Struct, frozen=True):
    """Where somebody is signed in.

    Attributes:
        token_hash: the store knows no more of the token.
        used: when it was last made to last on, in seconds since 1970.
        agent: the kind of browser and system, as whoever began it told; empty where unknown.
    """

    token_hash: bytes
    begun: float
    used: float
    expires: float
    agent: str


class Known(msgspec.Struct, frozen=True):
    """An account, as administrators see it.

    Attributes:
        role: see `Accounts.role`.
        used: when a session was last used; 0 where there is none.
    """

    login: str
    name: str
    person: str
    role: str
    made: float
    used: float


class Accounts(Part):
    """Who somebody is beyond the cookie of a browser."""

    # Accounts

    async def account(self, person: str) -> Account | None:
        """The account of a person; None for a guest."""
        rows = await self._reader.rows(select(ACCOUNTS).where(ACCOUNTS.c.person == person), person)
        return Account(*rows[0]) if rows else None

    async def by_login(self, login: str) -> Account | None:
        """The account with that login, folded."""
        rows = await self._reader.rows(select(ACCOUNTS).where(ACCOUNTS.c.login == login), login)
        return Account(*rows[0]) if rows else None

    async def make(self, account: Account, codes: Collection[bytes]) -> None:
        """Makes an account of a person that has none, with recovery codes.

        Raises `Conflict` where the login is taken, or the person has one already.
        """
        values = msgspec.structs.asdict(account)
        await self._write(
            Change("account_made", (account.person,), values), *_codes(account.person, codes)
        )

    async def change(self, before: Account, after: Account, *, keep: bytes | None = None) -> None:
        """Keeps an account with another login or password.

        Args:
            keep: the one session of the person that goes on, while no device is known any more;
                None where the password stays, and all go on.

        Raises `Conflict` where the login is somebody else's, or the password is no longer that of
        `before`: whoever knows an old one changes nothing.
        """
        over = () if keep is None else _secured(after.person, keep)
        values: dict[str, Any] = {"whose": after.person, "before": before.password}
        values |= {"called": after.login, "after": after.password, "when": after.changed}
        await self._write(Change("account_changed", (after.person,), values), *over)

    async def rehash(self, account: Account, password: str) -> None:
        """Keeps the same password hashed otherwise, unless it has been changed meanwhile."""
        values = {"whose": account.person, "before": account.password, "after": password}
        await self._write(Change("rehashed", (account.person,), values))

    # Recovery codes

    async def codes_left(self, person: str) -> int:
        """How many codes can still be used."""
        query = select(func.count()).select_from(CODES)
        query = query.where(CODES.c.person == person, CODES.c.used.is_(None))
        return int((await self._reader.rows(query))[0][0])

    async def put_codes(self, person: str, codes: Collection[bytes]) -> None:
        """Gives a person new codes in place of all that there were."""
        await self._write(Change("codes_over", (person,), {"gone": person}), *_codes(person, codes))

    async def has_code(self, code: bytes) -> bool:
        """Whether there is such a code, and it has not been used."""
        query = select(CODES.c.code_hash).where(CODES.c.code_hash == code, CODES.c.used.is_(None))
        return bool(await self._reader.rows(query))

    async def recover(self, account: Account, code: bytes) -> None:
        """Uses a code up, and keeps the new password of the account. All sessions end, and no
        device is known any more.

        Raises `Conflict`, with nothing done, where there is no such code, or it was used.
        """
        used = Change("code_used", (code,), {"code": code, "now": time.time()})
        values: dict[str, Any] = {"whose": account.person, "when": account.changed}
        values["after"] = account.password
        chosen = Change("password_set", (account.person,), values)
        await self._write(used, chosen, *_secured(account.person))

    # Roles

    async def role(self, person: str) -> str:
        """What they may do beyond playing: '', 'moderator' or 'administrator'."""
        query = select(ROLES.c.role).where(ROLES.c.person == person)
        rows = await self._reader.rows(query, person)
        return str(rows[0].role) if rows else ""

    async def put_role(self, person: str, role: str) -> None:
        """Lets them do that from now on; empty: play, and nothing else."""
        if role:
            await self._write(Change("role", (person,), {"person": person, "role": role}))
        else:
            await self._write(Change("role_over", (person,), {"gone": person}))

    # Sessions

    async def sessions(self, person: str) -> list[Session]:
        """Where a person is signed in, the last used first; links for other devices are none."""
        columns = SESSIONS.c
        query = select(
            columns.token_hash, columns.begun, columns.used, columns.expires, columns.agent
        ).where(columns.person == person, columns.expires > time.time(), columns.agent != LINK)
        rows = await self._reader.rows(query, person)
        return sorted((Session(*row) for row in rows), key=lambda each: -each.used)

    async def end_sessions(self, person: str, keep: bytes = b"") -> list[bytes]:
        """Ends all sessions of a person but one, and what links they have: those that ended."""
        query = select(SESSIONS.c.token_hash).where(SESSIONS.c.person == person)
        ended = [row.token_hash for row in await self._reader.rows(query, person)]
        await self._write(_sessions_over(person, keep))
        return [each for each in ended if each != keep]

    # Known devices

    async def put_device(self, token_hash: bytes, person: str, expires: float) -> None:
        """Keeps until then that a person has proved at that device who they are; a known one lasts
        on. Devices whose time is over are swept.

        Raises `Conflict` for a person who is not there.
        """
        now = time.time()
        values = {"token_hash": token_hash, "person": person, "since": now, "expires": expires}
        await self._write(
            Change("devices_expired", (), {"now": now}), Change("device", (token_hash,), values)
        )

    async def devices_of(self, token_hashes: Collection[bytes], person: str | None) -> list[bytes]:
        """Those of these devices that are known to be a person's; None for anybody's."""
        query = select(DEVICES.c.token_hash).where(DEVICES.c.expires > time.time())
        if person is not None:
            query = query.where(DEVICES.c.person == person)
        found = await self._reader.rows_among(query, DEVICES.c.token_hash, token_hashes)
        return [token_hash for (token_hash,) in found]

    async def renew_devices(self, token_hashes: Collection[bytes], expires: float) -> None:
        """Lets devices be known until then; of those that are not, nothing is kept."""
        values = {"now": time.time(), "until": expires}
        changes = (
            Change("device_lasts", (each,), values | {"lasting": each}) for each in token_hashes
        )
        await self._write(*changes)

    # All that is kept about somebody

    async def known(self, text: str = "") -> list[Known]:
        """Accounts whose login or name has that text in it, by login; 200 at most."""
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
        return [Known(*row) for row in await self._reader.rows(query, text)]

    async def strayed(self, before: float, limit: int = 100) -> list[str]:
        """Guests of whom no browser knows any more, so that nobody can be them, and in nothing
        that is kept for others: no match, open table, club or evening, no saying or report.

        Args:
            before: whoever came later may be about to get their first session.
        """
        query = select(PEOPLE.c.id).where(PEOPLE.c.created < before)
        query = query.where(_none(SESSIONS.c.person, SESSIONS.c.expires > time.time()))
        query = query.where(_none(LISTINGS.c.host, LISTINGS.c.state != "closed"))
        for column in KNOWN_BY:
            query = query.where(_none(column))
        return [person for (person,) in await self._reader.rows(query.limit(limit))]

    async def export(self, person: str) -> dict[str, Any]:
        account = await self.account(person)
        sheets = select(LISTINGS.c.table, LISTINGS.c.name, LISTINGS.c.state, LISTINGS.c.updated)
        matches = select(MATCHES.c.id, MATCHES.c.table, PLAYERS.c.seat, MATCHES.c.begun)
        matches = matches.add_columns(MATCHES.c.ended).join(PLAYERS).order_by(MATCHES.c.begun)
        devices = select(DEVICES.c.since, DEVICES.c.expires.label("ends"))
        return {
            "account": None if account is None else _shown(account),
            "recovery_codes_left": await self.codes_left(person),
            "role": await self.role(person),
            "sessions": [
                {"device": each.agent, "begun": each.begun, "used": each.used, "ends": each.expires}
                for each in await self.sessions(person)
            ],
            "known_devices": await self._dicts(devices.where(DEVICES.c.person == person)),
            "tables_and_sheets": await self._dicts(sheets.where(LISTINGS.c.host == person)),
            "admitted_at": [
                row.table
                for row in await self._reader.rows(
                    select(ADMITTED.c.table).where(ADMITTED.c.person == person)
                )
            ],
            "matches": await self._dicts(matches.where(PLAYERS.c.person == person)),
        }

    def forgetting(self, person: str) -> tuple[Change, ...]:
        """The person, and with it what points at it; and their score sheets.

        Logs of tables stay, as others played in them.
        """
        gone = {"gone": person}
        names = ("sheet_entries_over", "sheets_over", "admitted_over", "person_over")
        return tuple(Change(name, (person,), gone) for name in names)

    async def _dicts(self, query: Any) -> list[dict[str, Any]]:
        return [row._asdict() for row in await self._reader.rows(query)]


def _none(column: Column[Any], *more: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a person stands in no row of that column, of those for which more holds."""
    return ~exists().where(column == PEOPLE.c.id, *more)


def _shown(account: Account) -> dict[str, Any]:
    """An account without its secret."""
    values = msgspec.structs.asdict(account)
    del values["password"]
    return values


def _codes(person: str, codes: Collection[bytes]) -> tuple[Change, ...]:
    return tuple(
        Change("code", (code,), {"code_hash": code, "person": person, "used": None})
        for code in codes
    )


def _secured(person: str, keep: bytes = b"") -> tuple[Change, ...]:
    """What ends with a password: all sessions but one, and that devices are known."""
    return _sessions_over(person, keep), Change("devices_over", (person,), {"gone": person})


def _sessions_over(person: str, keep: bytes = b"") -> Change:
    return Change("sessions_over", (person,), {"gone": person, "kept": keep})
