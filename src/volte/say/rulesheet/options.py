"""What the options and the presets are called and mean, for lists and for docs/rules.md."""

from __future__ import annotations

from typing import Final, NamedTuple

from volte.rules import Ruleset, described
from volte.say.language import N_, Language

_OPTIONS: Final = {
    "players": N_("how many play"),
    "packs": N_("how many packs are shuffled together; two need six to ten players"),
    "removed": N_("the cards left out of the deck"),
    "kitty": N_("who takes the cards left over by the deal"),
    "jokers": N_("how many jokers join the deck"),
    "pass_count": N_("how many cards each player passes; 0 for no pass"),
    "pass_cycle": N_("where the cards go, deal after deal"),
    "opening": N_("who leads to the first trick, and with what"),
    "first_trick_points": N_("whether penalty cards may be discarded on the first trick"),
    "hearts_lead": N_("whether hearts may be led before they are broken"),
    "queen_breaks_hearts": N_("whether the queen of spades breaks hearts"),
    "hearts_from_trick": N_("the first trick in which hearts may be led or discarded"),
    "queen_play": N_("whether the queen of spades may be played before hearts are broken"),
    "queen_discard": N_(
        "whether the queen of spades must go, may go or must stay at the first chance"
    ),
    "heart_points": N_("what the hearts count"),
    "queen_points": N_("what the queen of spades counts"),
    "jack_points": N_("what the jack of diamonds counts"),
    "card_points": N_("what any other card counts, such as KS=10; less than 0 for a bonus"),
    "no_tricks": N_("what is added for taking no trick at all; 0 or less"),
    "moon": N_("what taking every penalty card does"),
    "moon_needs_jack": N_("whether the moon needs the cards that count below zero as well"),
    "moon_by": N_("who may shoot the moon or make the slam, where there are partners"),
    "slam": N_("what taking every trick does"),
    "match_end": N_("after how many deals, or at which total, the match ends"),
    "at_limit": N_("what a total of exactly the limit does"),
    "ties": N_("what happens when the lowest totals are equal at the end"),
    "partners": N_("how many play together on a side"),
    "settlement": N_("how stakes are paid"),
    "irregularities": N_("whether wrong plays are refused, or happen and are ruled on"),
}


class _PresetWords(NamedTuple):
    """What a preset is called, and a sentence that tells it apart, both as messages."""

    title: str
    summary: str


_PRESETS: Final = {
    "coeurs": _PresetWords(
        N_("Les Cœurs"),
        N_("The Quebec game: one deal, a forced queen at 12 points, differences paid in stakes."),
    ),
    "coeurs-cinq-coups": _PresetWords(
        N_("Les Cœurs in five deals"),
        N_("The same over five deals, paid on the sums."),
    ),
    "coeurs-moyenne": _PresetWords(
        N_("Les Cœurs by the average"),
        N_("Five deals, the queen at 13 points, everybody settling with the mean."),
    ),
    "coeurs-cagnotte": _PresetWords(
        N_("Les Cœurs with a pot"),
        N_("One deal; points are paid into a pot, which a player without points takes."),
    ),
    "coeurs-table": _PresetWords(
        N_("Les Cœurs at a refereed table"),
        N_("As with real cards: revokes happen, and are claimed."),
    ),
    "dame-de-pique": _PresetWords(
        N_("La Dame de pique"),
        N_("The Swiss game for four: a pass that turns, the queen at 13 points, up to 100."),
    ),
    "salon": _PresetWords(
        N_("La Dame de pique, as played online"),
        N_("For three to six, with a slam that beats even the moon."),
    ),
    "salon-valet": _PresetWords(
        N_("La Dame de pique online, with the jack of diamonds"),
        N_("Whoever takes the jack of diamonds scores 10 points less."),
    ),
    "salon-six-deux": _PresetWords(
        N_("La Dame de pique online, for six without the 2s"),
        N_("The four 2s are left out, and the 3 of clubs opens."),
    ),
    "salon-six-jokers": _PresetWords(
        N_("La Dame de pique online, for six with two jokers"),
        N_("Nothing is left out, and two jokers join the pack."),
    ),
    "microsoft": _PresetWords(
        N_("Hearts"),
        N_(
            "As it came with Windows: four players, a pass that turns, the 2 of clubs to open,"
            " up to 100 points."
        ),
    ),
    "simple-hearts": _PresetWords(
        N_("Hearts as it began"),
        N_("Hearts count, and nothing else: no queen, no pass, no moon; paid by the average."),
    ),
    "black-lady": _PresetWords(
        N_("Black Lady"),
        N_("The American game of 1909: the queen at 13, three cards to the left, no moon."),
    ),
    "omnibus": _PresetWords(
        N_("Omnibus Hearts"),
        N_("The jack of diamonds takes 10 points off, and the moon wants it too."),
    ),
    "spot-hearts": _PresetWords(
        N_("Spot Hearts"),
        N_("Every heart counts its rank, the queen of spades 25; up to 500 points."),
    ),
    "black-maria": _PresetWords(
        N_("Black Maria"),
        N_("The British game, best for three: three high spades count 13, 10 and 7."),
    ),
    "greek": _PresetWords(
        N_("Greek Hearts"),
        N_("Black Lady with the pass to the right, and with a moon that charges the others."),
    ),
    "scatter": _PresetWords(
        N_("Hearts with a scatter"),
        N_("In every fourth deal one card goes to each of the others; the shooter chooses."),
    ),
    "exact-hundred": _PresetWords(
        N_("Hearts with a rescue at 100"),
        N_("A total of exactly 100 falls back to 50, and no moon loses the match."),
    ),
    "partnership": _PresetWords(
        N_("Partnership Hearts"),
        N_("Partners sit opposite and add their points, two against two, up to 200."),
    ),
    "cancellation": _PresetWords(
        N_("Cancellation Hearts"),
        N_("Two packs for six to ten players: two equal cards in a trick cancel each other."),
    ),
}


def option_meaning(words: Language, name: str) -> str:
    """What the option of that name decides, in a few words. Raises `KeyError`."""
    return words.t(_OPTIONS[name])


def preset_title(words: Language, name: str) -> str:
    """What the preset of that name is called. Raises `KeyError`."""
    return words.t(_PRESETS[name].title)


def preset_summary(words: Language, name: str) -> str:
    """One sentence that tells the preset apart. Raises `KeyError`."""
    return words.t(_PRESETS[name].summary)


def rules_played(rules: Ruleset, whole_matches: bool) -> str:
    """The preset and what differs, as it is typed: "coeurs players=5"."""
    preset, differences = described(rules)
    if not whole_matches:
        differences.pop("match_end", None)
    settings = [f"{name}={_value(value)}" for name, value in differences.items()]
    return " ".join([preset, *settings])


def _value(value: object) -> str:
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


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
