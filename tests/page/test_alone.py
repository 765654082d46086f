"""A site without a server: a match there, from the first page to its result, and what is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from kit.browser.players import scripts, until
from kit.exporting import exported
from kit.hosting import Host
from playwright.sync_api import Browser, Error, Page, Route, expect

from volte.say import words_of
from volte.say.texts import table

BASE: Final = "/games/volte"
PAGE: Final = scripts(__file__)
ENTRY: Final = ["/packages.zip.txt", "volte/solo/worker.pyc", "volte/solo/nobody.pyc"]
"""The module that runs at first, in an archive that is kept, and another name of it."""
TOLD: Final = table("solo")["start"]
CARDS: Final = "#hand [role=option]"
CONTROLLED: Final = "navigator.serviceWorker.ready.then((each) => each.active.state)"

# In the region for ears, where a test can read it: notifications leave no trace.
HEARD: Final = "delete Element.prototype.ariaNotify"

DAMAGED: Final = f"localStorage.setItem('{BASE} volte settings', 'null')"
DAMAGED_LINE: Final = """(name) => new Promise((done) => {
    indexedDB.open(name).onsuccess = ({ target: { result } }) => {
        const work = result.transaction("texts", "readwrite");
        work.objectStore("texts").put('{"summary": "e30="}', "listing/x/");
        work.oncomplete = () => done(result.close());
    };
})"""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a site that shares its host."""
    with Host({BASE: exported(BASE)}) as host:
        yield host.address + BASE


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="fr-FR", service_workers="block", viewport=None)
    page = context.new_page()
    page.add_init_script(HEARD)
    yield page
    context.close()


def barred(route: Route) -> None:
    """Answer with the worker, under a policy without WebAssembly."""
    answer = route.fetch()
    headers = {**answer.headers, "content-security-policy": "script-src 'self'"}
    route.fulfill(response=answer, headers=headers)


def missing(route: Route) -> None:
    route.fulfill(status=404, body="")


@pytest.mark.parametrize(
    ("reason", "file", "answer"),
    [
        pytest.param("barred", "**/solo/static/worker.js", barred, marks=pytest.mark.full),
        ("unreachable", "**/packages.zip.txt", missing),
    ],
)
def test_a_start_that_fails_says_what_to_do(
    site: str, page: Page, reason: str, file: str, answer: object
) -> None:
    uncaught: list[Error] = []
    page.on("pageerror", lambda error: uncaught.append(error))
    page.route(file, answer)  # type: ignore[arg-type]
    page.goto(f"{site}/fr/table/?match={'a' * 20}&preset=microsoft")
    sentence = words_of("fr").t(TOLD[reason])
    expect(page.locator("#start-told")).to_have_text(sentence)
    expect(page.locator("#live p").last).to_have_text(sentence)
    expect(page.locator("#start-buttons a")).to_have_count(0 if reason == "barred" else 1)
    assert uncaught == []


def test_a_match_is_played_to_its_result_with_the_host_gone_in_the_middle(
    browser: Browser,
) -> None:
    """And Python takes up its memory: its modules are no longer there when the page is reloaded."""
    with Host({BASE: exported(BASE)}) as host:
        context = browser.new_context(locale="fr-FR", service_workers="allow")
        page = context.new_page()
        page.add_init_script(HEARD)
        _begin(page, host)
        _hurry(page)
        page.locator(CARDS).nth(0).click()
        page.locator(CARDS).nth(1).click()
        page.locator(CARDS).nth(2).click()
        page.locator("#actions button").first.click()
        _play(page, until=7)
        held = page.locator(CARDS).all_inner_texts()
        address = page.url
        page.evaluate(CONTROLLED)
        until(page, f"{PAGE}.remembered")
        page.evaluate(f"{PAGE}.forge", ENTRY)
        host.stop()
        page.reload()
        expect(page.locator(CARDS)).to_have_count(7)
        assert (page.locator(CARDS).all_inner_texts(), page.url) == (held, address)
        _play(page, until=0)
        expect(page.locator("#ending-title")).to_be_visible()
        page.locator("#ending a").first.press("Enter")
        expect(page.locator("#place")).to_have_text(re.compile("^Manche 1"))
        page.evaluate(DAMAGED_LINE, f"volte {BASE}")
        page.goto(f"{host.address}{BASE}/fr/")
        expect(page.locator("#kept-list [data-fact=state]")).to_have_text("la partie est finie")
        expect(page.locator("#kept-list [data-fact=players]")).to_contain_text("Zoé")
        aside = words_of("fr").t(TOLD["aside"], count=1)
        expect(page.locator("#kept-told")).to_have_text(aside)
        page.goto(address)
        page.locator("#ending button").first.press("Enter")  # the same cards, one seat on
        expect(page.locator(CARDS)).to_have_count(10)
        expect(page.locator("#live p", has_text="chacun décalé d’une place")).to_have_count(1)
        context.close()


def _begin(page: Page, host: Host) -> None:
    """Go from the address of the site to the first cards, by keys."""
    page.goto(f"{host.address}{BASE}/?preset=coeurs&players=5&level=beginner&name=Somebody")
    expect(page.locator("#kept-none")).to_be_visible()
    assert page.url.startswith(f"{host.address}{BASE}/fr/")
    page.evaluate(DAMAGED)  # as whatever shares the host can
    expect(page.locator("#name")).to_have_value("")  # a link gives nobody a name
    page.locator("#name").fill("Zoé")
    page.locator("#play-now").press("Enter")
    expect(page.locator("#live p").first).to_have_text(words_of("fr").t(TOLD["loading"]))
    expect(page.locator(CARDS)).to_have_count(10)
    expect(page.locator(CARDS).first).to_be_focused()
    expect(page.locator("#live p", has_text="Passez 3 cartes")).to_have_count(1)
    expect(page.get_by_text("Quitter ma place")).to_have_count(0)  # to nobody
    assert all(path.startswith(f"{BASE}/") for path in host.sent)


def _hurry(page: Page) -> None:
    """Choose bots that do not wait, in the settings at the table."""
    page.evaluate("document.getElementById('settings-part').open = true")
    for name in ("bot_pace", "trick_pace"):
        page.locator(f"#settings-form input[name={name}]").fill("0")
    page.locator("#settings-form button.first").press("Enter")
    expect(page.locator("#live p").last).to_have_text(re.compile("enregistrés"))
    page.evaluate("document.getElementById('settings-part').open = false")


def _play(page: Page, until: int) -> None:
    """Play legal cards until so many are in hand."""
    cards = page.locator(CARDS)
    while (held := cards.count()) > until:
        expect(page.locator("#trick .waiting")).to_have_count(0)  # it would swallow the next one
        expect(page.locator("#status")).to_contain_text("C’est à vous")
        page.locator(f"{CARDS}:not([aria-disabled=true])").first.press("Enter")
        expect(cards).not_to_have_count(held)
