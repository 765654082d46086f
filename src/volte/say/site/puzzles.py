"""Puzzles on the web: their pages, lists and buttons. What is said of a card: `words.puzzle`."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "puzzle": N_("Puzzles"),
    "puzzle_way": N_("The middle of a deal, and one card is best: which? A new one each day."),
    "puzzle_today": N_("The puzzle of {date}"),
    "puzzle_title": N_("Puzzle {number}"),
    "puzzle_best": N_("Which card is best?"),
    "puzzle_known": N_("What you know"),
    "puzzle_story": N_("The tricks so far"),
    "puzzle_no_story": N_("This is the first trick."),
    "puzzle_hint": N_("Give me a clue"),
    "puzzle_show": N_("Show me the best card"),
    "puzzle_again": N_("Try another card"),
    "puzzle_next": N_("Next puzzle"),
    "puzzle_other": N_("Other puzzles"),
    "puzzle_to_today": N_("The puzzle of the day"),
    "puzzle_before": N_("The one of the day before"),
    "puzzle_any_1": N_("An easy one"),
    "puzzle_any_2": N_("A medium one"),
    "puzzle_any_3": N_("A hard one"),
    "puzzle_all": N_("All puzzles"),
    "puzzle_all_title": N_("All {count} puzzles"),
    "puzzle_solved": N_("Solved in this browser: {count} of {most}."),
    "puzzle_days": N_("Days in a row: {count}."),
    "puzzle_already": N_("You have solved it already."),
    "puzzle_done": N_("solved"),
    "puzzle_kept": N_("What you have solved is kept by this browser, and nowhere else."),
    "puzzle_terminal": N_("The same puzzles are given at the terminal: volte puzzle"),
}
