"""A match looked at again: every step by buttons, slider and keys, told once, and kept in place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.matches import played
from kit.sites import House
from page.looking_back import kept_for
from page.players import Player
from playwright.sync_api import Browser

from volte.game import Event, TrickTaken
from volte.history.moments import Eyes, Moment, retold
from volte.rules import make_ruleset
from volte.say import Verbosity, Words


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return played(make_ruleset("microsoft", {"match_end": "deals:3"}), 6)


@pytest.fixture
def english(browser: Browser, house: House) -> Iterator[Player]:
    somebody = Player(browser, house, "en")
    somebody.come_in("Zoé")
    yield somebody
    somebody.assert_content()
    somebody.close()


def told(log: list[Event], deal: int = 1, eyes: Eyes = Eyes.OPEN) -> list[Moment]:
    return retold(Words("en"), log, deal, 0, eyes, Verbosity.NORMAL).moments


def look(player: Player, match: str, query: str = "") -> None:
    player.go_to(f"/matches/{match}/replay{query}")
    player.page.wait_for_selector("#seats li")


def press(player: Player, key: str) -> None:
    player.page.click(f"#controls [data-key={key}]")


def status(player: Player, text: str) -> None:
    """Waits until that is what has happened last."""
    player.wait("(text) => document.getElementById('status').textContent === text", text)


def lines(*steps: Moment) -> str:
    """What is told of steps: sentences, each with its stop."""
    said = [line for each in steps for line in each.lines]
    return " ".join(line if line[-1] in ".!?…:;" else f"{line}." for line in said)


def test_a_deal_card_by_card(english: Player, house: House, log: list[Event]) -> None:
    look(english, kept_for(english, house, log))
    steps = told(log)
    status(english, lines(steps[0]))
    assert english.said == []  # a page that was just loaded is read as it is
    for moment in steps[1:12]:
        press(english, "on")
        status(english, lines(moment))
        shown = english.page.locator("#hands .face").count()
        assert shown == sum(map(len, moment.hands))
        lying = english.page.locator("#trick li").count()
        assert lying == (len(moment.table.cards) if moment.table else 0)
    for moment in reversed(steps[:11]):
        press(english, "back")
        status(english, lines(moment))
    assert english.page.get_attribute("[data-key=back]", "aria-disabled") == "true"


def test_each_step_is_said_once(english: Player, house: House, log: list[Event]) -> None:
    look(english, kept_for(english, house, log))
    steps = told(log)
    for moment in steps[1:4]:
        press(english, "on")
        status(english, lines(moment))
        english.wait("() => new Promise((done) => setTimeout(() => done(true), 500))")
    said = " ".join(english.said)
    for moment in steps[2:4]:
        assert said.count(lines(moment).rstrip(".")) == 1
    assert len(english.said) == 3


def test_tricks_are_told_from_the_lead_to_who_takes_them(
    english: Player, house: House, log: list[Event]
) -> None:
    look(english, kept_for(english, house, log))
    steps = told(log)
    for trick in range(1, 14):
        press(english, "trick_on")
        own = [each for each in steps if each.trick == trick and not each.scored]
        status(english, lines(*own))
        assert english.page.locator("#trick li").count() == 4
        assert f"trick {trick}" in english.page.inner_text("#place")
    press(english, "trick_on")
    status(english, lines(steps[-1]))
    press(english, "trick_back")
    assert "trick 13" in english.page.inner_text("#place")


def test_a_match_goes_on_from_deal_to_deal(english: Player, house: House, log: list[Event]) -> None:
    look(english, kept_for(english, house, log))
    for deal in range(1, 4):
        press(english, "last")
        status(english, lines(told(log, deal)[-1]))
        if deal < 3:
            press(english, "on")
            status(english, lines(told(log, deal + 1)[0]))
            assert english.page.input_value("#deal") == str(deal + 1)
    assert english.page.get_attribute("[data-key=on]", "aria-disabled") == "true"
    press(english, "first")
    status(english, lines(told(log, 3)[0]))
    press(english, "back")
    status(english, lines(told(log, 2)[-1]))
    english.page.select_option("#deal", "1")
    status(english, lines(told(log, 1)[0]))
    english.wait("() => window.watched.said.some((said) => said.includes('Deal 1 of 3'))")


def test_keys_on_the_slider_tell_it_by_its_own_value(
    english: Player, house: House, log: list[Event]
) -> None:
    """A screen reader says what a slider comes to: the live region must not say it again."""
    look(english, kept_for(english, house, log))
    steps = told(log)
    full = [place for place, each in enumerate(steps) if each.table and len(each.table.cards) == 4]
    english.page.focus("#step")
    keys = [
        *(("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowUp", 2)),
        *(("PageDown", full[0]), ("PageDown", full[1]), ("PageUp", full[0])),
        *(("End", len(steps) - 1), ("Home", 0)),
    ]
    for key, place in keys:
        english.page.keyboard.press(key)
        english.wait("(place) => document.getElementById('step').value === String(place)", place)
        spoken = english.page.get_attribute("#step", "aria-valuetext") or ""
        assert lines(steps[place]) in spoken
    assert english.focused() == "step"
    assert english.said == []


def test_keys_work_on_the_buttons_too(english: Player, house: House, log: list[Event]) -> None:
    look(english, kept_for(english, house, log))
    steps = told(log)
    english.page.focus("[data-key=trick_on]")
    english.page.keyboard.press("ArrowRight")
    status(english, lines(steps[1]))
    english.page.keyboard.press("End")
    status(english, lines(steps[-1]))
    english.wait("() => window.watched.said.length > 0")


def test_it_plays_by_itself_until_it_is_stopped(
    english: Player, house: House, log: list[Event]
) -> None:
    look(english, kept_for(english, house, log))
    steps = told(log)
    english.page.select_option("#speed", "600")
    english.page.focus("[data-key=play]")
    english.page.keyboard.press("Enter")
    assert english.page.inner_text("[data-key=play]") == "Stop"
    status(english, lines(steps[3]))
    english.page.keyboard.press("Enter")
    assert english.page.inner_text("[data-key=play]") == "Play"
    before = english.page.inner_text("#status")
    english.page.wait_for_timeout(1000)
    assert english.page.inner_text("#status") == before
    english.page.focus("#step")
    english.page.keyboard.press(" ")
    assert english.page.inner_text("[data-key=play]") == "Stop"
    english.page.keyboard.press("ArrowLeft")
    assert english.page.inner_text("[data-key=play]") == "Play"


def test_playing_ends_with_the_match(english: Player, house: House, log: list[Event]) -> None:
    look(english, kept_for(english, house, log), "?deal=3&step=999")
    status(english, lines(told(log, 3)[-1]))
    english.page.select_option("#speed", "600")
    press(english, "play")
    english.wait("() => document.querySelector('[data-key=play]').textContent === 'Play'")


def test_one_sees_all_hands_or_what_one_saw(
    english: Player, house: House, log: list[Event]
) -> None:
    look(english, kept_for(english, house, log))
    assert english.page.locator("#hands .face").count() == 52
    english.page.select_option("#eyes", "own")
    status(english, lines(told(log, 1, Eyes.OWN)[0]))
    assert english.page.locator("#hands .face").count() == 13
    press(english, "on")
    status(english, lines(told(log, 1, Eyes.OWN)[1]))
    assert "passes you" in english.page.inner_text("#status")


def test_loading_the_page_again_leads_back_to_the_same_point(
    english: Player, house: House, log: list[Event]
) -> None:
    look(english, kept_for(english, house, log))
    english.page.select_option("#eyes", "own")
    english.page.select_option("#deal", "2")
    status(english, lines(told(log, 2, Eyes.OWN)[0]))
    for place in range(1, 6):
        press(english, "on")
        status(english, lines(told(log, 2, Eyes.OWN)[place]))
    english.wait("() => location.search.includes('step=5')")
    english.page.reload()
    status(english, lines(told(log, 2, Eyes.OWN)[5]))
    assert english.page.input_value("#deal") == "2"
    assert english.page.input_value("#eyes") == "own"


def test_a_deal_that_does_not_come_is_said_and_can_be_tried_again(
    english: Player, house: House, log: list[Event]
) -> None:
    look(english, kept_for(english, house, log))
    english.forgiven = "Failed to load resource"
    english.page.route("**/replay/2*", lambda route: route.fulfill(status=503))
    english.page.select_option("#deal", "2")
    english.wait("() => window.watched.said.some((said) => said.includes('could not be loaded'))")
    assert english.page.inner_text("#place").startswith("Deal 1 of 3")
    english.page.unroute("**/replay/2*")
    press(english, "last")
    press(english, "on")
    status(english, lines(told(log, 2)[0]))


def test_a_match_that_was_broken_off_is_told_as_far_as_it_went(
    english: Player, house: House, log: list[Event]
) -> None:
    place = [place for place, each in enumerate(log) if isinstance(each, TrickTaken)][15]
    broken_off = log[: place + 1]
    look(english, kept_for(english, house, broken_off), "?deal=2")
    steps = told(broken_off, 2)
    status(english, lines(steps[0]))
    assert english.page.locator("#deal option").all_inner_texts()[1] == "Deal 2"
    press(english, "last")
    status(english, lines(steps[-1]))
    assert english.page.get_attribute("[data-key=on]", "aria-disabled") == "true"


@pytest.mark.parametrize(("preset", "players"), [("coeurs", 3), ("coeurs", 7)])
def test_it_fits_a_phone(browser: Browser, house: House, preset: str, players: int) -> None:
    match = played(make_ruleset(preset, {"players": players, "match_end": "deals:1"}))
    player = Player(browser, house, "fr", width=320, height=640, touch=True, theme="dark")
    player.come_in("Zoé")
    look(player, kept_for(player, house, match))
    steps = retold(Words("fr"), match, 1, 0, Eyes.OPEN, Verbosity.NORMAL).moments
    status(player, lines(steps[0]))
    for _ in range(3):
        player.page.tap("[data-key=trick_on]")
    player.wait("() => document.getElementById('place').textContent.includes('levée 3')")
    assert player.page.evaluate("document.documentElement.scrollWidth") == 320
    small = player.page.evaluate(
        """() => [...document.querySelectorAll('#controls :is(button, select, input)')]
            .map((each) => each.getBoundingClientRect())
            .filter(({ width, height }) => Math.min(width, height) < 24).length"""
    )
    assert small == 0
    player.assert_content()
    player.close()
