"""The choice of a table in a playroom: the match that waits, the list, a new one, or people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import time
from typing import NamedTuple

from msgspec.structs import astuple

from volte.cards import VolteError
from volte.console.keys import WHICH_NUMBER, key_of
from volte.console.terminal import Console, Dialogue, Quit, TerminalFault, command_line
from volte.forms.meeting import PeopleWanted, read_wanted, wanted_phrase
from volte.forms.settings import own_name
from volte.say import N_, Words, words_of
from volte.say.catalogue import TONGUES
from volte.say.formats import LOCAL
from volte.say.keys import Key
from volte.say.measures import planned_told
from volte.terminal.news import DECLINED, NOT_INVITED, InvitationWord, news_lines
from volte.terminal.playroom import Address, Playroom
from volte.terminal.wishing import read_wish, wish_lines
from volte.wire.api import ListedTable, Meet, WaitingTable

WATCH = "watch"  # the kind of the way in for whoever can do nothing else at a table


class Destination(NamedTuple):
    """A table to go to, and what to do there; without a table's id, one is still to be opened."""

    address: Address
    begin: bool = False  # whether the person begins the match there at once
    watch: bool = False  # whether they watch there, as there is no seat


class TableChooser(Dialogue):
    """Asks somebody who has come to a playroom for a table."""

    def __init__(self, words: Words, console: Console, playroom: Playroom) -> None:
        super().__init__(words, console)
        self._playroom = playroom

    def choose(self, people: str | None = None, new: bool = False) -> Destination:
        """The table to go to. Raises `Quit`, and `TerminalFault` for a wish that means nothing.

        Args:
            people: words for the people to play with; empty for those looked for last, and None to
                ask for a table.
            new: whether the person wants a table of their own.
        """
        listed = self._playroom.tables()
        if listed.waiting is not None:
            if people is None and not new:
                if self._goes_on(listed.waiting):
                    return Destination(self._address(listed.waiting.table))
            else:
                page = self._address(listed.waiting.table).page
                self.say(
                    N_("Your match is waiting: {table}. To go on with it: {command}"),
                    table=listed.waiting.name,
                    command=command_line("play", "--connect", page),
                )
        if people is not None:
            return self._meet(read_wish(self.words, people) if people else self._wanted())
        if new:
            return Destination(self._address())
        return self._chosen([each for each in listed.tables if each.ways])

    def _address(self, table: str = "") -> Address:
        return Address(self._playroom.site, table)

    def _goes_on(self, waiting: WaitingTable) -> bool:
        """Whether the person goes on with the match that waits for them."""
        self.say(N_("Your match is waiting: {table}"), table=waiting.name)
        while True:
            line = self.ask_line(N_("Go on with the match, yes or no?"))
            if key_of(line) is Key.QUIT:
                raise Quit
            agreed = self.words.yes_or_no(line)
            if agreed is not None:
                return agreed
            self.say(N_("Please answer yes or no."))

    def _wanted(self) -> PeopleWanted:
        """The people and the game that the person looked for last."""
        kept = PeopleWanted(*astuple(self._playroom.wanted()))
        return read_wanted(kept.texts)

    def _meet(self, wanted: PeopleWanted) -> Destination:
        met = self._playroom.meet(Meet(*wanted))
        return Destination(self._address(met.table), met.begin)

    def _chosen(self, tables: Sequence[ListedTable]) -> Destination:
        """Ask which of the listed tables to go to, or what to open instead."""
        if tables:
            self.say(N_("Tables to join:"))
        for number, each in enumerate(tables, 1):
            self.console.say(listed_line(self.words, number, each))
        wanted = self._wanted()
        phrase = wanted_phrase(self.words, wanted)
        self.say(N_("PEOPLE will look for {wish}. PEOPLE ? shows the other choices."), wish=phrase)
        news = self._playroom.news()
        self.console.say(*news_lines(self.words, news))
        invitations = [each for each in news if each.invites]
        question = N_(
            "Which table, 1 to {most}? Press Enter to open a new one, or type PEOPLE to find "
            "people to play with."
        )
        if not tables:
            question = N_(
                "Press Enter to open a table with bots, or type PEOPLE to find people to play with."
            )
        while True:
            line = self.ask_line(question, most=len(tables))
            word, _, about = line.partition(" ")
            answer = InvitationWord.of(line)
            if not line:
                return Destination(self._address())
            if key_of(line) is Key.QUIT:
                raise Quit
            if answer is not None and not invitations:
                self.say(NOT_INVITED)
            elif answer is not None:
                try:
                    yes = answer is InvitationWord.COME
                    table = self._playroom.answer_friend(invitations.pop(0).about, yes)
                    if yes:
                        return Destination(self._address(table))
                    self.say(DECLINED)
                except TerminalFault as fault:
                    self.complain(fault)
            elif Key.of(word) is Key.PEOPLE and about.strip() == "?":
                self.console.say(*wish_lines(self.words))
            elif Key.of(word) is Key.PEOPLE:
                try:
                    return self._meet(read_wish(self.words, about) if about else wanted)
                except VolteError as fault:
                    self.complain(fault)
            elif line.isdecimal() and 1 <= int(line) <= len(tables):
                listed = tables[int(line) - 1]
                return Destination(self._address(listed.table), watch=listed.ways[0].kind == WATCH)
            elif tables:
                self.say(WHICH_NUMBER, least=1, most=len(tables))


def listed_line(words: Words, number: int, table: ListedTable) -> str:
    """A table of the playroom, in one line: what is played there by whom, and what one can do."""
    return " ".join(words.sentence(f"{part}.") for part in _parts(words, number, table) if part)


def _parts(words: Words, number: int, table: ListedTable) -> Iterator[str]:
    yield words.t("{number}: {name}", number=number, name=table.name)
    if table.planned is not None:
        yield planned_told(words_of(words.lang, LOCAL), table.planned, time())
    yield from (table.told, table.pace, table.players, table.going)
    langs = [own_name(lang) for lang in table.languages if lang in TONGUES]
    if langs:
        yield words.t("Languages: {languages}", languages=", ".join(langs))
    yield from (way.name for way in table.ways if way.kind != "remind")
