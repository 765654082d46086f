"""What goes into an environment and comes out of it, in Gymnasium's terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import logger, spaces

from volte.cards import PACK_SIZE, CardSet
from volte.game import DealState, MatchState, Phase, to_act
from volte.lab.env.episode import EnvFault
from volte.lab.env.observation import Observation, card_planes, situation_fields
from volte.lab.env.state import state_fields, state_planes
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


def observation_space(players: int) -> spaces.Dict:
    """The space of a `Seen` at a table of that many seats."""
    return spaces.Dict(
        {
            "observation": _row(len(card_planes(players)), len(situation_fields(players))),
            "action_mask": spaces.Box(0, 1, (PACK_SIZE,), np.int8),
        }
    )


def state_space(players: int) -> spaces.Box:
    """The space of a whole position as one row, its cards plane after plane first."""
    return _row(len(state_planes(players)), len(state_fields(players)))


def _row(planes: int, fields: int) -> spaces.Box:
    low = np.array([0] * planes * PACK_SIZE + [_RANGE.min] * fields, np.int16)
    high = np.array([1] * planes * PACK_SIZE + [_RANGE.max] * fields, np.int16)
    return spaces.Box(low, high, dtype=np.int16)


def seen(observation: Observation) -> Seen:
    """An observation as one row, its cards plane after plane and then its situation."""
    row = np.concatenate([observation.cards.ravel(), observation.situation], dtype=np.int16)
    return {"observation": row, "action_mask": observation.mask}


MODES: Final = ("ansi", "human")
"""`ansi` gives the lines when asked, `human` prints them at the start and after every step."""


class Onlooker:
    """Shows a table in one of the modes, or not at all.

    Raises `EnvFault` `env_render_mode`.
    """

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise EnvFault("env_render_mode", mode=mode, modes=MODES)
        self._mode = mode

    def look(self, state: MatchState) -> None:
        """Prints the table, where the mode is "human"."""
        if self._mode == "human":
            print(table_text(state))

    def render(self, state: MatchState) -> str | None:
        """The table, where the mode is "ansi"."""
        if self._mode is None:
            logger.warn("Nothing is rendered: make the environment with a render_mode.")
        return table_text(state) if self._mode == "ansi" else None


def table_text(state: MatchState) -> str:
    """The deal as it lies: all of it, or what a view's state knows of it.

    A line for the deal, one for each seat, and one for what is going on.
    """
    deal = state.deal
    assert deal is not None
    seats = (_seat(deal, seat) for seat in range(deal.rules.players))
    gathered = f"{len(deal.tricks)} of {deal.rules.hand_size} tricks gathered"
    heading = f"deal {deal.number}: {gathered}{', hearts broken' if deal.broken else ''}"
    return "\n".join([heading, *seats, _moment(state, deal)])


def _seat(deal: DealState, seat: int) -> str:
    held = str(CardSet(deal.hands[seat])) or f"{deal.hand_sizes()[seat]} cards"
    points = deal.rules.points_in(deal.captured(seat))
    return f"seat_{seat}: {held}; points taken: {points}"


def _moment(state: MatchState, deal: DealState) -> str:
    if state.phase is Phase.PASSING:
        passing = f"passing {deal.pass_size} {deal.direction}"
        return f"{passing}: seat_{to_act(state)[0]} is to pick"
    if state.phase is Phase.PLAYING:
        trick = " ".join(card.text for card in deal.trick) or "nothing"
        return f"on the table, from seat_{deal.leader}: {trick}; seat_{deal.turn} is to play"
    return f"over; totals: {' '.join(map(str, state.totals))}"
