"""The lesson as pages: one for each step, with the question as a form, so no script is needed.

Nothing is stored: the address holds the progress in the step and the last answer. For each page
the scene is played again up to the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte import game
from volte.bots import Puppet
from volte.cards import Card, CardFault
from volte.lessons import lesson
from volte.lessons.lesson import (
    PUPIL,
    SMALL_PACK,
    STEPS,
    LessonScene,
    Step,
    Turn,
    lesson_sentence,
    lesson_table,
    scene_table,
)
from volte.rules import make_ruleset
from volte.say import N_, Words
from volte.table import Setup
from volte.view import View
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [route("/learn", start), route("/learn/{step}", step)]


async def start(visit: Visit) -> Response:
    """`/learn`: the introduction to the lesson, and its steps."""
    return page(visit, "learn.html", titles=_titles(visit.words))


async def step(visit: Visit) -> Response:
    """`/learn/{step}`: a step, at the question and with the answer in the address."""
    words, number = visit.words, _number(visit.path_params["step"])
    if not 1 <= number <= len(STEPS):
        raise Refused(404, "not_found")
    titles, taught = _titles(words), STEPS[number - 1]
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
        **_progress(visit, taught),
    )


def _titles(words: Words) -> list[tuple[int, str]]:
    view = small_deal(words)
    return [
        (number, lesson_sentence(words, each.title, view))
        for number, each in enumerate(STEPS, start=1)
    ]


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


BEGINNERS: Final = ("beginner",) * 3
"""Bots of the real deal that ends the lesson."""


def first_deal(words: Words) -> Setup:
    """The table of that deal: a small pack, and hints at any time."""
    return Setup(words.t("A first deal"), make_ruleset(settings=SMALL_PACK), hints=True)


# A step


@dataclass(frozen=True)
class LessonReply:
    """The lesson's reply to the pupil's answer: right or not, with a clue or the solution."""

    right: bool = False
    played: Card | None = None  # the card, if the answer is right and no pass
    # a clue, and after a second wrong answer the solution; empty for a right one
    lines: tuple[str, ...] = ()
    astray: bool = False  # whether an answer to this question has been wrong


def _progress(visit: Visit, taught: Step) -> dict[str, Any]:
    """Context for a step: the result of the last answer, and the present question."""
    words, query = visit.words, visit.query_params
    questions = [(scene, place) for scene in taught.scenes for place in range(len(scene.turns))]
    turn = min(_number(query.get("turn", "")), len(questions))
    reply = LessonReply()
    if turn < len(questions):
        reply = _reply(visit, moment(words, *questions[turn]))
        turn += reply.right
    came = None
    if turn:
        scene, place = questions[turn - 1]
        now = moment(words, scene, place + 1, reply.played)
        tricks = now.view.deal.tricks
        cards = _laid(words, now, tricks[-1].leader, tricks[-1].cards) if tricks else []
        came = {"lines": now.came, "cards": cards}
    return {
        "turn": turn,
        "astray": reply.astray,
        "correction": reply.lines,
        "tried": query.getlist("card"),
        "came": came,
        "question": _question(words, *questions[turn]) if turn < len(questions) else None,
        "playing": not questions,
    }


def _reply(visit: Visit, now: LessonMoment) -> LessonReply:
    """The reply to the answer in the address; an empty one without an answer."""
    words, query = visit.words, visit.query_params
    astray = bool(query.get("astray"))
    assert now.turn is not None
    answer = lesson_sentence(words, lesson.ANSWER, now.view, answer=now.turn.right_cards)
    if query.get("hint"):
        return LessonReply(lines=(answer,), astray=astray)
    try:
        tried = tuple(Card(text) for text in query.getlist("card"))
    except CardFault:
        raise Refused(404, "not_found") from None
    if len(tried) != 1 and not (now.passing and query.get("tried")):
        return LessonReply(astray=astray)
    clue = now.corrected(words, tried)
    if not clue:
        return LessonReply(right=True, played=None if now.passing else tried[0])
    return LessonReply(lines=(clue, answer) if astray else (clue,), astray=True)


def _question(words: Words, scene: LessonScene, place: int) -> dict[str, Any]:
    """Context for a question: its sentences, the cards on the table, and the hand."""
    now = moment(words, scene, place)
    assert now.turn is not None
    deal = now.view.deal
    tells = [lesson_sentence(words, text, now.view) for text in scene.tells]
    return {
        "lines": now.led if place else (*tells, *now.led),
        "cards": _laid(words, now, deal.leader, deal.trick),
        "ask": lesson_sentence(words, now.turn.ask, now.view),
        "several": len(now.turn.right_cards) if now.passing else 0,
        "hand": [(card.text, words.card(card)) for card in words.hand_order(now.view)],
    }


def _laid(
    words: Words, now: LessonMoment, leader: int, cards: Sequence[Card]
) -> list[tuple[str, str]]:
    """(card, name of its player) for the cards of a trick."""
    names = [words.sentence(words.t(N_("you"))), *(each.name for each in now.state.players[1:])]
    return [(card.text, names[(leader + turn) % len(names)]) for turn, card in enumerate(cards)]


# A scene, played up to one of its questions


@dataclass(frozen=True)
class LessonMoment:
    """A scene at one of its questions, or after the last one."""

    state: game.MatchState  # with all hands open
    view: View  # the pupil's
    turn: Turn | None  # the question; None when the scene is over
    came: tuple[str, ...]  # sentences from the last answer to the end of its trick
    led: tuple[str, ...]  # sentences since then, or since the cards were dealt

    @property
    def passing(self) -> bool:
        """Whether the question is about cards to pass, not a card to play."""
        return self.state.phase is game.Phase.PASSING

    def corrected(self, words: Words, cards: Sequence[Card]) -> str:
        """The clue or refusal for cards given as an answer; empty if they are right.

        There must be a question, and unless it is a pass exactly one card.
        """
        assert self.turn is not None
        action = game.Pass(PUPIL, tuple(cards)) if self.passing else game.Play(PUPIL, cards[0])
        outcome = game.decide(self.state, action)
        if isinstance(outcome, game.Refusal):
            return words.refusal(outcome, self.view)
        spare = [card for card in cards if card not in self.turn.accepted]
        if not spare:
            return ""
        clue = self.turn.clue_to(spare[0])
        return lesson_sentence(words, clue, self.view, card=spare[0], spare=spare)


def moment(
    words: Words, scene: LessonScene, answered: int, last: Card | None = None
) -> LessonMoment:
    """A scene after a number of its questions have been answered.

    Args:
        last: the card that answered the last of them, if several are right.
    """
    pupil = _Pupil(words, scene.turns[:answered], last)
    driver = scene_table(words, scene, pupil)
    while pupil.answered < len(scene.turns):
        try:
            driver.step()
        except _NoAnswer:
            break
    turn = scene.turns[answered] if answered < len(scene.turns) else None
    return LessonMoment(driver.state, pupil.view, turn, tuple(pupil.came), tuple(pupil.led))


def small_deal(words: Words) -> View:
    """The pupil's view of an example of the small deal that ends the lesson, for its sentences."""
    pupil = _Pupil(words, (), None)
    rules, others = make_ruleset(settings=SMALL_PACK), [Puppet(())] * 3
    driver = lesson_table(words, rules, pupil, others, game.PlainChance(0))
    while driver.state.deal is None:
        driver.step()
    return pupil.view


class _NoAnswer(Exception):
    """The pupil has to act, but all answers have been given."""


class _Pupil:
    """The owner of the pupil's seat: gives the right answers, and collects the sentences."""

    def __init__(self, words: Words, turns: Sequence[Turn], last: Card | None) -> None:
        self._words = words
        self._turns = turns
        self._last = last
        self._view: View | None = None
        self._given = 0
        self.answered = 0  # number of questions that are over
        self.came: list[str] = []  # as in `LessonMoment`
        self.led: list[str] = []

    @property
    def view(self) -> View:
        assert self._view is not None
        return self._view

    def tell(self, events: Sequence[game.Event]) -> None:
        """Collect the sentences on events, once the cards are dealt."""
        for event in events:
            before = self._view
            self._view = before.see(event) if before is not None else View.of(PUPIL, [event])
            if before is not None and before.state.deal is not None:
                self.led += self._words.tell(before, event, self._view)
        if any(isinstance(event, game.TrickTaken | game.Exchanged) for event in events):
            self.answered += 1
            done = self._turns[self.answered - 1].done
            if done:
                self.led.append(lesson_sentence(self._words, done, self.view))
            self.came, self.led = self.led, []

    def ask(self) -> game.SeatAction:
        if self._given == len(self._turns):
            raise _NoAnswer
        cards = self._turns[self._given].right_cards
        self._given += 1
        self.led.clear()
        if self.view.state.phase is game.Phase.PASSING:
            return game.Pass(PUPIL, cards)
        ends = self._given == len(self._turns)
        return game.Play(PUPIL, self._last if ends and self._last else cards[0])

    def refused(self, refusal: game.Refusal) -> None:
        raise RuntimeError(f"the lesson is wrong: {refusal}")
