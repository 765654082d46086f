"""What goes into an environment and comes out of it, in Gymnasium's terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from volte.cards import PACK_SIZE
from volte.lab.env.episode import EnvFault
from volte.lab.env.observation import Observation, card_planes, situation_fields
from volte.rules import Ruleset, Value, make_ruleset

Seen = dict[str, Any]
"""`observation`: `int16[planes * 54 + fields]`; `action_mask`: `int8[54]`."""

_RANGE: Final = np.iinfo(np.int16)


def rules_with_room(rules: Ruleset | str | None, settings: Mapping[str, Value] | None) -> Ruleset:
    """The ruleset, as environments are given it: as such, or as a preset and what changes it.

    Raises `RulesetFault`, and `EnvFault` `env_option` for two packs: actions and observations have
    a place for each card of one (W11).
    """
    chosen = rules if isinstance(rules, Ruleset) else make_ruleset(rules, settings)
    if chosen.deck.packs > 1:
        raise EnvFault("env_option", option="packs", value=chosen.deck.packs)
    return chosen


def action_space() -> spaces.Discrete:
    """The cards, by index."""
    return spaces.Discrete(PACK_SIZE)


def observation_space(players: int) -> spaces.Dict:
    """The space of a `Seen` at a table of that many seats."""
    cards, fields = len(card_planes(players)) * PACK_SIZE, len(situation_fields(players))
    low = np.array([0] * cards + [_RANGE.min] * fields, np.int16)
    high = np.array([1] * cards + [_RANGE.max] * fields, np.int16)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int16),
            "action_mask": spaces.Box(0, 1, (PACK_SIZE,), np.int8),
        }
    )


def seen(observation: Observation) -> Seen:
    """An observation as one row, its cards plane after plane and then its situation."""
    row = np.concatenate([observation.cards.ravel(), observation.situation], dtype=np.int16)
    return {"observation": row, "action_mask": observation.mask}
