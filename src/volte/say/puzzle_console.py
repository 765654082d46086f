"""What the terminal says around puzzles."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PUZZLE_CONSOLE: Final = {
    "puzzle_card": N_("The best card?"),
    "puzzle_lead": N_("The best lead?"),
    "puzzle_again": N_("Try again, or type I for a clue."),
    "puzzle_next": N_("Enter for the next puzzle, Q to leave?"),
    "puzzle_only_cards": N_("Here only a card is looked for: type one, or ? for the keys."),
    "puzzle_nothing_more": N_(
        "Press Enter for the next puzzle, or type a key, or a card to hear what it would cost."
    ),
    "puzzle_progress": N_("You have solved {count} of {most} puzzles."),
    "puzzle_streak": N_("Puzzles of the day solved on {count} days in a row."),
    "puzzle_seen": N_("You have seen the answer to this one: it does not count as solved."),
    "puzzle_keys_card": N_(
        "A card: its name (qs, queen of spades, ♠Q), or its place in your hand (.3)."
    ),
    "puzzle_key_tricks": N_("G: all tricks of this deal so far."),
    "puzzle_key_clue": N_("I: a clue; once more, the answer."),
    "puzzle_key_next": N_("N: another puzzle."),
    "puzzle_key_quit": N_("Q: leaves the puzzles. What you have solved is kept."),
    # What cannot be
    "no_such_puzzle": N_("There is no puzzle {number}: they go from 1 to {most}."),
    "position_unreadable": N_("The position cannot be read at “{line}”: {why}."),
    "puzzle_options": N_("{option} and {other} do not go together: leave one of them out."),
    "progress_not_read": N_("{path} cannot be read, so what you solve is not kept: {why}."),
    "progress_not_kept": N_("What you have solved could not be kept in {path}: {why}."),
}
"""The sentences by name, in English."""
