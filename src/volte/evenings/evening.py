"""A duplicate evening: the same deals at several tables, in rounds, folded from what happens to it.

All of it is one stream, numbered from 1. What is decided stands in `evening_decide`, who meets
whom in `evening_seating`, and who has played best in `evening_standings`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.cards import Fault
from volte.fair import SECRET_BYTES, House
from volte.fair.stream import encode, numeral
from volte.game.codec import decoded, read_card
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.rules import Ruleset
from volte.rules.groups import EndKind, Irregularities, Ties
from volte.table.setup import LEVELS, LONGEST_CLOCK, SHORTEST_CLOCK

MOST_PEOPLE: Final = 200
MOST_ALONE: Final = 60
"""People at an evening where everybody has a table of their own: bots play the rest."""

FEWEST_PEOPLE: Final = 2
MOST_ROUNDS: Final = 12
MOST_DEALS: Final = 12
"""Deals of a round."""

LONGEST_BREAK: Final = 3600
"""Seconds between two rounds."""


class Plan(msgspec.Struct, frozen=True):
    """What an evening is going to be.

    Attributes:
        name: 1 to 40 signs.
        club: id of the club that gives it.
        starts: in seconds since 1970.
        zone: the name of the time zone in which that is told.
        rules: what is played; a round has as many deals as they say a match has.
        rounds: how often people change tables.
        level: of the bots for whoever is missing.
        alone: whether everybody sits at a table of their own, at the same seat, with bots.
        clock: seconds for a choice; 0 for no clock.
        pause: seconds between two rounds.
        by_itself: whether it begins at its time without anybody beginning it.
    """

    name: str
    club: str
    starts: float
    zone: str
    rules: Ruleset
    rounds: int = 1
    level: str = "casual"
    alone: bool = False
    clock: int = 0
    pause: int = 120
    by_itself: bool = True

    @property
    def deals(self) -> int:
        """Deals of a round."""
        return self.rules.ending.match_end.number

    @property
    def most_people(self) -> int:
        return MOST_ALONE if self.alone else MOST_PEOPLE


def check_plan(plan: Plan) -> None:
    """Raises `Fault` for an evening that cannot be."""
    name = plan.name
    if clean_name(name, reason="bad_evening_name") != name:
        raise NameFault("bad_evening_name", most=LONGEST_NAME)
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise Fault("rounds_out_of_range", most=MOST_ROUNDS).at("rounds")
    ending = plan.rules.ending
    if ending.match_end.kind is not EndKind.DEALS or not 1 <= plan.deals <= MOST_DEALS:
        raise Fault("deals_out_of_range", most=MOST_DEALS).at("deals")
    if ending.ties is not Ties.SHARE or plan.rules.irregularities is Irregularities.REFEREED:
        raise Fault("rules_not_for_evenings").at("preset")
    if plan.level not in LEVELS:
        raise Fault("no_such_level", level=plan.level, levels=LEVELS).at("level")
    if plan.clock and not SHORTEST_CLOCK <= plan.clock <= LONGEST_CLOCK:
        raise Fault("clock_out_of_range", least=SHORTEST_CLOCK, most=LONGEST_CLOCK).at("clock")
    if not 0 <= plan.pause <= LONGEST_BREAK:
        raise Fault("break_out_of_range", most=LONGEST_BREAK // 60).at("pause")


# What happens


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """What all events of an evening have in common."""


class Seating(msgspec.Struct, frozen=True):
    """Who begins a round at a table.

    Attributes:
        table: its id.
        seats: ids of people; empty where a bot plays.
    """

    table: str
    seats: tuple[str, ...]


class Result(msgspec.Struct, frozen=True):
    """What became of one deal at one table.

    Attributes:
        points: by seat.
        people: by seat, the id of whoever has played the whole deal there; empty for a bot, and
            where somebody came or went in the middle of it.
    """

    points: tuple[int, ...]
    people: tuple[str, ...]


class Planned(_Event, frozen=True):
    """The first of every stream.

    Attributes:
        host: id of who has planned it.
        secret: 32 bytes from which all deals follow. Nobody is shown it before the end.
    """

    plan: Plan
    host: str
    secret: bytes


class Replanned(_Event, frozen=True):
    """It is going to be different."""

    plan: Plan


class Invited(_Event, frozen=True):
    """Somebody is asked to come."""

    person: str
    name: str


class Joined(_Event, frozen=True):
    """Somebody comes."""

    person: str
    name: str


class Left(_Event, frozen=True):
    """They do not, or no longer."""

    person: str


class Seated(_Event, frozen=True):
    """A round begins.

    Attributes:
        at: in seconds since 1970.
    """

    tables: tuple[Seating, ...]
    at: float


class SeatedLate(_Event, frozen=True):
    """Somebody takes a bot's place in the round that is played.

    Attributes:
        table: its place among the tables of the round.
    """

    person: str
    table: int
    seat: int


class Played(_Event, frozen=True):
    """The next deal of the round is over at a table."""

    table: int
    result: Result


class RoundOver(_Event, frozen=True):
    """The round is over: everywhere, or because it was ended."""

    at: float


class Ended(_Event, frozen=True):
    """The evening is over."""


class Cancelled(_Event, frozen=True):
    """It does not take place."""


Event = (
    Planned
    | Replanned
    | Invited
    | Joined
    | Left
    | Seated
    | SeatedLate
    | Played
    | RoundOver
    | Ended
    | Cancelled
)

_DECODER: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event, dec_hook=read_card)


def decode_event(data: bytes) -> Event:
    """An event from what `volte.game.codec.encode` made of it.

    Raises `msgspec.ValidationError`.
    """
    return decoded(_DECODER, data)


# What it folds into


class Stage(StrEnum):
    """How far an evening has come."""

    PLANNED = "planned"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class Comer(msgspec.Struct, frozen=True):
    """Somebody who was asked, or comes.

    Attributes:
        name: unlike everybody else's of the evening.
        comes: None for somebody who was asked and has not answered.
    """

    person: str
    name: str
    comes: bool | None


class Sitting(msgspec.Struct, frozen=True):
    """A table in a round.

    Attributes:
        seats: ids of those who belong there now; empty where a bot plays.
        results: of its deals, in order.
    """

    table: str
    seats: tuple[str, ...]
    results: tuple[Result, ...] = ()


class Round(msgspec.Struct, frozen=True):
    """A round.

    Attributes:
        over: when it was, in seconds since 1970; None while it is played.
    """

    tables: tuple[Sitting, ...]
    began: float
    over: float | None = None

    def place_of(self, person: str) -> tuple[int, int] | None:
        """The table, by its place, and the seat where that person belongs."""
        for place, sitting in enumerate(self.tables):
            if person and person in sitting.seats:
                return place, sitting.seats.index(person)
        return None


class Evening(msgspec.Struct, frozen=True):
    """A whole evening.

    Attributes:
        version: number of events folded.
        comers: in the order in which they were asked or came.
    """

    plan: Plan
    host: str
    secret: bytes
    version: int = 1
    comers: tuple[Comer, ...] = ()
    rounds: tuple[Round, ...] = ()
    stage: Stage = Stage.PLANNED

    @property
    def coming(self) -> tuple[Comer, ...]:
        """Those who come."""
        return tuple(comer for comer in self.comers if comer.comes)

    @property
    def round(self) -> Round | None:
        """The one that is played."""
        last = self.rounds[-1] if self.rounds else None
        return last if last is not None and last.over is None else None

    def comer(self, person: str) -> Comer | None:
        """That person, if they were asked or come."""
        return next((comer for comer in self.comers if comer.person == person), None)

    def name_of(self, person: str) -> str:
        """What that person is called; empty for nobody."""
        comer = self.comer(person)
        return comer.name if comer is not None else ""

    def round_of(self, table: str) -> Round | None:
        """The round that is, or was, played at the table of that id."""
        for each in self.rounds:
            if any(sitting.table == table for sitting in each.tables):
                return each
        return None

    def through(self, table: str) -> bool:
        """Whether the round of that table is over at all tables: its cards are no secret then."""
        played = self.round_of(table)
        return played is None or played.over is not None


def evolve(evening: Evening | None, event: Event) -> Evening:
    """The evening after the event; None is before `Planned`. Trusts what was decided."""
    if evening is None:
        assert isinstance(event, Planned)
        return Evening(event.plan, event.host, event.secret)
    evening = replace(evening, version=evening.version + 1)
    match event:
        case Replanned():
            return replace(evening, plan=event.plan)
        case Invited():
            return _with_comer(evening, Comer(event.person, event.name, None))
        case Joined():
            return _with_comer(evening, Comer(event.person, event.name, True))
        case Left():
            name = evening.name_of(event.person)
            return _with_comer(evening, Comer(event.person, name, False))
        case Seated():
            tables = tuple(Sitting(each.table, each.seats) for each in event.tables)
            rounds = (*evening.rounds, Round(tables, event.at))
            return replace(evening, rounds=rounds, stage=Stage.RUNNING)
        case SeatedLate():
            seats = list(evening.rounds[-1].tables[event.table].seats)
            seats[event.seat] = event.person
            return _with_table(evening, event.table, seats=tuple(seats))
        case Played():
            results = evening.rounds[-1].tables[event.table].results
            return _with_table(evening, event.table, results=(*results, event.result))
        case RoundOver():
            last = replace(evening.rounds[-1], over=event.at)
            return replace(evening, rounds=(*evening.rounds[:-1], last))
        case Ended():
            return replace(evening, stage=Stage.OVER)
        case Cancelled():
            return replace(evening, stage=Stage.CANCELLED)
    raise AssertionError(event)


def fold(events: Iterable[Event]) -> Evening:
    """The evening that its events lead to. There must be one."""
    evening: Evening | None = None
    for event in events:
        evening = evolve(evening, event)
    assert evening is not None
    return evening


def _with_comer(evening: Evening, comer: Comer) -> Evening:
    """With somebody else's answer, or with one more to answer."""
    if evening.comer(comer.person) is None:
        return replace(evening, comers=(*evening.comers, comer))
    comers = (comer if each.person == comer.person else each for each in evening.comers)
    return replace(evening, comers=tuple(comers))


def _with_table(evening: Evening, table: int, **changes: object) -> Evening:
    last = evening.rounds[-1]
    tables = list(last.tables)
    tables[table] = replace(tables[table], **changes)
    return replace(evening, rounds=(*evening.rounds[:-1], replace(last, tables=tuple(tables))))


# What follows from the secret


def digest_of(secret: bytes) -> bytes:
    """What is shown of the secret before anybody sits down: so it cannot be another one later."""
    return hashlib.sha256(encode(b"volte evening 1", secret)).digest()


def house_of(secret: bytes, number: int) -> House:
    """Who deals at every table of a round, counted from 1: its master is
    HMAC-SHA256(secret, "volte evening round 1", number)."""
    return House(_derive(secret, b"volte evening round 1", number)[:SECRET_BYTES])


def table_id(secret: bytes, number: int, table: int) -> str:
    """The id of a table of a round: the same whenever it is opened, and not to be guessed."""
    return _derive(secret, b"volte evening table 1", number, table)[:10].hex()


def lot_of(secret: bytes, number: int, person: str) -> bytes:
    """By what people are put in order before a round: nobody can choose it."""
    label = encode(b"volte evening lot 1", numeral(number), person.encode())
    return hmac.digest(secret, label, "sha256")


def _derive(secret: bytes, purpose: bytes, *numbers: int) -> bytes:
    return hmac.digest(secret, encode(purpose, *map(numeral, numbers)), "sha256")
