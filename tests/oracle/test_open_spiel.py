"""An oracle that is not ours: OpenSpiel's hearts beside our engine.

Every combination of the parameters that both have is played with the same cards, in all directions
of the pass. What may be passed and played agrees at every decision, and so do the points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain, product

import pytest
from oracle.twins import OPTION_OF, Extra, play

from volte.cards import QUEEN
from volte.game import DealState, legal_cards

BY_DESIGN: Mapping[str, str] = {
    "can_lead_hearts_instead_of_qs": "T4 is waived for hearts alone, not for the queen and hearts",
    "avoid_all_tricks_bonus": "W6 holds after a moon too",
}
"""The parameters that no option of RULES answers to, or not quite, each with its reason."""

COMBINATIONS = [
    dict(zip(OPTION_OF, switches, strict=True))
    for switches in product((False, True), repeat=len(OPTION_OF))
]


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 11))]
)
@pytest.mark.parametrize(
    "parameters", COMBINATIONS, ids=lambda each: "+".join(filter(each.get, each))
)
def test_plays_and_scores_as_open_spiel_does(
    parameters: dict[str, bool], seed: int, request: pytest.FixtureRequest
) -> None:
    counts: Counter[str] = Counter()
    for deal, ours, theirs in play(parameters, seed, counts):
        assert ours.points == theirs, deal.tricks
        counts.update(deals=1, moons=ours.moon is not None)
    for name in ("deals", "decisions", "moons"):
        request.node.user_properties.append((f"{name} that OpenSpiel agrees on", counts[name]))


def test_W2_any_club_opens_as_in_open_spiel(request: pytest.FixtureRequest) -> None:
    counts: Counter[str] = Counter()
    parameters = {**dict.fromkeys(OPTION_OF, True), "can_lead_any_club": True}
    for seed in range(1, 5):
        for deal, ours, theirs in play(parameters, seed, counts):
            assert ours.points == theirs, deal.tricks
            counts["other clubs"] += deal.tricks[0].cards[0] is not deal.opening
    assert counts["other clubs"]
    request.node.user_properties.append(("decisions that OpenSpiel agrees on", counts["decisions"]))


def test_T4_open_spiel_may_let_hearts_be_led_instead_of_the_queen(
    request: pytest.FixtureRequest,
) -> None:
    def the_whole_hand(deal: DealState) -> int:
        only_the_queen = deal.led is None and legal_cards(deal) == QUEEN.bit
        return deal.hands[deal.turn] if only_the_queen else 0

    differs_by_design("can_lead_hearts_instead_of_qs", request, extra=the_whole_hand)


def test_W6_open_spiel_rewards_taking_no_trick_but_not_after_a_moon(
    request: pytest.FixtureRequest,
) -> None:
    differs_by_design("avoid_all_tricks_bonus", request)


def differs_by_design(
    name: str, request: pytest.FixtureRequest, extra: Extra | None = None
) -> None:
    """With a parameter of `BY_DESIGN` on, just the one thing differs, and all else agrees."""
    counts: Counter[str] = Counter()
    parameters = {**dict.fromkeys(OPTION_OF, True), "qs_breaks_hearts": False, name: True}
    matches = (play(parameters, seed, counts, extra) for seed in range(1, 9))
    for deal, ours, theirs in chain.from_iterable(matches):
        after_moon = ours.trickless if ours.moon is not None else ()
        bonus = [-5 if seat in after_moon else 0 for seat in range(4)]
        assert tuple(map(sum, zip(theirs, bonus, strict=True))) == ours.points, deal.tricks
        counts["touched"] += any(bonus)
    assert counts["touched"]
    what = "decisions" if extra else "scores"
    line = f"{what} that OpenSpiel's {name} touches: {BY_DESIGN[name]}"
    request.node.user_properties.append((line, counts["touched"]))
