"""`volte play`: from options to a table, and on from match to match."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from volte.bots import CHARACTERS
from volte.console.command import FAILURE
from volte.console.files import Shelf
from volte.console.habits import habits, keep, uses_reader
from volte.console.options import words_for
from volte.console.person import REFEREED, Rematch
from volte.console.terminal import Console, Misuse, Quit, TerminalFault, command_line
from volte.console.witness import PlayStyle
from volte.files import free_place
from volte.game import MatchState
from volte.rules import Irregularities
from volte.say import N_, Verbosity, Words
from volte.say.levels import introductions
from volte.terminal.table import (
    LocalTable,
    Wishes,
    match_before,
    new_match,
    players_at,
    resumed_match,
    same_cards,
)


def play(
    lang: str,
    rules: str | None,
    settings: Sequence[str],
    players: str | None,
    seats: Sequence[str] | None,
    engines: Sequence[str],
    name: str | None,
    seed: str | None,
    record: Path | None,
    resume: str | None,
    connect: str | None,
    login: str | None,
    people: str | None,
    auto_forced: bool,
    plain: bool,
    width: int | None,
    verbosity: Verbosity | None,
    screen_reader: bool | None,
) -> int:
    """Play matches until the person has had enough. Raises `Quit`, or `VolteError` for misuse."""
    by_ear = asks_for_reader(Words(lang), plain, screen_reader)
    plain = plain or by_ear
    usual = next(iter(Verbosity)) if by_ear else Verbosity.NORMAL
    manner = PlayStyle(verbosity or usual, auto_forced)
    wishes = Wishes(rules, settings, players, seats or ())
    if connect is not None:
        from volte.terminal.connecting import play_elsewhere

        here = {"--seed": seed, "--record": record, "--resume": resume, "--engine": engines or None}
        for option, value in here.items():
            if value is not None:
                raise Misuse("not_with_connect", option=option)
        return play_elsewhere(lang, connect, name, wishes, manner, plain, width, login, people)
    for option, value in {"--login": login, "--people": people}.items():
        if value is not None:
            raise Misuse("needs_connect", option=option)
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    table = LocalTable(words, console, manner, Shelf(), engines)
    if resume is not None:
        unwanted = wishes.named or ("--name" if name else "--seed" if seed else None)
        if unwanted is not None:
            raise Misuse("rules_or_resume", option=unwanted)
        match = resumed_match(Path(resume) if resume else None, table, record)
    else:
        chosen, levels = wishes.table()
        called = name if name is not None else words.t(N_("South"))
        company = players_at(levels, called, table.guests.names)
        if chosen.irregularities is Irregularities.REFEREED:
            table.say(REFEREED)
        if not manner.verbosity.little:
            keys = [player.level for player in company if player.level in CHARACTERS]
            for each in introductions(words, keys):
                console.say(each.about)
        match = new_match(chosen, company, table.shelf, seed, _record_place(table, record))
    ordinary = match.started.rules
    state: MatchState | None = None if resume is None else match_before(match, table.shelf)
    try:
        while True:
            before, state = state, table.play(match)
            if state.cards is not None and before is not None:
                table.compare(before, state, match.me)
            wanted = Rematch.NONE if match.me is None else table.again(state)
            if wanted is Rematch.NONE:
                break
            seed = f"{seed}+" if seed else None
            place = _record_place(table, record)
            if wanted is Rematch.SAME_CARDS:
                match = same_cards(table.log, table.shelf, seed, place)
            else:
                match = new_match(ordinary, state.players, table.shelf, seed, place, state)
    except Quit as gone:
        if gone.signal:
            raise
    return FAILURE if table.has_lost else 0


def _record_place(table: LocalTable, record: Path | None) -> Path | None:
    """Path for the record of a new match, other than any existing file."""
    if record is None or not os.path.isfile(record):
        return record
    place = free_place(record)
    table.say(
        N_("{path} already exists: this match is saved in {place}."), path=record, place=place
    )
    return place


def asks_for_reader(words: Words, plain: bool, option: bool | None) -> bool:
    """Whether a screen reader is used: by the option, which is saved, the environment, or the saved
    answer. Without any of them, a person at a terminal is asked, unless `plain`.

    Raises `Quit`.
    """
    known = option if option is not None else uses_reader()
    if option is not None:
        keep(replace(habits(), screen_reader=option))
    if known is not None:
        return known
    console = Console.here()
    if plain or not (console.at_terminal and sys.stdout.isatty()):
        return False
    answer: bool | None = None
    while answer is None:
        with suppress(TerminalFault):
            answer = words.yes_or_no(console.ask(words.t("Do you use a screen reader, yes or no?")))
        if answer is None:
            console.say(words.t("Please answer yes or no."))
    keep(replace(habits(), screen_reader=answer))
    command = command_line("play", "--screen-reader", "no" if answer else "yes")
    changed = (
        N_(
            "From now on, cards are written in words and messages are short. To change that: "
            "{command}"
        )
        if answer
        else N_("You will not be asked again. To change that: {command}")
    )
    console.say(words.t(changed, command=command))
    return answer
