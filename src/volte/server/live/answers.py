"""What is answered to a question at a table: the keys of K1, and ours beside them."""

from __future__ import annotations

from asyncio import Task, TaskGroup
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from volte.bots import chosen_moon
from volte.cards import Card, Fault
from volte.game import Pass, Refusal
from volte.rules import Ruleset
from volte.say import Words
from volte.say.card_line import read_choice
from volte.say.claiming import tricks
from volte.say.pages import page_sentence
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.serving import serving_sentence
from volte.table import TableState
from volte.table import status as room_status
from volte.table.live import LiveTable
from volte.table.thinking import Thinking
from volte.view import View
from volte.wire.messages import Answer, Ask, Question

Lines = tuple[str, ...]


_OF_A_MATCH: Final[dict[Question, Callable[[Words, View], Lines]]] = {
    Question.TABLE: Words.table,
    Question.SCORES: Words.scores,
    Question.LAST: Words.last_trick,
    Question.POINTS: Words.points_taken,
    Question.SHEET: lambda words, view: words.score_sheet(view, width=0),
    Question.TRICKS: tricks,
}


def answer(
    words: Words, ask: Ask, state: TableState, view: View | None, status: str
) -> tuple[str, Lines]:
    """Why there is no answer (empty where there is one), and the lines.

    Of any question but for a hint, which takes a while (`volte.server.advising`), and for cards.

    Args:
        state: as the person knows it.
        view: theirs of the match; None before the first.
        status: what is going on, as the scene tells it.
    """
    if ask.what is Question.RULES:
        return "", (*rules_told(words, state.setup.rules), *_rated(words, state))
    if ask.what is Question.TURN:
        return "", _turn(words, state, view, status)
    if view is None:
        return "", (serving_sentence(words, "no_match_yet"),)
    if ask.what is Question.TABLE and ask.card:
        return "", words.table_card(view, ask.card)
    if ask.what is Question.HAND:
        return "", words.hand(view, places=ask.places)
    if ask.what is Question.SEAT:
        return "", words.seat(view, ask.seat)
    if ask.what is Question.SITUATION:
        lies = words.situation(view) if state.under_way else ()
        return "", (*_turn(words, state, view, status), *lies)
    return "", _OF_A_MATCH[ask.what](words, view)


def cards_typed(words: Words, ask: Ask, view: View | None) -> tuple[str, Lines, tuple[Card, ...]]:
    """Why a line names no cards of the hand (empty where it does), that in words, and the cards."""
    if view is None or view.seat is None or view.state.deal is None:
        return "no_cards_held", (serving_sentence(words, "no_cards_held"),), ()
    try:
        return "", (), read_choice(words.lang, ask.text, view)
    except Fault as fault:
        return fault.reason, (words.fault(fault),), ()


def _turn(words: Words, state: TableState, view: View | None, status: str) -> Lines:
    """Whose turn it is, while cards are played or passed; else what everybody waits for."""
    if view is None or not state.under_way or state.paused or state.between_deals:
        return (status,)
    seat = state.seats[view.seat] if view.seat is not None else None
    away = seat is not None and seat.stand_in is not None
    return (*words.turn(view), *([room_status.stands_in(words)] if away else []))


def _rated(words: Words, state: TableState) -> Lines:
    """That the matches count for the ratings, where they do."""
    return (page_sentence(words, "rated_note"),) if state.setup.rated else ()


def no_hint(state: TableState, view: View | None) -> str:
    """Why no hint is given now; empty where one may be asked for."""
    if not state.setup.hints:
        return "no_hints"
    due = view is not None and view.my_turn and state.under_way and not state.paused
    return "" if due else "no_hint_now"


def rules_told(words: Words, rules: Ruleset) -> Lines:
    """The rule sheet, line by line."""
    return tuple(line for line in format_sheet(rule_sheet(rules, words), words).split("\n") if line)


class _Choice(NamedTuple):
    """What somebody wants a hint for.

    Attributes:
        number: of the last happening at the table.
        moment: what tells it from other choices.
        view: of whoever has to choose.
    """

    number: int
    moment: tuple[object, ...]
    view: View

    @classmethod
    def at(cls, state: TableState, view: View) -> _Choice:
        return cls(state.version, (view.seat, state.match_began, state.moved), view)


class Advising:
    """Answers questions for hints, each as soon as there is one; no more than one is thought of.

    Args:
        live: whose people take turns with those of other tables, and with bots.
        words: those that the person reads now.
        say: sends answers.
        doing: what the connection does; it ends with a hint that cannot be thought of or told.
    """

    def __init__(
        self,
        thinking: Thinking,
        live: LiveTable,
        words: Callable[[], Words],
        say: Callable[..., Awaitable[None]],
        doing: TaskGroup,
    ) -> None:
        self._thinking = thinking
        self._live = live
        self._words = words
        self._say = say
        self._doing = doing
        self._asked: list[str] = []
        self._choice: _Choice | None = None
        self._task: Task[None] | None = None

    def ask(self, asking: str, state: TableState, view: View | None) -> Answer | None:
        """The answer to a question, where there is one at once; else it is said later.

        Whoever asks again, before there is one, is told the same.

        Args:
            asking: its id.
            state: as the person knows it.
            view: theirs of the match; None before the first.
        """
        reason = no_hint(state, view)
        if reason or view is None:
            return self._no(asking, reason, state)
        moon = chosen_moon(view)
        if moon is not None:
            return Answer(asking, True, state.version, None, (self._words().moon_hint(view, moon),))
        self._asked.append(asking)
        if self._task is None:
            self._begin(_Choice.at(state, view))
        return None

    @property
    def busy(self) -> bool:
        """Whether a hint is thought of."""
        return self._task is not None

    def look(self, state: TableState, view: View | None) -> list[Answer]:
        """Sees what is to be chosen now.

        Where that is something else, the hint is thought of anew; where nothing is, these are the
        answers to those that were asked for.
        """
        if self._task is None or self._choice is None:
            return []
        over = no_hint(state, view)
        if not over and view is not None and chosen_moon(view) is None:
            now = _Choice.at(state, view)
            if now.moment != self._choice.moment:
                self._task.cancel()
                self._begin(now)
            return []
        self._task.cancel()
        self._task = self._choice = None
        asked, self._asked = self._asked, []
        return [self._no(asking, over or "no_hint_now", state) for asking in asked]

    def _begin(self, choice: _Choice) -> None:
        self._choice = choice
        self._task = self._doing.create_task(self._advise(choice))

    async def _advise(self, choice: _Choice) -> None:
        hint = await self._thinking.advise(choice.view, self._live)
        line = self._words().hint(hint, choice.view)
        action = hint.action
        cards = action.cards if isinstance(action, Pass) else (action.card,)
        asked, self._asked = self._asked, []
        self._task = self._choice = None  # another may be asked for while this one is said
        await self._say(
            *(Answer(asking, True, choice.number, None, (line,), cards) for asking in asked)
        )

    def _no(self, asking: str, reason: str, state: TableState) -> Answer:
        told = "paused" if reason == "no_hint_now" and state.paused else reason
        line = serving_sentence(self._words(), told)
        return Answer(asking, False, state.version, Refusal(reason), (line,))
