"""The compiled twin of `rules` and `game`, for millions of deals.

Needs the extra `strong`. Importing this package is cheap: Numba comes, and code is compiled, when
the first deal is played.
"""

from volte.cards.public import in_sentences
from volte.extras import STRONG, install_command, strong_installed

if not strong_installed():
    raise ImportError(
        f"The kernel needs the extra “{STRONG}”. To install it: {install_command(STRONG)}"
    )

from volte.kernel.batch import Batch
from volte.kernel.deals import Matches, choices, play_deals, play_matches, play_on
from volte.kernel.encoding import RANDOM_POLICY, Policy, encode, position
from volte.kernel.layout import DEAL, OUTCOME, RULES, SEAT, KernelFault, Records
from volte.kernel.startup import ready, unavailable, warm_up

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

in_sentences(__name__)
