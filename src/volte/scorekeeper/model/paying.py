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
    taker: int | None  # a seat, or None for the pot
    stakes: int  # above zero


def worth(sheet: Sheet, stakes: int) -> Decimal | None:
    """The exact worth of stakes in money; None where no money is played for."""
    return stakes * Decimal(sheet.stake) if sheet.stake else None


def payments(net: Sequence[int], pot: int = 0) -> tuple[StakeTransfer, ...]:
    """Settle the balances in as few payments as possible.

    A group of players whose balances cancel out needs one payment less than it has players. So
    the split into the most such groups is found, by trying them all.

    Args:
        net: stakes won by each seat; losses are negative.
        pot: growth of the pot; together with it the net must add up to zero.

    Raises `SheetFault` if it does not.
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
    """The places whose balance is not zero, in as many groups as possible that cancel out."""

    @cache
    def best(left: int) -> tuple[int, ...]:
        if not left:
            return ()
        first = left & -left  # try the groups with the first place left, then the best of the rest
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
    """Payments that bring a group to zero: the largest debtor pays the largest creditor."""
    while any(accounts.values()):
        giver = min(accounts, key=lambda place: (accounts[place], place))
        taker = max(accounts, key=lambda place: (accounts[place], -place))
        stakes = min(-accounts[giver], accounts[taker])
        accounts[giver] += stakes
        accounts[taker] -= stakes
        yield giver, taker, stakes


def who_pays(sheet: Sheet) -> tuple[StakeTransfer, ...]:
    """The payments that would settle the sheet now; none while lots are due."""
    table = sheet.table
    if table.net is None:
        return ()
    return payments(table.net, table.pot - sheet.opening_pot)


def next_match(sheet: Sheet) -> Open:
    """Open another match with the same players and rules, and the pot left over (M6).

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
