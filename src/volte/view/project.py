"""The other way to a view: the full state with what a seat may not know taken out.

Only the tests use it, to hold the law that `View` equals it; a program that has the full state
has no business making views from it.
"""

from __future__ import annotations

from msgspec.structs import replace

from volte.game import DealState, MatchState, visible_transfer
from volte.referee import RefereedDeal


def project(state: MatchState, seat: int | None) -> MatchState:
    """The state as that seat may know it."""
    return replace(
        state,
        deal=state.deal and project_deal(state.deal, seat),
        before=state.before and project_deal(state.before, seat),
    )


def project_deal(deal: DealState, seat: int | None) -> DealState:
    """The deal as that seat may know it: of the duties that plays have broken, its own."""
    if isinstance(deal, RefereedDeal):
        deal = replace(
            deal,
            base=deal.base and project_deal(deal.base, seat),
            breaches=tuple(each for each in deal.breaches if each.seat == seat),
        )
    return replace(
        deal,
        hands=tuple(hand if owner == seat else 0 for owner, hand in enumerate(deal.hands)),
        kitty=deal.kitty if seat is not None and deal.kitty_taker == seat else 0,
        passes=tuple(
            cards if cards is None or owner == seat else ()
            for owner, cards in enumerate(deal.passes)
        ),
        transfers=tuple(visible_transfer(transfer, seat) for transfer in deal.transfers),
    )
