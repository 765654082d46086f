"""Decisions about an evening, by people and by itself: events, or a refusal.

The seating of a round: everybody has a lot, which nobody can choose. In the order of the lots each
takes the chair where they have met the others least, and sat least; then pairs of people change
chairs for as long as that lowers the cost.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from volte.evenings import evening as ev
from volte.evenings.evening import Evening, Event, Plan, Stage
from volte.fair import SECRET_BYTES
from volte.game import Refusal
from volte.names import distinct_name
from volte.table.commands import Someone

GIVEN_UP: Final = 12 * 3600
"""Seconds after which an evening that nobody begins is cancelled, and a round that is not over is
ended."""

MET: Final = 10
"""Cost of meeting somebody again, times the square of the meetings; the same seat again costs 1."""

MOST_TURNS: Final = 8
"""Limit of the passes over all pairs of people."""

Outcome = tuple[Event, ...] | Refusal


def plan_evening(plan: Plan, host: Someone, secret: bytes = b"") -> tuple[Event, ...]:
    """Plan a new evening. Raises `VolteError` for a plan that is not allowed.

    Args:
        secret: bytes from which the deals follow; random ones if left out.
    """
    ev.check_plan(plan)
    return (ev.Planned(plan, host.id, secret or secrets.token_bytes(SECRET_BYTES)),)


def replan(evening: Evening, plan: Plan) -> Outcome:
    """Change the plan of an evening before it begins. Raises `VolteError`."""
    ev.check_plan(plan)
    if evening.stage is not Stage.PLANNED:
        return Refusal("evening_begun")
    if len(evening.coming) > plan.most_people:
        return Refusal("evening_full")
    before = evening.plan
    same = plan == before and plan.rules.preset == before.rules.preset
    return () if same else (ev.Replanned(plan),)


def invite(evening: Evening, people: Iterable[Someone]) -> Outcome:
    """Invite people, except those who have been invited or have said that they come."""
    if not evening.open:
        return Refusal("evening_over")
    events: tuple[Event, ...] = ()
    for who in people:
        if evening.comer(who.id) is None:
            if len(evening.comers) >= 2 * evening.plan.most_people:
                return Refusal("evening_full")
            events += (ev.Invited(who.id, _unlike_others(evening, who)),)
            evening = ev.evolve(evening, events[-1])
    return events


def join(evening: Evening, who: Someone) -> Outcome:
    """Note that somebody comes, or is there again. Once the evening has begun they play from the
    next round, or take a seat that is free."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(who.id)
    if comer is not None and comer.comes:
        return (ev.Joined(who.id, comer.name),) if comer.away else ()
    if len(evening.coming) >= evening.plan.most_people:
        return Refusal("evening_full")
    return (ev.Joined(who.id, comer.name if comer is not None else _unlike_others(evening, who)),)


def _unlike_others(evening: Evening, who: Someone) -> str:
    """The name of a new person: "Anne 2" where there is an Anne."""
    return distinct_name(who.name, [comer.name for comer in evening.comers])


def leave(evening: Evening, person: str) -> Outcome:
    """Note that somebody does not come, or not to the next rounds; they keep their present seat."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(person)
    return () if comer is None or comer.comes is False else (ev.Withdrew(person),)


def miss(evening: Evening, person: str) -> Outcome:
    """Note that somebody who has said that they come is not there: they are not seated until they
    come, and others may have their seat in this round."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(person)
    return (ev.FoundAbsent(person),) if comer in evening.present else ()


def begin_round(evening: Evening, now: float) -> Outcome:
    """Begin the first round, or the next."""
    if not evening.open:
        return Refusal("evening_over")
    if evening.round is not None:
        return Refusal("round_goes_on")
    if len(evening.present) < ev.FEWEST_PEOPLE:
        return Refusal("too_few_people", params={"least": ev.FEWEST_PEOPLE})
    return (ev.Seated(seats_for(evening), now),)


def sit_late(evening: Evening, who: Someone) -> Outcome:
    """Seat somebody without a seat in this round in place of a bot, or of an absent person.

    The table is the one with most such seats, among tables where they can still play a deal from
    its beginning, and have seen none of its cards at another table.
    """
    joined = join(evening, who)
    if isinstance(joined, Refusal):
        return joined
    going = evening.round
    if going is None:
        return Refusal("no_round_now")
    if going.place_of(who.id) is not None:
        return Refusal("has_a_seat")
    seen = dict(going.displaced).get(who.id, 0)
    free = [
        (-len(seats), table, seats[0])
        for table, sitting in enumerate(going.tables)
        if seen <= len(sitting.results) < evening.plan.deals - 1
        and (seats := _free_seats(evening, sitting))
    ]
    if not free:
        return Refusal("no_bot_there")
    _, table, seat = min(free)
    return (*joined, ev.SeatedLate(who.id, table, seat))


def _free_seats(evening: Evening, sitting: ev.Sitting) -> list[int]:
    """The seats of bots; where there are none, the seats of people who are not there."""
    gone = {comer.person for comer in evening.coming if comer.away}
    seats = list(enumerate(sitting.seats))
    bots = [seat for seat, person in seats if not person and not evening.plan.alone]
    return bots or [seat for seat, person in seats if person in gone]


def played(
    evening: Evening, number: int, table: int, results: Sequence[ev.DealResult]
) -> tuple[Event, ...]:
    """Note the deals over at a table that the evening has not noted yet; with the last one, also
    the people who are not there.

    Args:
        number: number of the round; once that is over, nothing is noted.
        results: the results of the table's deals so far, in order.
    """
    if evening.round is None or len(evening.rounds) != number:
        return ()
    sitting, deals = evening.round.tables[table], evening.plan.deals
    new = results[len(sitting.results) : deals]
    through = bool(new) and len(sitting.results) + len(new) == deals
    missed = _missed(evening, sitting, new[-1]) if through else ()
    return (*(ev.DealPlayed(table, each) for each in new), *missed)


def renew_calendar(_: Evening) -> tuple[Event, ...]:
    """Replace the address for calendars; the old one leads nowhere from now on."""
    return (ev.CalendarRenewed(),)


def end_round(evening: Evening, now: float) -> Outcome:
    """End the round, even if tables have deals left to play: such deals are not compared."""
    if evening.round is None:
        return Refusal("no_round_now")
    if len(evening.rounds) >= evening.plan.rounds:
        return (ev.RoundOver(now), ev.Ended())
    missed = (
        event
        for sitting in evening.round.tables
        if 0 < len(sitting.results) < evening.plan.deals
        for event in _missed(evening, sitting, sitting.results[-1])
    )
    return (*missed, ev.RoundOver(now))


def _missed(evening: Evening, sitting: ev.Sitting, last: ev.DealResult) -> Iterator[Event]:
    """Note people as absent for whom a bot played the last deal of a table to its end. This is done
    as soon as the table is through, as they may come back before the other tables are."""
    present = {comer.person for comer in evening.present}
    for seat, person in last.absent if len(evening.rounds) < evening.plan.rounds else ():
        if seat in last.unattended and sitting.seats[seat] == person in present:
            yield ev.FoundAbsent(person)


def end(evening: Evening, now: float) -> Outcome:
    """End the evening before its last round; an evening that has not begun is cancelled."""
    if evening.stage is Stage.PLANNED:
        return (ev.Cancelled(),)
    if evening.stage is not Stage.RUNNING:
        return Refusal("evening_over")
    return (ev.RoundOver(now), ev.Ended()) if evening.round is not None else (ev.Ended(),)


def given_up(evening: Evening, now: float) -> bool:
    """Whether `GIVEN_UP` has passed since the planned start, or the last round's start or end."""
    going = evening.round
    since = evening.plan.starts
    if evening.rounds:
        since = going.began if going is not None else evening.rounds[-1].over or now
    return evening.open and now - since >= GIVEN_UP


def due(evening: Evening, now: float, past: float) -> tuple[Event, ...]:
    """The events of an evening by itself at a time; mostly none.

    Args:
        past: the time, `now` or earlier, by which it is given up for good.
    """
    plan, going = evening.plan, evening.round
    outcome: Outcome = ()
    late, over = given_up(evening, now), given_up(evening, past)
    if evening.stage is Stage.PLANNED:
        if over:
            outcome = (ev.Cancelled(),)
        elif now >= plan.starts and plan.by_itself and not late:
            outcome = begin_round(evening, now)
    elif going is not None:
        through = all(len(sitting.results) >= plan.deals for sitting in going.tables)
        if through or over:
            outcome = end_round(evening, now)
    elif evening.stage is Stage.RUNNING:
        last = evening.rounds[-1].over
        assert last is not None
        if len(evening.rounds) >= plan.rounds or over:
            outcome = (ev.Ended(),)
        elif now >= last + plan.pause and not late:
            outcome = begin_round(evening, now)
    return () if isinstance(outcome, Refusal) else outcome


# The seating of a round


def tables_for(people: int, players: int, alone: bool = False) -> int:
    """The number of tables for so many people: at least two, so that there is something to compare,
    and none without people."""
    if alone:
        return people
    return max(min(ev.FEWEST_PEOPLE, people), -(-people // players))


def seats_for(evening: Evening) -> tuple[ev.Seating, ...]:
    """The tables of the next round; bots have the last seats, as evenly spread as possible."""
    number = len(evening.rounds) + 1
    players, alone = evening.plan.rules.players, evening.plan.alone
    people = sorted(
        (comer.person for comer in evening.present),
        key=lambda person: ev.lot_of(evening.secret, number, person),
    )
    tables = tables_for(len(people), players, alone)
    if alone:
        chairs = [(table, (number - 1) % players) for table in range(tables)]
    else:
        chairs = [(place % tables, place // tables) for place in range(len(people))]
        people = _Movement(evening, chairs, tables).seat(people)
    seats = [[""] * players for _ in range(tables)]
    for person, (table, seat) in zip(people, chairs, strict=True):
        seats[table][seat] = person
    return tuple(
        ev.Seating(ev.table_id(evening.secret, number, table), tuple(row))
        for table, row in enumerate(seats)
    )


class _Movement:
    """Seats people so that they repeat as few meetings and seats of earlier rounds as possible.

    Args:
        chairs: pairs of table and seat; the chairs of one table lie `tables` apart in the list.
    """

    def __init__(self, evening: Evening, chairs: Sequence[tuple[int, int]], tables: int) -> None:
        self._chairs = chairs
        self._tables = tables
        self._seated = [""] * len(chairs)  # by chair, the person there
        self._met: Counter[frozenset[str]] = Counter()
        self._sat: Counter[tuple[str, int]] = Counter()
        for each in evening.rounds:
            for sitting in each.tables:
                people = [person for person in sitting.seats if person]
                self._met.update(map(frozenset, combinations(people, 2)))
                self._sat.update((person, seat) for seat, person in enumerate(sitting.seats))

    def seat(self, people: list[str]) -> list[str]:
        """The person on each of the chairs; `people` are in the order of their lots."""
        if not self._met:
            return people
        for person in people:
            free = [place for place, there in enumerate(self._seated) if not there]
            best = min(free, key=lambda place: self._cost(person, place))
            self._seated[best] = person
        for _ in range(MOST_TURNS):
            pairs = combinations(range(len(self._seated)), 2)
            if not sum(self._change(one, other) for one, other in pairs):
                break
        return self._seated

    def _change(self, one: int, other: int) -> bool:
        """Lets the people of two chairs change places if that costs less. True if they did."""
        before = self._cost_of_both(one, other)
        if not before:
            return False
        seated = self._seated
        seated[one], seated[other] = seated[other], seated[one]
        if self._cost_of_both(one, other) < before:
            return True
        seated[one], seated[other] = seated[other], seated[one]
        return False

    def _cost_of_both(self, one: int, other: int) -> int:
        return self._cost(self._seated[one], one) + self._cost(self._seated[other], other)

    def _cost(self, person: str, place: int) -> int:
        """The cost of a person in a chair: the meetings and the seat that they repeat there."""
        table, seat = self._chairs[place]
        cost = self._sat[person, seat]
        for there in self._seated[table :: self._tables]:
            if there and there != person:
                cost += MET * self._met[frozenset((person, there))] ** 2
        return cost
