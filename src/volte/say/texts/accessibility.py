"""The accessibility statement: what was built, what was tested and how, what was not, and scripts
by which volunteers try the pages with their screen readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import N_, Language
from volte.say.texts.fairness import Section


def accessibility_page(words: Language) -> tuple[Section, ...]:
    """The statement, section by section."""
    return tuple(
        (words.t(heading), tuple(words.t(paragraph) for paragraph in paragraphs))
        for heading, paragraphs in _SECTIONS
    )


def script_title(words: Language, name: str) -> str:
    """What a script for volunteers is called; its name where there is none of that name now."""
    return words.t(SCRIPTS[name][0]) if name in SCRIPTS else name


_SECTIONS: Final[tuple[Section, ...]] = (
    (
        N_("What we aim at"),
        (
            N_(
                "Blind and sighted people play at one table here, as equals: the same cards at the"
                " same moment, no action that only some can do, nothing told by sight or by sound"
                " alone. The standard for all pages is WCAG 2.2, level AA. That is our own"
                " judgement; nobody has certified it."
            ),
        ),
    ),
    (
        N_("What was built for it"),
        (
            N_(
                "Your hand is one list, in which the arrow keys move; every action is also a"
                " button; single keys tell the cards on the table, the scores, whose turn it is,"
                " and more. They can be changed or switched off."
            ),
            N_(
                "All that happens is announced in your own language, whatever language the others"
                " have. How much is told, and which things, is up to you; the last message can be"
                " said again, and the earlier ones heard one by one. The focus is never moved"
                " because somebody else has played. A card that may not be played stays in its"
                " place and says why."
            ),
            N_(
                "Cards have large figures if you like, four colours or two, and always their sign."
                " Light, dark and high contrast, the colours of your own system, less movement,"
                " text at twice its size and screens of 320 pixels are provided for. Clocks are off"
                " unless a table wants one, and more time can be asked for."
            ),
            N_(
                "The lesson, the rules, the replay and the score sheet are texts, lists and tables"
                " like any others. All but the table itself works without scripts. And everything"
                " can be played at the terminal, line by line."
            ),
        ),
    ),
    (
        N_("What was tested, and with what"),
        (
            N_(
                "Every change is tested in Chromium on Linux. Whole matches are played by keyboard"
                " alone, by touch at 320 pixels, and by the names and roles that a screen reader"
                " has to go by. Every page and every state of the table is examined by axe-core,"
                " in both languages, light and dark, on a small and on a large screen."
            ),
            N_(
                "What the screen reader Orca 43.1 says with Chromium 156 (Debian 12) is written"
                " down and compared, sentence by sentence, in both languages and by keyboard alone:"
                " arriving, the pass, a whole deal, the keys, a card that is refused, dialogues,"
                " what a key cuts, other people at the table and what they say, a referee, a moon,"
                " a line that is lost, the score sheet, a puzzle, the settings, the replay and the"
                " proof of a deal. The announcements of whole deals are kept as texts that anybody"
                " can read."
            ),
            N_("Contrast, the size of targets, reflow, spacing and zoom are measured by programs."),
        ),
    ),
    (
        N_("What was not tested"),
        (
            N_(
                "NVDA and JAWS on Windows, VoiceOver on a Mac or an iPhone, and TalkBack on Android"
                " could not be tried here: where Volte is developed there is only Linux. Nor has"
                " anybody tried voice control, a switch or a braille display. Firefox and Safari"
                " have not been tested as Chromium has. Programs find some faults, and people find"
                " the others: if you use any of these, your report is worth more than all our"
                " tests."
            ),
        ),
    ),
    (
        N_("Known limits"),
        (
            N_(
                "Orca, and other screen readers like it, keep single letters for themselves until"
                " the focus is in your hand or on a row of buttons: Tab or Escape leads there."
            ),
            N_(
                "The table itself needs JavaScript. The picture of the score sheet, and the QR code"
                " of an invitation, are pictures: what they show stands beside them as a table and"
                " as an address. A record of a match is a text for programs, not"
                " written to be listened to; the replay is."
            ),
        ),
    ),
    (
        N_("Tell us"),
        (
            N_(
                "Whatever is in your way is a fault of ours. Tell whoever runs this playroom by the"
                " form at the end of this page, or report it where Volte is developed: say which"
                " page, which browser and which screen reader, and what you heard or missed. If"
                " you have ten minutes, follow one of the scripts below. A longer one, with what"
                " should be heard in both languages, comes with the source of Volte:"
                " docs/testing-by-hand.md."
            ),
        ),
    ),
)

SCRIPTS: Final[Mapping[str, Section]] = {
    "arriving": (
        N_("From the first page to your cards"),
        (
            N_(
                "Open the first page. You should hear its title and the heading “Welcome to Volte”."
            ),
            N_("Find the button “Play now” and press it. You need not give a name."),
            N_(
                "You should hear who sits at the table, and which cards you have to pass: nothing"
                " twice, nothing cut off."
            ),
            N_("Press Tab until you are in your hand. You should hear “Your hand” and a card."),
        ),
    ),
    "playing": (
        N_("Passing cards, and a trick"),
        (
            N_("In your hand, go from card to card with the arrow keys: one card each, no more."),
            N_(
                "Choose three cards with the space bar, then press the button that passes them. You"
                " should hear what you pass, and what you are passed."
            ),
            N_("Wait for your turn. You should hear the cards of the others, then “Your turn”."),
            N_(
                "Press Enter on a card. If it may not be played you should hear why; if it may, who"
                " takes the trick. Is the focus still in your hand?"
            ),
        ),
    ),
    "keys": (
        N_("The single keys"),
        (
            N_(
                "In your hand, press C, S, T, H, L and P, one after the other: the cards on the"
                " table, the scores, whose turn it is, your hand, the last trick, the points"
                " taken. Each should be answered at once, and leave you on your card."
            ),
            N_("Press E, then B and N: the last message, the one before it, the one after it."),
            N_(
                "Press the question mark: a list of the keys opens. Press Escape: you should be"
                " back on your card."
            ),
        ),
    ),
    "settings": (
        N_("The settings, and a table of your own"),
        (
            N_(
                "Open “Settings”, and go from heading to heading: each part of the settings should"
                " be one."
            ),
            N_("Change how much is told, and save. You should hear that it is saved."),
            N_(
                "Open “New table”, and press Tab through the form: each field should say its name"
                " and its value, and Tab should always move on."
            ),
            N_(
                "Open the table. You should hear where you are, and find the button “Begin the"
                " match”."
            ),
        ),
    ),
    "telephone": (
        N_("On a telephone"),
        (
            N_("Swipe through the first page to “Play now”, and tap twice."),
            N_("Swipe through your hand, and play a card with a double tap."),
            N_("Turn the telephone, and make the text as large as it goes: is all still there?"),
        ),
    ),
}
"""By name: what a script is called, and its steps."""
