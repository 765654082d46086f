"""What a match has come to: places, the score sheet, and the ways to look at it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from volte import referee
from volte.game import MatchState
from volte.history.records import KEY, Log, carried, key_of, made_from, match_over
from volte.history.results import Outcome, outcome_of
from volte.history.store import Result
from volte.referee.scores import Row, Table, rows_of_match
from volte.rules import described
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.rulesheet.options import preset_title
from volte.say.scores import TableTelling, how_it_counts, remarks, won
from volte.store import MatchRow
from volte.table import TableEvent
from volte.table.setup import game_of
from volte.web.addresses import shared
from volte.web.page import page
from volte.web.score_chart import chart_of
from volte.web.visit import Visit


@dataclass(frozen=True)
class Line:
    """A deal of the score sheet, in words; the cells are points and the total after it."""

    number: str
    cells: tuple[tuple[str, str], ...]
    notes: str


async def match_page(visit: Visit) -> Response:
    """`/matches/{match}`: of a match that is over."""
    row = await match_over(visit)
    words = visit.words
    match, outcome = await made_from(visit, row, lambda log: (_folded(log), outcome_of(row, log)))
    table = rows_of_match(match)
    listing = await visit.room.store.listing(row.table)
    person = visit.person
    me = person.id if person is not None else ""
    telling = TableTelling(words, [player.name for player in match.players], table)
    preset, changes = described(match.rules)
    title = preset_title(words, preset)
    changed = set(changes) - {"players"}
    return page(
        visit,
        "match.html",
        match=row.id,
        date=day_and_time(words, row.begun),
        where=listing.name if listing is not None else "",
        rules=words.t("{rules}, with changes", rules=title) if changed else title,
        carried=carried(visit),
        played=row.played(me),
        ending=" ".join(won(telling)) if table.over else words.t("broken off"),
        standing=_standing(words, outcome, me) if table.over else [],
        stakes=bool(outcome.results) and outcome.results[0].stake is not None,
        columns=[telling.names(side) for side in telling.sides],
        lines=[_line(telling, each) for each in table.rows],
        totals=_totals(words, table),
        chart=chart_of(match.rules, [player.name for player in match.players], table),
        ladder=game_of(match.rules) if row.rated else "",
        to_share=_address(visit, row) if row.played(me) else "",
    )


def _folded(log: Log) -> MatchState:
    return referee.replay([each for each in log if not isinstance(each, TableEvent)])


def _standing(words: Words, outcome: Outcome, me: str) -> list[dict[str, Any]]:
    """Everybody, the best first."""
    ranked = sorted(outcome.results, key=lambda result: (result.place, result.seat, result.late))
    return [_placed(words, each, me) for each in ranked]


def _placed(words: Words, each: Result, me: str) -> dict[str, Any]:
    signed = f"+{each.stake}" if each.stake and each.stake > 0 else words.number(each.stake or 0)
    name = words.t("{name} (bot)", name=each.name) if each.level else each.name
    if each.person and each.person == me:
        name = words.t("{name} (you)", name=each.name)
    notes = [(each.left, N_("left before the end")), (each.late, N_("came while it was played"))]
    return {
        "place": words.number(each.place),
        "name": name,
        "note": ", ".join(words.t(note) for holds, note in notes if holds),
        "total": words.number(each.total),
        "stake": signed,
        "moons": words.number(each.moons),
        "queens": words.number(each.queens),
    }


def _line(telling: TableTelling, row: Row) -> Line:
    number = telling.language.number
    cells = tuple(
        (number(row.points[side[0]]), number(row.totals[side[0]])) for side in telling.sides
    )
    notes = " ".join((*remarks(telling, row), *how_it_counts(telling, row)))
    return Line(number(row.number or row.line), cells, notes)


def _totals(words: Words, table: Table) -> list[tuple[str, bool]]:
    """Each total, and whether it has won."""
    return [(words.number(table.totals[side[0]]), side[0] in table.winners) for side in table.sides]


def _address(visit: Visit, row: MatchRow) -> str:
    """What shows the match to whoever has it."""
    return f"{shared(visit)}/matches/{row.id}?{KEY}={key_of(row)}"
