"""Preferences of a person: one list, from which form, page and checks are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any, Final

from volte.conversation.pace import USUAL_BOT_PACE, USUAL_TRICK_PACE
from volte.forms.fields import Amount, Choice, Field, Letter, Switch
from volte.say import Verbosity
from volte.say.catalogue import LANGUAGES, language_of
from volte.say.keys import Key
from volte.scene.faces import AUTO, HUES, INITIALS, PICTURES
from volte.wire.messages import SLOWEST_BOT, SLOWEST_TRICK

GROUPS: Final[Mapping[str, tuple[Field, ...]]] = {
    "telling": (
        Choice("lang", LANGUAGES[0], language_of, values=LANGUAGES),
        Choice("verbosity", str(Verbosity.NORMAL), values=tuple(map(str, Verbosity))),
        *(Switch("say_plays", True), Switch("say_tricks", True), Switch("say_pass", True)),
        *(Switch("say_scores", True), Switch("say_rulings", True), Switch("say_people", True)),
        *(Switch("say_clock", True), Switch("say_talk", True), Switch("say_again", True)),
        Switch("remarks", True),
        Amount("reader_rate", None, least=80, most=700, optional=True),
        Switch("speech", False),
        Amount("speech_rate", 100, least=50, most=300),
    ),
    "playing": (
        Choice("tap", "auto", values=("auto", "once", "twice", "confirm")),
        Choice("order", "suit", values=("suit", "rank")),
        Switch("auto_forced", False),
        Switch("bots_wait", False),
        Switch("first_playable", False),
        Switch("skip_barred", False),
        Amount("bot_pace", USUAL_BOT_PACE, least=0, most=SLOWEST_BOT),
        Amount("trick_pace", USUAL_TRICK_PACE, least=0, most=SLOWEST_TRICK),
    ),
    "person": (
        Choice("face", INITIALS, values=(INITIALS, *PICTURES)),
        Choice("hue", AUTO, values=(AUTO, *HUES)),
    ),
    "look": (
        Choice("theme", "system", values=("system", "light", "dark")),
        Choice("contrast", "system", values=("system", "more")),
        Choice("motion", "system", values=("system", "less")),
        Choice("colours", "four", values=("four", "two")),
        Switch("large", False),
        Choice("back", "waves", values=("waves", "lattice", "plain")),
        Choice("buttons", "few", values=("few", "all")),
    ),
    "sounds": (
        Choice("sounds", "on", values=("off", "quiet", "on", "names")),
        *(Switch("sound_cards", True), Switch("sound_turn", True), Switch("sound_tricks", True)),
        *(Switch("sound_ends", True), Switch("sound_people", True)),
    ),
    "keys": (
        Switch("keys", True),
        *(Letter(f"key_{key.label}", key.value[0]) for key in Key if key.own),
    ),
}
"""Preferences by their heading. Digits belong to K1, so they cannot be chosen as keys."""


PREFERENCES: Final = {each.name: each for group in GROUPS.values() for each in group}

OF_COMPANY: Final = ("say_people", "say_clock", "say_talk", "sound_people", "key_talk")
"""Preferences about other people at the table."""

ALONE: Final = {name: each for name, each in PREFERENCES.items() if name not in OF_COMPANY}
"""Preferences of somebody who plays with bots alone, by name."""

USUAL: Final[Mapping[str, Any]] = {name: each.usual for name, each in PREFERENCES.items()} | {
    "helped": False  # whether the help for newcomers has been read
}


def filled_in(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a person: their own choices, and defaults for the rest.

    A key that was added after they chose theirs gets another letter if its own is taken.
    """
    settings = {**USUAL, **chosen}
    letters = [each for each in GROUPS["keys"] if isinstance(each, Letter)]
    used = {settings[each.name] for each in letters if each.name in chosen}
    for each in letters:
        if each.name not in chosen and each.usual in used:
            free = set(ascii_lowercase) - used - {other.usual for other in letters}
            settings[each.name] = min(free)
            used.add(settings[each.name])
    return settings


def twice_used(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of settings with the same key: the later one, then the earlier one."""
    used: dict[str, str] = {}
    for each in GROUPS["keys"]:
        if not isinstance(each, Letter):
            continue
        first = used.setdefault(settings[each.name], each.name)
        if first != each.name:
            yield each.name, first
