"""Pages without a server: the browser makes them itself, whatever becomes of its host."""

from __future__ import annotations

from datetime import date
from typing import Final

import pytest
from kit.browser.alone import LONG, Alone
from kit.exporting import exported
from kit.hosting import Host
from playwright.sync_api import Browser, expect

from volte.lessons.puzzles import daily
from volte.say import words_of

BASE: Final = "/games/volte"
KEPT: Final = "navigator.serviceWorker.ready.then((each) => each.active.state)"
WORDS: Final = words_of("en")


def come(alone: Alone, path: str) -> None:
    """Wait for the page of that address below the language, with the focus on its heading."""
    alone.page.wait_for_url(f"**/en/{path}", timeout=LONG)
    expect(alone.page.locator("main h1").first).to_be_focused()


def go(alone: Alone, name: str) -> None:
    """Follow a link of the site by Enter."""
    alone.page.locator("#site-nav a", has_text=WORDS.t(name)).press("Enter")


@pytest.mark.full
@pytest.mark.usefixtures("one_day")
def test_a_lesson_a_puzzle_and_the_clerk_with_the_host_gone_in_the_middle(
    browser: Browser,
) -> None:
    """By keys. One request is enough for a page, and it can be come back to."""
    with Host({BASE: exported(BASE)}) as host:
        alone = Alone(browser, host.address + BASE, "en")
        page = alone.page
        alone.go_to("/learn/3")
        come(alone, "learn/?at=/learn/3")
        page.locator("#card-KC").press("Enter")
        alone.shown("#live").to_have_text(
            "The king of clubs is higher than the 9 of clubs. Play a lower card."
        )
        assert alone.focused() == "card-KC"
        page.locator("#card-8C").press("Enter")
        alone.shown("#next").to_be_focused()
        page.evaluate(KEPT)
        host.stop()
        alone.keys("Enter")
        come(alone, "learn/?at=/learn/4")
        go(alone, "Puzzles")
        come(alone, "puzzle/")
        page.locator(f"#card-{daily(date.today()).best[0].text}").press("Enter")
        alone.shown("#done").to_be_visible()
        go(alone, "Rules clerk")
        come(alone, "clerk/")
        question = page.locator("main a[href*='/clerk/revoke']")
        question.evaluate("(link) => { link.focus(); link.click(); link.click(); }")
        come(alone, "clerk/?at=/clerk/revoke")
        told = page.locator("main p").all_inner_texts()
        page.reload()
        come(alone, "clerk/?at=/clerk/revoke")
        assert page.locator("main p").all_inner_texts() == told
        page.go_back()
        expect(question).to_be_focused()
        page.go_back()
        come(alone, "puzzle/")
        assert alone.complaints == []
        alone.close()


@pytest.mark.full
def test_what_is_typed_is_there_again_after_a_reload_and_after_back(browser: Browser) -> None:
    """Where Python has failed, nothing helps but a reload."""
    with Host({BASE: exported(BASE)}) as host:
        alone = Alone(browser, host.address + BASE, "en")
        page, name = alone.page, alone.page.locator("[name=seat1]")
        alone.go_to("/score/new#%")
        name.fill("Zoé")
        page.locator("[name=preset]").select_option("omnibus")
        for again in (page.reload, page.go_back):
            if again == page.go_back:
                go(alone, "Puzzles")
                come(alone, "puzzle/")
            again()
            expect(name).to_have_value("Zoé", timeout=LONG)
            expect(page.locator("[name=preset]")).to_have_value("omnibus")
        assert alone.complaints == []
        alone.close()
