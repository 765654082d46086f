"""The hand and the table: clicks, taps and keys, order, jumps, and cards that stay."""

from __future__ import annotations

import re
from typing import Final

import pytest
from kit.browser.means import (
    GUARDED,
    Keys,
    Mouse,
    Touch,
    action,
    do_what_is_due,
    legal,
    play_deal,
    press,
)
from kit.browser.players import TABLE, Browse, Player, scripts
from kit.browser.states import SIXTEEN
from kit.sites import Playroom
from playwright.sync_api import Locator

from volte.fair import commit_bytes
from volte.game import Contributed, Dealt, Played, Promised
from volte.table.pacing import Pace

SCRIPTS = scripts(__file__)
RAISED = "#hand .raised"
HELD = "() => [...document.querySelectorAll('#hand [role=option]')].map((each) => each.dataset.key)"
HELD_FEWER = "(held) => document.querySelectorAll('#hand [role=option]').length < held"


SEED = 5
"""Seed of a deal in which the player follows second in the first trick, with illegal cards."""


def a_finger(browse: Browse, lang: str = "en") -> Player:
    """Somebody at a telephone."""
    return browse(lang, width=320, height=640, touch=True, still=True)


def gone(player: Player, held: int) -> None:
    player.wait(HELD_FEWER, held)


def name_of(card: Locator) -> str:
    return (card.text_content() or "").strip()


# Clicks and taps


def test_a_click_plays_one_card_at_once_and_so_do_two_and_the_button(newcomer: Player) -> None:
    newcomer.at_turn()
    legal(newcomer).first.click()
    gone(newcomer, 13)
    assert newcomer.due() == "Play"
    box = legal(newcomer).first.bounding_box()
    assert box is not None
    newcomer.page.mouse.dblclick(box["x"] + 5, box["y"] + box["height"] / 2)
    gone(newcomer, 12)
    assert newcomer.due() == "Play"
    assert newcomer.held() == 11
    newcomer.page.focus("#actions [tabindex='0']")  # the card may have the focus already
    legal(newcomer).first.focus()
    name = name_of(newcomer.page.locator(":focus"))
    button = action(newcomer, "Play")
    assert button.inner_text() == f"Jouer\u00a0: {name}"
    button.focus()
    newcomer.keys("Enter")
    gone(newcomer, 11)
    newcomer.keep_focus()
    # If the next turn has come already, the button is there for it.
    assert newcomer.page.evaluate("document.activeElement.closest('#hand, #actions') !== null")


@pytest.mark.parametrize("tap", [pytest.param("auto", marks=pytest.mark.full), "twice"])
def test_the_first_tap_raises_a_card_and_the_second_plays_it(browse: Browse, tap: str) -> None:
    player = a_finger(browse).at_turn(seed=SEED, tap=tap)
    for card in (legal(player).first, legal(player).last):
        name = name_of(card)
        card.tap()
        assert [name_of(each) for each in player.page.locator(RAISED).all()] == [name]
    player.page.locator("#status").tap()
    assert player.page.locator(RAISED).count() == 0
    legal(player).first.tap()
    player.keys("Escape")
    assert player.page.locator(RAISED).count() == 0
    held = player.held()
    assert held == 13
    card = legal(player).last
    name = name_of(card)
    card.tap()
    player.page.wait_for_selector(RAISED)
    assert name_of(player.page.locator(RAISED)) == name
    player.hears(f"Raised: {name}")
    assert player.held() == held
    assert action(player, "Play").inner_text() == f"Play: {name}"
    player.page.locator(RAISED).tap()
    gone(player, held)
    assert player.page.locator(RAISED).count() == 0
    player.keep_focus()


@pytest.mark.full
def test_a_tap_raises_and_the_button_plays(browse: Browse) -> None:
    player = a_finger(browse, "fr").at_turn(tap="confirm")
    held = player.held()
    card = legal(player).first
    card.tap()
    assert player.page.locator(RAISED).count() == 1
    card.tap()
    assert player.page.locator(RAISED).count() == 0
    card.tap()
    assert player.held() == held
    press(player, "Play", "tap")
    gone(player, held)
    player.keep_focus()


@pytest.mark.full
def test_one_tap_plays_where_that_is_wished(browse: Browse) -> None:
    player = a_finger(browse).at_turn(tap="once")
    held = player.held()
    legal(player).first.tap()
    gone(player, held)


@pytest.mark.parametrize("tap", ["twice", pytest.param("confirm", marks=pytest.mark.full)])
def test_keys_and_clicks_without_a_pointer_act_at_once(newcomer: Player, tap: str) -> None:
    newcomer.at_turn(tap=tap)
    legal(newcomer).first.focus()
    newcomer.keys("Enter")
    gone(newcomer, 13)
    assert newcomer.due() == "Play"
    legal(newcomer).first.evaluate("(card) => card.click()")  # as by a screen reader, or by voice
    gone(newcomer, 12)
    newcomer.keep_focus()


def test_the_main_button_names_no_card_that_nobody_has_chosen(browse: Browse) -> None:
    """After a pass, a card or none; it plays nothing, and says what to do. A hint chooses, too."""
    player = browse("en", still=True).come_in()
    player.begin("microsoft", seed=SEED)
    assert player.due() == "Pass"
    do_what_is_due(player, Mouse(), "Pass")
    assert player.due() == "Play"
    button = action(player, "Play")
    assert button.inner_text() == "Choose a card"
    press(player, "Play")
    player.hears("Choose a card in your hand first.")
    player.shown("#answer").to_have_text("Choose a card in your hand first.")
    assert player.held() == 13
    press(player, "Hint")
    hinted = name_of(player.page.locator("#hand .hinted"))
    assert button.inner_text() == f"Play: {hinted}"
    player.take_focus()
    player.keys("End")
    assert button.inner_text() == f"Play: {name_of(player.cards().last)}"
    legal(player).first.click()
    gone(player, 13)
    assert player.due() == "Play"
    assert player.focused().startswith("card-")  # where it fell
    assert button.inner_text() == "Choose a card"
    player.keys("Tab", "Shift+Tab")
    assert button.inner_text() == f"Play: {name_of(player.page.locator(':focus'))}"


# Cards that stay


def test_a_card_that_may_not_be_played_says_why(browse: Browse) -> None:
    player = a_finger(browse).at_turn(seed=SEED)
    barred = player.page.locator("#hand [role=option][aria-disabled=true]").first
    reason = player.page.locator(f"#{barred.get_attribute('aria-describedby')}").text_content()
    assert reason
    for by in ("mouse", "touch", "keys", "button"):
        player.page.evaluate("window.watched.said.length = 0")
        match by:
            case "mouse":
                barred.click(force=True)  # a person can, although it is told as disabled
            case "touch":
                barred.tap(force=True)
            case "keys":
                barred.focus()
                player.keys(" ")
            case "button":
                assert action(player, "Play").get_attribute("aria-disabled") == "true"
                player.page.wait_for_timeout(GUARDED)
                action(player, "Play").tap(force=True)
        player.hears(reason)
        player.shown("#answer").to_contain_text(reason)
        assert player.held() == 13
        assert player.page.locator(RAISED).count() == 0
        assert player.page.locator("#hand [aria-selected]").count() == 0  # or each "not selected"
    player.keep_focus()


def test_the_reason_is_heard_with_the_first_card_that_may_not_be_played(browse: Browse) -> None:
    """With every card it would be too much; and none is told while it has the focus already, or
    again to whoever comes back to it."""
    player = browse("en", still=True).at_turn(seed=SEED)
    told = f"{SCRIPTS}.reason"
    barred = player.page.locator("#hand [role=option][aria-disabled=true]")
    reason = barred.first.evaluate(told)
    assert reason.startswith("Everybody must follow suit: ")
    assert {each.evaluate(told) for each in barred.all()} == {reason}
    barred.first.focus()
    assert barred.first.evaluate(told) == reason
    others = barred.all()[1:]
    assert {each.evaluate(told) for each in others} == {"may not be played now"}
    player.page.focus("#actions [tabindex='0']")
    assert {each.evaluate(told) for each in barred.all()} == {"may not be played now"}
    legal(player).first.focus()
    assert {each.evaluate(told) for each in legal(player).all()} == {""}


def test_out_of_turn_a_card_says_whose_turn_it_is_and_typing_leaves_the_one_one_was_on(
    browse: Browse, playroom: Playroom
) -> None:
    """Even if the turn begins meanwhile, and that card may not be played."""
    player = browse("en", still=True).at_turn(seed=SEED)
    player.suit(bot_pace=10_000)
    player.page.reload()
    assert player.due() == "Play"
    legal(player).last.click()
    player.wait("() => !window.watched.scene.may.includes('Play')")
    held = player.held()
    assert player.page.locator("#hand [aria-disabled]").count() == 0
    player.cards().first.click()
    player.wait(
        "() => document.getElementById('answer').textContent === window.watched.scene.status"
    )
    assert player.held() == held
    player.keys("End", ".")
    player.page.wait_for_selector("#typed")
    table, someone = playroom.live(player.page.url.rpartition("/")[2]), player.someone

    async def hurry() -> None:
        table.set_pace(someone, Pace(0, 0))

    playroom.do(hurry())
    assert player.due() == "Play"
    player.keys("Escape")
    last = player.cards().last
    assert last.get_attribute("aria-disabled") == "true"
    assert player.focused() == last.get_attribute("id")


# Choosing


def test_cards_for_the_pass_are_chosen_by_all_means(browse: Browse) -> None:
    player = a_finger(browse)
    player.come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    chosen = player.page.get_by_role("option", name=re.compile(", to pass$"))
    player.cards().nth(0).tap()  # one tap is enough: nothing is played by it
    assert chosen.count() == 1
    player.keys("End", " ")
    assert chosen.count() == 2
    player.cards().nth(5).evaluate("(card) => card.click()")
    assert chosen.count() == 3
    player.wait("() => window.watched.said.some((line) => line.trim() === '3 chosen.')")
    player.cards().nth(7).tap()
    assert "put one back" in player.page.inner_text("#answer")
    assert chosen.count() == 3
    player.cards().nth(0).focus()
    name = name_of(player.cards().nth(0)).removesuffix(", to pass")
    assert action(player, "Choose").inner_text() == f"Put back: {name}"
    press(player, "Choose", "tap")
    assert chosen.count() == 2
    assert action(player, "Choose").inner_text() == f"Choose: {name}"
    press(player, "Pass", "tap")
    assert "2" in player.page.inner_text("#answer")
    press(player, "Choose", "tap")
    assert action(player, "Pass").inner_text() == "Pass these cards"
    moment = player.moment()
    press(player, "Pass", "tap")
    player.until_after(moment)
    player.due()
    player.keep_focus()


CHOSEN = "(count) => document.querySelectorAll('#hand .chosen').length === count"


def test_cards_chosen_for_the_pass_outlast_reloads_and_pauses(browse: Browse) -> None:
    player = browse("en").come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    chosen = player.page.get_by_role("option", name=re.compile(", to pass$"))
    for place in (0, 5):
        player.cards().nth(place).click()
    with player.page.expect_navigation():  # a choice is kept from the moment at which it is made
        player.cards().nth(9).evaluate("(card) => { card.click(); location.reload(); }")
    player.wait(CHOSEN, 3)
    names = chosen.all_text_contents()
    for name, phase in (("Pause", "pausing"), ("Unpause", "passing")):  # by the host, or the server
        press(player, name)
        player.wait("(phase) => window.watched.scene.phase === phase", phase)
        player.page.reload()
        player.wait(CHOSEN, 3)
    assert chosen.all_text_contents() == names
    assert not any("3 of 3" in line for line in player.said)
    player.page.evaluate(f"{SCRIPTS}.giveAway")
    player.page.reload()
    assert player.due() == "Pass"
    assert chosen.count() == 0
    for place in (0, 5, 9):
        player.cards().nth(place).click()
    moment = player.moment()
    press(player, "Pass")
    player.until_after(moment)
    assert player.page.evaluate("Object.keys(sessionStorage)") == ["volte begun"]


STORAGE: Final = """for (const area of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, area, { configurable: true, get: () => { %s } });"""


def test_a_browser_that_keeps_nothing_plays_all_the_same(browse: Browse) -> None:
    player = browse("en", own=True).come_in()
    player.page.add_init_script(STORAGE % "throw new DOMException('', 'SecurityError');")
    player.begin("microsoft")
    assert player.due() == "Pass"
    for place in (0, 5, 9):
        player.cards().nth(place).click()
    moment = player.moment()
    press(player, "Pass")
    player.until_after(moment)
    player.page.add_init_script(STORAGE % "return null;")
    player.page.reload()
    assert player.due() == "Play"
    legal(player).first.click()
    gone(player, 13)


# Order, and moving


def test_by_suit_the_arrows_jump_from_suit_to_suit(newcomer: Player) -> None:
    newcomer.at_turn()
    cards = newcomer.page.evaluate(HELD)
    assert cards == sorted(cards, key=lambda card: ("CDSH".index(card[1]), rank(card)))
    assert walked(newcomer, "ArrowDown") == starts(cards, 1)
    assert walked(newcomer, "ArrowUp") == starts(cards, 1)[::-1]
    newcomer.keys("End")
    assert newcomer.focused() == f"card-{cards[-1]}"
    newcomer.keys("PageUp", "PageDown")
    assert newcomer.focused() == f"card-{starts(cards, 1)[-1]}"
    for _ in range(14):
        newcomer.keys("ArrowLeft")
    assert newcomer.focused() == f"card-{cards[0]}"
    newcomer.keys("ArrowRight")
    assert newcomer.focused() == f"card-{cards[1]}"


@pytest.mark.full
def test_by_rank_they_jump_from_rank_to_rank_as_soon_as_that_is_set(newcomer: Player) -> None:
    newcomer.at_turn()
    by_suit = newcomer.page.evaluate(HELD)
    newcomer.page.evaluate("document.getElementById('settings-part').open = true")
    newcomer.page.select_option("#order", "rank")
    newcomer.page.click("#settings-form button.first")
    newcomer.wait(f"(before) => ({HELD})().join() !== before.join()", by_suit)
    newcomer.keep_focus()
    cards = newcomer.page.evaluate(HELD)
    assert cards == sorted(by_suit, key=lambda card: (rank(card), "CDSH".index(card[1])))
    assert walked(newcomer, "ArrowDown") == starts(cards, 0)
    newcomer.page.select_option("#order", "suit")  # in the same form, which shows what it has saved
    newcomer.page.click("#settings-form button.first")
    newcomer.wait(f"(before) => ({HELD})().join() === before.join()", by_suit)


def rank(card: str) -> int:
    """Sorting key: from high to low, jokers last."""
    return 99 if card[1] == "J" else "AKQJT98765432".index(card[0])


def starts(cards: list[str], sign: int) -> list[str]:
    """The first card of each suit, or rank."""
    pairs = zip(cards, ["  ", *cards], strict=False)
    return [card for card, before in pairs if card[sign] != before[sign]]


def walked(player: Player, key: str) -> list[str]:
    """The cards that the focus comes to by one key, from the first or the last card on."""
    player.take_focus()
    player.keys("Home" if key == "ArrowDown" else "End")
    if key == "ArrowUp":
        player.keys("PageUp", "PageDown")
    found = [player.focused()]
    while True:
        player.keys(key)
        if player.focused() == found[-1]:
            return [each.removeprefix("card-") for each in found]
        found.append(player.focused())


LABELLED: Final = "() => document.activeElement.ariaLabel ?? ''"


@pytest.mark.full
def test_on_my_turn_the_first_card_that_i_may_play_has_the_focus(browse: Browse) -> None:
    """If the setting is on; otherwise the focus stays on its card. The news come before it."""
    player = browse("en", still=True).at_turn(seed=SEED, first_playable=True)
    player.keys("End")
    legal(player).last.click()
    assert player.due() == "Play"
    player.wait(f"{SCRIPTS}.onFirstPlayable")
    told, card = player.page.evaluate(LABELLED).rsplit(" Your turn. ", 1)
    assert told.startswith("You: ") or ": " in told
    assert card == player.page.inner_text(":focus")


def test_a_card_that_is_played_is_told_before_the_one_that_gets_the_focus(browse: Browse) -> None:
    """Both by the name of the latter, until the focus leaves it, and once."""
    player = browse("en", still=True).at_turn(seed=SEED, say_again=False)
    player.wait("() => window.watched.said.length > 0")
    card = legal(player).first
    name = card.inner_text()
    card.press("Enter")
    player.wait("() => document.activeElement.ariaLabel !== null")
    label = player.page.evaluate(LABELLED)
    own, _, rest = label.partition(". ")
    assert own.endswith(name)
    assert rest.endswith(player.page.inner_text(":focus"))
    assert sum(name in line for line in player.said) == 1
    player.keys("ArrowLeft", "ArrowRight")
    assert player.page.locator("#hand [aria-label]").count() == 0
    player.keep_focus()


@pytest.mark.full
def test_arrows_skip_cards_that_may_not_be_played(browse: Browse) -> None:
    """If the setting is on; with Shift they reach every card, and Home and End the outer ones."""
    player = browse("en", still=True).at_turn(seed=SEED, skip_barred=True)
    cards = player.page.evaluate(HELD)
    may = [each["card"] for each in player.scene["hand"] if each["legal"]]
    assert 0 < len(may) < len(cards)
    player.take_focus()
    player.keys("Home")
    assert player.focused() == f"card-{cards[0]}"
    assert walked_on(player, "ArrowRight") == [each for each in may if each != cards[0]]
    assert walked_on(player, "ArrowLeft") == may[-2::-1]
    player.keys("Home")
    assert (
        walked_on(player, "ArrowDown")[:1] == [each for each in may if each[1] != cards[0][1]][:1]
    )
    player.keys("Home")
    assert walked_on(player, "Shift+ArrowRight") == cards[1:]


def walked_on(player: Player, key: str) -> list[str]:
    """The cards that the focus comes to by one key, from the present card on."""
    found = [player.focused()]
    while True:
        player.keys(key)
        if player.focused() == found[-1]:
            return [each.removeprefix("card-") for each in found[1:]]
        found.append(player.focused())


@pytest.mark.full
@pytest.mark.parametrize("touch", [True, pytest.param(False, marks=pytest.mark.full)])
def test_seventeen_cards_have_room_and_can_each_be_hit(browse: Browse, touch: bool) -> None:
    player = browse("fr", width=320, height=640, touch=touch).come_in()
    player.begin("coeurs", players=3, levels=["casual", "casual"])
    assert player.due()  # cards that are dealt fly
    assert player.held() == 17
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert min(each.evaluate(f"{SCRIPTS}.hit") for each in player.cards().all()) >= 14
    while player.due() == "Pass":
        do_what_is_due(player, Touch() if touch else Mouse(), "Pass")


@pytest.mark.full
def test_jokers_are_held_and_named(browse: Browse) -> None:
    player = browse("fr", still=True).come_in()
    player.begin("salon-six-jokers", seed=3)  # both are dealt to seat 0
    player.due()
    cards = player.page.evaluate(HELD)
    assert cards[-2:] == ["RJ", "BJ"]
    assert "oker" in name_of(player.page.locator("#card-RJ"))


HAS_NEXT = "() => document.querySelector('#actions [data-key=Next]') !== null"


@pytest.mark.full
def test_a_whole_deal_by_keys_and_by_clicks(browse: Browse) -> None:
    """While cards fly, as they do for most people."""
    player = browse("fr", moving=True).come_in()
    player.begin("microsoft", deals=2, removed=SIXTEEN)
    assert player.page.get_attribute("html", "lang") == "fr"
    player.take_focus()
    while (due := player.due()) != "Next":
        by_keys = due == "Pass" or player.held() > 2
        do_what_is_due(player, Keys() if by_keys else Mouse(), due)
        player.keep_focus()
    player.wait(HAS_NEXT)
    assert player.focused() == "hand"  # it is empty, and keeps the focus for the next deal
    player.keys("Enter")
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 4")
    player.keep_focus()
    assert player.focused().startswith("card-")
    assert_promised(player)


def assert_promised(player: Player) -> None:
    """The page has promised its bytes before every deal, and told them in time (D3)."""
    log = player.log
    assert sum(isinstance(each, Dealt) for each in log) == 2
    digests = [each.digest for each in log if isinstance(each, Promised) and each.seat == 0]
    shares = [each.data for each in log if isinstance(each, Contributed) and each.seat == 0]
    assert digests == [commit_bytes(number, 0, shares[number - 1] or b"") for number in (1, 2)]
    assert len(shares) == 2


@pytest.mark.full
def test_loading_the_page_again_leads_back_to_the_same_point(player: Player) -> None:
    player.begin("microsoft")
    for due in ("Pass", "Play"):
        assert player.due() == due
        do_what_is_due(player, Mouse(), due)
    assert player.due() == "Play"
    before = player.page.evaluate(TABLE)
    player.page.reload()
    assert player.due() == "Play"
    assert player.page.evaluate(TABLE) == before


def test_a_refusal_is_taken_away_once_it_is_no_longer_true(player: Player) -> None:
    player.begin("microsoft")
    player.due()
    press(player, "Pass")
    player.page.wait_for_selector(".answer.refused:not([hidden])")
    player.take_focus()
    Keys().pass_cards(player)
    player.page.wait_for_selector("#answer-section", state="hidden")


@pytest.mark.full
def test_a_table_keeps_and_offers_its_record_and_not_what_it_does_not_allow(
    player: Player, playroom: Playroom
) -> None:
    table = player.open_table("microsoft", setup={"hints": False}, removed=SIXTEEN)
    player.sit_down(table)
    press(player, "Start")
    player.due()
    assert not player.page.locator("#questions [data-key=hint]").count()
    assert not player.page.is_visible("#ending")
    player.take_focus()
    assert play_deal(player, Mouse()) == "ended"
    action(player, "Start").wait_for()
    with player.page.expect_download() as coming:
        player.page.click("#ending a[href$='/record']")
    assert coming.value.path().read_text(encoding="utf-8").startswith("Volte record")
    assert sum(isinstance(each, Played) and each.seat == 0 for each in player.log) == 4


@pytest.mark.full
def test_the_end_of_a_table_is_said_once(player: Player) -> None:
    player.begin("microsoft")
    player.page.click("#invite-part summary")
    player.wait("() => document.querySelector('#invite-part img').naturalWidth > 0")
    player.page.click("#host-part summary")
    player.page.click("#host-buttons [data-key=Close]")
    player.page.click("[role=dialog] .first")
    player.shown("#connection a").to_have_text("Recharger la page")
    player.hears("fermée")
    player.page.wait_for_timeout(1000)
    assert " ".join(player.said).count("fermée") == 1
