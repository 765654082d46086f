"""A whole evening at the score-keeper, by keys, as it was said (goldens/score-evening-*.txt).

It is the evening of `scorekeeper/goldens/evening.txt`, where the arithmetic of every line stands:

                     Anne  Bruno  Chloé  David
    deal 1              3     18      5      0   the queen with Bruno; 3 17 6 0 until corrected
    misdeal             -      -      -      -   David shows a card, so Anne deals (I1)
    deal 2             26     26     26      0   David shoots the moon (S3)
    deal 3             26      0      0      0   Anne has revoked (I5)
    deal 4              5      0      8     13   told by points
    deal 5              2      5     14      5   the queen with Chloé
    totals             62     49     53     18   182 = 7 x 26

Average (M5): the mean is 45.5. Anne is 16.5 above it and pays 16, Bruno 3, Chloé 7: that makes 26.
David is 27.5 below and claims 27; the pot is one short of that, and he takes its 26. At 0.25 € a
stake Anne pays him 4.00 €, Bruno 0.75 € and Chloé 1.75 €.
"""

from pathlib import Path

import pytest
from kit.sheets import EVENING, EVENING_TEXT
from terminal.scorekeepers import Evening, keep

from volte.scorekeeper.model import SheetShelf, parse_sheet

GOLDENS = Path(__file__).parent / "goldens"
TYPED = {
    "en": """
        lots anne ks, bruno 4d, chloé 4h, david ah / bruno 7c, chloé 3d
        ?
        3 4q 7
        3 4q 6
        misdeal exposed
        t
        moon david
        revoke anne
        = 5 0 8
        fix 1 3 5q 5 # Chloé: un cœur mal rangé
        n
        d5 b5 c1q a2
        f
        g
        e
        accept
    """,
    "fr": """
        tirage anne rp, bruno 4k, chloé 4c, david ac / bruno 7t, chloé 3k
        ?
        3 4d 7
        3 4d 6
        maldonne vue
        t
        volte david
        renonce anne
        = 5 0 8
        corriger 1 3 5d 5 # Chloé : un cœur mal rangé
        n
        d5 b5 c1d a2
        f
        g
        e
        accepter
    """,
}


def evening(folder: Path, lang: str, width: int | None = None, plain: bool = False) -> Evening:
    typed = [line.strip() for line in TYPED[lang].strip().splitlines()]
    return keep(SheetShelf(folder).new(EVENING), typed, lang, width, plain, new=True)


@pytest.mark.parametrize(
    ("manner", "width", "plain"), [("seen", 80, False), ("heard", None, True)], ids=str
)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_evening_is_told_as_it_was(
    lang: str, manner: str, width: int | None, plain: bool, folder: Path
) -> None:
    said = evening(folder, lang, width, plain).said
    golden = (GOLDENS / f"score-evening-{manner}-{lang}.txt").read_text(encoding="utf-8")
    assert said.startswith(golden)
    assert len(said[len(golden) :].splitlines()) <= 2  # where it is kept, and how to go on


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_M5_the_evening_is_the_one_that_was_reckoned_by_hand(lang: str, folder: Path) -> None:
    sheet = evening(folder, lang).sheet
    assert sheet == parse_sheet(EVENING_TEXT.read_text(encoding="utf-8"))
    assert sheet.table.totals == (62, 49, 53, 18)
    assert sheet.table.net == (-16, -3, -7, 26)
