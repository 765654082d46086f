"""Actions of the house: chance enters a match here, as actions, and nowhere else."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from volte.cards import Card, CopiedWhole
from volte.fair import CONTRIBUTION_BYTES, House, SplitMix64
from volte.game.actions import (
    Commit,
    Contribute,
    DealCards,
    DrawDealer,
    DrawLots,
    HouseAction,
    NameDealer,
    Promise,
    Reveal,
)
from volte.game.dealing import deck_of
from volte.game.decide import lots_due, still_to_contribute, still_to_promise
from volte.game.state import MatchState, Phase, Proof
from volte.rules import LOTS, Draw, draws_left

Permutation = tuple[int, ...]


class Chance(Protocol):
    """Source of the house's actions in a match: it draws lots, deals and proves."""

    def act(self, state: MatchState) -> HouseAction | None:
        """Return the action of the house; None when it is not its turn."""
        ...


class PlainChance(CopiedWhole):
    """Deals from the fast generator, without proofs: for simulations and tests."""

    def __init__(self, seed: int) -> None:
        self._random = SplitMix64(seed)

    def act(self, state: MatchState) -> HouseAction | None:
        if state.phase is Phase.DEALING:
            return _deal(state, self._random.permutation(len(state.rules.cards)))
        return _draw(state, lambda _: self._random.permutation(len(LOTS)))


@dataclass(frozen=True)
class ProvedChance:
    """Commits, collects everybody's bytes, deals by them and reveals (D3).

    It asks no seat for a promise. Where seats have promised already, on machines of their own, it
    goes on with them and leaves the other seats out.
    """

    house: House
    # Returns the bytes of the person at a seat; None lets the house choose the bytes of all seats,
    # so that a match is repeatable from its seed
    own_bytes: Callable[[int], bytes] | None = None

    def act(self, state: MatchState) -> HouseAction | None:
        proof = state.proof
        if state.phase is Phase.ENDED:
            revealed = proof is None or state.revealed == proof.number
            return None if revealed else self._reveal(state.revealed + 1)
        if state.phase in (Phase.DRAWING, Phase.DEALING):
            if proof is None or proof.used:
                return self._commit(state)
            if proof.promised and (late := still_to_promise(state)):
                return Promise(late[0], None)
            if waiting := still_to_contribute(state):
                return self._contribute(proof, waiting[0])
            if state.revealed < proof.number - 1:
                return self._reveal(state.revealed + 1)
            if state.phase is Phase.DEALING:
                cards = len(state.rules.cards)
                return _deal(state, self.house.order(proof.number, _given(proof), cards))
        return _draw(state, lambda draw: self._lot(state, draw))

    def _commit(self, state: MatchState) -> Commit:
        number = state.proof.number + 1 if state.proof is not None else 1
        previous = state.proof.digest if state.proof is not None else b""
        seats = tuple(
            seat
            for seat, player in enumerate(state.players)
            if self.own_bytes is None or not player.person
        )
        return Commit(number, self.house.commitment(number, seats, previous).digest, seats)

    def _contribute(self, proof: Proof, seat: int) -> Contribute:
        if proof.promised and seat not in proof.house:
            return Contribute(seat, None)
        if seat in proof.house or self.own_bytes is None:
            return Contribute(seat, self.house.contribution(proof.number, seat))
        return Contribute(seat, self.own_bytes(seat))

    def _reveal(self, number: int) -> Reveal:
        return Reveal(number, self.house.secret(number))

    def _lot(self, state: MatchState, draw: int) -> Permutation:
        assert state.proof is not None
        number, before = state.proof.number, state.proof.draws
        return self.house.lot(number, before + draw, _given(state.proof), len(LOTS))


def random_bytes(_: int) -> bytes:
    """Return bytes for a seat from the system's own randomness."""
    return secrets.token_bytes(CONTRIBUTION_BYTES)


def _given(proof: Proof) -> dict[int, bytes]:
    return {seat: data for seat, data in enumerate(proof.contributions) if data is not None}


def _deal(state: MatchState, order: Permutation) -> DealCards:
    return DealCards(tuple(state.rules.cards[place] for place in order))


def _draw(state: MatchState, shuffle: Callable[[int], Permutation]) -> HouseAction | None:
    """Draw lots, if any are due: each round from a full pack, whose top cards the seats take."""
    seats, wanted = lots_due(state)
    if not seats:
        return None
    rounds: list[Draw] = []
    while left := draws_left(seats, wanted, rounds):
        order = shuffle(len(rounds) + 1)
        rounds.append(tuple((seat, LOTS[order[place]]) for place, seat in enumerate(left)))
    if state.phase is Phase.DRAWING:
        return DrawDealer(tuple(rounds))
    return DrawLots(tuple(rounds))


@dataclass(frozen=True)
class Prepared:
    """Names the dealer and deals hands prepared beforehand."""

    eldest: int  # the seat to the dealer's left
    hands: Sequence[Sequence[Card]]  # by seat, all of one size

    def act(self, state: MatchState) -> HouseAction | None:
        """Name the dealer, then deal the cards one by one from the dealer's left (D4)."""
        dealer = (self.eldest - 1) % len(self.hands)
        if state.phase is Phase.DRAWING:
            return NameDealer(dealer)
        return DealCards(deck_of(self.hands, (), dealer))
