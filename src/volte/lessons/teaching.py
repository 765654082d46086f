"""The lesson for pages: a scene played up to one of its questions, and an answer judged there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from volte.bots import NAMES, BotOwner, Puppet
from volte.cards import Card
from volte.game import (
    Chance,
    Driver,
    Event,
    Exchanged,
    MatchStarted,
    MatchState,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    Prepared,
    Refusal,
    SeatAction,
    TrickTaken,
    decide,
)
from volte.lessons.lesson import SMALL_PACK, LessonScene, Turn, lesson_sentence
from volte.rules import Ruleset, make_ruleset
from volte.say import N_, Words
from volte.view import View

PUPIL: Final = 0


@dataclass(frozen=True)
class LessonMoment:
    """A scene, where the pupil has just answered, or is to begin."""

    state: MatchState  # as the house knows it
    view: View  # as the pupil sees it
    turn: Turn | None  # the question; None when the scene is over
    came: tuple[str, ...]  # what was told of the last answer, up to the end of its trick
    led: tuple[str, ...]  # what was told since, or since the cards were dealt

    @property
    def passing(self) -> bool:
        """Whether cards to pass are asked for, and not one to play."""
        return self.state.phase is Phase.PASSING

    def corrected(self, words: Words, cards: Sequence[Card]) -> str:
        """What is said to those cards as an answer; nothing where they are the right ones.

        Only where there is a question, and where cards are played only to one card.
        """
        assert self.turn is not None
        action = Pass(PUPIL, tuple(cards)) if self.passing else Play(PUPIL, cards[0])
        outcome = decide(self.state, action)
        if isinstance(outcome, Refusal):
            return words.refusal(outcome, self.view)
        spare = [card for card in cards if card not in self.turn.right_cards]
        if not spare:
            return ""
        clue = self.turn.clue_to(spare[0])
        return lesson_sentence(words, clue, self.view, card=spare[0], spare=spare)


def moment(words: Words, scene: LessonScene, answered: int) -> LessonMoment:
    """The scene once that many of its questions have been answered."""
    pupil = _Pupil(words, scene.turns[:answered])
    house = Prepared(scene.leader, scene.cards)
    driver = _table(words, scene.rules, pupil, scene.cards, house)
    while pupil.answered < len(scene.turns):
        try:
            driver.step()
        except _Asked:
            break
    turn = scene.turns[answered] if answered < len(scene.turns) else None
    return LessonMoment(driver.state, pupil.view, turn, tuple(pupil.came), tuple(pupil.led))


def small_deal(words: Words) -> View:
    """What a pupil sees at the start of the real deal that ends the lesson."""
    pupil = _Pupil(words, ())
    driver = _table(words, make_ruleset(settings=SMALL_PACK), pupil, ((),) * 4, PlainChance(0))
    while driver.state.deal is None:
        driver.step()
    return pupil.view


def _table(
    words: Words,
    rules: Ruleset,
    pupil: _Pupil,
    cards: Sequence[Sequence[Card]],
    house: Chance,
) -> Driver:
    """A table with the pupil, and others who play their cards in order."""
    others = [BotOwner(Puppet(own), seat) for seat, own in enumerate(cards) if seat != PUPIL]
    names = (words.t(N_("South")), *NAMES[: len(others)])
    players = tuple(Player(name, seat == PUPIL) for seat, name in enumerate(names))
    return Driver([MatchStarted(rules, players)], [pupil, *others], house)


class _Asked(Exception):
    """The pupil is asked, and has no answer."""


class _Pupil:
    """Somebody who gives the right answers."""

    def __init__(self, words: Words, turns: Sequence[Turn]) -> None:
        self._words = words
        self._turns = turns
        self._view: View | None = None
        self._given = 0
        self.answered = 0  # the questions that are over
        self.came: list[str] = []  # told of the last answer
        self.led: list[str] = []  # told since then

    @property
    def view(self) -> View:
        assert self._view is not None
        return self._view

    def tell(self, events: Sequence[Event]) -> None:
        """Hears all that happens once the cards are dealt."""
        for event in events:
            before = self._view
            self._view = before.see(event) if before is not None else View.of(PUPIL, [event])
            if before is not None and before.state.deal is not None:
                self.led += self._words.tell(before, event, self._view)
        if any(isinstance(event, TrickTaken | Exchanged) for event in events):
            self.answered += 1
            done = self._turns[self.answered - 1].done
            if done:
                self.led.append(lesson_sentence(self._words, done, self.view))
            self.came, self.led = self.led, []

    def ask(self) -> SeatAction:
        if self._given == len(self._turns):
            raise _Asked
        cards = self._turns[self._given].right_cards
        self._given += 1
        self.led.clear()
        if self.view.state.phase is Phase.PASSING:
            return Pass(PUPIL, cards)
        return Play(PUPIL, cards[0])

    def refused(self, refusal: Refusal) -> None:
        raise RuntimeError(f"the lesson is wrong: {refusal}")
