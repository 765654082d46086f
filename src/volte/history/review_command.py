"""`volte review`: a match on record, looked back on."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Final

from volte.bots.protocol import Clock
from volte.bots.reviewing import AFTERWARDS, get_ready, review
from volte.console.numbers import read_number
from volte.console.options import given
from volte.console.progress import progress_on
from volte.console.symbols import words_for
from volte.console.terminal import Console, Misuse
from volte.history.review import LookedBack, ReviewReport
from volte.history.review_chart import chart_told
from volte.history.review_json import answer
from volte.history.review_plot import ReviewPlot
from volte.notation import Record, parse_record
from volte.say import Words

MOST_SIMULATIONS: Final = 10**7


def look_back(
    lang: str,
    file: Path,
    seat: str | None,
    chart: Path | None,
    simulations: str | None,
    as_json: bool,
    plain: bool,
    width: int | None,
) -> None:
    """Thinks about every choice, tells what was found, and draws it. Raises a `Fault`."""
    console, words = Console.here(width, plain), Words(lang)
    clock = AFTERWARDS
    if simulations is not None:
        clock = Clock(simulations=read_number("--simulations", simulations, 1, MOST_SIMULATIONS))
    picture = ReviewPlot(chart) if chart is not None else None
    record = parse_record(given(file))
    seats = chosen_seats(record, seat)
    with progress_on(sys.stderr, words, console.plain) as progress:
        with progress.getting_ready():
            get_ready(record.state.rules)
        found = review(record.log, seats, clock, progress)
    looked = LookedBack(record.log, record.state, seats, found, only_person(record))
    if as_json:
        print(json.dumps(answer(looked), ensure_ascii=False, indent=2))
    else:
        report = ReviewReport(words_for(lang, console.plain), looked)
        console.say(*report.lines(console.table_width))
    if picture is not None and found.deals:
        picture.draw(words, looked)
        if not as_json:
            console.say("", *chart_told(words, looked))


def only_person(record: Record) -> int | None:
    """The seat of the one person at the table; None where there is none, or several."""
    people = _people(record)
    return people[0] if len(people) == 1 else None


def chosen_seats(record: Record, named: str | None) -> tuple[int, ...]:
    """The seats that are looked at: the one that is named, by name or by number from 1; else those
    of people, or where there are none, every seat. Raises `Misuse`.
    """
    players = record.state.players
    if named is None:
        return _people(record) or tuple(range(len(players)))
    wanted = named.strip().casefold()
    found = [seat for seat, player in enumerate(players) if player.name.casefold() == wanted]
    if len(found) != 1 and re.fullmatch("[0-9]{1,2}", wanted):
        found = [seat for seat in range(len(players)) if seat == int(wanted) - 1]
    if len(found) != 1:
        names = tuple(player.name for player in players)
        raise Misuse("no_such_seat", seat=named, players=names, most=len(players))
    return (found[0],)


def _people(record: Record) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(record.state.players) if player.person)
