"""Sentences for somebody who waits for people to play with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Final

from volte.forms.game import newcomers_preset
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.seeks import game_named
from volte.meeting.waiting import Waiters, Waiting
from volte.say import Words
from volte.say.rulesheet.options import preset_title
from volte.store.bus import within

# Seconds:
QUIET: Final = 10.0  # between two sentences about the number of those who look for people
LOOKING: Final = 30.0  # after which somebody is looked at though nothing has changed


async def waits_told(
    matchmaker: Matchmaker, waiting: Callable[[], Waiting | None], words: Callable[[], Words]
) -> AsyncIterator[tuple[str, str]]:
    """Tell how it stands with the people whom somebody looks for, at once and then what changes:
    sentences, and a few words for the table, both empty for somebody who looks for none.

    Args:
        waiting: gives the wait of the person at their table.
        words: gives the language of the person.
    """
    told, with_whom, quiet = "", "", 0.0
    while True:
        change = matchmaker.change()
        spoken, wait, now = words(), waiting(), monotonic()
        line = " ".join(waiting_told(spoken, wait)) if wait else ""
        going = going_told(spoken, wait) if wait else ""
        if line != told and (now >= quiet or going != with_whom or "" in (line, told)):
            told, with_whom, quiet = line, going, now + QUIET
            yield line, waiting_in_short(spoken, wait) if wait else ""
        await within(change, LOOKING if line == told else quiet - now)


def waiting_told(words: Words, waiting: Waiting) -> tuple[str, ...]:
    """Sentences for somebody who waits: with whom they play or will play, and how many others wait
    for which game."""
    return tuple(filter(None, (going_told(words, waiting), others_told(words, waiting))))


def waiting_in_short(words: Words, waiting: Waiting) -> str:
    """Tell the wait in a few words, for eyes that look at the table."""
    if waiting.joins:
        return (
            words.t("You will play with {names} soon.", names=waiting.names)
            if waiting.names
            else words.t("You will play with others soon.")
        )
    count = waiting.count
    if not count and waiting.company:
        return words.t("Others can still join.")
    if not count:
        return words.t("Nobody else is waiting yet.")
    return words.n("{count} other person is waiting.", "{count} others are waiting.", count)


def going_told(words: Words, waiting: Waiting) -> str:
    """Tell where somebody goes on, or with whom they play; empty where they are alone."""
    if waiting.joins and not waiting.names:
        return words.t("You will join other people as soon as their deal is over.")
    if waiting.joins:
        return words.t("You will join {names} as soon as their deal is over.", names=waiting.names)
    return (
        words.t("You are playing with {names}.", names=waiting.company) if waiting.company else ""
    )


def others_told(words: Words, waiting: Waiting) -> str:
    """Tell how many others wait, and for which games."""
    count = waiting.count
    if not count:
        return words.t("Nobody else is waiting for people to play with.")
    games = [_game(words, each, count) for each in waiting.others]
    return words.n(
        "{count} other person is waiting for people to play with: {games}.",
        "{count} others are waiting for people to play with: {games}.",
        count,
        games=games,
    )


def _game(words: Words, waiters: Waiters, count: int) -> str:
    usual = newcomers_preset(words)  # of presets with the same rules, the one that people know
    preset = usual if game_named(usual) == waiters.preset else waiters.preset
    title = preset_title(words, preset) if preset else words.t("any game")
    if waiters.count == count:
        return title
    return words.t("{count} for {game}", count=waiters.count, game=title)
