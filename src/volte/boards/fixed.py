"""Deals that are fixed beforehand by a secret with a digest: of a day, or of a week of a club."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from volte.boards.board import Board, BoardDeal, one_deal, packed
from volte.cards import Card
from volte.fair.house import SECRET_BYTES, Stream, encode
from volte.rules import Ruleset
from volte.table.admission import USUAL

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""A date in UTC, which is the id of the board of a day."""

WEEK: Final = re.compile(r"([\w-]{1,64})-([0-9]{4}-W[0-9]{2})", re.ASCII)
"""A club and an ISO week in UTC, which are the id of the board of that club's week."""


class DealTerm(NamedTuple):
    """The time for which a deal is fixed."""

    board: str  # id of its board
    club: str  # id of the club whose week it is; empty for a day
    first: date  # the day, or the Monday of the week

    @property
    def label(self) -> bytes:
        """The first field of its digest."""
        return b"volte deal of the week 1" if self.club else b"volte deal of the day 1"

    @property
    def begins(self) -> float:
        """The moment when it begins in UTC, in seconds since 1970."""
        return _midnight(self.first)

    @property
    def ends(self) -> float:
        """The moment when it is over in UTC, in seconds since 1970."""
        return _midnight(self.first + timedelta(7 if self.club else 1))


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def term_of(board: str) -> DealTerm | None:
    """The time that the id of a board names; None where it names none.

    >>> [str(term_of(each).first) for each in ("2026-12-01", "c1ab-2026-W49")]
    ['2026-12-01', '2026-11-30']
    >>> term_of("2026-13-01"), term_of("1.12.2026"), term_of("c1ab-2026-W99")
    (None, None, None)
    """
    week = WEEK.fullmatch(board)
    text = week[2] if week is not None else board
    try:
        named = week is not None or DAY.fullmatch(board) is not None
        return DealTerm(board, week[1] if week else "", date.fromisoformat(text)) if named else None
    except ValueError:
        return None


def day_at(seconds: float) -> date:
    """The date in UTC of a moment, in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date()


def digest_of(term: DealTerm, secret: bytes) -> bytes:
    """The digest that commits to a secret: SHA-256 of the label, the id of the board and the
    secret, each after its length in four bytes."""
    return hashlib.sha256(encode(term.label, term.board.encode(), secret)).digest()


def deck_from(term: DealTerm, secret: bytes, rules: Ruleset) -> tuple[Card, ...]:
    """The deck from a secret: the cards of the rules, shuffled by the stream "deal of BOARD"."""
    order = Stream(secret, f"deal of {term.board}", {}).permutation(len(rules.cards))
    return tuple(rules.cards[place] for place in order)


def in_week(rules: Ruleset, day: date) -> Ruleset:
    """Rules for a single deal; the direction of the pass changes by weeks."""
    cycle = rules.passing.cycle
    return one_deal(rules, cycle[day.toordinal() // 7 % len(cycle)])


def deal_from(term: DealTerm, secret: bytes, rules: Ruleset) -> BoardDeal:
    """The deal from a secret: everybody plays the eldest hand, seat 0, against bots."""
    deck = deck_from(term, secret, rules)
    levels = ("", *[USUAL] * (rules.players - 1))
    return BoardDeal(rules, rules.players - 1, deck, 0, levels)


def fixed_board(term: DealTerm, rules: Ruleset, now: float) -> Board:
    """A board for that time, from a new secret.

    Args:
        now: seconds since 1970.
    """
    secret = secrets.token_bytes(SECRET_BYTES)
    return Board(
        id=term.board,
        maker="",
        match="",
        number=1,
        cards=packed(deal_from(term, secret, rules)),
        secret=secret,
        master=secrets.token_bytes(SECRET_BYTES),
        made=now,
        ended=None,
        told=None,
        origin=term.board,
    )
