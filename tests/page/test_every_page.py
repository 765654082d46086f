"""Every page and every state of the table: judged by axe, measured, and read as text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from kit.browser import judging, states
from kit.browser.backdrops import club_pages
from kit.browser.pages import WITHIN, pages
from kit.browser.players import WHOLE, Browse, Player, Theme, dealt_from
from kit.sites import Playroom
from kit.spoken import COUNTRIES, EVERY


class Look(NamedTuple):
    """A way to see the pages: language, theme, window and more."""

    lang: str
    theme: Theme
    width: int

    def __str__(self) -> str:
        return f"{self.lang}-{self.theme}-{self.width}"


LOOKS = [
    Look(lang, theme, width)
    for lang in ("en", "fr")
    for theme in ("light", "dark")
    for width in (320, 1280)
]
LOOKS += [Look(lang, "light", 320) for lang in COUNTRIES]
SMALL = Look("fr", "dark", 320)


OTHERS: Final = {
    "clubs": club_pages,
    "company": states.company_states,
    "meeting": states.meeting_states,
    "referee": states.refereed_states,
    "wider": states.wider_states,
}
"""Walks through tables of other kinds."""


ALIKE: Final = {
    "waiting": "newcomer",
    "passing-too-few": "refused",
    "void": "my-turn",
    "their-turn": "trick-over",
    "scores": "refused",
    "sure": "keys",
    "table-settings": "all-open",
    "paused": "offline",
}
"""States in which the table is made as in another one: in the gate, only their text is read."""


def every_look(*gate: Look) -> pytest.MarkDecorator:
    """All looks, those of the gate among them."""
    return pytest.mark.parametrize(
        "look",
        [
            pytest.param(look, id=str(look), marks=() if look in gate else pytest.mark.full)
            for look in LOOKS
        ],
    )


def viewer(browse: Browse, lang: str, **settings: Any) -> Player:
    """Somebody who looks at everything, refusals included."""
    player = browse(lang, still=True, moving=False, **settings)
    player.forgiven = "Failed to load resource"
    return player


SNAPSHOTS = Path(__file__).parent / "snapshots"

UNSPOKEN = "(silent) => document.getElementById('live').setAttribute('aria-hidden', silent)"
"""Hides the live region, whose content depends on the moment: see the announcements for it."""

UNREAD = ".lingering, [role=dialog] > [aria-hidden]"
"""Dialogs that go, and parts of dialogs that readers do not find yet."""

LOG = re.compile(r'^( *)(- log "[^"]*").*$(?:\n\1 +.*$)*', re.MULTILINE)
"""The log, which depends on the moment too: it tells of pauses while pages were loaded."""


def read(player: Player) -> str:
    """The main part of the page as text, without the parts that are never the same twice."""
    player.page.evaluate(UNSPOKEN, "true")
    text = player.page.locator("main").aria_snapshot() + "\n"
    player.page.evaluate(UNSPOKEN, "false")
    text = LOG.sub(r"\1\2: …", text)
    return re.sub(r"(http://[\w.:]+)?/(tables|matches)/[\w-]+(/invited/\w+)?", r"/\2/…", text)


def differences(golden: Path, player: Player) -> list[str]:
    """The lines in which a table and its golden differ; none where it has none."""
    if not golden.exists() or not player.page.locator("#hand").count():
        return []
    text = read(player)
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
    lines = golden.read_text(encoding="utf-8").splitlines()
    return list(unified_diff(lines, text.splitlines(), golden.name, n=0, lineterm=""))


def judge(
    player: Player, walk: Iterable[str], record: pytest.FixtureRequest, enough: float = judging.AA
) -> None:
    """Judges each state as it comes; those of tables are read as text, too, as it stands in
    `snapshots/`. VOLTE_REMAKE_GOLDENS=1 writes the files anew that are there.

    Args:
        enough: the contrast that small words need.
    """
    faults: list[str] = []
    least = 21.0
    for state in walk:
        player.page.wait_for_selector(UNREAD, state="detached")
        unlike = differences(SNAPSHOTS / player.lang / f"{state}.txt", player)
        faults += [f"{state}: {each}" for each in unlike]
        if not WHOLE and state in ALIKE:
            continue
        found, contrast = judging.contrast_faults(player.page, enough)
        beyond = judging.ENHANCED if WHOLE and enough == judging.AAA else ()
        found += judging.axe_faults(player.page, () if WHOLE else judging.MEASURED, beyond)
        found += judging.room_faults(player.page)
        faults += [f"{state}: {each}" for each in found]
        least = min(least, contrast)
    record.node.user_properties.append(("least contrast", f"{least:.2f}"))
    assert not faults, "\n".join(["", *dict.fromkeys(faults)])


def seen(browse: Browse, look: Look) -> Player:
    return viewer(browse, look.lang, width=look.width, height=720, theme=look.theme)


@every_look(SMALL)
def test_every_page(browse: Browse, look: Look, request: pytest.FixtureRequest) -> None:
    player = seen(browse, look)
    judge(player, pages(player, () if WHOLE else WITHIN), request, judging.AAA)


@every_look(SMALL)
def test_every_state_of_the_table(
    browse: Browse, playroom: Playroom, look: Look, request: pytest.FixtureRequest
) -> None:
    player = seen(browse, look)
    with dealt_from(playroom, states.SEED):
        more = states.shapes(player) if WHOLE else ()  # in the gate, `test_felt` has them
        judge(player, chain(states.table_states(player, deals=2 if WHOLE else 1), more), request)


@every_look()
@pytest.mark.parametrize("walk", OTHERS.values(), ids=OTHERS)
def test_every_state_of_other_tables(
    browse: Browse,
    playroom: Playroom,
    look: Look,
    walk: Callable[[Player], Iterator[str]],
    request: pytest.FixtureRequest,
) -> None:
    player = seen(browse, look).come_in()
    with dealt_from(playroom, states.SEED):
        judge(player, walk(player), request)


LARGE = "html { font-size: 200% !important; }"


def visited(player: Player, playroom: Playroom) -> Iterator[str]:
    """Every page, and tables with the fewest and the most people."""
    yield from pages(player)
    with dealt_from(playroom, states.SEED):
        yield from states.shapes(player)


@pytest.mark.full
@pytest.mark.parametrize("lang", EVERY)
def test_twice_the_size(browse: Browse, playroom: Playroom, lang: str) -> None:
    """At 1280 pixels, by the browser's zoom (which leaves 640 of them) and by larger text."""
    player = viewer(browse, lang, width=640, height=360)
    faults: list[str] = []
    for name in visited(player, playroom):
        found = judging.measured(player.page, "wide")
        player.page.set_viewport_size({"width": 1280, "height": 720})
        player.page.evaluate(judging.WEAR, LARGE)
        found += [*judging.measured(player.page, "wide"), *judging.measured(player.page, "cut")]
        player.page.evaluate(judging.WEAR, "")
        player.page.set_viewport_size({"width": 640, "height": 360})
        faults += [f"{name}: {each}" for each in found]
    assert not faults, "\n".join(["", *faults])


@pytest.mark.parametrize(
    "wish",
    [
        pytest.param({"contrast": "more"}, id="more-contrast", marks=pytest.mark.full),
        pytest.param(
            {"contrast": "more", "theme": "dark"}, id="more-contrast-dark", marks=pytest.mark.full
        ),
    ],
)
def test_colours_as_somebody_needs_them(
    browse: Browse, playroom: Playroom, wish: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    player = viewer(browse, "en", **wish)
    faults: list[str] = []
    least = 21.0
    for name in visited(player, playroom):
        found, contrast = judging.contrast_faults(player.page)
        faults += [f"{name}: {each}" for each in found]
        least = min(least, contrast)
    request.node.user_properties.append(("least contrast", f"{least:.2f}"))
    assert not faults, "\n".join(["", *faults])
    assert least >= 7


@pytest.mark.full
def test_in_the_systems_own_colours_controls_keep_an_edge(
    browse: Browse, playroom: Playroom
) -> None:
    """Backgrounds are all the same there."""
    player = viewer(browse, "en", forced_colors="active")
    faults: list[str] = []
    for name in visited(player, playroom):
        faults += [f"{name}: {each}" for each in judging.measured(player.page, "bare")]
    assert not faults, "\n".join(["", *faults])
