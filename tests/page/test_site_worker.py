"""The service worker of an exported site keeps one version, whole, and leaves its neighbours alone.

The sites here are small: pages that have the real worker and the real script that goes with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from kit.browser.players import until
from kit.hosting import Host
from playwright.sync_api import Browser, Page

from volte.site.export import LIST, Exported, export, service_worker
from volte.web.assets import assets

A, B = "/games/a", "/games/b"
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
LOOK = "navigator.serviceWorker.getRegistration().then((each) => each.update())"
SETTLED = "async () => !(await navigator.serviceWorker.getRegistration()).installing"
TOLD = "(what) => document.getElementById('newer').textContent === what"
WAITS = "async () => (await navigator.serviceWorker.getRegistration()).waiting !== null"


def little(base: str, version: str) -> dict[str, bytes]:
    """A site of three pages, at one of which somebody plays; and a file for each version."""
    script = assets()["solo/static/site.js"].content
    head = f"<!doctype html><html data-base={base}><title></title>"
    tell = "<p id=newer data-line=taken data-waits=waits></p>"
    page = f"{head}{tell}<script type=module src={base}/site.js></script>"
    files = dict.fromkeys(("en/index.html", "en/help/index.html"), page.encode())
    files["en/table/index.html"] = f"{page}<main id=table></main>".encode()
    files |= {"site.js": script, "version.txt": version.encode(), "large.txt": bytes(1000)}
    files["worker.js"] = service_worker(files)
    listed = Exported(version, dict.fromkeys(files, ""))
    return files | {LIST: msgspec.json.encode(listed)}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host with two sites."""
    folders = {base: tmp_path / base[-1] for base in (A, B)}
    for base, folder in folders.items():
        export(folder, little(base, "1"))
    with Host(folders) as host:
        yield host


@pytest.fixture
def page(browser: Browser, host: Host) -> Iterator[Page]:
    """A page of the first site, with its worker."""
    context = browser.new_context(service_workers="allow", base_url=host.address)
    page = context.new_page()
    visit(page, f"{A}/en/")
    yield page
    context.close()


def visit(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_function(CONTROLLED)


def version(page: Page) -> str:
    """The version that the page's own site is of."""
    text: str = page.evaluate(
        "fetch(`${document.documentElement.dataset.base}/version.txt`).then((each) => each.text())"
    )
    return text


def caches(page: Page) -> list[str]:
    names: list[str] = page.evaluate("caches.keys()")
    return names


def test_every_page_comes_without_a_network(page: Page, host: Host) -> None:
    host.stop()
    for path in (f"{A}/en/table/?match=1", f"{A}/en/help", f"{A}/en/"):
        page.goto(path)
    assert version(page) == "1"


def test_a_newer_version_waits_for_the_end_of_a_match_and_is_then_taken_whole(
    page: Page, host: Host
) -> None:
    visit(page, f"{B}/en/")
    neighbours = {name for name in caches(page) if f" {B}/ " in name}
    page.evaluate("caches.open('somebody else')")
    page.goto(f"{A}/en/table/")
    older = set(caches(page)) - neighbours - {"somebody else"}
    export(host.folders[A], little(A, "2"))
    host.sent.clear()
    page.evaluate(LOOK)
    page.wait_for_function(TOLD, arg="waits")
    assert version(page) == "1"
    assert f"{A}/version.txt" in host.sent
    assert f"{A}/large.txt" not in host.sent, "it has not changed"
    page.reload()
    page.goto(f"{A}/en/help/")
    page.wait_for_function(TOLD, arg="taken")
    assert version(page) == "2"
    until(page, "async (older) => !(await caches.has(older))", older.pop())
    assert neighbours | {"somebody else"} < set(caches(page))


def test_files_of_two_versions_are_never_mixed(page: Page, host: Host) -> None:
    """A host whose files are being replaced has new ones beside old ones."""
    page.goto(f"{A}/en/table/")
    (host.folders[A] / "worker.js").write_bytes(little(A, "2")["worker.js"])
    page.evaluate(LOOK)
    until(page, SETTLED)
    assert page.evaluate(f"({WAITS})()") is False
