"""`volte learn`: the lesson at the terminal, step by step, through the real engine."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from volte import game
from volte.bots import Hint, hint, make_bot
from volte.cards import Card, CardSet
from volte.console.keys import CARD_LINE, digit_lines, key_of
from volte.console.options import words_for
from volte.console.person import TerminalPlayer
from volte.console.terminal import Console, Dialogue, Quit, command_line
from volte.console.witness import PlayStyle
from volte.lessons import lesson
from volte.lessons.lesson import PUPIL, STEPS, Step, Turn, lesson_sentence
from volte.referee import Event, SeatAction
from volte.rules import DEFAULT, make_ruleset
from volte.say import Verbosity, Words
from volte.say.keys import Key, listed
from volte.view import View

LEVEL: Final = "beginner"

_KEYS: Final = (
    *(Key.TABLE, Key.TURN, Key.SITUATION, Key.HAND, Key.LAST, Key.POINTS, Key.HINT, Key.REPEAT),
)
_MOVES: Final = {"-": -1, "−": -1, "back": -1, "retour": -1, "+": 1, "next": 1, "suite": 1}


def learn(
    lang: str, step: int, plain: bool, width: int | None, verbosity: Verbosity | None
) -> None:
    """Give the lesson at this terminal from a step on, counted from 1. Raises `Quit`."""
    manner = PlayStyle(verbosity or Verbosity.NORMAL)
    console = Console.here(width, plain)
    Lesson(words_for(lang, console.plain), console, manner).run(step)


class Lesson(Dialogue):
    """The lesson: its steps in order, or as the pupil turns to them.

    Args:
        seed: seed of the real deal in the last step; random if None.
    """

    def __init__(
        self,
        words: Words,
        console: Console,
        manner: PlayStyle | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(words, console)
        self._manner = manner or PlayStyle()
        self._seed = secrets.randbits(64) if seed is None else seed
        self._welcome: tuple[str, ...] = lesson.WELCOME

    def run(self, step: int = 1) -> None:
        """Give the steps from `step` to the end. Raises `Quit`, after telling the way back."""
        step = min(step, len(STEPS))
        while step <= len(STEPS):
            try:
                learner = self._teach(step)
                step += 1
                if step <= len(STEPS):
                    learner.pause()
            except OtherStep as elsewhere:
                step = max(1, step + elsewhere.steps)
            except Quit:
                self.say(lesson.GOODBYE, command=command_line("learn", "--step", str(step)))
                raise
        self.say(lesson.END, command=command_line("play"))

    def _teach(self, number: int) -> Student:
        """Give a step; return the student, who may pause after it."""
        step = STEPS[number - 1]
        if not step.scenes:
            return self._deal(number, step)
        for scene in step.scenes:
            pupil = Pupil(self.words, self.console, self._manner, scene.turns)
            driver = _dealt(lesson.scene_table(self.words, scene, pupil))
            if scene is step.scenes[0]:
                self._introduce(number, step, pupil)
            pupil.hear(*scene.tells)
            while pupil.turns:
                driver.step()
        return pupil

    def _deal(self, number: int, step: Step) -> Student:
        newcomer = Newcomer(self.words, self.console, self._manner)
        bots = [make_bot(LEVEL, self._seed) for _ in range(3)]
        rules = make_ruleset(settings=lesson.SMALL_PACK)
        chance = game.PlainChance(self._seed)
        driver = _dealt(lesson.lesson_table(self.words, rules, newcomer, bots, chance))
        self._introduce(number, step, newcomer)
        newcomer.hear(lesson.HINTED)
        driver.run()
        self.console.say(*self.words.score_sheet(newcomer.view, self.console.table_width))
        return newcomer

    def _introduce(self, number: int, step: Step, learner: Student) -> None:
        learner.hear(*self._welcome)
        self._welcome = ()
        title = lesson_sentence(self.words, step.title, learner.view)
        self.console.say("")
        self.say(lesson.HEADING, number=number, count=len(STEPS), title=title)
        learner.hear(*step.tells)


def _dealt(driver: game.Driver) -> game.Driver:
    """Run the match until a seat has to act, and return it."""
    while not game.to_act(driver.state):
        driver.step()
    return driver


class OtherStep(Exception):
    """The student turns to another step, `steps` further on; a negative number goes back."""

    def __init__(self, steps: int) -> None:
        super().__init__(steps)
        self.steps = steps


class Student(TerminalPlayer):
    """A person who takes the lesson."""

    place = "lesson"

    def __init__(self, words: Words, console: Console, manner: PlayStyle) -> None:
        super().__init__(PUPIL, words, console, manner)
        self._keys_told = True

    def tell(self, events: Sequence[Event]) -> None:
        """Tell the events since the cards were dealt."""
        if self._view is None:
            self._view = View.of(PUPIL, events)
        elif self._view.state.deal is None:
            self._view = self._view.see(*events)
        else:
            super().tell(events)

    def hear(self, *texts: str, **params: object) -> None:
        """Print sentences of the lesson, their places filled in from the table."""
        for text in texts:
            self.console.say(lesson_sentence(self.words, text, self.view, **params))

    def _hand(self) -> tuple[str, ...]:
        """The whole hand, not only legal cards: the pupil learns to find the right ones."""
        return self.words.hand(self.view)

    def _advice(self) -> Hint:
        """A hint that looks one trick ahead, and no further: this is what the lesson teaches."""
        return hint(self.view)

    def pause(self) -> None:
        """Wait until the pupil goes on. Raises `OtherStep` to go back, and `Quit`."""
        try:
            while line := self.ask_line(lesson.PAUSE):
                if not self._press(key_of(line)):
                    self.hear(lesson.NOT_A_PAUSE)
        except OtherStep as elsewhere:
            if elsewhere.steps < 0:
                raise

    def line(self, prompt: str) -> str:
        line = super().line(prompt)
        steps = _MOVES.get(line.casefold())
        if steps is not None:
            raise OtherStep(steps)
        return line

    def claim(self) -> game.Claim:
        return game.Claim(self._me)  # is told to be out of place

    @property
    def moved(self) -> Mapping[Key, str]:
        return lesson.MOVED

    def _help(self) -> tuple[str, ...]:
        cards = self.words.t(CARD_LINE), *digit_lines(self.words, self.view.state.rules.players)
        more = (lesson_sentence(self.words, text, self.view) for text in lesson.KEYS)
        return (*cards, *listed(self.words, _KEYS), *more)


class Newcomer(Student):
    """A student who plays a first deal, with a hint before each card."""

    def _introduce(self) -> None:
        if self._introduced != self.view.state.version:
            super()._introduce()
            self.console.say(self.words.hint(self._advice(), self.view))


class Pupil(Student):
    """A student who is asked for particular cards, and helped to find them."""

    def __init__(
        self, words: Words, console: Console, manner: PlayStyle, turns: Sequence[Turn]
    ) -> None:
        super().__init__(words, console, manner)
        self.turns = list(turns)  # questions still to come
        self._astray = False

    def tell(self, events: Sequence[Event]) -> None:
        """Tell the events, and the lesson to learn from them."""
        super().tell(events)
        if any(isinstance(event, game.TrickTaken | game.Exchanged) for event in events):
            turn = self.turns.pop(0)
            self._astray = False
            if turn.done:
                self.hear(turn.done)

    def ask(self) -> SeatAction:
        """Ask until the answer is right, or a card that the rules refuse."""
        while True:
            action = super().ask()
            if not isinstance(action, game.Pass | game.Play):
                self.hear(lesson.NOT_HERE)
                continue
            tried = action.cards if isinstance(action, game.Pass) else (action.card,)
            spare = [card for card in tried if card not in self.turns[0].accepted]
            if not spare or not self._lawful(tried):
                return action
            self._correct(spare)

    def _prompt(self) -> str:
        question = lesson_sentence(self.words, self.turns[0].ask, self.view)
        several = self.view.state.phase is game.Phase.PASSING
        return f"{question} {self.words.t(lesson.ON_ONE_LINE)}" if several else question

    def _lawful(self, cards: Sequence[Card]) -> bool:
        if self.view.state.phase is game.Phase.PASSING:
            enough = len(set(cards)) == len(cards) == self.view.deal.pass_size
            return enough and CardSet(cards) <= self.view.hand
        return CardSet(cards) <= self.view.legal

    def _correct(self, spare: Sequence[Card]) -> None:
        """Print a clue, and from the second wrong answer on the solution too."""
        turn, card = self.turns[0], spare[0]
        self.hear(turn.clue_to(card), card=card, spare=spare)
        if self._astray:
            self._answer_aloud()
        self._astray = True

    def _answer_aloud(self) -> None:
        self.hear(lesson.ANSWER, answer=self.turns[0].right_cards)

    def _press(self, key: Key | int | None) -> bool:
        if key is Key.HINT:
            if not self.turns:
                return False
            self._answer_aloud()
        elif key is Key.RULES:
            self.hear(lesson.RULES, command=command_line("rules", "--rules", DEFAULT))
        else:
            return super()._press(key)
        return True
