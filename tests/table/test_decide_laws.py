"""Laws that no table breaks, for any commands in any order."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from kit import ANNE, Table, any_rulesets, check_record, seeds

from volte import game, referee, table
from volte.bots import LEVELS
from volte.cards import CARDS
from volte.game import Refusal
from volte.notation import format_record
from volte.referee import RefereedMatch, replay, visible
from volte.rules import Irregularities, Ruleset
from volte.say import Words
from volte.table import OpenSeats, Setup, Someone, Why, pacing
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.decide import circumstances
from volte.table.status import status
from volte.table.telling import tell_room
from volte.view import View, project

PEOPLE = [
    ANNE,
    *(
        Someone(f"p-{number}", name, invited=number % 2 == 0)
        for number, name in enumerate(
            ("Anne", "Bruno", "Alice", "  BRUNO", "le chat", "Hugo 2", "Zoé", "<b>")
        )
    ),
]
"""More people than seats; the names of some are alike, or like those of bots."""

WORDS = Words("fr"), Words("en")

places = st.sampled_from((*range(7), *range(3), -1, 7))
cards = st.sampled_from(CARDS)


def actions() -> st.SearchStrategy[referee.SeatAction]:
    """Any action that a seat could try, lawful or not."""
    return st.one_of(
        st.builds(game.Play, places, cards),
        st.builds(game.Pass, places, st.lists(cards, max_size=4).map(tuple)),
        st.builds(game.TakeBackPass, places),
        st.builds(game.Claim, places),
        st.builds(game.AskUndo, places),
        st.builds(game.AnswerUndo, places, st.booleans()),
        st.builds(referee.TakeBack, places),
        st.builds(referee.Object, places, places),
        st.builds(referee.TurnDown, places),
        st.builds(referee.ClaimRevoke, places, places, st.integers(0, 7)),
        st.builds(referee.Cut, places),
        st.builds(referee.Accept, places),
    )


def setups(rules: st.SearchStrategy[Ruleset]) -> st.SearchStrategy[Setup]:
    names = st.sampled_from(("Chez Anne", "", "x" * 41, "two\nlines", " Bruno"))
    clocks, open_seats = (0, 0, 5, 40, 3, 4000, -1), st.sampled_from(OpenSeats)
    return st.builds(Setup, names, rules, clock=st.sampled_from(clocks), open_seats=open_seats)


SMALL = any_rulesets(most_cards=18)


def _id(who: Someone) -> str:
    return who.id


COMMANDS: st.SearchStrategy[cmd.Command] = st.one_of(
    st.just(cmd.Stand()),
    st.builds(cmd.Act, actions()),
    st.builds(cmd.Promise, st.integers(0, 3), st.binary(min_size=31, max_size=32)),
    st.builds(cmd.Contribute, st.integers(0, 3), st.binary(max_size=70)),
    st.just(cmd.Anew()),
    st.just(cmd.Next()),
    st.just(cmd.Away()),
    st.just(cmd.Back()),
    st.just(cmd.MoreTime()),
    st.builds(cmd.AcceptClock, st.booleans()),
    st.just(cmd.Pause()),
    st.just(cmd.Unpause()),
    st.just(cmd.Unpause()),
)
HOSTS: st.SearchStrategy[cmd.Command] = st.one_of(
    st.just(cmd.Start()),
    st.just(cmd.Start()),
    st.just(cmd.DealAgain()),
    st.builds(cmd.SeatBot, places, st.sampled_from((*LEVELS, "random", ""))),
    st.builds(cmd.Remove, places, st.booleans()),
    st.builds(cmd.Replace, places),
    st.builds(cmd.Swap, places, places),
    st.builds(cmd.HandOver, places),
    st.just(cmd.Invite()),
    st.builds(cmd.AnswerSeat, places, st.sampled_from(PEOPLE).map(_id), st.booleans()),
    st.builds(cmd.Change, setups(SMALL)),
)


def asked_by(state: table.TableState, who: Someone) -> list[bool]:
    """Whether the table would now grant each command that somebody could give."""
    seats = range(len(state.seats))
    commands: list[cmd.Command] = [
        *(cmd.Stand(), cmd.Away(), cmd.Back(), cmd.Next(), cmd.MoreTime(), cmd.Pause()),
        cmd.Anew(),
        *(
            cmd.Unpause(),
            cmd.AcceptClock(True),
            cmd.Start(),
            cmd.DealAgain(),
            cmd.Swap(0, 1),
            cmd.Close(),
        ),
        *(
            kind(seat)
            for kind in (cmd.Sit, cmd.Remove, cmd.Replace, cmd.HandOver)
            for seat in seats
        ),
        *(cmd.SeatBot(seat, "casual") for seat in seats),
        *(cmd.AnswerSeat(seat, there.asker, True) for seat, there in enumerate(state.seats)),
    ]
    outcomes = (table.decide(state, who, command, state.version) for command in commands)
    return [not isinstance(outcome, Refusal) for outcome in outcomes]


class AnyTable(RuleBasedStateMachine):
    """A table to which people give any commands, while the house acts in between."""

    at: Table
    meeting = False

    @initialize(
        rules=SMALL, seed=seeds, clock=st.sampled_from((0, 5, 60)), people=st.integers(0, 3)
    )
    def open(self, rules: Ruleset, seed: int, clock: int, people: int) -> None:
        self.open_at(rules, seed, clock, people)

    def open_at(self, rules: Ruleset, seed: int, clock: int, people: int) -> None:
        self.barred: set[str] = set()
        self.allowed = ""
        self.granted: dict[str, tuple[object, list[bool]]] = {}
        self.holding: list[set[str]] = []
        setting = Setup("Chez Anne", rules, clock=clock, meeting=self.meeting)
        self.at = Table(setting, seed, 0 if people else None)
        for seat in range(1, people):
            self.at.do(PEOPLE[seat], cmd.Sit(seat))
        if people > 1:
            self.at.do(ANNE, cmd.Start())

    @property
    def state(self) -> table.TableState:
        return self.at.state

    def ask(self, who: Someone, command: cmd.TableCommand, seen: int) -> Refusal | None:
        """Give a command, which is done, or refused with a sentence."""
        before = self.state
        outcome = table.decide(before, who, command, seen)
        if isinstance(outcome, Refusal):
            for words in WORDS:
                assert words.refusal(outcome)[-1] in ".?!"
            return outcome
        assert who.id not in self.barred
        assert outcome, command  # else it would not be recognised when sent again
        self.allowed = ""
        if isinstance(command, cmd.AnswerSeat) and command.allow:
            self.allowed = command.person
        self.told(outcome)
        return None

    def told(self, outcome: tuple[hap.Happening, ...]) -> None:
        """Fold happenings that have been decided, and check the sentences about them."""
        for happening in outcome:
            before = self.state
            self.at.take((happening,))
            assert self.state.version == before.version + 1
            self.keep(happening)
            for who in PEOPLE[:3]:
                for words in WORDS:
                    for line in tell_room(words, before, happening, self.state, who.id):
                        assert line[-1] in ".?!", line

    def keep(self, happening: hap.Happening) -> None:
        """Note the people sent away, and the holders of each hand in this deal.

        Nobody takes a bot's cards without the host's consent, unless they have held them before;
        at a meeting table nobody does once somebody has passed or played.
        """
        if isinstance(happening, hap.Barred):
            self.barred.add(happening.person)
        if isinstance(happening, game.Dealt):
            self.holding = [{seat.person} for seat in self.state.seats]
        if isinstance(happening, hap.Sat) and self.state.hands_are_out:
            own = {*self.holding[happening.seat], self.state.began[happening.seat]}
            makes_room = self.meeting and not self.state.touched
            assert makes_room or happening.person in {*own, self.state.host, self.allowed}
            self.holding[happening.seat].add(happening.person)

    @rule(who=st.sampled_from(PEOPLE), seat=places)
    def somebody_comes(self, who: Someone, seat: int) -> None:
        free = [place for place, there in enumerate(self.state.seats) if not there.person]
        self.ask(who, cmd.Sit(free[seat % len(free)] if free and seat >= 0 else seat), 0)

    @rule(who=st.sampled_from(PEOPLE), command=COMMANDS)
    def anybody(self, who: Someone, command: cmd.Command) -> None:
        refusal = self.ask(who, command, self.state.version)
        if self.state.seat_of(who.id) is None and not isinstance(command, cmd.Sit | cmd.Stand):
            assert refusal is not None or who.id == self.state.host

    @rule(number=places, command=COMMANDS, lag=st.sampled_from((0, 0, 0, 1, 5, -1)))
    def a_player(self, number: int, command: cmd.Command, lag: int) -> None:
        seats = [place for place, seat in enumerate(self.state.seats) if seat.person]
        if not seats:
            return
        seat = seats[number % len(seats)]
        before, seen = self.state, self.state.version - lag
        refusal = self.ask(self.at.person(seat), command, seen)
        stale = seen < before.moved and not isinstance(before.match, RefereedMatch)
        if isinstance(command, cmd.Act | cmd.Next) and (stale or seen > before.version):
            assert refusal is not None
        if isinstance(command, cmd.Act) and command.action.seat != seat:
            assert refusal is not None

    @rule(allow=st.booleans())
    def the_host_answers(self, allow: bool) -> None:
        host = Someone(self.state.host, self.state.host_name)
        for seat, there in enumerate(self.state.seats):
            if there.asker:
                refusal = self.ask(host, cmd.AnswerSeat(seat, there.asker, allow), 0)
                assert (refusal is None) is not self.meeting or self.state.closed

    @rule(command=HOSTS, data=st.data())
    def the_host(self, command: cmd.Command, data: st.DataObject) -> None:
        host = Someone(self.state.host, self.state.host_name)
        who = host if data.draw(st.integers(0, 9)) else data.draw(st.sampled_from(PEOPLE))
        refusal = self.ask(who, command, self.state.version)
        anybody = (cmd.HandOver, *([cmd.Start] if self.meeting else []))
        assert who.id == self.state.host or refusal is not None or isinstance(command, anybody)

    @rule(steps=st.integers(1, 60), restless=st.booleans())
    def the_match_goes_on(self, steps: int, restless: bool) -> None:
        for _ in range(steps):
            since = len(self.at.log)
            if not self.at.step(restless):
                return
            for happening in self.at.log[since:]:
                self.keep(happening)
        self.every_seat_knows_what_it_may_know()

    @rule(seat=st.integers(0, 6), why=st.sampled_from(Why), what=st.integers(0, 10))
    def the_house(self, seat: int, why: Why, what: int) -> None:
        seat %= len(self.state.seats)
        step = (
            pacing.StandIn(seat, why),
            pacing.ComeBack(seat),
            pacing.PauseEmpty(),
            pacing.Resume(),
            pacing.Resume(),
            pacing.PlayForced(seat),
            pacing.SettleAsker(seat),
            pacing.DropAsker(seat),
            pacing.BeginMatch(),
            pacing.BeginAnew(),
            pacing.LapseAnew(),
        )[what]
        outcome = table.outcome_of(self.state, step)
        if not isinstance(outcome, Refusal):
            self.told(outcome)

    @precondition(lambda self: self.state.matches > 1)
    @rule(really=st.integers(0, 9))
    def close(self, really: int) -> None:
        if really:
            return
        host = Someone(self.state.host, self.state.host_name)
        refusal = self.ask(host, cmd.Close(), self.state.version)
        others = {seat.person for seat in self.state.seats} - {"", host.id}
        assert self.state.closed or (self.meeting and others and refusal is not None)

    @invariant()
    def nobody_has_two_seats(self) -> None:
        people = [seat.person for seat in self.state.seats if seat.person]
        assert len(set(people)) == len(people)
        names = [seat.name.casefold() for seat in self.state.seats if not seat.free]
        assert len(set(names)) == len(names)

    @invariant()
    def nobody_asks_for_two_seats_or_with_a_seat(self) -> None:
        askers = [seat.asker for seat in self.state.seats if seat.asker]
        assert len(set(askers)) == len(askers)
        assert set(askers).isdisjoint(seat.person for seat in self.state.seats)
        assert all(seat.level for seat in self.state.seats if seat.asker)

    @invariant()
    def a_match_can_begin_anew_only_for_people_who_play_it(self) -> None:
        anew = self.state.anew
        assert anew is None or (self.meeting and self.state.under_way)
        assert anew is None or anew <= self.state.playing

    @invariant()
    def who_was_sent_away_stays_away(self) -> None:
        assert not self.barred & {seat.person for seat in self.state.seats}

    @invariant()
    def nobody_has_held_two_hands_of_a_deal(self) -> None:
        held = [person for people in self.holding for person in people if person]
        assert len(set(held)) == len(held)

    @invariant()
    def the_seats_are_those_of_the_match(self) -> None:
        state = self.state
        assert len(state.seats) == len(state.extra) == state.setup.rules.players
        if state.under_way:
            assert len(self.at.match.players) == len(state.seats)
            assert not any(seat.free for seat in state.seats)
        else:
            assert not state.paused
        assert state.moved <= state.version

    @invariant()
    def what_may_be_asked_follows_from_the_circumstances(self) -> None:
        who = PEOPLE[self.state.version % 3]
        seat = self.state.seat_of(who.id)
        key = circumstances(self.state, seat), seat, seat in self.state.ready
        now = key, asked_by(self.state, who)
        before = self.granted.get(who.id)
        assert before is None or before[0] != now[0] or before[1] == now[1]
        self.granted[who.id] = now

    @invariant()
    def what_is_going_on_can_be_said(self) -> None:
        state = self.state
        present = {who.id for who in PEOPLE[:4]}
        for seat in (None, 0):
            view = None
            if state.match is not None:
                view = View(seat, project(state.match, seat))
            for words in WORDS:
                assert status(words, state, view, seat, present)[-1] in ".?!"

    def every_seat_knows_what_it_may_know(self) -> None:
        match = self.state.match
        if match is None:
            return
        for seat in (*range(len(match.players)), None):
            told = (visible(event, seat) for event in self.at.match_log())
            assert replay(told) == project(match, seat)

    def teardown(self) -> None:
        """Check that the log leads to the same state, and that its matches are lawful."""
        if not hasattr(self, "at"):
            return
        self.every_seat_knows_what_it_may_know()
        assert table.fold(self.at.log) == self.state
        closings = [
            place for place, event in enumerate(self.at.log) if isinstance(event, hap.Closed)
        ]
        assert closings in ([], [len(self.at.log) - 1])
        log = self.at.match_log()
        if log:
            report = check_record(format_record(log))
            assert report.fault is None, report.fault
            assert report.record is not None
            assert report.record.state == self.state.match


AnyTable.TestCase.settings = settings(stateful_step_count=100)
TestAnyTable: Any = AnyTable.TestCase


class RefereedTable(AnyTable):
    """A refereed table, where everybody may do what hands at a real table can do (I2–I9)."""

    @initialize(
        rules=SMALL.map(partial(replace, irregularities=Irregularities.REFEREED)),
        seed=seeds,
        clock=st.sampled_from((0, 5, 60)),
        people=st.integers(2, 3),
    )
    def open(self, rules: Ruleset, seed: int, clock: int, people: int) -> None:
        self.open_at(rules, seed, clock, people)


RefereedTable.TestCase.settings = settings(stateful_step_count=60)
TestRefereedTable: Any = RefereedTable.TestCase


class MeetingTable(AnyTable):
    """A table of "Play with people", where nobody is asked and a match may begin anew."""

    meeting = True

    @rule()
    def all_begin_anew(self) -> None:
        before = self.state
        for seat in sorted(before.playing):
            self.ask(self.at.person(seat), cmd.Anew(), self.state.version)
        outcome = table.outcome_of(self.state, pacing.BeginAnew())
        if before.anew is not None and not before.paused:
            assert not isinstance(outcome, Refusal)
            self.told(outcome)
            assert (self.state.matches, self.state.anew) == (before.matches + 1, None)

    @precondition(lambda self: self.state.matches > 1)
    @rule(number=st.integers(0, 9))
    def go_on_elsewhere(self, number: int) -> None:
        if number:
            return
        before = self.state
        others = {seat.person for seat in before.seats} - {"", ANNE.id}
        refusal = self.ask(ANNE, cmd.Onward("elsewhere"), 0)
        assert (refusal is None) == (not others and not before.closed)


MeetingTable.TestCase.settings = settings(stateful_step_count=60)
TestMeetingTable: Any = MeetingTable.TestCase
