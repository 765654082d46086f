"""Environments for learners: PettingZoo, Gymnasium, and thousands of deals at once.

Needs the extra `env`. Importing this package registers `volte/Hearts-v0` and
`volte/HeartsVector-v0` with Gymnasium; `volte.lab.env.hearts_v0` is the same game for PettingZoo.
"""

from volte.cards.public import in_sentences
from volte.extras import install_command

try:
    from volte.lab.env.aec import HeartsEnv
    from volte.lab.env.episode import EnvFault
    from volte.lab.env.observation import (
        Observation,
        card_planes,
        observe,
        situation_fields,
        state_fields,
        state_planes,
    )
    from volte.lab.env.single import HEARTS, HEARTS_VECTOR, SeatEnv, register
    from volte.lab.env.vector import VectorEnv
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] not in ("gymnasium", "numba", "numpy", "pettingzoo"):
        raise
    raise ImportError(
        f"Environments need the extra “env”. To install it: {install_command('env')}"
    ) from missing

__all__ = [
    "HEARTS",
    "HEARTS_VECTOR",
    "EnvFault",
    "HeartsEnv",
    "Observation",
    "SeatEnv",
    "VectorEnv",
    "card_planes",
    "observe",
    "situation_fields",
    "state_fields",
    "state_planes",
]

register()

in_sentences(__name__)
