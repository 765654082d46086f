"""The log of a table as seen from each viewpoint: all secrecy of live tables is here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from volte import game
from volte.table.happenings import Changed, Happening, TableEvent, seen_by, without_cards
from volte.table.setup import Watching
from volte.table.state import TableState, evolve, hidden, states

EVERYTHING: Final = -1
"""The viewpoint of people who see every card, but a deal late."""

Viewpoint = int | None  # a seat, None for the public view, or `EVERYTHING`
MOST_BEFORE_A_MATCH: Final = 2000  # happenings kept in memory while no match has been begun

BeforeAndAfter = tuple[TableState | None, TableState]
"""The table before and after some happenings; None before the very first."""


def viewpoint_of(state: TableState, person: str) -> Viewpoint:
    """The viewpoint from which a person sees the table."""
    seat = state.seat_of(person)
    if seat is None and state.setup.watching is Watching.AFTERWARDS:
        return EVERYTHING
    return seat


class Update:
    """News of a table as seen from a viewpoint. Its states are folded only when asked for."""

    __slots__ = ("_fold", "_states", "first", "happenings", "last", "notice", "resync")

    def __init__(
        self,
        first: int,
        happenings: tuple[Happening, ...],
        fold: Callable[[], BeforeAndAfter],
        resync: bool = False,
        notice: str = "",
    ) -> None:
        self.first = first  # number of the first of `happenings`
        self.last = first + len(happenings) - 1  # number of the last of them; `first - 1` for none
        self.happenings = happenings
        # Whether `happenings` tell the match again from its beginning, since the person now sees it
        # from another seat, or has missed too much
        self.resync = resync
        self.notice = notice  # `not_saved`: nothing can be stored now; `saved`: it can again
        self._fold: Callable[[], BeforeAndAfter] | None = fold
        self._states: BeforeAndAfter

    @classmethod
    def known(
        cls,
        first: int,
        happenings: tuple[Happening, ...],
        before: TableState | None,
        after: TableState,
    ) -> Update:
        """An update between states that are known."""
        return cls(first, happenings, lambda: (before, after))

    @property
    def states(self) -> BeforeAndAfter:
        """The table before and after it, as the person knew it."""
        if self._fold is not None:  # dropped after use, as it holds a part of the log
            self._states, self._fold = self._fold(), None
        return self._states

    @property
    def before(self) -> TableState | None:
        return self.states[0]

    @property
    def after(self) -> TableState:
        return self.states[1]


class LogSection:
    """The part of a log that holds one match, or the happenings before the first match.

    Args:
        base: the whole table before the section; None before the first happening.
        folds: `base` as seen from some viewpoints; others do not see a match that `base` has.
    """

    def __init__(self, base: TableState | None, folds: dict[Viewpoint, TableState]) -> None:
        self.base = base
        self.began = base.version if base is not None else 0  # number of the last happening before
        self.log: list[Happening] = []  # the happenings, with their secrets
        self._folds = folds

    def seen(self, viewpoint: Viewpoint, after: int, until: int) -> Sequence[Happening]:
        """The happenings after one number, up to another, as seen from a viewpoint."""
        part = self.log[after - self.began : until - self.began]
        if viewpoint == EVERYTHING:
            return [*map(without_cards, part)]
        return [seen_by(happening, viewpoint) for happening in part]

    def fold(self, viewpoint: Viewpoint, number: int) -> TableState | None:
        """The table as seen from a viewpoint after the happening of that number."""
        newest = known = self._folds.get(viewpoint)
        if known is None or known.version > number:
            known = self.base
            if known is not None:
                known = hidden(known)
        state = known
        for happening in self.seen(viewpoint, known.version if known is not None else 0, number):
            state = evolve(state, happening)
        if state is not None and (newest is None or newest.version < number):
            self._folds[viewpoint] = state
        return state

    def folds(self, viewpoint: Viewpoint, first: int, last: int) -> BeforeAndAfter:
        """The table as seen from a viewpoint before happening `first` and after `last`."""
        before, after = self.fold(viewpoint, first - 1), self.fold(viewpoint, last)
        assert after is not None
        return before, after

    def used(self) -> Sequence[Viewpoint]:
        """The viewpoints from which somebody has seen the table since the section began."""
        return [each for each, state in self._folds.items() if state.version > self.began]


class MatchLog:
    """The log of the present match, with its folds from each viewpoint in use."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        self._section = LogSection(None, {})
        self._open = 0  # number of the last happening that is shown to `EVERYTHING`

    @property
    def version(self) -> int:
        """Number of the last happening."""
        return self.state.version if self.state is not None else 0

    @property
    def began(self) -> int:
        """Number of the last happening that is no longer in memory."""
        return self._section.began

    def reach(self, viewpoint: Viewpoint) -> int:
        """Number of the last happening that is seen from a viewpoint now."""
        return self._open if viewpoint == EVERYTHING else self.version

    def add(
        self, happenings: Sequence[Happening], folded: Iterable[TableState] | None = None
    ) -> None:
        """Appends the happenings of one command, or of several.

        Args:
            folded: the state after each of them, where that is known.
        """
        after = iter(states(self.state, happenings) if folded is None else folded)
        for part in _parts(happenings):
            self._begin_section(part)
            for happening in part:
                behind = self._open < self.version
                self.state = next(after)
                self._section.log.append(happening)
                deals = isinstance(happening, game.Dealt)
                if isinstance(happening, game.Revealed) or not (deals or behind):
                    self._open = self.version

    def _begin_section(self, part: Sequence[Happening]) -> None:
        """Drops the old section at a new match, at another number of seats, or when it is full."""
        if self.state is None:
            return
        full = self.state.match is None and len(self._section.log) >= MOST_BEFORE_A_MATCH
        if full or any(_ends_section(self.state, each) for each in part):
            folds = {viewpoint: self.fold(viewpoint) for viewpoint in self._section.used()}
            self._section = LogSection(self.state, folds)
            self._open = self.version

    def fold(self, viewpoint: Viewpoint) -> TableState:
        """The table as seen from a viewpoint now. There must be a table."""
        state = self._section.fold(viewpoint, self.reach(viewpoint))
        assert state is not None
        return state

    def news(self, viewpoint: Viewpoint, seen: int, resync: bool = False) -> Update:
        """The update after happening `seen`; the match anew where some of that left memory."""
        if seen < self.began:
            return self.since(viewpoint, 0, resync=True)
        first, last = seen + 1, self.reach(viewpoint)
        happenings = tuple(self._section.seen(viewpoint, seen, last))
        fold = partial(self._section.folds, viewpoint, first, last)
        return Update(first, happenings, fold, resync)

    def still(self, viewpoint: Viewpoint, notice: str = "") -> Update:
        """An update without happenings, with the table as seen from a viewpoint now."""
        last = self.reach(viewpoint)
        fold = partial(self._section.folds, viewpoint, last + 1, last)
        return Update(last + 1, (), fold, notice=notice)

    def since(self, viewpoint: Viewpoint, seen: int, resync: bool = False) -> Update:
        """The update after happening `seen`, from the match's beginning at most.

        It is empty for a newcomer as long as there is no match.
        """
        after = self.fold(viewpoint)
        start = after.match_began - 1 if after.match is not None else after.version
        if seen > after.version or seen < self.began or not seen:
            seen = start
        seen = max(seen, start) if after.match is not None else seen
        return self.news(viewpoint, seen, resync)

    def become(self, other: MatchLog) -> None:
        """Takes over a log that has been read from the store anew."""
        self.__dict__.update(other.__dict__)


def _parts(happenings: Sequence[Happening]) -> Iterator[Sequence[Happening]]:
    """The happenings, cut before each new match and before the players who sit down for it."""
    begun = 0
    for place, happening in enumerate(happenings):
        if isinstance(happening, game.MatchStarted | Changed):
            while place > begun and isinstance(happenings[place - 1], TableEvent):
                place -= 1
            if place > begun:
                yield happenings[begun:place]
            begun = place
    yield happenings[begun:]


def _ends_section(state: TableState, happening: Happening) -> bool:
    """Whether a new section begins: another match starts, or the number of seats changes."""
    if isinstance(happening, Changed):
        return happening.setup.rules.players != len(state.seats)
    return isinstance(happening, game.MatchStarted)
