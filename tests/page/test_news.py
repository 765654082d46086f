"""News in a browser: lines that come and go, and one notice outside of the pages, while true."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest
from kit.befriending import invited
from kit.browser.players import Browse, Player
from kit.sites import Playroom
from playwright.sync_api import expect

from volte.news.desk import NewsDesk
from volte.news.kinds import News, NewsKind

INVITES: Final = "Anne has invited you to a table."
NOTICES: Final = """async () => (await registration.getNotifications())
    .map(({ tag, body }) => `${tag}: ${body}`)"""
UNSEEN: Final = "() => { self.clients.matchAll = async () => []; }"
"""Has a worker find no page that is looked at: in a browser without windows all of them are."""

COUNT: Final = """() => {
    window.timesTold = 0;
    document.addEventListener('told', () => window.timesTold++);
}"""
ASK_NOW: Final = "() => document.dispatchEvent(new Event('visibilitychange'))"
"""Has the page ask what is true now, as it does every few seconds."""


def desk(playroom: Playroom) -> NewsDesk:
    return playroom.site.room[NewsDesk]


def person_of(player: Player) -> str:
    found: str = player.context.request.get(f"{player.address}/api/me").json()["person"]
    return found


def invite(playroom: Playroom, player: Player) -> str:
    """Have a friend called Anne invite somebody; return her id."""
    return playroom.do(invited(playroom.site.room, person_of(player)))


def tell(playroom: Playroom, player: Player, kind: NewsKind, about: str) -> None:
    news = News.of(person_of(player), kind, about, "/rules", "Anne", time.time())
    playroom.do(desk(playroom).tell(news))


def over(playroom: Playroom, kind: NewsKind, about: str) -> None:
    playroom.do(desk(playroom).over(kind, about))


def test_an_invitation_comes_and_goes_while_a_page_stands_open_and_keeps_the_focus(
    browse: Browse, playroom: Playroom
) -> None:
    player = browse("en").come_in("Zoé")
    player.go_to("/help")
    title = player.page.title()
    anne = invite(playroom, player)
    player.page.evaluate(ASK_NOW)
    line = player.page.locator("#news > div")
    expect(line).to_contain_text(INVITES)
    assert player.page.title() == f"Anne has invited you – {title}"
    assert line.get_by_role("button").all_inner_texts() == ["Yes, I am coming", "No, not now"]
    line.get_by_role("button").last.focus()
    over(playroom, NewsKind.INVITED, anne)
    with player.page.expect_response("**/api/news**") as answered:
        player.page.evaluate(ASK_NOW)
    assert answered.value.json()["news"] == []
    expect(line.get_by_role("button").last).to_be_focused()
    player.page.keyboard.press("Tab")
    player.page.evaluate(ASK_NOW)
    expect(line).to_have_count(0)
    assert player.page.title() == title


def test_at_a_table_news_is_said_once_and_stands_in_the_menu(
    browse: Browse, playroom: Playroom
) -> None:
    player = browse("en").come_in("Zoé")
    player.begin("coeurs", pass_count=0)
    player.page.evaluate(COUNT)
    anne = invite(playroom, player)
    for _ in range(2):
        with player.page.expect_response("**/api/news**"):
            player.page.evaluate(ASK_NOW)
    player.hears(INVITES)
    assert player.page.evaluate("window.timesTold") == 1
    expect(player.page.locator("#site-nav #news > div")).to_have_count(1)
    over(playroom, NewsKind.INVITED, anne)
    player.page.evaluate(ASK_NOW)
    expect(player.page.locator("#news > div")).to_have_count(0)


class Worker:
    """The service worker of somebody, and the developer tools that hand it messages."""

    def __init__(self, player: Player) -> None:
        self.player = player
        tools = player.context.new_cdp_session(player.page)
        found = list[dict[str, Any]]()
        tools.on(
            "ServiceWorker.workerRegistrationUpdated", lambda e: found.extend(e["registrations"])
        )
        tools.send("ServiceWorker.enable")
        self.tools = tools
        player.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        (self.worker,) = player.context.service_workers
        (registration,) = {each["registrationId"]: each for each in found}.values()
        self.registration: str = registration["registrationId"]

    def push(self) -> None:
        """Hand it a message as from a push service,"""
        data = '{"outside": "as it was sent", "path": "/"}'
        self.tools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": self.player.address, "registrationId": self.registration, "data": data},
        )

    def notices(self) -> list[str]:
        found: list[str] = self.worker.evaluate(NOTICES)
        return found

    def shows(self, *notices: str) -> None:
        for _ in range(400):
            if self.notices() == [*notices]:
                return
            self.player.page.wait_for_timeout(30)
        assert self.notices() == [*notices]


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_one_notice_says_what_is_true_and_is_taken_back_while_no_page_is_looked_at(
    browse: Browse, playroom: Playroom, lang: str
) -> None:
    """Headless shells have no notices, so this takes a whole Chromium."""
    turn, invited = {
        "en": ("It is your turn.", "A friend has invited you to a table."),
        "fr": ("C’est à vous.", "Un ami ou une amie vous invite à une table."),
    }[lang]
    address = playroom.address.replace("127.0.0.1", "localhost")
    player = browse(lang, own=True, at=address, service_workers="allow").come_in("Zoé")
    player.context.grant_permissions(["notifications"], origin=address)
    player.go_to("/me/notifications")
    for kind in (NewsKind.TURN, NewsKind.INVITED):
        player.page.check(f"#{kind.setting}")
    player.page.locator("form button.first").press("Enter")
    player.page.wait_for_selector(".saved:focus")
    worker = Worker(player)
    tell(playroom, player, NewsKind.TURN, "t")
    worker.push()
    worker.shows()  # a page is looked at
    player.page.goto(f"{playroom.address}/rules")  # of another site, to a browser
    worker.push()
    worker.shows(f"volte: {turn}")
    anne = invite(playroom, player)
    worker.push()
    worker.shows(f"volte: {invited}\n{turn}")
    over(playroom, NewsKind.INVITED, anne)
    worker.push()
    worker.shows(f"volte: {turn}")
    over(playroom, NewsKind.TURN, "t")
    worker.push()
    worker.shows()
    worker.worker.evaluate("() => { self.fetch = () => Promise.reject(new TypeError('offline')); }")
    worker.push()
    worker.shows("volte: as it was sent")


@pytest.mark.full
def test_a_browser_tells_once_it_is_asked_to_by_a_press_until_it_is_not_to(
    browse: Browse, playroom: Playroom
) -> None:
    address = playroom.address.replace("127.0.0.1", "localhost")
    player = browse("en", own=True, at=address, service_workers="allow").come_in("Zoé")
    player.context.grant_permissions(["notifications"], origin=address)
    player.go_to("/me/notifications")
    player.page.check(f"#{NewsKind.TURN.setting}")
    player.page.locator("form button.first").press("Enter")
    off, on = (player.page.locator(f"[data-state={state}]") for state in ("off", "on"))
    expect(off).to_be_visible()
    player.page.locator("#tell").press("Enter")
    expect(on).to_be_visible()
    expect(player.page.locator("#hush")).to_be_focused()
    player.page.reload()
    expect(on).to_be_visible()
    worker = Worker(player)
    worker.worker.evaluate(UNSEEN)
    tell(playroom, player, NewsKind.TURN, "t")
    player.page.evaluate(ASK_NOW)
    worker.shows("volte: It is your turn.")  # by the page, without a message
    over(playroom, NewsKind.TURN, "t")
    player.page.evaluate(ASK_NOW)
    worker.shows()
    tell(playroom, player, NewsKind.TURN, "t")
    player.page.evaluate(ASK_NOW)
    worker.shows("volte: It is your turn.")
    player.page.locator("#hush").press("Enter")
    expect(off).to_be_visible()
    expect(player.page.locator("#tell")).to_be_focused()
    worker.shows()
    player.page.locator("#tell").press("Enter")
    worker.shows("volte: It is your turn.")
    player.go_to("/me")
    player.page.locator("form[action$='/logout'] button").press("Enter")
    worker.shows()
    player.come_in("Ana")
    player.go_to("/me/told")
    expect(off).to_be_visible()  # the browser is shared, and she has not asked for it


def test_over_plain_http_nothing_is_offered_and_the_page_says_so(
    browse: Browse, playroom: Playroom
) -> None:
    address = playroom.address.replace("127.0.0.1", "news.volte.test")
    player = browse("en", own=True).come_in("Zoé")
    session = next(each for each in player.context.cookies() if each["name"] == "volte")
    player.context.add_cookies([{"name": "volte", "value": session["value"], "url": address}])
    player.forgiven = "Cross-Origin-Opener-Policy"  # is for https alone
    player.page.goto(f"{address}/me/notifications")
    expect(player.page.locator("#browser")).to_contain_text(
        "only for addresses that begin with https"
    )
    assert not player.page.locator("#tell, #hush").and_(player.page.locator(":visible")).count()
