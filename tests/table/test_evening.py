"""Duplicate evenings: who meets whom, what is compared, who stands where, and what may be done."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from volte.evenings.standings import compared, standings

from volte import game
from volte.cards import Fault
from volte.evenings.decide import (
    GIVEN_UP,
    begin_round,
    due,
    end,
    end_round,
    join,
    leave,
    plan_evening,
    played,
    replan,
    sit_late,
)
from volte.evenings.evening import (
    MOST_ALONE,
    Ended,
    Evening,
    Joined,
    Left,
    Plan,
    Planned,
    Played,
    Result,
    Round,
    RoundOver,
    Seated,
    SeatedLate,
    Sitting,
    Stage,
    decode_event,
    digest_of,
    evolve,
    fold,
    house_of,
    table_id,
)
from volte.evenings.seating import seats_for, tables_for
from volte.evenings.tables import Followed, follow, opening
from volte.game import Refusal
from volte.game.codec import encode
from volte.rules import PRESETS, Direction, make_ruleset
from volte.table import (
    Happening,
    Someone,
    TableState,
    Watching,
    Why,
    check_setup,
    decide,
    decode_happening,
)
from volte.table import commands as cmd
from volte.table import evolve as table_evolve
from volte.table import fold as table_of
from volte.table import happenings as hap
from volte.table.house import acts_of_house
from volte.table.pacing import StandIn, TableContext, Timing
from volte.table.pacing import next_step as pacing_due

SECRET = bytes(range(32))
HOST = Someone("h", "Hélène")


def plan(players: int = 4, rounds: int = 2, deals: int = 2, alone: bool = False) -> Plan:
    rules = make_ruleset("coeurs", {"players": players, "match_end": f"deals:{deals}"})
    return Plan("Friday", "club", 1000.0, "Europe/Paris", rules, rounds, alone=alone)


def planned(people: int, chosen: Plan | None = None) -> Evening:
    """An evening to which so many people come."""
    events = [*plan_evening(chosen or plan(), HOST, SECRET)]
    events += [Joined(f"p{number}", f"P{number}") for number in range(people)]
    return fold(events)


def after(evening: Evening, *steps: object) -> Evening:
    """The evening after those outcomes, none of which is a refusal."""
    for outcome in steps:
        assert isinstance(outcome, tuple), outcome
        for event in outcome:
            evening = evolve(evening, event)
    return evening


def begun(people: int, chosen: Plan | None = None) -> Evening:
    evening = planned(people, chosen)
    return after(evening, begin_round(evening, 1000.0))


def of(evening: Evening, table: int, *points: int) -> Evening:
    """The next deal of a table brings those points to whoever sits there."""
    assert evening.round is not None
    people = evening.round.tables[table].seats
    return after(evening, played(evening, table, Result(points, people)))


# What can be planned


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": ""}, "bad_evening_name"),
        ({"name": "x" * 41}, "bad_evening_name"),
        ({"rounds": 0}, "rounds_out_of_range"),
        ({"rounds": 13}, "rounds_out_of_range"),
        ({"level": "genius"}, "no_such_level"),
        ({"clock": 4}, "clock_out_of_range"),
        ({"pause": 3601}, "break_out_of_range"),
        ({"rules": make_ruleset("coeurs", {"match_end": "limit:100"})}, "deals_out_of_range"),
        ({"rules": make_ruleset("coeurs", {"match_end": "deals:13"})}, "deals_out_of_range"),
        (
            {"rules": make_ruleset("coeurs", {"match_end": "deals:2", "ties": "play_on"})},
            "rules_not_for_evenings",
        ),
    ],
)
def test_an_evening_that_cannot_be(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(Fault) as wrong:
        plan_evening(replace(plan(), **changes), HOST)
    assert wrong.value.reason == reason


LAWFUL = [name for name, each in PRESETS.items() if each.settings()["irregularities"] != "refereed"]


@pytest.mark.parametrize("preset", LAWFUL)
def test_every_preset_can_be_played_by_deals(preset: str) -> None:
    rules = make_ruleset(preset, {"match_end": "deals:3", "ties": "share"})
    (event,) = plan_evening(replace(plan(), rules=rules), HOST)
    assert isinstance(event, Planned)
    assert event.plan.deals == 3


def test_every_event_is_kept_as_it_is() -> None:
    evening = begun(7)
    late = sit_late(evening, Someone("late", "Léa"))
    assert isinstance(late, tuple)
    events = [*plan_evening(plan(), HOST), *late, Left("p1"), RoundOver(2.5), Ended()]
    events += [Played(1, Result((1, 2, -3, 26), ("p1", "", "", "p2")))]
    for event in events:
        assert decode_event(encode(event)) == event


def test_secrets_are_of_one_evening_and_one_round() -> None:
    houses = [house_of(SECRET, number) for number in (1, 2)] + [house_of(bytes(32), 1)]
    assert len({house.master for house in houses}) == 3
    assert house_of(SECRET, 1) == houses[0]
    assert digest_of(SECRET) != digest_of(bytes(32))
    ids = {table_id(SECRET, number, table) for number in (1, 2, 3) for table in range(9)}
    assert len(ids) == 27


# Who comes


def test_people_of_one_name_are_told_apart() -> None:
    evening = planned(0)
    for key in ("a", "b", "c"):
        evening = after(evening, join(evening, Someone(key, "Anne")))
    assert [comer.name for comer in evening.coming] == ["Anne", "Anne 2", "Anne 3"]
    assert join(evening, Someone("a", "Anne")) == ()
    evening = after(evening, leave(evening, "b"))
    assert [comer.person for comer in evening.coming] == ["a", "c"]
    evening = after(evening, join(evening, Someone("b", "Somebody else")))
    assert evening.name_of("b") == "Anne 2"
    evening = after(evening, join(evening, Someone("d", "\u0410nne")))
    assert evening.name_of("d") == "\u0410nne 4"


def test_an_evening_is_full() -> None:
    evening = planned(MOST_ALONE, plan(alone=True))
    assert join(evening, HOST) == Refusal("evening_full")
    assert replan(planned(61), plan(alone=True)) == Refusal("evening_full")


def test_nobody_plays_alone_against_nobody() -> None:
    refusal = begin_round(planned(1), 0)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "too_few_people"


# Who sits where


@given(people=st.integers(2, 40), players=st.integers(3, 7), alone=st.booleans())
def test_everybody_has_one_seat_and_no_table_is_without_people(
    people: int, players: int, alone: bool
) -> None:
    evening = planned(people, plan(players, alone=alone))
    tables = seats_for(evening)
    seated = [person for table in tables for person in table.seats if person]
    assert sorted(seated) == sorted(comer.person for comer in evening.coming)
    counts = [sum(map(bool, table.seats)) for table in tables]
    assert len(tables) == tables_for(people, players, alone) >= 2
    assert min(counts) >= 1
    assert max(counts) - min(counts) <= 1
    assert all(len(table.seats) == players for table in tables)
    for table in tables:  # bots have the last seats, where they are compared with each other
        if not alone:
            assert list(map(bool, table.seats)) == sorted(map(bool, table.seats), reverse=True)
    if alone:
        assert len({tuple(map(bool, table.seats)) for table in tables}) == 1


@pytest.mark.parametrize(("people", "rounds"), [(8, 2), (12, 3), (16, 4), (16, 5)])
def test_people_meet_others_than_before(people: int, rounds: int) -> None:
    """As far as can be: eight people at two tables have to meet somebody again at once."""
    evening = planned(people, plan(rounds=rounds))
    meetings: list[frozenset[str]] = []
    for _ in range(rounds):
        evening = after(evening, begin_round(evening, 0.0))
        assert evening.round is not None
        for sitting in evening.round.tables:
            meetings += map(frozenset, combinations(sitting.seats, 2))
        evening = after(evening, end_round(evening, 0.0))
    again = len(meetings) - len(set(meetings))
    assert again <= {8: 4, 12: 9, 16: 12 if rounds == 4 else 24}[people]


def test_the_order_of_the_first_round_is_drawn() -> None:
    evening = planned(8)
    assert seats_for(evening) == seats_for(evening)
    assert seats_for(evening) != seats_for(replace(evening, secret=bytes(32)))


def test_whoever_has_left_is_not_seated() -> None:
    evening = begun(8)
    evening = after(evening, leave(evening, "p3"), end_round(evening, 0.0))
    assert "p3" not in [p for table in seats_for(evening) for p in table.seats]


# Late comers


def test_a_late_comer_takes_the_place_of_a_bot_where_most_are() -> None:
    evening = begun(6, plan(players=5))
    assert evening.round is not None
    evening = after(evening, sit_late(evening, Someone("late", "Léa")))
    assert evening.round is not None
    assert [table.seats.count("") for table in evening.round.tables] == [1, 2]
    assert evening.round.place_of("late") == (0, 3)
    assert sit_late(evening, Someone("late", "Léa")) == Refusal("has_a_seat")


def test_nobody_comes_so_late_that_there_is_no_whole_deal_left() -> None:
    evening = begun(6)
    late = Someone("late", "Léa")
    evening = of(evening, 0, 1, 2, 3, 4)
    outcome = sit_late(evening, late)
    assert isinstance(outcome, tuple)
    assert outcome[1] == SeatedLate("late", 1, 3)
    evening = of(evening, 1, 1, 2, 3, 4)
    assert sit_late(evening, late) == Refusal("no_bot_there")
    assert sit_late(begun(8), late) == Refusal("no_bot_there")


# At the tables


def opened(evening: Evening, place: int) -> TableState:
    return table_of(decode_happening(data) for data in opening(evening, "e", 1, place).entries)


def test_a_table_begins_with_everybody_seated_and_nobody_as_its_host() -> None:
    evening = begun(7)
    for place in (0, 1):
        state = opened(evening, place)
        assert evening.round is not None
        assert tuple(seat.person for seat in state.seats) == evening.round.tables[place].seats
        assert state.under_way
        assert (state.host, state.setup.evening, state.setup.hints) == ("", "e", False)
        assert state.setup.watching is Watching.NOBODY
        assert opening(evening, "e", 1, place).row.master == house_of(SECRET, 1).master


def test_nobody_leads_a_table_of_an_evening() -> None:
    state = opened(begun(8), 0)
    for command in (
        cmd.Close(),
        cmd.Start(),
        cmd.Remove(1),
        cmd.Replace(1),
        cmd.Change(state.setup),
    ):
        person = Someone(state.seats[0].person, "P")
        assert decide(state, person, command, state.version) == Refusal("not_host")


def test_no_other_table_can_be_called_one_of_an_evening() -> None:
    with pytest.raises(Fault) as wrong:
        check_setup(opened(begun(8), 0).setup)
    assert wrong.value.reason == "evening_by_hand"


def test_people_have_time_to_come_to_their_table() -> None:
    """Longer than somebody whose connection is lost; and nobody inherits the table."""
    state = opened(begun(8), 0)
    for happening in acts_of_house(house_of(SECRET, 1), state, range(4)):
        state = table_evolve(state, happening)
    here, *others = [seat.person for seat in state.seats]
    timing = Timing(grace=10, assembling=90, host_grace=5)

    def waits(gone: dict[str, float]) -> tuple[float, object]:
        there = TableContext(frozenset({here}), gone, 0.0, None, {}, frozenset(), {})
        step = pacing_due(state, there, timing)
        assert step is not None
        return step.at, step.step

    assert waits({}) == (90.0, StandIn(1, Why.CONNECTION))
    assert waits({others[1]: 20.0}) == (30.0, StandIn(2, Why.CONNECTION))


def test_a_deal_counts_for_whoever_played_all_of_it() -> None:
    state = opened(begun(7), 1)
    people = tuple(seat.person for seat in state.seats)
    followed = Followed(people=people)
    dealt = game.Dealt(1, 0, Direction.LEFT, (None,) * 4, None)
    log: list[Happening] = [
        dealt,
        hap.Stood(0),
        hap.BotSat(0, "Bot", "casual"),
        game.DealScored((1, 2, 3, 20)),
        dealt,
        hap.Sat(3, "late", "Léa"),
        hap.StoodIn(1, Why.CLOCK),
        game.DealScored((4, 5, 6, 7)),
        dealt,
        game.DealScored((0, 0, 26, 0)),
    ]
    for happening in log:
        followed = follow(followed, happening)
    assert [each.people for each in followed.results] == [
        ("", *people[1:]),
        ("", *people[1:]),
        ("", *people[1:3], "late"),
    ]


# What an evening does by itself


def test_it_begins_at_its_time_once_there_are_two() -> None:
    assert due(planned(2), 999.0) == ()
    assert due(planned(1), 1000.0) == ()
    (event,) = due(planned(2), 1000.0)
    assert isinstance(event, Seated)
    assert due(planned(2, replace(plan(), by_itself=False)), 1000.0) == ()
    assert [type(each).__name__ for each in due(planned(1), 1000.0 + GIVEN_UP)] == ["Cancelled"]


def test_a_round_is_over_when_every_table_is_through() -> None:
    evening = of(begun(8), 0, 1, 2, 3, 20)
    for table in (0, 1):
        assert due(evening, 1001.0) == ()
        evening = of(evening, 1 - table, 1, 2, 3, 20)
    assert due(evening, 1001.0) == ()
    evening = of(evening, 1, 1, 2, 3, 20)
    assert due(evening, 1001.0) == (RoundOver(1001.0),)
    evening = after(evening, due(evening, 1001.0))
    assert due(evening, 1001.0 + 119) == ()
    (event,) = due(evening, 1001.0 + 120)
    assert isinstance(event, Seated)


def test_after_the_last_round_the_evening_is_over() -> None:
    evening = begun(2, plan(rounds=1))
    evening = after(evening, end_round(evening, 2.0))
    assert evening.stage is Stage.OVER
    assert begin_round(evening, 3.0) == end(evening, 3.0) == Refusal("evening_over")
    assert due(evening, 3.0) == ()


def test_what_nobody_goes_on_with_is_ended() -> None:
    evening = begun(8)
    evening = after(evening, due(evening, 1000.0 + GIVEN_UP))
    assert evening.round is None
    assert after(evening, leave(evening, "p0")).stage is Stage.RUNNING
    assert due(evening, 1000.0 + 2 * GIVEN_UP) == (Ended(),)


# Standings


def ranked(evening: Evening) -> dict[str, tuple[object, ...]]:
    """Place, difference and average by name."""
    return {each.name: (each.place, each.difference, each.average) for each in standings(evening)}


def test_standings_by_hand() -> None:
    """Two tables, two deals: each is compared with whoever had the same cards."""
    evening = fold(
        [
            *plan_evening(plan(rounds=1), HOST, SECRET),
            *(Joined(key, key.upper()) for key in "abcdefg"),
        ]
    )
    seats = (("a", "b", "c", "d"), ("e", "f", "g", ""))
    tables = tuple(Sitting(str(place), row) for place, row in enumerate(seats))
    evening = replace(evening, rounds=(Round(tables, 0.0),), stage=Stage.RUNNING)
    evening = of(of(evening, 0, 0, 3, 10, 13), 0, 26, 0, 0, 0)
    assert compared(evening) == ()  # nothing is told that another table still has to play
    assert {standing.place for standing in standings(evening)} == {None}
    evening = of(evening, 1, 5, 3, 0, 18)
    assert ranked(evening) == {
        "G": (1, -10, -10),
        "A": (2, -5, -5),
        "D": (2, -5, -5),
        "B": (4, 0, 0),
        "F": (4, 0, 0),
        "E": (6, 5, 5),
        "C": (7, 10, 10),
    }
    evening = of(evening, 1, 0, 26, 0, 0)
    told = ranked(evening)
    assert told["A"] == (6, 21, Fraction(21, 2))
    assert told["B"] == (1, -26, -13)


def test_a_table_that_did_not_end_a_deal_is_not_compared_in_it() -> None:
    evening = begun(12)
    for table in (0, 1):
        evening = of(evening, table, 10 * table, 0, 0, 0)
    assert compared(evening) == ()
    evening = after(evening, end_round(evening, 0.0))
    (deal,) = compared(evening)
    assert deal.results[2] is None
    assert deal.differences(0, 0) == (-10,)
    assert deal.differences(2, 0) == ()


points = st.tuples(*[st.integers(-10, 60)] * 4)


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    """An evening in the middle of anything."""
    evening = planned(draw(st.integers(2, 14)), plan(rounds=3, deals=2))
    for _ in range(draw(st.integers(1, 3))):
        evening = after(evening, begin_round(evening, 0.0))
        assert evening.round is not None
        for table in range(len(evening.round.tables)):
            for _ in range(draw(st.integers(0, 2))):
                evening = of(evening, table, *draw(points))
        if len(evening.rounds) < 3 and draw(st.booleans()):
            evening = after(evening, end_round(evening, 0.0))
        else:
            break
        if evening.stage is not Stage.RUNNING:
            break
    return evening


@given(evenings())
def test_what_one_table_has_more_the_other_has_less(evening: Evening) -> None:
    for deal in compared(evening):
        there = [table for table, result in enumerate(deal.results) if result is not None]
        for one, other in combinations(there, 2):
            alone = replace(deal, results=(deal.results[one], deal.results[other]))
            for seat in range(4):
                (more,), (less,) = alone.differences(0, seat), alone.differences(1, seat)
                assert more == -less
        for seat in range(4):
            assert sum(sum(deal.differences(table, seat)) for table in there) == 0
        if len(there) == 1:
            assert deal.differences(there[0], 0) == ()


@given(evenings(), st.randoms())
def test_standings_do_not_depend_on_the_order_of_tables(evening: Evening, random: object) -> None:
    rounds = tuple(replace(each, tables=tuple(reversed(each.tables))) for each in evening.rounds)
    assert standings(replace(evening, rounds=rounds)) == standings(evening)


@given(evenings())
def test_equal_averages_share_a_place_and_less_is_better(evening: Evening) -> None:
    placed = [each for each in standings(evening) if each.place is not None]
    for number, each in enumerate(placed):
        better = [other for other in placed if other.average < each.average]  # type: ignore[operator]
        assert each.place == len(better) + 1
        assert number >= len(better)
    ranked = {each.person for each in placed}
    assert all(each.person not in ranked for each in standings(evening) if each.place is None)
    assert "" not in ranked
