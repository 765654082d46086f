"""First visits to a table over a telephone's line: times of paint and hand, and bytes.

    python benchmarks/first_visit.py [--here] [--rounds N] [--json]

The server is `volte serve` from the wheel, built and installed in an environment of its own (from
this checkout with --here). The browser has the line that Chromium's tools call "Fast 4G" and a
quarter of the processor. Each round begins with an empty browser; figures are medians.

    first    a table is opened and its match begins, with an empty cache
    next     another table in the same browser
    play     from the press on "Play now" on the first page, with a cache empty before that page

"playable" is when the cards are painted and take clicks. Bytes are those on the line, headers
included; the WebSocket and cached files are not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")

from kit.browser.line import Weighed, path_of  # noqa: E402
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright  # noqa: E402

ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

FAST_4G: Final = {
    "offline": False,
    "latency": 60 * 2.75,
    "downloadThroughput": 9_000_000 / 8 * 0.9,
    "uploadThroughput": 1_500_000 / 8 * 0.9,
}
"""Milliseconds and bytes a second: `Fast4GConditions` in `front_end/core/sdk/NetworkManager.ts` of
Chromium's developer tools."""

SLOWER: Final = 4
"""Factor by which the processor is slowed down."""

GOALS: Final = {"paint": 1000, "playable": 2000, "requests": 12}
MOST_BYTES: Final = {"first": 150_000, "next": 20_000}

WATCH: Final = """(() => {
    const there = () => document.querySelector("#hand [role=option]");
    new MutationObserver(() => {
        if (window.playable || !there()) return;
        window.playable = -1;
        requestAnimationFrame(() => setTimeout(() => {
            window.playable = performance.timeOrigin + performance.now();
        }));
    }).observe(document, { childList: true, subtree: true });
    addEventListener("submit", () => {
        sessionStorage.setItem("pressed", performance.timeOrigin + performance.now());
    }, true);
})()"""
TIMES: Final = """() => window.playable > 0 && {
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    playable: window.playable - performance.timeOrigin,
    pressed: window.playable - Number(sessionStorage.getItem("pressed")),
}"""

Figures = dict[str, float]


def slowed(context: BrowserContext, page: Page) -> Weighed:
    """Make the page slow, and weigh its traffic."""
    session = context.new_cdp_session(page)
    weighed = Weighed(session)
    session.send("Network.emulateNetworkConditions", FAST_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return weighed


def visit(context: BrowserContext, address: str) -> tuple[Figures, dict[str, float]]:
    """Visit a new table, where the match begins; returns figures, and bytes by address."""
    table = new_table(context, address)
    page = context.new_page()
    line = slowed(context, page)
    page.goto(f"{address}/tables/{table}?begin", wait_until="commit")
    times = page.wait_for_function(TIMES, timeout=60_000).json_value()
    page.wait_for_load_state("networkidle")
    page.close()
    figures = {
        "paint": times["paint"],
        "playable": times["playable"],
        "bytes": line.total,
        "requests": len(line.bytes),
    }
    return figures, dict(line.bytes)


def play(context: BrowserContext, address: str) -> Figures:
    """Visit a table from the press on the first page."""
    page = context.new_page()
    line = slowed(context, page)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    line.bytes.clear()
    page.click("form[action='/play'] button", no_wait_after=True)
    page.wait_for_url("**/tables/*")
    times = page.wait_for_function(TIMES, timeout=60_000).json_value()
    page.wait_for_load_state("networkidle")
    page.close()
    return {"playable": times["pressed"], "bytes": line.total, "requests": len(line.bytes)}


def new_table(context: BrowserContext, address: str) -> str:
    """Open a table by the interface for programs, which leaves nothing in the browser's cache."""
    said = {"x-volte": "1", "content-type": "application/json"}
    if not context.cookies():
        name = json.dumps({"name": "Zoé", "lang": "fr"})
        assert context.request.post(f"{address}/api/guest", data=name, headers=said).ok
    text = context.request.get(f"{address}/rules").text()
    found = re.search(r'name="csrf" value="([^"]*)"', text)
    assert found is not None
    origin = {"origin": address}
    form = {"csrf": found[1]}
    answer = context.request.post(f"{address}/play", form=form, headers=origin, max_redirects=0)
    return answer.headers["location"].partition("?")[0].rpartition("/")[2]


@contextmanager
def nobody(playwright: Playwright) -> Iterator[BrowserContext]:
    """A browser that has never been anywhere."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is missing: please install the package chromium.")
    with tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium,
            args=ARGUMENTS,
            locale="fr",
            viewport={"width": 390, "height": 844},
            service_workers="block",  # a worker's requests are not reported to its page
        )
        context.add_init_script(WATCH)
        yield context
        context.close()


@contextmanager
def serving(python: str, environ: dict[str, str], folder: Path) -> Iterator[str]:
    """Run `volte serve` as a program of its own; yields its address."""
    database = f"sqlite:///{folder / 'playroom.sqlite'}"
    command = [python, "-m", "volte", "serve", "--no-open", "--lang", "en", "--port", "0"]
    kept = {name: os.environ[name] for name in ("PATH", "XDG_CACHE_HOME") if name in os.environ}
    process = subprocess.Popen(
        [*command, "--database", database],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"HOME": str(folder), "LC_ALL": "C.UTF-8"} | kept | environ,
        cwd=folder,
    )
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"http://[^/ ]+", line):
                yield found[0]
                return
        sys.exit(said)
    finally:
        process.terminate()
        process.wait()


def installed(folder: Path) -> str:
    """The Python of a new environment with the wheel of this checkout."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)]
    subprocess.run(pip, check=True)
    return python


def middle(rounds: list[Figures]) -> Figures:
    return {name: median(each[name] for each in rounds) for name in rounds[0]}


def measured(address: str, rounds: int) -> tuple[dict[str, Figures], dict[str, float]]:
    """The medians by visit; and the bytes of the last first visit, by address."""
    found: dict[str, list[Figures]] = {"first": [], "next": [], "play": []}
    came: dict[str, float] = {}
    with sync_playwright() as playwright:
        for _ in range(rounds):
            with nobody(playwright) as context:
                figures, came = visit(context, address)
                found["first"].append(figures)
                found["next"].append(visit(context, address)[0])
            with nobody(playwright) as context:
                found["play"].append(play(context, address))
    return {name: middle(each) for name, each in found.items()}, came


def table_of(medians: dict[str, Figures], came: dict[str, float]) -> str:
    """The figures as a table of text."""
    lines = [f"{'':8}{'paint ms':>10}{'playable ms':>13}{'bytes':>10}{'requests':>10}"]
    for name, each in medians.items():
        paint = f"{each['paint']:.0f}" if "paint" in each else "-"
        row = f"{name:8}{paint:>10}{each['playable']:>13.0f}{each['bytes']:>10,.0f}"
        lines.append(f"{row}{each['requests']:>10.0f}")
    for name in ("first", "next"):
        goals = GOALS | {"bytes": MOST_BYTES[name]}
        over = [
            f"{goal} over {most:,}" for goal, most in goals.items() if medians[name][goal] > most
        ]
        lines.append(f"{name}: {', '.join(over) or 'all goals are met'}")
    lines.append("the first visit in bytes:")
    for address, size in sorted(came.items(), key=lambda pair: -pair[1]):
        path = re.sub("/tables/[^?/]+", "/tables/…", path_of(address))
        lines.append(f"{size:>10,.0f}  {path}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--here", action="store_true", help="serve this checkout, not its wheel")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        here = wanted.here
        python = sys.executable if here else installed(folder)
        environ = {"PYTHONPATH": str(ROOT / "src")} if here else {}
        with serving(python, environ, folder) as address:
            medians, came = measured(address, wanted.rounds)
    if wanted.json:
        print(json.dumps({"medians": medians, "bytes of the first visit": came}, indent=1))
    else:
        print(table_of(medians, came))


if __name__ == "__main__":
    main()
