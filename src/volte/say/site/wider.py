"""What tables of the wider family add to the page."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

CLIENT: Final = {
    # Partners
    "partner": N_("partner"),
    "partner_yours": N_("your partner"),
    "partner_of": N_("partner of {names}"),
    # A card for each of the others
    "passes_all": N_("You give one card to each of the others."),
    "way_scatter": N_("one card to each"),
    "for_one": N_("{card}, for {name}"),
    "now_for": N_("For {name}: {card}."),
    "each_title": N_("One card for each"),
    "each_about": N_("The card you choose first goes to the player on your left, and so on."),
    "each_for": N_("For {name}:"),
    "each_none": N_("no card yet"),
    "each_swap": N_("Swap with the card for {name}"),
    # Cards that cancel each other
    "cancelled_card": N_("{card}, cancelled"),
    "held": N_("Waiting for whoever takes the next trick:"),
    "last_held": N_("Nobody took it: its cards cancel each other."),
    # How a moon counts
    "moon_title": N_("You took them all: how shall it count?"),
    "moon_minus": N_("Take the points off mine"),
    "moon_plus": N_("Give the points to the others"),
    "choose_moon": N_("Say how it counts"),
    # Totals
    "halved": N_("fell to half"),
    "trickless": N_("no trick"),
    "tied": N_("Equal totals, so the match goes on: {names}."),
}
