"""A duplicate evening: the same deals at several tables, in rounds, folded from its events.

An evening is a stream of events, numbered from 1. Changes are judged in `decide`; `results` has the
standings.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.bots import check_level
from volte.cards import VolteError
from volte.fair import SECRET_BYTES, House
from volte.fair.house import encode, numeral
from volte.game.codec import decoded, read_card
from volte.game.evolve import put
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.rules import Ruleset
from volte.rules.groups import EndKind, Irregularities, Ties
from volte.table.setup import LONGEST_CLOCK, SHORTEST_CLOCK

MOST_PEOPLE: Final = 200
MOST_ALONE: Final = 60  # people where everybody has a table of their own, with bots
FEWEST_PEOPLE: Final = 2
MOST_ROUNDS: Final = 12
MOST_DEALS: Final = 12  # deals of a round
LONGEST_BREAK: Final = 3600  # seconds between two rounds


class Plan(msgspec.Struct, frozen=True):
    """The plan of an evening, as its organiser fills it in."""

    name: str  # 1 to 40 characters
    club: str  # id of the club that gives it
    starts: float  # seconds since 1970
    zone: str  # name of the time zone in which its start is shown
    rules: Ruleset  # a round has as many deals as a match by these rules
    rounds: int = 1
    level: str = "casual"  # level of the bots on seats without people
    alone: bool = False  # whether people sit each at a table of their own, all at the same seat
    clock: int = 0  # seconds for a choice; 0 for no clock
    pause: int = 120  # seconds between two rounds
    by_itself: bool = True  # whether it begins by itself at its time

    @property
    def deals(self) -> int:
        """Number of deals in a round."""
        return self.rules.ending.match_end.number

    @property
    def most_people(self) -> int:
        return MOST_ALONE if self.alone else MOST_PEOPLE


def check_plan(plan: Plan) -> None:
    """Raise `VolteError` for a plan that is not allowed."""
    if clean_name(plan.name, reason="bad_evening_name") != plan.name:
        raise NameFault("bad_evening_name", most=LONGEST_NAME)
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise VolteError("rounds_out_of_range", most=MOST_ROUNDS).at("rounds")
    ending = plan.rules.ending
    if ending.match_end.kind is not EndKind.DEALS or not 1 <= plan.deals <= MOST_DEALS:
        raise VolteError("deals_out_of_range", most=MOST_DEALS).at("deals")
    if ending.ties is not Ties.SHARE or plan.rules.irregularities is Irregularities.REFEREED:
        raise VolteError("rules_not_for_evenings").at("preset")
    check_level(plan.level)
    if plan.clock and not SHORTEST_CLOCK <= plan.clock <= LONGEST_CLOCK:
        raise VolteError("clock_out_of_range", least=SHORTEST_CLOCK, most=LONGEST_CLOCK).at("clock")
    if not 0 <= plan.pause <= LONGEST_BREAK:
        raise VolteError("break_out_of_range", most=LONGEST_BREAK // 60).at("pause")


# Events. Their tags are stored.


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """The base of all events of an evening."""


class Seating(msgspec.Struct, frozen=True):
    """A table of a round and the people who begin it."""

    table: str  # id of the table
    seats: tuple[str, ...]  # ids of people; empty for a bot


class DealResult(msgspec.Struct, frozen=True):
    """The result of one deal at one table."""

    points: tuple[int, ...]  # by seat
    people: tuple[str, ...]  # by seat, the id of the person for whom it counts; empty for nobody
    # Seats and ids of people for whom it does not count: `absent`, where a bot played more than
    # half of the cards in their place, and `late`, who sat down when it had begun. Old results have
    # neither.
    absent: tuple[tuple[int, str], ...] = ()
    late: tuple[tuple[int, str], ...] = ()
    unattended: tuple[int, ...] = ()  # seats where a bot stood in for the person at the deal's end


class Planned(_Event, frozen=True):
    """The evening was planned: the first event of every stream."""

    plan: Plan
    host: str  # id of the person who planned it
    secret: bytes  # 32 bytes from which all deals follow; shown to nobody before the end


class Replanned(_Event, frozen=True):
    """The plan was changed."""

    plan: Plan


class Invited(_Event, frozen=True):
    """Somebody was invited."""

    person: str
    name: str


class Joined(_Event, frozen=True):
    """Somebody comes, or is there again."""

    person: str
    name: str


class FoundAbsent(_Event, frozen=True):
    """Somebody who comes is not there."""

    person: str


class Withdrew(_Event, frozen=True, tag="Left"):
    """Somebody declined, or does not come any longer."""

    person: str


class Seated(_Event, frozen=True):
    """Everybody got a seat, and a round began."""

    tables: tuple[Seating, ...]
    at: float  # seconds since 1970


class SeatedLate(_Event, frozen=True):
    """Somebody took a seat of a bot, or of somebody who is not there, in the round that is being
    played."""

    person: str
    table: int  # place of the table in the round, from 0
    seat: int


class DealPlayed(_Event, frozen=True, tag="Played"):
    """The next deal of the round is over at a table."""

    table: int  # place of the table in the round, from 0
    result: DealResult


class RoundOver(_Event, frozen=True):
    """The round is over: at all tables, or because it was ended."""

    at: float  # seconds since 1970


class CalendarRenewed(_Event, frozen=True):
    """The address for calendars was replaced."""


class Ended(_Event, frozen=True):
    """The evening is over."""


class Cancelled(_Event, frozen=True):
    """The evening does not take place."""


Event = (
    Planned
    | Replanned
    | Invited
    | Joined
    | FoundAbsent
    | Withdrew
    | Seated
    | SeatedLate
    | DealPlayed
    | RoundOver
    | CalendarRenewed
    | Ended
    | Cancelled
)

_DECODER: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event, dec_hook=read_card)


def decode_event(data: bytes) -> Event:
    """The event that `volte.game.codec.encode` encoded. Raises `msgspec.ValidationError`."""
    return decoded(_DECODER, data)


# The state


class Stage(StrEnum):
    """The stage of an evening's life."""

    PLANNED = "planned"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class Comer(msgspec.Struct, frozen=True):
    """A person who was invited, or has answered."""

    person: str
    name: str  # different from all other names at the evening
    comes: bool | None  # None while an invitation is unanswered
    away: bool = False  # whether they are not there: they are not seated until they come


class Sitting(msgspec.Struct, frozen=True):
    """A table in a round, with its people and results."""

    table: str  # id of the table
    seats: tuple[str, ...]  # by seat, id of the person who belongs there now; empty for a bot
    results: tuple[DealResult, ...] = ()  # results of its deals, in order


class Round(msgspec.Struct, frozen=True):
    """A round of an evening."""

    tables: tuple[Sitting, ...]
    began: float  # seconds since 1970
    over: float | None = None  # time when it ended, in seconds since 1970; None while it is played
    # People whose seat somebody else took, with the number of deals whose cards they may have seen
    displaced: tuple[tuple[str, int], ...] = ()

    def place_of(self, person: str) -> tuple[int, int] | None:
        """The place of a person's table, from 0, and their seat; None where they have no seat."""
        for place, sitting in enumerate(self.tables):
            if person and person in sitting.seats:
                return place, sitting.seats.index(person)
        return None

    def table_of(self, person: str) -> str:
        """The id of the table where a person belongs; empty if there is none."""
        place = self.place_of(person)
        return self.tables[place[0]].table if place is not None else ""


class Evening(msgspec.Struct, frozen=True):
    """An evening after some of its events: plan, people, rounds."""

    plan: Plan
    host: str
    secret: bytes
    version: int = 1  # number of events folded
    comers: tuple[Comer, ...] = ()  # in the order in which they were invited or came
    rounds: tuple[Round, ...] = ()
    stage: Stage = Stage.PLANNED
    calendars: int = 0  # number of times that the address for calendars was replaced

    @property
    def open(self) -> bool:
        """Whether the evening is neither over nor cancelled."""
        return self.stage in (Stage.PLANNED, Stage.RUNNING)

    @property
    def coming(self) -> tuple[Comer, ...]:
        """People who have said that they come."""
        return tuple(comer for comer in self.comers if comer.comes)

    @property
    def present(self) -> tuple[Comer, ...]:
        """People who come and are there: they are seated in the next round."""
        return tuple(comer for comer in self.coming if not comer.away)

    @property
    def round(self) -> Round | None:
        """The round that is being played; None between rounds."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].over is None else None

    def comer(self, person: str) -> Comer | None:
        """The entry of a person who was invited or has answered; None for others."""
        return next((comer for comer in self.comers if comer.person == person), None)

    def name_of(self, person: str) -> str:
        """The name of a person at this evening; empty for others."""
        comer = self.comer(person)
        return comer.name if comer is not None else ""

    def round_of(self, table: str) -> Round | None:
        """The round that is, or was, played at a table, by the table's id."""
        for each in self.rounds:
            if any(sitting.table == table for sitting in each.tables):
                return each
        return None

    def through(self, table: str) -> bool:
        """Whether the round of a table is over at all tables: its cards are no secret then."""
        played = self.round_of(table)
        return played is None or played.over is not None


def evolve(evening: Evening | None, event: Event) -> Evening:
    """The evening after an event, which is trusted. `evening` is None before `Planned`."""
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
        case FoundAbsent():
            name = evening.name_of(event.person)
            return _with_comer(evening, Comer(event.person, name, True, away=True))
        case Withdrew():
            name = evening.name_of(event.person)
            return _with_comer(evening, Comer(event.person, name, False))
        case Seated():
            tables = tuple(Sitting(each.table, each.seats) for each in event.tables)
            rounds = (*evening.rounds, Round(tables, event.at))
            return replace(evening, rounds=rounds, stage=Stage.RUNNING)
        case SeatedLate():
            going = evening.rounds[-1]
            sitting = going.tables[event.table]
            if before := sitting.seats[event.seat]:
                gone = before, len(sitting.results) + 1
                evening = _with_round(evening, displaced=(*going.displaced, gone))
            seats = put(sitting.seats, event.seat, event.person)
            return _with_table(evening, event.table, seats=seats)
        case DealPlayed():
            results = evening.rounds[-1].tables[event.table].results
            return _with_table(evening, event.table, results=(*results, event.result))
        case RoundOver():
            return _with_round(evening, over=event.at)
        case CalendarRenewed():
            return replace(evening, calendars=evening.calendars + 1)
        case Ended():
            return replace(evening, stage=Stage.OVER)
        case Cancelled():
            return replace(evening, stage=Stage.CANCELLED)
    raise AssertionError(event)


def fold(events: Iterable[Event]) -> Evening:
    """The evening folded from its events, of which there must be at least one."""
    evening: Evening | None = None
    for event in events:
        evening = evolve(evening, event)
    assert evening is not None
    return evening


def _with_comer(evening: Evening, comer: Comer) -> Evening:
    """The evening with a new comer, or a comer's entry replaced."""
    if evening.comer(comer.person) is None:
        return replace(evening, comers=(*evening.comers, comer))
    comers = (comer if each.person == comer.person else each for each in evening.comers)
    return replace(evening, comers=tuple(comers))


def _with_table(evening: Evening, table: int, **changes: object) -> Evening:
    tables = list(evening.rounds[-1].tables)
    tables[table] = replace(tables[table], **changes)
    return _with_round(evening, tables=tuple(tables))


def _with_round(evening: Evening, **changes: object) -> Evening:
    *before, last = evening.rounds
    return replace(evening, rounds=(*before, replace(last, **changes)))


# Keys, ids and lots that follow from the secret


def digest_of(secret: bytes) -> bytes:
    """The digest of the secret, shown before anybody sits down: it commits the evening to it."""
    return hashlib.sha256(encode(b"volte evening 1", secret)).digest()


def house_of(secret: bytes, number: int) -> House:
    """The dealer at every table of a round, counted from 1; its master is
    HMAC-SHA256(secret, "volte evening round 1", number)."""
    return House(_derive(secret, b"volte evening round 1", numeral(number))[:SECRET_BYTES])


def table_id(secret: bytes, number: int, table: int) -> str:
    """The id of a table of a round: it follows from the secret, and cannot be guessed."""
    return _derive(secret, b"volte evening table 1", numeral(number), numeral(table))[:10].hex()


def lot_of(secret: bytes, number: int, person: str) -> bytes:
    """A person's lot, by which people are ordered before a round; nobody can choose it."""
    return _derive(secret, b"volte evening lot 1", numeral(number), person.encode())


def calendar_key(evening: Evening) -> str:
    """The key in an evening's address for calendars, which needs no session; renewing the address
    changes it."""
    number = numeral(evening.calendars)
    return _derive(evening.secret, b"volte evening calendar 1", number)[:16].hex()


def _derive(secret: bytes, purpose: bytes, *parts: bytes) -> bytes:
    return hmac.digest(secret, encode(purpose, *parts), "sha256")
