"""The bots that search, with little to spend, and what they think when nothing is timed."""

from __future__ import annotations

from dataclasses import replace as with_option
from typing import Final

import numpy as np
from msgspec.structs import replace

from volte.bots import Clock, Thought
from volte.bots.learned import weighted
from volte.bots.search import Search, Style
from volte.kernel import Records
from volte.kernel.features import PLACES
from volte.kernel.instinct import WIDTH
from volte.rules import Ruleset, make_ruleset
from volte.view import View

FEW: Final = Clock(simulations=50)


def one_deal(rules: Ruleset) -> Ruleset:
    """The same table, for a single deal."""
    ending = make_ruleset("coeurs", {"match_end": "deals:1"}).ending
    return with_option(rules, ending=ending)


def thought(style: Style, view: View, clock: Clock = FEW, seed: int = 0) -> Thought:
    """All that a fresh bot thinks, but for the time that it takes."""
    return untimed(Search(style, seed).think(view, clock))


def untimed(thought: Thought) -> Thought:
    return replace(thought, milliseconds=0.0)


def wild_weights(seed: int) -> Records:
    """Weights that nobody has learned, so that no test depends on those that somebody has."""
    draws = np.random.default_rng(seed)
    return weighted(draws.normal(0, 0.3, (PLACES, WIDTH)))
