"""What may be done to an evening, and what it does by itself: events, or a refusal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Final

from volte.evenings.evening import (
    FEWEST_PEOPLE,
    Cancelled,
    Ended,
    Evening,
    Event,
    Invited,
    Joined,
    Left,
    Plan,
    Planned,
    Played,
    Replanned,
    Result,
    Round,
    RoundOver,
    Seated,
    SeatedLate,
    Stage,
    check_plan,
    evolve,
)
from volte.evenings.seating import seats_for
from volte.fair import SECRET_BYTES
from volte.game import Refusal
from volte.names import distinct_name
from volte.table.commands import Someone

GIVEN_UP: Final = 12 * 3600
"""Seconds after which an evening that nobody begins is cancelled, and a round that nobody plays is
ended."""

Outcome = tuple[Event, ...] | Refusal


def plan_evening(plan: Plan, host: Someone, secret: bytes = b"") -> tuple[Event, ...]:
    """A new evening. Raises `Fault` for one that cannot be.

    Args:
        secret: from which its deals follow; by itself, one that nobody can foretell.
    """
    check_plan(plan)
    return (Planned(plan, host.id, secret or secrets.token_bytes(SECRET_BYTES)),)


def replan(evening: Evening, plan: Plan) -> Outcome:
    """Plans it differently, before it begins. Raises `Fault`."""
    check_plan(plan)
    if evening.stage is not Stage.PLANNED:
        return Refusal("evening_begun")
    if len(evening.coming) > plan.most_people:
        return Refusal("evening_full")
    before = evening.plan
    same = plan == before and plan.rules.preset == before.rules.preset
    return () if same else (Replanned(plan),)


def invite(evening: Evening, people: Iterable[Someone]) -> Outcome:
    """Asks people to come who have not been asked, and have not said anything."""
    if evening.stage not in (Stage.PLANNED, Stage.RUNNING):
        return Refusal("evening_over")
    events: tuple[Event, ...] = ()
    for who in people:
        if evening.comer(who.id) is None:
            if len(evening.comers) >= 2 * evening.plan.most_people:
                return Refusal("evening_full")
            events += (Invited(who.id, _apart(evening, who)),)
            evening = evolve(evening, events[-1])
    return events


def join(evening: Evening, who: Someone) -> Outcome:
    """Somebody comes. Once it has begun they play from the next round, or take a bot's place."""
    if evening.stage not in (Stage.PLANNED, Stage.RUNNING):
        return Refusal("evening_over")
    comer = evening.comer(who.id)
    if comer is not None and comer.comes:
        return ()
    if len(evening.coming) >= evening.plan.most_people:
        return Refusal("evening_full")
    return (Joined(who.id, comer.name if comer is not None else _apart(evening, who)),)


def leave(evening: Evening, person: str) -> Outcome:
    """Somebody does not come, or not to the next rounds; their seat in this one they keep."""
    if evening.stage not in (Stage.PLANNED, Stage.RUNNING):
        return Refusal("evening_over")
    comer = evening.comer(person)
    if comer is None or comer.comes is False:
        return ()
    return (Left(person),)


def begin_round(evening: Evening, now: float) -> Outcome:
    """Begins the first round, or the next."""
    if evening.stage not in (Stage.PLANNED, Stage.RUNNING):
        return Refusal("evening_over")
    if evening.round is not None:
        return Refusal("round_goes_on")
    if len(evening.coming) < FEWEST_PEOPLE:
        return Refusal("too_few_people", params={"least": FEWEST_PEOPLE})
    return (Seated(seats_for(evening), now),)


def sit_late(evening: Evening, who: Someone) -> Outcome:
    """Somebody who has no seat in this round takes that of a bot, where most bots are, as long as
    there is a deal to come that they can play from its beginning."""
    joined = join(evening, who)
    if isinstance(joined, Refusal):
        return joined
    played = evening.round
    if played is None:
        return Refusal("no_round_now")
    if played.place_of(who.id) is not None:
        return Refusal("has_a_seat")
    free = [(table, seat) for table, seat in _bots(played) if _may_sit(evening, played, table)]
    if not free:
        return Refusal("no_bot_there")
    seats = [sitting.seats.count("") for sitting in played.tables]
    table, seat = min(free, key=lambda each: (-seats[each[0]], each))
    return (*joined, SeatedLate(who.id, table, seat))


def _bots(played: Round) -> list[tuple[int, int]]:
    return [
        (table, seat)
        for table, sitting in enumerate(played.tables)
        for seat, person in enumerate(sitting.seats)
        if not person
    ]


def _may_sit(evening: Evening, played: Round, table: int) -> bool:
    """Whether a deal is still to come at that table."""
    if evening.plan.alone:
        return False
    return len(played.tables[table].results) < evening.plan.deals - 1


def played(evening: Evening, table: int, result: Result) -> Outcome:
    """A deal of this round is over at a table."""
    if evening.round is None:
        return Refusal("no_round_now")
    if len(evening.round.tables[table].results) >= evening.plan.deals:
        return ()
    return (Played(table, result),)


def end_round(evening: Evening, now: float) -> Outcome:
    """Ends the round though not every table is through: what is missing is not compared."""
    if evening.round is None:
        return Refusal("no_round_now")
    last = len(evening.rounds) >= evening.plan.rounds
    return (RoundOver(now), Ended()) if last else (RoundOver(now),)


def end(evening: Evening, now: float) -> Outcome:
    """Ends the evening before its last round; one that has not begun is cancelled."""
    if evening.stage is Stage.PLANNED:
        return (Cancelled(),)
    if evening.stage is not Stage.RUNNING:
        return Refusal("evening_over")
    return (RoundOver(now), Ended()) if evening.round is not None else (Ended(),)


def due(evening: Evening, now: float) -> tuple[Event, ...]:
    """What an evening does by itself at that time; mostly nothing."""
    match evening.stage:
        case Stage.PLANNED:
            return _due_before(evening, now)
        case Stage.RUNNING:
            return _due_in(evening, now)
    return ()


def _due_before(evening: Evening, now: float) -> tuple[Event, ...]:
    late = now - evening.plan.starts
    if late >= GIVEN_UP:
        return (Cancelled(),)
    if late < 0 or not evening.plan.by_itself:
        return ()
    return _events(begin_round(evening, now))


def _due_in(evening: Evening, now: float) -> tuple[Event, ...]:
    going = evening.round
    if going is not None:
        counts = [len(sitting.results) for sitting in going.tables]
        through = min(counts) >= evening.plan.deals
        return _events(end_round(evening, now)) if through or _left(now, going.began) else ()
    over = evening.rounds[-1].over
    assert over is not None
    if len(evening.rounds) >= evening.plan.rounds or _left(now, over):
        return (Ended(),)
    return _events(begin_round(evening, now)) if now >= over + evening.plan.pause else ()


def _left(now: float, since: float) -> bool:
    return now - since >= GIVEN_UP


def _events(outcome: Outcome) -> tuple[Event, ...]:
    return () if isinstance(outcome, Refusal) else outcome


def _apart(evening: Evening, who: Someone) -> str:
    """The name of somebody new: "Anne 2" where there is an Anne."""
    return distinct_name(who.name, [comer.name for comer in evening.comers])
