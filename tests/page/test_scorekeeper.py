"""The score-keeper's page, on a telephone on the kitchen table."""

from __future__ import annotations

import pytest
from kit.browser.players import Browse, Player
from kit.browser.scoring import (
    FORGIVEN,
    GOLDEN,
    Keyboard,
    Means,
    Thumb,
    begin,
    evening,
    fits_a_thumb,
    goes,
    score_states,
    taken_home,
    tell,
)
from page.test_every_page import LOOKS, Look, judge

from volte.scorekeeper.model import parse_sheet


@pytest.fixture
def phone(browse: Browse) -> Player:
    """Somebody's telephone, held upright."""
    player = browse("fr", width=390, height=780, touch=True)
    player.forgiven = FORGIVEN
    player.come_in("Anne")
    return player


@pytest.fixture
def keys(browse: Browse) -> Player:
    """A window as small as the telephone's, without touch or a mouse."""
    player = browse("fr", width=390, height=780)
    player.forgiven = FORGIVEN
    player.come_in("Anne")
    return player


def golden(player: Player, means: Means) -> None:
    """The evening told on the page is the one that was checked by hand."""
    told = evening(player, means, lambda: fits_a_thumb(player))
    checked = parse_sheet(GOLDEN.read_text(encoding="utf-8"))
    assert told.table == checked.table
    assert told.accepted
    shown = player.page.inner_text("main")
    for owed in ("Anne paie 16 mises (4,00 €) à David", "Chloé paie 7 mises (1,75 €) à David"):
        assert owed.replace(" ", "") in "".join(shown.split()), shown


@pytest.mark.full
def test_the_whole_evening_by_taps(phone: Player) -> None:
    golden(phone, Thumb())


@pytest.mark.full
def test_the_whole_evening_by_keys_alone(keys: Player) -> None:
    golden(keys, Keyboard())


def test_a_deal_takes_five_taps_and_can_be_taken_back(phone: Player) -> None:
    begin(phone, Thumb())
    phone.page.evaluate(
        "window.taps = 0; addEventListener('pointerdown', () => {"
        " sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1; })"
    )
    tell(phone, Thumb(), 3, 4, 6, queen=1)
    assert phone.page.evaluate("Number(sessionStorage.taps)") == 5
    assert phone.focused() == "done"
    goes(phone, Thumb(), "button[value='undo']")
    assert taken_home(phone).table.rows == ()


def test_the_sum_is_shown_as_it_is_made_and_the_last_count_fills_itself_in(phone: Player) -> None:
    begin(phone, Thumb())
    total = phone.page.locator("#sum")
    assert total.inner_text() == "Cœurs\u00a0: 0 sur 13"
    for seat, (number, told) in enumerate(
        [(3, "Cœurs\u00a0: 3 sur 13"), (4, "Cœurs\u00a0: 7 sur 13")]
    ):
        Thumb().count(phone, seat, number)
        assert total.inner_text() == told
    Thumb().count(phone, 2, 5)
    assert phone.page.locator("#count-3").get_attribute("placeholder") == "1"
    assert total.inner_text() == "Cœurs\u00a0: 13 sur 13"
    assert phone.page.locator("#count-3").input_value() == ""


def test_a_refused_deal_leads_to_its_fault_and_keeps_what_was_tapped(phone: Player) -> None:
    begin(phone, Thumb())
    tell(phone, Thumb(), 9, 9, queen=0)
    phone.wait("() => document.activeElement?.id === 'faults'")
    assert phone.page.locator("#count-1").input_value() == "9"
    assert phone.page.locator("#queen-0").is_checked()
    goes_to = phone.page.locator("#faults a").get_attribute("href")
    assert goes_to == "#counts"


@pytest.mark.full
@pytest.mark.parametrize("width", [320, 390])
def test_everything_can_be_hit_with_a_thumb(phone: Player, width: int) -> None:
    phone.page.set_viewport_size({"width": width, "height": 720})
    for _ in score_states(phone):
        fits_a_thumb(phone)


def test_a_double_tap_writes_once(phone: Player) -> None:
    begin(phone, Thumb())
    with phone.page.expect_navigation():
        phone.page.evaluate(
            f"() => {{ const b = document.querySelector('button[value=moon-{1}]');"
            " b.click(); b.click(); }"
        )
    assert len(taken_home(phone).table.rows) == 1


@pytest.mark.full
def test_who_watches_sees_the_sheet_grow(phone: Player) -> None:
    sheet = begin(phone, Thumb())
    goes(phone, Thumb(), "button[value='share']")
    address = phone.page.input_value("#watch-address")
    friend = phone.beside()
    friend.page.goto(address)
    phone.page.goto(sheet)
    tell(phone, Thumb(), 3, 4, 6, queen=1)
    friend.page.wait_for_selector("#sheet tbody tr")
    assert "Anne" in (friend.page.text_content("#standing") or "")


@pytest.mark.full
@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_every_state_of_the_score_keeper(
    browse: Browse, look: Look, request: pytest.FixtureRequest
) -> None:
    touch = look.width < 400
    player = browse(look.lang, width=look.width, height=720, theme=look.theme, touch=touch)
    player.forgiven = FORGIVEN
    player.come_in("Anne")
    judge(player, score_states(player), request)
