"""A stake as people write it: an amount, and perhaps a currency behind it or before it."""

from __future__ import annotations

import re
from typing import Final

from volte.scorekeeper.telling.money import currency_of

_STAKE: Final = re.compile(r"(?P<before>[^\d.,\s]*)\s*(?P<amount>\d[\d.,]*)\s*(?P<after>.*)")


def stake_and_currency(text: str) -> tuple[str, str]:
    """The amount as it was typed, and the currency; whatever is no amount comes back whole.

    >>> stake_and_currency("0,25 €"), stake_and_currency("$0.10"), stake_and_currency("many")
    (('0,25', 'EUR'), ('0.10', 'USD'), ('many', ''))
    """
    read = _STAKE.fullmatch(text.strip())
    if read is None:
        return text.strip(), ""
    return read["amount"], currency_of(read["before"] or read["after"])
