"""What is answered to a question at a table: the keys of K1, and ours beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from volte.rules import Ruleset
from volte.table import TableState
from volte.view import View
from volte.wire.messages import Ask, Question
from volte.words import Words
from volte.words.claiming import tricks
from volte.words.pages import page_sentence
from volte.words.serving import serving_sentence
from volte.words.sheet import format_sheet, rule_sheet

Lines = tuple[str, ...]

_OF_A_MATCH: Final[dict[Question, Callable[[Words, View], Lines]]] = {
    Question.TABLE: Words.table,
    Question.SCORES: Words.scores,
    Question.TURN: Words.turn,
    Question.LAST: Words.last_trick,
    Question.POINTS: Words.points_taken,
    Question.SHEET: lambda words, view: words.score_sheet(view, width=0),
    Question.TRICKS: tricks,
}


def answer(words: Words, ask: Ask, state: TableState, view: View | None) -> tuple[str, Lines]:
    """Why there is no answer (empty where there is one), and the lines.

    Of any question but for a hint, which takes a while (`volte.server.advising`).

    Args:
        state: as the person knows it.
        view: theirs of the match; None before the first.
    """
    if ask.what is Question.RULES:
        return "", (*rules_told(words, state.setup.rules), *_rated(words, state))
    if view is None:
        return "", (serving_sentence(words, "no_match_yet"),)
    if ask.what is Question.TABLE and ask.card:
        return "", words.table_card(view, ask.card)
    if ask.what is Question.HAND:
        return "", words.hand(view, places=ask.places)
    return "", _OF_A_MATCH[ask.what](words, view)


def _rated(words: Words, state: TableState) -> Lines:
    """That the matches count for the ratings, where they do."""
    return (page_sentence(words, "rated_note"),) if state.setup.rated else ()


def no_hint(state: TableState, view: View | None) -> str:
    """Why no hint is given now; empty where one may be asked for."""
    if not state.setup.hints:
        return "no_hints"
    due = view is not None and view.my_turn and state.under_way and not state.paused
    return "" if due else "no_hint_now"


def rules_told(words: Words, rules: Ruleset) -> Lines:
    """The rule sheet, line by line."""
    return tuple(line for line in format_sheet(rule_sheet(rules, words), words).split("\n") if line)
