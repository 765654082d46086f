"""Puzzles as pages: without a script, in both languages, and nothing told that nobody may know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from kit.browsing import Page, Visitor
from kit.sites import House, open_house

from volte.cards import Card
from volte.game import Play, Refusal, decide
from volte.lessons.puzzle import clue, situation, solution, verdict
from volte.lessons.puzzle_page import scene_of as scene_told
from volte.lessons.puzzle_page import verdicts_of
from volte.lessons.puzzles import (
    Grade,
    Puzzle,
    collection,
    daily,
    of_grade,
    puzzle,
    read_position,
    seated,
)
from volte.say import Words
from volte.view import View

LANGUAGES = pytest.mark.parametrize("lang", ["fr", "en"])
SOME = collection()[:: max(1, len(collection()) // 8)][:8]
"""Puzzles of all kinds."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


def view_of(asked: Puzzle) -> View:
    return read_position(asked.position)


def with_barred(number: int = 0) -> Puzzle:
    """A puzzle in which not every card may be played."""
    found = [each for each in collection() if len(view_of(each).legal) < len(view_of(each).hand)]
    return found[number]


def barred(asked: Puzzle) -> list[Card]:
    view = view_of(asked)
    return [card for card in view.hand if card not in view.legal]


def wrong(asked: Puzzle) -> Card:
    """The card that would cost most."""
    return asked.options[-1].cards[0]


def told(page: Page) -> str:
    """What is said to a card, or instead of one; empty where nothing is."""
    found = re.search(r'<div id="answer">(.*?)</div>', page.answer.text, re.DOTALL)
    assert found is not None
    read = re.sub(r"<[^>]*>", " ", found[1]).replace("&#39;", "'")
    return " ".join(read.split())


def said(*lines: str) -> str:
    return " ".join(" ".join(lines).split())


def shown(page: Page) -> dict[str, dict[str, str]]:
    """The links after an answer, by where they lead, that can be seen."""
    inside = re.search(r'id="after">(.*?)</p>', page.answer.text, re.DOTALL)
    assert inside is not None
    links = page.all("a")
    seen = [each for each in links if "data-after" in each and "hidden" not in each]
    return {each["href"]: each for each in seen}


def scene_of(page: Page) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.all("div", id="table")[0]["data-scene"])
    return found


# The pages


@LANGUAGES
def test_every_page_of_puzzles_is_whole(house: House, lang: str) -> None:
    one = with_barred()
    paths = (
        *("/puzzle", "/puzzle/all", "/puzzle/grade/2", "/puzzle/day/2026-02-28"),
        *(f"/puzzle/{each.number}" for each in SOME),
        f"/puzzle/{one.number}?show=1",
        f"/puzzle/{one.number}?hint=1",
        *(f"/puzzle/{one.number}?card={card.text}" for card in view_of(one).hand),
    )
    with Visitor(house.address, lang) as visitor:
        for path in paths:
            page = visitor.get(path)
            assert (page.status, page.wrong) == (200, []), path
            assert page.all("html", lang=lang)


def test_the_puzzle_of_the_day_is_the_same_for_everybody(house: House) -> None:
    today = date.today()
    with Visitor(house.address, "fr") as one, Visitor(house.address, "en") as other:
        other.come_in()
        for path, day in (
            ("/puzzle", today),
            (f"/puzzle/day/{today - timedelta(days=1)}", today - timedelta(days=1)),
            ("/puzzle/day/2026-01-01", date(2026, 1, 1)),
        ):
            for visitor in (one, other):
                table = visitor.get(path).all("div", id="table")[0]
                assert table["data-number"] == str(daily(day).number)
                counts = today.isoformat() if day == today else ""
                assert table["data-day"] == counts, "only today's counts for the days in a row"


def test_from_each_day_a_link_leads_to_the_day_before(house: House) -> None:
    with Visitor(house.address) as visitor:
        day = date.today()
        page = visitor.get("/puzzle")
        for _ in range(3):
            day -= timedelta(days=1)
            assert page.all("a", href=f"/puzzle/day/{day}")
            page = visitor.get(f"/puzzle/day/{day}")
        first = visitor.get("/puzzle/day/2026-01-01")
        linked = [each["href"] for each in first.all("a")]
        assert not [each for each in linked if each.startswith("/puzzle/day")]


def test_all_are_listed_once_under_their_grade(house: House) -> None:
    with Visitor(house.address) as visitor:
        parts = visitor.get("/puzzle/all").answer.text.split('<section class="stages"')[1:]
        assert len(parts) == len(Grade)
        for grade, part in zip(Grade, parts, strict=True):
            listed = [int(each) for each in re.findall(r'href="/puzzle/(\d+)"', part)]
            assert listed == [each.number for each in of_grade(grade)]


@pytest.mark.parametrize("grade", Grade)
def test_one_of_a_grade_leads_to_some_puzzle_of_it(house: House, grade: Grade) -> None:
    with Visitor(house.address) as visitor:
        for _ in range(4):
            page = visitor.get(f"/puzzle/grade/{grade.value}")
            number = int(page.answer.url.path.rpartition("/")[2])
            assert puzzle(number).grade is grade


def test_the_next_one_is_of_the_same_grade_round_and_round(house: House) -> None:
    same = of_grade(Grade.EASY)
    with Visitor(house.address) as visitor:
        for asked, following in ((same[0], same[1]), (same[-1], same[0])):
            page = visitor.get(f"/puzzle/{asked.number}?card={asked.best[0].text}")
            assert list(shown(page)) == [f"/puzzle/{following.number}"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("0", 404), ("99999", 404), ("-1", 404), ("one", 404), ("123456789", 404), ("²", 404)),
        *(("grade/0", 404), ("grade/4", 404), ("grade/x", 404)),
        *(("day/2999-01-01", 404), ("day/2025-12-31", 404), ("day/0001-01-01", 404)),
        *(("day/2026-02-30", 404), ("day/yesterday", 404)),
        *(("1?card=ZZ", 404), ("1?card=", 404), ("1?show=&hint=", 200), ("1?colour=red", 200)),
    ],
)
def test_no_address_breaks_the_pages(house: House, path: str, status: int) -> None:
    with Visitor(house.address) as visitor:
        page = visitor.get(f"/puzzle/{path}")
        assert (page.status, page.wrong) == (status, [])


@LANGUAGES
def test_the_first_page_and_the_help_lead_there(house: House, lang: str) -> None:
    with Visitor(house.address, lang) as visitor:
        for path in ("/", "/help"):
            assert visitor.get(path).all("a", href="/puzzle")


def test_every_puzzle_there_is_can_be_shown_and_answered() -> None:
    languages = Words("fr"), Words("en")
    for asked in collection():
        words = languages[asked.number % 2]
        view = seated(view_of(asked), "Zoé")
        scene = scene_told(words, view)
        assert sum(each.legal for each in scene.hand) > 1
        kinds = [each["kind"] for each in verdicts_of(words, asked, view).values()]
        assert set(kinds) >= {"right", "wrong", "shown"}


# Answers, without a script


@LANGUAGES
@pytest.mark.parametrize("asked", SOME, ids=lambda each: each.number)
def test_every_card_is_answered_and_the_hand_stays(house: House, lang: str, asked: Puzzle) -> None:
    words, view = Words(lang), view_of(asked)
    with Visitor(house.address, lang) as visitor:
        page = visitor.get(f"/puzzle/{asked.number}")
        assert told(page) == ""
        hand = [each["value"] for each in page.all("button", name="card")]
        assert hand == [card.text for card in words.hand_order(view)]
        form = next(each for each in page.all("form", id="ask"))
        path = form["action"].partition("#")[0]
        for card in map(Card, hand):
            again = visitor.get(f"{path}?card={card.text}")
            assert [each["value"] for each in again.all("button", name="card")] == hand
            if card in view.legal:
                assert told(again) == said(*verdict(words, asked, card))
            after = [link.rpartition("/")[0] for link in shown(again)]
            if asked.solved_by(card):
                assert after == ["/puzzle"]
            else:
                assert after == ([""] if card in view.legal else [])


@LANGUAGES
def test_a_card_that_may_not_be_played_is_refused_with_its_clause(house: House, lang: str) -> None:
    words, asked = Words(lang), with_barred()
    view = view_of(asked)
    assert view.seat is not None
    with Visitor(house.address, lang) as visitor:
        for card in barred(asked):
            refusal = decide(view.state, Play(view.seat, card))
            assert isinstance(refusal, Refusal)
            answer = told(visitor.get(f"/puzzle/{asked.number}?card={card.text}"))
            assert answer == said(words.refusal(refusal, view))


def test_a_card_that_is_not_held_is_refused(house: House) -> None:
    view = view_of(collection()[0])
    other = next(card for card in view.state.rules.cards if card not in view.hand)
    with Visitor(house.address) as visitor:
        page = visitor.get(f"/puzzle/1?card={other.text}")
        assert told(page).startswith("You do not hold ")


@LANGUAGES
def test_a_clue_or_the_best_card_is_told_on_request(house: House, lang: str) -> None:
    words = Words(lang)
    with Visitor(house.address, lang) as visitor:
        for asked in SOME[:3]:
            page = visitor.get(f"/puzzle/{asked.number}?hint=1")
            assert told(page) == said(clue(words, asked))
            assert shown(page) == {}
            page = visitor.get(f"/puzzle/{asked.number}?show=1")
            assert told(page) == said(*solution(words, asked))
            assert len(shown(page)) == 1


@LANGUAGES
def test_what_the_seat_knows_can_be_read(house: House, lang: str) -> None:
    words, asked = Words(lang), with_barred()
    with Visitor(house.address, lang) as visitor:
        text = visitor.get(f"/puzzle/{asked.number}").text
        for line in situation(words, view_of(asked))[:2]:
            assert said(line) in text


# For the script


@pytest.mark.parametrize("asked", SOME, ids=lambda each: each.number)
def test_the_table_is_as_the_seat_sees_it(house: House, asked: Puzzle) -> None:
    view = view_of(asked)
    with Visitor(house.address) as visitor:
        visitor.come_in("Zoé")
        scene = scene_of(visitor.get(f"/puzzle/{asked.number}"))
    seats, hand, trick = scene["seats"], scene["hand"], scene["trick"]
    assert isinstance(seats, list)
    assert isinstance(hand, list)
    assert isinstance(trick, list)
    assert scene["turn"] == scene["seat"] == view.seat
    assert [each["name"] == "Zoé" for each in seats] == [
        place == view.seat for place in range(len(seats))
    ]
    assert [each["total"] for each in seats] == list(view.state.totals)
    assert [each["cards"] for each in seats] == list(view.deal.hand_sizes())
    assert {each["card"] for each in hand if each["legal"]} == {card.text for card in view.legal}
    assert all(each["legal"] == (each["why"] == "") for each in hand)
    assert [each["card"] for each in trick] == [card.text for card in view.deal.trick]
    assert scene["hands"] == []


def test_nothing_is_shown_that_the_seat_does_not_know(house: House) -> None:
    with Visitor(house.address) as visitor:
        for asked in SOME:
            view = view_of(asked)
            table = visitor.get(f"/puzzle/{asked.number}").all("div", id="table")[0]
            cards = set(re.findall(r'"card": ?"([^"]+)"', table["data-scene"]))
            assert cards
            assert not [card for card in map(Card, cards) if view.unseen >> card.index & 1]


def test_the_script_has_an_answer_to_every_card_and_key(house: House) -> None:
    words = Words("en")
    with Visitor(house.address) as visitor:
        for asked in SOME[:4]:
            view = seated(view_of(asked), "South")
            table = visitor.get(f"/puzzle/{asked.number}").all("div", id="table")[0]
            verdicts = json.loads(table["data-verdicts"])
            assert set(verdicts) == {"", *(card.text for card in view.hand)}
            assert verdicts[""]["lines"] == list(solution(words, asked))
            for card in view.hand:
                kind = verdicts[card.text]["kind"]
                assert (kind == "right") == asked.solved_by(card)
                assert (kind == "refused") == (card not in view.legal)
            answers = json.loads(table["data-answers"])
            assert answers["hint"] == [clue(words, asked)]
            assert set(answers) >= {"table", "scores", "turn", "hand", "last", "points", "sheet"}
            for number in range(1, len(view.state.players) + 1):
                assert answers[f"table {number}"] == list(words.table_card(view, number))
            assert all(lines and all(lines) for lines in answers.values())


def test_sentences_of_the_page_are_in_the_language_of_its_reader() -> None:
    french, english = Words("fr"), Words("en")
    for text in (
        "Puzzles",
        "Which card is best?",
        "Try another card",
        "Show me the best card",
        "What you have solved is kept by this browser, and nowhere else.",
    ):
        assert french.t(text) != english.t(text)
