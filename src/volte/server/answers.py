"""What is answered to a question at a table: the keys of K1, and ours beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from volte.cards import Card, Fault
from volte.rules import Ruleset
from volte.say import Words
from volte.say.answers import tricks
from volte.say.rulesheet.sheet import format_sheet, rule_sheet
from volte.say.typed import read_choice
from volte.table import TableState
from volte.table import status as room_status
from volte.view import View
from volte.wire.messages import Ask, Question

Lines = tuple[str, ...]

_OF_A_MATCH: Final[dict[Question, Callable[[Words, View], Lines]]] = {
    Question.TABLE: Words.table,
    Question.SCORES: Words.scores,
    Question.LAST: Words.last_trick,
    Question.POINTS: Words.points_taken,
    Question.SHEET: lambda words, view: words.score_sheet(view, width=0),
    Question.TRICKS: tricks,
}


def answer(
    words: Words, ask: Ask, state: TableState, view: View | None, status: str
) -> tuple[str, Lines]:
    """Why there is no answer (empty where there is one), and the lines.

    Of any question but for a hint, which takes a while (`volte.server.advising`), and for cards.

    Args:
        state: as the person knows it.
        view: theirs of the match; None before the first.
        status: what is going on, as the scene tells it.
    """
    if ask.what is Question.RULES:
        return "", (*rules_told(words, state.setup.rules), *_rated(words, state))
    if ask.what is Question.TURN:
        return "", _turn(words, state, view, status)
    if view is None:
        return "", (words.t("No match has been begun yet."),)
    if ask.what is Question.TABLE and ask.card:
        return "", words.table_card(view, ask.card)
    if ask.what is Question.HAND:
        return "", words.hand(view, places=ask.places)
    if ask.what is Question.SEAT:
        return "", words.seat(view, ask.seat)
    if ask.what is Question.SITUATION:
        lies = words.situation(view) if state.under_way else ()
        return "", (*_turn(words, state, view, status), *lies)
    return "", _OF_A_MATCH[ask.what](words, view)


def cards_typed(words: Words, ask: Ask, view: View | None) -> tuple[str, Lines, tuple[Card, ...]]:
    """Why a line names no cards of the hand (empty where it does), that in words, and the cards."""
    if view is None or view.seat is None or view.state.deal is None:
        return "no_cards_held", (words.t("You hold no cards."),), ()
    try:
        return "", (), read_choice(words.lang, ask.text, view)
    except Fault as fault:
        return fault.reason, (words.fault(fault),), ()


def _turn(words: Words, state: TableState, view: View | None, status: str) -> Lines:
    """Whose turn it is, while cards are played or passed; else what everybody waits for."""
    if view is None or not state.under_way or state.paused or state.between_deals:
        return (status,)
    seat = state.seats[view.seat] if view.seat is not None else None
    away = seat is not None and seat.stand_in is not None
    return (*words.turn(view), *([room_status.stands_in(words)] if away else []))


def _rated(words: Words, state: TableState) -> Lines:
    """That the matches count for the ratings, where they do."""
    return (
        (
            words.t(
                "The matches at this table are rated. There are no hints, no card is taken back,"
                " and whoever leaves a match is rated as the last."
            ),
        )
        if state.setup.rated
        else ()
    )


def no_hint(state: TableState, view: View | None) -> str:
    """Why no hint is given now; empty where one may be asked for."""
    if not state.setup.hints:
        return "no_hints"
    due = view is not None and view.my_turn and state.under_way and not state.paused
    return "" if due else "no_hint_now"


def rules_told(words: Words, rules: Ruleset) -> Lines:
    """The rule sheet, line by line."""
    return tuple(line for line in format_sheet(rule_sheet(rules, words), words).split("\n") if line)
