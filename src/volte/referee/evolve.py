"""`evolve`: fold one event into a match, refereed or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from msgspec.structs import astuple, replace

from volte import game
from volte.cards import mask_of
from volte.game import MatchState, Phase
from volte.game import events as lawful
from volte.game.evolve import (
    duties_now,
    fold,
    fold_held,
    fold_play,
    fold_trick,
    put,
    tricks_waiting,
)
from volte.game.evolve import evolve as fold_lawful
from volte.referee import events as ev
from volte.referee.events import Laid
from volte.referee.rulings import without
from volte.referee.state import Breach, RefereedDeal, RefereedMatch
from volte.rules import Irregularities, breach


def evolve(state: MatchState | None, event: ev.Event) -> MatchState:
    """Return the state after the event; None is the state before `MatchStarted`.

    As in `game`, the events may be all of them or those that one seat may see.
    """
    begins = isinstance(event, lawful.MatchStarted)
    if begins or not isinstance(state, RefereedMatch):
        match = fold_lawful(state, cast("game.Event", event))
        refereed = begins and match.rules.irregularities is Irregularities.REFEREED
        return RefereedMatch(*astuple(match)) if refereed else match
    changes = _changes(state, event)
    if changes is None:
        return _besides(state, fold_lawful(state, cast("game.Event", event)), event)
    return replace(state, version=state.version + 1, **changes)


def replay(log: Iterable[ev.Event]) -> MatchState:
    """The state that a whole log leads to. The log must not be empty."""
    return fold(evolve, log)


def _changes(state: RefereedMatch, event: ev.Event) -> dict[str, Any] | None:
    """The fields that the event changes; None if the event is folded as without a referee."""
    match event:
        case lawful.Played():
            return {"deal": _played(state.lying, event)}
        case lawful.TrickTaken():
            gathered = fold_trick(state.lying, event.seat)
            return {"deal": replace(gathered, laid=(), base=None, bound=0)}
        case lawful.TrickHeld():
            return {"deal": replace(fold_held(state.lying), laid=(), base=None, bound=0)}
        case ev.TakenBack():
            return {"deal": _taken_back(state.lying, event)}
        case ev.Objected() | ev.RevokeClaimed() | ev.DealCut():  # only ruled on
            return {}
        case ev.TricksMixed() if event.seat in state.lying.offenders:  # it pays already
            return {}
        case ev.TricksMixed():
            mixed = tuple(sorted((*state.lying.mixed, event.seat)))
            return {"deal": replace(state.lying, mixed=mixed)}
        case ev.Reckoned():
            score, offenders = event.score, event.offenders
            deal = replace(state.lying, turn=-1, reckoned=score, offenders=offenders)
            return {"deal": deal, "accepted": 0, "shooter": None}
        case lawful.MoonShot():
            return {"shooter": event.seat}
        case ev.Accepted():
            return {"accepted": state.accepted | 1 << event.seat}
        case ev.HandsShort():
            rules = without(state.rules, event.missing)
            return {"deal": replace(state.lying, rules=rules, short=event.lacking)}
        case ev.RestTaken():
            return {"deal": _rest_taken(state.lying, event)}
        case ev.Misdealt():
            dealer = (state.dealer + 1) % state.rules.players
            return {"phase": Phase.DEALING, "dealer": dealer, "deal": None}
        case _:
            return None


def _besides(state: RefereedMatch, after: MatchState, event: ev.Event) -> MatchState:
    """Add the fields of the referee after an event that is folded as without a referee."""
    match event:
        case lawful.Dealt():
            return replace(after, deal=RefereedDeal(*astuple(after.current_deal)))
        case lawful.DealScored():
            offenders = (*state.offenders, state.lying.offenders)
            mixed = (*state.mixed, state.lying.mixed)
            return replace(after, offenders=offenders, mixed=mixed, accepted=0)
    return after


def _rest_taken(deal: RefereedDeal, event: ev.RestTaken) -> RefereedDeal:
    players, seat = len(deal.hands), event.seat
    return replace(
        deal,
        leader=seat,
        hands=(0,) * players,
        taken=put(deal.taken, seat, deal.taken[seat] | mask_of(event.cards) | deal.held),
        won=put(deal.won, seat, deal.won[seat] + tricks_waiting(deal) + event.tricks),
        held=0,
        short=(deal.rules.hand_size - len(deal.tricks),) * players,
    )


# The trick on the table


def lie(base: RefereedDeal, laid: Sequence[Laid]) -> RefereedDeal:
    """Return the deal with the cards on the table, given in the order in which they came.

    The first card leads, even out of turn (I2). A card that came early joins the trick when the
    turn of its seat has come.
    """
    deal, waiting = base, dict[int, Laid]()
    for each in laid:
        if not deal.trick:  # the first card leads; after it the trick is never empty
            deal = replace(deal, leader=each.seat, turn=each.seat)
        waiting[each.seat] = each
        while len(deal.trick) < len(deal.hands) and deal.turn in waiting:
            deal = _join(deal, waiting.pop(deal.turn))
    hands = deal.hands
    for each in waiting.values():
        hands = put(hands, each.seat, hands[each.seat] & ~each.card.bit)
    stands = len(deal.trick) == len(deal.hands)  # no card is early any more (I2)
    return replace(
        deal,
        hands=hands,
        laid=tuple(Laid(each.seat, each.card) for each in laid) if stands else tuple(laid),
        base=base if laid else None,
    )


def _join(deal: RefereedDeal, laid: Laid) -> RefereedDeal:
    """Add a card to the trick; if its hand is known, record the duty that the card breaks."""
    seat, card = laid.seat, laid.card
    hand = deal.hands[seat]
    broken = breach(hand, card, duties_now(deal)) if hand & card.bit else None
    if deal.excluded[seat] & card.bit:  # an earlier play broke a duty, so those plays prove nothing
        deal = replace(deal, excluded=put(deal.excluded, seat, 0))
    breaches = deal.breaches
    if broken is not None:
        breaches = (*breaches, Breach(seat, deal.trick_number, broken))
    played = fold_play(deal, seat, card)
    assert isinstance(played, RefereedDeal)
    return replace(played, breaches=breaches)


def _played(deal: RefereedDeal, event: lawful.Played) -> RefereedDeal:
    base = deal.base if isinstance(deal.base, RefereedDeal) else deal
    laid = Laid(event.seat, event.card, early=event.seat != deal.turn)
    return replace(lie(base, (*deal.laid, laid)), bound=deal.bound & ~(1 << event.seat))


def _taken_back(deal: RefereedDeal, event: ev.TakenBack) -> RefereedDeal:
    assert isinstance(deal.base, RefereedDeal)
    gone = [each.card for each in event.cards]
    left = [each for each in deal.laid if each.card not in gone]
    return replace(lie(deal.base, left), bound=deal.bound | 1 << event.seat)
