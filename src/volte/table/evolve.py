"""`evolve`: one happening folded into the state of a table. It trusts what `decide` has judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, cast

from msgspec.structs import replace

from volte import game, referee
from volte.game.evolve import put
from volte.referee import RefereedMatch
from volte.table import happenings as hap
from volte.table.happenings import Happening
from volte.table.state import Seat, TableState

MOVING: Final = frozenset(
    {
        *(game.MatchStarted, game.Dealt, game.Exchanged, game.PlayStarted),
        *(game.Played, game.TrickTaken, game.TrickHeld, game.PlayTakenBack),
        *(game.MoonShot, game.DealScored, game.MatchEnded),
        *(referee.TakenBack, referee.Reckoned, referee.Misdealt),
    }
)
"""What changes what the seats are asked to do. A pass is not in it: all pass at once, as all
accept at once; nor what is ruled on without any consequence."""


def evolve(state: TableState | None, happening: Happening) -> TableState:
    """The state after the happening; None is the state before `Opened`."""
    if state is None:
        assert isinstance(happening, hap.Opened)
        return _opened(happening)
    fold = _FOLDS.get(type(happening))
    if fold is None:
        return _played_on(state, cast("referee.Event", happening))
    return replace(fold(state, happening), version=state.version + 1)


def states(state: TableState | None, happenings: Iterable[Happening]) -> Iterator[TableState]:
    """The state after each of the happenings."""
    for happening in happenings:
        state = evolve(state, happening)
        yield state


def fold(log: Iterable[Happening]) -> TableState:
    """The state that a whole log leads to. The log must not be empty."""
    state: TableState | None = None
    for happening in log:
        state = evolve(state, happening)
    assert state is not None
    return state


# The match


def _played_on(state: TableState, event: referee.Event) -> TableState:
    version, match, kind = state.version + 1, referee.evolve(state.match, event), type(event)
    if kind not in MOVING:
        state = replace(state, version=version, match=match)
    else:
        nothing = (0,) * len(state.seats)
        state = replace(state, version=version, match=match, moved=version, extra=nothing)
        if state.ready:
            state = replace(state, ready=frozenset())
        if kind is game.MatchStarted:
            state = _begun(state)
        elif kind is game.Dealt:
            saw = tuple(frozenset({seat.person} - {""}) for seat in state.seats)
            state = replace(state, saw=saw, denied=frozenset())
    return _laid(state, event) if isinstance(match, RefereedMatch) else state


def _begun(state: TableState) -> TableState:
    return replace(
        state,
        match_began=state.version,
        matches=state.matches + 1,
        saw=(frozenset(),) * len(state.seats),
        began=tuple(seat.person for seat in state.seats),
    )


def _laid(state: TableState, event: referee.Event) -> TableState:
    """Since when everybody's card lies on a refereed table, or does not."""
    everywhere = (state.version,) * len(state.seats)
    laid = state.laid or everywhere  # none in a state that a client has made
    match event:
        case game.PlayStarted():
            return replace(state, laid=everywhere, play_began=state.version)
        case game.TrickTaken() | game.TrickHeld():
            return replace(state, laid=everywhere)
        case game.Played():
            return replace(state, laid=put(laid, event.seat, state.version))
        case referee.TakenBack():
            back = {each.seat for each in event.cards}
            numbers = enumerate(laid)
            now = tuple(state.version if seat in back else since for seat, since in numbers)
            return replace(state, laid=now)
    return state


# Who comes and goes


def _opened(event: hap.Opened) -> TableState:
    players = event.setup.rules.players
    return TableState(
        event.setup,
        event.host,
        event.name,
        version=1,
        seats=(Seat(),) * players,
        extra=(0,) * players,
        saw=(frozenset(),) * players,
    )


def _changed(state: TableState, event: hap.Changed) -> TableState:
    players = event.setup.rules.players
    seats = (*state.seats, *(Seat(),) * players)[:players]
    if event.setup.clock != state.setup.clock:  # nobody has agreed to this one
        seats = tuple(replace(seat, accepts_clock=False) for seat in seats)
    if players != len(state.seats):  # its seats are not those of the match before
        state = replace(
            state,
            match=None,
            match_began=0,
            began=(),
            extra=(0,) * players,
            saw=(frozenset(),) * players,
        )
    return replace(state, setup=event.setup, seats=seats)


def _seat(state: TableState, place: int, seat: Seat) -> TableState:
    return replace(state, seats=put(state.seats, place, seat))


def _other(state: TableState, place: int, seat: Seat) -> TableState:
    """Somebody else plays there now, who has not said that they are ready."""
    return _seat(replace(state, ready=state.ready - {place}), place, seat)


def _sat(state: TableState, event: hap.Sat) -> TableState:
    for place, seat in enumerate(state.seats):
        if seat.asker == event.person:
            state = _unasked(state, place)
    state = _other(state, event.seat, Seat(event.person, event.name))
    if not state.hands_are_out:
        return state
    saw = state.saw or (frozenset(),) * len(state.seats)  # none in a state that a client has made
    return replace(state, saw=put(saw, event.seat, saw[event.seat] | {event.person}))


def _bot_sat(state: TableState, event: hap.BotSat) -> TableState:
    return _other(state, event.seat, Seat(name=event.name, level=event.level))


def _seat_wanted(state: TableState, event: hap.SeatWanted) -> TableState:
    bot = state.seats[event.seat]
    return _seat(state, event.seat, replace(bot, asker=event.person, asker_name=event.name))


def _seat_denied(state: TableState, event: hap.SeatDenied) -> TableState:
    denied = state.denied | {state.seats[event.seat].asker}
    return replace(_unasked(state, event.seat), denied=denied)


def _seat_forgone(state: TableState, event: hap.SeatForgone) -> TableState:
    return _unasked(state, event.seat)


def _unasked(state: TableState, place: int) -> TableState:
    """Nobody asks for that seat any more."""
    return _seat(state, place, replace(state.seats[place], asker="", asker_name=""))


def _stood(state: TableState, event: hap.Stood) -> TableState:
    return _other(state, event.seat, Seat())


def _swapped(state: TableState, event: hap.Swapped) -> TableState:
    one, other = state.seats[event.one], state.seats[event.other]
    return replace(state, seats=put(put(state.seats, event.one, other), event.other, one))


def _handed_over(state: TableState, event: hap.HandedOver) -> TableState:
    return replace(state, host=event.person, host_name=event.name)


def _barred(state: TableState, event: hap.Barred) -> TableState:
    return replace(state, barred=state.barred | {event.person})


def _paused(state: TableState, event: hap.Paused) -> TableState:
    return replace(state, paused=True, paused_by=event.name)


def _unpaused(state: TableState, _: hap.Unpaused) -> TableState:
    return replace(state, paused=False, paused_by="")


def _stood_in(state: TableState, event: hap.StoodIn) -> TableState:
    return _other(state, event.seat, replace(state.seats[event.seat], stand_in=event.why))


def _came_back(state: TableState, event: hap.CameBack) -> TableState:
    return _seat(state, event.seat, replace(state.seats[event.seat], stand_in=None))


def _readied(state: TableState, event: hap.Readied) -> TableState:
    return replace(state, ready=state.ready | {event.seat})


def _clock_accepted(state: TableState, event: hap.ClockAccepted) -> TableState:
    seat = replace(state.seats[event.seat], accepts_clock=event.accepted)
    return _seat(state, event.seat, seat)


def _time_given(state: TableState, event: hap.TimeGiven) -> TableState:
    extra = state.extra or (0,) * len(state.seats)
    return replace(state, extra=put(extra, event.seat, extra[event.seat] + event.seconds))


def _closed(state: TableState, _: hap.Closed) -> TableState:
    return replace(state, closed=True)


_FOLDS: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    hap.Changed: _changed,
    hap.Sat: _sat,
    hap.BotSat: _bot_sat,
    hap.SeatWanted: _seat_wanted,
    hap.SeatDenied: _seat_denied,
    hap.SeatForgone: _seat_forgone,
    hap.Stood: _stood,
    hap.Swapped: _swapped,
    hap.HandedOver: _handed_over,
    hap.Barred: _barred,
    hap.Paused: _paused,
    hap.Unpaused: _unpaused,
    hap.StoodIn: _stood_in,
    hap.CameBack: _came_back,
    hap.Readied: _readied,
    hap.ClockAccepted: _clock_accepted,
    hap.TimeGiven: _time_given,
    hap.Closed: _closed,
}
