"""Scenes of a match away from a table: a position that asks for a card, a step of a replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from volte.game import Phase, Player, decide
from volte.say import Words
from volte.say.telling import Lines
from volte.scene.builder import PartCache, SceneBuilder
from volte.scene.faces import NO_SETTINGS, Face, faces_of
from volte.view import View
from volte.wire.messages import LaidCard, SceneCard, SceneSeat


class PositionBuilder(SceneBuilder):
    """Builder of the scene that a table would show at the view's seat, which has to pass or to
    play.

    Args:
        settings: of people, by seat; see `faces_of`.
    """

    def __init__(
        self,
        words: Words,
        view: View,
        status: Lines,
        settings: Mapping[int, Mapping[str, Any]] = NO_SETTINGS,
    ) -> None:
        super().__init__(words, view, view.seat, view.state.version, PartCache())
        self._view = view
        self._status = status
        self._faces = faces_of(view.state.players, settings)

    def phase(self) -> str:
        return "passing" if self._view.state.phase is Phase.PASSING else "playing"

    def status(self) -> str:
        return " ".join(self._status)

    def seats_shown(self) -> tuple[SceneSeat, ...]:
        players = self._view.state.players
        return tuple(map(self._seat, range(len(players)), players, self._faces))

    def _seat(self, place: int, player: Player, face: Face) -> SceneSeat:
        return self.sitting(place, player.name, "", "here" if player.person else "bot", face)

    def hand(self) -> tuple[SceneCard, ...]:
        # By the rules alone: a referee would let every card be played
        return tuple(self.cards(self._view, self._view.deal, self._view.legal, decide))

    def may(self) -> Iterable[str]:
        return ("Play",)


class ReplayBuilder(SceneBuilder):
    """Builder of the scene of a step of a replay, with all hands that are known.

    Args:
        view: of the public, with the cards that may be shown in its state.
        seat: the visitor's seat in the match; None without one.
        players: by seat, named as they are at the end of the deal.
        faces: of those players.
        dealer: the seat that has dealt the deal.
    """

    def __init__(
        self,
        words: Words,
        view: View,
        seat: int | None,
        players: Sequence[Player],
        faces: Sequence[Face],
        dealer: int,
        cache: PartCache,
    ) -> None:
        super().__init__(words, view, seat, view.state.version, cache)
        self._players = players
        self._faces = faces
        self._dealer = dealer

    def phase(self) -> str:
        deal = self.deal
        if deal is None:
            return "between"
        return "playing" if deal.tricks or deal.trick else "passing"

    def seats_shown(self) -> tuple[SceneSeat, ...]:
        return tuple(map(self._seat, range(len(self._players)), self._players, self._faces))

    def _seat(self, place: int, player: Player, face: Face) -> SceneSeat:
        state = "here" if player.person else "bot"
        return self.sitting(place, player.name, player.level, state, face)

    def leader(self) -> int | None:
        """The seat that leads the trick; None once no card is left."""
        goes_on = self.deal is not None and (self.deal.trick or any(self.hand_sizes))
        return super().leader() if goes_on else None

    def dealer(self) -> int:
        return self._dealer

    def hands(self) -> Iterable[LaidCard]:
        return self.open_hands()
