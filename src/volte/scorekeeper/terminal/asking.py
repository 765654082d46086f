"""What is still missing of a deal that was typed, asked for one thing after the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from volte.cards import JACK, QUEEN, Card
from volte.referee.scores import Took
from volte.say import Words
from volte.say.grammar import plain
from volte.scorekeeper.model import Counted, Sheet, SheetFault, Taken, Told, trial
from volte.scorekeeper.terminal.entry import WAYS, DealReader
from volte.scorekeeper.terminal.keys import ScoreKey, verb_of

_WHO: Final = {"who_took_the_queen": "queen", "who_took_the_jack": "jack"}
_SIGNS: Final = {"-": True, "−": True, "+": False}
_DEAL: Final = re.compile(r"=|\d[a-z]|[a-z]\d", re.IGNORECASE)
"""What stands in a deal and in no list of players."""

Deal = Taken | Counted


class Instead(Exception):
    """A question was answered by a line that means something else."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line  # to be obeyed instead


def completed(
    deal: Told, sheet: Sheet, reader: DealReader, words: Words, ask: Callable[[str], str]
) -> Told:
    """The deal, what is missing asked for: who took a card or no trick, which way a moon counts.

    Raises `Instead` where something else is answered, and a `Fault`.
    """
    questions: list[str] = []
    while isinstance(deal, Taken | Counted):
        fault = trial(sheet, deal)
        if not isinstance(fault, SheetFault) or str(fault) in questions:
            break
        answer = _ANSWERS.get(fault.reason)
        if answer is None:
            break
        questions.append(str(fault))
        line = ask(words.fault(fault))
        if not line or ScoreKey.of(line) is not None or _DEAL.search(line):
            raise Instead(line)
        if answer is not _way and verb_of(line)[0] is not None:  # where names are wanted
            raise Instead(line)
        deal = answer(deal, fault, reader, line)
    return deal


def _one(deal: Deal, fault: SheetFault, reader: DealReader, line: str) -> Deal:
    return replace(deal, **{_WHO[fault.reason]: reader.one_seat(line)})


def _card(deal: Deal, fault: SheetFault, reader: DealReader, line: str) -> Deal:
    card: Any = fault.params["card"]
    assert isinstance(card, Card)
    others = tuple(took for took in deal.others if took.card is not card)
    alone = {"queen": None} if card is QUEEN else {"jack": None} if card is JACK else {}
    return replace(deal, others=(*others, Took(card, reader.takers(card, line))), **alone)


def _idle(deal: Deal, _: SheetFault, reader: DealReader, line: str) -> Deal:
    return replace(deal, trickless=reader.seats_or_nobody(line))


def _way(deal: Deal, _: SheetFault, reader: DealReader, line: str) -> Deal:
    minus = {**WAYS, **_SIGNS}.get(plain(line.strip().strip(".")))
    if minus is None:
        raise Instead(line)
    return replace(deal, minus=minus)


_ANSWERS: Final[dict[str, Callable[[Deal, SheetFault, DealReader, str], Deal]]] = {
    **dict.fromkeys(_WHO, _one),
    "who_took_the_card": _card,
    "who_took_both_cards": _card,
    "who_took_no_trick": _idle,
    "moon_which_way": _way,
}
