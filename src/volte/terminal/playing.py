"""`volte play`: from options to a table, and on from match to match."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from volte.console.files import Shelf, free_place
from volte.console.options import words_for
from volte.console.person import PlayStyle
from volte.console.terminal import Console, Misuse, TerminalFault, command_line
from volte.rules import Irregularities
from volte.say import N_, Verbosity, Words
from volte.say.console import console_sentence
from volte.terminal.table import (
    LocalMatch,
    LocalTable,
    Wishes,
    new_match,
    players_at,
    resumed_match,
)


def play(
    lang: str,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    seats: Sequence[str] | None,
    name: str | None,
    seed: str | None,
    record: Path | None,
    resume: str | None,
    connect: str | None,
    login: str | None,
    auto_forced: bool,
    plain: bool,
    width: int | None,
    verbosity: Verbosity | None,
    screen_reader: bool | None,
) -> int:
    """Plays matches until the person has had enough. Raises `Left`, and a `Fault` for misuse."""
    by_ear = uses_reader(Words(lang), plain, screen_reader)
    plain = plain or by_ear
    usual = next(iter(Verbosity)) if by_ear else Verbosity.NORMAL
    manner = PlayStyle(verbosity or usual, auto_forced)
    wishes = Wishes(rules, settings, players, seats or ())
    if connect is not None:
        from volte.terminal.connecting import play_elsewhere

        for option, value in (("--seed", seed), ("--record", record), ("--resume", resume)):
            if value is not None:
                raise Misuse("not_with_connect", option=option)
        return play_elsewhere(lang, connect, name, wishes, manner, plain, width, login)
    if login is not None:
        raise Misuse("needs_connect", option="--login")
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    table = LocalTable(words, console, manner, Shelf())
    if resume is not None:
        unwanted = wishes.named or ("--name" if name else "--seed" if seed else None)
        if unwanted is not None:
            raise Misuse("rules_or_resume", option=unwanted)
        match = resumed_match(Path(resume) if resume else None, table, record)
    else:
        match = _new_match(words, table, wishes, name, seed, record)
    while True:
        state = table.play(match)
        if match.me is None or not table.again(state):
            return 0
        seed = f"{seed}+" if seed else None
        place = _record_place(table, record)
        match = new_match(state.rules, state.players, table.shelf, seed, place, state)


def _new_match(
    words: Words,
    table: LocalTable,
    wishes: Wishes,
    name: str | None,
    seed: str | None,
    record: Path | None,
) -> LocalMatch:
    rules, levels = wishes.table()
    company = players_at(levels, name if name is not None else words.t(N_("South")))
    if rules.irregularities is Irregularities.REFEREED:
        table.say("refereed")
    return new_match(rules, company, table.shelf, seed, _record_place(table, record))


def _record_place(table: LocalTable, record: Path | None) -> Path | None:
    """Where a new match is recorded: over none that is there already."""
    if record is None or not record.is_file():
        return record
    place = free_place(record)
    table.say("record_elsewhere", path=record, place=place)
    return place


OPTION: Final = "--screen-reader"

ACCESSIBLE: Final = "ACCESSIBLE"
"""Of the environment: some text for yes, none for no."""


class Habits(msgspec.Struct):
    """What this machine knows of whoever plays at it."""

    screen_reader: bool | None = None  # None where they have not been asked


def uses_reader(words: Words, plain: bool, option: bool | None) -> bool:
    """Whether a screen reader is used: as the option says, which is kept, or the environment, or
    what was kept. Where nothing says so, a person at a terminal is asked, unless `plain`.

    Raises `Left`.
    """
    if option is not None:
        _remember(option)
        return option
    if ACCESSIBLE in os.environ:
        return bool(os.environ[ACCESSIBLE])
    with suppress(OSError, msgspec.DecodeError):
        known = msgspec.json.decode(_place().read_bytes(), type=Habits).screen_reader
        if known is not None:
            return known
    console = Console.here()
    if plain or not (console.at_terminal and sys.stdout.isatty()):
        return False
    return _ask(console, words)


def _ask(console: Console, words: Words) -> bool:
    answer: bool | None = None
    while answer is None:
        with suppress(TerminalFault):
            answer = words.yes_or_no(console.ask(console_sentence(words, "uses_reader")))
        if answer is None:
            console.say(console_sentence(words, "yes_or_no"))
    _remember(answer)
    name, other = ("reader_used", "no") if answer else ("reader_not_used", "yes")
    console.say(console_sentence(words, name, command=command_line("play", OPTION, other)))
    return answer


def _remember(answer: bool) -> None:
    """Saves the answer; where nothing can be written, they are asked again the next time."""
    with suppress(OSError):
        _place().parent.mkdir(parents=True, exist_ok=True)
        _place().write_bytes(msgspec.json.encode(Habits(answer)))


def _place() -> Path:
    return Shelf().folder / "terminal.json"
