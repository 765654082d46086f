"""A match told at the terminal as it happens, to a seat or to an onlooker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volte import game
from volte.console.keys import refereed
from volte.console.terminal import KINDS, Console, Dialogue, Kind
from volte.referee import Event
from volte.say import N_, Verbosity, Words
from volte.say.texts.remarks import remark
from volte.view import View


@dataclass
class PlayStyle:
    """A person's choices: how much they are told, and whether forced cards are played."""

    verbosity: Verbosity = Verbosity.NORMAL  # a key changes it
    # whether the only legal card is played without asking; with a referee, only the last card of
    # the hand, as a referee's table does not tell which cards are legal
    auto_forced: bool = False


class Witness(Dialogue):
    """Tells a match at the terminal as a seat sees it, or an onlooker if `seat` is None."""

    def __init__(
        self, seat: int | None, words: Words, console: Console, manner: PlayStyle | None = None
    ) -> None:
        super().__init__(words, console)
        self.seat = seat
        self.manner = manner or PlayStyle()
        self._view: View | None = None

    @property
    def view(self) -> View:
        """The match so far; it must have begun."""
        assert self._view is not None
        return self._view

    def tell(self, events: Sequence[Event]) -> None:
        """Say what has happened. A match that is already under way is only summed up."""
        if self._view is None and len(events) > 1:
            self._view = View.of(self.seat, events)
            self._sum_up()
            return
        for event in events:
            self._see(event)

    def _see(self, event: Event) -> None:
        before = self._view
        self._view = before.see(event) if before is not None else View.of(self.seat, [event])
        lines = self.words.tell(before, event, self.view, self.manner.verbosity)
        self.console.tell(KINDS.get(type(event).__name__, Kind.TABLE), *lines)
        self._tell_remark(event)
        several = isinstance(event, game.DealScored) and len(self.view.state.deals) > 1
        if several and not self.console.plain:  # listeners have just been told the new scores
            self.console.say(*self.words.score_sheet(self.view, self.console.table_width))

    @property
    def _levels(self) -> Sequence[str]:
        """The level of each seat's bot; empty if remarks are not wanted."""
        return (
            () if self.manner.verbosity.little else [each.level for each in self.view.state.players]
        )

    def _tell_remark(self, event: Event) -> None:
        """Tell the remark that a bot with character makes about an event, if any."""
        state = self.view.state
        said = remark(self.words, event, state, self._levels)
        if said is not None:
            name = state.players[said.seat].name
            line = self.words.t("{name} says: {line}", name=name, line=said.line)
            self.console.tell(Kind.TALK, line)

    def _sum_up(self) -> None:
        state = self.view.state
        if state.deal is not None and state.shooter is not None:
            message = N_(
                "The match goes on: deal {deal} is over, and the player who shot the moon still "
                "has to say how it counts."
            )
            self.say(message, deal=state.deal.number)
            self.console.say(*self.words.turn(self.view))
        elif state.deal is None or state.phase not in (game.Phase.PASSING, game.Phase.PLAYING):
            self.say(N_("The match goes on; the cards are about to be dealt."))
        elif state.phase is game.Phase.PASSING:
            message = N_("The match goes on: deal {deal}, during the pass.")
            self.say(message, deal=state.deal.number)
        else:
            message = N_("The match goes on: deal {deal}, trick {trick}.")
            self.say(message, deal=state.deal.number, trick=state.deal.trick_number)
            self.console.say(*self.words.table(self.view))
            if refereed(self.view) is not None:
                self.console.say(*self.words.turn(self.view))
