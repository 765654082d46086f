"""What may be done to an evening, and what it does by itself: events, or a refusal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Final

from volte.evenings.evening import (
    FEWEST_PEOPLE,
    Cancelled,
    DealPlayed,
    DealResult,
    Ended,
    Evening,
    Event,
    Invited,
    Joined,
    Plan,
    Planned,
    Replanned,
    RoundOver,
    Seated,
    SeatedLate,
    Stage,
    Withdrew,
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
    """Plans a new evening. Raises `Fault` for one that cannot be.

    Args:
        secret: from which its deals follow; a random one if left out.
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
    """Invites those people who have neither been invited nor said that they come."""
    if not evening.open:
        return Refusal("evening_over")
    events: tuple[Event, ...] = ()
    for who in people:
        if evening.comer(who.id) is None:
            if len(evening.comers) >= 2 * evening.plan.most_people:
                return Refusal("evening_full")
            events += (Invited(who.id, _unlike_others(evening, who)),)
            evening = evolve(evening, events[-1])
    return events


def join(evening: Evening, who: Someone) -> Outcome:
    """Somebody comes. Once it has begun they play from the next round, or take a bot's seat."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(who.id)
    if comer is not None and comer.comes:
        return ()
    if len(evening.coming) >= evening.plan.most_people:
        return Refusal("evening_full")
    return (Joined(who.id, comer.name if comer is not None else _unlike_others(evening, who)),)


def _unlike_others(evening: Evening, who: Someone) -> str:
    """The name of a new person: "Anne 2" where there is an Anne."""
    return distinct_name(who.name, [comer.name for comer in evening.comers])


def leave(evening: Evening, person: str) -> Outcome:
    """Somebody does not come, or not to the next rounds; their seat in this one they keep."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(person)
    return () if comer is None or comer.comes is False else (Withdrew(person),)


def begin_round(evening: Evening, now: float) -> Outcome:
    """Begins the first round, or the next."""
    if not evening.open:
        return Refusal("evening_over")
    if evening.round is not None:
        return Refusal("round_goes_on")
    if len(evening.coming) < FEWEST_PEOPLE:
        return Refusal("too_few_people", params={"least": FEWEST_PEOPLE})
    return (Seated(seats_for(evening), now),)


def sit_late(evening: Evening, who: Someone) -> Outcome:
    """Somebody without a seat in this round takes that of a bot, at the table with most bots among
    those where they can still play a deal from its beginning."""
    joined = join(evening, who)
    if isinstance(joined, Refusal):
        return joined
    going = evening.round
    if going is None:
        return Refusal("no_round_now")
    if going.place_of(who.id) is not None:
        return Refusal("has_a_seat")
    free = [
        (-sitting.seats.count(""), table, seat)
        for table, sitting in enumerate(going.tables)
        if not evening.plan.alone and len(sitting.results) < evening.plan.deals - 1
        for seat, person in enumerate(sitting.seats)
        if not person
    ]
    if not free:
        return Refusal("no_bot_there")
    _, table, seat = min(free)
    return (*joined, SeatedLate(who.id, table, seat))


def played(evening: Evening, table: int, result: DealResult) -> Outcome:
    """A deal of this round is over at a table."""
    if evening.round is None:
        return Refusal("no_round_now")
    if len(evening.round.tables[table].results) >= evening.plan.deals:
        return ()
    return (DealPlayed(table, result),)


def end_round(evening: Evening, now: float) -> Outcome:
    """Ends the round, even if tables have deals left to play: those are not compared."""
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
    plan, going = evening.plan, evening.round
    outcome: Outcome = ()
    if evening.stage is Stage.PLANNED:
        late = now - plan.starts
        if late >= GIVEN_UP:
            outcome = (Cancelled(),)
        elif late >= 0 and plan.by_itself:
            outcome = begin_round(evening, now)
    elif going is not None:
        through = all(len(sitting.results) >= plan.deals for sitting in going.tables)
        if through or now - going.began >= GIVEN_UP:
            outcome = end_round(evening, now)
    elif evening.stage is Stage.RUNNING:
        over = evening.rounds[-1].over
        assert over is not None
        if len(evening.rounds) >= plan.rounds or now - over >= GIVEN_UP:
            outcome = (Ended(),)
        elif now >= over + plan.pause:
            outcome = begin_round(evening, now)
    return () if isinstance(outcome, Refusal) else outcome
