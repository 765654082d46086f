"""Keys: those of one letter at the table, and Tab in forms."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Final
from unittest.mock import patch

import pytest
from kit.browser.alone import Alone
from kit.browser.means import Mouse, do_what_is_due, legal, press, tab_to
from kit.browser.players import Browse, Player, scripts
from kit.browser.states import OTHERS_PASSED
from kit.exporting import exported
from kit.hosting import Host
from kit.sites import Playroom
from playwright.sync_api import Browser, expect

from volte.bots import Hint
from volte.rules import make_ruleset
from volte.say import Words
from volte.say.rulesheet.vocabulary import explained
from volte.table.queues import Path
from volte.table.thinking import Thinking
from volte.view import View

SCRIPTS: Final = scripts(__file__)
IN_HAND = "() => document.activeElement.closest('#hand') !== null"


@pytest.fixture
def newcomer(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Player]:
    """Somebody who reads French, at a server; or at a site without one."""
    if getattr(request, "param", "server") == "server":
        browse: Browse = request.getfixturevalue("browse")
        yield browse("fr")
        return
    with Host({"": exported()}) as host:
        alone = Alone(browser, host.address, "fr", service_workers="block")
        yield alone
        alone.close()
        assert not alone.complaints


AT_BOTH: Final = pytest.mark.parametrize(
    "newcomer", ["server", pytest.param("site", marks=pytest.mark.full)], indirect=True
)


def at_turn(player: Player, **settings: Any) -> None:
    """Is to play with those settings, and has the focus in the hand."""
    player.at_turn(**settings)
    player.page.evaluate(f"{SCRIPTS}.hearQuestions")
    player.take_focus()


def asked(player: Player, *keys: str) -> list[str]:
    """Questions that are asked by pressing keys."""
    for key in keys:
        player.keys(key)
    found: list[str] = player.page.evaluate("window.asked.splice(0)")
    return found


def listed(player: Player) -> dict[str, str]:
    """The keys in the dialog, with their effects."""
    player.page.wait_for_selector(".dialog")
    rows: list[tuple[str, str]] = player.page.locator(".dialog .keys li").evaluate_all(
        """(rows) => rows.map((row) =>
            ["kbd", ".does"].map((part) => row.querySelector(part).innerText))"""
    )
    return dict(rows)


# Questions


@pytest.mark.full
def test_a_hint_is_said_whole_however_long_it_is(newcomer: Player, playroom: Playroom) -> None:
    """It comes from a process that thinks, with what else would cost."""
    bots, told = playroom.site.room.lobby.thinking, []
    advise = bots.advise

    async def noted(view: View, owner: Path = (None,)) -> Hint:
        told.append((view, await advise(view, owner)))
        return told[-1][1]

    playroom.do(until_warm(bots))
    at_turn(newcomer)
    with patch.object(bots, "advise", noted):
        newcomer.keys("i")
        newcomer.wait("() => window.watched.said.some((line) => line.startsWith('Jouez'))")
    [(view, advice)] = told
    sentence = Words("fr").hint(advice, view)
    assert newcomer.said.count(sentence) == 1
    newcomer.keep_focus()


async def until_warm(bots: Thinking) -> None:
    """Returns once a worker is there."""
    while not bots.workers:
        bots._apart.call()
        await asyncio.sleep(0.02)


@AT_BOTH
def test_letters_and_digits_ask_from_anywhere_but_where_one_types(newcomer: Player) -> None:
    at_turn(newcomer)
    assert asked(newcomer, *"cstph") == ["table", "scores", "turn", "points", "hand"]
    assert asked(newcomer, *"fig") == ["sheet", "hint", "situation"]
    assert asked(newcomer, "C", "Shift+S") == ["table", "scores"]
    room = [] if isinstance(newcomer, Alone) else ["room"]
    assert asked(newcomer, "Shift+W", "Shift+M", "Shift+L") == ["who", *room, "tricks"]
    for count, act in enumerate("dvkao", 1):  # each says why not
        newcomer.keys(act)
        newcomer.wait(
            "(count) => window.watched.said.filter((each) => /arbitre/.test(each)).length >= count",
            count,
        )
    newcomer.keys("u")
    newcomer.hears("On ne peut pas reprendre de carte maintenant")
    assert asked(newcomer, *"1237") == ["table1", "table2", "table3", "table7"]
    for key, code, shift in (
        ("&", "Digit1", False),  # a French keyboard
        ("2", "Digit2", True),
        ("3", "Numpad3", False),
        ("$", "Digit4", True),  # an American one
    ):
        newcomer.page.evaluate(f"{SCRIPTS}.type", {"key": key, "code": code, "shiftKey": shift})
    assert asked(newcomer) == ["table1", "seat1", "table3", "seat3"]
    for bar in ("#actions", "#questions"):
        tab_to(newcomer, bar)
        assert asked(newcomer, "t", "l") == ["turn", "last"]
    newcomer.keep_focus()
    for place in ("h1 ~ * summary, .aside summary", "header a", "#log"):
        newcomer.page.focus(place)
        assert asked(newcomer, "c", "1", "Shift+Digit2") == ["table", "table1", "seat1"]
    newcomer.page.evaluate("document.getElementById('settings-part').open = true")
    newcomer.page.fill("#bot_pace", "")
    assert asked(newcomer, "1", "2", "e", "b") == []
    assert newcomer.page.input_value("#bot_pace") == "12eb"
    newcomer.take_focus()
    assert asked(newcomer, "Control+c", "Alt+c", "Meta+c") == []
    assert asked(newcomer, "c") == ["table"]


@AT_BOTH
def test_a_word_of_the_game_is_explained_where_cards_are_typed(newcomer: Player) -> None:
    at_turn(newcomer)
    newcomer.keys(".")
    newcomer.page.fill("#typed", "contrôle")
    newcomer.page.press("#typed", "Enter")
    for line in explained(Words("fr"), make_ruleset("coeurs"), "contrôle"):
        newcomer.hears(line)
    assert newcomer.page.input_value("#typed") == "contrôle"  # a card can be typed next


@pytest.mark.full
def test_shift_and_a_digit_tells_a_seat_and_one_key_the_situation(browse: Browse) -> None:
    """One's own seat is the first, wherever one sits."""
    player = browse("en")
    at_turn(player)
    player.keys("Shift+Digit1")
    player.hears("You: 13 cards, 0 points in this deal, 0 in all.")
    player.keys("Shift+Digit3")
    player.hears(f"{player.scene['seats'][2]['name']}: 1")
    player.keys("Shift+Digit9")
    player.hears("This table has 4 seats.")
    player.keys("g")
    player.hears("It is your turn, trick 1 of 13.")
    told = player.said[-1]
    lowest = player.scene["hand"][-1]["card"][1]
    suit = {"C": "Clubs:", "D": "Diamonds:", "S": "Spades:", "H": "Hearts:"}[lowest]
    parts = (
        "It is your turn",
        "would take the trick:" if player.scene["trick"] else "No card",
        suit,
    )
    assert [told.find(part) >= 0 for part in parts] == [True, True, True], told
    assert sorted(parts, key=told.find) == list(parts)
    player.keep_focus()


@AT_BOTH
@pytest.mark.full
def test_asking_for_the_rules_opens_them_and_moves_nothing(newcomer: Player) -> None:
    at_turn(newcomer)
    card = newcomer.focused()
    newcomer.keys("r")
    newcomer.hears("Ouvert")
    assert newcomer.page.evaluate("document.getElementById('rules-part').open")
    assert newcomer.focused() == card
    assert asked(newcomer, "s", "t", "1") == ["scores", "turn", "table1"]
    newcomer.keep_focus()


# Cards that are typed


def test_cards_are_typed_passed_and_played(browse: Browse) -> None:
    """Fewer cards than are to be passed are chosen; a faulty line is refused, and stays."""
    player = browse("en").come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    player.wait(OTHERS_PASSED)
    player.take_focus()
    line = player.page.get_by_role("textbox", name="Type a card")
    player.keys(".")
    line.fill(".2")
    player.keys("Enter")
    player.hears("1 chosen.")
    player.keys(".")
    line.fill(".1 .2, .13")
    moment = player.moment()
    player.keys("Enter")
    player.until_after(moment)
    player.wait("() => !document.getElementById('typed')")
    assert player.due() == "Play"
    assert player.page.evaluate(IN_HAND)
    player.keys(".")
    line.fill("zz")
    player.keys("Enter")
    player.hears("zz")
    assert line.input_value() == "zz"
    held = player.held()
    place = [each["legal"] for each in player.scene["hand"]].index(True) + 1
    line.fill(f".{place}")
    player.keys("Enter")
    player.wait("() => !document.getElementById('typed')")
    assert player.held() < held
    assert player.due() == "Play"
    player.keys("Home", "ArrowRight")
    card = player.focused()
    player.keys(".")
    line.wait_for()
    player.keys("Escape")
    assert line.count() == 0
    assert player.focused() == card
    player.keep_focus()


@AT_BOTH
def test_keys_go_where_they_are_put_and_each_question_shows_its_own(newcomer: Player) -> None:
    at_turn(newcomer, key_table="x", key_repeat="c", key_keys="z", key_scores="é")
    assert asked(newcomer, "x", "c", "2") == ["table", "table2"]
    newcomer.keys("?")
    assert not newcomer.page.is_visible(".dialog")
    button = newcomer.page.get_by_role("button", name="Scores", exact=True)
    assert button.locator("kbd").inner_text() == "É"
    assert button.get_attribute("aria-keyshortcuts") == "É"
    newcomer.page.evaluate(f"{SCRIPTS}.type", {"key": "É", "shiftKey": True})
    assert asked(newcomer, "s") == ["scores"]
    twice = "button[title]:not([title=''])"
    assert not any(each.inner_text() for each in newcomer.page.locator(twice).all())
    newcomer.keys("z")
    assert listed(newcomer)["X"] == "Cartes sur la table"
    newcomer.keys("Escape")
    newcomer.keep_focus()


@AT_BOTH
@pytest.mark.full
def test_without_letters_arrows_and_buttons_are_left(newcomer: Player) -> None:
    at_turn(newcomer, keys=False)
    newcomer.keys("Home")
    before = newcomer.focused()
    assert asked(newcomer, *"cst?e1") == []
    assert not newcomer.page.is_visible(".dialog")
    assert newcomer.page.locator("[aria-keyshortcuts], #questions kbd").count() == 0
    newcomer.keys("End")
    assert newcomer.focused() != before
    newcomer.page.click("[data-key=Menu]")
    newcomer.page.click("#around [data-key=keys]")
    assert set(listed(newcomer)) == {
        "Flèches gauche et droite",
        "Début, Fin",
        "Flèches haut et bas",
        "Entrée ou Espace",
        "Tab",
        "Échap",
    }
    assert "désactivées" in newcomer.page.inner_text(".dialog")
    newcomer.keys("Tab", "Enter")
    assert newcomer.page.evaluate("document.activeElement.dataset.key") == "keys"
    legal(newcomer).first.focus()
    newcomer.keys("Enter")
    newcomer.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")
    newcomer.keep_focus()


@pytest.mark.full
def test_one_key_goes_through_how_much_is_told(newcomer: Player) -> None:
    at_turn(newcomer, verbosity="full")
    card = newcomer.focused()
    for sentence, kept in (
        ("Annonces : comme à une vraie table.", "normal"),
        ("Annonces : peu nombreuses.", "brief"),
        ("Annonces : le strict minimum.", "terse"),
    ):
        with newcomer.page.expect_response("**/me/verbosity") as answer:
            newcomer.keys("w")
        assert answer.value.status == 204
        assert f"verbosity={kept}" in (answer.value.request.post_data or "")
        newcomer.wait("(said) => window.watched.said.at(-1).startsWith(said)", sentence)
    assert newcomer.focused() == card
    newcomer.keys("?")
    assert listed(newcomer)["W"].startswith("Annoncer moins")
    newcomer.keys("Escape")
    legal(newcomer).first.focus()
    heard, rank = len(newcomer.said), legal(newcomer).first.inner_text().split(" de ")[0]
    newcomer.keys("Enter")
    newcomer.wait("(heard) => window.watched.said.length > heard", heard)
    assert rank in newcomer.said[heard].lower()
    assert "Vous\u00a0:" not in newcomer.said[heard]
    newcomer.keep_focus()
    newcomer.page.evaluate("document.getElementById('settings-part').open = true")
    newcomer.page.wait_for_selector("#verbosity")
    assert newcomer.page.input_value("#verbosity") == "terse"
    newcomer.page.focus("#hand [tabindex='0']")
    newcomer.keys("w")
    newcomer.wait("() => window.watched.said.at(-1).startsWith('Annonces : toutes.')")
    assert newcomer.page.input_value("#verbosity") == "full"
    newcomer.forgiven = "ERR_FAILED"
    newcomer.page.route("**/me/verbosity", lambda route: route.abort())
    newcomer.keys("w")
    newcomer.wait("() => window.watched.said.at(-1).includes('pas pu être enregistré')")
    assert any(line.startswith("Annonces : comme") for line in newcomer.said[-2:])


# Hearing again


@pytest.mark.full
def test_what_was_said_is_heard_again_from_anywhere(newcomer: Player) -> None:
    at_turn(newcomer)
    newcomer.keys("t")
    newcomer.wait("() => window.watched.said.length > 0")
    for place, keys in (("#hand [tabindex='0']", "ebn"), ("#log", "e"), ("header a", "b")):
        newcomer.page.focus(place)
        for key in keys:
            heard = len(newcomer.said)
            newcomer.keys(key)
            newcomer.wait("(heard) => window.watched.said.length > heard", heard)
        assert newcomer.page.evaluate("(place) => document.activeElement.matches(place)", place)
    for key in ("Shift+B", "Shift+N"):
        heard = len(newcomer.said)
        newcomer.keys(key)
        newcomer.wait("(heard) => window.watched.said.length > heard", heard)
    newcomer.keys("y", "Shift+Y")
    newcomer.hears("en sourdine")
    with newcomer.page.expect_response("**/me/verbosity") as answer:
        newcomer.keys("Shift+Y")
    assert answer.value.status == 204
    assert "say_plays=on" in (answer.value.request.post_data or "")


# The keys that work now


def test_the_dialog_tells_the_keys_that_work_now(browse: Browse) -> None:
    """Readers have its title and first line at first; then lists to walk, with headings.

    Once it is closed, the hand is made of new cards, as readers have lost it of those before; but
    for the one that has the focus again.
    """
    player = browse("en").come_in()
    player.sit_down(player.open_table("microsoft"))
    player.page.focus("#actions [tabindex='0']")
    player.page.evaluate(f"{SCRIPTS}.readDialogs")
    player.keys("?")
    assert listed(player)["Enter or Space"] == "Begin the match"
    head = ["Close", "The keys that work now", "Escape closes this list."]
    assert player.page.evaluate("window.readAtFirst") == head
    player.keys("Tab")
    parts = player.page.get_by_role("dialog").get_by_role("heading", level=3)
    assert parts.first.inner_text() == "Moving and playing"
    lists = player.page.get_by_role("dialog").get_by_role("list")
    assert lists.count() == parts.count() > 2
    assert not {"C", "S", "1 to 4"} & set(listed(player))
    player.keys("Escape")
    press(player, "Start")

    assert player.due() == "Pass"
    # The dialog is fetched: other messages meanwhile would seem to have moved the focus.
    player.wait(OTHERS_PASSED)
    player.take_focus()
    before = player.page.evaluate_handle("[...document.getElementById('hand').children]")
    player.keys("?")
    assert listed(player)["Enter or Space"] == "choose the card, or put it back"
    assert {"H", "S", "T", "E", "B", "N", "?"} <= set(listed(player))
    assert not {"C", "L", "P", "1 to 4"} & set(listed(player))
    player.keys("Escape")
    assert player.page.evaluate(
        "(cards) => cards.filter((each) => each.isConnected)"
        ".map((each) => each === document.activeElement)",
        before,
    ) == [True]

    do_what_is_due(player, Mouse(), "Pass")
    assert player.due() == "Play"
    player.take_focus()
    player.keys("Shift+?")
    assert listed(player)["Enter or Space"] == "play the card"
    assert listed(player)["1 to 4"] == "One of the cards on the table"
    assert {"C", "S", "T", "H", "P", "F", "R", "I"} <= set(listed(player))
    player.keys("Escape")
    player.keep_focus()


OPENING: Final = ("Enter", "Alt+ArrowDown")
PLACE: Final = "() => [...document.querySelectorAll('*')].indexOf(document.activeElement)"
WHERE: Final = "() => document.activeElement.id || document.activeElement.localName"


def focus_after(player: Player, *keys: str) -> list[str]:
    """The element with the focus after each of some keys."""
    found = []
    for key in keys:
        player.keys(key)
        found.append(player.page.evaluate(WHERE))
    return found


def test_every_tab_on_a_new_table_moves_on_and_the_fifth_is_the_button(
    english: Player,
) -> None:
    english.go_to("/tables/new")
    english.page.focus("#who-friends")
    ways = focus_after(english, *["Tab"] * 5)
    assert ways == ["summary", "players", "pace", "when", "button"]
    assert english.page.evaluate("document.activeElement.value") == "open"
    english.page.evaluate("document.getElementById('more').open = true")
    places = [english.page.evaluate(PLACE)]
    while not english.page.evaluate("document.activeElement.matches('.sheet')"):
        english.keys("Tab")
        places.append(english.page.evaluate(PLACE))
        assert places[-1] > places[-2], english.page.evaluate(WHERE)
    assert len(places) > 40  # all the options lie between


@pytest.mark.parametrize(
    "key", ["Space", *(pytest.param(each, marks=pytest.mark.full) for each in OPENING)]
)
def test_tab_closes_an_open_list_and_moves_on(english: Player, key: str) -> None:
    english.go_to("/tables/new")
    english.page.evaluate("document.getElementById('more').open = true")
    english.page.focus("#seat1")
    english.keys(key)
    english.page.wait_for_selector("#seat1:open")
    english.keys("ArrowDown")
    ways = focus_after(english, "Tab", "Shift+Tab", "Tab", "Tab")
    assert ways == ["seat2", "seat1", "seat2", "seat3"]
    assert english.page.input_value("#seat1") == "beginner"  # it stays chosen


def test_options_that_another_game_fills_in_keep_the_focus(english: Player) -> None:
    english.go_to("/tables/new")
    english.page.evaluate(
        "document.querySelectorAll('details').forEach((each) => each.open = true)"
    )
    english.page.check("input[name=preset][value=coeurs]")
    english.page.focus("#queen_play")
    english.shown("#said").not_to_be_empty()
    assert focus_after(english, "Tab") == ["queen_discard"]


def test_each_part_of_the_settings_is_a_heading_and_the_name_of_its_fields(english: Player) -> None:
    english.go_to("/me")
    parts = english.page.locator("#settings-form").get_by_role("heading", level=2).all_inner_texts()
    assert parts[:2] == ["Announcements", "Playing"]
    firsts = english.page.evaluate(f"{SCRIPTS}.firstFields")
    for part, first in zip(parts, firsts, strict=True):
        group = english.page.get_by_role("group", name=part, exact=True)
        expect(group).to_have_count(1)
        expect(group.locator(f"#{first}")).to_have_count(1)
    headings = english.page.get_by_role("heading", level=2).all_inner_texts()
    assert len(set(headings)) == len(headings)
