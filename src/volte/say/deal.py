"""Sentences about a deal: the cards left over, the pass, the first lead, and the tricks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.cards import Card, mask_of, twin
from volte.game import DealState
from volte.game import events as ev
from volte.rules import Direction, HeartsLead, Kitty, Opening, QueenPlay, trick_winner
from volte.say import refereeing
from volte.say.language import N_, Language
from volte.say.telling import Telling, received, scattered, spoken_order
from volte.say.verbosity import Verbosity
from volte.view import View

WAYS: Final = {
    Direction.LEFT: N_("to the left"),
    Direction.RIGHT: N_("to the right"),
    Direction.SECOND_LEFT: N_("to the second seat on the left"),
    Direction.SECOND_RIGHT: N_("to the second seat on the right"),
    Direction.ACROSS: N_("across"),
    Direction.SCATTER: N_("one card to each"),
    Direction.HOLD: N_("no pass"),
}
"""Directions of the pass in a few words, for sentences and score sheets."""

PASSED_NEXT: Final = {
    Direction.LEFT: N_("Cards are passed to the left."),
    Direction.RIGHT: N_("Cards are passed to the right."),
    Direction.SECOND_LEFT: N_("Cards are passed to the second player on the left."),
    Direction.SECOND_RIGHT: N_("Cards are passed to the second player on the right."),
    Direction.ACROSS: N_("Cards are passed across."),
    Direction.SCATTER: N_("Everybody passes one card to each of the others."),
    Direction.HOLD: N_("No cards are passed."),
}


# Before the first trick


def tell_pass(
    telling: Telling,
    event: ev.Dealt | ev.Passed | ev.PassTakenBack | ev.Exchanged | ev.PlayStarted,
    verbosity: Verbosity,
) -> Iterator[str]:
    match event:
        case ev.Dealt():
            yield from _dealt(telling, event, verbosity)
        case ev.Passed() if event.cards is not None and telling.mine(event.seat):
            yield _passed(telling, event)
        case ev.Passed() if verbosity is Verbosity.FULL:
            yield telling.t("{player} is ready.", player=telling.player(event.seat))
        case ev.PassTakenBack() if telling.mine(event.seat) or not verbosity.little:
            own, other = N_("You take your cards back."), N_("{player} takes the cards back.")
            yield telling.by(event.seat, own, other)
        case ev.Exchanged():
            yield from _exchanged(telling, event)
        case ev.PlayStarted() if telling.mine(event.leader):  # others hear the lead itself
            yield _first_lead(telling, event)


def _dealt(telling: Telling, event: ev.Dealt, verbosity: Verbosity) -> Iterator[str]:
    own, other = N_("Deal {number}: you deal."), N_("Deal {number}: {player} deals.")
    yield telling.by(event.dealer, own, other, number=event.number)
    rules = telling.state.rules
    if rules.kitty_size and not verbosity.little:
        yield _left_over(telling)
    if event.direction is Direction.HOLD:
        if rules.passing.count:
            yield telling.t("No cards are passed in this deal.")
    elif event.direction is Direction.SCATTER:
        yield _scatter(telling)
    else:
        yield _pass(telling, event.direction)


def _left_over(telling: Telling) -> str:
    rules = telling.state.rules
    match rules.deck.kitty:
        case Kitty.FIRST_HEART:
            return telling.n(
                "{count} card is left over: it goes with the first trick that has a heart.",
                "{count} cards are left over: they go with the first trick that has a heart.",
                rules.kitty_size,
            )
        case Kitty.LAST_TRICK:
            return telling.n(
                "{count} card is left over: it goes with the last trick.",
                "{count} cards are left over: they go with the last trick.",
                rules.kitty_size,
            )
    return telling.n(
        "{count} card is left over: it is the kitty.",
        "{count} cards are left over: they are the kitty.",
        rules.kitty_size,
    )


def _pass(telling: Telling, direction: Direction) -> str:
    seat, where = telling.view.seat, telling.t(WAYS[direction])
    count = telling.state.rules.pass_size(direction)
    if seat is None:
        return telling.n(
            "{count} card is passed {where}.",
            "{count} cards are passed {where}.",
            count,
            where=where,
        )
    return telling.n(
        "Pass {count} card {where}, {taker:to}.",
        "Pass {count} cards {where}, {taker:to}.",
        count,
        where=where,
        taker=telling.player(direction.target(seat, telling.state.rules.players)),
    )


def _scatter(telling: Telling) -> str:
    if telling.view.seat is None:
        return telling.t("Everybody passes one card to each of the others.")
    return scatter_asked(telling)


def scatter_asked(telling: Telling) -> str:
    """Request to choose one card for each of the others (W1)."""
    others = [telling.player(seat) for seat in telling.seats if not telling.mine(seat)]
    order = N_("Choose one card for each of the others, in this order: {players}.")
    return telling.t(order, players=others)


def _passed(telling: Telling, event: ev.Passed) -> str:
    cards, direction = event.cards or (), telling.view.deal.direction
    players = telling.state.players
    if direction is Direction.SCATTER:
        gifts = scattered(event.seat, cards, len(players))
        return telling.t("You pass {gifts}.", gifts=received(telling.language, players, gifts))
    return telling.t(
        "You pass {cards:the} {player:to}.",
        cards=spoken_order(cards),
        player=telling.player(direction.target(event.seat, len(players))),
    )


def _exchanged(telling: Telling, event: ev.Exchanged) -> Iterator[str]:
    if telling.view.seat is None:
        yield telling.t("The cards have been passed.")
    mine = [each for each in event.transfers if telling.mine(each.taker) and each.cards]
    if telling.view.deal.direction is Direction.SCATTER:
        mine.sort(key=lambda gift: telling.seats.index(gift.giver))
        from_whom = N_("{cards:the} from {player}")
        gifts = [
            telling.t(from_whom, cards=gift.cards, player=telling.player(gift.giver))
            for gift in mine
        ]
        if gifts:
            yield telling.t("You get {gifts}.", gifts=telling.language.listed(gifts))
        return
    for transfer in mine:
        yield telling.t(
            "{player} passes you {cards:the}.",
            player=telling.player(transfer.giver),
            cards=spoken_order(transfer.cards or ()),
        )


def _first_lead(telling: Telling, event: ev.PlayStarted) -> str:
    if event.opening is None:
        return telling.t("It is your lead.")
    if telling.state.rules.play.opening is Opening.ANY_CLUB:
        any_club = N_("You hold {card:the}: lead any club.")
        return telling.t(any_club, card=event.opening)
    return telling.t("You hold {card:the}: lead it.", card=event.opening)


def next_deal(language: Language, view: View) -> str:
    """The next dealer (D2), and the direction of the pass, if this table ever passes (P2, P3)."""
    telling = Telling(language, view)
    state = view.state
    deals = telling.by(state.dealer, N_("You deal next."), N_("{player} deals next."))
    if not state.rules.passing.count:
        return deals
    return f"{deals} {language.t(PASSED_NEXT[state.rules.direction(len(state.deals) + 1)])}"


# Tricks


def tell_trick(
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
    """Remark on the second of two equal cards in a trick: they cancel, or both count (W11).

    Args:
        trick: the cards on the table, this one among them.
    """
    if twin(played) not in trick:
        return
    pair = played, twin(played)
    led = next((card.suit for card in trick if card.suit is not None), None)
    if played.suit is led:
        yield telling.t("{cards:the} cancel each other out.", cards=pair)
    elif abs(telling.view.deal.rules.values.get(played, 0)) > 1:
        yield telling.t("{cards:the} are both in this trick.", cards=pair)


def on_table(telling: Telling) -> tuple[Card, ...]:
    """The cards that lie on the table, in turn or not."""
    match = refereeing.refereed(telling)
    if match is None:
        return telling.view.deal.trick
    return tuple(laid.card for laid in match.lying.laid)


def hearts_break(before: DealState, after: DealState) -> bool:
    """Whether hearts have just been broken, at a table where cards wait for that (T4, W3)."""
    play = after.rules.play
    waits = play.hearts_lead is HeartsLead.ONCE_BROKEN
    waits = waits or play.queen_play is QueenPlay.ONCE_BROKEN
    return waits and after.broken and not before.broken


def waited(deal: DealState) -> tuple[Card, ...]:
    """Cards of earlier tricks that waited, and went with the last gathered one (W11)."""
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
        yield telling.t("The cards cancel each other out: the leader takes the last trick.")
    cards = (*trick.cards, *waiting)
    penalties = rules.points_in(mask_of(cards) & rules.penalty_mask)
    points = telling.points(penalties)
    if waiting and penalties:
        own = N_("You take the trick and {count} cards carried over: {points}.")
        other = N_("{player} takes the trick and {count} cards carried over: {points}.")
        yield telling.by(event.seat, own, other, count=len(waiting), points=points)
    elif waiting:
        own = N_("You take the trick and {count} cards carried over.")
        other = N_("{player} takes the trick and {count} cards carried over.")
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
        waits = N_("The cards cancel each other out and wait for the next trick: {points}.")
        yield telling.t(waits, points=telling.points(points))
    else:
        yield telling.t("The cards cancel each other out and wait for the next trick.")
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
