"""Speed of the readable engine on one core, beside OpenSpiel from Python. For docs/performance.md.

python benchmarks/engine.py [engine] [presets] [pieces] [--rounds N] [--json]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import kernel
from benchmarks.kernel import open_spiel_row, shuffling
from benchmarks.tables import main
from volte.game import (
    Action,
    DealCards,
    Dealt,
    Event,
    MatchState,
    PlainChance,
    Play,
    Played,
    Refusal,
    TrickTaken,
    decide,
    evolve,
    legal_actions,
    to_act,
    visible,
)
from volte.lab.bench import BenchTable
from volte.lab.bench.measure import Benchmark, Loop, repeated
from volte.lab.bench.rows import started
from volte.rules import Ruleset, make_ruleset
from volte.view import View

# Random deals: the same loop over both engines


def volte_loop(rules: Ruleset) -> Loop:
    """Whole matches with chance from `PlainChance`; counts deals."""

    chance, rng = PlainChance(1), random.Random(1)

    def match(_: int) -> int:
        state = seated(rules)
        while (action := random_action(state, chance, rng)) is not None:
            for event in lawful(state, action):
                state = evolve(state, event)
        return len(state.deals)

    return repeated(match)


def random_action(state: MatchState, chance: PlainChance, rng: random.Random) -> Action | None:
    seats = to_act(state)
    if not seats:
        return chance.act(state)
    actions = legal_actions(state, seats[0])
    return actions[int(rng.random() * len(actions))]


def lawful(state: MatchState, action: Action) -> tuple[Event, ...]:
    outcome = decide(state, action)
    assert not isinstance(outcome, Refusal)
    return outcome


def seated(rules: Ruleset) -> MatchState:
    return evolve(None, started(rules))


def engine() -> list[Benchmark]:
    """Rows beside OpenSpiel from Python, without and with the pass."""
    many = {"match_end": "deals:50"}
    held = make_ruleset("microsoft", {**many, "pass_count": 0})
    passed = make_ruleset("microsoft", many)
    return [
        *open_spiel_row("OpenSpiel", False, shuffling),
        Benchmark("Volte", volte_loop(held), 52, "OpenSpiel"),
        *open_spiel_row("OpenSpiel, with the pass", True, partial(shuffling, ways=4)),
        Benchmark("Volte, with the pass", volte_loop(passed), 52, "OpenSpiel, with the pass"),
    ]


def presets() -> list[Benchmark]:
    return list(kernel.presets(volte_loop))


# Costs of calls, over the states of a random match

Fold = tuple[MatchState, Event]
"""A state, and the event to fold into it."""


def pieces() -> list[Benchmark]:
    steps = list(walk(make_ruleset("microsoft", {"pass_count": 0, "match_end": "deals:50"})))
    plays = [(state, action) for state, action, _ in steps if isinstance(action, Play)]
    deals = [(state, action) for state, action, _ in steps if isinstance(action, DealCards)]
    last = [(state, play) for state, play in plays if cards_left(state) == 1]
    folds = [fold for _, _, folds in steps for fold in folds]
    return [
        Benchmark("to_act", calls(to_act, [(state,) for state, _ in plays])),
        Benchmark(
            "legal_actions", calls(legal_actions, [(state, play.seat) for state, play in plays])
        ),
        Benchmark("decide, a card", calls(decide, plays)),
        Benchmark("decide, the last card of a deal", calls(decide, last)),
        Benchmark("evolve, Played", calls(evolve, of_kind(Played, folds))),
        Benchmark("evolve, TrickTaken", calls(evolve, of_kind(TrickTaken, folds))),
        Benchmark(
            "PlainChance, a deal", calls(PlainChance(1).act, [(state,) for state, _ in deals])
        ),
        Benchmark("decide, a deal", calls(decide, deals)),
        Benchmark("evolve, Dealt", calls(evolve, of_kind(Dealt, folds))),
        Benchmark("visible", calls(visible, [(event, 0) for _, event in folds])),
        *(row for players in (4, 5, 7) for row in pieces_of_a_view(players)),
    ]


def pieces_of_a_view(players: int) -> list[Benchmark]:
    rules = make_ruleset("coeurs", {"players": players, "match_end": "deals:50"})
    view = View.of(0, [started(rules)])
    seen: list[tuple[View, Event]] = []
    at_play: list[tuple[View]] = []
    for _, _, folds in walk(rules):
        for _, event in folds:
            seen.append((view, visible(event, 0)))
            view = view.see(seen[-1][1])
        if view.legal:
            at_play.append((view,))
    return [
        Benchmark(f"View.see, {players} players", calls(View.see, seen)),
        Benchmark(f"View.possible, {players} players", calls(possible, at_play)),
    ]


def possible(view: View) -> dict[int, int]:
    """The cards that each place can hold, worked out anew, since a view keeps its results."""
    return View(view.seat, view.state).possible


def calls(function: Callable[..., object], arguments: Sequence[tuple[Any, ...]]) -> Loop:
    def all_of_them(_: int) -> int:
        for each in arguments:
            function(*each)
        return len(arguments)

    return repeated(all_of_them)


def walk(rules: Ruleset) -> Iterator[tuple[MatchState, Action, list[Fold]]]:
    """Every state of a random match, the action there, and the folds of its events."""
    chance, rng = PlainChance(1), random.Random(1)
    state = seated(rules)
    while (action := random_action(state, chance, rng)) is not None:
        before, folds = state, []
        for event in lawful(state, action):
            folds.append((state, event))
            state = evolve(state, event)
        yield before, action, folds


def of_kind(kind: type[Event], folds: Sequence[Fold]) -> list[Fold]:
    return [(state, event) for state, event in folds if isinstance(event, kind)]


def cards_left(state: MatchState) -> int:
    return sum(map(int.bit_count, state.deal.hands)) if state.deal else 0


TABLES: Final = {
    "engine": BenchTable("The readable engine, at random", engine, "a card"),
    "presets": BenchTable("The readable engine, every preset", presets, "a card"),
    "pieces": BenchTable("The readable engine, what a call costs", pieces, "a call"),
}

if __name__ == "__main__":
    main(__doc__, TABLES)
