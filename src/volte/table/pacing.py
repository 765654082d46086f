"""What a table does next by itself, and when: computed from how it stands, never remembered.

So a table needs one timer, and nothing has to be cancelled: after each happening it asks again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from math import ceil
from typing import Final

import msgspec

from volte.bots import is_ours
from volte.bots.levels import SEARCHING
from volte.game import AnswerUndo, Contribute, MatchState, Promise, still_to_consent
from volte.referee import Accept, ClaimRevoke, Cut, RefereedMatch, SeatAction, TurnDown
from volte.table.happenings import Why
from volte.table.state import TableState
from volte.table.turns import (
    SeatTurn,
    TurnKind,
    begins,
    clock_ends,
    house_is_due,
    only_play,
    still_to_act,
)

AT_ONCE: Final = 0.0

MOST_KNOWN: Final = 100
"""People of whom it is known since when they are gone, or how they like to play."""


class Timing(msgspec.Struct, frozen=True):
    """How long tables wait, in seconds."""

    grace: float = 30.0  # from a lost connection until a bot plays, where the table does not say
    assembling: float = 90.0  # for somebody to come to their table of an evening, likewise
    host_grace: float = 120.0  # from the host's lost connection until somebody else is the host
    promise_within: float = 5.0  # for a program to promise its bytes, and again to contribute them
    undo_within: float = 60.0  # for an answer to somebody who asks to take a play back
    bot_pace: float = 0.8  # before each card of a bot, where nobody has chosen
    trick_pace: float = 1.5  # for which a full trick lies, where nobody has chosen
    # For which it lies at least, at a refereed table, before a bot turns it down: in that time a
    # revoke can be put right, and a card be objected to (I2–I4)
    turn_down: float = 4.0
    # For people at a refereed table to claim a revoke before a bot cuts for the next deal, or
    # accepts the last one (I6)
    cut: float = 20.0
    # In which all bots that wait to think are to have chosen: less than the pace of their cards, so
    # that nobody notices
    hurried: float = 0.5
    # Bots that search play at multiples of it, so that it does not tell how long they have searched
    slot: float = 0.5
    longest_thought: float = 60.0  # after which a table no longer waits for a bot
    tick: float = 1.0  # for which a second of a table's clock lasts; only tests change it
    idle: float = 600.0  # until a table where nobody is leaves memory
    retry: float = 0.25  # until a failed store is tried again; then twice as long each time
    longest_retry: float = 10.0  # up to this
    closing: float = 5.0  # in which an orderly end must be over
    gathering: float = 0.25  # in which arrivals and departures are gathered, to be shown together
    crowding: float = 0.001  # added to that for each connection, as all of them are shown it


class Trouble:
    """How long a table leaves things alone after they went wrong, and what it cannot rely on."""

    def __init__(self, timing: Timing) -> None:
        self.until = 0.0  # when it may act by itself again
        self.in_doubt = False  # whether the store may have more than the table knows
        self.failed = False  # whether what the table has in memory may be wrong, too
        self.announced = False  # whether people know that nothing can be stored
        self._timing = timing
        self._wait = 0.0

    def doubt(self, now: float) -> bool:
        """The store has failed; whether people have still to be told."""
        self._hold(now)
        announced, self.announced = self.announced, True
        self.in_doubt = True
        return not announced

    def fail(self, now: float) -> None:
        """The table itself has failed."""
        self._hold(now)
        self.in_doubt = self.failed = True

    def learnt(self) -> None:
        """The table knows again what the store has."""
        self.in_doubt = self.failed = False

    def over(self) -> bool:
        """Something has been stored; whether people have still to be told that it can be."""
        self.until = self._wait = 0.0
        announced, self.announced = self.announced, False
        return announced

    def _hold(self, now: float) -> None:
        self._wait = min(self._wait * 2 or self._timing.retry, self._timing.longest_retry)
        self.until = now + self._wait


class Pace(msgspec.Struct, frozen=True):
    """How fast a person likes to play."""

    bot_pace: float  # seconds before each card of a bot
    trick_pace: float  # seconds for which a full trick lies
    auto_forced: bool = False  # whether their only legal card is played for them
    hears_until: float = AT_ONCE  # bots wait until then, in seconds of `time.monotonic`


class Presence:
    """Who is at a table, since when the others are gone, and how all like to play.

    A person may have several connections. Times are in seconds of `time.monotonic`.
    """

    def __init__(self, now: float) -> None:
        self.here: frozenset[str] = frozenset()  # ids of those who are connected
        self.gone: dict[str, float] = {}  # since when, for those who were here
        # Ids of those who have connected since a bot has last begun to play for them: a line that
        # is dead may count as connected for a while
        self.came: set[str] = set()
        self.began = now  # since when whoever was never here counts as gone
        self.empty: float | None = now  # since when nobody is here; None while somebody is
        # Since when nobody is here for whom a match goes on; None while somebody is
        self.unattended: float | None = now
        self.paces: dict[str, Pace] = {}
        self._connections: Counter[str] = Counter()

    def come(self, person: str) -> None:
        """That person has one more connection."""
        self._connections[person] += 1
        self.came.add(person)
        self.here = frozenset(self._connections)
        self.empty = None
        self.gone.pop(person, None)

    def go(self, person: str, now: float) -> None:
        """That person has lost a connection."""
        self._connections[person] -= 1
        if self._connections[person]:
            return
        del self._connections[person]
        self.came.discard(person)
        self.here = frozenset(self._connections)
        self.gone[person] = now
        if not self._connections:
            self.empty = now

    def gone_since(self, person: str) -> float:
        """Since when somebody who is not here counts as gone."""
        return self.gone.get(person, self.began)

    def attend(self, state: TableState, now: float) -> None:
        """Notes whether somebody is here for whom a match goes on."""
        if attending(state, self.here):
            self.unattended = None
        elif self.unattended is None:
            self.unattended = now

    def begin_anew(self, now: float) -> None:
        """Counts all absences from now on: a pause is over, or a match begins."""
        self.gone.clear()
        self.began = now
        self.unattended = now if self.unattended is not None else None

    def forget_others(self, concerned: Collection[str]) -> None:
        """Forgets people whom the match does not need, once there are many."""
        for known in (self.gone, self.paces):
            if len(known) > MOST_KNOWN:
                for person in set(known).difference(concerned, self._connections):
                    del known[person]


class RevokeNoticed(msgspec.Struct, frozen=True):
    """A revoke that a bot has seen proved, and will claim."""

    claim: ClaimRevoke
    since: float  # in seconds of `time.monotonic`


class TableContext(msgspec.Struct, frozen=True):
    """What decides on a table's next step beside its state."""

    presence: Presence
    turns: Mapping[int, SeatTurn]
    decided: Mapping[int, float]  # since when, by seat, its bot has made its choice
    noticed: RevokeNoticed | None = None
    hesitations: Mapping[int, float] = {}  # by seat, see `turns.hesitation`; 1 for others


# The steps


class TableStep(msgspec.Struct, frozen=True):
    """Something that a table does by itself."""


class SeatStep(TableStep, frozen=True):
    """Something that it does at one seat."""

    seat: int


class PauseEmpty(TableStep, frozen=True):
    """The match is paused, as nobody is there."""


class Resume(TableStep, frozen=True):
    """The match goes on, as somebody is there again; that of an evening, as nobody is."""


class StandIn(SeatStep, frozen=True):
    """A bot plays for the person at a seat."""

    why: Why


class ComeBack(SeatStep, frozen=True):
    """The person at a seat is connected again, and plays."""


class HandOn(SeatStep, frozen=True):
    """The person at a seat becomes the host, as the host is gone."""


class SettleAsker(SeatStep, frozen=True):
    """The person who has asked for the bot's seat gets it, or has gone."""


class LetHouse(TableStep, frozen=True):
    """The house commits, deals, draws lots or reveals."""


class LetBot(SeatStep, frozen=True):
    """The bot at a seat does what it has chosen."""


class LetClaim(TableStep, frozen=True):
    """A bot claims the revoke that it has noticed."""

    claim: ClaimRevoke


class PlayForced(SeatStep, frozen=True):
    """The only legal card of the person at a seat is played."""


class ActFor(TableStep, frozen=True):
    """Something is done for a seat that has not done it: an answer is given, a trick is turned
    down, or the shuffle goes on without its bytes."""

    action: SeatAction | Promise | Contribute


class MarkReady(SeatStep, frozen=True):
    """The person at a seat has had enough time before the next deal."""


class Forget(TableStep, frozen=True):
    """The table leaves memory; the store has it."""


class ScheduledStep(msgspec.Struct, frozen=True):
    """Something to do, and when."""

    at: float  # in seconds of `time.monotonic`
    step: TableStep


# When they are due


def next_step(state: TableState, context: TableContext, timing: Timing) -> ScheduledStep | None:
    """What the table does next by itself; None when it depends on people, or on bots that think."""
    return min(_steps(state, context, timing), key=lambda each: each.at, default=None)


def concerned(state: TableState) -> frozenset[str]:
    """People whom a match needs: whoever has a seat, and the host."""
    return frozenset({state.host, *(seat.person for seat in state.seats)}) - {""}


def attending(state: TableState, here: Collection[str]) -> frozenset[str]:
    """People for whom a match goes on: those with a seat who are connected, and have not left their
    cards to a bot; a connected host where only bots have seats."""
    seated = [seat for seat in state.seats if seat.person]
    playing = {seat.person for seat in seated if seat.stand_in in (None, Why.CONNECTION)}
    return frozenset(playing if seated else {state.host}).intersection(here)


def common_pace(state: TableState, presence: Presence, timing: Timing) -> Pace:
    """The pace of the slowest of those at the seats, or the host's where only bots have some. Bots
    among themselves play no faster than where nobody has chosen a pace."""
    seated = [seat for seat in state.seats if seat.person in presence.here]
    usual = Pace(timing.bot_pace, timing.trick_pace)
    people = [seat.person for seat in seated] or [state.host]
    paces = [presence.paces.get(person, usual) for person in people]
    if all(seat.bot for seat in seated):
        paces.append(usual)
    return Pace(
        max(each.bot_pace for each in paces),
        max(each.trick_pace for each in paces),
        hears_until=max(each.hears_until for each in paces),
    )


def _steps(state: TableState, context: TableContext, timing: Timing) -> Iterator[ScheduledStep]:
    if state.closed:
        return
    presence, here = context.presence, context.presence.here
    goes_on = presence.unattended is None or bool(state.setup.evening)
    for place, seat in enumerate(state.seats):
        by_clock = seat.stand_in is Why.CLOCK and seat.person in presence.came
        if by_clock or (seat.stand_in is Why.CONNECTION and seat.person in here):
            yield ScheduledStep(AT_ONCE, ComeBack(place))
    if state.paused and not state.paused_by and goes_on:
        yield ScheduledStep(AT_ONCE, Resume())
    if state.paused_by and state.setup.evening and presence.unattended is not None:
        yield ScheduledStep(presence.unattended + timing.grace, Resume())
    if (state.paused or not state.under_way) and presence.empty is not None:
        yield ScheduledStep(presence.empty + timing.idle, Forget())
    if not (state.host in here or state.paused or state.setup.evening):
        heirs = (place for place, seat in enumerate(state.seats) if seat.person in here)
        if (heir := next(heirs, None)) is not None:
            since = presence.gone_since(state.host)
            yield ScheduledStep(since + timing.host_grace, HandOn(heir))
    for place, seat in enumerate(state.seats):
        if seat.asker and not state.hands_are_out:
            yield ScheduledStep(AT_ONCE, SettleAsker(place))
        elif seat.asker and seat.asker not in here:
            since = presence.gone_since(seat.asker)
            yield ScheduledStep(since + timing.grace, SettleAsker(place))
    if state.match is None or state.paused or not state.under_way:
        return
    yield from _absences(state, presence, timing)
    ready = all(turn.kind is not TurnKind.NEXT for turn in context.turns.values())
    if ready and house_is_due(state.match):
        yield ScheduledStep(AT_ONCE, LetHouse())
    for place in still_to_consent(state.match):
        if state.seats[place].bot:
            yield ScheduledStep(AT_ONCE, ActFor(AnswerUndo(place, allow=True)))
    if context.noticed is not None:
        wait = common_pace(state, presence, timing).bot_pace
        yield ScheduledStep(context.noticed.since + wait, LetClaim(context.noticed.claim))
    for place, turn in context.turns.items():
        if still_to_act(state, place, turn):
            yield from _turn_ends(state, state.match, context, timing, place, turn)


def _absences(state: TableState, presence: Presence, timing: Timing) -> Iterator[ScheduledStep]:
    """Bots stand in for those who are gone. Where all are, the match is paused instead, but for
    that of an evening, for whose end others wait."""
    usual = timing.grace if state.setup.grace is None else state.setup.grace
    if presence.unattended is not None and not state.setup.evening:
        yield ScheduledStep(presence.unattended + usual, PauseEmpty())
        return
    for place, seat in enumerate(state.seats):
        if seat.person and seat.person not in presence.here and not seat.bot:
            assembles = state.setup.evening and seat.person not in presence.gone
            grace = timing.assembling if assembles else usual
            since = presence.gone_since(seat.person)
            yield ScheduledStep(since + grace, StandIn(place, Why.CONNECTION))


def _turn_ends(
    state: TableState,
    match: MatchState,
    context: TableContext,
    timing: Timing,
    place: int,
    turn: SeatTurn,
) -> Iterator[ScheduledStep]:
    """What the table does about a seat whose turn it is."""
    pace = common_pace(state, context.presence, timing)
    person = state.seats[place].person
    clock = clock_ends(state, place, turn, pace.trick_pace, timing.tick)
    match turn.kind:
        case TurnKind.PROMISE | TurnKind.CONTRIBUTE:
            promises = turn.kind is TurnKind.PROMISE
            promised = match.proof is None or match.proof.promises[place] is not None
            waits = person and (promises or promised)
            share = Promise(place, None) if promises else Contribute(place, None)
            at = turn.since + timing.promise_within if waits else AT_ONCE
            yield ScheduledStep(at, ActFor(share))
        case TurnKind.ANSWER if not turn.bot:
            no = ActFor(AnswerUndo(place, allow=False))
            yield ScheduledStep(max(turn.since + timing.undo_within, clock or AT_ONCE), no)
        case TurnKind.NEXT if clock is not None:
            yield ScheduledStep(clock, MarkReady(place))
        case TurnKind.TURN_DOWN if turn.bot or clock is not None:
            patience = max(timing.turn_down, pace.trick_pace)
            at = max(turn.since + patience, clock or AT_ONCE)
            yield ScheduledStep(at, ActFor(TurnDown(place)))
        case TurnKind.CUT | TurnKind.ACCEPT if turn.bot or clock is not None:
            patience = pace.bot_pace if _nobody_claims(state, match) else timing.cut
            act = Cut(place) if turn.kind is TurnKind.CUT else Accept(place)
            yield ScheduledStep(max(turn.since + patience, clock or AT_ONCE), ActFor(act))
        case TurnKind.PLAY | TurnKind.PASS | TurnKind.CHOOSE if turn.bot:
            if place in context.decided:
                alike = state.setup.rated or state.setup.evening
                part = 1.0 if alike else context.hesitations.get(place, 1.0)
                paced = max(turn.since + pace.bot_pace * part, pace.hears_until)
                at = max(paced, begins(state, turn, pace.trick_pace))
                if timing.slot and searches(state.seats[place].level):
                    at = max(at, turn.since + timing.slot)
                    late = max(context.decided[place] - at, 0.0)
                    at += ceil(late / timing.slot) * timing.slot
                yield ScheduledStep(at, LetBot(place))
        case TurnKind.PLAY | TurnKind.PASS | TurnKind.CHOOSE:
            if clock is not None:
                here = person in context.presence.here
                yield ScheduledStep(clock, StandIn(place, Why.CLOCK if here else Why.CONNECTION))
            own = context.presence.paces.get(person)
            auto = own is not None and own.auto_forced and person in context.presence.here
            if auto and turn.kind is TurnKind.PLAY and only_play(match) is not None:
                part = context.hesitations.get(place, 1.0)
                paced = turn.since + pace.bot_pace * part
                at = max(paced, begins(state, turn, pace.trick_pace))
                yield ScheduledStep(at, PlayForced(place))


def searches(level: str) -> bool:
    """Whether bots of that level may think for long: those that search, and outside engines."""
    return level in SEARCHING or bool(level and not is_ours(level))


def _nobody_claims(state: TableState, match: MatchState) -> bool:
    """Whether all people who play have said that they do not: by `Next`, or by accepting."""
    assert isinstance(match, RefereedMatch)
    people = [place for place, seat in enumerate(state.seats) if seat.person and not seat.bot]
    done = [place in state.ready or match.accepted >> place & 1 for place in people]
    return bool(people) and all(done)
