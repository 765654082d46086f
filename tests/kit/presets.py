"""Rulesets for the tests: presets, with the numbers of players that they are made for."""

from __future__ import annotations

from typing import Final

from kit.strategies import few

from volte.rules import PRESETS, Ruleset, make_ruleset

ALL_TABLES: Final = tuple(
    (name, seats) for name in PRESETS for seats in sorted(PRESETS[name].players)
)
"""Every preset with every number of players that it is made for."""

OF_SEEDS: Final = ("coeurs", "dame-de-pique", "salon", "microsoft")
"""Beginnings of preset names: the presets of the seeds, and "microsoft", which programs play."""

ALIKE: Final = {
    "coeurs": (4,),
    "coeurs-cinq-coups": (3,),
    "coeurs-moyenne": (5,),
    "coeurs-cagnotte": (6,),
    "coeurs-table": (7,),
    "salon": (3, 4),
    "salon-valet": (5,),
}
"""Presets alike to others in cards and duties → the numbers of players that the gate plays: those
that begin alike have every number between them."""


def _is_played(name: str, seats: int) -> bool:
    """Whether the tests play a preset with a number of players; see `TABLES`."""
    if name.startswith(OF_SEEDS):
        return seats in few(ALIKE.get(name, (seats,)), (seats,))
    return seats == PRESETS[name].players[0]


TABLES: Final = tuple(table for table in ALL_TABLES if _is_played(*table))
"""(preset, players) that the tests play: presets in `OF_SEEDS` with every number of players, but
those in `ALIKE` with fewer outside the full run; others with their usual number."""

SOME_TABLES: Final = few((*TABLES[::2], ("cancellation", 8)), TABLES)
"""Those of `TABLES` that tests of whole matches play: in the gate every other one, among them all
numbers of players, jokers, partners and two packs."""


def short(name: str, players: int | None = None, deals: int = 2, refereed: bool = False) -> Ruleset:
    """The rules of a preset for a short match, with or without a referee."""
    how = "refereed" if refereed else "enforced"
    seats = {} if players is None else {"players": players}
    return make_ruleset(name, {**seats, "match_end": f"deals:{deals}", "irregularities": how})
