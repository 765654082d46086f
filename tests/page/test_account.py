"""Accounts and passkeys in a browser: made, lost and found again by keys alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from kit.browser.judging import axe_faults, room_faults
from kit.browser.means import tab_to
from kit.browser.pages import account_pages
from kit.browser.players import Browse, Player
from kit.sites import Playroom
from playwright.sync_api import Browser

NUMBERS = itertools.count(1)
FIRST, SECOND = "lune rousse à midi", "neuf pommes vertes"


@pytest.fixture(params=["en", pytest.param("fr", marks=pytest.mark.full)])
def typist(browse: Browse, request: pytest.FixtureRequest) -> Player:
    """Somebody who touches nothing but keys, at a telephone's width."""
    return browse(request.param, width=320).come_in()


def fill_in(player: Player, **fields: str) -> None:
    """Fills a form in and sends it off by Enter."""
    for name, value in fields.items():
        tab_to(player, f"#{name}")
        player.page.keyboard.type(value)
    player.keys("Enter")
    player.page.wait_for_load_state()


@pytest.mark.full
def test_an_account_is_made_and_recovered_by_keys_alone(typist: Player) -> None:
    page, login = typist.page, f"zoé {next(NUMBERS)}"
    typist.forgiven = "422"
    typist.go_to("/account")
    fill_in(typist, login=login, password="12345678")
    page.wait_for_selector("#password-fault")
    assert typist.focused() == "faults"
    assert page.input_value("#login") == login
    page.keyboard.press("Tab")  # the link of the fault leads to its field
    page.keyboard.press("Enter")
    assert typist.focused() == "password"
    page.keyboard.type(FIRST)
    tab_to(typist, "#revealed")
    page.keyboard.press("Space")
    assert page.get_attribute("#password", "type") == "text"
    assert page.input_value("#password") == FIRST
    page.focus("#password")
    page.keyboard.press("Enter")
    page.wait_for_selector("#codes")
    assert axe_faults(page) + room_faults(page) == []
    code = page.locator("#codes code").first.inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab_to(typist, "#copy")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:not(:empty)")
    assert page.evaluate("navigator.clipboard.readText()").splitlines()[0] == code
    typist.context.clear_cookies()
    typist.go_to("/signin")
    fill_in(typist, login=login, password=SECOND)
    page.wait_for_selector("#password-fault")
    page.locator("a[href='/recover']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/recover")
    fill_in(typist, login=login.upper(), code=code.upper(), password=SECOND)
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


PAGE: Final = "/account/passkeys"
INSIDE: Final = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
"""A device that recognizes its owner's finger at once."""

MAKE: Final = {"en": "Create the passkey", "fr": "Créer la clé d’accès"}
REMOVE: Final = {"en": "Remove the passkey", "fr": "Supprimer la clé d’accès"}
ADDED: Final = {"en": "The passkey has been saved", "fr": "La clé d’accès a été enregistrée"}
CANCELLED: Final = {"en": "cancelled", "fr": "annulé"}
KNOWN: Final = {"en": "already", "fr": "déjà"}
NEEDS: Final = {"en": "need an address with a name", "fr": "ne marchent que si l’adresse"}


class Holder(Player):
    """Somebody at a browser with an authenticator in it."""

    def __init__(self, browser: Browser, playroom: Playroom, lang: str, **more: Any) -> None:
        address = playroom.address.replace("127.0.0.1", "localhost")  # no passkey is for a number
        super().__init__(browser, address, lang, **more)
        self.forgiven = "Failed to load resource"
        self.tools = self.context.new_cdp_session(self.page)
        self.tools.send("WebAuthn.enable")
        added = self.tools.send("WebAuthn.addVirtualAuthenticator", {"options": INSIDE})
        self.authenticator: str = added["authenticatorId"]

    def recognize(self, yes: bool) -> None:
        """Whether it is the owner's finger from now on."""
        params = {"authenticatorId": self.authenticator, "isUserVerified": yes}
        self.tools.send("WebAuthn.setUserVerified", params)

    def press(self, name: str) -> None:
        """Walks to a button by Tab, and presses it."""
        for _ in range(60):
            if self.page.locator(f"button:text-is('{name}'):focus").count():
                break
            self.keys("Tab")
        self.keys("Enter")

    def make(self, name: str) -> None:
        """One more passkey of that name."""
        self.go_to(PAGE)
        tab_to(self, "#name")
        self.keys("Control+A")
        self.page.keyboard.type(name)
        self.press(MAKE[self.lang])


@pytest.fixture
def hold(browser: Browser, playroom: Playroom) -> Iterator[Callable[..., Holder]]:
    """Opens a browser with an authenticator; it complains of nothing."""
    holders: list[Holder] = []

    def opens(lang: str = "fr", name: str = "Anne", **more: Any) -> Holder:
        holders.append(Holder(browser, playroom, lang, **more).come_in(name))
        return holders[-1]

    yield opens
    for each in holders:
        assert not each.complaints
        each.close()


@pytest.fixture
def anne(hold: Callable[..., Holder]) -> Holder:
    return hold(width=320)


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_a_guest_makes_a_passkey_and_comes_back_with_it_by_keys_alone(
    hold: Callable[..., Holder], lang: str
) -> None:
    holder = hold(lang)
    holder.make("Laptop")
    holder.shown(".saved").to_contain_text(ADDED[holder.lang])
    holder.shown("h3").to_have_text("Laptop")
    holder.context.clear_cookies()
    holder.go_to(f"/signin?next={PAGE}")
    tab_to(holder, "form[data-passkey=signin] button")
    holder.keys("Enter")
    holder.shown("h3").to_have_text("Laptop")
    assert holder.page.url.endswith(PAGE)


@pytest.mark.full
def test_whoever_signs_in_with_a_passkey_finds_the_form_that_was_refused(anne: Holder) -> None:
    anne.make("Laptop")
    anne.shown(".saved").to_be_visible()
    anne.go_to("/clubs/new")
    anne.page.fill("#name", "Zwölf & <b>")
    anne.context.clear_cookies()
    anne.keys("Enter")
    anne.shown("#reason").to_have_attribute("data-reason", "no_session")
    tab_to(anne, "form[data-passkey=signin] button")
    anne.keys("Enter")
    anne.shown("#reason").to_have_attribute("data-reason", "csrf")
    anne.shown("#name").to_have_value("Zwölf & <b>")


def test_what_goes_wrong_is_said_and_the_focus_stays(anne: Holder) -> None:
    anne.recognize(False)
    anne.make("Laptop")
    anne.shown("#make-wrong").to_contain_text(CANCELLED["fr"])
    anne.shown("#make-said").to_be_empty()
    anne.shown("form[data-passkey] button").to_be_focused()
    anne.recognize(True)
    anne.make(" ")
    anne.shown("#name-fault").to_be_visible()
    anne.shown("#name").to_be_focused()
    anne.shown("#name").to_have_attribute("aria-invalid", "true")
    anne.page.keyboard.type("Laptop")
    anne.keys("Enter")
    anne.shown(".saved").to_contain_text(ADDED["fr"])
    assert axe_faults(anne.page) + room_faults(anne.page) == []


@pytest.mark.full
def test_a_second_passkey_asks_for_the_first_and_no_device_has_two(anne: Holder) -> None:
    anne.make("Laptop")
    anne.shown(".saved").to_be_visible()
    anne.make("Again")
    anne.shown("#make-said").not_to_be_empty()
    anne.press(MAKE["fr"])
    anne.shown("#make-wrong").to_contain_text(KNOWN["fr"])


@pytest.mark.full
def test_a_passkey_is_removed_by_whoever_shows_it(anne: Holder) -> None:
    anne.make("Laptop")
    anne.shown("h3").to_have_text("Laptop")
    tab_to(anne, "ul.tables a")
    anne.keys("Enter")
    anne.shown("h1").to_contain_text("Laptop")
    assert axe_faults(anne.page) + room_faults(anne.page) == []
    anne.press(REMOVE["fr"])
    anne.shown(".saved").to_be_visible()
    assert anne.page.locator("h3").count() == 0


def test_where_no_passkey_can_be_there_is_no_button_but_the_reason(browse: Browse) -> None:
    player = browse("fr", own=True).come_in()
    for path in (PAGE, "/signin"):
        player.go_to(path)  # by the number of the machine
        player.shown("form[data-passkey] .help[id$=why]").to_contain_text(NEEDS["fr"])
        player.shown("form[data-passkey] button").to_be_hidden()
    player.context.add_init_script("delete window.PublicKeyCredential")
    player.go_to(PAGE)
    player.shown("#make-why").to_contain_text("navigateur")
