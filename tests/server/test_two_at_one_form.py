"""Two people, or two tabs, with one form open: both's changes hold; a clash is asked about."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import Page, Playroom, Visitor
from kit.days import later
from msgspec.structs import replace

from volte.forms.fields import Amount, Clash, FilledForm, Letter, Switch, Wrong, applied, declared
from volte.forms.fields import Field as TextField
from volte.store import Person

# Applied changes

TEXTS = st.sampled_from(("", "a", "b", "on"))
FORMS = st.fixed_dictionaries(dict.fromkeys("xyz", TEXTS))


@given(typed=FORMS, shown=FORMS, stored=FORMS)
def test_what_was_changed_is_applied_and_nothing_else(
    typed: Mapping[str, str], shown: Mapping[str, str], stored: Mapping[str, str]
) -> None:
    changed = {name for name in typed if typed[name] != shown[name]}
    theirs = {name for name in typed if stored[name] != shown[name] and stored[name] != typed[name]}
    after, asked, stays = applying(typed, shown, stored)
    assert asked == {name: stored[name] for name in changed & theirs}
    assert after == {name: (typed if name in changed else stored)[name] for name in typed}
    assert applying(after, stays, stored) == (after, {}, stored)  # sent once more, it holds


def applying(
    typed: Mapping[str, str], shown: Mapping[str, str], stored: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, str], Mapping[str, str]]:
    """The fields then, those that are asked about, and what the form shows if it comes back."""
    try:
        return applied(typed, shown, stored), {}, stored
    except Clash as clash:
        return clash.fields, clash.theirs, clash.stored


KINDS = declared(TextField("name"), Switch("listed"))


@pytest.mark.parametrize(
    "shown", ["", "[]", "{", "7", '{"name":7}', '{"name":{}}', "\ud800", "null"]
)
def test_a_form_that_says_nothing_sensible_of_what_it_showed_is_applied_as_it_is(
    shown: str,
) -> None:
    form = FilledForm.typed(KINDS, {"name": "B", "shown": shown})
    assert form.upon({"name": "A", "listed": True}).read() == {"name": "B", "listed": False}


def test_lines_end_as_the_browser_likes() -> None:
    form = FilledForm(KINDS, {"name": "A\r\nB "}, {"name": "A\nB"})
    assert form.upon({"name": "C", "listed": False}).fields["name"] == "C"


def test_a_field_that_the_form_did_not_know_stays_as_it_is() -> None:
    form = FilledForm.typed(KINDS, {"name": "B", "shown": '{"name": "A"}'})
    assert form.upon({"name": "A", "listed": True}).read() == {"name": "B", "listed": True}


def test_all_that_is_wrong_is_told() -> None:

    with pytest.raises(Wrong) as wrong:
        FilledForm(declared(Amount("rounds", least=1, most=3), Letter("key")), {}).read()
    assert [each.field for each in (wrong.value, *wrong.value.others)] == ["rounds", "key"]


# Forms of the site


@pytest.fixture
def anne(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as visitor:
        visitor.come_in("Anne")
        yield visitor


def form_of(page: Page, name: str) -> dict[str, Any]:
    """The fields that a browser would send of a form."""
    assert (page.status, page.wrong) == (200, [])
    return sent_of(page, name)


def sent_of(page: Page, name: str) -> dict[str, Any]:
    """The fields that a browser would send, without the token, which differs on each page."""
    fields = page.fields(name)
    del fields["csrf"]
    return {key: value[0] if isinstance(value, list) else value for key, value in fields.items()}


def club_of(visitor: Visitor) -> str:
    page = visitor.post("/clubs/new", {"name": "Friday club", "about": "At eight."})
    return page.answer.url.path


@pytest.fixture
def evening(anne: Visitor) -> str:
    club = club_of(anne)
    fields = form_of(anne.get(f"{club}/evenings/new"), "evening-form")
    page = anne.post(f"{club}/evenings/new", fields | {"name": "Friday", "date": later(0)})
    return page.answer.url.path


def test_two_organisers_change_different_fields_of_an_evening(anne: Visitor, evening: str) -> None:
    first = form_of(anne.get(f"{evening}/edit"), "evening-form")
    second = dict(first)
    anne.post(f"{evening}/edit", first | {"date": later(7)})
    page = anne.post(f"{evening}/edit", second | {"name": "The finals"})
    assert page.status == 200
    after = form_of(anne.get(f"{evening}/edit"), "evening-form")
    assert (after["name"], after["date"]) == ("The finals", later(7))


def test_a_clash_at_an_evening_shows_both_values_and_is_decided_by_whoever_sends_it_again(
    anne: Visitor, evening: str
) -> None:
    form = form_of(anne.get(f"{evening}/edit"), "evening-form")
    anne.post(f"{evening}/edit", form | {"date": later(7), "rounds": "3", "level": "casual"})
    page = anne.post(f"{evening}/edit", form | {"date": later(14), "name": "The finals"})
    assert (page.status, page.wrong) == (409, [])
    assert page.all("a", href="#date")
    assert page.all("p", id="date-fault")
    changed = f"changed to “{later(7)}”. Send the form once more to keep “{later(14)}”"
    assert changed in page.text
    stored = form_of(anne.get(f"{evening}/edit"), "evening-form")
    assert (stored["name"], stored["date"]) == ("Friday", later(7))  # nothing is done yet
    again = sent_of(page, "evening-form")
    assert again["date"] == later(14)
    assert (again["rounds"], again["level"]) == ("3", "casual")  # what is new is there as well
    assert anne.post(f"{evening}/edit", again).status == 200
    after = form_of(anne.get(f"{evening}/edit"), "evening-form")
    assert (after["name"], after["date"], after["rounds"]) == ("The finals", later(14), "3")


def test_a_clash_is_told_in_words_and_not_in_values(anne: Visitor, evening: str) -> None:
    form = form_of(anne.get(f"{evening}/edit"), "evening-form")
    anne.post(f"{evening}/edit", form | {"zone": "Europe/Paris", "level": "casual"})
    page = anne.post(f"{evening}/edit", form | {"zone": "Asia/Tokyo", "level": "beginner"})
    assert "Tokyo" in page.text.partition("Please look")[2][:400]
    assert "Europe/Paris" not in page.text


def test_what_a_form_showed_lets_nobody_do_more(anne: Visitor, evening: str) -> None:
    """A made-up one only gives the sender their own texts and the stored ones."""
    form = form_of(anne.get(f"{evening}/edit"), "evening-form")
    made_up = '{"level": "strong", "deals": "999", "owner": "me", "club": "x"}'
    page = anne.post(f"{evening}/edit", form | {"deals": "999", "shown": made_up})
    assert page.status == 200  # as if the number had not been touched
    assert form_of(anne.get(f"{evening}/edit"), "evening-form") == form
    page = anne.post(f"{evening}/edit", form | {"deals": "999", "shown": "{}"})
    assert (page.status, bool(page.all("p", id="deals-fault"))) == (422, True)


def test_two_tabs_change_different_fields_of_a_club(anne: Visitor) -> None:
    club = club_of(anne)
    first = form_of(anne.get(f"{club}/edit"), "club-form") | {"about": "At eight."}
    second = dict(first)
    anne.post(f"{club}/edit", first | {"about": "At nine.", "listed": "on"})
    assert anne.post(f"{club}/edit", second | {"name": "Saturday club"}).status == 200
    page = anne.get(club)
    assert ("Saturday club" in page.text, "At nine." in page.text) == (True, True)
    assert form_of(anne.get(f"{club}/edit"), "club-form")["listed"] == "on"
    page = anne.post(f"{club}/edit", second | {"name": "Monday club"})
    assert (
        page.status,
        "“Saturday club”. Send the form once more to keep “Monday club”" in page.text,
    ) == (409, True)
    assert "At nine." in page.answer.text
    assert "Saturday club" in anne.get(club).text


def test_two_tabs_change_different_settings(anne: Visitor) -> None:
    first = form_of(anne.get("/me"), "settings-form")
    second = dict(first)
    assert anne.post("/me", first | {"bot_pace": "250", "speech": "on"}).status == 200
    assert anne.post("/me", second | {"theme": "dark"}).status == 200
    after = form_of(anne.get("/me"), "settings-form")
    assert (after["bot_pace"], after["theme"], after["speech"]) == ("250", "dark", "on")
    page = anne.post("/me", second | {"bot_pace": "500", "theme": "light"})
    assert (page.status, page.wrong) == (409, [])
    assert "“250”. Send the form once more to keep “500”" in page.text
    assert "“dark”. Send the form once more to keep “light”" in page.text
    assert form_of(anne.get("/me"), "settings-form") == after
    assert anne.post("/me", sent_of(page, "settings-form")).status == 200
    again = form_of(anne.get("/me"), "settings-form")
    assert (again["bot_pace"], again["theme"], again["speech"]) == ("500", "light", "on")


def test_a_table_is_told_what_stands_there_now(anne: Visitor) -> None:
    form = form_of(anne.get("/me"), "settings-form")
    anne.post("/me", form | {"bot_pace": "250"})
    page = anne.post("/me", form | {"bot_pace": "500", "say_plays": ""}, **{"x-volte": "1"})
    answer = page.answer.json()
    assert (page.status, answer["stored"], [*answer["wrong"]]) == (
        *(409, {"bot_pace": "250"}),
        ["bot_pace"],
    )


def test_changes_of_one_person_at_the_same_time_all_hold(playroom: Playroom, anne: Visitor) -> None:
    person = anne.client.get("/api/me").json()["person"]
    store = playroom.site.room.store

    async def change(number: int) -> None:
        def changed(before: Person) -> Person:
            return replace(before, settings=before.settings | {f"key_{number}": "x"})

        assert await store.change_person(person, changed)

    async def change_all() -> Person | None:
        await asyncio.gather(*map(change, range(12)))
        return await store.person(person)

    after = playroom.do(change_all())
    assert after is not None
    assert len(after.settings) == 12


@pytest.fixture
def table(anne: Visitor) -> str:
    return f"/tables/{anne.open_table(access='public').table}/setup"


def table_form(page: Page) -> dict[str, Any]:
    """The fields that a browser would send of the form of a table."""
    fields = page.fields("table-form") | {"do": "open"}
    del fields["csrf"]
    return {
        name: value[0] if isinstance(value, list) and name != "pass_cycle" else value
        for name, value in fields.items()
    }


def test_two_tabs_change_different_things_of_a_table(anne: Visitor, table: str) -> None:
    first = table_form(anne.get(table))
    second = dict(first)
    anne.post(table, first | {"clock": "60", "queen_points": "17", "pass_cycle": ["across", ""]})
    assert anne.post(table, second | {"name": "Our table", "talk": "phrases"}).status == 200
    after = table_form(anne.get(table))
    assert (after["name"], after["clock"], after["queen_points"]) == ("Our table", "60", "17")
    assert (after["pass_cycle"][:2], after["talk"]) == (["across", ""], "phrases")
    page = anne.post(table, second | {"talk": "nobody", "pass_cycle": ["left", "right"]})
    assert (page.status, page.wrong) == (409, [])
    assert "“across, to the" not in page.text
    for name in ("talk", "pass_cycle"):
        assert page.all("a", href=f"#{name}")
    assert table_form(anne.get(table)) == after
    assert anne.post(table, table_form(page)).status == 200
    again = table_form(anne.get(table))
    assert (again["talk"], again["pass_cycle"][:3]) == ("nobody", ["left", "right", ""])
    assert (again["name"], again["clock"]) == ("Our table", "60")


def test_another_game_is_asked_about_once_and_not_rule_by_rule(anne: Visitor, table: str) -> None:
    form = table_form(anne.get(table))
    anne.post(table, form | {"preset": "coeurs"})
    page = anne.post(table, form | {"preset": "coeurs-cagnotte"})
    assert page.status == 409
    assert [link["href"] for link in page.all("a") if link.get("href", "").startswith("#")][1:] == [
        "#preset"
    ]
    assert table_form(anne.get(table))["preset"] == "coeurs"
    assert anne.post(table, table_form(page)).status == 200
    assert table_form(anne.get(table))["preset"] == "coeurs-cagnotte"
