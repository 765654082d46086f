"""A table of a playroom, followed at the terminal: events are folded into a state, and told."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from time import monotonic
from typing import Final

from volte import game
from volte.console.person import TerminalPlayer
from volte.console.terminal import Kind
from volte.console.witness import PlayStyle, Witness
from volte.fair import CONTRIBUTION_BYTES, commit_bytes
from volte.referee import (
    DealCut,
    Event,
    Objected,
    Reckoned,
    RefereedMatch,
    RevokeClaimed,
    choice_follows,
    replay,
)
from volte.say import N_, Words
from volte.say.beside import told
from volte.table import Happening, TableState, evolve, seconds_for
from volte.table.commands import AnswerSeat, Contribute, Promise
from volte.table.setup import LEAST_CLOCK, Talk
from volte.table.telling import beside_last, clock_words, named, tell_room
from volte.terminal.connection import Connection, ConnectionLost, News, TurnedAway
from volte.terminal.live_console import LiveConsole
from volte.terminal.news import PlayroomNews, news_lines
from volte.terminal.playroom import NewsItem
from volte.terminal.talking import Talker
from volte.view import View
from volte.wire.messages import Answer, Happened, Notice, Spoken, Welcome

WARNING: Final = 20
"""Seconds before a clock's end at which a person is warned (WCAG 2.2.1), or half of a short one."""


class SentAway(Exception):
    """The playroom turns the person away."""

    def __init__(self, turned: TurnedAway) -> None:
        super().__init__()
        self.turned = turned  # with the reason


class Follower(TerminalPlayer):
    """Follows a table of a playroom, and tells its happenings."""

    def __init__(
        self, words: Words, console: LiveConsole, manner: PlayStyle, connection: Connection
    ) -> None:
        super().__init__(-1, words, console, manner)
        self.seat = None
        self.person = ""  # id of this person, known after the welcome
        self.connection = connection
        self._shuffle_share = ShuffleShare(connection)
        self._talk = Talker(words, console, connection)
        self._state: TableState | None = None
        self._seen = 0
        self._due_up_to = 0
        self._welcome: Welcome | None = None
        self._missed: list[Happening] | None = None
        self._unanswered: set[str] = set()
        self._lost = False
        self._news: tuple[NewsItem, ...] = ()  # true in the playroom now, the latest first
        self._seeks = False  # whether people to play with are looked for
        self._claimed = self._ruled_on = False
        self._timed: object = None
        self._time_from = 0.0
        self._warned = False

    @property
    def table(self) -> TableState:
        """The state of the table; it must have welcomed the person."""
        assert self._state is not None
        return self._state

    @property
    def view(self) -> View:
        """The match so far, with the names of the present players; it must have begun."""
        return named(super().view, self.table)

    @property
    def _levels(self) -> Sequence[str]:
        may_talk = self.table.setup.talk is not Talk.NOBODY
        return [seat.level for seat in self.table.seats] if may_talk and super()._levels else ()

    @property
    def has_match(self) -> bool:
        """Whether a match has begun at the table, and can be looked at."""
        return self._view is not None

    @property
    def settled(self) -> bool:
        """Whether every happening we can expect has arrived."""
        return (
            self._state is not None
            and self._missed is None
            and not self._lost
            and not self._unanswered
            and self._seen >= self._due_up_to
            and not self._more_to_come
        )

    @property
    def asked_for(self) -> AnswerSeat | None:
        """The host's answer that allows the first request for a bot's seat; None without one, and
        at a meeting table, where the host is not asked."""
        if self.table.setup.meeting:
            return None
        for place, seat in enumerate(self.table.seats):
            if seat.asker:
                return AnswerSeat(place, seat.asker, allow=True)
        return None

    @property
    def clock_is_short(self) -> bool:
        """Whether the clock is so short that it needs the person's consent, not given yet."""
        assert self.seat is not None
        agreed = self.table.seats[self.seat].accepts_clock
        return 0 < self.table.setup.clock < LEAST_CLOCK and not agreed

    @property
    def alone(self) -> bool:
        """Whether nobody else has a seat."""
        return not any(seat.person not in ("", self.person) for seat in self.table.seats)

    @property
    def _more_to_come(self) -> bool:
        """Whether another event follows the last one without anybody having to act."""
        match = self.table.match
        if match is None or match.deal is None:
            return False
        deal = match.deal
        if match.phase is game.Phase.PASSING:
            return all(given is not None for given in deal.passes)
        if match.phase is not game.Phase.PLAYING:
            return match.phase is game.Phase.CLOSING
        if match.asked is not None and not game.still_to_consent(match):
            return True
        if not deal.trick and game.kitty_taker(deal) is not None:
            return True
        played_out = len(deal.tricks) == deal.rules.hand_size
        if isinstance(match, RefereedMatch):
            all_accept = match.accepted == (1 << len(match.players)) - 1
            return self._ruled_on or all_accept or (played_out and match.reckoned is None)
        return self._claimed or len(deal.trick) == deal.rules.players or played_out

    def hear(self, news: News | None) -> None:
        """Handle one piece of news; None means that none came for a while. Raises `SentAway`."""
        self._receive(news)
        if self._state is not None and self.seat is not None:
            if self._missed is None:
                self._shuffle_share.see(self._state, self.seat, self._seen)
            self._look_at_clock(self._state, self.seat)

    def _receive(self, news: News | None) -> None:
        match news:
            case ConnectionLost():
                if not self._lost:
                    self.say(N_("The connection is lost; Volte is trying to restore it."))
                self._lost = True
            case TurnedAway():
                raise SentAway(news)
            case Exception():
                raise news
            case Welcome():
                self._greet(news)
            case Happened():
                self._happened(news.number, news.happening)
            case Answer():
                self._hear_answer(news)
            case Spoken():
                self._talk.hear(news)
            case PlayroomNews():
                self._tell_news(news.items)
            case Notice():
                if news.reason == "seeking":
                    self._seeks = news.line != ""
                self.console.tell(Kind.TABLE, *([news.line] if news.line else []))

    def _tell_news(self, items: Sequence[NewsItem]) -> None:
        """Tell what has become true in the playroom; each thing once, as long as it is true."""
        fresh = [each for each in items if each not in self._news]
        self._news = tuple(items)
        self.console.tell(Kind.TABLE, *news_lines(self.words, fresh))

    def _look_at_clock(self, table: TableState, seat: int) -> None:
        """Warn the person before their time is up."""
        seconds = None
        if not table.paused and table.seats[seat].stand_in is None:
            seconds = seconds_for(table, seat)
        if seconds is None or table.match is None:
            self._timed = None
            return
        choice = (table.moved, table.match.asked)
        if choice != self._timed:
            self._timed, self._time_from, self._warned = choice, monotonic(), False
        left = self._time_from + seconds - monotonic()
        if left > WARNING:
            self._warned = False
        elif not self._warned and left <= min(WARNING, seconds / 2):
            self._warned = True
            self.console.say(clock_words(self.words, max(1, round(left))))

    def arrived(self) -> None:
        """Hook: the person has come to the table, and its past is known."""

    def seated(self) -> None:
        """Hook: the person has taken a seat, or another one."""

    def refuse(self, answer: Answer) -> None:
        """Tell the person that a command was refused."""
        assert answer.refusal is not None
        view = self.view if self.has_match else None
        try:
            self.console.say(self.words.refusal(answer.refusal, view))
        except LookupError:  # a reason of a newer playroom
            self.console.say(*answer.lines)

    def _greet(self, welcome: Welcome) -> None:
        anew = (
            self._state is None
            or not welcome.id
            or welcome.seat != self.seat
            or welcome.began > self._seen + 1
            or welcome.number < self._seen
        )
        if self._lost:
            self.say(N_("Connected again."))
            self._lost = False
        self.person, self._welcome = welcome.person, welcome
        self._talk.greet(welcome)
        self._due_up_to = welcome.number
        if anew:
            self._sit_at(welcome.seat)
            self._missed = []
            self._seen = welcome.began - 1 if welcome.began else welcome.number
            self._catch_up()

    def _happened(self, number: int, happening: Happening) -> None:
        if number <= self._seen:
            return
        self._seen = number
        if self._missed is not None:
            self._missed.append(happening)
            self._catch_up()
            return
        before = self.table
        self._state = evolve(before, happening)
        if isinstance(happening, Event):
            self._see(happening)
            return
        lines = tell_room(self.words, before, happening, self._state, self.person)
        self.console.tell(Kind.TABLE, *lines)
        seat = self._state.seat_of(self.person)
        if seat != self.seat:
            self._sit_at(seat)
            if seat is not None:
                self.seated()

    def _sit_at(self, seat: int | None) -> None:
        self.seat, self._me = seat, -1 if seat is None else seat

    def _see(self, event: Event) -> None:
        if isinstance(event, game.MatchStarted):
            self._view = None  # the old view is of the last match, perhaps from another seat
        if isinstance(event, game.Claimed | game.DealScored):
            self._claimed = isinstance(event, game.Claimed)
        self._ruled_on = self._rules_on(event)
        super()._see(event)
        if isinstance(event, game.MatchEnded):
            beside = beside_last(self.words, self.table, self.person)
            self.console.tell(Kind.TABLE, *(told(self.words, beside) if beside else ()))

    def _rules_on(self, event: Event) -> bool:
        """Whether the event is a ruling, a cut or a moon that brings another event about."""
        match = self.table.match
        if isinstance(event, Reckoned):
            return self._view is not None and choice_follows(self._view.state, event)
        if isinstance(event, RevokeClaimed) and isinstance(match, RefereedMatch):
            return bool(event.clause) and event.against not in match.lying.offenders
        return isinstance(event, DealCut) or (isinstance(event, Objected) and bool(event.clause))

    def _catch_up(self) -> None:
        """Fold and sum up the missed happenings, once all of them have come in."""
        welcome, missed = self._welcome, self._missed
        assert welcome is not None
        assert missed is not None
        if self._seen < welcome.number:
            return
        self._missed = None
        events = [happening for happening in missed if isinstance(happening, Event)]
        first = self._state is None
        seats = len(welcome.seats)
        self._state = TableState(
            welcome.setup,
            welcome.host_id,
            welcome.host_name,
            version=welcome.number,
            seats=welcome.seats,
            paused=welcome.paused,
            closed=welcome.closed,
            match=replay(events) if events else None,
            match_began=welcome.began,
            matches=welcome.matches,
            moved=welcome.moved,
            extra=(0,) * seats,
            saw=(frozenset(),) * seats,
            given=welcome.given,
        )
        self._view, self._claimed, self._ruled_on = None, False, False
        if events:
            Witness.tell(self, events)
        if first:
            self.arrived()

    def _sum_up(self) -> None:
        if self.view.state.phase is not game.Phase.ENDED:
            super()._sum_up()

    def _hear_answer(self, answer: Answer) -> None:
        if self._shuffle_share.answered(answer) or self._talk.answered(answer):
            return
        self._unanswered.discard(answer.id)
        if answer.ok:
            self._due_up_to = max(self._due_up_to, answer.number)
            self.console.say(*answer.lines)
        elif answer.refusal is not None:
            self.refuse(answer)
        else:
            self.console.say(*answer.lines)


class ShuffleShare:
    """Promises and reveals this person's share of every shuffle, without asking them (D3)."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._shuffle = (0, 0)
        self._share = b""
        self._has_contributed = False
        self._open: set[str] = set()

    def see(self, table: TableState, seat: int, seen: int) -> None:
        """Send the next message due: a promise, or, once everybody has promised, the bytes."""
        match = table.match
        if match is None or match.proof is None:
            return
        number = match.proof.number
        shuffle, promisers = (table.match_began, number), game.still_to_promise(match)
        if seat in promisers and self._shuffle != shuffle:
            self._shuffle, self._has_contributed = shuffle, False
            self._share = secrets.token_bytes(CONTRIBUTION_BYTES)
            digest = commit_bytes(number, seat, self._share)
            self._open.add(self._connection.do(Promise(number, digest), seen))
        if self._has_contributed or self._shuffle != shuffle or promisers:
            return
        # Another program of the same person may have promised first.
        promised = match.proof.promises[seat] == commit_bytes(number, seat, self._share)
        if promised and seat in game.still_to_contribute(match):
            self._has_contributed = True
            self._open.add(self._connection.do(Contribute(number, self._share), seen))

    def answered(self, answer: Answer) -> bool:
        """Whether the answer is to one of its own messages, so that the person need not hear it."""
        if answer.id not in self._open:
            return False
        self._open.discard(answer.id)
        return True
