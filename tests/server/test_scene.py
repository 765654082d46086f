"""Scenes of a table: what a person there is shown."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest
from kit import Table, setup
from kit.refereed import dealt, play

from volte import game
from volte.cards import mask_of
from volte.conversation.updates import view_of
from volte.say import Words
from volte.scene.match import PositionBuilder
from volte.scene.table import Scenes
from volte.table import (
    Someone,
    TableState,
)
from volte.table.commands import Sit, Start
from volte.table.live import LiveTable
from volte.table.viewpoints import MatchLog
from volte.view import View
from volte.wire.messages import Scene

PEOPLE = [Someone(f"p-{name}", name) for name in ("Zoé", "Max", "Lou")]


class Standing:
    """The part of a live table that a scene asks for; all its people are there."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.present = frozenset(who.id for who in PEOPLE)

    def clock_left(self, seat: int) -> None:
        """There is no clock."""

    def meeting_left(self) -> None:
        """It is no meeting table."""


def kitty_taken(seed: int) -> Table:
    """Three people in the middle of a deal whose kitty has been taken."""
    at = table_of("coeurs", seed, kitty="first_trick")
    assert met(at, game.KittyTaken)
    return at


def worth_of_kitty(at: Table) -> int:
    deal = at.match.deal
    return deal.rules.points_in(deal.kitty) if deal is not None else 0


def shown(sights: MatchLog, seat: int, standing: Standing) -> Scene:
    """The scene as the person at a seat is shown it."""
    state, live = sights.fold(seat), cast(LiveTable, standing)
    return Scenes(PEOPLE[seat], live).scene(Words("en"), state, view_of(state, seat), "")


def test_D6_the_points_of_the_kitty_are_shown_to_its_taker_alone() -> None:
    tables = map(kitty_taken, range(1, 50))
    at, kitty = next((at, worth) for at in tables if (worth := worth_of_kitty(at)))
    deal, sights, standing = at.match.deal, MatchLog(), Standing(at.state)
    assert deal is not None
    assert at.match.phase is game.Phase.PLAYING
    sights.add(at.log)
    for seat in (0, 1, 2, 1, 0):
        points = [deal.rules.points_in(taken) for taken in deal.taken]
        points[seat] += kitty if seat == deal.kitty_taker else 0
        assert [each.points for each in shown(sights, seat, standing).seats] == points


def test_a_lost_connection_is_shown_although_nothing_has_happened() -> None:
    at, sights = kitty_taken(1), MatchLog()
    standing = Standing(at.state)
    sights.add(at.log)
    for here in (standing.present, standing.present - {PEOPLE[1].id}):
        standing.present = here
        states = [each.state for each in shown(sights, 0, standing).seats]
        assert states == ["here" if who.id in here else "gone" for who in PEOPLE]


def met(at: Table, event: type) -> bool:
    """Plays on until something of that kind has happened; whether it has."""
    while not any(isinstance(each, event) for each in at.log):
        if not at.step():
            return False
    return True


def table_of(preset: str, seed: int = 1, players: int = 3, **settings: Any) -> Table:
    """A match begun by three people."""
    at = Table(setup(preset, players=players, **settings), seed)
    for seat, who in enumerate(PEOPLE):
        at.do(who, Sit(seat))
    at.do(Someone(at.state.host, ""), Start())
    return at


def scenes_of(at: Table) -> list[Scene]:
    """The present scene of each of the three."""
    sights = MatchLog()
    sights.add(at.log)
    return [shown(sights, seat, Standing(at.state)) for seat in range(3)]


@pytest.mark.parametrize(
    ("preset", "options"),
    [("omnibus", {}), ("cancellation", {"players": 6}), ("coeurs", {"kitty": "first_trick"})],
)
def test_once_a_deal_is_over_the_cards_that_count_lie_with_whoever_took_them(
    preset: str, options: dict[str, Any]
) -> None:
    at = table_of(preset, match_end="deals:1", **options)
    assert met(at, game.TrickTaken)
    assert not any(scene.taken for scene in scenes_of(at))
    assert met(at, game.DealScored)
    deal = at.match.deal
    assert deal is not None
    for seat, scene in enumerate(scenes_of(at)):
        for other, cards in enumerate(deal.taken):
            cards |= deal.kitty if other == deal.kitty_taker == seat else 0
            shown = [each.card for each in scene.taken if each.seat == other]
            assert mask_of(shown) == cards & deal.rules.counting_mask


@pytest.mark.parametrize(
    ("pass_cycle", "givers"), [(["left"], [{2}, {0}, {1}]), (["scatter"], [{1, 2}, {0, 2}, {0, 1}])]
)
def test_P1_the_cards_one_was_given_are_shown_until_one_has_played(
    pass_cycle: list[str], givers: list[set[int]]
) -> None:
    at = table_of("coeurs", pass_cycle=pass_cycle, match_end="deals:1")
    assert met(at, game.Exchanged)
    given = {
        (each.taker, card): each.giver
        for event in at.log
        if isinstance(event, game.Exchanged)
        for each in event.transfers
        for card in each.cards or ()
    }
    for seat, scene in enumerate(scenes_of(at)):
        assert {each.giver for each in scene.hand} - {None} == givers[seat]
        for each in scene.hand:
            assert each.giver == given.get((seat, each.card))
    assert met(at, game.Played)
    played = {event.seat for event in at.log if isinstance(event, game.Played)}
    for seat, scene in enumerate(scenes_of(at)):
        assert any(each.giver is not None for each in scene.hand) == (seat not in played)


def test_P1_no_card_is_shown_as_given_where_none_is_passed() -> None:
    at = table_of("coeurs", pass_cycle=["hold"], match_end="deals:1")
    assert met(at, game.PlayStarted)
    assert {each.giver for scene in scenes_of(at) for each in scene.hand} == {None}


def test_T1_a_position_from_a_refereed_match_says_why_a_card_may_not_be_played() -> None:
    match = play(dealt("2C 5H", "3C 6H", "4C KH", "AC 7D"), "2C")
    three, six = PositionBuilder(Words("en"), View(1, match), ()).scene().hand
    assert (three.legal, three.why) == (True, "")
    assert (six.legal, six.why) == (False, "Everybody must follow suit: clubs.")


def test_E1_whoever_has_the_lowest_total_leads_and_nobody_before_the_first_deal() -> None:
    at, seen = table_of("coeurs", match_end="deals:3"), set[tuple[int, ...]]()
    while at.step():
        match = at.match
        lowest = [seat for seat, count in enumerate(match.totals) if count == min(match.totals)]
        fair = tuple(lowest) if match.deals and len(lowest) < 3 else ()
        leads = {scene.leads for scene in scenes_of(at)} if len(at.log) % 25 == 0 else {fair}
        assert leads == {fair}
        seen |= leads
    assert {scene.leads for scene in scenes_of(at)} == {at.match.winners}
    assert () in seen
    assert len(seen) > 1


def test_C1_a_claim_is_offered_to_whoever_knows_that_it_holds() -> None:
    at, known = table_of("coeurs", match_end="deals:1"), Counter[bool]()
    while at.step():
        if at.match.phase is game.Phase.PLAYING:
            for scene in scenes_of(at):
                known[scene.settled] += 1
                assert ("Claim" in scene.may) == scene.settled
                refused = isinstance(game.decide(at.match, game.Claim(0)), game.Refusal)
                assert not (scene.settled and refused)
    assert known[True]
    assert known[False]
    assert not any(scene.settled for scene in scenes_of(at))
