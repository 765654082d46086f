"""Instinct in readable words: likings, odds and what is expected, from the same weights."""

from __future__ import annotations

from math import exp, fsum
from typing import Final

import numpy as np
from kernel.test_endgame import played
from numpy.typing import NDArray

from volte.cards import Card, cards_in
from volte.game import DealState, legal_cards
from volte.kernel import Records, encode, position
from volte.kernel.encoding import Policy, seated
from volte.kernel.features import FEATURES, PLACES
from volte.kernel.instinct import FOR, LEVEL, PLAIN, SCALE, WIDTH
from volte.kernel.layout import CASUAL, INSTINCT, RANDOM
from volte.kernel.startup import code
from volte.rules import score

CODES: Final = {"instinct": INSTINCT, "casual": CASUAL, "random": RANDOM}


def places_of(deal: DealState, row: Records | None = None) -> NDArray[np.int64]:
    """The places of each card that the seat on turn may play, from the lowest on."""
    legal = legal_cards(deal)
    places = np.zeros((legal.bit_count(), FEATURES), np.int64)
    where = position(deal) if row is None else row
    code("features.describe_cards")(encode(deal.rules), where, np.uint64(legal), places)
    return places


def likings(places: NDArray[np.int64], instinct: Records) -> list[float]:
    """How much each card is liked."""
    steps = instinct["weights"][0].view(np.uint16).astype(np.int64) - LEVEL
    weights = steps.reshape(PLACES, WIDTH) / SCALE
    found = []
    for card in places:
        sums = [fsum(column) for column in weights[card].T]
        speak = [max(total, 0.0) for total in sums]
        found.append(sums[PLAIN] + fsum(speak[:FOR]) - fsum(speak[FOR:PLAIN]))
    return found


def odds(deal: DealState, instinct: Records) -> dict[Card, float]:
    """The chance of each card that the seat on turn may play."""
    worth = [exp(liking) for liking in likings(places_of(deal), instinct)]
    total = fsum(worth)
    cards = cards_in(legal_cards(deal))
    return {card: each / total for card, each in zip(cards, worth, strict=True)}


def expected(deal: DealState, instinct: Records) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points of every seat if all play by instinct: their means, and means of squares."""
    if len(deal.tricks) == deal.rules.hand_size:
        taken = [deal.captured(seat) for seat in range(deal.rules.players)]
        points = np.array(score(deal.rules, taken, deal.won).points, np.float64)
        return points, points**2
    means, squares = np.zeros((2, deal.rules.players))
    for card, chance in odds(deal, instinct).items():
        mean, square = expected(played(deal, card), instinct)
        means += chance * mean
        squares += chance * square
    return means, squares


def play_out(
    deal: DealState,
    here: Records,
    worlds: NDArray[np.uint64],
    candidates: list[int],
    instinct: Records,
    policy: Policy | str = "instinct",
    seed: int = 0,
    ending: int = 0,
) -> NDArray[np.float64]:
    """The points of every seat, by world and candidate."""
    player = Policy(CODES[policy]) if isinstance(policy, str) else policy
    points = np.zeros((len(worlds), len(candidates), deal.rules.players))
    code("playouts.play_out")(
        encode(deal.rules),
        seated([player] * deal.rules.players),
        instinct,
        here,
        np.ascontiguousarray(worlds),
        np.array(candidates, np.uint64),
        np.uint64(seed),
        ending,
        points,
    )
    return points
