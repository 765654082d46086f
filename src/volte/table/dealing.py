"""What the house does at a live table: it commits, adds for bots, deals, draws lots and reveals."""

from __future__ import annotations

from collections.abc import Collection

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
from volte.table.evolve import evolve
from volte.table.happenings import Happening
from volte.table.house import decide_house
from volte.table.state import TableState


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
