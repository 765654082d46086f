"""Stakes in money, and who pays whom (M1–M6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache

import msgspec

from volte.rules import Settlement
from volte.scorekeeper.model.entries import Open, SheetFault
from volte.scorekeeper.model.sheet import Sheet
from volte.scorekeeper.model.table import next_dealer


class StakeTransfer(msgspec.Struct, frozen=True):
    """A payment from one player, or the pot, to another."""

    giver: int | None  # a seat, or None for the pot
    taker: int | None  # likewise
    stakes: int  # above zero


def worth(sheet: Sheet, stakes: int) -> Decimal | None:
    """What those stakes are worth in money, exactly; None where no money is played for."""
    return stakes * Decimal(sheet.stake) if sheet.stake else None


def payments(net: Sequence[int], pot: int = 0) -> tuple[StakeTransfer, ...]:
    """Who pays whom, in the fewest payments that there can be.

    Players who are even among themselves need one payment less than they are: so the most groups
    that come out even are looked for, and found by trying them all.

    Args:
        net: what each seat has won, or lost as a minus.
        pot: what stays in the pot more than came; with it the net adds up to zero.

    Raises `SheetFault` where it does not.
    """
    if sum(net) + pot:
        raise SheetFault("does_not_add_up", pot=pot, sum=sum(net))
    accounts = (*net, pot)
    seats = (*range(len(net)), None)
    return tuple(
        StakeTransfer(seats[giver], seats[taker], stakes)
        for group in _groups(accounts)
        for giver, taker, stakes in _squared({place: accounts[place] for place in group})
    )


def _groups(accounts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The places that are not even yet in as many groups as can be, each coming out even."""

    @cache
    def best(left: int) -> tuple[int, ...]:
        if not left:
            return ()
        first = left & -left  # the group of the first one left, then the best of the rest
        found: tuple[int, ...] = (left,)
        for group in _subsets(left ^ first):
            whole = group | first
            even = not sum(stakes for place, stakes in enumerate(accounts) if whole >> place & 1)
            if even and whole != left:
                candidate = (whole, *best(left ^ whole))
                if len(candidate) > len(found):
                    found = candidate
        return found

    uneven = sum(1 << place for place, stakes in enumerate(accounts) if stakes)
    return tuple(
        tuple(place for place in range(len(accounts)) if group >> place & 1)
        for group in best(uneven)
    )


def _subsets(mask: int) -> Iterator[int]:
    """Every subset of a mask, the smallest number first."""
    subset = 0
    while True:
        yield subset
        if subset == mask:
            return
        subset = (subset - mask) & mask


def _squared(accounts: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """The payments that bring one group to zero: whoever owes most pays whoever is owed most."""
    while any(accounts.values()):
        giver = min(accounts, key=lambda place: (accounts[place], place))
        taker = max(accounts, key=lambda place: (accounts[place], -place))
        stakes = min(-accounts[giver], accounts[taker])
        accounts[giver] += stakes
        accounts[taker] -= stakes
        yield giver, taker, stakes


def who_pays(sheet: Sheet) -> tuple[StakeTransfer, ...]:
    """The payments that the sheet comes to so far; none while lots are due."""
    table = sheet.table
    if table.net is None:
        return ()
    return payments(table.net, table.pot - sheet.opening_pot)


def next_match(sheet: Sheet) -> Open:
    """The same players and rules again, with the pot that nobody has taken (M6).

    The deal passes on to the left (D2).
    """
    pot = sheet.table.pot if sheet.rules.stakes.settlement is Settlement.POT else 0
    dealer = next_dealer(sheet.dealings, sheet.table)
    return Open(
        sheet.rules,
        sheet.names,
        sheet.title,
        sheet.stake,
        sheet.currency,
        pot,
        dealer=dealer,
    )
