"""`volte play --connect`: from an address to a table elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from getpass import getpass

from msgspec.structs import replace

from volte.console.files import Shelf
from volte.console.keys import WHICH_NUMBER, key_of
from volte.console.options import words_for
from volte.console.parameters import as_misuse
from volte.console.terminal import Dialogue, Misuse, Quit, TerminalFault, signal_of
from volte.console.witness import PlayStyle
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.say import N_
from volte.say.keys import Key
from volte.say.reach import reach_told
from volte.table.setup import Access, Setup
from volte.terminal.choosing import Destination, TableChooser
from volte.terminal.connection import Connection, TurnedAway
from volte.terminal.following import SentAway
from volte.terminal.live_console import LiveConsole
from volte.terminal.news import NewsWatch
from volte.terminal.playroom import Address, KeyRing, Playroom, Sentence, Turned
from volte.terminal.table import ME, OPEN, Wishes
from volte.terminal.visitor import TablePlayer
from volte.terminal.wishing import read_wish
from volte.wire.api import PersonMet
from volte.wire.messages import Closing, Prefer


def play_elsewhere(
    lang: str,
    address: str,
    name: str | None,
    wishes: Wishes,
    manner: PlayStyle,
    plain: bool = False,
    width: int | None = None,
    login: str | None = None,
    people: str | None = None,
) -> int:
    """Play at a table elsewhere until it is closed; return the exit status.

    Args:
        login: login of the person's account there; its password is asked for once.
        people: words for the people to play with; empty for those looked for last, and None to
            play at a table that is chosen.

    Raises `Quit` when the person leaves, and a `VolteError` if there is no way in.
    """
    place = Address.read(address)
    if place.table and wishes.named is not None:
        raise Misuse("table_has_rules", option=wishes.named)
    if people is not None and place.table:
        raise Misuse("table_has_people", option="--people")
    if people is not None and wishes.named is not None:
        raise Misuse("not_together", option=wishes.named, other="--people")
    if name is not None:
        name = clean_name(name)
    door = _Door(lang, LiveConsole.here(width, plain), manner, place)
    return door.go_in(name, wishes, login, people)


class _Door(Dialogue):
    """Takes the person to a table: asks for name, table, and password if needed."""

    def __init__(
        self, lang: str, console: LiveConsole, manner: PlayStyle, address: Address
    ) -> None:
        super().__init__(words_for(lang, console.plain), console)
        self._live = console
        self._lang = lang
        self._manner = manner
        self._address = address
        self._ring = KeyRing(Shelf().folder, address.site)
        self._playroom = Playroom(address.site, lang)
        self._stranger = False

    def go_in(self, name: str | None, wishes: Wishes, login: str | None, people: str | None) -> int:
        new = None if wishes.named is None else self._new_table(wishes)
        if people is not None:
            with as_misuse():
                read_wish(self.words, people)
        self._come_in(name, login)
        going = Destination(self._address)
        if self._address.board:
            return self._play_deal(self._address.board)
        if not going.address.table:
            chooser = TableChooser(self.words, self.console, self._playroom)
            going = chooser.choose(people, new is not None)
        elif going.address.invitation:
            self._playroom.accept(going.address.table, going.address.invitation)
        if not going.address.table:
            setup, levels = new or self._new_table(wishes)
            going = Destination(self._opened(setup, levels), "" not in levels)
        while True:
            try:
                onward = self._visit(going)
            except SentAway as away:
                onward = self._see_to(away.turned, going.address.table)
            if not onward:
                return 0
            going = Destination(Address(going.address.site, onward))

    def _play_deal(self, board: str) -> int:
        """Play a deal by its link; tell the results before, if it has been played, and after."""
        self.console.say(*self._playroom.deal_results(board))
        table = self._playroom.play_deal(board)
        try:
            self._visit(Destination(Address(self._address.site, table)))
        except SentAway as away:
            self._see_to(away.turned, table)
        except Quit as gone:
            if not gone.signal:
                self.console.say(*self._playroom.deal_results(board))
            raise
        return 0

    # The person

    def _come_in(self, name: str | None, login: str | None) -> None:
        """Come as a guest, or sign in to an account. The cookie is saved, never the password."""
        known, self._playroom.cookie = self._ring.find(name if login is None else f"login {login}")
        me = self._playroom.me()
        if me is None and login is not None:
            password = self._secret(self.words.t("Your password?"))
            me = self._playroom.sign_in(login, password)
        elif me is None:
            known = self._asked_name() if name is None else name
            self._stranger = True
            me = self._playroom.come_in(known)
        self._ring.keep(known, self._playroom.cookie)
        self.say(N_("You are {name} here."), name=me.name)

    def _asked_name(self) -> str:
        while True:
            line = self.ask_line(N_("Your name?"))
            try:
                return clean_name(line)
            except NameFault as fault:
                self.complain(fault)

    # The table

    def _new_table(self, wishes: Wishes) -> tuple[Setup, list[str]]:
        """A setup without a name, and the levels to the left of the host. Raises `VolteError`.

        The playroom checks the levels: it may have engines of its own.
        """
        rules, seats = wishes.table()
        if seats.count(ME) != 1:
            raise Misuse("one_person")
        here = seats.index(ME)
        levels = ["" if seat == OPEN else seat for seat in seats[here + 1 :] + seats[:here]]
        access = Access.PUBLIC if "" in levels else Access.PRIVATE
        return Setup("", rules, access), levels

    def _opened(self, setup: Setup, levels: Sequence[str]) -> Address:
        me = self._playroom.me()
        name = me.name if me is not None else ""
        full = self.words.t("{player:of} table", player=name)
        named = Setup(full if len(full) <= LONGEST_NAME else name, setup.rules, setup.access)
        table = self._playroom.open_table(named, levels)
        address = Address(self._address.site, table, self._playroom.invitation(table))
        message = (
            N_("This table is yours alone until INVITE opens it to others. Its address: {address}")
            if setup.access is Access.PRIVATE
            else N_("The address of this table: {address}")
        )
        self.say(message, address=address.page)
        if setup.access is not Access.PRIVATE:
            self.console.say(*reach_told(self.words, address.page))
        return address

    # Entering

    def _visit(self, going: Destination) -> str:
        """Stay at a table; return the id of the next one, empty for none."""
        address = going.address
        connection = Connection(address, self._playroom.cookie, self._lang, self._live.inbox)
        if self._stranger:  # lines can be read at any time, so bots need not be slow
            connection.send(lambda mark: Prefer(mark, bot_pace=0, trick_pace=0))
            self._stranger = False
        player = TablePlayer(
            self.words,
            self._live,
            self._manner,
            connection,
            address.page,
            going.begin,
            going.watch,
            NewsWatch(self._playroom, self._live.inbox, f"/tables/{address.table}"),
        )
        try:
            return player.run()
        except Quit as gone:
            if player.has_met and not (gone.signal or self._live.has_ended):
                self._part()
            raise

    def _part(self) -> None:
        """Offer to keep the person apart from people whom they have met; nobody else is told."""
        people: list[PersonMet] = []
        with suppress(TerminalFault):  # of a playroom that is gone
            people += self._playroom.companions()
        while people:
            met = [
                self.words.t(
                    N_("{name} ({number}, not again)") if each.apart else N_("{name} ({number})"),
                    name=each.name,
                    number=number,
                )
                for number, each in enumerate(people, 1)
            ]
            line = self.ask_line(
                N_(
                    "You have played with {people}. Press Enter to leave, or type a number to "
                    "avoid being seated with that person again. Nobody is told."
                ),
                people=met,
            )
            if not line or key_of(line) is Key.QUIT:
                return
            if not (line.isdecimal() and 1 <= int(line) <= len(people)):
                self.say(WHICH_NUMBER, least=1, most=len(people))
                continue
            other = people[int(line) - 1]
            try:
                self.console.say(self._playroom.keep_apart(other, not other.apart))
            except TerminalFault as fault:
                self.complain(fault)
                return
            people[int(line) - 1] = replace(other, apart=not other.apart)
            if not other.apart:
                self.say(N_("Type the number again to change your mind."))

    def _see_to(self, turned: TurnedAway, table: str) -> str:
        """Ask for the table's password if it is needed; return the id of the table to go to. Raises
        `TerminalFault` where there is none."""
        if turned.reason == "needs_password":
            while not self._knock(table):
                self.say(N_("That is not the password."))
            return table
        if turned.at:  # the people of that table go on at another one
            return Address.read(turned.at.replace("ws", "http", 1)).table
        match turned.code:
            case 0:
                raise TerminalFault("playroom_gone", address=self._address.site)
            case Closing.NO_SESSION:
                raise TerminalFault("session_gone")
            case Closing.NO_TABLE | Closing.CLOSED:
                raise TerminalFault("table_gone")
            case Closing.OLD_PROTOCOL:
                raise TerminalFault("other_version")
        if turned.sentence:
            raise Turned(turned.code, "playroom_says", sentence=Sentence(turned.sentence))
        raise TerminalFault("turned_away")

    def _knock(self, table: str) -> bool:
        password = self._secret(self.words.t("The password of this table?"))
        try:
            return self._playroom.enter(table, password)
        except Turned as turned:
            if turned.status != 429:
                raise
            self.complain(turned)
            return self._knock(table)

    def _secret(self, question: str) -> str:
        """Ask for a line without showing it; like any other line if it is not typed."""
        if self._live.is_reading or not self.console.at_terminal:
            return self.console.ask(question)
        try:
            return getpass(question + " ")
        except EOFError:
            raise Quit from None
        except KeyboardInterrupt as interrupt:
            raise Quit(signal_of(interrupt)) from None
