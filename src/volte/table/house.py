"""What the house does at a table: it deals, plays for bots and the absent, and makes people wait.

Each function answers as `decide` does: with happenings, or with the reason why not.
"""

from __future__ import annotations

from collections.abc import Collection

from volte import referee
from volte.fair import House
from volte.game import (
    Commit,
    Contribute,
    HouseAction,
    MatchState,
    Phase,
    ProvedChance,
    Refusal,
    lots_due,
    still_to_contribute,
    still_to_promise,
)
from volte.referee import SeatAction
from volte.table import happenings as hap
from volte.table.admission import asker_sits
from volte.table.decide import Outcome, back, playing, stood_in
from volte.table.happenings import Happening, Why
from volte.table.state import TableState, evolve
from volte.table.turns import only_play


def decide_house(state: TableState, action: HouseAction) -> Outcome:
    """Chance: commitments, bytes for those who add none, lots, deals and secrets."""
    match = playing(state)
    return match if isinstance(match, Refusal) else referee.decide(match, action)


def decide_bot(state: TableState, action: SeatAction) -> Outcome:
    """An act of a bot, at its own seat or for somebody."""
    match = playing(state)
    if isinstance(match, Refusal):
        return match
    if not 0 <= action.seat < len(state.seats):
        return Refusal("no_such_seat", params={"seat": action.seat})
    if not state.seats[action.seat].bot:
        return Refusal("not_your_seat")
    return referee.decide(match, action)


def play_forced(state: TableState, seat: int) -> Outcome:
    """The only card that the person at a seat may play, played for them."""
    match = playing(state)
    if isinstance(match, Refusal):
        return match
    only = only_play(match)
    if only is None or only.seat != seat:
        return Refusal("not_forced")
    return referee.decide(match, only)


def stand_in(state: TableState, seat: int, why: Why) -> Outcome:
    """A bot for the person at a seat, whose connection is lost, or whose clock has run out."""
    if state.closed:
        return Refusal("closed")
    if not state.seats[seat].person:
        return Refusal("no_person_there")
    return stood_in(state, seat, why)


def come_back(state: TableState, seat: int) -> Outcome:
    """The person at a seat plays again."""
    if state.closed:
        return Refusal("closed")
    return back(state, seat) or Refusal("not_away")


def hand_on(state: TableState, seat: int) -> Outcome:
    """The table gets another host, as its own does not come back."""
    if state.closed:
        return Refusal("closed")
    heir = state.seats[seat]
    if not heir.person:
        return Refusal("no_person_there")
    return (hap.HandedOver(heir.person, heir.name),)


def settle_asker(state: TableState, seat: int, here: Collection[str]) -> Outcome:
    """Whoever has asked for a bot's seat gets it, as the deal is over, or has gone.

    Args:
        here: ids of those who are connected.
    """
    if state.closed or not state.seats[seat].asker:
        return Refusal("closed" if state.closed else "nobody_asks")
    stays = state.seats[seat].asker in here and not state.hands_are_out
    return asker_sits(state, seat) if stays else (hap.SeatForgone(seat),)


def pause_empty(state: TableState) -> Outcome:
    """The match waits, as nobody is there."""
    match = playing(state)
    return match if isinstance(match, Refusal) else (hap.Paused(""),)


def resume_present(state: TableState) -> Outcome:
    """Somebody is there again; a pause that a person has made stays."""
    if state.closed:
        return Refusal("closed")
    if not state.paused:
        return Refusal("not_paused")
    return Refusal("paused") if state.paused_by else (hap.Unpaused(""),)


def close_table(state: TableState) -> Outcome:
    """The table goes, since nobody has been there for long."""
    return Refusal("closed") if state.closed else (hap.Closed(),)


def house_is_due(match: MatchState) -> bool:
    """Whether the house can act now: nobody else has to, before it can."""
    if match.phase is Phase.ENDED:
        return match.proof is not None and match.revealed < match.proof.number
    if match.phase in (Phase.DRAWING, Phase.DEALING):
        if match.proof is None or match.proof.used:
            return True
        left = still_to_contribute(match)
        house = any(seat in match.proof.house for seat in left)
        return not still_to_promise(match) and (house or not left)
    return bool(lots_due(match)[0])


def act_of_house(
    house: House, match: MatchState, covered: Collection[int] = ()
) -> HouseAction | None:
    """What the house does now; None when it is not its turn.

    Args:
        covered: the seats that the house speaks for in a commitment made now, those of bots and
            of people who are not there: it says so before it knows what others add.
    """
    if not house_is_due(match):
        return None
    proof = match.proof
    if match.phase in (Phase.DRAWING, Phase.DEALING):
        if proof is None or proof.used:
            number, digest = (proof.number, proof.digest) if proof is not None else (0, b"")
            seats = tuple(sorted(covered))
            commitment = house.commitment(number + 1, seats, digest)
            return Commit(number + 1, commitment.digest, seats)
        for seat in still_to_contribute(match):
            if seat in proof.house:
                return Contribute(seat, house.contribution(proof.number, seat))
    return ProvedChance(house).act(match)


def covered_by_house(state: TableState, here: Collection[str]) -> list[int]:
    """The seats that the house speaks for: of bots, and of people who are not here; at a table of
    an evening all, so that the same is dealt elsewhere."""
    seats, everywhere = enumerate(state.seats), state.setup.evening
    return [place for place, seat in seats if everywhere or seat.person not in here]


def acts_of_house(
    house: House, state: TableState, covered: Collection[int]
) -> tuple[Happening, ...]:
    """All that the house does before somebody else has to; a commitment begins something new."""
    happened: list[Happening] = []
    while state.match is not None:
        action = act_of_house(house, state.match, covered)
        if action is None or (happened and isinstance(action, Commit)):
            break
        outcome = decide_house(state, action)
        if isinstance(outcome, Refusal):
            raise RuntimeError(f"the house was refused: {outcome.reason}")
        for happening in outcome:
            state = evolve(state, happening)
        happened += outcome
    return tuple(happened)
