"""What the pages of the playroom say besides the game: headings, labels, buttons, advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.account_words import PAGES as ACCOUNT
from volte.say.language import N_, Language
from volte.say.site import PAGES as PARTS
from volte.say.site import arriving, tables


def page_sentence(words: Language, name: str, /, **params: object) -> str:
    """The sentence of that name."""
    return words.t(PAGES[name], **params)


PAGES: Final[Mapping[str, str]] = {
    **PARTS,
    **ACCOUNT,
    **arriving.PAGES,
    **tables.PAGES,
    # On every page
    "skip": N_("Skip to the content"),
    "skip_hand": N_("To your hand"),
    "site_nav": N_("Site"),
    "home": N_("Tables"),
    "new_table": N_("New table"),
    "rules": N_("Rules"),
    "help": N_("Help"),
    "learn": N_("Learn to play"),
    "fair": N_("Fair dealing"),
    "accessibility": N_("Accessibility"),
    "settings": N_("Settings"),
    "language": N_("Language"),
    "tagline": N_("Hearts, for everybody at one table."),
    "in_form": N_("Please look at this once more:"),
    "go_home": N_("Back to the tables"),
    "go_to_table": N_("To the table"),
    # The table
    "now": N_("What is going on"),
    "seats": N_("Players"),
    "seat_total": N_("Total"),
    "trick": N_("On the table"),
    "last_trick": N_("The last trick"),
    "hand": N_("Your hand"),
    "hands": N_("Everybody’s hands"),
    "questions": N_("Questions"),
    "actions": N_("Actions"),
    "more_actions": N_("More actions"),
    "answer": N_("Answer"),
    "log": N_("What has happened"),
    "sheet": N_("Score sheet"),
    "sheet_deal": N_("Deal"),
    "table_rules": N_("The rules of this table"),
    "invite": N_("Invite somebody"),
    "invite_private": N_("This table is yours alone: nobody else finds it, or can look in."),
    "invite_guest": N_("Nobody else can come to this table, until the host presses “Invite”."),
    "invite_now": N_("Invite"),
    "address": N_("The address of this table"),
    "copy": N_("Copy the address"),
    "qr": N_("The address as a picture for a telephone camera"),
    "host_section": N_("The host’s rights"),
    "host_seat": N_("Seat"),
    "host_level": N_("Level of the bot"),
    "swap_with": N_("The other seat"),
    "needs_script": N_("To play, this page needs JavaScript: please allow it for this site."),
    # Settings
    "settings_intro": N_("They follow you to every table as soon as you have saved them."),
    "about_telling": N_("What a screen reader or the page itself says while you play."),
    "about_playing": N_("How you play your cards, and how fast the others do."),
    "about_person": N_("Everybody at your table sees it."),
    "about_look": N_("Nothing is told by colour alone, however you choose."),
    "about_sounds": N_(
        "All of them are short and soft; whatever they say can be read too. In place of names: you"
        " hear from its place who plays a card, and are told only which card it is."
    ),
    "about_keys": N_("One letter each. They work only while the game has the focus."),
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
    # What is wrong
    "wrong_title": N_("This did not work"),
    "fault_number": N_("Please enter a whole number from {least} to {most}."),
    "fault_choice": N_("Please choose one of the answers offered."),
    "fault_letter": N_("Please type one letter or sign, and no digit."),
    "fault_letter_twice": N_(
        "The key {key} is that of “{other}” already: choose another one for “{name}”."
    ),
    "fault_password": N_("A password has {least} to {most} characters."),
    "fault_kitty": N_(
        "{cards} cards do not come out even for {players} players, {left} being left over: let"
        " somebody take them, or leave cards out."
    ),
    "fault_cycle": N_("Say where the cards go in the first deal, or let none be passed."),
    "fault_packs": N_(
        "Two packs are for {least} to {most} players: choose as many, or play with one pack."
    ),
    "fault_scatter": N_(
        "Nobody can give a card to each of {count} others from a hand of {hand}: send the cards"
        " elsewhere."
    ),
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
    "packs": {"1": N_("one"), "2": N_("two, in which equal cards cancel each other")},
    "kitty": {
        "none": N_("nobody: no card may be left over"),
        "first_trick": N_("whoever takes the first trick"),
        "first_heart": N_("whoever takes the first trick with a heart in it"),
        "last_trick": N_("whoever takes the last trick"),
    },
    "jokers": {"0": N_("none"), "2": N_("two")},
    "pass_cycle": {
        "left": N_("to the left"),
        "right": N_("to the right"),
        "second_left": N_("to the second player on the left"),
        "second_right": N_("to the second player on the right"),
        "across": N_("across the table"),
        "scatter": N_("one card to each of the others"),
        "hold": N_("nowhere: everybody keeps theirs"),
    },
    "opening": {
        "eldest": N_("the eldest hand, with any card"),
        "lowest_club": N_("whoever holds the lowest club, with that card"),
        "any_club": N_("whoever holds the lowest club, with any club"),
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
    "queen_play": {
        "free": N_("yes, at any time"),
        "once_broken": N_("no, only once they are broken, or to follow suit"),
    },
    "queen_discard": {
        "free": N_("it may go"),
        "forced": N_("it must go"),
        "barred": N_("it must stay"),
    },
    "heart_points": {
        "one": N_("one point each"),
        "rank": N_("their rank, the jack being 11, the queen 12, the king 13 and the ace 14"),
    },
    "jack_points": {
        "0": N_("nothing"),
        "-5": N_("5 points less for whoever takes it"),
        "-10": N_("10 points less for whoever takes it"),
    },
    "moon": {
        "off": N_("nothing special"),
        "others_plus": N_("the others get all the points"),
        "shooter_minus": N_("that player’s score goes down by all the points"),
        "shooter_chooses": N_("that player chooses: the others up, or the own score down"),
        "plus_unless_lost": N_(
            "the others get all the points, unless that would lose the match: then the own score"
            " goes down"
        ),
    },
    "moon_needs_jack": {"false": N_("no"), "true": N_("yes, they too")},
    "moon_by": {
        "player": N_("one player alone"),
        "side": N_("partners together"),
    },
    "slam": {
        "off": N_("nothing special"),
        "reversal": N_("that player loses all the points, and each of the others gets them"),
        "double": N_("as a moon, but twice"),
    },
    "match_end": {
        "deals": N_("after a number of deals"),
        "limit": N_("when a total is reached"),
    },
    "at_limit": {
        "ends": N_("it ends the match like any higher one"),
        "halves": N_("it falls back to half, and the match goes on"),
    },
    "ties": {
        "share": N_("they share the win"),
        "play_on": N_("another deal is played"),
    },
    "partners": {
        "1": N_("one: everybody plays alone"),
        "2": N_("two partners"),
        "3": N_("three partners"),
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
    "players_for_two_packs": "fault_packs",
    "scatter_larger_than_hand": "fault_scatter",
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
