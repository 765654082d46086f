"""Matches that are always the same, also in the Python of a browser, into which this module goes.

So it imports nothing of the tests.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import partialmethod
from pathlib import Path
from typing import Any, Final

from volte.fair import House
from volte.game import SeatAction
from volte.solo import room
from volte.store import Person
from volte.table.live import LiveTable
from volte.table.pacing import Timing
from volte.table.thinking import any_action
from volte.view import View

AT_ONCE: Final = Timing(bot_pace=0.0, trick_pace=0.0, turn_down=0.01, cut=0.01)


class Plain:
    """A bot that always takes its first legal action."""

    def choose(self, view: View, clock: object) -> SeatAction:
        action = any_action(view)
        assert isinstance(action, SeatAction)
        return action


class Stacker(House):
    """A dealer that deals the cards of its seed, whatever the others add to the shuffle."""

    def order(self, number: int, contributions: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
        return super().order(number, {}, cards)

    def lot(
        self, number: int, draw: int, contributions: Mapping[int, bytes], cards: int
    ) -> tuple[int, ...]:
        return super().lot(number, draw, {}, cards)


def deal_plainly(seed: int) -> None:
    """Let the room of a browser deal the cards of a seed to `Plain` bots."""
    _deal(lambda: House.from_seed(seed))
    vars(room).update(make_bot=lambda level, number: Plain())


def deal_stacked(seed: int, settings: Mapping[str, Any]) -> None:
    """Let the room of a browser deal the cards of a seed by a `Stacker`, to somebody with these
    settings.
    """
    _deal(lambda: Stacker.from_seed(seed))

    def newcomer(me: str, name: str, lang: str, _: object, made: float) -> Person:
        return Person(me, name, lang, dict(settings), made)

    vars(room).update(Person=newcomer)


def _deal(house: Callable[[], House]) -> None:
    """Let a room have this dealer, and bots that wait for nobody, whatever pace people have set."""
    begin = partialmethod(room.SoloRoom.__init__, timing=AT_ONCE, house=house)
    room.SoloRoom.__init__ = begin  # type: ignore[method-assign, assignment]
    LiveTable.set_pace = lambda table, who, pace: None  # type: ignore[method-assign, assignment]


def with_dealing(packages: bytes, deal: Callable[..., None], *arguments: Any) -> bytes:
    """The packages of an exported site, where a function of this module is called before anything
    of a browser's room is used.
    """
    archive = io.BytesIO(packages)
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("dealing.py", Path(__file__).read_text(encoding="utf-8"))
        called = ", ".join(map(repr, arguments))
        begins = f"import dealing\ndealing.{deal.__name__}({called})\n"
        file.writestr("volte/solo/__init__.py", begins)  # goes before the compiled one
    return archive.getvalue()
