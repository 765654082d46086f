"""The first page: what "Play now" begins, and how it is chosen, without a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.browsing import Page, Visitor
from kit.people import Player
from kit.requests import request
from kit.sites import House, open_house, serving

from volte.rules import PRESETS, make_ruleset
from volte.table import Setup, TableState
from volte.table.commands import Start
from volte.table.setup import LEVELS


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


def visiting(house: House, lang: str) -> Iterator[Visitor]:
    with Visitor(house.address, lang) as somebody:
        yield somebody


@pytest.fixture
def english(house: House) -> Iterator[Visitor]:
    yield from visiting(house, "en")


@pytest.fixture
def french(house: House) -> Iterator[Visitor]:
    yield from visiting(house, "fr")


def chosen(page: Page) -> dict[str, str]:
    """What a browser would send of the three selects, and the name."""
    fields: dict[str, str] = {}
    select = ""
    for tag, found in page.elements:
        if tag == "select":
            select = found["name"]
        if tag == "option" and "selected" in found:
            fields[select] = found["value"]
    return fields


def presets_of(page: Page) -> list[str]:
    """The rules that can be chosen, in their order."""
    return [found["value"] for found in page.all("option") if found["value"] in PRESETS]


def state_of(house: House, page: Page) -> TableState:
    live = house.do(house.site.room.lobby.find(page.all("div", id="table")[0]["data-table"]))
    assert live is not None
    return live.state


def test_newcomers_find_the_game_that_they_know(english: Visitor, french: Visitor) -> None:
    page = english.get("/")
    assert "Hearts, four players, casual bots" in page.text
    assert page.all("span", **{"class": "change"})
    assert presets_of(page)[0] == chosen(page)["preset"] == "microsoft"
    page = french.get("/")
    assert "La Dame de pique, quatre joueurs, robots amateurs" in page.text
    assert presets_of(page)[0] == chosen(page)["preset"] == "dame-de-pique"
    assert sorted(presets_of(page)) == sorted(PRESETS)


def test_what_is_chosen_is_played(house: House, english: Visitor) -> None:
    fields = {"preset": "coeurs", "players": "5", "level": "beginner"}
    state = state_of(house, english.post("/play", fields | {"name": "Zoé"}))
    assert state.setup.rules == make_ruleset("coeurs", {"players": 5})
    assert [seat.level for seat in state.seats] == ["", *["beginner"] * 4]
    assert state.seats[0].name == "Zoé"


def test_a_press_without_fields_begins_the_game_of_newcomers(
    house: House, english: Visitor, french: Visitor
) -> None:
    for visitor, name in ((english, "microsoft"), (french, "dame-de-pique")):
        state = state_of(house, visitor.post("/play"))
        assert state.setup.rules == make_ruleset(name)
        assert [seat.level for seat in state.seats] == ["", *["casual"] * 3]


def test_rules_alone_bring_their_usual_number_of_players(house: House, english: Visitor) -> None:
    state = state_of(house, english.post("/play", {"preset": "cancellation"}))
    assert len(state.seats) == PRESETS["cancellation"].players[0]


def test_rules_that_do_not_suit_so_many_say_whom_they_suit(
    english: Visitor, french: Visitor
) -> None:
    fields = {"preset": "cancellation", "players": "4", "level": "strong"}
    page = english.post("/play", fields | {"name": "Zoé"})
    assert (page.status, page.wrong) == (422, [])
    assert "Cancellation Hearts does not suit four players: please choose 6, 7, 8" in page.text
    assert chosen(page) == fields
    assert page.value("name") == "Zoé"
    assert page.all("select", name="players")[0]["aria-invalid"] == "true"
    assert "open" in page.all("details")[0]
    page = french.post("/play", {"preset": "salon-six-deux", "players": "4"})
    assert "ne se joue pas à quatre joueurs\xa0: choisissez 6." in page.answer.text


def test_a_name_that_cannot_be_loses_nothing(english: Visitor) -> None:
    fields = {"preset": "black-maria", "players": "3", "level": "expert"}
    page = english.post("/play", fields | {"name": "x" * 41})
    assert (page.status, page.wrong) == (422, [])
    assert chosen(page) == fields
    assert page.value("name") == "x" * 41
    assert page.all("input", name="name")[0]["aria-invalid"] == "true"


@pytest.mark.parametrize(
    "fields",
    [{"preset": "poker"}, {"players": "11"}, {"players": "-4"}, {"level": "unbeatable"}],
    ids=str,
)
def test_what_cannot_be_chosen_is_answered_with_one_sentence(
    house: House, english: Visitor, fields: dict[str, str]
) -> None:
    page = english.post("/play", fields)
    assert (page.status, page.wrong) == (422, [])
    assert next(iter(fields.values())) in page.text
    assert not page.all("div", id="table")


async def test_what_somebody_played_last_comes_first_the_next_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        player = await Player.come(site.address)
        own = {"cookie": player.cookie}

        async def offered() -> str:
            text = (await request(site.address, "GET", "/", headers=own)).text
            line = text.partition('<span id="game">')[2]
            return line.partition("</span>")[0]

        assert await offered() == "Hearts, four players, casual bots"
        rules = make_ruleset("coeurs", {"players": 3})
        await player.join(await player.open_table(("beginner",) * 2, Setup("Table", rules)))
        assert await offered() == "Hearts, four players, casual bots"  # nothing is played yet
        await player.do(Start())
        assert await offered() == "Les Cœurs, three players, beginner bots"
        own_rules = make_ruleset("omnibus", {"slam": "double"})
        await player.join(await player.open_table(("strong",) * 3, Setup("Table", own_rules)))
        await player.do(Start())  # rules of their own are those of no preset
        assert await offered() == "Les Cœurs, three players, beginner bots"


def test_every_level_has_its_words_on_the_first_page(english: Visitor) -> None:
    values = [found["value"] for found in english.get("/").all("option")]
    assert [value for value in values if value in LEVELS] == list(LEVELS)
