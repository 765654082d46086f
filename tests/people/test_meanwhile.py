"""Proofs are checked once more when they are used: a password, passkey, link or session that has
gone since the first check lets nobody in, and changes nothing."""

from __future__ import annotations

import threading
from asyncio import Event
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final

import pytest
from kit import Playroom, Visitor
from kit.accounts import OTHER, WORDS, account, sign_in, sign_up
from kit.authenticator import Authenticator, Browser
from sqlalchemy import select

from volte.people.sessions import Sessions
from volte.people.store import ACCOUNTS, CHALLENGES, CODES, DEVICES, PASSKEYS
from volte.store.schema import SESSIONS
from volte.store.writer import _table

NEW: Final = "trois lunes de papier"


@contextmanager
def held(playroom: Playroom) -> Iterator[threading.Event]:
    """Holds the first request that is about to write something of an account, until the context
    ends. The event is set once it is there."""
    writer, there, go_on = playroom.site.room.store._writer, threading.Event(), Event()
    append = writer.append

    async def waiting(*job: Any) -> None:
        if not there.is_set() and {*map(_table, job[3])} - {CHALLENGES}:
            there.set()
            await go_on.wait()
        await append(*job)

    async def release() -> None:
        writer.append = append  # type: ignore[method-assign]
        go_on.set()

    writer.append = waiting  # type: ignore[method-assign, assignment]
    try:
        yield there
    finally:
        playroom.do(release())


def known(playroom: Playroom, person: str) -> dict[str, list[Any]]:
    """The rows of all proofs that let somebody in as a person."""

    async def rows() -> dict[str, list[Any]]:
        read, found = playroom.site.room.store._reader.rows, {}
        for table in (ACCOUNTS, CODES, DEVICES, PASSKEYS, SESSIONS):
            key = next(iter(table.primary_key))
            found[table.name] = [*await read(select(table).where(table.c.person == person))]
            found[table.name].sort(key=lambda row, key=key: row._mapping[key.name])  # type: ignore[misc]
        made = select(CHALLENGES.c.challenge).where(CHALLENGES.c.person == f"make {person}")
        return found | {"challenges": [*await read(made)]}

    return playroom.do(rows())


def late(
    playroom: Playroom, person: str, request: Callable[[], int], meanwhile: Callable[[], object]
) -> int:
    """The status of a request that is held before it writes, while something else happens. The
    person's rows must be unchanged by it."""
    with ThreadPoolExecutor(1) as pool:
        with held(playroom) as there:
            asked = pool.submit(request)
            assert there.wait(30), asked.result(0)
            meanwhile()
            after = known(playroom, person)
        status = asked.result(30)
    assert known(playroom, person) == after
    return status


# Ways by the password and a session that was begun by it: each is a request of the second browser


def by_form(second: Visitor, login: str) -> int:
    return sign_in(second, login).status


def as_program(second: Visitor, login: str) -> int:
    body = {"login": login, "password": WORDS}
    return second.client.post("/api/signin", json=body, headers={"x-volte": "1"}).status_code


def form(path: str, **fields: str) -> Callable[[Visitor, str], int]:
    return lambda second, login: second.post(path, fields | {"login": "thief of " + login}).status


WAYS: Final[dict[str, Callable[[Visitor, str], int]]] = {
    "sign in": by_form,
    "sign in by a program": as_program,
    "change the password": form("/account/password", present=WORDS, password=NEW),
    "change the login": form("/account/login", present=WORDS),
    "take new codes": form("/account/codes", present=WORDS),
    "hand out a link": form("/me/device"),
    "delete the person": form("/me/data/delete", present=WORDS),
}


def some(ways: Iterable[str]) -> list[Any]:
    """Parameters for the ways; ways like another one are left to the full run."""
    full = ("sign in by a program", "change the login")
    return [pytest.param(way, marks=[pytest.mark.full] * (way in full)) for way in ways]


@pytest.mark.parametrize("way", some(WAYS))
def test_a_password_that_was_changed_opens_nothing_though_it_was_checked_before(
    playroom: Playroom, zoé: Visitor, another: Visitor, way: str
) -> None:
    login, _ = sign_up(zoé)
    person = account(playroom, login).person
    assert sign_in(another, login).status == 200

    def change() -> None:
        zoé.post("/account/password", {"present": WORDS, "password": OTHER})

    status = late(playroom, person, lambda: WAYS[way](another, login), change)
    assert status in (401, 422)
    assert another.get("/api/me").status == 401
    assert zoé.get("/api/me").status == 200
    assert len(known(playroom, person)["sessions"]) == len(known(playroom, person)["devices"]) == 1


@pytest.mark.parametrize("way", some(way for way in WAYS if not way.startswith("sign in")))
def test_a_session_that_was_ended_gets_no_new_token_and_changes_nothing(
    playroom: Playroom, zoé: Visitor, another: Visitor, way: str
) -> None:
    login, _ = sign_up(zoé)
    person = account(playroom, login).person
    assert sign_in(another, login).status == 200

    def end() -> None:
        zoé.post("/me/sessions", {"others": "1"})

    assert late(playroom, person, lambda: WAYS[way](another, login), end) == 401
    assert another.get("/api/me").status == 401


def test_a_guest_whose_session_was_ended_makes_no_account(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    another.client.cookies.set("volte", zoé.client.cookies["volte"])
    person = zoé.get("/api/me").answer.json()["person"]

    def make() -> int:
        return another.post("/account", {"login": "thief", "password": WORDS}).status

    assert late(playroom, person, make, lambda: zoé.post("/logout")) == 401


def test_whoever_comes_back_by_a_code_is_alone_with_it(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, codes = sign_up(zoé)
    person = account(playroom, login).person
    fields = {"login": login, "code": codes[0], "password": OTHER}
    recovering: Callable[[], object] = lambda: zoé.post("/recover", fields)  # noqa: E731
    assert late(playroom, person, lambda: sign_in(another, login).status, recovering) == 422
    assert len(known(playroom, person)["sessions"]) == 1


def test_codes_that_were_replaced_set_no_password(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, codes = sign_up(zoé)
    person = account(playroom, login).person

    def recover() -> int:
        return another.post("/recover", {"login": login, "code": codes[0], "password": NEW}).status

    anew: Callable[[], object] = lambda: zoé.post("/account/codes", {"present": WORDS})  # noqa: E731
    assert late(playroom, person, recover, anew) == 422
    assert another.get("/api/me").status == 401


@pytest.mark.parametrize("way", ["password", "code"])
def test_nobody_comes_in_as_a_person_who_was_deleted_meanwhile(
    playroom: Playroom, zoé: Visitor, another: Visitor, way: str
) -> None:
    login, codes = sign_up(zoé)
    person = account(playroom, login).person
    fields = {"login": login, "code": codes[0], "password": NEW}

    def come() -> int:
        if way == "password":
            return sign_in(another, login).status
        return another.post("/recover", fields).status

    gone: Callable[[], object] = lambda: zoé.post("/me/data/delete", {"present": WORDS})  # noqa: E731
    assert late(playroom, person, come, gone) in (410, 422)
    assert not any(known(playroom, person).values())


def test_a_link_that_ends_while_it_is_taken_lets_nobody_in(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    shown = zoé.post("/me/device").all("input", id="address")[0]["value"]
    path = shown.removeprefix(playroom.address)

    def change() -> None:
        zoé.post("/account/password", {"present": WORDS, "password": OTHER})

    person = account(playroom, login).person
    assert late(playroom, person, lambda: another.post(path).status, change) == 410
    assert another.get("/api/me").status == 401


def test_a_session_that_is_ended_alone_leaves_no_link_behind(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    assert sign_in(another, login).status == 200
    path = another.post("/me/device").all("input", id="address")[0]["value"]
    _, there = zoé.get("/me/sessions").all("button", name="session")
    zoé.post("/me/sessions", {"session": there["value"]})
    assert another.get(path.removeprefix(playroom.address)).status == 410


# Passkeys


def test_a_passkey_that_is_removed_in_the_middle_of_a_sign_in_lets_nobody_in(
    playroom: Playroom,
) -> None:
    with Browser(playroom, "Anne") as anne, Browser(playroom) as stranger:
        key = Authenticator()
        assert anne.makes(key).status_code == 200
        person = anne.client.get("/api/me").json()["person"]
        path, proof = f"{sha256(key.id).hexdigest()[:32]}/remove", anne.confirms(key)

        def remove() -> None:
            assert anne.sends(path, proof=proof).status_code == 200

        assert late(playroom, person, lambda: stranger.signs_in(key).status_code, remove) == 403
        assert stranger.who() == ""


def test_no_passkey_is_made_by_a_password_that_was_changed(playroom: Playroom) -> None:
    with Browser(playroom, "Anne") as anne, Browser(playroom) as thief:
        login, _ = sign_up(anne)
        assert sign_in(thief, login).status == 200

        def change() -> None:
            anne.post("/account/password", {"present": WORDS, "password": OTHER})

        def ask() -> int:
            return thief.sends("options", name="Phone", password=WORDS).status_code

        assert late(playroom, account(playroom, login).person, ask, change) == 422


def test_no_passkey_is_added_by_a_session_that_has_ended(playroom: Playroom) -> None:
    with Browser(playroom, "Anne") as anne, Browser(playroom) as thief:
        thief.client.cookies.set("volte", anne.client.cookies["volte"])
        person = anne.client.get("/api/me").json()["person"]

        def end() -> None:
            playroom.do(playroom.site.room[Sessions].end_all(person))

        assert late(playroom, person, lambda: thief.makes(Authenticator()).status_code, end) == 401
