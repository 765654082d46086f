"""What a person hears of what happens, event by event."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import SUIT_MASKS, mask_of
from volte.game import events as ev
from volte.game import last_play
from volte.referee import Event, RefereedEvent
from volte.rules import Direction, HeartsLead
from volte.view import View
from volte.words import outcome, proof, refereeing
from volte.words.language import N_, Language
from volte.words.telling import Lines, Telling, told_order
from volte.words.verbosity import Verbosity

BRIEF, FULL = Verbosity.BRIEF, Verbosity.FULL


def tell(
    language: Language, before: View | None, event: Event, after: View, verbosity: Verbosity
) -> Lines:
    """See `Words.tell`."""
    telling = Telling(language, after)
    match event:
        case ev.Committed() | ev.Contributed() | ev.Revealed():
            told = proof.told(telling, event) if verbosity is FULL else iter(())
        case ev.Promised():
            told = iter(())  # the bytes are told of, once they are added
        case ev.DealScored() | ev.LotsDrawn() | ev.Settled() | ev.MatchEnded():
            told = outcome.told(telling, event)
        case ev.MatchStarted() | ev.DealerDrawn():
            told = _first_dealer(telling, event, verbosity)
        case ev.Dealt() | ev.Passed() | ev.PassTakenBack() | ev.Exchanged() | ev.PlayStarted():
            told = _to_the_first_lead(telling, event, verbosity)
        case _ if isinstance(event, RefereedEvent):
            assert before is not None
            told = refereeing.told(telling, before, event, verbosity)
        case _:
            assert before is not None
            told = _play(telling, before, event, verbosity)
    return tuple(map(language.sentence, told))


# The first dealer


def _first_dealer(
    telling: Telling, event: ev.MatchStarted | ev.DealerDrawn, verbosity: Verbosity
) -> Iterator[str]:
    match event:
        case ev.MatchStarted():
            if verbosity is not BRIEF:
                yield _company(telling)
            if event.pot:
                pot = telling.stakes(event.pot)
                yield telling.t("The pot still holds {stakes} from before.", stakes=pot)
        case ev.DealerDrawn() if verbosity is FULL:  # the deal tells all others who deals
            yield from _drawing(telling, event)
            own, other = N_("You are the first dealer."), N_("{player} is the first dealer.")
            yield telling.by(event.dealer, own, other)


def _company(telling: Telling) -> str:
    others = [telling.player(seat) for seat in telling.seats if not telling.mine(seat)]
    if telling.view.seat is None:
        return telling.t("At the table, clockwise: {players}.", players=others)
    return telling.t("At the table, clockwise from your left: {players}.", players=others)


def _drawing(telling: Telling, event: ev.DealerDrawn) -> Iterator[str]:
    for place, drawn in enumerate(event.rounds):
        draws = telling.draws(drawn)
        if place:
            yield telling.t("A tie for the lowest card; they draw again: {draws}.", draws=draws)
        else:
            yield telling.t("The lowest card deals. Drawn: {draws}.", draws=draws)


# The deal and the pass


def _to_the_first_lead(
    telling: Telling,
    event: ev.Dealt | ev.Passed | ev.PassTakenBack | ev.Exchanged | ev.PlayStarted,
    verbosity: Verbosity,
) -> Iterator[str]:
    match event:
        case ev.Dealt():
            yield from _dealt(telling, event, verbosity)
        case ev.Passed() if event.cards is not None and telling.mine(event.seat):
            taker = _taker(telling, event.seat)
            yield telling.t(
                "You pass {cards:the} {player:to}.",
                cards=told_order(event.cards),
                player=telling.player(taker),
            )
        case ev.Passed() if verbosity is FULL:
            yield telling.t("{player} is ready.", player=telling.player(event.seat))
        case ev.PassTakenBack() if telling.mine(event.seat) or verbosity is not BRIEF:
            own, other = N_("You take your cards back."), N_("{player} takes the pass back.")
            yield telling.by(event.seat, own, other)
        case ev.Exchanged():
            yield from _exchanged(telling, event)
        case ev.PlayStarted() if telling.mine(event.leader):  # of others the lead itself tells
            yield _first_lead(telling, event)


def _dealt(telling: Telling, event: ev.Dealt, verbosity: Verbosity) -> Iterator[str]:
    own, other = N_("Deal {number}: you deal."), N_("Deal {number}: {player} deals.")
    yield telling.by(event.dealer, own, other, number=event.number)
    rules = telling.state.rules
    if rules.kitty_size and verbosity is not BRIEF:
        yield telling.n(
            "{count} card is left over: it is the kitty.",
            "{count} cards are left over: they are the kitty.",
            rules.kitty_size,
        )
    count, where = rules.passing.count, telling.t(WHERE[event.direction])
    seat = telling.view.seat
    if event.direction is Direction.HOLD:
        if rules.passing.count:
            yield telling.t("No cards are passed in this deal.")
    elif seat is None:
        yield telling.n(
            "{count} card is passed {where}.",
            "{count} cards are passed {where}.",
            count,
            where=where,
        )
    else:
        yield telling.n(
            "Pass {count} card {where}, {taker:to}.",
            "Pass {count} cards {where}, {taker:to}.",
            count,
            where=where,
            taker=telling.player(_taker(telling, seat)),
        )


WHERE = {
    Direction.LEFT: N_("to the left"),
    Direction.RIGHT: N_("to the right"),
    Direction.SECOND_LEFT: N_("to the second on the left"),
    Direction.SECOND_RIGHT: N_("to the second on the right"),
    Direction.ACROSS: N_("across"),
    Direction.HOLD: N_("to nobody"),
}


def _taker(telling: Telling, seat: int) -> int:
    return telling.view.deal.direction.target(seat, telling.state.rules.players)


def _exchanged(telling: Telling, event: ev.Exchanged) -> Iterator[str]:
    if telling.view.seat is None:
        yield telling.t("The cards are passed.")
    for transfer in event.transfers:
        if telling.mine(transfer.taker) and transfer.cards is not None:
            yield telling.t(
                "{player} passes you {cards:the}.",
                player=telling.player(transfer.giver),
                cards=told_order(transfer.cards),
            )


def _first_lead(telling: Telling, event: ev.PlayStarted) -> str:
    if event.opening is None:
        return telling.t("It is for you to lead.")
    return telling.t("You hold {card:the}: it is for you to lead it.", card=event.opening)


# Play


def _play(telling: Telling, before: View, event: Event, verbosity: Verbosity) -> Iterator[str]:
    match event:
        case ev.Played():
            yield from _played(telling, before, event, verbosity)
        case ev.TrickTaken():
            yield from _trick(telling, event)
        case ev.KittyTaken():
            yield _kitty(telling, event)
        case ev.Claimed():
            own = N_("You claim: the rest can change no score, and plays itself.")
            other = N_("{player} claims: the rest can change no score, and plays itself.")
            yield telling.by(event.seat, own, other)
        case ev.UndoAsked():
            yield _undo_asked(telling, before, event)
        case ev.UndoAnswered(allow=True):
            if verbosity is FULL or telling.player(event.seat).person:  # bots allow it always
                yield telling.by(event.seat, N_("You allow it."), N_("{player} allows it."))
        case ev.UndoAnswered():
            own = N_("You refuse: the card stays.")
            yield telling.by(event.seat, own, N_("{player} refuses: the card stays."))
        case ev.PlayTakenBack():
            own, other = N_("You take {card:the} back."), N_("{player} takes {card:the} back.")
            yield telling.by(event.seat, own, other, card=event.card)


def _played(
    telling: Telling, before: View, event: ev.Played, verbosity: Verbosity
) -> Iterator[str]:
    deal, refereed = telling.view.deal, refereeing.refereed(telling) is not None
    if refereed:
        yield from refereeing.played(telling, before, event, verbosity)
    else:
        yield from _lawful_card(telling, before, event, verbosity)
    once_broken = deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN
    if once_broken and deal.broken and not before.deal.broken:
        yield telling.t("Hearts are broken.")
    if verbosity is BRIEF:
        return
    led = deal.led
    if led is None:
        yield telling.t("The next card that is no joker sets the suit.")
    elif telling.view.my_turn and not refereed and not telling.view.hand.mask & SUIT_MASKS[led]:
        yield telling.t("You have no {suit}.", suit=led)


def _lawful_card(
    telling: Telling, before: View, event: ev.Played, verbosity: Verbosity
) -> Iterator[str]:
    deal = telling.view.deal
    if verbosity is BRIEF:
        own, other = N_("You: {card}"), N_("{player}: {card}")
        yield telling.by(event.seat, own, other, card=event.card)
    elif len(deal.trick) == 1:
        own, other = N_("You lead {card:the}"), N_("{player} leads {card:the}")
        yield telling.by(event.seat, own, other, card=event.card)
    else:
        yield telling.played(event.seat, event.card)
    led = deal.led
    if verbosity is FULL and not telling.mine(event.seat) and _shows_void(before, event):
        player = telling.player(event.seat)
        yield telling.t("{player} has no {suit}.", player=player, suit=led)


def _shows_void(before: View, event: ev.Played) -> bool:
    """Whether the seat has not followed suit, in a suit it was not yet known to be without."""
    led = before.deal.led
    return led is not None and led is not event.card.suit and led not in before.voids(event.seat)


def _trick(telling: Telling, event: ev.TrickTaken) -> Iterator[str]:
    rules, cards = telling.state.rules, telling.view.deal.tricks[-1].cards
    penalties = rules.points_in(mask_of(cards) & rules.penalty_mask)
    if penalties:
        own, other = N_("You take the trick: {points}."), N_("{player} takes the trick: {points}.")
        yield telling.by(event.seat, own, other, points=telling.points(penalties))
    else:
        yield telling.by(event.seat, N_("You take the trick."), N_("{player} takes the trick."))
    for card in cards:
        if rules.values.get(card, 0) < 0:
            bonus = telling.points(rules.values[card])
            yield telling.t("With {card:the}: {points}.", card=card, points=bonus)


def _kitty(telling: Telling, event: ev.KittyTaken) -> str:
    if event.cards is None:
        own, other = N_("You take the kitty."), N_("{player} takes the kitty.")
        return telling.by(event.seat, own, other)
    points = telling.points(telling.state.rules.points_in(mask_of(event.cards)))
    own = N_("You take the kitty, {cards:the}: {points}.")
    other = N_("{player} takes the kitty, {cards:the}: {points}.")
    cards = told_order(event.cards)
    return telling.by(event.seat, own, other, cards=cards, points=points)


def _undo_asked(telling: Telling, before: View, event: ev.UndoAsked) -> str:
    played = last_play(before.state)
    if played is None:
        own, other = N_("You ask to take a card back."), N_("{player} asks to take a card back.")
        return telling.by(event.seat, own, other)
    own, other = (
        N_("You ask to take {card:the} back."),
        N_("{player} asks to take {card:the} back."),
    )
    return telling.by(event.seat, own, other, card=played.card)
