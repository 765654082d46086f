"""The levels of bots in words; `volte.bots.levels` has what plays at each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from volte.bots import OFFERED
from volte.say.language import N_, Language


class LevelWords(NamedTuple):
    """The sentences that name a level."""

    name: str
    many: str  # bots of it
    asked: str  # to a seat
    sits: str  # somebody of it sits down


LEVEL_WORDS: Final = {
    "beginner": LevelWords(
        N_("beginner"),
        N_("beginner bots"),
        N_("a bot, beginner"),
        N_("{player} sits down: a bot, beginner."),
    ),
    "casual": LevelWords(
        N_("casual"),
        N_("casual bots"),
        N_("a bot, casual"),
        N_("{player} sits down: a bot, casual."),
    ),
    "strong": LevelWords(
        N_("strong"),
        N_("strong bots"),
        N_("a bot, strong"),
        N_("{player} sits down: a bot, strong."),
    ),
    "expert": LevelWords(
        N_("expert"),
        N_("expert bots"),
        N_("a bot, expert"),
        N_("{player} sits down: a bot, expert."),
    ),
}
"""By name, the weakest first."""

OFFERED_WORDS: Final = {level: LEVEL_WORDS[level] for level in OFFERED}
"""The same for those that people choose from here."""


def asked_words(words: Language, guests: Iterable[str] = ()) -> list[tuple[str, str]]:
    """What can be asked to a seat, with its words.

    Args:
        guests: names of bots that are not ours, which can be chosen as well.
    """
    guest = N_("a bot, {name}")
    ours = [(level, words.t(each.asked)) for level, each in OFFERED_WORDS.items()]
    return [*ours, *((name, words.t(guest, name=name)) for name in guests)]
