"""What happens at a table as each person may see it: all secrecy of live tables is here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from volte import game
from volte.table.evolve import evolve, states
from volte.table.happenings import Changed, Happening, TableEvent, seen_by
from volte.table.setup import Watching
from volte.table.state import TableState

EVERYTHING: Final = -1
"""The sight of those who see every card, but a deal late; beside the seats, and None."""

Sight = int | None
"""A seat, None for what everybody may see, or `EVERYTHING`."""

MOST_BEFORE_A_MATCH: Final = 2000
"""Happenings kept in memory while no match has been begun."""


class Update(msgspec.Struct, frozen=True):
    """What has happened, as somebody may see it.

    Attributes:
        first: number of the first of `happenings`.
        before: the table before them, as the person knew it; None before the very first.
        after: the table after them.
        resync: whether the person sees the match with other eyes from now on, and `happenings`
            tell it again from its beginning.
        notice: something about the store: `not_saved` (nothing can be kept, so the table waits),
            or `saved` (it can again).
    """

    first: int
    happenings: tuple[Happening, ...]
    before: TableState | None
    after: TableState
    resync: bool = False
    notice: str = ""


def sight_of(state: TableState, person: str) -> Sight:
    """What that person sees."""
    seat = state.seat_of(person)
    if seat is None and state.setup.watching is Watching.AFTERWARDS:
        return EVERYTHING
    return seat


class Sights:
    """The present match, whole, and folded from what each sight may see of it."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        self._base: TableState | None = None
        self._log: list[Happening] = []
        self._open = 0
        self._folds: dict[Sight, TableState] = {}

    @property
    def version(self) -> int:
        """Number of the last happening."""
        return self.state.version if self.state is not None else 0

    @property
    def began(self) -> int:
        """Number of the last happening that is not told any more."""
        return self._base.version if self._base is not None else 0

    def reach(self, sight: Sight) -> int:
        """Number of the last happening that is shown to that sight now."""
        return self._open if sight == EVERYTHING else self.version

    def add(
        self, happenings: Sequence[Happening], folded: Iterable[TableState] | None = None
    ) -> None:
        """What has happened besides: by one action, or by many.

        Args:
            folded: the state after each of them, where that is known.
        """
        after = iter(states(self.state, happenings) if folded is None else folded)
        for part in _parts(happenings):
            self._begin_anew(part)
            for happening in part:
                behind = self._open < self.version
                self.state = next(after)
                self._log.append(happening)
                deals = isinstance(happening, game.Dealt)
                if isinstance(happening, game.Revealed) or not (deals or behind):
                    self._open = self.version

    def _begin_anew(self, part: Sequence[Happening]) -> None:
        """Lets go of what came before a match, and of one whose seats are there no more."""
        if self.state is None:
            return
        full = self.state.match is None and len(self._log) >= MOST_BEFORE_A_MATCH
        if full or any(_lets_go(self.state, each) for each in part):
            for sight in list(self._folds):
                self.fold(sight)
            self._base, self._log, self._open = self.state, [], self.version

    def fold(self, sight: Sight) -> TableState:
        """The table as that sight shows it now. Only once there is a table."""
        known = self._folds.get(sight) or self._bare_base()
        version = known.version if known is not None else 0
        state = _after(known, self._seen(sight, version))
        assert state is not None
        self._folds[sight] = state
        return state

    def news(self, sight: Sight, told: int) -> Update:
        """What that sight shows after happening `told`, none of which has been let go of."""
        happenings = tuple(self._seen(sight, told))
        before = self._folds.get(sight)
        if before is None or before.version != told:
            before = _after(self._bare_base(), self._seen(sight, self.began, told))
            return Update(told + 1, happenings, before, self.fold(sight))
        after = _after(before, happenings)
        assert after is not None
        self._folds[sight] = after
        return Update(told + 1, happenings, before, after)

    def since(self, sight: Sight, seen: int) -> Update:
        """What that sight shows after happening `seen`, from the match's beginning at most.

        Somebody who has seen nothing is told nothing as long as there is no match.
        """
        after = self.fold(sight)
        start = after.match_began - 1 if after.match is not None else after.version
        if seen > after.version or seen < self.began or not seen:
            seen = start
        seen = max(seen, start) if after.match is not None else seen
        if seen == after.version:
            return Update(seen + 1, (), after, after)
        return self.news(sight, seen)

    def again(self, sight: Sight) -> Update:
        """The whole match, for somebody who sees it with other eyes from now on."""
        return replace(self.since(sight, 0), resync=True)

    def become(self, other: Sights) -> None:
        """Takes over what has been read from the store anew."""
        self.__dict__.update(other.__dict__)

    def _seen(self, sight: Sight, after: int, until: int | None = None) -> Sequence[Happening]:
        until = self.reach(sight) if until is None else until
        part = self._log[after - self.began : until - self.began]
        if sight == EVERYTHING:
            return part
        return [seen_by(happening, sight) for happening in part]

    def _bare_base(self) -> TableState | None:
        """The table before the present match; of the one before that, nothing is told."""
        if self._base is None or self._base.match is None:
            return self._base
        return replace(self._base, match=None, match_began=0)


def _after(state: TableState | None, happenings: Iterable[Happening]) -> TableState | None:
    for happening in happenings:
        state = evolve(state, happening)
    return state


def _parts(happenings: Sequence[Happening]) -> Iterator[Sequence[Happening]]:
    """The same, cut before each new match and before those who sit down for it."""
    begun = 0
    for place, happening in enumerate(happenings):
        if isinstance(happening, game.MatchStarted | Changed):
            while place > begun and isinstance(happenings[place - 1], TableEvent):
                place -= 1
            if place > begun:
                yield happenings[begun:place]
            begun = place
    yield happenings[begun:]


def _lets_go(state: TableState, happening: Happening) -> bool:
    """Whether the last match is not told any more: there is another, or its seats are gone."""
    if isinstance(happening, Changed):
        return happening.setup.rules.players != len(state.seats)
    return isinstance(happening, game.MatchStarted)
