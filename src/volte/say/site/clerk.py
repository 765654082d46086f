"""The pages of the rules clerk."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "clerk": N_("Rules clerk"),
    "clerk_way": N_("“Somebody revoked: what now?” When something goes wrong with real cards."),
    "clerk_title": N_("Something went wrong: what now?"),
    "clerk_intro": N_(
        "Choose what has happened, and read what to do, until when, and what it costs in your game."
    ),
    "clerk_origin": N_(
        "These rulings are those of les Cœurs as it is played in Quebec. The rules of the other"
        " games say nothing of what goes wrong, so they borrow them."
    ),
    "clerk_game": N_("Your game"),
    "clerk_other": N_("For another game"),
    "clerk_players": N_("Players"),
    "clerk_choose": N_("Use its rules"),
    "clerk_never": N_("What cannot happen in this game"),
    "clerk_near": N_("See also"),
    "clerk_all": N_("All questions"),
    "clerk_rules": N_("The rules of this game"),
    "clerk_unknown": N_("No such question"),
    "clerk_unknown_more": N_("The clerk knows no such question: choose one of these."),
    "clerk_of_preset": N_("Something went wrong with real cards? Ask the rules clerk."),
}
