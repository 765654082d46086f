"""The state of a live table, and `evolve`: how its happenings are folded into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, cast

import msgspec
from msgspec.structs import replace

from volte import game, referee
from volte.cards import Card
from volte.game import MatchState, Phase
from volte.game.evolve import put
from volte.referee import RefereedDeal, RefereedMatch
from volte.rules import Direction
from volte.table import happenings as hap
from volte.table.happenings import Happening, Why
from volte.table.setup import Setup


class Seat(msgspec.Struct, frozen=True):
    """A seat: the person or bot there, a stand-in, and a person who asks for the bot's place."""

    person: str = ""  # id of the person who sits there; empty for none
    name: str = ""  # name of the person or the bot; empty where the seat is free
    level: str = ""  # level of the bot that sits there; empty for a person
    stand_in: Why | None = None  # why a bot plays for the person; None where they play themselves
    accepts_clock: bool = False  # whether the person has agreed to a short clock
    asker: str = ""  # id of a person who has asked for this bot's seat; empty for none
    asker_name: str = ""

    @property
    def free(self) -> bool:
        return not self.person and not self.level

    @property
    def bot(self) -> bool:
        """Whether a bot plays there now, at its own seat or for a person."""
        return bool(self.level) or self.stand_in is not None


class TableState(msgspec.Struct, frozen=True):
    """A whole table. People are ids; happenings are numbers."""

    setup: Setup
    host: str
    host_name: str
    version: int  # number of the last happening folded
    seats: tuple[Seat, ...]  # clockwise
    barred: frozenset[str] = frozenset()  # ids of people whom the host has sent away
    paused: bool = False
    paused_by: str = ""  # name of the person who paused the match; empty where nobody was there
    closed: bool = False
    onward: str = ""  # id of the table where its people go on, once it is closed; empty for none
    match: MatchState | None = None
    """The present match, or the last one; None before the first, and once the table has another
    number of seats."""
    set_up: int = 0  # the last happening that changed the setup
    match_began: int = 0  # `MatchStarted` of the present match; 0 where there is no match
    matches: int = 0  # number of matches begun so far
    moved: int = 0
    """The last happening that changed what the seats have to do: an action of a client that has not
    seen it is stale."""
    ready: frozenset[int] = frozenset()
    """Seats that are ready for the next deal, since `moved`; after a match, for another one."""
    extra: tuple[int, ...] = ()  # seconds given to each seat for the present choice, since `moved`
    denied: frozenset[str] = frozenset()  # people to whom the host has refused a seat in this deal
    saw: tuple[frozenset[str], ...] = ()  # by seat, people who have held its cards in this deal
    began: tuple[str, ...] = ()  # by seat, the person there when the match began; empty for a bot
    dealt: tuple[game.Dealt, ...] = ()  # the deals of the present match, or of the last one
    ended: tuple[str, ...] = ()
    """By seat, the person there when the last match ended; empty for a bot, and while no match has
    been played to its end."""
    coming: hap.CardsGiven | None = None  # the cards given to the match that begins next
    given: hap.CardsGiven | None = None  # those given to the present match; None where it draws
    anew: frozenset[int] | None = None
    """Seats whose people would rather begin the match anew; None where that is not offered."""
    newcomers: frozenset[str] = frozenset()
    """Ids of the people who have come to a meeting table in this match: each is one offer to begin
    anew, however often they stand up and sit down again."""
    play_began: int = 0  # at a refereed table, the last `PlayStarted`
    laid: tuple[int, ...] = ()
    """At a refereed table, by seat: the last happening that has put its card on the table, or has
    taken it away from there."""

    @property
    def under_way(self) -> bool:
        """Whether a match is being played, or its last secret has still to be revealed."""
        if self.match is None:
            return False
        proof = self.match.proof
        proved = proof is None or self.match.revealed == proof.number
        return self.match.phase is not Phase.ENDED or not proved

    @property
    def decks(self) -> tuple[tuple[Card, ...], ...]:
        """The decks given to the present match, one for each deal; none where cards are drawn."""
        return self.given.decks if self.given is not None else ()

    @property
    def company(self) -> tuple[str, ...]:
        """The people who have a seat, or have asked for a bot's, each once."""
        people = (person for seat in self.seats for person in (seat.person, seat.asker))
        return tuple(dict.fromkeys(person for person in people if person))

    @property
    def between_matches(self) -> bool:
        """Whether a match is over, and another one can begin; tables of evenings and of boards have
        one each."""
        over = self.match is not None and not self.under_way
        return over and not (self.closed or self.setup.evening or self.setup.board)

    @property
    def left(self) -> tuple[int, ...]:
        """The seats whose people began the match, and are at no seat any more."""
        people = {seat.person for seat in self.seats}
        began = enumerate(self.began)
        return tuple(place for place, person in began if person and person not in people)

    @property
    def hands_are_out(self) -> bool:
        """Whether the seats hold cards that others may not see."""
        return self.match is not None and self.match.phase in (Phase.PASSING, Phase.PLAYING)

    @property
    def between_deals(self) -> bool:
        """Whether a deal is over and nothing of the next one has begun.

        It is never so at a refereed table: there the cut brings the next deal (I6).
        """
        match = self.match
        if match is None or match.phase is not Phase.DEALING or not match.deals:
            return False
        return not isinstance(match, RefereedMatch) and (match.proof is None or match.proof.used)

    @property
    def awaits_cut(self) -> bool:
        """Whether a deal is over in which a revoke can still be claimed, until the cut (I6).

        It is not yet so while somebody has to choose how their moon counts (W7).
        """
        match = self.match
        if not isinstance(match, RefereedMatch) or match.reckoned is None:
            return False
        return match.shooter is None and not match.last

    @property
    def playing(self) -> frozenset[int]:
        """The seats of people who play themselves."""
        seats = enumerate(self.seats)
        return frozenset(place for place, seat in seats if seat.person and not seat.bot)

    @property
    def begun(self) -> bool:
        """Whether anything has happened in the present match, a pass, a card, or a whole deal; and
        something is still to come."""
        match = self.match
        if match is None or match.phase is Phase.ENDED:
            return False
        return bool(match.deals or self.touched)

    @property
    def touched(self) -> bool:
        """Whether somebody has passed or played in the deal whose cards are out."""
        deal = self.match.deal if self.match is not None else None
        if deal is None:
            return False
        passed = deal.direction is not Direction.HOLD and any(
            each is not None for each in deal.passes
        )
        laid = isinstance(deal, RefereedDeal) and deal.laid
        return bool(passed or deal.tricks or deal.trick or laid)

    def seat_of(self, person: str) -> int | None:
        """The seat of a person; None where they have none."""
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
"""The events that change what the seats have to do. A pass does not, since all seats pass at once;
nor does an acceptance, for the same reason; nor a ruling without consequences."""


def evolve(state: TableState | None, happening: Happening) -> TableState:
    """The state after a happening that `decide` has allowed. `state` is None before `Opened`."""
    if state is None:
        assert isinstance(happening, hap.Opened)
        setup, players = happening.setup, happening.setup.rules.players
        return TableState(
            setup,
            happening.host,
            happening.name,
            version=1,
            seats=(Seat(),) * players,
            extra=(0,) * players,
            saw=(frozenset(),) * players,
        )
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
    """The state to which a whole log leads. The log must not be empty."""
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
        if state.anew is not None and kind in (game.MatchStarted, game.MatchEnded):
            state = replace(state, anew=None)
        if kind is game.MatchStarted:
            state = replace(
                state,
                match_began=version,
                matches=state.matches + 1,
                saw=(frozenset(),) * len(state.seats),
                began=_people(state),
                newcomers=frozenset(),
                dealt=(),
                ended=(),
                coming=None,
                given=state.coming if match.cards is not None else None,
            )
        elif kind is game.Dealt:
            saw = tuple(frozenset({seat.person} - {""}) for seat in state.seats)
            assert isinstance(event, game.Dealt)
            dealt = (*state.dealt[: event.number - 1], event)  # a misdeal is dealt again
            state = replace(state, saw=saw, denied=frozenset(), dealt=dealt)
        elif kind is game.MatchEnded:
            state = replace(state, ended=_people(state))
    return _laid(state, event) if isinstance(match, RefereedMatch) else state


def _people(state: TableState) -> tuple[str, ...]:
    return tuple(seat.person for seat in state.seats)


def hidden(state: TableState) -> TableState:
    """The table for somebody who begins to see it: without the match before, and without cards that
    are still to come."""
    coming = state.coming.hidden if state.coming is not None else None
    return replace(state, match=None, match_began=0, dealt=(), coming=coming, given=None)


def _laid(state: TableState, event: referee.Event) -> TableState:
    """Note the last change of each seat's card on a refereed table: laid, taken back, gathered."""
    everywhere = (state.version,) * len(state.seats)
    laid = state.laid or everywhere  # empty in a state that a client has built
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
            ended=(),
            dealt=(),
            coming=None,
            given=None,
            extra=(0,) * players,
            saw=(frozenset(),) * players,
        )
    set_up = state.version + 1
    return replace(state, setup=event.setup, set_up=set_up, seats=seats, ready=frozenset())


def _put(state: TableState, place: int, seat: Seat) -> TableState:
    """Replace the player at a seat; the new one is not ready yet, and has asked for nothing."""
    anew = None if state.anew is None else state.anew - {place}
    seats = put(state.seats, place, seat)
    return replace(state, ready=state.ready - {place}, anew=anew, seats=seats)


def _seat(state: TableState, place: int, **changes: object) -> TableState:
    """Change fields of a seat whose person or bot stays."""
    return replace(state, seats=put(state.seats, place, replace(state.seats[place], **changes)))


def _sat(state: TableState, event: hap.Sat) -> TableState:
    for place, seat in enumerate(state.seats):
        if seat.asker == event.person:
            state = _unasked(state, place)
    state = _put(state, event.seat, Seat(event.person, event.name))
    returns = event.person in state.began[event.seat : event.seat + 1]  # a client may not know it
    known = returns or event.person in state.newcomers
    if state.setup.meeting and state.begun and not known:
        anew = frozenset[int]() if len(state.playing) > 1 else None
        state = replace(state, anew=anew, newcomers=state.newcomers | {event.person})
    if not state.hands_are_out:
        return state
    saw = state.saw or (frozenset(),) * len(state.seats)  # empty in a state that a client has built
    return replace(state, saw=put(saw, event.seat, saw[event.seat] | {event.person}))


def _bot_sat(state: TableState, event: hap.BotSat) -> TableState:
    before = state.seats[event.seat]
    asker, name = before.asker, before.asker_name
    bot = Seat(name=event.name, level=event.level, asker=asker, asker_name=name)
    return _put(state, event.seat, bot)


def _seat_denied(state: TableState, event: hap.SeatDenied) -> TableState:
    denied = state.denied | {state.seats[event.seat].asker}
    return replace(_unasked(state, event.seat), denied=denied)


def _unasked(state: TableState, place: int) -> TableState:
    """Remove the person who asks for a bot's seat."""
    return _seat(state, place, asker="", asker_name="")


def _swapped(state: TableState, event: hap.Swapped) -> TableState:
    one, other = state.seats[event.one], state.seats[event.other]
    seats = put(put(state.seats, event.one, other), event.other, one)
    return replace(state, seats=seats, ready=state.ready - {event.one, event.other})


def _moved_on(state: TableState, _: hap.MovedOn) -> TableState:
    seats = (*state.seats[-1:], *state.seats[:-1])
    return replace(state, seats=seats, ready=frozenset())


def _stood_in(state: TableState, event: hap.StoodIn) -> TableState:
    return _put(state, event.seat, replace(state.seats[event.seat], stand_in=event.why))


def _anew_wanted(state: TableState, event: hap.AnewWanted) -> TableState:
    return replace(state, anew=(state.anew or frozenset()) | {event.seat})


def _time_given(state: TableState, event: hap.TimeGiven) -> TableState:
    extra = state.extra or (0,) * len(state.seats)
    return replace(state, extra=put(extra, event.seat, extra[event.seat] + event.seconds))


_FOLDS: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    hap.Changed: _changed,
    hap.Sat: _sat,
    hap.BotSat: _bot_sat,
    hap.SeatWanted: lambda state, event: _seat(
        state, event.seat, asker=event.person, asker_name=event.name
    ),
    hap.SeatDenied: _seat_denied,
    hap.SeatForgone: lambda state, event: _unasked(state, event.seat),
    hap.Stood: lambda state, event: _put(state, event.seat, Seat()),
    hap.Swapped: _swapped,
    hap.MovedOn: _moved_on,
    hap.CardsGiven: lambda state, event: replace(state, coming=event),
    hap.HandedOver: lambda state, event: replace(state, host=event.person, host_name=event.name),
    hap.Barred: lambda state, event: replace(state, barred=state.barred | {event.person}),
    hap.Paused: lambda state, event: replace(state, paused=True, paused_by=event.name),
    hap.Unpaused: lambda state, event: replace(state, paused=False, paused_by=""),
    hap.StoodIn: _stood_in,
    hap.CameBack: lambda state, event: _seat(state, event.seat, stand_in=None),
    hap.Readied: lambda state, event: replace(state, ready=state.ready | {event.seat}),
    hap.AnewWanted: _anew_wanted,
    hap.AnewLapsed: lambda state, event: replace(state, anew=None),
    hap.ClockAccepted: lambda state, event: _seat(state, event.seat, accepts_clock=event.accepted),
    hap.TimeGiven: _time_given,
    hap.Closed: lambda state, event: replace(state, closed=True, onward=event.onward),
}
