"""A deal by a link, from the page of a match to the standings, by keys."""

from __future__ import annotations

import pytest
from kit.browser import states
from kit.browser.backdrops import kept_for
from kit.browser.means import Keys, play_match, press
from kit.browser.players import WHOLE, Browse
from kit.matches import played

from volte.boards.keeper import BoardKeeper
from volte.rules import make_ruleset
from volte.say import Words

LANGUAGES = ("en", "fr") if WHOLE else ("fr",)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whoever_has_the_address_plays_the_deal_and_then_sees_how_others_did(
    browse: Browse, lang: str
) -> None:
    zoe = browse(lang).come_in()
    rules = make_ruleset("microsoft", {"match_end": "deals:2", "removed": states.SIXTEEN})
    match = kept_for(zoe, played(rules))
    zoe.go_to(f"/matches/{match}")
    zoe.page.select_option("#number", "2")
    zoe.page.press("form[action='/deals'] button", "Enter")
    zoe.page.wait_for_selector(".saved:focus")
    address = zoe.page.input_value("#share")
    zoe.page.wait_for_url(address)  # which does not say once more that it is ready
    friend = browse(lang, own=True).come_in("Max")
    friend.page.goto(address)
    assert not friend.page.locator("#firsts, #guests, #others").count()
    friend.page.press("#play button", "Enter")
    friend.page.wait_for_selector("#hand [role=option]")
    company = "At the table, clockwise from your left: {players}."
    begun = Words(lang).t(company, players="").strip(" .")
    friend.hears(begun)
    friend.page.reload()
    friend.page.wait_for_selector("#hand [role=option]")
    friend.hears(friend.scene["status"])
    assert begun not in " ".join(friend.said)
    assert not friend.page.locator("#talk-part:visible, [data-key=talk]").count()  # with nobody
    friend.take_focus()
    play_match(friend, Keys())
    friend.keep_focus()
    press(friend, "Onward")
    friend.page.wait_for_selector("#guests")
    rows = friend.page.locator("[aria-labelledby=guests] tbody tr")
    assert rows.count() == 1
    friend.page.press("[aria-describedby=named-now]", "Enter")
    friend.page.wait_for_selector(".saved:focus")
    friend.playroom.do(friend.playroom.site.room[BoardKeeper].idle())
    zoe.page.reload()
    zoe.page.wait_for_selector("[aria-labelledby=guests] >> text=Max")
    zoe.page.press("form[action$='/end'] button", "Enter")
    zoe.page.wait_for_selector(".saved:focus")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whoever_opens_a_set_is_led_from_deal_to_deal_by_its_sentences(
    browse: Browse, lang: str
) -> None:
    """By keys alone; the sentence of the second deal is told after the first."""
    zoe = browse(lang).come_in()
    rules = make_ruleset("microsoft", {"match_end": "deals:2", "removed": states.SIXTEEN})
    match = kept_for(zoe, played(rules))
    for number in ("1", "2"):
        zoe.go_to(f"/matches/{match}")
        zoe.page.select_option("#number", number)
        zoe.page.press("form[action='/deals'] button", "Enter")
        zoe.page.wait_for_selector(".saved:focus")
    zoe.go_to("/deals/sets/new")
    zoe.page.fill("#title", "Voids")
    for row, sentence in enumerate(("Count the spades.", "Lead low."), start=1):
        zoe.page.select_option(f"#deal{row}", index=row)
        zoe.page.fill(f"#before{row}", sentence)
    zoe.page.press("#set-form button.first", "Enter")
    zoe.page.wait_for_selector(".saved:focus")
    address = zoe.page.input_value("#share")
    friend = browse(lang, own=True).come_in("Max")
    friend.page.goto(address)
    assert friend.page.inner_text("section[aria-labelledby=next] .lead") == "Count the spades."
    assert not friend.page.locator("text=Lead low.").count()
    friend.page.press("#play button", "Enter")
    friend.page.wait_for_selector("#hand [role=option]")
    friend.take_focus()
    play_match(friend, Keys())
    friend.keep_focus()
    press(friend, "Onward")
    friend.page.wait_for_selector("#guests")
    friend.page.press("a.button.first[href*='/deals/sets/']", "Enter")
    friend.page.wait_for_selector("section[aria-labelledby=next] >> text=Lead low.")
    assert friend.page.locator("section[aria-labelledby=past] li").count() == 1
    friend.page.press("a.button[href$='/report']", "Enter")
    friend.page.press("#report-form button.first", "Enter")
    friend.page.wait_for_selector(".saved:focus")
