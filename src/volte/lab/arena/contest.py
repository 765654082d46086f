"""Duels that are played here or elsewhere, kept in a file, and ended when enough is known."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final, NamedTuple

from volte.cards import CopiedWhole
from volte.lab.arena.contestant import COMPANY
from volte.lab.arena.duel import EVERY, QUICK, Duel, Piece, play_piece, warm_up
from volte.lab.arena.keeping import Keep, PlayedPiece
from volte.lab.arena.pools import Work, cores, shared
from volte.lab.arena.request import EngineKind
from volte.lab.arena.simulate import Progress, deals_in_a_match
from volte.lab.arena.standing import (
    DuelEnding,
    DuelStanding,
    SideTotals,
    Stop,
    fractions,
    looks,
    total,
)
from volte.lab.arena.statistics import Mean

KERNEL_DEALS: Final = 20_000
"""Deals in one piece for the kernel, which takes a fraction of a second."""

FEW_DEALS: Final = 100_000
"""Deals that the kernel plays before another process could have started."""

AHEAD: Final = 2
"""Pieces given out before their turn, for each one being played."""


class Task(NamedTuple):
    """A piece of duel number `number` among several; the engine of the duel is chosen."""

    number: int
    piece: Piece
    duel: Duel


class DuelResult(NamedTuple):
    """A duel, and its results so far."""

    duel: Duel
    standing: DuelStanding  # of all whole decks, or of the decks up to the look at which it ended
    ending: DuelEnding | None  # why it ended; None if it goes on
    stop: Stop

    def margin(self, first: int = 0, second: int = 1) -> Mean:
        """See `DuelStanding.margin`; the interval allows for repeated looks where they decide."""
        return self.stop.margin(self.standing, self.duel.decks, first, second)


class Contest(CopiedWhole):
    """Several duels, played together.

    Args:
        duels: the duels to play.
        stop: the condition that ends each of them before its last deck.
        keep: a file in which they are kept, and resumed; see `Keep`.
    """

    def __init__(
        self, duels: Sequence[Duel], *, stop: Stop | None = None, keep: Path | None = None
    ) -> None:
        self._duels = tuple(duels)
        self._stop = stop or Stop()
        self._keep = keep
        self._courses = tuple(_Course(duel, self._stop) for duel in self._duels)
        self._served: tuple[Duel, ...] = ()

    @property
    def results(self) -> tuple[DuelResult, ...]:
        """The results of each duel so far, also after an interruption."""
        return tuple(course.result for course in self._courses)

    def get_ready(self) -> None:
        """Compile the code that will be needed; `play` does it too.

        Compiling comes before any other process begins, so that they all find the code.
        """
        if not self._served:
            self._served = tuple(duel.served() for duel in self._duels)
            for duel in self._served:
                warm_up(duel)

    def play(
        self,
        *,
        processes: int | None = None,
        cluster: str | None = None,
        progress: Progress | None = None,
    ) -> tuple[DuelResult, ...]:
        """Play the missing decks.

        Args:
            processes: number of processes that share the work; without, one for each core.
            cluster: the address of a Dask scheduler, whose workers share it instead.
            progress: called at first and after each part, with the deals or matches done, and their
                number in all.

        Raises `VolteError`: see `Duel.served`, `Keep`, `in_processes` and `on_cluster`.
        """
        with ExitStack() as stack:
            keep = None
            if self._keep is not None:
                keep = stack.enter_context(Keep(self._keep, self._duels))
                self._take_in(keep)
            if progress is not None:
                progress(*self._games())
            parts = stack.enter_context(closing(self._parts(processes or cores(), cluster)))
            for (number, piece, _), standing in parts:
                if keep is not None:
                    keep.add(PlayedPiece(number, piece, standing))
                self._courses[number].add(piece, standing)
                if progress is not None:
                    progress(*self._games())
                if all(course.ending for course in self._courses):
                    break
        return self.results

    def restore(self) -> None:
        """Read the kept parts without playing. Raises `VolteError`: see `Keep`."""
        if self._keep is not None:
            with Keep(self._keep, self._duels) as keep:
                self._take_in(keep)

    def _take_in(self, keep: Keep) -> None:
        for played in keep.parts:
            self._courses[played.duel].restore(played.piece, played.standing)

    def _games(self) -> tuple[int, int]:
        games = [course.games for course in self._courses]
        return sum(done for done, _ in games), sum(whole for _, whole in games)

    def _parts(
        self, processes: int, cluster: str | None
    ) -> Generator[tuple[Task, DuelStanding], None, None]:
        if all(course.ending for course in self._courses):
            return
        self.get_ready()
        tasks = [
            Task(number, piece, duel)
            for number, (course, duel) in enumerate(zip(self._courses, self._served, strict=True))
            for piece in course.missing(duel)
        ]
        # By deck, each in all duels, so that all duels are about as far
        tasks.sort(key=lambda task: (task.piece.first, task.number, task.piece.seating))
        compiled = all(task.duel.engine is EngineKind.KERNEL for task in tasks)
        if (
            compiled
            and sum(_deals(task.duel) * len(task.piece.decks) for task in tasks) <= FEW_DEALS
        ):
            processes = 1  # they are done here before another process could begin
        work = Work(_play, tasks, lambda task: not self._courses[task.number].ending, AHEAD)
        with closing(COMPANY):
            yield from shared(work, processes, cluster)


def play_duel(
    duel: Duel,
    *,
    stop: Stop | None = None,
    keep: Path | None = None,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> DuelResult:
    """Play one duel; see `Contest`."""
    contest = Contest([duel], stop=stop, keep=keep)
    (result,) = contest.play(processes=processes, cluster=cluster, progress=progress)
    return result


def _play(task: Task) -> DuelStanding:
    """The results of a piece. This function runs in other processes."""
    return play_piece(task.duel, task.piece)


class _Course:
    def __init__(self, duel: Duel, stop: Stop) -> None:
        self.ending: DuelEnding | None = None  # why it is over; None if it goes on
        self._duel = duel
        self._stop = stop
        self._parts: dict[Piece, DuelStanding] = {}
        self._seatings = len(duel.lineup)
        self._done: dict[int, set[int]] = {}
        self._games = 0
        self._reach = 0
        self._looks = list(looks(duel.decks))
        self._final: DuelStanding | None = None

    def restore(self, piece: Piece, standing: DuelStanding) -> None:
        """Add a part that was played earlier, unless it is out of range or there already."""
        wanted = 0 <= piece.first < piece.stop <= self._duel.decks
        if wanted and not any(self._has(number, piece.seating) for number in piece.decks):
            self.add(piece, standing)

    def _has(self, number: int, seating: int) -> bool:
        done = self._done.get(number, set())
        return bool(done) if seating == EVERY else seating in done

    def add(self, piece: Piece, standing: DuelStanding) -> None:
        """Add a part, and look at the standing if a look is due."""
        self._parts[piece] = standing
        seatings = range(self._seatings) if piece.seating == EVERY else (piece.seating,)
        for number in piece.decks:
            self._done.setdefault(number, set()).update(seatings)
        self._games += len(piece.decks) * len(seatings)
        while self._is_whole(self._reach):
            self._reach += 1
        while self.ending is None and self._looks[0] <= self._reach:
            self._look(self._looks.pop(0))

    def _is_whole(self, number: int) -> bool:
        return len(self._done.get(number, ())) == self._seatings

    def _look(self, decks: int) -> None:
        """Judge exactly those decks, in whatever order the others are done."""
        standing = total(part for piece, part in self._parts.items() if piece.stop <= decks)
        self.ending = self._stop.ending(standing, self._duel.decks)
        if self.ending is not None:
            self._final = standing

    @property
    def result(self) -> DuelResult:
        standing = self._final if self._final is not None else self._so_far()
        return DuelResult(self._duel, standing, self.ending, self._stop)

    def _so_far(self) -> DuelStanding:
        whole = [
            part
            for piece, part in self._parts.items()
            if all(self._is_whole(number) for number in piece.decks)
        ]
        sides = len(self._duel.sides)
        nothing = DuelStanding(fractions(self._duel.rules.players), (SideTotals(),) * sides, {})
        return total([nothing, *whole])

    @property
    def games(self) -> tuple[int, int]:
        """(done, total), in deals or matches."""
        whole = self._games if self.ending else self._duel.decks * self._seatings
        return self._games, whole

    def missing(self, duel: Duel) -> Iterator[Piece]:
        """The pieces still to be played, cut to suit the engine of that duel."""
        if self.ending is not None:
            return
        size, start = _decks_of_a_piece(duel), 0
        for look in looks(duel.decks):
            first = start
            while first < look:
                stop = first
                while stop < min(look, first + max(1, size)) and stop not in self._done:
                    stop += 1
                if stop == first:  # partly played already
                    yield from self._rest(first)
                    stop += 1
                elif size:
                    yield Piece(first, stop)
                else:
                    yield from self._rest(first)
                first = stop
            start = look

    def _rest(self, number: int) -> Iterator[Piece]:
        """The missing seatings of a deck."""
        done = self._done.get(number, ())
        for seating in range(self._seatings):
            if seating not in done:
                yield Piece(number, number + 1, seating)


def _decks_of_a_piece(duel: Duel) -> int:
    """Decks of a piece that takes a fraction of a second; 0 if seatings are best played one by one.

    Args:
        duel: with its engine chosen.
    """
    if duel.engine is EngineKind.KERNEL:
        return max(1, KERNEL_DEALS // _deals(duel))
    quick = all(side.level in QUICK for side in duel.sides)
    return 1 if quick and not duel.matches else 0


def _deals(duel: Duel) -> int:
    """Deals in a deck, in one seating, roughly."""
    return len(duel.lineup) * (deals_in_a_match(duel.rules) if duel.matches else 1)
