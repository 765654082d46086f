"""What the options of a table and the levels of bots mean, as choices in a form."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language

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


def value_meaning(words: Language, option: str, value: str) -> str:
    """What that value of an option means. Raises `KeyError`."""
    return words.t(OPTION_VALUES[option][value])


def level_name(words: Language, level: str) -> str:
    """A bot of that level, as a choice. Raises `KeyError`."""
    return words.t(LEVELS[level])
