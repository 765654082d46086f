"""What whoever claims a revoke chooses from: the tricks that are turned down (I9)."""

from __future__ import annotations

from volte.say.language import N_, Language
from volte.say.telling import Lines, Telling
from volte.view import View


def tricks(language: Language, view: View) -> Lines:
    """The tricks of the deal in their order, a line each."""
    telling = Telling(language, view)
    deal = view.state.deal
    lines = []
    for number, trick in enumerate(deal.tricks if deal is not None else (), start=1):
        seats = [(trick.leader + place) % len(trick.cards) for place in range(len(trick.cards))]
        cards = telling.series(
            telling.t("{name}, {card:the}", name=telling.who(seat), card=card)
            for seat, card in zip(seats, trick.cards, strict=True)
        )
        own = N_("Trick {number}, to you: {cards}.")
        other = N_("Trick {number}, {player:to}: {cards}.")
        if trick.winner is None:
            lines.append(telling.t("Trick {number}, held: {cards}.", number=number, cards=cards))
        else:
            lines.append(telling.by(trick.winner, own, other, number=number, cards=cards))
    return tuple(lines) or (telling.t("No trick has been taken yet."),)
