"""What "Play now" begins: what somebody played last, or what newcomers look for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from volte.cards import Fault
from volte.rules import OPTIONS, PRESETS, RulesetFault, preset
from volte.store import Listing, MatchRow
from volte.table.setup import LEVELS
from volte.table.stored import read_summary
from volte.web.forms import SEATS

NEWCOMERS: Final = {"fr": "dame-de-pique", "en": "microsoft"}
"""By language, the preset that people know who have never been here."""

USUAL_LEVEL: Final = "casual"
PLAYERS: Final = range(3, SEATS + 1)
"""How many can sit at a table."""


class Game(NamedTuple):
    """A table with bots that one press opens.

    Attributes:
        preset: name of the rules.
        players: how many, the person among them.
        level: of all the bots; one of `LEVELS`.
    """

    preset: str
    players: int
    level: str = USUAL_LEVEL

    @property
    def made_for(self) -> tuple[int, ...]:
        """The numbers of players that its rules are made for, in order."""
        return tuple(sorted(PRESETS[self.preset].players))

    @classmethod
    def typed(cls, form: Mapping[str, Any], lang: str) -> Game:
        """What a form asks for; what it leaves out is as for newcomers of that language.

        Raises `Fault` for a preset, number or level that there is not. Whether the preset is
        made for that number of players is not looked at.
        """
        chosen = preset(str(form.get("preset") or NEWCOMERS[lang]))
        sent = str(form.get("players") or chosen.players[0])
        level = str(form.get("level") or USUAL_LEVEL)
        players = next((number for number in PLAYERS if str(number) == sent), 0)
        if not players:
            values = OPTIONS["players"].values
            raise RulesetFault("no_such_value", option="players", value=sent, values=values)
        if level not in LEVELS:
            raise Fault("no_such_level", level=level, levels=LEVELS)
        return cls(chosen.name, players, level)


def newcomers_game(lang: str) -> Game:
    """What people who have played nothing yet look for."""
    name = NEWCOMERS[lang]
    return Game(name, PRESETS[name].players[0])


def last_played(matches: Iterable[MatchRow], listings: Mapping[str, Listing]) -> Game | None:
    """The latest of somebody's matches whose rules were those of a preset.

    Args:
        matches: the latest first.
        listings: of their tables.
    """
    for match in matches:
        listing = listings.get(match.table)
        if listing is None:
            continue
        summary = read_summary(listing)
        players = len(summary.seats)
        found = PRESETS.get(summary.preset)
        if found is None or players not in found.players or set(summary.changes) - {"players"}:
            continue
        levels = (seat.level for seat in summary.seats if seat.level in LEVELS)
        return Game(found.name, players, next(levels, USUAL_LEVEL))
    return None
