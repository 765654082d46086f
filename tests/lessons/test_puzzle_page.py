"""Puzzles as pages: without a script, in both languages, and without secrets of other seats."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from kit.browsing import Page
from kit.spoken import EVERY
from kit.strategies import few
from kit.visits import Visit

from volte.cards import Card
from volte.game import Play, Refusal, decide
from volte.lessons import puzzles
from volte.lessons.puzzle_page import verdicts_of
from volte.lessons.puzzles import Grade, Puzzle, collection, named, of_grade, puzzle
from volte.say import Words
from volte.scene.match import PositionBuilder

LANGUAGES = pytest.mark.parametrize("lang", EVERY)
SOME = collection()[:: max(1, len(collection()) // 8)][:8]
"""Eight puzzles from all parts of the collection."""

EACH = pytest.mark.parametrize("asked", SOME, ids=lambda each: each.number)


BARRED = next(each for each in collection() if len(named(each).legal) < len(named(each).hand))
"""A puzzle whose hand has cards that may not be played."""


def answer_of(page: Page) -> str:
    """The text of the answer on a page; empty without one."""
    found = re.search(r'<div id="answer">(.*?)</div>', page.answer.text, re.DOTALL)
    assert found is not None
    return joined(re.sub(r"<[^>]*>", " ", found[1]).replace("&#39;", "'"))


def joined(*lines: str) -> str:
    return " ".join(" ".join(lines).split())


def links_of(page: Page) -> list[str]:
    """The addresses of the visible links after an answer."""
    assert re.search(r'id="after">(.*?)</p>', page.answer.text, re.DOTALL) is not None
    return [each["href"] for each in page.all("a") if "data-after" in each and "hidden" not in each]


def table_of(page: Page) -> dict[str, str]:
    """The attributes of the element with the data for the script."""
    return page.all("div", id="table")[0]


# The pages


@LANGUAGES
def test_every_page_of_puzzles_is_whole(visit: Visit, lang: str) -> None:
    paths = (
        *("/puzzle", "/puzzle/all", "/puzzle/grade/2", "/puzzle/day/2026-02-28"),
        *(f"/puzzle/{each.number}" for each in SOME),
        *(f"/puzzle/{BARRED.number}?show=1", f"/puzzle/{BARRED.number}?hint=1"),
        *(f"/puzzle/{BARRED.number}?card={card.text}" for card in named(BARRED).hand),
    )
    visitor = visit(lang=lang)
    for path in paths:
        page = visitor.get(path)
        assert (page.status, page.wrong) == (200, []), path
        assert page.all("html", lang=lang)
    for path in ("/", "/help"):
        assert visitor.get(path).all("a", href="/puzzle")


@pytest.mark.usefixtures("one_day")
def test_the_puzzle_of_the_day_is_the_same_for_everybody(visit: Visit) -> None:
    today = date.today()
    yesterday = today - timedelta(days=1)
    visitors = visit(lang="fr"), visit("Zoé")
    for path, day in (
        ("/puzzle", today),
        (f"/puzzle/day/{yesterday}", yesterday),
        ("/puzzle/day/2026-01-01", date(2026, 1, 1)),
    ):
        for visitor in visitors:
            table = table_of(visitor.get(path))
            assert table["data-number"] == str(puzzles.daily(day).number)
            counts = today.isoformat() if day == today else ""
            assert table["data-day"] == counts, "only today's counts for the days in a row"


@pytest.mark.usefixtures("one_day")
def test_from_each_day_a_link_leads_to_the_day_before(visit: Visit) -> None:
    visitor, day = visit(), date.today()
    page = visitor.get("/puzzle")
    for _ in range(3):
        day -= timedelta(days=1)
        assert page.all("a", href=f"/puzzle/day/{day}")
        page = visitor.get(f"/puzzle/day/{day}")
    first = visitor.get("/puzzle/day/2026-01-01")
    assert not [each for each in first.all("a") if each["href"].startswith("/puzzle/day")]


def test_all_are_listed_once_under_their_grade(visit: Visit) -> None:
    parts = visit().get("/puzzle/all").answer.text.split('<section class="stages"')[1:]
    assert len(parts) == len(Grade)
    for grade, part in zip(Grade, parts, strict=True):
        listed = [int(each) for each in re.findall(r'href="/puzzle/(\d+)"', part)]
        assert listed == [each.number for each in of_grade(grade)]


@pytest.mark.parametrize("grade", Grade)
def test_one_of_a_grade_leads_to_some_puzzle_of_it(visit: Visit, grade: Grade) -> None:
    visitor = visit()
    for _ in range(4):
        page = visitor.get(f"/puzzle/grade/{grade.value}")
        assert puzzle(int(page.answer.url.path.rpartition("/")[2])).grade is grade


def test_the_next_one_is_of_the_same_grade_round_and_round(visit: Visit) -> None:
    same, visitor = of_grade(Grade.EASY), visit()
    for asked, following in ((same[0], same[1]), (same[-1], same[0])):
        page = visitor.get(f"/puzzle/{asked.number}?card={asked.best[0].text}")
        assert links_of(page) == [f"/puzzle/{following.number}"]


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
def test_no_address_breaks_the_pages(visit: Visit, path: str, status: int) -> None:
    page = visit().get(f"/puzzle/{path}")
    assert (page.status, page.wrong) == (status, [])


def test_every_puzzle_there_is_can_be_shown_and_answered() -> None:
    languages = Words("fr"), Words("en")
    for asked in collection():
        words = languages[asked.number % 2]
        view = named(asked, "Zoé")
        assert sum(each.legal for each in PositionBuilder(words, view, ()).scene().hand) > 1
        kinds = [each["kind"] for each in verdicts_of(words, asked, view).values()]
        assert set(kinds) >= {"right", "wrong", "shown"}


# Answers, without a script


@pytest.mark.parametrize("lang", few(["fr"], ["fr", "en"]))
@EACH
def test_every_card_is_answered_and_the_hand_stays(visit: Visit, lang: str, asked: Puzzle) -> None:
    words, view, visitor = Words(lang), named(asked), visit(lang=lang)
    page = visitor.get(f"/puzzle/{asked.number}")
    assert answer_of(page) == ""
    hand = [each["value"] for each in page.all("button", name="card")]
    assert hand == [card.text for card in words.hand_order(view)]
    path = page.all("form", id="ask")[0]["action"].partition("#")[0]
    for card in map(Card, hand):
        again = visitor.get(f"{path}?card={card.text}")
        assert [each["value"] for each in again.all("button", name="card")] == hand
        if card in view.legal:
            assert answer_of(again) == joined(*puzzles.verdict(words, asked, card))
        after = [link.rpartition("/")[0] for link in links_of(again)]
        if asked.solved_by(card):
            assert after == ["/puzzle"]
        else:
            assert after == ([""] if card in view.legal else [])


@LANGUAGES
def test_a_card_that_may_not_be_played_is_refused_with_its_clause(visit: Visit, lang: str) -> None:
    words, view, visitor = Words(lang), named(BARRED), visit(lang=lang)
    assert view.seat is not None
    for card in (card for card in view.hand if card not in view.legal):
        refusal = decide(view.state, Play(view.seat, card))
        assert isinstance(refusal, Refusal)
        answer = answer_of(visitor.get(f"/puzzle/{BARRED.number}?card={card.text}"))
        assert answer == joined(words.refusal(refusal, view))


def test_a_card_that_is_not_held_is_refused(visit: Visit) -> None:
    view = named(collection()[0])
    other = next(card for card in view.state.rules.cards if card not in view.hand)
    page = visit().get(f"/puzzle/1?card={other.text}")
    assert answer_of(page).startswith("You do not hold ")


@LANGUAGES
def test_a_clue_or_the_best_card_is_told_on_request(visit: Visit, lang: str) -> None:
    words, visitor = Words(lang), visit(lang=lang)
    for asked in SOME[:3]:
        page = visitor.get(f"/puzzle/{asked.number}?hint=1")
        assert answer_of(page) == joined(puzzles.clue(words, asked))
        assert links_of(page) == []
        page = visitor.get(f"/puzzle/{asked.number}?show=1")
        assert answer_of(page) == joined(*puzzles.solution(words, asked))
        assert len(links_of(page)) == 1
    text = visitor.get(f"/puzzle/{BARRED.number}").text
    for line in words.newcomer(named(BARRED))[:2]:
        assert joined(line) in text


# For the script


@EACH
def test_the_table_is_as_the_seat_sees_it(visit: Visit, asked: Puzzle) -> None:
    """Nothing is shown that the seat does not know."""
    view = named(asked)
    text = table_of(visit("Zoé").get(f"/puzzle/{asked.number}"))["data-scene"]
    scene: dict[str, Any] = json.loads(text)
    seats, hand = scene["seats"], scene["hand"]
    assert scene["turn"] == scene["seat"] == view.seat
    assert [each["name"] == "Zoé" for each in seats] == [
        place == view.seat for place in range(len(seats))
    ]
    assert [each["total"] for each in seats] == list(view.state.totals)
    assert [each["cards"] for each in seats] == list(view.deal.hand_sizes())
    assert {each["card"] for each in hand if each["legal"]} == {card.text for card in view.legal}
    assert all(each["legal"] == (each["why"] == "") for each in hand)
    assert [each["card"] for each in scene["trick"]] == [card.text for card in view.deal.trick]
    assert scene["hands"] == []
    cards = set(re.findall(r'"card": ?"([^"]+)"', text))
    assert cards
    assert not [card for card in map(Card, cards) if view.unseen >> card.index & 1]


def test_the_script_has_an_answer_to_every_card_and_key(visit: Visit) -> None:
    words, visitor = Words("en"), visit()
    for asked in SOME[:4]:
        view = named(asked, "South")
        table = table_of(visitor.get(f"/puzzle/{asked.number}"))
        verdicts = json.loads(table["data-verdicts"])
        assert set(verdicts) == {"", *(card.text for card in view.hand)}
        assert verdicts[""]["lines"] == list(puzzles.solution(words, asked))
        for card in view.hand:
            kind = verdicts[card.text]["kind"]
            assert (kind == "right") == asked.solved_by(card)
            assert (kind == "refused") == (card not in view.legal)
        answers = json.loads(table["data-answers"])
        assert answers["hint"] == [puzzles.clue(words, asked)]
        assert set(answers) >= {"table", "scores", "turn", "hand", "last", "points", "sheet"}
        for number in range(1, len(view.state.players) + 1):
            assert answers[f"table {number}"] == list(words.table_card(view, number))
        assert all(lines and all(lines) for lines in answers.values())
