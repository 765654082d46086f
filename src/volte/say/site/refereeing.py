"""What a refereed table adds to the page."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

PAGES: Final = {
    "keys_at_referee": N_("At a table with a referee"),
}

CLIENT: Final = {
    "has_referee": N_("A referee rules at this table: nothing is refused."),
    "early_card": N_("{card}, out of turn"),
    "play_early": N_("Play out of turn: {card}"),
    "raised_early": N_(
        "It is not your turn. The same once more plays this card out of turn: {card}."
    ),
    "turn_down": N_("Turn the trick down"),
    "put_right": N_("Put my card right"),
    "object": N_("Object…"),
    "object_title": N_("To whose card do you object?"),
    "object_about": N_(
        "A card out of turn goes back to its hand, and so does one that breaks a rule. If nothing "
        "is wrong with it, it stays, and that costs you nothing."
    ),
    "object_to": N_("{name}: {card}"),
    "claim_revoke": N_("Claim a revoke…"),
    "claim_title": N_("Who revoked, and in which trick?"),
    "claim_about": N_(
        "If it is so, the deal stops, and whoever revoked pays for all of it. If it is not, that "
        "costs you nothing."
    ),
    "claim_who": N_("Who revoked"),
    "claim_own": N_("I revoked myself"),
    "claim_which": N_("In which trick"),
    "claim_sure": N_("Claim it"),
    "claim_no_one": N_("Say first who revoked."),
    "claim_no_trick": N_("Say first in which trick."),
    "never_mind": N_("Never mind"),
    "cut": N_("Cut the cards"),
    "accept": N_("Accept the scores"),
    "nothing_to_claim": N_("Nothing to claim: next deal"),
    "deal_reckoned": N_("Deal {number}, not yet final"),
    "until_cut": N_("A revoke can be claimed until the cards are cut."),
    "until_accepted": N_("A revoke can be claimed until everybody has accepted the scores."),
    "revoke": N_("revoke"),
    "has_accepted": N_("accepted"),
    "keys_referee": N_("At a table with a referee"),
}
