"""Lines that attendees of a review try: cards played on from a step, by people, at every seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from volte import referee
from volte.cards import Card, cards_in
from volte.game import KittyTaken, MatchState, Phase, Play, Played, Refusal, TrickHeld, TrickTaken
from volte.game.legal import legal_cards
from volte.history.moments import stops
from volte.history.turning import PlayedOn, lawful
from volte.referee import Event
from volte.studies.sight import Seats
from volte.table import Happening, TableEvent

FOLLOWING: Final = (TrickTaken, TrickHeld, KittyTaken)
"""Events that follow a card by themselves: a line begins after them."""


class TriedLine(NamedTuple):
    """A line from a step of a deal."""

    log: Sequence[Happening]  # the match up to the step
    steps: int  # number of steps of the deal in it
    events: Sequence[Event]  # of the line
    state: MatchState  # after it, all hands open

    @property
    def turn(self) -> int | None:
        """The seat that has to play; None once the deal is over."""
        return PlayedOn(self.state, ()).turn

    @property
    def legal(self) -> tuple[Card, ...]:
        """The cards that it may play."""
        deal = self.state.deal
        return () if deal is None or self.turn is None else cards_in(legal_cards(deal))

    def seen(self, seats: Seats) -> tuple[Sequence[Happening], bool]:
        """The log with the part of the line that somebody sees, up to the first card of a seat
        that is closed to them; and whether there is more of it."""
        if seats is None:
            return [*self.log, *self.events], False
        for place, event in enumerate(self.events):
            if isinstance(event, Played) and event.seat not in seats:
                return [*self.log, *self.events[:place]], True
        return [*self.log, *self.events], False


def line_from(
    log: Sequence[Happening], number: int, step: int, cards: Sequence[Card]
) -> TriedLine | Refusal:
    """The line of these cards from a step of a deal, or why there is none.

    Args:
        step: of the deal, from 0.
    """
    places = stops(log, number)
    if step >= len(places):
        return Refusal("no_such_step")
    match, upto = _until(log, places[step])
    state = lawful(referee.replay([each for each in match if not isinstance(each, TableEvent)]))
    if state is None or state.phase is not Phase.PLAYING or not any(state.current_deal.hands):
        return Refusal("no_line_here")
    on = PlayedOn(state, ())
    for card in cards:
        after = on.then(Play(on.turn, card)) if on.turn is not None else Refusal("no_line_here")
        if isinstance(after, Refusal):
            return after
        on = after
    steps = sum(place <= upto for place in places)
    return TriedLine(match, steps, [event for _, event, _ in on.since], on.state)


def _until(log: Sequence[Happening], number: int) -> tuple[Sequence[Happening], int]:
    """The log up to an event and those that follow it by themselves, and the last one's number."""
    counted = 0
    for place, each in enumerate(log):
        if isinstance(each, TableEvent):
            continue
        if counted >= number and not isinstance(each, FOLLOWING):
            return log[:place], counted
        counted += 1
    return log, counted
