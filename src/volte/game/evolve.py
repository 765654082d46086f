"""`evolve`: fold one event into the state. It trusts the event, since `decide` has judged it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from volte.cards import QUEENS, Card, VolteError, WrongType, mask_of
from volte.game import events as ev
from volte.game.state import DealState, MatchState, Phase, Proof, Trick
from volte.rules import (
    Direction,
    Duties,
    Ruleset,
    Score,
    Settlement,
    match_over,
)
from volte.rules.legality import duties_of_leader, excluded_beside


def evolve(state: MatchState | None, event: ev.Event) -> MatchState:
    """Return the state after the event; `MatchStarted` begins anew from any state or from None.

    The events may be all of them or those that one seat may see: hidden cards count as unknown.
    """
    # Types are compared, since `isinstance` takes six times as long for an `msgspec` struct
    if state is not None and state.deal is not None:  # the most frequent events, without a detour
        if type(event) is ev.Played:
            deal, version = fold_play(state.deal, event.seat, event.card), state.version + 1
            return replace(
                state, version=version, deal=deal, before=state.deal, asked=None, consents=0
            )
        if type(event) is ev.TrickTaken:
            deal = fold_trick(state.deal, event.seat)
            return replace(state, version=state.version + 1, deal=deal)
    if type(event) is ev.MatchStarted:
        return MatchState(
            event.rules,
            event.players,
            version=1,
            phase=Phase.DRAWING if event.dealer is None else Phase.DEALING,
            dealer=event.dealer or 0,
            pot=event.pot,
            net=(0,) * event.rules.players,
            cards=event.cards,
        )
    assert state is not None
    return replace(state, version=state.version + 1, **_changes(state, event))


def replay(log: Iterable[ev.Event]) -> MatchState:
    """The state that a whole log leads to. The log must not be empty."""
    return fold(evolve, log)


def fold(evolve: Callable[[MatchState | None, Any], MatchState], log: Iterable[Any]) -> MatchState:
    """Return the state that a whole log leads to, folded by the given `evolve`."""
    state: MatchState | None = None
    for event in log:
        state = evolve(state, event)
    if state is None:
        raise VolteError("log_empty")
    return state


_NOTHING_TO_UNDO: Final = {"before": None, "asked": None, "consents": 0}


def _changes(state: MatchState, event: ev.Event) -> dict[str, Any]:
    """The fields of the match that the event changes; events of every deal are tested first."""
    if type(event) is ev.Passed:
        return {"deal": _with_pass(state.current_deal, event.seat, event.cards or ())}
    if type(event) is ev.Exchanged:
        return {"deal": _exchanged(state.current_deal, event.transfers)}
    if type(event) is ev.PlayStarted:
        return {"phase": Phase.PLAYING, "deal": _opened(state.current_deal, event)}
    if type(event) is ev.Dealt:
        return {
            "phase": Phase.PASSING,
            "dealer": event.dealer,
            "deal": _dealt(state.rules, event),
            "proof": state.proof and replace(state.proof, used=True),
        }
    if type(event) is ev.DealScored:
        deals = (*state.deals, event.score)
        pot = state.rules.stakes.settlement is Settlement.POT
        return {
            "phase": Phase.PAYING_POT if pot else _after_deal(state, deals),
            "deals": deals,
            "dealer": (state.dealer + 1) % state.rules.players,
            "shooter": None,
            **_NOTHING_TO_UNDO,
        }
    if type(event) is ev.TrickHeld:
        return {"deal": fold_held(state.current_deal)}
    if type(event) is ev.KittyTaken:
        cards = mask_of(event.cards or ())
        deal = replace(state.current_deal, kitty_taker=event.seat, kitty=cards)
        return {"deal": deal, "before": None}
    if type(event) is ev.MoonShot:
        return {"phase": Phase.CHOOSING, "shooter": event.seat, **_NOTHING_TO_UNDO}
    if type(event) is ev.PassTakenBack:
        return {"deal": _with_pass(state.current_deal, event.seat, None)}
    return _changes_besides(state, event)


def _changes_besides(state: MatchState, event: ev.Event) -> dict[str, Any]:
    """Changes by the rarer events: claims, undo, proofs of chance, lots, stakes and the end."""
    proof = state.proof
    if type(event) is ev.Claimed:
        return _NOTHING_TO_UNDO
    if type(event) is ev.UndoAsked:
        return {"asked": event.seat, "consents": 0}
    if type(event) is ev.UndoAnswered and event.allow:
        return {"consents": state.consents | 1 << event.seat}
    if type(event) is ev.UndoAnswered:
        return _NOTHING_TO_UNDO
    if type(event) is ev.PlayTakenBack:
        return {"deal": state.before, **_NOTHING_TO_UNDO}
    if type(event) is ev.Committed:
        nothing = (None,) * state.rules.players
        return {"proof": Proof(event.number, event.digest, event.house, nothing, nothing)}
    if type(event) is ev.Promised:
        assert proof is not None
        promises = put(proof.promises, event.seat, event.digest)
        promised = proof.promised | 1 << event.seat
        return {"proof": replace(proof, promises=promises, promised=promised)}
    if type(event) is ev.Contributed:
        assert proof is not None
        contributions = put(proof.contributions, event.seat, event.data)
        answered = proof.answered | 1 << event.seat
        return {"proof": replace(proof, contributions=contributions, answered=answered)}
    if type(event) is ev.Revealed:
        return {"revealed": event.number}
    if type(event) is ev.DealerDrawn:
        proof = proof and replace(proof, draws=proof.draws + len(event.rounds))
        return {"phase": Phase.DEALING, "dealer": event.dealer, "proof": proof}
    if type(event) is ev.LotsDrawn:
        proof = proof and replace(proof, draws=proof.draws + len(event.rounds))
        return {"lots": event.order, "proof": proof}
    if type(event) is ev.Settled:
        stakes = zip(state.net, event.drawn, event.paid, strict=True)
        after_deal = state.phase is Phase.PAYING_POT
        return {
            "phase": _after_deal(state, state.deals) if after_deal else Phase.ENDED,
            "pot": event.pot,
            "net": tuple(have + drawn - paid for have, drawn, paid in stakes),
            "lots": (),
        }
    if type(event) is ev.MatchEnded:
        to_settle = state.rules.stakes.settlement in (Settlement.DIFFERENCE, Settlement.AVERAGE)
        phase = Phase.SETTLING if to_settle else Phase.ENDED
        return {"phase": phase, "winners": event.winners}
    raise WrongType.of("event", "Event", event)


def _after_deal(state: MatchState, deals: tuple[Score, ...]) -> Phase:
    return Phase.CLOSING if match_over(state.rules, deals) else Phase.DEALING


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return the tuple with one place changed."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)


# The deal


def duties_now(deal: DealState) -> Duties:
    """The duties of the seat on turn, in the order of T8."""
    gathered = len(deal.tricks)
    if deal.led is not None:
        had_chance = deal.voided >> deal.turn & 1
        return deal.rules.follower_duties[gathered][deal.led][deal.broken][had_chance]
    if deal.opening is not None and not gathered and not deal.trick:
        return duties_of_leader(deal.rules.play, 1, deal.broken, deal.opening)
    return deal.rules.leader_duties[gathered][deal.broken]


def _dealt(rules: Ruleset, event: ev.Dealt) -> DealState:
    nothing = (0,) * rules.players
    return DealState(
        rules,
        event.number,
        event.dealer,
        event.direction,
        hands=tuple(mask_of(hand or ()) for hand in event.hands),
        kitty=mask_of(event.kitty or ()),
        passes=(() if event.direction is Direction.HOLD else None,) * rules.players,
        taken=nothing,
        won=nothing,
        excluded=nothing,
    )


def _with_pass(deal: DealState, seat: int, cards: tuple[Card, ...] | None) -> DealState:
    return replace(deal, passes=put(deal.passes, seat, cards))


def _exchanged(deal: DealState, transfers: tuple[ev.Transfer, ...]) -> DealState:
    hands = list(deal.hands)
    for transfer in transfers:
        hands[transfer.giver] &= ~mask_of(transfer.cards or ())
    for transfer in transfers:
        if deal.hands[transfer.taker]:  # not hidden
            hands[transfer.taker] |= mask_of(transfer.cards or ())
    return replace(deal, hands=tuple(hands), transfers=transfers)


def _opened(deal: DealState, event: ev.PlayStarted) -> DealState:
    lower = deal.rules.clubs_below(event.opening) if event.opening else 0
    return replace(
        deal,
        leader=event.leader,
        turn=event.leader,
        opening=event.opening,
        excluded=(lower,) * deal.rules.players,
    )


def fold_play(deal: DealState, seat: int, card: Card) -> DealState:
    """Return the deal with the card on the table, and its proof of cards that the seat lacks."""
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


def fold_trick(deal: DealState, seat: int) -> DealState:
    """Return the deal with the trick on the table, and any held before it, gathered by the seat."""
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
    """Number of gathered tricks that go to the taker of the next one (W11)."""
    waiting = 0
    while deal.held and waiting < len(deal.tricks) and deal.tricks[-1 - waiting].winner is None:
        waiting += 1
    return waiting


def fold_held(deal: DealState) -> DealState:
    """Return the deal with the trick held for the next taker (W11); the same seat leads again."""
    return replace(
        deal,
        turn=deal.leader,
        trick=(),
        led=None,
        tricks=(*deal.tricks, Trick(deal.leader, deal.trick, None)),
        held=deal.held | mask_of(deal.trick),
    )
