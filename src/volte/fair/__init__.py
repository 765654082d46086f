"""The verifiable source of chance: shuffles, lots and commitments, and the fast generator.

Deals in integers and bytes and knows nothing of cards. `House` deals, `verify_deal` proves,
`SplitMix64` is for simulations and bots, in this engine and in the kernel alike.
"""

from volte.cards.public import in_sentences
from volte.fair.chance import SplitMix64, read_seed, split
from volte.fair.house import (
    CONTRIBUTION_BYTES,
    DIGEST_BYTES,
    LONGEST_CONTRIBUTION,
    SECRET_BYTES,
    Commitment,
    House,
    Stream,
    commit,
    commit_bytes,
    deal_label,
    digest_of_cards,
    lot_label,
    verify_bytes,
)
from volte.fair.verify import Verdict, verify_deal

__all__ = [
    "CONTRIBUTION_BYTES",
    "DIGEST_BYTES",
    "LONGEST_CONTRIBUTION",
    "SECRET_BYTES",
    "Commitment",
    "House",
    "SplitMix64",
    "Stream",
    "Verdict",
    "commit",
    "commit_bytes",
    "deal_label",
    "digest_of_cards",
    "lot_label",
    "read_seed",
    "split",
    "verify_bytes",
    "verify_deal",
]

in_sentences(__name__, but=("SplitMix64.__init__", "SplitMix64.below"))
