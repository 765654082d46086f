"""Remarks that characters make at a table now and then.

They follow from what everybody has seen, so they are the same for all, and after a restart; they
are no part of the match, and give nothing away that a seat alone knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from zlib import crc32

from volte.cards import QUEENS, mask_of
from volte.game import DealScored, MatchEnded, MatchState, TrickTaken
from volte.referee import Event
from volte.say.language import Language
from volte.say.texts import table

LINES: Final = table("characters")

SELDOM: Final = 2
"""Queens taken for each remark about one, on average."""


class Remark(NamedTuple):
    """A phrase that a character says at the table, and its seat."""

    seat: int
    line: str


def remark(
    language: Language, event: Event, after: MatchState, levels: Sequence[str]
) -> Remark | None:
    """The remark that a character makes on an event; None where nobody makes one.

    Args:
        after: the match after it, as anybody may see it.
        levels: level or character at each seat now: only characters say something.
    """
    moment, seat = _moment(event, after)
    if seat is None or seat >= len(levels) or levels[seat] not in LINES["styles"]:
        return None
    return Remark(seat, language.t(LINES[moment][levels[seat]]))


def _moment(event: Event, after: MatchState) -> tuple[str, int | None]:
    """Name of the moment, and the seat that may remark on it; None for nobody."""
    match event:
        case TrickTaken(seat=taker) if after.deal is not None and after.deal.tricks:
            trick = after.deal.tricks[-1]
            queens = [place for place, card in enumerate(trick.cards) if card.bit & QUEENS]
            if not queens or not after.rules.points_in(mask_of(trick.cards) & QUEENS) > 0:
                return "", None
            giver = (trick.leader + queens[0]) % len(after.players)
            text = " ".join(card.text for card in trick.cards)
            drawn = crc32(f"{after.deal.number} {text}".encode())
            if drawn % SELDOM:
                return "", None
            mine = giver == taker or drawn // SELDOM % 2
            return ("queen_taken", taker) if mine else ("queen_given", giver)
        case DealScored():
            return "moon", after.deals[-1].moon
        case MatchEnded(winners=winners):
            return "won", winners[0] if len(winners) == 1 else None
    return "", None
