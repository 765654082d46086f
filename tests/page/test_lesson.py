"""The lesson in a browser: answered on the spot, told by the live region, the focus never lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kit.sites import House
from page.players import Player
from playwright.sync_api import Browser, expect

from volte.lessons.lesson import STEPS
from volte.say import Words


@pytest.fixture
def pupil(browser: Browser, house: House) -> Iterator[Player]:
    somebody = Player(browser, house, "en", width=320, height=640, touch=True)
    yield somebody
    somebody.assert_content()
    somebody.close()


def live(player: Player) -> str:
    """What the live region says now."""
    return player.page.locator("#live").inner_text()


def focused(player: Player) -> str:
    found: str = player.page.evaluate("document.activeElement.id")
    return found


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_whole_lesson_is_taken_by_keyboard(browser: Browser, house: House, lang: str) -> None:
    """Every answer is given where the focus is led to; in the end cards are dealt."""
    words = Words(lang)
    pupil = Player(browser, house, lang)
    pupil.go_to("/learn")
    pupil.page.get_by_role("link", name=words.t("Begin the lesson")).press("Enter")
    for number, step in enumerate(STEPS, start=1):
        pupil.page.wait_for_url(f"**/learn/{number}")
        for turn in [turn for scene in step.scenes for turn in scene.turns]:
            cards = turn.right_cards
            for card in cards:
                button = pupil.page.locator(f"#card-{card.text}")
                assert words.card(card) in button.evaluate(
                    "each => each.closest('.held-card').innerText"
                )
                button.focus()
                pupil.page.keyboard.press("Space" if len(cards) > 1 else "Enter")
            if len(cards) > 1:
                pupil.page.locator("form.answer .first").press("Enter")
            expect(pupil.page.locator("#live")).not_to_be_empty()
            expect(pupil.page.locator(":focus")).to_have_count(1)
            assert focused(pupil) == "next" or focused(pupil).startswith("card-")
            pupil.page.evaluate("document.getElementById('live').textContent = ''")
        if step.scenes:
            pupil.page.keyboard.press("Enter")
    pupil.page.locator("form[action='/learn/deal'] button").press("Enter")
    expect(pupil.page.locator("#hand [role=option]")).to_have_count(5)
    pupil.assert_content()
    pupil.close()


def test_a_wrong_card_is_told_at_once_and_the_focus_stays(pupil: Player) -> None:
    pupil.go_to("/learn/3")
    assert live(pupil) == ""
    pupil.page.locator("#card-KC").tap()
    clue = "The king of clubs is higher than the 9 of clubs. Play under it."
    expect(pupil.page.locator("#live")).to_have_text(clue)
    expect(pupil.page.locator("#correction")).to_have_text(clue)
    assert focused(pupil) == "card-KC"
    pupil.page.locator("#card-KC").tap()
    expect(pupil.page.locator("#live")).to_have_text(f"{clue} The answer: the 8 of clubs.")
    pupil.page.locator("#card-8C").tap()
    expect(pupil.page.locator("#next")).to_be_focused()
    assert live(pupil).startswith("You: the 8 of clubs. Alice: the 10 of clubs.")


def test_the_same_said_twice_is_written_anew(pupil: Player) -> None:
    """A live region that does not change says nothing."""
    pupil.go_to("/learn/3")
    texts = []
    for _ in range(3):
        pupil.page.locator("#hint").tap()
        pupil.page.wait_for_timeout(300)
        texts.append(pupil.page.locator("#live").evaluate("each => each.textContent"))
    assert len({text.strip() for text in texts}) == 1
    assert texts[0] != texts[1] != texts[2]


def test_what_was_answered_has_an_address_to_come_back_to(pupil: Player) -> None:
    pupil.go_to("/learn/5")
    pupil.page.locator("#card-QS").tap()
    expect(pupil.page.locator("#ask")).to_have_text("How do you drive her out?")
    pupil.page.reload()
    expect(pupil.page.locator("#ask")).to_have_text("How do you drive her out?")
    pupil.page.go_back()
    expect(pupil.page.locator("#ask")).to_have_text("Now you can be rid of her. Your card?")


def test_without_scripts_it_is_the_same_lesson(browser: Browser, house: House) -> None:
    pupil = Player(browser, house, "en", java_script_enabled=False)
    pupil.go_to("/learn/3")
    pupil.page.locator("#card-KC").click()
    assert "Play under it." in pupil.page.locator("#correction").inner_text()
    pupil.page.locator("#card-8C").click()
    pupil.page.locator("#next").click()
    assert re.search(r"/learn/4$", pupil.page.url)
    pupil.close()
