"""Sentences in as few words as can be, for somebody who knows the order of the seats.

A card that follows suit is its rank alone; the order of the seats tells who plays it.
"""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import QUEENS, Card, Suit, mask_of, twin
from volte.game import events as ev
from volte.rules import Direction, Opening
from volte.say import refereeing
from volte.say.deal import hearts_break, on_table, scatter_asked, tell_pass, waited
from volte.say.language import N_
from volte.say.telling import Telling, spoken_order
from volte.say.verbosity import Verbosity
from volte.view import View

Shortened = (
    ev.Dealt
    | ev.Passed
    | ev.Exchanged
    | ev.PlayStarted
    | ev.Played
    | ev.TrickTaken
    | ev.TrickHeld
    | ev.KittyTaken
)
"""Events that have shorter sentences of their own; of the others as much is said as at `BRIEF`."""


def tell(telling: Telling, before: View | None, event: Shortened) -> Iterator[str]:
    """Shortest sentences about an event."""
    match event:
        case ev.Played():
            assert before is not None
            yield from _played(telling, before, event)
        case ev.TrickTaken():
            yield _taken(telling, event)
        case ev.TrickHeld():
            yield telling.t("Nobody.")
            leader = telling.view.deal.leader
            yield telling.by(leader, N_("You lead again."), N_("{player} leads again."))
        case ev.KittyTaken():
            yield _kitty(telling, event)
        case ev.PlayStarted() if telling.mine(event.leader):
            yield _own_lead(telling, event)
        case ev.Passed() if event.cards is not None and telling.mine(event.seat):
            yield telling.t("Passed: {cards}.", cards=_in_order(telling, event.cards))
        case ev.Dealt() if telling.view.seat is not None:
            yield from _dealt(telling, event)
        case ev.Exchanged() if telling.view.deal.direction is not Direction.SCATTER:
            yield from _received(telling, event)
        case ev.Dealt() | ev.Exchanged():
            yield from tell_pass(telling, event, Verbosity.BRIEF)


# The deal


def _dealt(telling: Telling, event: ev.Dealt) -> Iterator[str]:
    yield telling.t("Deal {number}.", number=event.number)
    rules, seat = telling.state.rules, telling.view.seat
    if event.direction is Direction.SCATTER:
        yield scatter_asked(telling)
    elif event.direction is not Direction.HOLD:
        taker = telling.player(event.direction.target(seat, rules.players))
        count = rules.pass_size(event.direction)
        yield telling.t("Pass {count} {player:to}.", count=count, player=taker)
    elif rules.passing.count:
        yield telling.t("No pass.")


def _in_order(telling: Telling, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards as hands are read out; in a scatter as given: the order says who gets which (W1)."""
    return cards if telling.view.deal.direction is Direction.SCATTER else spoken_order(cards)


def _received(telling: Telling, event: ev.Exchanged) -> Iterator[str]:
    if telling.view.seat is None:
        yield telling.t("The cards have been passed.")
    for each in event.transfers:
        if telling.mine(each.taker) and each.cards:
            giver = telling.player(each.giver)
            yield telling.t("From {player}: {cards}.", player=giver, cards=spoken_order(each.cards))


def _own_lead(telling: Telling, event: ev.PlayStarted) -> str:
    if event.opening is None:
        return telling.t("Your lead.")
    if telling.state.rules.play.opening is Opening.ANY_CLUB:
        return telling.t("Your lead: any club.")
    return telling.t("Your lead: {card}.", card=event.opening)


# The trick


def _played(telling: Telling, before: View, event: ev.Played) -> Iterator[str]:
    match = refereeing.refereed(telling)
    led = before.deal.led
    text = _card(telling, event.card, led)
    if event.card.suit is led and twin(event.card) in on_table(telling):
        text = telling.t("{text}, cancels", text=text)
    early = match is not None and event.seat != before.deal.turn
    if _named(telling, before, event, early):
        text = telling.by(event.seat, N_("You: {text}"), N_("{player}: {text}"), text=text)
    yield refereeing.out_of_turn(telling, event.seat, text) if early else text
    if hearts_break(before.deal, telling.view.deal):
        yield telling.t("Hearts broken.")


def _card(telling: Telling, card: Card, led: Suit | None) -> str:
    """A card of a trick, the suit first where it is not the one led; the queen of spades always
    has hers.
    """
    if card.suit is None or (card.suit is led and not card.bit & QUEENS):
        return telling.language.card_in(card, "rank")
    return telling.t("{suit}, {card:rank}", suit=card.suit, card=card)


def _named(telling: Telling, before: View, event: ev.Played, early: bool) -> bool:
    """Whether the player of a card has to be named: the order of the seats does not tell."""
    match = refereeing.refereed(telling)
    if match is not None and (early or any(each.early for each in match.lying.laid)):
        return True
    opens = not before.deal.tricks and len(on_table(telling)) == 1
    return opens and not telling.mine(event.seat)


def _taken(telling: Telling, event: ev.TrickTaken) -> str:
    deal, rules = telling.view.deal, telling.state.rules
    mask = mask_of((*deal.tricks[-1].cards, *waited(deal)))
    counts = rules.points_in(mask & rules.penalty_mask), rules.points_in(mask & ~rules.penalty_mask)
    points = ", ".join(telling.language.number(count) for count in counts if count)
    if not points:
        return telling.by(event.seat, N_("You."), N_("{player}."))
    return telling.by(event.seat, N_("You, {points}."), N_("{player}, {points}."), points=points)


def _kitty(telling: Telling, event: ev.KittyTaken) -> str:
    if event.cards is None:
        return telling.by(event.seat, N_("Kitty: you."), N_("Kitty: {player}."))
    own, other = (
        N_("You take the kitty, {cards}: {points}."),
        N_("{player} takes the kitty, {cards}: {points}."),
    )
    points = telling.state.rules.points_in(mask_of(event.cards))
    return telling.by(event.seat, own, other, cards=spoken_order(event.cards), points=points)
