"""Requests for a simulation, and the engine that plays while the kernel is compiled."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from kit.kernels import run_python
from kit.reasons import because

from volte.cards import VolteError
from volte.kernel import KernelFault
from volte.lab.arena import Contestant, Duel, EngineKind, Request, chosen_engine
from volte.rules import Value, make_ruleset

RULES = make_ruleset("dame-de-pique", {})
REQUEST = Request(RULES, ("random", "casual", "random", "casual"), 1, deals=10)
LONG_CYCLE = make_ruleset("dame-de-pique", {"pass_cycle": ["left", "right"] * 33})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"seats": ("random",) * 3}, "seats_differ"),
        ({"seats": ("random",) * 3 + ("wizard",)}, "no_such_level"),
        ({"seed": -1}, "kernel_range"),
        ({"seed": 2**64}, "kernel_range"),
        ({"deals": 0}, "kernel_range"),
        ({"deals": 2**40 + 1}, "kernel_range"),
        ({"deals": None, "matches": 0}, "kernel_range"),
        ({"deals": None, "matches": 2**32 + 1}, "kernel_range"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        replace(REQUEST, **changes)


@pytest.mark.parametrize("lengths", [(None, None), (1, 1)])
def test_either_deals_or_matches_are_asked_for(lengths: tuple[int | None, int | None]) -> None:
    with pytest.raises(VolteError, check=because("deals_or_matches")):
        Request(RULES, REQUEST.seats, 1, *lengths)


def test_the_kernel_serves_where_it_can() -> None:
    assert chosen_engine(REQUEST) == (EngineKind.KERNEL, None)
    assert chosen_engine(replace(REQUEST, engine=EngineKind.KERNEL)) == (EngineKind.KERNEL, None)
    assert chosen_engine(replace(REQUEST, engine=EngineKind.READABLE)) == (
        EngineKind.READABLE,
        None,
    )


def test_where_a_player_has_no_twin_the_readable_engine_serves() -> None:
    beginner = replace(REQUEST, seats=("random", "beginner", "random", "casual"))
    engine, why = chosen_engine(beginner)
    assert engine is EngineKind.READABLE
    assert why is not None
    assert (why.reason, why.params) == ("no_compiled_twin", {"level": "beginner"})
    with pytest.raises(VolteError, check=because("no_compiled_twin")):
        chosen_engine(replace(beginner, engine=EngineKind.KERNEL))


UNKNOWN: Final[dict[str, dict[str, Value]]] = {
    "partners=2": {"partners": 2},
    "kitty=last_trick": {"players": 5, "kitty": "last_trick"},
    "pass_cycle=left,scatter": {"pass_cycle": "left,scatter"},
    "moon_needs_jack=true": {"jack_points": -10, "moon_needs_jack": True},
    "no_tricks=-5": {"no_tricks": -5},
}


@pytest.mark.parametrize("setting", UNKNOWN)
def test_where_a_twin_knows_less_the_option_is_named(setting: str) -> None:
    rules = make_ruleset("coeurs", UNKNOWN[setting])
    request = replace(REQUEST, rules=rules, seats=("casual",) * rules.players)
    engine, why = chosen_engine(request)
    assert engine is EngineKind.READABLE
    assert why is not None
    told = f"The kernel’s level “casual” does not know {setting}: only the readable engine’s does"
    assert str(why) == f"{told} (--engine readable)."
    assert f"ne connaît pas {setting}\xa0:" in why.say("fr")
    with pytest.raises(VolteError, check=because("twin_knows_less")):
        chosen_engine(replace(request, engine=EngineKind.KERNEL))
    casual, other = Contestant.of("casual"), Contestant.of("random")
    with pytest.raises(VolteError, check=because("twin_knows_less")):
        Duel(rules, (casual, other), 1, 2, 2, engine=EngineKind.KERNEL).served()
    assert chosen_engine(replace(request, seats=("random",) * rules.players))[1] is None


def test_characters_and_marks_sit_down_by_the_names_that_people_type() -> None:
    seats = replace(REQUEST, seats=("Chloé", "BRUNO", "flat brief", "Casual")).seats
    assert seats == ("chloe", "bruno", "flat-brief", "casual")
    with pytest.raises(VolteError, check=because("no_such_level")):
        replace(REQUEST, seats=("me", "casual", "casual", "casual"))


def test_where_the_kernel_refuses_the_rules_the_readable_engine_serves() -> None:
    engine, why = chosen_engine(replace(REQUEST, rules=LONG_CYCLE))
    assert engine is EngineKind.READABLE
    assert isinstance(why, KernelFault)
    with pytest.raises(KernelFault):
        chosen_engine(replace(REQUEST, rules=LONG_CYCLE, engine=EngineKind.KERNEL))


def test_little_travels_to_other_processes() -> None:
    """Values that a ruleset has worked out for itself are not sent."""
    assert REQUEST.rules.follower_duties
    travelling = REQUEST.served_by(EngineKind.KERNEL)
    assert travelling == replace(REQUEST, engine=EngineKind.KERNEL)
    assert max(len(pickle.dumps(each)) for each in (travelling, REQUEST)) < 2_000


PLAY = """
from volte.lab.arena import Request, simulate
from volte.kernel import ready
from volte.rules import Value, make_ruleset

request = Request(make_ruleset("microsoft"), ("random",) * 4, 1, deals={deals})
done = []
first = simulate(request, processes=1, progress=lambda deals, _: done.append(deals))
was_ready = ready("random.random_deals")
print(done[0], was_ready, first == simulate(request, processes=1))
"""


def test_the_readable_engine_plays_while_the_kernel_is_compiled(tmp_path: Path) -> None:
    printed = run_python("-c", PLAY.format(deals=1), NUMBA_CACHE_DIR=str(tmp_path))
    assert printed.split() == ["1", "False", "True"]


@pytest.mark.full
def test_what_goes_on_is_played_by_the_kernel_with_the_same_result(tmp_path: Path) -> None:
    printed = run_python("-c", PLAY.format(deals=100_000), NUMBA_CACHE_DIR=str(tmp_path))
    assert printed.split() == ["20", "True", "True"]
