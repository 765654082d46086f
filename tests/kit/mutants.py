"""Rows of the kernel that are positions with small errors, and the kernel's verdicts on them.

    python -m kit.mutants ROWS SEED

tries that many rows, in a process that can be watched: it ends well unless a row was accepted that
crashed compiled code or was scored wrongly.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Final

import numpy as np
from kit.deals import match
from kit.kernels import EVERY, Result

from volte.bots import compiled
from volte.game import DealState
from volte.kernel import DEAL, KernelFault, Policy, Records, choices, play_on, position
from volte.kernel.encoding import MOST_WEIGHT, RANDOM_POLICY, WEIGHTS
from volte.rules import Ruleset, check_books, make_ruleset

FIELDS: Final = tuple(DEAL.names or ())


def reached(rules: Ruleset, seed: int) -> list[DealState]:
    """Every state with a deal and hands in a random match: positions to act on, and ends."""
    states = (step.after for step in match(rules, seed))
    return [state.deal for state in states if state.deal is not None and state.deal.hands]


def rows_of(deals: list[DealState]) -> Records:
    """The positions as rows of the kernel."""
    return np.concatenate([position(deal, seed) for seed, deal in enumerate(deals)])


def check_outcomes(rules: Ruleset, outcomes: Records) -> None:
    """Raise `BooksFault` unless the points add up (S6)."""
    for outcome in outcomes:
        assert not any(outcome["points"][rules.players :])
        check_books(rules, Result.read(outcome, rules.players).score)


def mutant(rows: Records, rng: random.Random) -> Records:
    """One of the rows, with one to three things changed."""
    row = rows[[rng.randrange(len(rows))]]
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(CHANGES)(row, rows, rng)
    return row


def flip_a_bit(row: Records, _: Records, rng: random.Random) -> None:
    octets = row.view(np.uint8)
    octets[rng.randrange(len(octets))] ^= 1 << rng.randrange(8)


def put_a_number(row: Records, rows: Records, rng: random.Random) -> None:
    """A small number, or one at the end of a word, or the number of some other row."""
    place = _place(row, rng)
    numbers = (*range(-2, 9), 2**63 - 1, -(2**63), rng.getrandbits(54), 1 << rng.randrange(64))
    place[...] = np.array(rng.choice(numbers) & (2**64 - 1), np.uint64).view(place.dtype)


def copy_a_field(row: Records, rows: Records, rng: random.Random) -> None:
    name = rng.choice(FIELDS)
    row[name] = rows[[rng.randrange(len(rows))]][name]


def move_cards(row: Records, _: Records, rng: random.Random) -> None:
    """Move some or all cards from one hand, pile, trick or kitty to another."""
    here, there = (_place(row, rng, CARDS) for _ in range(2))
    cards = int(here) & rng.choice((rng.getrandbits(64), 2**64 - 1, int(here) & -int(here)))
    here[...], there[...] = int(here) ^ cards, int(there) | cards


def exchange_cards(row: Records, _: Records, rng: random.Random) -> None:
    here, there = (_place(row, rng, CARDS) for _ in range(2))
    here[...], there[...] = int(there), int(here)


CARDS: Final = ("hands", "hands", "hands", "taken", "given", "trick", "kitty", "excluded", "best")
CHANGES: Final = (flip_a_bit, put_a_number, copy_a_field, move_cards, exchange_cards)


def _place(
    row: Records, rng: random.Random, names: tuple[str, ...] = FIELDS
) -> np.ndarray[tuple[()], np.dtype[np.int64 | np.uint64]]:
    """One number of a row, as an array that can be read and changed."""
    cells = row[rng.choice(names)].reshape(-1)
    return cells[rng.randrange(len(cells)) :][:1].reshape(())


def noise(rng: random.Random) -> Records:
    """A row of random bytes, its phase mostly a real one."""
    row = np.frombuffer(rng.randbytes(DEAL.itemsize), DEAL).copy()
    row["phase"] = rng.choice((*range(-1, 5), row["phase"][0]))
    return row


def verdict(rules: Ruleset, row: Records, policies: list[Policy]) -> str:
    """The reason for which the kernel refuses a row; or "played" if it is played to the end."""
    try:
        chosen = choices(rules, row, policies)
        outcomes = play_on(rules, row, policies)
    except KernelFault as fault:
        return fault.reason
    assert not int(chosen[0]) & ~rules.deck_mask
    check_outcomes(rules, outcomes)
    return "played"


def some_policies(rules: Ruleset, rng: random.Random) -> list[Policy]:
    """A policy for each seat: random, casual, or casual with senseless weights."""
    casual = compiled("casual")
    assert casual is not None
    names = sorted(WEIGHTS - {"passing"})
    odd = {name: rng.choice((-MOST_WEIGHT, -1, 0, 7, MOST_WEIGHT)) for name in names}
    policies = (RANDOM_POLICY, casual, Policy.casual(odd))
    return [rng.choice(policies) for _ in range(rules.players)]


def tried(seed: int) -> Iterator[str]:
    """Verdicts on mutants of positions at random tables, without end."""
    rng = random.Random(seed)
    while True:
        name, players = rng.choice(EVERY)
        rules = make_ruleset(name, {"players": players, "match_end": "deals:2"})
        rows = rows_of(reached(rules, rng.getrandbits(64)))
        for _ in range(100):
            row = noise(rng) if rng.random() < 0.1 else mutant(rows, rng)
            yield verdict(rules, row, some_policies(rules, rng))


def main() -> None:
    rows, seed = map(int, sys.argv[1:])
    verdicts = [found for found, _ in zip(tried(seed), range(rows), strict=False)]
    print(*sorted(set(verdicts)))


if __name__ == "__main__":
    main()
