"""What a person hears of tricks: what cancels, what waits, who takes it, and the kitty."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import Card, mask_of, twin
from volte.game import DealState
from volte.game import events as ev
from volte.rules import HeartsLead, QueenPlay, trick_winner
from volte.say import refereeing
from volte.say.language import N_
from volte.say.telling import Telling, spoken_order
from volte.say.verbosity import Verbosity


def tell(
    telling: Telling, event: ev.TrickTaken | ev.TrickHeld | ev.KittyTaken, verbosity: Verbosity
) -> Iterator[str]:
    match event:
        case ev.TrickTaken():
            yield from _taken(telling, event)
        case ev.TrickHeld():
            yield from _held(telling, verbosity)
        case ev.KittyTaken():
            yield _kitty(telling, event)


def equal_cards(telling: Telling, played: Card, trick: tuple[Card, ...]) -> Iterator[str]:
    """That a card is the second of its kind in a trick: it cancels the other, or it counts (W11).

    Args:
        trick: the cards on the table, this one among them.
    """
    if twin(played) not in trick:
        return
    pair = played, twin(played)
    led = next((card.suit for card in trick if card.suit is not None), None)
    if played.suit is led:
        yield telling.t("{cards:the} cancel each other.", cards=pair)
    elif abs(telling.view.deal.rules.values.get(played, 0)) > 1:
        yield telling.t("{cards:the} are both in this trick.", cards=pair)


def on_table(telling: Telling) -> tuple[Card, ...]:
    """The cards that lie on the table, in turn or not."""
    match = refereeing.refereed(telling)
    if match is None:
        return telling.view.deal.trick
    return tuple(laid.card for laid in match.lying.laid)


def hearts_break(before: DealState, after: DealState) -> bool:
    """Whether hearts have been broken, where anything has to wait for that (T4, W3)."""
    play = after.rules.play
    waits = play.hearts_lead is HeartsLead.ONCE_BROKEN
    waits = waits or play.queen_play is QueenPlay.ONCE_BROKEN
    return waits and after.broken and not before.broken


def waited(deal: DealState) -> tuple[Card, ...]:
    """The cards of earlier tricks that went to whoever took the last gathered one (W11)."""
    cards: list[Card] = []
    for trick in reversed(deal.tricks[:-1]):
        if trick.winner is not None:
            break
        cards += trick.cards
    return tuple(cards)


def _taken(telling: Telling, event: ev.TrickTaken) -> Iterator[str]:
    deal = telling.view.deal
    rules, trick, waiting = telling.state.rules, deal.tricks[-1], waited(deal)
    if trick_winner(trick.leader, trick.cards) is None:
        yield telling.t("The cards cancel each other: the last trick goes to whoever led it.")
    cards = (*trick.cards, *waiting)
    penalties = rules.points_in(mask_of(cards) & rules.penalty_mask)
    points = telling.points(penalties)
    if waiting and penalties:
        own = N_("You take the trick, and {count} cards that waited: {points}.")
        other = N_("{player} takes the trick, and {count} cards that waited: {points}.")
        yield telling.by(event.seat, own, other, count=len(waiting), points=points)
    elif waiting:
        own = N_("You take the trick, and {count} cards that waited.")
        other = N_("{player} takes the trick, and {count} cards that waited.")
        yield telling.by(event.seat, own, other, count=len(waiting))
    elif penalties:
        own, other = N_("You take the trick: {points}."), N_("{player} takes the trick: {points}.")
        yield telling.by(event.seat, own, other, points=points)
    else:
        yield telling.by(event.seat, N_("You take the trick."), N_("{player} takes the trick."))
    yield from _bonuses(telling, cards)


def _bonuses(telling: Telling, cards: tuple[Card, ...]) -> Iterator[str]:
    """The cards that count below zero, two equal ones together."""
    values = telling.state.rules.values
    for card in cards:
        if values.get(card, 0) < 0:
            equal = tuple(each for each in cards if each in (card, twin(card)))
            if card is equal[0]:
                points = telling.points(values[card] * len(equal))
                yield telling.t("With {cards:the}: {points}.", cards=equal, points=points)


def _held(telling: Telling, verbosity: Verbosity) -> Iterator[str]:
    deal = telling.view.deal
    points = deal.rules.points_in(deal.held & deal.rules.penalty_mask)
    if verbosity.little:
        yield telling.t("Nobody takes the trick.")
    elif points:
        waits = N_("The cards cancel each other, and wait for the next trick: {points}.")
        yield telling.t(waits, points=telling.points(points))
    else:
        yield telling.t("The cards cancel each other, and wait for the next trick.")
    yield telling.by(deal.leader, N_("You lead again."), N_("{player} leads again."))


def _kitty(telling: Telling, event: ev.KittyTaken) -> str:
    if event.cards is None:
        own, other = N_("You take the kitty."), N_("{player} takes the kitty.")
        return telling.by(event.seat, own, other)
    points = telling.points(telling.state.rules.points_in(mask_of(event.cards)))
    own = N_("You take the kitty, {cards:the}: {points}.")
    other = N_("{player} takes the kitty, {cards:the}: {points}.")
    cards = spoken_order(event.cards)
    return telling.by(event.seat, own, other, cards=cards, points=points)
