"""The proof that a deal was fair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import N_

PAGES: Final[Mapping[str, str]] = {
    "proof_link": N_("Check the deals"),
    "proof_of": N_("Check the deals of the match of {date}"),
    "proof_title": N_("The deals of the match of {date}"),
    "proof_intro": N_(
        "Nobody chose these cards, and you need not take our word for it: here your own browser"
        " shuffles them again."
    ),
    "proof_how": N_("How fair dealing works"),
    "proof_script": N_("The check runs in your browser, which needs scripts for it."),
    "proof_raw": N_("All that is checked here, for programs"),
    "match_back": N_("Look at the match again"),
}

CLIENT: Final[Mapping[str, str]] = {
    "proof_help": N_(
        "Your browser shuffles every deal again, with nothing but the secret of the house and"
        " everybody's shares, and compares the cards."
    ),
    "proof_none": N_("This match was dealt without seals: nothing can be proved."),
    "proof_failed": N_("The deals could not be loaded: try again."),
    "proof_all": N_("Check every deal here"),
    "proof_one": N_("Check deal {number} here"),
    "proof_deal": N_("Deal {number}"),
    "proof_facts": N_("What was told of deal {number}"),
    "proof_waits": N_(
        "The secret of this deal is told when the cards are cut for the next one, or when the"
        " match is over."
    ),
    "proof_holds": N_(
        "The cards of deal {number} are exactly those that these bytes give, and the seal was there"
        " before anybody's bytes were known."
    ),
    "proof_fails": N_("Deal {number} is not proved!"),
    "proof_sum": N_("Deals proved: {count} of {most}."),
    # What was looked at
    "right_chain": N_("Its number is the next one: no deal has been dropped."),
    "wrong_chain": N_("Its number is not the next one: a deal is missing."),
    "right_order": N_("All was told in its order: seal, promises, shares, cards, secret."),
    "wrong_order": N_("Something was told out of its order."),
    "right_seal": N_("The secret and the shares of the house's seats are those under the seal."),
    "wrong_seal": N_("The secret or a share of the house's seats is not the one under the seal."),
    "right_promises": N_("The share of every person is the one promised."),
    "wrong_promises": N_("A share is not the one promised: {name}."),
    "right_own": N_("Your own share is the one that this browser has drawn and sent."),
    "wrong_own": N_("Your own share is not the one that this browser has sent."),
    "wrong_own_left": N_("Your own share is left out, although this browser has sent one."),
    "right_cards": N_("Shuffled again here, the pack gives exactly these hands."),
    "wrong_cards": N_("Shuffled again here, the pack gives other hands."),
    "right_lots": N_("Drawn again here, the lots are the same."),
    "wrong_lots": N_("Drawn again here, the lots are others."),
    # What is on record
    "fact_seal": N_("Seal of the house"),
    "fact_secret": N_("Secret of the house"),
    "fact_promise": N_("Seal of a share ({name})"),
    "fact_share": N_("Share ({name})"),
    "fact_house": N_("Share under the seal of the house ({name})"),
    "fact_none": N_("none, left out"),
}
