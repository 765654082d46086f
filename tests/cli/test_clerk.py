"""`volte clerk`: what to do when something has gone wrong with real cards."""

from __future__ import annotations

import pytest
from kit.strategies import few
from kit.terminals import Volte

from volte.rules import PRESETS
from volte.scorekeeper.clerk.clerk import NUMBERS, SITUATIONS


def test_the_situations_are_listed_with_their_numbers(volte: Volte) -> None:
    done = volte("clerk")
    assert (done.status, done.err) == (0, "")
    for name, number in NUMBERS.items():
        assert f"\n{number}. {name}: " in done.out
    assert done.out.splitlines()[-1].endswith("volte clerk revoke")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", SITUATIONS)
def test_every_situation_is_answered_for_every_preset(name: str, lang: str, volte: Volte) -> None:
    """In the gate for some presets each; that all have all answers, `words/test_clerk.py` shows."""
    every = few(5, 1)
    for preset in [*PRESETS][[*SITUATIONS].index(name) % every :: every]:
        done = volte("clerk", name, preset, "--lang", lang)
        assert (done.status, done.err) == (0, "")
        assert done.out.count("\n\n") >= 4
