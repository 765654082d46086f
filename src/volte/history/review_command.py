"""`volte review`: a match on record, looked back on."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from volte.bots.protocol import Clock, Estimate
from volte.bots.reviewing import AFTERWARDS, Judged, get_ready, review
from volte.cards import Card, cards_in
from volte.console.options import given, print_json, words_for
from volte.console.plot import Plot
from volte.console.progress import progress_on
from volte.console.terminal import Console, Misuse
from volte.game import Pass, Phase, Play
from volte.history.review import LookedBack, ReviewReport, chart_text, heading
from volte.history.review_plot import picture
from volte.notation import Record, parse_record
from volte.rules import options_of
from volte.say import Words


def look_back(
    lang: str,
    file: Path,
    seat: str | None,
    chart: Path | None,
    simulations: int | None,
    as_json: bool,
    plain: bool,
    width: int | None,
) -> None:
    """Thinks about every choice, tells what was found, and draws it. Raises a `Fault`."""
    console, words = Console.here(width, plain), Words(lang)
    clock = AFTERWARDS if simulations is None else Clock(simulations=simulations)
    canvas = Plot(chart) if chart is not None else None
    record = parse_record(given(file))
    seats = chosen_seats(record, seat)
    with progress_on(sys.stderr, words, console.plain) as progress:
        with progress.getting_ready():
            get_ready(record.state.rules)
        found = review(record.log, seats, clock, progress)
    looked = LookedBack(record.log, record.state, seats, found, only_person(record))
    if as_json:
        print_json(answer(looked))
    else:
        report = ReviewReport(words_for(lang, console.plain), looked)
        console.say(*report.lines(console.table_width))
    if canvas is not None and found.deals:
        canvas.save(lambda: picture(words, looked), heading(words, looked))
        if not as_json:
            console.say("", *chart_text(words, looked))


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


Answer = dict[str, Any]


def answer(looked: LookedBack) -> Answer:
    """All that was found; seats, deals and tricks count from 1."""
    state, review = looked.state, looked.review
    return {
        "rules": options_of(state.rules),
        "players": [
            {"name": player.name, "person": player.person, "level": player.level or None}
            for player in state.players
        ],
        "finished": state.phase is Phase.ENDED,
        "winners": [seat + 1 for seat in state.winners],
        "seats": [seat + 1 for seat in looked.seats],
        "deals": [
            {"deal": deal.number, "points": deal.points, "totals": deal.totals, "cards": deal.cards}
            for deal in review.deals
        ],
        "parts": [
            None if (parts := review.parts(seat)) is None else asdict(parts)
            for seat in range(len(state.players))
        ],
        "choices": len(review.judged),
        "left_out": review.left_out,
        "costliest": [
            _judged(judged) for seat in looked.seats for judged in review.costliest(seat)
        ],
    }


def _judged(judged: Judged) -> Answer:
    deal = judged.view.deal
    return {
        "seat": judged.seat + 1,
        "deal": judged.deal,
        "trick": judged.trick,
        "hand": _codes(cards_in(judged.view.hand.mask)),
        "leader": deal.leader + 1 if judged.trick else None,
        "table": _codes(deal.trick),
        "done": _estimate(judged.done),
        "best": _estimate(judged.best),
        "reason": judged.reason.value,
        "cost": {
            "points": judged.behind,
            "error": judged.error,
            "part_of_win": judged.lost if judged.wins else None,
            "stakes": None if judged.wins else judged.lost,
        },
    }


def _estimate(estimate: Estimate) -> Answer:
    action = estimate.action
    assert isinstance(action, Play | Pass)
    cards = (action.card,) if isinstance(action, Play) else action.cards
    return {"cards": _codes(cards), "margin": estimate.margin, "worth": estimate.worth}


def _codes(cards: tuple[Card, ...] | list[Card]) -> list[str]:
    return [str(card) for card in cards]
