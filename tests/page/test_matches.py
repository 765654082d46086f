"""Whole matches: every preset, every means of play, and requests that only some matches make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kit import OF_SEEDS, Playroom
from kit.browser import states
from kit.browser.means import (
    CORNER,
    Ear,
    Keys,
    Means,
    Mouse,
    Touch,
    do_what_is_due,
    play_match,
    press,
    tab_to,
)
from kit.browser.players import WHOLE, Browse, Player, dealt_from

from volte.game import DealScored, Passed, Played
from volte.rules import PRESETS, Ties, make_ruleset
from volte.rules.options import Value

SMALL: dict[str, Any] = {"width": 320, "height": 568, "touch": True}
BY_TOUCH = "cancellation"
"""The preset that is unlike all others to play, and all that the gate plays here. Others are played
by the tests of what fits, of what is announced and of refereed tables; for scatters see W1."""

SHOWN: dict[str, dict[str, Value]] = {"scatter": {"pass_cycle": ["scatter"]}}
"""Options for features of a preset that its first deal would not show."""

if not WHOLE:
    SHOWN[BY_TOUCH] = {"removed": states.SIX_EACH}

TABLES = [
    pytest.param(name, players, lang, id=f"{name}-{players}-{lang}")
    for name, preset in PRESETS.items()
    for players in preset.players
    for lang in ("en", "fr")
]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == BY_TOUCH else pytest.mark.full) for name in PRESETS],
)
def test_a_match_of_each_preset(browse: Browse, name: str) -> None:
    """Presets of the wider family by mouse and keys in turn, the one with most people by touch."""
    means: Means = Mouse() if name.startswith(OF_SEEDS) or len(name) % 2 else Keys()
    player = browse(**(SMALL if name == BY_TOUCH else {})).come_in()
    player.begin(name, **SHOWN.get(name, {}))
    player.take_focus()
    # Some matches play on while totals are equal.
    assert play_match(player, Touch() if name == BY_TOUCH else means) >= 1


@pytest.mark.full
@pytest.mark.parametrize(("name", "players", "lang"), TABLES)
def test_a_match_with_as_many_seats(browse: Browse, name: str, players: int, lang: str) -> None:
    player = browse(lang).come_in()
    player.begin(name, players=players)
    player.take_focus()
    deals = play_match(player, Mouse())
    assert deals == 1 or make_ruleset(name).ending.ties is Ties.PLAY_ON


@pytest.mark.full
@pytest.mark.parametrize("name", PRESETS)
def test_a_match_to_its_own_end(player: Player, name: str) -> None:
    player.begin(name, deals=0)
    player.take_focus()
    assert play_match(player, Mouse()) >= 1


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_by_keys_alone(browse: Browse, lang: str) -> None:
    """In the gate, the sheet has such a match, and the announcements a deal."""
    player = browse(lang).come_in()
    player.begin("microsoft", deals=2, removed=states.SIXTEEN)
    assert play_match(player, Keys()) == 2


@pytest.mark.full
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_by_the_accessibility_tree_alone(browse: Browse, lang: str) -> None:
    """In the gate, somebody plays so at a table with a referee."""
    player = browse(lang).come_in()
    table = player.open_table("microsoft", deals=2, removed=states.SIXTEEN)
    player.go_to(f"/tables/{table}?begin")
    assert Ear(player).play_match() == 8
    # No key or click tells where such a reader puts the focus: only its loss can be seen.
    assert player.page.evaluate("window.watched.lost") == []


@pytest.mark.full
@pytest.mark.parametrize("tap", ["once", "twice", "confirm"])
def test_by_touch_on_a_small_phone(browse: Browse, tap: str) -> None:
    player = browse("fr", **SMALL).come_in(tap=tap)
    player.begin("microsoft", removed=states.EIGHT_EACH)
    assert play_match(player, Touch(tap)) == 1


@pytest.fixture
def lucky(browse: Browse, playroom: Playroom) -> Iterator[Player]:
    """Zoé, who is soon dealt the cards that others would wait for."""
    with dealt_from(playroom, states.SEED):
        yield browse("fr", still=True).come_in()


TWINS = """(scene) => scene.hand.some(({ card, legal }) => legal && card.endsWith("'")
    && scene.hand.some((each) => `${each.card}'` === card))"""
"""Whether the hand has two equal cards that may be played."""


def passed_by_me(player: Player) -> list[str]:
    """The cards of the person's pass, in the order given."""
    passes = [each for each in player.log if isinstance(each, Passed)]
    return [str(card) for each in passes if each.seat == 0 for card in each.cards or ()]


@pytest.mark.full
@pytest.mark.parametrize(("means", "how"), [(Keys(), {}), (Touch(), SMALL)], ids=["keys", "touch"])
def test_W1_the_card_that_is_chosen_first_goes_to_the_left(
    browse: Browse, means: Means, how: dict[str, Any]
) -> None:
    player = browse("en", **how).come_in()
    player.begin("microsoft", pass_cycle=["scatter"], removed=states.SIXTEEN)
    player.due()
    hand = [each["card"] for each in player.scene["hand"]]
    do_what_is_due(player, means, "Pass")
    assert passed_by_me(player) == hand[:3]


def test_W1_each_card_says_for_whom_it_is_and_the_order_can_be_changed(player: Player) -> None:
    states.scattering(player)
    cards = [each["card"] for each in player.scene["hand"]]
    names = player.cards().all_text_contents()
    whose = [name.partition(", pour ")[2] for name in names]
    assert ["Bruno" in whose[0], "Alice" in whose[3], "Chloé" in whose[2]] == [True, True, True]
    player.hears("Pour Bruno")
    assert player.page.evaluate("document.activeElement.closest('#each') !== null")
    # The first one back, so that its place is free for the next. It is kept from that moment.
    with player.page.expect_navigation():
        player.cards().nth(0).evaluate("(card) => { card.click(); location.reload(); }")
    player.wait("() => document.querySelectorAll('#hand .for').length === 2")
    player.cards().nth(1).click(position=CORNER)
    assert "pour Bruno" in (player.cards().nth(1).text_content() or "")
    moment = player.moment()
    press(player, "Pass")
    player.until_after(moment)
    assert passed_by_me(player) == [cards[3], cards[1], cards[2]]


def test_W11_of_two_equal_cards_each_can_be_played(lucky: Player) -> None:
    """They are called alike, and stand side by side."""
    lucky.begin("cancellation", players=6, deals=20)
    lucky.take_focus()
    states.play_until(lucky, TWINS)
    hand = [each["card"] for each in lucky.scene["hand"] if each["legal"]]
    second = next(card for card in hand if card.endswith("'") and card[:-1] in hand)
    cards = [each["card"] for each in lucky.scene["hand"]]
    place = cards.index(second)
    assert cards[place - 1] == second[:-1]
    names = lucky.cards().all_text_contents()
    assert names[place] == names[place - 1]
    lucky.cards().nth(place).click(position=CORNER)
    lucky.wait(
        "(held) => document.querySelectorAll('#hand [role=option]').length < held", len(cards)
    )
    own = [each for each in lucky.log if isinstance(each, Played) and each.seat == 0]
    assert str(own[-1].card) == second
    assert names[place] in lucky.cards().all_text_contents()
    lucky.keep_focus()


@pytest.mark.full
def test_W11_cards_that_cancel_each_other_wait_in_sight(lucky: Player) -> None:
    states.holding(lucky)
    held = lucky.scene["wider"]["held"]
    assert f"{len(held)} cartes" in (lucky.page.text_content("#pile") or "")
    assert lucky.page.locator("#last .cancelled").count() >= 2
    assert "annulée" in (lucky.page.text_content("#last") or "")
    assert lucky.page.is_visible("#last-held")
    lucky.keep_focus()


@pytest.mark.full
@pytest.mark.parametrize(
    "refereed",
    [pytest.param(False, id="dealt"), pytest.param(True, id="refereed", marks=pytest.mark.full)],
)
def test_W7_whoever_has_shot_the_moon_says_how_it_counts(lucky: Player, refereed: bool) -> None:
    if refereed:
        states.choosing(lucky, "coeurs-table", queen_discard="free")
    else:
        states.choosing(lucky)
    assert lucky.focused() == "hand"  # nobody is moved there
    lucky.keys("Enter")
    assert lucky.focused() == "moon_minus"
    before = lucky.scene["seats"][0]["total"]
    worth = 12 if refereed else 13
    assert f"{worth} points" in lucky.page.inner_text("#moon_minus-about")
    lucky.keys("Escape")
    assert lucky.focused() == "hand"
    tab_to(lucky, "#actions")
    lucky.keys("Enter", "Enter")
    lucky.page.wait_for_selector("#moon", state="hidden")
    lucky.keep_focus()
    if not refereed:
        scored = [each for each in lucky.log if isinstance(each, DealScored)]
        assert scored[-1].minus
        assert lucky.scene["seats"][0]["total"] == before - worth


@pytest.mark.full
def test_W10_partners_are_told_and_share_a_column(player: Player) -> None:
    states.partnered(player)
    seats = player.page.locator("#seats li").all_text_contents()
    assert sum("votre partenaire" in each for each in seats) == 1
    heads = player.page.locator("#sheet-heads th").all_text_contents()
    assert heads[1:3] == ["Vous et Bruno", "Alice et Chloé"]
    assert player.page.locator("#chart .line").count() == 2
    assert player.page.locator("#ending tbody tr").count() == 2
    player.keep_focus()


@pytest.mark.full
def test_with_ten_at_the_table_each_card_has_its_digit(player: Player) -> None:
    player.begin("cancellation", players=10)
    player.due()
    player.take_focus()
    for key in "890":
        player.page.evaluate("document.getElementById('answer').replaceChildren()")
        player.keys(key)
        player.wait("() => document.getElementById('answer').innerText !== ''")
    player.keep_focus()
