"""How the levels play against each other: points per deal in duplicate, moons, choices a second.

    python benchmarks/bots.py [--deals N] [--seed S]

Every deck is played in every mixed seating of two levels (14 at four seats), so that the luck of
the cards cancels; a deck is one sample of the margin. `volte arena` does the same for any players.
"""

from __future__ import annotations

import argparse

from volte.arena import Contestant, Duel, Engine, play_duel
from volte.rules import make_ruleset
from volte.words.measures import margin

LEVELS = {level: Contestant.of(level) for level in ("random", "beginner", "casual")}
PAIRS = (("casual", "beginner"), ("casual", "random"), ("beginner", "random"))
TABLES = (
    ("microsoft", 4),
    *(("coeurs", players) for players in (3, 4, 5, 6)),
    *(("salon", players) for players in (3, 4, 5, 6)),
)


def report(name: str, players: int, deals: int, seed: int) -> None:
    """One table: every pair of levels, in every mixed seating of every deck."""
    rules = make_ruleset(name, {"players": players})
    decks = max(2, deals // (2**players - 2))
    for better, worse in PAIRS:
        result = play_duel(Duel(rules, (LEVELS[better], LEVELS[worse]), seed, decks))
        standing, found = result.standing, result.margin()
        own, other = (standing.points(side).value for side in (0, 1))
        shot = [side.moons + side.slams for side in standing.sides]
        print(
            f"{name:10} {players} seats  {better:8} {own:5.2f}  {worse:8} {other:5.2f}  "
            f"margin {found.value:+5.2f} ± {margin(found):.2f}  "
            f"moons {shot[0]:3} : {shot[1]:<3}  in {standing.deals} deals",
            flush=True,
        )


def speed(level: str, seed: int) -> float:
    """Choices per second of one level, whole deals of microsoft."""
    sides = LEVELS[level], LEVELS[level]
    duel = Duel(make_ruleset("microsoft"), sides, seed, 10, 2, engine=Engine.READABLE)
    choices = play_duel(duel, processes=1).standing.sides[0].choices
    return 1000 / choices.mean


def main() -> None:
    """Prints points per deal and seat, the margin with its 95 % interval, and moons shot."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--deals", type=int, default=600, help="deals for each pair at each table")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name, players in TABLES:
        report(name, players, options.deals, options.seed)
    for level in LEVELS:
        print(f"{level:10} {speed(level, options.seed):,.0f} choices a second")


if __name__ == "__main__":
    main()
