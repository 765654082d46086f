"""`volte clerk`: what to do when something has gone wrong with real cards."""

from __future__ import annotations

import pytest
from kit import Volte, few

from volte.rules import PRESETS
from volte.say import Words
from volte.scorekeeper.clerk.clerk import NUMBERS, SITUATIONS


@pytest.mark.parametrize(("lang", "revoke"), [("en", "revoke"), ("fr", "renonce")])
def test_the_situations_are_listed_by_number_and_name(lang: str, revoke: str, volte: Volte) -> None:
    done = volte("clerk", "--lang", lang)
    assert (done.status, done.err) == (0, "")
    for name, number in NUMBERS.items():
        called = SITUATIONS[name].called(Words(lang))
        assert f"\n{number}. {called}" in done.out
    assert done.out.splitlines()[-1].endswith(f"volte clerk {revoke}")
    assert volte("clerk", "irrégularités", "--lang", lang).out == done.out
    assert "deux-renonces" in volte("clerk", "renonce", "--lang", "fr").out  # what is near


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("levées retournées", "mixed-tricks"),
        ("main non réglementaire coeurs", "short-hand"),
        ("fausse donne --rules coeurs", "wrong-deal"),
        ("jeu prématuré", "out-of-turn"),
    ],
)
def test_a_heading_of_several_words_needs_no_quotes(typed: str, name: str, volte: Volte) -> None:
    done = volte("clerk", *typed.split())
    assert (done.status, done.err) == (0, "")
    where = () if "coeurs" not in typed else ("coeurs",)
    assert done.out == volte("clerk", name, *where).out


@pytest.mark.parametrize("lang", few(["fr"], ["en", "fr"]))
@pytest.mark.parametrize("name", SITUATIONS)
def test_every_situation_is_answered_for_every_preset(name: str, lang: str, volte: Volte) -> None:
    """Some presets each; `tests/scorekeeper/test_clerk.py` shows that all have all answers."""
    every = few(5, 1)
    for preset in [*PRESETS][[*SITUATIONS].index(name) % every :: every]:
        done = volte("clerk", name, preset, "--lang", lang)
        assert (done.status, done.err) == (0, "")
        assert done.out.count("\n\n") >= 4
