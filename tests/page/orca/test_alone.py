"""A site without a server, as a real screen reader speaks it.

From the first page to the first cards the recording has goldens of its own. From there on the same
keys are pressed as at a server, and what is heard is judged by the same goldens.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest
from kit.browser.alone import address_of
from kit.browser.backdrops import AT
from kit.dealing import deal_stacked, with_dealing
from kit.exporting import exported, packages_of
from kit.hosting import Host
from kit.matches import keep
from kit.orca.desk import Desk
from kit.orca.ear import GOLDENS, Ear, compare
from kit.orca.lone import lone
from page.orca.conftest import SEED
from page.orca.test_heard import READ_ON, listen_to_the_table
from page.orca.test_looking_back import (
    listen_to_my_matches,
    listen_to_the_proof,
    listen_to_the_replay,
    match,
)
from page.orca.test_rooms import (
    keep_score,
    listen_to_the_clerk,
    listen_to_the_lesson,
    listen_to_the_puzzle,
)

from volte.lessons.lesson import STEPS
from volte.say import words_of
from volte.solo.kept import KeptStore
from volte.solo.room import ME
from volte.store import Person
from volte.table import Someone

pytestmark = pytest.mark.full

LEARN: Final = "Learn Hearts in ten minutes"
BEGIN: Final = "Begin the lesson"

MATCH: Final = "0" * 16

READY: Final = {"say_again": False, "helped": True}
"""Settings of the guests whose goldens there are."""


@contextmanager
def site(folder: Path, **settings: Any) -> Iterator[str]:
    """The address of a site that deals the cards of a seed to somebody with these settings."""
    there = exported()
    packages = packages_of(there)
    within = packages.relative_to(there)
    (folder / within).parent.mkdir(parents=True)
    (folder / within).write_bytes(with_dealing(packages.read_bytes(), deal_stacked, SEED, settings))
    over = {f"/{within.parent}/{packages.name}": folder / within}
    with Host({"": there, **over}) as host:
        yield host.address


def test_alone_all_is_heard_from_the_first_page_to_a_trick(tmp_path: Path, lang: str) -> None:
    with Desk(lang) as desk:
        ear = Ear(desk)
        with site(tmp_path / "new", say_again=False) as address:
            begin(ear, address)
            pages(ear, address)
        with site(tmp_path / "known", **READY) as address:
            page = address_of(lang, preset="coeurs", players="4", level="casual", name="Zoé")
            ear.chapter("alone-table")
            ear.open(address + page, "a table", "to pass")
            listen_to_the_table(ear)
            for chapter in ("passing", "illegal", "trick", "dialog"):
                follow(ear, chapter)
        compare(ear)


def test_alone_a_sheet_of_real_cards_is_kept_as_at_a_server(lang: str) -> None:
    with Host({"": exported()}) as host, Desk(lang) as desk:
        ear = Ear(desk)
        ear.open(f"{host.address}/{lang}/score/?at=/score/new", "the form")
        keep_score(ear)


def test_alone_the_lesson_and_a_puzzle_are_heard_as_at_a_server(tmp_path: Path, lang: str) -> None:
    with lone(lang, tmp_path) as me, Desk(lang) as desk:
        listen_to_the_lesson(me, Ear(desk, swaps=True))
        listen_to_the_puzzle(me, Ear(desk, swaps=True))


def test_alone_rules_and_the_clerk_are_heard_as_at_a_server(tmp_path: Path, lang: str) -> None:
    with lone(lang, tmp_path) as me, Desk(lang) as desk:
        listen_to_the_clerk(me, Ear(desk, swaps=True))


def test_alone_my_matches_are_heard_as_at_a_server(tmp_path: Path, lang: str) -> None:
    with lone(lang, tmp_path, partial(keep_a_match, lang)) as me, Desk(lang) as desk:
        listen_to_my_matches(me, Ear(desk, swaps=True))
        for page, listen in (("replay", listen_to_the_replay), ("proof", listen_to_the_proof)):
            ear = Ear(desk, swaps=True)
            me.open(ear, f"/matches/{MATCH}/{page}", page)
            listen(ear)


async def keep_a_match(lang: str, store: KeptStore) -> None:
    await store.put_person(Person(ME, "Zoé", lang, READY, 0.0))
    with patch.object(secrets, "token_hex", lambda count: MATCH):
        await keep(store, Someone(ME, "Zoé"), match(), at=AT)


def begin(ear: Ear, address: str) -> None:
    """From the first page to the first cards."""
    ear.chapter("alone")
    ear.open(f"{address}/{ear.desk.lang}/", "the first page")
    ear.press(READ_ON)
    ear.seek("Tab", "play now")
    ear.seek("Tab", "name")
    ear.type("Zoe")
    ear.until("Return", "at the table", None, "to pass")


def pages(ear: Ear, address: str) -> None:
    """Pages that the worker makes: the first is loaded, the next takes its place."""
    first, second = (words_of(ear.desk.lang).t(each) for each in (LEARN, STEPS[0].title))
    ear.chapter("alone-pages")
    ear.open(f"{address}/{ear.desk.lang}/learn/", "a page", first)
    ear.seek("Tab", words_of(ear.desk.lang).t(BEGIN))
    ear.until("Return", "the next page", None, second)


def follow(ear: Ear, name: str) -> None:
    """Press the keys of a golden."""
    ear.chapter(name)
    golden = (GOLDENS / f"{ear.desk.lang}-{name}.txt").read_text(encoding="utf-8")
    for key, word in re.findall(r"(?m)^> (\w+)(?: \((.+)\))?$", golden):
        if word:
            ear.until(key, word, None, word)
        else:
            ear.press(key)
