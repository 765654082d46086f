"""A moon whose shooter says how it counts (W7), asked at a table like any other choice."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Final

import pytest
from kit.strategies import PACK
from msgspec.structs import replace
from table.people import (
    ANNE,
    BERT,
    CARA,
    LIMIT,
    QUICK,
    Guest,
    Player,
    done,
    found,
    kill,
    kinds,
    room,
    seated,
    setup,
    until,
)
from table.refereed import Refereed
from table.refereed import dealt as refereed_deal
from table.test_live_due import NOW, TIMING, Standing

from volte import game, referee
from volte.bots import Clock, make_bot
from volte.cards import Card
from volte.game import ChooseMoon, DealScored, MoonShot, Phase
from volte.referee import RefereedMatch, SeatAction
from volte.table import Someone, Why, decide, pacing
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.live import LiveTable
from volte.table.pacing import ScheduledStep
from volte.table.turns import TurnKind
from volte.view import View

DECK: Final = ("2C", "3C", "4C", "5C", "6C", "QS")
"""Whoever takes the queen has taken every penalty card: each deal is a moon."""

MOONS: Final[dict[str, Any]] = {
    "players": 3,
    "removed": [str(card) for card in PACK if str(card) not in DECK],
    "pass_count": 0,
    "opening": "eldest",
    "first_trick_points": "allowed",
    "match_end": "deals:2",
    "moon": "shooter_chooses",
}


def moons(**options: Any) -> Standing:
    """Three people, the first deal played: somebody is asked."""
    at = Standing("anne", "bert", "cara", **{**MOONS, **options})
    for seat, who in enumerate((ANNE, BERT, CARA)):
        at.do(who, cmd.Sit(seat))
    at.do(ANNE, cmd.Start()).house(covered=(0, 1, 2))
    while at.match.phase is Phase.PLAYING:
        at.play()
    assert at.match.phase is Phase.CHOOSING
    return at


def shooter(at: Standing) -> tuple[int, Someone]:
    seat = at.match.shooter
    assert seat is not None
    return seat, (ANNE, BERT, CARA)[seat]


def whats(at: Standing) -> dict[int, TurnKind]:
    return {seat: asked.kind for seat, asked in at.room.turns.items()}


def refused(at: Standing, who: Someone, action: SeatAction, seen: int) -> str:
    outcome = decide(at.state, who, cmd.Act(action), seen)
    assert isinstance(outcome, game.Refusal), outcome
    return outcome.reason


# What is asked, and for how long


def test_W7_the_shooter_alone_is_asked_and_the_deal_waits() -> None:
    at = moons()
    seat, who = shooter(at)
    assert whats(at) == {seat: TurnKind.CHOOSE}
    assert at.due() is None
    at.do(who, cmd.Act(ChooseMoon(seat, minus=True)))
    assert at.match.deals[0].points[seat] == -13
    assert set(whats(at).values()) == {TurnKind.NEXT}


def test_nobody_else_chooses_and_nobody_by_what_they_saw_before() -> None:
    at = moons()
    seat, who = shooter(at)
    other = (ANNE, BERT, CARA)[(seat + 1) % 3]
    for person, action, seen, why in (
        (other, ChooseMoon((seat + 1) % 3, minus=False), 0, "no_moon_to_choose"),
        (other, ChooseMoon(seat, minus=False), 0, "not_your_seat"),
        (who, game.Play(seat, Card("2C")), 0, "not_playing_now"),
        (who, game.Claim(seat), 0, "not_playing_now"),
        (who, game.AskUndo(seat), 0, "nothing_to_undo"),
        (who, ChooseMoon(seat, minus=True), 1, "stale"),
    ):
        assert refused(at, person, action, at.state.version - seen) == why


def test_a_match_that_is_paused_is_asked_again_when_it_goes_on() -> None:
    at = moons()
    seat, who = shooter(at)
    at.do(who, cmd.Pause())
    assert whats(at) == {}
    assert refused(at, who, ChooseMoon(seat, minus=True), at.state.version) == "paused"
    at.do(who, cmd.Unpause(), NOW + 9)
    assert at.room.turns[seat].since == NOW + 9


def test_a_clock_that_runs_out_lets_a_bot_choose_and_more_time_can_be_had() -> None:
    at = moons(clock=40)
    seat, who = shooter(at)
    assert at.due() == ScheduledStep(NOW + 40, pacing.StandIn(seat, Why.CLOCK))
    at.do(who, cmd.MoreTime())
    assert at.due() == ScheduledStep(NOW + 80, pacing.StandIn(seat, Why.CLOCK))
    at.take((hap.StoodIn(seat, Why.CLOCK),)).with_room(decided=frozenset({seat}))
    assert at.due() == ScheduledStep(NOW + TIMING.bot_pace, pacing.LetBot(seat))


def test_whoever_is_gone_is_stood_in_for() -> None:
    at = moons()
    seat, who = shooter(at)
    at.with_room(here=at.room.here - {who.id})
    assert at.due() == ScheduledStep(NOW + TIMING.grace, pacing.StandIn(seat, Why.CONNECTION))


def test_a_forced_card_is_played_for_somebody_but_a_moon_never_chosen() -> None:
    at = moons()
    manner = pacing.Pace(0, 0, auto_forced=True)
    at.with_room(paces={who.id: manner for who in (ANNE, BERT, CARA)})
    assert at.due() is None


# At a refereed table


def asked_there() -> tuple[Refereed, int]:
    """Anne has taken the queen, and everything else; she is asked."""
    hands = ("C: A4", "C: K5", "C: 6 S: Q")
    at = refereed_deal(*hands, moon="shooter_chooses", jack_points=0, match_end="deals:2")
    at.honestly_until(MoonShot)
    seat = at.match.shooter
    assert seat is not None
    return at, seat


def test_W7_at_a_refereed_table_the_cut_waits_for_the_choice() -> None:
    at, seat = asked_there()
    assert isinstance(at.match, RefereedMatch)
    before = at.state
    assert not before.awaits_cut
    cutter = at.match.cutter
    refusal = referee.decide(at.match, referee.Cut(cutter))
    assert isinstance(refusal, game.Refusal)
    assert refusal.reason == "moon_not_chosen"
    at.act(ChooseMoon(seat, minus=True))
    assert at.match.reckoned is not None
    assert at.match.reckoned.minus
    assert at.state.awaits_cut
    at.honestly_until(DealScored)
    assert at.match.deals[0].points[seat] < 0


def test_a_claim_changes_what_is_asked_there() -> None:
    """A choice that was made for a deal as it stood is stale once that has been ruled on."""
    at, seat = asked_there()
    since = at.state.moved
    at.act(referee.ClaimRevoke((seat + 1) % 3, seat, 1))
    assert at.state.moved == since  # mistaken: nothing has changed
    assert at.match.shooter == seat


# Live


def chooses(seat: int, match: game.MatchState) -> bool:
    return match.shooter == seat


class Waiting(Player):
    """Plays, but does not choose until somebody says so."""

    ready = False

    def chosen(self, seat: int, match: game.MatchState) -> SeatAction | None:
        if match.shooter is not None:
            return ChooseMoon(seat, minus=True) if self.ready and match.shooter == seat else None
        return super().chosen(seat, match)

    async def choose(self) -> None:
        self.ready = True
        await self.moved()


async def asked(table: LiveTable) -> int:
    """The seat that is asked, once one is."""
    await until(lambda: table.state.match is not None and table.state.match.shooter is not None)
    assert table.state.match is not None
    assert table.state.match.shooter is not None
    return table.state.match.shooter


REFEREED: Final = {"irregularities": "refereed"}


@pytest.mark.parametrize("options", [{}, REFEREED], ids=["lawful", "refereed"])
async def test_a_server_killed_in_the_middle_of_a_choice_asks_again(
    database: str, options: dict[str, str]
) -> None:
    async with room(database) as lobby:
        table = await lobby.open(setup(**{**MOONS, **options}), ANNE)
        people = [Waiting(table, who) for who in (ANNE, BERT, CARA)]
        await seated(table, *people)
        await done(table, ANNE, cmd.Start())
        seat = await asked(table)
        version = table.state.version
        await kill(table)
        for person in people:
            await person.closed()
    async with room(database) as lobby:
        table = await found(lobby, table.id)
        assert table.state.version == version
        people = [Waiting(table, who) for who in (ANNE, BERT, CARA)]
        assert await asked(table) == seat
        await until(lambda: all(person.state.version == version for person in people))
        assert [chooses(person.seat or 0, person.match) for person in people].count(True) == 1
        for person in people:
            await person.choose()
        await until(lambda: not table.state.under_way)
        scored = kinds(people[0], DealScored)
        assert len(scored) == 2
        assert all(each.minus for each in scored)  # type: ignore[attr-defined]
        for person in people:
            await person.leave()


@pytest.mark.parametrize("options", [{}, REFEREED], ids=["lawful", "refereed"])
async def test_a_bot_chooses_for_whoever_is_gone_and_others_take_over(
    tmp_path: Path, options: dict[str, str]
) -> None:
    async with room(tmp_path, replace(QUICK, grace=0.02)) as lobby:
        table = await lobby.open(setup(**{**MOONS, **options, "match_end": "deals:1"}), ANNE)
        people = [Waiting(table, who) for who in (ANNE, BERT, CARA)]
        await seated(table, *people)
        await done(table, ANNE, cmd.Start())
        seat = await asked(table)
        gone, others = people[seat], [each for each in people if each.seat != seat]
        await gone.leave()
        await until(lambda: table.state.match and table.state.match.shooter is None)
        assert table.state.seats[seat].stand_in is Why.CONNECTION
        for person in others:
            await person.choose()
        again = Waiting(table, gone.who)
        await until(lambda: not table.state.under_way)
        assert again.match.deals[0].moon == seat
        for person in (again, *others):
            await person.leave()


class Undecided:
    """A bot that thinks about its moon until it may go on."""

    def __init__(self, goes_on: Event, level: str, seed: int) -> None:
        self._goes_on = goes_on
        self._bot = make_bot(level, seed)

    def choose(self, view: View, clock: Clock) -> game.SeatAction:
        if view.state.shooter is not None:
            self._goes_on.wait(LIMIT)
        return self._bot.choose(view, clock)


async def test_whoever_sits_down_in_place_of_a_bot_is_asked(tmp_path: Path) -> None:
    """A bot shoots; before it has chosen somebody takes its seat, and chooses."""

    goes_on = Event()
    async with room(tmp_path, bots=partial(Undecided, goes_on)) as lobby:
        table = await lobby.open(setup(**{**MOONS, "match_end": "deals:1"}), ANNE)
        anne = Guest(table, ANNE)
        await done(table, ANNE, cmd.Start())
        seat = await asked(table)
        await done(table, ANNE, cmd.Sit(seat))
        assert table.state.match is not None
        assert table.state.match.phase is Phase.CHOOSING
        await done(table, ANNE, cmd.Act(ChooseMoon(seat, minus=True)))
        assert table.state.match.deals[0].points[seat] == -13
        goes_on.set()
        await anne.leave()
