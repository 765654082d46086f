"""The tables of an evening: how one begins, and what its log says of its deals."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from volte import game
from volte.evenings.evening import Evening, Result, house_of
from volte.game import Refusal
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
"""The host of such a table: nobody may close it, change it or send anybody away."""


class Opening(msgspec.Struct, frozen=True):
    """A table as it begins: all that the store is to keep of it at once."""

    table: str
    entries: tuple[bytes, ...]
    listing: Listing
    row: MatchRow


def opening(evening: Evening, key: str, number: int, place: int) -> Opening:
    """A table of a round, everybody seated and the match begun.

    Args:
        key: the id of the evening.
        number: of the round, from 1.
        place: of the table in the round.
    """
    sitting = evening.rounds[number - 1].tables[place]
    happened = _begun(evening, key, number, place)
    state = fold(happened)
    house = house_of(evening.secret, number)
    row = row_after(None, sitting.table, happened, state, lambda: house)
    assert row is not None
    return Opening(
        sitting.table,
        tuple(encode(each) for each in happened),
        listing_of(sitting.table, state, ""),
        row,
    )


def _begun(evening: Evening, key: str, number: int, place: int) -> tuple[Happening, ...]:
    plan = evening.plan
    told = f" {number}.{place + 1}"
    setup = Setup(
        plan.name[: LONGEST_NAME - len(told)].rstrip() + told,
        plan.rules,
        Access.LINK,
        Watching.NOBODY,
        plan.clock,
        hints=False,
        evening=key,
    )
    happened: list[Happening] = [hap.Opened(setup, NOBODY.id, plan.name)]
    seats = evening.rounds[number - 1].tables[place].seats
    happened += [
        hap.Sat(seat, person, evening.name_of(person))
        for seat, person in enumerate(seats)
        if person
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
    """What has been read of the log of a table.

    Attributes:
        version: number of the last happening read.
        people: by seat, who sits there; empty for a bot.
        dealt: the same, when the present deal was dealt.
        results: of the deals that are over.
    """

    version: int = 0
    people: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()


def follow(followed: Followed, happening: Happening) -> Followed:
    """The same with one happening more."""
    followed = replace(followed, version=followed.version + 1)
    match happening:
        case hap.Opened():
            return replace(followed, people=("",) * happening.setup.rules.players)
        case hap.Sat():
            return _sits(followed, happening.seat, happening.person)
        case hap.BotSat() | hap.Stood():
            return _sits(followed, happening.seat, "")
        case game.Dealt():
            return replace(followed, dealt=followed.people)
        case game.DealScored():
            both = zip(followed.dealt, followed.people, strict=True)
            whole = tuple(first if first == last else "" for first, last in both)
            result = Result(happening.points, whole)
            return replace(followed, results=(*followed.results, result))
    return followed


def _sits(followed: Followed, seat: int, person: str) -> Followed:
    people = list(followed.people)
    people[seat] = person
    return replace(followed, people=tuple(people))
