"""A match looked at again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import N_

PAGES: Final[Mapping[str, str]] = {
    "replay_link": N_("Look at it again"),
    "replay_of": N_("Look at it again: the match of {date}"),
    "replay_title": N_("The match of {date}"),
    "replay_script": N_(
        "This page needs scripts. Without them, the record tells every card of the match."
    ),
    "replay_controls": N_("Step by step"),
    "replay_deal": N_("Deal"),
    "replay_eyes": N_("What is shown"),
    "eyes_open": N_("every hand"),
    "eyes_own": N_("what you could see"),
    "eyes_public": N_("what everybody could see"),
    "replay_step": N_("Step"),
    "replay_speed": N_("Speed"),
    "speed_slow": N_("slow"),
    "speed_usual": N_("as at a table"),
    "speed_quick": N_("quick"),
    "replay_first": N_("To the start"),
    "replay_trick_back": N_("A trick back"),
    "replay_back": N_("A card back"),
    "replay_on": N_("A card on"),
    "replay_trick_on": N_("A trick on"),
    "replay_last": N_("To the end"),
    "replay_keys_help": N_(
        "On the step: left and right arrow for a card, page down and page up for a trick, Home and"
        " End for the start and the end of the deal, the space bar to play and to stop."
    ),
    "save_record": N_("Save the record"),
}

CLIENT: Final[Mapping[str, str]] = {
    "replay_play": N_("Play"),
    "replay_pause": N_("Stop"),
    "replay_option": N_("Deal {number}: {names}"),
    "replay_pass": N_("Deal {number} of {most}, before the first trick"),
    "replay_trick": N_("Deal {number} of {most}, trick {count}"),
    "replay_over": N_("Deal {number} of {most}, the end"),
    "replay_failed": N_("This deal could not be loaded: try again."),
}
