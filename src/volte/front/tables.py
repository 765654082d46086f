"""Tables to play at: their rules, and who sits there."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from volte.cards import Fault
from volte.front.error import spoken
from volte.game import MatchStarted, Player
from volte.rules import PRESETS, Ruleset, Value, make_ruleset


@spoken()
def ruleset(preset: str | None = None, /, **options: Value) -> Ruleset:
    """The rules of a preset, with options changed.

    Args:
        preset: its name, one of `presets`; without it, what that many players usually play.
        options: by the names in docs/rules.md, such as `players=5` or `queen_discard="free"`.

    Raises `VolteError` for an unknown name or value, and for rules that cannot be played.

    >>> ruleset("coeurs", players=6).hand_size
    8
    >>> ruleset("coeurs", players=6)
    ruleset('coeurs', players=6)
    """
    return make_ruleset(preset, options)


presets: Mapping[str, Ruleset] = MappingProxyType({name: make_ruleset(name) for name in PRESETS})
"""The rules of every game that has a name, each for its usual number of players."""


def chosen_rules(rules: Ruleset | str | None, players: int | None) -> Ruleset:
    if isinstance(rules, Ruleset):
        return rules
    return make_ruleset(rules, {} if players is None else {"players": players})


def begun(rules: Ruleset, people: Sequence[Player]) -> list[MatchStarted]:
    """The log of a match that begins. Raises `Fault` unless every seat has a player."""
    if len(people) != rules.players:
        raise Fault("sides_differ", sides=len(people), players=rules.players)
    return [MatchStarted(rules, tuple(people))]


def fresh_seed() -> int:
    """A seed that nobody has asked for, short enough to be typed again."""
    return secrets.randbelow(10**9)
