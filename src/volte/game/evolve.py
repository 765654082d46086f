"""`evolve`: one event folded into the state. It trusts the event; `decide` has judged it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from volte.cards import QUEENS, Card, mask_of
from volte.game import events as ev
from volte.game.state import DealState, MatchState, Phase, Proof, Trick
from volte.rules import (
    Direction,
    Duties,
    Score,
    Settlement,
    duties_of_leader,
    excluded_beside,
    match_over,
)


def evolve(state: MatchState | None, event: ev.Event) -> MatchState:
    """The state after the event; None is the state before `MatchStarted`.

    Works alike on all events and on those that one seat may see: hidden cards count as unknown.
    """
    return _FOLDS[type(event)](state, event)


def replay(log: Iterable[ev.Event]) -> MatchState:
    """The state that a whole log leads to. The log must not be empty."""
    state: MatchState | None = None
    for event in log:
        state = evolve(state, event)
    assert state is not None
    return state


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one place changed."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)


def duties_now(deal: DealState) -> Duties:
    """The duties of the seat on turn, in the order of T8."""
    gathered = len(deal.tricks)
    if deal.led is not None:
        had_chance = deal.voided >> deal.turn & 1
        return deal.rules.follower_duties[gathered][deal.led][deal.broken][had_chance]
    if deal.opening is not None and not gathered and not deal.trick:
        return duties_of_leader(deal.rules.play, 1, deal.broken, deal.opening)
    return deal.rules.leader_duties[gathered][deal.broken]


def _match_started(_: None, event: ev.MatchStarted) -> MatchState:
    return MatchState(
        event.rules,
        event.players,
        version=1,
        phase=Phase.DRAWING if event.dealer is None else Phase.DEALING,
        dealer=event.dealer or 0,
        pot=event.pot,
        net=(0,) * event.rules.players,
    )


def _committed(state: MatchState, event: ev.Committed) -> MatchState:
    nothing = (None,) * state.rules.players
    proof = Proof(event.number, event.digest, event.house, nothing, nothing)
    return replace(state, version=state.version + 1, proof=proof)


def _promised(state: MatchState, event: ev.Promised) -> MatchState:
    assert state.proof is not None
    proof = replace(
        state.proof,
        promises=put(state.proof.promises, event.seat, event.digest),
        promised=state.proof.promised | 1 << event.seat,
    )
    return replace(state, version=state.version + 1, proof=proof)


def _contributed(state: MatchState, event: ev.Contributed) -> MatchState:
    assert state.proof is not None
    proof = replace(
        state.proof,
        contributions=put(state.proof.contributions, event.seat, event.data),
        answered=state.proof.answered | 1 << event.seat,
    )
    return replace(state, version=state.version + 1, proof=proof)


def _revealed(state: MatchState, event: ev.Revealed) -> MatchState:
    return replace(state, version=state.version + 1, revealed=event.number)


def _dealer_drawn(state: MatchState, event: ev.DealerDrawn) -> MatchState:
    return replace(
        state,
        version=state.version + 1,
        phase=Phase.DEALING,
        dealer=event.dealer,
        proof=_drawn(state.proof, len(event.rounds)),
    )


def _drawn(proof: Proof | None, rounds: int) -> Proof | None:
    return proof and replace(proof, draws=proof.draws + rounds)


def _dealt(state: MatchState, event: ev.Dealt) -> MatchState:
    players = state.rules.players
    nothing = (0,) * players
    deal = DealState(
        state.rules,
        event.number,
        event.dealer,
        event.direction,
        hands=tuple(mask_of(hand or ()) for hand in event.hands),
        kitty=mask_of(event.kitty or ()),
        passes=(() if event.direction is Direction.HOLD else None,) * players,
        transfers=(),
        leader=-1,
        turn=-1,
        trick=(),
        led=None,
        opening=None,
        tricks=(),
        taken=nothing,
        won=nothing,
        kitty_taker=None,
        broken=False,
        voided=0,
        excluded=nothing,
    )
    return replace(
        state,
        version=state.version + 1,
        phase=Phase.PASSING,
        dealer=event.dealer,
        deal=deal,
        proof=state.proof and replace(state.proof, used=True),
    )


def _passed(state: MatchState, event: ev.Passed) -> MatchState:
    return _pass(state, event.seat, event.cards or ())


def _pass_taken_back(state: MatchState, event: ev.PassTakenBack) -> MatchState:
    return _pass(state, event.seat, None)


def _pass(state: MatchState, seat: int, cards: tuple[Card, ...] | None) -> MatchState:
    assert state.deal is not None
    deal = replace(state.deal, passes=put(state.deal.passes, seat, cards))
    return replace(state, version=state.version + 1, deal=deal)


def _exchanged(state: MatchState, event: ev.Exchanged) -> MatchState:
    deal = state.deal
    assert deal is not None
    hands = list(deal.hands)
    for transfer in event.transfers:
        hands[transfer.giver] &= ~mask_of(transfer.cards or ())
    for transfer in event.transfers:
        hidden = not deal.hands[transfer.taker]
        if not hidden:
            hands[transfer.taker] |= mask_of(transfer.cards or ())
    deal = replace(deal, hands=tuple(hands), transfers=event.transfers)
    return replace(state, version=state.version + 1, deal=deal)


def _play_started(state: MatchState, event: ev.PlayStarted) -> MatchState:
    deal = state.deal
    assert deal is not None
    lower = deal.rules.clubs_below(event.opening) if event.opening else 0
    deal = replace(
        deal,
        leader=event.leader,
        turn=event.leader,
        opening=event.opening,
        excluded=(lower,) * deal.rules.players,
    )
    return replace(state, version=state.version + 1, phase=Phase.PLAYING, deal=deal)


def _played(state: MatchState, event: ev.Played) -> MatchState:
    deal = state.deal
    assert deal is not None
    played = fold_play(deal, event.seat, event.card)
    return replace(
        state, version=state.version + 1, deal=played, before=deal, asked=None, consents=0
    )


def fold_play(deal: DealState, seat: int, card: Card) -> DealState:
    """The deal with that card on the table, and what it proves of the hand behind it."""
    hands = put(deal.hands, seat, deal.hands[seat] & ~card.bit)
    after = (seat + 1) % len(hands)
    if card.suit is deal.led and not card.bit & QUEENS:
        return replace(deal, hands=hands, trick=(*deal.trick, card), turn=after)
    proved = excluded_beside(card, duties_now(deal)) & deal.rules.deck_mask
    sets_suit = deal.led is None
    return replace(
        deal,
        hands=hands,
        trick=(*deal.trick, card),
        turn=after,
        led=card.suit if sets_suit else deal.led,
        broken=deal.broken or bool(card.bit & deal.rules.breaking_mask),
        voided=deal.voided if sets_suit or card.suit is deal.led else deal.voided | 1 << seat,
        excluded=put(deal.excluded, seat, deal.excluded[seat] | proved)
        if proved
        else deal.excluded,
    )


def _trick_taken(state: MatchState, event: ev.TrickTaken) -> MatchState:
    assert state.deal is not None
    return replace(state, version=state.version + 1, deal=fold_trick(state.deal, event.seat))


def fold_trick(deal: DealState, seat: int) -> DealState:
    """The deal with the trick on the table gathered by that seat, and any that waited for it."""
    return replace(
        deal,
        leader=seat,
        turn=seat,
        trick=(),
        led=None,
        tricks=(*deal.tricks, Trick(deal.leader, deal.trick, seat)),
        taken=put(deal.taken, seat, deal.taken[seat] | mask_of(deal.trick) | deal.held),
        won=put(deal.won, seat, deal.won[seat] + tricks_waiting(deal) + 1),
        held=0,
    )


def tricks_waiting(deal: DealState) -> int:
    """How many gathered tricks go to whoever takes the next (W11)."""
    waiting = 0
    while deal.held and waiting < len(deal.tricks) and deal.tricks[-1 - waiting].winner is None:
        waiting += 1
    return waiting


def _trick_held(state: MatchState, _: ev.TrickHeld) -> MatchState:
    assert state.deal is not None
    return replace(state, version=state.version + 1, deal=fold_held(state.deal))


def fold_held(deal: DealState) -> DealState:
    """The deal with the trick on the table gathered by nobody yet; whoever led leads again."""
    return replace(
        deal,
        turn=deal.leader,
        trick=(),
        led=None,
        tricks=(*deal.tricks, Trick(deal.leader, deal.trick, None)),
        held=deal.held | mask_of(deal.trick),
    )


def _kitty_taken(state: MatchState, event: ev.KittyTaken) -> MatchState:
    assert state.deal is not None
    deal = replace(state.deal, kitty_taker=event.seat, kitty=mask_of(event.cards or ()))
    return replace(state, version=state.version + 1, deal=deal, before=None)


def _claimed(state: MatchState, _: ev.Claimed) -> MatchState:
    return replace(state, version=state.version + 1, before=None, asked=None, consents=0)


def _undo_asked(state: MatchState, event: ev.UndoAsked) -> MatchState:
    return replace(state, version=state.version + 1, asked=event.seat, consents=0)


def _undo_answered(state: MatchState, event: ev.UndoAnswered) -> MatchState:
    if not event.allow:
        return replace(state, version=state.version + 1, before=None, asked=None, consents=0)
    return replace(state, version=state.version + 1, consents=state.consents | 1 << event.seat)


def _play_taken_back(state: MatchState, _: ev.PlayTakenBack) -> MatchState:
    return replace(
        state,
        version=state.version + 1,
        deal=state.before,
        before=None,
        asked=None,
        consents=0,
    )


def _moon_shot(state: MatchState, event: ev.MoonShot) -> MatchState:
    return replace(
        state,
        version=state.version + 1,
        phase=Phase.CHOOSING,
        shooter=event.seat,
        before=None,
        asked=None,
        consents=0,
    )


def _deal_scored(state: MatchState, event: ev.DealScored) -> MatchState:
    deals = (*state.deals, event.score)
    pot = state.rules.stakes.settlement is Settlement.POT
    return replace(
        state,
        version=state.version + 1,
        phase=Phase.PAYING_POT if pot else _after_deal(state, deals),
        deals=deals,
        dealer=(state.dealer + 1) % state.rules.players,
        shooter=None,
        before=None,
        asked=None,
        consents=0,
    )


def _after_deal(state: MatchState, deals: tuple[Score, ...]) -> Phase:
    return Phase.CLOSING if match_over(state.rules, deals) else Phase.DEALING


def _lots_drawn(state: MatchState, event: ev.LotsDrawn) -> MatchState:
    proof = _drawn(state.proof, len(event.rounds))
    return replace(state, version=state.version + 1, lots=event.order, proof=proof)


def _settled(state: MatchState, event: ev.Settled) -> MatchState:
    net = tuple(
        have + drawn - paid
        for have, drawn, paid in zip(state.net, event.drawn, event.paid, strict=True)
    )
    after_deal = state.phase is Phase.PAYING_POT
    return replace(
        state,
        version=state.version + 1,
        phase=_after_deal(state, state.deals) if after_deal else Phase.ENDED,
        pot=event.pot,
        net=net,
        lots=(),
    )


def _match_ended(state: MatchState, event: ev.MatchEnded) -> MatchState:
    to_settle = state.rules.stakes.settlement in (Settlement.DIFFERENCE, Settlement.AVERAGE)
    return replace(
        state,
        version=state.version + 1,
        phase=Phase.SETTLING if to_settle else Phase.ENDED,
        winners=event.winners,
    )


_FOLDS: Final[dict[type, Callable[[Any, Any], MatchState]]] = {
    ev.MatchStarted: _match_started,
    ev.Committed: _committed,
    ev.Promised: _promised,
    ev.Contributed: _contributed,
    ev.Revealed: _revealed,
    ev.DealerDrawn: _dealer_drawn,
    ev.Dealt: _dealt,
    ev.Passed: _passed,
    ev.PassTakenBack: _pass_taken_back,
    ev.Exchanged: _exchanged,
    ev.PlayStarted: _play_started,
    ev.Played: _played,
    ev.TrickTaken: _trick_taken,
    ev.TrickHeld: _trick_held,
    ev.KittyTaken: _kitty_taken,
    ev.Claimed: _claimed,
    ev.UndoAsked: _undo_asked,
    ev.UndoAnswered: _undo_answered,
    ev.PlayTakenBack: _play_taken_back,
    ev.MoonShot: _moon_shot,
    ev.DealScored: _deal_scored,
    ev.LotsDrawn: _lots_drawn,
    ev.Settled: _settled,
    ev.MatchEnded: _match_ended,
}
