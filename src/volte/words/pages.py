"""What the pages of the playroom say besides the game: headings, labels, buttons, advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.words.language import N_, Language
from volte.words.site import PAGES as PARTS


def page_sentence(words: Language, name: str, /, **params: object) -> str:
    """The sentence of that name."""
    return words.t(PAGES[name], **params)


PAGES: Final[Mapping[str, str]] = {
    **PARTS,
    # On every page
    "skip": N_("Skip to the content"),
    "site_nav": N_("Site"),
    "home": N_("Tables"),
    "new_table": N_("New table"),
    "rules": N_("Rules"),
    "fair": N_("Fair dealing"),
    "settings": N_("Settings"),
    "language": N_("Language"),
    "tagline": N_("Hearts, for everybody at one table."),
    "in_form": N_("Please look at this once more:"),
    "go_home": N_("Back to the tables"),
    # The lobby
    "welcome": N_("Welcome to Volte"),
    "hello": N_("Hello {name}"),
    "intro": N_(
        "Hearts, Les Cœurs and La Dame de pique, with friends, with bots, on the screen, by ear"
        " or by keyboard."
    ),
    "your_name": N_("Your name"),
    "your_name_help": N_("As the others see it, at most {most} characters. Nothing else is asked."),
    "come_in": N_("Come in"),
    "play_now": N_("Play now with three bots"),
    "play_now_help": N_("You sit down with three bots, and the cards are dealt at once."),
    "guest": N_("Guest"),
    "tables": N_("Tables in the room"),
    "no_tables": N_("No table is open: open one, or play with three bots."),
    "no_other_tables": N_("No other table is open at the moment."),
    "my_tables": N_("My tables"),
    "my_matches": N_("My matches"),
    "no_matches": N_("You have played no match here yet."),
    "join": N_("Join"),
    "watch": N_("Watch"),
    "go_on": N_("Go on"),
    "join_table": N_("Join: {table}"),
    "watch_table": N_("Watch: {table}"),
    "go_on_table": N_("Go on: {table}"),
    "column_rules": N_("Rules"),
    "column_players": N_("Players"),
    "column_state": N_("State"),
    "table_password": N_("with a password"),
    "table_waiting": N_("waiting for players"),
    "table_playing": N_("playing"),
    "table_paused": N_("paused"),
    "table_over": N_("the match is over"),
    "free_seats": N_("Free seats: {count}"),
    "bot_named": N_("{name} (bot)"),
    "with_changes": N_("{rules}, with changes"),
    "deal_number": N_("deal {number}"),
    "score_of": N_("{name}: {points}"),
    "match_of": N_("Match of {date}"),
    "match_running": N_("not over yet"),
    "record": N_("Record"),
    "record_of": N_("Record of the match of {date}"),
    # A new table
    "table_of": N_("{name}’s table"),
    "set_up": N_("Change the table"),
    "table_section": N_("The table"),
    "table_name": N_("Name of the table"),
    "preset": N_("What is played"),
    "take_preset": N_("Fill in these rules"),
    "take_preset_help": N_(
        "Choose a game and the number of players, then fill in its rules. Everything below can be"
        " changed afterwards."
    ),
    "rules_section": N_("The rules in detail"),
    "removed_help": N_("Cards with commas between them, such as 2♦, 2♠. Empty for none."),
    "cycle_legend": N_("Where the cards go, deal after deal"),
    "cycle_place": N_("Deal {number}"),
    "cycle_end": N_("(starts over)"),
    "end_number": N_("How many deals, or which total"),
    "refereed_note": N_(
        "There is no referee at the tables of this site yet: illegal plays are refused."
    ),
    "access_section": N_("Who may come"),
    "access_legend": N_("Who may come, and who may watch"),
    "access_public": N_("Everybody: the table is listed in the lobby"),
    "access_link": N_("Whoever has the address"),
    "access_password": N_("Whoever knows the password"),
    "password": N_("Password"),
    "password_help": N_("Only for a table with a password: {least} characters or more."),
    "keep_password": N_("Leave it empty to keep the one there is."),
    "watching": N_("Who may watch"),
    "watching_nobody": N_("Nobody"),
    "watching_hidden": N_("Anybody, without seeing the hands"),
    "watching_afterwards": N_("Anybody, with all hands open, one deal late"),
    "time_section": N_("Time and help"),
    "clock": N_("Seconds for a choice"),
    "clock_help": N_(
        "0 for no clock. From {shortest} to {longest}; below {least} it binds only those who"
        " agree to it, and more time can always be asked for."
    ),
    "hints": N_("A hint may be asked for"),
    "seats_section": N_("Who plays with you"),
    "seat_number": N_("Seat {number}"),
    "seat_free": N_("Free, for somebody to come"),
    "open_table": N_("Open the table"),
    "save_table": N_("Save the changes"),
    "show_rules": N_("Show the rules"),
    "rules_of_these": N_("The rules of this table"),
    # The table
    "enter_title": N_("This table has a password"),
    "enter": N_("Enter"),
    "name_first": N_("Say your name, and you are at the table."),
    "now": N_("What is going on"),
    "seats": N_("Players"),
    "seat_player": N_("Player"),
    "seat_state": N_("State"),
    "seat_cards": N_("Cards"),
    "seat_points": N_("This deal"),
    "seat_total": N_("Total"),
    "trick": N_("On the table"),
    "last_trick": N_("The last trick"),
    "hand": N_("Your hand"),
    "hands": N_("Everybody’s hands"),
    "questions": N_("Questions"),
    "actions": N_("What you can do"),
    "answer": N_("Answer"),
    "log": N_("What has happened"),
    "sheet": N_("Score sheet"),
    "sheet_deal": N_("Deal"),
    "record_last": N_("Record of this match"),
    "table_rules": N_("The rules of this table"),
    "invite": N_("Invite somebody"),
    "address": N_("The address of this table"),
    "copy": N_("Copy the address"),
    "qr": N_("The address as a picture for a telephone camera"),
    "host_section": N_("The host’s rights"),
    "host_seat": N_("Seat"),
    "host_level": N_("Level of the bot"),
    "swap_with": N_("The other seat"),
    "needs_script": N_("To play, this page needs JavaScript: please allow it for this site."),
    "keys": N_("Keys"),
    "keys_intro": N_(
        "These keys work while the game has the focus: a card of your hand, or one of its buttons."
    ),
    "key_c": N_("the cards on the table"),
    "key_numbers": N_("one of the cards on the table"),
    "key_s": N_("the scores"),
    "key_t": N_("whose turn it is"),
    "key_h": N_("your hand"),
    "key_l": N_("the last trick"),
    "key_p": N_("the points taken in this deal"),
    "key_f": N_("the score sheet"),
    "key_r": N_("the rules of this table"),
    "key_i": N_("a hint"),
    "key_question": N_("these keys"),
    "key_arrows": N_("the card before, the card after"),
    "key_arrows_name": N_("Arrows"),
    "key_escape_name": N_("Escape"),
    "key_escape": N_("back to your hand, from what stands beside the game"),
    "key_enter_name": N_("Enter or space"),
    "key_enter": N_("plays the card; before the pass, chooses it or puts it back"),
    # Settings
    "settings_intro": N_("They follow you to every table."),
    "save_settings": N_("Save these settings"),
    "saved": N_("Your settings are saved."),
    "leave_title": N_("On this device"),
    "leave": N_("Forget me on this device"),
    "leave_help": N_(
        "Once forgotten, you cannot come back to your tables, not even under the same name."
    ),
    "device_title": N_("Go on at another device"),
    "device_help": N_("A link lets another browser be you as well, at the same tables."),
    "device_make": N_("Make a link for another device"),
    "device_how": N_(
        "Open this address on the other device, or point its camera at the picture. It is good for"
        " {minutes} minutes, and only once. Show it to nobody: whoever opens it is you."
    ),
    "device_address": N_("The address for your other device"),
    "device_qr": N_("The same address as a picture, for the camera of a telephone"),
    "device_ask": N_("Here you can go on as {name}, at the same tables and with the same cards."),
    "device_instead": N_("So far this browser is {name}, who is then forgotten here."),
    "device_take": N_("Go on here"),
    # Rules and fair dealing
    "rules_intro": N_("Every game that has a name here, with its exact rules."),
    "rules_for": N_("With {count} players"),
    "players_of": N_("For {players} players."),
    "play_these": N_("Open a table with these rules"),
    "fair_title": N_("Why nobody can cheat when dealing"),
    # What is wrong
    "wrong_title": N_("This did not work"),
    "fault_number": N_("Please enter a whole number from {least} to {most}."),
    "fault_choice": N_("Please choose one of the answers offered."),
    "fault_letter": N_("Please type one letter or sign, and no digit."),
    "fault_letter_twice": N_("Another question has this key already."),
    "fault_password": N_("A password has {least} to {most} characters."),
    "fault_kitty": N_(
        "{cards} cards do not come out even for {players} players, {left} being left over: let"
        " somebody take them, or leave cards out."
    ),
    "fault_cycle": N_("Say where the cards go in the first deal, or let none be passed."),
    "fault_club": N_(
        "No hand is sure to hold a club to open with: let the eldest hand open, or leave fewer"
        " clubs out."
    ),
    "fault_end": N_("The match cannot end like this: the number goes from 1 to {most}."),
    "fault_limit": N_(
        "With these points no total need ever reach a limit: end the match after some deals."
    ),
}
"""The sentences by name, in English; those of larger parts stand in `site`."""

OPTION_VALUES: Final = {
    "kitty": {
        "none": N_("nobody: no card may be left over"),
        "first_trick": N_("whoever takes the first trick"),
    },
    "jokers": {"0": N_("none"), "2": N_("two")},
    "pass_cycle": {
        "left": N_("to the left"),
        "right": N_("to the right"),
        "second_left": N_("to the second player on the left"),
        "second_right": N_("to the second player on the right"),
        "across": N_("across the table"),
        "hold": N_("nowhere: everybody keeps theirs"),
    },
    "opening": {
        "eldest": N_("the eldest hand, with any card"),
        "lowest_club": N_("whoever holds the lowest club, with that card"),
    },
    "first_trick_points": {
        "allowed": N_("yes, they may"),
        "barred": N_("no, they may not"),
    },
    "hearts_lead": {
        "free": N_("yes, at any time"),
        "once_broken": N_("no, only once they are broken"),
    },
    "queen_breaks_hearts": {"false": N_("no"), "true": N_("yes")},
    "queen_discard": {
        "free": N_("it may go"),
        "forced": N_("it must go"),
        "barred": N_("it must stay"),
    },
    "jack_points": {"0": N_("nothing"), "-10": N_("10 points less for whoever takes it")},
    "moon": {
        "off": N_("nothing special"),
        "others_plus": N_("the others get all the points"),
    },
    "slam": {
        "off": N_("nothing special"),
        "reversal": N_("that player loses all the points, and each of the others gets them"),
    },
    "match_end": {
        "deals": N_("after a number of deals"),
        "limit": N_("when a total is reached"),
    },
    "settlement": {
        "none": N_("not at all"),
        "difference": N_("by the differences between the players"),
        "average": N_("by the distance from the average"),
        "pot": N_("into a pot, which a player without points takes"),
    },
    "irregularities": {
        "enforced": N_("they are refused"),
        "refereed": N_("they happen, and are ruled on"),
    },
}
"""What the values of an option mean, by its name; numbers and cards speak for themselves."""

LEVELS: Final = {
    "beginner": N_("a bot, beginner"),
    "casual": N_("a bot, casual"),
    "strong": N_("a bot, strong"),
    "expert": N_("a bot, expert"),
}
"""Who can be asked to a seat."""

ON_PAGES: Final = {
    "cards_left_over": "fault_kitty",
    "pass_cycle_empty": "fault_cycle",
    "no_club_to_open": "fault_club",
    "match_end_out_of_range": "fault_end",
    "limit_never_reached": "fault_limit",
}
"""Faults whose sentence names an option as it is typed: a form says it in its own words."""


def value_meaning(words: Language, option: str, value: str) -> str:
    """What that value of an option means. Raises `KeyError`."""
    return words.t(OPTION_VALUES[option][value])


def level_name(words: Language, level: str) -> str:
    """A bot of that level, as a choice. Raises `KeyError`."""
    return words.t(LEVELS[level])
