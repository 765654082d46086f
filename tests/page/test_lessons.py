"""The lesson and the puzzles in a browser, by keys, by finger and without scripts."""

from __future__ import annotations

import re
from datetime import date

import pytest
from kit.browser import fitting
from kit.browser.judging import measured
from kit.browser.players import Browse, Player
from playwright.sync_api import expect

from volte.cards import Card
from volte.lessons.lesson import STEPS
from volte.lessons.puzzles import (
    Puzzle,
    clue,
    collection,
    daily,
    following,
    named,
    solution,
    verdict,
)
from volte.say import Words

LANGUAGES = pytest.mark.parametrize("lang", ["en", pytest.param("fr", marks=pytest.mark.full)])


@pytest.fixture
def pupil(anywhere: Browse) -> Player:
    return anywhere("en", width=320, height=640, touch=True)


def live(player: Player) -> str:
    """The present message of the live region."""
    return player.page.locator("#live").inner_text()


@pytest.mark.full
@LANGUAGES
def test_the_whole_lesson_is_taken_by_keyboard(anywhere: Browse, lang: str) -> None:
    """Every answer is given where the focus is led to; in the end cards are dealt."""
    words = Words(lang)
    pupil = anywhere(lang)
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
                pupil.keys("Space" if len(cards) > 1 else "Enter")
            if len(cards) > 1:
                pupil.page.locator("form.answer .first").press("Enter")
            pupil.shown("#live").not_to_be_empty()
            pupil.shown(":focus").to_have_count(1)
            assert pupil.focused() == "next" or pupil.focused().startswith("card-")
            pupil.page.evaluate("document.getElementById('live').textContent = ''")
        if step.scenes:
            pupil.keys("Enter")
    pupil.page.locator("form[action$='/learn/deal'] button").press("Enter")
    pupil.shown("#hand [role=option]").to_have_count(5)


def test_a_wrong_card_is_told_at_once_and_the_focus_stays(pupil: Player) -> None:
    pupil.go_to("/learn/3")
    assert live(pupil) == ""
    pupil.page.locator("#card-KC").tap()
    clue = "The king of clubs is higher than the 9 of clubs. Play a lower card."
    pupil.shown("#live").to_have_text(clue)
    pupil.shown("#correction").to_have_text(clue)
    assert pupil.focused() == "card-KC"
    pupil.page.locator("#card-KC").tap()
    pupil.shown("#live").to_have_text(f"{clue} The answer: the 8 of clubs.")
    pupil.page.locator("#card-8C").tap()
    pupil.shown("#next").to_be_focused()
    assert live(pupil).startswith("You: the 8 of clubs. Alice: the 10 of clubs.")


@pytest.mark.full
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
    pupil.shown("#ask").to_have_text("How do you drive the queen out?")
    pupil.page.reload()
    pupil.shown("#ask").to_have_text("How do you drive the queen out?")
    pupil.page.go_back()
    pupil.shown("#ask").to_have_text("Now you can get rid of the queen. Your card?")


@pytest.mark.full
def test_without_scripts_it_is_the_same_lesson(browse: Browse) -> None:
    pupil = browse("en", java_script_enabled=False)
    pupil.go_to("/learn/3")
    pupil.page.locator("#card-KC").click()
    assert "Play a lower card." in pupil.page.locator("#correction").inner_text()
    pupil.page.locator("#card-8C").click()
    pupil.page.locator("#next").click()
    assert re.search(r"/learn/4$", pupil.page.url)


SPOKEN = "(times) => window.watched.said.length >= times"


def with_barred() -> Puzzle:
    """A puzzle in which a suit is to be followed, and something else is held."""
    return next(
        each
        for each in collection()
        if named(each).deal.trick and named(each, "South").legal != named(each, "South").hand
    )


def wrong_in(asked: Puzzle) -> Card:
    """The card that would cost most."""
    return asked.options[-1].cards[0]


def barred_in(asked: Puzzle) -> Card:
    view = named(asked, "South")
    return next(card for card in view.hand if card not in view.legal)


@pytest.fixture
def english(anywhere: Browse) -> Player:
    """Somebody who has not come in."""
    return anywhere("en")


def look(player: Player, asked: Puzzle) -> None:
    player.go_to(f"/puzzle/{asked.number}")
    player.page.wait_for_selector("#questions button")


def press(player: Player, card: Card) -> None:
    """Plays a card by Enter, wherever the focus is."""
    player.page.focus(f"#card-{card.text}")
    player.keys("Enter")


def hear(player: Player, *told: str) -> None:
    player.hears(" ".join(line if line[-1] in ".!?…:;" else f"{line}." for line in told))


def kept(player: Player) -> str:
    found: str = player.page.evaluate("localStorage.getItem('volte.puzzles') ?? ''")
    return found


# By keys and by ear


@LANGUAGES
def test_a_puzzle_is_solved_by_keys_alone(anywhere: Browse, lang: str) -> None:
    asked, words = with_barred(), Words(lang)
    player = anywhere(lang)
    look(player, asked)
    assert player.said == []  # a page that was just loaded is read as it is
    barred, wrong, right = barred_in(asked), wrong_in(asked), asked.best[0]
    press(player, barred)
    player.shown("#answer-section.refused").to_be_visible()
    assert player.focused() == f"card-{barred.text}", "as at a table, it can be corrected at once"
    press(player, wrong)
    hear(player, *verdict(words, asked, wrong))
    assert player.focused() == "answer-section"
    player.keys("Tab")
    again = player.page.locator(":focus")
    expect(again).to_have_text(words.t("Try another card"))
    player.keys("Enter")
    assert player.focused() == f"card-{wrong.text}"
    press(player, right)
    hear(player, *verdict(words, asked, right))
    assert player.focused() == "answer-section"
    player.keys("Tab")
    player.shown(":focus").to_have_text(words.t("Next puzzle"))
    player.keys("Enter")
    player.page.wait_for_url(f"**/puzzle/{following(asked, asked.grade).number}")


@pytest.mark.full
@LANGUAGES
def test_the_keys_of_the_table_answer(anywhere: Browse, lang: str) -> None:
    words = Words(lang)
    asked = with_barred()
    view = named(asked, words.t("South"))
    player = anywhere(lang)
    look(player, asked)
    player.take_focus()
    before = player.focused()
    answers = {
        "c": words.table(view),
        "1": words.table_card(view, 1),
        "s": words.scores(view),
        "t": words.turn(view),
        "g": (*words.turn(view), *words.situation(view)),
        "Shift+Digit2": words.seat(view, ((view.seat or 0) + 1) % len(view.state.players)),
        "h": words.hand(view, places=False),
        "l": words.last_trick(view),
        "p": words.points_taken(view),
        "f": words.score_sheet(view, width=0),
        "i": (clue(words, asked),),
    }
    for key, told in answers.items():
        player.keys(key)
        hear(player, *told)
        assert player.page.locator("#answer p").all_text_contents() == list(told)
    assert player.focused() == before
    player.keys("e")
    player.wait("() => window.watched.said.at(-1) === `${window.watched.said.at(-2)}\u00a0`")
    for key, part in (("r", "rules-part"), ("?", "keys-part")):
        player.keys(key)
        player.page.wait_for_selector(f"#{part}[open]")
        name = player.page.inner_text(f"#{part} summary")
        player.wait("(name) => window.watched.said.at(-1).includes(name)", name)
        assert player.focused() == before


@pytest.mark.full
def test_keys_and_order_are_as_the_person_has_set_them(browse: Browse) -> None:
    english = browse("en").come_in("Zoé", key_turn="z", key_table="q", order="rank")
    asked = with_barred()
    look(english, asked)
    names = [each.inner_text() for each in english.page.locator("#seats .name").all()]
    assert names[0] == "Zoé"
    held = english.page.evaluate(
        "[...document.querySelectorAll('#hand [role=option]')].map((each) => each.dataset.key)"
    )
    ranks = "AKQJT98765432"
    assert [card[0] for card in held] == sorted([card[0] for card in held], key=ranks.index)
    english.take_focus()
    english.keys("t", "z")
    hear(english, *Words("en").turn(named(asked, "Zoé")))
    assert len(english.said) == 1
    english.suit(keys=False)
    look(english, asked)
    english.take_focus()
    english.keys("z")
    english.page.click("#questions [data-key=turn]")
    english.wait(SPOKEN, 1)
    assert len(english.said) == 1


def test_what_is_known_and_the_tricks_can_be_asked_for_and_leave_the_way_on(
    english: Player,
) -> None:
    asked = with_barred()
    look(english, asked)
    english.page.click("#questions [data-key=known]")
    hear(english, *Words("en").newcomer(named(asked, "South")))
    english.page.click("#questions [data-key=story]")
    english.wait(SPOKEN, 2)
    assert english.page.locator("#answer p").count() == max(
        1, len(named(asked, "South").deal.tricks)
    )
    press(english, asked.best[0])
    english.keys("t")
    hear(english, *Words("en").turn(named(asked, "South")))
    english.shown("#after [data-after~=right]").to_be_visible()


@pytest.mark.full
def test_the_same_card_twice_is_said_twice(english: Player) -> None:
    asked = with_barred()
    look(english, asked)
    for times in (1, 2):
        press(english, wrong_in(asked))
        english.wait(SPOKEN, times)
    first, second = english.said
    assert second == f"{first}\u00a0"  # or a busy machine would take it for the same


# Stored results


@pytest.mark.usefixtures("one_day")
def test_what_is_solved_is_kept_here_and_marked_in_the_list(english: Player) -> None:
    asked = daily(date.today())
    english.go_to("/puzzle")
    english.shown("#progress-solved").to_be_hidden()
    press(english, wrong_in(asked))
    assert kept(english) == ""
    press(english, asked.best[0])
    english.shown("#progress-solved").to_contain_text(f"1 of {len(collection())}")
    english.shown("#progress-days").to_contain_text("1")
    english.shown("#done").to_be_visible()
    english.go_to("/puzzle/all")
    done = english.page.locator("#puzzles a.done")
    expect(done).to_have_count(1)
    assert done.text_content() == f"{asked.number} (solved)"
    english.go_to("/puzzle")
    english.shown("#done").to_be_visible()


@pytest.mark.usefixtures("one_day")
def test_days_in_a_row_are_counted_up_to_yesterday(english: Player) -> None:
    english.go_to("/puzzle")
    for days, count in (([0, 1, 2, 4], 3), ([1, 2], 2), ([2, 3], 0)):
        english.page.evaluate(
            """(days) => localStorage.setItem("volte.puzzles", JSON.stringify({
                solved: [1], days: days.map((each) => new Date(
                    Date.parse(document.getElementById("table").dataset.today) - each * 86400000
                ).toISOString().slice(0, 10)) }))""",
            days,
        )
        english.page.reload()
        english.page.wait_for_selector("#questions button")
        shown = english.page.locator("#progress-days")
        if count:
            expect(shown).to_have_text(f"Days in a row: {count}.")
        else:
            expect(shown).to_be_hidden()


@pytest.mark.full
def test_whoever_was_shown_the_card_has_not_solved_it(english: Player) -> None:
    asked = with_barred()
    look(english, asked)
    english.page.click("#actions [data-key=Show]")
    hear(english, *solution(Words("en"), asked))
    assert english.focused() == "answer-section"
    press(english, asked.best[0])
    hear(english, *verdict(Words("en"), asked, asked.best[0]))
    assert kept(english) == ""


@pytest.mark.full
def test_whatever_lies_on_the_shelf_the_page_is_there(english: Player) -> None:
    asked = with_barred()
    look(english, asked)
    for found in ("nonsense", "[]", '{"solved": 3}', "null"):
        english.page.evaluate("(found) => localStorage.setItem('volte.puzzles', found)", found)
        look(english, asked)
        press(english, asked.best[0])
        english.shown("#progress-solved").to_contain_text("1 of")


# Fingers, and no script


@pytest.mark.full
def test_by_finger_on_a_small_telephone(anywhere: Browse) -> None:
    asked = with_barred()
    player = anywhere("fr", width=320, height=640, touch=True)
    look(player, asked)
    assert not list(measured(player.page, "wide"))
    player.shown("#actions [data-key=Play]").to_have_text("Choisir une carte")
    card = player.page.locator(f"#card-{wrong_in(asked).text}")
    card.tap(position={"x": 8, "y": 12})
    player.shown("#hand .raised").to_have_count(1)
    player.shown("#answer-section").to_be_hidden()
    player.page.locator("#actions [data-key=Play]").tap()
    hear(player, *verdict(Words("fr"), asked, wrong_in(asked)))
    assert not list(measured(player.page, "wide"))
    assert not fitting.measured(player, "astray", "#answer-section")
    player.page.locator("#status").tap()
    player.shown("#answer-section").to_be_hidden()


def test_without_scripts_it_is_a_form(browse: Browse) -> None:
    asked, words = with_barred(), Words("en")
    player = browse("en", java_script_enabled=False)
    player.go_to(f"/puzzle/{asked.number}")
    player.shown("#felt").to_be_hidden()
    player.page.locator(f"button[value='{wrong_in(asked).text}']").click()
    answer = player.page.locator("#answer")
    expect(answer).to_have_text(" ".join(verdict(words, asked, wrong_in(asked))))
    player.page.locator("#again").click()
    player.page.locator(f"button[value='{asked.best[0].text}']").click()
    expect(answer).to_contain_text("Right")
    player.page.locator("#after a").first.click()
    player.page.wait_for_url(f"**/puzzle/{following(asked, asked.grade).number}")


def test_an_address_with_a_card_in_it_is_answered_to_scripts_as_well(english: Player) -> None:
    asked = with_barred()
    english.go_to(f"/puzzle/{asked.number}?card={asked.best[0].text}")
    english.page.wait_for_selector("#questions button")
    english.shown("#answer").to_contain_text("Right")
    assert english.said == []
