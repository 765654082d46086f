"""Coming in: the first page, the way to the hand, what comes over the line, and no connection."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import pytest
from kit import Guest, Playroom
from kit.browser.fitting import measured
from kit.browser.line import Line, Weighed, path_of
from kit.browser.means import Mouse, Touch, do_what_is_due, press, sit_together
from kit.browser.players import Browse, Player, scripts, until
from kit.proxies import in_front
from playwright.sync_api import WebSocket

from volte.table.commands import Sit
from volte.web import assets, sending

Barrier = Callable[[Playroom, Path], AbstractContextManager[str]]

PLAY: Final = "form[action='/play'] button"
LINE: Final = ".game:has(#preset) summary"
SIZES: Final = ((320, 568), (390, 844), (844, 390), (1280, 800), (1440, 900))
SCRIPTS: Final = scripts(__file__)
SMALLEST: Final = 44  # pixels that a finger needs
COLOUR: Final = "(each) => getComputedStyle(each).color"
LOOK: Final = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Looks away from a page, or at it again."""


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_game_and_button_and_cards_are_above_the_fold(browse: Browse, lang: str) -> None:
    player = browse(lang)
    player.go_to("/")
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        for query, seen in zip(
            (PLAY, LINE), player.page.evaluate(f"{SCRIPTS}.seen", [PLAY, LINE]), strict=True
        ):
            assert seen["within"], (query, width, height)
            assert seen["height"] >= SMALLEST, (query, width, height)
        assert player.page.evaluate(f"{SCRIPTS}.cards") == [True] * 5, (width, height)
    player.page.click(LINE)
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate(f"{SCRIPTS}.covered") == [], (width, height)
        assert player.page.evaluate(f"{SCRIPTS}.cut") == [], (width, height)
    for summary in player.page.locator(".welcome summary").all():
        summary.hover()
        assert summary.evaluate(COLOUR) == player.page.locator(".welcome").evaluate(COLOUR)


def test_the_browser_tells_its_time_zone(browse: Browse) -> None:
    player = browse("fr", own=True, timezone_id="America/Toronto")
    player.go_to("/")
    player.wait("() => document.cookie.includes('volte_zone=America/Toronto')")


@pytest.mark.parametrize(
    ("lang", "touch", "first"),
    [
        ("fr", True, "Touchez"),
        pytest.param("fr", False, "Un clic", marks=pytest.mark.full),
        pytest.param("en", True, "Tap", marks=pytest.mark.full),
        pytest.param("en", False, "Click", marks=pytest.mark.full),
    ],
)
def test_a_note_is_a_line_beside_all_else_about_the_means_that_one_has(
    browse: Browse, lang: str, touch: bool, first: str
) -> None:
    player = browse(lang, touch=touch)
    player.go_to("/")
    player.page.click(PLAY)
    assert player.due() == "Pass"
    player.shown("#note").to_contain_text(first)
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.evaluate(LAID_OUT)
        wrong = measured(player, "outside") + measured(player, "covered")
        assert not wrong, (width, height, wrong)


LAID_OUT: Final = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
)
"""Waits until the hand has been laid out for a new size, which its observer does with a frame."""

COUNTED: Final = """addEventListener('click', ({ isTrusted }) => {
    sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + isTrusted;
}, true)"""


@pytest.mark.full
@pytest.mark.parametrize("means", [Mouse(), Touch("once")], ids=["mouse", "touch"])
def test_five_clicks_from_the_address_to_the_first_turn(
    browse: Browse, means: Mouse | Touch
) -> None:
    player = browse("en", still=True, touch=True, own=True)
    player.context.add_init_script(COUNTED)
    player.go_to("/")
    player.page.click(PLAY)
    assert player.due() == "Pass"
    do_what_is_due(player, means, "Pass")
    assert player.due() == "Play"
    assert player.page.evaluate("Number(sessionStorage.clicks)") == 5


def test_a_number_that_the_rules_do_not_allow_cannot_be_chosen(newcomer: Player) -> None:
    newcomer.go_to("/")
    line = newcomer.page.locator(LINE)
    line.press("Enter")
    newcomer.page.select_option("#preset", "salon-six-deux")
    assert newcomer.page.input_value("#players") == "6"
    assert newcomer.page.locator("#players option:not([disabled])").count() == 1
    newcomer.page.select_option("#preset", "coeurs")
    newcomer.page.select_option("#players", "5")
    newcomer.page.select_option("#level", "beginner")
    assert line.inner_text().startswith("Les Cœurs, cinq joueurs, robots débutants")


def test_the_game_is_chosen_without_a_script(browse: Browse) -> None:
    player = browse("en", java_script_enabled=False)
    player.forgiven = "422"
    player.go_to("/")
    player.page.click(LINE)
    player.page.select_option("#preset", "cancellation")
    player.page.click(PLAY)
    assert "please choose 6, 7, 8" in player.page.locator(".faults").inner_text()
    player.page.select_option("#players", "7")
    player.page.click(PLAY)
    assert "/tables/" in player.page.url


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_newcomer_who_presses_watch_gives_a_name_and_enter_and_watches(
    browse: Browse, lang: str
) -> None:
    host, newcomer = browse(), browse(lang)
    host.come_in()
    table = host.open_table(setup={"watching": "hidden", "open_seats": "all"})
    host.sit_down(table)
    press(host, "Start")
    host.due()
    newcomer.go_to("/")
    newcomer.page.locator(f"a[href^='/tables/{table}']").last.press("Enter")
    newcomer.page.locator("#name").fill("Léa")
    newcomer.page.locator("#name").press("Enter")
    newcomer.wait("() => window.watched.scene?.may.includes('Sit')")
    loaded = newcomer.page.evaluate("performance.getEntriesByType('navigation')[0].name")
    assert loaded.endswith(f"/tables/{table}?watch")  # the page takes no seat by itself
    assert newcomer.scene["seat"] is None
    newcomer.shown("#to-hand").to_be_hidden()
    newcomer.wait("() => document.activeElement.closest('[role=toolbar]') !== null")  # keys work
    assert "Sit" in newcomer.scene["may"]  # a bot's seat is open to them, and they are not in it
    assert [seat["name"] for seat in newcomer.scene["seats"] if seat["state"] != "bot"] == ["Zoé"]


PLAY_NOW: Final = {"fr": "Jouer tout de suite", "en": "Play now"}

Talk = list[tuple[str, dict[str, Any]]]


def listened(player: Player) -> Talk:
    """Messages over the WebSocket of the next page: `>` or `<`, and the message."""
    line: Talk = []

    def opened(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: note(">", text))
        socket.on("framereceived", lambda text: note("<", text))

    def note(way: str, text: str | bytes) -> None:
        if text:  # else the line is tried
            line.append((way, json.loads(text)))

    player.page.on("websocket", opened)
    return line


def did(message: dict[str, Any]) -> str:
    """The name of a command; empty for any other message."""
    return str(message["command"]["do"]) if message["say"] == "do" else ""


def happened(message: dict[str, Any]) -> str:
    """The name of a happening; empty for any other message."""
    return str(message["happening"]["event"]) if message["say"] == "happened" else ""


def commands(line: Talk) -> list[str]:
    """The commands sent, with `<` wherever messages were received between them."""
    told: list[str] = []
    for way, message in line:
        if did(message):
            told.append(did(message))
        elif way == "<" and told and told[-1] != "<":
            told.append("<")
    return told


def test_a_match_begins_with_the_hello_and_one_person_is_asked_once(player: Player) -> None:
    line = listened(player)
    player.begin()
    assert [way for way, _ in line[:3]] == [">", ">", "<"]
    assert [message["say"] for _, message in line[:3]] == ["hello", "do", "welcome"]
    assert commands(line)[:4] == ["Start", "<", "Promise", "Contribute"]


@pytest.mark.full
def test_bytes_are_told_only_when_all_people_have_promised_theirs(player: Player) -> None:
    other = player.beside()
    line = listened(player)
    sit_together(player, other)
    said = commands(line)
    assert said[said.index("Promise") + 1] == "<"
    before = line[: next(at for at, (_, each) in enumerate(line) if did(each) == "Contribute")]
    promised = [each["happening"] for _, each in before if happened(each) == "Promised"]
    assert sorted(each["seat"] for each in promised) == [0, 1]
    assert all(each["digest"] for each in promised)


def test_a_page_that_is_older_than_the_files_is_loaded_again_before_it_mixes_them(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = browse(own=True).come_in()  # one that has fetched no module of the settings yet
    player.begin()
    hand = player.scene["hand"]
    for module in (assets, sending):
        monkeypatch.setattr(module, "version", lambda: "f" * 16)
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.wait_for_selector(
        f"script[src='/static/{'f' * 16}-{player.lang}/server/live/static/table.js']",
        state="attached",
    )
    player.page.wait_for_selector("#hand [role=option]")
    assert player.scene["hand"] == hand
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.wait_for_selector("#settings-form")


@pytest.mark.parametrize("keyed", [pytest.param(True, marks=pytest.mark.full), False])
def test_whoever_plays_by_keys_is_in_the_hand_at_once(newcomer: Player, keyed: bool) -> None:
    """Screen readers do not read out the whole of a page with a fragment."""
    newcomer.go_to("/")
    button = newcomer.page.get_by_role("button", name=PLAY_NOW[newcomer.lang])
    if keyed:
        button.press("Enter")
    else:
        button.click()
    newcomer.page.wait_for_selector("#hand [role=option]")
    assert newcomer.due() == "Pass"
    assert newcomer.focused().startswith("card-") is keyed
    assert newcomer.page.evaluate("location.hash") == ("#cards" if keyed else "")
    assert newcomer.page.evaluate("location.search") == ""
    if keyed:
        moment = newcomer.moment()
        newcomer.keys("Space", "ArrowRight", "Space", "ArrowRight", "Space", "Tab", "Enter")
        newcomer.until_after(moment)
        assert newcomer.due() == "Play"
        newcomer.keep_focus()


def test_two_presses_lead_to_the_hand_and_escape_from_anywhere(player: Player) -> None:
    player.begin()
    assert player.due() == "Pass"
    player.keys("Tab", "Enter")
    assert player.focused().startswith("card-")
    card = player.focused()
    asides = ("#settings-part summary", "#log", "header a", "footer a")
    for place in (".brand", "#to-hand", "#questions [tabindex='0']", *asides):
        player.page.focus(place)
        player.keys("Escape")
        assert player.focused() == card, place
    player.keep_focus()


FIRST = 150_000
NEXT = 20_000
"""Bytes that may come at the first visit, and at one that finds all files kept."""

REQUESTS = 12  # before anything is opened or touched, the icon of the tab among them


def begun(player: Player) -> Weighed:
    """Requests and bytes of a page until the cards are dealt."""
    session = player.context.new_cdp_session(player.page)
    weighed = Weighed(session)
    player.begin("microsoft")
    player.page.wait_for_load_state("networkidle")
    session.detach()
    return weighed


@pytest.mark.full
def test_a_table_is_light_on_the_line_and_lighter_the_next_time(
    browse: Browse, request: pytest.FixtureRequest
) -> None:
    """As a newcomer has it, with all help; files that come with something opened do not count."""
    newcomer = browse("fr", own=True).come_in(helped=False)
    first = begun(newcomer)
    again = begun(newcomer)
    for name, weighed in (("first", first), ("next", again)):
        request.node.user_properties.append((f"bytes at the {name} visit", weighed.total))
    assert first.total < FIRST, first.bytes
    assert len(first.bytes) <= REQUESTS, first.bytes
    assert not any("referee" in address for address in first.bytes)
    assert again.total < NEXT, again.bytes
    assert len(again.bytes) == 1, again.bytes


# What stands in the way


@contextmanager
def nginx(playroom: Playroom, folder: Path) -> Iterator[str]:
    """A proxy that refuses every WebSocket."""
    with in_front("nginx", folder, [playroom.address] * 2, sockets=False) as address:
        yield address


@contextmanager
def silence(playroom: Playroom, _: Path) -> Iterator[str]:
    """A line that swallows every WebSocket."""
    with Line(playroom.address, sockets=False) as line:
        yield line.address


@pytest.mark.parametrize("barrier", [nginx, pytest.param(silence, marks=pytest.mark.full)])
def test_a_page_that_no_websocket_reaches_says_after_half_a_minute_what_may_be_and_still_works(
    browse: Browse, playroom: Playroom, barrier: Barrier, tmp_path: Path
) -> None:
    with barrier(playroom, tmp_path) as address:
        player = browse("en", own=True, at=address).come_in()
        player.forgiven = "WebSocket"
        table = player.open_table()
        player.page.clock.install(time=0)
        player.page.clock.pause_at(1000)
        player.go_to(f"/tables/{table}")
        player.page.clock.run_for(29_000)
        player.shown("#connection-barred").to_be_hidden()
        player.page.clock.run_for(2_000)
        player.shown("#connection-told").to_contain_text("to block the connection (WebSocket)")
        player.page.clock.run_for(1_000)
        player.hears("to block the connection (WebSocket)")
        ways = player.page.locator("#connection-barred a")
        assert [each.inner_text() for each in ways.all()] == [
            *("Learn to play", "Puzzles", "Deal of the day", "Score sheets", "Help")
        ]
        ways.first.press("Enter")
        player.shown("h1").to_have_text("Learn Hearts in ten minutes")


def test_a_file_that_came_is_named_without_the_digest_of_all_files() -> None:
    for address in (assets.static("web/static/page.js", lang) for lang in ("en", "fr")):
        assert path_of(f"http://127.0.0.1:8000{address}") == "/web/static/page.js"
    assert path_of("http://127.0.0.1:8000/tables/7?begin") == "/tables/7?begin"


CONTROLLED = "() => navigator.serviceWorker.controller !== null"

SOON = 10.0  # seconds in which somebody who has never been here holds cards


@pytest.fixture(scope="module")
def line(playroom: Playroom) -> Iterator[Line]:
    """An address of its own, whose worker no other test meets."""
    with Line(playroom.address) as line:
        yield line


@pytest.fixture(scope="module")
def visitor(module_browse: Browse, line: Line) -> Player:
    """Somebody on the first page, with its worker."""
    somebody = module_browse("fr", service_workers="allow", at=line.address)
    somebody.forgiven = "Failed to load resource|ERR_CONNECTION|WebSocket"
    somebody.come_in()
    somebody.go_to("/")
    somebody.wait(CONTROLLED)
    return somebody


def test_without_a_connection_a_page_says_so_and_comes_back(visitor: Player, line: Line) -> None:
    line.cut()
    visitor.go_to("/rules")
    visitor.shown("section[lang=fr] h2").to_have_text("Vous êtes hors ligne")
    visitor.shown("section[lang=en] h2").to_have_text("You are offline")
    assert visitor.page.url.endswith("/rules")
    line.mend()
    visitor.shown("h1").to_have_text("Règles", timeout=20_000)


def test_nothing_that_was_made_for_a_person_is_kept(visitor: Player) -> None:
    for path in ("/me", "/help", "/learn/1"):
        visitor.go_to(path)
    until(visitor.page, "async () => (await caches.keys()).length === 1")
    kept = visitor.page.evaluate(f"{SCRIPTS}.kept")
    assert "/offline" in kept
    assert all(path == "/offline" or path.startswith("/static/") for path in kept)


NEIGHBOURS = ["somebody else", "volte /games/volte/ 1"]


def test_an_older_worker_leaves_nothing_behind_and_its_neighbours_keep_theirs(
    visitor: Player,
) -> None:
    older = "volte / older"
    for name in (older, *NEIGHBOURS):
        visitor.page.evaluate("name => caches.open(name)", name)
    visitor.page.evaluate(
        "navigator.serviceWorker.getRegistration().then((each) => each.unregister())"
    )
    visitor.page.reload()
    until(visitor.page, "async (older) => !(await caches.has(older))", older)
    assert set(visitor.page.evaluate("caches.keys()")) > set(NEIGHBOURS)


def test_browsers_find_nothing_wrong_with_the_application(visitor: Player) -> None:
    visitor.go_to("/")
    session = visitor.context.new_cdp_session(visitor.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    wrong = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in wrong if each["errorId"] != "in-incognito"] == []


@pytest.mark.full
def test_cards_in_the_hand_after_one_press_and_within_seconds(browse: Browse) -> None:
    newcomer = browse("fr", own=True)
    began = perf_counter()
    newcomer.go_to("/")
    newcomer.page.get_by_role("button", name="Jouer").click()
    newcomer.page.wait_for_selector("#hand [role=option]")
    took = perf_counter() - began
    assert took < SOON, f"{took:.1f} s"


@pytest.mark.full
def test_a_host_who_looks_at_another_tab_sees_in_the_title_who_comes(browse: Browse) -> None:
    """And hears of it on coming back."""
    host = browse("en").come_in("Anne")
    table = host.open_table(levels=["", "casual", "casual"], setup={"access": "link"})
    host.sit_down(table)
    title = host.page.title()
    host.page.evaluate(LOOK, True)

    async def come() -> Guest:
        guest = await Guest.come(host.address, "Max")
        await guest.join(table)
        return guest

    guest = host.playroom.do(come())
    host.wait("(title) => document.title === title", f"Max comes to the table. – {title}")
    assert host.playroom.do(guest.do(Sit(1))).ok
    host.wait("(title) => document.title === title", f"Max sits down. – {title}")
    assert host.page.inner_text("#answer") == "Max comes to the table."
    host.page.evaluate(LOOK, False)
    host.hears("Max comes to the table. Max sits down.")
    assert host.page.title() == title
    host.playroom.do(guest.leave())


@pytest.mark.parametrize(
    ("levels", "seat"),
    [
        pytest.param(["casual", "", "casual"], 2, id="free", marks=pytest.mark.full),
        pytest.param(["casual", "casual", "casual"], 1, id="bots"),
    ],
)
def test_a_friend_is_at_the_table_after_a_name_and_one_press(
    browse: Browse, levels: list[str], seat: int
) -> None:
    """By the host's link, at a free seat, or else at that of a bot if the host says yes."""
    host = browse("en").come_in("Anne")
    table = host.open_table(levels=levels)
    host.go_to(f"/tables/{table}")
    link = host.page.input_value("#address")
    friend = browse("fr")
    friend.go_to(link[link.index("/tables/") :])
    friend.page.fill("#name", "Léa")
    friend.page.get_by_role("button", name="Prendre place").click()
    if "" not in levels:
        host.page.get_by_role("button", name="Accept").click()
    friend.wait("(seat) => window.watched.scene?.seat === seat", seat)
    assert friend.page.url.endswith(f"/tables/{table}")
