"""What a table has to do next: a computation over how it stands, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from table.people import ANNE, setup

from volte import game
from volte.fair import House
from volte.game import Refusal
from volte.table import (
    Happening,
    Someone,
    Why,
    decide,
    decide_bot,
    evolve,
    fold,
    open_table,
    pacing,
)
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.house import acts_of_house
from volte.table.pacing import AT_ONCE, Pace, ScheduledStep, TableContext, Timing, next_step
from volte.table.turns import TurnKind, current_turns

TIMING = Timing(
    grace=10, promise_within=5, undo_within=60, bot_pace=1, trick_pace=3, idle=600, tick=1
)
BERT = Someone("bert", "Bert")
HOUSE = House.from_seed(1)
NOW = 1000.0


class Standing:
    """A table and its room, put together step by step."""

    def __init__(self, *here: str, **settings: Any) -> None:
        settings = {"match_end": "deals:2", "pass_count": 0, **settings}
        self.state = fold(open_table(setup(**settings), ANNE))
        self.room = TableContext(
            here=frozenset(here),
            gone={},
            began=NOW,
            empty=None if here else NOW,
            turns={},
            decided=frozenset(),
            paces={},
        )

    def do(self, who: Someone, command: cmd.Command, now: float = NOW) -> Standing:
        return self.take(decide(self.state, who, command, self.state.version), now)

    def take(self, outcome: tuple[Happening, ...] | Refusal, now: float = NOW) -> Standing:
        assert not isinstance(outcome, Refusal), outcome
        for happening in outcome:
            self.state = evolve(self.state, happening)
        return self.look(now)

    def look(self, now: float = NOW) -> Standing:
        asked = current_turns(self.state, self.room.turns, now)
        self.room = replace(self.room, turns=asked)
        return self

    def with_room(self, **changes: Any) -> Standing:
        self.room = replace(self.room, **changes)
        return self.look()

    def house(self, covered: tuple[int, ...] = (0, 1, 2, 3), now: float = NOW) -> Standing:
        return self.take(acts_of_house(HOUSE, self.state, covered), now)

    def due(self) -> ScheduledStep | None:
        return next_step(self.state, self.room, TIMING)

    def play(self, now: float = NOW) -> Standing:
        """The seat on turn plays its first legal card."""
        match = self.match
        (seat,) = game.to_act(match)
        outcome = game.decide(match, game.legal_actions(match, seat)[0])
        return self.take(outcome, now)

    @property
    def match(self) -> game.MatchState:
        assert self.state.match is not None
        return self.state.match

    @property
    def turn(self) -> int:
        return game.to_act(self.match)[0]


def under_way(*here: str, **settings: Any) -> Standing:
    """Anne at seat 0, Bert at seat 1, dealt, about to play."""
    standing = Standing(*here, **settings).do(ANNE, cmd.Sit(0)).do(BERT, cmd.Sit(1))
    return standing.do(ANNE, cmd.Start()).house()


def test_nothing_is_due_at_a_table_that_waits_for_people() -> None:
    assert Standing("anne").due() is None
    assert Standing("anne").do(ANNE, cmd.Sit(0)).due() is None


def test_a_table_where_nobody_is_leaves_memory_in_the_end() -> None:
    assert Standing().due() == ScheduledStep(NOW + 600, pacing.Forget())
    ended = under_way("anne").take((hap.Paused(""),)).with_room(here=frozenset(), empty=NOW + 7)
    assert ended.due() == ScheduledStep(NOW + 607, pacing.Forget())


def test_a_closed_table_does_nothing() -> None:
    assert under_way().do(ANNE, cmd.Close()).due() is None


def test_the_house_acts_as_soon_as_a_match_begins() -> None:
    standing = Standing("anne").do(ANNE, cmd.Start())
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.LetHouse())


def test_promises_are_waited_for_and_then_the_bytes_and_then_the_house_deals() -> None:
    standing = Standing("anne").do(ANNE, cmd.Sit(0)).do(ANNE, cmd.Start()).house((1, 2, 3), NOW)
    assert standing.due() == ScheduledStep(NOW + 5, pacing.LeaveOut(game.Promise(0, None)))
    promised = standing.do(ANNE, cmd.Promise(1, bytes(32)), NOW + 2)
    assert promised.due() == ScheduledStep(AT_ONCE, pacing.LetHouse())  # tells for the bots
    told = promised.house(now=NOW + 2)
    assert told.due() == ScheduledStep(NOW + 7, pacing.LeaveOut(game.Contribute(0, None)))
    told.take((game.Contributed(0, None),))
    assert told.due() == ScheduledStep(AT_ONCE, pacing.LetHouse())


def test_whoever_has_not_promised_is_not_waited_for_again() -> None:
    standing = Standing("anne").do(ANNE, cmd.Sit(0)).do(ANNE, cmd.Start()).house((1, 2, 3))
    standing.take((game.Promised(0, None),)).house()
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.LeaveOut(game.Contribute(0, None)))


def test_a_bot_that_takes_over_meanwhile_has_promised_nothing_and_is_not_waited_for() -> None:
    standing = Standing("anne").do(ANNE, cmd.Sit(0)).do(ANNE, cmd.Start()).house((1, 2, 3))
    standing.do(ANNE, cmd.Stand())
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.LeaveOut(game.Promise(0, None)))


def test_a_bot_plays_at_the_pace_of_the_slowest_who_is_there() -> None:
    standing = under_way("anne", "bert", "cara")
    while standing.turn in (0, 1):
        standing.play()
    bot = standing.turn
    assert not any(isinstance(each.step, pacing.LetBot) for each in [standing.due()] if each)
    standing.with_room(decided=frozenset({bot}))
    assert standing.due() == ScheduledStep(NOW + 1, pacing.LetBot(bot))
    manners = {"anne": Pace(4, 0), "bert": Pace(2, 0), "cara": Pace(60, 60)}
    assert standing.with_room(paces=manners).due() == ScheduledStep(NOW + 4, pacing.LetBot(bot))
    assert standing.with_room(here=frozenset({"bert"})).due() == ScheduledStep(
        NOW + 2, pacing.LetBot(bot)
    )
    manners["bert"] = Pace(2, 0, hears_until=NOW + 7)
    assert standing.with_room(paces=manners).due() == ScheduledStep(NOW + 7, pacing.LetBot(bot))


def test_a_full_trick_lies_for_a_while_before_a_bot_leads() -> None:
    standing = under_way("anne", "bert")
    while not (standing.turn > 1 and standing.match.deal and not standing.match.deal.trick):
        standing.play()
    standing.with_room(decided=frozenset({standing.turn}))
    tricks = standing.match.deal.tricks if standing.match.deal else ()
    wait = 3 if tricks else 1
    assert standing.due() == ScheduledStep(NOW + wait, pacing.LetBot(standing.turn))


def test_a_lost_connection_has_its_grace_and_nobody_stands_in_where_nobody_is() -> None:
    standing = under_way("anne", "bert").with_room(here=frozenset({"anne"}), gone={"bert": NOW + 3})
    assert standing.due() == ScheduledStep(NOW + 13, pacing.StandIn(1, Why.CONNECTION))
    standing.with_room(here=frozenset(), gone={"bert": NOW + 3, "anne": NOW + 9}, empty=NOW + 9)
    assert standing.due() == ScheduledStep(NOW + 19, pacing.PauseEmpty())
    standing.with_room(here=frozenset({"cara"}), empty=None)
    assert standing.due() == ScheduledStep(NOW + 19, pacing.PauseEmpty())


@pytest.mark.parametrize("grace", [0, 45, 600])
def test_a_table_may_say_itself_how_long_a_seat_is_kept(grace: int) -> None:
    standing = under_way("anne", "bert")
    standing.take((hap.Changed(replace(standing.state.setup, grace=grace)),))
    standing.with_room(here=frozenset({"anne"}), gone={"bert": NOW + 3})
    assert standing.due() == ScheduledStep(NOW + 3 + grace, pacing.StandIn(1, Why.CONNECTION))
    standing.with_room(here=frozenset(), gone={"bert": NOW + 3, "anne": NOW + 9}, empty=NOW + 9)
    assert standing.due() == ScheduledStep(NOW + 9 + grace, pacing.PauseEmpty())


def test_a_clock_runs_on_while_a_seat_is_kept() -> None:
    standing = under_way("anne", "bert", clock=40)
    standing.take((hap.Changed(replace(standing.state.setup, grace=600)),))
    while standing.turn > 1:
        standing.play()
    seat = standing.turn
    gone = standing.state.seats[seat].person
    standing.with_room(here=frozenset({"anne", "bert"}) - {gone}, gone={gone: NOW})
    due = standing.due()
    assert due is not None
    assert due.step == pacing.StandIn(seat, Why.CLOCK)
    assert due.at < NOW + 600


def test_a_table_whose_host_is_gone_for_long_gets_another_one() -> None:
    standing = Standing("bert").do(ANNE, cmd.Sit(0)).do(BERT, cmd.Sit(1))
    assert standing.due() == ScheduledStep(NOW + 120, pacing.HandOn(1))
    assert standing.with_room(gone={"anne": NOW + 7}).due() == ScheduledStep(
        NOW + 127, pacing.HandOn(1)
    )
    assert standing.with_room(here=frozenset({"anne", "bert"})).due() is None


def test_nobody_becomes_the_host_by_looking_in_at_a_table_that_is_paused() -> None:
    standing = under_way("cara").with_room(gone={"anne": NOW - 500, "bert": NOW - 500})
    assert isinstance(getattr(standing.due(), "step", None), pacing.PauseEmpty)
    paused = under_way("bert").take((hap.Paused("Anne"),))
    assert paused.due() is None


def test_whoever_comes_back_to_a_lost_connection_plays_again_and_others_say_so_themselves() -> None:
    standing = under_way("anne", "bert").take((hap.StoodIn(1, Why.CONNECTION),))
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.ComeBack(1))
    for why in (Why.OWN, Why.HOST, Why.CLOCK):
        standing = under_way("anne", "bert").take((hap.StoodIn(1, why),))
        assert standing.due() is None


def test_an_empty_table_goes_on_with_the_first_and_a_pause_somebody_made_does_not() -> None:
    standing = under_way("anne").take((hap.Paused(""),))
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.Resume())
    assert standing.with_room(here=frozenset({"cara"})).due() is None
    assert under_way("anne").take((hap.Paused("Anne"),)).due() is None


def test_a_clock_runs_only_for_whoever_has_to_act() -> None:
    standing = under_way("anne", "bert", clock=60)
    while standing.turn != 1:
        standing.play()
    deal = standing.match.deal
    lead = 3 if deal is not None and deal.tricks and not deal.trick else 0
    assert standing.due() == ScheduledStep(NOW + 60 + lead, pacing.StandIn(1, Why.CLOCK))
    standing.do(BERT, cmd.MoreTime())
    assert standing.due() == ScheduledStep(NOW + 120 + lead, pacing.StandIn(1, Why.CLOCK))


def test_a_clock_begins_anew_after_a_pause() -> None:
    standing = under_way("anne", "bert", clock=60)
    while standing.turn != 0:
        standing.play()
    standing.do(BERT, cmd.Pause()).do(BERT, cmd.Unpause(), NOW + 500)
    now = standing.due()
    assert now is not None
    assert now.at >= NOW + 560


def test_a_pass_has_three_times_as_long_and_ends_with_ones_own() -> None:
    standing = under_way("anne", "bert", clock=60, pass_count=3)
    for seat in (2, 3):
        standing.take(decide_bot(standing.state, game.legal_actions(standing.match, seat)[0]))
    assert standing.due() == ScheduledStep(NOW + 180, pacing.StandIn(0, Why.CLOCK))
    standing.do(ANNE, cmd.Act(game.legal_actions(standing.match, 0)[0]), NOW + 9)
    assert standing.due() == ScheduledStep(NOW + 180, pacing.StandIn(1, Why.CLOCK))
    standing.do(ANNE, cmd.Act(game.TakeBackPass(0)), NOW + 20)
    assert standing.due() == ScheduledStep(NOW + 180, pacing.StandIn(0, Why.CLOCK))


def test_C2_a_bot_allows_at_once_and_a_person_in_time() -> None:
    standing = under_way("anne", "bert")
    while standing.turn != 0:
        standing.play()
    standing.play().do(ANNE, cmd.Act(game.AskUndo(0)))
    assert standing.due() == ScheduledStep(NOW + 60, pacing.ActFor(game.AnswerUndo(1, False)))
    assert {asked.kind for asked in standing.room.turns.values()} == {TurnKind.ANSWER}
    standing.take((hap.StoodIn(1, Why.HOST),))
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.ActFor(game.AnswerUndo(1, True)))


def test_the_next_deal_waits_for_people_and_for_no_bot() -> None:
    standing = under_way("anne", "bert")
    while not standing.state.between_deals:
        standing.play()
    assert standing.due() is None
    assert set(standing.room.turns) == {0, 1}
    standing.do(ANNE, cmd.Next())
    assert set(standing.room.turns) == {1}
    assert standing.due() is None
    standing.take((hap.StoodIn(1, Why.OWN),))
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.LetHouse())


def test_with_a_clock_the_next_deal_waits_as_long_as_for_a_card() -> None:
    standing = under_way("anne", "bert", clock=60)
    while not standing.state.between_deals:
        standing.play()
    assert standing.due() == ScheduledStep(NOW + 60, pacing.MarkReady(0))


def test_the_only_legal_card_is_played_for_whoever_wants_it_and_is_there() -> None:
    standing = under_way("anne", "bert")
    while not (standing.turn == 0 and len(game.legal_actions(standing.match, 0)) == 1):
        standing.play()
    assert standing.due() is None
    standing.with_room(paces={"anne": Pace(2, 0, True)})
    assert standing.due() == ScheduledStep(NOW + 2, pacing.PlayForced(0))
    standing.with_room(here=frozenset({"bert"}), gone={"anne": NOW})
    assert standing.due() == ScheduledStep(NOW + 10, pacing.StandIn(0, Why.CONNECTION))


@pytest.mark.parametrize("deals", [1, 2])
def test_the_last_secret_is_told_as_the_match_ends(deals: int) -> None:
    standing = under_way("anne", match_end=f"deals:{deals}")
    while standing.match.phase is not game.Phase.ENDED:
        if standing.state.between_deals:
            standing.do(ANNE, cmd.Next()).do(BERT, cmd.Next()).house()
        else:
            standing.play()
    assert standing.due() == ScheduledStep(AT_ONCE, pacing.LetHouse())
    standing.house()
    assert not standing.state.under_way
    assert standing.due() is None
