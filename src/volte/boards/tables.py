"""The table of a try: its first happenings, everybody seated and the cards given."""

from __future__ import annotations

import hmac
from typing import Final

from volte.boards.board import Board
from volte.evenings.tables import TableOpening
from volte.fair import House
from volte.fair.house import encode as fields
from volte.fair.house import numeral
from volte.game import CardsOrigin
from volte.names import LONGEST_NAME
from volte.referee.codec import encode
from volte.table import Someone
from volte.table import happenings as hap
from volte.table.admission import bot_sits
from volte.table.decide import new_match
from volte.table.happenings import Happening
from volte.table.setup import Access, Setup, Talk, Watching
from volte.table.state import evolve, fold
from volte.table.stored import listing_of, row_after

TABLE_BYTES: Final = 10


def table_of(board: Board, person: str, attempt: int) -> str:
    """The id of the table of a try: it cannot be guessed, and the same try has one table."""
    purpose = fields(b"volte board table 1", board.id.encode(), person.encode(), numeral(attempt))
    return hmac.digest(board.master, purpose, "sha256")[:TABLE_BYTES].hex()


def opening(board: Board, table: str, who: Someone, name: str) -> TableOpening:
    """The table of a try, with the person and the bots seated and the match begun.

    Args:
        table: its id.
        name: the name of the table.
    """
    happened = _begun(board, who, name)
    state = fold(happened)
    row = row_after(None, table, happened, state, lambda: House(board.master))
    assert row is not None
    entries = tuple(encode(each) for each in happened)
    return TableOpening(table, entries, listing_of(table, state, ""), row)


def _begun(board: Board, who: Someone, name: str) -> tuple[Happening, ...]:
    deal = board.deal
    setup = Setup(
        name[:LONGEST_NAME].rstrip(),
        deal.rules,
        Access.PRIVATE,
        Watching.NOBODY,
        hints=False,
        talk=Talk.NOBODY,
        board=board.id,
    )
    happened: list[Happening] = [
        hap.Opened(setup, who.id, who.name),
        hap.Sat(deal.seat, who.id, who.name),
    ]
    state = fold(happened)
    for seat, level in enumerate(deal.levels):
        if seat != deal.seat:
            bot = bot_sits(state, seat, level)
            happened.append(bot)
            state = evolve(state, bot)
    given = hap.CardsGiven((deal.deck,), deal.dealer, CardsOrigin())
    return (*happened, given, *new_match(evolve(state, given)))
