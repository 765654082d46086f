"""What was told at the terminal, to be gone through again: all of it, or one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from volte.say import N_


class Kind(StrEnum):
    """What a message is about; the same kinds as at a table in the browser."""

    EVERYTHING = "everything"
    PLAYS = "plays"
    POINTS = "points"
    TALK = "talk"
    TABLE = "table"


KIND_NAMES: Final = {
    Kind.EVERYTHING: N_("Everything"),
    Kind.PLAYS: N_("Plays"),
    Kind.POINTS: N_("Points"),
    Kind.TALK: N_("Talk"),
    Kind.TABLE: N_("The table"),
}


class History:
    """Messages from the first on, and the place of whoever goes through them.

    Attributes:
        kind: of the messages that are gone through.
    """

    def __init__(self) -> None:
        self.kind = Kind.EVERYTHING
        self._messages: list[tuple[Kind, tuple[str, ...]]] = []
        self._place: int | None = None

    def keep(self, kind: Kind, lines: Sequence[str]) -> None:
        """Keeps a message; one without lines is none."""
        if lines:
            self._messages.append((kind, tuple(lines)))

    def leave(self) -> None:
        """The next time one begins with the newest message."""
        self._place = None

    def choose(self) -> Kind:
        """Goes on to the next kind: that."""
        kinds = list(Kind)
        self.kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)]
        self.leave()
        return self.kind

    def before(self) -> tuple[str, ...]:
        """The message before; none where that was the first."""
        here = len(self._messages) if self._place is None else self._place
        return self._go_to([place for place in self._places if place < here][-1:])

    def after(self) -> tuple[str, ...]:
        """The message after; none where that was the last."""
        here = len(self._messages) if self._place is None else self._place
        return self._go_to([place for place in self._places if place > here][:1])

    @property
    def _places(self) -> list[int]:
        """Where messages of the kind stand."""
        wanted = (self.kind, *([*Kind] if self.kind is Kind.EVERYTHING else []))
        return [place for place, (kind, _) in enumerate(self._messages) if kind in wanted]

    def _go_to(self, places: Sequence[int]) -> tuple[str, ...]:
        if not places:
            return ()
        self._place = places[0]
        return self._messages[places[0]][1]


def kind_of(happening: object) -> Kind:
    """What kind the message about a happening is."""
    return KINDS.get(type(happening).__name__, Kind.TABLE)


KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("Passed", "PassTakenBack", "Played", "UndoAsked", "UndoAnswered"), Kind.PLAYS),
    **dict.fromkeys(("PlayTakenBack", "TrickTaken", "TrickHeld"), Kind.PLAYS),
    **dict.fromkeys(("KittyTaken", "RestTaken"), Kind.PLAYS),
    **dict.fromkeys(("DealScored", "LotsDrawn", "Settled", "Reckoned"), Kind.POINTS),
}
"""By the names of events, those that are not about the table, as in `CHANNELS` of the pages."""
