"""What was asked of `volte arena`: its options, read and judged before anything is played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from volte.bots import Clock
from volte.cards import Fault
from volte.console.numbers import read_number
from volte.console.terminal import Misuse
from volte.lab.arena import Contestant, Duel, Stop, few
from volte.lab.arena.contestant import MOST_BUDGET
from volte.lab.arena.meeting import duels_of
from volte.rules import Ruleset

USUAL_DECKS: Final = 100
MOST_DECKS: Final = 10**6
MOST_PLAYERS: Final = 50
ALL: Final = "all"
FEW: Final = "few"

_WIDTH: Final = re.compile(r"[0-9]{1,6}([.,][0-9]{1,6})?")


class Length(NamedTuple):
    """How much is played.

    Attributes:
        decks: deals, or matches, in several seatings each.
        matches: whether they are whole matches.
    """

    decks: int
    matches: bool


def read_contestants(
    levels: Sequence[str], engines: Sequence[str], usual: Clock
) -> tuple[Contestant, ...]:
    """Who takes part: levels, then outside engines. Raises `Misuse`."""
    try:
        named = [Contestant.of(level, usual) for level in levels]
        named += [Contestant.outside(engine, usual) for engine in engines]
    except Fault as fault:
        raise Misuse(fault.reason, **fault.params) from None
    if len(named) > MOST_PLAYERS:
        raise Misuse("too_many_contestants", most=MOST_PLAYERS)
    return tuple(named)


def read_clock(movetime: str | None, simulations: str | None) -> Clock:
    """What a choice may take where a player does not say."""
    if movetime is not None and simulations is not None:
        raise Misuse("not_together", option="--movetime", other="--simulations")
    if movetime is not None:
        return Clock(milliseconds=read_number("--movetime", movetime, 1, MOST_BUDGET))
    if simulations is not None:
        return Clock(simulations=read_number("--simulations", simulations, 1, MOST_BUDGET))
    return Clock()


def read_decks(deals: str | None, matches: str | None) -> Length:
    """How many deals, or matches."""
    if deals is not None and matches is not None:
        raise Misuse("not_together", option="--matches", other="--deals")
    if matches is not None:
        return Length(read_number("--matches", matches, 1, MOST_DECKS), True)
    decks = USUAL_DECKS if deals is None else read_number("--deals", deals, 1, MOST_DECKS)
    return Length(decks, False)


def read_duels(
    contestants: Sequence[Contestant],
    rules: Ruleset,
    seed: int,
    length: Length,
    seatings: str,
    table: bool,
) -> tuple[Duel, ...]:
    """The duels that are to be played. Raises `Misuse`."""
    sides = len(contestants) if table else 2
    try:
        return duels_of(
            contestants,
            rules,
            seed,
            length.decks,
            seatings=_seatings(seatings, rules, sides),
            matches=length.matches,
            table=table,
        )
    except Fault as fault:
        raise Misuse(fault.reason, **fault.params) from None


def _seatings(text: str, rules: Ruleset, sides: int) -> int | None:
    if text == ALL:
        return None
    if text == FEW:
        return few(rules.players, sides, rules.sides.partners)
    if not text[:1].isdigit():
        raise Misuse(
            "no_such_choice", option="--seatings", value=text, values=f"{ALL}, {FEW}, 2, …"
        )
    return read_number("--seatings", text, 1, MOST_BUDGET)


def read_stop(until: str | None, decide: bool) -> Stop:
    """What ends a duel early."""
    if until is None:
        return Stop(decide=decide)
    width = float(until.replace(",", ".")) if _WIDTH.fullmatch(until) else 0.0
    if not width:
        raise Misuse("no_such_width", value=until)
    return Stop(width, decide)
