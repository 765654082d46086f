"""Reasons of `expert`'s hints and of puzzles: how many set the card apart.

    python benchmarks/reasons.py [--matches N] [--seed S]

A reason sets an action apart if it is less true of costly alternatives (`volte.bots.advice.dear`),
or of any other card of a puzzle. From each match nine plays and two passes are taken, and at most
four choices of void seats that hold the queen of spades: how many hold her back, how often her
discard is then as good, and how often a reason for holding her back is told.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from volte import game
from volte.bots import BotOwner, Casual, Clock, Reason
from volte.bots.advice import advise
from volte.bots.candidates import unlike
from volte.bots.hints import Hint, said_of
from volte.bots.queen import AS_MUCH, discard_of_queen, queens_to_discard
from volte.fair import SplitMix64, split
from volte.lessons.puzzles import collection
from volte.rules import Ruleset, Value, make_ruleset
from volte.view import View

TABLES: Final[tuple[tuple[str, Mapping[str, Value]], ...]] = (
    ("dame-de-pique", {}),
    ("coeurs", {"players": 3}),
    ("microsoft", {}),
    ("salon", {"players": 5}),
    ("salon-valet", {}),
    ("coeurs", {"players": 7}),
)
PLAYS: Final = 9
PASSES: Final = 2
QUEENS: Final = 4
SHORT: Final = Clock(simulations=20_000)


def choices(rules: Ruleset, seed: int) -> Iterator[View]:
    """Yield the view before each choice, in a match of `casual`."""
    players = tuple(game.Player(f"{seat}") for seat in range(rules.players))
    owners = [BotOwner(Casual(), seat) for seat in range(rules.players)]
    driver = game.Driver([game.MatchStarted(rules, players)], owners, game.PlainChance(seed))
    driver.run()
    views: dict[int, View] = {}
    for event in driver.log:
        if isinstance(event, game.Played | game.Passed):
            yield views[event.seat]
        for seat in range(rules.players):
            seen = game.visible(event, seat)
            views[seat] = views[seat].see(seen) if seat in views else View.of(seat, [seen])


def hints(matches: int, seed: int) -> Counter[str]:
    """Number of hints of each kind, and of those without such a reason."""
    found: Counter[str] = Counter()
    for match in range(matches):
        draws = SplitMix64(split(seed, match))
        preset, settings = TABLES[match % len(TABLES)]
        views = list(choices(make_ruleset(preset, settings), draws.next()))
        draws.shuffle(views)
        passing = [view for view in views if view.state.phase is game.Phase.PASSING]
        playing = [view for view in views if view not in passing]
        for kind, some in ("plays", playing[:PLAYS]), ("passes", passing[:PASSES]):
            for view in some:
                reason = advise(view, SHORT).reason
                found[kind] += 1
                found[f"{kind} without"] += reason is Reason.PLAYED_OUT
        queens = [view for view in playing if queens_to_discard(view) and len(unlike(view)) > 1]
        for view in queens[:QUEENS]:
            found += told_of_queen(view, advise(view, SHORT))
    return found


def told_of_queen(view: View, hint: Hint) -> Counter[str]:
    """What a hint says of a queen that might be discarded."""
    found = Counter(["queens"])
    said = said_of(hint.others, view)
    if discard := discard_of_queen(view, hint.action, said):
        found["held back"] += 1
        told = {hint.reason, hint.also}
        if hint.reason is Reason.ALIKE or discard.as_good(hint.wins):
            found["as good"] += 1
        elif hint.queen or any(told & as_much for as_much in AS_MUCH.values()):
            found["told"] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts reasons that set apart.")
    parser.add_argument("--matches", type=int, default=12)
    parser.add_argument("--seed", type=int, default=37)
    options = parser.parse_args()
    found = hints(options.matches, options.seed)
    for kind in ("plays", "passes"):
        print(f"{kind}: {found[f'{kind} without']} of {found[kind]} without")
    print(
        f"queens: {found['held back']} of {found['queens']} held back; {found['as good']} might as"
        f" well go, of {found['told']} it is told why not"
    )
    without = sum(each.reasons == (Reason.PLAYED_OUT,) for each in collection())
    print(f"puzzles: {without} of {len(collection())} without")


if __name__ == "__main__":
    main()
