"""What only the wider family asks of a person: scatters, equal cards, moons that one may choose."""

from __future__ import annotations

from typing import Any

import pytest
from kit.sites import House
from page.means import CORNER, Keys, Means, Touch, press, tab_to
from page.players import Player
from page.wider import SIXTEEN, choosing, holding, partnered, play_until, scattering
from playwright.sync_api import Browser

from volte.game import DealScored, Passed, Played
from volte.table import decode_happening

SMALL = {"width": 320, "height": 568, "touch": True}

TWINS = """(scene) => scene.hand.some(({ card, legal }) => legal && card.endsWith("'")
    && scene.hand.some((each) => `${each.card}'` === card))"""
"""Whether the hand has two equal cards that may be played."""


def log_of(player: Player, house: House) -> list[Any]:
    """What the store has kept of the table at which somebody is."""
    table = player.page.url.rpartition("/")[2].partition("?")[0]
    return [decode_happening(each.data) for each in house.do(house.site.room.store.read(table))]


def passed_by_me(player: Player, house: House) -> list[str]:
    """The cards of the person's pass, in the order given."""
    passes = [each for each in log_of(player, house) if isinstance(each, Passed)]
    return [str(card) for each in passes if each.seat == 0 for card in each.cards or ()]


@pytest.mark.parametrize(("means", "how"), [(Keys(), {}), (Touch(), SMALL)], ids=["keys", "touch"])
def test_W1_the_card_that_is_chosen_first_goes_to_the_left(
    browser: Browser, house: House, means: Means, how: dict[str, Any]
) -> None:
    player = Player(browser, house, "en", **how)
    try:
        player.come_in()
        player.begin("microsoft", pass_cycle=["scatter"], removed=SIXTEEN)
        player.due()
        hand = [each["card"] for each in player.scene["hand"]]
        moment = player.moment()
        means.pass_cards(player)
        player.until_after(moment)
        assert passed_by_me(player, house) == hand[:3]
        player.assert_content()
    finally:
        player.close()


def test_W1_each_card_says_for_whom_it_is_and_the_order_can_be_changed(
    player: Player, house: House
) -> None:
    player.come_in()
    scattering(player)
    cards = [each["card"] for each in player.scene["hand"]]
    names = player.cards().all_text_contents()
    whose = [name.partition(", pour ")[2] for name in names]
    assert ["Bruno" in whose[0], "Alice" in whose[3], "Chloé" in whose[2]] == [True, True, True]
    player.wait("() => window.watched.said.some((each) => each.includes('Pour Bruno'))")
    assert player.page.evaluate("document.activeElement.closest('#each') !== null")
    player.cards().nth(0).click(position=CORNER)  # back: its place is free for the next one
    player.page.reload()
    player.wait("() => document.querySelectorAll('#hand .for').length === 2")
    player.cards().nth(1).click(position=CORNER)
    assert "pour Bruno" in (player.cards().nth(1).text_content() or "")
    moment = player.moment()
    press(player, "Pass")
    player.until_after(moment)
    assert passed_by_me(player, house) == [cards[3], cards[1], cards[2]]
    player.assert_content()


def test_W11_of_two_equal_cards_each_can_be_played(player: Player, house: House) -> None:
    """They are called alike, and stand side by side."""
    player.come_in()
    player.begin("cancellation", players=6, deals=20)
    player.take_focus()
    play_until(player, TWINS)
    hand = [each["card"] for each in player.scene["hand"] if each["legal"]]
    second = next(card for card in hand if card.endswith("'") and card[:-1] in hand)
    cards = [each["card"] for each in player.scene["hand"]]
    place = cards.index(second)
    assert cards[place - 1] == second[:-1]
    names = player.cards().all_text_contents()
    assert names[place] == names[place - 1]
    player.cards().nth(place).click(position=CORNER)
    player.wait(
        "(held) => document.querySelectorAll('#hand [role=option]').length < held", len(cards)
    )
    own = [each for each in log_of(player, house) if isinstance(each, Played) and each.seat == 0]
    assert str(own[-1].card) == second
    assert names[place] in player.cards().all_text_contents()
    player.keep_focus()
    player.assert_content()


def test_W11_cards_that_cancel_each_other_wait_in_sight(player: Player) -> None:
    player.come_in()
    holding(player)
    held = player.scene["wider"]["held"]
    assert f"{len(held)} cartes" in (player.page.text_content("#pile") or "")
    assert player.page.locator("#last .cancelled").count() >= 2
    assert "annulée" in (player.page.text_content("#last") or "")
    assert player.page.is_visible("#last-held")
    player.keep_focus()
    player.assert_content()


@pytest.mark.parametrize(
    "refereed",
    [pytest.param(False, id="dealt"), pytest.param(True, id="refereed", marks=pytest.mark.full)],
)
def test_W7_whoever_has_shot_the_moon_says_how_it_counts(
    player: Player, house: House, refereed: bool
) -> None:
    player.come_in()
    if refereed:
        choosing(player, "coeurs-table", queen_discard="free")
    else:
        choosing(player)
    assert player.focused() == "hand"  # nobody is moved there
    player.page.keyboard.press("Enter")
    assert player.focused() == "moon_minus"
    before = player.scene["seats"][0]["total"]
    worth = 12 if refereed else 13
    assert f"{worth} points" in player.page.inner_text("#moon_minus-about")
    player.page.keyboard.press("Escape")
    assert player.focused() == "hand"
    tab_to(player, "#actions")
    player.page.keyboard.press("Enter")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#moon", state="hidden")
    player.keep_focus()
    if not refereed:
        scored = [each for each in log_of(player, house) if isinstance(each, DealScored)]
        assert scored[-1].minus
        assert player.scene["seats"][0]["total"] == before - worth
    player.assert_content()


def test_W10_partners_are_told_and_share_a_column(player: Player) -> None:
    player.come_in()
    partnered(player)
    seats = player.page.locator("#seats li").all_text_contents()
    assert sum("votre partenaire" in each for each in seats) == 1
    heads = player.page.locator("#sheet-heads th").all_text_contents()
    assert heads[1:3] == ["Vous et Bruno", "Alice et Chloé"]
    assert player.page.locator("#chart .line").count() == 2
    assert player.page.locator("#ending tbody tr").count() == 2
    player.keep_focus()
    player.assert_content()


def test_with_ten_at_the_table_each_card_has_its_digit(player: Player) -> None:
    player.come_in()
    player.begin("cancellation", players=10)
    player.due()
    player.take_focus()
    for key in "890":
        player.page.evaluate("document.getElementById('answer').replaceChildren()")
        player.page.keyboard.press(key)
        player.wait("() => document.getElementById('answer').innerText !== ''")
    player.keep_focus()
    player.assert_content()
