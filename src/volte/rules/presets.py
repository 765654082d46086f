"""The named rulesets (RULES, "Options and presets"), and descriptions of rulesets by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from volte.cards import VolteError
from volte.rules.options import (
    OPTIONS,
    Value,
    options_of,
    parse_setting,
    read_setting,
    ruleset_of,
    value_of,
)
from volte.rules.ruleset import Ruleset
from volte.rules.validity import RulesetFault

ByPlayers = Mapping[int, Mapping[str, Value]]
"""Options for each number of players, the usual number first."""


@dataclass(frozen=True)
class Preset:
    """A named set of options, made for certain numbers of players."""

    name: str  # as people type it
    options: Mapping[str, Value]  # options for any number of players
    # Options that change with the number of players; the keys are the numbers that the preset is
    # made for, the usual one first
    by_players: ByPlayers = field(default_factory=dict)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it is made for, the usual one first."""
        return tuple(self.by_players)

    def settings(self, players: int | None = None) -> dict[str, Value]:
        """Every option of the preset, for that many players or the usual number."""
        players = self.players[0] if players is None else players
        usual = self.by_players[self.players[0]]
        return {
            **{name: option.get(_PLAIN) for name, option in OPTIONS.items()},
            **self.options,
            **self.by_players.get(players, usual),
            "players": players,
        }


_PLAIN: Final = Ruleset()


_OF_SIX: Final = "left,right,second_left,second_right,across,hold"

_TABLE: Final = {
    # Les Cœurs
    "coeurs": "kitty=first_trick queen_discard=forced queen_points=12 match_end=deals:1"
    " settlement=difference | 4 | 3 | 5 | 6 pass_count=2 | 7 pass_count=2",
    "coeurs-cinq-coups": "like=coeurs match_end=deals:5",
    "coeurs-moyenne": "like=coeurs match_end=deals:5 settlement=average queen_points=13",
    "coeurs-cagnotte": "like=coeurs settlement=pot",
    "coeurs-table": "like=coeurs irregularities=refereed",
    # La Dame de Pique
    "dame-de-pique": "pass_cycle=left,right,across,hold opening=lowest_club"
    " first_trick_points=barred hearts_lead=once_broken match_end=limit:100 | 4",
    "salon": "like=dame-de-pique slam=reversal | 4 | 3 removed=2D pass_cycle=left,right,hold"
    f" | 5 removed=2D,2S pass_cycle=left,right,second_left,second_right,hold"
    f" | 6 removed=3C,3D,3S,3H pass_cycle={_OF_SIX}",
    "salon-valet": "like=salon jack_points=-10",
    "salon-six-deux": f"like=salon | 6 removed=2C,2D,2S,2H pass_cycle={_OF_SIX}",
    "salon-six-jokers": f"like=salon | 6 jokers=2 pass_cycle={_OF_SIX}",
    "microsoft": "like=dame-de-pique",
    # The wider family
    "simple-hearts": "pass_count=0 queen_points=0 moon=off match_end=deals:1 settlement=average"
    " | 4 | 3 removed=2S | 5 removed=2C,2S | 6 removed=2C,2D,2S,2H",
    "black-lady": "match_end=limit:100 moon=off"
    " | 4 | 3 removed=2C | 5 removed=2C,2D | 6 removed=2C,3C,2D,2S",
    "omnibus": "like=black-lady jack_points=-10 moon=shooter_minus moon_needs_jack=true",
    "spot-hearts": "like=dame-de-pique pass_cycle=left,across,right,hold heart_points=rank"
    " queen_points=25 moon=shooter_minus slam=double match_end=limit:500",
    "black-maria": "like=black-lady pass_cycle=right card_points=KS=10,AS=7"
    " | 3 removed=2C | 4 | 5 removed=2C,2D | 6 removed=2C,2D,2S,2H",
    "greek": "match_end=limit:100 pass_cycle=right | 4",
    "scatter": "like=dame-de-pique pass_cycle=left,right,across,scatter"
    " first_trick_points=allowed moon=shooter_chooses ties=play_on",
    "exact-hundred": "like=dame-de-pique moon=plus_unless_lost at_limit=halves",
    "partnership": "like=dame-de-pique partners=2 match_end=limit:200",
    "cancellation": "match_end=limit:100 packs=2 pass_count=0 kitty=first_trick"
    " | 8 | 7 | 6 | 9 | 10",
}
"""Presets by name: the preset that it is like and the options that differ; then the numbers of
players that it is made for, the usual one first, each with options of its own. Options left out
are as in `Ruleset`; without numbers of players, those of the other preset hold."""


def _made(name: str) -> Preset:
    settings, *numbers = _TABLE[name].split("|")
    options = dict(map(read_setting, settings.split()))
    usual = _made(options.pop("like")) if "like" in options else Preset(name, {})
    by_players = {
        int(players): _values(dict(map(read_setting, more)))
        for players, *more in map(str.split, numbers)
    }
    return Preset(name, {**usual.options, **_values(options)}, by_players or usual.by_players)


def _values(settings: Mapping[str, str]) -> dict[str, Value]:
    return {name: value_of(name, text) for name, text in settings.items()}


PRESETS: Final = {name: _made(name) for name in _TABLE}
"""Every preset by name, in the order in which they are listed."""

DEFAULT: Final = "dame-de-pique"
"""The preset that four people play unless they choose another."""

_USUAL: Final = (DEFAULT, "salon", "coeurs")


def preset(name: str) -> Preset:
    """The preset of that name. Raises `RulesetFault`."""
    found = PRESETS.get(name)
    if found is None:
        raise RulesetFault("no_such_preset", preset=name, presets=tuple(PRESETS)).at("preset")
    return found


def make_ruleset(name: str | None = None, settings: Mapping[str, Value] | None = None) -> Ruleset:
    """The preset `name` with those options changed.

    A changed number of players brings the preset's options for that number along. Without a
    name it is the usual preset for that number. Raises `RulesetFault`.

    >>> make_ruleset("coeurs", {"players": 6}).passing.count
    2
    """
    settings = dict(settings or {})
    players = parse_setting("players", settings["players"]) if "players" in settings else None
    chosen = preset(_usual(players) if name is None else name)
    return ruleset_of({**chosen.settings(players), **settings}, preset=name or "")


def _usual(players: int | None) -> str:
    """The first usual preset that is made for that many players."""
    made_for = (name for name in _USUAL if players in (None, *PRESETS[name].players))
    return next(made_for, DEFAULT)


def described(rules: Ruleset) -> tuple[str, dict[str, Value]]:
    """The preset that was chosen, or else the nearest, and the options in which the rules differ.

    `make_ruleset` of the two makes the ruleset again.

    >>> described(make_ruleset("microsoft", {"slam": "reversal"}))
    ('microsoft', {'slam': 'reversal'})
    """
    if rules.preset in PRESETS:
        return rules.preset, dict(_differences(rules)[rules.preset])
    return nearest(rules)


def has_options(rules: Ruleset) -> bool:
    """Whether options make exactly these rules, and their preset exists."""
    if rules.preset not in ("", *PRESETS):
        return False
    try:
        return make_ruleset(*described(rules)) == rules
    except VolteError:
        return False


def nearest(rules: Ruleset) -> tuple[str, dict[str, Value]]:
    """The preset nearest to a ruleset, whichever was chosen, and the options that differ.

    The first preset listed wins a tie.

    >>> nearest(make_ruleset("microsoft"))
    ('dame-de-pique', {})
    """
    name, differences = min(_differences(rules).items(), key=lambda each: len(each[1]))
    return name, dict(differences)


@lru_cache(256)  # it takes milliseconds, and tables ask for theirs again and again
def _differences(rules: Ruleset) -> Mapping[str, Mapping[str, Value]]:
    """The options in which a ruleset differs from each of the presets."""
    options, found = options_of(rules), {}
    for name, candidate in PRESETS.items():
        usual = candidate.settings(rules.players)
        differences = {key: value for key, value in options.items() if value != usual[key]}
        if rules.players != candidate.players[0]:
            differences = {"players": rules.players, **differences}
        found[name] = differences
    return found


_by_groups: Final = Ruleset.__repr__


def _by_options(rules: Ruleset) -> str:
    """The call of `volte.ruleset` that makes the rules; group by group where no options can."""
    name, differences = described(rules)
    try:
        said = make_ruleset(name, differences) == rules
    except RulesetFault:
        said = False
    named = {"name": rules.name} if rules.name else {}
    options = (f"{option}={value!r}" for option, value in {**differences, **named}.items())
    return f"ruleset({', '.join([repr(name), *options])})" if said else _by_groups(rules)


Ruleset.__repr__ = _by_options  # type: ignore[assignment]  # presets are known only here
