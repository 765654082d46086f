"""The lesson on the web, and pages that explain."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    # The lesson
    "learn_title": N_("Learn Hearts in ten minutes"),
    "learn_intro": N_(
        "Nine short steps, each with cards on the table and a question. You choose a card and are"
        " told at once what comes of it. By eye or by ear, it is the same lesson."
    ),
    "learn_begin": N_("Begin the lesson"),
    "learn_steps": N_("The steps of the lesson"),
    "step_heading": N_("Step {number} of {count}: {title}"),
    "learn_terminal": N_("The same lesson is given at the terminal: volte learn"),
    "lesson_came": N_("What came of it"),
    "lesson_turn": N_("Your turn"),
    "lesson_give": N_("Give these {count} cards"),
    "lesson_answer": N_("Show me the answer"),
    "lesson_next": N_("Next step: {title}"),
    "lesson_hints": N_("You play against three beginners, and can ask for a hint at any time."),
    "lesson_deal": N_("Deal the cards"),
    "lesson_table": N_("A first deal"),
    # Help
    "all_help": N_("All help"),
    "rules_way": N_("What is played here, clause by clause in plain words."),
    "keys_way": N_("Play by keyboard, and ask the table anything with one key."),
    "fair_way": N_("Why nobody can choose the cards, and how to check it."),
    "history": N_("Where the game comes from"),
    "history_way": N_("From old French games to the screens of Windows."),
    "accessibility_way": N_("What was built and tested for whom, and what was not."),
    "games": N_("The rules of every game"),
    "terminal": N_("At the terminal"),
    "terminal_way": N_(
        "Everything can also be played as lines of text, which suits braille displays and old"
        " machines: volte play --connect, followed by the address of the table."
    ),
    # Keys
    "keys": N_("Keys"),
    "keys_intro": N_("Letters work everywhere on the page of a table, except where you type."),
    "keys_own": N_("Every letter can be changed under “Settings”, or all of them switched off."),
    "keys_moving": N_("Your cards"),
    "keys_asking": N_("Questions"),
    "keys_again": N_("What was said"),
    "name_arrows": N_("Left, right"),
    "key_arrows": N_("the card before, the card after"),
    "name_suits": N_("Up, down"),
    "key_suits": N_("the next suit, the suit before"),
    "name_ends": N_("Home, End"),
    "key_ends": N_("the first card, the last card"),
    "name_enter": N_("Enter, space"),
    "key_enter": N_("plays the card; before the pass, chooses it or puts it back"),
    "name_escape": N_("Escape"),
    "key_escape": N_("back to your hand, from anywhere on the page"),
    "name_digits": N_("1 to 9, and 0"),
    "key_digits": N_("one of the cards on the table"),
    "name_seats": N_("Shift and a digit"),
    "key_seats": N_(
        "one of the seats, clockwise from yours: cards left, points, total, and suits known to be"
        " missing"
    ),
    "name_type": N_("Full stop"),
    "key_type": N_("a line on which you type a card; several for the pass"),
    # Rules
    "rules_intro": N_("Every game that has a name here, with its exact rules."),
    "rules_more": N_(
        "All of these rules can be mixed: open a table, choose a game, and change what you like"
        " under “More options”. The rules in force stand beside every table in plain words."
    ),
    "rules_for": N_("With {count} players"),
    "players_of": N_("For {players} players."),
    "players_range": N_("For {least} to {most} players."),
    "players_nav": N_("Number of players"),
    "play_these": N_("Open a table with these rules"),
    "other_games": N_("All games"),
    "fair_title": N_("Why nobody can cheat when dealing"),
    # Without a connection
    "offline": N_("You are offline"),
    "offline_help": N_(
        "Your match is kept, just as it is. This page comes back by itself as soon as the"
        " connection does."
    ),
    "offline_again": N_("Try again now"),
}
