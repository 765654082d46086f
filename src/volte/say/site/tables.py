"""The form for a table."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "table_of": N_("{name}’s table"),
    "set_up": N_("Change the table"),
    "table_section": N_("The table, time and help"),
    "table_name": N_("Name of the table"),
    "preset": N_("What is played"),
    "take_preset": N_("Back to the rules of the game chosen"),
    "take_preset_help": N_("What you have changed in the rules is then forgotten."),
    "more_options": N_("More options"),
    "rules_filled": N_("The rules are filled in: {preset}"),
    "part_pack": N_("Rules: the pack"),
    "part_sides": N_("Rules: partners"),
    "part_pass": N_("Rules: the pass"),
    "part_play": N_("Rules: the play"),
    "part_points": N_("Rules: the points"),
    "part_moon": N_("Rules: the moon and the slam"),
    "part_end": N_("Rules: the end of the match, and stakes"),
    "removed_help": N_("Cards with commas between them, such as 2♦, 2♠. Empty for none."),
    "card_points_help": N_(
        "What other cards count, with commas between them, such as K♠ = 10, A♠ = 7, 10♦ = −10."
        " Empty for none."
    ),
    "no_tricks_help": N_("From −1000 to 0, such as −5."),
    "partners_help": N_("Partners sit as far from each other as can be, and score together."),
    "packs_help": N_("Two packs are for six to ten players: equal cards in a trick cancel."),
    "fault_card_points": N_(
        "Write each card, an equals sign and what it counts, such as K♠ = 10, and a comma before"
        " the next one."
    ),
    "fault_card_twice": N_(
        "Each card can be named once, and neither the queen of spades nor the jack of diamonds:"
        " they have fields of their own."
    ),
    "cycle_legend": N_("Where the cards go, deal after deal"),
    "cycle_place": N_("Deal {number}"),
    "cycle_end": N_("(starts over)"),
    "end_number": N_("How many deals, or which total"),
    "refereed_note": N_(
        "With a referee one can go wrong, as with real cards: cards may be played out of turn or"
        " against the rules, the others object or claim a revoke, and the program rules on it."
    ),
    "access_section": N_("Who may come in"),
    "access_public": N_("Everybody: the table is listed in the lobby"),
    "access_link": N_("Whoever has the address"),
    "access_password": N_("Whoever knows the password"),
    "access_private": N_("Nobody, until you press “Invite” at the table"),
    "open_seats": N_("Which seats people may take"),
    "open_seats_help": N_(
        "In the middle of a deal you are always asked before somebody takes a bot’s seat."
    ),
    "open_seats_all": N_("Free seats and bots’ seats"),
    "open_seats_free": N_("Free seats only; bots’ seats are for people you invite"),
    "open_seats_invited": N_("By invitation only"),
    "password": N_("Password"),
    "password_help": N_("Only for a table with a password: {least} characters or more."),
    "keep_password": N_("Leave it empty to keep the one there is."),
    "watching": N_("Who may watch"),
    "watching_nobody": N_("Nobody"),
    "watching_hidden": N_("Anybody, without seeing the hands"),
    "watching_afterwards": N_("Anybody, with all hands open, one deal late"),
    "clock": N_("Seconds for a choice"),
    "clock_help": N_(
        "0 for no clock. From {shortest} to {longest}; below {least} it binds only those who"
        " agree to it, and more time can always be asked for."
    ),
    "grace": N_("Seconds that a seat is kept when a connection is lost"),
    "grace_help": N_(
        "Only then does a bot play there, until the player is back. From 0, for at once, to {most};"
        " left empty it is {usual}, as usual in this playroom."
    ),
    "hints": N_("A hint may be asked for"),
    "seats_section": N_("Who plays with you"),
    "seat_number": N_("Seat {number}"),
    "seat_free": N_("Free, for somebody to come"),
    "open_table": N_("Open the table"),
    "save_table": N_("Save the changes"),
    "show_rules": N_("Show the rules"),
    "rules_of_these": N_("The rules of this table"),
}
