"""What the settings are called, and what their values mean: the words of their form."""

from __future__ import annotations

from typing import Final

from volte.say import N_

HEADINGS: Final = {
    "telling": (
        N_("What is told"),
        N_("What a screen reader or the page itself says while you play."),
    ),
    "playing": (N_("Playing"), N_("How you play your cards, and how fast the others do.")),
    "person": (N_("Your face at the table"), N_("Everybody at your table sees it.")),
    "look": (N_("What it looks like"), N_("Nothing is told by colour alone, however you choose.")),
    "sounds": (
        N_("Sounds"),
        N_(
            "All of them are short and soft; whatever they say can be read too. In place of names:"
            " you hear from its place who plays a card, and are told only which card it is."
        ),
    ),
    "keys": (N_("Keys"), N_("One letter each. They work only while the game has the focus.")),
}
"""The groups of settings: heading, and what they are about."""

LABELS: Final = {
    "lang": N_("Language"),
    "verbosity": N_("How much is told"),
    "say_plays": N_("Say the cards that are played"),
    "say_tricks": N_("Say who takes a trick"),
    "say_pass": N_("Say how the pass goes"),
    "say_scores": N_("Say the points at the end of a deal"),
    "say_rulings": N_("Say what the referee rules, and who cuts the cards or accepts the scores"),
    "say_people": N_("Say who comes, who goes, and for whom a bot plays"),
    "say_clock": N_("Say when time runs short"),
    "say_talk": N_("Say what others say at the table"),
    "say_again": N_("Say again, once you press no more keys, what a key has cut off"),
    "reader_rate": N_("How fast your screen reader speaks, in words a minute"),
    "speech": N_("Let this page speak aloud, for those who use no screen reader"),
    "speech_rate": N_("How fast it speaks, in percent"),
    "tap": N_("A touch or a click on a card"),
    "order": N_("Order of your cards"),
    "auto_forced": N_("Play a card by itself when no other may be played"),
    "bots_wait": N_("Bots wait until you have heard what was played"),
    "first_playable": N_("On my turn, go to the first card that I may play"),
    "skip_barred": N_("Arrows skip cards that I may not play; with Shift they do not"),
    "bot_pace": N_("Pause before each card of a bot, in milliseconds"),
    "trick_pace": N_("How long a full trick lies, in milliseconds"),
    "face": N_("Picture"),
    "hue": N_("Its colour"),
    "theme": N_("Light or dark"),
    "contrast": N_("Contrast"),
    "motion": N_("Movement"),
    "colours": N_("Colours of the suits"),
    "large": N_("Large figures on the cards"),
    "back": N_("Backs of the cards"),
    "buttons": N_("Buttons of questions and of what is seldom wanted"),
    "sounds": N_("How loud they are"),
    "sound_cards": N_("A sound for every card"),
    "sound_turn": N_("A sound when it is your turn"),
    "sound_tricks": N_("A sound when a trick is taken"),
    "sound_ends": N_("Sounds at the end of a deal and of a match"),
    "sound_people": N_("A sound when somebody comes or goes"),
    "keys": N_("Single-letter keys at the table"),
    "key_table": N_("Cards on the table"),
    "key_scores": N_("Scores"),
    "key_turn": N_("Whose turn"),
    "key_situation": N_("The situation: turn, trick and hand"),
    "key_hand": N_("My hand"),
    "key_last": N_("Last trick"),
    "key_points": N_("Points taken"),
    "key_sheet": N_("Score sheet"),
    "key_rules": N_("Rules"),
    "key_hint": N_("Hint"),
    "key_repeat": N_("Say the last message again"),
    "key_before": N_("The message before"),
    "key_after": N_("The message after"),
    "key_kind": N_("Which messages: all, plays, points, talk, table"),
    "key_talk": N_("Talk at the table"),
    "key_verbosity": N_("How much is told: less, and after the least everything"),
    "key_keys": N_("The keys that work now"),
    "key_turn_down": N_("Refereed tables: turn the trick down"),
    "key_put_right": N_("Refereed tables: put my card right"),
    "key_object": N_("Refereed tables: object to a card"),
    "key_claim_revoke": N_("Refereed tables: claim a revoke"),
    "key_cut": N_("Refereed tables: cut the cards"),
    "key_accept": N_("Refereed tables: accept the scores"),
}

VALUES: Final = {
    "verbosity": {
        "terse": N_("As little as can be: ranks, and names only where they are needed"),
        "brief": N_("Little: what one needs to play on"),
        "normal": N_("As at a real table"),
        "full": N_("Everything, also what plays show and how the deal is proved"),
    },
    "tap": {
        "auto": N_("plays it with the mouse; by touch, the second tap plays it"),
        "once": N_("plays it at once"),
        "twice": N_("raises it, and the second one plays it"),
        "confirm": N_("raises it, and a button plays it"),
    },
    "order": {
        "suit": N_("by suit"),
        "rank": N_("by rank"),
    },
    "face": {
        "initials": N_("your initials"),
        "cat": N_("a cat"),
        "owl": N_("an owl"),
        "fox": N_("a fox"),
        "hare": N_("a hare"),
        "bear": N_("a bear"),
        "fish": N_("a fish"),
        "bee": N_("a bee"),
        "snail": N_("a snail"),
        "star": N_("a star"),
        "moon": N_("a moon"),
        "leaf": N_("a leaf"),
        "cup": N_("a cup"),
    },
    "hue": {
        "auto": N_("one that follows from your name"),
        "0": N_("green"),
        "1": N_("red"),
        "2": N_("blue"),
        "3": N_("ochre"),
        "4": N_("violet"),
        "5": N_("grey"),
        "6": N_("teal"),
        "7": N_("magenta"),
        "8": N_("olive"),
        "9": N_("brown"),
    },
    "theme": {
        "system": N_("as this device has it"),
        "light": N_("light"),
        "dark": N_("dark"),
    },
    "contrast": {
        "system": N_("as this device has it"),
        "more": N_("as strong as can be"),
    },
    "motion": {
        "system": N_("as this device has it"),
        "less": N_("none"),
    },
    "colours": {
        "four": N_("four: clubs green, diamonds blue"),
        "two": N_("two: black and red"),
    },
    "back": {
        "waves": N_("waves"),
        "lattice": N_("lattice"),
        "plain": N_("plain"),
    },
    "buttons": {
        "few": N_("in the menu"),
        "all": N_("always shown"),
    },
    "sounds": {
        "off": N_("silent"),
        "quiet": N_("quiet"),
        "on": N_("as loud as usual"),
        "names": N_("as loud as usual, and in place of names"),
    },
}
"""What the values of a choice mean; languages are called by their own names."""

CUES: Final = {
    "card": (N_("A card is laid"), N_("one short knock from its player’s place; yours is deeper.")),
    "lead": (N_("A lead"), N_("two knocks, the second one higher, from its player’s place.")),
    "queen": (
        N_("The queen of spades"),
        N_("besides the knock a low, rough note; only where she counts points."),
    ),
    "broken": (
        N_("Hearts are broken"),
        N_("three quick notes that fall, from where the heart was played."),
    ),
    "turn": (N_("It is your turn"), N_("two bright notes that rise.")),
    "mine": (N_("You take the trick"), N_("two low notes that fall.")),
    "theirs": (N_("Somebody else takes the trick"), N_("one soft note from their place.")),
    "deal": (N_("The end of a deal"), N_("three slow notes that fall.")),
    "moon": (N_("A moon or a slam"), N_("five notes that rise and go on sounding.")),
    "match": (N_("The end of the match"), N_("four notes, from low to very high.")),
    "coming": (N_("Somebody comes"), N_("two notes that rise, from their place.")),
    "going": (N_("Somebody goes"), N_("the same two notes, falling.")),
    "places": (
        N_("Left, across, right"),
        N_(
            "the same card from three places, as at a table of four. With more players, the others"
            " sit in a row from your left to your right."
        ),
    ),
}
"""The sounds that the form describes and plays, and what each is like; "places" is an example of
where they come from.
"""
