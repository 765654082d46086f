"""What was told of a deal, reckoned: one door to all the ways of telling."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from volte.rules import Ruleset
from volte.scorekeeper.model.counting import Reckoned, reckon_stopped, reckon_taken
from volte.scorekeeper.model.pack import missing_of, without
from volte.scorekeeper.model.points import reckon_counted
from volte.scorekeeper.model.told import Counted, Misdealt, Stopped, Taken, Told

T = TypeVar("T", Taken, Counted)


def reckon(rules: Ruleset, told: Told) -> Reckoned:
    """What was told, made complete, and its score. Raises `SheetFault` for what cannot be."""
    match told:
        case Misdealt():
            return Reckoned(told, None, ())
        case Stopped():
            return reckon_stopped(rules, told)
        case Taken():
            return reckon_taken(without(rules, told.missing), _settled(rules, told))
        case Counted():
            return reckon_counted(without(rules, told.missing), _settled(rules, told))


def _settled(rules: Ruleset, told: T) -> T:
    """The same, the missing cards in order."""
    return msgspec.structs.replace(told, missing=missing_of(rules, told.missing))
