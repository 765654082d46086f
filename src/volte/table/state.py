"""The state of a live table: what its log folds into."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, cast

import msgspec
from msgspec.structs import replace

from volte import game, referee
from volte.game import MatchState, Phase
from volte.game.evolve import put
from volte.referee import RefereedMatch
from volte.table import happenings as hap
from volte.table.happenings import Happening, Why
from volte.table.setup import Setup


class Seat(msgspec.Struct, frozen=True):
    """One seat.

    Attributes:
        person: id of who sits there, empty where nobody does.
        name: of the person, or of the bot; empty where the seat is free.
        level: of the bot that sits there; empty for a person.
        stand_in: why a bot plays for the person; None where they play themselves.
        accepts_clock: whether the person has agreed to a short clock.
        asker: id of who has asked the host for the seat of this bot; empty where nobody has.
        asker_name: theirs.
    """

    person: str = ""
    name: str = ""
    level: str = ""
    stand_in: Why | None = None
    accepts_clock: bool = False
    asker: str = ""
    asker_name: str = ""

    @property
    def free(self) -> bool:
        return not self.person and not self.level

    @property
    def bot(self) -> bool:
        """Whether a bot plays there now, be it for somebody."""
        return bool(self.level) or self.stand_in is not None


class TableState(msgspec.Struct, frozen=True):
    """A whole table.

    Attributes:
        version: number of happenings folded.
        seats: clockwise.
        host: id of a person.
        barred: ids of those who were sent away.
        paused_by: name of who has paused the match; empty where it waits because nobody is there.
        match: the one that is played, or the last one; None before the first, and once the table
            has another number of seats.
        match_began: number of its `MatchStarted`; 0 where there is none.
        matches: how many have been begun.
        moved: number of the last happening that changed what the seats are asked to do: an
            action of a client that has not seen it is stale.
        ready: seats that are ready for the next deal, since `moved`.
        extra: seconds given to the seats for the present choice, since `moved`.
        denied: ids of those to whom the host has denied a seat in this deal.
        saw: by seat, ids of the people who have held its cards in this deal.
        began: by seat, who sat there when the present match, or the last one, began.
        play_began: at a refereed table, number of the last `PlayStarted`.
        laid: at a refereed table, by seat: number of the last happening that has put its card on
            the table, or has taken it away from there.
    """

    setup: Setup
    host: str
    host_name: str
    version: int
    seats: tuple[Seat, ...]
    barred: frozenset[str] = frozenset()
    paused: bool = False
    paused_by: str = ""
    closed: bool = False
    match: MatchState | None = None
    match_began: int = 0
    matches: int = 0
    moved: int = 0
    ready: frozenset[int] = frozenset()
    extra: tuple[int, ...] = ()
    denied: frozenset[str] = frozenset()
    saw: tuple[frozenset[str], ...] = ()
    began: tuple[str, ...] = ()
    play_began: int = 0
    laid: tuple[int, ...] = ()

    @property
    def under_way(self) -> bool:
        """Whether a match is being played; one whose last secret is still to be told is."""
        if self.match is None:
            return False
        proof = self.match.proof
        told = proof is None or self.match.revealed == proof.number
        return self.match.phase is not Phase.ENDED or not told

    @property
    def hands_are_out(self) -> bool:
        """Whether the seats hold cards that others may not see."""
        return self.match is not None and self.match.phase in (Phase.PASSING, Phase.PLAYING)

    @property
    def between_deals(self) -> bool:
        """Whether a deal is over and nothing of the next one has begun.

        Never at a refereed table: there the cut brings the next deal (I6).
        """
        match = self.match
        if match is None or match.phase is not Phase.DEALING or not match.deals:
            return False
        if isinstance(match, RefereedMatch):
            return False
        return match.proof is None or match.proof.used

    @property
    def awaits_cut(self) -> bool:
        """Whether a deal is over that can still be talked about, and the cut is waited for (I6).

        Not yet where somebody has to say how their moon counts (W7).
        """
        match = self.match
        if not isinstance(match, RefereedMatch) or match.reckoned is None:
            return False
        return match.shooter is None and not match.last

    def seat_of(self, person: str) -> int | None:
        """Where that person sits."""
        for place, seat in enumerate(self.seats):
            if seat.person == person and person:
                return place
        return None


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
