"""Sessions, exports and deletion: the data of one person."""

from __future__ import annotations

import io
import json
import time
from functools import partial
from typing import Any
from zipfile import ZipFile

import msgspec
from kit import Guest, Page, Player, Playroom, Visitor
from kit.accounts import OTHER, WORDS, account, refused, sign_in, sign_up, token

from volte.evenings.conducting import Evenings
from volte.evenings.decide import begin_round, join
from volte.evenings.evening import Plan
from volte.evenings.store import Clubs
from volte.game import MatchStarted
from volte.notation import parse_record
from volte.people.sessions import Sessions, hashed
from volte.people.store import Accounts
from volte.rules import make_ruleset
from volte.table import Someone
from volte.table.commands import Start


def as_guest(playroom: Playroom, visitor: Visitor) -> Guest:
    """A guest at tables for a visitor's person, with the same session."""
    person = playroom.do(playroom.site.room[Sessions].person(token(visitor)))
    assert person is not None
    return Guest(playroom.address, f"volte={token(visitor)}", person.id, person.name)


def seated(playroom: Playroom, visitor: Visitor) -> Guest:
    """A guest for a visitor's person, at a new table that they have joined."""
    guest = as_guest(playroom, visitor)

    async def sit_down() -> None:
        await guest.join(await guest.open_table())

    playroom.do(sit_down())
    return guest


def sessions(page: Page) -> list[str]:
    """The keys of the sessions on the page."""
    return [found["value"] for found in page.all("button", name="session")]


def taken(visitor: Visitor) -> tuple[dict[str, Any], dict[str, str]]:
    """The export of a person: the JSON, and the texts of the other files."""
    answer = visitor.post("/me/data").answer
    assert answer.headers["content-type"] == "application/zip"
    with ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        files = {name: packed.read(name).decode() for name in packed.namelist()}
    return json.loads(files.pop("volte.json")), files


# Sessions


def test_sessions_are_told_apart_and_no_token_is_told(zoé: Visitor, another: Visitor) -> None:
    login, _ = sign_up(zoé)
    sign_in(another, login)
    page = zoé.get("/me/sessions")
    assert page.wrong == []
    assert len(sessions(page)) == 2
    assert "Firefox on Linux" in page.text
    for visitor in (zoé, another):
        assert token(visitor) not in page.answer.text
        assert hashed(token(visitor)).hex() not in page.answer.text


def test_one_session_is_ended_and_its_table_hangs_up(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    sign_in(another, login)
    there = seated(playroom, another)
    page = zoé.get("/me/sessions")
    page = zoé.post("/me/sessions", {"session": sessions(page)[1]})
    assert page.all("p", autofocus="")
    assert len(sessions(page)) == 1
    assert playroom.do(there.until_closed()) == 4401
    assert another.get("/me").status == 401
    assert zoé.get("/me").status == 200


def test_all_others_end_and_this_one_can_be_ended(zoé: Visitor, another: Visitor) -> None:
    login, _ = sign_up(zoé)
    sign_in(another, login)
    assert len(sessions(zoé.post("/me/sessions", {"others": "1"}))) == 1
    assert another.get("/me").status == 401
    page = zoé.get("/me/sessions")
    assert zoé.post("/me/sessions", {"session": sessions(page)[0]}).answer.url.path == "/"
    assert "volte" not in zoé.client.cookies


def test_nobody_ends_the_sessions_of_others(zoé: Visitor, another: Visitor) -> None:
    another.come_in("Max")
    theirs = sessions(another.get("/me/sessions"))[0]
    for session in (theirs, token(another), "", "x"):
        zoé.post("/me/sessions", {"session": session})
    assert another.get("/me").status == 200


def test_a_link_for_another_device_ends_with_all_others(zoé: Visitor, another: Visitor) -> None:
    sign_up(zoé)
    page = zoé.post("/me/device")
    path = page.all("input", id="address")[0]["value"].partition("/device/")[2]
    assert len(sessions(zoé.get("/me/sessions"))) == 1  # a link is no session yet
    zoé.post("/me/sessions", {"others": "1"})
    assert another.get(f"/device/{path}").status == 410


# Export


def test_all_that_is_kept_is_taken_away_and_no_secret(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    another.come_in("Max")
    match = played(playroom, zoé)
    login, codes = sign_up(zoé)
    told, files = taken(zoé)
    assert told["person"]["name"] == "Zoé"
    assert told["account"]["login"] == login
    assert told["recovery_codes_left"] == len(codes)
    assert [each["id"] for each in told["matches"]] == [match]
    started = parse_record(files[f"matches/{match}.volte"]).log[0]
    assert isinstance(started, MatchStarted)
    assert "Zoé" in [player.name for player in started.players]
    text = json.dumps(told)
    for secret in ("argon2", token(zoé), hashed(token(zoé)).hex(), "Max", WORDS, *codes):
        assert secret not in text


def played(playroom: Playroom, visitor: Visitor) -> str:
    """The id of a match that a visitor has played to its end."""
    guest = as_guest(playroom, visitor)
    player = Player(guest.address, guest.cookie, guest.person, guest.name)

    async def play() -> str:
        await player.join(await player.open_table())
        await player.hurry()
        assert (await player.do(Start())).ok
        await player.play()
        await player.leave()
        return (await playroom.site.room.store.matches_of(player.person))[0].id

    return playroom.do(play())


def test_evenings_are_taken_away_without_anybody_else(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    another.come_in("Max")
    ours, theirs = as_guest(playroom, zoé), as_guest(playroom, another)
    key = evening_of(playroom, theirs, ours)
    told, files = taken(zoé)
    assert [each["evening"] for each in told["evenings"]] == [key]
    mine = json.loads(files[f"evenings/{key}.json"])
    assert (mine["name"], mine["called"], mine["comes"]) == ("Friday", "Zoé", True)
    assert len(mine["seats"]) == len(mine["standing"]) == 1
    assert not mine["planned_by_you"]
    for secret in ("Max", theirs.person):
        assert secret not in files[f"evenings/{key}.json"]


def test_whoever_is_deleted_comes_to_no_evening_any_more(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    another.come_in("Max")
    ours, theirs = as_guest(playroom, zoé), as_guest(playroom, another)
    key = evening_of(playroom, theirs, ours)
    assert "evenings" in zoé.get("/me/data/delete").text
    assert zoé.post("/me/data/delete", {"confirm": "Zoé"}).status == 200
    evening = playroom.do(playroom.site.room[Evenings].find(key))
    assert evening is not None
    assert [comer.name for comer in evening.coming] == ["Max"]
    assert evening.name_of(ours.person) == "Zoé"
    assert playroom.do(playroom.site.room.store[Clubs].evenings_of(ours.person)) == []


def evening_of(playroom: Playroom, host: Guest, *guests: Guest) -> str:
    """The id of an evening that has begun, to which host and guests come."""
    rules = make_ruleset("microsoft", {"match_end": "deals:1"})
    plan = Plan("Friday", "", time.time(), "UTC", rules, alone=True, by_itself=False)
    evenings = playroom.site.room[Evenings]

    async def begin() -> str:
        key = await evenings.plan(plan, Someone(host.person, host.name))
        for each in (host, *guests):
            await evenings.do(key, partial(join, who=Someone(each.person, each.name)))
        await evenings.do(key, partial(begin_round, now=time.time()))
        return key

    return playroom.do(begin())


def test_every_struct_that_is_taken_away_is_json(zoé: Visitor) -> None:
    told, files = taken(zoé)
    assert files == {}
    assert told["account"] is None
    assert msgspec.json.decode(msgspec.json.encode(told)) == told


def test_data_is_not_taken_away_again_and_again(zoé: Visitor) -> None:
    statuses = {zoé.post("/me/data").status for _ in range(15)}
    assert statuses == {200, 429}


# Leaving


def test_whoever_is_deleted_is_gone_everywhere(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    match = played(playroom, zoé)
    login, codes = sign_up(zoé)
    sign_in(another, login)
    there = seated(playroom, another)
    page = zoé.post("/me/data/delete", {"present": WORDS})
    assert (page.status, page.wrong) == (200, [])
    assert playroom.do(there.until_closed()) == 4401
    for visitor in (zoé, another):
        assert visitor.get("/me").status == 401
    assert refused(sign_in(zoé, login), "password")
    fields = {"login": login, "code": codes[0], "password": OTHER}
    assert refused(zoé.post("/recover", fields), "code")
    store = playroom.site.room.store
    assert playroom.do(store.person(there.person)) is None
    assert playroom.do(store.match(match)) is not None  # others may have played in it
    assert playroom.do(store[Accounts].known(login)) == []


def test_a_guest_types_their_name_to_be_deleted(playroom: Playroom, zoé: Visitor) -> None:
    before = token(zoé)
    assert refused(zoé.post("/me/data/delete", {"confirm": "zoe"}), "confirm")
    assert zoé.get("/me").status == 200
    assert zoé.post("/me/data/delete", {"confirm": " Zoé "}).status == 200
    zoé.client.cookies.set("volte", before)
    assert zoé.get("/me").status == 401


def test_a_login_is_free_once_its_owner_is_gone(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    login, _ = sign_up(zoé)
    zoé.post("/me/data/delete", {"present": WORDS})
    another.come_in("Max")
    assert another.post("/account", {"login": login, "password": OTHER}).status == 200
    assert account(playroom, login).person
