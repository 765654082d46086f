"""Chance of a match that takes promises from people's programs, some of them late."""

from __future__ import annotations

from hashlib import sha256

from volte import game
from volte.fair import CONTRIBUTION_BYTES, House, SplitMix64, commit_bytes


class PromisingChance:
    """Commits, takes promises in any order, then the bytes, deals and reveals (D3).

    Args:
        house: the source of chance.
        late: one promise in `late` comes late, and one share of bytes in `late`; 0 for none.
    """

    def __init__(self, house: House, late: int = 4) -> None:
        self._proved = game.ProvedChance(house, lambda seat: bytes([seat]))
        self._house = house
        self._late = late
        self._random = SplitMix64(int.from_bytes(house.master[:8], "big"))

    def act(self, state: game.MatchState) -> game.HouseAction | None:
        proof = state.proof
        if proof is not None and (missing := game.still_to_promise(state)):
            seat = self._random.choice(missing)
            return game.Promise(seat, None if self._is_late() else promised(proof.number, seat))
        if proof is not None and (missing := game.still_to_contribute(state)):
            return self._contribute(proof, self._random.choice(missing))
        return self._proved.act(state)

    def _contribute(self, proof: game.Proof, seat: int) -> game.Contribute:
        if seat in proof.house:
            return game.Contribute(seat, self._house.contribution(proof.number, seat))
        left_out = proof.promises[seat] is None or self._is_late()
        return game.Contribute(seat, None if left_out else share(proof.number, seat))

    def _is_late(self) -> bool:
        return self._late > 0 and self._random.below(self._late) == 0


def share(number: int, seat: int) -> bytes:
    """The bytes that the program of a seat adds to a deal."""
    return sha256(f"a share of {seat} in {number}".encode()).digest()[:CONTRIBUTION_BYTES]


def promised(number: int, seat: int) -> bytes:
    """The digest by which the program promises its bytes."""
    return commit_bytes(number, seat, share(number, seat))
