"""An evening of real cards on a telephone on the kitchen table, where there is no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from kit.browser.alone import LONG, Alone
from kit.browser.players import until
from kit.browser.scoring import BRUNO, CHLOE, DAVID, NAMES, Thumb, fits_a_thumb
from kit.exporting import exported
from kit.hosting import Host
from kit.terminals import Volte, folder, volte
from playwright.sync_api import Browser, expect

from volte.rules import make_ruleset
from volte.scorekeeper import model

__all__ = ["folder", "volte"]

BASE: Final = "/games/volte"
OFFLINE: Final = "() => navigator.serviceWorker.ready.then((each) => each.active !== null)"
WIDER: Final = "() => document.documentElement.scrollWidth - window.innerWidth"

Told = tuple[tuple[int, ...], int | None]
MOON: Final[Told] = (), DAVID
EVENINGS: Final[dict[str, tuple[Told, ...]]] = {
    "coeurs-moyenne": (
        ((3, 4, 6), BRUNO),
        ((0, 13, 0), CHLOE),
        MOON,
        ((1, 1, 1), DAVID),
        ((5, 2, 1), CHLOE),
    ),
    "coeurs-cagnotte": (((12, 1, 0), BRUNO),),
    "coeurs": (((2, 3, 4), CHLOE),),
}
"""Presets, and their deals: hearts and the taker of the queen, or the moon and who shot it. The
count of the last player fills itself in."""


@pytest.fixture
def host() -> Iterator[Host]:
    with Host({BASE: exported(BASE)}) as host:
        yield host


@pytest.fixture
def phone(browser: Browser, host: Host) -> Iterator[Alone]:
    """A telephone of the usual size, held upright."""
    size = {"width": 390, "height": 844, "touch": True}
    phone = Alone(browser, host.address + BASE, "fr", **size, is_mobile=True)
    yield phone
    assert phone.complaints == []
    phone.close()


def fits(phone: Alone) -> None:
    """Check that every control can be hit, and that nothing is wider than the window."""
    fits_a_thumb(phone)
    assert phone.page.evaluate(WIDER) == 0


def begin(phone: Alone, preset: str, first: bool) -> None:
    """Begin a sheet from the list; after the first, the names are there already."""
    page = phone.page
    page.tap("main a.button.first")
    expect(page.locator("#table-form")).to_be_visible()
    if page.input_value("#preset") != preset:
        page.select_option("#preset", preset)
        expect(page.locator("#said")).not_to_be_empty()
    for seat, name in enumerate(NAMES):
        if first:
            page.fill(f"#seat{seat}", name)
        assert page.input_value(f"#seat{seat}") == name
    page.fill("#stake", "0,25")
    page.select_option("#dealer", str(CHLOE))
    fits(phone)
    page.tap("button.large")
    expect(page.locator(".next dd").first).to_have_text("Chloé")


def tell(phone: Alone, told: Told, number: int) -> None:
    """Write a deal down."""
    counts, taker = told
    if told == MOON:
        phone.page.tap(f"button[value='moon-{taker}']")
    else:
        for seat, count in enumerate(counts):
            Thumb().count(phone, seat, count)
        Thumb().choose(phone, "queen", taker or 0)
        phone.page.tap("button.write")
    expect(phone.page.locator("#sheet tbody tr")).to_have_count(number)
    expect(phone.page.locator("#done")).to_be_focused()


def plain(text: str) -> str:
    return "".join(text.split()).rstrip(".")


@pytest.mark.full
def test_three_sheets_in_a_row_without_a_network_are_settled_again_by_the_terminal(
    phone: Alone, host: Host, volte: Volte, tmp_path: Path
) -> None:
    page = phone.page
    phone.go_to("/fr/")
    until(page, OFFLINE)
    host.stop()
    phone.go_to("/fr/score/")
    expect(page.locator("#file-form")).to_be_visible(timeout=LONG)
    for number, (preset, deals) in enumerate(EVENINGS.items(), 1):
        begin(phone, preset, first=number == 1)
        for count, told in enumerate(deals, 1):
            tell(phone, told, count)
        if page.locator("button[value=draw]").count():
            page.tap("button[value=draw]")
        page.tap("button[value=accept]")
        expect(page.locator("button[value=reopen]")).to_be_visible()
        expect(page.locator("#share")).to_have_count(0)  # there is nobody who could watch
        fits(phone)
        owed = [plain(each) for each in page.locator(".pays li").all_inner_texts()]
        assert len(owed) > 1
        with page.expect_download() as saving:
            page.tap("a[download][href$='sheet.volte']")
        file = tmp_path / f"{number}.volte"
        saving.value.save_as(file)
        assert saving.value.suggested_filename.endswith(".volte")
        settled = plain(volte("--lang", "fr", "score", "show", str(file)).out)
        assert [each for each in owed if each not in settled] == []
        page.tap("main a[href$='/fr/score/']")
        expect(page.locator("ul.tables > li")).to_have_count(number)


@pytest.mark.full
def test_a_sheet_of_the_terminal_goes_on_in_the_browser_and_is_there_the_next_day(
    phone: Alone, host: Host, tmp_path: Path
) -> None:
    opening = model.Open(make_ruleset("coeurs-moyenne"), NAMES)
    with model.SheetFile.create(tmp_path / "a.volte-sheet", opening) as file:
        file.do(model.NameFirstDealer(CHLOE))
        file.do(model.Enter(model.Taken((3, 4, 6, None), BRUNO)))
    phone.go_to("/fr/score/")
    page = phone.page
    expect(page.locator("#file-form")).to_be_visible(timeout=LONG)
    page.set_input_files("#file", file.path)
    page.tap("#file-form button")
    expect(page.locator("#sheet tbody tr")).to_have_count(1)
    tell(phone, ((0, 1, 12), DAVID), 2)
    until(page, OFFLINE)
    host.stop()
    page.reload()
    expect(page.locator("#sheet tbody tr")).to_have_count(2, timeout=LONG)
