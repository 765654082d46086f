"""Sentences of a refereed table: cards out of turn, objections, revokes, ends of deals (I1–I9)."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import SUIT_MASKS, mask_of
from volte.game import events as ev
from volte.referee import Misdeal, RefereedDeal, RefereedEvent, RefereedMatch, choice_follows
from volte.referee import events as rev
from volte.say import outcome
from volte.say.faults import duty
from volte.say.language import N_
from volte.say.telling import Telling, spoken_order
from volte.say.verbosity import Verbosity
from volte.view import View

FULL = Verbosity.FULL

OWN_TRICK = N_("The trick is complete: you may turn it face down.")
OTHERS_TRICK = N_("The trick is complete: {player} turns it face down.")
OWN_HELD = N_("The cards cancel out: you may turn the trick face down.")
OTHERS_HELD = N_("The cards cancel out: {player} turns the trick face down.")
OWN_MOON = N_("Choose how your moon counts.")
OTHERS_MOON = N_("{player} chooses how the moon counts.")
OWN_CUT = N_("The deal is over: cut for the next one.")
OTHERS_CUT = N_("The deal is over: {player} cuts for the next one.")
OWN_SCORES = N_("The last deal is over: accept the scores.")
OTHERS_SCORES = N_("Still to accept the scores: {players}.")


def refereed(telling: Telling) -> RefereedMatch | None:
    """The match, where it has a referee."""
    return telling.state if isinstance(telling.state, RefereedMatch) else None


def tell(
    telling: Telling, before: View, event: RefereedEvent, verbosity: Verbosity
) -> Iterator[str]:
    """Sentences about a ruling, or about an act that only a refereed table knows."""
    match event:
        case rev.Objected():
            yield _objected(telling, before, event, verbosity)
        case rev.TakenBack():
            yield from _taken_back(telling, event, verbosity)
        case rev.RevokeClaimed():
            yield _claimed(telling, before, event)
        case rev.TricksMixed():
            own = N_("Your tricks are mixed up: they cannot prove a revoke.")
            other = N_("{player:of} tricks are mixed up: they cannot prove a revoke.")
            yield telling.by(event.seat, own, other)
        case rev.Reckoned():
            yield from _reckoned(telling, before, event, verbosity)
        case rev.DealCut():
            yield telling.by(event.seat, N_("You cut the cards."), N_("{player} cuts the cards."))
        case rev.Accepted():
            person = telling.mine(event.seat) or telling.player(event.seat).person
            if verbosity is FULL or person:  # bots accept always
                own, other = N_("You accept the scores."), N_("{player} accepts the scores.")
                yield telling.by(event.seat, own, other)
        case rev.Misdealt():
            yield _misdealt(telling, event)
        case rev.HandsShort():
            yield from _hands_short(telling, event)
        case rev.RestTaken():
            yield _rest_taken(telling, event)


# Cards on the table


def played(
    telling: Telling, deal: RefereedDeal, before: View, event: ev.Played, verbosity: Verbosity
) -> Iterator[str]:
    """A card that may be out of turn, or against a duty: only what anybody can see of it."""
    led, early = before.deal.led, event.seat != before.deal.turn
    text = card_played(telling, event, verbosity, leads=len(deal.laid) == 1)
    yield out_of_turn(telling, event.seat, text) if early else text
    strays = led is not None and not SUIT_MASKS[led] & event.card.bit
    if verbosity is FULL and strays and not telling.mine(event.seat):
        player = telling.player(event.seat)
        yield telling.t("{player} does not follow suit.", player=player)
    if verbosity is FULL and deal.full:
        yield _full(telling, deal)


def card_played(telling: Telling, event: ev.Played, verbosity: Verbosity, leads: bool) -> str:
    """A card and its player, and whether it leads."""
    if verbosity.little:
        return telling.by(event.seat, N_("You: {card}"), N_("{player}: {card}"), card=event.card)
    if leads:
        own, other = N_("You lead {card:the}"), N_("{player} leads {card:the}")
        return telling.by(event.seat, own, other, card=event.card)
    return telling.played(event.seat, event.card)


def _full(telling: Telling, deal: RefereedDeal) -> str:
    if deal.taker is None:
        return telling.by(deal.turner, OWN_HELD, OTHERS_HELD)
    return telling.by(deal.turner, OWN_TRICK, OTHERS_TRICK)


def lying(telling: Telling, deal: RefereedDeal) -> Iterator[str]:
    """The cards on the table in the order in which they came."""
    for laid in deal.laid:
        text = telling.played(laid.seat, laid.card)
        yield out_of_turn(telling, laid.seat, text) if laid.early else text


def out_of_turn(telling: Telling, seat: int, text: str) -> str:
    message = N_("{text}, before your turn") if telling.mine(seat) else N_("{text}, out of turn")
    return telling.t(message, text=text)


# Objections


def _objected(telling: Telling, before: View, event: rev.Objected, verbosity: Verbosity) -> str:
    text = _objection(telling, before, event)
    if not event.clause:
        ruling = telling.t("There is nothing wrong with that card: it stays.")
        return f"{text} {ruling}"
    if verbosity.little:
        return text
    if event.clause == "I2":
        ruling = telling.t("That card was played out of turn.")
        return f"{text} {ruling}"
    deal = telling.view.deal
    first_heart = deal.rules.play.hearts_from_trick
    ruling = duty(telling.language, event.clause, deal.led, first_heart)
    return f"{text} {ruling}"


def _objection(telling: Telling, before: View, event: rev.Objected) -> str:
    deal = before.deal
    assert isinstance(deal, RefereedDeal)
    laid = deal.lies(event.against)
    assert laid is not None
    if telling.mine(event.seat):
        text = N_("You object to {other:of} {card}.")
    elif telling.mine(event.against):
        text = N_("{player} objects to your {card}.")
    else:
        text = N_("{player} objects to {other:of} {card}.")
    player, other = telling.player(event.seat), telling.player(event.against)
    return telling.t(text, player=player, other=other, card=laid.card)


def _taken_back(telling: Telling, event: rev.TakenBack, verbosity: Verbosity) -> Iterator[str]:
    card = next(laid.card for laid in event.cards if laid.seat == event.seat)
    if event.clause == "I4":
        own = N_("You correct your revoke and take {card:the} back.")
        other = N_("{player} corrects a revoke and takes {card:the} back.")
    else:
        own, other = N_("You take {card:the} back."), N_("{player} takes {card:the} back.")
    text = telling.by(event.seat, own, other, card=card)
    yield text
    followed = [laid for laid in event.cards if laid.seat != event.seat]
    if followed:
        name_card = N_("{name}, {card:the}")
        cards = telling.series(
            telling.t(name_card, name=telling.who(laid.seat), card=laid.card) for laid in followed
        )
        yield telling.t("The cards played after that one go back too: {cards}.", cards=cards)
    if telling.mine(event.seat) and not verbosity.little and telling.view.my_turn:
        yield telling.t("Play another card, within the rules.")


# Revokes


def _claimed(telling: Telling, before: View, event: rev.RevokeClaimed) -> str:
    text = _claim(telling, event)
    deal = before.deal
    assert isinstance(deal, RefereedDeal)
    if not event.clause:
        ruling = telling.t("That was a mistake; it costs nothing.")
        return f"{text} {ruling}"
    if event.clause == "T5":
        ruling = telling.t("Correct: the queen of spades had to go then.")
    else:
        ruling = telling.t("Correct: a card of the suit led was still in hand.")
    if event.against in deal.offenders:
        again = telling.t("That deal has been paid for already.")
        return f"{text} {ruling} {again}"
    return f"{text} {ruling}"


def _claim(telling: Telling, event: rev.RevokeClaimed) -> str:
    if event.seat == event.against:
        text = N_("{player} owns up to a revoke in trick {trick}.")
        own = N_("You own up to a revoke in trick {trick}.")
        return telling.by(event.seat, own, text, trick=event.trick)
    if telling.mine(event.seat):
        text = N_("You claim that {other} revoked in trick {trick}.")
    elif telling.mine(event.against):
        text = N_("{player} claims that you revoked in trick {trick}.")
    else:
        text = N_("{player} claims that {other} revoked in trick {trick}.")
    player, other = telling.player(event.seat), telling.player(event.against)
    return telling.t(text, player=player, other=other, trick=event.trick)


# The end of a deal


def _reckoned(
    telling: Telling, before: View, event: rev.Reckoned, verbosity: Verbosity
) -> Iterator[str]:
    match, earlier = refereed(telling), before.state
    assert match is not None
    assert isinstance(earlier, RefereedMatch)
    if event.offenders:
        if earlier.reckoned is None:
            yield telling.t("The deal stops at once.")
        yield _payers(telling, event.offenders)
    if earlier.shooter is not None and not event.offenders:
        yield outcome.chosen(telling, earlier.shooter, event)
    else:
        yield from outcome.feat(telling, event)
    yield from outcome.trickless(telling, event)
    yield provisional(telling, match)
    if not verbosity.little and not choice_follows(earlier, event):
        yield _deadline(telling, match)


def _payers(telling: Telling, offenders: tuple[int, ...]) -> str:
    if len(offenders) == 1:
        own, other = N_("You pay for the whole deal."), N_("{player} pays for the whole deal.")
        return telling.by(offenders[0], own, other)
    names = telling.names(offenders)
    if telling.view.seat in offenders:
        return telling.t("{players}: each of you pays for the whole deal.", players=names)
    return telling.t("{players} each pay for the whole deal.", players=names)


def provisional(telling: Telling, match: RefereedMatch) -> str:
    """Points of the deal as things stand."""
    assert match.reckoned is not None
    number, points = match.lying.number, telling.scores(match.reckoned.points)
    return telling.t(
        "Points for deal {number}, not yet final: {points}.", number=number, points=points
    )


def _deadline(telling: Telling, match: RefereedMatch) -> str:
    if match.last:
        return telling.t("A revoke can be claimed until everybody has accepted the scores.")
    own = N_("A revoke can be claimed until you cut the cards.")
    other = N_("A revoke can be claimed until {player} cuts the cards.")
    return telling.by(match.cutter, own, other)


def _misdealt(telling: Telling, event: rev.Misdealt) -> str:
    if event.why is Misdeal.EXPOSED:
        own = N_("Misdeal: you have shown a card while dealing.")
        other = N_("Misdeal: {player} has shown a card while dealing.")
    else:
        own = N_("Misdeal: you dealt some players the wrong number of cards.")
        other = N_("Misdeal: {player} dealt some players the wrong number of cards.")
    text = telling.by(event.dealer, own, other)
    own, other = N_("You deal instead."), N_("{player} deals instead.")
    text += " " + telling.by(telling.state.dealer, own, other)
    return text


def _hands_short(telling: Telling, event: rev.HandsShort) -> Iterator[str]:
    if event.missing:
        text = telling.t("Missing from the pack: {cards:the}.", cards=spoken_order(event.missing))
        yield text
    for seat in telling.seats:
        count = event.lacking[seat]
        if count and telling.mine(seat):
            yield telling.n(
                "Your hand is {count} card short.", "Your hand is {count} cards short.", count
            )
        elif count:
            yield telling.n(
                "{player} is {count} card short.",
                "{player} is {count} cards short.",
                count,
                player=telling.player(seat),
            )


def _rest_taken(telling: Telling, event: rev.RestTaken) -> str:
    rules = telling.state.rules
    points = telling.points(rules.points_in(mask_of(event.cards) & rules.penalty_mask))
    if telling.mine(event.seat):
        text = telling.n(
            "You have played all your cards and get the last trick: {points}.",
            "You have played all your cards and get the last {count} tricks: {points}.",
            event.tricks,
            points=points,
        )
    else:
        text = telling.n(
            "{player} has no cards left and gets the last trick: {points}.",
            "{player} has no cards left and gets the last {count} tricks: {points}.",
            event.tricks,
            player=telling.player(event.seat),
            points=points,
        )
    return text


# Whose turn it is


def turn(telling: Telling, match: RefereedMatch) -> Iterator[str]:
    """Seats that are waited for, where it is not simply somebody's turn to play."""
    if match.reckoned is None:
        yield _full(telling, match.lying)
    elif match.shooter is not None:
        yield telling.by(match.shooter, OWN_MOON, OTHERS_MOON)
    elif not match.last:
        yield telling.by(match.cutter, OWN_CUT, OTHERS_CUT)
    else:
        waiting = [seat for seat in telling.seats if not match.accepted >> seat & 1]
        if telling.view.seat in waiting:
            yield telling.t(OWN_SCORES)
        others = [telling.player(seat) for seat in waiting if not telling.mine(seat)]
        if others:
            yield telling.t(OTHERS_SCORES, players=others)


def bound(telling: Telling) -> Iterator[str]:
    """Reminder to a person who has taken a card back: another must be played."""
    match, seat = refereed(telling), telling.view.seat
    if match is not None and seat is not None and match.lying.bound >> seat & 1:
        yield telling.t("You took a card back: play another, within the rules.")


def held_up(match: RefereedMatch) -> bool:
    """Whether something else than a card is waited for."""
    return match.reckoned is not None or match.lying.full
