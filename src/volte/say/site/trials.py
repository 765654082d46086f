"""The form by which volunteers say how their trial of the pages went, and the list of those."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "trial_scripts": N_("Scripts for volunteers"),
    "trial_scripts_intro": N_(
        "Each takes five to ten minutes and needs no knowledge of the game. Leave your screen"
        " reader as you always use it. If something is not heard, is heard twice, or leads you"
        " somewhere unexpected, that is what we want to know."
    ),
    "trial_title": N_("How did it go?"),
    "trial_intro": N_(
        "One form for each script. Your name is neither asked nor kept; whoever runs this"
        " playroom reads what you write."
    ),
    "trial_browser": N_("System and browser"),
    "trial_browser_help": N_("For example: Windows 11, Firefox 140"),
    "trial_reader": N_("Screen reader"),
    "trial_reader_help": N_(
        "With its version, for example: NVDA 2025.1. Or whatever else you use."
    ),
    "trial_script": N_("Script"),
    "trial_outcome": N_("Result"),
    "trial_worked": N_("It worked"),
    "trial_failed": N_("It did not work"),
    "trial_remarks": N_("Remarks"),
    "trial_remarks_help": N_(
        "Where you were, what you pressed, what you heard or missed, what you expected."
    ),
    "trial_send": N_("Send the result"),
    "trial_sent": N_("Thank you. Your result is kept, and will be read."),
    "trial_no_browser": N_("Please say which system and browser you used."),
    "trial_no_reader": N_("Please say which screen reader you used, or what else."),
    "trial_list": N_("Results of volunteers’ tests"),
    "trial_lang": N_("Language"),
    "trial_none": N_("Nobody has sent a result yet."),
}
