"""How long the sentences of a deal are: what is heard a hundred times in an evening is short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

HERE = Path(__file__).parent
GOLDENS = sorted(
    [
        *(HERE / "goldens").glob("*.txt"),
        *(HERE.parent / "page" / "announcements").glob("*.txt"),
    ]
)

MOST: Final = 12
"""Words of a sentence; a list counts as one, since its length is that of the table or hand."""

CARD = (
    r"(?:(?:the|le|la|les) |l’)?(?:\d+|ace|king|queen|jack|as|roi|dame|valet)"
    r" (?:of|de) (?:clubs|diamonds|spades|hearts|trèfle|carreau|pique|cœur)"
)
NAME = r"(?:[Yy]ou|[Vv]ous|[A-ZÉ]\w+)"
CLAUSES = re.compile(r" \([A-Z]\d.*?\)")
END = re.compile(r"(?<=[.!?]) (?=[A-ZÀÉ])")


def sentences(text: str) -> Iterator[str]:
    for line in text.replace("\u00a0", " ").splitlines():
        if not line.startswith((">", " ")):  # what is typed, and columns of the score sheet
            yield from END.split(line)


def length(sentence: str) -> int:
    """Words of a sentence, a list of cards, of names or of what everybody has being one."""
    text = CLAUSES.sub("", sentence)
    text = re.sub(CARD, "card", text)
    text = re.sub(r"card(?:(?:, | and | et )card)+", "card", text)
    text = re.sub(rf"{NAME}(?:, {NAME})* (?:and|et) {NAME}", "Names", text)
    first, *others = text.split(" ; " if " ; " in text else "; ")
    if all(len(each.split()) <= 4 for each in others):  # a figure or a card of each
        text = first
    return sum(bool(re.search(r"\w", word)) for word in text.split())


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.name)
def test_sentences_of_a_deal_have_twelve_words_at_most(path: Path) -> None:
    longer = {
        sentence: length(sentence)
        for sentence in sentences(path.read_text(encoding="utf-8"))
        if length(sentence) > MOST
    }
    assert longer == {}


def test_lists_are_a_word() -> None:
    assert length("You pass the 9 of hearts, the 4 of hearts and the 3 of hearts to Alice.") == 5
    assert length("Points for deal 1: you 0; Alice 9; Bruno 17; Chloé 0.") == 6
    assert length("The cards cancel each other out and wait for the next trick.") == MOST
