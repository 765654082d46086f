"""Random deals per second of the readable engine on one core, beside OpenSpiel from Python.

    python benchmarks/engine.py [engines] [presets] [pieces] [--rounds N] [--json]

The rows of a table take turns, round after round, so that a change of pace of the machine falls on
all of them alike. Times are CPU times of this process; what is told is the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from statistics import median
from time import process_time
from typing import Any, Final, NamedTuple

import pyspiel

from volte.game import (
    Action,
    DealCards,
    Dealt,
    Event,
    MatchStarted,
    MatchState,
    PlainChance,
    Play,
    Played,
    Player,
    Refusal,
    TrickTaken,
    decide,
    evolve,
    legal_actions,
    to_act,
    visible,
)
from volte.rules import PRESETS, Ruleset, make_ruleset
from volte.view import View

SLICE: Final = 0.1
"""Seconds that a row runs in a round, about."""

Loop = Callable[[int], int]
"""Does a thing at least that many times, and says how many."""


class Row(NamedTuple):
    """Attributes:
    parts: of the thing: the cards of a deal, or 1.
    beside: the row of the table that this one is compared with.
    """

    name: str
    loop: Loop
    parts: int = 1
    beside: str = ""


class Figure(NamedTuple):
    """Attributes:
    per_second: how many times the thing is done.
    micros: microseconds for a part of it.
    ratio: of the speed to the other row's, round by round.
    """

    name: str
    per_second: float
    micros: float
    ratio: float | None


def measured(rows: Sequence[Row], rounds: int) -> list[Figure]:
    times = {row.name: times_in_a_slice(row.loop) for row in rows}
    speeds: dict[str, list[float]] = {row.name: [] for row in rows}
    for _ in range(rounds):
        for row in rows:
            speeds[row.name].append(speed(row.loop, times[row.name]))
    return [figure(row, speeds) for row in rows]


def figure(row: Row, speeds: dict[str, list[float]]) -> Figure:
    own = speeds[row.name]
    others = speeds.get(row.beside)
    ratio = median(map(float.__truediv__, own, others)) if others else None
    return Figure(row.name, median(own), 1e6 / median(own) / row.parts, ratio)


def speed(loop: Loop, times: int) -> float:
    start = process_time()
    done = loop(times)
    return done / (process_time() - start)


def times_in_a_slice(loop: Loop) -> int:
    times = 1
    while (per_second := speed(loop, times)) * SLICE > 2 * times:
        times *= 2
    return max(1, round(per_second * SLICE))


# Random deals: the same loop over both engines


def volte_loop(rules: Ruleset) -> Loop:
    """Whole matches, their chance from `PlainChance`; counts deals."""

    def loop(deals: int) -> int:
        chance, rng = PlainChance(1), random.Random(1)
        done = 0
        while done < deals:
            state = seated(rules)
            while (action := random_action(state, chance, rng)) is not None:
                for event in lawful(state, action):
                    state = evolve(state, event)
            done += len(state.deals)
        return done

    return loop


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


def started(rules: Ruleset) -> MatchStarted:
    return MatchStarted(rules, tuple(Player(str(seat)) for seat in range(rules.players)))


def open_spiel_loop(pass_cards: bool) -> Loop:
    """Deals by a shuffled deck, which is quicker than asking for the 52 chance outcomes."""
    game: Any = pyspiel.load_game("hearts", {"pass_cards": pass_cards})

    def loop(deals: int) -> int:
        rng, deck = random.Random(1), list(range(52))
        for deal in range(deals):
            state = game.new_initial_state()
            state.apply_action(deal % 4 if pass_cards else 0)
            rng.shuffle(deck)
            for card in deck:
                state.apply_action(card)
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
            state.returns()
        return deals

    return loop


def engines() -> list[Row]:
    many = {"match_end": "deals:50"}
    held = make_ruleset("microsoft", {**many, "pass_count": 0})
    passed = make_ruleset("microsoft", many)
    return [
        Row("OpenSpiel", open_spiel_loop(False), 52),
        Row("Volte", volte_loop(held), 52, "OpenSpiel"),
        Row("OpenSpiel, with the pass", open_spiel_loop(True), 52),
        Row("Volte, with the pass", volte_loop(passed), 52, "OpenSpiel, with the pass"),
    ]


def presets() -> list[Row]:
    rows = []
    for name, preset in PRESETS.items():
        for players in sorted(preset.players):
            rules = make_ruleset(name, {"players": players})
            cards = rules.players * rules.hand_size
            rows.append(Row(f"{name}, {players} players", volte_loop(rules), cards))
    return rows


# What a call costs, over the states of a random match

Fold = tuple[MatchState, Event]
"""An event, and the state that it finds."""


def pieces() -> list[Row]:
    steps = list(walk(make_ruleset("microsoft", {"pass_count": 0, "match_end": "deals:50"})))
    plays = [(state, action) for state, action, _ in steps if isinstance(action, Play)]
    deals = [(state, action) for state, action, _ in steps if isinstance(action, DealCards)]
    last = [(state, play) for state, play in plays if cards_left(state) == 1]
    folds = [fold for _, _, folds in steps for fold in folds]
    return [
        Row("to_act", calls(to_act, [(state,) for state, _ in plays])),
        Row("legal_actions", calls(legal_actions, [(state, play.seat) for state, play in plays])),
        Row("decide, a card", calls(decide, plays)),
        Row("decide, the last card of a deal", calls(decide, last)),
        Row("evolve, Played", calls(evolve, of_kind(Played, folds))),
        Row("evolve, TrickTaken", calls(evolve, of_kind(TrickTaken, folds))),
        Row("PlainChance, a deal", calls(PlainChance(1).act, [(state,) for state, _ in deals])),
        Row("decide, a deal", calls(decide, deals)),
        Row("evolve, Dealt", calls(evolve, of_kind(Dealt, folds))),
        Row("visible", calls(visible, [(event, 0) for _, event in folds])),
        *(row for players in (4, 5, 7) for row in pieces_of_a_view(players)),
    ]


def pieces_of_a_view(players: int) -> list[Row]:
    rules = make_ruleset("coeurs", {"players": players, "match_end": "deals:50"})
    view = View.of(0, [started(rules)])
    told: list[tuple[View, Event]] = []
    at_play: list[tuple[View]] = []
    for _, _, folds in walk(rules):
        for _, event in folds:
            told.append((view, visible(event, 0)))
            view = view.see(told[-1][1])
        if view.legal:
            at_play.append((view,))
    return [
        Row(f"View.see, {players} players", calls(View.see, told)),
        Row(f"View.possible, {players} players", calls(possible, at_play)),
    ]


def possible(view: View) -> dict[int, int]:
    """Worked out anew, since a view keeps what it has worked out."""
    return View(view.seat, view.state).possible


def calls(function: Callable[..., object], arguments: Sequence[tuple[Any, ...]]) -> Loop:
    def loop(times: int) -> int:
        done = 0
        while done < times:
            for each in arguments:
                function(*each)
            done += len(arguments)
        return done

    return loop


def walk(rules: Ruleset) -> Iterator[tuple[MatchState, Action, list[Fold]]]:
    """Every state of a random match, what is done there, and how that is folded."""
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


# The tables

TABLES: Final = {"engines": engines, "presets": presets, "pieces": pieces}
UNITS: Final = {"engines": "µs a card", "presets": "µs a card", "pieces": "µs a call"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    for name in asked.tables:
        if name not in TABLES:
            parser.error(f"there is no table '{name}', only {', '.join(TABLES)}")
    if asked.rounds < 1:
        parser.error("at least one round is needed")
    results: dict[str, list[Figure]] = {}
    for name in asked.tables or TABLES:
        results[name] = measured(TABLES[name](), asked.rounds)
        if not asked.json:
            show(name, results[name])
    if asked.json:
        rows = {name: [row._asdict() for row in figures] for name, figures in results.items()}
        print(json.dumps({**conditions(asked.rounds), **rows}, indent=2))


def conditions(rounds: int) -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "volte": version("volte"),
        "open_spiel": version("open_spiel"),
        "rounds": rounds,
    }


def show(name: str, figures: Sequence[Figure]) -> None:
    width = max(len(row.name) for row in figures)
    print(f"{name:{width}}  {'a second':>10}  {UNITS[name]:>9}")
    for row in figures:
        ratio = "" if row.ratio is None else f"  {row.ratio:.2f} of the row above"
        print(f"{row.name:{width}}  {row.per_second:>10,.0f}  {row.micros:>9.2f}{ratio}")
    print()


if __name__ == "__main__":
    main()
