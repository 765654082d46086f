"""Puzzles as pages: the one of the day, each by its number, and the list of all.

Nothing is kept: all answers come with the page for its script, and an address with a card in it is
answered for those who have none.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, Final

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.cards import Card, CardFault
from volte.game import Play, Refusal, decide
from volte.game.codec import card_text
from volte.lessons import puzzles
from volte.lessons.puzzles import Grade, Puzzle, PuzzleFault, read_position
from volte.people.settings_page import MOVES, REVIEWS, list_keys, wishes
from volte.rules import HeartsLead
from volte.say import N_, Words
from volte.say.answers import tricks
from volte.say.faults import rule_broken
from volte.say.formats import date_text
from volte.say.rulesheet.sheet import rule_sheet
from volte.view import View
from volte.web.cards_shown import cancelled, card_in_hand, card_laid, wider
from volte.web.faces import face_of, face_of_bot
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other
from volte.wire.messages import LaidCard, Scene, SceneCard, SceneSeat

FIRST_DAY: Final = date(2026, 1, 1)
"""The first day whose puzzle can be looked at."""

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

Verdict = tuple[str, tuple[str, ...]]
"""What is said to a card: `right`, `wrong`, `refused`, or `shown` where none was chosen; and the
lines."""


def routes() -> list[BaseRoute]:
    return [
        route("/puzzle", of_today),
        route("/puzzle/all", every),
        route("/puzzle/day/{day}", of_day),
        route("/puzzle/grade/{grade}", any_of),
        route("/puzzle/{number}", numbered),
    ]


async def of_today(visit: Visit) -> Response:
    """The puzzle of today, which is the same for everybody."""
    today = date.today()
    return _shown(visit, puzzles.daily(today), today)


async def of_day(visit: Visit) -> Response:
    """The puzzle of a day up to today."""
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
    """Some puzzle of that grade."""
    text = visit.path_params["grade"]
    grade = next((each for each in Grade if str(each.value) == text), None)
    if grade is None:
        raise Refused(404, "not_found")
    return see_other(f"/puzzle/{secrets.choice(puzzles.of_grade(grade)).number}")


async def every(visit: Visit) -> Response:
    """All puzzles, by grade."""
    words = visit.words
    grades = [
        (grade.value, words.sentence(puzzles.grade_name(words, grade)), puzzles.of_grade(grade))
        for grade in Grade
    ]
    return page(visit, "puzzles.html", grades=grades, count=len(puzzles.collection()))


def _shown(visit: Visit, problem: Puzzle, day: date | None = None) -> Response:
    """The page of a puzzle, with what is said to the card that the address names."""
    words, person = visit.words, visit.person
    name = person.name if person is not None else words.t(N_("South"))
    view = puzzles.seated(read_position(problem.position), name)
    deal, players = view.deal, view.state.players
    laid = [  # with the name of who has played it
        (card.text, players[(deal.leader + place) % len(players)].name)
        for place, card in enumerate(deal.trick)
    ]
    known, today = puzzles.situation(words, view), date.today()
    before = day - timedelta(days=1) if day is not None else None
    story = tricks(words, view) if deal.tricks else (words.t("This is the first trick."),)
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
        situation=known,
        story=story,
        labels={key: words.t(text) for key, text in LABELS.items()},
        laid=laid,
        hand=[(card.text, words.card(card)) for card in words.hand_order(view)],
        answers=_questions(words, problem, view) | {"known": known, "story": story},
        answer=_answer(visit, problem, view),
        scene=msgspec.to_builtins(scene_of(words, view), enc_hook=card_text),
        verdicts=verdicts_of(words, problem, view),
        sections=rule_sheet(view.state.rules, words),
        sheet_fault="",
        keys_told=list_keys(words, visit.person, QUESTIONS, (), REVIEWS[:3], MOVES),
        chosen=wishes(visit),
    )


# What is asked, and what is said


def _questions(words: Words, problem: Puzzle, view: View) -> dict[str, tuple[str, ...]]:
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
        "hint": (puzzles.clue(words, problem),),
    }


def verdicts_of(words: Words, problem: Puzzle, view: View) -> dict[str, dict[str, Any]]:
    """What is said to each card of the hand; by no card, the solution."""
    verdicts = {card.text: _verdict(words, problem, view, card) for card in view.hand}
    verdicts[""] = ("shown", puzzles.solution(words, problem))
    return {card: {"kind": kind, "lines": lines} for card, (kind, lines) in verdicts.items()}


def _answer(visit: Visit, problem: Puzzle, view: View) -> Verdict | None:
    """What is said to what the address asks; None where it asks nothing."""
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
    assert view.seat is not None
    outcome = decide(view.state, Play(view.seat, card))
    if isinstance(outcome, Refusal):
        return "refused", (words.refusal(outcome, view),)
    return "right" if problem.solved_by(card) else "wrong", puzzles.verdict(words, problem, card)


def scene_of(words: Words, view: View) -> Scene:
    """What somebody at that seat would be shown at a table."""
    state, deal = view.state, view.deal
    broken = deal.broken if deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN else None
    last = deal.tricks[-1] if deal.tricks else None

    return Scene(
        number=state.version,
        phase="playing",
        status=" ".join((*words.turn(view), words.t("Which card is best?"))),
        seat=view.seat,
        seats=tuple(_seats(view)),
        hand=tuple(_hand(words, view)),
        trick=_trick(words, deal.leader, deal.trick, deal.rules.players),
        last=_trick(words, last.leader, last.cards, deal.rules.players) if last else (),
        turn=view.seat,
        leader=deal.leader,
        dealer=state.dealer,
        deal=deal.number,
        broken=broken,
        may=("Play",),
        wider=wider(words, view, deal),
    )


def _seats(view: View) -> Iterator[SceneSeat]:
    state, deal = view.state, view.deal
    for seat, (player, held) in enumerate(zip(state.players, deal.hand_sizes(), strict=True)):
        face = face_of(player.name, {}) if player.person else face_of_bot(player.name)
        yield SceneSeat(
            name=player.name,
            level="",
            state="here" if player.person else "bot",
            cards=held,
            points=deal.rules.points_in(deal.captured(seat)),
            total=state.totals[seat],
            passed=False,
            host=False,
            face=face.picture,
            hue=face.hue,
        )


def _hand(words: Words, view: View) -> Iterator[SceneCard]:
    assert view.seat is not None
    for card in words.hand_order(view):
        refused = decide(view.state, Play(view.seat, card))
        why = rule_broken(words, refused, view) if isinstance(refused, Refusal) else ""
        yield card_in_hand(words.lang, card, not why, why, False)


def _trick(words: Words, leader: int, cards: Sequence[Card], players: int) -> tuple[LaidCard, ...]:
    gone = cancelled(cards)
    return tuple(
        card_laid(words.lang, (leader + place) % players, card, False, card in gone)
        for place, card in enumerate(cards)
    )
