"""The lesson as pages: a step each, its question a form, so that nothing needs a script.

Nothing is stored: an address says how far somebody has come, and what they have just answered.
A scene is played anew up to the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from volte.view import View
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [route("/learn", start), route("/learn/{step}", step)]


async def start(visit: Visit) -> Response:
    """What the lesson is, and its steps."""
    return page(visit, "learn.html", titles=_titles(visit.words))


async def step(visit: Visit) -> Response:
    """One step, at the question and with the answer that the address names."""
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


# A step


@dataclass(frozen=True)
class LessonReply:
    """The correction of an answer."""

    right: bool = False
    played: Card | None = None  # where it is right, and a card to play
    # a clue, and the answer for whoever has been wrong before; none where it is right
    lines: tuple[str, ...] = ()
    astray: bool = False  # whether the next wrong answer is not the first


def _progress(visit: Visit, taught: Step) -> dict[str, Any]:
    """What a page shows of a step: what the last answer led to, and the present question."""
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
    """What is said to the answer in the address; nothing where there is none."""
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
    """The question, and the cards that it is about."""
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
    """Cards, each with the name of who has played it."""
    names = [words.sentence(words.t(N_("you"))), *(each.name for each in now.state.players[1:])]
    return [(card.text, names[(leader + turn) % len(names)]) for turn, card in enumerate(cards)]


# A scene, played up to one of its questions


@dataclass(frozen=True)
class LessonMoment:
    """A scene, where the pupil has just answered, or is to begin."""

    state: game.MatchState  # as the house knows it
    view: View  # as the pupil sees it
    turn: Turn | None  # the question; None when the scene is over
    came: tuple[str, ...]  # what was said of the last answer, up to the end of its trick
    led: tuple[str, ...]  # what was said since, or since the cards were dealt

    @property
    def passing(self) -> bool:
        """Whether cards to pass are asked for, and not one to play."""
        return self.state.phase is game.Phase.PASSING

    def corrected(self, words: Words, cards: Sequence[Card]) -> str:
        """What is said to those cards as an answer; nothing where they are the right ones.

        Only where there is a question, and where cards are played only to one card.
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
    """The scene once that many of its questions have been answered.

    Args:
        last: the card that answered the last of them, where several are right.
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
    """What a pupil sees at the start of the real deal that ends the lesson."""
    pupil = _Pupil(words, (), None)
    rules, others = make_ruleset(settings=SMALL_PACK), [Puppet(())] * 3
    driver = lesson_table(words, rules, pupil, others, game.PlainChance(0))
    while driver.state.deal is None:
        driver.step()
    return pupil.view


class _NoAnswer(Exception):
    """The pupil is asked, and has no answer."""


class _Pupil:
    """Somebody who gives the right answers."""

    def __init__(self, words: Words, turns: Sequence[Turn], last: Card | None) -> None:
        self._words = words
        self._turns = turns
        self._last = last
        self._view: View | None = None
        self._given = 0
        self.answered = 0  # the questions that are over
        self.came: list[str] = []  # what was said of the last answer
        self.led: list[str] = []  # what was said since then

    @property
    def view(self) -> View:
        assert self._view is not None
        return self._view

    def tell(self, events: Sequence[game.Event]) -> None:
        """Hears all that happens once the cards are dealt."""
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
