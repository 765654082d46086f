"""Every page and every state of the table, in both languages, light and dark, small and wide: no
fault that axe knows, nothing too faint, too small, too wide or cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import pytest
from kit.sites import House
from page.evenings import club_pages
from page.judging import AA, AAA, ENHANCED, MEASURED, axe_faults, contrast_faults, room_faults
from page.places import SEED, WITHIN, company_states, pages, shapes, table_states
from page.players import WHOLE, Player, Theme, dealt_from
from page.refereed import refereed_states
from page.wider import wider_states
from playwright.sync_api import Browser


class Look(NamedTuple):
    """How somebody sees the pages."""

    lang: str
    theme: Theme
    width: int

    def __str__(self) -> str:
        return f"{self.lang}-{self.theme}-{self.width}"


LOOKS = [
    Look(lang, theme, width)
    for lang in ("en", "fr")
    for theme in ("light", "dark")
    for width in (320, 1280)
]
SMALL = Look("fr", "dark", 320)


OTHERS: Final = {
    "clubs": club_pages,
    "shapes": shapes,
    "company": company_states,
    "referee": refereed_states,
    "wider": wider_states,
}
"""Walks through tables of other kinds."""


def every_look(*gate: Look) -> pytest.MarkDecorator:
    """All looks, those of the gate among them."""
    return pytest.mark.parametrize(
        "look",
        [
            pytest.param(look, id=str(look), marks=() if look in gate else pytest.mark.full)
            for look in LOOKS
        ],
    )


@contextmanager
def somebody(browser: Browser, house: House, look: Look) -> Iterator[Player]:
    player = Player(
        browser, house, look.lang, width=look.width, height=720, theme=look.theme, still=True
    )
    try:
        yield player
    finally:
        player.close()


def judge(
    player: Player,
    states: Iterable[str],
    record: pytest.FixtureRequest,
    enough: float = AA,
) -> None:
    """Judges each state as it comes.

    Args:
        enough: the contrast that small words need.
    """
    faults: list[str] = []
    least = 21.0
    for state in states:
        player.page.wait_for_selector(".lingering", state="detached")
        found, contrast = contrast_faults(player.page, enough)
        beyond = ENHANCED if WHOLE and enough == AAA else ()
        found += axe_faults(player.page, () if WHOLE else MEASURED, beyond)
        found += room_faults(player.page)
        faults += [f"{state}: {each}" for each in found]
        least = min(least, contrast)
    record.node.user_properties.append(("least contrast", f"{least:.2f}"))
    assert not faults, "\n".join(["", *dict.fromkeys(faults)])


@every_look(SMALL)
def test_every_page(
    browser: Browser, house: House, look: Look, request: pytest.FixtureRequest
) -> None:
    with somebody(browser, house, look) as player:
        judge(player, pages(player, () if WHOLE else WITHIN), request, AAA)


@every_look(SMALL)
def test_every_state_of_the_table(
    browser: Browser, house: House, look: Look, request: pytest.FixtureRequest
) -> None:
    with somebody(browser, house, look) as player, dealt_from(house, SEED):
        judge(player, table_states(player), request)


@every_look()
@pytest.mark.parametrize("walk", OTHERS.values(), ids=OTHERS)
def test_every_state_of_other_tables(
    browser: Browser,
    house: House,
    look: Look,
    walk: Callable[[Player], Iterator[str]],
    request: pytest.FixtureRequest,
) -> None:
    with somebody(browser, house, look) as player, dealt_from(house, SEED):
        player.come_in()
        judge(player, walk(player), request)
