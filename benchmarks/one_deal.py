"""Process that plays one deal in the kernel and prints its largest memory; see `kernel.py`.

python benchmarks/one_deal.py [casual]
"""

from __future__ import annotations

import sys
from pathlib import Path

from volte.bots import compiled
from volte.kernel import play_deals
from volte.rules import make_ruleset


def most_megabytes() -> float:
    """Largest memory of this process in megabytes, where the system reports it; 0 elsewhere.

    `getrusage` would not do: on Linux it also counts the process that started this one.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line) / 1024


if __name__ == "__main__":
    rules = make_ruleset("microsoft")
    policy = compiled("casual") if "casual" in sys.argv else None
    play_deals(rules, 1, 1, [policy] * rules.players if policy else [])
    print(most_megabytes())
