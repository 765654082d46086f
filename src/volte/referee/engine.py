"""The engine that runs every match, refereed or not."""

from __future__ import annotations

from typing import Final

from volte.game import Engine
from volte.referee.decide import decide
from volte.referee.evolve import evolve
from volte.referee.legal import to_act
from volte.referee.visible import visible

ENGINE: Final = Engine(decide, evolve, visible, to_act)
