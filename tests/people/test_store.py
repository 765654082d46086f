"""Accounts and sessions: codes and links work once, ended sessions stay over, and nothing that is a
person's alone stays after they have left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from typing import Final

import msgspec
import pytest
from kit.postgres import on_both
from msgspec.structs import replace
from sqlalchemy import Column, Table, select, text

from volte.evenings.store import Club, Clubs, EveningRow
from volte.people.store import (
    ALPHABET,
    CODES_AT_ONCE,
    DEVICES,
    LINK,
    Account,
    Accounts,
    code_key,
    device_known,
    folded,
    new_codes,
    secured,
    session_ended,
)
from volte.server.run.room import PARTS
from volte.store import Conflict, Gone, Listing, MatchRow, Person
from volte.store.schema import METADATA, SESSIONS
from volte.store.store import Store, session_begun, session_lasts, sessions_over
from volte.store.transactions import OnLoop
from volte.store.writer import Write, _execute
from volte.talk.store import Said, TalkStore

ANN: Final = Person("ann", "Anne-Élise", "fr", {"keys": False}, 12.5)
BOB: Final = Person("bob", "Bob", "en", {}, 13.0)
HERS: Final = Account("ann", "anne", "$argon2id$one", 20.0, 20.0)
LATE: Final = time.time() + 3600


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """A store that knows Ann and Bob."""
    async with await Store.open(database, PARTS) as store:
        await store.put_person(ANN)
        await store.put_person(BOB)
        yield store


async def test_a_login_belongs_to_one_person_and_a_person_has_one(store: Store) -> None:
    accounts = store[Accounts]
    assert await accounts.account("ann") is None
    await accounts.make(HERS, [])
    his = Account("bob", "anne", "$argon2id$two", 21.0, 21.0)
    for taken in (his, replace(HERS, login="other")):
        with pytest.raises(Conflict):
            await accounts.make(taken, [])
    await accounts.make(replace(his, login="bob"), [])
    with pytest.raises(Conflict):
        await accounts.change(replace(his, login="bob"), his)
    assert await accounts.by_login("anne") == await accounts.account("ann") == HERS
    assert await accounts.by_login("Anne") is None
    assert await accounts.by_login("a\0") is None
    renamed = replace(HERS, login="élise")
    await accounts.change(HERS, renamed)
    assert await accounts.by_login("élise") == renamed
    assert [each.login for each in await accounts.known()] == ["bob", "élise"]
    assert [each.person for each in await accounts.known("anne")] == ["ann"]  # by her name


async def test_a_password_is_hashed_anew_only_while_it_is_the_same(store: Store) -> None:
    await store[Accounts].make(HERS, [])
    await store[Accounts].rehash(HERS, "$argon2id$same")
    with pytest.raises(Conflict):
        await store[Accounts].rehash(HERS, "$argon2id$late")
    assert await store[Accounts].account("ann") == replace(HERS, password="$argon2id$same")


async def test_whoever_knows_an_old_password_changes_nothing(store: Store) -> None:
    key = code_key("ann", new_codes()[0])
    await store[Accounts].make(HERS, [key])
    recovered = replace(HERS, password="$argon2id$new")
    await store[Accounts].recover(recovered, key)
    for late in (HERS, replace(HERS, login="thief")):
        with pytest.raises(Conflict):
            await store[Accounts].change(HERS, late)
    assert await store[Accounts].account("ann") == recovered


@on_both
async def test_a_code_is_used_once_whoever_is_first(store: Store) -> None:
    codes = new_codes()
    keys = [code_key("ann", code) for code in codes]
    await store[Accounts].make(HERS, keys)
    changed = [replace(HERS, password=f"$argon2id${n}") for n in range(5)]
    tries = [store[Accounts].recover(each, keys[0]) for each in changed]
    ends = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(end) for end in ends if end is not None] == [Conflict] * 4
    assert await store[Accounts].account("ann") == changed[ends.index(None)]
    assert await store[Accounts].codes_left("ann") == CODES_AT_ONCE - 1
    with pytest.raises(Conflict):
        await store[Accounts].recover(HERS, code_key("bob", codes[1]))
    await store[Accounts].put_codes("ann", [code_key("ann", "new")])
    with pytest.raises(Conflict):
        await store[Accounts].recover(HERS, keys[1])
    assert await store[Accounts].codes_left("ann") == 1


async def test_two_stores_of_one_database_use_a_code_once(store: Store, database: str) -> None:
    key = code_key("ann", new_codes()[0])
    await store[Accounts].make(HERS, [key])
    async with await Store.open(database) as other:
        tries = [each[Accounts].recover(HERS, key) for each in (store, other) * 3]
        ends = await asyncio.gather(*tries, return_exceptions=True)
        assert ends.count(None) == 1


async def test_sessions_are_listed_with_their_beginning_and_device(store: Store) -> None:
    await store.put_session(b"one", "ann", LATE, "Firefox/Linux")
    await store.put_session(b"two", "ann", LATE, "Safari/iPhone")
    await store.put_session(b"his", "bob", LATE)
    await store.put_session(b"link", "ann", LATE, LINK)
    await store.put_session(b"over", "ann", time.time() - 1)
    before = {each.token_hash: each for each in await store[Accounts].sessions("ann")}
    assert set(before) == {b"one", b"two"}
    await store.renew_session(b"one", LATE + 60)
    first, *_ = await store[Accounts].sessions("ann")
    assert (first.token_hash, first.agent) == (b"one", "Firefox/Linux")
    assert first.begun == before[b"one"].begun
    assert first.used > before[b"one"].used
    assert first.expires == LATE + 60


async def test_a_session_that_has_ended_is_never_made_to_last(store: Store) -> None:
    await store.put_session(b"one", "ann", LATE)
    await store.drop_session(b"one")
    await store.renew_session(b"one", LATE)
    assert await store.session(b"one") is None
    await store.put_session(b"two", "ann", time.time() - 1)
    await store.renew_session(b"two", LATE)
    assert await store.session(b"two") is None


async def test_all_sessions_end_but_one_and_links_with_them(store: Store) -> None:
    for key in (b"one", b"two", b"tri"):
        await store.put_session(key, "ann", LATE)
    await store.put_session(b"link", "ann", LATE, LINK)
    await store.put_session(b"his", "bob", LATE)
    ended = await store[Accounts].end_sessions("ann", b"two")
    assert sorted(ended) == [b"link", b"one", b"tri"]
    assert [each.token_hash for each in await store[Accounts].sessions("ann")] == [b"two"]
    assert await store[Accounts].end_sessions("ann") == [b"two"]
    assert await store.session(b"his") == BOB


async def test_a_link_is_taken_by_one(store: Store) -> None:
    await store.put_session(b"link", "ann", LATE, LINK)
    tries = [store.take_session(b"link") for _ in range(4)]
    ends = await asyncio.gather(*tries, return_exceptions=True)
    assert ends.count(None) == 1


@on_both
async def test_whoever_signs_in_while_the_password_changes_does_not_stay(
    store: Store, database: str
) -> None:
    """This holds for either order of the two nodes."""
    await store[Accounts].make(HERS, [])
    now = HERS
    async with await Store.open(database) as there:
        for number in range(6):
            new, tries = replace(HERS, password=f"$argon2id${number}"), list[Awaitable[None]]()
            for each in range(6):
                begun = session_begun(f"{number} {each}".encode(), "ann", LATE)
                tries.append((store, there)[each % 2][Accounts].sure(now, *begun))
            hers = *session_begun(b"hers", "ann", LATE), *secured("ann", b"hers")
            tries.insert(number, there[Accounts].change(now, new, *hers))
            ends = await asyncio.gather(*tries, return_exceptions=True)
            assert ends[number] is None
            assert [each.token_hash for each in await store[Accounts].sessions("ann")] == [b"hers"]
            now = new


@pytest.mark.parametrize("over", [sessions_over("ann"), session_ended("ann", b"one")])
async def test_a_link_does_not_outlast_the_sessions_that_end_as_it_is_handed_out(
    postgres_url: str, over: tuple[Write, ...]
) -> None:
    """A statement of PostgreSQL does not see a row that was committed after it began."""
    async with await Store.open(postgres_url) as here, await Store.open(postgres_url) as there:
        await here.put_person(ANN)
        await here.put_session(b"one", "ann", LATE)
        handed = (*session_begun(b"link", "ann", LATE, LINK), session_lasts(b"one"))
        transactions = here._writer._transactions
        assert isinstance(transactions, OnLoop)
        async with transactions._engine.connect() as connection:
            await connection.run_sync(_execute, [handed])
            ending = asyncio.create_task(there.write(*over))
            waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            async with asyncio.timeout(30):
                while not (await connection.execute(waiting)).scalar_one():
                    await asyncio.sleep(0.005)
            await connection.commit()
        await ending
        assert await here.lasting([b"one", b"link"]) == frozenset()


async def test_a_device_is_known_for_its_time_and_until_the_password_changes(store: Store) -> None:
    key = code_key("ann", new_codes()[0])
    every = (b"one", b"his", b"over")
    accounts = store[Accounts]
    await accounts.make(HERS, [key])

    async def known(person: str | None = "ann") -> list[bytes]:
        return sorted(await accounts.devices_of(every, person))

    await store.write(*device_known(b"over", "ann", time.time() - 1))
    await store.write(*device_known(b"one", "ann", LATE))
    await store.write(*device_known(b"his", "bob", LATE))
    assert await known() == [b"one"]
    assert await known("bob") == [b"his"]
    assert await known("") == []
    assert await known(None) == [b"his", b"one"]
    assert await accounts.devices_of([], None) == []
    await store.write(*device_known(b"one", "ann", LATE - 1))
    await store.sweep(time.time())
    (before,) = (await store.export("ann"))["known_devices"]
    assert before["ends"] == LATE - 1
    await accounts.renew_devices(every, LATE + 60)
    (told,) = (await store.export("ann"))["known_devices"]
    assert told == before | {"ends": LATE + 60}
    renamed = replace(HERS, login="élise")
    await accounts.change(HERS, renamed)
    assert await known() == [b"one"]
    changed = replace(renamed, password="$argon2id$new")
    await accounts.change(renamed, changed, *secured("ann"))
    assert await known(None) == [b"his"]
    await store.write(*device_known(b"one", "ann", LATE))
    assert await accounts.has_code(key)
    await accounts.recover(changed, key, *secured("ann"))
    assert not await accounts.has_code(key)
    assert await known(None) == [b"his"]
    await store.forget("bob")
    assert await known(None) == []
    with pytest.raises(Gone):
        await store.write(*device_known(b"his", "bob", LATE))


async def test_a_role_is_given_and_taken(store: Store) -> None:
    for role in ("moderator", "administrator", "", ""):
        await store[Accounts].put_role("ann", role)
        assert await store[Accounts].role("ann") == role
    assert await store[Accounts].role("nobody") == ""
    with pytest.raises(Gone):
        await store[Accounts].put_role("nobody", "moderator")


# Leaving


async def kept_of(store: Store) -> None:
    """Leave rows of Ann, and of Bob, in every table that can have some."""
    for person in ("ann", "bob"):
        account = replace(HERS, person=person, login=f"{person}’s")
        await store[Accounts].make(account, [code_key(person, "code")])
        await store.put_session(person.encode(), person, LATE, "Firefox/Linux")
        await store[Accounts].put_role(person, "moderator")
        await store.admit("t", person)
        sheet = Listing(f"sheet/{person}", "Sheet", person, "private", "sheet")
        await store.append(f"sheet/{person}", 0, [b"x", b"y"], listing=sheet)
    match = MatchRow("m1", "t", 2, b"\0" * 32, 5.0, ("ann", "bob", "", ""), 3, 6.0)
    table = Listing("t", "Ann’s", "ann", "public", "closed")
    await store.append("t", 0, [b"opened", b"began", b"over"], listing=table, matches=[match])


@on_both
async def test_what_is_exported_is_ones_own_and_no_secret(store: Store) -> None:
    await kept_of(store)
    told = await store.export("ann")
    text = msgspec.json.encode(told)
    assert told["account"]["login"] == "ann’s"
    assert told["role"] == "moderator"
    assert told["sessions"][0]["device"] == "Firefox/Linux"
    assert [match["id"] for match in told["matches"]] == ["m1"]
    assert {table["table"] for table in told["tables_and_sheets"]} == {"t", "sheet/ann"}
    assert told["admitted_at"] == ["t"]
    assert told["recovery_codes_left"] == 1
    for secret in (b"argon2", b"bob", b"Bob"):
        assert secret not in text


async def test_of_somebody_who_leaves_nothing_stays_that_is_theirs_alone(store: Store) -> None:
    await kept_of(store)
    await store.forget("ann")
    assert await store.person("ann") is None
    assert await store.session(b"ann") is None
    assert await store[Accounts].account("ann") is None
    assert await store[Accounts].codes_left("ann") == 0
    assert await store[Accounts].role("ann") == ""
    assert not await store.admitted("t", "ann")
    assert await store.read("sheet/ann") == []
    assert await store.listing("sheet/ann") is None
    assert len(await store.read("t")) == 3  # others have played there
    assert await store.matches_of("ann") == []
    assert (await store.matches_of("bob"))[0].players[1] == "bob"
    for each in ("bob", "sheet/bob"):
        assert await store.person(each) or await store.listing(each)
    assert len(await store.read("sheet/bob")) == 2
    assert await store.admitted("t", "bob")
    too_late = await store.change_person("ann", lambda person: replace(person, name="Back"))
    assert (too_late, await store.person("ann")) == (None, None)
    with pytest.raises(Gone):
        await store.put_session(b"again", "ann", LATE)


POINTS: Final = {"person", "host", "by", "against", "owner", "other", "decided_by", "maker"}
"""Columns that hold the id of a person."""

STAYS: Final = {
    "listings.host": "a table others sat at; the sheets of its owner go",
    "players.person": "emptied by History",
    "sayings.person": "wiped by Talk",
    "mutes.other": "wiped by Talk",
    "reports.by": "wiped by Talk",
    "reports.against": "kept until moderators have judged, under an id alone",
    "reports.decided_by": "the record of what moderators did",
    "measures.person": "the record of what moderators did",
    "measures.by": "the record of what moderators did",
    "results.person": "what others won against, under an id alone",
    "tries.person": "emptied by Boards",
    "boards.maker": "emptied by Boards",
    "clubs.owner": "handed over by Clubs",
    "challenges.person": "gone within minutes",
    "people.id": "",
}
"""Columns that point at a person without a foreign key, with the reasons."""


def test_no_column_points_at_a_person_without_a_way_to_go() -> None:
    for table in METADATA.sorted_tables:
        for column in table.columns:
            if column.name in POINTS:
                assert goes(column) or f"{table.name}.{column.name}" in STAYS, column


def goes(column: Column[str]) -> bool:
    """Whether the row goes with the person, by its foreign key."""
    parent: Table = METADATA.tables["people"]
    return any(
        key.column.table is parent and key.ondelete == "CASCADE" for key in column.foreign_keys
    )


# Guests of whom no browser knows any more


LONG_AGO: Final = 2.0
"""The time at which all people of these tests came, except those who come at `LATE`."""


@on_both
async def test_guests_whom_nobody_can_be_any_more_are_found(store: Store) -> None:
    """People who can come back, or whom others have met, are not found."""

    async def come(name: str, at: float = 1.0) -> str:
        await store.put_person(Person(name, name, "en", {}, at))
        return name

    await store.put_session(b"ann", "ann", LATE)
    await store.put_session(b"bob", "bob", LATE, LINK)
    await store.put_session(b"over", await come("over"), 1.0)
    await come("new", at=LATE)
    account = replace(HERS, person=await come("login"), login="login")
    await store[Accounts].make(account, [])
    await store[Accounts].put_role(await come("role"), "moderator")
    seats = (await come("seat"), "", "", "")
    row = MatchRow("m", "t", 1, b"0" * 32, 1.0, seats, began=(await come("began"), "", "", ""))
    listing = Listing("t", "Table", await come("host"), "public", "playing")
    await store.append("t", 0, [b"x"], listing=listing, matches=[row])
    await store[Clubs].put(Club("c", "Club", await come("owner"), "", True, 1.0, "key"))
    await store[Clubs].admit("c", await come("member"))
    evening = EveningRow("e", "c", "over", 1.0, b"{}")
    await store[Clubs].append(evening, 0, [b"x"], [await come("comer")])
    said = Said("t", 1, "table", await come("said"), "said", "", "Hello", 1.0)
    await store[TalkStore].say(said, "said:1")
    closed = Listing("u", "Table", "over", "public", "closed")
    await store.append("u", 0, [b"x"], listing=closed)
    assert await store.strayed(LONG_AGO + 86_400) == ["over"]
    await store.forget("over")
    assert await store.strayed(LONG_AGO + 86_400) == []
    assert await store.person("over") is None


async def test_what_has_ended_is_refused_at_once_and_forgotten_when_it_is_swept(
    store: Store,
) -> None:
    """Requests sweep nothing, since the clock may be wrong: rows go only when they are swept."""
    over = time.time() - 1
    await store.put_session(b"over", "ann", over)
    await store.write(*device_known(b"over", "ann", over))
    await store.put_session(b"new", "ann", LATE)
    await store.write(*device_known(b"new", "ann", LATE))
    assert await store.session(b"over") is None
    assert await store[Accounts].devices_of([b"over"], "ann") == []
    for at, left in ((over - 1, 2), (over, 1)):
        await store.sweep(at)
        for table in (SESSIONS, DEVICES):
            assert len(await store._reader.rows(select(table))) == left


async def test_no_renewal_shortens_anything(store: Store) -> None:
    """A clock that is set back for a moment could cause such a renewal."""
    await store.put_session(b"one", "ann", LATE)
    await store.write(*device_known(b"one", "ann", LATE))
    await store.renew_session(b"one", LATE - 1)
    await store[Accounts].renew_devices([b"one"], LATE - 1)
    for table in (SESSIONS, DEVICES):
        assert [row.expires for row in await store._reader.rows(select(table))] == [LATE]


# Logins and codes


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zoé", "zoe\u0301"), ("ＡＮＮＡ", "anna"), ("STRASSE", "straße"), (" x ", "X"), ("Ⅳ", "iv")],
)
def test_logins_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other) == folded(folded(one))


def test_codes_are_many_long_and_typed_as_one_likes() -> None:
    codes = {code for _ in range(20) for code in new_codes()}
    assert len(codes) == 20 * CODES_AT_ONCE
    for code in codes:
        bare = code.replace("-", "")
        assert len(bare) == 16
        assert set(bare) <= set(ALPHABET)
        typed = bare.upper().replace("0", "O").replace("1", "l")
        assert code_key("ann", code) == code_key("ann", f" {typed} ") != code_key("bob", code)
