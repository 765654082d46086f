"""`volte play`: from options to a table, and on from match to match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from volte.console.numbers import USUAL_LEVEL
from volte.console.options import chosen_rules
from volte.console.person import Manner
from volte.console.shelf import Shelf, free_place
from volte.console.symbols import words_for
from volte.console.terminal import Console, Misuse
from volte.rules import Irregularities
from volte.say import N_, Verbosity, Words
from volte.terminal.reader import uses_reader
from volte.terminal.resuming import resumed_match
from volte.terminal.table import ME, Match, Table, new_match, players_at


def play(
    lang: str,
    rules: str | None = None,
    settings: Sequence[str] = (),
    players: str | None = None,
    seats: str | None = None,
    name: str | None = None,
    seed: str | None = None,
    record: Path | None = None,
    resume: str | None = None,
    connect: str | None = None,
    login: str | None = None,
    auto_forced: bool = False,
    plain: bool = False,
    width: int | None = None,
    verbosity: str | None = None,
    screen_reader: str | None = None,
) -> int:
    """Plays matches until the person has had enough. Raises `Left`, and a `Fault` for misuse."""
    by_ear = uses_reader(Words(lang), plain, screen_reader)
    plain = plain or by_ear
    usual = next(iter(Verbosity)) if by_ear else Verbosity.NORMAL
    manner = Manner(Verbosity(verbosity or usual), auto_forced)
    if connect is not None:
        from volte.terminal.connecting import Wishes, play_elsewhere

        for option, unwanted in (("--seed", seed), ("--record", record), ("--resume", resume)):
            if unwanted is not None:
                raise Misuse("not_with_connect", option=option)
        wishes = Wishes(rules, settings, players, seats)
        return play_elsewhere(lang, connect, name, wishes, manner, plain, width, login)
    if login is not None:
        raise Misuse("needs_connect", option="--login")
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    table = Table(words, console, manner, Shelf())
    if resume is not None:
        new = {"--rules": rules, "--set": settings, "--players": players}
        new |= {"--seats": seats, "--name": name, "--seed": seed}
        for option, value in new.items():
            if value:
                raise Misuse("rules_or_resume", option=option)
        match = resumed_match(Path(resume) if resume else None, table, record)
    else:
        match = _new_match(words, table, rules, settings, players, seats, name, seed, record)
    while True:
        state = table.play(match)
        if match.me is None or not table.again(state):
            return 0
        seed = f"{seed}+" if seed else None
        place = _record_place(table, record)
        match = new_match(state.rules, state.players, table.shelf, seed, place, state)


def _new_match(
    words: Words,
    table: Table,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    seats: str | None,
    name: str | None,
    seed: str | None,
    record: Path | None,
) -> Match:
    levels = [level.strip() for level in seats.split(",")] if seats else []
    ruleset = chosen_rules(rules, settings, players, len(levels))
    levels = levels or [ME] + [USUAL_LEVEL] * (ruleset.players - 1)
    if len(levels) != ruleset.players:
        raise Misuse("seats_differ", seats=len(levels), players=ruleset.players)
    company = players_at(levels, name if name is not None else words.t(N_("South")))
    if ruleset.irregularities is Irregularities.REFEREED:
        table.say(
            N_(
                "This table has a referee: nothing stops a wrong card, and the others may object."
                " Type ? for the keys."
            )
        )
    return new_match(ruleset, company, table.shelf, seed, _record_place(table, record))


def _record_place(table: Table, record: Path | None) -> Path | None:
    """Where a new match is recorded: over none that is there already."""
    if record is None or not record.is_file():
        return record
    place = free_place(record)
    table.say(
        N_("{path} is there already: this match is recorded in {place}."), path=record, place=place
    )
    return place
