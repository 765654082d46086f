"""The drawings of the cards: all there, as drawn now, and each to be told from the others."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from kit.browser.players import Browse, Player, scripts

from volte.cards import CARDS, PACK_SIZE
from volte.forms.fields import Choice
from volte.forms.preferences import PREFERENCES
from volte.say.catalogue import TONGUES
from volte.scene.chart import MARKS
from volte.web.assets import ROOMS

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOMS / "web/static/cards.svg"
SPRITE: Final = SOURCE.read_text(encoding="utf-8")
DRAWING: Final = ElementTree.fromstring(SPRITE)
PACK: Final = [card.text for card in CARDS[:PACK_SIZE]]


SCRIPTS: Final = scripts(__file__)
DRAWN: Final = """() => [...document.querySelectorAll("svg.face")].every(
    (face) => face.getBBox().width > 0)"""


class Sheet:
    """A page on which cards are laid out to be looked at."""

    def __init__(self, somebody: Player) -> None:
        self._page = somebody.page
        somebody.forgiven = "willReadFrequently"  # it would be no faster: each is read once
        somebody.go_to("/fair")

    def seen(self, width: int, lang: str = "en", **looks: str) -> dict[str, tuple[int, int]]:
        """A number from the pixels of every card, as wide as that, and how many colours it has."""
        self._page.evaluate(f"{SCRIPTS}.layOut", [PACK, width, lang, {"large": "false"} | looks])
        self._page.wait_for_function(DRAWN)
        picture = self._page.locator("#cards-sheet").screenshot()
        told = [base64.b64encode(picture).decode(), len(PACK), width]
        seen = map(tuple, self._page.evaluate(f"{SCRIPTS}.lookAt", told))
        return dict(zip(PACK, seen, strict=True))


@pytest.fixture(scope="module")
def sheet(module_browse: Browse) -> Sheet:
    return Sheet(module_browse())


def test_the_cards_are_what_is_drawn_now() -> None:
    command = [sys.executable, "-m", "scripts.drawing", "--show"]
    drawn = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert drawn == SOURCE.read_bytes(), "run scripts/cards"


def test_every_card_has_a_face_in_every_language_and_size() -> None:
    wanted = {
        f"{card}-{lang}{size}" for card in PACK for lang in TONGUES for size in ("", "-large")
    }
    backs = PREFERENCES["back"]
    assert isinstance(backs, Choice)
    wanted |= {f"back-{name}" for name in backs.values}
    signs = ElementTree.parse(ROOT / "scripts" / "drawing" / "signs.svg").iterfind("{*}symbol")
    wanted |= {each.attrib["id"] for each in signs}
    wanted |= {f"mark-{line}" for line in range(len(MARKS))}
    symbols = DRAWING.iterfind("{*}symbol")
    assert sorted(each.attrib["id"] for each in symbols) == sorted(wanted)


def test_a_drawing_needs_nothing_from_elsewhere() -> None:
    names = [each.attrib["id"] for each in DRAWING.iter() if "id" in each.attrib]
    assert len(names) == len(set(names))
    used = {each.attrib["href"] for each in DRAWING.iter() if "href" in each.attrib}
    assert used == {f"#{name}" for name in names} & used
    assert "url(" not in SPRITE
    kinds = {re.sub("{.*}", "", each.tag) for each in DRAWING.iter()}
    assert kinds == {"svg", "defs", "symbol", "g", "use", "path", "rect", "circle", "ellipse"}
    assert len(SPRITE) < 150_000


@pytest.mark.parametrize("width", [34, pytest.param(200, marks=pytest.mark.full)])
@pytest.mark.parametrize("large", ["false", "true"])
def test_every_face_can_be_told_from_the_others(sheet: Sheet, width: int, large: str) -> None:
    for lang in TONGUES:
        faces = sheet.seen(width, lang, large=large)
        assert len(set(faces.values())) == len(PACK)
        assert all(colours > 20 for _, colours in faces.values())


def test_languages_differ_by_the_letters_of_the_figures(sheet: Sheet) -> None:
    english, french = sheet.seen(100, "en"), sheet.seen(100, "fr")
    differing = {card[0] for card in PACK if english[card] != french[card]}
    assert differing == set("JQK")


def test_two_colours_leave_spades_and_hearts_as_they_are(sheet: Sheet) -> None:
    four, two = sheet.seen(100, colours="four"), sheet.seen(100, colours="two")
    differing = {card[1] for card in PACK if four[card] != two[card]}
    assert differing == set("CD")


def test_faces_bring_their_own_colours_where_colours_are_forced(browse: Browse) -> None:
    somebody = browse(forced_colors="active")
    faces = Sheet(somebody).seen(100)
    assert len(set(faces.values())) == len(PACK)
    assert all(colours > 20 for _, colours in faces.values())


def test_faces_are_drawn_anew_when_looks_change(newcomer: Player) -> None:
    newcomer.go_to("/fair")
    shown = newcomer.page.evaluate(f"{SCRIPTS}.drawnAnew")
    assert shown == [
        [f"/static/web/static/cards.svg#{name}" for name in ("QS-fr", "RJ-fr", "back-lattice")],
        [
            f"/static/web/static/cards.svg#{name}"
            for name in ("QS-fr-large", "RJ-fr-large", "back-plain")
        ],
        ["true"] * 3,
    ]
