"""Duels kept in a file as they are played: a line for each part, so that no part is lost."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, Self

import msgspec

from volte import __version__
from volte.cards import VolteError
from volte.files import append, open_file, read_file, replace_file
from volte.lab.arena.contestant import Contestant
from volte.lab.arena.duel import EVERY, Duel, Piece
from volte.lab.arena.standing import DuelStanding, fractions, looks, total
from volte.rules import options_of

FORMAT: Final = "volte arena 1"

MOST_HEADING: Final = 2**24
"""Most bytes of a first line that is read."""


class PlayedPiece(msgspec.Struct, frozen=True):
    """A line of the file: a piece of a duel, and its results."""

    duel: int  # number of the duel, from 0
    piece: Piece
    standing: DuelStanding  # results of the piece


_DECODER: Final = msgspec.json.Decoder(PlayedPiece)


class _DuelHeading(msgspec.Struct, frozen=True):
    """Description of a duel in the first line, but for the number of decks, which may change."""

    rules: dict[str, Any]
    sides: tuple[Contestant, ...]
    seed: int
    seatings: int
    matches: bool


class _Heading(msgspec.Struct, frozen=True):
    format: str
    version: str
    duels: list[_DuelHeading]


class Keep:
    """A file of the parts of duels; each part is on disk before the next is played.

    Raises `VolteError` `file_not_read` and `file_not_written` (whose `why` is the system's),
    `keep_differs` where the file is of other duels, or of another version of Volte, and
    `keep_damaged` for a line that is no part of the duels.
    """

    def __init__(self, path: Path, duels: Sequence[Duel]) -> None:
        self._path = path
        self._duels = tuple(duels)
        described = [
            _DuelHeading(
                options_of(duel.rules), duel.sides, duel.seed, len(duel.lineup), duel.matches
            )
            for duel in duels
        ]
        self._heading = _Heading(FORMAT, __version__, described)
        self.parts: list[PlayedPiece] = []  # the parts in the file when it was opened
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        whole = self._read()
        try:
            self._file = open_file(self._path, os.O_CREAT, 0o666)
            self._file.truncate(whole)  # drops the half line of a run that was killed
        except OSError as error:
            self._not_written(error)
        if not whole:
            self.add(self._heading)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, line: PlayedPiece | _Heading) -> None:
        """Write a line, and wait until it is safe on disk."""
        assert self._file is not None
        try:
            append(self._file, self._file.seek(0, os.SEEK_END), _line(line))
        except OSError as error:
            self._not_written(error)

    def replace(self, parts: Iterable[PlayedPiece]) -> None:
        """Replace all parts in the file by these."""
        try:
            replace_file(self._path, b"".join(map(_line, (self._heading, *parts))))
        except OSError as error:
            self._not_written(error)

    def _read(self) -> int:
        """Read the complete lines; returns their length in bytes."""
        try:
            content = read_file(self._path)
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise VolteError("file_not_read", path=self._path, why=error.strerror) from None
        whole = content.rfind(b"\n") + 1
        heading, *lines = content[:whole].splitlines() or [b""]
        ours = _line(self._heading)
        if not ours.startswith(heading or content):  # the first line may be incomplete
            raise VolteError("keep_differs", path=self._path)
        for number, line in enumerate(lines, start=2):
            try:
                played = _DECODER.decode(line)
            except msgspec.MsgspecError:
                played = None
            if played is None or not self._has_place_for(played):
                raise VolteError("keep_damaged", path=self._path, number=number)
            self.parts.append(played)
        return whole

    def _has_place_for(self, played: PlayedPiece) -> bool:
        """Whether it is a part of one of the duels, of however many decks."""
        piece, standing = played.piece, played.standing
        if not 0 <= played.duel < len(self._duels):
            return False
        duel = self._duels[played.duel]
        return (
            EVERY <= piece.seating < len(duel.lineup)
            and len(standing.sides) == len(duel.sides)
            and standing.whole == fractions(duel.rules.players)
            and len(standing.scores) == len(piece.decks) > 0
            and sorted(standing.scores) == list(piece.decks)
        )

    def _not_written(self, error: OSError) -> NoReturn:
        why = error.strerror or str(error)
        raise VolteError("file_not_written", path=self._path, why=why) from None


def _line(content: msgspec.Struct) -> bytes:
    return msgspec.json.encode(content) + b"\n"


def seed_in(path: Path) -> int | None:
    """The seed of the duels in a file; None if the file has none."""
    try:
        line = read_file(path, MOST_HEADING).partition(b"\n")[0]
        heading = msgspec.json.decode(line, type=_Heading)
    except (OSError, ValueError):  # `ValueError` also for other content than JSON
        return None
    return heading.duels[0].seed if heading.duels else None


def pack(path: Path, duels: Sequence[Duel]) -> None:
    """Make the file of those duels small; they can be resumed as before.

    Decks that were played seating by seating become one line for each look at which the duels could
    have ended; the lines of incomplete decks stay. Raises `VolteError`: see `Keep`.
    """
    with Keep(path, duels) as keep:
        keep.replace(
            part
            for number, duel in enumerate(duels)
            for part in _packed([part for part in keep.parts if part.duel == number], duel)
        )


def _packed(parts: Sequence[PlayedPiece], duel: Duel) -> Iterator[PlayedPiece]:
    """The parts of a duel, with adjacent parts between the same two looks merged."""
    furthest = max((part.piece.stop for part in parts), default=1)
    ends, run = {*looks(duel.decks), *looks(furthest)}, list[PlayedPiece]()
    for part in _decks(parts, len(duel.lineup)):
        piece = part.piece
        if run and not (
            run[-1].piece.seating == piece.seating == EVERY
            and run[-1].piece.stop == piece.first
            and piece.first not in ends
        ):
            yield _joined(run)
            run = []
        run.append(part)
    if run:
        yield _joined(run)


def _decks(parts: Sequence[PlayedPiece], seatings: int) -> Iterator[PlayedPiece]:
    """The parts in order, with those of a deck merged if every seating is there."""
    ordered = sorted(parts, key=lambda part: (part.piece.first, part.piece.seating))
    for _, group in groupby(ordered, key=lambda part: part.piece.first):
        same = list(group)
        if [part.piece.seating for part in same] == list(range(seatings)):
            yield _joined(same)
        else:
            yield from same


def _joined(parts: Sequence[PlayedPiece]) -> PlayedPiece:
    """Several parts merged into one, of whole decks; a single part stays as it is."""
    if len(parts) == 1:
        return parts[0]
    piece = Piece(parts[0].piece.first, parts[-1].piece.stop)
    return PlayedPiece(parts[0].duel, piece, total(part.standing for part in parts))
