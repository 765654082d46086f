"""The form for tables, and the way to them: every option, nothing lost, nobody let in wrongly."""

from __future__ import annotations

import re
import string
from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import Page, Playroom, Visitor, few
from kit.strategies import in_full, rulesets, wider_settings
from msgspec.structs import replace
from starlette.datastructures import FormData

from volte.forms.fields import Wrong
from volte.rules import OPTIONS, PRESETS, Ruleset, make_ruleset, ruleset_of
from volte.say import Words
from volte.table import Access, Setup, Someone, Watching
from volte.table.commands import Close, Sit, Start
from volte.table.status import status
from volte.web.controls import table_form_context
from volte.web.table_form import TableForm, new_setup, table_fields, table_values

TYPED: Final = (
    *("name", "removed", "hearts_from_trick", "queen_points", "match_end_number", "clock"),
    *("card_points", "no_tricks", "grace"),
)


@pytest.fixture
def visitor(visitor: Visitor) -> Visitor:
    """Somebody who has come in."""
    visitor.come_in()
    return visitor


def setup_of(playroom: Playroom, page: Page) -> Setup:
    return playroom.live(page.table).state.setup


def sent(fields: dict[str, Any]) -> FormData:
    pairs = []
    for name, value in fields.items():
        pairs += [(name, each) for each in value] if isinstance(value, list) else [(name, value)]
    return FormData(pairs)


# Options


@settings(max_examples=few(10, 30))
@given(rules=rulesets() | wider_settings().map(ruleset_of), lang=st.sampled_from(["fr", "en"]))
def test_any_table_that_options_can_say_comes_back_from_its_form(rules: Ruleset, lang: str) -> None:
    words = Words(lang)
    setup = Setup("Table", rules, Access.LINK, Watching.AFTERWARDS, 45, False)
    form = TableForm.of(table_fields(words), table_values(setup))
    fields: dict[str, Any] = form.texts | {"pass_cycle": form["pass_cycle"].split()}
    again = TableForm.typed(table_fields(words), sent(fields)).setup(0.0)
    spoken = {name: option.get(again.rules) for name, option in OPTIONS.items()}
    assert spoken == {name: option.get(rules) for name, option in OPTIONS.items()}
    assert again == replace(setup, rules=again.rules)


def test_every_option_has_a_control(visitor: Visitor) -> None:
    page = visitor.get("/tables/new")
    controls = {found.get("name") for tag in ("input", "select") for found in page.all(tag)}
    assert set(OPTIONS) <= controls


@pytest.mark.parametrize("name", [*[*PRESETS][:3], *in_full(*[*PRESETS][3:])])
def test_a_preset_fills_the_form_in(visitor: Visitor, playroom: Playroom, name: str) -> None:
    fields = visitor.get("/tables/new").fields("table-form")
    players = str(PRESETS[name].players[0])
    chosen = fields | {"preset": name, "players": players, "name": "Mine", "do": "preset"}
    page = visitor.post("/tables", chosen)
    assert page.wrong == []
    assert page.value("name") == "Mine"
    page = visitor.post("/tables", page.fields("table-form") | {"do": "open"})
    assert setup_of(playroom, page).rules == make_ruleset(name)


def test_a_preset_comes_with_what_it_says_for_that_many_players(visitor: Visitor) -> None:
    fields = visitor.get("/tables/new").fields("table-form")
    page = visitor.post("/tables", fields | {"preset": "salon", "players": "5", "do": "preset"})
    assert page.value("removed") == "2♦, 2♠"


def test_the_rules_of_just_these_settings_stand_beside(visitor: Visitor) -> None:
    fields = visitor.get("/tables/new").fields("table-form")
    for do, path in (("show", "/tables"), ("", "/tables/preview")):
        page = visitor.post(path, fields | {"queen_points": "40", "do": do})
        assert page.status == 200
        assert "The queen of spades counts 40 points" in page.text
    shown = visitor.post("/tables/preview", fields | {"players": "5"})
    assert "52 cards cannot be shared out evenly among 5 players" in shown.text
    assert "kitty=" not in shown.text


def test_enter_in_a_field_opens_no_table(visitor: Visitor) -> None:
    """A browser presses the first button then, which only shows the rules."""
    assert visitor.get("/tables/new").all("button", name="do")[0]["value"] == "show"


def test_W5_any_card_counts_what_is_typed_for_it(visitor: Visitor, playroom: Playroom) -> None:
    page = visitor.open_table(card_points="K♠ = 10; as=7, 10♦=−10,", no_tricks="−5")
    rules = setup_of(playroom, page).rules
    assert OPTIONS["card_points"].get(rules) == ["TD=-10", "KS=10", "AS=7"]
    assert OPTIONS["no_tricks"].get(rules) == -5
    again = visitor.get(f"/tables/{page.table}/setup")
    assert again.value("card_points") == "10♦ = −10, K♠ = 10, A♠ = 7"


def test_W11_of_two_packs_a_card_that_is_named_twice_is_left_out_of_both(
    visitor: Visitor, playroom: Playroom
) -> None:
    """People never need to tell the packs apart."""
    game = {"preset": "cancellation", "players": "8", "filled": "cancellation 8", "packs": "2"}
    cards = {"kitty": "first_trick", "pass_count": "0", "removed": "2♦, 2♦, 3♣"}
    page = visitor.open_table(**game, **cards)
    rules = setup_of(playroom, page).rules
    assert rules.players == 8
    assert [card.text for card in rules.deck.removed] == ["3C", "2D", "2D'"]
    assert visitor.get(f"/tables/{page.table}/setup").value("removed") == "3♣, 2♦, 2♦"


# Typed texts

ANYTHING = st.text(max_size=60) | st.text(string.digits + "-,;:é♦ QSH", max_size=200)
OTHERS: Final = (*OPTIONS, "preset", "access", "watching", "password", "seat1", "who", "pace")
TIMES: Final = ("when", "date", "time", "zone")


@given(
    fields=st.fixed_dictionaries({}, optional=dict.fromkeys((*TYPED, *OTHERS, *TIMES), ANYTHING)),
    cycle=st.lists(ANYTHING | st.sampled_from(OPTIONS["pass_cycle"].values), max_size=8),
    lang=st.sampled_from(["fr", "en"]),
)
def test_whatever_is_typed_has_a_sentence_or_is_a_table(
    fields: dict[str, str], cycle: list[str], lang: str
) -> None:
    words = Words(lang)
    usual = TableForm.of(table_fields(words), table_values(new_setup(words, "Zoé")))
    typed = usual.texts | fields | {"pass_cycle": cycle}
    form = TableForm.typed(table_fields(words), sent(typed))
    for judge in (partial(form.setup, 0.0), form.with_preset, form.caught_up):
        sentence = "."
        try:
            judge()
        except Wrong as wrong:
            sentence = wrong.told(words)
        assert sentence[-1] in ".!?”»"
    table_form_context(words, form)
    for name in TYPED:
        assert form[name] == typed[name]


@settings(max_examples=few(10, 15))
@given(
    fields=st.dictionaries(
        st.sampled_from([*TYPED, *OPTIONS, "access", "seat1", "do", "next", "lang", "verbosity"]),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
        max_size=6,
    ),
    path=st.sampled_from(["/tables", "/tables/preview", "/me", "/guest", "/play", "/language"]),
)
def test_no_form_breaks_the_server(playroom: Playroom, fields: dict[str, str], path: str) -> None:
    with Visitor(playroom.address) as visitor:
        visitor.come_in()
        assert visitor.post(path, fields).status < 500
        assert visitor.get("/").status == 200


# The way in


def test_a_table_is_as_its_form_says(playroom: Playroom, visitor: Visitor) -> None:
    fields = {"name": "Jeudi", "access": "link", "watching": "nobody", "clock": "40", "grace": "90"}
    seats = {"seat1": "strong", "seat2": "", "seat3": "beginner"}
    page = visitor.open_table(**fields, **seats, hints="")
    setup = setup_of(playroom, page)
    assert (setup.name, setup.access) == ("Jeudi", Access.LINK)
    assert (setup.clock, setup.grace) == (40, 90)
    assert setup_of(playroom, visitor.open_table(name="Samedi", grace="0")).grace == 0
    assert setup_of(playroom, visitor.open_table(name="Vendredi")).grace is None
    assert setup.watching is Watching.NOBODY
    assert not setup.hints
    live = playroom.live(page.table)
    assert [seat.level for seat in live.state.seats] == ["", "strong", "", "beginner"]
    assert live.state.seats[0].name == "Zoé"


def test_a_table_by_link_stands_in_no_lobby_but_its_hosts(
    visitor: Visitor, playroom: Playroom
) -> None:
    table = visitor.open_table(name="Hidden", access="link").table
    assert f"/tables/{table}" in {found["href"] for found in visitor.get("/").all("a")}
    with Visitor(playroom.address) as other:
        other.come_in("Ana")
        assert "Hidden" not in other.get("/").text
        assert "Hidden" in other.get(f"/tables/{table}").text


def test_a_password_is_asked_for_once(visitor: Visitor, playroom: Playroom) -> None:
    table = visitor.open_table(name="Closed", access="password", password="soupe aux pois").table
    with Visitor(playroom.address) as other:
        page = other.get(f"/tables/{table}")
        assert page.all("input", name="name")
        other.come_in("Ana")
        page = other.get(f"/tables/{table}")
        assert page.wrong == []
        assert page.all("input", name="password")
        page = other.post(f"/tables/{table}/enter", {"password": "soupe"})
        assert page.status == 403
        assert page.all("p", id="password-fault")
        assert other.post(f"/tables/{table}/enter", {"password": "soupe aux pois"}).table == table
        assert other.get(f"/tables/{table}").table == table


def test_the_lobby_says_what_is_played_by_whom_and_how_it_stands(
    visitor: Visitor, playroom: Playroom
) -> None:
    game = {"preset": "salon", "access": "public"}
    visitor.open_table(name="Coeurs de mars", seat2="casual", seat3="casual", **game)
    alone = visitor.post("/play").table
    page = visitor.get("/")
    for told in ("Coeurs de mars", "La Dame de pique", "Zoé", "(bot)", "Free seats: 1"):
        assert told in page.text
    with Visitor(playroom.address) as other:
        links = {found["href"]: found.get("aria-label") for found in other.get("/").all("a")}
        assert "Take a seat: Coeurs de mars" in links.values()
        assert not any(alone in href for href in links)  # people who play alone are left alone


def test_a_new_table_is_listed_until_people_have_taken_its_seats(
    visitor: Visitor, playroom: Playroom
) -> None:
    """A visitor who comes then by its address is told that every seat is taken."""
    table = visitor.open_table(name="For four", who="anybody").table
    live = playroom.live(table)
    assert all(seat.free for seat in live.state.seats[1:])
    with Visitor(playroom.address) as other:
        for seat, name in enumerate(("Ben", "Cleo", "Dan"), start=1):
            assert f"/tables/{table}?sit" in {found["href"] for found in other.get("/").all("a")}
            assert "Every seat" not in status(Words("en"), live.state, None, None, ())
            playroom.do(live.do(Someone(name, name), Sit(seat), live.state.version))
        assert "For four" not in other.get("/").text
        assert table not in other.client.get("/api/tables").text
    assert "For four" in visitor.get("/").text
    fifth = playroom.do(live.do(Someone("Eve", "Eve"), Sit(1), live.state.version)).refusal
    assert fifth is not None
    assert (
        Words("en").refusal(fifth) == "Every seat is taken: watch, or take a seat at another table."
    )
    assert status(Words("en"), live.state, None, None, ()).endswith(
        "Every seat is taken: you are watching."
    )


def test_the_host_alone_changes_the_table(visitor: Visitor, playroom: Playroom) -> None:
    table = visitor.open_table(name="Before", access="password", password="abcd").table
    path = f"/tables/{table}/setup"
    page = visitor.get(path)
    assert page.wrong == []
    changed = page.fields("table-form") | {"name": "After", "clock": "60", "do": "open"}
    with Visitor(playroom.address) as other:
        other.come_in("Ana")
        other.post(f"/tables/{table}/enter", {"password": "abcd"})
        assert other.get(path).status == 403
        assert other.post(path, changed).status == 403
    wrong = visitor.post(path, changed | {"clock": "1"})
    assert wrong.status == 422
    assert wrong.value("clock") == "1"
    assert setup_of(playroom, visitor.post(path, changed)).name == "After"
    with Visitor(playroom.address) as other:  # the password has been left as it was
        other.come_in("Ana")
        assert other.post(f"/tables/{table}/enter", {"password": "abcd"}).status == 200


def test_whoever_sits_there_needs_no_password_that_comes_later(
    playroom: Playroom, visitor: Visitor
) -> None:
    table = visitor.open_table(name="Locked later", seat1="").table
    live = playroom.live(table)
    with Visitor(playroom.address) as ana:
        ana.come_in("Ana")
        person = ana.client.get("/api/me").json()["person"]
        playroom.do(live.do(Someone(person, "Ana"), Sit(1), live.state.version))
        path = f"/tables/{table}/setup"
        locked = {"access": "password", "password": "abcd", "do": "open"}
        visitor.post(path, visitor.get(path).fields("table-form") | locked)
        assert live.state.setup.access is Access.PASSWORD
        lines = ana.client.get("/api/tables").json()["tables"]
        (line,) = [each for each in lines if each["table"] == table]
        assert line == ana.client.get(f"/api/tables/{table}").json()
        assert not line["needs_password"]
        assert ana.get(f"/tables/{table}").all("div", id="table")


def test_while_a_match_is_played_the_table_stays_as_it_is(
    playroom: Playroom, visitor: Visitor
) -> None:
    table = visitor.open_table(name="Before").table
    live = playroom.live(table)
    host = Someone(live.state.host, "Zoé")
    playroom.do(live.do(host, Start(), live.state.version))
    path = f"/tables/{table}/setup"
    fields = visitor.get(path).fields("table-form") | {"name": "After", "do": "open"}
    page = visitor.post(path, fields)
    assert page.status == 409
    assert page.wrong == []
    assert page.value("name") == "After"
    assert page.all("div", id="faults")
    playroom.do(live.do(host, Close(), live.state.version))
    assert visitor.get(f"/tables/{table}").status == 410


def test_the_address_of_a_table_comes_as_text_and_as_a_picture(visitor: Visitor) -> None:
    invites = visitor.open_table(access="public").all("input", id="address")[0]["value"]
    assert re.search(r"/tables/[0-9a-f]{20}/invited/[0-9a-f]{32}$", invites)
    page = visitor.open_table(access="link")
    table = page.table
    address = f"{str(visitor.client.base_url).rstrip('/')}/tables/{table}"
    assert page.all("input", id="address")[0]["value"] == address
    picture = visitor.client.get(f"/tables/{table}/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<")


def test_the_rules_of_a_table_can_be_had_by_themselves(visitor: Visitor) -> None:
    table = visitor.open_table(queen_points="21").table
    assert "counts 21 points" in visitor.client.get(f"/tables/{table}/rules").text


# Another game, while the form is filled in


def test_a_game_that_is_chosen_is_played_without_more_ado(
    visitor: Visitor, playroom: Playroom
) -> None:
    """Nobody need fill its rules in first: without a script, that is easily forgotten."""
    page = visitor.open_table(preset="salon-valet")
    assert setup_of(playroom, page).rules == make_ruleset("salon-valet")


def test_other_numbers_keep_what_was_changed_by_hand(visitor: Visitor) -> None:
    fields = visitor.get("/tables/new?preset=salon").fields("table-form") | {"queen_points": "40"}
    page = visitor.post("/tables", fields | {"players": "5", "do": "show"})
    assert page.value("queen_points") == "40"
    assert page.value("removed") == "2♦, 2♠"
    assert page.value("filled") == "salon 5"
    page = visitor.post("/tables", page.fields("table-form") | {"players": "4", "do": "show"})
    assert page.value("queen_points") == "40"
    assert page.value("removed") == ""


def test_the_options_are_folded_away_unless_something_is_wrong_there(visitor: Visitor) -> None:
    assert "open" not in visitor.get("/tables/new").all("details", id="more")[0]
    assert "open" in visitor.open_table(queen_points="many").all("details", id="more")[0]
    short = visitor.open_table(access="password", password="a")
    assert "open" in short.all("details", id="more")[0]
    wrong = visitor.open_table(pace="hasty")
    assert "open" not in wrong.all("details", id="more")[0]
    assert wrong.all("div", id="faults")[0]["autofocus"] == ""
    assert wrong.answer.text.count("This did not work") == 1  # the title says it first


def test_every_preset_is_a_card_with_a_line_about_it(visitor: Visitor) -> None:
    page = visitor.get("/tables/new")
    cards = page.all("input", name="preset")
    assert [card["value"] for card in cards] == list(PRESETS)
    for card in cards:
        assert page.all("span", id=card["aria-describedby"])
