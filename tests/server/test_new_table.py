"""The form for a new table: who plays, pace and time, somebody new, and the address to give."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
import pytest
from kit import Page, Playroom, Visitor
from starlette.datastructures import FormData

from volte.forms.fields import Wrong
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Someone
from volte.table.commands import Start
from volte.web.table_form import TableForm, new_setup, table_fields, table_values
from volte.web.table_time import planned_for
from volte.web.visit import ZONE_COOKIE


@pytest.fixture
def visitor(visitor: Visitor) -> Visitor:
    """Somebody who has come in."""
    visitor.come_in()
    return visitor


# Who plays, and the pace


def spelled_out(lang: str = "en", **changes: str) -> dict[str, str]:
    """The texts of a new table's form with those changes, once it is spelled out."""
    words = Words(lang)
    shown = TableForm.of(table_fields(words), table_values(new_setup(words, "Zoé")))
    form = TableForm.typed(table_fields(words), FormData({**shown.texts, **changes}))
    return form.spelled_out().texts


SEATS: Final = ("seat1", "seat3", "seat9")


def test_a_company_and_a_pace_bring_along_what_they_stand_for() -> None:
    usual = spelled_out()
    assert (usual["who"], usual["access"], usual["pace"], usual["clock"]) == (
        *("friends", "link"),
        *("calm", "0"),
    )
    assert not any(usual[name] for name in SEATS)
    bots = spelled_out(who="bots", pace="brisk")
    assert (bots["access"], bots["clock"]) == ("private", "30")
    assert all(bots[name] for name in SEATS)
    again = spelled_out(**bots | {"who": "anybody", "pace": "calm"})
    assert (again["access"], again["clock"]) == ("public", "0")
    assert not any(again[name] for name in SEATS)


def test_what_is_changed_by_hand_stays_and_the_company_says_so() -> None:
    seated = spelled_out(who="anybody", seat2="strong", clock="45", pace="brisk")
    assert (seated["seat1"], seated["seat2"], seated["clock"]) == ("", "strong", "45")
    assert (seated["who"], seated["pace"]) == ("anybody", "own")
    for access, who in (("public", "anybody"), ("password", "own"), ("private", "own")):
        shown = spelled_out(access=access)
        assert (shown["access"], shown["who"]) == (access, who)
    locked = spelled_out(access="password")
    assert spelled_out(**locked | {"who": "friends"})["access"] == "link"


def test_somebody_new_opens_a_table_by_one_form_and_is_a_guest(
    playroom: Playroom,
) -> None:
    with Visitor(playroom.address, "fr") as french:
        state = playroom.live(french.open_table(guest="Léa").table).state
        assert french.client.get("/api/me").json()["name"] == "Léa"
    assert state.setup.name == "La table de Léa"
    assert [seat.name for seat in state.seats] == ["Léa", "", "", ""]
    assert state.setup.rules == make_ruleset("dame-de-pique")


def test_somebody_new_may_say_no_name_and_a_wrong_one_makes_nobody(
    playroom: Playroom,
) -> None:
    with Visitor(playroom.address) as nobody:
        wrong = nobody.open_table(guest="x" * 41, name="Mine")
        assert (wrong.status, wrong.wrong) == (422, [])
        assert wrong.all("a", href="#guest")
        assert wrong.value("guest") == "x" * 41
        assert nobody.get("/me").all("button", name="next")  # still asked for a name
        state = playroom.live(nobody.open_table().table).state
        assert (state.setup.name, state.seats[0].name) == ("Guest’s table", "Guest")
        assert state.setup.rules == make_ruleset("microsoft")


def test_with_bots_alone_the_match_begins_at_once_and_else_it_waits(visitor: Visitor) -> None:
    assert "data-begin" in visitor.open_table(who="bots").all("div", id="table")[0]
    for fields in ({}, {"who": "anybody"}, {"seat1": "casual"}):
        assert "data-begin" not in visitor.open_table(**fields).all("div", id="table")[0]


def test_a_new_table_begins_with_the_game_that_one_has_played_last(
    visitor: Visitor, playroom: Playroom
) -> None:
    table = visitor.open_table(preset="coeurs", players="5", who="bots").table
    live = playroom.live(table)
    playroom.do(live.do(Someone(live.state.host, "Zoé"), Start(), live.state.version))
    page = visitor.get("/tables/new")
    assert page.all("input", name="preset", checked="", value="coeurs")
    assert page.fields("table-form")["players"] == ["5"]
    other = visitor.get("/tables/new?preset=salon")
    assert other.all("input", name="preset", checked="", value="salon")


def test_the_form_of_a_table_says_who_comes_and_offers_no_table_of_bots(visitor: Visitor) -> None:
    for access, who in (("link", "friends"), ("public", "anybody"), ("private", "own")):
        page = visitor.get(f"/tables/{visitor.open_table(access=access).table}/setup")
        shown = [each["value"] for each in page.all("input", name="who")]
        assert page.fields("table-form")["who"] == who
        assert shown == ["friends", "anybody", *(["own"] if who == "own" else [])]


# The address


def test_an_address_that_no_other_machine_can_open_says_so_in_place_of_its_picture(
    visitor: Visitor,
) -> None:
    path = f"/tables/{visitor.open_table().table}"
    for host, told, picture in (
        ("127.0.0.1:8150", "Only this machine can open this address", False),
        ("192.168.1.7:8150", "Only devices on the same network", True),
        ("cards.example", "", True),
    ):
        page = Page(visitor.client.get(path, headers={"host": host}))
        assert f"http://{host}/tables/" in page.all("input", id="address")[0]["value"]
        assert bool(page.all("p", id="address-reach")) is bool(told)
        assert told in page.text
        assert bool(page.all("img", src=f"{path}/qr.svg")) is picture
        assert page.wrong == []


# The time


def planned(
    date: str, hour: str, zone: str = "Europe/Paris", now: str = "2026-03-20T12:00+00:00"
) -> str:
    """The time in UTC that a form says, or the field that is wrong."""
    texts = {"when": "later", "date": date, "time": hour, "zone": zone}
    form = TableForm(table_fields(Words("en")), texts)
    try:
        found = planned_for(form, None, datetime.fromisoformat(now).timestamp())
    except Wrong as wrong:
        return wrong.field
    assert found is not None
    return f"{datetime.fromtimestamp(found, ZoneInfo('UTC')):%d %H:%M}"


def test_a_time_is_that_of_ones_own_clocks_when_they_go_back_or_forward_as_well() -> None:
    assert planned("2026-03-28", "20:30") == "28 19:30"
    assert planned("2026-03-29", "20:30") == "29 18:30"
    assert planned("2026-03-29", "2h30") == "time"  # there is no such time
    assert planned("2026-03-29", "02:30", "Asia/Tokyo") == "28 17:30"
    before, within = "2026-10-20T12:00+00:00", "2026-10-25T00:45+00:00"
    assert planned("2026-10-25", "02:30", now=before) == "25 00:30"  # the first of two
    assert planned("2026-10-25", "02:30", now=within) == "25 01:30"


def test_a_time_is_still_to_come_and_within_a_fortnight() -> None:
    now = "2026-03-20T12:00+00:00"
    assert planned("2026-03-20", "12:00", "UTC", now) == "20 12:00"
    assert planned("2026-03-20", "11:59", "UTC", now) == "time"
    assert planned("2026-04-03", "12:00", "UTC", now) == "03 12:00"
    assert planned("2026-04-03", "12:01", "UTC", now) == "date"


def tomorrow(zone: str, hours: int = 20, minutes: int = 30) -> tuple[dict[str, str], float]:
    """The fields of tomorrow at that time in a zone, and the time in seconds since 1970."""
    day = datetime.now(ZoneInfo(zone)).date() + timedelta(days=1)
    at = datetime(day.year, day.month, day.day, hours, minutes, tzinfo=ZoneInfo(zone))
    fields = {"when": "later", "date": f"{day}", "time": f"{hours:02}:{minutes:02}", "zone": zone}
    return fields, at.timestamp()


def test_a_table_is_planned_by_the_clocks_of_its_host(visitor: Visitor, playroom: Playroom) -> None:
    visitor.client.cookies.set(ZONE_COOKIE, "America/Toronto")
    page = visitor.get("/tables/new")
    assert page.all("input", name="zone")[0]["value"] == "America/Toronto"
    assert "Time zone: Toronto" in page.text
    assert page.fields("table-form")["when"] == ["now"]
    assert page.fields("table-form")["time"] == "20:30"
    fields, at = tomorrow("America/Toronto")
    live = playroom.live(visitor.open_table(who="anybody", **fields).table)
    assert live.state.setup.planned == at
    with Visitor(playroom.address) as other:
        other.client.cookies.set(ZONE_COOKIE, "Asia/Tokyo")
        there = datetime.fromtimestamp(at, ZoneInfo("Asia/Tokyo"))
        assert f"{there:%-I:%M}" in other.get("/").text


def test_whose_browser_tells_no_zone_chooses_one(visitor: Visitor, playroom: Playroom) -> None:
    page = visitor.get("/tables/new")
    assert page.all("select", id="zone")
    fields, at = tomorrow("Asia/Tokyo")
    table = visitor.open_table(**fields).table
    assert playroom.live(table).state.setup.planned == at
    setup = visitor.get(f"/tables/{table}/setup").fields("table-form")
    moved = visitor.post(f"/tables/{table}/setup", setup | {"do": "open", "zone": "Europe/Paris"})
    assert moved.status == 200
    now = playroom.live(table).state.setup.planned
    assert now is not None
    assert now != at
    paris = datetime.fromtimestamp(now, ZoneInfo("Europe/Paris"))
    assert f"{paris:%H:%M}" == setup["time"]


def test_one_tab_plans_a_table_and_another_changes_its_clock(
    visitor: Visitor, playroom: Playroom
) -> None:
    table = visitor.open_table().table
    path = f"/tables/{table}/setup"
    first = visitor.get(path).fields("table-form") | {"do": "open"}
    second = dict(first)
    fields, at = tomorrow(first["zone"][0])
    assert visitor.post(path, first | fields).status == 200
    assert visitor.post(path, second | {"clock": "45"}).status == 200
    setup = playroom.live(table).state.setup
    assert (setup.planned, setup.clock) == (at, 45)
    third = visitor.get(path).fields("table-form") | {"do": "open"}
    assert visitor.post(path, third | {"when": "now"}).status == 200
    assert playroom.live(table).state.setup.planned is None


def test_a_time_that_nobody_touches_stays_to_the_second_even_if_it_is_over() -> None:
    at, words = 1_780_000_000.5, Words("en")
    setup = msgspec.structs.replace(new_setup(words, "Zoé"), planned=at)
    shown = TableForm.of(table_fields(words), table_values(setup, "Europe/Paris")).at(setup)
    renamed = replace(shown, fields={**shown.fields, "name": "Another"})
    assert renamed.setup(at + 600.0).planned == at
    moved = replace(shown, fields={**shown.fields, "time": "00:00"})
    with pytest.raises(Wrong) as wrong:
        moved.setup(at + 600.0)
    assert wrong.value.field == "time"


def test_more_than_three_planned_tables_are_refused_at_the_field_and_not_to_others(
    visitor: Visitor, playroom: Playroom
) -> None:
    fields, _ = tomorrow("UTC")
    for _ in range(3):
        assert visitor.open_table(**fields).table
    page = visitor.open_table(**fields)
    assert (page.status, page.wrong) == (422, [])
    assert page.all("a", href="#when")
    assert "3 planned tables" in page.text
    assert page.fields("table-form")["date"] == fields["date"]
    with Visitor(playroom.address) as newcomer:
        assert newcomer.open_table(**fields).table


def test_bots_alone_play_now(visitor: Visitor) -> None:
    fields, _ = tomorrow("UTC")
    page = visitor.open_table(who="bots", **fields)
    assert (page.status, page.wrong) == (422, [])
    assert page.all("p", id="when-fault")
