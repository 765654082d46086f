"""A browser asks for messages by one address, and by another wants no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from kit import Playroom, SiteWith, Visitor, post_json
from kit.accounts import OTHER, WORDS, sign_in, sign_up, token
from kit.pushing import Browser, PushService, certificate, text_of

from volte.people.sessions import hashed
from volte.push.keys import new_private_key
from volte.push.sender import Sender
from volte.push.store import SubscribedBrowser, Subscriptions

SETTINGS: Final = {"push_private_key": new_private_key()}
HEADERS: Final = {"x-volte": "1"}

GOOD: Final = Browser("https://push.example/1")
KEYS: Final = GOOD.subscription["keys"]


@pytest.fixture
def anne(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as visitor:
        visitor.come_in("Anne")
        yield visitor


def person(visitor: Visitor) -> str:
    return str(visitor.client.get("/api/me").json()["person"])


def subscribe(visitor: Visitor, content: Any, **headers: str) -> tuple[int, str, str]:
    """Status, reason and field of the answer to a subscription; a browser stands for its own."""
    given = content.subscription if isinstance(content, Browser) else content
    answer = visitor.client.post("/api/push", json=given, headers=HEADERS | headers)
    said = answer.json() if answer.content else {}
    assert answer.status_code == 204 or said["line"]
    return answer.status_code, said.get("reason", ""), said.get("field", "")


def stored(playroom: Playroom, person: str) -> list[SubscribedBrowser]:
    return playroom.do(playroom.site.room.store[Subscriptions].of(person))


def test_a_browser_that_subscribes_is_stored_with_its_session(
    playroom: Playroom, anne: Visitor
) -> None:
    browser = Browser("https://push.example/a?b=c")
    assert subscribe(anne, browser)[0] == 204
    (found,) = stored(playroom, person(anne))
    assert (found.endpoint, found.p256dh, found.auth) == (
        browser.endpoint,
        browser.p256dh,
        browser.auth,
    )
    assert found.session == hashed(token(anne))


def test_keys_may_be_padded_and_browsers_may_say_more(playroom: Playroom, anne: Visitor) -> None:
    padded = {name: text + "=" * (-len(text) % 4) for name, text in KEYS.items()}
    content = GOOD.subscription | {
        "keys": padded | {"more": "x"},
        "contentEncodings": ["aes128gcm"],
    }
    assert subscribe(anne, content)[0] == 204
    assert stored(playroom, person(anne))[0].auth == GOOD.auth


OFF_THE_CURVE: Final = text_of(GOOD.p256dh[:-1] + bytes([GOOD.p256dh[-1] ^ 1]))
ELSEWHERE: Final = (
    *("", "http://push.example/", "https://localhost/", "https://127.0.0.1/x", "https://[::1]/"),
    *("https://a@push.example/", "https://push.example:8443/", "javascript:alert(1)"),
    *("https://push.example/" + "a" * 2000, "https://a.b/\0"),
)
NO_KEYS: Final = (
    *("", "A", "Ä" * 87, "A" * 87, "A" * 60_000, OFF_THE_CURVE, " " + KEYS["p256dh"]),
    *(KEYS["p256dh"][:-2], KEYS["p256dh"] + "AAAA", KEYS["p256dh"].replace("B", "+", 1)),
)
NO_SECRETS: Final = ("", "A", "A" * 20, "A" * 24, "!" * 22, KEYS["auth"] + "=A")


def changed(**fields: Any) -> dict[str, Any]:
    """A subscription, but for one of its keys, or its address."""
    endpoint = fields.pop("endpoint", GOOD.endpoint)
    return {"endpoint": endpoint, "keys": KEYS | fields}


def refused_subscriptions() -> Iterator[tuple[Any, str, str]]:
    """What is no subscription, with the reason and the field that the answer names."""
    yield from (([], "not_json", ""), (7, "not_json", ""), ("x", "not_json", ""))
    yield {}, "missing_field", "endpoint"
    yield {"endpoint": GOOD.endpoint}, "missing_field", "keys"
    yield changed() | {"keys": []}, "field_object", "keys"
    yield changed() | {"keys": {}}, "missing_field", "keys.p256dh"
    yield changed(auth=7), "field_text", "keys.auth"
    yield changed(endpoint=[GOOD.endpoint]), "field_text", "endpoint"
    for endpoint in ELSEWHERE:
        yield changed(endpoint=endpoint), "bad_push_address", "endpoint"
    for key in NO_KEYS:
        yield changed(p256dh=key), "bad_push_keys", "keys.p256dh"
    for secret in NO_SECRETS:
        yield changed(auth=secret), "bad_push_keys", "keys.auth"


def test_what_is_no_subscription_is_refused_with_a_sentence_and_stored_nowhere(
    playroom: Playroom, anne: Visitor
) -> None:
    for content, reason, field in refused_subscriptions():
        status, *said = subscribe(anne, content)
        assert (status // 100, said) == (4, [reason, field]), content
    assert stored(playroom, person(anne)) == []


def test_what_is_huge_or_no_json_or_from_elsewhere_is_refused(
    playroom: Playroom, anne: Visitor
) -> None:
    assert subscribe(anne, {"endpoint": "x" * 10**6, "keys": KEYS})[0] == 413
    nested = '{"keys":' * 5_000
    answer = anne.client.post(
        "/api/push", content=nested, headers=HEADERS | {"content-type": "application/json"}
    )
    assert answer.status_code == 400
    assert anne.client.post("/api/push", json=GOOD.subscription).status_code == 415
    assert anne.client.post("/api/push", data={"endpoint": "x"}, headers=HEADERS).status_code == 415
    assert subscribe(anne, GOOD, origin="https://evil.example")[:2] == (403, "wrong_origin")
    assert stored(playroom, person(anne)) == []


def test_nobody_subscribes_for_nobody(playroom: Playroom) -> None:
    with Visitor(playroom.address) as nobody:
        assert subscribe(nobody, GOOD)[:2] == (401, "no_session")


def test_messages_end_with_the_session(playroom: Playroom, anne: Visitor) -> None:
    who = person(anne)
    assert subscribe(anne, Browser("https://push.example/out"))[0] == 204
    anne.post("/logout")
    assert stored(playroom, who) == []
    assert subscribe(anne, GOOD)[0] == 401


def test_messages_end_everywhere_with_a_new_password(playroom: Playroom, anne: Visitor) -> None:
    who, (login, _) = person(anne), sign_up(anne)
    assert subscribe(anne, Browser("https://push.example/first"))[0] == 204
    with Visitor(playroom.address) as elsewhere:
        sign_in(elsewhere, login, WORDS)
        assert subscribe(elsewhere, Browser("https://push.example/second"))[0] == 204
        assert len(stored(playroom, who)) == 2
        fields = {"present": WORDS, "password": OTHER}
        assert anne.post("/account/password", fields).wrong == []
        assert stored(playroom, who) == []


def test_messages_end_with_the_person(playroom: Playroom, anne: Visitor) -> None:
    who = person(anne)
    assert subscribe(anne, Browser("https://push.example/deleted"))[0] == 204
    assert anne.post("/me/data/delete", {"confirm": "Anne"}).status == 200
    assert playroom.do(playroom.site.room.store.person(who)) is None
    assert stored(playroom, who) == []


@pytest.mark.parametrize(("browser", "left"), [("here", 1), ("all", 0)])
def test_one_can_have_this_browser_forgotten_or_all(
    playroom: Playroom, anne: Visitor, browser: str, left: int
) -> None:
    who, (login, _) = person(anne), sign_up(anne)
    with Visitor(playroom.address) as elsewhere:
        sign_in(elsewhere, login, WORDS)
        for visitor, path in ((anne, "1"), (elsewhere, "2")):
            assert subscribe(visitor, Browser(f"https://push.example/{path}"))[0] == 204
        assert (
            anne.post("/me/push/forget", {"browser": browser}).answer.url.path
            == "/me/notifications"
        )
        found = stored(playroom, who)
        assert len(found) == left
        assert all(each.session == hashed(token(elsewhere)) for each in found)


async def test_without_keys_a_server_takes_no_subscription(site_with: SiteWith) -> None:
    site = await site_with()
    cookie = (await post_json(site.address, "/api/guest", {"name": "Anne"})).cookie
    reply = await post_json(site.address, "/api/push", GOOD.subscription, cookie)
    assert (reply.status, reply.json["reason"]) == (404, "no_push")


async def test_a_server_sends_to_whoever_has_subscribed(
    site_with: SiteWith, push_service: PushService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From the address for browsers to the push service, with the settings alone."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path)))
    site = await site_with(**SETTINGS, push_test_hosts=(push_service.place,))
    guest = await post_json(site.address, "/api/guest", {"name": "Anne"})
    browser = push_service.browser()
    reply = await post_json(site.address, "/api/push", browser.subscription, guest.cookie)
    assert reply.status == 204
    sender = site.room[Sender]
    sender._pause = 0
    sender.send(guest.json["person"], b"Your turn", 60)
    assert await push_service.got(1) == ["Your turn"]
