"""Several people at a table: they talk, ask for cards back, come and go, and lose the line."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from kit.browser.backdrops import club_of
from kit.browser.judging import MEASURED, axe_faults
from kit.browser.line import Line
from kit.browser.means import (
    Keys,
    Mouse,
    do_what_is_due,
    on_turn,
    play_deal,
    press,
    sit_together,
    until_a_card_is_followed,
)
from kit.browser.players import CLOSE, TABLE, Browse, Player, scripts
from kit.browser.states import EIGHT_EACH, SIXTEEN
from kit.sites import Playroom, Process

from volte.evenings.conducting import Evenings
from volte.evenings.decide import begin_round, end_round, join
from volte.evenings.evening import Plan
from volte.rules import make_ruleset
from volte.store import Person
from volte.table import Someone

Company = tuple[Player, Player]


@pytest.fixture
def company(browse: Browse) -> Company:
    """Somebody who reads French, and a friend who reads English; they have come in."""
    return browse("fr").come_in("Zoé"), browse("en").come_in("Ana")


@pytest.mark.full
def test_two_people_at_one_table_each_read_their_own_language(company: Company) -> None:
    host, friend = company
    sit_together(host, friend, removed=SIXTEEN)
    assert " de " in host.page.inner_text("#hand")
    assert " of " in friend.page.inner_text("#hand")
    while (one := on_turn(host, friend)) is not None:
        do_what_is_due(one, Keys() if one is host else Mouse(), one.due())
    for each in company:
        assert each.due() == "ended"
        each.keep_focus()
    assert host.scene["seats"][0]["total"] == friend.scene["seats"][0]["total"]


@pytest.mark.full
def test_a_card_is_asked_back_and_the_focus_stays(company: Company) -> None:
    host, friend = company
    sit_together(host, friend)
    for button, key, told in (("#refuse", "d", "You refuse"), ("#allow", "a", "You agree")):
        until_a_card_is_followed(host, friend)
        friend.take_focus()
        held = friend.focused()
        press(host, "AskUndo")
        friend.page.wait_for_selector("#asked:not([hidden])")
        assert friend.focused() == held
        assert friend.page.locator(f"{button} kbd:visible").inner_text() == key.upper()
        friend.keys(key)
        friend.hears(told)
        friend.wait("() => document.getElementById('asked').hidden")
        assert friend.focused() == held
        friend.keep_focus()
        host.page.wait_for_selector("#actions:not(:has([data-key=AskUndo]))")


@pytest.mark.full
def test_a_bot_stands_in_for_whoever_loses_the_line(browse: Browse, playroom: Playroom) -> None:
    with Line(playroom.address) as line:
        host, friend = browse("fr"), browse("en", at=line.address)
        friend.forgiven = "WebSocket|ERR_CONNECTION_REFUSED"
        host.come_in("Zoé")
        friend.come_in("Ana")
        sit_together(host, friend)
        for each in (host, friend):
            do_what_is_due(each, Mouse(), "Pass")
        line.cut()
        friend.page.wait_for_selector("#connection:not([hidden])")
        host.wait("() => window.watched.scene.seats[1].state === 'stand_in'")
        for _ in range(3):
            do_what_is_due(host, Mouse(), host.due())
        friend.keep_focus()
        line.mend()
        friend.page.wait_for_selector("#connection", state="hidden")
        host.wait("() => window.watched.scene.seats[1].state === 'here'")
        while (one := on_turn(host, friend)) is not None:
            do_what_is_due(one, Mouse(), one.due())
        for each in (host, friend):
            assert each.due() == "ended"
            each.keep_focus()


@pytest.mark.full
def test_a_server_that_was_killed_in_the_middle_of_a_trick_is_found_again(
    browse: Browse, tmp_path: Path
) -> None:
    with Process(f"sqlite:///{tmp_path / 'playroom.sqlite'}", tmp_path) as server:
        player = browse("en", at=server.address)
        player.forgiven = "WebSocket|ERR_CONNECTION"
        player.come_in()
        player.begin("microsoft", removed=EIGHT_EACH)
        player.due()
        player.take_focus()
        do_what_is_due(player, Keys(), "Pass")
        while player.due() and not player.scene["trick"]:  # somebody else has led
            do_what_is_due(player, Keys(), "Play")
        before = player.page.evaluate(TABLE)
        held = player.held()
        server.kill()
        player.wait("() => !document.getElementById('connection').hidden")
        player.keep_focus()
        Keys().play_card(player)  # it goes out when the connection is back
        server.restart()
        player.wait("() => document.getElementById('connection').hidden")
        player.wait(f"() => window.watched.scene.hand.length === {held - 1}")
        assert player.due() == "Play"
        assert player.page.evaluate(TABLE) != before
        assert play_deal(player, Keys()) == "ended"


@pytest.mark.full
def test_a_private_table_is_opened_and_a_friend_let_in_by_keys(company: Company) -> None:
    """The host presses "Invite" in the middle of a deal, and answers a request for a bot's seat."""
    host, friend = company
    host.play_now()
    host.page.wait_for_selector("#hand [role=option]")
    assert friend.page.request.get(host.page.url, headers=CLOSE).status == 404
    host.page.locator("#invite-part summary").press("Enter")
    host.page.locator("#invite").press("Enter")
    host.wait("() => document.activeElement?.id === 'address'")
    friend.sit_down(host.page.input_value("#address").rpartition("/")[2])
    press(friend, "Sit 2")
    host.page.wait_for_selector("#wanted:not([hidden])")
    assert "Ana" in host.page.inner_text("#wanted-text")
    host.hears("Ana a demandé la place")
    host.page.locator("#let-sit").press("Enter")
    friend.page.wait_for_selector("#hand [role=option]")
    host.wait("() => document.getElementById('wanted').hidden")
    host.keep_focus()


@pytest.mark.full
def test_people_gather_around_a_picture_of_the_table(browse: Browse) -> None:
    """The invitation lies on the felt; the host's seats are buttons, by keys as well."""
    host = browse("en", width=390, height=844).come_in("Zoé")
    table = host.open_table(levels=["", "casual", ""], setup={"access": "link"})
    host.sit_down(table)
    host.page.wait_for_selector("#gathering #address-reach:visible")
    assert host.page.input_value("#gathering #address").endswith(f"/tables/{table}")
    assert host.page.locator("#gathering #copy").is_visible()
    friend = host.beside("Ana")
    friend.sit_down(table)
    press(friend, "Sit 1")
    host.hears("Ana")
    friend.page.wait_for_selector("#gathering #address")
    assert friend.page.locator(".choose-seat").count() == 0
    assert axe_faults(host.page, MEASURED) == []  # of the two, each state of the table asks more
    fourth = host.page.get_by_role("button", name="Put a bot in seat 4")
    fourth.press("Enter")
    host.wait("() => window.watched.scene.seats[3].state === 'bot'")
    host.wait("() => document.activeElement.ariaLabel.startsWith('Change seat 4: ')")
    host.keys("Enter")
    host.page.get_by_role("dialog").get_by_role("button", name="Swap with Ana").press("Enter")
    host.wait("() => window.watched.scene.seats[3].name === 'Ana'")
    third = host.page.get_by_role("button", name="Change seat 3: ")
    third.click()
    host.page.get_by_role("dialog").get_by_role("button", name="Free the seat").click()
    host.page.get_by_role("button", name="Put a bot in seat 3").wait_for()
    press(host, "Start")
    host.page.wait_for_selector("#hand [role=option]")
    assert host.page.locator("#gathering").is_hidden()
    assert host.page.locator(".choose-seat").count() == 0
    assert host.page.locator("#invite-part #address").count() == 1
    host.keep_focus()


NBSP: Final = "\u00a0"

WIDE: Final = "() => document.documentElement.scrollWidth > window.innerWidth"


@pytest.fixture
def talkers(browse: Browse) -> Company:
    """Zoé reads French, and Ana English; they sit at one table, and hold their cards."""
    zoe = browse("fr").come_in("Zoé")
    ana = browse("en", width=320, height=720).come_in("Ana")
    sit_together(zoe, ana)
    return zoe, ana


def button(player: Player) -> str:
    """The name of the button that opens the talk."""
    return player.page.inner_text("#around [data-key=talk] span")


def open_by_key(player: Player) -> None:
    player.take_focus()
    player.keys("m")
    player.wait("() => document.activeElement.id === 'talk-text'")


def hears(player: Player, line: str) -> None:
    """Wait until a line has been said to the player, and check that it was said once."""
    player.wait("(line) => window.watched.said.some((each) => each.includes(line))", line)
    assert len([each for each in player.said if line in each]) == 1, player.said


@pytest.mark.full
def test_two_people_talk_by_keys_each_in_their_own_language(talkers: Company) -> None:
    zoe, ana = talkers
    open_by_key(ana)
    ana.page.keyboard.type("Hello, me here: cshtm")
    ana.keys("Enter")
    hears(ana, "You say: Hello, me here: cshtm")
    assert ana.page.input_value("#talk-text") == ""
    hears(zoe, f"Ana dit{NBSP}: Hello, me here: cshtm")
    assert button(zoe) == "Discussion, 1 à lire"
    open_by_key(zoe)
    assert button(zoe) == "Discussion"
    assert "Hello, me here" in zoe.page.inner_text("#talk-log")
    zoe.page.keyboard.press("Tab")  # to the button that sends
    zoe.page.keyboard.press("Tab")  # to the phrases
    assert zoe.focused() == "talk-phrase"
    zoe.page.keyboard.type("Bien")
    zoe.keys("Tab", "Enter")
    hears(zoe, f"Vous dites{NBSP}: Bien joué{NBSP}!")
    hears(ana, "Zoé says: Well played!")
    assert "Well played!" in ana.page.inner_text("#talk-log")
    for each, covered in ((zoe, []), (ana, ["trick", "seats"])):
        assert axe_faults(each.page) == []
        assert each.page.evaluate(f"{scripts(__file__)}.covered") == covered
        assert not each.page.evaluate(WIDE)
        each.keys("Escape")
        assert each.page.evaluate("document.activeElement.closest('#hand') !== null")


@pytest.mark.full
def test_somebody_is_muted_and_reported_from_what_they_said(talkers: Company) -> None:
    zoe, ana = talkers
    open_by_key(zoe)
    zoe.page.keyboard.type("Premier")
    zoe.keys("Enter")
    hears(ana, "Zoé says: Premier")
    open_by_key(ana)
    page = ana.page
    page.keyboard.press("Shift+Tab")
    more = page.get_by_role("button", name="About what Zoé said")
    assert more.evaluate("(each) => each === document.activeElement")
    assert more.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    assert more.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert ana.focused() == "talk-report-title"
    assert "Premier" in page.inner_text("#talk-report")
    assert axe_faults(page) == []
    page.get_by_role("button", name="Send the report").press("Enter")
    hears(ana, "Thank you. A moderator will look at your report")
    assert not page.is_visible("#talk-report")
    page.get_by_role("button", name="Mute Zoé").press("Enter")
    hears(ana, "You have muted Zoé")
    assert "Premier" not in page.inner_text("#talk-log")
    zoe.page.keyboard.type("Second")
    zoe.keys("Enter")
    hears(zoe, f"Vous dites{NBSP}: Second")
    ana.page.fill("#talk-text", "Still here")
    ana.keys("Enter")
    hears(ana, "You say: Still here")
    assert not any("Second" in each for each in ana.said)
    ana.keep_focus()


@pytest.mark.full
def test_each_person_of_the_table_has_a_line_with_what_can_be_done(talkers: Company) -> None:
    """One keeps the focus on what one has pressed, which takes it back."""
    zoe, ana = talkers
    open_by_key(ana)
    people = ana.page.get_by_text("People at this table")
    people.press("Enter")
    ana.page.get_by_role("button", name="Do not play with Zoé again").press("Enter")
    hears(ana, "Noted: you will not be seated with Zoé again")
    back = ana.page.get_by_role("button", name="Play with Zoé again")
    assert back.evaluate("(each) => each === document.activeElement")
    ana.page.set_viewport_size({"width": 320, "height": 1600})  # nothing is cut in two
    assert axe_faults(ana.page) == []
    assert not ana.page.evaluate(WIDE)
    befriend = ana.page.get_by_role("button", name="Ask Zoé to be friends")
    befriend.press("Enter")
    hears(ana, "Request sent to Zoé: you will be friends once it is accepted.")
    ana.page.get_by_role("button", name="Report Zoé").press("Enter")
    befriend.wait_for(state="hidden")
    assert ana.focused() == "talk-report-title"
    assert not ana.page.is_visible("#talk-report-line")
    ana.page.get_by_role("button", name="Send the report").press("Enter")
    hears(ana, "Thank you. A moderator will look at your report")
    back.press("Enter")
    hears(ana, "You and Zoé can sit at the same table again.")
    ana.page.get_by_role("button", name="Mute Zoé").press("Enter")
    hears(ana, "You have muted Zoé")
    again = ana.page.get_by_role("button", name="Unmute Zoé")
    assert again.evaluate("(each) => each === document.activeElement")
    assert not any("Ana" in line and "Zoé" in line for line in zoe.said)
    ana.keep_focus()


@pytest.mark.full
def test_what_cannot_be_said_is_told_beside_the_field(talkers: Company) -> None:
    _, ana = talkers
    open_by_key(ana)
    ana.keys("Enter")
    hears(ana, "Write something first")
    field = ana.page.locator("#talk-text")
    assert field.get_attribute("aria-invalid") == "true"
    assert ana.focused() == "talk-text"


def friday(playroom: Playroom, player: Player) -> str:
    """The id of an evening of two rounds to which somebody comes, and Anne."""
    room, who = playroom.site.room, player.someone
    anne = Person("anne", "Anne", "en", {}, 1.0)
    playroom.do(room.store.put_person(anne))
    club = playroom.do(club_of(room, who))
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    plan = Plan("Friday", club.id, time.time(), "UTC", rules, 2, by_itself=False)
    key = playroom.do(room[Evenings].plan(plan, who))
    for each in (who, Someone(anne.id, anne.name)):
        playroom.do(room[Evenings].do(key, partial(join, who=each)))
    return key


def begin(playroom: Playroom, key: str) -> None:
    """The next round begins."""
    playroom.do(playroom.site.room[Evenings].do(key, partial(begin_round, now=time.time())))


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_round_that_begins_is_shown_and_said(
    browse: Browse, playroom: Playroom, lang: str
) -> None:
    player = browse(lang).come_in()
    key = friday(playroom, player)
    player.go_to(f"/evenings/{key}")
    player.page.focus("#lead-section a")
    begin(playroom, key)
    player.page.wait_for_selector("#own a[href^='/tables/']")
    assert player.page.locator("#said").inner_text() == {
        "en": "Round 1 has begun: your table is ready.",
        "fr": "Le tour 1 a commencé\u00a0: votre table est prête.",
    }.get(lang)
    assert player.page.locator("#now li").count() == 2
    assert player.page.evaluate("document.activeElement.closest('#lead-section') !== null")
    player.page.evaluate("document.activeElement.blur()")
    player.page.wait_for_selector("#lead-section button[value=end_round]")


@pytest.mark.full
def test_a_table_that_is_ready_is_told_on_the_page_of_its_evening_and_at_the_one_before(
    browse: Browse, playroom: Playroom
) -> None:
    """By the title too, and by no more requests than there are changes. At each table one hears
    with whom one plays, although the match has begun before."""
    company = "At the table, clockwise from your left: "
    player = browse().come_in()
    page, asked = player.page, list[str]()
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    key = friday(playroom, player)
    player.go_to(f"/evenings/{key}")
    begin(playroom, key)
    page.wait_for_selector("#own a[href^='/tables/']")
    assert page.title() == "Your table is ready – Friday"
    assert "under way" in page.locator("#facts").inner_text()
    assert asked.count(f"/evenings/{key}/changes") == 1
    assert asked.count(f"/evenings/{key}") <= 3
    page.click("#own a[href^='/tables/']")
    page.wait_for_url("**/tables/**")
    before = page.url
    assert player.wait("() => window.watched.scene?.evening") == f"/evenings/{key}"
    player.hears(company)
    playroom.do(playroom.site.room[Evenings].do(key, partial(end_round, now=time.time())))
    begin(playroom, key)
    player.hears("The next round has begun: your table is ready.")
    player.wait("() => document.title.startsWith('Your table is ready')")
    press(player, "Onward")
    page.wait_for_url(lambda url: "/tables/" in url and url != before)
    assert player.wait("() => window.watched.scene")["next_table"] == ""
    player.hears(company)
