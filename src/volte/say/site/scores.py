"""Score sheet, ends of deals and matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import N_

PAGES: Final[Mapping[str, str]] = {}

CLIENT: Final[Mapping[str, str]] = {
    # The score sheet, and the drawing of it
    "sheet_dealt": N_("Dealer, pass"),
    "way_left": N_("to the left"),
    "way_right": N_("to the right"),
    "way_second_left": N_("to the second on the left"),
    "way_second_right": N_("to the second on the right"),
    "way_across": N_("across"),
    "way_hold": N_("no pass"),
    "moon": N_("moon"),
    "slam": N_("slam"),
    "first": N_("in the lead:"),
    "stakes": N_("Stakes"),
    "led_by": N_("In the lead: {names}, with {points}."),
    "won_by": N_("First place: {names}, with {points}."),
    "behind": N_("Behind: {names}."),
    "ends_at": N_("The match ends at {most}."),
    # Between deals, and after the match
    "deal_over": N_("Deal {number} is over"),
    "match_over": N_("The match is over"),
    "ending_player": N_("Player"),
    "ending_deal": N_("This deal"),
    "ending_total": N_("Total"),
    "to_replay": N_("Look at it again"),
    "to_proof": N_("Check the deals"),
    "to_record": N_("Save the record"),
}
