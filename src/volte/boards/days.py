"""The deal of the day: the same cards for everybody on one day, from a secret with a digest."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, date, datetime, timedelta
from typing import Final

from volte.boards.board import Board, BoardDeal, one_deal, packed
from volte.cards import Card
from volte.fair.house import SECRET_BYTES, Stream, encode
from volte.rules import Ruleset, make_ruleset
from volte.table.admission import USUAL

WEEK: Final = (
    *("dame-de-pique", "coeurs", "salon", "omnibus"),
    *("spot-hearts", "scatter", "salon-valet"),
)
"""Presets of the deals of the day, from Monday on."""

AHEAD: Final = 7
"""Days before its day on which the digest and the rules of a deal are told, at least."""

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""A date in UTC, which is the id of its board."""

DAY_SECONDS: Final = 24 * 3600.0


def day_at(seconds: float) -> date:
    """The date in UTC of a moment, in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date()


def day_named(text: str) -> date | None:
    """The date that a text names; None where it is no date.

    >>> day_named("2026-12-01"), day_named("2026-13-01"), day_named("1.12.2026")
    (datetime.date(2026, 12, 1), None, None)
    """
    try:
        return date.fromisoformat(text) if DAY.fullmatch(text) else None
    except ValueError:
        return None


def end_of(day: date) -> float:
    """The moment when a day is over in UTC, in seconds since 1970."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + DAY_SECONDS


def days_told(now: float) -> list[date]:
    """The days of which digest and rules are told: today, and a week from then on."""
    return [day_at(now) + timedelta(days) for days in range(AHEAD + 1)]


def rules_of_day(day: date) -> Ruleset:
    """The rules of a day: the preset of its weekday; the direction of the pass changes by weeks."""
    rules = make_ruleset(WEEK[day.weekday()])
    cycle = rules.passing.cycle
    return one_deal(rules, cycle[day.toordinal() // 7 % len(cycle)])


def digest_of_day(day: str, secret: bytes) -> bytes:
    """The digest that commits to the secret of a day: SHA-256 of the fields "volte deal of the day
    1", the date and the secret, each after its length in four bytes."""
    return hashlib.sha256(encode(b"volte deal of the day 1", day.encode(), secret)).digest()


def deck_of_day(day: str, secret: bytes, rules: Ruleset) -> tuple[Card, ...]:
    """The deck of a day: the cards of the rules, shuffled by the stream "deal of DATE"."""
    order = Stream(secret, f"deal of {day}", {}).permutation(len(rules.cards))
    return tuple(rules.cards[place] for place in order)


def deal_of_day(day: date, secret: bytes) -> BoardDeal:
    """The deal of a day: everybody plays the eldest hand, seat 0, against bots."""
    rules = rules_of_day(day)
    deck = deck_of_day(day.isoformat(), secret, rules)
    levels = ("", *[USUAL] * (rules.players - 1))
    return BoardDeal(rules, rules.players - 1, deck, 0, levels)


def board_of_day(day: date, now: float) -> Board:
    """A board for a day, from a new secret.

    Args:
        now: seconds since 1970.
    """
    secret, named = secrets.token_bytes(SECRET_BYTES), day.isoformat()
    return Board(
        id=named,
        maker="",
        match="",
        number=1,
        cards=packed(deal_of_day(day, secret)),
        secret=secret,
        master=secrets.token_bytes(SECRET_BYTES),
        made=now,
        ended=None,
        told=None,
        origin=named,
    )
