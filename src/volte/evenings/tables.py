"""The tables of an evening: their first happenings, and the deals followed from their logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from volte import game
from volte.evenings.evening import DealResult, Evening, house_of
from volte.game import Refusal
from volte.game.evolve import put
from volte.names import LONGEST_NAME
from volte.referee.codec import encode
from volte.store import Listing, MatchRow
from volte.table import happenings as hap
from volte.table.admission import bot_sits
from volte.table.commands import Someone, Start
from volte.table.decide import decide
from volte.table.happenings import Happening
from volte.table.setup import Access, Setup, Watching
from volte.table.state import evolve, fold
from volte.table.stored import listing_of, row_after

NOBODY: Final = Someone("", "")
"""The host of a table of an evening: nobody may close it, change it or send anybody away."""


class TableOpening(NamedTuple):
    """A table as it begins: everything that the store gets in one transaction."""

    table: str  # id of the table
    entries: tuple[bytes, ...]
    listing: Listing
    row: MatchRow


def opening(evening: Evening, key: str, number: int, place: int) -> TableOpening:
    """A table of a round, everybody seated and the match begun.

    Args:
        key: the id of the evening.
        number: the number of the round, from 1.
        place: the place of the table in the round, from 0.
    """
    sitting = evening.rounds[number - 1].tables[place]
    happened = _begun(evening, key, f" {number}.{place + 1}", sitting.seats)
    state = fold(happened)
    row = row_after(None, sitting.table, happened, state, lambda: house_of(evening.secret, number))
    assert row is not None
    entries = tuple(encode(each) for each in happened)
    return TableOpening(sitting.table, entries, listing_of(sitting.table, state, ""), row)


def _begun(evening: Evening, key: str, suffix: str, seats: Sequence[str]) -> tuple[Happening, ...]:
    plan = evening.plan
    setup = Setup(
        plan.name[: LONGEST_NAME - len(suffix)].rstrip() + suffix,
        plan.rules,
        Access.LINK,
        Watching.NOBODY,
        plan.clock,
        hints=False,
        evening=key,
    )
    people = [(seat, person) for seat, person in enumerate(seats) if person]
    happened: list[Happening] = [
        hap.Opened(setup, NOBODY.id, plan.name),
        *(hap.Sat(seat, person, evening.name_of(person)) for seat, person in people),
    ]
    state = fold(happened)
    for seat, person in enumerate(seats):
        if not person:
            bot = bot_sits(state, seat, plan.level)
            happened.append(bot)
            state = evolve(state, bot)
    started = decide(state, NOBODY, Start(), state.version)
    assert not isinstance(started, Refusal), started
    return (*happened, *started)


class Followed(msgspec.Struct, frozen=True):
    """A table as followed from its log: people, their plays, and results."""

    version: int = 0  # number of the last happening read
    people: tuple[str, ...] = ()  # by seat, id of the person there; empty for a bot
    stood_in: frozenset[int] = frozenset()  # seats where a bot plays for the person
    dealt: tuple[str, ...] = ()  # by seat, the person there when the present deal was dealt
    # By seat, for every card played in this deal, whether the person it was dealt to played it
    plays: tuple[tuple[bool, ...], ...] = ()
    claimed: bool = False  # whether the rest of the deal plays itself
    results: tuple[DealResult, ...] = ()  # of the deals that are over

    def attends(self, seat: int) -> bool:
        """Whether the person who was dealt the cards of a seat plays them now."""
        person = self.dealt[seat]
        return bool(person) and person == self.people[seat] and seat not in self.stood_in

    def has_played(self, seat: int) -> bool:
        """Whether the person who was dealt a seat's cards has played at least half of the plays so
        far; before the first, whether they would play it."""
        plays = self.plays[seat]
        return 2 * sum(plays) >= len(plays) if plays else self.attends(seat)


def follow(followed: Followed, happening: Happening) -> Followed:
    """The followed table after one more happening."""
    followed = replace(followed, version=followed.version + 1)
    match happening:
        case hap.Opened():
            return replace(followed, people=("",) * happening.setup.rules.players)
        case hap.Sat():
            return _sits(followed, happening.seat, happening.person)
        case hap.BotSat() | hap.Stood():
            return _sits(followed, happening.seat, "")
        case hap.StoodIn():
            return replace(followed, stood_in=followed.stood_in | {happening.seat})
        case hap.CameBack():
            return replace(followed, stood_in=followed.stood_in - {happening.seat})
        case game.Dealt():
            people, nothing = followed.people, ((),) * len(followed.people)
            return replace(followed, dealt=people, plays=nothing, claimed=False)
        case game.Played(seat=seat) if not followed.claimed:
            plays = (*followed.plays[seat], followed.attends(seat))
            return replace(followed, plays=put(followed.plays, seat, plays))
        case game.PlayTakenBack(seat=seat):
            return replace(followed, plays=put(followed.plays, seat, followed.plays[seat][:-1]))
        case game.Claimed():
            return replace(followed, claimed=True)
        case game.DealScored():
            results = (*followed.results, _result(followed, happening.points))
            return replace(followed, results=results)
    return followed


def _sits(followed: Followed, seat: int, person: str) -> Followed:
    people = put(followed.people, seat, person)
    return replace(followed, people=people, stood_in=followed.stood_in - {seat})


def _result(followed: Followed, points: tuple[int, ...]) -> DealResult:
    """The result of a deal. It counts for people who have themselves played at least half of the
    cards that were played from the hand they were dealt, before a claim."""
    dealt, people = followed.dealt, followed.people
    counts = tuple(person if followed.has_played(seat) else "" for seat, person in enumerate(dealt))
    absent = (each for each in enumerate(dealt) if each[1] and not counts[each[0]])
    late = (each for each in enumerate(people) if each[1] and each[1] != dealt[each[0]])
    unattended = tuple(sorted(followed.stood_in))
    return DealResult(points, counts, tuple(absent), tuple(late), unattended)
