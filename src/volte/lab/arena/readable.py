"""Deals and matches in the readable engine, as `volte.kernel.deals` defines them.

The same numbers are drawn from the same generators in the same order: if all players have a
compiled twin, the outcomes are those of the kernel, bit for bit. The loop is that of `volte.game`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from volte import game
from volte.bots import BotOwner
from volte.cards import QUEEN
from volte.game.driver import Owner
from volte.kernel import OUTCOME, Matches, Records
from volte.kernel.encoding import check_range, step
from volte.kernel.layout import MOST_SEATS
from volte.lab.arena.request import Request
from volte.lab.seeded import SeededTable, table_of
from volte.referee import ENGINE, Event
from volte.rules import Ruleset, Score, totals

WIDER: Final = {"points": np.dtype((np.int32, 10)), "trickless": np.dtype(np.uint16)}

WIDE: Final = np.dtype(
    [*((name, OUTCOME[name]) for name in OUTCOME.names or () if name not in WIDER), *WIDER.items()]
)
"""`OUTCOME` with room for the ten seats of two packs (W11); its queen is that of the first pack."""


def deals(request: Request, numbers: range) -> Records:
    """The outcomes of the deals, as `play_deals` returns them."""
    return np.concatenate([_outcomes(request, number) for number in numbers])


def matches(request: Request, numbers: range) -> Matches:
    """The matches, as `play_matches` returns them."""
    return as_matches([_outcomes(request, number) for number in numbers], request.rules)


def as_matches(played: Sequence[Records], rules: Ruleset) -> Matches:
    """Matches as `play_matches` returns them, from the outcomes of the deals of each."""
    points = [outcomes["points"][:, : rules.players].tolist() for outcomes in played]
    return Matches(
        np.concatenate(played),
        np.array([len(outcomes) for outcomes in played], np.int64),
        np.array([totals(rules, [Score(tuple(row)) for row in each]) for each in points], np.int64),
    )


def record_of(request: Request, number: int) -> tuple[Event, ...]:
    """The log of deal or match `number` (from 0) of a simulation, for `format_record`.

    A deal is written as a match of that deal, its pass being the first of the cycle. Raises
    `KernelFault` `kernel_range` where the request has no such number.
    """
    check_range("number", number, 0, request.games - 1)
    return tuple(_play(request, number).log)


Listener = Callable[[game.MatchState, Sequence[Event]], None]


def _outcomes(request: Request, number: int) -> Records:
    """One row of `OUTCOME` for each deal of one deal or match."""
    return outcomes_of(lambda listener: _play(request, number, listener))


def outcomes_of(play: Callable[[Listener], object]) -> Records:
    """One row of `OUTCOME`, or of `WIDE`, for each deal scored in the events of `play`."""
    scored: list[game.MatchState] = []

    def listen(state: game.MatchState, events: Sequence[Event]) -> None:
        if any(isinstance(event, game.DealScored) for event in events):
            scored.append(state)

    play(listen)
    seats = scored[0].rules.players if scored else 0
    outcomes = np.zeros(len(scored), OUTCOME if seats <= MOST_SEATS else WIDE)
    for outcome, state in zip(outcomes, scored, strict=True):
        _put_outcome(outcome, state)
    return outcomes


def _put_outcome(outcome: np.void, state: game.MatchState) -> None:
    deal, score = state.deal, state.deals[-1]
    assert deal is not None
    players = deal.rules.players
    queen = [seat for seat in range(players) if deal.captured(seat) & QUEEN.bit]
    outcome["points"][:players] = score.points
    outcome["moon"] = -1 if score.moon is None else score.moon
    outcome["slam"] = -1 if score.slam is None else score.slam
    outcome["queen"] = queen[0] if queen else -1
    outcome["dealer"] = deal.dealer
    outcome["step"] = step(deal.direction, players)
    outcome["minus"] = score.minus
    outcome["trickless"] = sum(1 << seat for seat in score.trickless)


def _play(request: Request, number: int, listener: Listener | None = None) -> game.Driver:
    table = table_of(request.rules, request.seed, number, request.whole_matches)
    owners = [BotOwner(table.bot(level, seat), seat) for seat, level in enumerate(request.seats)]
    return run_at(table, request.seats, owners, listener)


def run_at(
    table: SeededTable,
    levels: Sequence[str],
    owners: Sequence[Owner],
    listener: Listener | None = None,
) -> game.Driver:
    """Play the deal or match of that table to its end."""
    players = tuple(
        game.Player(f"{level} {seat}", level=level) for seat, level in enumerate(levels, start=1)
    )
    driver = game.Driver(
        [game.MatchStarted(table.rules, players)], owners, table.house, listener, ENGINE
    )
    driver.run()
    return driver
