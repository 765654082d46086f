"""The table: deals by several means in one, keys that answer, refusals, and what is kept."""

from __future__ import annotations

from kit.sites import House
from page.means import Keys, Mouse, action, do_what_is_due, play_deal, press
from page.players import TABLE, Player
from page.wider import EIGHT_EACH
from playwright.sync_api import Browser

from volte.fair import commit_bytes
from volte.game import Contributed, Dealt, Played, Promised
from volte.table import Happening, decode_happening

HAS_NEXT = "() => document.querySelector('#actions [data-key=Next]') !== null"


def log_of(player: Player, house: House) -> list[Happening]:
    """What the store has kept of the table at which somebody is."""
    table = player.page.url.rpartition("/")[2]
    return [decode_happening(each.data) for each in house.do(house.site.room.store.read(table))]


def test_a_whole_deal_by_keys_and_by_clicks(browser: Browser, house: House) -> None:
    """While cards fly, as they do for most people."""
    player = Player(browser, house, "fr", moving=True)
    player.come_in()
    player.play_now()
    assert player.page.get_attribute("html", "lang") == "fr"
    player.take_focus()
    while (due := player.due()) != "Next":
        by_keys = due == "Pass" or player.held() > 6
        do_what_is_due(player, Keys() if by_keys else Mouse(), due)
        player.keep_focus()
    player.wait(HAS_NEXT)
    assert player.focused() == "hand"  # it is empty, and keeps the focus for the next deal
    player.page.keyboard.press("Enter")
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 13")
    player.keep_focus()
    assert player.focused().startswith("card-")
    player.assert_content()
    assert_promised(player, house)
    player.close()


def assert_promised(player: Player, house: House) -> None:
    """The page has promised its bytes before every deal, and told them in time (D3)."""
    log = log_of(player, house)
    deals = sum(isinstance(each, Dealt) for each in log)
    digests = [each.digest for each in log if isinstance(each, Promised) and each.seat == 0]
    told = [
        each.data
        for each in log
        if isinstance(each, Contributed) and each.seat == 0 and each.data is not None
    ]
    assert deals == 2
    assert len(digests) == len(told) == deals
    for number, (digest, data) in enumerate(zip(digests, told, strict=True), start=1):
        assert digest == commit_bytes(number, 0, data)


def test_loading_the_page_again_leads_back_to_the_same_point(player: Player) -> None:
    player.come_in()
    player.begin("microsoft")
    for due in ("Pass", "Play"):
        assert player.due() == due
        do_what_is_due(player, Mouse(), due)
    assert player.due() == "Play"
    before = player.page.evaluate(TABLE)
    player.page.reload()
    assert player.due() == "Play"
    assert player.page.evaluate(TABLE) == before
    player.assert_content()


def test_keys_answer_questions_where_the_game_has_the_focus(player: Player) -> None:
    player.come_in()
    player.begin("microsoft")
    player.due()
    player.take_focus()
    for key in "cstlphfi1":
        player.page.evaluate("document.getElementById('answer').replaceChildren()")
        said = player.page.evaluate("window.watched.said.length")
        player.page.keyboard.press(key)
        player.wait("() => document.getElementById('answer').innerText !== ''")
        player.wait(
            "said => window.watched.said.slice(said).some(line => line.includes("
            "document.querySelector('#answer p').textContent.replace(/[.]$/, '')))",
            said,
        )
        player.keep_focus()
    player.page.keyboard.press("r")
    player.page.wait_for_selector("#rules-part[open]")
    assert player.focused().startswith("card-")
    player.assert_content()


def test_a_refused_card_says_why_and_stays(player: Player) -> None:
    player.come_in()
    player.begin("microsoft")
    player.due()
    player.take_focus()
    # one that has the focus already is not described: it would be read out by itself
    barred = player.page.locator("#hand [aria-disabled=true][aria-describedby]").first
    do_what_is_due(player, Keys(), "Pass")
    while player.due() == "Play" and not barred.count():
        do_what_is_due(player, Mouse(), "Play")
    reason = barred.get_attribute("aria-describedby")
    assert player.page.evaluate("(id) => document.getElementById(id).textContent", reason)
    held = player.held()
    barred.click(force=True)  # a person can, although it is told as disabled
    player.wait("() => document.querySelector('.answer.refused') !== null")
    assert player.held() == held
    player.keep_focus()
    player.assert_content()


def test_a_refusal_is_taken_away_once_it_is_no_longer_true(player: Player) -> None:
    player.come_in()
    player.begin("microsoft")
    player.due()
    press(player, "Pass")
    player.page.wait_for_selector(".answer.refused:not([hidden])")
    player.take_focus()
    Keys().pass_cards(player)
    player.page.wait_for_selector("#answer-section", state="hidden")
    player.assert_content()


def test_a_table_keeps_and_offers_its_record_and_not_what_it_does_not_allow(
    player: Player, house: House
) -> None:
    player.come_in()
    table = player.open_table("microsoft", setup={"hints": False}, removed=EIGHT_EACH)
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
    assert sum(isinstance(each, Played) and each.seat == 0 for each in log_of(player, house)) == 8
    player.assert_content()


def test_the_end_of_a_table_is_said_once(player: Player) -> None:
    player.come_in()
    player.begin("microsoft")
    player.page.click("#invite-part summary")
    player.wait("() => document.querySelector('#invite-part img').naturalWidth > 0")
    player.page.click("#host-part summary")
    player.page.click("#host-buttons [data-key=Close]")
    player.page.click("[role=dialog] .first")
    player.page.wait_for_selector("#connection:not([hidden])")
    player.wait("() => window.watched.said.some((line) => line.includes('fermée'))")
    player.page.wait_for_timeout(1000)
    assert " ".join(player.said).count("fermée") == 1
    player.assert_content()
