"""The steps of the house at a table: it deals, acts for bots and the absent, pauses and resumes.

Each function answers as `decide` does: with happenings, or with a refusal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from volte import referee
from volte.cards import Card
from volte.fair import House, digest_of_cards
from volte.game import (
    AnswerUndo,
    Commit,
    Contribute,
    DealCards,
    HouseAction,
    MatchState,
    Phase,
    ProvedChance,
    Refusal,
    UndoAnswered,
    hands_of,
    still_to_contribute,
)
from volte.referee import SeatAction
from volte.table import happenings as hap
from volte.table import pacing
from volte.table.admission import asker_sits
from volte.table.decide import TableOutcome, back, new_match, playing, ready, stood_in
from volte.table.happenings import Happening
from volte.table.pacing import TableStep
from volte.table.state import TableState, evolve
from volte.table.turns import house_is_due, only_play


def outcome_of(state: TableState, step: TableStep) -> TableOutcome:
    """The happenings that a step causes; none for a step that needs a dealer or a bot's choice."""
    if state.closed:
        return Refusal("closed")
    match step:
        case pacing.PauseEmpty():
            now = playing(state)
            return now if isinstance(now, Refusal) else (hap.Paused(""),)
        case pacing.Resume():
            if state.paused and not (state.paused_by and not state.setup.evening):
                return (hap.Unpaused(""),)
            return Refusal("paused" if state.paused else "not_paused")
        case pacing.StandIn(seat=seat):
            person = state.seats[seat].person
            return stood_in(state, seat, step.why) if person else Refusal("no_person_there")
        case pacing.ComeBack(seat=seat):
            return back(state, seat) or Refusal("not_away")
        case pacing.HandOn(seat=seat):
            return (hap.HandedOver(state.seats[seat].person, state.seats[seat].name),)
        case pacing.SettleAsker(seat=seat) | pacing.DropAsker(seat=seat):
            if not state.seats[seat].asker:
                return Refusal("nobody_asks")
            if isinstance(step, pacing.DropAsker):
                return (hap.SeatForgone(seat),)
            return Refusal("seat_asked") if state.hands_are_out else asker_sits(state, seat)
        case pacing.BeginMatch():
            return Refusal("under_way") if state.under_way else new_match(state)
        case pacing.BeginAnew() | pacing.LapseAnew():
            if state.anew is None:
                return Refusal("anew_not_offered")
            begins = isinstance(step, pacing.BeginAnew)
            return new_match(state) if begins else (hap.AnewLapsed(),)
        case pacing.PlayForced(seat=seat):
            now = playing(state)
            if isinstance(now, Refusal):
                return now
            only = only_play(now)
            if only is None or only.seat != seat:
                return Refusal("not_forced")
            return referee.decide(now, only)
        case pacing.ActFor(action=AnswerUndo(allow=False)):
            return _unanswered(decide_house(state, step.action))
        case pacing.ActFor():
            return decide_house(state, step.action)
        case pacing.MarkReady():
            return ready(state, step.seat)
    return ()


def _unanswered(outcome: TableOutcome) -> TableOutcome:
    """The refusal of an undo, told as what it is: nobody has answered in time."""
    if isinstance(outcome, Refusal):
        return outcome
    return tuple(
        replace(each, late=True) if isinstance(each, UndoAnswered) else each for each in outcome
    )


def decide_house(state: TableState, action: HouseAction | SeatAction) -> TableOutcome:
    """An action of the house: commitments, bytes for seats that add none, lots, deals and secrets;
    or an action that it takes for a seat."""
    match = playing(state)
    return match if isinstance(match, Refusal) else referee.decide(match, action)


def decide_bot(state: TableState, action: SeatAction) -> TableOutcome:
    """An action of a bot, at its own seat or for a person."""
    match = playing(state)
    if isinstance(match, Refusal):
        return match
    if not 0 <= action.seat < len(state.seats):
        return Refusal("no_such_seat", params={"seat": action.seat})
    if not state.seats[action.seat].bot:
        return Refusal("not_your_seat")
    return referee.decide(match, action)


def close_table(state: TableState) -> TableOutcome:
    """The happening that closes a table where nobody has been for long."""
    return Refusal("closed") if state.closed else (hap.Closed(),)


# Chance


def act_of_house(
    house: House,
    match: MatchState,
    covered: Collection[int] = (),
    decks: Sequence[Sequence[Card]] = (),
) -> HouseAction | None:
    """The next action of the house; None when it is not its turn.

    Args:
        decks: those given to the match, which it deals in the place of its own order.
        covered: the seats for which the house adds bytes in a commitment made now. It names them
            before it knows the bytes of others.
    """
    if not house_is_due(match):
        return None
    proof = match.proof
    if match.phase in (Phase.DRAWING, Phase.DEALING):
        if proof is None or proof.used:
            number, digest = (proof.number, proof.digest) if proof is not None else (0, b"")
            seats = tuple(sorted(covered))
            given = _digest_of(decks[len(match.deals)], match) if decks else None
            commitment = house.commitment(number + 1, seats, digest, given)
            return Commit(number + 1, commitment.digest, seats)
        for seat in still_to_contribute(match):
            if seat in proof.house:
                return Contribute(seat, house.contribution(proof.number, seat))
    action = ProvedChance(house).act(match)
    if decks and isinstance(action, DealCards):
        return DealCards(tuple(decks[len(match.deals)]))
    return action


def _digest_of(deck: Sequence[Card], match: MatchState) -> bytes:
    """The digest of the cards of a deck that is given, as the next commitment holds it."""
    hands, kitty = hands_of(deck, match.rules.players, match.dealer)
    place = {card: number for number, card in enumerate(match.rules.cards)}
    first = match.dealer + 1
    from_left = (*hands[first:], *hands[:first])
    piles = [[place[card] for card in pile] for pile in (*from_left, kitty)]
    return digest_of_cards(piles[:-1], piles[-1])


def covered_by_house(state: TableState, here: Collection[str]) -> list[int]:
    """The seats for which the house adds bytes: seats of bots, and of people who are not here; at
    a table of an evening all seats, so that the same cards are dealt at its other tables; where
    cards are given all seats, since nobody's bytes change them."""
    seats, everywhere = enumerate(state.seats), state.setup.evening or state.decks
    return [place for place, seat in seats if everywhere or seat.person not in here]


def acts_of_house(
    house: House, state: TableState, covered: Collection[int]
) -> tuple[Happening, ...]:
    """House actions up to the next seat's turn or the next commitment."""
    happened: list[Happening] = []
    while state.match is not None:
        action = act_of_house(house, state.match, covered, state.decks)
        if action is None or (happened and isinstance(action, Commit)):
            break
        outcome = decide_house(state, action)
        if isinstance(outcome, Refusal):
            raise RuntimeError(f"the house was refused: {outcome.reason}")
        for happening in outcome:
            state = evolve(state, happening)
        happened += outcome
    return tuple(happened)
