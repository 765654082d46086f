"""The replay of a match that is over: each deal after every step, with the sentences for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from volte import game, referee
from volte.game import MatchState, Player
from volte.game.evolve import put
from volte.referee import Event
from volte.rules import Direction
from volte.say import Verbosity, Words
from volte.say.narration import tell_openly
from volte.say.telling import Lines
from volte.scene.builder import PartCache
from volte.scene.faces import faces_of
from volte.scene.match import ReplayBuilder
from volte.table import Happening, TableEvent
from volte.table import happenings as hap
from volte.view import View
from volte.wire.messages import Scene


class Eyes(StrEnum):
    """The cards that a replay shows."""

    OPEN = "open"  # every card
    OWN = "own"  # only cards that the person could see during the match


class FaceSettings(NamedTuple):
    """Settings of the people of a match, among them the faces that they have chosen."""

    people: tuple[str, ...] = ()  # ids by seat when the match began; empty for a bot
    settings: Mapping[str, Mapping[str, Any]] = {}  # by id

    def at(self, log: Sequence[Happening] = (), number: int = 0) -> dict[int, Mapping[str, Any]]:
        """Settings by seat of the people there at an event of the match, from 1; 0: at first."""
        there = dict(enumerate(self.people))
        for happening in log:
            if isinstance(happening, hap.Sat):
                there[happening.seat] = happening.person
            number -= not isinstance(happening, TableEvent)
            if number <= 0:
                break
        return {
            seat: self.settings[person] for seat, person in there.items() if person in self.settings
        }


UNKNOWN: Final = FaceSettings()


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a deal."""

    lines: Lines  # sentences for the step
    scene: Scene  # the table after it
    trick: int = 0  # number of the present trick, from 1; 0 before the first
    scored: bool = False  # whether the deal is over
    played: int = 0  # number of the event, from 1, if the step is a card played; else 0


class Retold(msgspec.Struct, frozen=True):
    """A deal of a match, step by step."""

    number: int
    moments: list[Moment]  # its steps; empty if the match has no deal of that number


CHANCE: Final = (game.Committed, game.Promised, game.Contributed, game.Revealed)
"""Events that a replay leaves out: they belong to the page of the proof."""

AFTER_A_DEAL: Final = (game.LotsDrawn, game.Settled, game.MatchEnded)

STEPS: Final = (
    *(game.PlayStarted, game.Played, game.TrickTaken, game.TrickHeld, game.Claimed),
    *(game.PlayTakenBack, game.MoonShot, game.DealScored, referee.TakenBack),
    *(referee.RevokeClaimed, referee.TricksMixed, referee.RestTaken, referee.Reckoned),
)
"""Events that make a step; a misdeal and two events in `_stops` do so too. Sentences of others go
to the next step, or, from the end of a deal, to the last."""


def retold(
    words: Words,
    log: Sequence[Happening],
    number: int,
    seat: int | None,
    eyes: Eyes,
    verbosity: Verbosity,
    chosen: FaceSettings = UNKNOWN,
) -> Retold:
    """A deal of a match, step by step.

    Args:
        log: the happenings from the `MatchStarted` of the match on.
        seat: the visitor's seat in the match; None without one.
    """
    openly, me = eyes is Eyes.OPEN, seat if eyes is Eyes.OWN else None
    tell = tell_openly if openly else Words.tell
    # In a replay people go back and forth, so the order does not tell whose card it is.
    verbosity = Verbosity.BRIEF if verbosity is Verbosity.TERSE else verbosity
    steps: list[_Step] = []
    lines: Lines = ()
    players: tuple[Player, ...] = ()
    dealer = last = 0
    told = _folded(log, lambda e: e if openly else referee.visible(e, me))
    for place, (before, event, after) in enumerate(told, start=1):
        if _deal_of(before, event) != number or isinstance(event, CHANCE):
            continue
        players, last = after.players, place
        if isinstance(event, game.Dealt):
            dealer = event.dealer or 0
        # Cards passed by others are told when they arrive.
        if not isinstance(event, game.Passed) or event.seat == me:
            view = View(me, before) if before is not None else None
            lines += tell(words, view, event, View(me, after), verbosity)
        if isinstance(event, referee.Misdealt) and before is not None:
            # After a misdeal the cards are gone, so the state before it is shown.
            steps.append(_Step(lines, before, _trick_of(before)))
        elif _stops(event):
            played = place if isinstance(event, game.Played) else 0
            steps.append(_Step(lines, after, _trick_of(after), played))
        elif steps and isinstance(event, (*AFTER_A_DEAL, game.KittyTaken)):
            step = steps[-1]
            steps[-1] = step._replace(lines=step.lines + lines, state=after)
        else:
            continue
        lines = ()
    cache, faces = PartCache(), faces_of(players, chosen.at(log, last))
    return Retold(
        number,
        [
            Moment(
                step.lines,
                ReplayBuilder(
                    words, View(None, step.state), seat, players, faces, dealer, cache
                ).scene(),
                step.trick,
                len(step.state.deals) == number,
                step.played,
            )
            for step in steps
        ],
    )


class _Step(NamedTuple):
    lines: Lines
    state: MatchState
    trick: int = 0
    played: int = 0


def _trick_of(state: MatchState) -> int:
    """The number of the present trick, from 1; 0 before the first."""
    deal = state.current_deal
    return len(deal.tricks) + bool(deal.trick)


def stops(log: Sequence[Happening], number: int) -> list[int]:
    """Numbers, from 1, of the events that make the steps of a deal, in their order."""
    return [place for place, deal in _all_stops(log) if deal == number]


def steps_by_deal(log: Sequence[Happening]) -> Counter[int]:
    """Numbers of steps of the deals of a match, by the number of the deal."""
    return Counter(deal for _, deal in _all_stops(log))


def _all_stops(log: Sequence[Happening]) -> Iterator[tuple[int, int]]:
    """The events that make steps: the number of each, and that of its deal."""
    for place, (before, event, _) in enumerate(_folded(log, lambda event: event), start=1):
        if _stops(event) or isinstance(event, referee.Misdealt):
            yield place, _deal_of(before, event)


def before(log: Sequence[Happening], number: int) -> tuple[MatchState, Event]:
    """The state of the match before an event, all hands open, and the event.

    Args:
        number: of the event, from 1.

    Raises `IndexError` if there is no such event, or no state before it.
    """
    for place, (state, event, _) in enumerate(_folded(log, lambda event: event), start=1):
        if place == number and state is not None:
            return state, event
    raise IndexError(number)


def _folded(
    log: Sequence[Happening], see: Callable[[Event], Event]
) -> Iterator[tuple[MatchState | None, Event, MatchState]]:
    """Every event of the match, as `see` leaves it, with the states before and after it."""
    state: MatchState | None = None
    for happening in log:
        if isinstance(happening, TableEvent):
            state = _renamed(state, happening) if state is not None else None
            continue
        event = see(happening)
        before, state = state, referee.evolve(state, event)
        yield before, event, state


def _renamed(state: MatchState, happening: TableEvent) -> MatchState:
    """The state with the name of a player who sits down in the middle of the match."""
    match happening:
        case hap.Sat(seat=seat, name=name):
            player = Player(name, person=True)
        case hap.BotSat(seat=seat, name=name, level=level):
            player = Player(name, level=level)
        case _:
            return state
    return replace(state, players=put(state.players, seat, player))


def _deal_of(before: MatchState | None, event: Event) -> int:
    """The number of the deal that an event belongs to."""
    scored = len(before.deals) if before is not None else 0
    return scored if isinstance(event, AFTER_A_DEAL) else scored + 1


def _stops(event: Event) -> bool:
    if isinstance(event, game.Dealt):
        return event.direction is not Direction.HOLD  # without a pass, play has started already
    if isinstance(event, referee.Objected):
        return not event.clause  # otherwise the card is taken back next
    return isinstance(event, STEPS)
