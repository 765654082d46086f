"""`evolve`: one event folded into a match, refereed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

from msgspec.structs import astuple, replace

from volte import game
from volte.cards import mask_of
from volte.game import DealState, MatchState, Phase
from volte.game import events as lawful
from volte.game.evolve import duties_now, fold_held, fold_play, fold_trick, put, tricks_waiting
from volte.referee import events as ev
from volte.referee.events import Laid
from volte.referee.rulings import without
from volte.referee.state import Breach, RefereedDeal, RefereedMatch
from volte.rules import Irregularities, breach


def evolve(state: MatchState | None, event: ev.Event) -> MatchState:
    """The state after the event; None is the state before `MatchStarted`.

    As in `game`, it works alike on all events and on those that one seat may see.
    """
    if isinstance(event, lawful.MatchStarted):
        match = game.evolve(None, event)
        if event.rules.irregularities is Irregularities.ENFORCED:
            return match
        return RefereedMatch(*astuple(match))
    fold = _FOLDS.get(type(event)) if isinstance(state, RefereedMatch) else None
    if fold is None:
        return game.evolve(state, cast("game.Event", event))
    assert isinstance(state, RefereedMatch)
    return fold(state, event)


def replay(log: Iterable[ev.Event]) -> MatchState:
    """The state that a whole log leads to. The log must not be empty."""
    state: MatchState | None = None
    for event in log:
        state = evolve(state, event)
    assert state is not None
    return state


def _next(state: RefereedMatch, deal: RefereedDeal) -> RefereedMatch:
    return replace(state, version=state.version + 1, deal=deal)


# The trick on the table


def lie(base: RefereedDeal, laid: Sequence[Laid]) -> RefereedDeal:
    """The deal with those cards on the table, in the order in which they came.

    The first one leads, also where it was another's turn (I2). A card that came early joins the
    trick when the turn of its seat has come.
    """
    deal, waiting = base, dict[int, Laid]()
    for each in laid:
        if not deal.trick:  # whoever comes first: after them the trick is never empty
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
    """A card becomes part of the trick; with its hand, the duty that it breaks is known."""
    seat, card = laid.seat, laid.card
    hand = deal.hands[seat]
    broken = breach(hand, card, duties_now(deal)) if hand & card.bit else None
    if deal.excluded[seat] & card.bit:  # so an earlier play has broken a duty, and proves nothing
        deal = replace(deal, excluded=put(deal.excluded, seat, 0))
    breaches = deal.breaches
    if broken is not None:
        breaches = (*breaches, Breach(seat, deal.trick_number, broken))
    played = fold_play(deal, seat, card)
    assert isinstance(played, RefereedDeal)
    return replace(played, breaches=breaches)


def _played(state: RefereedMatch, event: lawful.Played) -> RefereedMatch:
    deal = state.lying
    base = deal.base if isinstance(deal.base, RefereedDeal) else deal
    laid = Laid(event.seat, event.card, early=event.seat != deal.turn)
    now = lie(base, (*deal.laid, laid))
    return _next(state, replace(now, bound=deal.bound & ~(1 << event.seat)))


def _taken_back(state: RefereedMatch, event: ev.TakenBack) -> RefereedMatch:
    deal = state.lying
    assert isinstance(deal.base, RefereedDeal)
    gone = [each.card for each in event.cards]
    left = [each for each in deal.laid if each.card not in gone]
    now = lie(deal.base, left)
    return _next(state, replace(now, bound=deal.bound | 1 << event.seat))


def _trick_taken(state: RefereedMatch, event: lawful.TrickTaken) -> RefereedMatch:
    return _gathered(state, fold_trick(state.lying, event.seat))


def _trick_held(state: RefereedMatch, _: lawful.TrickHeld) -> RefereedMatch:
    return _gathered(state, fold_held(state.lying))


def _gathered(state: RefereedMatch, deal: DealState) -> RefereedMatch:
    assert isinstance(deal, RefereedDeal)
    return _next(state, replace(deal, laid=(), base=None, bound=0))


# The deal


def _dealt(state: RefereedMatch, event: lawful.Dealt) -> MatchState:
    after = game.evolve(state, event)
    assert after.deal is not None
    return replace(after, deal=refereed(after.deal))


def refereed(deal: DealState) -> RefereedDeal:
    """A deal that has just been dealt, on a refereed table."""
    return RefereedDeal(*astuple(deal))


def _hands_short(state: RefereedMatch, event: ev.HandsShort) -> RefereedMatch:
    rules = without(state.rules, event.missing)
    return _next(state, replace(state.lying, rules=rules, short=event.lacking))


def _rest_taken(state: RefereedMatch, event: ev.RestTaken) -> RefereedMatch:
    deal, seat = state.lying, event.seat
    players = len(deal.hands)
    deal = replace(
        deal,
        leader=seat,
        hands=(0,) * players,
        taken=put(deal.taken, seat, deal.taken[seat] | mask_of(event.cards) | deal.held),
        won=put(deal.won, seat, deal.won[seat] + tricks_waiting(deal) + event.tricks),
        held=0,
        short=(deal.rules.hand_size - len(deal.tricks),) * players,
    )
    return _next(state, deal)


def _tricks_mixed(state: RefereedMatch, event: ev.TricksMixed) -> RefereedMatch:
    deal = state.lying
    if event.seat in deal.offenders:  # it pays for a revoke already
        return _ruled(state, event)
    return _next(state, replace(deal, mixed=tuple(sorted((*deal.mixed, event.seat)))))


def _reckoned(state: RefereedMatch, event: ev.Reckoned) -> RefereedMatch:
    deal = replace(state.lying, turn=-1, reckoned=event.score, offenders=event.offenders)
    return replace(_next(state, deal), accepted=0, shooter=None)


def _moon_shot(state: RefereedMatch, event: lawful.MoonShot) -> RefereedMatch:
    return replace(state, version=state.version + 1, shooter=event.seat)


def _accepted(state: RefereedMatch, event: ev.Accepted) -> RefereedMatch:
    return replace(state, version=state.version + 1, accepted=state.accepted | 1 << event.seat)


def _deal_scored(state: RefereedMatch, event: lawful.DealScored) -> MatchState:
    return replace(
        game.evolve(state, event),
        offenders=(*state.offenders, state.lying.offenders),
        mixed=(*state.mixed, state.lying.mixed),
        accepted=0,
    )


def _misdealt(state: RefereedMatch, _: ev.Misdealt) -> RefereedMatch:
    return replace(
        state,
        version=state.version + 1,
        phase=Phase.DEALING,
        dealer=(state.dealer + 1) % state.rules.players,
        deal=None,
    )


def _ruled(state: RefereedMatch, _: object) -> RefereedMatch:
    """What was only ruled on: it changes nothing by itself."""
    return replace(state, version=state.version + 1)


_FOLDS: Final[dict[type, Callable[[Any, Any], MatchState]]] = {
    lawful.Dealt: _dealt,
    lawful.Played: _played,
    lawful.TrickTaken: _trick_taken,
    lawful.TrickHeld: _trick_held,
    lawful.MoonShot: _moon_shot,
    lawful.DealScored: _deal_scored,
    ev.Objected: _ruled,
    ev.TakenBack: _taken_back,
    ev.RevokeClaimed: _ruled,
    ev.TricksMixed: _tricks_mixed,
    ev.Reckoned: _reckoned,
    ev.DealCut: _ruled,
    ev.Accepted: _accepted,
    ev.Misdealt: _misdealt,
    ev.HandsShort: _hands_short,
    ev.RestTaken: _rest_taken,
}
