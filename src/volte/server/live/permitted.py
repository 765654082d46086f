"""What a person may do at a refereed table, where next to nothing is refused (I1–I9)."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import CardSet
from volte.game import Refusal
from volte.referee import RefereedDeal, RefereedMatch, TakeBack, decide, to_act
from volte.view import View


def playable(view: View) -> CardSet:
    """The cards that the seat can lay on the table now, in turn or out of turn.

    Any of its hand while it has no card there; whoever has taken a card back plays lawfully.
    """
    deal, seat = view.deal, view.seat
    assert isinstance(deal, RefereedDeal)
    if seat is None or deal.reckoned is not None:
        return CardSet()
    if deal.full:  # the next lead turns the trick down
        return view.hand if deal.turner == seat else CardSet()
    if deal.lies(seat) is not None:
        return CardSet()
    return view.legal if deal.bound >> seat & 1 else view.hand


def may(view: View, match: RefereedMatch, seat: int) -> Iterator[str]:
    """What the seat can do in the tricks of a deal, and once they are played."""
    deal = match.lying
    if match.reckoned is None:
        yield from _at_the_trick(view, match, seat)
    elif match.shooter is None and seat in to_act(match):
        yield "Accept" if match.last else "Cut"
    if deal.tricks:
        yield "ClaimRevoke"


def _at_the_trick(view: View, match: RefereedMatch, seat: int) -> Iterator[str]:
    deal = match.lying
    if deal.full and deal.turner == seat:
        yield "TurnDown"
    if playable(view):
        yield "Play" if seat in to_act(match) else "PlayEarly"
    if not isinstance(decide(match, TakeBack(seat)), Refusal):
        yield "TakeBack"
    if any(each.seat != seat for each in deal.laid):
        yield "Object"
