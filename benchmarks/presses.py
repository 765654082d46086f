"""Presses and seconds until people who have never been here play with each other.

    python benchmarks/presses.py [--rounds 7] [--write]

Each round has a new server from this checkout, and people with empty browsers. A stranger presses
"Play with people", and has a hand with bots; a second one does the same, and comes to that table.
Then a host opens a table for friends, and copies its address; a friend opens it, types a name and
sits down; the host begins. Seconds are medians, from the last press until the hands of the people
are there.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, sync_playwright

sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

from benchmarks.first_visit import ARGUMENTS, ROOT, serving
from benchmarks.written import put

SOURCES: Final = "benchmarks/presses.py", "src/volte/meeting", "src/volte/server/tables"

CARDS: Final = "#hand [role=option]"
NAME: Final = "volte.test"
"""A name of this machine, for which the page takes it as one that others can reach."""

ROWS: Final = {
    "first": ("a stranger, with bots until others come", "9"),
    "second": ("the next stranger, at the same table", "2 and a name"),
    "host": ("the host of a table for friends", "9"),
    "friend": ("a friend, by its address", "2 and a name"),
}
"""For each person, who they are and their presses by the playroom of before, counted by hand."""


class Somebody:
    """A person with an empty browser, whose presses are counted."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.page: Page = browser.new_context(locale="en").new_page()
        self.presses = 0
        self.names = 0  # typed
        self.page.goto(address)

    def press(self, button: Locator) -> None:
        self.presses += 1
        button.click(no_wait_after=True)

    def has_hand(self) -> None:
        """Wait until their hand is there."""
        self.page.wait_for_selector(CARDS, timeout=60_000)

    def leave(self) -> None:
        self.page.context.close()

    @property
    def needed(self) -> str:
        """What they have done, in words."""
        return f"{self.presses} and a name" if self.names else str(self.presses)


def strangers(browser: Browser, address: str) -> dict[str, tuple[str, float]]:
    """What two strangers need, and seconds."""
    found, people = dict[str, tuple[str, float]](), list[Somebody]()
    for who in ("first", "second"):
        people.append(somebody := Somebody(browser, address))
        button = somebody.page.locator("#play-with-people")
        began = perf_counter()
        somebody.press(button)
        somebody.has_hand()
        found[who] = somebody.needed, perf_counter() - began
    paths = {urlsplit(each.page.url).path for each in people}
    assert len(paths) == 1, f"the strangers are at {len(paths)} tables"
    for each in people:
        each.leave()
    return found


def friends(browser: Browser, address: str) -> dict[str, tuple[str, float]]:
    """What a host and a friend need, and seconds."""
    host = Somebody(browser, address)
    page = host.page
    host.press(page.locator("main").get_by_role("link", name="New table"))
    host.press(page.get_by_role("button", name="Open the table").first)
    host.press(page.get_by_role("button", name="Copy the address"))
    friend = Somebody(browser, page.input_value("#address"))
    friend.page.fill("#name", "Léa")
    friend.names += 1
    friend.press(friend.page.get_by_role("button", name="Sit down"))
    page.get_by_text("Léa sits down").first.wait_for(state="attached")
    began = perf_counter()
    host.press(page.locator("#actions [data-key=Start]"))
    for each in (host, friend):
        each.has_hand()
    seconds = perf_counter() - began
    for each in (host, friend):
        each.leave()
    return {"host": (host.needed, seconds), "friend": (friend.needed, seconds)}


def measured(rounds: int) -> Mapping[str, Sequence[tuple[str, float]]]:
    """What each person needs, and seconds, by round."""
    found = defaultdict[str, list[tuple[str, float]]](list)
    resolver = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    with sync_playwright() as playwright:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=[*ARGUMENTS, resolver]
                )
                environ = {"PYTHONPATH": str(ROOT / "src")}
                with serving(sys.executable, environ, Path(folder)) as local:
                    address = f"http://{NAME}:{urlsplit(local).port}"
                    for part in (strangers, friends):
                        for who, each in part(browser, address).items():
                            found[who].append(each)
                browser.close()
    return found


def table_of(found: Mapping[str, Sequence[tuple[str, float]]]) -> str:
    """The medians as a table of Markdown."""
    lines = ["| who | presses before | presses now | seconds |", "|---|---|---|---|"]
    for who, (told, before) in ROWS.items():
        (needed,) = {each for each, _ in found[who]}
        seconds = median(each for _, each in found[who])
        lines.append(f"| {told} | {before} | {needed} | {seconds:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/")
    options = parser.parse_args()
    text = table_of(measured(options.rounds))
    print(text)
    if options.write:
        put("docs/costs.md", text, *SOURCES)


if __name__ == "__main__":
    main()
