"""All the drawings in one file, each a symbol that pages show by its name.

`QS-en` is the queen of spades for readers of English, `QS-fr-large` the same in French in large
print; `back-waves` and its like are the backs; `mark-0` and its like tell sides apart. The signs of
the table, such as `dealer`, are drawn by hand in `signs.svg`, and copied in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scripts.drawing.backs import BACKS, back
from scripts.drawing.glyphs import GLYPHS, glyph
from scripts.drawing.jacks import jack
from scripts.drawing.jester import EMBLEMS, INK, jester
from scripts.drawing.kings import king
from scripts.drawing.numbers import pips
from scripts.drawing.queens import queen
from scripts.drawing.shapes import (
    EDGE,
    HEIGHT,
    INKS,
    PAPER,
    SIGNS,
    WIDTH,
    doubled,
    frame,
    group,
    path,
    sign,
    tag,
    use,
)
from volte.cards import Joker, Rank, Suit
from volte.say.grammar import English, French
from volte.scene.chart import MARKS

LETTERS: Final = {"en": English.vocabulary.letters, "fr": French.vocabulary.letters}
"""Letters of the indices, by the language of a page."""

FIGURES: Final = {Rank.JACK: jack, Rank.QUEEN: queen, Rank.KING: king}

INDEX_AT: Final = 38
"""Distance of the middle of an index from the edge."""

SIGNS_BY_HAND: Final = Path(__file__).parent / "signs.svg"

JOKER: Final = "JOKER"
"""The index of a joker, in all languages."""


def sprite() -> str:
    """The whole sprite, as SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        "<!-- Made by scripts/cards. -->",
        "<defs>",
        *_pieces(),
        "</defs>",
        *(_symbol(f"back-{name}", back(name)) for name in BACKS),
        *(face for suit in Suit for rank in Rank for face in _faces(rank, suit)),
        *(face for joker in Joker for face in _joker_faces(joker)),
        *(
            tag("symbol", path(mark), id=f"mark-{line}", viewBox="-6 -6 12 12")
            for line, mark in enumerate(MARKS)
        ),
        *re.findall("<symbol.*?</symbol>", SIGNS_BY_HAND.read_text(encoding="utf-8"), re.DOTALL),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _pieces() -> Iterator[str]:
    """Yield the pieces that several faces share."""
    yield frame(1.5, 13, id="paper", fill=PAPER, stroke=EDGE, stroke_width=3)
    yield from map(glyph, GLYPHS)
    for suit in Suit:
        yield path(SIGNS[suit], id=suit.letter)
        indices = {letters[rank] for letters in LETTERS.values() for rank in Rank}
        yield from (_index(letter, suit) for letter in sorted(indices))
        yield from (_body(rank, suit) for rank in Rank)
    for joker in Joker:
        yield path(EMBLEMS[joker], id=joker.letter)
        yield _joker_body(joker)


def _index(letter: str, suit: Suit) -> str:
    """The letter above the sign, in two corners."""
    name = f"{suit.letter}-{letter}"
    corner = group(
        use(f"g{letter}", INDEX_AT, 50, 0.72),
        sign(suit, INDEX_AT, 112, 0.42),
        id=f"{name}-corner",
        fill=INKS[suit],
        stroke=INKS[suit],
    )
    return corner + group(doubled(f"{name}-corner"), id=name)


def _body(rank: Rank, suit: Suit) -> str:
    """The drawing between the indices."""
    name = f"{rank.letter}{suit.letter}"
    if rank not in FIGURES:
        return group(pips(rank, suit), id=name, fill=INKS[suit])
    half = group(FIGURES[rank](suit), id=f"{name}-half", fill=INKS[suit], stroke=INKS[suit])
    return half + group(doubled(f"{name}-half"), id=name)


def _joker_body(joker: Joker) -> str:
    name = f"{joker.letter}J"
    letters = (use(f"g{each}", INDEX_AT, 66 + 16 * at, 0.14) for at, each in enumerate(JOKER))
    half = group(
        use(joker.letter, INDEX_AT, 34, 0.42, stroke="none"),
        *letters,
        jester(joker),
        id=f"{name}-half",
        fill=INK[joker],
        stroke=INK[joker],
    )
    return half + group(doubled(f"{name}-half"), id=name)


def _faces(rank: Rank, suit: Suit) -> Iterator[str]:
    """A card in every language, and in large print."""
    name = f"{rank.letter}{suit.letter}"
    for language, letters in LETTERS.items():
        letter = letters[rank]
        yield _symbol(f"{name}-{language}", use(name) + use(f"{suit.letter}-{letter}"))
        large = group(
            use(f"g{letter}", 78 if len(letter) > 1 else 64, 84, 1.3),
            sign(suit, 128, 248, 1.5),
            fill=INKS[suit],
            stroke=INKS[suit],
        )
        yield _symbol(f"{name}-{language}-large", large)


def _joker_faces(joker: Joker) -> Iterator[str]:
    """Yield the faces of a joker, alike in all languages."""
    name = f"{joker.letter}J"
    letters = (use(f"g{each}", 37 + 44 * at, 56, 0.58) for at, each in enumerate(JOKER))
    large = group(
        *letters,
        use(joker.letter, 125, 220, 1.7, stroke="none"),
        fill=INK[joker],
        stroke=INK[joker],
    )
    for language in LETTERS:
        yield _symbol(f"{name}-{language}", use(name))
        yield _symbol(f"{name}-{language}-large", large)


def _symbol(name: str, drawing: str) -> str:
    box = f"0 0 {WIDTH} {HEIGHT}"
    return tag("symbol", use("paper") + drawing, id=name, viewBox=box)
