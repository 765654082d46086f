"""Sentences about requests that fail: what is wrong, and what to do about it."""

from __future__ import annotations

import re
from math import ceil
from pathlib import PurePath
from typing import Any, Final

from volte.cards import Card, Suit, VolteError
from volte.game import Refusal
from volte.names import on_one_line
from volte.referee import RefereedMatch
from volte.rules import Direction
from volte.say.formats import MINUTE
from volte.say.language import N_, Language
from volte.say.telling import spoken_order
from volte.say.texts import table
from volte.view import View

_FAULTS, _REFUSALS = table("faults"), table("refusals")

RECORDS: Final = _FAULTS["records"]
"""Faults in a line of a record, by the reason of the `VolteError`."""

SETUP: Final = {**_REFUSALS["plan of an evening"], **_REFUSALS["names"], **_REFUSALS["setup"]}
"""Faults in the setup of a table or an evening, by reason."""

FAULTS: Final = SETUP | {
    reason: sentence
    for section, sentences in _FAULTS.items()
    if section != "records"
    for reason, sentence in sentences.items()
}
"""Faults elsewhere than in a line of a record, by reason."""

BREACHES: Final = _REFUSALS["breaches"]
"""Duties that a play can break, by clause."""

REFUSALS: Final = _REFUSALS["match"]
"""Refusals of actions in a match, by reason, except those that `rule_broken` words itself."""

OF_A_PLAYER: Final = _REFUSALS["of a player"]
"""Refusals of an action that is for another player, named in the sentence, by reason."""

OF_A_SEAT: Final = _REFUSALS["of a seat"]
"""Refusals of an action that is for another seat, by reason; for readers of a record."""

_TOGETHER: Final = {**_REFUSALS["evening"], **_REFUSALS["review together"]}

AT_TABLES: Final = {**SETUP, **_TOGETHER, **_REFUSALS["table"]}
"""Refusals of commands at a live table, an evening or a review together, by reason."""

SERVING: Final = {**table("server")["server"], **_TOGETHER}
"""Refusals of a server, by reason; those of an evening or a review together among them."""

SHORTENED: Final = 60
"""Characters of a wrong text that are repeated in the sentence about it."""

SHOWN_DIGITS: Final = 15
"""Most digits of a number that is written as the language writes numbers."""

LONGEST_PATH: Final = 200
"""Characters of a path that are shown."""


# Faults


def fault(language: Language, found: VolteError) -> str:
    """The sentence about a fault: what is wrong, and what to do about it."""
    line = found.params.get("line")
    params = {name: _shown(language, name, value) for name, value in found.params.items()}
    if isinstance(line, int) and found.reason in RECORDS:
        text = language.t(RECORDS[found.reason], **params)
        text = text[:1].lower() + text[1:]
        return language.t("Line {line}: {fault}", line=line, fault=text)
    if found.reason == "removed_not_in_pack":
        card = found.params.get("card")
        if isinstance(card, Card) and card.pack == 1 and card.joker is None:
            no_second = N_(
                "There is no second {card} in one pack: write it without the mark, or set packs=2."
            )
            return language.t(no_second, **params)
    if found.reason not in FAULTS:  # a sentence from elsewhere
        return found.reason
    return language.t(FAULTS[found.reason], **params)


def _shown(language: Language, name: str, value: object) -> Any:
    """A parameter of a fault, short and harmless where somebody has typed it."""
    match value:
        case VolteError():
            return fault(language, value)
        case Refusal():
            return _refused(language, value)
        case str() if name == "install":
            return value
        case str() | None if name == "path":
            return shown_path(value) if value else language.t("The text")
        case PurePath():
            return shown_path(str(value))
        case str() if name == "why":
            return _why_not_read(language, value)
        case tuple() if all(isinstance(item, str) for item in value):
            return ", ".join(map(str, value))
        case bool():
            return _typed(value)
        case list() | str() | dict():
            return _shortened(_typed(value))
        case int() if abs(value) >= 10**SHOWN_DIGITS:
            return _shortened(_typed(value))
        case None:
            return ""
    return value


def _refused(language: Language, refusal: Refusal) -> str:
    """The rule and the legal cards: readers of a record may know the hands."""
    text = rule_broken(language, refusal)
    if refusal.legal and refusal.clause != "P1":  # for a pass, that is the whole hand
        text += " " + language.t("The rules allow {cards:or}.", cards=spoken_order(refusal.legal))
    return text


def _typed(value: object) -> str:
    """A value as it stands in a file of rules, or in JSON."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            items = (f'"{each}"' if isinstance(each, str) else _typed(each) for each in value)
            return f"[{', '.join(items)}]"
    try:
        return str(value)
    except ValueError:  # a number of more digits than Python writes
        return "…"


def _shortened(text: str) -> str:
    shown = on_one_line(text)
    return shown if len(shown) <= SHORTENED else shown[: SHORTENED - 1] + "…"


def shown_path(path: str) -> str:
    """A path on one line; of a long one the end, where the name is."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in path)
    return shown if len(shown) <= LONGEST_PATH else "…" + shown[1 - LONGEST_PATH :]


def _why_not_read(language: Language, why: str) -> str:
    """Message of the system or the TOML reader, in better words where we have some."""
    place = re.search(r"at line (\d+), column (\d+)", why)
    if place is not None:
        return language.t("line {line}, column {column}", line=int(place[1]), column=int(place[2]))
    if "at end of document" in why:
        return language.t(N_("a name appears twice") if TWICE in why else N_("it stops too soon"))
    return language.t(why) if why in SYSTEM else _shortened(why)


TWICE: Final = "Cannot overwrite"
"""Words in messages of the TOML reader about a name that stands twice."""

SYSTEM: Final = (
    N_("a number is too long, or too many brackets are open"),
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
    # Clusters, databases and playrooms
    N_("it does not answer"),
    N_("another program is using it"),
    N_("Connection refused"),
    N_("Connection reset by peer"),
    N_("Name or service not known"),
    N_("Network is unreachable"),
    N_("No route to host"),
    N_("timed out"),
)
"""Messages of systems about something that cannot be opened or reached."""


# Refusals


def refusal(language: Language, refused: Refusal, view: View | None = None) -> str:
    """Why an action is refused, and the cards that could be played or passed.

    Args:
        view: None where no match has begun.
    """
    text = rule_broken(language, refused, view)
    # A referee does not say which cards could be played: any card of the hand may be (I3).
    refereed = view is not None and isinstance(view.state, RefereedMatch)
    whole_hand = refused.clause == "P1" or (refereed and refused.reason == "not_in_hand")
    if refused.legal and not whole_hand:
        cards = spoken_order(refused.legal)
        led = str(refused.params.get("led", ""))  # the suit has just been named
        of_led = refused.clause == "T1" and {card.suit for card in cards} == {_SUITS.get(led)}
        named = language.ranks(cards, "or") if of_led else language.listed(cards, "or")
        text += " " + language.t("You may play {cards}.", cards=named)
    return text


def rule_broken(language: Language, refusal: Refusal, view: View | None = None) -> str:
    """The rule alone, also for somebody who reads a record: seats have numbers there."""
    reason, params = refusal.reason, refusal.params
    match reason:
        case "breach":
            suit = _SUITS.get(str(params["led"]))
            return duty(language, refusal.clause, suit, params.get("trick"))
        case "not_in_hand":
            message = N_("The hand does not hold {card:the}.")
            own = N_("You do not hold {card:the}.")
            return language.t(message if view is None else own, card=Card(str(params["card"])))
        case _ if reason in OF_A_SEAT:
            turn = int(params["turn"])
            if view is None:
                return language.t(OF_A_SEAT[reason], seat=turn + 1)
            return language.t(OF_A_PLAYER[reason], player=view.state.players[turn])
        case "pass_count" if view is not None and view.deal.direction is Direction.SCATTER:
            scatter = N_("Pass {count} cards, not {given}: one to each of the others.")
            return language.t(scatter, **params)
        case "pass_count":
            return language.n(
                "Pass exactly {count} card, not {given}.",
                "Pass exactly {count} cards, not {given}.",
                int(params["count"]),
                given=params["given"],
            )
        case "no_such_seat":
            return language.t("There is no seat {seat}.", seat=int(params["seat"]) + 1)
        case "passed_twice":
            return language.t(REFUSALS[reason], card=Card(str(params["card"])))
    return language.t(REFUSALS.get(reason) or AT_TABLES[reason], **params)


_SUITS: Final = {suit.letter: suit for suit in Suit}


def duty(language: Language, clause: str, suit: Suit | None = None, trick: object = None) -> str:
    """The duty of a clause, given the suit led and the number of a trick that it names."""
    return language.t(BREACHES[clause], suit="" if suit is None else suit, trick=trick)


# The server


def why(words: Language, reason: str, /, **params: object) -> str:
    """Why a server does not do something; for a reason without a sentence, that it failed.

    Args:
        reason: as in `Refused`, or in messages of the wire.
        params: values for the sentence; `seconds` to wait become `wait`, in words.
    """
    seconds = params.get("seconds")
    wait = {"wait": waiting_time(words, seconds)} if isinstance(seconds, int) else {}
    return words.t(SERVING.get(reason, SERVING["failed"]), **params, **wait)


def waiting_time(words: Language, seconds: int) -> str:
    """Time to wait in words, minutes rounded up: "12 seconds", "5 minutes"."""
    if seconds <= 2 * MINUTE:
        return words.n("{count} second", "{count} seconds", seconds)
    return words.n("{count} minute", "{count} minutes", ceil(seconds / MINUTE))
