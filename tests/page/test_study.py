"""A review together in real browsers: one step for all, each in their language; lines and talk."""

from __future__ import annotations

import pytest
from kit.browser.players import Browse, Player
from kit.matches import keep
from kit.studying import match_of

from volte.history.moments import Eyes, Moment, retold
from volte.say import Verbosity, Words
from volte.studies.service import Studies

STEP = "(step) => document.getElementById('step').value === String(step)"
TEXT = "([id, text]) => document.getElementById(id).textContent.includes(text)"


def steps(lang: str, deal: int = 1) -> list[Moment]:
    """The steps of a deal, as they are told to somebody who sees every hand."""
    log = match_of("Léa", "Max")
    return retold(Words(lang), log, deal, None, Eyes.OPEN, Verbosity.NORMAL).moments


def agree(attendee: Player, seat: int) -> None:
    """Somebody who has played at a seat of the match comes to a review, and agrees to be shown."""
    playroom, study = attendee.playroom, attendee.page.url.rpartition("/")[2]
    room = playroom.site.room
    match = playroom.do(room.store.match(playroom.do(room[Studies].find(study)).match))
    assert match is not None
    playroom.do(room[Studies].attend(study, match.beginners[seat]))
    playroom.do(room[Studies].show(study, match.beginners[seat], True))


@pytest.fixture
def lea(browse: Browse) -> Player:
    """Somebody who leads a review of a match that they have played with somebody else."""
    player, other = browse("en"), browse("en")
    player.come_in("Léa")
    other.come_in("Max")
    playroom, log = player.playroom, match_of("Léa", "Max")
    store = playroom.site.room.store
    row = playroom.do(keep(store, player.someone, log, others=[other.someone]))
    player.go_to(f"/matches/{row.id}")
    assert "for ever" in player.page.inner_text("#share-help")
    player.page.click("main form[action$='/studies'] button")
    player.page.wait_for_selector("#here li")
    return player


@pytest.fixture
def zoe(browse: Browse, lea: Player) -> Player:
    """Somebody who reads French, has the address, and could not open the match."""
    player = browse("fr")
    player.go_to(lea.page.input_value("#share").removeprefix(player.address))
    player.page.fill("main [name=name]", "Zoé")  # a guest is asked for a name, as at a table
    player.page.press("main [name=name]", "Enter")
    player.page.wait_for_selector("#here li >> nth=1")
    return player


def test_two_people_are_at_one_step_and_hear_it_once_each_in_their_language(
    lea: Player, zoe: Player
) -> None:
    zoe.hears("Léa mène.")
    lea.hears("Zoé has come.")
    seats = zoe.page.inner_text("#seats")
    assert "Place 2" in seats  # Max has not agreed
    assert "Max" not in zoe.page.inner_text("main")
    played = next(place for place, each in enumerate(steps("en")) if each.played)
    lea.page.focus("#step")
    lea.keys("PageDown")
    zoe.page.wait_for_function(STEP, arg=played + 3)
    [line] = steps("fr")[played + 3].lines
    zoe.hears(line)
    lea.page.focus("[data-key=on]")
    lea.keys("Enter")
    zoe.page.wait_for_function(STEP, arg=played + 4)
    assert " ".join(zoe.said).count(line) == 1
    # Zoé looks around alone, and comes back
    zoe.page.click("[data-key=first]")
    zoe.page.wait_for_function(STEP, arg=0)
    zoe.page.wait_for_selector("#follow:not([hidden])")
    zoe.page.focus("#follow")
    zoe.keys("Enter")
    zoe.page.wait_for_function(STEP, arg=played + 4)
    assert zoe.focused() == "step"
    # Léa hands over
    lea.page.click("#here button:visible")
    zoe.hears("tout le monde suit vos étapes.")
    lea.hears("Zoé leads.")
    zoe.page.focus("#step")
    zoe.keys("Home")
    lea.page.wait_for_function(STEP, arg=0)


def test_whoever_is_handed_the_lead_while_looking_around_is_back_where_all_are(
    lea: Player, zoe: Player
) -> None:
    lea.page.focus("#step")
    lea.keys("ArrowRight")
    zoe.page.wait_for_function(STEP, arg=1)
    zoe.page.click("[data-key=last]")
    zoe.page.wait_for_selector("#follow:not([hidden])")
    zoe.page.focus("#follow")
    lea.page.click("#here button:visible")
    zoe.hears("tout le monde suit vos étapes.")
    zoe.page.wait_for_function(STEP, arg=1)
    assert zoe.focused() == "step"
    # and follows again once somebody else leads
    lea.page.wait_for_function(TEXT, arg=["leading", "Zoé leads."])
    zoe.page.click("#here button:visible")
    lea.page.wait_for_function(TEXT, arg=["leading", "You lead"])
    lea.page.focus("#step")
    lea.keys("ArrowRight")
    zoe.page.wait_for_function(STEP, arg=2)


def test_a_line_is_tried_by_keys_and_marked_and_people_talk_beside_it(
    lea: Player, zoe: Player
) -> None:
    lea.page.focus("#step")
    lea.keys("ArrowRight")
    zoe.page.wait_for_function(STEP, arg=1)
    lea.page.focus("#line-begin")
    lea.keys("Enter")
    zoe.page.wait_for_function(TEXT, arg=["tried", "Léa essaie une variante"])
    lea.page.wait_for_selector("#line-cards button")
    assert lea.focused() == "line-turn"
    first = lea.page.inner_text("#line-cards button >> nth=0")
    lea.keys("Tab", "Enter")
    lea.hears(first)
    lea.page.wait_for_selector("#line-take:not([hidden])")
    assert lea.focused() == "line-turn"
    zoe.page.wait_for_selector("#line-more:not([hidden])")  # that hand is closed to Zoé
    assert not zoe.page.locator("#trick .card").count()
    agree(zoe, seat=1)
    zoe.page.wait_for_selector("#line-more", state="hidden")  # nor is it from now on
    zoe.page.wait_for_selector("#trick .card")
    lea.page.focus("#line-back")
    lea.keys("Enter")
    zoe.hears("Retour à la partie.")
    lea.page.wait_for_selector("#tried", state="hidden")
    assert lea.focused() == "line-begin"
    zoe.page.click("#talk-title")
    zoe.page.fill("#talk-text", "Quelle idée !")
    zoe.page.press("#talk-text", "Enter")
    lea.hears("Zoé says: Quelle idée !")
    lea.page.click("#talk-title")
    lea.page.click("#talk-log .more")
    lea.page.click("#talk-log .about .buttons button >> nth=0")
    lea.hears("You have muted Zoé")
    lea.page.wait_for_selector("#talk-log .said", state="detached")
