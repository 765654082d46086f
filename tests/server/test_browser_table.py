"""The table in a real browser: a deal played by keys alone and by clicks, nothing ever lost."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, ConsoleMessage, sync_playwright
from server.harness import Process
from server.visiting import House, open_house

from volte.fair import commit_bytes
from volte.game import Contributed, Dealt, Played, Promised
from volte.table import decode_happening

CHROMIUM: Final = shutil.which("chromium")
ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE: Final = 20_000
"""Milliseconds."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

MY_TURN: Final = """() => {
    const rows = [...document.querySelectorAll('#seats li')];
    const mine = rows[0]?.getAttribute('aria-current') === 'true';
    return mine && document.querySelector('#hand [role=option]:not([aria-disabled])') !== null;
}"""
SOMEBODY_S_TURN: Final = """() => [0, 1].includes(
    [...document.querySelectorAll('#seats li')].findIndex((row) => row.ariaCurrent === 'true'))"""
FOCUS_LOST: Final = """() => document.activeElement === null
    || document.activeElement === document.body || !document.activeElement.isConnected"""
TABLE: Final = """() => ['status', 'trick', 'hand', 'seats', 'sheet-rows'].map(
    (id) => document.getElementById(id).innerText)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


class Player:
    """Somebody at a browser, and all that the browser complained of."""

    def __init__(self, browser: Browser, address: str, lang: str) -> None:
        self._context = browser.new_context(locale=lang, viewport={"width": 1280, "height": 900})
        self._context.set_default_timeout(PATIENCE)
        self.page = self._context.new_page()
        self.address = address
        self.complaints: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def close(self) -> None:
        self._context.close()

    def come_in(self, name: str) -> None:
        """Says a name, and likes everything at once."""
        self.page.goto(self.address)
        self.page.fill("#name", name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("form[action='/play']")
        self.page.goto(f"{self.address}/me")
        self.page.fill("#bot_pace", "0")
        self.page.fill("#trick_pace", "0")
        self.page.click("#settings-form button")
        self.page.wait_for_selector("[role=status]")

    def play_now(self) -> None:
        self.page.goto(self.address)
        self.page.click("form[action='/play'] button")
        self.page.wait_for_selector("#hand [role=option]")

    def focused(self) -> str:
        found: str = self.page.evaluate("document.activeElement?.id ?? ''")
        return found

    def wait(self, condition: str) -> None:
        self.page.wait_for_function(condition, timeout=PATIENCE)

    def held(self) -> int:
        return self.page.locator("#hand [role=option]").count()

    def keep_focus(self) -> None:
        assert not self.page.evaluate(FOCUS_LOST), self.page.evaluate(
            "document.activeElement?.outerHTML.slice(0, 200)"
        )

    # By keys alone

    def tab_to(self, inside: str) -> None:
        for _ in range(60):
            if self.page.evaluate(
                "(where) => document.activeElement?.closest(where) !== null", inside
            ):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {inside}")

    def pass_by_keys(self) -> None:
        self.tab_to("#hand")
        for key in (" ", "ArrowRight", "Enter", "End", " "):
            self.page.keyboard.press(key)
        self.tab_to("#actions")
        self.page.keyboard.press("Home")
        self.page.keyboard.press("Enter")

    def play_by_keys(self) -> None:
        self.page.keyboard.press("Home")
        for _ in range(self.held()):
            if not self.page.evaluate("document.activeElement.hasAttribute('aria-disabled')"):
                break
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")

    def play(self) -> None:
        """Plays a card, and waits until it has gone."""
        held = self.held()
        self.play_by_click()
        self.wait(f"() => document.querySelectorAll('#hand [role=option]').length < {held}")

    def play_by_click(self) -> None:
        self.page.locator("#hand [role=option]:not([aria-disabled])").first.click()


def at_turn(player: Player, seat: int) -> bool:
    """Whether that seat, the player's own, is to play."""
    found: bool = player.page.evaluate(MY_TURN.replace("rows[0]", f"rows[{seat}]"))
    return found


@pytest.fixture
def player(browser: Browser, house: House) -> Iterator[Player]:
    somebody = Player(browser, house.address, "fr")
    yield somebody
    somebody.close()


def passed(player: Player) -> bool:
    """Whether the pass is over, or there is none."""
    return not player.page.locator("#actions [data-key=Pass]").count()


def play_deal(player: Player, *, by_keys: range) -> None:
    """Plays a whole deal, those tricks by keys alone and the others by clicks."""
    player.page.focus("#hand [role=option][tabindex='0']")
    if not passed(player):
        player.pass_by_keys()
        player.wait("() => !document.querySelector('#actions [data-key=Pass]')")
        player.keep_focus()
    for trick in range(1, 14):
        player.wait(MY_TURN)
        player.keep_focus()
        before = player.held()
        if trick in by_keys:
            player.play_by_keys()
        else:
            player.play_by_click()
        player.wait(f"() => document.querySelectorAll('#hand [role=option]').length < {before}")
        player.keep_focus()


def test_a_whole_deal_by_keys_and_by_clicks(player: Player, house: House) -> None:
    player.come_in("Zoé")
    player.play_now()
    assert player.page.get_attribute("html", "lang") == "fr"
    play_deal(player, by_keys=range(1, 8))
    player.wait("() => document.querySelector('#actions [data-key=Next]') !== null")
    assert player.focused() == "hand"  # it is empty, and keeps the focus for the next deal
    assert player.page.locator("#sheet-rows tr").count() == 1
    player.page.keyboard.press("Enter")
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 13")
    player.keep_focus()
    assert player.focused().startswith("card-")
    assert player.complaints == []
    assert_promised(player, house)


def assert_promised(player: Player, house: House) -> None:
    """The page has promised its bytes before every deal, and told them in time (D3)."""
    table = player.page.url.rpartition("/")[2]
    log = [decode_happening(each.data) for each in house.do(house.site.room.store.read(table))]
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
    player.come_in("Zoé")
    player.play_now()
    player.page.focus("#hand [role=option][tabindex='0']")
    player.pass_by_keys()
    player.wait(MY_TURN)
    player.play_by_click()
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")
    player.wait(MY_TURN)
    before = player.page.evaluate(TABLE)
    player.page.reload()
    player.wait(MY_TURN)
    assert player.page.evaluate(TABLE) == before
    assert player.complaints == []


def test_keys_answer_questions_where_the_game_has_the_focus(player: Player) -> None:
    player.come_in("Zoé")
    player.play_now()
    player.page.focus("#hand [role=option][tabindex='0']")
    for key in "cstlphfi1":
        player.page.evaluate("document.getElementById('answer').replaceChildren()")
        player.page.keyboard.press(key)
        player.wait("() => document.getElementById('answer').innerText !== ''")
        player.wait(
            "() => document.getElementById('live').textContent.includes("
            "document.querySelector('#answer p').textContent.replace(/[.]$/, ''))"
        )
        player.keep_focus()
    said = set()
    for _ in range(2):  # what is there already would not be spoken again
        before = player.page.text_content("#live")
        player.page.keyboard.press("t")
        player.page.wait_for_function(
            "(before) => document.getElementById('live').textContent !== before", arg=before
        )
        said.add((player.page.text_content("#live") or "").strip())
    assert len(said) == 1
    player.page.keyboard.press("r")
    assert player.page.evaluate("document.activeElement.closest('#rules-part') !== null")
    player.page.keyboard.press("Escape")
    assert player.focused().startswith("card-")
    assert player.complaints == []


def test_a_refused_card_says_why_and_stays(player: Player) -> None:
    player.come_in("Zoé")
    player.play_now()
    player.page.focus("#hand [role=option][tabindex='0']")
    player.pass_by_keys()
    player.wait(MY_TURN)
    barred = player.page.locator("#hand [role=option][aria-disabled]").first
    if barred.count():  # a hand of one suit may play anything
        reason = barred.get_attribute("aria-describedby")
        why = player.page.evaluate("(id) => document.getElementById(id).textContent", reason)
        assert why
        held = player.held()
        barred.click(force=True)  # a person can, although it is told as disabled
        player.wait("() => document.querySelector('.answer.refused') !== null")
        assert player.held() == held
        player.keep_focus()
    assert player.complaints == []


def test_a_refusal_is_taken_away_once_it_is_no_longer_true(player: Player) -> None:
    player.come_in("Zoé")
    player.play_now()
    player.page.click("#actions [data-key=Pass]")
    player.page.wait_for_selector(".answer.refused:not([hidden])")
    player.page.focus("#hand [role=option][tabindex='0']")
    player.pass_by_keys()
    player.page.wait_for_selector("#answer-section", state="hidden")
    assert player.complaints == []


def test_a_table_offers_its_record_and_not_what_it_does_not_allow(player: Player) -> None:
    player.come_in("Zoé")
    player.page.goto(f"{player.address}/tables/new")
    player.page.uncheck("#hints")
    player.page.select_option("#match_end", "deals")
    player.page.fill("#match_end_number", "1")
    player.page.click("button[value=open]")
    player.page.click("#actions [data-key=Start]")
    player.page.wait_for_selector("#hand [role=option]")
    assert not player.page.locator("#questions [data-key=hint]").count()
    assert not player.page.is_visible("#record")
    play_deal(player, by_keys=range(0))
    player.page.wait_for_selector("#actions [data-key=Start]")
    with player.page.expect_download() as coming:
        player.page.click("#record a")
    assert coming.value.path().read_text(encoding="utf-8").startswith("Volte record")
    assert player.complaints == []


def test_the_end_of_a_table_is_said_once(player: Player) -> None:
    player.come_in("Zoé")
    player.play_now()
    player.page.evaluate(
        """() => {
            window.said = [];
            const heard = () => window.said.push(document.getElementById('live').textContent);
            new MutationObserver(heard).observe(
                document.getElementById('live'), { childList: true });
        }"""
    )
    player.page.click("#invite-part summary")
    player.wait("() => document.querySelector('#invite-part img').naturalWidth > 0")
    player.page.click("#host-part summary")
    for _ in range(2):
        player.page.click("#host-buttons [data-key=Close]")
    player.page.wait_for_selector("#connection:not([hidden])")
    player.page.click("#copy")  # whose answer brings along all that still waits to be said
    player.wait("() => window.said.some((line) => line.includes('copiée'))")
    said = " ".join(player.page.evaluate("window.said"))
    assert said.count("fermée") == 1
    assert player.complaints == []


def test_sha256_is_what_it_is_everywhere(player: Player) -> None:
    player.page.goto(player.address)
    messages = [bytes(range(size % 256)) + b"x" * (size // 2) for size in range(140)]
    digests = player.page.evaluate(
        """async (messages) => {
            const { sha256, base64, fromBase64 } = await import('/static/sha256.js');
            return messages.map((each) => base64(sha256(fromBase64(each))));
        }""",
        [base64.b64encode(message).decode() for message in messages],
    )
    assert digests == [
        base64.b64encode(hashlib.sha256(message).digest()).decode() for message in messages
    ]


def test_a_promise_is_the_one_that_the_documents_describe(player: Player) -> None:
    player.page.goto(player.address)
    for number, seat, data in ((1, 0, bytes(16)), (12, 6, b"Volte, deal 1, seat 6")):
        digest = player.page.evaluate(
            """async ([number, seat, data]) => {
                const { promised, base64, fromBase64 } = await import('/static/sha256.js');
                return base64(promised(number, seat, fromBase64(data)));
            }""",
            [number, seat, base64.b64encode(data).decode()],
        )
        assert base64.b64decode(digest) == commit_bytes(number, seat, data)


def test_a_server_that_was_killed_is_found_again(browser: Browser, tmp_path: Path) -> None:
    with Process(f"sqlite:///{tmp_path / 'playroom.sqlite'}", tmp_path) as server:
        player = Player(browser, server.address, "en")
        try:
            player.come_in("Zoé")
            player.play_now()
            player.page.focus("#hand [role=option][tabindex='0']")
            player.pass_by_keys()
            player.wait(MY_TURN)
            before = player.page.evaluate(TABLE)
            server.kill()
            player.wait("() => !document.getElementById('connection').hidden")
            player.play_by_click()  # it goes out when the connection is back
            server.restart()
            player.wait("() => document.getElementById('connection').hidden")
            player.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")
            player.wait(MY_TURN)
            assert player.page.evaluate(TABLE) != before
            refused = [text for text in player.complaints if "WebSocket" not in text]
            assert refused == []
        finally:
            player.close()


def test_the_form_shows_its_rules_while_it_is_filled_in(player: Player) -> None:
    player.come_in("Zoé")
    player.page.goto(f"{player.address}/tables/new")
    assert not player.page.is_visible("#seat4")
    player.page.select_option("#players", "5")
    player.wait("() => document.querySelector('#sheet .fault') !== null")
    assert player.page.is_visible("#seat4")
    player.page.select_option("#kitty", "first_trick")
    player.page.select_option("#pass_cycle-3", "hold")
    player.wait("() => document.querySelector('#sheet h3') !== null")
    player.page.fill("#queen_points", "37")
    player.wait("() => /37/.test(document.getElementById('sheet').textContent)")
    assert player.complaints == []


@pytest.mark.parametrize("width", [320, 1280])
def test_no_page_is_wider_than_the_screen(player: Player, width: int) -> None:
    player.come_in("Zoé")
    player.page.set_viewport_size({"width": width, "height": 800})
    player.play_now()
    table = player.page.url
    for path in ("/", "/tables/new", "/me", "/rules", "/rules/salon", "/fair", table):
        player.page.goto(path if path == table else player.address + path)
        if path == table:
            player.page.wait_for_selector("#hand [role=option]")
        wide = player.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, (path, wide)
    assert re.search(r"\d", player.page.inner_text("#seats"))


def test_two_people_at_one_table_each_read_their_own_language(
    browser: Browser, house: House
) -> None:
    host, friend = Player(browser, house.address, "fr"), Player(browser, house.address, "en")
    try:
        host.come_in("Zoé")
        host.page.goto(f"{house.address}/tables/new")
        host.page.select_option("#seat1", "")
        host.page.click("button.first")
        host.page.wait_for_selector("#actions [data-key=Start]")
        friend.come_in("Ana")
        friend.page.goto(host.page.url)
        friend.page.click("#actions [data-key='Sit 1']")
        friend.page.wait_for_selector("#actions [data-key=Stand]")
        host.page.click("#actions [data-key=Start]")
        for each in (host, friend):
            each.page.wait_for_selector("#hand [role=option]")
            each.page.focus("#hand [role=option][tabindex='0']")
            each.pass_by_keys()
        while True:  # until a card of the host's is followed by one of the friend's
            host.wait(SOMEBODY_S_TURN)
            if at_turn(friend, 1):
                friend.play()
            elif at_turn(host, 0):
                if host.page.locator("#trick li").count() < 3:
                    break
                host.play()
            assert host.held() > 1
        host.play()
        friend.page.focus("#hand [role=option][tabindex='0']")
        held = friend.focused()
        host.page.click("#actions [data-key=AskUndo]")
        friend.page.wait_for_selector("#asked:not([hidden])")
        assert friend.focused() == held
        friend.page.click("#refuse")
        friend.wait("() => document.getElementById('asked').hidden")
        friend.keep_focus()
        host.page.wait_for_selector("#actions:not(:has([data-key=AskUndo]))")
        assert " de " in host.page.inner_text("#hand")
        assert " of " in friend.page.inner_text("#hand")
        assert host.complaints == friend.complaints == []
    finally:
        host.close()
        friend.close()


def test_played_cards_are_kept(player: Player, house: House) -> None:
    player.come_in("Zoé")
    player.play_now()
    play_deal(player, by_keys=range(0))
    table = player.page.url.rpartition("/")[2]
    log = [decode_happening(each.data) for each in house.do(house.site.room.store.read(table))]
    assert sum(isinstance(each, Played) and each.seat == 0 for each in log) == 13
    assert player.complaints == []
