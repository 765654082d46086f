"""What a table has to do by itself next, and when: computed from how it stands, never remembered.

So there is one timer for a table, and nothing to cancel: whatever happens, it is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from math import inf
from typing import Final

import msgspec

from volte.game import (
    AnswerUndo,
    Contribute,
    MatchState,
    Promise,
    still_to_consent,
)
from volte.referee import Accept, ClaimRevoke, Cut, RefereedMatch, SeatAction, TurnDown
from volte.table.happenings import Why
from volte.table.house import house_is_due
from volte.table.state import TableState
from volte.table.turns import Asked, What, begins, clock_ends, only_play, still_asked

AT_ONCE: Final = 0.0


class Timing(msgspec.Struct, frozen=True):
    """How long tables wait, in seconds.

    Attributes:
        grace: from a lost connection until a bot plays, where the table does not say how long.
        assembling: for somebody to come to their table of an evening, until a bot plays.
        host_grace: from the host's lost connection until somebody at the table is the host.
        promise_within: for a program to promise its bytes, and again to tell them.
        undo_within: for an answer to somebody who asks to take a play back.
        bot_pace: before each card of a bot, where nobody has said how long.
        trick_pace: that a full trick lies, where nobody has said how long.
        turn_down: that one lies at least, at a refereed table, before a bot turns it down: in it
            a revoke can be put right, and a card be objected to (I2–I4).
        cut: that people have at a refereed table to claim a revoke before a bot cuts for the next
            deal, or accepts the last one (I6).
        hurried: in which all bots that wait to think shall have thought: less than the pace of
            their cards, so that nobody notices.
        longest_thought: after which a bot is not waited for any more.
        tick: that a second of a table's clock lasts: another length is for tests.
        idle: until a table where nobody is leaves memory.
        retry: until a store that has failed is tried again; twice as long each time after that.
        longest_retry: and never longer.
        closing: that an orderly end may take.
        gathering: in which comings and goings are gathered, to be shown together.
        crowding: added to that for each connection, as all of them are shown it.
    """

    grace: float = 30.0
    assembling: float = 90.0
    host_grace: float = 120.0
    promise_within: float = 5.0
    undo_within: float = 60.0
    bot_pace: float = 0.8
    trick_pace: float = 1.5
    turn_down: float = 4.0
    cut: float = 20.0
    hurried: float = 0.5
    longest_thought: float = 60.0
    tick: float = 1.0
    idle: float = 600.0
    retry: float = 0.25
    longest_retry: float = 10.0
    closing: float = 5.0
    gathering: float = 0.25
    crowding: float = 0.001


class Manner(msgspec.Struct, frozen=True):
    """How a person likes to play.

    Attributes:
        bot_pace: seconds before each card of a bot.
        trick_pace: seconds that a full trick lies.
        auto_forced: whether their only legal card is played for them.
        hears_until: in seconds of `time.monotonic`; bots wait until they have heard all.
    """

    bot_pace: float
    trick_pace: float
    auto_forced: bool = False
    hears_until: float = AT_ONCE


class Noticed(msgspec.Struct, frozen=True):
    """A revoke that a bot has seen proved, and will claim.

    Attributes:
        since: when it has, in seconds of `time.monotonic`.
    """

    claim: ClaimRevoke
    since: float


class Room(msgspec.Struct, frozen=True):
    """What else, beside its state, decides what a table does next.

    Attributes:
        here: ids of those who have a connection.
        gone: since when those who were here are not.
        began: since when whoever was never here counts as gone.
        empty: since when nobody at all is here; None while somebody is.
        asked: by seat.
        thought: seats whose bot has made up its mind.
        manners: by id.
        noticed: what a bot will claim.
    """

    here: frozenset[str]
    gone: Mapping[str, float]
    began: float
    empty: float | None
    asked: Mapping[int, Asked]
    thought: frozenset[int]
    manners: Mapping[str, Manner]
    noticed: Noticed | None = None


# What there can be to do


class Pause(msgspec.Struct, frozen=True):
    """Nobody is there: the match waits."""


class Resume(msgspec.Struct, frozen=True):
    """Somebody is there again."""


class StandIn(msgspec.Struct, frozen=True):
    """A bot plays for somebody."""

    seat: int
    why: Why


class ComeBack(msgspec.Struct, frozen=True):
    """Somebody's connection is there again."""

    seat: int


class HandOn(msgspec.Struct, frozen=True):
    """The host is gone: whoever sits there is the host."""

    seat: int


class SettleAsker(msgspec.Struct, frozen=True):
    """Whoever has asked for a bot's seat gets it, or has gone."""

    seat: int


class LetHouse(msgspec.Struct, frozen=True):
    """The house acts."""


class LetBot(msgspec.Struct, frozen=True):
    """A bot does what it has made up its mind to do."""

    seat: int


class LetClaim(msgspec.Struct, frozen=True):
    """A bot claims the revoke that it has noticed."""

    claim: ClaimRevoke


class PlayForced(msgspec.Struct, frozen=True):
    """A person's only legal card is played."""

    seat: int


class Answer(msgspec.Struct, frozen=True):
    """Something is done for somebody who has not done it: an answer given, a trick turned down."""

    action: SeatAction


class LeaveOut(msgspec.Struct, frozen=True):
    """Somebody adds nothing to the shuffle."""

    action: Promise | Contribute


class Ready(msgspec.Struct, frozen=True):
    """Somebody has had time enough before the next deal."""

    seat: int


class Forget(msgspec.Struct, frozen=True):
    """The table leaves memory; the store has it."""


Step = (
    Pause
    | Resume
    | StandIn
    | ComeBack
    | HandOn
    | SettleAsker
    | LetHouse
    | LetBot
    | LetClaim
    | PlayForced
    | Answer
    | LeaveOut
    | Ready
    | Forget
)


class Due(msgspec.Struct, frozen=True):
    """Something to do, in seconds of `time.monotonic`."""

    at: float
    step: Step


def due(state: TableState, room: Room, timing: Timing) -> Due | None:
    """What the table has to do next by itself; None when all depends on people, or on thinking."""
    return min(_steps(state, room, timing), key=lambda each: each.at, default=None)


def concerned(state: TableState) -> frozenset[str]:
    """Those for whom a match goes on: whoever has a seat, and the host."""
    return frozenset({state.host, *(seat.person for seat in state.seats)}) - {""}


def pace(state: TableState, room: Room, timing: Timing) -> Manner:
    """The pace of the slowest of those at the seats, or the host's where they watch bots."""
    seated = [seat.person for seat in state.seats if seat.person in room.here]
    usual = Manner(timing.bot_pace, timing.trick_pace)
    there = [room.manners.get(person, usual) for person in seated or [state.host]]
    return Manner(
        max(each.bot_pace for each in there),
        max(each.trick_pace for each in there),
        hears_until=max(each.hears_until for each in there),
    )


def _steps(state: TableState, room: Room, timing: Timing) -> Iterator[Due]:
    if state.closed:
        return
    company = concerned(state) & room.here
    for place, seat in enumerate(state.seats):
        if seat.stand_in is Why.CONNECTION and seat.person in room.here:
            yield Due(AT_ONCE, ComeBack(place))
    if state.paused and not state.paused_by and company:
        yield Due(AT_ONCE, Resume())
    if (state.paused or not state.under_way) and room.empty is not None:
        yield Due(room.empty + timing.idle, Forget())
    yield from _successions(state, room, timing)
    for place, seat in enumerate(state.seats):
        if seat.asker and not state.hands_are_out:
            yield Due(AT_ONCE, SettleAsker(place))
        elif seat.asker and seat.asker not in room.here:
            gone = room.gone.get(seat.asker, room.began)
            yield Due(gone + timing.grace, SettleAsker(place))
    if state.match is None or state.paused or not state.under_way:
        return
    yield from _absences(state, room, timing, company)
    if What.NEXT not in {asked.what for asked in room.asked.values()} and house_is_due(state.match):
        yield Due(AT_ONCE, LetHouse())
    for place in still_to_consent(state.match):
        if state.seats[place].bot:
            yield Due(AT_ONCE, Answer(AnswerUndo(place, allow=True)))
    if room.noticed is not None:
        wait = pace(state, room, timing).bot_pace
        yield Due(room.noticed.since + wait, LetClaim(room.noticed.claim))
    for place, asked in room.asked.items():
        if still_asked(state, place, asked):
            yield from _choices(state, state.match, room, timing, place, asked)


def _successions(state: TableState, room: Room, timing: Timing) -> Iterator[Due]:
    """A table whose host does not come back is not left without one; a pause can be long."""
    if state.host in room.here or state.paused or state.setup.evening:
        return
    gone = room.gone.get(state.host, room.began)
    for place, seat in enumerate(state.seats):
        if seat.person and seat.person in room.here:
            yield Due(gone + timing.host_grace, HandOn(place))
            return


def _absences(
    state: TableState, room: Room, timing: Timing, company: frozenset[str]
) -> Iterator[Due]:
    """Who is not there any more. Where nobody is, the match waits, and no bot plays for them."""

    usual = timing.grace if state.setup.grace is None else state.setup.grace

    def gone(person: str) -> float:
        return room.gone.get(person, room.began)

    if not company:
        yield Due(max(map(gone, concerned(state))) + usual, Pause())
        return
    for place, seat in enumerate(state.seats):
        if seat.person and seat.person not in room.here and not seat.bot:
            assembles = state.setup.evening and seat.person not in room.gone
            grace = max(timing.assembling, usual) if assembles else usual
            yield Due(gone(seat.person) + grace, StandIn(place, Why.CONNECTION))


def _choices(
    state: TableState, match: MatchState, room: Room, timing: Timing, place: int, asked: Asked
) -> Iterator[Due]:
    """What becomes of something that a seat is asked."""
    at_pace = pace(state, room, timing)
    person = state.seats[place].person
    clock = clock_ends(state, place, asked, at_pace.trick_pace, timing.tick)
    match asked.what:
        case What.PROMISE:
            out: Promise | Contribute = Promise(place, None)
            within = timing.promise_within if person else -inf
            yield Due(max(asked.since + within, AT_ONCE), LeaveOut(out))
        case What.CONTRIBUTE:
            out = Contribute(place, None)
            promised = match.proof is None or match.proof.promises[place] is not None
            within = timing.promise_within if promised and person else -inf
            yield Due(max(asked.since + within, AT_ONCE), LeaveOut(out))
        case What.ANSWER if not asked.bot:
            no = Answer(AnswerUndo(place, allow=False))
            yield Due(max(asked.since + timing.undo_within, clock or AT_ONCE), no)
        case What.NEXT if clock is not None:
            yield Due(clock, Ready(place))
        case What.TURN_DOWN | What.CUT | What.ACCEPT if asked.bot or clock is not None:
            patience = _patience(state, match, room, timing, asked.what)
            act = _ACTS[asked.what](place)
            yield Due(max(asked.since + patience, clock or AT_ONCE), Answer(act))
        case What.PLAY | What.PASS | What.CHOOSE if asked.bot:
            if place in room.thought:
                begun = begins(state, asked, at_pace.trick_pace)
                paced = max(asked.since + at_pace.bot_pace, at_pace.hears_until)
                yield Due(max(paced, begun), LetBot(place))
        case What.PLAY | What.PASS | What.CHOOSE:
            if clock is not None:
                yield Due(clock, StandIn(place, Why.CLOCK))
            manner = room.manners.get(person)
            auto = manner is not None and manner.auto_forced and person in room.here
            if auto and asked.what is What.PLAY and only_play(match) is not None:
                begun = begins(state, asked, at_pace.trick_pace)
                yield Due(max(asked.since + at_pace.bot_pace, begun), PlayForced(place))


_ACTS: Final[dict[What, type[TurnDown | Cut | Accept]]] = {
    What.TURN_DOWN: TurnDown,
    What.CUT: Cut,
    What.ACCEPT: Accept,
}


def _patience(
    state: TableState, match: MatchState, room: Room, timing: Timing, what: What
) -> float:
    """How long others have to object or to claim, before that is done for a seat."""
    at_pace = pace(state, room, timing)
    if what is What.TURN_DOWN:
        return max(timing.turn_down, at_pace.trick_pace)
    return at_pace.bot_pace if _nobody_claims(state, match) else timing.cut


def _nobody_claims(state: TableState, match: MatchState) -> bool:
    """Whether all people who play have said that they do not: by `Next`, or by accepting."""
    assert isinstance(match, RefereedMatch)
    people = [place for place, seat in enumerate(state.seats) if seat.person and not seat.bot]
    done = [place in state.ready or match.accepted >> place & 1 for place in people]
    return bool(people) and all(done)


MOST_KNOWN: Final = 100
"""People of whom it is known since when they are gone, or how they like to play."""


class Presence:
    """Who is here. A person may have several connections.

    Attributes:
        here: ids of those who are here.
        gone: since when those are gone who were here.
        began: since when whoever was never here counts as gone.
        empty: since when nobody at all is here; None while somebody is.
        manners: by person.
    """

    def __init__(self, now: float) -> None:
        self.gone: dict[str, float] = {}
        self.began = now
        self.empty: float | None = now
        self.manners: dict[str, Manner] = {}
        self.here: frozenset[str] = frozenset()
        self._here: Counter[str] = Counter()

    def come(self, person: str) -> None:
        """One more connection of that person."""
        self._here[person] += 1
        self.here = frozenset(self._here)
        self.empty = None
        self.gone.pop(person, None)

    def go(self, person: str, now: float) -> None:
        """One less."""
        self._here[person] -= 1
        if self._here[person]:
            return
        del self._here[person]
        self.here = frozenset(self._here)
        self.gone[person] = now
        if not self._here:
            self.empty = now

    def begin_anew(self, now: float) -> None:
        """Whoever is gone is so from now on: a pause is over, or a match begins."""
        self.gone.clear()
        self.began = now

    def keep_in_mind(self, concerned: Collection[str]) -> None:
        """Forgets people without whom everything goes on, once there are many."""
        for known in (self.gone, self.manners):
            if len(known) > MOST_KNOWN:
                for person in set(known).difference(concerned, self._here):
                    del known[person]
