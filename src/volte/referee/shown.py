"""What the cards on the table prove: the only revokes that a bot claims (I9)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from volte.cards import Card, mask_of
from volte.game import DealState
from volte.game.evolve import duties_now, fold_held, fold_play, fold_trick
from volte.referee.state import Breach, RefereedDeal
from volte.rules import breach


def shown_revokes(deal: RefereedDeal) -> Iterator[Breach]:
    """The revokes in gathered tricks that are proved by what a seat has seen of the deal.

    A hand held whatever it has played since, and what is known to have been passed to it. A card
    of the suit led among these proves that it could have followed (T1). The queen among these
    proves that a discard before her was a revoke, whether or not the hand could have followed,
    unless she was barred from that trick (T5, T3, W3).

    Args:
        deal: as one seat sees it, or the whole one.
    """
    held = _shown_hands(deal)
    now = _from_the_start(deal)
    for trick in deal.tricks:
        now = replace(now, leader=trick.leader, turn=trick.leader)
        for card in trick.cards:
            seat = now.turn
            clause = _proved(now, held[seat], card)
            if clause:
                yield Breach(seat, now.trick_number, clause)
            held[seat] &= ~card.bit
            now = fold_play(now, seat, card)
        now = fold_held(now) if trick.winner is None else fold_trick(now, trick.winner)


def _shown_hands(deal: RefereedDeal) -> list[int]:
    """What every hand is known to have held when the first card was led."""
    held = list(deal.hands)
    for transfer in deal.transfers:
        held[transfer.taker] |= mask_of(transfer.cards or ())
    for trick in deal.tricks:
        for place, card in enumerate(trick.cards):
            held[(trick.leader + place) % len(held)] |= card.bit
    for laid in deal.laid:
        held[laid.seat] |= laid.card.bit
    return held


def _from_the_start(deal: RefereedDeal) -> DealState:
    nothing = (0,) * len(deal.hands)
    return replace(
        deal,
        trick=(),
        led=None,
        tricks=(),
        taken=nothing,
        won=nothing,
        kitty_taker=None,
        broken=False,
        voided=0,
        excluded=nothing,
        held=0,
    )


def _proved(deal: DealState, held: int, card: Card) -> str:
    duties = duties_now(deal)
    clause = breach(held, card, duties)
    barred = any(duty.clause in ("T3", "W3") for duty in duties)
    return clause if clause == "T1" or (clause == "T5" and not barred) else ""
