"""Accounts: a guest stays who they are, and comes back by a password or a code; others do not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import pytest
from argon2 import PasswordHasher
from kit import Guest, Playroom, Site, SiteWith, Visitor, because, open_playroom, post_json, request
from kit.accounts import CODE, LOGINS, OTHER, WORDS, account, refused, sign_in, sign_up, token
from msgspec.structs import replace

from volte.cards import VolteError
from volte.people.passwords import LEAST, MOST
from volte.people.sessions import Sessions, agent_of
from volte.people.store import Accounts
from volte.server.run.room import open_room
from volte.web import limits
from volte.web.limits import FREE_TRIES, wait_after
from volte.web.settings import Settings

# Making one


def test_a_guest_keeps_all_they_have_played(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    table = str(zoé.post("/play").answer.url)
    before = token(zoé)
    login, _ = sign_up(zoé)
    assert token(zoé) != before  # the old token is worth nothing now
    page = sign_in(another, login.upper(), following="/")
    assert "Zoé" in page.text
    assert another.get(table).all("div", id="table")
    assert zoé.get("/me").status == 200


def test_the_codes_are_shown_once(zoé: Visitor) -> None:
    _, codes = sign_up(zoé)
    assert len(set(codes)) == 10
    for path in ("/account", "/me", "/account/codes", "/me/data"):
        assert not any(code in zoé.get(path).answer.text for code in codes)
    again = zoé.post("/account", {"login": "again", "password": WORDS})
    assert again.answer.url.path == "/account"
    assert CODE.findall(again.answer.text) == []


def test_nothing_that_is_secret_is_kept_as_it_is(tmp_path: Path) -> None:
    with open_playroom(tmp_path) as playroom, Visitor(playroom.address) as zoé:
        zoé.come_in("Zoé")
        _, codes = sign_up(zoé)
        secrets = [WORDS, token(zoé), *codes, *(code.replace("-", "") for code in codes)]
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [secret for secret in secrets if secret.encode() in kept]
    assert b"$argon2id$" in kept


def test_passwords_that_others_would_try_are_refused(zoé: Visitor) -> None:
    long_or_short = ("", "x" * (LEAST - 1), "x" * (MOST + 1), "zoé" + " " * LEAST)
    tried_first = ("ab" * LEAST, "Azertyuiop", "motdepasse123", "My Own Login", "PASSWORD1")
    for password in (*long_or_short, *tried_first):
        page = zoé.post("/account", {"login": "my own login", "password": password})
        assert refused(page, "password"), password
        assert page.value("login") == "my own login"
        assert page.value("password") == ""  # what is secret is never sent back


def test_the_name_is_no_password_and_a_file_may_name_more(tmp_path: Path) -> None:
    breached = tmp_path / "breached.txt"
    breached.write_text("Correct Horse Battery\n", encoding="utf-8")
    with (
        open_playroom(tmp_path, breached=str(breached)) as playroom,
        Visitor(playroom.address) as visitor,
    ):
        visitor.come_in("Maximilienne")
        for password in ("maximilienne", "correct horse battery"):
            fields = {"login": "max", "password": password}
            assert refused(visitor.post("/account", fields), "password")
        sign_up(visitor)


async def test_a_file_that_is_not_there_is_told_of_before_anybody_comes(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'p'}", breached=str(tmp_path / "no"))
    with pytest.raises(VolteError, check=because("breached_not_read")):
        async with open_room(settings):
            pass


@pytest.mark.parametrize("password", ["🂡🂱🃁🃑🂮🂾🃎🃞 épée", "x y" * 66])
def test_a_password_of_any_characters_is_the_same_from_every_keyboard(
    zoé: Visitor, another: Visitor, password: str
) -> None:
    login, _ = sign_up(zoé, password)
    assert sign_in(another, login, password.replace("é", "e\u0301")).status == 200


def test_logins_that_are_none(zoé: Visitor) -> None:
    for login in ("", " ", "x", "x" * 65, "a\nb\x00", "\u202eab"):
        assert refused(zoé.post("/account", {"login": login, "password": WORDS}), "login"), login


def test_a_login_is_one_persons(playroom: Playroom, zoé: Visitor, another: Visitor) -> None:
    login, _ = sign_up(zoé)
    another.come_in("Max")
    assert refused(another.post("/account", {"login": login.upper(), "password": WORDS}), "login")
    mine, _ = sign_up(another)
    page = another.post("/account/login", {"login": login, "present": WORDS})
    assert refused(page, "login")
    assert account(playroom, mine).person != account(playroom, login).person


def test_whether_a_login_is_taken_is_told_as_often_as_a_password_may_be_tried(
    tmp_path: Path,
) -> None:
    """Tries of a guest who makes an account, and of an owner who changes theirs, count together."""
    with open_playroom(tmp_path, sign_ins_per_hour=4) as playroom, Visitor(playroom.address) as zoé:
        zoé.come_in()
        taken, _ = sign_up(zoé)  # the first try
        with Visitor(playroom.address) as guest:
            guest.come_in("Max")
            for login in (taken, taken.upper()):
                fields = {"login": login, "password": WORDS}
                assert refused(guest.post("/account", fields), "login")
            page = zoé.post("/account/login", {"login": taken + " too", "present": WORDS})
            assert page.answer.url.path == "/account"
            for login in (taken, "free"):
                fields = {"login": login, "password": WORDS}
                page = guest.post("/account", fields)
                assert refused(page, "login", 429)
                assert 0 < int(page.answer.headers["retry-after"]) <= 3600
            assert zoé.post("/account/login", {"login": "free", "present": WORDS}).status == 429


@pytest.mark.full
def test_the_pages_are_whole_in_both_languages(zoé: Visitor) -> None:
    paths = ("/account", "/me", "/me/sessions", "/me/data", "/me/data/delete", "/signin")
    owned = ("/account/name", "/account/login", "/account/password", "/account/codes")
    for lang in ("en", "fr"):
        for path in (*paths, "/recover"):
            page = zoé.get(f"{path}?lang={lang}")
            assert (page.status, page.wrong) == (200, []), path
    assert zoé.get("/account/password").status == 403
    sign_up(zoé)
    for lang in ("en", "fr"):
        for path in (*paths, *owned, "/recover"):
            page = zoé.get(f"{path}?lang={lang}")
            assert (page.status, page.wrong) == (200, []), path


# Signing in


def test_whoever_signs_in_gets_a_session_of_their_own(zoé: Visitor, another: Visitor) -> None:
    login, _ = sign_up(zoé)
    another.come_in("Max")
    guest = token(another)
    asked = another.get("/signin")
    assert "Max" in asked.text
    page = sign_in(another, login, following="/rules")
    assert page.answer.url.path == "/rules"
    assert token(another) not in (guest, token(zoé))
    with Visitor(str(another.client.base_url)) as thief:
        thief.client.cookies.set("volte", guest)
        assert thief.get("/me").status == 401


def test_a_wrong_password_and_an_unknown_login_are_answered_alike(
    zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    answers = [sign_in(another, each, OTHER) for each in (login, "nobody at all")]
    assert all(refused(page, "password") for page in answers)
    texts = [page.answer.text.replace(page.csrf, "") for page in answers]
    assert texts[0].replace(login, "") == texts[1].replace("nobody at all", "")
    assert "volte" not in another.client.cookies


def test_as_much_is_hashed_for_a_login_that_is_not(
    playroom: Playroom, zoé: Visitor, another: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hashing is counted, since a clock would judge the machine."""
    login, _ = sign_up(zoé)
    sign_in(another, "first", OTHER)  # from here on the hash of nobody is known
    hashed: list[str] = []
    verify = PasswordHasher.verify
    keep = PasswordHasher.hash

    def counted(self: PasswordHasher, kept: str, text: str) -> bool:
        hashed.append(kept.rpartition("$")[0].rpartition("$")[0])
        return bool(verify(self, kept, text))

    def made(self: PasswordHasher, text: str) -> str:
        hashed.append("made")
        return keep(self, text)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    monkeypatch.setattr(PasswordHasher, "hash", made)
    work = []
    for tried in (login, "nobody again"):
        sign_in(another, tried, OTHER)
        fields = {"login": tried, "code": "0000-0000-0000-0000", "password": OTHER}
        another.post("/recover", fields)
        work.append(hashed.copy())
        hashed.clear()
    assert work[0] == work[1]
    assert len(work[0]) == 1  # for the password: a wrong code costs nothing


def test_whoever_is_wrong_again_and_again_waits_and_the_owner_does_not(
    playroom: Playroom, zoé: Visitor, another: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = monotonic()
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    login, _ = sign_up(zoé)
    for _ in range(FREE_TRIES + 1):
        sign_in(another, login, OTHER)
    page = sign_in(another, login)  # right, but too soon
    assert refused(page, "password", 429)
    assert 0 < int(page.answer.headers["retry-after"]) <= 2
    assert "attendez" in page.text
    assert zoé.get("/me").status == 200
    assert zoé.post("/account/codes", {"present": WORDS}).status == 200
    assert [wait_after(times) for times in (FREE_TRIES, FREE_TRIES + 1)] == [0, 2]
    assert wait_after(10**6) == wait_after(50)


async def test_tries_are_counted_by_address_and_by_login(site_with: SiteWith) -> None:
    site = await site_with(sign_ins_per_hour=3, tries_per_login=10)
    tries = [
        await post_json(site.address, "/api/signin", {"login": f"x{n}", "password": OTHER})
        for n in range(5)
    ]
    assert [reply.status for reply in tries] == [422] * 3 + [429] * 2
    await site.stop()
    site = await site_with(sign_ins_per_hour=10, tries_per_login=2)
    tries = [
        await post_json(site.address, "/api/signin", {"login": login, "password": OTHER})
        for login in ("one", "one", "one", "two")
    ]
    assert [reply.status for reply in tries] == [422, 422, 429, 422]


def test_programs_sign_in_as_well(playroom: Playroom, zoé: Visitor) -> None:
    login, _ = sign_up(zoé)

    async def story() -> None:
        tried = {"login": login, "password": OTHER}
        wrong = await post_json(playroom.address, "/api/signin", tried)
        assert (wrong.status, wrong.json["reason"], wrong.cookie) == (422, "wrong_login", "")
        right = await post_json(playroom.address, "/api/signin", tried | {"password": WORDS})
        assert right.json["name"] == "Zoé"
        me = await request(playroom.address, "GET", "/api/me", headers={"cookie": right.cookie})
        assert me.json == right.json

    playroom.do(story())


def test_a_form_of_another_site_signs_nobody_in(zoé: Visitor, another: Visitor) -> None:
    login, _ = sign_up(zoé)
    fields = {"login": login, "password": WORDS}
    for path in ("/signin", "/recover", "/account", "/me/data/delete"):
        page = another.post(path, fields, origin="https://evil.example")
        assert page.status == 403
    assert "volte" not in another.client.cookies


def test_a_hash_of_older_days_is_made_anew(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    weak = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(WORDS)
    store = playroom.site.room.store
    before = account(playroom, login)
    playroom.do(store[Accounts].change(before, replace(before, password=weak)))
    assert sign_in(another, login).status == 200
    kept = account(playroom, login).password
    passwords = playroom.site.room.passwords
    assert passwords.outdated(weak)
    assert not passwords.outdated(kept)
    assert sign_in(another, login).status == 200


# Changing it


def test_all_that_matters_asks_for_the_password_once_more(playroom: Playroom, zoé: Visitor) -> None:
    login, _ = sign_up(zoé)
    before = account(playroom, login)
    for path, fields in (
        *(("/account/login", {"login": "thief"}), ("/account/password", {"password": OTHER})),
        *(("/account/codes", {}), ("/me/data/delete", {"confirm": "Zoé"})),
    ):
        for present in ("", OTHER):
            page = zoé.post(path, fields | {"present": present})
            assert refused(page, "present"), path
        playroom.site.room.limits.passed("wrong", f"sure {before.person}")
    assert account(playroom, login) == before


def test_another_password_ends_all_other_sessions(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    sign_in(another, login)
    before = token(zoé)
    page = zoé.post("/account/password", {"present": WORDS, "password": OTHER})
    assert page.answer.url.path == "/account"
    assert page.all("p", autofocus="")
    assert token(zoé) != before
    assert another.get("/me").status == 401
    assert zoé.get("/me").status == 200
    assert refused(sign_in(another, login), "password")
    assert sign_in(another, login, OTHER).status == 200


def test_a_name_and_a_login_are_changed(playroom: Playroom, zoé: Visitor, another: Visitor) -> None:
    login, _ = sign_up(zoé)
    assert "Anne" in zoé.post("/account/name", {"name": " Anne  B. "}).text
    assert zoé.post("/account/name", {"name": ""}).status == 422
    new = next(LOGINS)
    page = zoé.post("/account/login", {"login": new.upper(), "present": WORDS})
    assert new in page.text
    assert refused(sign_in(another, login), "password")
    assert "Anne B." in sign_in(another, new).text


# Coming back


def test_a_code_sets_a_new_password_and_ends_all_sessions(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, codes = sign_up(zoé)
    fields = {"login": login.upper(), "code": codes[3].upper().replace("-", " ")}
    assert refused(another.post("/recover", fields | {"password": "short"}), "password")
    assert refused(another.post("/recover", fields | {"login": "x", "password": OTHER}), "code")
    page = another.post("/recover", fields | {"password": OTHER})
    assert (page.status, page.wrong) == (200, [])
    assert another.get("/me").status == 200
    assert zoé.get("/me").status == 401
    again = zoé.post("/recover", fields | {"password": WORDS})
    assert refused(again, "code")
    assert refused(sign_in(zoé, login), "password")
    assert sign_in(zoé, login, OTHER).status == 200


def test_of_two_who_use_a_code_at_once_one_comes_in(playroom: Playroom, zoé: Visitor) -> None:
    login, codes = sign_up(zoé)
    with Visitor(playroom.address) as one, Visitor(playroom.address) as two:
        fields = {"login": login, "code": codes[0], "password": OTHER}
        with ThreadPoolExecutor(2) as pool:
            pages = pool.map(lambda each: each.post("/recover", fields), (one, two))
            assert sorted(page.status for page in pages) == [200, 422]


def test_new_codes_take_the_place_of_the_old(zoé: Visitor, another: Visitor) -> None:
    login, old = sign_up(zoé)
    page = zoé.post("/account/codes", {"present": WORDS})
    new = CODE.findall(page.answer.text)
    assert len(new) == 10
    fields = {"login": login, "password": OTHER}
    assert refused(another.post("/recover", fields | {"code": old[0]}), "code")
    assert another.post("/recover", fields | {"code": new[0]}).status == 200


async def test_a_password_that_changes_hangs_up_elsewhere(site: Site) -> None:
    guest = await Guest.at_table(site.address)
    await site.room[Sessions].end_all(guest.person)
    assert await guest.until_closed() == 4401
    assert guest.notices[-1].reason == "no_session"


@pytest.mark.parametrize(
    ("said", "agent"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
         "Safari/iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36", "Chrome/Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge/Windows"),
        ("volte/1.2", "volte"),
        ("<xss>", ""),
    ],
)  # fmt: skip
def test_of_a_device_its_kind_alone_is_kept(said: str, agent: str) -> None:
    assert agent_of(said) == agent
