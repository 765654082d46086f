"""Starts, bytes, clicks and memory of a table in a browser without a server.

    scripts/web build/web
    python benchmarks/without_server.py build/web [--rounds N]

Each round begins with an empty browser; figures are medians. "cold" is the first visit to a table
with the cards of a new match, "next" the visit of another new match in the same browser, which by
then keeps the site and the memory of Python. The line carries 1.01 MB a second, and each answer
begins after 165 ms; "slow" is that line, and a processor that does nothing for three quarters of
the time. "playable" is when the cards are painted and take clicks, "paint" the first painting,
"click" the time from a click on a card until it has left the hand, "longest choice" the longest
wait for a card of a `strong` bot whose turn it is.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from time import sleep
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")

from kit.browser.alone import Alone, address_of  # noqa: E402
from kit.browser.means import Mouse, do_what_is_due  # noqa: E402
from kit.browser.players import until  # noqa: E402
from kit.hosting import Host  # noqa: E402
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright  # noqa: E402

ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
LINE: Final = {"delay": 0.165, "rate": 1_010_000.0}
"""Seconds before each answer, and bytes a second: a telephone's line."""

PERIOD: Final = 0.02  # seconds in which a slowed processor works once
WORKS: Final = 0.25  # share of the time in which it works
LONG: Final = 120_000  # milliseconds
BEGUN: Final = 0.5  # seconds of work that a page has done at least when it has its cards
CALM: Final = 0.1  # seconds of work in five, of a page that waits

WATCH: Final = """(() => {
    const there = () => document.querySelector("#hand [role=option]");
    new MutationObserver(() => {
        if (window.playable || !there()) return;
        window.playable = -1;
        requestAnimationFrame(() => setTimeout(() => { window.playable = performance.now(); }));
    }).observe(document, { childList: true, subtree: true });
    window.gone = [];
    addEventListener("click", ({ target }) => {
        const card = target.closest?.("#hand [role=option]");
        if (!card || !window.watched?.scene?.may.includes("Play")) return;
        const { id } = card, began = performance.now();
        const look = () => {
            if (document.querySelector(`#hand [id="${id}"]`)) requestAnimationFrame(look);
            else window.gone.push(performance.now() - began);
        };
        look();
    }, true);
})()"""
TIMES: Final = """() => window.playable > 0 && {
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    playable: window.playable,
}"""
TURNS: Final = """() => {
    window.choices = [];
    let since = 0;
    new MutationObserver(() => {
        const { scene } = window.watched, now = performance.now();
        if (since && scene) window.choices.push(now - since);
        since = scene?.may.includes("Play") || scene?.phase !== "playing" ? 0 : now;
    }).observe(document.getElementById("trick"), { childList: true, subtree: true });
}"""

KEEPS: Final = """async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("memory "));
    return names.length > 0 && (await (await caches.open(names[0])).keys()).length > 0;
}"""
"""Whether the memory of Python is kept."""

GAME: Final = {"preset": "microsoft", "players": "4", "level": "casual"}

AIMS: Final[Mapping[str, float]] = {
    "over the wire, brotli, MB": 5.4,
    "over the wire, gzip, MB": 7.0,
    "cold, playable, s": 2.2,
    "next, playable, s": 1.5,
    "line: cold, playable, s": 7,
    "line: next, playable, s": 1.5,
    "slow: cold, playable, s": 10,
    "slow: next, playable, s": 4.5,
    "slow: cold, paint, s": 0.6,
    "click until the card has gone, ms": 60,
    "memory of the page, MB": 200,
    "slow: longest choice of `strong`, ms": 900,
}

Figures = dict[str, float]


# Processes of a browser


def children() -> dict[int, list[int]]:
    """Processes by their parents."""
    found: dict[int, list[int]] = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with suppress(OSError):
                parent = (each / "stat").read_text().rpartition(") ")[2].split()[1]
                found.setdefault(int(parent), []).append(int(each.name))
    return found


def renderers(mark: str) -> list[int]:
    """Processes of the pages of the browser that has been started with that argument."""
    tree, found, looked = children(), list[int](), list[int]()
    for each in (one for many in tree.values() for one in many):
        with suppress(OSError):
            if mark in Path(f"/proc/{each}/cmdline").read_text():
                looked.append(each)
    while looked:
        each = looked.pop()
        looked += tree.get(each, [])
        with suppress(OSError):
            if "--type=renderer" in Path(f"/proc/{each}/cmdline").read_text():
                found.append(each)
    return sorted(set(found))


@contextmanager
def slowed(mark: str, slow: bool = True) -> Iterator[None]:
    """Inside the context, let the browser's pages work for a share of the time only."""
    over = threading.Event()

    def interrupt() -> None:
        known, beats = renderers(mark), 0
        while not over.is_set():
            for kind, wait in ((signal.SIGSTOP, 1 - WORKS), (signal.SIGCONT, WORKS)):
                for each in known:
                    with suppress(ProcessLookupError):
                        os.kill(each, kind)
                sleep(PERIOD * wait)
            beats += 1
            known = renderers(mark) if beats % 10 == 0 else known

    worker = threading.Thread(target=interrupt)
    if slow:
        worker.start()
    try:
        yield
    finally:
        over.set()
        if slow:
            worker.join()


def until_calm(mark: str) -> None:
    """Wait until the browser's pages have begun, and then work no more."""
    before, now = 0.0, 0.0
    while now < BEGUN or now - before > CALM:
        sleep(5)
        before, now = now, 0.0
        for each in renderers(mark):
            with suppress(OSError):
                spent = Path(f"/proc/{each}/stat").read_text().rpartition(") ")[2].split()[11:13]
                now += sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


def memory(mark: str) -> float:
    """Megabytes of the largest page of a browser: its proportional share of what it maps."""
    sizes = [0]
    for each in renderers(mark):
        for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                sizes.append(int(line.split()[1]))
    return max(sizes) * 1024 / 1e6


# Visits


def chromium() -> str:
    return shutil.which("chromium") or sys.exit("Please install the package chromium.")


def marked() -> str:
    """An argument that tells one browser from all others."""
    return f"--volte-mark={secrets.token_hex(8)}"


@contextmanager
def nobody(playwright: Playwright, mark: str) -> Iterator[BrowserContext]:
    """A browser that has never been anywhere."""
    with tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium(),
            args=[*ARGUMENTS, mark],
            locale="en",
            viewport={"width": 1280, "height": 800},
        )
        context.add_init_script(WATCH)
        yield context
        context.close()


def visit(page: Page, address: str) -> Figures:
    """Milliseconds until something is painted, and until the cards of a new match can be played."""
    page.goto(address, wait_until="commit")
    found: Figures = page.wait_for_function(TIMES, timeout=LONG).json_value()
    return found


def start(playwright: Playwright, folder: Path, coding: str, *, slow: bool, **line: Any) -> Figures:
    """Seconds of a first and of a next visit, and megabytes until the cards could be played."""
    mark = marked()
    with (
        Host({"": folder}, coding=coding, **line) as host,
        nobody(playwright, mark) as context,
        slowed(mark, slow),
    ):
        page = context.new_page()
        cold = visit(page, f"{host.address}{address_of(**GAME)}")
        size = sum(host.sent.values())
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, KEEPS)
        page.close()
        page = context.new_page()
        following = visit(page, f"{host.address}{address_of(**GAME)}")
    return {
        "cold, paint, s": cold["paint"] / 1000,
        "cold, playable, s": cold["playable"] / 1000,
        "next, playable, s": following["playable"] / 1000,
        "MB": size / 1e6,
    }


@contextmanager
def at_table(playwright: Playwright, host: Host, mark: str) -> Iterator[Alone]:
    """Somebody at a table where bots do not wait, with cards that fly."""
    browser = playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS, mark])
    player = Alone(browser, host.address, moving=True)
    player.context.add_init_script(WATCH)
    player.sit_alone(**GAME)
    player.suit(bot_pace=0, trick_pace=0)
    until(player.page, KEEPS)
    player.page.close()  # its memory goes
    player.page = player.context.new_page()
    yield player
    player.close()
    browser.close()


def play(player: Alone, tricks: int) -> None:
    """Pass three cards, and play some tricks by clicks."""
    player.page.evaluate(TURNS)
    for _ in range(tricks + 1):
        do_what_is_due(player, Mouse(), player.due())


def clicks(playwright: Playwright, folder: Path) -> Figures:
    """The median of the time from a click until the card has gone."""
    mark = marked()
    with Host({"": folder}) as host, at_table(playwright, host, mark) as player:
        player.sit_alone(**GAME)
        play(player, 12)
        return {"click until the card has gone, ms": median(player.page.evaluate("window.gone"))}


def unwatched(folder: Path) -> Figures:
    """Megabytes of a page with its cards, at a first and at a next visit, in a browser that no
    program watches: one that is watched keeps all that it has fetched for whoever watches it."""
    mark, found = marked(), Figures()
    with Host({"": folder}) as host, tempfile.TemporaryDirectory() as profile:
        for name in ("cold, memory of the page, MB", "memory of the page, MB"):
            where = f"{host.address}{address_of(**GAME)}"
            command = [chromium(), "--headless", "--no-first-run", *ARGUMENTS, mark]
            command += [f"--user-data-dir={profile}", where]
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as browser:
                until_calm(mark)
                found[name] = memory(mark)
                browser.terminate()
    return found


def thoughts(playwright: Playwright, folder: Path) -> Figures:
    """The longest choice of three bots that search, on a slowed processor."""
    mark = marked()
    with Host({"": folder}) as host, at_table(playwright, host, mark) as player:
        player.sit_alone(**GAME | {"level": "strong"})
        with slowed(mark):
            play(player, 9)
            choices: list[float] = player.page.evaluate("window.choices")
    return {"slow: longest choice of `strong`, ms": max(choices)}


def rows(playwright: Playwright, folder: Path) -> Iterator[Figures]:
    """The figures of one round, row by row."""
    brotli = start(playwright, folder, "br", slow=False)
    yield {"over the wire, brotli, MB": brotli.pop("MB"), **brotli}
    yield {"over the wire, gzip, MB": start(playwright, folder, "gzip", slow=False)["MB"]}
    for name, slow in (("line", False), ("slow", True)):
        found = start(playwright, folder, "br", slow=slow, **LINE)
        del found["MB"]
        yield {f"{name}: {each}": figure for each, figure in found.items()}
    yield clicks(playwright, folder)
    yield unwatched(folder)
    yield thoughts(playwright, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="an exported site, for the root of its host")
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    if not (wanted.folder / "index.html").exists():
        parser.error(f"{wanted.folder} holds no site: make one there with scripts/web")
    rounds = list[Figures]()
    with sync_playwright() as playwright:
        for _ in range(wanted.rounds):
            found: Figures = {}
            for row in rows(playwright, wanted.folder):
                found |= row
            rounds.append(found)
    for name in rounds[0]:
        figure = median(each[name] for each in rounds)
        aim = AIMS.get(name)
        judged = "" if aim is None else f"   aim {aim:g}{'' if figure <= aim else ', missed'}"
        print(f"{name:40}{figure:>9.2f}{judged}")


if __name__ == "__main__":
    main()
