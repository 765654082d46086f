"""Bots, and what their choices take."""

from __future__ import annotations

from collections import Counter
from math import log

from volte.bots import Bot, Clock, think
from volte.game import Phase, SeatAction
from volte.lab.arena.standing import STEP, Choices
from volte.view import View


class Watched:
    """A bot that is timed."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._forfeited = Counter(_forfeits(bot))
        self._forced = self._worlds = self._simulations = 0
        self._spent: list[int] = []

    def choose(self, view: View, clock: Clock) -> SeatAction:
        begun = clock.now()
        thought = think(self._bot, view, clock)
        spent = int((clock.now() - begun) * 1e6)
        if is_forced(view):
            self._forced += 1
        else:
            self._spent.append(spent)
            self._worlds += thought.worlds
            self._simulations += thought.simulations
        return thought.action

    def choices(self) -> Choices:
        """What they took."""
        times: dict[int, int] = {}
        for spent in self._spent:
            key = round(log(max(1, spent)) / STEP)
            times[key] = times.get(key, 0) + 1
        return Choices(
            len(self._spent),
            self._forced,
            self._worlds,
            self._simulations,
            dict(sorted((Counter(_forfeits(self._bot)) - self._forfeited).items())),
            sum(self._spent),
            max(self._spent, default=0),
            dict(sorted(times.items())),
        )


def is_forced(view: View) -> bool:
    """Whether a single card may be played, or the whole hand must be passed."""
    if view.state.phase is Phase.PASSING:
        return len(view.hand) == view.deal.pass_size
    return len(view.legal) == 1


def _forfeits(bot: Bot) -> list[str]:
    """Why an outside engine has not made the choices that it did not make."""
    return [forfeit.reason for forfeit in getattr(bot, "forfeits", ())]
