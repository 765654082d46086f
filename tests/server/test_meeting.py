"""Playing with anybody: one press, the line at the table, people whom one would rather avoid."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from kit import ENGLISH, Guest, Playroom, Reply, Site, Visitor, post_json
from kit.browsing import Page
from kit.seeking import nobody_seeks
from kit.sites import SiteWith, until

from volte.forms.meeting import PeopleWanted, wanted_phrase
from volte.rules import make_ruleset
from volte.say import words_of
from volte.server.tables.meeting import wish_of
from volte.table import Someone
from volte.table.commands import Start
from volte.wire.messages import Question, Seeking

pytestmark = pytest.mark.usefixtures("nobody_waits")


@pytest.fixture
async def room(site: Site) -> AsyncIterator[Site]:
    yield site
    await nobody_seeks(site.room)


@pytest.fixture
def other(playroom: Playroom) -> Iterator[Visitor]:
    """Somebody else, at another browser."""
    with Visitor(playroom.address) as somebody:
        yield somebody


# The press


def test_one_press_of_somebody_new_leads_to_a_table_with_bots_where_anybody_may_come(
    playroom: Playroom, visitor: Visitor
) -> None:
    page = visitor.post("/meet", {"name": "Zoé"})
    state = playroom.live(page.table).state
    assert state.setup.meeting
    assert state.setup.rules == make_ruleset("microsoft")
    assert [seat.name for seat in state.seats] == ["Zoé", "Alice", "Bruno", "Chloé"]
    assert "data-begin" in page.all("div", id="table")[0]


def test_what_is_looked_for_is_played_meanwhile_and_stands_there_the_next_time(
    playroom: Playroom, visitor: Visitor
) -> None:
    wanted = {"rules": "black-maria", "pace": "brisk", "langs": "fr", "near": "on"}
    state = playroom.live(visitor.post("/meet", wanted).table).state
    assert state.setup.rules == make_ruleset("black-maria")
    assert state.setup.clock == 30
    page = visitor.get("/")
    assert "Black Maria, 30 seconds per turn, Français, only people about as strong" in page.text
    assert {"name": "langs", "value": "fr"}.items() <= page.all("input", id="langs-fr")[0].items()
    assert "checked" in page.all("input", id="langs-fr")[0]
    assert "checked" not in page.all("input", id="empty")[0]


def test_who_would_rather_wait_without_bots_waits_at_the_empty_table(
    playroom: Playroom, visitor: Visitor
) -> None:
    page = visitor.post("/meet", {"empty": "on"})
    state = playroom.live(page.table).state
    assert [seat.free for seat in state.seats] == [False, True, True, True]
    assert "data-begin" not in page.all("div", id="table")[0]


def test_somebody_who_presses_in_two_tabs_is_at_one_table(visitor: Visitor) -> None:
    visitor.come_in()
    assert visitor.post("/meet").table == visitor.post("/meet", {"rules": "coeurs"}).table


def test_a_second_stranger_sits_down_with_the_first_as_long_as_nobody_has_played(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    first = visitor.post("/meet", {"name": "Zoé", "rules": "spot-hearts"})
    second = other.post("/meet", {"name": "Ana", "rules": "spot-hearts"})
    assert first.table == second.table
    assert {"Zoé", "Ana"} < {seat.name for seat in playroom.live(first.table).state.seats}


def test_nobody_comes_whose_game_or_language_is_another_one(
    visitor: Visitor, other: Visitor
) -> None:
    first = visitor.post("/meet", {"rules": "spot-hearts", "langs": "fr"})
    second = other.post("/meet", {"rules": "black-maria", "langs": "en"})
    assert first.table != second.table


def test_a_wish_that_was_kept_is_read_as_far_as_it_is_known() -> None:
    wanted = PeopleWanted("coeurs", "calm", ("fr", "en"), near=True)
    assert PeopleWanted.of_settings({"meeting": wanted.texts}) == wanted
    assert PeopleWanted.of_settings(
        {"meeting": wanted.texts | {"rules": "bridge"}}
    ) == wanted._replace(rules="")
    assert (
        PeopleWanted.of_settings({})
        == PeopleWanted.of_settings({"meeting": "any"})
        == PeopleWanted()
    )
    assert wish_of(wanted).langs == ("fr", "en")
    assert wanted_phrase(words_of("fr"), wanted).startswith(
        "Les Cœurs, sans limite de temps, Français, "
    )
    assert wanted_phrase(ENGLISH, PeopleWanted()) == "any rules, any pace"


async def test_somebody_who_presses_as_fast_as_can_be_stalls_nobody(site_with: SiteWith) -> None:
    """Eight times at once, until far too often: another presses once meanwhile, and sits down."""
    site = await site_with(requests_per_minute=60)
    zoe, ana, hasty = [await Guest.come(site.address, name) for name in ("Zoé", "Ana", "Max")]
    replies, elsewhere = list[Reply](), {"x-forwarded-for": "203.0.113.9"}

    async def press() -> None:
        while True:
            wish = {"rules": "black-maria"}
            args = site.address, "/api/meet", wish, hasty.cookie
            replies.append(await post_json(*args, headers=elsewhere))

    table = (await zoe.post("/api/meet", {"rules": "spot-hearts"})).json["table"]
    pressing = [asyncio.create_task(press()) for _ in range(8)]
    await until(lambda: replies)
    assert (await ana.post("/api/meet", {"rules": "spot-hearts"})).json["table"] == table
    seats = (await site.live(table)).state.seats
    assert [seat.person for seat in seats if seat.person] == [zoe.person, ana.person]
    await until(lambda: replies[-1].status == 429)
    for each in pressing:
        each.cancel()
    assert {reply.status for reply in replies} == {200, 429}
    assert len({reply.json["table"] for reply in replies if reply.status == 200}) == 1
    assert "too fast" in replies[-1].json["line"]


# People met


def playing(playroom: Playroom, visitor: Visitor, other: Visitor) -> str:
    """Zoé and Ana in a match at one table; return its id."""
    table = visitor.post("/meet", {"name": "Zoé", "rules": "spot-hearts"}).table
    assert other.post("/meet", {"name": "Ana", "rules": "spot-hearts"}).table == table
    live = playroom.live(table)
    who = Someone(live.state.seats[0].person, "Zoé")
    assert playroom.do(live.do(who, Start(), live.state.version)).refusal is None
    return table


def pressed(visitor: Visitor, page: Page) -> Page:
    """The page after the only button about a person on it."""
    ((_, fields),) = [each for each in page.forms() if each[0] == "/meet/apart"]
    return visitor.post("/meet/apart", fields)


def test_not_with_this_person_again_is_one_press_told_to_nobody_and_taken_back(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    playing(playroom, visitor, other)
    page = visitor.get("/meet/left")
    assert "You have played with Ana" in page.text
    seen = other.get("/meet/left").text, other.get("/me/talk").text
    page = pressed(visitor, page)
    assert (page.status, page.wrong) == (200, [])
    assert "You and that person will not be seated together again, and an open table" in page.text
    assert seen == (other.get("/meet/left").text, other.get("/me/talk").text)
    assert "Play together again" in visitor.get("/").text
    page = visitor.get("/me/talk")
    assert "Play with Ana again" in page.text
    assert "Nobody." in pressed(visitor, page).text


def test_whom_one_keeps_away_after_leaving_one_no_longer_meets_by_the_list(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    playing(playroom, visitor, other)
    table = other.open_table(name="Ana’s own", access="public").table
    assert "Ana’s own" in visitor.get("/").text
    pressed(visitor, visitor.get("/meet/left"))
    assert "Ana’s own" not in visitor.get("/").text
    assert "Every seat is taken: Ana’s own" in visitor.get(f"/tables/{table}").text
    pressed(visitor, visitor.get("/me/talk"))
    assert visitor.get(f"/tables/{table}?sit").table == table


def test_somebody_with_whom_one_has_not_played_cannot_be_kept_away(
    visitor: Visitor, other: Visitor
) -> None:
    visitor.come_in()
    page = visitor.post("/meet/apart", {"person": "nobody", "do": "apart"})
    assert page.status == 404
    assert "You have not played with this person recently." in page.text
    assert "Nobody else played with you at that table." in visitor.get("/meet/left").text


# At the table


async def test_somebody_at_such_a_table_hears_who_else_waits_and_can_stop(room: Site) -> None:
    zoe = await Guest.come(room.address)
    met = (await zoe.post("/api/meet", {"rules": "coeurs"})).json
    assert met["begin"]
    await zoe.join(met["table"], told=True)
    await zoe.until(lambda: [each.line for each in zoe.notices if each.reason == "seeking"])
    assert zoe.notices[0].short == "Nobody else is waiting yet."
    told = await zoe.ask(Question.SEEKING)
    assert told.lines == (zoe.notices[0].line,)
    answer = await zoe.request(Seeking, on=False)
    assert answer.ok
    await zoe.until(lambda: zoe.notices[-1].line == "")
    assert (await zoe.ask(Question.SEEKING)).lines[
        0
    ] == "You are not looking for people to play with."
    assert (await zoe.request(Seeking, on=True)).ok
    await zoe.until(lambda: zoe.notices[-1].line != "")


async def test_only_somebody_with_a_seat_at_such_a_table_looks_for_others_there(
    room: Site,
) -> None:
    zoe = await Guest.at_table(room.address)
    answer = await zoe.request(Seeking, on=True)
    assert answer.refusal is not None
    assert answer.refusal.reason == "no_seeking"
    host = await Guest.come(room.address, "Ana")
    table = (await host.post("/api/meet")).json["table"]
    watcher = await Guest.come(room.address, "Max")
    await watcher.join(table)
    answer = await watcher.request(Seeking, on=True)
    assert answer.refusal is not None
    assert answer.refusal.reason == "no_seeking"


async def test_a_program_is_told_which_field_of_its_wish_is_wrong(room: Site) -> None:
    zoe = await Guest.come(room.address)
    for wish in ({"rules": "nope"}, {"pace": "slow"}, {"langs": ["xx"]}):
        reply = await zoe.post("/api/meet", wish)
        assert (reply.status, [reply.json["field"]]) == (422, [*wish])
