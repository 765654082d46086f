"""What happens at a table as each person may see it: all secrecy of live tables is here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from volte import game
from volte.table.happenings import Changed, Happening, TableEvent, seen_by
from volte.table.setup import Watching
from volte.table.state import TableState, evolve, states

EVERYTHING: Final = -1
"""The sight of those who see every card, but a deal late; beside the seats, and None."""


Sight = int | None
"""A seat, None for what everybody may see, or `EVERYTHING`."""


MOST_BEFORE_A_MATCH: Final = 2000
"""Happenings kept in memory while no match has been begun."""


States = tuple[TableState | None, TableState]
"""The table before and after something."""


class Update:
    """What has happened, as somebody may see it. The table is folded for who looks at it.

    Attributes:
        first: number of the first of `happenings`.
        last: number of the last of them; one less than `first` where nothing has happened.
        resync: whether the person sees the match with other eyes from now on, and `happenings`
            tell it again from its beginning.
        notice: something about the store: `not_saved` (nothing can be kept, so the table waits),
            or `saved` (it can again).
    """

    __slots__ = ("_folded", "_states", "first", "happenings", "last", "notice", "resync")

    def __init__(
        self,
        first: int,
        happenings: tuple[Happening, ...],
        folded: Callable[[], States],
        resync: bool = False,
        notice: str = "",
    ) -> None:
        self.first = first
        self.last = first + len(happenings) - 1
        self.happenings = happenings
        self.resync = resync
        self.notice = notice
        self._folded: Callable[[], States] | None = folded
        self._states: States

    @classmethod
    def known(
        cls,
        first: int,
        happenings: tuple[Happening, ...],
        before: TableState | None,
        after: TableState,
        notice: str = "",
    ) -> Update:
        """What has happened, where the table has been folded already."""
        return cls(first, happenings, lambda: (before, after), notice=notice)

    @property
    def before(self) -> TableState | None:
        """The table before that, as the person knew it; None before the very first."""
        return self._known[0]

    @property
    def after(self) -> TableState:
        """The table after that."""
        return self._known[1]

    @property
    def _known(self) -> States:
        if self._folded is not None:
            self._states, self._folded = self._folded(), None
        return self._states


def sight_of(state: TableState, person: str) -> Sight:
    """What that person sees."""
    seat = state.seat_of(person)
    if seat is None and state.setup.watching is Watching.AFTERWARDS:
        return EVERYTHING
    return seat


class Episode:
    """A match, or what came before the first one: what has happened, and what was seen of it.

    Attributes:
        base: the whole table before it.
        log: all of it, whole.

    Args:
        folds: how some sights showed `base`; the others are not told of a match in there.
    """

    def __init__(self, base: TableState | None, folds: dict[Sight, TableState]) -> None:
        self.base = base
        self.log: list[Happening] = []
        self._folds = folds

    @property
    def began(self) -> int:
        """Number of the last happening before it."""
        return self.base.version if self.base is not None else 0

    def seen(self, sight: Sight, after: int, until: int) -> Sequence[Happening]:
        """What that sight shows of the happenings after one, up to another."""
        part = self.log[after - self.began : until - self.began]
        if sight == EVERYTHING:
            return part
        return [seen_by(happening, sight) for happening in part]

    def fold(self, sight: Sight, number: int) -> TableState | None:
        """The table as that sight showed it after that happening."""
        known = self._folds.get(sight)
        if known is None or known.version > number:
            known = self._bare_base()
        state = known
        for happening in self.seen(sight, known.version if known is not None else 0, number):
            state = evolve(state, happening)
        newest = self._folds.get(sight)
        if state is not None and (newest is None or newest.version < number):
            self._folds[sight] = state
        return state

    def folds(self, sight: Sight, first: int, last: int) -> States:
        """The table before and after those happenings."""
        before, after = self.fold(sight, first - 1), self.fold(sight, last)
        assert after is not None
        return before, after

    def looked_at(self) -> Sequence[Sight]:
        """The sights by which somebody has looked at the table since it began."""
        return [sight for sight, state in self._folds.items() if state.version > self.began]

    def _bare_base(self) -> TableState | None:
        """The table before it; of the match before that, nothing is told."""
        if self.base is None or self.base.match is None:
            return self.base
        return replace(self.base, match=None, match_began=0)


class Sights:
    """The present match, whole, and folded from what each sight may see of it."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        self._episode = Episode(None, {})
        self._open = 0

    @property
    def version(self) -> int:
        """Number of the last happening."""
        return self.state.version if self.state is not None else 0

    @property
    def began(self) -> int:
        """Number of the last happening that is not told any more."""
        return self._episode.began

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
                self._episode.log.append(happening)
                deals = isinstance(happening, game.Dealt)
                if isinstance(happening, game.Revealed) or not (deals or behind):
                    self._open = self.version

    def _begin_anew(self, part: Sequence[Happening]) -> None:
        """Lets go of what came before a match, and of one whose seats are there no more."""
        if self.state is None:
            return
        full = self.state.match is None and len(self._episode.log) >= MOST_BEFORE_A_MATCH
        if full or any(_lets_go(self.state, each) for each in part):
            folds = {sight: self.fold(sight) for sight in self._episode.looked_at()}
            self._episode = Episode(self.state, folds)
            self._open = self.version

    def fold(self, sight: Sight) -> TableState:
        """The table as that sight shows it now. Only once there is a table."""
        state = self._episode.fold(sight, self.reach(sight))
        assert state is not None
        return state

    def news(self, sight: Sight, told: int, resync: bool = False) -> Update:
        """What that sight shows after happening `told`, none of which has been let go of."""
        first, last = told + 1, self.reach(sight)
        happenings = tuple(self._episode.seen(sight, told, last))
        return Update(first, happenings, partial(self._episode.folds, sight, first, last), resync)

    def still(self, sight: Sight, notice: str = "") -> Update:
        """Nothing new, to look at the table as that sight shows it now."""
        last = self.reach(sight)
        return Update(
            last + 1, (), partial(self._episode.folds, sight, last + 1, last), notice=notice
        )

    def since(self, sight: Sight, seen: int, resync: bool = False) -> Update:
        """What that sight shows after happening `seen`, from the match's beginning at most.

        Somebody who has seen nothing is told nothing as long as there is no match.
        """
        after = self.fold(sight)
        start = after.match_began - 1 if after.match is not None else after.version
        if seen > after.version or seen < self.began or not seen:
            seen = start
        seen = max(seen, start) if after.match is not None else seen
        return self.news(sight, seen, resync)

    def again(self, sight: Sight) -> Update:
        """The whole match, for somebody who sees it with other eyes from now on."""
        return self.since(sight, 0, resync=True)

    def become(self, other: Sights) -> None:
        """Takes over what has been read from the store anew."""
        self.__dict__.update(other.__dict__)


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
