"""Lockouts: a known device, a recovery code and a passkey let an owner in, whatever others have
tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple, TypeVar

import pytest
from argon2 import PasswordHasher
from kit import Page, Playroom, Reply, Visitor, open_playroom, post_json
from kit.accounts import OTHER, WORDS, account, sign_in, sign_up
from kit.authenticator import Authenticator, Browser
from msgspec.structs import replace

from volte.people.sessions import DEVICE, MOST_PEOPLE, _device_key
from volte.people.store import Accounts
from volte.web import limits
from volte.web.limits import DEVICE_TRIES, FREE_TRIES
from volte.web.settings import Settings

V = TypeVar("V", bound=Visitor)

FROM_ONE_ADDRESS: Final = 6
"""Tries an hour; at one login there are as many as usual."""

WRONG: Final = "trois petits chats"

ADDRESSES: Final = iter(f"198.51.{high}.{low}" for high in range(250) for low in range(250))


SETTINGS: Final = {
    **dict.fromkeys(("sign_ins_per_hour", "passkeys_per_hour"), FROM_ONE_ADDRESS),
    "tries_per_login": Settings().tries_per_login,
}


class Owner(NamedTuple):
    """Somebody with an account, at the browser where they made it."""

    browser: Visitor
    login: str
    codes: list[str]
    address: str


@pytest.fixture
def owner(playroom: Playroom) -> Iterator[Owner]:
    with browser(playroom) as visitor:
        visitor.come_in("Zoé")
        login, codes = sign_up(visitor)
        yield Owner(visitor, login, codes, visitor.client.headers["x-forwarded-for"])


@pytest.fixture
def stranger(playroom: Playroom) -> Iterator[Visitor]:
    with browser(playroom) as visitor:
        yield visitor


def hurry(playroom: Playroom, login: str) -> None:
    """Give a login a fast hash, until its owner signs in, so that wrong passwords take no time."""
    before = account(playroom, login)
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(WORDS)
    playroom.do(playroom.site.room.store[Accounts].change(before, replace(before, password=weak)))


def browser(playroom: Playroom, address: str = "") -> Visitor:
    """A new browser, at a new address if none is named."""
    return at(Visitor(playroom.address), address)


def at(visitor: V, address: str = "") -> V:
    visitor.client.headers["x-forwarded-for"] = address or next(ADDRESSES)
    return visitor


def device(visitor: Visitor) -> str:
    """The device cookie of a browser, in the form in which it is sent."""
    value = visitor.client.cookies.get(DEVICE)
    return f"{DEVICE}={value}" if value else ""


def wrong(
    playroom: Playroom, login: str, times: int, address: str = "", cookie: str = ""
) -> list[Reply]:
    """Answers to wrong passwords, all from one address, or each from another."""

    def one() -> Reply:
        tried = {"login": login, "password": WRONG}
        here = {"x-forwarded-for": address or next(ADDRESSES)}
        return playroom.do(post_json(playroom.address, "/api/signin", tried, cookie, here))

    return [one() for _ in range(times)]


def is_known(playroom: Playroom, cookie: str, login: str) -> bool:
    """Whether a cookie makes a device a known one of the owner of a login."""
    keys = [_device_key(token) for token in cookie.partition("=")[2].split(".")]
    owner = account(playroom, login).person
    return bool(playroom.do(playroom.site.room.store[Accounts].devices_of(keys, owner)))


def recover(visitor: Visitor, login: str, code: str, password: str = OTHER) -> Page:
    return visitor.post("/recover", {"login": login, "code": code, "password": password})


# The attack


def test_a_hundred_and_one_wrong_passwords_hold_no_owner_up(
    playroom: Playroom, owner: Owner, stranger: Visitor
) -> None:
    key = Authenticator()
    with Browser(playroom) as phone, Browser(playroom) as anywhere:
        sign_in(at(phone), owner.login)
        assert phone.makes(key, password=WORDS).status_code == 200
        owner.browser.post("/logout")
        hurry(playroom, owner.login)
        replies = wrong(playroom, owner.login, 101)
        assert (replies[0].status, replies[-1].status) == (422, 429)
        assert sign_in(stranger, owner.login).status == 429  # a new device, by the password alone
        assert sign_in(owner.browser, owner.login).answer.url.path == "/me"
        assert at(anywhere).signs_in(key).status_code == 200
        assert recover(stranger, owner.login, owner.codes[0]).status == 200
        assert stranger.get("/me").status == 200


def test_others_at_the_same_address_hold_no_known_device_up(
    playroom: Playroom, owner: Owner
) -> None:
    here = owner.address
    replies = [
        *wrong(playroom, owner.login, FREE_TRIES + 2, here),
        *(reply for n in range(FROM_ONE_ADDRESS) for reply in wrong(playroom, f"l{n}", 1, here)),
    ]
    assert replies[-1].status == 429
    with browser(playroom, here) as neighbour:
        for _ in range(FROM_ONE_ADDRESS + 1):
            page = recover(neighbour, "nobody", "0000-0000-0000-0000")
        assert page.status == 429
        assert recover(neighbour, owner.login, owner.codes[0]).status == 429
    owner.browser.post("/logout")
    assert sign_in(owner.browser, owner.login).answer.url.path == "/me"
    assert recover(owner.browser, owner.login, owner.codes[0]).status == 200


def test_wrong_codes_at_one_address_hold_nobody_up_elsewhere(
    playroom: Playroom, owner: Owner, stranger: Visitor
) -> None:
    with browser(playroom) as guessing:
        pages = [
            recover(guessing, owner.login, f"{n:04}-0000-0000-0000")
            for n in range(FROM_ONE_ADDRESS + 1)
        ]
        assert [page.status for page in pages] == [422] * FROM_ONE_ADDRESS + [429]
        assert sign_in(guessing, owner.login).answer.url.path == "/me"  # which counts for itself
    assert recover(stranger, owner.login, owner.codes[0]).status == 200


def test_neighbours_who_ask_for_passkeys_hold_no_known_device_up(playroom: Playroom) -> None:
    key, here = Authenticator(), next(ADDRESSES)
    with Browser(playroom, "Anne") as ann, Browser(playroom) as neighbour:
        for visitor in (ann, neighbour):
            at(visitor, here)
        assert ann.makes(key).status_code == 200
        assert ann.signs_in(key).status_code == 200
        asked = [neighbour.sends("challenge", purpose="signin") for _ in range(FROM_ONE_ADDRESS)]
        assert asked[-1].status_code == 429
        ann.post("/logout")
        assert ann.signs_in(key).status_code == 200


# What a device may do


def test_a_known_device_has_ten_tries_of_its_own(playroom: Playroom, owner: Owner) -> None:
    cookie = device(owner.browser)
    replies = wrong(playroom, owner.login, DEVICE_TRIES - 1, "", cookie)  # wherever it is taken
    assert sign_in(owner.browser, owner.login).answer.url.path == "/me"  # which takes no try away
    replies += wrong(playroom, owner.login, 2, "", cookie)
    assert [reply.status for reply in replies] == [422] * DEVICE_TRIES + [429]
    assert sign_in(owner.browser, owner.login).status == 429
    assert recover(owner.browser, owner.login, "0000-0000-0000-0000").status == 422
    assert recover(owner.browser, owner.login, owner.codes[0]).status == 200


def test_a_device_is_known_at_one_login_and_no_answer_tells_whether_there_is_another(
    playroom: Playroom, owner: Owner, stranger: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a known device or none, other logins are answered like unknown ones."""
    stranger.come_in("Max")
    other, _ = sign_up(stranger)
    assert is_known(playroom, device(stranger), other)
    now = monotonic()
    monkeypatch.setattr(limits, "monotonic", lambda: now)  # all have to wait equally long
    told = []
    for login in (other, "nobody at all"):
        for cookie in (device(owner.browser), f"{DEVICE}=x.{'x' * 43}.."):
            replies = wrong(playroom, login, FREE_TRIES + 2, next(ADDRESSES), cookie)
            told.append([(each.status, sorted(each.headers), each.body) for each in replies])
    assert [each == told[0] for each in told] == [True] * 4
    assert told[0][-1][0] == 429


def test_a_browser_knows_several_people_and_forgets_the_oldest(
    playroom: Playroom, stranger: Visitor
) -> None:
    logins = []
    for name in ("Anne", "Bert", "Cléo", "Dora", "Ève")[: MOST_PEOPLE + 1]:
        stranger.come_in(name)
        logins.append(sign_up(stranger)[0])
        stranger.post("/logout")
    known = [is_known(playroom, device(stranger), login) for login in logins]
    assert known == [False, *[True] * MOST_PEOPLE]


# How long a device is known


def test_a_device_is_known_until_the_password_changes(playroom: Playroom, owner: Owner) -> None:
    """A copy of its cookie is worthless then, too, wherever the owner comes back."""
    with browser(playroom) as second:
        sign_in(second, owner.login)
        copies = [device(owner.browser), device(second)]
        page = owner.browser.post("/account/password", {"present": WORDS, "password": OTHER})
        assert page.answer.url.path == "/account"
        sign_in(second, owner.login, OTHER)
        for copy in copies:
            assert not is_known(playroom, copy, owner.login)
        for visitor in (owner.browser, second):
            assert is_known(playroom, device(visitor), owner.login)


def test_a_device_is_known_until_a_code_is_used(
    playroom: Playroom, owner: Owner, stranger: Visitor
) -> None:
    before = device(owner.browser)
    assert recover(stranger, owner.login, owner.codes[0]).status == 200
    assert not is_known(playroom, before, owner.login)
    assert is_known(playroom, device(stranger), owner.login)


def test_a_device_stays_known_when_its_owner_signs_out_and_in(
    playroom: Playroom, owner: Owner
) -> None:
    """The token stays the same, so a lost answer does not make the device unknown."""
    before = device(owner.browser)
    owner.browser.post("/logout")
    assert device(owner.browser) == before
    sign_in(owner.browser, owner.login)
    assert device(owner.browser) == before
    assert is_known(playroom, before, owner.login)


def test_of_a_known_device_a_hash_is_kept_and_nobody_reads_its_cookie(tmp_path: Path) -> None:
    with open_playroom(tmp_path) as playroom:
        with Visitor(playroom.address) as zoé:
            zoé.come_in("Zoé")
            assert not device(zoé)  # a guest has no login at which anybody could try
            login, _ = sign_up(zoé)
            right = {"login": login, "password": WORDS}
            for scheme in ("http", "https"):
                by = {"x-forwarded-proto": scheme}
                reply = playroom.do(post_json(playroom.address, "/api/signin", right, headers=by))
                (cookie,) = (
                    value for _, value in reply.headers if value.partition("=")[0].endswith(DEVICE)
                )
                name, _, value = cookie.partition(";")[0].partition("=")
                assert re.fullmatch(r"[\w-]{43}", value)
                assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
                assert ("Secure" in cookie) == (scheme == "https") == (name == f"__Host-{DEVICE}")
        tokens = [device(zoé).partition("=")[2], value]
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [token for token in tokens if token.encode() in kept]


def test_a_device_is_known_for_as_long_as_its_session_is_used(tmp_path: Path) -> None:
    with open_playroom(tmp_path, session_days=10) as playroom, Visitor(playroom.address) as zoé:
        zoé.come_in("Zoé")
        login, _ = sign_up(zoé)
        cookies = {
            "volte": zoé.client.cookies["volte"],
            DEVICE: zoé.client.cookies[DEVICE],
        }
        person = account(playroom, login).person
        before = playroom.do(playroom.site.room.store.export(person))["known_devices"]
    with open_playroom(tmp_path, session_days=20) as playroom, Visitor(playroom.address) as zoé:
        zoé.client.cookies.update(cookies)
        given = zoé.client.get("/me").headers.get_list("set-cookie")
        assert [each.partition(";")[0] for each in given] == [
            f"{name}={value}" for name, value in cookies.items()
        ]
        after = playroom.do(playroom.site.room.store.export(person))["known_devices"]
        assert [set(each) for each in (*before, *after)] == [{"since", "ends"}] * 2
        assert after[0]["ends"] - before[0]["ends"] > 9 * 86_400
        assert after[0]["since"] == before[0]["since"]
