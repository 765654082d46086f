"""What eyes see on the felt: marks, flights, bubbles, the trick before, phrases; nothing moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.sites import House
from page.means import Keys, do_what_is_due
from page.players import Player, dealt_from
from playwright.sync_api import Browser

SEED = 7

SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const each of list.getEntries()) window.shifted += each.value;
    }).observe({type: 'layout-shift', buffered: true});
    window.flights = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
        window.flights += 1;
        return animate.apply(this, all);
    };
}"""
"""Counts all that shifts, also right after input, and all that flies."""

OUTSIDE = """(shown) => {
    const felt = document.getElementById('felt').getBoundingClientRect();
    const box = shown.getBoundingClientRect();
    return box.left < felt.left || box.right > felt.right
        || box.top < felt.top || box.bottom > felt.bottom || box.width === 0;
}"""

COVERED = """() => {
    const boxes = (what) => [...document.querySelectorAll(what)]
        .map((each) => each.getBoundingClientRect()).filter((box) => box.width > 0);
    const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
        * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    const plates = boxes('#seats .plate');
    const cards = boxes('#trick li .card');
    const part = (a, b) => common(a, b) / (a.width * a.height);
    const size = (box) => box.width * box.height;
    const sizes = (all) => all.map(size);
    return {
        plates: Math.max(...plates.flatMap((a) => plates.map((b) => a === b ? 0 : part(a, b)))),
        cards: Math.max(...plates.flatMap((a) => cards.map((b) => part(a, b)))),
        ratio: Math.min(...sizes(cards)) / Math.max(...sizes(boxes('.seat:not(.own) .plate'))),
    };
}"""
"""How much of a plate lies below another, or below a card; how large cards are beside plates."""

WINDOWS = [(320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (1440, 900)]


@pytest.fixture
def ana(browser: Browser, house: House) -> Iterator[Player]:
    """Somebody at a telephone, for whom cards fly; they have come in."""
    player = Player(browser, house, width=390, height=844, still=True, moving=True)
    player.come_in()
    yield player
    player.assert_content()
    player.close()


def to_play(player: Player) -> None:
    """Goes on until the person has to play a card, and others have played before."""
    while (due := player.due()) != "Play" or not player.scene["trick"]:
        do_what_is_due(player, Keys(), due)


def giver(player: Player) -> int:
    """The seat that has passed cards to the person."""
    (seat,) = {each["giver"] for each in player.scene["hand"]} - {None}
    return int(seat)


def test_a_deal_flies_and_nothing_shifts(ana: Player, house: House) -> None:
    with dealt_from(house, SEED):
        ana.begin("microsoft")
    ana.page.evaluate(SHIFTS)
    ana.take_focus()
    while (due := ana.due()) != "Play" or ana.held() > 6:
        do_what_is_due(ana, Keys(), due)
        if ana.held() == 13 and due == "Pass":
            ana.wait("() => document.querySelectorAll('#hand .received').length === 3")
            ana.wait(
                "(name) => document.querySelector(name) !== null",
                f".bubble[data-seat='{giver(ana)}']",
            )
    assert ana.page.evaluate("window.flights") > 20
    assert ana.page.evaluate("window.shifted") < 0.02
    assert ana.page.locator("#hand .received").count() == 0


def test_who_is_winning_is_marked_in_one_place(ana: Player, house: House) -> None:
    with dealt_from(house, SEED):
        ana.begin("microsoft")
    ana.take_focus()
    to_play(ana)
    scene = ana.scene
    marked = ana.page.locator("#trick .winning")
    assert marked.count() == 1
    assert marked.get_attribute("data-key", timeout=0) == next(
        f"{each['seat']} {each['card']}"
        for each in scene["trick"]
        if each["seat"] == scene["winning"]
    )
    sign = "(card) => getComputedStyle(card.querySelector('.card'), '::before').content"
    assert marked.evaluate(sign) == '"▲" / ""'  # seen, and not read


def test_the_trick_before_lies_as_a_trick_until_a_card_is_played(ana: Player, house: House) -> None:
    with dealt_from(house, SEED):
        ana.begin("microsoft")
    ana.take_focus()
    while not ana.scene["last"]:
        do_what_is_due(ana, Keys(), ana.due())
    assert ana.due() == "Play"
    before = [f"{each['seat']} {each['card']}" for each in ana.scene["last"]]
    button = ana.page.locator("#corner .small:visible")
    focus = ana.focused()
    button.click()
    keys = "(cards) => cards.map((each) => each.dataset.key)"
    shown = ana.page.locator("#before li")
    assert shown.evaluate_all(keys) == before
    assert ana.page.locator("#before .winning").count() == 1
    assert ana.page.locator("#trick").is_hidden()
    assert ana.focused() == focus
    button.click()
    assert shown.count() == 0
    ana.page.keyboard.press("l")  # the question shows it too
    assert shown.evaluate_all(keys) == before
    do_what_is_due(ana, Keys(), "Play")
    ana.wait("() => document.querySelectorAll('#before li').length === 0")


def test_a_phrase_is_two_taps_and_stands_at_the_seat(ana: Player, house: House) -> None:
    table = ana.begin("microsoft", setup={"talk": "all"})
    assert ana.page.locator("#corner .small:visible").count() == 0  # bots do not listen
    bea = ana.beside("Bea")
    bea.go_to(f"/tables/{table}")
    bea.page.wait_for_selector("#seats .plate")
    do_what_is_due(ana, Keys(), ana.due())
    talk = ana.page.locator("#corner .small:has([href$='#talk'])")
    talk.wait_for()
    talk.click()
    ana.page.locator(".phrases button", has_text="Good luck!").click()
    said = ana.page.locator(".bubble", has_text="Good luck!")
    said.wait_for()
    assert not said.evaluate(OUTSIDE)
    assert ana.page.locator(".phrases").count() == 0
    bea.page.locator(".bubble", has_text="Good luck!").wait_for()
    bea.page.locator("#corner .small[data-count='1']").wait_for()
    bea.assert_content()
    bea.close()


@pytest.mark.full
def test_a_moment_is_in_nobodys_way_and_ends(ana: Player) -> None:
    ana.begin("microsoft")
    ana.page.evaluate(
        """async () => {
            const felt = document.querySelector('link[rel=modulepreload][href$="/felt.js"]');
            const moments = await import(felt.href.replace('felt.js', 'moments.js'));
            moments.moon();
            moments.triumph(window.watched.scene.seats.slice(0, 2));
            moments.rise(document.querySelector('.seat'), '+13');
        }"""
    )
    shown = ana.page.locator(".spell, .gain")
    assert shown.count() == 3
    for each in shown.all():
        assert each.get_attribute("aria-hidden") == "true"
        assert each.evaluate("(shown) => getComputedStyle(shown).pointerEvents") == "none"
    ana.wait("() => document.querySelectorAll('.spell, .gain').length === 0")


@pytest.mark.full
@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("window", WINDOWS)
def test_cards_are_the_largest_and_cover_no_plate(
    browser: Browser, house: House, window: tuple[int, int], seats: int
) -> None:
    width, height = window
    player = Player(browser, house, width=width, height=height, still=True, moving=False)
    player.come_in()
    with dealt_from(house, SEED):
        player.begin("coeurs", players=seats)
    player.take_focus()
    to_play(player)
    found = player.page.evaluate(COVERED)
    player.close()
    assert found["plates"] == 0, found
    assert found["cards"] < 0.15, found
    assert found["ratio"] > 0.8, found
