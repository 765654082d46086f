"""The lesson on pages: answered rightly, with every wrong card, and without a script."""

from __future__ import annotations

import asyncio
import re

import pytest
from kit import Page, Playroom, Visitor
from kit.doors import LoneVisitor
from kit.spoken import EVERY
from kit.strategies import few
from kit.visits import Visit

from volte.cards import Card
from volte.lessons import lesson
from volte.lessons.lesson import SMALL_PACK, STEPS, Turn
from volte.say import Words
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.table.stored import read_summary

LANGUAGES = pytest.mark.parametrize("lang", EVERY)
TAUGHT = pytest.mark.parametrize("step", range(1, len(STEPS)))
"""Runs a test for each step with questions."""


def turns(step: int) -> list[Turn]:
    return [turn for scene in STEPS[step - 1].scenes for turn in scene.turns]


def offered(page: Page) -> list[str]:
    """The cards that a page offers as answers."""
    found = page.all("button", name="card") + page.all("input", name="card")
    return [each["value"] for each in found]


def answered(visitor: Visitor, page: Page, *cards: str, hint: bool = False) -> Page:
    """The page after an answer, sent as a browser sends it: a card, several, or a hint."""
    form = page.all("form", method="get")[0]
    fields: list[tuple[str, str | int | float | bool | None]] = [
        (each["name"], each["value"])
        for each in page.all("input", type="hidden")
        if each["name"] in ("turn", "tried", "astray")
    ]
    fields += [("card", card) for card in cards] + [("hint", "1")] * hint
    return Page(visitor.client.get(form["action"].partition("#")[0], params=fields))


def correction(page: Page) -> str:
    """The text of the correction on a page; empty without one."""
    found = re.search(r'id="correction"[^>]*>(.*?)</div>', page.answer.text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split()) if found else ""


@pytest.mark.parametrize("lang", few(["fr"], ["fr", "en"]))
@TAUGHT
def test_whoever_answers_right_comes_to_the_next_step(visit: Visit, lang: str, step: int) -> None:
    """Every wrong card gets a correction, and the question stays."""
    visitor = visit(lang=lang)
    page = visitor.get(f"/learn/{step}")
    for turn in turns(step):
        right = turn.right.split()
        also = [card.text for card in turn.accepted if card.text not in right]
        assert {card.text for card in turn.right_cards} < set(offered(page)) or step == 8
        assert not correction(page)
        for card in set(offered(page)) - {*right, *also}:
            wrong = answered(visitor, page, *right[1:], card)
            assert wrong.wrong == []
            assert correction(wrong).rstrip()[-1] in ".!?"
            assert offered(wrong) == offered(page)
        page = answered(visitor, page, *(also[-1:] or right))
        assert (page.status, page.wrong) == (200, [])
        assert page.all("section", id="came")
    assert not offered(page)
    assert page.all("a", id="next")[0]["href"] == f"/learn/{step + 1}"


@LANGUAGES
def test_the_second_time_and_on_request_the_answer_is_told(visit: Visit, lang: str) -> None:
    answer = " ".join(Words(lang).t(lesson.ANSWER, answer=(Card("8C"),)).split())
    visitor = visit(lang=lang)
    page = visitor.get("/learn/3")
    once = answered(visitor, page, "KC")
    assert answer not in once.text
    assert answer in answered(visitor, once, "3C").text
    assert answer in answered(visitor, page, hint=True).text


def test_the_pass_wants_three_cards_and_keeps_those_chosen(visit: Visit) -> None:
    visitor = visit()
    page = visitor.get("/learn/6")
    for cards in ((), ("AS",), ("AS", "KS", "AH", "4H")):
        again = answered(visitor, page, *cards)
        assert "Pass exactly 3 cards" in correction(again)
        checked = [each["value"] for each in again.all("input", name="card", checked="")]
        assert set(checked) == set(cards)


def test_the_rules_refuse_what_they_forbid(visit: Visit) -> None:
    visitor = visit()
    page = visitor.get("/learn/1")
    assert "Everybody must follow suit: clubs." in correction(answered(visitor, page, "KD"))
    assert "You do not hold the 2 of spades" in correction(answered(visitor, page, "2S"))


def test_the_last_step_opens_a_small_table_with_hints(playroom: Playroom, visit: Visit) -> None:
    visitor = visit("Zoé")
    page = visitor.get(f"/learn/{len(STEPS)}")
    assert (page.status, page.wrong) == (200, [])
    assert "5 cards each, from the 10 up" in page.text
    table = visitor.post("/learn/deal").all("div", id="table")[0]
    assert "data-begin" in table
    live = playroom.do(playroom.site.room.lobby.find(table["data-table"]))
    assert live is not None
    assert live.state.setup.hints
    assert [seat.level for seat in live.state.seats] == ["", *["beginner"] * 3]
    assert len(live.state.setup.rules.deck.removed) == len(list(SMALL_PACK["removed"]))  # type: ignore[arg-type]


def test_without_a_server_it_opens_one_however_often_it_is_asked() -> None:
    room = SoloRoom(KeptStore(), "en")
    with LoneVisitor("en", room) as visitor:
        [(action, fields)] = visitor.get(f"/learn/{len(STEPS)}").forms()
        answers = [visitor.client.post(action, data=fields) for _ in range(2)]
    [listing] = asyncio.run(room.tables())
    assert [str(answer.url) for answer in answers] == [f"http://alone/tables/{listing.table}"] * 2
    summary = read_summary(listing)
    assert summary.hints
    assert [seat.level for seat in summary.seats] == ["", *["beginner"] * 3]


@LANGUAGES
def test_the_first_page_of_the_lesson_leads_to_every_step(visit: Visit, lang: str) -> None:
    visitor = visit(lang=lang)
    linked = [found["href"] for found in visitor.get("/learn").all("a")]
    steps = [f"/learn/{number}" for number in range(1, len(STEPS) + 1)]
    assert [path for path in linked if re.fullmatch(r"/learn/\d", path)][-len(STEPS) :] == steps
    current = visitor.get("/learn/5").all("a", **{"aria-current": "step"})
    assert [found["href"] for found in current] == ["/learn/5"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/learn/0", 404), ("/learn/10", 404), ("/learn/one", 404), ("/learn/-1", 404)),
        *(("/learn/3?turn=99", 200), ("/learn/3?turn=x", 200), ("/learn/3?card=ZZ", 404)),
        *(("/learn/3?card=8C&card=3C", 200), ("/learn/3?tried=1", 200), ("/learn/9?turn=4", 200)),
    ],
)
def test_no_address_breaks_the_lesson(visit: Visit, path: str, status: int) -> None:
    page = visit().get(path)
    assert (page.status, page.wrong) == (status, [])


def test_what_is_said_does_not_run_ahead_of_the_cards(visit: Visit) -> None:
    """The sentences end with the trick of the answer: nobody leads to the next one yet."""
    visitor = visit()
    page = answered(visitor, visitor.get("/learn/3"), "8C")
    lines = re.findall(r"<p>(.*?)</p>", page.answer.text.partition('id="came"')[2])
    assert lines[:3] == [
        *("You: the 8 of clubs", "Alice: the 10 of clubs", "Bruno: the queen of hearts")
    ]
    assert "Well ducked" in page.text
