"""Bots that installed packages add, by the entry point group `volte.bots` (docs/your-bot.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from volte.bots.protocol import Bot
from volte.cards import Fault

GROUP: Final = "volte.bots"
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


@cache
def installed() -> Mapping[str, EntryPoint]:
    """What makes each bot that was found when this was first called, by its name.

    Names are 1 to 40 small letters, digits and hyphens. A level of ours is never taken from there.
    """
    return {each.name: each for each in entry_points(group=GROUP) if _NAME.fullmatch(each.name)}


def installed_bot(name: str) -> Callable[[int], Bot] | None:
    """What makes the bot of that name from a seed; None where no package has one.

    What it calls raises `Fault` `bot_not_loaded` where the package is broken.
    """
    entry = installed().get(name)
    if entry is None:
        return None

    def make(seed: int) -> Bot:
        try:
            bot: Bot = entry.load()(seed)
            if not callable(getattr(bot, "choose", None)):
                raise TypeError(f"{entry.value} makes no bot: it has no method choose")
        except Exception as error:
            package = entry.dist.name if entry.dist is not None else entry.value
            why = f"{type(error).__name__}: {error}"
            raise Fault("bot_not_loaded", name=name, package=package, why=why) from error
        return bot

    return make
