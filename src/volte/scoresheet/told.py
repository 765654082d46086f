"""What people tell of a deal: the cards taken, or the points, or what stopped it."""

from __future__ import annotations

import msgspec

from volte.cards import Card
from volte.referee import Misdeal


class _Told(msgspec.Struct, frozen=True, tag_field="kind"):
    """As data, each tells its kind in the field `kind`."""


class Taken(_Told, frozen=True, tag="taken"):
    """A deal by the cards taken.

    Attributes:
        hearts: how many each player has taken. One may be left out as None, who took the rest;
            where those told are all there are, everybody left out took none.
        queen: who took her; None where she does not count, or is missing.
        jack: who took the jack of diamonds; None where he does not count, or is missing.
        all_tricks: who took every trick, where that counts (S4); then all else may be left out,
            but for nothing else.
        missing: cards that count and are missing from the pack (I8).
    """

    hearts: tuple[int | None, ...]
    queen: int | None = None
    jack: int | None = None
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()


class Counted(_Told, frozen=True, tag="counted"):
    """A deal by the points, those of the jack among them, see `counting` for how they are read.

    Attributes:
        points: of each player. One may be left out as None, who has the rest; where those told
            are all there are, everybody left out has none.
        jack: who took him; needed only where the points can be read in two ways without.
        all_tricks: who took every trick, where that counts (S4).
        missing: cards that count and are missing from the pack (I8).
    """

    points: tuple[int | None, ...]
    jack: int | None = None
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()


class Stopped(_Told, frozen=True, tag="stopped"):
    """A deal that was stopped: some score the penalty total, the others nothing (I5, I7).

    Attributes:
        revoked: whoever has been shown to have revoked, each once.
        mixed: whoever had their tricks so mixed that nothing can be shown.
    """

    revoked: tuple[int, ...] = ()
    mixed: tuple[int, ...] = ()


class Misdealt(_Told, frozen=True, tag="misdealt"):
    """No deal: the dealer has lost it, and the next player deals (I1)."""

    cause: Misdeal


Told = Taken | Counted | Stopped | Misdealt
