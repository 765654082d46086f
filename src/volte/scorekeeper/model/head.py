"""What stands at the head of a sheet: names, title, stake, and what they may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from volte.names import LONGEST_NAME, NameFault, clean_name, looks, on_one_line
from volte.scorekeeper.model.entries import SheetFault

LONGEST_TITLE: Final = 80
LONGEST_CURRENCY: Final = 12
LONGEST_REMARK: Final = 200

_STAKE: Final = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{1,4})?")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def names_typed(names: Sequence[str], before: Sequence[str] = ()) -> tuple[str, ...]:
    """The names that somebody has just typed, cleaned, and no two of them alike.

    Args:
        before: names that the sheet has; they may stay as they are.

    Raises `SheetFault`.
    """
    typed = [name if name in before else _typed(name, place) for place, name in enumerate(names)]
    for place, name in enumerate(typed):
        later = [other for other in typed[place + 1 :] if other in before]
        others = [*typed[:place], *later]
        if name not in before and any(looks(name) & looks(other) for other in others):
            raise SheetFault("name_twice", number=place + 1, name=name)
    return tuple(typed)


def names_read(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """The names that a sheet has, also an old one, tidied. Raises `SheetFault`."""
    if len(names) != players:
        raise SheetFault("names_given", given=len(names), due=players)
    tidied = tuple(_tidied(name, LONGEST_NAME) for name in names)
    for place, name in enumerate(tidied):
        if not name:
            raise SheetFault("name_empty", number=place + 1)
        if name.casefold() in map(str.casefold, tidied[:place]):
            raise SheetFault("name_twice", name=name)
    return tidied


def _typed(name: str, place: int) -> str:
    if not name.strip():
        raise SheetFault("name_empty", number=place + 1)
    try:
        return clean_name(name)
    except NameFault as fault:
        raise SheetFault("name_unfit", number=place + 1, fault=fault) from None


def title_read(title: str) -> str:
    """The title, tidied. Raises `SheetFault`."""
    return _tidied(title, LONGEST_TITLE)


def currency_read(currency: str) -> str:
    """The name of a currency, tidied. Raises `SheetFault`."""
    return _tidied(currency, LONGEST_CURRENCY)


def remark_read(remark: str) -> str:
    """Who or why, tidied. Raises `SheetFault`."""
    return _tidied(remark, LONGEST_REMARK)


def stake_read(text: str) -> str:
    """What a stake is worth: digits with a point, or nothing. Raises `SheetFault`."""
    plain = text.strip()
    if not plain:
        return ""
    if not _STAKE.fullmatch(plain) or not (stake := Decimal(plain.replace(",", "."))):
        raise SheetFault("not_a_stake", text=text)
    return str(stake)


def date_read(text: str) -> str:
    """A day as `2026-11-21`, or nothing. Raises `SheetFault`."""
    plain = text.strip()
    if not plain:
        return ""
    try:
        if not _DATE.fullmatch(plain):
            raise ValueError(plain)
        return date.fromisoformat(plain).isoformat()
    except ValueError:
        raise SheetFault("not_a_date", text=text) from None


def _tidied(text: str, most: int) -> str:
    """On one line, without signs that cannot be seen. Raises `SheetFault` when it is too long."""
    plain = on_one_line(text)
    if len(plain) > most:
        raise SheetFault("too_long_here", text=plain, most=most)
    return plain
