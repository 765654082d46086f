"""A refereed table on the page: irregularities, objections, claims, and their penalties."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit import Keys, Playroom
from kit.browser.backdrops import kept_for
from kit.browser.players import WHOLE, Browse, Player, dealt_from, opened_with
from kit.browser.refereed import (
    DUE,
    ByEar,
    ByKeys,
    ByMouse,
    ByTouch,
    Circle,
    Means,
    by_duty,
    circle,
    pass_cards,
)
from kit.refereed import match, start

from volte.rules import make_ruleset
from volte.say import Words
from volte.web.assets import client_sentences

SEED = 5

EARLY = "() => window.watched.scene.trick.some((each) => each.early)"
PANEL = "#ending:not([hidden])"


@pytest.fixture
def zoe(request: pytest.FixtureRequest, browse: Browse, playroom: Playroom) -> Iterator[Player]:
    lang, touch, width = request.param
    somebody = browse(lang, touch=touch, width=width, height=720, still=True).come_in()
    with dealt_from(playroom, SEED):
        yield somebody


everyway = pytest.mark.parametrize(
    ("zoe", "means"),
    [
        pytest.param(("fr", False, 320), ByEar("fr"), id="ear"),
        pytest.param(("en", False, 1280), ByKeys(), id="keys", marks=pytest.mark.full),
        pytest.param(("fr", False, 1280), ByMouse(), id="mouse", marks=pytest.mark.full),
        pytest.param(("en", True, 390), ByTouch(), id="touch", marks=pytest.mark.full),
    ],
    indirect=["zoe"],
)


@everyway
def test_a_match_with_all_that_can_go_wrong(zoe: Player, means: Means) -> None:
    """In the gate, until a deal has been ended by a claim."""
    with circle(zoe, deals=2) as table:
        _asked_back(zoe, table, means)
        _put_right(zoe, table, means)
        _claimed(zoe, table, means)
        assert "Ana" in zoe.page.locator(f"{PANEL} .stopped").inner_text()
        zoe.keep_focus()
        if not WHOLE:
            return
        _closed(zoe, table, means)
        table.until("Pass")
        pass_cards(zoe)
        table.until("Play", "PlayEarly")
        _claimed(zoe, table, means)
        assert "ClaimRevoke" in zoe.scene["may"]
        means.press(zoe, "Accept")
        table.until("ended")
        zoe.page.wait_for_selector("#ending.over")
        zoe.keep_focus()


def _asked_back(zoe: Player, table: Circle, means: Means) -> None:
    """I2: Ana plays before her turn, and has to take the card back."""
    table.until_before(table.ana)
    table.lays(table.ana, next(iter(table.ana.view.hand)))
    zoe.wait(EARLY)
    said = zoe.page.locator("#trick .early").text_content() or ""
    assert client_sentences(Words(zoe.lang))["early_card"].partition(",")[2] in said
    means.object_to(zoe, "Ana")
    zoe.wait("() => window.watched.scene.trick.every((each) => !each.early)")
    zoe.page.wait_for_selector("#ruling.fresh")


def _put_right(zoe: Player, table: Circle, means: Means) -> None:
    """I4: the player revokes, and puts it right."""
    card = table.until_either()[0]
    held = len(zoe.scene["hand"])
    means.play(zoe, card)
    zoe.wait("() => window.watched.scene.may.includes('TakeBack')")
    means.press(zoe, "TakeBack")
    zoe.wait("(held) => window.watched.scene.hand.length === held", held)
    barred = zoe.page.locator("#hand [aria-disabled=true]")
    barred.first.wait_for()
    assert barred.count() == len(by_duty(zoe)[1])


def _claimed(zoe: Player, table: Circle, means: Means) -> None:
    """I5, I9: Ana revokes; it is claimed against wrong players, the claimer included, then her."""
    table.revokes(table.ana)
    number = len(table.ana.view.deal.tricks)
    words = Words(zoe.lang)
    own = words.t("You own up to a revoke in trick {trick}.", trick=number)
    for name in ("Max", client_sentences(words)["claim_own"]):
        means.claim(zoe, name, number)
        zoe.page.wait_for_selector("#ruling.fresh")
    zoe.page.locator("#ruling", has_text=own).wait_for()
    assert zoe.scene["reckoning"] is None
    means.claim(zoe, "Ana", number)
    zoe.wait("() => window.watched.scene.reckoning !== null")
    zoe.page.wait_for_selector(PANEL)


def _closed(zoe: Player, table: Circle, means: Means) -> None:
    """I6: the cards are cut for the next deal."""
    table.until("Cut", "Pass")
    assert "Cut" in zoe.scene["may"], "a seed with which the player deals first is wanted"
    means.press(zoe, "Cut")


@pytest.mark.full
def test_the_rulings_of_a_match_are_looked_at_again(browse: Browse) -> None:
    """Step by step: a card that lies there out of turn, and what the referee says of it."""
    player = browse("en").come_in()
    rules = make_ruleset("coeurs-table", {"match_end": "deals:1"})
    steps = match(rules, seed=4, wild=0.4)
    log = [start(rules, people=[0]), *(each for step in steps for each in step.events)]
    row = kept_for(player, log)
    player.go_to(f"/matches/{row}/replay")
    player.page.wait_for_selector("#hands .face")
    told = []
    early = 0
    while player.page.locator("[data-key=on]:not([aria-disabled=true])").count():
        player.page.click("[data-key=on]")
        told.append(player.page.inner_text("#status"))
        early += player.page.locator("#trick .early").count()
    assert early > 0
    assert any("objects to" in line for line in told)
    assert any("claim" in line and "revoked in trick" in line for line in told)
    assert any("not yet final" in line for line in told)


@pytest.mark.full
def test_a_whole_match_with_bots_by_keys(browse: Browse, playroom: Playroom) -> None:
    """Nobody errs; the person and the bots cut, or only say that they claim nothing, by turns."""
    player = browse("fr", still=True).come_in()
    keys, done = ByKeys(), set()
    with opened_with(playroom, turn_down=0.0, cut=600.0), dealt_from(playroom, SEED):
        player.begin("coeurs-table", deals=3)
        player.take_focus()
        while (due := player.due(DUE)) != "ended":
            done.add(due)
            number = player.scene["number"]
            if due == "Pass":
                Keys().pass_cards(player)
                player.wait("() => !window.watched.scene.may.includes('Pass')")
            elif due == "Play":
                follows, others = by_duty(player)
                keys.play(player, (follows or others)[-1])
            elif due == "Next":
                Keys().go_on(player)
            else:
                keys.press(player, due)
            player.wait("(number) => window.watched.scene.number > number", number)
    assert {"Pass", "Play", "TurnDown", "Next", "Accept"} <= done
    player.page.wait_for_selector("#ending.over")
    player.keep_focus()
