"""The next step of a table by itself, and its time: computed from the state, never remembered.

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
from volte.table.setup import bots_make_room
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
"""People whose absence or pace a table remembers, before it forgets those outside the match."""


class Timing(msgspec.Struct, frozen=True):
    """Waits of tables, in seconds."""

    grace: float = 30.0  # from a lost connection until a bot plays, where the setup has no grace
    assembling: float = 90.0  # until a bot plays for somebody not come to their evening's table
    told_lost: float = 3.0  # from a lost connection until others are told: most come back sooner
    host_grace: float = 120.0  # from the host's lost connection until somebody else is the host
    promise_within: float = 5.0  # for a program to promise its bytes, and again to contribute them
    anew: float = 20.0  # for the people at a meeting table to begin anew, since somebody has come
    fill: float = 60.0  # until bots take free seats of a meeting table, since somebody has come
    undo_within: float = 60.0  # for an answer to somebody who asks to take a play back
    bot_pace: float = 0.8  # before each card of a bot, where nobody has chosen a pace
    trick_pace: float = 1.5  # for which a full trick lies, where nobody has chosen a pace
    # For which a full trick lies at least, at a refereed table, before a bot turns it down: until
    # then a revoke can be put right, and a card be objected to (I2–I4)
    turn_down: float = 4.0
    # For people at a refereed table to claim a revoke before a bot cuts for the next deal, or
    # accepts the last one (I6)
    cut: float = 20.0
    # Within which all bots that wait to think are to choose: less than the pace of their cards, so
    # that nobody notices
    hurried: float = 0.5
    # Between the times at which bots that search may play, so that a time does not show how long
    # they have searched
    slot: float = 0.5
    longest_thought: float = 60.0  # after which a table no longer waits for a bot
    tick: float = 1.0  # duration of one second of a table's clock; only tests change it
    idle: float = 600.0  # until an empty table with a match leaves memory
    vacant: float = 60.0  # until one without does, and so is no longer listed
    retry: float = 0.25  # until a failed store is tried again; then twice as long each time
    longest_retry: float = 10.0  # the longest of these
    closing: float = 5.0  # within which an orderly end must be over
    gathering: float = 0.25  # in which arrivals and departures are gathered, to be shown together
    crowding: float = 0.001  # added to `gathering` for each connection, as each is sent the news


class Trouble:
    """A failure of the store or of the table: the wait after it, and what has to be read again."""

    def __init__(self, timing: Timing) -> None:
        self.until = 0.0  # time when the table may act by itself again
        self.in_doubt = False  # whether the store may have more than the table knows
        self.failed = False  # whether the table's memory may be wrong, too
        self.announced = False  # whether people have been told that nothing can be stored
        self._timing = timing
        self._wait = 0.0

    def store_failed(self, now: float) -> bool:
        """Note that the store has failed. True if people have yet to be told."""
        self._hold(now)
        announced, self.announced = self.announced, True
        self.in_doubt = True
        return not announced

    def table_failed(self, now: float) -> None:
        """Note that the table itself has failed."""
        self._hold(now)
        self.in_doubt = self.failed = True

    def read_again(self) -> None:
        """Note that the table has read again what the store has."""
        self.in_doubt = self.failed = False

    def store_works(self) -> bool:
        """Note that the store works again. True if people have yet to be told."""
        self.until = self._wait = 0.0
        announced, self.announced = self.announced, False
        return announced

    def _hold(self, now: float) -> None:
        self._wait = min(self._wait * 2 or self._timing.retry, self._timing.longest_retry)
        self.until = now + self._wait


class Pace(msgspec.Struct, frozen=True):
    """The pace at which a person likes to play."""

    bot_pace: float  # seconds before each card of a bot
    trick_pace: float  # seconds for which a full trick lies
    auto_forced: bool = False  # whether their only legal card is played for them
    hears_until: float = AT_ONCE  # time until which bots wait, in seconds of `time.monotonic`


class Presence:
    """The people connected to a table, the times when others left, and the paces of all.

    A person may have several connections. Times are in seconds of `time.monotonic`.
    """

    def __init__(self, now: float) -> None:
        self.here: frozenset[str] = frozenset()  # ids of the people who are connected
        self.gone: dict[str, float] = {}  # time of leaving of people who were here, by id
        # Ids of people who have connected since a bot last began to play for them: a dead line may
        # count as connected for a while
        self.came: set[str] = set()
        self.began = now  # time since which people who were never here count as gone
        self.sat = now  # time when a person last took a seat
        self.empty: float | None = now  # time since which nobody is here; None while somebody is
        # Time since which nobody is here for whom a match goes on; None while somebody is
        self.unattended: float | None = now
        self.paces: dict[str, Pace] = {}
        self._connections: Counter[str] = Counter()

    def come(self, person: str) -> None:
        """Count one more connection of a person."""
        self._connections[person] += 1
        self.came.add(person)
        self.here = frozenset(self._connections)
        self.empty = None
        self.gone.pop(person, None)

    def go(self, person: str, now: float) -> None:
        """Count one connection less of a person."""
        self._connections[person] -= 1
        if self._connections[person]:
            return
        del self._connections[person]
        self.came.discard(person)
        self.here = frozenset(self._connections)
        self.gone[person] = now
        if not self._connections:
            self.empty = now

    def expect(self, person: str, now: float, *, seated: bool) -> None:
        """Note somebody who gets or asks for a seat, perhaps without having been here: who has one
        is missed from now on, and who asks is not."""
        if person in self.here:
            return
        self.gone.pop(person, None)
        if seated:
            self.gone[person] = now

    def gone_since(self, person: str) -> float:
        """The time since which somebody who is not here counts as gone."""
        return self.gone.get(person, self.began)

    def gone_before(self, then: float) -> frozenset[str]:
        """Ids of people who were here, and have been gone since some time."""
        return frozenset(person for person, since in self.gone.items() if since <= then)

    def attend(self, state: TableState, now: float) -> None:
        """Note whether somebody is here for whom a match goes on."""
        if attending(state, self.here):
            self.unattended = None
        elif self.unattended is None:
            self.unattended = now

    def begin_anew(self, now: float) -> None:
        """Count all absences from now on: a pause is over, or a match begins."""
        self.gone.clear()
        self.began = now
        self.unattended = now if self.unattended is not None else None

    def forget_others(self, concerned: Collection[str]) -> None:
        """Forget people whom the match does not need, once there are many."""
        for known in (self.gone, self.paces):
            if len(known) > MOST_KNOWN:
                for person in set(known).difference(concerned, self._connections):
                    del known[person]


class RevokeNoticed(msgspec.Struct, frozen=True):
    """A revoke that a bot has seen proved, and will claim."""

    claim: ClaimRevoke
    since: float  # in seconds of `time.monotonic`


class TableContext(msgspec.Struct, frozen=True):
    """The facts beside a table's state that decide on its next step."""

    presence: Presence
    turns: Mapping[int, SeatTurn]
    decided: Mapping[int, float]  # by seat, the time when its bot had chosen
    noticed: RevokeNoticed | None = None
    hesitations: Mapping[int, float] = {}  # by seat, see `turns.hesitation`; 1 for others


# The steps


class TableStep(msgspec.Struct, frozen=True):
    """A step that a table takes by itself."""


class SeatStep(TableStep, frozen=True):
    """A step at one seat."""

    seat: int


class PauseEmpty(TableStep, frozen=True):
    """The match is paused, as nobody is there."""


class Resume(TableStep, frozen=True):
    """The match goes on, as somebody is there again; a match of an evening, although nobody is."""


class StandIn(SeatStep, frozen=True):
    """A bot plays for the person at a seat."""

    why: Why


class ComeBack(SeatStep, frozen=True):
    """The person at a seat is connected again, and plays."""


class HandOn(SeatStep, frozen=True):
    """The person at a seat becomes the host, as the host is gone."""


class SettleAsker(SeatStep, frozen=True):
    """The person who has asked for the bot's seat gets it."""


class DropAsker(SeatStep, frozen=True):
    """The person who has asked for the bot's seat has gone."""


class BeginMatch(TableStep, frozen=True):
    """A match begins by itself; bots take the free seats."""


class BeginAnew(TableStep, frozen=True):
    """The match at a meeting table is broken off, and another one begins."""


class LapseAnew(TableStep, frozen=True):
    """The match at a meeting table can no longer be begun anew."""


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
    """The table acts for a seat: it gives an answer, turns down a trick, cuts or accepts; or the
    shuffle goes on without the seat's bytes."""

    action: SeatAction | Promise | Contribute


class MarkReady(SeatStep, frozen=True):
    """The person at a seat has had enough time before the next deal."""


class Forget(TableStep, frozen=True):
    """The table leaves memory; it stays in the store."""


class ScheduledStep(msgspec.Struct, frozen=True):
    """A step and the time when it is due."""

    at: float  # in seconds of `time.monotonic`
    step: TableStep


# The times when they are due


def next_step(state: TableState, context: TableContext, timing: Timing) -> ScheduledStep | None:
    """The next step of the table by itself; None when it waits for people, or bots that think."""
    return min(_steps(state, context, timing), key=lambda each: each.at, default=None)


def concerned(state: TableState) -> frozenset[str]:
    """People whom a table needs: the host, and everybody who has a seat or has asked for one."""
    people = {person for seat in state.seats for person in (seat.person, seat.asker)}
    return frozenset({state.host, *people}) - {""}


def attending(state: TableState, here: Collection[str]) -> frozenset[str]:
    """People for whom a match goes on: people with a seat who are connected and have not left their
    cards to a bot; a connected host where only bots have seats."""
    seated = [seat for seat in state.seats if seat.person]
    playing = {seat.person for seat in seated if seat.stand_in in (None, Why.CONNECTION)}
    return frozenset(playing if seated else {state.host}).intersection(here)


def common_pace(state: TableState, presence: Presence, timing: Timing) -> Pace:
    """The pace of the slowest person at a seat, or the host's where only bots have seats. Bots
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
        after = timing.idle if state.under_way else timing.vacant
        yield ScheduledStep(presence.empty + after, Forget())
    if not (state.host in here or state.paused or state.setup.evening):
        heirs = (place for place, seat in enumerate(state.seats) if seat.person in here)
        if (heir := next(heirs, None)) is not None:
            since = presence.gone_since(state.host)
            yield ScheduledStep(since + timing.host_grace, HandOn(heir))
    yield from _askers(state, presence, timing)
    ends = meeting_ends(state, presence, timing)
    if ends is not None and state.match is None:
        yield ScheduledStep(ends, BeginMatch())
    if another_begins(state, here):
        yield ScheduledStep(AT_ONCE, BeginMatch())
    if state.match is None or state.paused or not state.under_way:
        return
    yield from _absences(state, presence, timing)
    if ends is not None:
        everybody = state.anew is not None and state.anew >= state.playing
        everybody = everybody and len(state.playing) > 1
        yield ScheduledStep(ends, BeginAnew() if everybody else LapseAnew())
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


def _askers(state: TableState, presence: Presence, timing: Timing) -> Iterator[ScheduledStep]:
    """Seats for people who have asked for bots'; one who has never been at a meeting table waits
    elsewhere."""
    for place, seat in enumerate(state.seats):
        if not seat.asker:
            continue
        elsewhere = state.setup.meeting and seat.asker not in presence.gone
        if not (elsewhere or seat.asker in presence.here):
            yield ScheduledStep(presence.gone_since(seat.asker) + timing.grace, DropAsker(place))
        elif bots_make_room(state.setup) and not state.hands_are_out:
            yield ScheduledStep(AT_ONCE, SettleAsker(place))


def meeting_ends(state: TableState, presence: Presence, timing: Timing) -> float | None:
    """The time until which a meeting table waits for others before its first match, or lets its
    people begin anew; None while it does neither."""
    if state.match is not None:
        if state.anew is None or state.paused:
            return None
        settled = len(state.playing) < 2 or state.anew >= state.playing
        return AT_ONCE if settled else presence.sat + timing.anew
    people = [seat.person for seat in state.seats if seat.person]
    if not state.setup.meeting or presence.here.isdisjoint(people):
        return None
    return AT_ONCE if len(people) == len(state.seats) else presence.sat + timing.fill


def needs_no_host(state: TableState, here: Collection[str]) -> bool:
    """Whether another match begins without a host: at a meeting table, or while the host is away,
    unless the table is rated."""
    return state.setup.meeting or (state.host not in here and not state.setup.rated)


def another_begins(state: TableState, here: Collection[str]) -> bool:
    """Whether another match begins by itself, since everybody at a seat who is there would play it,
    and there is no host to begin it."""
    if not (state.between_matches and state.ready and needs_no_host(state, here)):
        return False
    there = {place for place in state.playing if state.seats[place].person in here}
    return bool(there) and there <= state.ready


def _absences(state: TableState, presence: Presence, timing: Timing) -> Iterator[ScheduledStep]:
    """Stand-ins for people who are gone. Where all are gone, the match is paused instead, except
    a match of an evening, for whose end other tables wait."""
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
    """The steps of the table about a seat whose turn it is."""
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
            if place in context.decided and not _lets_others_pass(state, match, turn):
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


def _lets_others_pass(state: TableState, match: MatchState, turn: SeatTurn) -> bool:
    """Whether a bot waits with its pass for people: at a meeting table somebody may take its seat
    until the first pass."""
    if not state.setup.meeting or turn.kind is not TurnKind.PASS or match.deal is None:
        return False
    return any(match.deal.passes[place] is None for place in state.playing)


def searches(level: str) -> bool:
    """Whether bots of that level may think for long, as they search or are outside engines."""
    return level in SEARCHING or bool(level and not is_ours(level))


def _nobody_claims(state: TableState, match: MatchState) -> bool:
    """Whether all people who play have said by `Next` or by accepting that they claim no revoke."""
    assert isinstance(match, RefereedMatch)
    people = [place for place, seat in enumerate(state.seats) if seat.person and not seat.bot]
    done = [place in state.ready or match.accepted >> place & 1 for place in people]
    return bool(people) and all(done)
