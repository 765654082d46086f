"""A seed is a whole number wherever one is taken, and other values are refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import pytest
from kit.reasons import because

from volte.bots import LEVELS, MARKS, Beginner, Drifter, make_bot
from volte.bots.search import Search
from volte.cards import VolteError
from volte.fair import House, SplitMix64, split
from volte.game import PlainChance
from volte.kernel import Batch, play_deals, play_matches
from volte.lab.arena import Contestant, Duel, Request
from volte.lab.env import HeartsEnv, SeatEnv, VectorEnv, hearts_v0
from volte.lessons.puzzles import in_turn
from volte.rules import make_ruleset
from volte.say import Words

RULES: Final = make_ruleset("microsoft")
CASUAL: Final = Contestant.of("casual")

TAKERS: Final[dict[str, Callable[[Any], object]]] = {
    "HeartsEnv": lambda seed: HeartsEnv(RULES).reset(seed=seed),
    "hearts_v0": lambda seed: hearts_v0.env(RULES).reset(seed=seed),
    "SeatEnv": lambda seed: SeatEnv(RULES).reset(seed=seed),
    "VectorEnv": lambda seed: VectorEnv(RULES, num_envs=2).reset(seed=seed),
    "Batch": lambda seed: Batch(RULES, 2, seed),
    "Batch.reset": lambda seed: Batch(RULES, 2).reset(seed),
    "play_deals": lambda seed: play_deals(RULES, seed, 1),
    "play_matches": lambda seed: play_matches(RULES, seed, 1),
    "PlainChance": PlainChance,
    "SplitMix64": SplitMix64,
    "split": lambda seed: split(seed, 0),
    "Beginner": Beginner,
    "Drifter": Drifter,
    "Search": lambda seed: Search(seed=seed),
    "Request": lambda seed: Request(RULES, ("casual",) * 4, seed, deals=1),
    "Duel": lambda seed: Duel(RULES, (CASUAL, CASUAL), seed, 1),
    "in_turn": in_turn,
    **{level: partial(make_bot, level) for level in LEVELS | MARKS},
}
"""Everything public that takes a seed, by name."""

NO_SEEDS: Final = (1.5, 1.0, "1", -1, 2**64, b"1", [1])


@pytest.mark.parametrize("name", TAKERS)
def test_what_is_no_seed_is_refused_in_one_sentence(name: str) -> None:
    for value in NO_SEEDS:
        with pytest.raises(VolteError) as caught:
            TAKERS[name](value)
        for lang in ("en", "fr"):
            sentence = Words(lang).fault(caught.value)
            assert sentence.endswith(".")
            assert "\n" not in sentence


@pytest.mark.parametrize("name", TAKERS)
def test_the_whole_numbers_of_numpy_are_seeds(name: str) -> None:
    TAKERS[name](np.int64(7))
    TAKERS[name](np.uint64(2**64 - 1))


def test_a_house_takes_any_text_and_any_whole_number() -> None:
    seven: Any = np.int64(7)
    assert House.from_seed(7) == House.from_seed("7") == House.from_seed(seven)
    nothing: tuple[Any, ...] = (1.5, None, b"7")
    for value in nothing:
        with pytest.raises(VolteError, check=because("not_a_seed")):
            House.from_seed(value)
