"""The referee's rulings, by the laws of `laws.txt`, and the score of a deal that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from kit.laws import check_law, read_laws
from kit.refereed import dealt

from volte.referee import RefereedMatch, stopped
from volte.rules import Irregularities, make_ruleset

LAWS: Final = read_laws(Path(__file__).with_name("laws.txt"))


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    check_law(LAWS[law])


@pytest.mark.parametrize(("queen", "total"), [(12, 25), (13, 26)])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_I5_the_offender_scores_the_penalty_total_and_the_others_nothing(
    players: int, queen: int, total: int
) -> None:
    rules = make_ruleset("coeurs", {"players": players, "queen_points": queen})
    scored = stopped(rules, {1})
    assert scored.points == tuple(total if seat == 1 else 0 for seat in range(players))
    assert (scored.moon, scored.slam) == (None, None)


def test_the_presets_of_refereed_tables_are_refereed() -> None:
    state = dealt("C: 2", "C: 3", "H: 4", preset="coeurs-table", options={})
    assert isinstance(state, RefereedMatch)
    assert make_ruleset("coeurs-table").irregularities is Irregularities.REFEREED
