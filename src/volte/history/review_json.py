"""What a look back on a match answers to programs (`volte review --json`)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from volte.bots.protocol import Estimate
from volte.bots.reviewing import Judged
from volte.cards import Card, cards_in
from volte.game import Pass, Phase, Play
from volte.history.review import LookedBack
from volte.rules import options_of

Answer = dict[str, Any]


def answer(looked: LookedBack) -> Answer:
    """All that was found; seats, deals and tricks count from 1."""
    state, review = looked.state, looked.review
    return {
        "rules": options_of(state.rules),
        "players": [
            {"name": player.name, "person": player.person, "level": player.level or None}
            for player in state.players
        ],
        "finished": state.phase is Phase.ENDED,
        "winners": [seat + 1 for seat in state.winners],
        "seats": [seat + 1 for seat in looked.seats],
        "deals": [
            {"deal": deal.number, "points": deal.points, "totals": deal.totals, "cards": deal.cards}
            for deal in review.deals
        ],
        "parts": [
            None if (parts := review.parts(seat)) is None else asdict(parts)
            for seat in range(len(state.players))
        ],
        "choices": len(review.judged),
        "left_out": review.left_out,
        "costliest": [
            _judged(judged) for seat in looked.seats for judged in review.costliest(seat)
        ],
    }


def _judged(judged: Judged) -> Answer:
    deal = judged.view.deal
    return {
        "seat": judged.seat + 1,
        "deal": judged.deal,
        "trick": judged.trick,
        "hand": _codes(cards_in(judged.view.hand.mask)),
        "leader": deal.leader + 1 if judged.trick else None,
        "table": _codes(deal.trick),
        "done": _estimate(judged.done),
        "best": _estimate(judged.best),
        "reason": judged.reason.value,
        "cost": {
            "points": judged.behind,
            "error": judged.error,
            "part_of_win": judged.lost if judged.wins else None,
            "stakes": None if judged.wins else judged.lost,
        },
    }


def _estimate(estimate: Estimate) -> Answer:
    action = estimate.action
    assert isinstance(action, Play | Pass)
    cards = (action.card,) if isinstance(action, Play) else action.cards
    return {"cards": _codes(cards), "margin": estimate.margin, "worth": estimate.worth}


def _codes(cards: tuple[Card, ...] | list[Card]) -> list[str]:
    return [str(card) for card in cards]
