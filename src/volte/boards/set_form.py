"""The form of a set of deals: its title, its deals in their order, and sentences between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

import msgspec

from volte.boards.sets import DealSet, SetDeal
from volte.forms.fields import Amount, Choice, Field, FilledForm, Wrong, declared
from volte.names import clean_name
from volte.say import N_
from volte.talk.service import line_field

MOST_DEALS: Final = 20
"""Largest number of deals in a set."""

LONGEST_SENTENCE: Final = 300  # characters

SPARE: Final = 3  # empty rows that the form shows after those that are filled

ROWS: Final = range(1, MOST_DEALS + 1)

NO_DEAL: Final = N_("Choose at least one deal.")
TWICE: Final = N_("This deal is already in the set.")
WITHOUT: Final = N_("Choose a deal for this sentence, or delete the sentence.")


def fields_for(boards: Iterable[str]) -> dict[str, Field]:
    """The fields of the form.

    Args:
        boards: ids of those that may be chosen.
    """
    values = ("", *boards)
    rows = (
        (
            Choice(f"deal{row}", values=values),
            Amount(f"place{row}", None, least=1, most=MOST_DEALS, optional=True),
            line_field(f"before{row}", LONGEST_SENTENCE),
        )
        for row in ROWS
    )
    title, last = Field("title", meant=clean_name), line_field("last", LONGEST_SENTENCE)
    return declared(title, *chain.from_iterable(rows), last)


def values_of(deal_set: DealSet) -> dict[str, Any]:
    """The values of the fields for a set."""
    values: dict[str, Any] = {"title": deal_set.title, "last": deal_set.last}
    for row, step in enumerate(deal_set.steps, start=1):
        values |= {f"deal{row}": step.board, f"place{row}": row, f"before{row}": step.before}
    return values


def read_set(form: FilledForm) -> dict[str, Any]:
    """Title, deals and last sentence of a set, as fields of `DealSet`. Raises `Wrong`."""
    values = form.read(_faults)
    rows = [row for row in ROWS if values[f"deal{row}"]]
    rows.sort(key=lambda row: values[f"place{row}"] or MOST_DEALS + 1)
    steps = tuple(SetDeal(values[f"deal{row}"], values[f"before{row}"]) for row in rows)
    return {
        "title": values["title"],
        "content": msgspec.json.encode(steps),
        "last": values["last"],
    }


def _faults(values: Mapping[str, Any]) -> Iterator[Wrong]:
    seen = set[str]()
    for row in ROWS:
        board = values.get(f"deal{row}")
        if board in seen:
            yield Wrong(f"deal{row}", TWICE)
        elif board:
            seen.add(board)
        elif board == "" and values.get(f"before{row}"):
            yield Wrong(f"deal{row}", WITHOUT)
    if not seen and "" in (values.get(f"deal{row}") for row in ROWS):
        yield Wrong("deal1", NO_DEAL)


def rows_shown(form: FilledForm) -> range:
    """The rows of the form that a page shows: those that are filled, and some more."""
    filled = [row for row in ROWS if form[f"deal{row}"] or form[f"before{row}"]]
    return range(1, min(max(filled, default=0) + SPARE, MOST_DEALS) + 1)
