"""Bots that search see no more than their view: what is hidden changes nothing that they think."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from bots.moments import Moment, choices, played, seen_by, told_anew, where_all_lie
from bots.searching import one_deal, thought
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.deals import deal_of
from kit.strategies import few, rulesets, seeds, wider_rulesets
from msgspec.structs import replace

from volte.bots import Clock
from volte.bots.search import STYLES, Style
from volte.bots.worlds import here, sight, worlds
from volte.game import MatchState, Phase
from volte.kernel import Records
from volte.rules import Direction, Ruleset, make_ruleset
from volte.view import View, project

CLOCK = Clock(simulations=120)


def is_searched(rules: Ruleset) -> bool:
    """Whether the kernel plays it, and what is passed to whom can be told anew."""
    return rules.deck.packs == 1 and Direction.SCATTER not in rules.passing.cycle


tables = rulesets() | wider_rulesets(st.integers(3, 7)).filter(is_searched)


def in_another_world(moment: Moment, draws: int) -> MatchState:
    """The state with the hidden cards where they might lie as well; all was lawful there."""
    [world] = worlds(seen_by(moment.seat, moment.state), 1, draws).tolist()
    state, _ = played(moment.undealt, told_anew(moment, world, random.Random(draws)))
    assert where_all_lie(deal_of(state)) == world
    return state


def laid_open(state: MatchState, seat: int) -> View:
    """A view that has not been told less: only the kitty, which a view counts as shown, is shut."""
    deal = replace(deal_of(state), kitty=deal_of(project(state, seat)).kitty)
    return View(seat, replace(state, deal=deal))


@given(tables, seeds, seeds)
@settings(max_examples=few(30, 60))
def test_no_choice_and_no_estimate_depends_on_what_is_hidden(
    rules: Ruleset, seed: int, draws: int
) -> None:
    """The bot is handed the cards of the others, as they lie and as they might: it looks away."""
    for moment in choices(one_deal(rules), seed, 3):
        view = seen_by(moment.seat, moment.state)
        other = in_another_world(moment, draws)
        for style in STYLES.values():
            told = thought(style, view, CLOCK, seed)
            for state in (moment.state, other):
                assert thought(style, laid_open(state, moment.seat), CLOCK, seed) == told


@given(tables, seeds, seeds)
def test_nothing_hidden_comes_to_the_kernel(rules: Ruleset, seed: int, draws: int) -> None:
    for moment in choices(one_deal(rules), seed, 3):
        seat = moment.seat
        view = seen_by(seat, moment.state)
        for state in (moment.state, in_another_world(moment, draws)):
            opened = laid_open(state, seat)
            assert sight(opened) == sight(view)
            assert here(opened).tobytes() == here(view).tobytes()


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize(
    ("preset", "players"), [("microsoft", 4), ("coeurs", 5), ("salon", 3), ("partnership", 4)]
)
def test_whatever_lies_in_the_hidden_places_of_a_row(
    name: str, preset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = one_deal(make_ruleset(preset, {"players": players}))
    moments = choices(rules, seed=1, most=100)
    passing = [moment for moment in moments if moment.state.phase is Phase.PASSING]
    playing = [moment for moment in moments if moment.state.phase is Phase.PLAYING]
    for moment in passing[:3] + playing[:8]:
        check_spoilt(STYLES[name], seen_by(moment.seat, moment.state), monkeypatch)


def check_spoilt(style: Style, view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    told = thought(style, view, CLOCK)
    for seed in (1, 2):
        draws = random.Random(seed)
        with monkeypatch.context() as patched:
            patched.setattr("volte.bots.search.here", partial(spoilt, draws))
            assert thought(style, view, CLOCK) == told


def spoilt(draws: random.Random, view: View) -> Records:
    """`here` with rubbish in every place that the seat cannot see, and in none that it can."""
    row = here(view)
    fields: Any = row[0]
    for seat in range(view.deal.rules.players):
        fields["hands"][seat] = draws.getrandbits(54)
    fields["kitty"] = draws.getrandbits(54)
    fields["chance"] = draws.getrandbits(64)
    if view.state.phase is Phase.PLAYING:
        fields["trick"][len(view.deal.trick) :] = draws.getrandbits(54)
    beyond = slice(view.deal.rules.players, None)
    for name in ("hands", "given", "coming", "taken", "excluded", "trick"):
        fields[name][beyond] = np.uint64(draws.getrandbits(54))
    return row
