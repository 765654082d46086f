"""An exported site at all kinds of hosts, through an update, and with the rules of every preset."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from kit.browser.alone import LONG, Alone, address_of
from kit.browser.means import Keys, Mouse, do_what_is_due, play_match
from kit.browser.players import QUICK, until
from kit.exporting import ROOT, exported, runtime
from kit.hosting import Host
from kit.presets import ALL_TABLES, short
from playwright.sync_api import Browser, ProxySettings, expect

from volte.alone.file import packed
from volte.say import words_of
from volte.say.texts import table
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.table import Setup

pytestmark = pytest.mark.full

BASE: Final = "/games/volte"
NEIGHBOUR: Final = "/games/other"
GAME: Final = {"preset": "simple-hearts", "players": "4", "level": "beginner"}  # without a pass
TOLD: Final = table("solo")["start"]
SHARES: Final = "navigator.locks.query().then(({ held }) => held.map((each) => each.name))"
SITES: Final = "async () => (await caches.keys()).filter((name) => name.startsWith('volte '))"
"""Caches of the files of sites, beside those of Python's memory."""

KEPT: Final = f"async () => (await ({SITES})()).length > 0"
ASK: Final = "fetch('http://elsewhere.example/', { mode: 'no-cors' }).catch(({ name }) => name)"
CONTROLLED: Final = "() => navigator.serviceWorker.controller !== null"
RENEWED: Final = "navigator.serviceWorker.getRegistration().then((each) => each.update())"
SENTENCE: Final = ("It is your turn to", "Now it is your turn to")
"""Beginning of the status, in the present version and in the next one."""


BROWSERS_OWN: Final = "content-autofill.googleapis.com"
"""The host that Chromium itself asks about forms."""


class Elsewhere:
    """A proxy to all other hosts, which answers nobody.

    Attributes:
        asked: first lines of what it was asked.
        settings: of a browser that reaches all other hosts through it.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        server = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.settings: ProxySettings = {"server": server, "bypass": "127.0.0.1"}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                call, _ = self._socket.accept()
                with call:
                    asked = call.recv(1000).decode(errors="replace").partition("\r")[0]
                    if BROWSERS_OWN not in asked:
                        self.asked.append(asked)

    def close(self) -> None:
        self._socket.close()


@contextmanager
def elsewhere() -> Iterator[Elsewhere]:
    proxy = Elsewhere()
    try:
        yield proxy
    finally:
        proxy.close()


def begun(alone: Alone, **game: str) -> str:
    """Begin a match with bots that do not wait; return the id. It is the person's turn."""
    match = alone.sit_alone(**GAME, **game)
    alone.suit(**QUICK)
    alone.page.reload()
    alone.due()
    return match


@pytest.mark.parametrize(("coding", "headers"), [("gzip", False), ("", True)])
def test_it_plays_at_any_host_and_no_other_host_is_ever_asked(
    browser: Browser, coding: str, headers: bool
) -> None:
    with (
        Host({BASE: exported(BASE)}, coding=coding, headers=headers) as host,
        elsewhere() as other,
    ):
        alone = Alone(browser, host.address + BASE, proxy=other.settings)
        begun(alone)
        for _ in range(3):
            do_what_is_due(alone, Mouse(), "Play")
        until(alone.page, KEPT)
        alone.go_to("/en/fair/")
        alone.go_to("/en/")
        expect(alone.page.locator("#kept-list li")).to_have_count(1)
        assert alone.complaints == []
        assert {path for path in host.sent if not path.startswith(f"{BASE}/")} == set()
        assert other.asked == []
        alone.forgiven = "Content Security Policy|Fetch API"
        assert alone.page.evaluate(ASK) == "TypeError"
        assert other.asked == []  # by the policy
        alone.page.goto(f"{host.address}/nowhere")
        alone.page.evaluate(ASK)
        assert other.asked == ["GET http://elsewhere.example/ HTTP/1.1"]
        alone.close()


def test_two_sites_at_one_host_see_nothing_of_each_other(browser: Browser) -> None:
    with Host({BASE: exported(BASE), NEIGHBOUR: exported(NEIGHBOUR)}) as host:
        alone = Alone(browser, host.address + BASE)
        begun(alone, name="Somebody")
        assert alone.scene["seats"][0]["name"] == "South"  # a link gives nobody a name
        until(alone.page, KEPT)
        first, alone.page = alone.page, alone.context.new_page()
        alone.address = host.address + NEIGHBOUR
        alone.go_to("/en/")
        expect(alone.page.locator("#kept-none")).to_be_visible()
        assert alone.page.locator("#name").input_value() == ""
        alone.go_to(address_of("en", **GAME))  # while the other is open
        alone.dealt()
        assert alone.page.locator("#start").is_hidden()
        assert sorted(alone.page.evaluate(SHARES)) == [f"volte {NEIGHBOUR}", f"volte {BASE}"]
        until(alone.page, f"async () => (await ({SITES})()).length > 1")
        names = alone.page.evaluate(SITES)
        assert sorted(name.rpartition(" ")[0] for name in names) == [
            f"volte {NEIGHBOUR}/",
            f"volte {BASE}/",
        ]
        alone.page = first
        do_what_is_due(alone, Mouse(), "Play")
        for base in (BASE, NEIGHBOUR):
            alone.page.goto(f"{host.address}{base}/en/")
            expect(alone.page.locator("#kept-list li")).to_have_count(1)
        assert alone.complaints == []
        alone.close()


def next_version(folder: Path) -> Path:
    """A site of the next version, where a sentence is another one."""
    shutil.copytree(ROOT / "src", folder / "src")
    changed = 0
    for path in (folder / "src" / "volte").rglob("*.*"):
        if path.suffix in (".py", ".ini") and (text := path.read_text("utf-8")).count(SENTENCE[0]):
            path.write_text(text.replace(*SENTENCE), "utf-8")
            changed += 1
    assert changed
    command = [sys.executable, "-m", "volte", "export-site", str(folder / "site")]
    options = ["--runtime", str(runtime()), "--base", BASE]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    subprocess.run([*command, *options], env=environment, check=True)
    return folder / "site"


def test_a_new_version_is_taken_between_matches_and_reads_what_the_old_one_kept(
    browser: Browser, tmp_path: Path
) -> None:
    later = next_version(tmp_path)
    with Host({BASE: exported(BASE)}) as host:
        alone = Alone(browser, host.address + BASE)
        match = begun(alone)
        assert alone.scene["status"].startswith(SENTENCE[0])
        do_what_is_due(alone, Mouse(), "Play")
        alone.due()
        held = alone.cards().all_inner_texts()
        alone.wait(CONTROLLED)
        host.folders[BASE] = later
        alone.page.evaluate(RENEWED)
        newer = alone.page.locator("#newer")
        expect(newer).to_have_text(str(newer.get_attribute("data-waits")), timeout=LONG)
        alone.page.reload()  # in the middle of the match: still the old one
        alone.due()
        assert alone.scene["status"].startswith(SENTENCE[0])
        assert alone.cards().all_inner_texts() == held
        alone.go_to("/en/")
        expect(newer).to_have_text(str(newer.get_attribute("data-line")), timeout=LONG)
        alone.page.locator("#kept-list a").press("Enter")
        alone.due()
        assert match in alone.page.url
        assert alone.scene["status"].startswith(SENTENCE[1])
        assert alone.cards().all_inner_texts() == held
        do_what_is_due(alone, Mouse(), "Play")
        assert alone.complaints == []
        alone.close()


# Every preset

PRESETS: Final = tuple(dict.fromkeys(name for name, _ in ALL_TABLES))
HOW_MANY: Final = {
    name: sorted({f(seats for each, seats in ALL_TABLES if each == name) for f in (min, max)})
    for name in PRESETS
}


def tables_of(name: str) -> tuple[bytes, dict[int, str]]:
    """A file of tables at which a match of one deal may begin; and the ids by number of players."""

    async def made() -> tuple[bytes, dict[int, str]]:
        room, ids = SoloRoom(KeptStore(), "en"), dict[int, str]()
        for players in HOW_MANY[name]:
            setup = Setup(f"Table {players}", short(name, players, 1))
            ids[players] = await room.open(setup, ["beginner"] * (players - 1))
        return (await packed(room.store))[0], ids

    with ThreadPoolExecutor(1) as beside:  # a browser's loop runs here
        return beside.submit(asyncio.run, made()).result()


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with Host({BASE: exported(BASE)}) as host:
        yield host


@pytest.mark.parametrize(("place", "name"), [*enumerate(PRESETS)])
def test_every_preset_is_played_to_the_end_with_fewest_and_most_players(
    browser: Browser, host: Host, place: int, name: str
) -> None:
    """By keys; the languages take turns."""
    data, ids = tables_of(name)
    alone = Alone(browser, host.address + BASE)
    for turn, (players, match) in enumerate(ids.items(), place):
        alone.lang = ("en", "fr")[turn % 2]
        words = words_of(alone.lang)
        if turn == place:
            alone.go_to(f"/{alone.lang}/")
            file: Any = {"name": "volte.matches", "mimeType": "", "buffer": data}
            alone.page.locator("#kept-file").set_input_files(file)
            said = words.t(table("solo")["first"]["import_yes"])
            alone.page.get_by_role("button", name=said, exact=True).press("Enter", timeout=LONG)
            expect(alone.page.locator("#kept-list li")).to_have_count(len(ids))
        alone.go_to(address_of(alone.lang, match))
        alone.dealt()
        if turn == place:
            alone.suit(**QUICK)
            alone.page.reload()
        alone.due()
        assert len(alone.scene["seats"]) == players
        play_match(alone, Keys())  # one deal, or more after a tie
        expect(alone.page.locator("#ending-title")).to_be_visible()
    assert alone.complaints == []
    alone.close()
