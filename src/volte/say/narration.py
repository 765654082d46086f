"""Narration of a match: the sentences that a person hears, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from volte.cards import SUIT_MASKS
from volte.game import (
    Committed,
    Contributed,
    Exchanged,
    Player,
    Revealed,
    last_play,
    still_to_consent,
)
from volte.game import events as ev
from volte.referee import Event, RefereedDeal, RefereedEvent, RefereedMatch
from volte.say import outcome, refereeing, terse
from volte.say.deal import equal_cards, hearts_break, on_table, tell_pass, tell_trick
from volte.say.language import N_, Language
from volte.say.telling import Lines, Telling, received, spoken_order
from volte.say.verbosity import Verbosity
from volte.view import View

TERSE, BRIEF, FULL = Verbosity.TERSE, Verbosity.BRIEF, Verbosity.FULL

ALIKE: Final = (
    *(ev.TrickTaken, ev.KittyTaken, ev.Claimed, ev.UndoAsked, ev.PlayTakenBack, ev.Promised),
    *(ev.MoonShot, ev.DealScored, ev.LotsDrawn, ev.Settled, ev.MatchEnded, ev.Exchanged),
)
"""Events that sound alike at every verbosity, unless `terse` has shorter sentences."""


def tell(
    language: Language,
    before: View | None,
    event: Event,
    after: View,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> Lines:
    """Sentences for the person at the view's seat about one visible event; () for none.

    Args:
        before: the view before the event; None only for `MatchStarted`.
        after: the view after it.
    """
    telling = Telling(language, after)
    match event:
        case _ if verbosity is TERSE and isinstance(event, terse.Shortened):
            lines = terse.tell(telling, before, event)
        case ev.Played():  # first, as the most frequent
            assert before is not None
            lines = _played(telling, before, event, verbosity)
        case ev.TrickTaken() | ev.TrickHeld() | ev.KittyTaken():
            lines = tell_trick(telling, event, verbosity)
        case ev.Committed() | ev.Contributed() | ev.Revealed():
            lines = _shuffle(telling, event) if verbosity is FULL else iter(())
        case ev.Promised():
            lines = iter(())  # said when the bytes are added
        case ev.MoonShot() | ev.DealScored() | ev.LotsDrawn() | ev.Settled() | ev.MatchEnded():
            lines = outcome.tell(telling, event)
        case ev.MatchStarted() | ev.DealerDrawn():
            lines = _first_dealer(telling, event, verbosity)
        case ev.Dealt() | ev.Passed() | ev.PassTakenBack() | ev.Exchanged() | ev.PlayStarted():
            lines = tell_pass(telling, event, verbosity)
        case _ if isinstance(event, RefereedEvent):
            assert before is not None
            lines = refereeing.tell(telling, before, event, verbosity)
        case _:
            assert before is not None
            lines = _between_plays(telling, before, event, verbosity)
    return tuple(map(language.sentence, lines))


def tell_each(
    language: Language, before: View | None, event: Event, after: View
) -> dict[Verbosity, Lines]:
    """Sentences about one event at every verbosity; those that are alike are made once."""
    normal = tell(language, before, event, after, Verbosity.NORMAL)
    brief = full = normal
    if not isinstance(event, ALIKE):
        brief = tell(language, before, event, after, BRIEF)
        if before is None or _more_in_full(before, event, after):
            full = tell(language, before, event, after, FULL)
    short = brief
    if before is None or isinstance(event, terse.Shortened):
        short = tell(language, before, event, after, TERSE)
    return {TERSE: short, BRIEF: brief, Verbosity.NORMAL: normal, FULL: full}


def _more_in_full(before: View, event: Event, after: View) -> bool:
    """Whether `FULL` may say more of the event than `NORMAL` does."""
    if not isinstance(event, ev.Played) or isinstance(after.state, RefereedMatch):
        return True
    return event.seat != after.seat and _shows_void(before, event)


# The first dealer


def _first_dealer(
    telling: Telling, event: ev.MatchStarted | ev.DealerDrawn, verbosity: Verbosity
) -> Iterator[str]:
    match event:
        case ev.MatchStarted():
            if verbosity is not BRIEF:  # without names one has to know the order of the seats
                yield _company(telling, verbosity)
            if telling.state.rules.sides.partners > 1:
                yield _partners(telling)
            if event.pot:
                pot = telling.stakes(event.pot)
                yield telling.t("The pot still holds {stakes} from the last match.", stakes=pot)
            if event.cards is not None:
                turned = N_("The cards of the match before, everybody one seat on.")
                given = N_("The cards are given, not shuffled.")
                yield telling.t(turned if event.cards.turned else given)
            if event.dealer is not None and verbosity is FULL:
                own, other = N_("The deal passes to you."), N_("The deal passes to {player}.")
                yield telling.by(event.dealer, own, other)
        case ev.DealerDrawn() if verbosity is FULL:  # at all others, `Dealt` names the dealer
            yield from _drawing(telling, event)
            own, other = N_("You deal first."), N_("{player} deals first.")
            yield telling.by(event.dealer, own, other)


def _company(telling: Telling, verbosity: Verbosity) -> str:
    others = [telling.player(seat) for seat in telling.seats if not telling.mine(seat)]
    if telling.view.seat is None:
        return telling.t("At the table, clockwise: {players}.", players=others)
    if verbosity is TERSE:
        return telling.t("After you: {players}.", players=others)
    return telling.t("At the table, clockwise from your left: {players}.", players=others)


def _partners(telling: Telling) -> str:
    """Partners, as they are named before the first deal (W10)."""
    parts = []
    for side in telling.sides():
        if telling.view.seat in side:
            others = [telling.player(seat) for seat in side if not telling.mine(seat)]
            parts.append(telling.t("you play with {players}", players=others))
        else:
            players = telling.names(side)
            parts.append(telling.t("{players} play together", players=players))
    return telling.t("{sides}.", sides=telling.series(parts))


def _drawing(telling: Telling, event: ev.DealerDrawn) -> Iterator[str]:
    for place, drawn in enumerate(event.rounds):
        draws = telling.draws(drawn)
        if place:
            yield telling.t("A tie for the lowest card, so they draw again: {draws}.", draws=draws)
        else:
            yield telling.t("The lowest card deals. Drawn: {draws}.", draws=draws)


# Play


def _between_plays(
    telling: Telling, before: View, event: Event, verbosity: Verbosity
) -> Iterator[str]:
    match event:
        case ev.Claimed():
            own = N_(
                "You claim: the remaining tricks change nothing, and are played automatically."
            )
            other = N_(
                "{player} claims: the remaining tricks change nothing, and are played "
                "automatically."
            )
            yield telling.by(event.seat, own, other)
        case ev.UndoAsked():
            yield _undo_asked(telling, before, event)
        case ev.UndoAnswered(allow=True):
            if verbosity is FULL or telling.player(event.seat).person:  # bots allow it always
                yield telling.by(event.seat, N_("You agree."), N_("{player} agrees."))
        case ev.UndoAnswered(late=True) if still_to_consent(before.state) == (event.seat,):
            yield telling.t("Nobody answered in time: the card stays.")
        case ev.UndoAnswered(late=True):
            own = N_("You did not answer in time: the card stays.")
            yield telling.by(
                event.seat, own, N_("{player} did not answer in time: the card stays.")
            )
        case ev.UndoAnswered():
            own = N_("You refuse: the card stays.")
            yield telling.by(event.seat, own, N_("{player} refuses: the card stays."))
        case ev.PlayTakenBack():
            own, other = N_("You take {card:the} back."), N_("{player} takes {card:the} back.")
            yield telling.by(event.seat, own, other, card=event.card)


def _played(
    telling: Telling, before: View, event: ev.Played, verbosity: Verbosity
) -> Iterator[str]:
    deal = telling.view.deal
    refereed = isinstance(deal, RefereedDeal)
    if isinstance(deal, RefereedDeal):
        yield from refereeing.played(telling, deal, before, event, verbosity)
    else:
        yield from _lawful_card(telling, before, event, verbosity)
    if hearts_break(before.deal, deal):
        yield telling.t("Hearts are broken.")
    if verbosity is BRIEF:
        return
    yield from equal_cards(telling, event.card, on_table(telling))
    led = deal.led
    if led is None:
        yield telling.t("The next card that is not a joker sets the suit.")
    elif telling.view.my_turn and not refereed and not telling.view.hand.mask & SUIT_MASKS[led]:
        yield telling.t("You have no {suit}.", suit=led)


def _lawful_card(
    telling: Telling, before: View, event: ev.Played, verbosity: Verbosity
) -> Iterator[str]:
    deal = telling.view.deal
    yield refereeing.card_played(telling, event, verbosity, leads=len(deal.trick) == 1)
    if verbosity is FULL and _more_in_full(before, event, telling.view):
        player = telling.player(event.seat)
        yield telling.t("{player} has no {suit}.", player=player, suit=deal.led)


def _shows_void(before: View, event: ev.Played) -> bool:
    """Whether the seat has not followed suit, in a suit it was not yet known to be without."""
    led = before.deal.led
    return led is not None and led is not event.card.suit and led not in before.voids(event.seat)


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


PASSED = N_("{player} passes {cards:the} {taker:to}.")


SCATTERED = N_("{player} passes {gifts}.")


def tell_openly(
    language: Language, before: View | None, event: Event, after: View, verbosity: Verbosity
) -> Lines:
    """Sentences for an onlooker who sees every hand: as `Words.tell`, and everybody's pass."""
    lines = tell(language, before, event, after, verbosity)
    if not isinstance(event, Exchanged):
        return lines
    return (*lines, *passed_openly(language, event, after.state.players))


def passed_openly(language: Language, event: Exchanged, players: Sequence[Player]) -> Lines:
    """Cards that each seat passes, and to whom, a line for each seat."""
    lines = []
    for seat, player in enumerate(players):
        gifts = [each for each in event.transfers if each.giver == seat and each.cards]
        if len(gifts) > 1:
            line = language.t(SCATTERED, player=player, gifts=received(language, players, gifts))
            lines.append(line)
        elif gifts:
            cards, taker = spoken_order(gifts[0].cards or ()), players[gifts[0].taker]
            lines.append(language.t(PASSED, player=player, cards=cards, taker=taker))
    return tuple(lines)


SHOWN = 8
"""Hexadecimal digits of a commitment that are read out."""


def _shuffle(telling: Telling, event: Committed | Contributed | Revealed) -> Iterator[str]:
    match event:
        case Committed():
            yield telling.t(
                "Shuffle {number} is fixed in secret; its seal begins with {digest}.",
                number=event.number,
                digest=event.digest.hex()[:SHOWN],
            )
        case Contributed(data=None):
            own = N_("You add nothing to the shuffle.")
            yield telling.by(event.seat, own, N_("{player} adds nothing to the shuffle."))
        case Contributed():
            own = N_("You contribute to the shuffle.")
            yield telling.by(event.seat, own, N_("{player} contributes to the shuffle."))
        case Revealed():
            yield telling.t(
                "The secret of shuffle {number} has been revealed: anybody can check it.",
                number=event.number,
            )
