"""The lesson as pages: a step each, its question a form, so that nothing needs a script.

Nothing is kept: an address says how far somebody has come, and what they have just answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.cards import Card, CardFault
from volte.lessons import lesson
from volte.lessons.lesson import STEPS, LessonScene, Step, lesson_sentence
from volte.lessons.teaching import LessonMoment, moment, small_deal
from volte.say import N_, Words
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [
        route("/learn", start),
        route("/learn/{step}", step),
    ]


async def start(visit: Visit) -> Response:
    """What the lesson is, and its steps."""
    return page(visit, "learn.html", titles=_titles(visit.words))


async def step(visit: Visit) -> Response:
    """One step, at the question and with the answer that the address names."""
    words = visit.words
    number = _number(visit.path_params["step"])
    if not 1 <= number <= len(STEPS):
        raise Refused(404, "not_found")
    titles = _titles(words)
    taught = STEPS[number - 1]
    view = moment(words, taught.scenes[0], 0).view if taught.scenes else small_deal(words)
    return page(
        visit,
        "lesson.html",
        titles=titles,
        number=number,
        count=len(STEPS),
        title=titles[number - 1][1],
        tells=[lesson_sentence(words, text, view) for text in taught.tells],
        before=titles[number - 2] if number > 1 else None,
        after=titles[number] if number < len(STEPS) else None,
        **_where(visit, taught),
    )


def _titles(words: Words) -> list[tuple[int, str]]:
    """The steps by their numbers."""
    view = small_deal(words)
    return [
        (number, lesson_sentence(words, each.title, view))
        for number, each in enumerate(STEPS, start=1)
    ]


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


# A step


@dataclass(frozen=True)
class LessonQuestion:
    """One of the questions of a step."""

    scene: LessonScene
    place: int  # among those of its scene

    def begun(self, words: Words) -> LessonMoment:
        return moment(words, self.scene, self.place)

    def answered(self, words: Words) -> LessonMoment:
        return moment(words, self.scene, self.place + 1)


@dataclass(frozen=True)
class LessonReply:
    """The correction of an answer."""

    right: bool = False
    # a clue, and the answer for whoever has been wrong before; none where it is right
    lines: tuple[str, ...] = ()
    astray: bool = False  # whether the next wrong answer is not the first


def _where(visit: Visit, taught: Step) -> dict[str, Any]:
    """What a page shows of a step: what the last answer led to, and the present question."""
    words = visit.words
    query = visit.query_params
    questions = [
        LessonQuestion(scene, place) for scene in taught.scenes for place in range(len(scene.turns))
    ]
    turn = min(_number(query.get("turn", "")), len(questions))
    reply = _reply(visit, questions[turn]) if turn < len(questions) else LessonReply()
    turn += reply.right
    return {
        "turn": turn,
        "astray": reply.astray,
        "correction": reply.lines,
        "tried": query.getlist("card"),
        "came": _came(words, questions[turn - 1]) if turn else None,
        "question": _question(words, questions[turn]) if turn < len(questions) else None,
        "playing": not questions,
    }


def _reply(visit: Visit, question: LessonQuestion) -> LessonReply:
    """What is said to the answer in the address; nothing where there is none."""
    words = visit.words
    query = visit.query_params
    now, astray = question.begun(words), bool(query.get("astray"))
    assert now.turn is not None
    answer = lesson_sentence(words, lesson.ANSWER, now.view, answer=now.turn.right_cards)
    if query.get("hint"):
        return LessonReply(lines=(answer,), astray=astray)
    tried = _cards(query.getlist("card"))
    if len(tried) != 1 and not (now.passing and query.get("tried")):
        return LessonReply(astray=astray)
    clue = now.corrected(words, tried)
    if not clue:
        return LessonReply(right=True)
    return LessonReply(lines=(clue, answer) if astray else (clue,), astray=True)


def _cards(texts: list[str]) -> tuple[Card, ...]:
    try:
        return tuple(Card(text) for text in texts)
    except CardFault:
        raise Refused(404, "not_found") from None


def _came(words: Words, answered: LessonQuestion) -> dict[str, Any]:
    """What followed an answer: lines, and the cards of the trick."""
    now = answered.answered(words)
    tricks = now.view.deal.tricks
    cards = _laid(words, now, tricks[-1].leader, tricks[-1].cards) if tricks else []
    return {"lines": now.came, "cards": cards}


def _question(words: Words, question: LessonQuestion) -> dict[str, Any]:
    """The question, and the cards that it is about."""
    now = question.begun(words)
    assert now.turn is not None
    deal = now.view.deal
    tells = [lesson_sentence(words, text, now.view) for text in question.scene.tells]
    return {
        "lines": now.led if question.place else (*tells, *now.led),
        "cards": _laid(words, now, deal.leader, deal.trick),
        "ask": lesson_sentence(words, now.turn.ask, now.view),
        "several": len(now.turn.right_cards) if now.passing else 0,
        "hand": [(card.text, words.card(card)) for card in words.hand_order(now.view)],
    }


def _laid(
    words: Words, now: LessonMoment, leader: int, cards: Sequence[Card]
) -> list[tuple[str, str]]:
    """Cards, each with the name of who has played it."""
    names = [words.sentence(words.t(N_("you"))), *(each.name for each in now.state.players[1:])]
    return [(card.text, names[(leader + turn) % len(names)]) for turn, card in enumerate(cards)]
