"""Passkeys in a real browser, with an authenticator of the browser's own making: by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from kit.sites import House
from page.judging import axe_faults, room_faults
from page.means import tab_to
from page.players import Player
from playwright.sync_api import Browser, expect

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

MAKE: Final = {"en": "Make the passkey", "fr": "Créer la clé d’accès"}
REMOVE: Final = {"en": "Remove the passkey", "fr": "Supprimer la clé d’accès"}
ADDED: Final = {"en": "The passkey is kept", "fr": "La clé d’accès est enregistrée"}
CANCELLED: Final = {"en": "cancelled", "fr": "annulé"}
KNOWN: Final = {"en": "already", "fr": "déjà"}
NEEDS: Final = {"en": "need an address with a name", "fr": "ont besoin d’une adresse"}


class Holder(Player):
    """Somebody at a browser with an authenticator in it.

    Attributes:
        device: what the browser calls the authenticator.
    """

    def __init__(self, browser: Browser, house: House, lang: str, **more: Any) -> None:
        address = house.address.replace("127.0.0.1", "localhost")  # no passkey is for a number
        super().__init__(browser, address, lang, **more)
        self.forgiven = "Failed to load resource"
        self.tools = self.context.new_cdp_session(self.page)
        self.tools.send("WebAuthn.enable")
        added = self.tools.send("WebAuthn.addVirtualAuthenticator", {"options": INSIDE})
        self.device: str = added["authenticatorId"]

    def recognized(self, yes: bool) -> None:
        """Whether it is the owner's finger from now on."""
        asked = {"authenticatorId": self.device, "isUserVerified": yes}
        self.tools.send("WebAuthn.setUserVerified", asked)

    def press(self, name: str) -> None:
        """Walks to a button by Tab, and presses it."""
        inside = f"button:text-is('{name}')"
        for _ in range(60):
            if self.page.locator(f"{inside}:focus").count():
                break
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")

    def make(self, name: str) -> None:
        """One more passkey of that name."""
        self.go_to(PAGE)
        tab_to(self, "#name")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(name)
        self.press(MAKE[self.lang])

    def heard(self, what: str) -> Any:
        """What the form of that kind says at the moment."""
        return expect(self.page.locator(f"#{what}"))


def holder_of(browser: Browser, house: House, lang: str, **more: Any) -> Iterator[Holder]:
    holder = Holder(browser, house, lang, **more)
    try:
        yield holder
    finally:
        holder.assert_content()
        holder.close()


@pytest.fixture(params=["fr", pytest.param("en", marks=pytest.mark.full)])
def holder(browser: Browser, house: House, request: pytest.FixtureRequest) -> Iterator[Holder]:
    yield from holder_of(browser, house, request.param)


@pytest.fixture
def anne(browser: Browser, house: House) -> Iterator[Holder]:
    yield from holder_of(browser, house, "fr", width=320)


def test_a_guest_makes_a_passkey_and_comes_back_with_it_by_keys_alone(holder: Holder) -> None:
    holder.come_in("Zoé")
    holder.make("Laptop")
    expect(holder.page.locator(".saved")).to_contain_text(ADDED[holder.lang])
    expect(holder.page.locator("h3")).to_have_text("Laptop")
    holder.context.clear_cookies()
    holder.go_to(f"/signin?next={PAGE}")
    tab_to(holder, "form[data-passkey=signin] button")
    holder.page.keyboard.press("Enter")
    expect(holder.page.locator("h3")).to_have_text("Laptop")
    assert holder.page.url.endswith(PAGE)


def test_what_goes_wrong_is_said_and_the_focus_stays(anne: Holder) -> None:
    anne.come_in("Anne")
    anne.recognized(False)
    anne.make("Laptop")
    anne.heard("make-wrong").to_contain_text(CANCELLED["fr"])
    anne.heard("make-said").to_be_empty()
    expect(anne.page.locator("form[data-passkey] button")).to_be_focused()
    anne.recognized(True)
    anne.make(" ")
    anne.heard("name-fault").to_be_visible()
    expect(anne.page.locator("#name")).to_be_focused()
    expect(anne.page.locator("#name")).to_have_attribute("aria-invalid", "true")
    anne.page.keyboard.type("Laptop")
    anne.page.keyboard.press("Enter")
    expect(anne.page.locator(".saved")).to_contain_text(ADDED["fr"])
    assert axe_faults(anne.page) + room_faults(anne.page) == []


@pytest.mark.full
def test_a_second_passkey_asks_for_the_first_and_no_device_has_two(anne: Holder) -> None:
    anne.come_in("Anne")
    anne.make("Laptop")
    expect(anne.page.locator(".saved")).to_be_visible()
    anne.make("Again")
    anne.heard("make-said").not_to_be_empty()
    anne.press(MAKE["fr"])
    anne.heard("make-wrong").to_contain_text(KNOWN["fr"])


@pytest.mark.full
def test_a_passkey_is_removed_by_whoever_shows_it(anne: Holder) -> None:
    anne.come_in("Anne")
    anne.make("Laptop")
    expect(anne.page.locator("h3")).to_have_text("Laptop")
    tab_to(anne, "ul.tables a")
    anne.page.keyboard.press("Enter")
    expect(anne.page.locator("h1")).to_contain_text("Laptop")
    assert axe_faults(anne.page) + room_faults(anne.page) == []
    anne.press(REMOVE["fr"])
    expect(anne.page.locator(".saved")).to_be_visible()
    assert anne.page.locator("h3").count() == 0


def test_where_no_passkey_can_be_there_is_no_button_but_the_reason(player: Player) -> None:
    player.come_in()
    for path in (PAGE, "/signin"):
        player.go_to(path)  # by the number of the machine
        expect(player.page.locator("form[data-passkey] .help[id$=why]")).to_contain_text(
            NEEDS["fr"]
        )
        expect(player.page.locator("form[data-passkey] button")).to_be_hidden()
    player.context.add_init_script("delete window.PublicKeyCredential")
    player.go_to(PAGE)
    expect(player.page.locator("#make-why")).to_contain_text("navigateur")
