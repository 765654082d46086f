"""A person at a table of a playroom: the same prompts, keys and words as at a table of one's own.

Others act meanwhile. So what is asked is found out anew whenever something has happened, and a
question that wants no answer any more is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Final

from volte.cards import Fault
from volte.console.keys import Key, key_of, minus_of
from volte.console.person import Manner, key_lines
from volte.console.refereed import awaited, refereed
from volte.console.terminal import Left, command_line, signal_of
from volte.game import AskUndo, Claim, Phase, TakeBackPass, still_to_consent
from volte.rules import Irregularities, Settlement
from volte.say import N_, Words
from volte.say.language import Language
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.table import Command, Seat, Why, seconds_for
from volte.table.commands import (
    AcceptClock,
    Act,
    AnswerSeat,
    Away,
    Back,
    Invite,
    MoreTime,
    Next,
    Pause,
    Sit,
    Start,
    Unpause,
)
from volte.table.setup import LEAST_CLOCK, Access
from volte.table.telling import clock_words
from volte.terminal.connection import Connection, Lost, News, TurnedAway
from volte.terminal.following import Follower
from volte.terminal.live_console import LiveConsole, Typed
from volte.terminal.table_keys import TABLE_KEY_LINES, TableKey, table_key_of
from volte.terminal.talking import TALK_KEY_LINES
from volte.wire.messages import Answer

PARTING: Final = 3.0
"""Seconds for which somebody who leaves waits to hear that a bot plays on."""

WARNING: Final = 20
"""Seconds of a clock before its end at which somebody is warned (WCAG 2.2.1), or half of it."""

NOT_NOW: Final = (
    *("by_invitation", "bots_by_invitation", "seat_asked", "seat_wanted", "seat_denied"),
)
"""Why no seat can be had for now, so that none is asked about before the person does."""

Question = tuple[str, object]
"""What is asked, and something that changes when it is asked anew."""


class Dropped(Exception):
    """The question that is open wants no answer any more."""


class Visitor(Follower):
    """Somebody who plays at a table elsewhere, or watches.

    Args:
        page: the table's address.
        begin: whether the match begins at once, where the person is the host.
    """

    def __init__(
        self,
        words: Words,
        console: LiveConsole,
        manner: Manner,
        connection: Connection,
        page: str,
        begin: bool = False,
    ) -> None:
        super().__init__(words, console, manner, connection)
        self._live = console
        self._page = page
        self._begin = begin
        self._watches = False
        self._open: Question | None = None
        self._answered: set[Question] = set()
        self._timed: object = None
        self._time_from = 0.0
        self._warned = False
        console.meanwhile = self._meanwhile

    def run(self) -> None:
        """Stays until the table is closed. Raises `Left` when the person goes, and `SentAway`."""
        try:
            while not (self.settled and self.table.closed):
                self._open = self._due() if self.settled else None
                if self._open is None:
                    self._attend()
                else:
                    self._put(self._open)
        except (Left, KeyboardInterrupt) as gone:
            if left := self._leave():
                self.say(left, command=command_line("play", "--connect", self._page))
            raise Left(signal_of(gone)) from None
        except OSError:  # the terminal is closed
            self._leave()
            raise
        finally:
            self.connection.close()

    def arrived(self) -> None:
        table = self.table
        if self._begin and table.host == self.person and not table.under_way:
            self._do(Start())
        if self.seat is None:
            return
        if table.under_way and table.paused and self.alone:
            self._do(Unpause())
        if table.under_way and table.seats[self.seat].stand_in in (Why.OWN, Why.CLOCK):
            self._do(Back())
        self.seated()

    def seated(self) -> None:
        table = self.table
        if table.setup.clock:
            clock = max(table.setup.clock, LEAST_CLOCK)
            self.say(N_("You have {clock} seconds for each choice. Type + for more."), clock=clock)
        if table.setup.rules.irregularities is Irregularities.REFEREED:
            self.say(
                N_(
                    "This table has a referee: nothing stops a wrong card, and the others may"
                    " object. Type ? for the keys."
                )
            )
        if table.setup.rated:
            self.say(
                N_(
                    "The matches at this table are rated. There are no hints, no card is taken"
                    " back, and whoever leaves a match is rated as the last."
                )
            )
        if not table.under_way and table.host != self.person:
            self.say(N_("The host begins the match."))

    def refuse(self, answer: Answer) -> None:
        self._answered.clear()
        if answer.refusal is not None and answer.refusal.reason in NOT_NOW:
            self._watches = True
        super().refuse(answer)

    # Questions

    def _due(self) -> Question | None:
        """What is to be asked now."""
        table, seat = self.table, self.seat
        if table.closed:
            return None
        if table.host == self.person and (asked := self.asked_for) is not None:
            return ("let_sit", asked)
        if seat is None and any(each.asker == self.person for each in table.seats):
            self._watches = True
        if seat is None:
            return None if self._watches else ("seat", tuple(each.person for each in table.seats))
        if self.clock_is_short and ("clock", table.setup.clock) not in self._answered:
            return ("clock", table.setup.clock)
        question = self._due_in_match(seat) if table.under_way else self._due_between_matches()
        return None if question in self._answered else question

    def _due_between_matches(self) -> Question | None:
        table = self.table
        if table.host == self.person:
            return ("begin" if table.match is None else "again", table.matches)
        return ("stay", table.matches) if table.match is not None else None

    def _due_in_match(self, seat: int) -> Question | None:
        table, match = self.table, self.table.match
        if match is None or not self.has_match or self.view.seat != seat:
            return None
        if table.paused:
            return ("go_on", table.matches)
        if table.seats[seat].stand_in is not None:
            return ("come_back", table.matches)
        if match.asked is not None:
            return ("act", (table.moved, "undo")) if seat in still_to_consent(match) else None
        if match.shooter is not None:
            return ("act", table.moved) if match.shooter == seat else None
        if table.between_deals or self._may_wave_on:
            return ("next", (table.matches, len(match.deals)))
        due = self.view.my_turn or awaited(self.view, seat) is not None
        return ("act", table.moved) if due else None

    @property
    def _may_wave_on(self) -> bool:
        """Whether a bot waits to cut until nobody has a revoke left to claim (I6)."""
        match = refereed(self.view)
        if match is None or match.reckoned is None or match.last or match.shooter is not None:
            return False
        return match.cutter != self.seat and self.table.seats[match.cutter].bot

    def _put(self, question: Question) -> None:
        """Asks, and does what is answered."""
        try:
            match question[0]:
                case "seat":
                    self._choose_seat()
                case "let_sit":
                    self._let_sit()
                case "clock":
                    agreed = self.agree(
                        N_("This clock is short: do you agree to {clock} seconds, yes or no?"),
                        clock=question[1],
                    )
                    self._answered.add(question)
                    if agreed:
                        self._do(AcceptClock(True))
                case "begin":
                    if any(seat.free for seat in self.table.seats):
                        self.say(N_("Bots take the seats that are free."))
                    self._enter(N_("Enter to begin the match?"))
                    self._do(Start())
                case "again":
                    self._again()
                case "stay":
                    if not self.agree(N_("Do you stay for another match, yes or no?")):
                        raise Left
                    self._answered.add(question)
                case "go_on":
                    self._enter(N_("Enter to go on with the match?"))
                    self._do(Unpause())
                case "come_back":
                    self._enter(N_("Enter to play for yourself again?"))
                    self._do(Back())
                case "next":
                    self._next(question)
                case _:
                    self._do(Act(self.ask()))
        except Dropped:
            pass

    def _let_sit(self) -> None:
        asked = self.asked_for
        assert asked is not None
        allow = self.agree(
            N_("Let {name} sit down now, in this deal: yes or no?"),
            name=self.table.seats[asked.seat].asker_name,
        )
        self._do(AnswerSeat(asked.seat, asked.person, allow))

    def _next(self, question: Question) -> None:
        """Between two deals; with a referee, before somebody else cuts for the next one."""
        action = None
        if refereed(self.view) is None:
            self._rest()
        else:
            action = self.before_others()
        if action is not None:
            self._do(Act(action))
            return
        self._answered.add(question)
        self._do(Next())

    def _choose_seat(self) -> None:
        seats = self.table.seats
        can = [place for place, seat in enumerate(seats) if not seat.person]
        if not can:
            self._watches = True
            self.say(N_("Every seat is taken: you watch. A asks for a seat again."))
            return
        first = next((place for place in can if seats[place].free), can[0])
        self._tell_seats()
        while True:
            prompt = self.words.t(
                "Your seat, 1 to {most}? Enter takes seat {seat}, and 0 watches.",
                most=len(seats),
                seat=first + 1,
            )
            line = self._line(prompt)
            if not line:
                self._do(Sit(first))
                return
            if line == "0":
                self._watches = True
                self.say(N_("You watch. A asks for a seat."))
                return
            if line.isdecimal() and int(line) <= len(seats):
                self._do(Sit(int(line) - 1))
                return
            if line.isdecimal() or not self._press(key_of(line)):
                self.say(
                    N_("Type a number from {least} to {most}, or only Enter."),
                    least=0,
                    most=len(seats),
                )

    def _again(self) -> None:
        match = self.table.match
        assert match is not None
        if match.rules.stakes.settlement is Settlement.POT and match.pot:
            agreed = self.agree(
                N_("The pot of {pot} waits. Another match, yes or no?"),
                pot=self.words.stakes(match.pot),
            )
        else:
            agreed = self.agree(N_("Another match, yes or no?"))
        if not agreed:
            raise Left
        self._do(Start())

    def _enter(self, question: str) -> None:
        while line := self._line(self.words.t(question)):
            if not self._press(key_of(line)):
                self.say(N_("Press Enter alone, or type a key."))

    def _do(self, command: Command) -> None:
        self._unanswered.add(self.connection.do(command, self._seen))

    # What comes in

    def _attend(self) -> None:
        """One thing that comes in while nothing is asked."""
        item = self._live.listen(typing=self._state is not None)
        if isinstance(item, Typed):
            self._unasked(item)
        else:
            self.hear(item)
            self._look_at_clock()

    def _meanwhile(self, news: News | None) -> None:
        """Something that comes in, or nothing for a while, while a question is open."""
        self.hear(news)
        self._look_at_clock()
        if self._open is None or not self.settled:
            return
        due = self._due()
        if due != self._open:
            self._live.forget_typing()
            if due is None and not self.table.closed:
                self.say(N_("No answer is wanted any more."))
            raise Dropped

    def _look_at_clock(self) -> None:
        """Warns before time is up."""
        if self._state is None or self.seat is None:
            return
        table = self.table
        seconds = None
        if not table.paused and table.seats[self.seat].stand_in is None:
            seconds = seconds_for(table, self.seat)
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

    # What is typed

    def _unasked(self, typed: Typed) -> None:
        """A line that somebody types of their own accord."""
        if not typed.line:
            raise Left
        try:
            line = self._live.text_of(typed)
        except Fault as fault:
            self._fault(fault)
            return
        if self._talked(line):
            return
        table_key, key = table_key_of(line), key_of(line)
        if table_key is not None and not (table_key is TableKey.SIT and self._has_say):
            self._press_at_table(table_key)
        elif line and self._has_say:
            if (action := self._typed(line)) is not None:
                self._do(Act(action))
        elif line and not self._act_unasked(key) and not self._press(key):
            self.say(N_("Nothing is asked of you now. Type ? for the keys."))

    @property
    def _has_say(self) -> bool:
        """Whether the person may act at any time: at a refereed table, while tricks are played."""
        return (
            self._state is not None
            and self.seat is not None
            and (self.has_match and refereed(self.view) is not None)
        )

    def _act_unasked(self, key: Key | int | None) -> bool:
        """What may be done when it is not one's turn; False for any other key."""
        if self._state is None or self.seat is None or not self.has_match:
            return False
        if key is Key.CLAIM:
            self._do(Act(Claim(self.seat)))
        elif key is Key.UNDO and self.view.state.phase is Phase.PASSING:
            self._do(Act(TakeBackPass(self.seat)))
        elif key is Key.UNDO:
            self._do(Act(AskUndo(self.seat)))
        else:
            return False
        return True

    def _line(self, prompt: str) -> str:
        while True:
            line = super()._line(prompt)
            if self._talked(line):
                continue
            key = table_key_of(line)
            if key is None or (key is TableKey.SIT and self._has_say):  # A accepts there
                return line
            if key is TableKey.MORE and self.chooses and minus_of(line) is not None:
                return line
            self._press_at_table(key)

    def _talked(self, line: str) -> bool:
        """Does what a line of talk asks for; False for any other line."""
        try:
            return self._state is not None and self._talk.does(line, self._state)
        except Fault as fault:
            self._fault(fault)
            return True

    def _press(self, key: Key | int | None) -> bool:
        if key is None:
            return False
        if key is Key.HINT and self._state is not None and not self.table.setup.hints:
            self.say(N_("There are no hints at this table."))
            return True
        if self.has_match:
            pressed = super()._press(key)
        else:
            pressed = self._press_before_match(key)
        if key is Key.KEYS:
            self.console.say(*map(self.words.t, (*TABLE_KEY_LINES, *TALK_KEY_LINES)))
        return pressed

    def _press_before_match(self, key: Key | int) -> bool:
        if key is Key.QUIT:
            raise Left
        if self._state is None:
            return False
        rules = self.table.setup.rules
        if key in (Key.BEFORE, Key.AFTER, Key.KIND):
            assert isinstance(key, Key)
            self.console.say(*self._looked_back(key))
        elif key is Key.RULES:
            self.console.say(format_sheet(rule_sheet(rules, self.words), self.words))
        elif key is Key.KEYS:
            self.console.say(*key_lines(self.words, rules))
        else:
            self.say(N_("No match has begun yet."))
        return True

    def _press_at_table(self, key: TableKey) -> None:
        if self._state is None:
            return
        match key:
            case TableKey.WHO:
                self._tell_seats()
            case TableKey.SIT if self.seat is not None:
                self.say(N_("You have a seat."))
            case TableKey.SIT:
                self._watches = False
            case TableKey.BOT:
                away = self.seat is not None and self.table.seats[self.seat].stand_in is not None
                self._do(Back() if away else Away())
            case TableKey.PAUSE:
                self._do(Unpause() if self.table.paused else Pause())
            case TableKey.INVITE:
                self._invite()
            case TableKey.MORE:
                self._do(MoreTime())
        while self._unanswered and not self._lost:
            self._meanwhile(self._live.listen(typing=False))

    def _invite(self) -> None:
        """Opens a private table; tells how others come to it."""
        if self.table.setup.access is Access.PRIVATE:
            self._do(Invite())
        if self.table.setup.access is not Access.PRIVATE or self.table.host == self.person:
            self.say(N_("This table has the address {address}"), address=self._page)

    def _tell_seats(self) -> None:
        table = self.table
        self.console.say(*told_seats(self.words, table.seats, self.seat))
        host = N_("You are the host.") if table.host == self.person else N_("{name} is the host.")
        self.say(host, name=table.host_name)

    # Leaving

    def _leave(self) -> str:
        """Leaves the seat to a bot, or the match to wait for whoever is alone there.

        Returns the message that says so; empty for somebody without a seat.
        """
        if self._state is None or self.seat is None or self.table.closed:
            return ""
        if not self.table.under_way:
            return N_("To come back: {command}")
        if self.alone:
            if not self.table.paused:
                self._await_answer(self.connection.do(Pause(), self._seen))
            return N_("The match waits for you: {command}")
        if self.table.seats[self.seat].stand_in is None:
            self._await_answer(self.connection.do(Away(), self._seen))
        return N_("A bot plays for you until you are back: {command}")

    def _await_answer(self, mark: str) -> None:
        """Waits until a message is answered, but not for long."""
        end = monotonic() + PARTING
        while not self._lost and monotonic() < end:
            item = self._live.listen(typing=False)
            if isinstance(item, Answer) and item.id == mark:
                return
            if isinstance(item, Lost | TurnedAway):
                return


def told_seats(language: Language, seats: Sequence[Seat], me: int | None) -> tuple[str, ...]:
    """Who sits where, a line each."""
    return tuple(_told_seat(language, place, seat, me) for place, seat in enumerate(seats))


def _told_seat(language: Language, place: int, seat: Seat, me: int | None) -> str:
    if seat.free:
        message = N_("Seat {seat}: free.")
    elif seat.level:
        message = N_("Seat {seat}: {name}, a bot ({level}).")
    elif seat.stand_in is not None:
        message = N_("Seat {seat}: {name}; a bot plays for now.")
    else:
        message = N_("Seat {seat}: you.") if place == me else N_("Seat {seat}: {name}.")
    level = language.t(LEVEL_NAMES[seat.level]) if seat.level in LEVEL_NAMES else seat.level
    return language.t(message, seat=place + 1, name=seat.name, level=level)


LEVEL_NAMES: Final = {
    "beginner": N_("beginner"),
    "casual": N_("casual"),
    "strong": N_("strong"),
    "expert": N_("expert"),
}
