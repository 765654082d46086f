"""My matches, their results, statistics and ratings: by real requests, in both languages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from kit.browsing import Visitor
from kit.matches import keep, played
from kit.sites import House, open_house

from volte.game import MatchStarted
from volte.history.match_page import key_of
from volte.history.reckoner import Reckoner, reckon
from volte.history.store import Rating, Results
from volte.rules import make_ruleset
from volte.store import MatchRow
from volte.table import Someone, Watching

ONE = {"match_end": "deals:1"}
COEURS = played(make_ruleset("coeurs"))
CHANGED = played(make_ruleset("coeurs", {"queen_points": 13}))
TWO_DEALS = played(make_ruleset("microsoft", {"match_end": "deals:2"}))
LANGUAGES = pytest.mark.parametrize("lang", ["en", "fr"])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


def person_of(visitor: Visitor) -> Someone:
    me = visitor.client.get("/api/me").json()
    return Someone(me["person"], me["name"])


def kept(house: House, visitor: Visitor, log: Any = COEURS, **more: Any) -> MatchRow:
    """A match that the visitor has played, and what has come of it."""
    room, person = house.site.room, person_of(visitor)

    async def story() -> MatchRow:
        row = await keep(room.store, person, log, **more)
        await room[Reckoner].idle()
        await reckon(room.store, row)
        return row

    return house.do(story())


def rated(house: House, person: str, ladder: str, mu: float, matches: int) -> None:
    """Gives somebody a rating."""
    store = house.site.room.store

    async def story() -> None:
        row = await keep(store, Someone(person, "X"), COEURS, over=False)
        rating = Rating(person, ladder, mu, 2.0, matches, 1.0)
        await store[Results].keep(row.id, (), [rating])

    house.do(story())


# The list


@LANGUAGES
def test_my_matches_are_listed_with_what_came_of_them(house: House, lang: str) -> None:
    with Visitor(house.address, lang) as zoe:
        zoe.come_in()
        empty = zoe.get("/matches")
        assert empty.status == 200
        assert empty.wrong == []
        row = kept(house, zoe)
        page = zoe.get("/matches")
        assert page.wrong == []
        assert "Zoé" in page.text
        assert "Lou" in page.text or "Bert" in page.text
        assert page.all("a", href=f"/matches/{row.id}")
        assert page.all("a", href=f"/matches/{row.id}/replay")


def test_a_match_that_goes_on_has_a_way_to_its_table(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        row = kept(house, zoe, over=False)
        page = zoe.get("/matches")
        assert page.all("a", href=f"/tables/{row.table}")
        assert not page.all("a", href=f"/matches/{row.id}")


def test_matches_are_chosen_by_game_and_company(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        ours = {
            name: kept(house, zoe, log) for name, log in (("coeurs", COEURS), ("other", CHANGED))
        }
        for name, row in ours.items():
            page = zoe.get(f"/matches?rules={name}&company=bots")
            found = {link["href"] for link in page.all("a")}
            assert f"/matches/{row.id}" in found
            assert all(f"/matches/{each.id}" not in found for each in ours.values() if each != row)
            assert page.all("option", value=name)[0].get("selected") is not None
        assert "none of that kind" in zoe.get("/matches?rules=coeurs&company=people").text
        for odd in ("rules=x", "company=x", "page=x", "page=-1", "page=99999", "page=999999999"):
            assert zoe.get(f"/matches?{odd}").status == 200


def test_long_lists_have_pages(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        rows = [kept(house, zoe, over=False) for _ in range(21)]
        first, second = zoe.get("/matches"), zoe.get("/matches?page=2")
        assert first.all("a", rel="next", href="/matches?page=2")
        assert second.all("a", rel="prev", href="/matches?page=1")
        tables = [
            {link["href"] for link in page.all("a")} & {f"/tables/{row.table}" for row in rows}
            for page in (first, second)
        ]
        assert [len(each) for each in tables] == [20, 1]
        assert not tables[0] & tables[1]


# One match


@LANGUAGES
@pytest.mark.parametrize(
    "log", [COEURS, CHANGED, TWO_DEALS], ids=["coeurs", "changed", "microsoft"]
)
def test_the_page_of_a_match_shows_places_and_the_sheet(house: House, lang: str, log: Any) -> None:
    with Visitor(house.address, lang) as zoe:
        zoe.come_in()
        row = kept(house, zoe, log)
        page = zoe.get(f"/matches/{row.id}")
        assert page.status == 200
        assert page.wrong == []
        started = log[0]
        assert isinstance(started, MatchStarted)
        for player in started.players:
            assert player.name in page.text
        for path in ("replay", "proof", "record"):
            assert page.all("a", href=f"/matches/{row.id}/{path}")
        assert len(page.all("table")) == 2


def test_strangers_see_only_what_they_could_have_watched(house: House) -> None:
    with Visitor(house.address) as zoe, Visitor(house.address) as eve:
        zoe.come_in()
        shut, seen = kept(house, zoe), kept(house, zoe, watching=Watching.HIDDEN)
        assert eve.get(f"/matches/{seen.id}").status == 401
        eve.come_in("Eve")
        assert eve.get(f"/matches/{shut.id}").status == 404
        page = eve.get(f"/matches/{seen.id}")
        assert page.status == 200
        assert not page.all("input", id="share")


# By link


PATHS = ("", "/replay", "/replay/1", "/proof", "/proof.json", "/record")


def test_whoever_has_the_link_sees_the_match_and_nothing_else(house: House) -> None:
    with Visitor(house.address) as zoe, Visitor(house.address) as nobody:
        zoe.come_in()
        row, other = kept(house, zoe), kept(house, zoe)
        (share,) = zoe.get(f"/matches/{row.id}").all("input", id="share")
        address, _, key = share["value"].partition("?key=")
        assert address == f"{house.address}/matches/{row.id}"
        for path in PATHS:
            assert nobody.client.get(f"/matches/{row.id}{path}?key={key}").status_code == 200
            for wrong in ("", key[:-1], key[:-1] + "é", "0" * 32, key.upper() + "x"):
                told = nobody.client.get(f"/matches/{row.id}{path}", params={"key": wrong})
                assert told.status_code == 401
            assert nobody.client.get(f"/matches/{other.id}{path}?key={key}").status_code == 401
        page = nobody.get(f"/matches/{row.id}?key={key}")
        assert page.wrong == []
        assert not page.all("input", id="share")
        for path in ("replay", "proof", "record"):
            assert page.all("a", href=f"/matches/{row.id}/{path}?key={key}")
        replay = nobody.get(f"/matches/{row.id}/replay?key={key}")
        assert replay.all("div", id="table")[0]["data-carried"] == f"?key={key}"
        assert replay.answer.headers["referrer-policy"] == "same-origin"


def test_a_match_that_goes_on_is_shown_to_nobody(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        row = kept(house, zoe, over=False)
        assert zoe.get(f"/matches/{row.id}?key={key_of(row)}").status == 403


# Statistics and ratings


@LANGUAGES
def test_statistics_are_told_game_by_game(house: House, lang: str) -> None:
    with Visitor(house.address, lang) as zoe:
        assert zoe.get("/matches/statistics").status == 200  # asks for a name first
        zoe.come_in()
        assert zoe.get("/matches/statistics").wrong == []
        for log in (COEURS, COEURS, CHANGED):
            kept(house, zoe, log)
        page = zoe.get("/matches/statistics")
        assert page.wrong == []
        assert len(page.all("table")) == 1
        assert page.all("a", href="/matches?rules=coeurs&company=bots")
        assert page.all("a", href="/matches?rules=other&company=bots")


@LANGUAGES
def test_who_is_rated_stands_in_the_ladder(house: House, lang: str) -> None:
    with Visitor(house.address, lang) as zoe, Visitor(house.address) as yves:
        zoe.come_in()
        yves.come_in("Yves")
        assert zoe.get("/ratings").wrong == []
        ladder = {"en": "salon", "fr": "black-lady"}[lang]
        rated(house, person_of(zoe).id, ladder, 27.5, 12)
        rated(house, person_of(yves).id, ladder, 30.0, 3)
        page = zoe.get(f"/ratings/{ladder}")
        assert page.wrong == []
        assert "1600 ± 160" in page.text
        assert "1700 ± 160" in page.text
        assert len(page.all("table")) == 2  # Yves has played too few
        assert "1600 ± 160" in zoe.get("/ratings").text
        assert page.text.index("1600") < page.text.index("1700 ± 160")


def test_there_are_no_other_ladders(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        for name in ("other", "x", "coeurs%00"):
            assert zoe.get(f"/ratings/{name}").status == 404
        assert zoe.get("/ratings/coeurs?page=77").status == 200


# For programs


def test_programs_are_told_the_same_and_nobodys_id(house: House) -> None:
    with Visitor(house.address) as zoe, Visitor(house.address) as nobody:
        assert nobody.client.get("/api/matches").status_code == 401
        zoe.come_in()
        row = kept(house, zoe)
        told = zoe.client.get("/api/matches").json()
        assert not told["more"]
        (match,) = told["matches"]
        assert match == zoe.client.get(f"/api/matches/{row.id}").json()
        assert [each["own"] for each in match["results"]] == [True, False, False, False]
        assert person_of(zoe).id not in zoe.client.get("/api/matches").text
        key = key_of(row)
        shown = nobody.client.get(f"/api/matches/{row.id}?key={key}").json()
        assert not any(each["own"] for each in shown["results"])
        (ours,) = zoe.client.get("/api/statistics").json()["statistics"]
        assert (ours["rules"], ours["people"], ours["matches"]) == ("coeurs", False, 1)
        rated(house, person_of(zoe).id, "greek", 27.5, 12)
        (first,) = zoe.client.get("/api/ratings/greek").json()["standings"]
        assert first == {
            "place": 1,
            "name": "Zoé",
            "own": True,
            "rating": 1600,
            "margin": 160,
            "matches": 12,
        }
        assert zoe.client.get("/api/ratings/x").status_code == 404


# Rated tables


def test_the_form_opens_a_rated_table_without_hints(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        fields = zoe.get("/tables/new?preset=coeurs").fields("table-form")
        fields |= {"do": "open", "rated": "on", "preset": "coeurs"}
        page = zoe.post("/tables", fields)
        table = str(page.answer.url.path).rpartition("/")[2]
        setup = house.do(house.site.room.lobby.find(table))
        assert setup is not None
        assert setup.state.setup.rated
        assert not setup.state.setup.hints
        assert zoe.get(f"/tables/{table}/setup").all("input", id="rated")[0].get("checked") == ""
        with Visitor(house.address) as yves:
            yves.come_in("Yves")
            assert "(rated)" in yves.get("/").text


def test_own_rules_are_not_rated_and_the_form_says_so(house: House) -> None:
    with Visitor(house.address) as zoe:
        zoe.come_in()
        fields = zoe.get("/tables/new?preset=coeurs").fields("table-form")
        fields |= {"do": "open", "rated": "on", "preset": "coeurs", "queen_points": "13"}
        page = zoe.post("/tables", fields)
        assert page.status == 422
        assert page.wrong == []
        assert "as they stand" in page.text
        assert page.all("input", id="rated")[0]["aria-describedby"].startswith("rated-fault")


# In the background


def test_what_nobody_has_reckoned_is_reckoned_when_a_server_begins(tmp_path: Any) -> None:
    """Whatever happened between the end of a match and its results."""
    with open_house(tmp_path) as house, Visitor(house.address) as zoe:
        zoe.come_in()
        rows = [kept(house, zoe) for _ in range(3)]
        store = house.site.room.store
        house.do(store[Results].forget_all())
    with open_house(tmp_path) as house:
        store = house.site.room.store

        async def all_are() -> None:
            async with asyncio.timeout(60):
                while not all([await store[Results].reckoned(row.id) for row in rows]):
                    await asyncio.sleep(0.01)

        house.do(all_are())
        found = house.do(store[Results].of_matches([row.id for row in rows]))
        assert all(len(results) == 4 for results in found.values())
