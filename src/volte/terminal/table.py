"""A match at the terminal: its players, its house, its files, and how it is resumed."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from volte import game
from volte.bots import (
    CHARACTERS,
    COMPANY,
    LEVELS,
    NAMES,
    OFFERED,
    BotOwner,
    check_level,
    is_ours,
    warm_up,
)
from volte.cards import Card
from volte.console.files import Shelf, write
from volte.console.options import chosen_rules
from volte.console.person import Rematch, TerminalPlayer
from volte.console.terminal import (
    Console,
    Dialogue,
    Misuse,
    Quit,
    TerminalFault,
    command_line,
    signal_of,
)
from volte.console.witness import PlayStyle, Witness
from volte.fair import House
from volte.files import free_place
from volte.names import clean_name, distinct_name, meant
from volte.notation.reader import load_record, master_of, parse_record
from volte.notation.record import Record, RecordFault, content_of
from volte.notation.writer import Recorder
from volte.referee import ENGINE, Event, RefereedMatch, SeatAction, replay, visible
from volte.rules import Ruleset, of_deals
from volte.say import N_, Words
from volte.say.beside import SameCards, by_seats, told
from volte.terminal.guests import Guests
from volte.terminal.luck import PATIENCE, LuckAside

ME: Final = "me"
OPEN: Final = "open"
"""The word for a seat that is left free for somebody."""
USUAL_LEVEL: Final = "casual"
MOST_BEFORE: Final = 20  # matches played among which the one before a resumed one is looked for


@dataclass(frozen=True)
class LocalMatch:
    """A match to begin or to resume."""

    log: tuple[Event, ...]  # the events so far, from `MatchStarted` on
    house: House | None  # the dealer; None for a record without proofs
    repeatable: bool  # whether the house adds the person's bytes too, so that the seed fixes all
    files: tuple[Path, ...]  # files that it is saved in
    decks: tuple[tuple[Card, ...], ...] = ()  # given to the match; none where cards are drawn

    @property
    def started(self) -> game.MatchStarted:
        """The event with which the match began, with its rules and players."""
        started = self.log[0]
        assert isinstance(started, game.MatchStarted)
        return started

    @property
    def players(self) -> tuple[game.Player, ...]:
        return self.started.players

    @property
    def me(self) -> int | None:
        """The seat of the person at this terminal."""
        return next((seat for seat, player in enumerate(self.players) if player.person), None)

    @property
    def master(self) -> bytes | None:
        """The secret of the house, with which the match can be resumed; None without a house."""
        return self.house.master if self.house is not None else None

    def chance(self) -> game.Chance:
        if self.house is None:
            return game.PlainChance(secrets.randbits(64))
        own = None if self.repeatable else game.random_bytes
        return game.ProvedChance(self.house, own, self.decks)

    def bot(self, seat: int, guests: Guests) -> BotOwner:
        """The bot at a seat. The house gives its seed, so that a resumed match has the same bot;
        deal 0, from which the seed comes, is never dealt. Raises `VolteError` if it is missing.
        """
        seed = self.house.contribution(0, seat)[:8] if self.house else secrets.token_bytes(8)
        level = self.players[seat].level or USUAL_LEVEL
        return BotOwner(guests.bot(level, int.from_bytes(seed, "big"), self.started.rules), seat)


def players_at(
    seats: Sequence[str], name: str, guests: Collection[str] = ()
) -> tuple[game.Player, ...]:
    """The players for seats written as levels, guests, or `me`. Raises `Misuse` and other faults.

    Args:
        guests: names of bots that are not ours.
    """
    name = clean_name(name)
    if seats.count(ME) > 1:
        raise Misuse("one_person")
    taken = [name]
    named = [CHARACTERS[level].name for level in seats if level in CHARACTERS]
    players = []
    for level in seats:
        if level == ME:
            players.append(game.Player(name, person=True))
        else:
            if not is_ours(level) and level not in guests:
                names = ", ".join([ME, *OFFERED, *guests, *COMPANY[:2], "…"])
                raise Misuse("no_such_player", level=level, levels=names)
            check_level(level, guests=guests)
            free = (other for other in NAMES if distinct_name(other, [*taken, *named]) == other)
            own = CHARACTERS.get(level)
            called = own.name if own is not None else next(free)
            taken.append(distinct_name(called, taken))
            players.append(game.Player(taken[-1], level=level))
    return tuple(players)


def new_match(
    rules: Ruleset,
    players: tuple[game.Player, ...],
    shelf: Shelf,
    seed: str | None = None,
    record: Path | None = None,
    before: game.MatchState | None = None,
) -> LocalMatch:
    """A new match; `before` is the last match of the same players, with its pot and dealer."""
    house = House.fresh() if seed is None else House.from_seed(seed)
    files = [shelf.new_place(house), *([record] if record else [])]
    pot, dealer = (before.pot, before.dealer) if before is not None else (0, None)
    started = game.MatchStarted(rules, players, pot, dealer)
    return LocalMatch((started,), house, seed is not None, tuple(files))


def same_cards(
    log: Sequence[Event],
    shelf: Shelf,
    seed: str | None = None,
    record: Path | None = None,
) -> LocalMatch:
    """A match with the cards of one that is over, everybody one seat on."""
    state, decks = replay(log), _decks_of(log)
    first = next(event for event in log if isinstance(event, game.Dealt))
    players = (*state.players[-1:], *state.players[:-1])
    rules, origin = of_deals(state.rules, len(decks)), game.CardsOrigin("", 1)
    match = new_match(rules, players, shelf, seed, record)
    started = game.MatchStarted(rules, players, state.pot, first.dealer, origin)
    return replace(match, log=(started,), decks=decks)


def _decks_of(log: Sequence[Event]) -> tuple[tuple[Card, ...], ...]:
    """The decks of the deals of a match, all hands open."""
    return tuple(
        game.deck_of([hand or () for hand in each.hands], each.kitty or (), each.dealer)
        for each in log
        if isinstance(each, game.Dealt)
    )


def match_before(match: LocalMatch, shelf: Shelf) -> game.MatchState | None:
    """The match whose cards a match deals again, if it is among the last ones played here."""
    for path in shelf.played_latest_first()[:MOST_BEFORE] if match.decks else ():
        with suppress(RecordFault):
            record = load_record(path)
            if record.finished and _decks_of(record.log) == match.decks:
                return record.state
    return None


class LocalTable(Dialogue):
    """A table on this machine: one person and bots, or bots alone."""

    def __init__(
        self,
        words: Words,
        console: Console,
        manner: PlayStyle,
        shelf: Shelf,
        engines: Sequence[str] = (),
    ) -> None:
        super().__init__(words, console)
        self._manner = manner
        self.shelf = shelf
        self.guests = Guests(engines, (ME,), self.complain)
        self.log: tuple[Event, ...] = ()  # of the last match that was played to its end
        self._luck: LuckAside | None = None  # of the last match
        self.has_lost = False  # whether some file does not hold the whole match that it should

    def play(self, match: LocalMatch) -> game.MatchState:
        """Play the match to its end. Raises `Quit` when the person leaves, after saving it, and
        `TerminalFault` while it is played in another terminal.
        """
        self._tell_luck()
        with self.shelf.held(match.files[0]), closing(self.guests):
            state = self._play(match)
            self.shelf.put_away(match.files[0])
        return state

    def _play(self, match: LocalMatch) -> game.MatchState:
        owners: list[game.Owner] = [
            match.bot(seat, self.guests) for seat in range(len(match.players))
        ]
        recorders = [
            Recorder(file, match.log, match.master, self.complain, match.decks)
            for file in match.files
        ]
        warm_up(player.level for player in match.players if player.level)
        person = witness = None
        if match.me is not None:
            person = TerminalPlayer(match.me, self.words, self.console, self._manner)
            owners[match.me] = person
        else:
            witness = Witness(None, self.words, self.console, self._manner)
            witness.tell([visible(event, None) for event in match.log])

        def listen(state: game.MatchState, events: Sequence[Event]) -> None:
            for recorder in recorders:
                recorder(state, events)
            if witness is not None:
                witness.tell([visible(event, None) for event in events])

        driver = game.Driver(match.log, owners, match.chance(), listen, ENGINE)
        try:
            state = driver.run() if person is None else _attended(driver, person)
        except (Quit, KeyboardInterrupt) as gone:
            self._part(match, tuple(driver.log))
            raise Quit(signal_of(gone)) from None
        self._miss(match, recorders)
        self.log = tuple(driver.log)
        if match.me is not None:
            self._luck = LuckAside(driver.log, match.me, state.rules)
        return state

    def _miss(self, match: LocalMatch, recorders: Sequence[Recorder]) -> None:
        """Tell which of the files named by the person do not hold the whole match."""
        for file, recorder in zip(match.files, recorders, strict=True):
            if recorder.why and file.parent != self.shelf.under_way:
                self.complain(TerminalFault("record_incomplete", path=file, why=recorder.why))
                self.has_lost = True

    def _part(self, match: LocalMatch, log: tuple[Event, ...]) -> None:
        """Check that the match is saved, and say how to resume it."""
        self._miss(
            match, [Recorder(file, log, match.master, decks=match.decks) for file in match.files]
        )
        for file in match.files:
            with suppress(RecordFault):
                if load_record(file).log == log:
                    on_shelf = file.parent == self.shelf.under_way
                    command = command_line("play", "--resume", *([] if on_shelf else [str(file)]))
                    self.say(N_("The match is saved. To go on: {command}"), command=command)
                    return
        self.say(N_("The match could not be saved, and is lost."))
        self.has_lost = True

    def again(self, state: game.MatchState) -> Rematch:
        """The match that the person wants next.

        How much luck they had in the last one is told before, if it is known soon enough; else
        before the next one.
        """
        self._tell_luck(PATIENCE)
        try:
            player = TerminalPlayer(0, self.words, self.console, self._manner)
            return player.again(state, same=True)
        except Quit:
            return Rematch.NONE

    def compare(self, before: game.MatchState, now: game.MatchState, me: int | None) -> None:
        """Say what others have made of the same cards."""
        then, after = (SameCards(each.players, each.deals) for each in (before, now))
        self.console.say(*told(self.words, by_seats(self.words, now.rules, then, after, me)))

    def _tell_luck(self, patience: float = 0.0) -> None:
        if self._luck is not None:
            self.console.say(*self._luck.lines(self.words, patience))


def _attended(driver: game.Driver, person: TerminalPlayer) -> game.MatchState:
    """Play to the end of the match; at a refereed table, ask the person before others close a trick
    or a deal, since that ends the time for putting things right (I4, I6).
    """
    while True:
        if person.waited_for and (action := person.before_others()) is not None:
            _submit(driver, person, action)
            continue
        if not driver.step():
            return driver.state
        match = driver.state
        open_trick = isinstance(match, RefereedMatch) and match.deal and not match.lying.full
        if open_trick and (early := person.lead_out_of_turn()) is not None:
            _submit(driver, person, early)


def _submit(driver: game.Driver, person: TerminalPlayer, action: SeatAction) -> None:
    refusal = driver.submit(action)
    if refusal is not None:
        person.refused(refusal)


ASIDE: Final = ".broken"
"""Suffix of the file for the part of a record that cannot be read."""


def resumed_match(file: Path | None, table: LocalTable, record: Path | None = None) -> LocalMatch:
    """The unfinished match of a record, or else the latest one that was left.

    The broken end of a record is put into a file beside it, and the match goes on from the rest.

    Raises `RecordFault` for a file that cannot be opened, and `TerminalFault` for one that cannot
    be resumed.
    """
    path, left = _latest(table) if file is None else (file, _named(file, table))
    log, house = left.log, House(left.master) if left.master else None
    proof = replay(log).proof
    saved = _place_on_shelf(path, log, house, table.shelf)
    files = tuple(dict.fromkeys(each for each in (saved, path, record) if each is not None))
    match = LocalMatch(log, house, False, files, left.decks)
    return replace(match, repeatable=proof is not None and match.me in proof.house)


def _named(file: Path, table: LocalTable) -> Record:
    """Read the record that the person has named."""
    try:
        record = _mended(file, table)
    except RecordFault as fault:
        if not fault.line:  # the fault names the file already
            raise
        raise TerminalFault("not_resumed", path=file, fault=fault) from None
    if record.finished:
        raise TerminalFault("match_over", path=file)
    return record


def _latest(table: LocalTable) -> tuple[Path, Record]:
    """The match that was left last. Finished ones still on the shelf are put away."""
    for path in table.shelf.latest_first():
        try:
            record = _mended(path, table)
        except RecordFault as fault:
            if fault.line:
                aside = free_place(path.with_name(path.name + ASIDE))
                path.rename(aside)
                table.complain(TerminalFault("match_aside", path=path, fault=fault, aside=aside))
            else:
                table.complain(fault)
            continue
        if not record.finished:
            return path, record
        table.shelf.put_away(path)
    raise TerminalFault("nothing_to_resume")


def _mended(path: Path, table: LocalTable) -> Record:
    """Read the record of a file; put its end aside if that cannot be read.

    Raises `RecordFault` if too little is left to resume.
    """
    content = content_of(path)
    lines = content.split(b"\n")
    whole, first = len(lines), None
    while True:
        try:
            record = parse_record(content)
            break
        except RecordFault as fault:
            first = first or fault
            whole = min(whole, fault.line) - 1
            if whole < 1:
                raise first from None
            content = b"".join(line + b"\n" for line in lines[:whole])
    master_of(record)  # raises if it is missing: nobody could deal
    if record.state.cards is not None and not (record.decks or record.finished):
        raise RecordFault("no_decks", line=1)
    if first is not None:
        aside = free_place(path.with_name(path.name + ASIDE))
        write(aside, b"\n".join(lines[whole:]))
        write(path, content)
        table.complain(TerminalFault("end_aside", path=path, fault=first, aside=aside))
    return record


def _place_on_shelf(path: Path, log: Sequence[Event], house: House | None, shelf: Shelf) -> Path:
    """Path on the shelf for a resumed match: a saved one that is no further, or a new path."""
    if house is None or path.resolve().parent == shelf.under_way.resolve():
        return path
    for place in shelf.places_of(house):
        with suppress(RecordFault):
            saved = load_record(place).log
            if saved == tuple(log[: len(saved)]):
                return place
    return shelf.new_place(house)


@dataclass(frozen=True)
class Wishes:
    """Options of the command line for a new table."""

    rules: str | None = None
    settings: Sequence[str] = ()
    players: str | None = None
    seats: Sequence[str] = ()

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

    def table(self) -> tuple[Ruleset, list[str]]:
        """The rules, and the words for the seats, clockwise. Raises `RulesetFault` and `Misuse`."""
        rules = chosen_rules(self.rules, self.settings, self.players, len(self.seats))
        known = (ME, OPEN, *LEVELS, *CHARACTERS)
        seats = [meant(seat, known) for seat in self.seats] or [ME, *COMPANY[: rules.players - 1]]
        if len(seats) != rules.players:
            raise Misuse("seats_differ", seats=len(seats), players=rules.players)
        return rules, seats
