"""Somebody keeps the score of real cards on a telephone: by a thumb, or by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol

from kit.browser.judging import axe_faults
from kit.browser.means import tab_to
from kit.browser.players import CLOSE, Player

from volte.scorekeeper.model import Sheet, parse_sheet

GOLDEN: Final = Path(__file__).parents[2] / "scorekeeper" / "goldens" / "evening.txt"
NAMES: Final = ("Anne", "Bruno", "Chloé", "David")
ANNE, BRUNO, CHLOE, DAVID = range(4)

FORGIVEN: Final = "422|409|404"
"""Statuses of which browsers complain: a form is refused, or a page does not exist."""


SMALL_TARGETS: Final = """() => [...document.querySelectorAll(`.keeper :is(button, .button, summary,
    .chip, select, input:not([type=radio], [type=checkbox], [type=hidden]), tbody th a)`)]
    .filter((each) => each.checkVisibility() && !each.classList.contains('hidden'))
    .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44)
    .map(([told, box]) => `${told} ${box.width} × ${box.height}`)"""
"""Controls that a thumb could miss."""


class Means(Protocol):
    """A way to fill in the form of a deal: by keys, mouse or touch."""

    def count(self, player: Player, seat: int, number: int) -> None: ...

    def choose(self, player: Player, group: str, seat: int) -> None: ...

    def press(self, player: Player, what: str) -> None: ...


class Thumb:
    """Taps: numbers on the page, and the system's keyboard where there are none."""

    def count(self, player: Player, seat: int, number: int) -> None:
        pad = player.page.locator("#pad button").nth(number)
        if pad.is_visible():
            pad.tap()
            return
        player.page.locator(f"#count-{seat}").tap()
        player.page.keyboard.type(str(number))

    def choose(self, player: Player, group: str, seat: int) -> None:
        player.page.tap(f"label[for='{group}-{seat}']")

    def press(self, player: Player, what: str) -> None:
        player.page.tap(what)


class Keyboard:
    """Tab, digits, arrows, Space and Enter."""

    def count(self, player: Player, seat: int, number: int) -> None:
        tab_to(player, f"#count-{seat}")
        player.keys("ControlOrMeta+a")
        player.page.keyboard.type(str(number))

    def choose(self, player: Player, group: str, seat: int) -> None:
        first = player.page.locator(f"#{group} input").first
        if first.get_attribute("type") == "checkbox":
            tab_to(player, f"label[for='{group}-{seat}']")
            player.keys(" ")
            return
        tab_to(player, f"#{group}")
        focused = player.focused().rpartition("-")[2]
        player.keys(" ")
        for _ in range(seat - int(focused)):
            player.keys("ArrowDown")

    def press(self, player: Player, what: str) -> None:
        tab_to(player, what)
        player.keys("Enter")


def goes(player: Player, means: Means, what: str) -> None:
    """Press a link or button that leads to another page, and wait for it."""
    with player.page.expect_navigation():
        means.press(player, what)


def begin(player: Player, means: Means, dealer: str = "2") -> str:
    """Begin a sheet of four players, with stakes by the average; return its address."""
    player.go_to("/score/new")
    page = player.page
    with page.expect_response("**/score/new"):
        page.select_option("#preset", "coeurs-moyenne")
    player.wait("() => document.getElementById('said').textContent !== ''")
    for seat, name in enumerate(NAMES):
        page.fill(f"#seat{seat}", name)
    page.fill("#stake", "0.25")
    page.select_option("#dealer", dealer)
    goes(player, means, "button.large")
    return page.url


def tell(player: Player, means: Means, *counts: int, queen: int | None = None) -> None:
    """Enter one deal; the last player's count fills itself in."""
    for seat, number in enumerate(counts):
        means.count(player, seat, number)
    if queen is not None:
        means.choose(player, "queen", queen)
    goes(player, means, "button.write")


def evening(player: Player, means: Means, look: Callable[[], None]) -> Sheet:
    """Enter the evening of the golden on the page; return the sheet as it is taken home.

    Args:
        look: called when the page shows most.
    """
    begin(player, means)
    tell(player, means, 3, 4, 6, queen=BRUNO)
    means.press(player, "#trouble summary")
    goes(player, means, "button[value='exposed']")
    goes(player, means, f"button[value='moon-{DAVID}']")
    means.press(player, "#trouble summary")
    means.choose(player, "revoked", ANNE)
    look()
    goes(player, means, "button[value='stopped']")
    goes(player, means, "a.other")
    tell(player, means, 5, 0, 8)
    goes(player, means, "#sheet tbody tr:first-child th a")
    for seat, number in ((BRUNO, 5), (CHLOE, 5)):
        player.page.locator(f"#count-{seat}").focus() if isinstance(means, Thumb) else None
        means.count(player, seat, number)
    player.page.fill("#reason", "un cœur mal rangé")
    look()
    goes(player, means, "button.write")
    goes(player, means, "a.other")
    tell(player, means, 2, 5, 1, queen=CHLOE)
    look()
    goes(player, means, "button[value='accept']")
    return taken_home(player)


def taken_home(player: Player) -> Sheet:
    """The sheet that is shown, from its record."""
    path = player.page.url.partition("?")[0]
    return parse_sheet(
        player.context.request.get(f"{path}/files/sheet.volte", headers=CLOSE).text()
    )


def fits_a_thumb(player: Player) -> None:
    """Check that every control can be hit, by its size, and is labelled."""
    faults = player.page.evaluate(SMALL_TARGETS) + axe_faults(player.page)
    assert not faults, faults


def score_states(player: Player) -> Iterator[str]:
    """Walk through every page of the score-keeper and every state of a sheet; yield its name."""
    page = player.page
    means = Thumb() if page.evaluate("matchMedia('(any-pointer: coarse)').matches") else Keyboard()
    yield from _new(player)
    player.go_to("/score/new")
    sheet = begin(player, means, "lot")
    page.click("details:has(code) summary")
    yield "score-lots"
    goes(player, means, "button[value='draw']")
    yield "score-first-deal"
    for seat, number in enumerate((3, 4)):
        means.count(player, seat, number)
    yield "score-counting"
    goes(player, means, "button.write")
    yield "score-refused"
    tell(player, means, *_left(player), queen=BRUNO)
    yield "score-written"
    page.click("#trouble summary")
    yield "score-trouble"
    yield from _beside(player, sheet)
    player.go_to(f"{sheet.removeprefix(player.address)}?by=points")
    yield "score-points"
    for _ in range(4):
        goes(player, means, f"button[value='moon-{DAVID}']")
    yield "score-over"
    goes(player, means, "button[value='accept']")
    yield "score-accepted"
    player.go_to("/score")
    yield "score-list"


def _left(player: Player) -> tuple[int, ...]:
    """Type counts into a form that holds some already."""
    player.page.evaluate("document.querySelectorAll('.taker input').forEach(e => e.value = '')")
    player.page.locator("#count-0").focus()
    return 3, 4, 6


def _new(player: Player) -> Iterator[str]:
    player.go_to("/score")
    yield "score-none"
    player.go_to("/score/new")
    player.page.click("#more summary")
    yield "score-new"
    player.page.fill("#stake", "much")
    player.page.click("button.large")
    player.page.wait_for_selector(".faults")
    yield "score-new-wrong"


def _beside(player: Player, sheet: str) -> Iterator[str]:
    """The pages that belong to a sheet."""
    path = sheet.removeprefix(player.address)
    visits: dict[str, Callable[[], None]] = {
        "score-line": lambda: player.go_to(f"{path}/lines/1"),
        "score-head": lambda: player.go_to(f"{path}/head"),
        "score-print": lambda: player.go_to(f"{path}/print"),
    }
    for name, visit in visits.items():
        visit()
        yield name
    player.go_to(path)
    with player.page.expect_navigation():
        player.page.click("button[value='share']")
    player.page.wait_for_selector("#watch-address")
    yield "score-shared"
    player.page.goto(player.page.input_value("#watch-address"))
    yield "score-seen"
