"""Playing with anybody at a playroom of two servers, in browsers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from kit.browser.players import Browse, Player
from kit.proxies import in_front
from kit.sites import Process

pytestmark = pytest.mark.full

NAMES = "Anne", "Bert", "Cara", "Dora", "Emma", "Finn", "Gabi", "Hugo"
GAMES = "spot-hearts", "black-maria"
SIT_THERE = """(names) => names.every(
    (name) => window.watched?.scene?.seats.some((seat) => seat.name === name))"""


@pytest.fixture
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a proxy before two servers, begun in a thread where no loop of Playwright
    runs."""
    with ExitStack() as stack, ThreadPoolExecutor(1) as apart:
        url = apart.submit(request.getfixturevalue, "postgres_url").result()

        def begin(node: str) -> Process:
            return stack.enter_context(Process(url, tmp_path, VOLTE_NODE=node))

        nodes = [apart.submit(begin, node).result() for node in "ab"]
        yield stack.enter_context(in_front("nginx", tmp_path, [each.address for each in nodes]))
        assert not any(each.faults for each in nodes)


def press(player: Player, game: str) -> None:
    """Press "Play with people" for a game, and wait for the hand."""
    player.go_to("/")
    player.page.locator(".game:has(#rules) summary").press("Enter")
    player.page.select_option("#rules", game)
    player.page.locator("#play-with-people").press("Enter")
    player.wait("() => window.watched?.scene?.hand.length")


def table_of(player: Player) -> str:
    return player.page.url.partition("/tables/")[2].partition("#")[0]


def test_eight_people_at_two_servers_and_one_who_leaves_sit_together_by_their_games(
    front: str, browse: Browse
) -> None:
    people = [browse("en", at=front, own=True).come_in(name) for name in NAMES]
    for number, who in enumerate(people):
        press(who, GAMES[number % 2])
    people.pop().go_to("/help")
    tables = set[str]()
    for first in range(len(GAMES)):
        together, names = people[first::2], NAMES[first:-1:2]
        for who in together:
            who.wait(SIT_THERE, [*names])
        (table,) = {table_of(who) for who in together}
        tables.add(table)
    assert len(tables) == len(GAMES)
