"""Playing with anybody, in browsers: one press, the wait, the way to another table, leaving it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.browser.means import Keys, action, do_what_is_due, play_deal, press
from kit.browser.players import Browse, Player, opened_with
from kit.browser.states import SIXTEEN
from kit.seeking import nobody_seeks
from kit.sites import Playroom

Strangers = tuple[Player, Player]

PRESS = "#play-with-people"


@pytest.fixture
def strangers(browse: Browse, playroom: Playroom) -> Iterator[Strangers]:
    """Ana, who reads English, and Zoé, who reads French; nobody else looks for people."""
    yield browse("en").come_in("Ana"), browse("fr", width=390, height=844).come_in("Zoé")
    playroom.do(nobody_seeks(playroom.site.room))


def go(player: Player, *boxes: str) -> None:
    """Press "Play with people" on the first page, with some boxes checked."""
    player.go_to("/")
    if boxes:
        player.page.locator(".game:has(#rules) summary").press("Enter")
    for box in boxes:
        player.page.locator(f"#{box}").press("Space")
    player.page.locator(PRESS).press("Enter")
    player.wait("() => window.watched?.scene")


def at(player: Player) -> str:
    """The id of the table where the player is."""
    return player.page.url.partition("/tables/")[2].partition("#")[0]


@pytest.mark.full
def test_two_strangers_who_press_sit_at_one_table_each_with_a_hand(strangers: Strangers) -> None:
    """From one press each: nobody is asked, nothing else is pressed."""
    ana, zoe = strangers
    go(ana)
    assert ana.due() == "Pass"
    ana.hears("Nobody else is waiting for people to play with.")
    go(zoe)
    assert zoe.due() == "Pass"
    assert at(ana) == at(zoe)
    ana.hears("Zoé takes Alice’s seat.")
    zoe.hears("Vous jouez avec Ana.")
    ana.take_focus()
    ana.keys("Shift+G")
    ana.hears("You are playing with Zoé.")
    ana.keep_focus()


# The whole story


@pytest.mark.full
def test_whoever_presses_in_the_middle_of_a_deal_plays_and_goes_on_at_the_next_one(
    strangers: Strangers,
) -> None:
    ana, zoe = strangers
    go(ana)
    for _ in range(2):
        do_what_is_due(ana, Keys(), ana.due())
    go(zoe)
    assert zoe.due() == "Pass"
    assert at(zoe) != at(ana)
    zoe.hears("Vous rejoindrez Ana")
    do_what_is_due(zoe, Keys(), "Pass")
    assert play_deal(ana, Keys()) == "Next"
    zoe.wait("(table) => location.pathname.endsWith(table)", at(ana))
    zoe.hears("Votre partie continue à cette table.")
    zoe.hears("Vous jouez avec Ana.")
    ana.hears("Zoé takes Alice’s seat.")
    for each in strangers:
        press(each, "Next")
    assert [each.due() for each in strangers] == ["Pass", "Pass"]
    assert ana.scene["deal"] == zoe.scene["deal"] == 2


@pytest.fixture
def met(strangers: Strangers, playroom: Playroom) -> Strangers:
    """The strangers at one table, where Ana has played a deal alone."""
    ana, zoe = strangers
    with opened_with(playroom, anew=3600.0):
        table = ana.begin(pass_count=0, deals=9, removed=SIXTEEN, setup={"meeting": True})
    play_deal(ana, Keys())
    zoe.sit_down(table)
    press(zoe, "Sit 1")
    for each in strangers:
        each.page.wait_for_selector("#anew:not([hidden])")
        each.keys("Escape")
    return strangers


@pytest.mark.full
def test_the_match_begins_anew_when_all_press_that(met: Strangers) -> None:
    ana, zoe = met
    ana.hears("If you all agree, the match will start again now.")
    ana.keys("a")
    ana.page.wait_for_selector("#anew", state="hidden")
    zoe.hears("Ana a demandé à recommencer la partie.")
    zoe.page.locator("#begin-anew").click()
    for each in met:
        each.wait("() => window.watched.scene.deal === 1 && window.watched.scene.hand.length > 0")
        assert [seat["total"] for seat in each.scene["seats"]] == [0] * 4
        each.keep_focus()


@pytest.mark.full
def test_the_match_goes_on_when_one_would_rather(met: Strangers) -> None:
    ana, zoe = met
    ana.keys("a")
    zoe.keys("d")
    zoe.page.wait_for_selector("#anew", state="hidden")
    zoe.hears("La partie continue telle quelle.")
    for each in met:
        press(each, "Next")
    for each in met:
        each.wait("() => window.watched.scene.deal === 2 && window.watched.scene.hand.length > 0")
        each.keep_focus()


@pytest.mark.full
def test_who_would_rather_wait_without_bots_sees_and_hears_how_long(strangers: Strangers) -> None:
    ana, zoe = strangers
    go(ana, "empty")
    ana.shown("#filling").to_contain_text("Seconds until bots come: ")
    ana.hears("bots will soon take the free seats.")
    go(zoe)
    assert at(zoe) == at(ana)
    ana.hears("Zoé sits down.")
    assert action(zoe, "Start").inner_text().startswith("Commencer sans attendre")
    press(zoe, "Start")
    for each in strangers:
        assert each.due() == "Pass"


@pytest.mark.full
def test_somebody_in_two_tabs_is_at_one_table_and_both_go_on(strangers: Strangers) -> None:
    ana, zoe = strangers
    go(ana)
    for _ in range(2):
        do_what_is_due(ana, Keys(), ana.due())
    go(zoe)
    other = zoe.context.new_page()
    other.goto(f"{zoe.address}/")
    other.locator(PRESS).press("Enter")
    other.wait_for_selector("#hand [role=option]")
    assert other.url.rpartition("/")[2].partition("#")[0] == at(zoe)
    assert play_deal(ana, Keys()) == "Next"
    for page in (zoe.page, other):
        page.wait_for_url(f"**/tables/{at(ana)}*")
    other.close()


@pytest.mark.full
def test_who_stops_is_not_moved_and_can_look_again(strangers: Strangers) -> None:
    ana, zoe = strangers
    go(ana)
    for _ in range(2):
        do_what_is_due(ana, Keys(), ana.due())
    go(zoe)
    zoe.hears("Vous rejoindrez Ana")
    table = at(zoe)
    press(zoe, "Seek")
    zoe.hears("Vous ne cherchez plus d’autres joueurs.")
    assert play_deal(ana, Keys()) == "Next"
    do_what_is_due(zoe, Keys(), "Pass")
    assert zoe.due() == "Play"
    assert at(zoe) == table
    press(zoe, "Seek")
    zoe.hears("Vous jouez avec Ana.")


@pytest.mark.full
def test_leaving_leads_to_the_people_met_and_one_press_keeps_them_apart(met: Strangers) -> None:
    ana, zoe = met
    press(zoe, "Stand")
    zoe.page.get_by_role("dialog").get_by_role("button", name="Quitter la table").press("Enter")
    zoe.page.wait_for_url("**/meet/left")
    zoe.page.get_by_role("button", name="Ne plus jouer ensemble : Ana").press("Enter")
    zoe.shown(".saved").to_be_focused()
    ana.hears("Zoé leaves their seat.")
    zoe.go_to("/me/talk")
    zoe.page.get_by_role("button", name="Rejouer avec Ana").press("Enter")
    zoe.page.locator("[aria-labelledby=avoided]").get_by_text("Personne.").wait_for()
