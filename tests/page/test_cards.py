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
from kit.sites import House
from page.players import Player
from playwright.sync_api import Browser

from volte.cards import CARDS, PACK_SIZE
from volte.say.catalogue import LANGUAGES
from volte.web.assets import ROOMS
from volte.web.preferences import PREFERENCES, Choice

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOMS / "server/tables/static/cards.svg"
SPRITE: Final = SOURCE.read_text(encoding="utf-8")
DRAWING: Final = ElementTree.fromstring(SPRITE)
PACK: Final = [card.text for card in CARDS[:PACK_SIZE]]

LAY_OUT: Final = """async ([cards, width, lang, looks]) => {
    const { back, picture } = await import("/static/page.js");
    document.documentElement.lang = lang;
    Object.assign(document.documentElement.dataset, looks);
    const faces = cards.map((card) => (card ? picture(card) : back()));
    const sheet = document.createElement("div");
    const { style } = sheet;
    style.setProperty("display", "grid");
    style.setProperty("width", `${9 * width}px`);
    style.setProperty("grid-template-columns", `repeat(9, ${width}px)`);
    sheet.append(...faces);
    document.body.replaceChildren(sheet);
    sheet.id = "cards-sheet";
}"""
"""Nine cards in a row."""

DRAWN: Final = """() => [...document.querySelectorAll("svg.face")].every(
    (face) => face.getBBox().width > 0)"""
LOOK_AT: Final = """async ([picture, count, width]) => {
    const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return Array.from({ length: count }, (_, at) => {
        const [x, y] = [(at % 9) * width, Math.floor(at / 9) * width * 1.4];
        const { data } = canvas.getImageData(x, Math.ceil(y), width, Math.floor(width * 1.4));
        const pixels = new Uint32Array(data.buffer);
        const trace = pixels.reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 0);
        return [trace, new Set(pixels).size];
    });
}"""


class Sheet:
    """Where cards are laid out to be looked at."""

    def __init__(self, somebody: Player) -> None:
        self._page = somebody.page
        somebody.go_to("/fair")

    def seen(self, width: int, lang: str = "en", **looks: str) -> dict[str, tuple[int, int]]:
        """A number from the pixels of every card, as wide as that, and how many colours it has."""
        self._page.evaluate(LAY_OUT, [PACK, width, lang, {"large": "false"} | looks])
        self._page.wait_for_function(DRAWN)
        picture = self._page.locator("#cards-sheet").screenshot()
        told = [base64.b64encode(picture).decode(), len(PACK), width]
        seen = map(tuple, self._page.evaluate(LOOK_AT, told))
        return dict(zip(PACK, seen, strict=True))


@pytest.fixture(scope="module")
def sheet(browser: Browser, house: House) -> Sheet:
    return Sheet(Player(browser, house))


def test_the_cards_are_what_is_drawn_now() -> None:
    command = [sys.executable, "-m", "scripts.drawing", "--show"]
    drawn = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    assert drawn == SOURCE.read_bytes(), "run scripts/cards"


def test_every_card_has_a_face_in_every_language_and_size() -> None:
    wanted = {
        f"{card}-{lang}{size}" for card in PACK for lang in LANGUAGES for size in ("", "-large")
    }
    backs = PREFERENCES["back"]
    assert isinstance(backs, Choice)
    wanted |= {f"back-{name}" for name in backs.values}
    signs = ElementTree.parse(ROOT / "scripts" / "drawing" / "signs.svg").iterfind("{*}symbol")
    wanted |= {each.attrib["id"] for each in signs}
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


@pytest.mark.parametrize("width", [34, 200])
@pytest.mark.parametrize("large", ["false", "true"])
def test_every_face_can_be_told_from_the_others(sheet: Sheet, width: int, large: str) -> None:
    for lang in LANGUAGES:
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


def test_faces_bring_their_own_colours_where_colours_are_forced(
    browser: Browser, house: House
) -> None:
    somebody = Player(browser, house, forced_colors="active")
    faces = Sheet(somebody).seen(100)
    assert len(set(faces.values())) == len(PACK)
    assert all(colours > 20 for _, colours in faces.values())
    somebody.close()


def test_faces_are_drawn_anew_when_looks_change(player: Player) -> None:
    player.go_to("/fair")
    shown = player.page.evaluate(
        """async () => {
            const { back, faces, picture } = await import("/static/page.js");
            const shown = [picture("QS'"), picture("RJ"), back()];
            document.body.append(...shown);
            const root = document.documentElement;
            const hrefs = () => shown.map((each) => each.firstChild.getAttribute("href"));
            root.dataset.large = "false";
            root.dataset.back = "lattice";
            faces.suit();
            const before = hrefs();
            root.dataset.large = "true";
            root.dataset.back = "plain";
            faces.suit();
            return [before, hrefs(), shown.map((each) => each.getAttribute("aria-hidden"))];
        }"""
    )
    assert shown == [
        [f"/static/cards.svg#{name}" for name in ("QS-fr", "RJ-fr", "back-lattice")],
        [f"/static/cards.svg#{name}" for name in ("QS-fr-large", "RJ-fr-large", "back-plain")],
        ["true"] * 3,
    ]
