"""`volte play --connect`: from an address to a table elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from getpass import getpass

from volte.console.files import Shelf
from volte.console.keys import WHICH_NUMBER, key_of
from volte.console.options import words_for
from volte.console.terminal import Dialogue, Misuse, Quit, TerminalFault, signal_of
from volte.console.witness import PlayStyle
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.say import N_, Words
from volte.say.keys import Key
from volte.say.reach import reach_told
from volte.table.setup import Access, Setup
from volte.terminal.connection import Connection, TurnedAway
from volte.terminal.following import SentAway
from volte.terminal.live_console import LiveConsole
from volte.terminal.playroom import Address, KeyRing, Playroom, Sentence, Turned
from volte.terminal.table import ME, OPEN, Wishes
from volte.terminal.visitor import TablePlayer
from volte.wire.api import ListedTable
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
) -> int:
    """Play at a table elsewhere until it is closed; return the exit status.

    Args:
        login: login of the person's account there; its password is asked for once.

    Raises `Quit` when the person leaves, and a `VolteError` if there is no way in.
    """
    place = Address.read(address)
    if place.table and wishes.named is not None:
        raise Misuse("table_has_rules", option=wishes.named)
    if name is not None:
        name = clean_name(name)
    return _Door(lang, LiveConsole.here(width, plain), manner, place).go_in(name, wishes, login)


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

    def go_in(self, name: str | None, wishes: Wishes, login: str | None) -> int:
        new = None if wishes.named is None else self._new_table(wishes)
        self._come_in(name, login)
        address, begin = self._address, False
        if address.table and address.invitation:
            self._playroom.accept(address.table, address.invitation)
        if not address.table and new is None:
            address, begin = self._chosen_table()
        if not address.table:
            setup, levels = new or self._new_table(wishes)
            address, begin = self._opened(setup, levels), "" not in levels
        while True:
            try:
                onward = self._visit(address, begin)
            except SentAway as away:
                onward = self._see_to(away.turned, address.table)
            if not onward:
                return 0
            address, begin = Address(address.site, onward), False

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

    def _chosen_table(self) -> tuple[Address, bool]:
        """Ask for a table, and return its address, without a table for a new one, and whether the
        person begins the match there."""
        tables = self._playroom.tables()
        if tables:
            self.say(N_("Tables to join:"))
        for number, each in enumerate(tables, 1):
            self.console.say(listed_line(self.words, number, each))
        question = N_(
            "Which table, 1 to {most}? Enter opens a new one, and PEOPLE plays with anybody."
        )
        if not tables:
            question = N_("Enter opens a table with bots, and PEOPLE plays with anybody.")
        site = self._address.site
        while True:
            line = self.ask_line(question, most=len(tables))
            if not line:
                return Address(site), False
            key = key_of(line)
            if key is Key.QUIT:
                raise Quit
            if key is Key.PEOPLE:
                met = self._playroom.meet()
                return Address(site, met.table), met.begin
            if line.isdecimal() and 1 <= int(line) <= len(tables):
                return Address(site, tables[int(line) - 1].table), False
            if tables:
                self.say(WHICH_NUMBER, least=1, most=len(tables))

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
            N_(
                "This table is yours alone, until INVITE opens it to others. It has the address"
                " {address}"
            )
            if setup.access is Access.PRIVATE
            else N_("This table has the address {address}")
        )
        self.say(message, address=address.page)
        if setup.access is not Access.PRIVATE:
            self.console.say(*reach_told(self.words, address.page))
        return address

    # Entering

    def _visit(self, address: Address, begin: bool) -> str:
        """Stay at a table; return the id of the next one, empty for none."""
        connection = Connection(address, self._playroom.cookie, self._lang, self._live.inbox)
        if self._stranger:  # lines can be read at any time, so bots need not be slow
            connection.send(lambda mark: Prefer(mark, bot_pace=0, trick_pace=0))
            self._stranger = False
        player = TablePlayer(self.words, self._live, self._manner, connection, address.page, begin)
        return player.run()

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


def listed_line(words: Words, number: int, table: ListedTable) -> str:
    """A table of the playroom, in one line."""
    rules = table.told or table.rules  # an older playroom has no rules in words
    about = f"{table.name} ({rules})" if rules else table.name
    if table.free:
        line = words.n(
            "{number}: {table}. {count} of {seats} seats is free.",
            "{number}: {table}. {count} of {seats} seats are free.",
            table.free,
            number=number,
            table=about,
            seats=table.seats,
        )
    elif table.seats:
        line = words.t("{number}: {table}. No seat is free.", number=number, table=about)
    else:  # only its name may be known
        line = words.t("{number}: {table}.", number=number, table=about)
    return f"{line} {words.t('It asks for a password.')}" if table.needs_password else line
