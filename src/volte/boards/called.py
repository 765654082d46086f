"""Names of a board's game and of the tables where it is played, as people read them."""

from __future__ import annotations

from volte.boards.board import Board
from volte.boards.fixed import term_of
from volte.rules import described
from volte.say import Words
from volte.say.rulesheet.options import preset_title


def rules_called(words: Words, board: Board) -> str:
    """The game of a board: its preset, whatever the number of deals and the direction of the pass.

    Other changes are told as such.
    """
    preset, changes = described(board.deal.rules)
    changed = set(changes) - {"players", "match_end", "pass_cycle"}
    title = preset_title(words, preset)
    return words.t("{rules}, with changes", rules=title) if changed else title


def table_name(words: Words, board: Board) -> str:
    """The name of the table of a try, in the language of its person."""
    term = term_of(board.id)
    if term is not None and term.club:
        return words.t("Deal of the week, {date}", date=term.first.isoformat())
    if term is not None:
        return words.t("Deal of the day, {date}", date=board.id)
    return words.t("A deal by a link")
