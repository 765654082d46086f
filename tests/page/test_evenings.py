"""The page of an evening stays as it is now, and nobody is disturbed by that."""

from __future__ import annotations

import time
from functools import partial

import pytest
from kit.sites import House
from page.evenings import club_of
from page.looking_back import someone
from page.players import Player
from playwright.sync_api import Browser

from volte.evenings.conducting import Evenings
from volte.evenings.decide import begin_round, join
from volte.evenings.evening import Plan
from volte.rules import make_ruleset
from volte.table import Someone


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_round_that_begins_is_shown_and_said(browser: Browser, house: House, lang: str) -> None:
    player = Player(browser, house, lang)
    try:
        player.come_in()
        room, who = house.site.room, someone(player, house)
        club = house.do(club_of(room, who))
        rules = make_ruleset("coeurs", {"match_end": "deals:2"})
        plan = Plan("Friday", club.id, time.time(), "UTC", rules, by_itself=False)
        key = house.do(room[Evenings].plan(plan, who))
        house.do(room[Evenings].do(key, partial(join, who=who)))
        player.go_to(f"/evenings/{key}")
        player.page.focus("#people + section a, #lead-section a")
        house.do(room[Evenings].do(key, partial(join, who=Someone("Anne", "Anne"))))
        house.do(room[Evenings].do(key, partial(begin_round, now=time.time())))
        player.page.wait_for_selector("#own a[href^='/tables/']")
        assert player.page.locator("#said").inner_text() == {
            "en": "Round 1 has begun: your table is ready.",
            "fr": "Le tour 1 a commencé\u00a0: votre table est prête.",
        }.get(lang)
        assert player.page.locator("#now li").count() == 2
        focused = "document.activeElement.closest('#lead-section') !== null"
        assert player.page.evaluate(focused)
        assert not player.complaints
    finally:
        player.close()
