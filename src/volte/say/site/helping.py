"""Keys, and help for newcomers."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {"intro_title": N_("How this page works")}

CLIENT: Final = {
    "intro_title": N_("How this page works"),
    "intro_hand": N_(
        "Your hand is one list. Tab leads to it; the arrows left and right go from card to card, "
        "up and down to the next suit; Enter plays the card you are on."
    ),
    "tapping_auto": N_(
        "With the mouse, a click plays a card. By touch, the first tap raises it, and the second "
        "plays it."
    ),
    "tapping_once": N_("A click or a tap plays a card."),
    "tapping_twice": N_("A click or a tap raises a card, and a second one plays it."),
    "tapping_confirm": N_(
        "A click or a tap raises a card, and the button below your hand plays it."
    ),
    "intro_barred": N_("A card that may not be played now does not move, and says why."),
    "intro_ask": N_(
        "Ask whenever you like: the buttons below your hand tell the cards on the table, the "
        "scores, whose turn it is."
    ),
    "intro_ask_keys": N_(
        "Ask whenever you like, with the buttons below your hand or with their keys: {keys}."
    ),
    "intro_key": N_("{key} ({name})"),
    "intro_told": N_(
        "All that happens is announced, and never moves you. You find it again under “What has "
        "happened”."
    ),
    "intro_repeat": N_("{key} says the last message again."),
    "intro_all_keys": N_("{key} lists the keys that work now."),
    "intro_settings": N_(
        "How much is told, how fast bots play, sounds, looks and keys: choose them under "
        "“Settings”."
    ),
    "intro_done": N_("Got it"),
    "note_pass": N_("Touch a card to choose it; touch it again to put it back."),
    "note_barred": N_("Hatched cards may not be played now. Touch one, and it says why."),
    "note_ask": N_("The menu has the scores, the last trick, the rules, and all else."),
    "note_ask_keys": N_(
        "The menu has the scores, the last trick, the rules, and all else. {key} lists the keys."
    ),
    "note_settings": N_("Faces, sounds, pace and looks: choose them under “Settings”."),
    "keys_title": N_("The keys that work now"),
    "keys_about": N_("Escape closes this list."),
    "keys_moving": N_("Moving and playing"),
    "keys_asking": N_("Questions"),
    "keys_hearing": N_("What was said"),
    "keys_off": N_("Single-letter keys are switched off: switch them on in the settings."),
    "key_sides": N_("Arrows left and right"),
    "does_sides": N_("to the card beside"),
    "key_ends": N_("Home, End"),
    "does_ends": N_("to the first card, to the last"),
    "key_jump": N_("Arrows up and down"),
    "does_jump": N_("to the suit before or after"),
    "does_jump_rank": N_("to the rank before or after"),
    "key_use": N_("Enter or Space"),
    "does_choose": N_("choose the card, or put it back"),
    "does_play": N_("play the card"),
    "key_tab": N_("Tab"),
    "does_tab": N_("on to the buttons, then to the rest of the page"),
    "key_escape": N_("Escape"),
    "does_escape": N_("back to your hand"),
    "key_digits": N_("1 to {number}"),
    "key_digits_ten": N_("1 to 9, and 0"),
    "does_digits": N_("one of the cards on the table"),
    "key_shift": N_("Shift and {keys}"),
    "does_seats": N_("one of the seats, clockwise from yours"),
    "does_type": N_("type cards"),
    "does_repeat": N_("Say the last message again"),
    "does_before": N_("The message before"),
    "does_after": N_("The message after"),
    "does_kind": N_("Which messages: all, plays, points, talk, table"),
    "close_dialog": N_("Close"),
}
