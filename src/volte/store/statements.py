"""Everything that the writer writes, in the order in which it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Executable,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from volte.store.schema import (
    ACCOUNTS,
    ADMITTED,
    CHALLENGES,
    CLUBS,
    CODES,
    COMERS,
    DEVICES,
    ENTRIES,
    EVENINGS,
    LISTINGS,
    MATCHES,
    MEASURES,
    MEMBERS,
    MUTES,
    OWNERS,
    PASSKEYS,
    PEOPLE,
    PLAYERS,
    RATINGS,
    RECKONED,
    REPORTS,
    RESULTS,
    ROLES,
    SAYINGS,
    SESSIONS,
    TRIALS,
)

Statements = dict[str, Executable]

_INSERTS: Final[dict[str, Callable[[Table], Any]]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


_COUNT: Final = bindparam("count", type_=BigInteger)
"""How often a passkey says that it has been used."""


def statements(dialect: str) -> Statements:
    """By name, what a `Change` can ask for.

    The order is that of execution: what others point at comes first, and since every group
    of every node keeps it, none waits for one that waits for it.
    """
    insert = _INSERTS[dialect]
    return {
        "entry": insert(ENTRIES),
        "listing": _put(insert, LISTINGS),
        "match": _put(insert, MATCHES),
        "player": _put(insert, PLAYERS),
        "person": _put(insert, PEOPLE),
        "person_changed": update(PEOPLE)
        .where(PEOPLE.c.id == bindparam("whose"))
        .values(name=bindparam("called"), lang=bindparam("speaks"), settings=bindparam("chosen")),
        "expired": delete(SESSIONS).where(SESSIONS.c.expires <= bindparam("now")),
        "session": _lasting(insert, SESSIONS, "expires", "used"),
        "session_lasts": update(SESSIONS)
        .where(SESSIONS.c.token_hash == bindparam("lasting"), SESSIONS.c.expires > bindparam("now"))
        .values(expires=bindparam("until"), used=bindparam("now")),
        "session_over": delete(SESSIONS).where(SESSIONS.c.token_hash == bindparam("over")),
        "session_taken": delete(SESSIONS).where(SESSIONS.c.token_hash == bindparam("over")),
        "admitted": insert(ADMITTED).on_conflict_do_nothing(),
        # People
        "account_made": insert(ACCOUNTS),
        "account_changed": update(ACCOUNTS)
        .where(ACCOUNTS.c.person == bindparam("whose"), ACCOUNTS.c.password == bindparam("before"))
        .values(login=bindparam("called"), password=bindparam("after"), changed=bindparam("when")),
        "password_set": update(ACCOUNTS)
        .where(ACCOUNTS.c.person == bindparam("whose"))
        .values(password=bindparam("after"), changed=bindparam("when")),
        "rehashed": update(ACCOUNTS)
        .where(ACCOUNTS.c.person == bindparam("whose"), ACCOUNTS.c.password == bindparam("before"))
        .values(password=bindparam("after")),
        "sessions_over": delete(SESSIONS).where(
            SESSIONS.c.person == bindparam("gone"), SESSIONS.c.token_hash != bindparam("kept")
        ),
        "devices_expired": delete(DEVICES).where(DEVICES.c.expires <= bindparam("now")),
        "devices_over": delete(DEVICES).where(DEVICES.c.person == bindparam("gone")),
        "device": _lasting(insert, DEVICES, "expires"),
        "device_lasts": update(DEVICES)
        .where(DEVICES.c.token_hash == bindparam("lasting"), DEVICES.c.expires > bindparam("now"))
        .values(expires=bindparam("until")),
        "codes_over": delete(CODES).where(CODES.c.person == bindparam("gone")),
        "code": insert(CODES),
        "code_used": update(CODES)
        .where(CODES.c.code_hash == bindparam("code"), CODES.c.used.is_(None))
        .values(used=bindparam("now")),
        # Passkeys
        "passkey": insert(PASSKEYS),
        "passkey_named": _passkey().values(name=bindparam("called")),
        "passkey_used": _passkey()
        .where(or_(PASSKEYS.c.sign_count < _COUNT, _nobody_counts()))
        .values(sign_count=_COUNT, used=bindparam("now")),
        "passkey_over": delete(PASSKEYS).where(
            PASSKEYS.c.id == bindparam("key"), PASSKEYS.c.person == bindparam("whose")
        ),
        "challenges_over": delete(CHALLENGES).where(CHALLENGES.c.expires <= bindparam("now")),
        "challenge": insert(CHALLENGES),
        "challenge_taken": delete(CHALLENGES).where(
            CHALLENGES.c.challenge == bindparam("taken"),
            CHALLENGES.c.person == bindparam("whose"),
            CHALLENGES.c.expires > bindparam("now"),
        ),
        "role": _put(insert, ROLES),
        "role_over": delete(ROLES).where(ROLES.c.person == bindparam("gone")),
        # Talk
        "saying": insert(SAYINGS),
        "sayings_old": delete(SAYINGS).where(SAYINGS.c.at < bindparam("before")),
        "sayings_forgotten": delete(SAYINGS).where(SAYINGS.c.person == bindparam("who")),
        "mute": _put(insert, MUTES),
        "unmute": delete(MUTES).where(
            MUTES.c.person == bindparam("who"), MUTES.c.other == bindparam("whom")
        ),
        "report": insert(REPORTS),
        "report_decided": update(REPORTS)
        .where(REPORTS.c.id == bindparam("which"), REPORTS.c.decided.is_(None))
        .values(
            decision=bindparam("verdict"),
            remark=bindparam("why_so"),
            decided_by=bindparam("who"),
            decided=bindparam("now"),
            evidence=bindparam("proof"),
        ),
        "reports_told": update(REPORTS)
        .where(REPORTS.c.by == bindparam("who"), REPORTS.c.decided <= bindparam("now"))
        .values(told=bindparam("now")),
        "evidence_old": update(REPORTS)
        .where(REPORTS.c.decided < bindparam("before"))
        .where(or_(REPORTS.c.evidence != b"", REPORTS.c.note != ""))
        .values(evidence=b"", note=""),
        "reports_forgotten": update(REPORTS)
        .where(REPORTS.c.by == bindparam("who"))
        .values(note=""),
        "measure": insert(MEASURES),
        "measures_seen": update(MEASURES)
        .where(
            MEASURES.c.person == bindparam("who"),
            MEASURES.c.seen.is_(None),
            MEASURES.c.at <= bindparam("now"),
        )
        .values(seen=bindparam("now")),
        "measure_lifted": update(MEASURES)
        .where(MEASURES.c.id == bindparam("which"), MEASURES.c.lifted.is_(None))
        .values(
            lifted=bindparam("now"),
            lifted_by=bindparam("who"),
            lifted_why=bindparam("why_so"),
            seen=None,
        ),
        "trial": insert(TRIALS),
        # History
        "reckoned": insert(RECKONED),
        "result": insert(RESULTS),
        "rating_first": insert(RATINGS),
        "rating_next": update(RATINGS)
        .where(
            RATINGS.c.person == bindparam("of_person"),
            RATINGS.c.ladder == bindparam("of_ladder"),
            RATINGS.c.matches == bindparam("before"),
        )
        .values({name: bindparam(name) for name in ("mu", "sigma", "matches", "at")}),
        "player_forgotten": update(PLAYERS)
        .where(PLAYERS.c.person == bindparam("gone"))
        .values(person=""),
        "beginner_forgotten": update(PLAYERS)
        .where(PLAYERS.c.began == bindparam("gone"))
        .values(began=""),
        "latecomer_forgotten": delete(RESULTS).where(
            RESULTS.c.person == bindparam("gone"), RESULTS.c.late == 1
        ),
        "result_forgotten": update(RESULTS)
        .where(RESULTS.c.person == bindparam("gone"))
        .values(person="", name=""),
        "rating_forgotten": delete(RATINGS).where(RATINGS.c.person == bindparam("gone")),
        "reckoned_over": delete(RECKONED),
        "results_over": delete(RESULTS),
        "ratings_over": delete(RATINGS),
        # Clubs
        "club": _put(insert, CLUBS),
        "club_inherited": update(CLUBS)
        .where(CLUBS.c.owner == bindparam("gone"))
        .values(owner=_heir()),
        "member": _put(insert, MEMBERS),
        "member_over": delete(MEMBERS).where(
            MEMBERS.c.club == bindparam("which"), MEMBERS.c.person == bindparam("gone")
        ),
        "memberships_over": delete(MEMBERS).where(MEMBERS.c.person == bindparam("gone")),
        "club_over": delete(CLUBS).where(CLUBS.c.id == bindparam("which")),
        "clubs_over": delete(CLUBS).where(CLUBS.c.owner == ""),
        "evening": _put(insert, EVENINGS),
        "comer": insert(COMERS).on_conflict_do_nothing(),
        "comings_over": delete(COMERS).where(COMERS.c.person == bindparam("gone")),
        # Nodes
        "owner": text(OWNED),
        # No node is called that: whoever looks for tables of the dead takes it, if a match goes on.
        "owner_gone": update(OWNERS)
        .where(OWNERS.c.table == bindparam("left"), OWNERS.c.node == bindparam("by"))
        .values(node=""),
        "owners_gone": text(FORGOTTEN),
        # Somebody who leaves for good: what they alone have, and last the person
        "sheet_entries_over": delete(ENTRIES).where(ENTRIES.c.stream.in_(_sheets_of_the_gone())),
        "sheets_over": delete(LISTINGS).where(LISTINGS.c.table.in_(_sheets_of_the_gone())),
        "admitted_over": delete(ADMITTED).where(ADMITTED.c.person == bindparam("gone")),
        "person_over": delete(PEOPLE).where(PEOPLE.c.id == bindparam("gone")),
    }


MUST_CHANGE: Final = frozenset(
    {
        "session_taken",
        "account_changed",
        "password_set",
        "code_used",
        "challenge_taken",
        "passkey_used",
        "report_decided",
        "measure_lifted",
        "rating_next",
        "owner",
    }
)
"""The statements that have to change one row: where they do not, somebody else was first."""

OWNED: Final = """
    INSERT INTO owners ("table", node) SELECT CAST(:table AS text), CAST(:node AS text)
    WHERE EXISTS (SELECT FROM nodes WHERE id = :node) AND EXISTS (
        SELECT FROM listings
        WHERE "table" = :table AND state IN ('waiting', 'playing', 'paused')
    ) ON CONFLICT ("table") DO UPDATE SET node = excluded.node
    WHERE owners.node = excluded.node
    OR NOT EXISTS (SELECT FROM nodes WHERE id = owners.node)
"""
"""A table has this owner, if it has none yet who lives; for PostgreSQL."""

FORGOTTEN: Final = """
    DELETE FROM owners WHERE "table" IN (
        SELECT "table" FROM owners
        WHERE NOT EXISTS (SELECT FROM nodes WHERE id = owners.node) AND NOT EXISTS (
            SELECT FROM listings WHERE "table" = owners."table" AND state = 'playing'
        ) FOR UPDATE SKIP LOCKED
    )
"""
"""Dead owners of tables where nothing goes on are forgotten; for PostgreSQL."""

_ADDED: Final = """
    INSERT INTO entries (stream, version, data, cause, at)
    WITH added (stream, version, data, cause, at, expected) AS ({rows})
    SELECT stream, version, data, cause, at FROM added
    WHERE NOT EXISTS (
        SELECT 1 FROM added WHERE expected <> coalesce(
            (SELECT max(version) FROM entries WHERE entries.stream = added.stream), 0
        )
    )
"""
"""Adds all of the rows, if every stream ends where it is expected to, or none."""

ADDED: Final = _ADDED.format(
    rows="""
        SELECT * FROM unnest(
            $1::text[], $2::integer[], $3::bytea[], $4::text[], $5::double precision[],
            $6::integer[]
        )
    """
)
"""Adds entries, or none of them; for PostgreSQL, with a list for each column."""


def added_rows(rows: int) -> str:
    """Adds so many entries, or none of them; for SQLite, with the values row by row.

    A statement for each row would give up the interpreter's lock as often, and wait for it.
    """
    return _ADDED.format(rows="VALUES " + ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows))


KEPT: Final = {
    "sqlite": text(
        "SELECT stream, version FROM json_each(:places) AS place CROSS JOIN entries"
        " ON stream = json_extract(place.value, '$.stream')"
        " AND version = json_extract(place.value, '$.version')"
    ),
    "postgresql": text(
        "SELECT place.stream, place.version"
        " FROM json_to_recordset(CAST(CAST(:places AS text) AS json))"
        " AS place(stream text, version integer)"
        " CROSS JOIN LATERAL (SELECT FROM entries"
        " WHERE stream = place.stream AND version = place.version OFFSET 0) AS entry"
    ),
}
"""By dialect: which of these places in streams, a JSON list of objects, have an entry.

Both are kept from reading all entries, as SQLite does for a list of pairs after IN, and PostgreSQL
for a plain join while it does not know how many there are.
"""


def _passkey() -> Update:
    """Changes one passkey of one person."""
    return update(PASSKEYS).where(
        PASSKEYS.c.id == bindparam("key"), PASSKEYS.c.person == bindparam("whose")
    )


def _nobody_counts() -> ColumnElement[bool]:
    """Whether a passkey does not count its uses, as those do not that are kept on many devices."""
    return and_(PASSKEYS.c.sign_count == 0, _COUNT == 0)


def _sheets_of_the_gone() -> Select[tuple[str]]:
    """The score sheets of a person; nobody else has written on them."""
    sheets = select(LISTINGS.c.table).where(LISTINGS.c.state == "sheet")
    return sheets.where(LISTINGS.c.host == bindparam("gone"))


def _heir() -> ColumnElement[str]:
    """Who has a club after its owner: an organiser before others, whoever came first before later
    ones; empty where nobody is left."""
    heirs = select(MEMBERS.c.person).where(MEMBERS.c.club == CLUBS.c.id)
    heirs = heirs.where(MEMBERS.c.person != bindparam("gone"))
    heirs = heirs.order_by(MEMBERS.c.role.desc(), MEMBERS.c.joined, MEMBERS.c.person).limit(1)
    return func.coalesce(heirs.correlate(CLUBS).scalar_subquery(), "")


def _lasting(insert: Callable[[Table], Any], table: Table, *renewed: str) -> Executable:
    """Inserts a row, or lets the one with the same token last on: only those columns change."""
    statement = insert(table)
    lasting: Executable = statement.on_conflict_do_update(
        index_elements=[table.c.token_hash],
        set_={name: statement.excluded[name] for name in renewed},
    )
    return lasting


def _put(insert: Callable[[Table], Any], table: Table) -> Executable:
    """Inserts a row, or replaces the one with the same key."""
    statement = insert(table)
    put: Executable = statement.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            column.name: statement.excluded[column.name]
            for column in table.columns
            if not column.primary_key
        },
    )
    return put
