"""The tables that the kernel plays: of one pack, at up to seven seats."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st
from kit.rulesets import ALL_TABLES, OF_SEEDS, TABLES
from kit.strategies import rulesets, wider_rulesets

from volte.rules import PRESETS, Direction, Kitty, Ruleset, Sides

KNOWN: Final = tuple(
    (name, players) for name, players in TABLES if "packs" not in PRESETS[name].options
)
"""Those of the presets."""

EVERY: Final = tuple(
    (name, players)
    for name, players in ALL_TABLES
    if "packs" not in PRESETS[name].options
    and (name.startswith(OF_SEEDS) or players == PRESETS[name].players[0])
)
"""The same, with those that are alike: what is drawn from them is the same in every run."""


def one_pack(
    players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> st.SearchStrategy[Ruleset]:
    """Any table of the wider family that the kernel plays."""
    seats = st.integers(3, 7) if players is None else players
    return wider_rulesets(seats, most_cards).filter(lambda rules: rules.deck.packs == 1)


def any_table(most_cards: int = 54) -> st.SearchStrategy[Ruleset]:
    """Any table that the kernel plays, the wider ones with long hands and with short ones."""
    fewer = one_pack(most_cards=min(20, most_cards))
    return rulesets(most_cards=most_cards) | one_pack(most_cards=most_cards) | fewer


# Nearly the same table, without what some part of the kernel does not know


def unscattered(rules: Ruleset) -> Ruleset:
    """Where cards go to one seat only (W1)."""
    ways = (way if way is not Direction.SCATTER else Direction.LEFT for way in rules.passing.cycle)
    return replace(rules, passing=replace(rules.passing, cycle=tuple(ways)))


def solvable(rules: Ruleset) -> Ruleset:
    """Whose last tricks can be solved: see `volte.kernel.endgame.can_solve`."""
    return replace(
        rules,
        deck=replace(rules.deck, kitty=Kitty.FIRST_TRICK),
        points=replace(rules.points, no_tricks=0),
        sides=Sides(),
    )


def with_twin(rules: Ruleset) -> Ruleset:
    """Where the readable `casual` has a compiled twin."""
    rules = unscattered(solvable(rules))
    return replace(rules, moon=replace(rules.moon, needs_jack=False))
