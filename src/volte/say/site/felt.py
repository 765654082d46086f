"""The table as it is seen: seats, trick, hands."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "menu": N_("Menu"),
}

CLIENT: Final = {
    "menu": N_("Menu"),
    "seat_figures": N_("{name}: {names}"),
    "seat_roles": N_("{name}; {names}"),
    "cards_one": N_("{number} card"),
    "cards_many": N_("{number} cards"),
    "points_one": N_("{number} point"),
    "points_many": N_("{number} points"),
    "total_now": N_("total {number}"),
    "leads": N_("has the lead"),
    "figure_taken": N_("deal"),
    "figure_total": N_("total"),
    "deal_number": N_("Deal {number}"),
    "hearts_broken": N_("Hearts are broken"),
    "hearts_whole": N_("Hearts are not broken"),
    "you_lead": N_("You lead"),
    "you_led": N_("You led"),
    "one_leads": N_("{name} leads"),
    "one_led": N_("{name} led"),
    "for_you": N_("For you: {names}"),
    "passes_to": N_("Your cards go to {name}."),
}
