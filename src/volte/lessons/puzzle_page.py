"""Puzzles as pages: the one of the day, each by its number, and the list of all.

Nothing is kept: all answers come with the page for its script, and an address with a card in it is
answered for those who have none.
"""

from __future__ import annotations

import secrets
from datetime import date, timedelta
from typing import Any, Final

import msgspec
from babel.dates import format_date
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.cards import Card, CardFault
from volte.game import Play, Refusal, decide
from volte.game.codec import card_text
from volte.lessons.puzzle import clue, grade_name, situation, solution, verdict
from volte.lessons.puzzle_scene import scene_of
from volte.lessons.puzzles import (
    Grade,
    Puzzle,
    PuzzleFault,
    collection,
    daily,
    following,
    of_grade,
    puzzle,
    read_position,
    seated,
)
from volte.people.keys_told import MOVES, REVIEWS, keys_told
from volte.people.settings_page import wishes
from volte.say import N_, Words
from volte.say.answers import tricks
from volte.say.rulesheet.sheet import rule_sheet
from volte.view import View
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import see_other

FIRST_DAY: Final = date(2026, 1, 1)
"""Whose puzzle can still be looked at."""

LABELS: Final = {
    "known": N_("What you know"),
    "story": N_("The tricks so far"),
    "show": N_("Show me the best card"),
}
"""Buttons that are made by the script, and that no table has."""

QUESTIONS: Final = (
    *("table", "scores", "turn", "situation", "hand", "last", "points", "sheet", "rules"),
    *("hint", "keys"),
)

Said = tuple[str, tuple[str, ...]]
"""What is said to a card: `right`, `wrong`, `refused`, or `shown` where none was chosen; and the
lines."""


def routes() -> list[BaseRoute]:
    return [
        Route("/puzzle", of_today),
        Route("/puzzle/all", every),
        Route("/puzzle/day/{day}", of_day),
        Route("/puzzle/grade/{grade}", any_of),
        Route("/puzzle/{number}", numbered),
    ]


async def of_today(request: Request) -> Response:
    """The puzzle of today, which is the same for everybody."""
    return _shown(request, daily(date.today()), date.today())


async def of_day(request: Request) -> Response:
    """That of a day that is over, or of today."""
    try:
        day = date.fromisoformat(request.path_params["day"])
    except ValueError:
        raise Refused(404, "not_found") from None
    if not FIRST_DAY <= day <= date.today():
        raise Refused(404, "not_found")
    return _shown(request, daily(day), day)


async def numbered(request: Request) -> Response:
    text = request.path_params["number"]
    try:
        found = puzzle(int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0)
    except PuzzleFault:
        raise Refused(404, "not_found") from None
    return _shown(request, found)


async def any_of(request: Request) -> Response:
    """Some puzzle of that grade."""
    asked = request.path_params["grade"]
    grade = next((each for each in Grade if str(each.value) == asked), None)
    if grade is None:
        raise Refused(404, "not_found")
    return see_other(f"/puzzle/{secrets.choice(of_grade(grade)).number}")


async def every(request: Request) -> Response:
    """All of them, by grade."""
    words: Words = request.state.words
    grades = [
        (grade.value, words.sentence(grade_name(words, grade)), of_grade(grade)) for grade in Grade
    ]
    return page(request, "puzzles.html", grades=grades, count=len(collection()))


def _shown(request: Request, asked: Puzzle, day: date | None = None) -> Response:
    """The page of a puzzle, with what is said to the card that the address names."""
    words: Words = request.state.words
    view = _seen(request, asked)
    known, today = situation(words, view), date.today()
    story = tricks(words, view) if view.deal.tricks else (words.t("This is the first trick."),)
    return page(
        request,
        "puzzle.html",
        number=asked.number,
        grade=words.sentence(grade_name(words, asked.grade)),
        day=format_date(day, "full", locale=words.lang) if day is not None else "",
        counts=today.isoformat() if day == today else "",
        today=today.isoformat(),
        before=_day_before(day),
        most=len(collection()),
        following=following(asked, asked.grade).number,
        situation=known,
        story=story,
        labels={key: words.t(text) for key, text in LABELS.items()},
        laid=_laid(words, view),
        hand=[(card.text, words.card(card)) for card in words.hand_order(view)],
        asked=_questions(words, asked, view) | {"known": known, "story": story},
        said=_answer(request, asked, view),
        scene=msgspec.to_builtins(scene_of(words, view), enc_hook=card_text),
        verdicts=verdicts_of(words, asked, view),
        sections=rule_sheet(view.state.rules, words),
        sheet_fault="",
        keys_told=keys_told(words, request.state.person, QUESTIONS, (), REVIEWS[:3], MOVES),
        chosen=wishes(request),
    )


def _seen(request: Request, asked: Puzzle) -> View:
    """What is known there, by whoever asks."""
    person, words = request.state.person, request.state.words
    name = person.name if person is not None else words.t(N_("South"))
    return seated(read_position(asked.position), name)


def _day_before(day: date | None) -> str:
    """As in an address; empty where none is to be gone to."""
    before = day - timedelta(days=1) if day is not None else None
    return before.isoformat() if before is not None and before >= FIRST_DAY else ""


def _laid(words: Words, view: View) -> list[tuple[str, str]]:
    """The cards on the table, each with the name of who has played it."""
    deal, players = view.deal, view.state.players
    return [
        (card.text, players[(deal.leader + place) % len(players)].name)
        for place, card in enumerate(deal.trick)
    ]


# What is asked, and what is said


def _questions(words: Words, asked: Puzzle, view: View) -> dict[str, tuple[str, ...]]:
    """The answers to the keys."""
    players = len(view.state.players)
    cards = range(1, players + 1)
    first = view.seat or 0
    return {
        "table": words.table(view),
        **{f"table {number}": words.table_card(view, number) for number in cards},
        "scores": words.scores(view),
        "turn": words.turn(view),
        "situation": (*words.turn(view), *words.situation(view)),
        **{f"seat {at + 1}": words.seat(view, (first + at) % players) for at in range(players)},
        "hand": words.hand(view, places=False),
        "last": words.last_trick(view),
        "points": words.points_taken(view),
        "sheet": words.score_sheet(view, width=0),
        "hint": (clue(words, asked),),
    }


def verdicts_of(words: Words, asked: Puzzle, view: View) -> dict[str, dict[str, Any]]:
    """What is said to each card of the hand; by no card, the solution."""
    said = {card.text: _said(words, asked, view, card) for card in view.hand}
    said[""] = ("shown", solution(words, asked))
    return {card: {"kind": kind, "lines": lines} for card, (kind, lines) in said.items()}


def _answer(request: Request, asked: Puzzle, view: View) -> Said | None:
    """What is said to what the address asks; None where it asks nothing."""
    words: Words = request.state.words
    query = request.query_params
    if query.get("show"):
        return "shown", solution(words, asked)
    if query.get("hint"):
        return "hint", (clue(words, asked),)
    if "card" not in query:
        return None
    try:
        return _said(words, asked, view, Card(query["card"]))
    except CardFault:
        raise Refused(404, "not_found") from None


def _said(words: Words, asked: Puzzle, view: View, card: Card) -> Said:
    assert view.seat is not None
    outcome = decide(view.state, Play(view.seat, card))
    if isinstance(outcome, Refusal):
        return "refused", (words.refusal(outcome, view),)
    return "right" if asked.solved_by(card) else "wrong", verdict(words, asked, card)
