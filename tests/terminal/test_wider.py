"""A person at a table of the wider family: scatters, choices, and cards of two packs.

The sentences are in the transcripts `wider.*` and `two-packs.en.txt`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from kit.strategies import PACK
from kit.terminals import Script, Stubborn, only_log, sit_down

from volte.cards import read_cards
from volte.console.options import SymbolWords
from volte.game import Played
from volte.rules import Ruleset, Value, make_ruleset

SCATTER: Final = make_ruleset("coeurs", {"pass_cycle": ["scatter"]})
CANCELLATION: Final = make_ruleset("cancellation", {"players": 10, "match_end": "deals:1"})


def tiny(**options: Value) -> Ruleset:
    """Rules with two tricks and one heart: its taker has shot the moon."""
    kept = read_cards("AH AC KC QC JC TC")
    return make_ruleset(
        "coeurs",
        {
            "players": 3,
            "removed": [card.text for card in PACK if card not in kept],
            "pass_count": 0,
            "moon": "shooter_chooses",
            "match_end": "deals:12",
            **options,
        },
    )


def test_W1_a_hint_can_be_typed_as_it_is_told(folder: Path) -> None:
    sitting = sit_down(SCATTER, Script(["i"]), folder)
    assert re.search(
        r"^Pass the .* to Alice, the .* to Bruno and the .* to Chloé: ", sitting.said, re.M
    )


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_W7_with_a_referee_the_choice_comes_before_the_cut(seed: str, folder: Path) -> None:
    sitting = sit_down(tiny(irregularities="refereed"), Stubborn(), folder, seed=seed)
    assert sitting.state is not None
    for told in sitting.said.split("Minus (−) or plus (+)?\n")[1:]:
        assert told.startswith("You take 1 point off your total.\nPoints for deal ")
    chooses = re.findall(r"chooses? how the points count\.\n.*", sitting.said)
    assert len(chooses) == 12
    assert all("Enter" not in line for line in chooses)


def test_W11_a_card_typed_is_whichever_of_two_equal_ones_the_hand_has(folder: Path) -> None:
    """Every card is typed by the name by which it is advised."""

    class Advised(Stubborn):
        def __call__(self, heard: str) -> str:
            advice = re.search(r"^Play the (.*?): ", heard, re.M)
            if advice:
                return advice[1]
            asked = re.search(r"Your (card|lead)\?\n\Z", heard)
            return "i" if asked else super().__call__(heard)

    sitting = sit_down(CANCELLATION, Advised(), folder)
    assert sitting.state is not None
    mine = [each.card for each in only_log(folder) if isinstance(each, Played) and each.seat == 0]
    assert {card.pack for card in mine} == {0, 1}


def test_W11_symbols_show_two_equal_cards_side_by_side(folder: Path) -> None:
    named = sit_down(CANCELLATION, Stubborn(), folder / "named", lang="fr")
    shown = sit_down(CANCELLATION, Stubborn(), folder / "shown", words=SymbolWords("fr"))
    assert named.state == shown.state
    assert len(named.lines) == len(shown.lines)
    pairs = re.findall(r"^Les deux (.*) s’annulent\.$", named.said, re.M)
    assert len(pairs) > 5
    assert len(re.findall(r"^(\S+) \1 s’annulent\.$", shown.said, re.M)) == len(pairs)
