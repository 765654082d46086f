"""Puzzles as pages: the puzzle of the day, any puzzle by its number, and the list of all.

Nothing is stored: the page brings all answers for its script; without a script the address names
a card, and the page answers it.
"""

from __future__ import annotations

import secrets
from datetime import date, timedelta
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.cards import Card, CardFault
from volte.game import Play, Refusal, decide
from volte.lessons import puzzles
from volte.lessons.puzzles import Grade, Puzzle, PuzzleFault
from volte.people.settings_shown import MOVES, list_keys, wishes
from volte.say import N_, Words
from volte.say.formats import date_text
from volte.say.keys import Key
from volte.view import View
from volte.web import position
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

FIRST_DAY: Final = date(2026, 1, 1)
"""The first day that has a puzzle of the day."""

Verdict = tuple[str, tuple[str, ...]]
"""The verdict on a card: `right`, `wrong` or `refused`; without a card `shown` or `hint`. And the
sentences."""


def routes() -> list[BaseRoute]:
    return [
        route("/puzzle", of_today),
        route("/puzzle/all", every),
        route("/puzzle/day/{day}", of_day),
        route("/puzzle/grade/{grade}", any_of),
        route("/puzzle/{number}", numbered),
    ]


async def of_today(visit: Visit) -> Response:
    """`/puzzle`: the puzzle of today, the same for everybody."""
    today = date.today()
    return _shown(visit, puzzles.daily(today), today)


async def of_day(visit: Visit) -> Response:
    """`/puzzle/day/{day}`: the puzzle of a day up to today."""
    try:
        day = date.fromisoformat(visit.path_params["day"])
    except ValueError:
        raise Refused(404, "not_found") from None
    if not FIRST_DAY <= day <= date.today():
        raise Refused(404, "not_found")
    return _shown(visit, puzzles.daily(day), day)


async def numbered(visit: Visit) -> Response:
    text = visit.path_params["number"]
    try:
        found = puzzles.puzzle(
            int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
        )
    except PuzzleFault:
        raise Refused(404, "not_found") from None
    return _shown(visit, found)


async def any_of(visit: Visit) -> Response:
    """`/puzzle/grade/{grade}`: redirect to a random puzzle of a grade."""
    text = visit.path_params["grade"]
    grade = next((each for each in Grade if str(each.value) == text), None)
    if grade is None:
        raise Refused(404, "not_found")
    return see_other(f"/puzzle/{secrets.choice(puzzles.of_grade(grade)).number}")


async def every(visit: Visit) -> Response:
    """`/puzzle/all`: the list of all puzzles, by grade."""
    words = visit.words
    grades = [
        (grade.value, words.sentence(puzzles.grade_name(words, grade)), puzzles.of_grade(grade))
        for grade in Grade
    ]
    return page(visit, "puzzles.html", grades=grades, count=len(puzzles.collection()))


def _shown(visit: Visit, problem: Puzzle, day: date | None = None) -> Response:
    """The page of a puzzle, with the reply to a card in the address."""
    words, person = visit.words, visit.person
    name = person.name if person is not None else words.t(N_("South"))
    view = puzzles.named(problem, name)
    today = date.today()
    before = day - timedelta(days=1) if day is not None else None
    status = (*words.turn(view), words.t("Which card is best?"))
    chosen = {view.seat: person.settings} if person is not None else {}
    context = position.shown(words, view, status, chosen)
    context["answers"]["hint"] = (puzzles.clue(words, problem),)
    asked = (*position.QUESTIONS, Key.HINT, *position.REVIEWS)
    return page(
        visit,
        "puzzle.html",
        number=problem.number,
        grade=words.sentence(puzzles.grade_name(words, problem.grade)),
        day=date_text(words.lang, day, "full") if day is not None else "",
        counts=today.isoformat() if day == today else "",
        today=today.isoformat(),
        before=before.isoformat() if before is not None and before >= FIRST_DAY else "",
        most=len(puzzles.collection()),
        following=puzzles.following(problem, problem.grade).number,
        answer=_answer(visit, problem, view),
        verdicts=verdicts_of(words, problem, view),
        keys_told=list_keys(words, visit.person, asked, MOVES),
        chosen=wishes(visit),
        **context,
    )


# Questions and answers


def verdicts_of(words: Words, problem: Puzzle, view: View) -> dict[str, dict[str, Any]]:
    """Card of the hand, as text → its verdict; the empty text → the solution."""
    verdicts = {card.text: _verdict(words, problem, view, card) for card in view.hand}
    verdicts[""] = ("shown", puzzles.solution(words, problem))
    return {card: {"kind": kind, "lines": lines} for card, (kind, lines) in verdicts.items()}


def _answer(visit: Visit, problem: Puzzle, view: View) -> Verdict | None:
    """The reply to a card in the address, or the hint or solution asked for; else None."""
    words = visit.words
    query = visit.query_params
    if query.get("show"):
        return "shown", puzzles.solution(words, problem)
    if query.get("hint"):
        return "hint", (puzzles.clue(words, problem),)
    if "card" not in query:
        return None
    try:
        return _verdict(words, problem, view, Card(query["card"]))
    except CardFault:
        raise Refused(404, "not_found") from None


def _verdict(words: Words, problem: Puzzle, view: View, card: Card) -> Verdict:
    outcome = decide(view.state, Play(view.seat, card))
    if isinstance(outcome, Refusal):
        return "refused", (words.refusal(outcome, view),)
    return "right" if problem.solved_by(card) else "wrong", puzzles.verdict(words, problem, card)
