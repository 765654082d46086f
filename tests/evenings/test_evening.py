"""Duplicate evenings: seating, comparison, standings, and commands."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.names import records
from kit.reasons import because
from msgspec.structs import replace

from volte import game, table
from volte.cards import Card, VolteError
from volte.evenings import decide
from volte.evenings import evening as ev
from volte.evenings.decide import seats_for, tables_for
from volte.evenings.evening import Evening, Plan, RoundOver, Stage
from volte.evenings.results import compared, standings, standings_csv
from volte.evenings.shown import deals_shown
from volte.evenings.tables import Followed, follow, opening
from volte.game import Refusal
from volte.game.codec import encode
from volte.game.evolve import put
from volte.rules import PRESETS, Direction, make_ruleset
from volte.say import Words
from volte.table import Happening, Someone, TableState, Watching, Why
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.pacing import (
    Presence,
    Resume,
    ScheduledStep,
    StandIn,
    TableContext,
    Timing,
    next_step,
)
from volte.table.steps import acts_of_house, outcome_of

SECRET = bytes(range(32))
HOST, LATE = Someone("h", "Hélène"), Someone("late", "Léa")


def plan(players: int = 4, rounds: int = 2, deals: int = 2, alone: bool = False) -> Plan:
    rules = make_ruleset("coeurs", {"players": players, "match_end": f"deals:{deals}"})
    return Plan("Friday", "club", 1000.0, "Europe/Paris", rules, rounds, alone=alone)


def planned(people: int, chosen: Plan | None = None) -> Evening:
    """An evening to which some people come."""
    events = [*decide.plan_evening(chosen or plan(), HOST, SECRET)]
    return ev.fold([*events, *(ev.Joined(f"p{number}", f"P{number}") for number in range(people))])


def after(evening: Evening, *outcomes: object) -> Evening:
    """The evening after some outcomes, none of which may be a refusal."""
    for outcome in outcomes:
        assert isinstance(outcome, tuple), outcome
        for event in outcome:
            evening = ev.evolve(evening, event)
    return evening


def begun(people: int, chosen: Plan | None = None) -> Evening:
    evening = planned(people, chosen)
    return after(evening, decide.begin_round(evening, 1000.0))


def going(evening: Evening) -> ev.Round:
    assert evening.round is not None
    return evening.round


def dealt(evening: Evening, at: int, *points: int) -> Evening:
    """The evening after the next deal of a table, with points for the people there."""
    sitting = going(evening).tables[at]
    results = (*sitting.results, ev.DealResult(points, sitting.seats))
    return after(evening, decide.played(evening, len(evening.rounds), at, results))


# Plans


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        *(({"name": ""}, "bad_evening_name"), ({"name": "x" * 41}, "bad_evening_name")),
        *(({"rounds": 0}, "rounds_out_of_range"), ({"rounds": 13}, "rounds_out_of_range")),
        *(({"level": "genius"}, "no_such_level"), ({"clock": 4}, "clock_out_of_range")),
        ({"pause": 3601}, "break_out_of_range"),
        *(({"match_end": each}, "deals_out_of_range") for each in ("limit:100", "deals:13")),
        ({"match_end": "deals:2", "ties": "play_on"}, "rules_not_for_evenings"),
    ],
)
def test_an_evening_that_cannot_be(changes: dict[str, Any], reason: str) -> None:
    if "match_end" in changes:
        changes = {"rules": make_ruleset("coeurs", changes)}
    with pytest.raises(VolteError, check=because(reason)):
        decide.plan_evening(replace(plan(), **changes), HOST)


@pytest.mark.parametrize(
    "preset",
    [name for name, each in PRESETS.items() if each.settings()["irregularities"] != "refereed"],
)
def test_every_preset_can_be_played_by_deals(preset: str) -> None:
    rules = make_ruleset(preset, {"match_end": "deals:3", "ties": "share"})
    (event,) = decide.plan_evening(replace(plan(), rules=rules), HOST)
    assert isinstance(event, ev.Planned)
    assert event.plan.deals == 3


def test_every_event_is_kept_as_it_is() -> None:
    late = decide.sit_late(begun(7), LATE)
    assert isinstance(late, tuple)
    events = [*decide.plan_evening(plan(), HOST), *late, ev.Withdrew("p1"), RoundOver(2.5)]
    events += [ev.Ended(), ev.DealPlayed(1, ev.DealResult((1, 2, -3, 26), ("p1", "", "", "p2")))]
    for event in events:
        assert ev.decode_event(encode(event)) == event
    assert [encode(event)[:16] for event in events[3:]] == [
        *(b'{"event":"Left",', b'{"event":"RoundO', b'{"event":"Ended"', b'{"event":"Played'),
    ]


def test_secrets_are_of_one_evening_and_one_round() -> None:
    houses = [ev.house_of(SECRET, number) for number in (1, 2)] + [ev.house_of(bytes(32), 1)]
    assert len({house.master for house in houses}) == 3
    assert ev.house_of(SECRET, 1) == houses[0]
    assert ev.digest_of(SECRET) != ev.digest_of(bytes(32))
    ids = {ev.table_id(SECRET, number, place) for number in (1, 2, 3) for place in range(9)}
    assert len(ids) == 27


# People coming


def test_people_of_one_name_are_told_apart() -> None:
    evening = planned(0)
    for key in ("a", "b", "c"):
        evening = after(evening, decide.join(evening, Someone(key, "Anne")))
    assert [comer.name for comer in evening.coming] == ["Anne", "Anne 2", "Anne 3"]
    assert decide.join(evening, Someone("a", "Anne")) == ()
    evening = after(evening, decide.leave(evening, "b"))
    assert [comer.person for comer in evening.coming] == ["a", "c"]
    evening = after(evening, decide.join(evening, Someone("b", "Somebody else")))
    assert evening.name_of("b") == "Anne 2"
    evening = after(evening, decide.join(evening, Someone("d", "\u0410nne")))
    assert evening.name_of("d") == "\u0410nne 4"


def test_an_evening_is_full() -> None:
    evening = planned(ev.MOST_ALONE, plan(alone=True))
    assert decide.join(evening, HOST) == Refusal("evening_full")
    assert decide.replan(planned(61), plan(alone=True)) == Refusal("evening_full")


def test_an_evening_is_planned_anew_for_a_game_of_another_name() -> None:
    rules = make_ruleset("dame-de-pique", {"ties": "share", "match_end": "deals:1"})
    before = replace(plan(), rules=rules)
    named = replace(before, rules=dataclasses.replace(rules, preset="microsoft"))
    evening = planned(0, before)
    assert decide.replan(evening, before) == ()
    assert decide.replan(evening, named) == (ev.Replanned(named),)


def test_nobody_plays_alone_against_nobody() -> None:
    refusal = decide.begin_round(planned(1), 0)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "too_few_people"


# Seating


@given(people=st.integers(2, 40), players=st.integers(3, 7), alone=st.booleans())
def test_everybody_has_one_seat_and_no_table_is_without_people(
    people: int, players: int, alone: bool
) -> None:
    evening = planned(people, plan(players, alone=alone))
    rows = [each.seats for each in seats_for(evening)]
    seated = [person for row in rows for person in row if person]
    assert sorted(seated) == sorted(comer.person for comer in evening.coming)
    counts = [sum(map(bool, row)) for row in rows]
    assert len(rows) == tables_for(people, players, alone) >= 2
    assert min(counts) >= 1
    assert max(counts) - min(counts) <= 1
    assert all(len(row) == players for row in rows)
    taken = [list(map(bool, row)) for row in rows]
    if alone:
        assert all(each == taken[0] for each in taken)
    else:  # bots have the last seats, where they are compared with each other
        assert all(each == sorted(each, reverse=True) for each in taken)


@pytest.mark.parametrize(
    ("people", "rounds", "most"), [(8, 2, 4), (12, 3, 9), (16, 4, 12), (16, 5, 24)]
)
def test_people_meet_others_than_before(people: int, rounds: int, most: int) -> None:
    """They do as far as possible: eight people at two tables must meet somebody again at once."""
    evening = planned(people, plan(rounds=rounds))
    meetings: list[frozenset[str]] = []
    for _ in range(rounds):
        evening = after(evening, decide.begin_round(evening, 0.0))
        for sitting in going(evening).tables:
            meetings += map(frozenset, combinations(sitting.seats, 2))
        evening = after(evening, decide.end_round(evening, 0.0))
    assert len(meetings) - len(set(meetings)) <= most


def test_the_order_of_the_first_round_is_drawn() -> None:
    evening = planned(8)
    assert seats_for(evening) == seats_for(evening)
    assert seats_for(evening) != seats_for(replace(evening, secret=bytes(32)))


def test_whoever_has_left_is_not_seated() -> None:
    evening = begun(8)
    evening = after(evening, decide.leave(evening, "p3"), decide.end_round(evening, 0.0))
    assert "p3" not in [person for each in seats_for(evening) for person in each.seats]


# Late comers


def test_a_late_comer_takes_the_place_of_a_bot_where_most_are() -> None:
    evening = begun(6, plan(players=5))
    evening = after(evening, decide.sit_late(evening, LATE))
    assert [sitting.seats.count("") for sitting in going(evening).tables] == [1, 2]
    assert going(evening).place_of("late") == (0, 3)
    assert decide.sit_late(evening, LATE) == Refusal("has_a_seat")


def test_nobody_comes_so_late_that_there_is_no_whole_deal_left() -> None:
    evening = dealt(begun(6), 0, 1, 2, 3, 4)
    outcome = decide.sit_late(evening, LATE)
    assert isinstance(outcome, tuple)
    assert outcome[1] == ev.SeatedLate("late", 1, 3)
    evening = dealt(evening, 1, 1, 2, 3, 4)
    assert decide.sit_late(evening, LATE) == Refusal("no_bot_there")
    assert decide.sit_late(begun(8), LATE) == Refusal("no_bot_there")


# Absent people


def missed(sitting: ev.Sitting, seat: int, *, back: bool = False) -> ev.DealResult:
    """The result of a deal that a bot has played for the person at a seat, who may be back."""
    people = put(sitting.seats, seat, "")
    gone = () if back else (seat,)
    return ev.DealResult((26, 0, 0, 0), people, ((seat, sitting.seats[seat]),), (), gone)


@pytest.mark.parametrize("back", [False, True])
def test_whoever_did_not_come_is_not_seated_again_until_they_come(back: bool) -> None:
    evening = begun(8, plan(deals=1))
    here, there = going(evening).tables
    evening = after(evening, decide.played(evening, 1, 0, [missed(here, 0, back=back)]))
    evening = dealt(evening, 1, 26, 0, 0, 0)
    evening = after(evening, due(evening, 2000.0))
    absent = here.seats[0]
    assert evening.round is None
    assert len(evening.coming) == 8
    seated = {person for each in seats_for(evening) for person in each.seats if person}
    assert (absent in seated) == back
    assert seated >= {*here.seats[1:], *there.seats}
    evening = after(evening, decide.join(evening, Someone(absent, "Another name")))
    seated = {person for each in seats_for(evening) for person in each.seats if person}
    assert seated == {*here.seats, *there.seats}


def test_whoever_comes_when_their_table_has_played_its_round_is_seated_in_the_next() -> None:
    """This holds even while others still play that round."""
    evening = begun(8, plan(deals=1))
    absent = going(evening).tables[0].seats[0]
    evening = after(evening, decide.played(evening, 1, 0, [missed(going(evening).tables[0], 0)]))
    evening = after(evening, decide.join(evening, Someone(absent, "A")))
    evening = dealt(evening, 1, 26, 0, 0, 0)
    evening = after(evening, due(evening, 2000.0))
    assert evening.round is None
    assert absent in {person for each in seats_for(evening) for person in each.seats}


def test_an_evening_to_which_nobody_comes_waits_for_two() -> None:
    evening = begun(2, plan(deals=1))
    for place, sitting in enumerate(going(evening).tables):
        seat = next(seat for seat, person in enumerate(sitting.seats) if person)
        evening = after(evening, decide.played(evening, 1, place, [missed(sitting, seat)]))
    evening = after(evening, due(evening, 2000.0))
    assert evening.present == ()
    assert due(evening, 3000.0) == ()
    for person in ("p0", "p1"):
        evening = after(evening, decide.join(evening, Someone(person, "P")))
    (event,) = due(evening, 3000.0)
    assert isinstance(event, ev.Seated)


def test_an_organiser_says_who_is_not_here_and_a_late_comer_has_their_place() -> None:
    evening = begun(8)
    absent = going(evening).tables[1].seats[2]
    assert decide.sit_late(evening, LATE) == Refusal("no_bot_there")
    evening = after(evening, decide.miss(evening, absent))
    assert decide.miss(evening, absent) == ()
    assert decide.miss(evening, "stranger") == ()
    evening = after(evening, decide.sit_late(evening, LATE))
    assert going(evening).place_of("late") == (1, 2)
    assert going(evening).place_of(absent) is None


def test_whoever_has_lost_their_place_plays_no_deal_of_which_they_have_seen_a_card() -> None:
    """They may have seen cards of the deal at their old table, and of all deals before."""
    evening = begun(7, plan(deals=4))
    with_bot = next(place for place, each in enumerate(going(evening).tables) if "" in each.seats)
    other = 1 - with_bot
    absent = going(evening).tables[other].seats[0]
    evening = after(evening, decide.miss(evening, absent), decide.sit_late(evening, LATE))
    evening = after(evening, decide.miss(evening, absent))
    assert going(evening).place_of("late") == (with_bot, 3)
    evening = after(evening, decide.sit_late(evening, Someone("later", "Lise")))
    assert going(evening).place_of("later") == (other, 0)
    again = Someone(absent, "A")
    gone = going(evening).tables[with_bot].seats[1]
    evening = after(evening, decide.miss(evening, gone))
    assert decide.sit_late(evening, again) == Refusal("no_bot_there")
    evening = dealt(evening, with_bot, 1, 2, 3, 20)
    back = decide.sit_late(evening, again)
    assert isinstance(back, tuple)
    assert back[-1] == ev.SeatedLate(absent, with_bot, 1)


# At the tables


def opened(evening: Evening, place: int) -> TableState:
    entries = opening(evening, "e", 1, place).entries
    return table.fold(table.decode_happening(data) for data in entries)


def test_a_table_begins_with_everybody_seated_and_nobody_as_its_host() -> None:
    evening = begun(7)
    for place in (0, 1):
        state = opened(evening, place)
        assert tuple(seat.person for seat in state.seats) == going(evening).tables[place].seats
        assert state.under_way
        assert (state.host, state.setup.evening, state.setup.hints) == ("", "e", False)
        assert state.setup.watching is Watching.NOBODY
        assert opening(evening, "e", 1, place).row.master == ev.house_of(SECRET, 1).master


def test_nobody_leads_a_table_of_an_evening() -> None:
    state = opened(begun(8), 0)
    person = Someone(state.seats[0].person, "P")
    commands = cmd.Close(), cmd.Start(), cmd.Remove(1), cmd.Replace(1), cmd.Change(state.setup)
    for command in commands:
        assert table.decide(state, person, command, state.version) == Refusal("not_host")


def test_at_a_table_of_an_evening_the_evening_alone_says_whose_a_seat_is() -> None:
    state = opened(begun(8), 0)
    there = state.seats[1].person
    sit = cmd.Sit(1)
    assert isinstance(table.decide(state, LATE, sit, state.version), Refusal)
    sent = Someone(LATE.id, LATE.name, invited=True)
    outcome = table.decide(state, sent, sit, state.version)
    assert outcome == (hap.Stood(1), hap.Sat(1, LATE.id, LATE.name))
    for happening in outcome:
        state = table.evolve(state, happening)
    assert state.seat_of(there) is None
    assert state.seats[1].person == LATE.id


def test_no_other_table_can_be_called_one_of_an_evening() -> None:
    with pytest.raises(VolteError, check=because("evening_by_hand")):
        table.check_setup(opened(begun(8), 0).setup)


def test_nobody_pauses_a_round_and_goes_away() -> None:
    """A round cannot wait, as other tables wait for its end."""
    state = opened(begun(8), 0)
    person = state.seats[0].person
    paused = table.decide(state, Someone(person, "P"), cmd.Pause(), state.version)
    assert isinstance(paused, tuple)
    state = table.evolve(state, *paused)
    there = Presence(0.0)
    there.come(person)

    def due(now: float) -> ScheduledStep | None:
        there.attend(state, now)
        return next_step(state, TableContext(there, {}, {}), Timing(grace=10))

    assert due(5.0) is None
    there.go(person, 20.0)
    step = due(20.0)
    assert step == ScheduledStep(30.0, Resume())
    assert outcome_of(state, step.step) == (hap.Unpaused(""),)


def test_people_have_time_to_come_to_their_table() -> None:
    """It is usually more time than after a lost connection; and nobody inherits the table."""
    state = opened(begun(8), 0)
    for happening in acts_of_house(ev.house_of(SECRET, 1), state, range(4)):
        state = table.evolve(state, happening)
    here, *others = [seat.person for seat in state.seats]

    def waits(gone: dict[str, float], assembling: float = 90) -> tuple[float, object]:
        there = Presence(0.0)
        there.come(here)
        there.gone = gone
        timing = Timing(grace=10, assembling=assembling, host_grace=5)
        step = next_step(state, TableContext(there, {}, {}), timing)
        assert step is not None
        return step.at, step.step

    assert waits({}) == (90.0, StandIn(1, Why.CONNECTION))
    assert waits({others[1]: 20.0}) == (30.0, StandIn(2, Why.CONNECTION))
    assert waits({}, assembling=3) == (3.0, StandIn(1, Why.CONNECTION))


A_CARD: Final = Card("2C")
DEAL: Final = game.Dealt(1, 0, Direction.LEFT, (None,) * 4, None)
SCORED: Final = game.DealScored((1, 2, 3, 20))


def cards(number: int, seat: int = 0) -> list[Happening]:
    """The happenings when some cards are played from a hand."""
    return [game.Played(seat, A_CARD)] * number


def read(*log: Happening, seats: tuple[str, ...] = ("ann", "bob", "cleo", "")) -> ev.DealResult:
    """The result of the last deal, followed from a table's log."""
    return reduce(follow, log, Followed(people=seats)).results[-1]


AWAY: Final = hap.StoodIn(0, Why.CONNECTION)
GONE: Final = hap.Stood(0), hap.BotSat(0, "Bot", "casual")
BACK: Final = hap.CameBack(0)


@pytest.mark.parametrize(
    ("_", "told"),
    {
        "all of it": (True, [DEAL, *cards(13)]),
        "half of it": (True, [DEAL, *cards(6), AWAY, *cards(6)]),
        "less": (False, [DEAL, *cards(6), AWAY, *cards(7)]),
        "the later half": (True, [DEAL, AWAY, *cards(6), BACK, *cards(7)]),
        "away from the deal before": (False, [AWAY, DEAL, SCORED, DEAL, *cards(13)]),
        "what others play is theirs": (False, [DEAL, AWAY, *cards(13), *cards(13, seat=1)]),
        "a claim ends the count": (True, [DEAL, *cards(2), game.Claimed(1), AWAY, *cards(11)]),
        "of a stand-in too": (False, [DEAL, AWAY, *cards(1), game.Claimed(1), BACK, *cards(12)]),
        "a claim at once, away": (False, [DEAL, AWAY, game.Claimed(1), *cards(13)]),
        "a card that was taken back": (
            False,
            [DEAL, *cards(1), game.PlayTakenBack(0, A_CARD), AWAY, *cards(1)],
        ),
        "somebody who leaves in the end": (True, [DEAL, *cards(7), *GONE, *cards(6)]),
        "somebody who leaves early": (False, [DEAL, *cards(6), *GONE, *cards(7)]),
    }.items(),
)
def test_a_deal_counts_for_whoever_played_half_of_their_cards(
    _: str, told: tuple[bool, list[Happening]]
) -> None:
    counts, log = told
    result = read(*log, SCORED)
    assert result.people[0] == ("ann" if counts else "")
    assert result.absent == (() if counts else ((0, "ann"),))


def test_a_deal_that_had_begun_does_not_count_for_a_late_comer() -> None:
    late = hap.Sat(3, "late", "Léa")
    result = read(DEAL, late, *cards(13, seat=3), SCORED)
    assert (result.people[3], result.late) == ("", ((3, "late"),))
    result = read(DEAL, late, SCORED, DEAL, *cards(13, seat=3), SCORED)
    assert (result.people[3], result.late) == ("late", ())


def test_whoever_did_not_come_is_compared_with_but_not_ranked() -> None:
    """The pages say for whom a deal does not count, and why."""
    evening = begun(8, plan(rounds=1, deals=1))
    here, there = (sitting.seats for sitting in going(evening).tables)
    evening = dealt(evening, 0, 26, 0, 0, 0)
    missed = ev.DealResult((0, 0, 0, 26), ("", *there[1:3], ""), ((0, there[0]),), ((3, "p0"),))
    evening = after(evening, decide.played(evening, 1, 1, [missed]))
    (first,) = [each for each in standings(evening) if each.person == here[0]]
    assert (first.place, first.difference, first.deals) == (6, 26, 1)
    (absent,) = [each for each in standings(evening) if each.person == there[0]]
    assert (absent.place, absent.comparisons, absent.deals) == (None, 0, 0)
    (deal,) = deals_shown(Words("en"), evening, 1)
    name, late = evening.name_of(there[0]), evening.name_of("p0")
    cells = deal.tables[1][1]
    assert cells is not None
    assert [cell[0] for cell in cells] == [
        f"{name} (does not count)",
        *map(evening.name_of, there[1:3]),
        f"{late} (does not count)",
    ]
    assert deal.uncounted == (
        f"This deal does not count for {name} (table 2): a bot played more than half of their"
        " cards.",
        f"This deal does not count for {late} (table 2): it had begun when they sat down.",
    )


def test_results_of_older_evenings_count_as_they_were_noted() -> None:
    old = (
        b'{"event":"Played","table":0,"result":{"points":[1,2,3,20],"people":["ann","bob","",""]}}'
    )
    event = ev.decode_event(old)
    assert event == ev.DealPlayed(0, ev.DealResult((1, 2, 3, 20), ("ann", "bob", "", "")))


# Steps of an evening by itself


def due(evening: Evening, now: float) -> tuple[ev.Event, ...]:
    """The due events of an evening, where the clock has been right for long."""
    return decide.due(evening, now, now)


def test_it_begins_at_its_time_once_there_are_two() -> None:
    assert due(planned(2), 999.0) == ()
    assert due(planned(1), 1000.0) == ()
    (event,) = due(planned(2), 1000.0)
    assert isinstance(event, ev.Seated)
    assert due(planned(2, replace(plan(), by_itself=False)), 1000.0) == ()
    assert due(planned(1), 1000.0 + decide.GIVEN_UP) == (ev.Cancelled(),)


def test_a_round_is_over_when_every_table_is_through() -> None:
    evening = dealt(begun(8), 0, 1, 2, 3, 20)
    for place in (1, 0, 1):
        assert due(evening, 1001.0) == ()
        evening = dealt(evening, place, 1, 2, 3, 20)
    assert due(evening, 1001.0) == (RoundOver(1001.0),)
    evening = after(evening, due(evening, 1001.0))
    assert due(evening, 1001.0 + 119) == ()
    (event,) = due(evening, 1001.0 + 120)
    assert isinstance(event, ev.Seated)


def test_after_the_last_round_the_evening_is_over() -> None:
    evening = begun(2, plan(rounds=1))
    evening = after(evening, decide.end_round(evening, 2.0))
    assert evening.stage is Stage.OVER
    over = Refusal("evening_over")
    assert decide.begin_round(evening, 3.0) == decide.end(evening, 3.0) == over
    assert due(evening, 3.0) == ()


def test_what_nobody_goes_on_with_is_ended() -> None:
    evening = begun(8)
    evening = after(evening, due(evening, 1000.0 + decide.GIVEN_UP))
    assert evening.round is None
    assert after(evening, decide.leave(evening, "p0")).stage is Stage.RUNNING
    assert due(evening, 1000.0 + 2 * decide.GIVEN_UP) == (ev.Ended(),)


# Standings


def ranked(evening: Evening) -> dict[str, tuple[object, ...]]:
    """Place, difference and average by name."""
    return {each.name: (each.place, each.difference, each.average) for each in standings(evening)}


def test_standings_by_hand() -> None:
    """Two tables, two deals: each person is compared with the one who had the same cards."""
    events = decide.plan_evening(plan(rounds=1), HOST, SECRET)
    evening = ev.fold([*events, *(ev.Joined(key, key.upper()) for key in "abcdefg")])
    tables = (ev.Sitting("0", ("a", "b", "c", "d")), ev.Sitting("1", ("e", "f", "g", "")))
    evening = replace(evening, rounds=(ev.Round(tables, 0.0),), stage=Stage.RUNNING)
    evening = dealt(dealt(evening, 0, 0, 3, 10, 13), 0, 26, 0, 0, 0)
    assert compared(evening) == ()  # nothing is told that another table still has to play
    assert {standing.place for standing in standings(evening)} == {None}
    evening = dealt(evening, 1, 5, 3, 0, 18)
    first = {"G": (1, -10, -10), "A": (2, -5, -5), "D": (2, -5, -5), "B": (4, 0, 0)}
    assert ranked(evening) == first | {"F": (4, 0, 0), "E": (6, 5, 5), "C": (7, 10, 10)}
    averages = [row["average"] for row in records(standings_csv(evening))]
    assert averages == ["-10.0", "-5.0", "-5.0", "0.0", "0.0", "5.0", "10.0"]
    again = ranked(dealt(evening, 1, 0, 26, 0, 0))
    assert again["A"] == (6, 21, Fraction(21, 2))
    assert again["B"] == (1, -26, -13)


def test_a_table_that_did_not_end_a_deal_is_not_compared_in_it() -> None:
    evening = begun(12)
    for place in (0, 1):
        evening = dealt(evening, place, 10 * place, 0, 0, 0)
    assert compared(evening) == ()
    (deal,) = compared(after(evening, decide.end_round(evening, 0.0)))
    assert deal.results[2] is None
    assert [(each.table, each.differences) for each in deal.seats() if not each.seat] == [
        (0, (-10,)),
        (1, (10,)),
    ]


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    """An evening at any stage."""
    points = st.tuples(*[st.integers(-10, 60)] * 4)
    evening = planned(draw(st.integers(2, 14)), plan(rounds=3, deals=2))
    for number in range(1, draw(st.integers(1, 3)) + 1):
        evening = after(evening, decide.begin_round(evening, 0.0))
        for place in range(len(going(evening).tables)):
            for _ in range(draw(st.integers(0, 2))):
                evening = dealt(evening, place, *draw(points))
        if number == 3 or not draw(st.booleans()):
            break
        evening = after(evening, decide.end_round(evening, 0.0))
    return evening


@given(evenings())
def test_what_one_table_has_more_the_other_has_less(evening: Evening) -> None:
    for deal in compared(evening):
        there = [place for place, result in enumerate(deal.results) if result is not None]
        for one, other in combinations(there, 2):
            alone = replace(deal, results=(deal.results[one], deal.results[other]))
            for seat in range(4):
                (more,), (less,) = (each.differences for each in alone.seats() if each.seat == seat)
                assert more == -less
        for seat in range(4):
            assert sum(sum(each.differences) for each in deal.seats() if each.seat == seat) == 0
        if len(there) == 1:
            assert {each.differences for each in deal.seats()} == {()}


@given(evenings())
def test_standings_do_not_depend_on_the_order_of_tables(evening: Evening) -> None:
    rounds = tuple(replace(each, tables=tuple(reversed(each.tables))) for each in evening.rounds)
    assert standings(replace(evening, rounds=rounds)) == standings(evening)


@given(evenings())
def test_equal_averages_share_a_place_and_less_is_better(evening: Evening) -> None:
    averages = {each.person: each.average for each in standings(evening)}
    assert "" not in averages
    compared_ones = [average for average in averages.values() if average is not None]
    found = [each.average for each in standings(evening)]
    assert found[: len(compared_ones)] == sorted(compared_ones)
    for each in standings(evening):
        if each.average is None:
            assert each.place is None
        else:
            assert each.place == 1 + sum(other < each.average for other in compared_ones)
