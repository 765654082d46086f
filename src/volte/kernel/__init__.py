"""The compiled twin of `rules` and `game`, for millions of deals.

Importing this package is cheap: Numba comes, and code is compiled, when the first deal is played.
"""

from volte.kernel.batch import Batch
from volte.kernel.deals import Matches, play_deals, play_matches, play_on
from volte.kernel.decisions import choices
from volte.kernel.layout import DEAL, OUTCOME, RULES, SEAT, Records
from volte.kernel.policy import RANDOM_POLICY, Policy
from volte.kernel.position import position
from volte.kernel.startup import ready, unavailable, warm_up
from volte.kernel.table import KernelFault, encode

__all__ = [
    "DEAL",
    "OUTCOME",
    "RANDOM_POLICY",
    "RULES",
    "SEAT",
    "Batch",
    "KernelFault",
    "Matches",
    "Policy",
    "Records",
    "choices",
    "encode",
    "play_deals",
    "play_matches",
    "play_on",
    "position",
    "ready",
    "unavailable",
    "warm_up",
]
