"""The visitor's matches with replay and proof, statistics and ratings: by real requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from kit import Guest, Playroom, SiteWith, Visitor, keep, played
from kit.spoken import EVERY
from kit.visits import Visit

from volte.game import DealScored, Event, MatchStarted
from volte.game.codec import encode
from volte.history.match_page import key_of
from volte.history.moments import Eyes, retold
from volte.history.reckoner import Reckoner, reckon
from volte.history.rows import Rating
from volte.history.store import Results
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.store import MatchRow
from volte.table import Someone, Watching

COEURS = played(make_ruleset("coeurs"))
CHANGED = played(make_ruleset("coeurs", {"queen_points": 13, "settlement": "average"}))
TWO_DEALS = played(make_ruleset("microsoft", {"match_end": "deals:2"}))
LANGUAGES = pytest.mark.parametrize("lang", EVERY)
PATHS = ("", "/replay", "/replay/1", "/proof", "/proof.json", "/record")


@pytest.fixture
def zoe(visit: Visit) -> Visitor:
    return visit("Zoé")


def person_of(visitor: Visitor) -> Someone:
    me = visitor.client.get("/api/me").json()
    return Someone(me["person"], me["name"])


Kept = Callable[..., MatchRow]


def scenes_sent(answer: Any) -> list[Any]:
    """The scenes of a deal as the page makes them of the changes that came."""
    scene: Any = None
    return [scene := changed(scene, moment["scene"]) for moment in answer["moments"]]


def changed(before: Any, change: Any) -> Any:
    """A value after a change; see `volte.scene.changes`."""
    if isinstance(change, list):
        place, count, items = change
        before = before or []
        return [*before[:place], *items, *before[place + count :]]
    if not isinstance(change, dict):
        return change
    if isinstance(before, list):
        places = enumerate(before)
        return [changed(item, change.get(str(place), {})) for place, item in places]
    known = before or {}
    return known | {name: changed(known.get(name), each) for name, each in change.items()}


@pytest.fixture
def kept(playroom: Playroom) -> Kept:
    """Store a match that a visitor has played, and its results."""

    def kept(visitor: Visitor, log: list[Event] = COEURS, **more: Any) -> MatchRow:
        store = playroom.site.room.store
        row = playroom.do(keep(store, person_of(visitor), log, **more))
        playroom.do(reckon(store, row))
        return row

    return kept


def rate(playroom: Playroom, visitor: Visitor, ladder: str, mu: float, matches: int) -> None:
    """Give a visitor a rating."""
    store, person = playroom.site.room.store, person_of(visitor)
    row = playroom.do(keep(store, person, COEURS, over=False))
    rating = Rating(person.id, ladder, mu, 2.0, matches, 1.0)
    playroom.do(store[Results].keep(row.id, (), [rating]))


# The list


@LANGUAGES
def test_my_matches_are_listed_with_what_came_of_them(visit: Visit, lang: str, kept: Kept) -> None:
    zoe = visit("Zoé", lang)
    empty = zoe.get("/matches")
    assert (empty.status, empty.wrong) == (200, [])
    row = kept(zoe)
    page = zoe.get("/matches")
    assert page.wrong == []
    assert "Zoé" in page.text
    assert "Lou" in page.text or "Bert" in page.text
    assert page.all("a", href=f"/matches/{row.id}")
    assert page.all("a", href=f"/matches/{row.id}/replay")


def test_times_of_matches_are_those_of_the_persons_zone(visit: Visit, kept: Kept) -> None:
    zoe = visit("Zoé", "fr")
    begun = kept(zoe).begun
    for cookie, zone in (("Asia/Tokyo", "Asia/Tokyo"), ("Nowhere/At_all", ""), ("", "")):
        zoe.client.cookies.set("volte_zone", cookie)
        there = datetime.fromtimestamp(begun, ZoneInfo(zone or "UTC")).strftime("%H:%M")
        told = there if zone else f"{there} UTC"
        for path in ("/", "/matches"):
            text = zoe.get(path).text
            assert told in text
            assert (" UTC" in text) is (not zone)


def test_a_match_that_goes_on_has_a_way_to_its_table_and_nothing_else(
    zoe: Visitor, kept: Kept
) -> None:
    row = kept(zoe, over=False)
    page = zoe.get("/matches")
    assert page.all("a", href=f"/tables/{row.table}")
    assert not page.all("a", href=f"/matches/{row.id}")
    for path in PATHS:
        assert zoe.client.get(f"/matches/{row.id}{path}").status_code == 403, path
    assert zoe.get(f"/matches/{row.id}?key={key_of(row)}").status == 403


def test_matches_are_chosen_by_game_and_company(zoe: Visitor, kept: Kept) -> None:
    ours = {"coeurs": kept(zoe), "other": kept(zoe, CHANGED)}
    for name, row in ours.items():
        page = zoe.get(f"/matches?rules={name}&company=bots")
        links = {link["href"] for link in page.all("a")}
        assert [each for each in ours.values() if f"/matches/{each.id}" in links] == [row]
        assert page.all("option", value=name)[0].get("selected") is not None
    assert "no such matches" in zoe.get("/matches?rules=coeurs&company=people").text
    for odd in ("rules=x", "company=x", "page=x", "page=-1", "page=99999", "page=999999999"):
        assert zoe.get(f"/matches?{odd}").status == 200


def test_long_lists_have_pages(zoe: Visitor, kept: Kept) -> None:
    rows = [kept(zoe, over=False) for _ in range(21)]
    first, second = zoe.get("/matches"), zoe.get("/matches?page=2")
    assert first.all("a", rel="next", href="/matches?page=2")
    assert second.all("a", rel="prev", href="/matches?page=1")
    ours = {f"/tables/{row.table}" for row in rows}
    links = (
        [each["href"] for each in page.all("a") if each["href"] in ours] for page in (first, second)
    )
    tables = [set(found[1:]) for found in links]  # the first says that a match waits
    assert [len(each) for each in tables] == [20, 1]
    assert not tables[0] & tables[1]


# One match


@LANGUAGES
@pytest.mark.parametrize(
    "log", [COEURS, CHANGED, TWO_DEALS], ids=["coeurs", "changed", "microsoft"]
)
def test_the_page_of_a_match_shows_places_and_the_sheet(
    visit: Visit, lang: str, log: list[Event], kept: Kept
) -> None:
    zoe = visit("Zoé", lang)
    row = kept(zoe, log)
    page = zoe.get(f"/matches/{row.id}")
    assert (page.status, page.wrong) == (200, [])
    started = log[0]
    assert isinstance(started, MatchStarted)
    assert all(player.name in page.text for player in started.players)
    for path in ("replay", "proof", "record"):
        assert page.all("a", href=f"/matches/{row.id}/{path}")
    assert len(page.all("table")) == 2
    mean = "The average total is" if lang == "en" else "La moyenne des totaux est"
    assert (mean in page.text) == (log is CHANGED)  # M5
    for path in ("replay", "proof"):
        page = zoe.get(f"/matches/{row.id}/{path}")
        assert (page.status, page.wrong) == (200, [])
        assert page.all("html", lang=lang)
        assert "no-store" in page.answer.headers.get("cache-control", "no-store")


def test_the_page_of_a_replay_brings_the_score_but_no_card(zoe: Visitor, kept: Kept) -> None:
    """Each deal comes in a request of its own, with all cards or as the person saw it."""
    row = kept(zoe, TWO_DEALS)
    replay = f"/matches/{row.id}/replay"
    found = zoe.get(replay).all("div", id="table")[0]
    outline = json.loads(found["data-outline"])
    assert found["data-seat"] == "0"
    points = [each.points for each in TWO_DEALS if isinstance(each, DealScored)]
    rows = json.loads(found["data-sheet"])["rows"]
    assert [tuple(row["points"]) for row in rows] == points
    assert all(each["hands"] == [None] * 4 for each in outline if each["event"] == "Dealt")
    answer = zoe.client.get(f"{replay}/2").json()
    assert answer["number"] == 2
    deal = retold(Words("en"), TWO_DEALS, 2, 0, Eyes.OPEN, Verbosity.NORMAL)
    shown = json.loads(encode([moment.scene for moment in deal.moments]))
    assert scenes_sent(answer) == shown  # each as a change of the one before
    own = scenes_sent(zoe.client.get(f"{replay}/2?eyes=own").json())
    assert {card["seat"] for scene in own for card in scene["hands"]} == {0}
    assert zoe.client.get(f"{replay}/3").status_code == 404
    assert zoe.client.get(f"{replay}/-1").status_code == 404


def test_what_proves_the_deals_is_the_log_itself(zoe: Visitor, kept: Kept) -> None:
    row = kept(zoe, TWO_DEALS)
    kinds = [each["event"] for each in zoe.client.get(f"/matches/{row.id}/proof.json").json()]
    assert kinds[0] == MatchStarted.__name__
    assert kinds.count("Revealed") == kinds.count("Committed") == 2
    assert "Played" not in kinds


def test_strangers_see_only_what_they_could_have_watched(
    visit: Visit, zoe: Visitor, kept: Kept
) -> None:
    """They are onlookers, and never addressed as "you"."""
    shut, seen = kept(zoe), kept(zoe, watching=Watching.AFTERWARDS)
    nobody, eve = visit(), visit("Eve")
    for path in PATHS:
        assert nobody.client.get(f"/matches/{shut.id}{path}").status_code == 401, path
        assert eve.client.get(f"/matches/{shut.id}{path}").status_code == 404, path
    assert nobody.get(f"/matches/{seen.id}").status == 401
    page = eve.get(f"/matches/{seen.id}")
    assert page.status == 200
    assert not page.all("input", id="share")
    page = eve.get(f"/matches/{seen.id}/replay")
    assert page.all("div", id="table")[0]["data-seat"] == ""
    outside = eve.client.get(f"/matches/{seen.id}/replay/1?eyes=own").json()
    assert not any(scene["hands"] for scene in scenes_sent(outside))
    assert "You " not in json.dumps(outside)


def test_whoever_has_the_link_sees_the_match_and_nothing_else(
    playroom: Playroom, visit: Visit, zoe: Visitor, kept: Kept
) -> None:
    row, other, nobody = kept(zoe), kept(zoe), visit()
    (share,) = zoe.get(f"/matches/{row.id}").all("input", id="share")
    address, _, key = share["value"].partition("?key=")
    assert address == f"{playroom.address}/matches/{row.id}"
    for path in PATHS:
        assert nobody.client.get(f"/matches/{row.id}{path}?key={key}").status_code == 200
        for wrong in ("", key[:-1], key[:-1] + "é", "0" * 32, key.upper() + "x"):
            answer = nobody.client.get(f"/matches/{row.id}{path}", params={"key": wrong})
            assert answer.status_code == 401
        assert nobody.client.get(f"/matches/{other.id}{path}?key={key}").status_code == 401
    page = nobody.get(f"/matches/{row.id}?key={key}")
    assert page.wrong == []
    assert not page.all("input", id="share")
    for path in ("replay", "proof", "record"):
        assert page.all("a", href=f"/matches/{row.id}/{path}?key={key}")
    replay = nobody.get(f"/matches/{row.id}/replay?key={key}")
    assert replay.all("div", id="table")[0]["data-carried"] == f"?key={key}"
    assert replay.answer.headers["referrer-policy"] == "same-origin"


# Statistics and ratings


@LANGUAGES
def test_statistics_are_told_game_by_game(visit: Visit, lang: str, kept: Kept) -> None:
    zoe = visit(lang=lang)
    assert zoe.get("/matches/statistics").status == 200  # asks for a name first
    zoe.come_in()
    assert zoe.get("/matches/statistics").wrong == []
    for log in (COEURS, COEURS, CHANGED):
        kept(zoe, log)
    page = zoe.get("/matches/statistics")
    assert page.wrong == []
    assert len(page.all("table")) == 1
    assert page.all("a", href="/matches?rules=coeurs&company=bots")
    assert page.all("a", href="/matches?rules=other&company=bots")


@pytest.mark.parametrize(("lang", "ladder"), [("en", "salon"), ("fr", "black-lady")])
def test_who_is_rated_stands_in_the_ladder(
    playroom: Playroom, visit: Visit, lang: str, ladder: str
) -> None:
    zoe, yves = visit("Zoé", lang), visit("Yves")
    assert zoe.get("/ratings").wrong == []
    rate(playroom, zoe, ladder, 27.5, 12)
    rate(playroom, yves, ladder, 30.0, 3)
    page = zoe.get(f"/ratings/{ladder}")
    assert page.wrong == []
    assert "1600 ± 160" in page.text
    assert "1700 ± 160" in page.text
    assert len(page.all("table")) == 2  # Yves has played too few
    assert "1600 ± 160" in zoe.get("/ratings").text
    assert page.text.index("1600") < page.text.index("1700 ± 160")
    for name in ("other", "x", "coeurs%00"):
        assert zoe.get(f"/ratings/{name}").status == 404
    assert zoe.get("/ratings/coeurs?page=77").status == 200


# For programs


def test_programs_are_told_the_same_and_nobodys_id(
    playroom: Playroom, visit: Visit, zoe: Visitor, kept: Kept
) -> None:
    nobody = visit()
    assert nobody.client.get("/api/matches").status_code == 401
    row = kept(zoe)
    answer = zoe.client.get("/api/matches")
    assert person_of(zoe).id not in answer.text
    assert not answer.json()["more"]
    (match,) = answer.json()["matches"]
    assert match == zoe.client.get(f"/api/matches/{row.id}").json()
    assert [each["own"] for each in match["results"]] == [True, False, False, False]
    shown = nobody.client.get(f"/api/matches/{row.id}?key={key_of(row)}").json()
    assert not any(each["own"] for each in shown["results"])
    (ours,) = zoe.client.get("/api/statistics").json()["statistics"]
    assert (ours["rules"], ours["people"], ours["matches"]) == ("coeurs", False, 1)
    rate(playroom, zoe, "greek", 27.5, 12)
    (first,) = zoe.client.get("/api/ratings/greek").json()["standings"]
    place = {"place": 1, "name": "Zoé", "own": True}
    assert first == place | {"rating": 1600, "margin": 160, "matches": 12}
    assert zoe.client.get("/api/ratings/x").status_code == 404


# Rated tables


def test_the_form_opens_a_rated_table_without_hints(
    playroom: Playroom, visit: Visit, zoe: Visitor
) -> None:
    fields = zoe.get("/tables/new?preset=coeurs").fields("table-form")
    fields |= {"do": "open", "rated": "on", "preset": "coeurs", "who": "anybody"}
    page = zoe.post("/tables", fields)
    table = str(page.answer.url.path).rpartition("/")[2]
    live = playroom.do(playroom.site.room.lobby.find(table))
    assert live is not None
    assert live.state.setup.rated
    assert not live.state.setup.hints
    assert zoe.get(f"/tables/{table}/setup").all("input", id="rated")[0].get("checked") == ""
    assert "(rated)" in visit("Yves").get("/").text
    page = zoe.post("/tables", fields | {"queen_points": "13"})
    assert (page.status, page.wrong) == (422, []), "own rules are not rated"
    assert "must use the unchanged rules" in page.text
    assert page.all("input", id="rated")[0]["aria-describedby"].startswith("rated-fault")


# In the background


async def test_what_nobody_has_reckoned_is_reckoned_when_a_server_begins(
    site_with: SiteWith,
) -> None:
    """The last server may have stopped between the end of a match and its results."""
    site = await site_with()
    zoe = await Guest.come(site.address)
    person = Someone(zoe.person, zoe.name)
    rows = [await keep(site.room.store, person, COEURS) for _ in range(3)]
    site = await site.anew()
    await site.room[Reckoner].idle()
    found = await site.room.store[Results].of_matches([row.id for row in rows])
    assert all(len(results) == 4 for results in found.values())
