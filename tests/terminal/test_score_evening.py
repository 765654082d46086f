"""A whole evening at the score-keeper, by keys, as it was said (see goldens/score-evening-*.txt).

By hand, with the queen at 13, so that a deal is 26 points (S2, S6):

                     Anne  Bruno  Chloé  David
    deal 1              4     19      3      0   hearts 4, 6, 3, 0; the queen with Bruno
    misdeal             -      -      -      -   Bruno shows a card: Chloé deals (I1)
    deal 2             26     26     26      0   David shoots the moon (S3)
    deal 3              0     26      0      0   Bruno has revoked (I5)
    deal 4             10      0     16      0   entered as 10 16 0 0 first, and corrected
    deal 5              1      3      2     20   David has 7 hearts and the queen
    totals             41     74     47     20   182 = 7 x 26

Average (M5): the mean is 45.5. Bruno is 28.5 above and pays 28, Chloé 1.5 and pays 1; Anne is 4.5
below and draws 4, David 25.5 and draws 25. In and out of the pot go 29, so no lots are needed. At
0.25 € a stake: Bruno pays David 6.25 € and Anne 0.75 €, Chloé pays Anne 0.25 €.
"""

from decimal import Decimal
from pathlib import Path

import pytest
from terminal.scorekeepers import Evening, keep, opened

from volte.scoresheet import RowKind, Transfer, who_pays, worth

GOLDENS = Path(__file__).parent / "goldens"
TYPED = {
    "en": [
        "?",
        "4 6q 5",
        "4 6q 3",
        "misdeal exposed",
        "t",
        "moon david",
        "revoke bruno",
        "= 10 16",
        "fix 4 = 10 0 16 # Bruno's pile was Chloé's",
        "n",
        "a1 b3 d7q c2",
        "f",
        "g",
        "accept",
        "q",
    ],
    "fr": [
        "?",
        "4 6d 5",
        "4 6d 3",
        "maldonne vue",
        "t",
        "volte david",
        "renonce bruno",
        "= 10 16",
        "corriger 4 = 10 0 16 # le tas de Bruno était à Chloé",
        "n",
        "a1 b3 d7d c2",
        "f",
        "g",
        "accepter",
        "q",
    ],
}


def evening(folder: Path, lang: str, width: int | None = 80, plain: bool = False) -> Evening:
    title = {"en": "Friday", "fr": "Vendredi"}[lang]
    file = opened(folder, title=title, stake="0.25", currency="EUR")
    return keep(file, TYPED[lang], lang, width, plain, new=True)


@pytest.mark.parametrize("plain", [False, True], ids=["seen", "heard"])
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_evening_is_told_as_it_was(lang: str, plain: bool, folder: Path) -> None:
    said = evening(folder, lang, None if plain else 80, plain).said.splitlines()
    golden = GOLDENS / f"score-evening-{'heard' if plain else 'seen'}-{lang}.txt"
    # The last line says where it is kept, which is another place every time.
    last = next(place for place, line in enumerate(said) if line.startswith(("All of", "Tout est")))
    assert said[:last] == golden.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_M5_the_evening_comes_out_as_reckoned_by_hand(lang: str, folder: Path) -> None:
    sheet = evening(folder, lang).sheet
    assert [row.points for row in sheet.table.rows] == [
        (4, 19, 3, 0),
        (),
        (26, 26, 26, 0),
        (0, 26, 0, 0),
        (10, 0, 16, 0),
        (1, 3, 2, 20),
    ]
    assert [row.kind for row in sheet.table.rows][1] is RowKind.MISDEAL
    assert [row.dealer for row in sheet.table.rows] == [0, 1, 2, 3, 0, 1]
    assert sheet.table.totals == (41, 74, 47, 20)
    assert sheet.table.net == (4, -28, -1, 25)
    assert set(who_pays(sheet)) == {Transfer(1, 3, 25), Transfer(1, 0, 3), Transfer(2, 0, 1)}
    assert worth(sheet, 25) == Decimal("6.25")
    assert sheet.accepted
