"""`volte play --connect`: from an address to a table elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from getpass import getpass
from typing import Final

from volte.console.keys import Key, key_of
from volte.console.numbers import USUAL_LEVEL
from volte.console.options import chosen_rules
from volte.console.person import Manner
from volte.console.shelf import Shelf
from volte.console.symbols import words_for
from volte.console.terminal import Left, Misuse, TerminalFault, signal_of
from volte.names import LONGEST_NAME, NameFault, clean_name
from volte.say import N_, Words
from volte.table.setup import Access, Setup
from volte.terminal.address import Address
from volte.terminal.connection import Connection, TurnedAway
from volte.terminal.following import SentAway
from volte.terminal.live_console import LiveConsole
from volte.terminal.playroom import KeyRing, Playroom, Sentence, Turned
from volte.terminal.table import ME, check_level
from volte.terminal.visitor import Visitor
from volte.wire.messages import Closing

OPEN: Final = "open"
"""A seat that is left for somebody to come."""


@dataclass(frozen=True)
class Wishes:
    """What a new table is asked to be, as on the command line."""

    rules: str | None = None
    settings: Sequence[str] = ()
    players: str | None = None
    seats: str | None = None

    @property
    def named(self) -> str | None:
        """The first option that was given."""
        given = {
            "--rules": self.rules,
            "--set": self.settings,
            "--players": self.players,
            "--seats": self.seats,
        }
        return next((option for option, value in given.items() if value), None)


def play_elsewhere(
    lang: str,
    address: str,
    name: str | None,
    wishes: Wishes,
    manner: Manner,
    plain: bool = False,
    width: int | None = None,
    login: str | None = None,
) -> int:
    """Plays at a table elsewhere until it is closed; the exit status.

    Args:
        login: of the account that the person has there; its password is asked for once.

    Raises `Left` when the person goes, and a `Fault` where there is no way in.
    """
    place = Address.read(address)
    if place.table and wishes.named is not None:
        raise Misuse("table_has_rules", option=wishes.named)
    if name is not None:
        name = clean_name(name)
    console = LiveConsole.here(width, plain)
    words = words_for(lang, console.plain)
    return _Door(lang, words, console, manner, place).go_in(name, wishes, login)


class _Door:
    """The way to a table: a name, a table, perhaps a password."""

    def __init__(
        self, lang: str, words: Words, console: LiveConsole, manner: Manner, address: Address
    ) -> None:
        self._lang = lang
        self._words = words
        self._console = console
        self._manner = manner
        self._address = address
        self._ring = KeyRing(Shelf().folder, address.site)
        self._playroom = Playroom(address.site, lang)
        self._stranger = False

    def go_in(self, name: str | None, wishes: Wishes, login: str | None) -> int:
        new = None if wishes.named is None else self._new_table(wishes)
        if login is None:
            self._come_in(name)
        else:
            self._sign_in(login)
        table, begin = self._address.table, False
        address = self._address
        if table and address.invitation:
            self._playroom.accept(table, address.invitation)
        if not table:
            table = "" if new is not None else self._chosen_table()
            address = Address(address.site, table)
        if not table:
            setup, levels = new or self._new_table(wishes)
            address, begin = self._opened(setup, levels), "" not in levels
            table = address.table
        while True:
            try:
                self._visit(address, begin)
            except SentAway as away:
                self._see_to(away.turned, table)
                begin = False
            else:
                return 0

    # Who

    def _come_in(self, name: str | None) -> None:
        known, self._playroom.cookie = self._ring.find(name)
        me = self._playroom.me()
        if me is None and name is None:
            name = self._ask_name()
        if me is None:
            assert name is not None
            self._stranger = True
            me = self._playroom.come_in(name)
            self._ring.keep(name, self._playroom.cookie)
        else:
            self._ring.keep(known, self._playroom.cookie)
        self._say(N_("You are {name} here."), name=me.name)

    def _sign_in(self, login: str) -> None:
        """Comes in by an account. What is kept of it is a cookie, as of guests, never the
        password."""
        kept_as = f"login {login}"
        _, self._playroom.cookie = self._ring.find(kept_as)
        me = self._playroom.me()
        if me is None:
            password = self._secret(self._words.t("Your password?"))
            me = self._playroom.sign_in(login, password)
        self._ring.keep(kept_as, self._playroom.cookie)
        self._say(N_("You are {name} here."), name=me.name)

    def _ask_name(self) -> str:
        while True:
            line = self._ask(N_("Your name?"))
            try:
                return clean_name(line)
            except NameFault as fault:
                self._console.say(self._words.fault(fault))

    # Which table

    def _chosen_table(self) -> str:
        """The id of a table that is chosen; empty for a new one."""
        tables = self._playroom.tables()
        if not tables:
            return ""
        self._say(N_("Tables to join:"))
        for number, each in enumerate(tables, 1):
            about = (each.name, each.rules, each.seats, each.free, each.needs_password)
            self._console.say(told_table(self._words, number, *about))
        while True:
            line = self._ask(
                N_("Which table, 1 to {most}? Enter opens a new one."), most=len(tables)
            )
            if not line:
                return ""
            if key_of(line) is Key.QUIT:
                raise Left
            if line.isdecimal() and 1 <= int(line) <= len(tables):
                return tables[int(line) - 1].table
            self._say(
                N_("Type a number from {least} to {most}, or only Enter."),
                least=1,
                most=len(tables),
            )

    def _new_table(self, wishes: Wishes) -> tuple[Setup, list[str]]:
        """A table without its name, and who sits to the left of its host. Raises `Fault`."""
        seats = [seat.strip() for seat in wishes.seats.split(",")] if wishes.seats else []
        rules = chosen_rules(wishes.rules, wishes.settings, wishes.players, len(seats))
        seats = seats or [ME] + [USUAL_LEVEL] * (rules.players - 1)
        if len(seats) != rules.players:
            raise Misuse("seats_differ", seats=len(seats), players=rules.players)
        if seats.count(ME) != 1:
            raise Misuse("one_person")
        here = seats.index(ME)
        levels = ["" if seat == OPEN else seat for seat in seats[here + 1 :] + seats[:here]]
        for level in filter(None, levels):
            check_level(level, ME, OPEN)
        access = Access.PUBLIC if "" in levels else Access.PRIVATE
        return Setup("", rules, access), levels

    def _opened(self, setup: Setup, levels: Sequence[str]) -> Address:
        me = self._playroom.me()
        name = me.name if me is not None else ""
        told = self._words.t("{player:of} table", player=name)
        named = Setup(told if len(told) <= LONGEST_NAME else name, setup.rules, setup.access)
        table = self._playroom.open_table(named, levels)
        address = Address(self._address.site, table, self._playroom.invitation(table))
        if setup.access is Access.PRIVATE:
            self._say(
                N_(
                    "This table is yours alone, until INVITE opens it to others. It has the address"
                    " {address}"
                ),
                address=address.page,
            )
        else:
            self._say(N_("This table has the address {address}"), address=address.page)
        return address

    # In

    def _visit(self, address: Address, begin: bool) -> None:
        console = self._console
        connection = Connection(address, self._playroom.cookie, self._lang, console.inbox)
        if self._stranger:  # lines can be read at leisure: nobody has to wait for them
            connection.prefer(bot_pace=0, trick_pace=0)
            self._stranger = False
        Visitor(self._words, console, self._manner, connection, address.page, begin).run()

    def _see_to(self, turned: TurnedAway, table: str) -> None:
        """Opens a door that can be opened. Raises `TerminalFault` at any other."""
        if turned.reason == "needs_password":
            while not self._knock(table):
                self._say(N_("That is not the password."))
            return
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
        password = self._secret(self._words.t("The password of this table?"))
        try:
            return self._playroom.enter(table, password)
        except Turned as turned:
            if turned.status != 429:
                raise
            self._console.say(self._words.fault(turned))
            return self._knock(table)

    def _secret(self, question: str) -> str:
        """What is typed without being shown; a line like any other where nobody types."""
        if self._console.is_reading or not self._console.at_terminal:
            return self._console.ask(question)
        try:
            return getpass(question + " ")
        except EOFError:
            raise Left from None
        except KeyboardInterrupt as interrupt:
            raise Left(signal_of(interrupt)) from None

    def _ask(self, message: str, /, **params: object) -> str:
        while True:
            try:
                return self._console.ask(self._words.t(message, **params))
            except TerminalFault as fault:
                self._console.say(self._words.fault(fault))

    def _say(self, message: str, /, **params: object) -> None:
        self._console.say(self._words.t(message, **params))


def told_table(
    words: Words,
    number: int,
    name: str,
    rules: str,
    seats: int,
    free: int,
    with_password: bool = False,
) -> str:
    """A table of the playroom, in a line."""
    about = f"{name} ({rules})" if rules else name
    if free:
        told = words.n(
            "{number}: {table}. {count} of {seats} seats is free.",
            "{number}: {table}. {count} of {seats} seats are free.",
            free,
            number=number,
            table=about,
            seats=seats,
        )
    elif seats:
        told = words.t("{number}: {table}. No seat is free.", number=number, table=about)
    else:  # nothing else may be known of it
        told = words.t("{number}: {table}.", number=number, table=about)
    return f"{told} {words.t('It asks for a password.')}" if with_password else told
