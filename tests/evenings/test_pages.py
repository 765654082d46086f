"""Clubs and evenings by their pages, as browsers without scripts have them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from kit import Page, Playroom, Visitor
from kit.days import COMING_DAY, later, moment
from kit.names import cells, records
from kit.visits import Visit

from volte.evenings.form import FIELDS, GAMES, new_plan, plan_of, values_of
from volte.forms.fields import FilledForm, Wrong
from volte.forms.when import ZONES
from volte.say import Words
from volte.say.formats import zone_of

SETTINGS = {"conducting": 3600}
"""A server whose conductor does nothing by itself."""


@pytest.fixture(scope="module")
def zoe(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as visitor:
        visitor.come_in("Zoé")
        yield visitor


@pytest.fixture(scope="module")
def max_(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address, "fr") as visitor:
        visitor.come_in("Max")
        yield visitor


def press(visitor: Visitor, address: str, what: str, **fields: Any) -> Page:
    """Press a button of a club or an evening."""
    return visitor.post(f"{address}/do", {"do": what} | fields)


def path(page: Page) -> str:
    """The path to which a form has led."""
    return page.answer.url.path


def made(visitor: Visitor, name: str = "Friday club", **fields: str) -> str:
    """The address of a new club."""
    page = visitor.post("/clubs/new", {"name": name, "about": "Every Friday.\nAt eight."} | fields)
    assert (page.status, page.wrong) == (200, [])
    return path(page)


@pytest.fixture
def club(zoe: Visitor) -> str:
    """The address of a hidden club of Zoé."""
    return made(zoe)


@pytest.fixture
def open_club(zoe: Visitor) -> str:
    """The address of a listed club of Zoé, which anybody may join."""
    return made(zoe, "Open club", listed="on")


def invitation(visitor: Visitor, club: str) -> str:
    field = next(each for each in visitor.get(club).all("input") if "readonly" in each)
    return "/" + field["value"].split("/", 3)[3]


def filled(form: Page) -> dict[str, str]:
    """The fields that a browser would send from the form of an evening."""
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in form.fields("evening-form").items()
    }


def planned(visitor: Visitor, club: str, **fields: str) -> str:
    """The address of a new evening."""
    form = visitor.get(f"{club}/evenings/new")
    assert (form.status, form.wrong) == (200, [])
    page = visitor.post(f"{club}/evenings/new", {**filled(form), "by_itself": "", **fields})
    assert (page.status, page.wrong) == (200, []), page.text
    return path(page)


def own_table(visitor: Visitor, evening: str) -> str:
    """The address of the table to which an evening leads somebody."""
    return visitor.get(evening).all("a", **{"class": "button first large"})[0]["href"]


# Clubs


def test_a_club_is_founded_and_changed(zoe: Visitor) -> None:
    assert zoe.get("/clubs").wrong == []
    club = made(zoe)
    page = zoe.get(club)
    assert page.wrong == []
    assert "Every Friday. At eight." in page.text
    assert "Zoé (owner, you)" in page.text
    page = zoe.post(f"{club}/edit", {"name": "Saturday club", "about": "", "listed": "on"})
    assert "Saturday club" in page.text
    assert "Every Friday" not in page.text
    assert zoe.get(f"{club}/edit").wrong == []


@pytest.mark.parametrize(
    ("fields", "where"),
    [({"name": " "}, "name"), ({"name": "x" * 41}, "name"), ({"about": "x" * 1001}, "about")],
)
def test_a_club_that_cannot_be(zoe: Visitor, fields: dict[str, str], where: str) -> None:
    page = zoe.post("/clubs/new", {"name": "Club", "about": "kept as typed"} | fields)
    assert (page.status, page.wrong) == (422, [])
    assert page.all("a", href=f"#{where}")
    assert "about" in fields or "kept as typed" in page.text


def test_a_private_club_is_there_for_those_alone_whom_it_invites(
    zoe: Visitor, max_: Visitor
) -> None:
    club = made(zoe, "Secret club")
    assert "Secret club" not in max_.get("/clubs").text
    assert max_.get(club).status == 404
    assert press(max_, club, "join").status == 404
    assert max_.get(f"{club}/invited/wrong").status == 404
    address = invitation(zoe, club)
    page = max_.get(address)
    assert page.wrong == []
    assert "Le club Secret club vous invite" in page.text
    assert path(max_.post(address, {"do": "join"})) == club
    assert "Max" in zoe.get(club).text
    press(zoe, club, "key")
    assert press(max_, club, "leave").status == 200
    assert max_.get(address).status == 404


def test_a_listed_club_is_open_to_all(max_: Visitor, open_club: str) -> None:
    assert "Open club" in max_.get("/clubs").text
    assert path(press(max_, open_club, "join")) == open_club
    assert press(max_, open_club, "dissolve").status == 403
    assert max_.get(f"{open_club}/evenings/new").status == 403
    assert max_.get(f"{open_club}/edit").status == 403


def test_the_owner_says_what_members_are(zoe: Visitor, max_: Visitor, open_club: str) -> None:
    club = open_club
    press(max_, club, "join")
    person = zoe.get(club).all("option")[0]["value"]
    zoe.post(f"{club}/members", {"person": person, "role": "organiser"})
    assert max_.get(f"{club}/evenings/new").status == 200
    assert press(zoe, club, "leave").status == 409
    zoe.post(f"{club}/members", {"person": person, "role": "owner"})
    assert "Max (owner)" in zoe.get(club).text
    assert zoe.post(f"{club}/members", {"person": person, "role": "out"}).status == 403
    assert press(zoe, club, "leave").status == 200
    assert path(press(max_, club, "dissolve")) == "/clubs"
    assert max_.get(club).status == 404


def test_whoever_is_put_out_does_not_come_back_by_the_old_address(
    zoe: Visitor, max_: Visitor, club: str
) -> None:
    old = invitation(zoe, club)
    max_.post(old, {"do": "join"})
    page = zoe.post(f"{club}/members", {"person": option(zoe.get(club), "Max .*"), "role": "out"})
    assert "the invitation address has changed" in page.text
    assert "Max" not in page.text
    assert max_.post(old, {"do": "join"}).status == 404
    assert max_.post(invitation(zoe, club), {"do": "join"}).status == 200


def test_whoever_may_not_see_an_evening_is_told_how_to_come_in(
    zoe: Visitor, visit: Visit, club: str
) -> None:
    """The answer is the same whether the evening exists or not."""
    evening, stranger = planned(zoe, club), visit("Eve")
    for address in (evening, "/evenings/0123456789abcdef"):
        page = stranger.get(address)
        assert page.status == 404
        assert "ask one of them for the club’s invitation address" in page.text
    assert "ask one of them for the invitation address" in stranger.get(club).text


# Planning


@pytest.mark.parametrize(
    ("clock", "day"), [("19:59", "2027-01-29"), ("20:00", "2027-01-30"), ("23:59", "2027-01-30")]
)
def test_the_form_begins_with_the_next_usual_hour(clock: str, day: str) -> None:
    """Else it would offer, late in the evening, a time that is refused."""
    now = datetime.fromisoformat(f"2027-01-29T{clock}").replace(tzinfo=zone_of("Europe/Paris"))
    plan = new_plan(Words("fr"), "Club", "Europe/Paris", now.timestamp())
    form = FilledForm.of(FIELDS, values_of(plan))
    assert (form.fields["date"], form.fields["time"]) == (day, "20:00")
    assert values_of(plan_of(form, "1", now.timestamp()))["date"].isoformat() == day


def starts(day: str, hour: str, now: str) -> str:
    """The beginning in UTC of an evening planned in Paris time; or the fault of that plan."""
    at = datetime.fromisoformat(now).timestamp()
    form = FilledForm.of(FIELDS, values_of(new_plan(Words("en"), "Club", "Europe/Paris", at)))
    form = replace(form, fields={**form.fields, "date": day, "time": hour})
    try:
        plan = plan_of(form, "1", at)
    except Wrong as wrong:
        return f"{wrong.field}: {wrong.told(Words('en'))}"
    return f"{datetime.fromtimestamp(plan.starts, UTC):%Y-%m-%dT%H:%MZ}"


def test_the_hour_that_a_time_zone_skips_is_asked_about() -> None:
    now, day = "2027-01-01T12:00Z", "2027-03-28"
    assert starts(day, "01:59", now) == f"{day}T00:59Z"
    asked = (
        "time: That time does not exist on that day, because the clocks go forward: please choose"
        " another."
    )
    assert starts(day, "02:00", now) == starts(day, "02:59", now) == asked
    assert starts(day, "03:00", now) == f"{day}T01:00Z"


def test_of_an_hour_that_comes_twice_the_first_is_meant_until_it_is_over() -> None:
    day = "2026-10-25"
    assert starts(day, "02:30", "2026-10-01T12:00Z") == f"{day}T00:30Z"
    assert starts(day, "02:30", f"{day}T01:35Z") == f"{day}T01:30Z"


def test_an_evening_is_planned_and_changed(zoe: Visitor, club: str) -> None:
    evening = planned(zoe, club, date=later(0), time="20:30", zone="Europe/Paris")
    page = zoe.get(evening)
    assert page.wrong == []
    assert f"{COMING_DAY:%A, %B} {COMING_DAY.day}, {COMING_DAY.year}, 8:30" in page.text
    assert page.all("time", datetime=moment("20:30", "Europe/Paris").isoformat())
    form = zoe.get(f"{evening}/edit")
    assert (form.wrong, form.value("time")) == ([], "20:30")
    page = zoe.post(f"{evening}/edit", filled(form) | {"name": "Another name", "time": "21h00"})
    assert "Another name" in page.text
    assert "9:00" in page.text
    assert "Another name" in zoe.get(club).text
    again = zoe.get(f"{club}/evenings/new")  # like the last one
    assert again.value("name") == "Another name"
    zones = {each["value"] for each in again.all("option")} & set(ZONES)
    assert len(zones) > 60


@pytest.fixture(scope="module")
def a_club(zoe: Visitor) -> str:
    return made(zoe)


@pytest.mark.parametrize(
    "changed",
    [
        *("name=", "date=29/01/2027", "date=2027-02-30", "date=2020-01-01", "date=2199-01-01"),
        *("time=25:00", "time=soon", "zone=Mars/Olympus", "preset=poker", "players=2"),
        *("deals=0", "deals=13", "rounds=many", "pause=61", "clock=2", "level=genius"),
        "preset=cancellation players",
    ],
)
def test_an_evening_that_cannot_be(zoe: Visitor, a_club: str, changed: str) -> None:
    """The fault stands beside the changed field, or beside the field named after it."""
    field, _, rest = changed.partition("=")
    value, _, where = rest.partition(" ")
    where = where or field
    good = {"name": "Friday", "date": later(0), "time": "20:30", "zone": "UTC"}
    good |= {"preset": GAMES[0], "players": "4", "deals": "4", "rounds": "2"}
    good |= {"pause": "2", "level": "casual", "clock": "0"}
    page = zoe.post(f"{a_club}/evenings/new", good | {field: value})
    assert (page.status, page.wrong) == (422, [])
    assert page.all("a", href=f"#{where}"), page.text
    assert [each for each in page.elements if each[1].get("id") == where]


# Coming


def test_people_are_invited_and_answer(zoe: Visitor, max_: Visitor, open_club: str) -> None:
    press(max_, open_club, "join")
    evening = planned(zoe, open_club)
    ids = [each["value"] for each in zoe.get(evening).all("input", type="checkbox")]
    assert len(ids) == 2
    press(zoe, evening, "invite", person=ids)
    assert "Invitations" in max_.get("/clubs").text
    assert max_.get(evening).wrong == []
    page = press(max_, evening, "come")
    assert page.all("p", autofocus="")
    assert "Max" in page.text
    press(max_, evening, "stay")
    assert zoe.get(evening).text.count("Max") == 0


def test_an_evening_is_led_from_its_page(zoe: Visitor, max_: Visitor, open_club: str) -> None:
    evening = planned(zoe, open_club, alone="on", rounds="2")
    press(zoe, evening, "come")
    lonely = press(zoe, evening, "begin", rounds="0")
    assert (lonely.status, lonely.wrong) == (409, [])
    assert "At least 2 people" in lonely.text
    press(max_, evening, "come")  # joins the club as well
    assert press(max_, evening, "begin", rounds="0").status == 403
    page = press(zoe, evening, "begin", rounds="0")
    assert (page.status, page.wrong) == (200, [])
    assert "Round 1 of 2" in press(zoe, evening, "begin", rounds="0").text
    one, other = own_table(zoe, evening), own_table(max_, evening)
    assert one != other
    assert zoe.get(one).status == 200
    assert zoe.get(other).status == 403
    assert path(zoe.get(f"{evening}/edit")) == evening
    press(zoe, evening, "end_round", rounds="1")
    assert "over" in press(zoe, evening, "end", rounds="1").text
    assert zoe.get(f"{evening}/rounds/1").wrong == []
    assert zoe.get(f"{evening}/rounds/2").status == 404
    assert evening in "".join(each.get("href", "") for each in zoe.get(open_club).all("a"))


def test_whoever_comes_late_is_led_to_a_bots_place(
    visit: Visit, zoe: Visitor, max_: Visitor, open_club: str
) -> None:
    evening = planned(zoe, open_club)
    for visitor in (zoe, max_):
        press(visitor, evening, "come")
    press(zoe, evening, "begin", rounds="0")
    late = visit("Léa")
    assert "Take a bot’s seat" in late.get(evening).text
    page = press(late, evening, "late")
    assert (page.status, page.wrong) == (200, [])
    assert page.all("a", href=evening)
    assert path(page) == own_table(late, evening)
    again = press(late, evening, "late")
    assert again.status == 409
    assert "You already have a seat in this round" in again.text
    assert "Léa and 2 bots" in zoe.get(evening).text


def option(page: Page, name: str) -> str:
    """The value of a choice, by its label."""
    found = re.search(rf'<option value="([^"]+)"[^>]*>{name}<', page.answer.text)
    assert found is not None, page.text
    return found[1]


def test_an_organiser_gives_the_place_of_whoever_is_not_here_to_a_late_comer(
    visit: Visit, zoe: Visitor, open_club: str
) -> None:
    evening = planned(zoe, open_club)
    people = [visit(name) for name in ("Ada", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gil")]
    for visitor in (zoe, *people):
        press(visitor, evening, "come")
    page = press(zoe, evening, "begin", rounds="0")
    late, absent = visit("Léa"), people[0]
    assert press(late, evening, "late").status == 409
    press(late, evening, "come")
    assert press(late, evening, "miss", missing=option(page, "Ada")).status == 403
    page = press(zoe, evening, "miss", missing=option(page, "Ada"))
    assert (page.status, page.wrong) == (200, [])
    assert "Ada (not here)" in page.text
    page = press(zoe, evening, "seat", late=option(page, "Léa"))
    assert (page.status, page.wrong) == (200, [])
    assert late.get(own_table(late, evening)).status == 200
    page = absent.get(evening)
    assert "Press “I am here” to get a seat again" in page.text
    page = press(absent, evening, "come")
    assert "(not here)" not in page.text
    assert "You will play from the next round on." in page.text


def test_an_evening_is_cancelled(zoe: Visitor, club: str) -> None:
    evening = planned(zoe, club)
    assert press(zoe, club, "dissolve").status == 409
    assert "cancelled" in press(zoe, evening, "end", rounds="0").text
    assert press(zoe, evening, "come").status == 409
    assert press(zoe, club, "dissolve").status == 200
    assert zoe.get(evening).status == 404


# Files


def test_what_can_be_taken_away(zoe: Visitor, club: str) -> None:
    evening = planned(zoe, club, name="A, b; c", date=later(0), time="20:30", zone="UTC")
    press(zoe, evening, "come")
    rows = records(zoe.client.get(f"{evening}/standings.csv").text)
    assert [(row["place"], row["name"]) for row in rows] == [("", "Zoé")]
    assert cells(zoe.client.get(f"{evening}/deals.csv").text)[0][:4] == [
        "round",
        "deal",
        "table",
        "seat",
    ]
    content = json.loads(zoe.client.get(f"{evening}/evening.json").text)
    assert content["name"] == "A, b; c"
    assert "secret" not in content
    assert re.fullmatch("[0-9a-f]{64}", content["digest"])
    date = zoe.client.get(f"{evening}/evening.ics")
    assert date.headers["content-type"].startswith("text/calendar")
    lines = date.text.split("\r\n")
    assert f"DTSTART:{COMING_DAY:%Y%m%d}T203000Z" in lines
    assert "SUMMARY:A\\, b\\; c" in lines
    assert all(len(line.encode()) <= 75 for line in lines)


def test_a_calendar_subscribes_by_an_address_that_can_be_renewed(
    zoe: Visitor, visit: Visit, club: str
) -> None:
    evening, nobody = planned(zoe, club, name="Friday", date=later(0), zone="UTC"), visit()

    def address() -> str:
        field = next(each for each in zoe.get(evening).all("input") if each.get("id") == "calendar")
        return "/" + field["value"].split("/", 3)[3]

    old = address()
    date = nobody.client.get(old)
    assert (date.status_code, date.headers["content-type"][:13]) == (200, "text/calendar")
    assert "SUMMARY:Friday" in date.text
    assert nobody.client.get(f"{evening}/evening.ics").status_code == 401
    assert press(visit("Eve"), evening, "calendar").status == 404
    member = visit("Max")
    assert member.post(invitation(zoe, club), {"do": "join"}).status == 200
    assert press(member, evening, "calendar").status == 403
    assert nobody.client.get(old).status_code == 200
    press(zoe, evening, "calendar")
    assert nobody.client.get(old).status_code == 404
    zoe.post(f"{evening}/edit", filled(zoe.get(f"{evening}/edit")) | {"name": "Saturday"})
    assert "SUMMARY:Saturday" in nobody.client.get(address()).text


def test_a_name_is_no_formula(visit: Visit) -> None:
    visitor = visit("=1+1")
    evening = planned(visitor, made(visitor))
    press(visitor, evening, "come")
    assert "'=1+1" in visitor.client.get(f"{evening}/standings.csv").text


def test_somebody_without_a_name_is_asked_for_it(visit: Visit, zoe: Visitor, club: str) -> None:
    evening, stranger = planned(zoe, club), visit()
    for each in ("/clubs", "/clubs/new", club, evening, invitation(zoe, club)):
        page = stranger.get(each)
        assert (page.status, page.value("name")) == (200, "")
    assert stranger.client.get(f"{evening}/standings.csv").status_code == 401
