"""Luck told after a match: at its table, by ear and by eye, and on the way to a proof."""

from __future__ import annotations

from typing import Final

import pytest
from kit.browser.backdrops import kept_for, luck_for
from kit.browser.means import Keys, do_what_is_due, play_deal, play_match
from kit.browser.players import Browse, Player, opened_with
from kit.browser.states import SIXTEEN
from kit.dealing import Stacker
from kit.matches import played

from volte.rules import make_ruleset

LUCKY: Final = 6
"""A seed whose first deal with a dear queen brings the first seat much bad luck."""


@pytest.mark.usefixtures("luck_is_told")
def test_luck_comes_to_the_end_of_a_match_by_itself(browse: Browse) -> None:
    """It is said once, stands in the summary, and is there after a reload."""
    player = browse("en").come_in()
    player.begin("coeurs", removed=SIXTEEN)
    player.take_focus()
    assert play_match(player, Keys()) == 1
    player.hears("In this match, ")
    player.page.wait_for_selector("#ending .luck")
    line = player.page.inner_text("#ending .luck")
    assert line.startswith(("In this match, luck", "In this match, neither luck"))
    said = "(line) => window.watched.said.filter((each) => each.includes(line)).length"
    assert player.page.evaluate(said, line) == 1
    player.keep_focus()
    player.page.reload()
    player.page.wait_for_selector("#ending .luck")
    assert player.page.inner_text("#ending .luck") == line


def test_a_deal_with_much_luck_leads_to_its_proof(english: Player) -> None:
    rules = make_ruleset("microsoft", {"match_end": "deals:2", "queen_points": 100})
    number, match = 1, kept_for(english, played(rules, 21))
    luck_for(english.playroom, match)
    english.go_to(f"/matches/{match}")
    english.page.get_by_role("link", name=f"Check deal {number}").focus()
    english.keys("Enter")
    english.page.wait_for_selector(f"#proof-{number} button")
    english.wait("(name) => document.activeElement.textContent === name", f"Check deal {number}")
    english.keys("Enter")
    english.wait("() => document.getElementById('live').textContent !== ''")
    assert f"Deal {number} is proved fair" in english.page.inner_text("#live")


@pytest.mark.usefixtures("luck_is_told")
def test_a_lucky_deal_is_told_once_the_next_is_cut_and_leads_to_its_proof(browse: Browse) -> None:
    player = browse("en").come_in()
    with opened_with(player.playroom, house=lambda: Stacker.from_seed(LUCKY)):
        player.begin("microsoft", deals=2, queen_points=100, removed=SIXTEEN)
    player.take_focus()
    do_what_is_due(player, Keys(), play_deal(player, Keys()))
    player.hears("Deal 1: your cards alone cost you")
    check = player.page.get_by_role("button", name="Check deal 1")
    check.focus()
    player.keys("Enter")
    player.wait("() => document.activeElement.closest('#proof-1') !== null")
    player.keys("Enter")  # this dealer does not deal as it has promised, and that is found
    player.page.wait_for_selector("#proof-1[data-checked=fails]")
