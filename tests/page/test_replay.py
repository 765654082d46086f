"""A match looked at again: every step by buttons, slider and keys, told once, and kept in place."""

from __future__ import annotations

import pytest
from kit.browser.backdrops import kept_for
from kit.browser.fitting import measured
from kit.browser.players import Browse, Player
from kit.matches import played

from volte.game import Event, TrickTaken
from volte.history.moments import Eyes, Moment, retold
from volte.rules import make_ruleset
from volte.say import Verbosity, Words


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return played(make_ruleset("microsoft", {"match_end": "deals:3"}), 6)


@pytest.fixture
def viewer(english: Player, log: list[Event]) -> Player:
    """Somebody who looks at their match."""
    look(english, kept_for(english, log))
    return english


def told(log: list[Event], deal: int = 1, eyes: Eyes = Eyes.OPEN) -> list[Moment]:
    return retold(Words("en"), log, deal, 0, eyes, Verbosity.NORMAL).moments


def look(player: Player, match: str, query: str = "") -> None:
    player.go_to(f"/matches/{match}/replay{query}")
    player.page.wait_for_selector("#seats li")


def press(player: Player, key: str) -> None:
    player.page.click(f"#controls [data-key={key}]")


def status(player: Player, text: str) -> None:
    """Wait until the status line of the replay reads so."""
    player.wait("(text) => document.getElementById('status').textContent === text", text)


def lines(*steps: Moment) -> str:
    """The sentences about some steps, each with its stop."""
    said = [line for each in steps for line in each.lines]
    return " ".join(line if line[-1] in ".!?…:;" else f"{line}." for line in said)


def test_a_deal_card_by_card(viewer: Player, log: list[Event]) -> None:
    steps = told(log)
    status(viewer, lines(steps[0]))
    assert viewer.said == []  # a page that was just loaded is read as it is
    for moment in steps[1:8]:
        press(viewer, "on")
        status(viewer, lines(moment))
        shown = viewer.page.locator("#hands .face").count()
        assert shown == len(moment.scene.hands)
        lying = viewer.page.locator(":is(#trick, #taken) li").count()
        assert lying == len(moment.scene.trick or moment.scene.last)  # the table is never bare
    for moment in reversed(steps[:7]):
        press(viewer, "back")
        status(viewer, lines(moment))
    assert viewer.page.get_attribute("[data-key=back]", "aria-disabled") == "true"
    viewer.page.set_viewport_size({"width": 667, "height": 375})
    viewer.page.locator("#seats .own .plate").scroll_into_view_if_needed()
    assert not measured(viewer, "astray", "#seats .own .plate")


@pytest.mark.full
def test_each_step_is_said_once(viewer: Player, log: list[Event]) -> None:
    steps = told(log)
    for moment in steps[1:4]:
        press(viewer, "on")
        status(viewer, lines(moment))
        viewer.wait("() => new Promise((done) => setTimeout(() => done(true), 500))")
    said = " ".join(viewer.said)
    for moment in steps[2:4]:
        assert said.count(lines(moment).rstrip(".")) == 1
    assert len(viewer.said) == 3


@pytest.mark.full
def test_tricks_are_told_from_the_lead_to_who_takes_them(viewer: Player, log: list[Event]) -> None:
    steps = told(log)
    for trick in range(1, 14):
        press(viewer, "trick_on")
        own = [each for each in steps if each.trick == trick and not each.scored]
        status(viewer, lines(*own))
        assert viewer.page.locator("#trick li").count() == 4
        assert f"trick {trick}" in viewer.page.inner_text("#place")
    press(viewer, "trick_on")
    status(viewer, lines(steps[-1]))
    press(viewer, "trick_back")
    assert "trick 13" in viewer.page.inner_text("#place")


@pytest.mark.full
def test_a_match_goes_on_from_deal_to_deal(viewer: Player, log: list[Event]) -> None:
    for deal in range(1, 4):
        press(viewer, "last")
        status(viewer, lines(told(log, deal)[-1]))
        if deal < 3:
            press(viewer, "on")
            status(viewer, lines(told(log, deal + 1)[0]))
            assert viewer.page.input_value("#deal") == str(deal + 1)
    assert viewer.page.get_attribute("[data-key=on]", "aria-disabled") == "true"
    press(viewer, "first")
    status(viewer, lines(told(log, 3)[0]))
    press(viewer, "back")
    status(viewer, lines(told(log, 2)[-1]))
    viewer.page.select_option("#deal", "1")
    status(viewer, lines(told(log, 1)[0]))
    viewer.hears("Deal 1 of 3")


def test_keys_work_on_the_slider_which_tells_its_own_value_and_on_buttons(
    viewer: Player, log: list[Event]
) -> None:
    """A screen reader says what a slider comes to: the live region must not say it again."""
    steps = told(log)
    full = [place for place, each in enumerate(steps) if len(each.scene.trick) == 4]
    viewer.page.focus("#step")
    keys = [
        *(("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowUp", 2)),
        *(("PageDown", full[0]), ("PageDown", full[1]), ("PageUp", full[0])),
        *(("End", len(steps) - 1), ("Home", 0)),
    ]
    for key, place in keys:
        viewer.keys(key)
        viewer.wait("(place) => document.getElementById('step').value === String(place)", place)
        spoken = viewer.page.get_attribute("#step", "aria-valuetext") or ""
        assert lines(steps[place]) in spoken
    assert viewer.focused() == "step"
    assert viewer.said == []
    viewer.page.focus("[data-key=trick_on]")
    for key, place in (("ArrowRight", 1), ("End", -1)):
        viewer.keys(key)
        status(viewer, lines(steps[place]))
    viewer.wait("() => window.watched.said.length > 0")


def test_it_plays_by_itself_until_it_is_stopped(viewer: Player, log: list[Event]) -> None:
    steps = told(log)
    viewer.page.select_option("#speed", "600")
    viewer.page.focus("[data-key=play]")
    viewer.keys("Enter")
    assert viewer.page.inner_text("[data-key=play]") == "Stop"
    status(viewer, lines(steps[3]))
    viewer.keys("Enter")
    assert viewer.page.inner_text("[data-key=play]") == "Play"
    before = viewer.page.inner_text("#status")
    viewer.page.wait_for_timeout(1000)
    assert viewer.page.inner_text("#status") == before
    viewer.page.focus("#step")
    viewer.keys(" ")
    assert viewer.page.inner_text("[data-key=play]") == "Stop"
    viewer.keys("ArrowLeft")
    assert viewer.page.inner_text("[data-key=play]") == "Play"


@pytest.mark.full
def test_playing_ends_with_the_match(english: Player, log: list[Event]) -> None:
    look(english, kept_for(english, log), "?deal=3&step=999")
    status(english, lines(told(log, 3)[-1]))
    english.page.select_option("#speed", "600")
    press(english, "play")
    english.wait("() => document.querySelector('[data-key=play]').textContent === 'Play'")


@pytest.mark.full
def test_one_sees_all_hands_or_what_one_saw_and_again_after_a_reload(
    viewer: Player, log: list[Event]
) -> None:
    assert viewer.page.locator("#hands .face").count() == 52
    viewer.page.select_option("#eyes", "own")
    status(viewer, lines(told(log, 1, Eyes.OWN)[0]))
    assert viewer.page.locator("#hands .face").count() == 13
    press(viewer, "on")
    status(viewer, lines(told(log, 1, Eyes.OWN)[1]))
    assert "passes you" in viewer.page.inner_text("#status")
    viewer.page.select_option("#deal", "2")
    steps = told(log, 2, Eyes.OWN)
    status(viewer, lines(steps[0]))
    for place in (1, 2):
        press(viewer, "on")
        status(viewer, lines(steps[place]))
    viewer.wait("() => location.search.includes('step=2')")
    viewer.page.reload()
    status(viewer, lines(steps[2]))
    assert viewer.page.input_value("#deal") == "2"
    assert viewer.page.input_value("#eyes") == "own"


def test_a_deal_that_does_not_come_is_said_and_can_be_tried_again(
    viewer: Player, log: list[Event]
) -> None:
    viewer.forgiven = "Failed to load resource"
    viewer.page.route("**/replay/2*", lambda route: route.fulfill(status=503))
    viewer.page.select_option("#deal", "2")
    viewer.hears("could not be loaded")
    assert viewer.page.inner_text("#place").startswith("Deal 1 of 3")
    viewer.page.unroute("**/replay/2*")
    press(viewer, "last")
    press(viewer, "on")
    status(viewer, lines(told(log, 2)[0]))


@pytest.mark.full
def test_a_match_that_was_broken_off_is_told_as_far_as_it_went(
    english: Player, log: list[Event]
) -> None:
    place = [place for place, each in enumerate(log) if isinstance(each, TrickTaken)][15]
    broken_off = log[: place + 1]
    look(english, kept_for(english, broken_off), "?deal=2")
    steps = told(broken_off, 2)
    status(english, lines(steps[0]))
    assert english.page.locator("#deal option").all_inner_texts()[1] == "Deal 2"
    press(english, "last")
    status(english, lines(steps[-1]))
    assert english.page.get_attribute("[data-key=on]", "aria-disabled") == "true"


@pytest.mark.full
@pytest.mark.parametrize(
    ("preset", "players"), [pytest.param("coeurs", 3, marks=pytest.mark.full), ("coeurs", 7)]
)
def test_it_fits_a_phone(browse: Browse, preset: str, players: int) -> None:
    match = played(make_ruleset(preset, {"players": players, "match_end": "deals:1"}))
    player = browse("fr", width=320, height=640, touch=True, theme="dark").come_in("Zoé")
    look(player, kept_for(player, match))
    steps = retold(Words("fr"), match, 1, 0, Eyes.OPEN, Verbosity.NORMAL).moments
    status(player, lines(steps[0]))
    for _ in range(3):
        player.page.tap("[data-key=trick_on]")
    player.wait("() => document.getElementById('place').textContent.includes('pli 3')")
    assert player.page.evaluate("document.documentElement.scrollWidth") == 320
    small = player.page.evaluate(
        """() => [...document.querySelectorAll('#controls :is(button, select, input)')]
            .map((each) => each.getBoundingClientRect())
            .filter(({ width, height }) => Math.min(width, height) < 24).length"""
    )
    assert small == 0
