"""The felt and the hand below it: sights, room, and the feel of play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from kit.browser.fitting import brightness, called, faults, measured, shifted, state_faults, walk
from kit.browser.line import Line
from kit.browser.means import CORNER, GUARDED, Keys, Mouse, do_what_is_due, legal, press
from kit.browser.pictures import LANGUAGES, TABLES
from kit.browser.players import WHOLE, Browse, Player, Theme, dealt_from, scripts
from kit.browser.states import SEED
from kit.sites import Playroom
from playwright.sync_api import Route

import volte

STATIC: Final = Path(volte.__file__).parent
DEAL = 7  # the seed of a deal in which others lead, and not all may be played

SCRIPTS = scripts(__file__)

WINDOWS = [
    *((320, 568), (375, 667), (390, 844), (667, 375), (844, 390), (768, 1024)),
    *((1280, 600), (1280, 800), (1366, 650), (1440, 900), (2560, 1440)),
]


@pytest.fixture
def ana(browse: Browse) -> Player:
    """Somebody at a telephone, for whom cards fly; they have come in."""
    return browse(width=390, height=844, still=True, moving=True).come_in()


def to_play(player: Player) -> None:
    """Goes on until the person has to play a card, and others have played before."""
    while (due := player.due()) != "Play" or not player.scene["trick"]:
        do_what_is_due(player, Keys(), due)


def giver(player: Player) -> int:
    """The seat that has passed cards to the person."""
    (seat,) = {each["giver"] for each in player.scene["hand"]} - {None}
    return int(seat)


@pytest.mark.full
def test_a_deal_flies_and_nothing_shifts(ana: Player) -> None:
    ana.begin("microsoft", seed=DEAL)
    called(ana, "watchShifts")
    ana.page.evaluate(f"{SCRIPTS}.countFlights")
    ana.take_focus()
    most_held = 6 if WHOLE else 10
    while (due := ana.due()) != "Play" or ana.held() > most_held:
        do_what_is_due(ana, Keys(), due)
    assert ana.page.evaluate("window.flights") > 13
    assert shifted(ana)[0] < MOST_SHIFT
    assert ana.page.locator("#hand .received").count() == 0


@pytest.mark.parametrize("flown", [3, pytest.param(0, marks=pytest.mark.full)])
def test_the_cards_of_a_pass_fly_to_whom_they_are_given_and_then_play_begins(
    browse: Browse, flown: int
) -> None:
    """No frame shows a card off its way; with less motion all is there at once."""
    player = browse(width=390, height=844, still=True, moving=flown > 0).come_in()
    player.begin("microsoft", seed=DEAL)
    player.due()
    player.page.evaluate(f"{SCRIPTS}.watchPass")
    do_what_is_due(player, Keys(), "Pass")
    player.wait(
        "(name) => document.querySelector(name) !== null", f".bubble[data-seat='{giver(player)}']"
    )
    assert player.due() == "Play"
    player.wait("() => document.querySelectorAll('#trick li').length > 0")
    assert player.page.evaluate(f"{SCRIPTS}.astray") == [flown, flown]
    assert player.page.locator("#hand .received").count() == 3


def test_who_is_winning_is_marked_and_the_trick_before_lies_there_until_a_card_is_played(
    ana: Player,
) -> None:
    ana.begin("microsoft", seed=DEAL)
    ana.take_focus()
    to_play(ana)
    scene = ana.scene
    marked = ana.page.locator("#trick .winning")
    assert marked.count() == 1
    assert marked.get_attribute("data-key", timeout=0) == next(
        f"{each['seat']} {each['card']}"
        for each in scene["trick"]
        if each["seat"] == scene["winning"]
    )
    sign = "(card) => getComputedStyle(card.querySelector('.card'), '::before').content"
    assert marked.evaluate(sign) == '"▲" / ""'  # seen, and not read
    while not ana.scene["last"]:
        do_what_is_due(ana, Keys(), ana.due())
    assert ana.due() == "Play"
    before = [f"{each['seat']} {each['card']}" for each in ana.scene["last"]]
    button = ana.page.locator("#corner .small:visible")
    focus = ana.focused()
    button.click()
    keys = "(cards) => cards.map((each) => each.dataset.key)"
    shown = ana.page.locator("#before li")
    assert shown.evaluate_all(keys) == before
    assert ana.page.locator("#before .winning").count() == 1
    assert ana.page.locator("#felt .looking:visible").inner_text() == "The last trick"
    assert ana.page.locator("#trick").is_hidden()
    assert ana.focused() == focus
    button.click()
    assert shown.count() == 0
    for by_key in (True, False):
        ana.keys("l")  # the question shows it too
        assert shown.evaluate_all(keys) == before
        if by_key:
            ana.keys("t")
        else:
            ana.page.click("#status")
        assert shown.count() == 0
        assert not ana.page.locator("#felt .looking").is_visible()
    ana.keys("l")
    do_what_is_due(ana, Keys(), "Play")
    ana.wait("() => document.querySelectorAll('#before li').length === 0")


@pytest.mark.full
def test_a_phrase_is_two_taps_and_stands_at_the_seat(ana: Player) -> None:
    table = ana.begin("microsoft", setup={"talk": "all"})
    assert ana.page.locator("#corner .small:visible").count() == 0  # bots do not listen
    bea = ana.beside("Bea")
    bea.go_to(f"/tables/{table}")
    bea.page.wait_for_selector("#seats .plate")
    do_what_is_due(ana, Keys(), ana.due())
    talk = ana.page.locator("#corner .small:has([href$='#talk'])")
    talk.wait_for()
    talk.click()
    ana.page.locator(".phrases button", has_text="Good luck!").click()
    said = ana.page.locator(".bubble", has_text="Good luck!")
    said.wait_for()
    assert not said.evaluate(f"{SCRIPTS}.outside")
    assert ana.page.locator(".phrases").count() == 0
    bea.page.locator(".bubble", has_text="Good luck!").wait_for()
    bea.page.locator("#corner .small[data-count='1']").wait_for()


@pytest.mark.full
def test_a_moment_is_in_nobodys_way_and_ends(ana: Player) -> None:
    ana.begin("microsoft")
    ana.page.evaluate(f"{SCRIPTS}.celebrate")
    shown = ana.page.locator(".spell, .gain")
    assert shown.count() == 3
    for each in shown.all():
        assert each.get_attribute("aria-hidden") == "true"
        assert each.evaluate("(shown) => getComputedStyle(shown).pointerEvents") == "none"
    ana.wait("() => document.querySelectorAll('.spell, .gain').length === 0")


@pytest.mark.full
@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("window", WINDOWS)
def test_cards_are_the_largest_and_cover_no_plate(
    browse: Browse, window: tuple[int, int], seats: int
) -> None:
    width, height = window
    player = browse(width=width, height=height, still=True, moving=False).come_in()
    player.begin("coeurs", players=seats, seed=DEAL)
    player.take_focus()
    to_play(player)
    found = player.page.evaluate(f"{SCRIPTS}.covered")
    assert found["plates"] == 0, found
    assert found["cards"] < 0.15, found
    assert found["ratio"] > 0.8, found


MORE_WINDOWS = [(360, 640), (412, 915), (932, 430), (1024, 768), (1920, 1080)]
GATE = [(390, 844, 4, 200, "fr")]
TABLES_IN_WINDOWS = [
    pytest.param(*each, marks=() if each in GATE else pytest.mark.full)
    for each in (
        *((*size, 4, *look) for size in WINDOWS for look in product((100, 200), LANGUAGES)),
        *((*size, seats, 100, "en") for size in WINDOWS + MORE_WINDOWS for seats in (3, 5, 6, 7)),
        *((*size, 4, 100, "en") for size in MORE_WINDOWS),
    )
]
MOST_SHIFT = 0.006
LARGER: Final = """(percent) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html { font-size: ${percent}% }`);
    document.adoptedStyleSheets = [sheet];
}"""


def seated(
    browse: Browse, width: int, height: int, seats: int, percent: int = 100, lang: str = "en"
) -> Player:
    """A newcomer at a table of that many, in a window of that size, to whom cards are dealt.

    In the gate they are always the same.

    Args:
        percent: the size of letters, in those of the browser.
    """
    larger = percent > 100
    player = browse(
        lang, width=width, height=height, touch=True, still=True, moving=False, own=larger
    )
    if larger:
        player.context.add_init_script(f"({LARGER})({percent})")
    player.come_in("Éléonore", helped=False)
    seed = None if WHOLE else DEAL
    player.begin("cancellation" if seats > 7 else "coeurs", players=seats, seed=seed)
    called(player, "watchShifts")
    player.due()
    return player


@pytest.mark.parametrize(("width", "height", "seats", "percent", "lang"), TABLES_IN_WINDOWS)
def test_a_deal_fits_the_window(
    browse: Browse, width: int, height: int, seats: int, percent: int, lang: str
) -> None:
    """Passing, leading, following, refused, with a hint, at the end; and nothing has moved."""
    player = seated(browse, width, height, seats, percent, lang)
    wrong = walk(player)
    assert not wrong, "\n".join(f"{phase}: {each}" for phase, found in wrong for each in found)
    moved, what = shifted(player)
    assert moved <= MOST_SHIFT, what


def test_the_head_stands_aside_before_the_rest_of_the_page_has_come(browse: Browse) -> None:
    player = browse(java_script_enabled=False).come_in()

    def cut_off(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().partition('<div id="table"')[0])

    player.page.route("**/tables/*", cut_off)
    player.go_to(f"/tables/{player.open_table()}")
    player.shown(".site").to_have_css("position", "absolute")


@pytest.mark.full
@pytest.mark.parametrize(("width", "height"), WINDOWS)
@pytest.mark.parametrize(("seats", "percent"), [(7, 200), (8, 100), (10, 100), (10, 200)])
def test_hand_and_button_stay_in_view(
    browse: Browse, width: int, height: int, seats: int, percent: int
) -> None:
    """Also with many people and twice the letters, where the seats may scroll."""
    player = seated(browse, width, height, seats, percent)
    assert not faults(player, seats=False)
    if percent == 100 and (width, height) != (320, 568):
        assert not measured(player, "covered")


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_a_card_that_may_not_be_played_is_marked_by_more_than_colour(
    browse: Browse, theme: Theme
) -> None:
    player = browse("fr", theme=theme, moving=False).come_in()
    player.begin("coeurs", pass_count=0)
    barred = player.page.locator("#hand [aria-disabled=true]")
    while not (player.due() == "Play" and barred.count() and legal(player).count()):
        do_what_is_due(player, Keys(), player.due())
    player.page.evaluate("document.activeElement.blur()")
    assert brightness(player, legal(player).first) > brightness(player, barred.first) + 30
    sunk = barred.first.locator(".face").bounding_box()
    stands = legal(player).first.locator(".face").bounding_box()
    assert sunk is not None
    assert stands is not None
    assert sunk["y"] > stands["y"] + 3
    hatched = """(card) => /rgba?[(]/.test(getComputedStyle(card, '::after').backgroundImage
        .replaceAll('rgba(0, 0, 0, 0)', ''))"""
    assert not barred.first.evaluate(hatched)
    player.page.evaluate("document.documentElement.dataset.contrast = 'more'")
    assert barred.first.evaluate(hatched)


def test_gold_means_that_it_is_your_turn() -> None:
    rules = [
        rule.strip()
        for sheet in sorted(STATIC.rglob("*.css"))
        for rule, _, body in (each.rpartition("{") for each in sheet.read_text().split("}"))
        if "var(--gold)" in body
    ]
    assert rules == ['.own[aria-current="true"] .plate']


def test_a_click_right_after_the_main_button_has_changed_does_nothing(player: Player) -> None:
    """Nor where a button has come anew into the same place."""
    player.begin("microsoft")
    assert player.due() == "Pass"
    for place in range(3):
        player.cards().nth(place).press("Enter")
    for key, held in (("Pass", 13), ("Play", 12)):
        if key == "Play":
            legal(player).first.focus()
        player.page.evaluate(f"{SCRIPTS}.pressAtOnce")
        press(player, key)
        player.wait("() => window.pressed")
        assert player.due() == "Play"
        player.page.wait_for_timeout(GUARDED)
        assert player.held() == held
        assert not player.page.is_visible("#answer-section")


def test_an_undo_that_is_asked_for_stands_over_the_felt(browse: Browse) -> None:
    player = browse("en", width=390, height=844).come_in()
    player.begin("coeurs", pass_count=0)
    player.due()
    for name in ("asked", "wanted", "connection"):
        player.page.evaluate(f"{SCRIPTS}.show", name)
        assert not measured(player, "astray", f"#{name}")
        player.page.evaluate("(id) => { document.getElementById(id).hidden = true }", name)


@pytest.mark.full
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_every_state_fits(
    browse: Browse, playroom: Playroom, width: int, height: int, lang: str
) -> None:
    """Undo asked, chat, trick and deal and match over, refereed, many seats: in each language."""
    player = browse(lang, width=width, height=height, still=True, moving=False, touch=True)
    player.forgiven = "Failed to load resource"
    wrong = []
    with dealt_from(playroom, SEED):
        for walk in TABLES:
            for state in walk(player):
                wrong += [f"{state}: {each}" for each in state_faults(player)]
    assert not wrong, "\n".join(wrong)


LOST = "() => !document.getElementById('connection').hidden"


@pytest.fixture(scope="module")
def one_line(playroom: Playroom) -> Iterator[Line]:
    """One address for all, so that browsers have its files already."""
    with Line(playroom.address) as line:
        yield line


@pytest.fixture
def reader(browse: Browse, one_line: Line) -> Iterator[tuple[Player, Line]]:
    """Somebody at a line that can be cut, who has passed, and has to play."""
    player = browse("en", still=True, at=one_line.address)
    player.forgiven = "WebSocket|ERR_CONNECTION_REFUSED"
    player.come_in()
    player.begin("microsoft", seed=DEAL)
    player.due()
    do_what_is_due(player, Keys(), "Pass")
    assert player.due() == "Play"
    yield player, one_line
    one_line.cut()
    one_line.mend()


@pytest.mark.full
def test_a_card_leaves_the_hand_at_once_waits_for_a_dead_line_and_is_played_once(
    reader: tuple[Player, Line],
) -> None:
    player, line = reader
    player.take_focus()
    card = legal(player).first.get_attribute("data-key")
    line.die()
    player.page.focus(f"[id='card-{card}']")
    player.keys("Enter", "Enter")
    player.page.wait_for_selector("#trick .waiting", state="attached")
    assert player.held() == 12
    assert player.page.locator("#trick .waiting").count() == 1
    assert player.focused().startswith("card-")
    assert not any(line.startswith("You play") for line in player.said)
    player.wait(LOST)
    player.page.wait_for_selector("#waiting:not([hidden])")
    player.wait("() => window.watched.scene.hand.length === 12")
    player.wait("() => document.getElementById('waiting').hidden")
    player.due()
    assert player.held() == 12
    assert card not in [each["card"] for each in player.scene["hand"]]
    player.keep_focus()


BETWEEN: Final = """(() => {
  const later = window.setTimeout.bind(window);
  const timers = [];
  window.setTimeout = (run, wait) =>
    String(run).includes("means.paint()") ? timers.push(run) : later(run, wait);
  window.WebSocket = class extends WebSocket {
    constructor(...about) {
      super(...about);
      this.addEventListener("message", ({ data }) => {
        if (!data.includes('"say":"scene"')) return;
        window.run = (window.run ?? 0) + timers.splice(0).map((run) => run()).length;
      });
    }
  };
})()"""
"""Has the hand close up after the table has told of a card, and just before its scene comes."""


@pytest.mark.full
def test_a_trick_lies_a_while_however_soon_the_table_takes_the_card(browse: Browse) -> None:
    player = browse("en", still=True, own=True)
    player.page.add_init_script(BETWEEN)
    player.at_turn(seed=DEAL, trick_pace=600)
    while len(player.scene["trick"]) < 3:
        do_what_is_due(player, Keys(), "Play")
        assert player.due() == "Play"
    legal(player).first.press("Enter")
    player.page.wait_for_selector("#taken li", state="attached")
    assert player.page.evaluate("window.run") > 0


def test_one_act_waits_for_a_dead_line_is_said_once_and_can_be_taken_back(
    reader: tuple[Player, Line],
) -> None:
    player, line = reader
    card = legal(player).first.get_attribute("data-key")
    barred = player.page.locator("#hand [aria-disabled=true]").first.get_attribute("id")
    player.page.locator(f"[id='{barred}']").press("Enter")
    player.page.wait_for_selector("#answer-section.refused")
    line.cut()
    player.wait(LOST)
    player.page.locator(f"[id='{barred}']").press("Enter")  # in vain, as is known
    player.page.wait_for_selector("#answer-section.refused")
    assert not player.page.is_visible("#waiting")
    player.page.focus(f"[id='card-{card}']")
    player.keys("Enter")
    player.page.wait_for_selector("#waiting:not([hidden])")
    assert player.held() == 12
    assert not player.page.is_visible("#answer-section"), "it would lie over the note"
    player.page.locator(f"[id='{barred}']").press("Enter")
    player.hears("has not been sent yet")
    assert not player.page.is_visible("#answer-section")
    assert sum("will be sent when it is back" in line for line in player.said) == 1
    player.keys("Escape")
    assert player.held() == 13
    assert player.focused() == f"card-{card}"
    player.keys("Enter")
    player.page.wait_for_selector("#waiting:not([hidden])")
    line.mend()
    player.wait("() => document.getElementById('connection').hidden")
    player.wait("() => window.watched.scene.hand.length === 12")
    player.due()
    assert player.held() == 12


@pytest.mark.full
def test_a_refused_card_comes_back_and_a_hint_marks_its_card(reader: tuple[Player, Line]) -> None:
    player, _ = reader
    assert player.page.title().startswith("Your turn – ")
    player.take_focus()
    player.keys("i")
    player.page.wait_for_selector("#hand .hinted")
    hinted = player.page.locator("#hand .hinted")
    assert hinted.count() == 1
    assert player.page.is_visible("#answer-section.pointing")
    barred = player.page.locator("#hand [aria-disabled=true]").first
    barred.click(force=True, position=CORNER)
    player.page.wait_for_selector("#answer-section.refused.pointing")
    player.page.click("#answer-close")
    assert not player.page.is_visible("#answer-section")
    do_what_is_due(player, Mouse(), "Play")
    assert hinted.count() == 0


@pytest.mark.full
def test_keys_are_answered_from_what_is_known_while_the_line_is_dead(
    reader: tuple[Player, Line],
) -> None:
    player, line = reader
    player.take_focus()
    hand = [each["name"] for each in player.scene["hand"]]
    status = player.scene["status"]
    line.die()
    for key in "tthc":  # while the answer is not known yet: only the last is answered
        player.keys(key)
    line.cut()
    player.wait(LOST)
    player.hears("Before the connection")
    heard = len(player.said)
    for key, told in (
        ("t", status),
        ("h", ", ".join(hand)),
        ("s", player.scene["seats"][1]["name"]),
    ):
        player.keys(key)
        player.wait(
            "([n, told]) => window.watched.said.slice(n).join().includes(told)", [heard, told]
        )
        heard = len(player.said)
    player.keys("i")
    player.hears("The connection is lost: ask again when it is back.")
    line.mend()
    player.wait("() => document.getElementById('connection').hidden")
    player.hears("The connection is back.")  # and then perhaps whose turn it is
    player.page.wait_for_timeout(500)
    told_before = [each for each in player.said if each.startswith("Before the connection")]
    assert len(told_before) == 4
    back = [place for place, each in enumerate(player.said) if "connection is back" in each]
    assert player.said[back[-1] + 1 :] in ([], ["Your turn."])  # no answer once more


HEBREW: Final = "יוסף בן מתתיהו הכהן הגדול מירושלים 37"
CUT: Final = """(name) => {
    const plate = [...document.querySelectorAll('.plate .name')]
        .find((each) => each.textContent === name);
    const range = document.createRange();
    range.setStart(plate.firstChild, 0);
    range.setEnd(plate.firstChild, 1);
    const [letter, box] = [range, plate].map((each) => each.getBoundingClientRect());
    const within = letter.left >= box.left && letter.right <= box.right + 1;
    return { cut: plate.scrollWidth > plate.clientWidth, within };
}"""
TOGETHER: Final = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const text = node.data.replace(/\\u2068[^\\u2069]*\\u2069/g, '');
        if (/[א-ת]./.test(text) && !node.parentElement.closest('bdi, [dir=auto]')) found.push(text);
    }
    return found;
}"""


def test_a_name_from_right_to_left_keeps_its_beginning_and_stands_apart(browse: Browse) -> None:
    player = browse("en").come_in(HEBREW)
    player.begin("microsoft", pass_count=0)
    player.due()
    assert player.page.evaluate(CUT, HEBREW) == {"cut": True, "within": True}
    assert player.page.evaluate(TOGETHER) == []
