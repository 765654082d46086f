"""A few results of the compiled search, for both ways to run it: prints them as JSON."""

from __future__ import annotations

import json
from typing import Any

from bots.moments import choices, seen_by
from bots.searching import one_deal, wild_weights
from kernel.instincts import places_of, play_out
from kernel.test_instinct import CASUAL, weigh

from volte.bots.worlds import here, worlds
from volte.game import Phase
from volte.rules import make_ruleset

TABLES = (("microsoft", 4), ("coeurs", 5), ("salon-six-jokers", 6))


def results() -> list[Any]:
    """Of some moments at each table."""
    return [each for preset, players in TABLES for each in results_at(preset, players)]


def results_at(preset: str, players: int) -> list[Any]:
    rules = one_deal(make_ruleset(preset, {"players": players}))
    instinct = wild_weights(players)
    moments = [
        moment
        for moment in choices(rules, players, 100)
        if moment.state.phase is Phase.PLAYING and moment.state.deal
    ]
    found: list[Any] = []
    for moment in moments[:3]:
        view = seen_by(moment.seat, moment.state)
        some, row = worlds(view, 2, 7), here(view)
        cards = [card.bit for card in view.legal][:3]
        found.append(
            {
                "places": places_of(view.deal, row).tolist(),
                "instinct": play_out(view.deal, row, some, cards, instinct).tolist(),
                "casual": play_out(view.deal, row, some, cards, instinct, CASUAL).tolist(),
                "likelihood": weigh(view, some, instinct, 0.02),
            }
        )
    return found


if __name__ == "__main__":
    print(json.dumps(results()))
