"""Small positions in text files, and facts about them; a blank line separates two of them.

    # W4 the kitty comes with its trick
    coeurs kitty=last_trick moon=off
    S: 3 H: 3 | S: K H: 4 | S: 6 H: 5 || H: 67
    after 3S KS 6S 4H 5H 3H
    scores 0 0 5

A name; a preset and its options; the hands, and the kitty; the cards that each seat passes and the
cards played, if any; and lines that the test of the file knows. Where `...` stands for all hands
but the first, three others have the rest of a whole pack.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from kit.deals import after, first_deal, play
from kit.strategies import PACK

from volte.cards import CardSet, read_cards
from volte.game import MatchState, Pass
from volte.rules import read_setting


class Stanza(NamedTuple):
    before: MatchState  # before the first card
    cards: str
    lines: list[str]

    @property
    def state(self) -> MatchState:
        return play(self.before, self.cards)


def stanzas(test: str, name: str) -> list[pytest.ParameterSet]:
    """The stanzas of a file beside a test, for `parametrize`."""
    texts = Path(test).with_name(name).read_text(encoding="utf-8").strip().split("\n\n")
    return [pytest.param(text, id=text.partition("\n")[0].strip("# ")) for text in texts]


def read_stanza(text: str) -> Stanza:
    _, table, hands, *lines = text.splitlines()
    preset, *options = table.split()
    hands, _, kitty = hands.partition(" || ")
    seats = hands.split(" | ")
    if seats[1:] == ["..."]:
        seats[1:] = rest_of_pack(seats[0])
    before = first_deal(preset, seats, kitty, dict(map(read_setting, options)))
    if lines[0].startswith("passes "):
        passes = lines.pop(0).removeprefix("passes ").split(" | ")
        before = after(before, *(Pass(seat, read_cards(each)) for seat, each in enumerate(passes)))
    cards = lines.pop(0).removeprefix("after ") if lines[0].startswith("after ") else ""
    return Stanza(before, cards, lines)


def rest_of_pack(hand: str) -> list[str]:
    """The cards of a pack that are not in that hand, dealt to three others."""
    others = [card for card in PACK if card not in CardSet(hand)]
    return [str(CardSet(others[place::3])) for place in range(3)]
