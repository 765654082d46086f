"""A person at a table of a playroom, with the same prompts, keys and words as at a local table.

Others act meanwhile. So the question to ask is worked out again after every happening, and an open
question that no longer matters is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import uniform
from time import monotonic, sleep, time
from typing import Final

from volte.cards import VolteError
from volte.console.keys import (
    ACTING,
    WHICH_NUMBER,
    act_key_of,
    key_lines,
    key_of,
    minus_of,
    refereed,
)
from volte.console.person import REFEREED, Rematch
from volte.console.terminal import Quit, command_line, signal_of
from volte.console.witness import PlayStyle
from volte.game import Pass, Play, Refusal, still_to_consent
from volte.names import meant
from volte.referee import SeatAction, decide
from volte.rules import Irregularities
from volte.say import N_, Words, words_of
from volte.say.formats import LOCAL
from volte.say.keys import MOVED, OF_COMPANY, Key, Keys, keys_of
from volte.say.measures import planned_told
from volte.say.reach import reach_told
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.table import Command, Why
from volte.table import commands as cmd
from volte.table.setup import LEAST_CLOCK, Access
from volte.table.telling import bot_there, seat_lines
from volte.terminal.connection import Connection, ConnectionLost, News, TurnedAway
from volte.terminal.following import Follower, SentAway
from volte.terminal.live_console import LiveConsole, Typed
from volte.terminal.news import DECLINED, NOT_INVITED, InvitationWord, NewsWatch
from volte.terminal.talking import TALK_KEY_LINES
from volte.view import settled
from volte.wire import messages as wire
from volte.wire.messages import Answer

PARTING: Final = 3.0
"""Seconds that a leaving person waits to hear that a bot plays on."""

HESITATION: Final = (0.5, 1.2)
"""(least, most) seconds before the only legal card is played automatically: about a bot's pace."""

NOT_NOW: Final = frozenset(
    [
        *("by_invitation", "bots_by_invitation", "seat_asked", "seat_wanted", "seat_denied"),
        "table_full",
    ]
)
"""Refusals after which no seat can be had for now: the question comes again when they ask."""

WATCHING: Final = N_("You are watching. SIT asks for a seat.")

Question = tuple[str, object]
"""The name of a question, and a value that changes when it is to be asked again."""


AT_TABLE: Final = frozenset((*keys_of(Keys.PLAYROOM), Key.WHO, *OF_COMPANY))
"""Keys that are answered by the table, or do something there, at any question."""


class InvitedAway(Exception):
    """The person goes to the table of a friend who has invited them."""

    def __init__(self, table: str) -> None:
        super().__init__()
        self.table = table  # its id


class Dropped(Exception):
    """The open question needs no answer any more."""


class TablePlayer(Follower):
    """Somebody who plays at a table elsewhere, or watches.

    Args:
        page: the table's address.
        begin: whether to begin the match at once, if the person is the host.
        watch: whether to watch, without being asked for a seat.
        news: the news of the playroom; None for none.
    """

    def __init__(
        self,
        words: Words,
        console: LiveConsole,
        manner: PlayStyle,
        connection: Connection,
        page: str,
        begin: bool = False,
        watch: bool = False,
        news: NewsWatch | None = None,
    ) -> None:
        super().__init__(words, console, manner, connection)
        self._live = console
        self._page = page
        self._begin = begin
        self._watches = watch
        self._watch = news
        self._open: Question | None = None
        self._answered: set[Question] = set()
        console.meanwhile = self._meanwhile

    def run(self) -> str:
        """Stay until the table is closed; return the id of the table where its people go on, empty
        for none. Raises `Quit` when the person leaves, and `SentAway`."""
        try:
            while not (self.settled and self.table.closed):
                self._open = self._next_question() if self.settled else None
                if self._open is None:
                    self._attend()
                else:
                    self._put(self._open)
            return self.table.onward
        except InvitedAway as invited:
            if left := self._leave():
                self.say(left, command=command_line("play", "--connect", self._page))
            return invited.table
        except SentAway:
            if self._state is None or not self._state.onward:
                raise
            return self._state.onward
        except (Quit, KeyboardInterrupt) as gone:
            if left := self._leave():
                self.say(left, command=command_line("play", "--connect", self._page))
            raise Quit(signal_of(gone)) from None
        except OSError:  # the terminal is closed
            self._leave()
            raise
        finally:
            if self._watch is not None:
                self._watch.close()
            self.connection.close()
            self._live.forget_news()

    @property
    def has_met(self) -> bool:
        """Whether the person has a seat at a meeting table where a match has begun."""
        state = self._state
        return bool(state and state.setup.meeting and state.matches and self.seat is not None)

    def arrived(self) -> None:
        table = self.table
        if self.seat is None and self._watches:
            self.say(WATCHING)
        if self._begin and table.host == self.person and not table.under_way:
            self._do(cmd.Start())
        if self.seat is None:
            return
        if table.under_way and table.paused and self.alone:
            self._do(cmd.Unpause())
        elif table.under_way and table.seats[self.seat].stand_in is Why.OWN:
            self._do(cmd.Back())
        self.seated()

    def seated(self) -> None:
        table = self.table
        if table.setup.clock:
            clock = max(table.setup.clock, LEAST_CLOCK)
            self.say(N_("You have {clock} seconds for each choice. Type + for more."), clock=clock)
        if table.setup.rules.irregularities is Irregularities.REFEREED:
            self.say(REFEREED)
        if table.setup.rated:
            self.say(
                N_(
                    "The matches at this table are rated. There are no hints, cards cannot be"
                    " taken back, and if you leave a match you are ranked last."
                )
            )
        planned = table.setup.planned
        if planned is not None and table.match is None:
            here = words_of(self.words.lang, LOCAL)
            self.console.say(f"{planned_told(here, planned, time())}.")
        if not (table.under_way or self._begins):
            self.say(N_("Waiting for the host to begin the match."))

    @property
    def _begins(self) -> bool:
        """Whether the person may begin a match now: as the host, and the first one at a meeting
        table with a seat."""
        table = self.table
        return table.match is None if table.setup.meeting else table.host == self.person

    @property
    def _may_deal_again(self) -> bool:
        """Whether the cards of the last match may be dealt again, as far as is known here."""
        match = self.table.match
        return match is not None and self.table.between_matches and not self.table.setup.rated

    def refuse(self, answer: Answer) -> None:
        self._answered.clear()
        if answer.refusal is not None and answer.refusal.reason in NOT_NOW:
            self._watches = True
        super().refuse(answer)

    # Questions

    def _next_question(self) -> Question | None:
        """The question to ask now, or None."""
        table, seat = self.table, self.seat
        if table.closed:
            return None
        if table.host == self.person and (request := self.asked_for) is not None:
            return ("let_sit", request)
        if seat is None and any(each.asker == self.person for each in table.seats):
            self._watches = True
        if seat is None:
            return None if self._watches else ("seat", tuple(each.person for each in table.seats))
        if self.clock_is_short and ("clock", table.setup.clock) not in self._answered:
            return ("clock", table.setup.clock)
        question: Question | None = None
        if table.under_way:
            question = self._question_in_match(seat)
        elif table.setup.board:
            question = ("played", table.matches)
        elif self._begins:
            question = ("begin" if table.match is None else "again", table.matches)
        elif table.setup.meeting and seat in table.ready:
            question = ("at_once", table.matches)
        elif table.match is not None:
            question = ("stay", table.matches)
        return None if question in self._answered else question

    def _question_in_match(self, seat: int) -> Question | None:
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
        return ("act", table.moved) if self.must_act else None

    @property
    def _may_wave_on(self) -> bool:
        """Whether a bot waits to cut until nobody has a revoke left to claim (I6)."""
        match = refereed(self.view)
        if match is None or match.reckoned is None or match.last or match.shooter is not None:
            return False
        return match.cutter != self.seat and self.table.seats[match.cutter].bot

    def _put(self, question: Question) -> None:
        """Ask the question, and act on the answer."""
        try:
            match question[0]:
                case "seat":
                    self._choose_seat()
                case "let_sit":
                    self._let_sit()
                case "clock":
                    agreed = self.agree(
                        N_(
                            "You will have only {clock} seconds for each choice: is that all right,"
                            " yes or no?"
                        ),
                        clock=question[1],
                    )
                    self._answered.add(question)
                    if agreed:
                        self._do(cmd.AcceptClock(True))
                case "begin":
                    if any(seat.free for seat in self.table.seats):
                        self.say(N_("Bots will take the free seats."))
                    self._enter(N_("Press Enter to begin the match."))
                    self._do(cmd.Start())
                case "again":
                    assert self.table.match is not None
                    chosen = self.again(self.table.match, same=self._may_deal_again)
                    if chosen is Rematch.NONE:
                        raise Quit
                    self._do(cmd.Start() if chosen is Rematch.OTHER_CARDS else cmd.DealAgain())
                case "played":
                    self.say(N_("You have played this deal."))
                    raise Quit
                case "stay":
                    if not self.agree(N_("Stay for another match, yes or no?")):
                        raise Quit
                    self._answered.add(question)
                    if self.table.between_matches:
                        self._do(cmd.Next())
                case "at_once":
                    if self._may_deal_again:
                        self.tell_same()
                    begin = N_("Press Enter to begin the match without waiting for the others.")
                    same = self._enter(begin, self.same if self._may_deal_again else "")
                    self._do(cmd.DealAgain() if same else cmd.Start())
                case "go_on":
                    self._enter(N_("Press Enter to go on with the match."))
                    self._do(cmd.Unpause())
                case "come_back":
                    self._enter(N_("Press Enter to play for yourself again."))
                    self._do(cmd.Back())
                case "next":
                    self._next(question)
                case _:
                    if self.plays_itself and not self.alone:  # so that others do not notice
                        sleep(uniform(*HESITATION))
                    action = self.ask()
                    while self._lost and (why := self._barred(action)) is not None:
                        self.refused(why)
                        action = self.ask()
                    self._do(cmd.Act(action))
        except Dropped:
            pass

    def _barred(self, action: SeatAction) -> Refusal | None:
        """The refusal of a card that need not wait for the line, as it is known to be barred."""
        outcome = decide(self.view.state, action) if isinstance(action, Play | Pass) else ()
        return outcome if isinstance(outcome, Refusal) else None

    def _let_sit(self) -> None:
        request = self.asked_for
        assert request is not None
        allow = self.agree(
            N_("Let {name} sit down: yes or no?"),
            name=self.table.seats[request.seat].asker_name,
        )
        self._do(cmd.AnswerSeat(request.seat, request.person, allow))

    def _next(self, question: Question) -> None:
        """Wait between two deals; with a referee, before somebody else cuts for the next one."""
        action = None
        if refereed(self.view) is None:
            self._rest()
        else:
            action = self.before_others()
        if action is not None:
            self._do(cmd.Act(action))
            return
        self._answered.add(question)
        self._do(cmd.Next())

    def _choose_seat(self) -> None:
        seats = self.table.seats
        can = [place for place, seat in enumerate(seats) if not seat.person]
        if not can:
            self._watches = True
            self.say(
                N_(
                    "All the seats are taken. You can watch, or type SIT to ask for a seat"
                    " again. For another table, or one of your own: {command}"
                ),
                command=command_line("play", "--connect", self._page.partition("/tables/")[0]),
            )
            return
        first = next((place for place in can if seats[place].free), can[0])
        self._tell_seats()
        while True:
            line = self.ask_line(
                N_("Your seat, 1 to {most}? Press Enter for seat {seat}, or type 0 to watch."),
                most=len(seats),
                seat=first + 1,
            )
            if not line:
                self._do(cmd.Sit(first))
                return
            if line == "0":
                self._watches = True
                self.say(WATCHING)
                return
            if line.isdecimal() and int(line) <= len(seats):
                self._do(cmd.Sit(int(line) - 1))
                return
            if line.isdecimal() or not self._press(key_of(line)):
                self.say(WHICH_NUMBER, least=0, most=len(seats))

    def _enter(self, question: str, word: str = "") -> bool:
        """Wait for Enter; return whether that word was typed instead."""
        while line := self.ask_line(question):
            if word and meant(line, [word]) == word:
                return True
            if not self._press(key_of(line)):
                self.say(N_("Just press Enter, or type ? for the keys."))
        return False

    def _do(self, command: Command) -> None:
        self._unanswered.add(self.connection.do(command, self._seen))

    # News

    def _attend(self) -> None:
        """Handle one line or piece of news while no question is open."""
        item = self._live.listen(typing=self._state is not None)
        if isinstance(item, Typed):
            self._unasked(item)
        else:
            self.hear(item)

    def _meanwhile(self, news: News | None) -> None:
        """Handle a piece of news, or None after a while, while a question is open."""
        self.hear(news)
        if self._open is None or not self.settled:
            return
        question = self._next_question()
        if question != self._open:
            self._live.forget_typing()
            if question is None and not self.table.closed:
                self.say(N_("You no longer need to answer."))
            raise Dropped

    # Typed lines

    def _unasked(self, typed: Typed) -> None:
        """Handle a line that was typed while no question is open."""
        if not typed.line:
            raise Quit
        try:
            line = self._live.text_of(typed)
        except VolteError as fault:
            self.complain(fault)
            return
        if self._talked(line) or self.has_moved(line):
            return
        key, acts = key_of(line), act_key_of(line)[0] is not None
        if key in AT_TABLE:
            self._press_at_table(key)
        elif line and self._plays and (acts or key is Key.CLAIM or refereed(self.view) is not None):
            if (action := self._typed(line)) is not None:
                self._do(cmd.Act(action))
        elif line and not self._press(key):
            self.say(N_("There is nothing to do now. Type ? for the keys."))

    @property
    def _plays(self) -> bool:
        """Whether the person has a seat, and a match is under way or over."""
        return self._state is not None and self.seat is not None and self.has_match

    def line(self, prompt: str) -> str:
        while True:
            line = super().line(prompt)
            if self._talked(line):
                continue
            key = key_of(line)
            plus = key is Key.MORE and self.chooses and minus_of(line) is not None
            if key not in AT_TABLE or plus:
                return line
            self._press_at_table(key)

    def _talked(self, line: str) -> bool:
        """Carry out a line of talk, and return True; False for any other line."""
        try:
            if self._answers_friend(line):
                return True
            return self._state is not None and self._talk.does(line, self._state)
        except VolteError as fault:
            self.complain(fault)
            return True

    def _answers_friend(self, line: str) -> bool:
        """Answer the latest invitation of a friend by such a line; False for any other line. Raises
        `InvitedAway`, and `TerminalFault` where the invitation is over."""
        word = InvitationWord.of(line)
        if word is None or self._watch is None:
            return False
        invitation = next((each for each in self._news if each.invites), None)
        if invitation is None:
            self.say(NOT_INVITED)
            return True
        self._news = tuple(each for each in self._news if each != invitation)
        table = self._watch.answer(invitation, word is InvitationWord.COME)
        if word is InvitationWord.COME:
            raise InvitedAway(table)
        self.say(DECLINED)
        return True

    def _press(self, key: Key | int | None) -> bool:
        if self._plays and isinstance(key, Key) and (key in ACTING or key is Key.CLAIM):
            action = self.claim() if key is Key.CLAIM else self._act(key, "")
            if action is not None:
                self._do(cmd.Act(action))
            return True
        return (self._state is not None or key is Key.QUIT) and super()._press(key)

    @property
    def moved(self) -> Mapping[Key, str]:
        return {**super().moved, **{key: MOVED[key] for key in (Key.VERBOSITY, Key.ACCEPT)}}

    def _help(self) -> tuple[str, ...]:
        rules = self.table.setup.rules
        claims = self.has_match and settled(self.view)
        keys = key_lines(self.words, rules, Keys.PLAYROOM, claims=claims)
        return (*keys, *map(self.words.t, TALK_KEY_LINES))

    def _hint(self) -> tuple[str, ...]:
        return super()._hint() if self.table.setup.hints else (self.words.why("no_hints"),)

    def _answer_to(self, key: Key | int | None) -> tuple[str, ...]:
        words = self.words
        match key:
            case None:
                return ()
            case Key.RULES if not self.has_match:
                return (format_sheet(rule_sheet(self.table.setup.rules, words), words),)
            case Key() if key.sort is Keys.HEARING or key in (Key.KEYS, Key.VERBOSITY):
                return super()._answer_to(key)
            case Key() if self.seat is None and (key in ACTING or key is Key.CLAIM):
                return (words.refusal(Refusal("not_seated"), None),)
            case _ if not self.has_match:
                return (words.t("No match has begun yet."),)
            case int() if key < 0:
                return (*super()._answer_to(key), *self._sits_at(key))
        return super()._answer_to(key)

    def _sits_at(self, key: int) -> tuple[str, ...]:
        """The sentence that a bot plays at the seat which a key asks about; () if none does."""
        seats = self.table.seats
        place = ((self.seat or 0) - key - 1) % max(len(seats), -key)
        return bot_there(self.words, seats[place]) if place < len(seats) else ()

    def _press_at_table(self, key: Key | int | None) -> None:
        if self._state is None:
            return
        match key:
            case Key.WHO:
                self._tell_seats()
            case Key.ROOM:
                asked = self.connection.send(lambda mark: wire.Ask(mark, wire.Question.ROOM))
                self._unanswered.add(asked)
            case Key.SEEKING:
                asked = self.connection.send(lambda mark: wire.Ask(mark, wire.Question.SEEKING))
                self._unanswered.add(asked)
            case Key.FRIENDS:
                asked = self.connection.send(lambda mark: wire.Ask(mark, wire.Question.FRIENDS))
                self._unanswered.add(asked)
            case Key.PEOPLE:
                on = not self._seeks
                self._unanswered.add(self.connection.send(lambda mark: wire.Seeking(mark, on)))
            case Key.TALK:
                self._talked(";")
            case Key.SIT if self.seat is not None:
                self.say(N_("You have a seat."))
            case Key.SIT if any(each.asker == self.person for each in self.table.seats):
                self._do(cmd.Stand())
            case Key.SIT:
                self._watches = False
            case Key.ANEW:
                self._do(cmd.Anew())
            case Key.BOT:
                away = self.seat is not None and self.table.seats[self.seat].stand_in is not None
                self._do(cmd.Back() if away else cmd.Away())
            case Key.PAUSE:
                self._do(cmd.Unpause() if self.table.paused else cmd.Pause())
            case Key.INVITE:
                self._invite()
            case Key.MORE:
                self._do(cmd.MoreTime())
        while self._unanswered and not self._lost:
            self._meanwhile(self._live.listen(typing=False))

    def _invite(self) -> None:
        """Open a private table to others, and tell its address."""
        if self.table.setup.access is Access.PRIVATE:
            self._do(cmd.Invite())
        if self.table.setup.access is not Access.PRIVATE or self.table.host == self.person:
            self.say(N_("The address of this table: {address}"), address=self._page)
            self.console.say(*reach_told(self.words, self._page))

    def _tell_seats(self) -> None:
        table = self.table
        self.console.say(*seat_lines(self.words, table.seats, self.seat))
        host = N_("You are the host.") if table.host == self.person else N_("{name} is the host.")
        self.say(host, name=table.host_name)

    # Leaving

    def _leave(self) -> str:
        """Leave the seat to a bot; pause the match instead if the person is alone there.

        Returns the message that says so; empty for somebody without a seat.
        """
        if self._state is None or self.seat is None or self.table.closed:
            return ""
        if not self.table.under_way:
            return N_("To come back: {command}")
        if self.alone:
            if not self.table.paused:
                self._do_at_last(cmd.Pause())
            return N_("The match is waiting for you: {command}")
        if self.table.seats[self.seat].stand_in is None:
            self._do_at_last(cmd.Away())
        return N_("A bot will play for you until you are back. To come back: {command}")

    def _do_at_last(self, command: Command) -> None:
        """Give a command, and wait a short time for its answer."""
        mark = self.connection.do(command, self._seen)
        end = monotonic() + PARTING
        while not self._lost and monotonic() < end:
            item = self._live.listen(typing=False)
            if isinstance(item, Answer) and item.id == mark:
                return
            if isinstance(item, ConnectionLost | TurnedAway):
                return
