"""What a browser accepts, and how gladly: the headers `Accept-Language` and `Accept-Encoding`."""

from __future__ import annotations

import re


def weights(header: str) -> dict[str, float]:
    """What is named there, in lower case and in its order, each with its weight; 0 is refused.

    >>> weights("fr, en;q=0.8, br;q=0")
    {'fr': 1.0, 'en': 0.8, 'br': 0.0}
    """
    entries = [entry.partition(";") for entry in header.split(",")]
    return {name.strip().lower(): _weight(rest) for name, _, rest in entries if name.strip()}


def _weight(parameters: str) -> float:
    found = re.search(r"(?:^|;)\s*q\s*=([^;]*)", parameters, re.IGNORECASE)
    try:
        return float(found[1]) if found is not None else 1.0
    except ValueError:
        return 0.0
