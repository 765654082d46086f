"""Hints on one connection: they are thought of beside it, so that nothing waits for them there."""

from __future__ import annotations

from asyncio import Task, TaskGroup
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from volte.bots import chosen_moon
from volte.game import Pass, Refusal
from volte.say import Words
from volte.server.answers import no_hint
from volte.table import TableState
from volte.table.live import LiveTable
from volte.table.thinking import Thinking
from volte.view import View
from volte.wire.messages import Answer


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
        line = self._words().why(told)
        return Answer(asking, False, state.version, Refusal(reason), (line,))
