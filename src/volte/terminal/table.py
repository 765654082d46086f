"""A match at the terminal: who sits where, who deals, where it is kept, and how it goes on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from volte.bots import LEVELS, NAMES, BotOwner, make_bot, warm_up
from volte.cards import Fault
from volte.console.numbers import USUAL_LEVEL
from volte.console.person import Manner, Person, Witness
from volte.console.shelf import Shelf
from volte.console.terminal import Console, Left, Misuse, command_line, signal_of
from volte.fair import House
from volte.game import (
    Chance,
    Driver,
    MatchStarted,
    MatchState,
    Owner,
    PlainChance,
    Player,
    ProvedChance,
    random_bytes,
)
from volte.names import clean_name, distinct_name
from volte.notation import Recorder, RecordFault, load_record
from volte.referee import ENGINE, Event, RefereedMatch, SeatAction, visible
from volte.rules import Ruleset, Settlement
from volte.say import N_, Words

ME: Final = "me"


@dataclass(frozen=True)
class Match:
    """A match to be played on.

    Attributes:
        log: what has happened so far, from `MatchStarted` on.
        house: who deals; None in a record that proves nothing.
        repeatable: whether the house speaks for the person too, so that a seed says it all.
        files: where it is kept.
    """

    log: tuple[Event, ...]
    house: House | None
    repeatable: bool
    files: tuple[Path, ...]

    @property
    def players(self) -> tuple[Player, ...]:
        started = self.log[0]
        assert isinstance(started, MatchStarted)
        return started.players

    @property
    def me(self) -> int | None:
        """The seat of the person at this terminal."""
        return next((seat for seat, player in enumerate(self.players) if player.person), None)

    @property
    def master(self) -> bytes | None:
        """What the match can be resumed with."""
        return self.house.master if self.house is not None else None

    def chance(self) -> Chance:
        if self.house is None:
            return PlainChance(secrets.randbits(64))
        return ProvedChance(self.house, None if self.repeatable else random_bytes)

    def warm_up(self) -> None:
        """Has what the bots need fetched, in the background."""
        warm_up(player.level for player in self.players if player.level)

    def bot(self, seat: int) -> BotOwner:
        """The bot at that seat, the same for the same house: number 0 is never dealt from."""
        seed = self.house.contribution(0, seat)[:8] if self.house else secrets.token_bytes(8)
        level = self.players[seat].level
        bot = make_bot(level if level in LEVELS else USUAL_LEVEL, int.from_bytes(seed, "big"))
        return BotOwner(bot, seat)


def players_at(seats: Sequence[str], name: str) -> tuple[Player, ...]:
    """The players for seats written as levels, or `me`. Raises `Misuse` and `NameFault`."""
    name = clean_name(name)
    if seats.count(ME) > 1:
        raise Misuse("one_person")
    others = iter([other for other in NAMES if distinct_name(other, [name]) == other])
    players = []
    for level in seats:
        if level == ME:
            players.append(Player(name, person=True))
        else:
            check_level(level, ME)
            players.append(Player(next(others), level=level))
    return tuple(players)


def check_level(level: str, *others: str) -> None:
    """Raises `Misuse` for what no bot plays at; `others` can be named as well."""
    if level not in LEVELS:
        raise Misuse("no_such_player", level=level, levels=", ".join([*others, *LEVELS]))


def new_match(
    rules: Ruleset,
    players: tuple[Player, ...],
    shelf: Shelf,
    seed: str | None = None,
    record: Path | None = None,
    before: MatchState | None = None,
) -> Match:
    """A match about to begin; `before` is the one that the same players go on from."""
    house = House.fresh() if seed is None else House.from_seed(seed)
    files = [shelf.new_place(house), *([record] if record else [])]
    pot, dealer = (before.pot, before.dealer) if before is not None else (0, None)
    started = MatchStarted(rules, players, pot, dealer)
    return Match((started,), house, seed is not None, tuple(files))


class Table:
    """Where matches are played: one person and bots, or bots alone."""

    def __init__(self, words: Words, console: Console, manner: Manner, shelf: Shelf) -> None:
        self._words = words
        self._console = console
        self._manner = manner
        self.shelf = shelf

    def play(self, match: Match) -> MatchState:
        """Plays the match to its end. Raises `Left` when the person goes, the match being saved,
        and `TerminalFault` while it is played in another terminal.
        """
        with self.shelf.held(match.files[0]):
            state = self._play(match)
            self.shelf.put_away(match.files[0])
        return state

    def _play(self, match: Match) -> MatchState:
        recorders = [
            Recorder(file, match.log, match.master, self.say_fault) for file in match.files
        ]
        match.warm_up()
        owners: list[Owner] = [match.bot(seat) for seat in range(len(match.players))]
        person = witness = None
        if match.me is not None:
            person = Person(match.me, self._words, self._console, self._manner)
            owners[match.me] = person
        else:
            witness = Witness(None, self._words, self._console, self._manner)
            witness.tell([visible(event, None) for event in match.log])

        def listen(state: MatchState, events: Sequence[Event]) -> None:
            for recorder in recorders:
                recorder(state, events)
            if witness is not None:
                witness.tell([visible(event, None) for event in events])

        driver = Driver(match.log, owners, match.chance(), listen, ENGINE)
        try:
            state = driver.run() if person is None else _attended(driver, person)
        except (Left, KeyboardInterrupt) as gone:
            self._part(match, tuple(driver.log))
            raise Left(signal_of(gone)) from None
        return state

    def _part(self, match: Match, log: tuple[Event, ...]) -> None:
        """Says how to go on, once the match has been seen to be saved."""
        for file in match.files:
            Recorder(file, log, match.master)
            with suppress(RecordFault):
                if load_record(file).log == log:
                    kept = file.parent == self.shelf.under_way
                    words = ["play", "--resume", *([] if kept else [str(file)])]
                    self.say(
                        N_("The match is saved. To go on: {command}"), command=command_line(*words)
                    )
                    return
        self.say(N_("The match could not be saved, and is lost."))

    def say(self, message: str, **params: object) -> None:
        self._console.say(self._words.t(message, **params))

    def say_fault(self, fault: Fault) -> None:
        self._console.say(self._words.fault(fault))

    def again(self, state: MatchState) -> bool:
        """Whether the person wants another match."""
        person = Person(0, self._words, self._console, self._manner)
        try:
            if state.rules.stakes.settlement is Settlement.POT and state.pot:
                return person.agree(
                    N_("The pot of {pot} waits. Another match, yes or no?"),
                    pot=self._words.stakes(state.pot),
                )
            return person.agree(N_("Another match, yes or no?"))
        except Left:
            return False


def _attended(driver: Driver, person: Person) -> MatchState:
    """Plays to the end of the match; at a refereed table the person is asked before others close
    a trick or a deal, since that ends the time for putting things right (I4, I6).
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


def _submit(driver: Driver, person: Person, action: SeatAction) -> None:
    refusal = driver.submit(action)
    if refusal is not None:
        person.refused(refusal)
