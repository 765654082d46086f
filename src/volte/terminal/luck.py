"""Luck in a match played at this terminal, worked out while the person goes on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Final

from volte.bots.judged import DealLuck, together
from volte.bots.levels import SEARCHING, warm_up
from volte.cards import VolteError
from volte.history.luck import is_much
from volte.history.luck_told import lucky_told, match_told
from volte.referee import Event
from volte.rules import Ruleset
from volte.say import Words
from volte.say.telling import Lines

PATIENCE: Final = 1.0
"""Time for which the question whether to play on waits for the sentence, in seconds."""


class LuckAside:
    """The luck of a match that is over: a thread works it out, which ends with the program.

    Without the extra `strong` nothing is told.

    Args:
        log: all events of the match.
        seat: of the person.
    """

    def __init__(self, log: Sequence[Event], seat: int, rules: Ruleset) -> None:
        self._log = tuple(log)
        self._seat = seat
        self._rules = rules
        self._deals: tuple[DealLuck, ...] | None = None
        self._thread = Thread(target=self._work_out, name="luck", daemon=True)
        self._thread.start()

    def lines(self, words: Words, patience: float = 0.0) -> Lines:
        """The sentences, once; none before they are known.

        Args:
            patience: time to wait for them, in seconds.
        """
        if self._thread.is_alive():
            self._thread.join(patience)
        deals, self._deals = self._deals, None
        if deals is None:
            return ()
        lost = sum(deal.cards is None for deal in deals)
        parts = [(deal.number, deal.parts(self._seat)) for deal in deals]
        return (
            *match_told(words, together(deals, self._seat), lost, self._rules),
            *(
                lucky_told(words, number, each.luck)
                for number, each in parts
                if each is not None and is_much(each.luck, self._rules)
            ),
        )

    def _work_out(self) -> None:
        coming = warm_up(SEARCHING)
        if coming is None:
            return
        coming.join()  # without a word about compiling: nobody waits
        from volte.bots.reviewing import luck_of  # here, as NumPy takes a while to come

        with suppress(VolteError):  # no compiled code can be had here
            self._deals = luck_of(self._log)
