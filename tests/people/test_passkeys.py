"""Passkeys: making, signing, challenges used up; a key opens nothing of another person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from kit.authenticator import JSON, PRESENT, Authenticator, Browser, Edwards, Rivest, packed
from kit.sites import Playroom, open_playroom

from volte.people.passkeys import MOST_PASSKEYS, PAGE
from volte.people.store import Passkey, Passkeys
from volte.web.security import csrf_of


@pytest.fixture
def ann(playroom: Playroom) -> Iterator[Browser]:
    with Browser(playroom, "Anne") as browser:
        yield browser


@pytest.fixture
def stranger(playroom: Playroom) -> Iterator[Browser]:
    with Browser(playroom) as browser:
        yield browser


@pytest.fixture
def key(ann: Browser) -> Authenticator:
    """A passkey of Anne's."""
    key = Authenticator()
    assert ann.makes(key).status_code == 200
    return key


def refused(answer: httpx.Response, reason: str) -> bool:
    """Whether the answer refuses with that reason and a sentence."""
    told = answer.json()
    return answer.status_code >= 400 and told["reason"] == reason and told["line"].endswith(".")


# Coming in


def test_a_guest_with_a_passkey_comes_back_at_any_browser(
    ann: Browser, stranger: Browser, key: Authenticator
) -> None:
    answer = stranger.signs_in(key, next="/rules")
    assert answer.json() == {"next": "/rules"}
    assert stranger.who() == "Anne"
    assert ann.who() == "Anne"
    assert stranger.client.cookies["volte"] != ann.client.cookies["volte"]


@pytest.mark.parametrize("kind", [Edwards, Rivest])
def test_keys_of_other_kinds(
    ann: Browser, stranger: Browser, kind: type[Edwards] | type[Rivest]
) -> None:
    key = Authenticator(key=kind())
    assert ann.makes(key).status_code == 200
    assert stranger.signs_in(key).status_code == 200


def test_whoever_signs_in_has_a_new_session_and_the_old_one_is_over(
    playroom: Playroom, key: Authenticator
) -> None:
    with Browser(playroom, "Bob") as bob, Browser(playroom) as later:
        later.client.cookies.set("volte", bob.client.cookies["volte"])
        assert bob.signs_in(key).status_code == 200
        assert (bob.who(), later.who()) == ("Anne", "")


def test_nobody_is_sent_to_another_site_by_it(stranger: Browser, key: Authenticator) -> None:
    assert stranger.signs_in(key, next="//elsewhere.example").json() == {"next": "/"}


def test_the_browser_is_asked_for_what_is_needed_and_told_no_more(
    ann: Browser, stranger: Browser, key: Authenticator
) -> None:
    first, second = stranger.challenged(), stranger.challenged()
    assert first["challenge"] != second["challenge"]
    assert (first["rpId"], first["userVerification"]) == ("localhost", "required")
    assert first["allowCredentials"] == []  # which names nobody to nobody
    options = ann.asked("options", name="Other", proof=ann.confirms(key))
    assert options["rp"] == {"id": "localhost", "name": "Volte"}
    assert options["attestation"] == "none"
    assert {each["alg"] for each in options["pubKeyCredParams"]} == {-7, -8, -257}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert [each["id"] for each in options["excludeCredentials"]] == [packed(key.id)]


def test_a_signed_challenge_is_good_for_one_time(stranger: Browser, key: Authenticator) -> None:
    proof = key.sign(stranger.challenged(), stranger.origin)
    assert stranger.sends("signin", proof=proof).status_code == 200
    assert refused(stranger.sends("signin", proof=proof), "passkey_late")


def test_of_two_who_come_with_the_same_signature_one_comes_in(
    playroom: Playroom, stranger: Browser, key: Authenticator
) -> None:
    proof = key.sign(stranger.challenged(), stranger.origin)
    with Browser(playroom) as thief, ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda each: each.sends("signin", proof=proof), (stranger, thief)))
    assert sorted(answer.status_code for answer in answers) == [200, 403]


def test_a_challenge_is_over_after_its_time(
    stranger: Browser, key: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volte.people.store.CHALLENGE_LASTS", -1.0)
    assert refused(stranger.signs_in(key), "passkey_late")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"origin": "http://localhost.evil.example"}, "passkey_elsewhere"),
        ({"origin": "https://localhost"}, "passkey_elsewhere"),
        ({"crossOrigin": True}, "passkey_elsewhere"),
        ({"type": "webauthn.create"}, "passkey_refused"),
        ({"challenge": packed(bytes(32))}, "passkey_late"),
        ({"challenge": 7}, "wrong_form"),
    ],
)
def test_what_was_signed_for_something_else_opens_nothing(
    stranger: Browser, key: Authenticator, said: dict[str, Any], reason: str
) -> None:
    proof = key.sign(stranger.challenged(), stranger.origin, **said)
    assert refused(stranger.sends("signin", proof=proof), reason)
    assert stranger.who() == ""


def test_a_key_of_another_site_or_one_that_nobody_touched_opens_nothing(
    stranger: Browser, key: Authenticator
) -> None:
    key.site = "evil.example"
    assert refused(stranger.signs_in(key), "passkey_refused")
    key.site, key.flags = "", PRESENT  # touched, by whomever
    assert refused(stranger.signs_in(key), "passkey_refused")


def test_a_signature_by_another_key_opens_nothing(stranger: Browser, key: Authenticator) -> None:
    forged = Authenticator()
    forged.id, forged.handle, forged.count = key.id, key.handle, key.count
    assert refused(stranger.signs_in(forged), "passkey_refused")
    forged.id = b"nobody's"
    assert refused(stranger.signs_in(forged), "passkey_unknown")


@pytest.mark.parametrize("handle", [b"", b"somebody else"])
def test_a_key_names_its_owner(stranger: Browser, key: Authenticator, handle: bytes) -> None:
    key.handle = handle
    assert refused(stranger.signs_in(key), "passkey_unknown")


def test_a_copied_key_is_refused_and_the_owner_is_told(
    stranger: Browser, key: Authenticator
) -> None:
    assert stranger.signs_in(key).status_code == 200
    key.count -= 1  # a copy, which knows nothing of that
    answer = stranger.signs_in(key)
    assert refused(answer, "passkey_copied")
    assert "remove this passkey" in answer.json()["line"]


def test_a_key_that_never_counts_may_be_used_as_often_as_one_likes(
    ann: Browser, stranger: Browser
) -> None:
    key = Authenticator(step=0)
    assert ann.makes(key).status_code == 200
    assert [stranger.signs_in(key).status_code for _ in range(2)] == [200, 200]


def test_a_removed_key_opens_nothing(ann: Browser, stranger: Browser, key: Authenticator) -> None:
    (shown,) = links(ann)
    answer = ann.sends(f"{shown}/remove", proof=ann.confirms(key))
    assert answer.json() == {"next": f"{PAGE}?done=removed"}
    assert links(ann) == []
    assert refused(stranger.signs_in(key), "passkey_unknown")


def test_asking_has_a_limit(tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        open_playroom(tmp_path_factory.mktemp("few"), passkeys_per_hour=2) as playroom,
        Browser(playroom) as stranger,
    ):
        answers = [stranger.sends("challenge") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_passkeys_need_a_name(playroom: Playroom) -> None:
    with Browser(playroom) as stranger:
        stranger.client.base_url = httpx.URL(playroom.address)
        stranger.origin = playroom.address
        assert refused(stranger.sends("challenge"), "passkey_needs_name")


# Making one


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"origin": "http://evil.example"}, "passkey_elsewhere"),
        ({"type": "webauthn.get"}, "passkey_refused"),
    ],
)
def test_a_key_that_was_made_for_something_else_is_not_kept(
    ann: Browser, said: dict[str, Any], reason: str
) -> None:
    key = Authenticator()
    credential = key.make(ann.asked("options", name="Phone"), ann.origin, **said)
    assert refused(ann.sends("add", name="Phone", credential=credential), reason)
    assert links(ann) == []


def test_a_key_is_made_for_whoever_was_asked_and_once(playroom: Playroom, ann: Browser) -> None:
    key = Authenticator()
    credential = key.make(ann.asked("options", name="Phone"), ann.origin)
    with Browser(playroom, "Bob") as bob:
        assert refused(bob.sends("add", name="Phone", credential=credential), "passkey_late")
        assert links(bob) == []
    assert ann.sends("add", name="Phone", credential=credential).status_code == 200
    assert refused(ann.sends("add", name="Phone", credential=credential), "passkey_late")


def test_a_key_for_another_site_or_without_its_owner_is_not_kept(ann: Browser) -> None:
    for site, flags in (("evil.example", 5), ("", PRESENT), ("", 0)):
        key = Authenticator()
        key.site, key.flags = site, flags
        assert refused(ann.makes(key), "passkey_refused")


def test_nobody_registers_the_key_of_somebody_else(
    playroom: Playroom, stranger: Browser, key: Authenticator
) -> None:
    with Browser(playroom, "Mallory") as mallory:
        mine = Authenticator()
        mine.id = key.id
        assert refused(mallory.makes(mine), "passkey_known")
    assert stranger.signs_in(key).status_code == 200
    assert stranger.who() == "Anne"


def test_whoever_has_passkeys_shows_one_before_there_is_another(
    playroom: Playroom, ann: Browser, key: Authenticator
) -> None:
    answer = ann.sends("options", name="Tablet")
    assert (answer.status_code, list(answer.json()["wrong"])) == (422, ["proof"])
    with Browser(playroom, "Bob") as bob:
        other = Authenticator()
        assert bob.makes(other).status_code == 200
        proof = other.sign(ann.asked("challenge", purpose="confirm"), ann.origin)
        assert refused(ann.sends("options", name="Tablet", proof=proof), "passkey_unknown")
    proof = key.sign(ann.challenged(), ann.origin)  # a challenge for coming in proves nothing here
    assert refused(ann.sends("options", name="Tablet", proof=proof), "passkey_late")
    assert ann.makes(Authenticator(), "Tablet", proof=ann.confirms(key)).status_code == 200
    assert ann.get(PAGE).text.count("Last used") == 2


def test_whoever_has_a_password_says_it_first(playroom: Playroom) -> None:
    words = "seven red foxes at noon"
    with Browser(playroom, "Carla") as carla, Browser(playroom) as stranger:
        assert carla.post("/account", {"login": "carla", "password": words}).status == 200
        for password in ("", "seven red foxes"):
            answer = carla.sends("options", name="Phone", password=password)
            assert (answer.status_code, list(answer.json()["wrong"])) == (422, ["password"])
        key = Authenticator()
        assert carla.makes(key, password=words).status_code == 200
        assert stranger.signs_in(key).status_code == 200
        assert stranger.who() == "Carla"
        (shown,) = links(carla)
        path = f"{PAGE}/{shown}/remove"
        page = carla.post(path, {"password": "seven", "proof": stranger.confirms(key)})
        assert (page.status, page.wrong) == (422, [])
        assert page.all("input", id="password")[0]["aria-invalid"] == "true"
        assert "has been removed" in carla.post(path, {"password": words}).text  # without a script
        assert refused(stranger.signs_in(key), "passkey_unknown")


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b"])
def test_a_passkey_has_a_name_that_can_be_read(ann: Browser, name: str) -> None:
    answer = ann.sends("options", name=name)
    assert (answer.status_code, list(answer.json()["wrong"])) == (422, ["name"])


def test_nobody_has_more_than_so_many(playroom: Playroom, ann: Browser, key: Authenticator) -> None:
    owner = playroom.do(playroom.site.room.store[Passkeys].find(key.id))
    assert owner is not None
    for number in range(MOST_PASSKEYS - 1):
        more = Passkey(b"%d" % number + key.id, owner.person, b"", 0, "More options", 0.0)
        playroom.do(playroom.site.room.store[Passkeys].add(more))
    assert refused(ann.sends("options", name="One more"), "too_many_passkeys")
    assert "remove one" in ann.get(PAGE).text


# Pages


def links(browser: Browser) -> list[str]:
    """The keys in the addresses of somebody's passkeys."""
    found = [each["href"] for each in browser.get(PAGE).all("a") if "href" in each]
    return [path.rpartition("/")[2] for path in found if path.startswith(f"{PAGE}/")]


def test_the_pages_are_whole_and_show_what_there_is(ann: Browser, key: Authenticator) -> None:
    page = ann.get(f"{PAGE}?done=added")
    assert (page.status, page.wrong) == (200, [])
    assert "Phone" in page.text
    assert "Last used never" in page.text
    (shown,) = links(ann)
    one = ann.get(f"{PAGE}/{shown}")
    assert (one.status, one.wrong) == (200, [])
    assert ann.signs_in(key).status_code == 200
    assert "never" not in ann.get(PAGE).text


def test_a_passkey_is_renamed_by_its_owner_alone(
    playroom: Playroom, ann: Browser, key: Authenticator
) -> None:
    (shown,) = links(ann)
    path = f"{PAGE}/{shown}"
    page = ann.post(f"{path}/name", {"name": " "})
    assert (page.status, page.wrong) == (422, [])
    assert "1 to 40" in page.text
    assert "My telephone" in ann.post(f"{path}/name", {"name": " My  telephone "}).text
    with Browser(playroom, "Bob") as bob:
        assert bob.get(path).status == 404
        assert bob.post(f"{path}/name", {"name": "Mine"}).status == 404
        assert refused(bob.sends(f"{shown}/remove"), "no_passkey")
    answer = ann.sends(f"{shown}/remove")
    assert (answer.status_code, list(answer.json()["wrong"])) == (422, ["proof"])
    assert "My telephone" in ann.get(PAGE).text


def test_nobody_without_a_session_has_passkeys(stranger: Browser) -> None:
    assert stranger.get(PAGE).status == 401
    for path in ("options", "add", "x/name", "x/remove"):
        assert refused(stranger.sends(path), "no_session")
    assert refused(stranger.sends("challenge", purpose="confirm"), "no_session")


def test_no_other_site_asks_for_anything(ann: Browser) -> None:
    csrf = csrf_of(ann.client.cookies["volte"])
    for path in ("options", "add", "challenge", "signin"):
        for sent, origin in (({"csrf": csrf}, "http://evil.example"), ({}, ann.origin)):
            headers = JSON | {"origin": origin}
            answer = ann.client.post(f"{PAGE}/{path}", data=sent or {"x": ""}, headers=headers)
            assert answer.status_code == 403


SPOILT = {"authenticatorData": "é", "signature": "AA"}
SPOILT |= {"clientDataJSON": packed(b'{"type":"webauthn.get"}')}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "null", "[" * 9000, '{"id":"x"}', "\x00", "é"),
        json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": SPOILT}),
    ],
)
def test_what_is_no_answer_of_a_browser_is_refused(ann: Browser, text: str) -> None:
    assert refused(ann.sends("add", name="x", credential=text), "wrong_form")
    assert refused(ann.sends("signin", proof=text), "wrong_form")


@pytest.mark.parametrize(
    "whole", [b"", b"\xa0", b"\xff" * 50, b"\xa2\x63fmt\x64none\x68authData\x40"]
)
def test_what_is_no_attestation_is_refused(ann: Browser, whole: bytes) -> None:
    key = Authenticator()
    made = json.loads(key.make(ann.asked("options", name="x"), ann.origin))
    made["response"]["attestationObject"] = packed(whole)
    answer = ann.sends("add", name="x", credential=json.dumps(made))
    assert refused(answer, "passkey_refused")
