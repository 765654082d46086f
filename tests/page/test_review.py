"""A match looked back on: by keys alone, by ear, and without losing the place."""

from __future__ import annotations

from typing import Any, cast

import pytest
from kit.browser.backdrops import badly_played, reviewed_for
from kit.browser.fitting import measured
from kit.browser.players import Browse, Player

from volte.game import Pass, Play
from volte.say import Words

PASS, PLAY, LATE = 2, 1, 4  # places of costly choices of this match, the last late in its deal


@pytest.fixture
def review(english: Player) -> str:
    """The address of a review that has been made."""
    return reviewed_for(english)


def best(place: int) -> Play | Pass:
    action = badly_played()[1].costly[place - 1].weighed[0].action
    assert isinstance(action, Play | Pass)
    return action


def answer(player: Player) -> str:
    return player.page.inner_text("#answer")


def test_from_one_costly_choice_to_the_next_by_a_key(english: Player, review: str) -> None:
    english.go_to(review)
    for key, address in (("+", f"{review}/1"), ("+", f"{review}/2"), ("-", f"{review}/1")):
        english.keys(key)
        english.page.wait_for_url(f"**{address}")
    assert [isinstance(best(place), Pass) for place in (PASS, PLAY)] == [True, False]


def test_a_card_is_tried_again_and_then_its_reason_and_its_cost_are_heard(
    english: Player, review: str
) -> None:
    english.go_to(f"{review}/{PLAY}")
    english.page.wait_for_selector("#hand [role=option]")
    assert english.said == []
    done = badly_played()[1].costly[PLAY - 1].done.action
    assert isinstance(done, Play)
    english.page.locator(f"#card-{done.card}").press("Enter")
    english.hears("as in the match: not the best choice; it would cost about")
    assert english.focused() == "answer-section"
    assert "the others held" not in answer(english)
    english.keys("Escape")
    wanted = best(PLAY)
    assert isinstance(wanted, Play)
    english.page.locator(f"#card-{wanted.card}").press("Enter")
    english.hears(f"Right, {Words('en').the_card(wanted.card)}.")
    english.hears("which cost about")
    english.hears("What the others held:")


@pytest.mark.full
def test_a_pass_is_tried_again_by_keys(english: Player, review: str) -> None:
    english.go_to(f"{review}/{PASS}")
    wanted = best(PASS)
    assert isinstance(wanted, Pass)
    for card in wanted.cards:
        english.page.locator(f"#card-{card}").press(" ")
    english.page.locator("#ask button.first").press("Enter")
    english.page.wait_for_selector("#answer-section:focus")
    assert answer(english).startswith("Right, ")
    assert "the others held" in answer(english)


@pytest.mark.full
def test_a_deal_is_played_on_by_keys_to_its_end(english: Player, review: str) -> None:
    english.go_to(f"{review}/{LATE}?show=1")
    english.page.locator("#after a.first").press("Enter")
    english.page.wait_for_url("**/on")
    for _ in range(13):
        card = english.page.locator("#hand [role=option]:not([aria-disabled=true])").first
        before = english.page.url
        card.press("Enter")
        english.wait("(before) => location.href !== before", before)
        english.page.wait_for_load_state()
        if not english.page.locator("#hand").count():
            break
        english.page.wait_for_selector("#answer-section:focus")
    assert "Playing this way, you finish the deal with" in english.page.inner_text(
        "#answer-section"
    )


def test_how_far_it_is_is_heard_and_then_that_it_is_done(english: Player) -> None:
    address = reviewed_for(english, percent=40)
    english.go_to(address)
    assert "40 percent done" in english.page.inner_text("#percent")
    reviewed_for(english, again=address)
    english.hears("The review is ready.")
    english.page.wait_for_selector(".turnings")


@pytest.mark.full
def test_any_card_of_a_replay_says_why_it_was_played(english: Player, review: str) -> None:
    english.go_to(f"{review.removesuffix('/review')}/replay?deal=1&step=5")
    english.page.wait_for_selector("#hands .face")
    english.page.focus("#step")
    english.keys("w")
    english.hears(" played the ")
    english.page.wait_for_selector("#why:not([hidden])")
    assert english.focused() == "step"
    assert not measured(english, "astray", "#why")
    english.keys("ArrowRight")  # nobody plays a card in this step
    english.wait("() => document.querySelector('[data-key=why]').ariaDisabled === 'true'")
    assert english.page.locator("#why").is_hidden()


@pytest.mark.parametrize(
    "path",
    [
        *(pytest.param(each, marks=pytest.mark.full) for each in ("", f"/{PASS}?show=1")),
        f"/{PLAY}?show=1",
    ],
)
def test_it_works_without_scripts(browse: Browse, path: str) -> None:
    player = browse("en").come_in()
    address = reviewed_for(player)
    plain = browse("en", java_script_enabled=False)
    plain.page.context.add_cookies(cast("Any", player.page.context.cookies()))
    plain.page.goto(f"{plain.address}{address}{path}")
    told = plain.page.inner_text("main")
    assert ("What the others held" in told) is bool(path)
    assert "Traceback" not in told
