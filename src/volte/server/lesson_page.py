"""The lesson as pages: a step each, its question a form, so that nothing needs a script.

Nothing is kept: an address says how far somebody has come, and what they have just answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.cards import Card, CardFault
from volte.game import Phase
from volte.rules import make_ruleset
from volte.server.arriving import seated_table
from volte.server.page import page
from volte.server.refused import Refused
from volte.server.teaching import Moment, moment, small_deal
from volte.table import Setup
from volte.words import N_, Words, lesson
from volte.words.lesson import SMALL_PACK, STEPS, Scene, Step, lesson_sentence
from volte.words.pages import page_sentence

CLASSMATES: Final = ("beginner", "beginner", "beginner")


def routes() -> list[BaseRoute]:
    return [
        Route("/learn", start),
        Route("/learn/deal", deal, methods=["POST"]),
        Route("/learn/{step}", step),
    ]


async def start(request: Request) -> Response:
    """What the lesson is, and its steps."""
    return page(request, "learn.html", titles=_titles(request.state.words))


async def step(request: Request) -> Response:
    """One step, at the question and with the answer that the address names."""
    words: Words = request.state.words
    number = _number(request.path_params["step"])
    if not 1 <= number <= len(STEPS):
        raise Refused(404, "not_found")
    titles = _titles(words)
    taught = STEPS[number - 1]
    view = moment(words, taught.scenes[0], 0).view if taught.scenes else small_deal(words)
    return page(
        request,
        "lesson.html",
        titles=titles,
        number=number,
        count=len(STEPS),
        title=titles[number - 1][1],
        tells=[lesson_sentence(words, text, view) for text in taught.tells],
        before=titles[number - 2] if number > 1 else None,
        after=titles[number] if number < len(STEPS) else None,
        **_asked(request, taught),
    )


async def deal(request: Request) -> Response:
    """The real deal at the end of the lesson, against beginners, with hints."""

    def setup(name: str) -> Setup:
        called = page_sentence(request.state.words, "lesson_table")
        return Setup(called, make_ruleset(settings=SMALL_PACK), hints=True)

    return await seated_table(request, setup, CLASSMATES)


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
class Question:
    """One of the questions of a step.

    Attributes:
        place: among those of its scene.
    """

    scene: Scene
    place: int

    def begun(self, words: Words) -> Moment:
        return moment(words, self.scene, self.place)

    def answered(self, words: Words) -> Moment:
        return moment(words, self.scene, self.place + 1)


def _asked(request: Request, taught: Step) -> dict[str, Any]:
    """Where in a step somebody is: what came of the last answer, and what is asked now."""
    words: Words = request.state.words
    query = request.query_params
    questions = [
        Question(scene, place) for scene in taught.scenes for place in range(len(scene.turns))
    ]
    turn = min(_number(query.get("turn", "")), len(questions))
    correction: tuple[str, ...] = ()
    astray = bool(query.get("astray"))
    if turn < len(questions):
        now = questions[turn].begun(words)
        tried = _cards(query.getlist("card"))
        if query.get("hint"):
            correction = (_answer(words, now),)
        elif tried or query.get("tried"):
            correction = now.corrected(words, tried)
            if not correction and tried:
                turn, astray = turn + 1, False
            elif astray:
                correction += (_answer(words, now),)
            else:
                astray = True
    return {
        "turn": turn,
        "astray": astray,
        "correction": correction,
        "tried": query.getlist("card"),
        "came": _told(words, questions[turn - 1].answered(words)) if turn else None,
        "question": _question(words, questions[turn]) if turn < len(questions) else None,
        "playing": not questions,
    }


def _answer(words: Words, now: Moment) -> str:
    """The right cards, for whoever asks for them or has been wrong twice."""
    assert now.turn is not None
    return lesson_sentence(words, lesson.ANSWER, now.view, answer=now.turn.right_cards)


def _cards(texts: list[str]) -> tuple[Card, ...]:
    try:
        return tuple(Card(text) for text in texts)
    except CardFault:
        raise Refused(404, "not_found") from None


def _told(words: Words, now: Moment) -> dict[str, Any]:
    """What has happened, as lines and as cards on the table."""
    deal = now.view.deal
    trick = deal.tricks[-1] if deal.tricks and not deal.trick else None
    cards = trick.cards if trick is not None else deal.trick
    leader = trick.leader if trick is not None else deal.leader
    names = [words.sentence(words.t(N_("you"))), *(each.name for each in now.state.players[1:])]
    return {
        "lines": now.heard,
        "cards": [
            (card.text, names[(leader + turn) % len(names)]) for turn, card in enumerate(cards)
        ],
    }


def _question(words: Words, asked: Question) -> dict[str, Any]:
    """What is asked, before which cards. What came of the last answer has been told already."""
    now = asked.begun(words)
    assert now.turn is not None
    told = _told(words, now)
    opening = [lesson_sentence(words, text, now.view) for text in asked.scene.tells]
    lines = () if asked.place else (*opening, *told["lines"])
    return {
        "lines": lines,
        "cards": told["cards"] if lines or now.view.deal.trick else [],
        "ask": lesson_sentence(words, now.turn.ask, now.view),
        "several": len(now.turn.right_cards) if now.state.phase is Phase.PASSING else 0,
        "hand": [(card.text, words.card(card)) for card in words.hand_order(now.view)],
    }
