"""A package that adds bots, installed as pip would do it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from volte.bots import installed

MODULE: Final = '''
class First:
    """Plays the first card that it may."""

    def __init__(self, seed):
        self.seed = seed

    def choose(self, view, clock):
        from volte.game import Pass, Phase, Play

        if view.state.phase is Phase.PASSING:
            return Pass(view.seat, tuple(view.hand)[: view.deal.pass_size])
        return Play(view.seat, tuple(view.legal)[0])


class Failing:
    def __init__(self, seed):
        pass

    def choose(self, view, clock):
        return 1 / 0


class Cheating(First):
    def choose(self, view, clock):
        from volte.game import Play

        return Play((view.seat + 1) % 4, tuple(view.hand)[0])


def no_bot(seed):
    return "a bot"
'''

ENTRY_POINTS: Final = """
[volte.bots]
first = volte_ducks:First
failing = volte_ducks:Failing
cheating = volte_ducks:Cheating
missing = volte_ducks_that_are_not_there:First
no-bot = volte_ducks:no_bot
casual = volte_ducks:Failing
Bad/Name = volte_ducks:First
"""


def put_package(folder: Path) -> None:
    """Write the files of a package `volte-ducks` into a folder, as pip would install them."""
    info = folder / "volte_ducks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: volte-ducks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (folder / "volte_ducks.py").write_text(MODULE)


def package(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the package for this process; a generator for fixtures."""
    put_package(folder)
    patch.syspath_prepend(folder)
    installed.cache_clear()
    yield
    installed.cache_clear()
