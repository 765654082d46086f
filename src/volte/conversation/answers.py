"""The answers to questions at a table: the keys of K1 and ours beside them, and hints."""

from __future__ import annotations

from asyncio import Task, TaskGroup
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from volte.bots import chosen_moon
from volte.cards import Card, VolteError
from volte.game import Pass, Refusal
from volte.say import Words
from volte.say.answers import tricks
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.rulesheet.vocabulary import explained
from volte.say.telling import Lines
from volte.say.typed import read_choice
from volte.scene.permitted import no_hint
from volte.table import TableState
from volte.table import status as room_status
from volte.table.live import LiveTable
from volte.table.telling import bot_there
from volte.view import View
from volte.wire.messages import Answer, Ask, Question

_OF_A_MATCH: Final[dict[Question, Callable[[Words, View], Lines]]] = {
    Question.TABLE: Words.table,
    Question.SCORES: Words.scores,
    Question.LAST: Words.last_trick,
    Question.POINTS: Words.points_taken,
    Question.SHEET: lambda words, view: words.score_sheet(view, width=0),
    Question.TRICKS: tricks,
}


def answer(words: Words, ask: Ask, state: TableState, view: View | None, status: str) -> Lines:
    """The answer to a question, except hints (see `Hints`), cards (see `cards_typed`) and people.

    Args:
        state: as the person knows it.
        view: the person's, of the match; None before the first.
        status: the scene's sentence about what is going on.
    """
    match ask.what:
        case Question.RULES:
            sheet = format_sheet(rule_sheet(state.setup.rules, words), words)
            lines = tuple(line for line in sheet.split("\n") if line)
            if not state.setup.rated:
                return lines
            rated = words.t(
                "The matches at this table are rated. There are no hints, cards cannot be taken"
                " back, and if you leave a match you are ranked last."
            )
            return (*lines, rated)
        case Question.TURN:
            return _turn(words, state, view, status)
    if view is None:
        return (words.t("No match has begun yet."),)
    match ask.what:
        case Question.TABLE if ask.card:
            return words.table_card(view, ask.card)
        case Question.HAND:
            return words.hand(view, places=ask.places)
        case Question.SEAT:
            there = state.seats[ask.seat : ask.seat + 1]
            return (*words.seat(view, ask.seat), *(bot_there(words, *there) if there else ()))
        case Question.SITUATION:
            cards = words.situation(view) if state.under_way else ()
            return (*_turn(words, state, view, status), *cards)
    return _OF_A_MATCH[ask.what](words, view)


def _turn(words: Words, state: TableState, view: View | None, status: str) -> Lines:
    """The answer about the turn while cards are played or passed; else the scene's status."""
    if view is None or not state.under_way or state.paused or state.between_deals:
        return (status,)
    seat = state.seats[view.seat] if view.seat is not None else None
    away = seat is not None and seat.stand_in is not None
    return (*words.turn(view), *([room_status.stands_in(words)] if away else []))


def cards_typed(words: Words, ask: Ask, view: View | None) -> tuple[str, Lines, tuple[Card, ...]]:
    """Read a line that names cards of the hand: (reason why not or "", sentences, cards).

    A word of the game names none: the sentences explain it by the rules of the table.
    """
    if view is None or view.seat is None or view.state.deal is None:
        return "no_cards_held", (words.t("You hold no cards."),), ()
    try:
        return "", (), read_choice(words.lang, ask.text, view)
    except VolteError as fault:
        if told := explained(words, view.state.rules, ask.text):
            return "", told, ()
        return fault.reason, (words.fault(fault),), ()


class _Choice(NamedTuple):
    """A choice that somebody has asked a hint for."""

    number: int  # of the last happening at the table
    moment: tuple[object, ...]  # seat and place in the match: equal for the same choice only
    view: View  # the match as the seat that has to choose sees it

    @classmethod
    def at(cls, state: TableState, view: View) -> _Choice:
        return cls(state.version, (view.seat, state.match_began, state.moved), view)


class Hints:
    """The hints of one conversation, computed in a task beside it, one at a time, so nothing else
    waits.

    Args:
        live: the table, which takes turns with others and with bots in computing.
        words: the language that the person reads now.
        send: sends answers.
        tasks: the conversation's tasks; a hint that fails ends the conversation.
    """

    def __init__(
        self,
        live: LiveTable,
        words: Callable[[], Words],
        send: Callable[..., Awaitable[None]],
        tasks: TaskGroup,
    ) -> None:
        self._live = live
        self._words = words
        self._send = send
        self._tasks = tasks
        self._requests: list[str] = []
        self._choice: _Choice | None = None
        self._task: Task[None] | None = None

    def ask(self, request: str, state: TableState, view: View | None) -> Answer | None:
        """The answer to a request for a hint if it is known at once; None if it is sent later.

        One hint answers all requests that come before it is ready.

        Args:
            request: its id.
            state: as the person knows it.
            view: the person's, of the match; None before the first.
        """
        reason = no_hint(state, view)
        if reason or view is None:
            return self._refused(request, reason, state)
        moon = chosen_moon(view)
        if moon is not None:
            lines = (self._words().moon_hint(view, moon),)
            return Answer(request, True, state.version, None, lines)
        self._requests.append(request)
        if self._task is None:
            self._begin(_Choice.at(state, view))
        return None

    @property
    def busy(self) -> bool:
        """Whether a hint is being computed."""
        return self._task is not None

    def table_changed(self, state: TableState, view: View | None) -> list[Answer]:
        """Start anew if the choice is another one; return refusals if there is no choice now."""
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
        requests, self._requests = self._requests, []
        return [self._refused(request, over or "no_hint_now", state) for request in requests]

    def _begin(self, choice: _Choice) -> None:
        self._choice = choice
        self._task = self._tasks.create_task(self._advise(choice))

    async def _advise(self, choice: _Choice) -> None:
        hint = await self._live.advise(choice.view)
        line = self._words().hint(hint, choice.view)
        action = hint.action
        cards = action.cards if isinstance(action, Pass) else (action.card,)
        requests, self._requests = self._requests, []
        self._task = self._choice = None  # another hint may be asked for while this one is sent
        await self._send(
            *(Answer(request, True, choice.number, None, (line,), cards) for request in requests)
        )

    def _refused(self, request: str, reason: str, state: TableState) -> Answer:
        paused = reason == "no_hint_now" and state.paused
        line = self._words().why("paused" if paused else reason)
        return Answer(request, False, state.version, Refusal(reason), (line,))
