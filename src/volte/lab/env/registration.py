"""The versioned names under which Gymnasium finds the environments."""

from __future__ import annotations

from typing import Final

import gymnasium

HEARTS: Final = "volte/Hearts-v0"
"""For `gymnasium.make`: one seat against bots."""

HEARTS_VECTOR: Final = "volte/HeartsVector-v0"
"""For `gymnasium.make_vec`: thousands of such tables, on the kernel."""


def register() -> None:
    """Tells Gymnasium, which needs telling once."""
    if HEARTS not in gymnasium.registry:
        gymnasium.register(HEARTS, entry_point="volte.lab.env.single:SeatEnv")
        gymnasium.register(HEARTS_VECTOR, vector_entry_point="volte.lab.env.vector:VectorEnv")
