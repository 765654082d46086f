"""Tables for the tests: every preset with the numbers of players that it is made for."""

from __future__ import annotations

from typing import Final

from kit.strategies import few

from volte.rules import PRESETS, Ruleset, make_ruleset

ALL_TABLES: Final = tuple(
    (name, seats) for name in PRESETS for seats in sorted(PRESETS[name].players)
)
"""Every preset with every number of players that it is made for."""

OF_SEEDS: Final = ("coeurs", "dame-de-pique", "salon", "microsoft")
"""How the names of the presets begin that the seeds tell, and the one that machines play."""

ALIKE: Final = {
    "coeurs-cinq-coups": 3,
    "coeurs-moyenne": 5,
    "coeurs-cagnotte": 6,
    "coeurs-table": 7,
    "salon-valet": 5,
}
"""Presets with the cards and duties of another, and the one table of each that the gate plays."""


def _is_played(name: str, seats: int) -> bool:
    """Every table of the seeds is; of presets that are alike, all only in the full run."""
    if name.startswith(OF_SEEDS):
        return seats == few(ALIKE.get(name, seats), seats)
    return seats == PRESETS[name].players[0]


TABLES: Final = tuple(table for table in ALL_TABLES if _is_played(*table))
"""Every preset: those of the seeds at every number of players, in the gate with those that are
alike only once; each of the wider family as it is usually played."""


def short(name: str, players: int | None = None, deals: int = 2, refereed: bool = False) -> Ruleset:
    """That preset for a short match, with or without a referee."""
    how = "refereed" if refereed else "enforced"
    seats = {} if players is None else {"players": players}
    return make_ruleset(name, {**seats, "match_end": f"deals:{deals}", "irregularities": how})
