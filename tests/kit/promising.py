"""A house that asks people's programs for promises; some of them are late."""

from __future__ import annotations

from hashlib import sha256

from volte.fair import CONTRIBUTION_BYTES, House, SplitMix64, commit_bytes
from volte.game import (
    Contribute,
    HouseAction,
    MatchState,
    Promise,
    Proof,
    ProvedChance,
    still_to_contribute,
    still_to_promise,
)


class PromisingChance:
    """Commits, takes promises in any order, then the bytes, deals and reveals (D3).

    Args:
        house: the source.
        late: one program in so many is late with its promise, and as many with its bytes; 0 for
            none.
    """

    def __init__(self, house: House, late: int = 4) -> None:
        self._proved = ProvedChance(house, lambda seat: bytes([seat]))
        self._house = house
        self._late = late
        self._random = SplitMix64(int.from_bytes(house.master[:8], "big"))

    def act(self, state: MatchState) -> HouseAction | None:
        proof = state.proof
        if proof is not None and (due := still_to_promise(state)):
            seat = self._random.choice(due)
            return Promise(seat, None if self._is_late() else promised(proof.number, seat))
        if proof is not None and (due := still_to_contribute(state)):
            return self._contribute(proof, self._random.choice(due))
        return self._proved.act(state)

    def _contribute(self, proof: Proof, seat: int) -> Contribute:
        if seat in proof.house:
            return Contribute(seat, self._house.contribution(proof.number, seat))
        left_out = proof.promises[seat] is None or self._is_late()
        return Contribute(seat, None if left_out else share(proof.number, seat))

    def _is_late(self) -> bool:
        return self._late > 0 and self._random.below(self._late) == 0


def share(number: int, seat: int) -> bytes:
    """What the program of a seat adds to a deal."""
    return sha256(f"a share of {seat} in {number}".encode()).digest()[:CONTRIBUTION_BYTES]


def promised(number: int, seat: int) -> bytes:
    """The digest by which it promises that."""
    return commit_bytes(number, seat, share(number, seat))
