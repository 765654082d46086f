"""What is wrong with what somebody asked for, and what to do: one sentence for every `Fault`."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any, Final

from volte.cards import Card, Fault
from volte.game import Refusal
from volte.names import on_one_line
from volte.say.faults.general import GENERAL_FAULTS, RECORDS
from volte.say.faults.refusals import SETUP, rule_broken
from volte.say.faults.served import (
    ACCOUNT_FAULTS,
    PEOPLE_FAULTS,
    SERVE_FAULTS,
    STORE_FAULTS,
    STORE_WHY,
)
from volte.say.faults.sheets import SHEET_FAULTS
from volte.say.faults.terminal import NETWORK, TERMINAL_FAULTS
from volte.say.language import N_, Language
from volte.say.telling import spoken_order

SHORTENED: Final = 60
"""Characters of a wrong text that are repeated in the sentence about it."""

SHOWN_DIGITS: Final = 15
"""Digits up to which a number is written as numbers are."""

LONGEST_PATH: Final = 200
"""Characters of a path that are shown."""


def fault_sentence(language: Language, fault: Fault) -> str:
    """See `Words.fault`."""
    line = fault.params.get("line")
    params = {name: _said(language, name, value) for name, value in fault.params.items()}
    if isinstance(line, int) and fault.reason in RECORDS:
        text = language.t(RECORDS[fault.reason], **params)
        text = text[:1].lower() + text[1:]
        return language.t("Line {line}: {fault}", line=line, fault=text)
    if fault.reason == "removed_not_in_pack":
        card = fault.params.get("card")
        if isinstance(card, Card) and card.pack == 1 and card.joker is None:
            return language.t(NO_SECOND_PACK, **params)
    return language.t(FAULTS[fault.reason], **params)


def _said(language: Language, name: str, value: object) -> Any:
    match value:
        case Fault():
            return fault_sentence(language, value)
        case Refusal():
            return _refused(language, value)
        case "" if name == "path":
            return language.t("The text")
        case str() if name == "path":
            return shown_path(value)
        case PurePath():
            return shown_path(str(value))
        case str() if name == "why":
            return _why(language, value)
        case str():
            return _shortened(value)
        case tuple() if all(isinstance(item, str) for item in value):
            return ", ".join(map(str, value))
        case list():
            return _shortened(" ".join(map(str, value)))
        case dict():
            return _shortened(str(value))
        case int() if abs(value) >= 10**SHOWN_DIGITS:
            return _shortened(str(value))
        case None:
            return ""
    return value


def _refused(language: Language, refusal: Refusal) -> str:
    """The rule, and what would be legal: whoever reads a record may know the hands."""
    text = rule_broken(language, refusal)
    if refusal.legal and refusal.clause != "P1":  # for a pass, that is the whole hand
        text += " " + language.t("Legal would be {cards:or}.", cards=spoken_order(refusal.legal))
    return text


def _shortened(text: str) -> str:
    shown = on_one_line(text)
    return shown if len(shown) <= SHORTENED else shown[: SHORTENED - 1] + "…"


def shown_path(path: str) -> str:
    """A path on one line; of a long one the end, where the name is."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in path)
    return shown if len(shown) <= LONGEST_PATH else "…" + shown[1 - LONGEST_PATH :]


def _why(language: Language, why: str) -> str:
    """What the system or the TOML reader says, as far as we can say it better."""
    place = re.search(r"at line (\d+), column (\d+)", why)
    if place is not None:
        return language.t("line {line}, column {column}", line=int(place[1]), column=int(place[2]))
    if "at end of document" in why:
        return language.t("it stops too soon")
    return language.t(why) if why in SYSTEM else _shortened(why)


SYSTEM: Final = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File name too long"),
    N_("No space left on device"),
    N_("Read-only file system"),
    N_("Not a file"),
    N_("File too large"),
    N_("Too many levels of symbolic links"),
    N_("Too many open files"),
    N_("No such device or address"),
    N_("Input/output error"),
    N_("Bad file descriptor"),
    N_("it does not answer"),
    *STORE_WHY,
    *NETWORK,
)
"""What systems answer when a file cannot be opened, or a cluster not be reached."""

NO_SECOND_PACK: Final = N_(
    "There is no second {card} in one pack: write it without the mark, or set packs=2."
)
"""A card that cannot be left out since its pack is not there."""

FAULTS: Final = {
    **GENERAL_FAULTS,
    **SETUP,
    **STORE_FAULTS,
    **ACCOUNT_FAULTS,
    **PEOPLE_FAULTS,
    **SERVE_FAULTS,
    **SHEET_FAULTS,
    **TERMINAL_FAULTS,
}
"""By reason. What can be wrong in a line of a record is in `RECORDS`."""
