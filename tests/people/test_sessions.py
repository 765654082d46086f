"""Sessions begin, last, and end; nobody becomes another person."""

from __future__ import annotations

from secrets import token_urlsafe
from time import time

from kit import Guest, Site, SiteWith, post_form, post_json, request

from volte.people.sessions import Sessions, hashed
from volte.people.store import Accounts
from volte.store import Person
from volte.store.store import Store


async def test_a_guest_says_a_name_once_and_is_known(site: Site) -> None:
    fields = {"name": "  Zoé   B. ", "next": "/rules"}
    reply = await post_form(site.address, "/guest", fields)
    assert (reply.status, reply.header("location")) == (303, "/rules")
    assert (await Guest(site.address, reply.cookie, "", "").get("/api/me")).json["name"] == "Zoé B."
    nobody = await request(site.address, "GET", "/api/me")
    assert (nobody.status, nobody.json["reason"]) == (401, "no_session")


async def test_a_session_lasts_as_long_as_it_is_used(store: Store) -> None:
    person = Person("p", "Zoé", "fr", {}, time())
    await store.put_person(person)
    sessions = Sessions(store, days=10)
    token = token_urlsafe(32)
    await store.put_session(hashed(token), "p", time() + sessions.lasting)
    sessions.begun(token)
    assert await sessions.person(token) == person
    assert not await sessions.renew(token)  # it has just begun
    begun = (await store[Accounts].sessions("p"))[0]
    assert await Sessions(store, days=10).renew(token)  # as a day later
    renewed = (await store[Accounts].sessions("p"))[0]
    assert renewed.expires > begun.expires
    await store.put_session(hashed(token), "p", time() - 1)
    assert await sessions.person(token) is None
    assert await Sessions(store, days=10).renew(token)
    assert await sessions.person(token) is None  # what is over stays over


async def test_a_session_that_is_used_gets_its_cookie_anew_once_in_a_while(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    guest = await Guest.come(site.address)
    site = await site.anew()  # which does not know when that was
    guest.address = site.address
    cookies = [(await guest.get("/rules")).cookie for _ in range(3)]
    assert cookies == [guest.cookie, "", ""]


async def test_tokens_are_random_and_long(site: Site) -> None:
    guests = [await Guest.come(site.address) for _ in range(3)]
    tokens = {guest.token for guest in guests}
    assert len(tokens) == len({guest.csrf for guest in guests}) == 3
    assert {len(token) for token in tokens} == {43}


async def test_what_is_no_token_is_nobody(site: Site) -> None:
    for cookie in ("volte=", "volte=x", "volte=" + "x" * 43, "volte=" + "é" * 43, "x=1;;"):
        headers = {"cookie": cookie.encode().decode("latin-1").encode("ascii", "replace").decode()}
        reply = await request(site.address, "GET", "/api/me", headers=headers)
        assert reply.status == 401, cookie


async def test_a_new_name_ends_the_session_before(site: Site) -> None:
    guest = await Guest.come(site.address)
    again = await guest.post("/api/guest", {"name": "Eve"})
    assert again.cookie != guest.cookie
    assert (await guest.get("/api/me")).status == 401


async def test_logging_out_forgets_the_session(site: Site) -> None:
    guest = await Guest.come(site.address)
    out = await guest.post("/logout")
    assert out.status == 303
    assert "max-age=0" in out.header("set-cookie").lower()
    assert (await guest.get("/api/me")).status == 401


async def test_names_that_are_none(site: Site) -> None:
    empty, unfit = ("", "   ", "x" * 41), ("a\nb\x00", "\ue000")
    for name in empty + unfit:
        reply = await post_json(site.address, "/api/guest", {"name": name})
        reason = "bad_sign" if name in unfit else "bad_name"
        assert (reply.status, reply.json["reason"]) == (422, reason), name
        assert not reply.cookie
    odd = await post_json(site.address, "/api/guest", {"name": "<b>&amp;</b>"})
    assert odd.json["name"] == "<b>&amp;</b>"
    page = await request(site.address, "GET", "/", headers={"cookie": odd.cookie})
    assert "<b>&amp;" not in page.text
