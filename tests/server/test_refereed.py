"""Refereed tables on the page: permitted actions, scenes, and replays."""

from __future__ import annotations

from typing import Final

import pytest
from kit import Player, SiteWith, check_record
from kit.refereed import after, dealt, match, play, start, turned

from volte import referee
from volte.cards import CardSet
from volte.game import Dealt, Phase, Played, TrickTaken
from volte.history.moments import Eyes, retold
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.say.answers import tricks
from volte.scene.permitted import playable, refereed_actions
from volte.sheet import rows_of_match
from volte.table import Setup
from volte.view import View, project
from volte.wire.messages import Question

RULED: Final = (referee.TakenBack, referee.RevokeClaimed, referee.TricksMixed, referee.Reckoned)
HANDS = ("C: A4 H: 2", "C: K5 H: 3", "C: Q6 D: 3", "C: J7 D: 4")
"""Seat 0 leads; everybody can follow clubs twice."""


def at_once(state: referee.RefereedMatch, seat: int) -> set[str]:
    """Actions that a seat may do, by its view."""
    return set(refereed_actions(seen(state, seat), state, seat))


def seen(state: referee.RefereedMatch, seat: int) -> View:
    return View(seat, project(state, seat))


def cards(state: referee.RefereedMatch, seat: int) -> CardSet:
    return playable(seen(state, seat))


# Permitted actions


def test_I2_any_card_may_be_laid_by_anybody_who_has_none_there() -> None:
    state = play(dealt(*HANDS), "4C")
    assert at_once(state, 1) == {"Play", "Object"}
    assert at_once(state, 2) == {"PlayEarly", "Object"}
    assert at_once(state, 0) == set()
    assert [len(cards(state, seat)) for seat in range(4)] == [0, 3, 3, 3]


def test_I3_whoever_took_a_card_back_plays_lawfully() -> None:
    state = after(play(dealt(*HANDS), "4C 3H"), referee.Object(2, 1))
    assert [card.text for card in cards(state, 1)] == ["5C", "KC"]
    assert at_once(state, 1) == {"Play", "Object"}


def test_I2_out_of_turn_whoever_took_a_card_back_waits() -> None:
    state = after(play(dealt(*HANDS), "4C 6C"), referee.Object(0, 2))
    assert not cards(state, 2)
    assert "PlayEarly" not in at_once(state, 2)


def test_I4_the_own_revoke_alone_can_be_put_right() -> None:
    state = play(dealt(*HANDS), "4C 3H")
    assert "TakeBack" in at_once(state, 1)
    assert "TakeBack" not in at_once(state, 0) | at_once(state, 2)
    lawful = play(dealt(*HANDS), "4C 5C")
    assert "TakeBack" not in at_once(lawful, 1)


def test_I4_the_winner_turns_the_trick_down_or_leads_at_once() -> None:
    state = play(dealt(*HANDS), "4C 5C 6C 7C")
    assert at_once(state, 3) == {"TurnDown", "Play", "Object"}
    assert at_once(state, 0) == {"Object"}


def test_I9_a_revoke_is_claimed_once_a_trick_is_turned_down() -> None:
    full = play(dealt(*HANDS), "4C 3H 6C 7C")
    assert "ClaimRevoke" not in at_once(full, 0)
    state = turned(full)
    assert all("ClaimRevoke" in at_once(state, seat) for seat in range(4))
    (told,) = tricks(Words("en"), seen(state, 0))
    assert told.startswith("Trick 1, to W: you, the 4 of clubs; E, the 3 of hearts;")


@pytest.mark.parametrize(("deals", "act"), [(2, "Cut"), (1, "Accept")])
def test_I6_after_a_stopped_deal_somebody_cuts_or_everybody_accepts(deals: int, act: str) -> None:
    options = {"match_end": f"deals:{deals}"}
    state = after(
        turned(play(dealt(*HANDS, options=options), "4C 3H 6C 7C")), referee.ClaimRevoke(0, 1, 1)
    )
    assert state.reckoned is not None
    for seat in range(4):
        assert (act in at_once(state, seat)) == (seat in referee.to_act(state))
        assert "ClaimRevoke" in at_once(state, seat)
        assert not cards(state, seat)
    closed = state
    for seat in referee.to_act(state):
        closed = after(closed, referee.Accept(seat) if act == "Accept" else referee.Cut(seat))
    assert closed.phase is not Phase.PLAYING


# Replays


def whole(seed: int) -> list[referee.Event]:
    """A match of three deals in which everybody now and then does a random act."""
    rules = make_ruleset("coeurs-table", {"match_end": "deals:3"})
    return [start(rules), *(each for step in match(rules, seed, 0.4) for each in step.events)]


@pytest.mark.parametrize("eyes", Eyes)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_ruling_is_a_step_of_the_match_told_again(eyes: Eyes, lang: str) -> None:
    log = whole(8)
    for number in (1, 2, 3):
        deal = _of_deal(log, number)
        shown = retold(Words(lang), log, number, 0, eyes, Verbosity.NORMAL).moments
        steps = [each for each in deal if isinstance(each, RULED)]
        silent = sum(isinstance(each, referee.Objected) and not each.clause for each in deal)
        plays = [each for each in deal if isinstance(each, Played | TrickTaken)]
        assert len(shown) == len(steps) + silent + len(plays) + 3  # deal, exchange, points
        assert all(each.lines for each in shown)
        assert shown[-1].scored


def test_I2_a_card_out_of_turn_is_told_with_its_seat() -> None:
    """The trick is told in the order in which its cards came, and by whom."""
    log = whole(8)
    shown = retold(Words("en"), log, 1, 0, Eyes.OPEN, Verbosity.NORMAL).moments
    tricks = [each.scene.trick for each in shown]
    assert any(card.early for trick in tricks for card in trick)
    for trick in tricks:
        assert len({card.seat for card in trick}) == len(trick)


def _of_deal(log: list[referee.Event], number: int) -> list[referee.Event]:
    """The events of one deal of a match."""
    dealt_at = [place for place, each in enumerate(log) if isinstance(each, Dealt)]
    return log[dealt_at[number - 1] : [*dealt_at, len(log)][number]]


# At a live table


async def test_a_refereed_match_is_played_shown_and_taken_home(site_with: SiteWith) -> None:
    site = await site_with(turn_down=0.001, cut=0.001)  # bots go on at once
    rules = make_ruleset("coeurs-table", {"match_end": "deals:1"})
    player = await Player.begun(site.address, setup=Setup("Table", rules), told=True)
    await player.play()
    await player.until(lambda: player.scenes[-1].phase == "ended")
    assert all(scene.refereed for scene in player.scenes if scene.deal)
    full = [scene for scene in player.scenes if scene.full]
    assert full
    assert all(len(scene.trick) == 4 and scene.turn is not None for scene in full)
    over = [scene for scene in player.scenes if scene.reckoning is not None]
    assert all(scene.reckoning.last for scene in over if scene.reckoning)
    assert "Accept" in over[0].may
    sheets = [scene.sheet for scene in player.scenes if scene.sheet is not None]
    assert [len(sheet.rows) for sheet in sheets[:2]] == [0, 1]
    assert sheets[1].rows[-1].provisional
    assert sheets[-1] == rows_of_match(player.view.state)
    assert sheets[-1].over
    found = await player.ask(Question.TRICKS)
    assert len(found.lines) == 13
    reply = await player.get(f"/tables/{player.table}/record")
    record = await player.get(reply.header("location"))
    report = check_record(record.text)
    assert report.fault is None
    assert report.record is not None
