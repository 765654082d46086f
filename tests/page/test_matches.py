"""Whole matches: every preset, and every means by which people play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from kit.sites import House
from page.ear import Ear
from page.means import Keys, Means, Mouse, Touch, play_match
from page.players import Player
from page.wider import EIGHT_EACH
from playwright.sync_api import Browser
from rulesets import OF_SEEDS

from volte.rules import PRESETS
from volte.rules.options import Value

OF_THE_SEEDS = [name for name in PRESETS if name.startswith(OF_SEEDS)]
WIDER = [name for name in PRESETS if name not in OF_THE_SEEDS]
ALIKE: Final = (
    *("coeurs-cinq-coups", "coeurs-moyenne", "coeurs-cagnotte"),
    *("salon", "salon-six-deux"),
    "microsoft",
)
"""Of one deal, these are played as others are: `coeurs`, `salon-valet`; or they are played below
by all means."""

UNLIKE: Final = ("spot-hearts", "scatter", "cancellation")
"""Those of the wider family that are unlike all others to play; but see W10 for partners."""

BY: tuple[Means, ...] = (Mouse(), Keys())
"""How the presets of the wider family are played, one after the other."""

SMALL: dict[str, Any] = {"width": 320, "height": 568, "touch": True}
BY_TOUCH = "cancellation"
"""The one of them with the most people at the table."""

SHOWN: dict[str, dict[str, Value]] = {"scatter": {"pass_cycle": ["scatter"]}}
"""What the first deal of a preset would not show."""

TABLES = [
    pytest.param(name, players, lang, id=f"{name}-{players}-{lang}")
    for name, preset in PRESETS.items()
    for players in preset.players
    for lang in ("en", "fr")
]


@contextmanager
def somebody(browser: Browser, house: House, lang: str = "en", **settings: Any) -> Iterator[Player]:
    """Who has come in, plays, and sees no complaint of the browser."""
    player = Player(browser, house, lang, **settings)
    try:
        player.come_in()
        yield player
        player.assert_content()
    finally:
        player.close()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.full if name in ALIKE else ()) for name in OF_THE_SEEDS],
)
def test_a_match_of_each_preset(browser: Browser, house: House, name: str) -> None:
    with somebody(browser, house) as player:
        player.begin(name)
        player.take_focus()
        assert play_match(player, Mouse()) == 1


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in UNLIKE else pytest.mark.full) for name in WIDER],
)
def test_a_match_of_each_preset_of_the_wider_family(
    browser: Browser, house: House, name: str
) -> None:
    touched = name == BY_TOUCH
    means = Touch() if touched else BY[WIDER.index(name) % len(BY)]
    with somebody(browser, house, **(SMALL if touched else {})) as player:
        player.begin(name, **SHOWN.get(name, {}))
        assert play_match(player, means) >= 1  # some play on where totals are equal


@pytest.mark.full
@pytest.mark.parametrize(("name", "players", "lang"), TABLES)
def test_a_match_with_as_many_seats(
    browser: Browser, house: House, name: str, players: int, lang: str
) -> None:
    with somebody(browser, house, lang) as player:
        player.begin(name, players=players)
        player.take_focus()
        assert play_match(player, Mouse()) == 1


@pytest.mark.full
@pytest.mark.parametrize("name", PRESETS)
def test_a_match_to_its_own_end(browser: Browser, house: House, name: str) -> None:
    with somebody(browser, house, "fr") as player:
        player.begin(name, deals=0)
        player.take_focus()
        assert play_match(player, Mouse()) >= 1


@pytest.mark.parametrize("lang", ["en", pytest.param("fr", marks=pytest.mark.full)])
def test_by_keys_alone(browser: Browser, house: House, lang: str) -> None:
    with somebody(browser, house, lang) as player:
        player.begin("microsoft", deals=2, removed=EIGHT_EACH)
        assert play_match(player, Keys()) == 2


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_by_the_accessibility_tree_alone(browser: Browser, house: House, lang: str) -> None:
    with somebody(browser, house, lang) as player:
        table = player.open_table("microsoft", deals=2, removed=EIGHT_EACH)
        player.go_to(f"/tables/{table}?begin")
        assert Ear(player).play_match() == 16
        # Where such a reader puts the focus, no key or click tells: only its loss can be seen.
        assert player.page.evaluate("window.watched.lost") == []


@pytest.mark.parametrize(
    "tap", ["confirm", *(pytest.param(tap, marks=pytest.mark.full) for tap in ("once", "twice"))]
)
def test_by_touch_on_a_small_phone(browser: Browser, house: House, tap: str) -> None:
    with somebody(browser, house, "fr", moving=True, **SMALL) as player:
        player.suit(bot_pace=0, trick_pace=0, helped=True, tap=tap)
        player.begin("microsoft", removed=EIGHT_EACH)
        assert play_match(player, Touch(tap)) == 1
