"""Why something cannot be in a club or at one of its evenings."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

AT_EVENINGS: Final = {
    "evening_begun": N_("The evening has begun: it can be changed no more."),
    "evening_full": N_("There is no room for more people at this evening."),
    "evening_over": N_("This evening is over."),
    "round_goes_on": N_("This round is still being played."),
    "too_few_people": N_(
        "At least {least} people have to come, so that there is something to compare."
    ),
    "no_round_now": N_("No round is being played now: you play from the next one."),
    "has_a_seat": N_("You have a seat in this round already: go to your table."),
    "no_bot_there": N_(
        "No bot has a seat that you could take for another whole deal: you play from the next"
        " round."
    ),
}
"""By reason, why something is not done to an evening."""

EVENING_FAULTS: Final = {
    "bad_evening_name": N_("The name of an evening has 1 to {most} signs, on one line."),
    "rounds_out_of_range": N_("An evening has 1 to {most} rounds."),
    "deals_out_of_range": N_("A round has 1 to {most} deals, the same number at every table."),
    "rules_not_for_evenings": N_(
        "At an evening every table plays the same number of deals, without a referee: choose"
        " another game."
    ),
    "break_out_of_range": N_("The break between two rounds has 0 to {most} minutes."),
    "evening_by_hand": N_("Only an evening itself opens its tables: leave the evening out."),
}
"""By reason, what is wrong with the plan of an evening."""

CLUB_SERVING: Final = {
    "no_club": N_("There is no such club, or it is not shown to you."),
    "no_evening": N_("There is no such evening, or it is not shown to you."),
    "invitation_over": N_("This invitation is no longer good: ask the club for another one."),
    "too_many_clubs": N_("You have {most} clubs, and nobody needs more: use those."),
    "club_full": N_("A club has {most} members at most."),
    "too_many_evenings": N_(
        "This club has {most} evenings to come: let one of them take place first, or cancel it."
    ),
    "owner_stays": N_("The club is yours: give it to another member first, or dissolve it."),
    "club_has_evenings": N_("The club still has evenings to come: cancel them first."),
    "not_a_member": N_("That person is no member of the club."),
    "not_your_table": N_(
        "The cards of this table are played at others as well: only those who have a seat here may"
        " come in."
    ),
    "evening_goes_on": N_(
        "These deals are still being played at other tables: you can read them once the round is"
        " over."
    ),
}
"""By reason, what a server does not do."""
