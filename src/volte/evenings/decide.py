"""What may be done to an evening, and what it does by itself: events, or a refusal.

Who sits where in a round: everybody has a lot, which nobody can choose. In the order of the lots
each takes the chair where they have met the others least, and sat least; then two people change
chairs for as long as that makes it better.
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
"""Seconds after which an evening that nobody begins is cancelled, and a round that nobody plays is
ended."""

MET: Final = 10
"""Cost of meeting somebody again, times the square of how often; the same seat again costs 1."""

MOST_TURNS: Final = 8
"""How often all pairs of people are looked at."""

Outcome = tuple[Event, ...] | Refusal


def plan_evening(plan: Plan, host: Someone, secret: bytes = b"") -> tuple[Event, ...]:
    """Plans a new evening. Raises `VolteError` for one that cannot be.

    Args:
        secret: from which its deals follow; a random one if left out.
    """
    ev.check_plan(plan)
    return (ev.Planned(plan, host.id, secret or secrets.token_bytes(SECRET_BYTES)),)


def replan(evening: Evening, plan: Plan) -> Outcome:
    """Plans it differently, before it begins. Raises `VolteError`."""
    ev.check_plan(plan)
    if evening.stage is not Stage.PLANNED:
        return Refusal("evening_begun")
    if len(evening.coming) > plan.most_people:
        return Refusal("evening_full")
    before = evening.plan
    same = plan == before and plan.rules.preset == before.rules.preset
    return () if same else (ev.Replanned(plan),)


def invite(evening: Evening, people: Iterable[Someone]) -> Outcome:
    """Invites those people who have neither been invited nor said that they come."""
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
    """Somebody comes, or is there again. Once it has begun they play from the next round, or take a
    seat that is free."""
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
    """Somebody does not come, or not to the next rounds; their seat in this one they keep."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(person)
    return () if comer is None or comer.comes is False else (ev.Withdrew(person),)


def miss(evening: Evening, person: str) -> Outcome:
    """Somebody who has said that they come is not there: they are not seated until they come, and
    others may have their seat in this round."""
    if not evening.open:
        return Refusal("evening_over")
    comer = evening.comer(person)
    return (ev.FoundAbsent(person),) if comer in evening.present else ()


def begin_round(evening: Evening, now: float) -> Outcome:
    """Begins the first round, or the next."""
    if not evening.open:
        return Refusal("evening_over")
    if evening.round is not None:
        return Refusal("round_goes_on")
    if len(evening.present) < ev.FEWEST_PEOPLE:
        return Refusal("too_few_people", params={"least": ev.FEWEST_PEOPLE})
    return (ev.Seated(seats_for(evening), now),)


def sit_late(evening: Evening, who: Someone) -> Outcome:
    """Somebody without a seat in this round takes that of a bot, or of somebody who is not there.

    It is at the table with most such seats, among those where they can still play a deal from its
    beginning, and have seen no card of the present one at another table.
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
    """The seats of bots; where there are none, those of people who are not there."""
    gone = {comer.person for comer in evening.coming if comer.away}
    seats = list(enumerate(sitting.seats))
    bots = [seat for seat, person in seats if not person and not evening.plan.alone]
    return bots or [seat for seat, person in seats if person in gone]


def played(
    evening: Evening, number: int, table: int, results: Sequence[ev.DealResult]
) -> tuple[Event, ...]:
    """Deals are over at a table: those that the evening has not noted yet; and with the last one,
    who is not there.

    Args:
        number: of the round; once that is over, nothing is noted.
        results: all that its deals have brought so far, in order.
    """
    if evening.round is None or len(evening.rounds) != number:
        return ()
    sitting, deals = evening.round.tables[table], evening.plan.deals
    new = results[len(sitting.results) : deals]
    through = bool(new) and len(sitting.results) + len(new) == deals
    missed = _missed(evening, sitting, new[-1]) if through else ()
    return (*(ev.DealPlayed(table, each) for each in new), *missed)


def renew_calendar(_: Evening) -> tuple[Event, ...]:
    """The address for calendars leads nowhere from now on: there is another one."""
    return (ev.CalendarRenewed(),)


def end_round(evening: Evening, now: float) -> Outcome:
    """Ends the round, even if tables have deals left to play: those are not compared."""
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
    """Notes whoever did not play the last deal of a table, a bot playing for them to its end: as
    soon as the table is through, since they may come before the others are."""
    present = {comer.person for comer in evening.present}
    for seat, person in last.absent if len(evening.rounds) < evening.plan.rounds else ():
        if seat in last.unattended and sitting.seats[seat] == person in present:
            yield ev.FoundAbsent(person)


def end(evening: Evening, now: float) -> Outcome:
    """Ends the evening before its last round; one that has not begun is cancelled."""
    if evening.stage is Stage.PLANNED:
        return (ev.Cancelled(),)
    if evening.stage is not Stage.RUNNING:
        return Refusal("evening_over")
    return (ev.RoundOver(now), ev.Ended()) if evening.round is not None else (ev.Ended(),)


def given_up(evening: Evening, now: float) -> bool:
    """Whether nobody has begun it, played its round or gone on for so long."""
    going = evening.round
    since = evening.plan.starts
    if evening.rounds:
        since = going.began if going is not None else evening.rounds[-1].over or now
    return evening.open and now - since >= GIVEN_UP


def due(evening: Evening, now: float, past: float) -> tuple[Event, ...]:
    """Events of an evening by itself at that time; mostly none.

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


# Who sits where in a round


def tables_for(people: int, players: int, alone: bool = False) -> int:
    """How many tables there are for so many people: two at least, so that there is something to
    compare, and none without anybody."""
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
    """Seats people so that as little as possible of the rounds so far is repeated.

    Args:
        chairs: each a table and a seat; those of one table lie `tables` apart in the list.
    """

    def __init__(self, evening: Evening, chairs: Sequence[tuple[int, int]], tables: int) -> None:
        self._chairs = chairs
        self._tables = tables
        self._seated = [""] * len(chairs)  # who has each chair
        self._met: Counter[frozenset[str]] = Counter()
        self._sat: Counter[tuple[str, int]] = Counter()
        for each in evening.rounds:
            for sitting in each.tables:
                people = [person for person in sitting.seats if person]
                self._met.update(map(frozenset, combinations(people, 2)))
                self._sat.update((person, seat) for seat, person in enumerate(sitting.seats))

    def seat(self, people: list[str]) -> list[str]:
        """Who has each of the chairs; people come in the order of their lots."""
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
        """Lets the people of two chairs change them where that is better."""
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
        """How much that person repeats in that chair."""
        table, seat = self._chairs[place]
        cost = self._sat[person, seat]
        for there in self._seated[table :: self._tables]:
            if there and there != person:
                cost += MET * self._met[frozenset((person, there))] ** 2
        return cost
