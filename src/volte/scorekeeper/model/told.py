"""What people tell of a deal: the cards taken, or the points, or what stopped it.

Nobody tells two packs apart: a card is named by its kind, as of the first pack (W11).
"""

from __future__ import annotations

import msgspec

from volte.cards import Card
from volte.referee import Misdeal
from volte.referee.scores import Took


class _Told(msgspec.Struct, frozen=True, tag_field="kind"):
    """As data, each tells its kind in the field `kind`."""


class Taken(_Told, frozen=True, tag="taken"):
    """A deal by the cards taken.

    Attributes:
        hearts: what the hearts count that each player has taken: how many they are where each
            counts one (S1), the sum of their ranks where they count those (W5). One may be left
            out as None, who took the rest; where those told are all there are, everybody left
            out took none. At a table with partners a number for each side will do (W10).
        queen: who took her, where there is just one; None where she does not count, or is missing.
        jack: who took the jack of diamonds, likewise.
        all_tricks: who took every trick, where that counts (S4); then all else may be left out,
            but for nothing else. Of a side that did, the player who took most (W10).
        missing: cards that count and are missing from the pack (I8).
        others: who took the other cards that count, and the queens and jacks of two packs.
        trickless: who took no trick, where that counts (W6); None where it was not told.
        minus: which way the moon counts, where its shooter chooses (W7); None where nobody did.
    """

    hearts: tuple[int | None, ...]
    queen: int | None = None
    jack: int | None = None
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()
    others: tuple[Took, ...] = ()
    trickless: tuple[int, ...] | None = None
    minus: bool | None = None


class Counted(_Told, frozen=True, tag="counted"):
    """A deal by the points, those of the jack among them, see `points` for how they are read.

    Attributes:
        points: of each player, or of each side. One may be left out as None, who has the rest;
            where those told are all there are, everybody left out has none.
        jack: who took him; needed only where the points can be read in two ways without.
        all_tricks: who took every trick, where that counts (S4).
        missing: cards that count and are missing from the pack (I8).
        others: who took other cards that count below zero; needed as the jack is.
        trickless: who took no trick, likewise.
        minus: as for `Taken`.
    """

    points: tuple[int | None, ...]
    jack: int | None = None
    all_tricks: int | None = None
    missing: tuple[Card, ...] = ()
    others: tuple[Took, ...] = ()
    trickless: tuple[int, ...] | None = None
    minus: bool | None = None


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
