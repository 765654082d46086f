"""The site as an application: quick to come, there without a connection, and back by itself."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import pytest
from kit.sites import House, Process
from page.players import Player
from playwright.sync_api import Browser, expect

CONTROLLED = "() => navigator.serviceWorker.controller !== null"
KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) {
            paths.push(new URL(request.url).pathname);
        }
    }
    return paths;
}"""

SOON: float = 10
"""Seconds in which somebody who has never been here holds cards."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A playroom of its own, which can be ended."""
    folder = tmp_path_factory.mktemp("place")
    with Process(f"sqlite:///{folder / 'place.sqlite'}", folder) as process:
        yield process


@pytest.fixture
def visitor(browser: Browser, place: Process) -> Iterator[Player]:
    somebody = Player(browser, place.address, "fr", service_workers="allow")
    somebody.forgiven = "Failed to load resource|ERR_CONNECTION|WebSocket"
    yield somebody
    somebody.assert_content()
    somebody.close()


def test_without_a_connection_a_page_says_so_and_comes_back(
    visitor: Player, place: Process
) -> None:
    visitor.go_to("/")
    visitor.wait(CONTROLLED)
    place.kill()
    visitor.go_to("/rules")
    expect(visitor.page.locator("section[lang=fr] h2")).to_have_text("Vous êtes hors connexion")
    expect(visitor.page.locator("section[lang=en] h2")).to_have_text("You are offline")
    assert visitor.page.url.endswith("/rules")
    place.restart()
    expect(visitor.page.locator("h1")).to_have_text("Règles", timeout=20_000)


def test_nothing_that_was_made_for_a_person_is_kept(visitor: Player) -> None:
    visitor.come_in()
    visitor.go_to("/")
    visitor.wait(CONTROLLED)
    for path in ("/me", "/help", "/learn/1"):
        visitor.go_to(path)
    visitor.wait("async () => (await caches.keys()).length === 1")
    kept = visitor.page.evaluate(KEPT)
    assert "/offline" in kept
    assert all(path == "/offline" or path.startswith("/static/") for path in kept)


def test_an_older_worker_leaves_nothing_behind(visitor: Player) -> None:
    visitor.go_to("/")
    visitor.wait(CONTROLLED)
    visitor.page.evaluate("caches.open('volte-older')")
    visitor.page.evaluate(
        "navigator.serviceWorker.getRegistration().then((each) => each.unregister())"
    )
    visitor.page.reload()
    visitor.wait("async () => !(await caches.has('volte-older'))")


def test_browsers_find_nothing_wrong_with_the_application(visitor: Player) -> None:
    visitor.go_to("/")
    session = visitor.context.new_cdp_session(visitor.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    wrong = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in wrong if each["errorId"] != "in-incognito"] == []


def test_cards_in_the_hand_after_one_press_and_within_seconds(
    browser: Browser, house: House
) -> None:
    newcomer = Player(browser, house, "fr")
    began = perf_counter()
    newcomer.go_to("/")
    newcomer.page.get_by_role("button", name="Jouer").click()
    newcomer.page.wait_for_selector("#hand [role=option]")
    took = perf_counter() - began
    assert took < SOON, f"{took:.1f} s"
    newcomer.close()


@pytest.mark.parametrize(
    ("levels", "seat"),
    [
        pytest.param(["casual", "", "casual"], 2, id="free"),
        pytest.param(["casual", "casual", "casual"], 1, id="bots"),
    ],
)
def test_a_friend_is_at_the_table_after_a_name_and_one_press(
    browser: Browser, house: House, levels: list[str], seat: int
) -> None:
    """By the host's link, at a free seat, or else at that of a bot."""
    host = Player(browser, house, "en")
    host.come_in("Anne")
    table = host.open_table(levels=levels)
    host.go_to(f"/tables/{table}")
    link = host.page.input_value("#address")
    friend = Player(browser, house, "fr")
    friend.go_to(link[link.index("/tables/") :])
    friend.page.fill("#name", "Léa")
    friend.page.get_by_role("button", name="Prendre place").click()
    friend.wait("(seat) => window.watched.scene?.seat === seat", seat)
    assert friend.page.url.endswith(f"/tables/{table}")
    for each in (host, friend):
        each.close()
