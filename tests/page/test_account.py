"""An account made, lost and found again by the keyboard alone, in a browser, in both languages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from kit.sites import House
from page.judging import axe_faults, room_faults
from page.places import account_pages
from page.players import Player
from playwright.sync_api import Browser

NUMBERS = itertools.count(1)
FIRST, SECOND = "lune rousse à midi", "neuf pommes vertes"
FOCUSED = "() => document.activeElement?.id || document.activeElement?.textContent?.trim()"


@pytest.fixture(params=["en", pytest.param("fr", marks=pytest.mark.full)])
def typist(browser: Browser, house: House, request: pytest.FixtureRequest) -> Iterator[Player]:
    """Somebody who touches nothing but keys, at a telephone's width."""
    player = Player(browser, house, request.param, width=320)
    player.come_in()
    yield player
    player.assert_content()
    player.close()


def tab_to(player: Player, wanted: str) -> None:
    """Goes to a control by its id, or by what it is called."""
    for _ in range(60):
        player.page.keyboard.press("Tab")
        if player.page.evaluate(FOCUSED) == wanted:
            return
    raise AssertionError(f"no Tab leads to {wanted}")


def typed(player: Player, **fields: str) -> None:
    """Fills a form in and sends it off by Enter."""
    for name, value in fields.items():
        tab_to(player, name)
        player.page.keyboard.type(value)
    player.page.keyboard.press("Enter")
    player.page.wait_for_load_state()


def test_an_account_is_made_and_recovered_by_keys_alone(typist: Player) -> None:
    page, login = typist.page, f"zoé {next(NUMBERS)}"
    typist.forgiven = "422"
    typist.go_to("/account")
    typed(typist, login=login, password="12345678")
    page.wait_for_selector("#password-fault")
    assert typist.focused() == "faults"
    assert page.input_value("#login") == login
    page.keyboard.press("Tab")  # the link of the fault leads to its field
    page.keyboard.press("Enter")
    assert typist.focused() == "password"
    page.keyboard.type(FIRST)
    tab_to(typist, "revealed")
    page.keyboard.press("Space")
    assert page.get_attribute("#password", "type") == "text"
    assert page.input_value("#password") == FIRST
    page.focus("#password")
    page.keyboard.press("Enter")
    page.wait_for_selector("#codes")
    assert axe_faults(page) + room_faults(page) == []
    code = page.locator("#codes code").first.inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab_to(typist, "copy")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:not(:empty)")
    assert page.evaluate("navigator.clipboard.readText()").splitlines()[0] == code
    typist.context.clear_cookies()
    typist.go_to("/signin")
    typed(typist, login=login, password=SECOND)
    page.wait_for_selector("#password-fault")
    page.locator("a[href='/recover']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/recover")
    typed(typist, login=login.upper(), code=code.upper(), password=SECOND)
    page.wait_for_selector("a[href='/account/codes']")
    typist.go_to("/account")
    assert login in page.inner_text("main")


@pytest.mark.full
def test_every_page_of_an_account(typist: Player) -> None:
    typist.forgiven = "422|401"
    faults = [
        f"{name}: {fault}"
        for name in account_pages(typist)
        for fault in axe_faults(typist.page) + room_faults(typist.page)
    ]
    assert not faults, "\n".join(faults)
