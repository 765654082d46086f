"""`volte people`: an administrator's hands on the accounts, also while the server runs."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from kit.terminals import Volte, stored

from volte.evenings.store import Club, Clubs
from volte.people.store import CODES_AT_ONCE, Account, Accounts, code_key
from volte.store import Person
from volte.store.store import Store

LATE = time.time() + 3600


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database in which Zoé and Max have accounts."""
    return filled(f"sqlite:///{tmp_path / 'p.sqlite'}")


def filled(database: str) -> str:
    async def fill(store: Store) -> None:
        for person, name, login in (("zoe", "Zoé B.", "zoé"), ("max", "Max", "max")):
            await store.put_person(Person(person, name, "fr", {}, 1.0))
            await store[Accounts].make(Account(person, login, "$argon2id$", 5.0, 5.0), [])
        await store.put_session(b"hers", "zoe", LATE, "Firefox/Linux")

    stored(database, fill)
    return database


def test_accounts_are_listed_by_login_and_found_by_name(database: str, volte: Volte) -> None:
    url = filled(database)

    def logins(*args: str) -> list[str]:
        done = volte("people", "list", *args, "--database", url)
        assert (done.status, done.err) == (0, "")
        return [line.partition(":")[0] for line in done.out.splitlines()]

    assert logins() == ["max", "zoé"]
    assert logins("ZO") == logins("zoé b") == ["zoé"]
    assert volte("people", "list", "nobody", "--database", url, "--lang", "fr").status == 0
    found = json.loads(volte("people", "list", "--json", "--database", url).out)
    assert [(each["login"], each["name"], each["role"]) for each in found] == [
        ("max", "Max", ""),
        ("zoé", "Zoé B.", ""),
    ]


def test_new_codes_let_somebody_back_in(url: str, volte: Volte) -> None:
    done = volte("people", "codes", "ZOÉ", "--database", url)
    assert done.status == 0
    codes = done.out.splitlines()[1 : 1 + CODES_AT_ONCE]

    async def come_back(store: Store) -> int:
        account = await store[Accounts].by_login("zoé")
        assert account is not None
        await store[Accounts].recover(account, code_key("zoe", codes[4]))
        return await store[Accounts].codes_left("zoe")

    assert stored(url, come_back) == CODES_AT_ONCE - 1


def test_a_role_is_given_and_taken(url: str, volte: Volte) -> None:
    for role, kept in (
        ("moderator", "moderator"),
        ("administrator", "administrator"),
        ("none", ""),
    ):
        assert volte("people", "role", "max", role, "--database", url).status == 0
        assert stored(url, lambda store: store[Accounts].role("max")) == kept
    assert "player" in volte("people", "role", "max", "--database", url, "--lang", "en").out


def test_somebody_is_signed_out_everywhere(url: str, volte: Volte) -> None:
    assert "Firefox, Linux" in volte("people", "sessions", "zoé", "--database", url).out
    assert volte("people", "sessions", "zoé", "--end", "--database", url).status == 0
    assert stored(url, lambda store: store[Accounts].sessions("zoe")) == []
    assert volte("people", "sessions", "zoé", "--database", url).status == 0


def test_somebody_is_deleted_when_it_is_said_twice(url: str, volte: Volte) -> None:
    unsure = volte("people", "delete", "zoé", "--database", url)
    assert (unsure.status, unsure.out) == (1, "")
    assert "--yes" in unsure.err
    assert stored(url, lambda store: store.person("zoe")) is not None
    assert volte("people", "delete", "zoé", "--yes", "--database", url).status == 0
    assert stored(url, lambda store: store.person("zoe")) is None
    assert stored(url, lambda store: store.person("max")) is not None


def test_so_a_club_of_theirs_has_another_owner(url: str, volte: Volte) -> None:
    async def found(store: Store) -> None:
        await store[Clubs].put(Club("c", "Les Piques", "zoe", "", False, 1.0, ""))
        await store[Clubs].admit("c", "max")

    stored(url, found)
    assert volte("people", "delete", "zoé", "--yes", "--database", url).status == 0
    club = stored(url, lambda store: store[Clubs].club("c"))
    assert club is not None
    assert club.owner == "max"


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_cannot_be_is_one_sentence(url: str, volte: Volte, lang: str) -> None:
    for line in ("codes", "codes nobody", "role max king", "delete nobody --yes", "sessions \x1b["):
        done = volte("people", *line.split(" "), "--database", url, "--lang", lang)
        assert (done.status, done.out) == (1, "")
        assert done.err.count("\n") == 1
        assert "\x1b" not in done.err
        assert done.err.rstrip().endswith(".")
