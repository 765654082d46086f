"""A look at the table in one answer, and at one seat: what eyes would see there."""

from __future__ import annotations

from volte.cards import mask_of
from volte.game import DealState, Phase
from volte.referee import RefereedDeal
from volte.say import answers
from volte.say.language import N_, Language
from volte.say.telling import Lines, Telling
from volte.view import View

_LIES = (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)
"""While cards lie on the table, or are held."""


def situation(language: Language, view: View) -> Lines:
    """G: the trick, who would take it, its points, and the own hand by suit; () between deals."""
    deal = view.state.deal
    if deal is None or view.state.phase not in _LIES:
        return ()
    held = answers.hand(language, view, places=False) if view.seat is not None else ()
    if view.state.phase is Phase.PASSING:
        return held
    return (*answers.table(language, view), *_worth(Telling(language, view), deal), *held)


def _worth(telling: Telling, deal: DealState) -> Lines:
    """Who would take the trick as it lies, and what it counts; () where no card lies there."""
    laid = [each.card for each in deal.laid] if isinstance(deal, RefereedDeal) else deal.trick
    if not laid:
        return ()
    points = telling.points(deal.rules.points_in(mask_of(laid) | deal.held))
    winner = telling.view.winning
    if winner is None:
        return (telling.t("Nobody would take it: {points}.", points=points),)
    own, other = N_("You would take it: {points}."), N_("{player} would take it: {points}.")
    return (telling.by(winner, own, other, points=points),)


def seat(language: Language, view: View, number: int) -> Lines:
    """Shift and a digit: cards left, points, total, and suits that are known to be missing."""
    telling = Telling(language, view)
    players = view.state.rules.players
    if not 0 <= number < players:
        return (telling.t("This table has {count} seats.", count=players),)
    total = view.state.totals[number]
    deal = view.state.deal
    if deal is None or view.state.phase not in _LIES:
        own, other = N_("You: {total} in all."), N_("{player}: {total} in all.")
        return (telling.by(number, own, other, total=total),)
    lines = [
        telling.by(
            number,
            N_("You: {cards}, {points} in this deal, {total} in all."),
            N_("{player}: {cards}, {points} in this deal, {total} in all."),
            cards=telling.n("{count} card", "{count} cards", deal.hand_sizes()[number]),
            points=telling.points(deal.rules.points_in(deal.captured(number))),
            total=total,
        )
    ]
    voids = [telling.t("no {suit}", suit=suit) for suit in view.voids(number)]
    if voids:
        lines.append(telling.t("Known: {voids}.", voids=", ".join(voids)))
    return tuple(lines)
